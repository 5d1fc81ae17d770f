// Finds markets by words: each word that is typed begins a word of the name, the symbol, its
// currencies or the venue, in any case and with or without accents.

/** @typedef {import("./market.js").Market} Market */

const MAXIMUM_QUERY_LENGTH = 100;

/**
 * Letters without case and accents; marks and apostrophes are left out.
 * @param {string} text
 */
const folded = (text) => text.normalize("NFD").replace(/[\p{M}'\u2019]/gu, "").toLowerCase();

/**
 * The words of what was typed, as they are looked for.
 * @param {string} query
 */
export const wordsOf = (query) =>
  folded(query.slice(0, MAXIMUM_QUERY_LENGTH)).split(/\s+/).filter(Boolean);

/** Remembers what is searched of each row: it is put together once. */
export class Finder {
  /** @type {WeakMap<Market, string>} */
  #texts = new WeakMap();

  /**
   * Whether a row has all the words; `venue` is the venue's name.
   * @param {Market} market
   * @param {string} venue
   * @param {string[]} words
   */
  matches(market, venue, words) {
    if (words.length === 0) return true;
    let text = this.#texts.get(market);
    if (text === undefined) {
      text = searchable(market, venue);
      this.#texts.set(market, text);
    }
    const all = text;
    return words.every((word) => all.includes(`\n${word}`));
  }
}

/**
 * Everything that a word may begin, each after a line break. A symbol is found with and without its
 * slash, and by each of its parts.
 * @param {Market} market
 * @param {string} venue
 */
function searchable({ name, symbol, venue: key, quote = "" }, venue) {
  const codes = [symbol, symbol.replaceAll("/", ""), ...symbol.split("/"), quote, key];
  const names = `${name} ${venue}`.split(/[^\p{L}\p{N}\p{M}'\u2019]+/u);
  return `\n${folded([...codes, ...names].filter(Boolean).join("\n"))}`;
}
