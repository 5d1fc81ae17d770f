// Finds markets by words: each typed word must begin a word of the name, the symbol, its currencies
// or the venue, ignoring case and accents.

const MAXIMUM_QUERY_LENGTH = 100;

// Letters without case and accents; marks and apostrophes are removed.
/** @param {string} text */
const folded = (text) => text.normalize("NFD").replace(/[\p{M}'\u2019]/gu, "").toLowerCase();

// The words of a query, normalised.
/** @param {string} query */
export const wordsOf = (query) =>
  folded(query.slice(0, MAXIMUM_QUERY_LENGTH)).split(/\s+/).filter(Boolean);

/** Caches each row's searchable text. */
export class Finder {
  /** @type {WeakMap<Market, string>} */
  #texts = new WeakMap();

  // Whether a row has all the words; `venue` is the venue's name.
  /** @param {Market} market @param {string} venue @param {string[]} words */
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

// Everything that a word can begin, each after a line break. A symbol matches with and without its
// slash, and by each of its parts.
/** @param {Market} market @param {string} venue */
function searchable({ name, symbol, venue: key, quote = "" }, venue) {
  const codes = [symbol, symbol.replaceAll("/", ""), ...symbol.split("/"), quote, key];
  const names = `${name} ${venue}`.split(/[^\p{L}\p{N}\p{M}'\u2019]+/u);
  return `\n${folded([...codes, ...names].filter(Boolean).join("\n"))}`;
}

// How well an item matches a query: lower is better.
/** Up to here the symbol itself was typed. */
export const SPELT_OUT = 1;
/** From here on there is no match. */
export const NO_MATCH = 9;
const UNASKED = 5;
/** Currencies with two names. */
const SAME = new Map([["xbt", "btc"], ["xdg", "doge"]]);

/**
 * A query: as typed, its parts between blanks and signs, those parts joined (also by a currency's
 * usual name), and its words.
 * @typedef {{typed: string, parts: string[], squeezed: string, renamed: string, words: string[]}}
 *   Query
 */

/** @param {string} text @returns {Query} */
export function queryOf(text) {
  const typed = text.trim();
  const parts = partsOf(typed);
  const squeezed = parts.join("");
  const renamed = squeezed.replace(/^(xbt|xdg)/, usual);
  return { typed, parts, squeezed, renamed, words: wordsOf(typed) };
}

// "BTC/USD" as "btc" and "usd".
/** @param {string} text */
const partsOf = (text) => text.toLowerCase().split(/[\s/_:-]+/).filter(Boolean);

/** @param {string} part */
const usual = (part) => SAME.get(part) ?? part;

// Whether all parts are equal, by any name.
/** @param {string[]} a @param {string[]} b */
const areSame = (a, b) => a.length === b.length
  && a.every((part, at) => usual(part) === usual(b[at]));

/**
 * In order: the symbol as typed, in any case and with any sign between its parts, without a sign,
 * then its prefix, then names and words.
 * @param {{code: string, name: string, also?: string, isFound?: boolean}} item
 * @param {Query} query
 */
export function nearness({ code, name, also = "", isFound = false }, query) {
  const { typed, parts, squeezed, renamed, words } = query;
  if (typed === "") return UNASKED;
  if (code === typed) return 0;
  const pair = partsOf(code);
  const whole = pair.join("");
  if (pair.length > 0 && areSame(pair, parts)) return SPELT_OUT;
  if (whole !== "" && (whole === squeezed || whole === renamed)) return 2;
  if (squeezed !== "" && whole.startsWith(squeezed)) return 3;
  const lower = typed.toLowerCase();
  if (name.toLowerCase().startsWith(lower)) return 4;
  const texts = [...wordsOf(`${name} ${also}`.replaceAll("/", " ")), ...pair];
  if (words.every((word) => texts.some((text) => text.startsWith(word)))) return 5;
  return isFound || `${name} ${code}`.toLowerCase().includes(lower) ? 6 : NO_MATCH;
}
