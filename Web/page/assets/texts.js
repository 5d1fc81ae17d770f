// @ts-check
// The page's words in the person's language. English stands in the code and is the key to the
// others; what has no translation is shown as it stands. The words are here before any module
// that writes them runs: the catalogue of the language is awaited, and English has none.

import { recall } from "./storage.js";

/** @typedef {{texts: {[english: string]: string}, told: {[english: string]: string}}} Catalogue */
/** @typedef {{[name: string]: string | number | undefined}} Values */

const CATALOGUES = {
  de: new URL("./texts/de.json", import.meta.url),
  nl: new URL("./texts/nl.json", import.meta.url),
};
const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * What can be chosen; each language by its own name.
 * @type {[value: string, label: string][]}
 */
export const LANGUAGES = [
  ["browser", "As the browser"], ["en", "English"], ["de", "Deutsch"], ["nl", "Nederlands"],
];

/** What the person chose for this device. */
const choice = recall("language", LANGUAGES.map(([value]) => value));

/** @param {string} locale */
const languageOf = (locale) => locale.toLowerCase().split("-")[0];

/** The language of the words: the one that was chosen, else the browser's first that is known. */
export const language = choice !== "browser" ? choice
  : (navigator.languages ?? []).map(languageOf).find((name) => name === "en" || name in CATALOGUES)
    ?? "en";

/**
 * The languages for numbers and dates, best first: the browser's own, which know the region; of
 * them those of the language that was chosen.
 * @returns {readonly string[]}
 */
export function languages() {
  const own = navigator.languages ?? [];
  if (choice === "browser") return own;
  return [...own.filter((locale) => languageOf(locale) === choice), choice];
}

/** @type {Catalogue} */
const NONE = { texts: {}, told: {} };
const catalogue = await load();
document.documentElement.lang = catalogue === NONE ? "en" : language;

/** @returns {Promise<Catalogue>} */
async function load() {
  if (!(language in CATALOGUES)) return NONE;
  try {
    const address = CATALOGUES[/** @type {keyof typeof CATALOGUES} */ (language)];
    const response = await fetch(address);
    return response.ok ? await response.json() : NONE;
  } catch {
    // English words beside live prices are better than no page.
    return NONE;
  }
}

/**
 * A text in the person's language: `t("{count} orders", { count: "3" })`.
 * @param {string} english
 * @param {Values} [values] for the names in braces
 * @param {string} [sense] which of several, where one English word has two in another language
 */
export function t(english, values, sense) {
  const key = sense ? `${english}|${sense}` : english;
  return filled(catalogue.texts[key] ?? english, values);
}

/**
 * One of two texts, by a count, which stands for `{count}`. All three languages have these two.
 * @param {number} count
 * @param {string} one
 * @param {string} other
 * @param {Values} [values]
 */
export function plural(count, one, other, values) {
  return t(count === 1 ? one : other, { count, ...values });
}

/**
 * A word as it stands inside a sentence: small, but for German, whose nouns are not.
 * @param {string} word
 */
export const inSentence = (word) => (language === "de" ? word
  : word.slice(0, 1).toLowerCase() + word.slice(1));

/** @type {[pattern: RegExp, translation: string][] | undefined} */
let patterns;

/**
 * What the server or the core says, in the person's language: a sentence of the catalogue, which
 * may have figures and names in it, or several of them. What it does not know stays English.
 * @param {string | undefined} english
 * @returns {string}
 */
export function told(english = "") {
  if (language === "en" || english === "") return english;
  const whole = sentence(english);
  if (whole !== undefined) return whole;
  const parts = english.split(/(?<=[.…]) /);
  return parts.length === 1 ? english : parts.map((part) => sentence(part) ?? part).join(" ");
}

/**
 * @param {string} english
 * @returns {string | undefined}
 */
function sentence(english) {
  const exact = catalogue.told[english] ?? catalogue.texts[english];
  if (exact !== undefined) return exact;
  patterns ??= Object.entries(catalogue.told).filter(([key]) => key.includes("{"))
    .sort(([one], [other]) => certainty(other) - certainty(one))
    .map(([key, translation]) => [patternOf(key), translation]);
  for (const [pattern, translation] of patterns) {
    const found = pattern.exec(english);
    if (found) return filled(translation, worded(found.groups));
  }
  return undefined;
}

/**
 * How much of a sentence says itself: of two that fit, the one with more words of its own is meant.
 * @param {string} key
 */
const certainty = (key) => key.replace(PLACEHOLDER, "").length;

/**
 * Names and figures stay; what the catalogue knows of it is told, too.
 * @param {Values} [groups]
 * @returns {Values}
 */
const worded = (groups = {}) => Object.fromEntries(Object.entries(groups).map(
  ([name, text]) => [name, sentence(String(text)) ?? text]));

/** @param {string} key */
const patternOf = (key) => new RegExp(`^${key.split(PLACEHOLDER).map((part, at) => (at % 2 === 0
  ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : `(?<${part}>.+?)`)).join("")}$`);

/**
 * @param {string} text
 * @param {Values} [values]
 */
const filled = (text, values) => (values
  ? text.replace(PLACEHOLDER, (whole, name) => String(values[name] ?? whole)) : text);
