// Translates sentences of the server and the ticket's core by pattern: figures and names in them
// stay the same. Sentences without a translation stay English.

/** @typedef {import("./texts.js").Catalogue} Catalogue */
/** @typedef {import("./texts.js").Values} Values */

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Returns a function that translates one or several sentences with a catalogue.
 * @param {Catalogue} catalogue
 * @param {(text: string, values: Values) => string} filled
 * @returns {(english: string) => string}
 */
export function teller({ texts, told }, filled) {
  /** @type {[pattern: RegExp, translation: string][]} */
  const patterns = Object.entries(told).filter(([key]) => key.includes("{"))
    .sort(([one], [other]) => certainty(other) - certainty(one))
    .map(([key, translation]) => [patternOf(key), translation]);

  /** @param {string} english @returns {string | undefined} */
  const sentence = (english) => {
    const exact = told[english] ?? texts[english];
    if (exact !== undefined) return exact;
    for (const [pattern, translation] of patterns) {
      const found = pattern.exec(english);
      if (found) return filled(translation, worded(found.groups ?? {}));
    }
    return undefined;
  };

  // The inserted words are translated, too, where possible.
  /** @param {{[name: string]: string}} groups @returns {Values} */
  const worded = (groups) => Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, sentence(text) ?? text]));

  return (english) => sentence(english)
    ?? english.split(/(?<=[.…]) /).map((part) => sentence(part) ?? part).join(" ");
}

// Ranks patterns by their fixed text: of two that match, the longer wins.
/** @param {string} key */
const certainty = (key) => key.replace(PLACEHOLDER, "").length;

/** @param {string} key */
const patternOf = (key) => new RegExp(`^${key.split(PLACEHOLDER).map((part, at) => (at % 2 === 0
  ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : `(?<${part}>.+?)`)).join("")}$`);
