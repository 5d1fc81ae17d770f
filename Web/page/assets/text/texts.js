// The page's words in the person's language. English stands in the code and is the key to the
// others; what has no translation is shown as it stands. The words are here before any module
// that writes them runs: the catalogue of the language is awaited, and English has none.

import { recall } from "../base/storage.js";

/** @typedef {{texts: {[english: string]: string}, told: {[english: string]: string}}} Catalogue */
/** @typedef {{[name: string]: string | number | undefined}} Values */

const CATALOGUES = {
  de: new URL("./de.json", import.meta.url),
  nl: new URL("./nl.json", import.meta.url),
};
/** What only other languages need: English does not ask for it. */
const TELLER = new URL("./server-text.js", import.meta.url);

// What can be chosen; each language by its own name.
/** @type {[value: string, label: string][]} */
export const LANGUAGES = [
  ["browser", "Browser default"], ["en", "English"], ["de", "Deutsch"], ["nl", "Nederlands"],
];

/** What the person chose for this device. */
const choice = recall("language", LANGUAGES.map(([value]) => value));

/** @param {string} locale */
const languageOf = (locale) => locale.toLowerCase().split("-")[0];

/** The language of the words: the one that was chosen, else the browser's first that is known. */
export const language = choice !== "browser" ? choice
  : (navigator.languages ?? []).map(languageOf).find((name) => name === "en" || name in CATALOGUES)
    ?? "en";

// The languages for numbers and dates, best first: the browser's own, which know the region; of
// them those of the language that was chosen.
/** @returns {readonly string[]} */
export function languages() {
  const own = navigator.languages ?? [];
  if (choice === "browser") return own;
  return [...own.filter((locale) => languageOf(locale) === choice), choice];
}

// The languages for dates, best first: months have their names in the language of the page, in the
// order of the reader's region.
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

/** @type {{catalogue?: Catalogue, tell?: (english: string) => string}} */
const { catalogue, tell } = await load();
document.documentElement.lang = catalogue ? language : "en";

async function load() {
  if (!(language in CATALOGUES)) return {};
  try {
    const address = CATALOGUES[/** @type {keyof typeof CATALOGUES} */ (language)];
    const [answer, { teller }] = await Promise.all([fetch(address), import(String(TELLER))]);
    const catalogue = await answer.json();
    return { catalogue, tell: teller(catalogue, filled) };
  } catch {
    // English words beside live prices are better than no page.
    return {};
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
  return filled(catalogue?.texts[key] ?? english, values);
}

// One of two texts, by a count, which stands for `{count}`. All three languages have these two.
/** @param {number} count @param {string} one @param {string} other @param {Values} [values] */
export function plural(count, one, other, values) {
  return t(count === 1 ? one : other, { count, ...values });
}

// A word as it stands inside a sentence: small, but for German, whose nouns are not.
/** @param {string} word */
export const inSentence = (word) => (language === "de" ? word
  : word.slice(0, 1).toLowerCase() + word.slice(1));

// What the server or the core says, in the person's language as far as the catalogue knows it.
/** @param {string | undefined} english @returns {string} */
export const told = (english = "") => (tell ? tell(english) : english);

/** @param {string} text @param {Values} [values] */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;
}
