// Sentences of the server and of the ticket's core, known by their words: figures and names in them
// stay what they are. What the catalogue does not know stays English.

/** @typedef {import("./texts.js").Catalogue} Catalogue */
/** @typedef {import("./texts.js").Values} Values */

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * What tells a sentence, or several of them, in the language of a catalogue.
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

  // What stands in a sentence is told, too, where it is known.
  /** @param {{[name: string]: string}} groups @returns {Values} */
  const worded = (groups) => Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, sentence(text) ?? text]));

  return (english) => sentence(english)
    ?? english.split(/(?<=[.…]) /).map((part) => sentence(part) ?? part).join(" ");
}

// How much of a sentence says itself: of two that fit, the one with more words of its own is meant.
/** @param {string} key */
const certainty = (key) => key.replace(PLACEHOLDER, "").length;

/** @param {string} key */
const patternOf = (key) => new RegExp(`^${key.split(PLACEHOLDER).map((part, at) => (at % 2 === 0
  ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : `(?<${part}>.+?)`)).join("")}$`);
