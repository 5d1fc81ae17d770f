// The page's words in the user's language. English is in the code and is the key to the other
// languages; a text without a translation stays English. The catalogue is awaited here, so it is
// loaded before any module that uses it runs.

import { recall } from "../base/storage.js";

/** @typedef {{[english: string]: string}} Catalogue */
/** @typedef {{[name: string]: string | number | undefined}} Values */

const CATALOGUES = {
  de: new URL("./de.json", import.meta.url),
  nl: new URL("./nl.json", import.meta.url),
};

// The choices; each language in its own words.
/** @type {[value: string, label: string][]} */
export const LANGUAGES = [
  ["browser", "Browser default"], ["en", "English"], ["de", "Deutsch"], ["nl", "Nederlands"],
];

/** The choice on this device. */
const choice = recall("language", LANGUAGES.map(([value]) => value));

/** @param {string} locale */
const languageOf = (locale) => locale.toLowerCase().split("-")[0];

/** The page's language: the chosen one, else the browser's first supported one. */
export const language = choice !== "browser" ? choice
  : (navigator.languages ?? []).map(languageOf).find((name) => name === "en" || name in CATALOGUES)
    ?? "en";

// Locales for numbers and dates, best first: the browser's own, as they include the region, limited
// to the page's language if one was chosen.
/** @returns {readonly string[]} */
export function languages() {
  const own = navigator.languages ?? [];
  if (choice === "browser") return own;
  return [...own.filter((locale) => languageOf(locale) === choice), choice];
}

// Locales for dates, best first: month names in the page's language, order by the user's region.
export const dateLanguages = () => languages().map((locale) => {
  if (languageOf(locale) === language) return locale;
  const region = regionOf(locale);
  return region ? `${language}-${region}` : language;
});

/** @param {string} locale */
function regionOf(locale) {
  try {
    return new Intl.Locale(locale).maximize().region;
  } catch {
    return undefined;
  }
}

const catalogue = await load();
document.documentElement.lang = catalogue ? language : "en";

/** @returns {Promise<Catalogue | undefined>} */
async function load() {
  if (!(language in CATALOGUES)) return undefined;
  try {
    const address = CATALOGUES[/** @type {keyof typeof CATALOGUES} */ (language)];
    // A key from the server must not find what every object has.
    return Object.assign(Object.create(null), await (await fetch(address)).json());
  } catch {
    // English words beside live prices are better than an empty page.
    return undefined;
  }
}

/**
 * A text in the user's language: `t("{count} orders", { count: "3" })`.
 * @param {string} english
 * @param {Values} [values] for the names in braces
 * @param {string} [sense] the meaning, if an English word has several translations
 */
export function t(english, values, sense) {
  const key = sense ? `${english}|${sense}` : english;
  return filled(catalogue?.[key] ?? english, values);
}

// Singular or plural, by a count that replaces `{count}`. All three languages have these two.
/** @param {number} count @param {string} one @param {string} other @param {Values} [values] */
export function plural(count, one, other, values) {
  return t(count === 1 ? one : other, { count, ...values });
}

// A word inside a sentence: lower case, except in German, which capitalises nouns.
/** @param {string} word */
export const inSentence = (word) => (language === "de" ? word
  : word.slice(0, 1).toLowerCase() + word.slice(1));

/**
 * A sentence of the server or the ticket in the user's language: its key is translated and filled
 * with its arguments, of which those that are sentences are translated in turn.
 * @param {Sentence | undefined} value
 * @returns {string}
 */
export function sentence(value = "") {
  const [key, ...parts] = typeof value === "string" ? [value] : value;
  return (catalogue?.[key] ?? key).replace(/\{(\d+)\}/g, (whole, index) => {
    const part = parts[index];
    return part === undefined ? whole : typeof part === "string" ? part : sentence(part);
  });
}

/** @param {string} text @param {Values} [values] */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;
}
