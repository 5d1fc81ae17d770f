// @ts-check
// Numbers as the reader writes them, to digits with a point and back. What could mean two things
// is not guessed.

import { locales } from "./format.js";

const BLANKS = "\\s\\u00a0\\u202f\\u2009";

/** @type {{decimal: string, group: string, digits: string[]} | null} */
let known = null;
/** @type {Map<string, string[]>} */
const currencySigns = new Map();
addEventListener("languagechange", () => {
  known = null;
  currencySigns.clear();
});

/**
 * The decimal sign of the reader's locale, its sign between thousands, and its digits.
 * @returns {{decimal: string, group: string, digits: string[]}}
 */
function signs() {
  if (known) return known;
  const parts = new Intl.NumberFormat(locales()).formatToParts(1234567.8);
  const find = (/** @type {string} */ type) =>
    parts.find((part) => part.type === type)?.value ?? "";
  const digits =
    [...new Intl.NumberFormat(locales(), { useGrouping: false }).format(9876543210)].reverse();
  known = { decimal: find("decimal") || ".", group: find("group"), digits };
  return known;
}

/**
 * The ways in which a currency (ISO 4217) is written beside a number, the longest first.
 * @param {string} currency
 */
function signsOf(currency) {
  const signs = currencySigns.get(currency) ?? writtenSigns(currency);
  currencySigns.set(currency, signs);
  return signs;
}

/** @param {string} currency */
function writtenSigns(currency) {
  try {
    const written = ["symbol", "narrowSymbol", "code"].map((currencyDisplay) =>
      new Intl.NumberFormat(locales(), { style: "currency", currency, currencyDisplay })
        .formatToParts(0).find(({ type }) => type === "currency")?.value ?? "");
    return [...new Set(written)].filter(Boolean).sort((a, b) => b.length - a.length);
  } catch {
    return [];
  }
}

/**
 * Without the sign of that very currency; any other stays, and makes the text no number.
 * @param {string} text
 * @param {string} currency
 */
function withoutCurrency(text, currency) {
  const sign = signsOf(currency).map(escaped).join("|");
  if (sign === "") return text;
  return text.replace(new RegExp(`^(?:${sign})[${BLANKS}]*|[${BLANKS}]*(?:${sign})$`, "u"), "");
}

/**
 * What was typed, with a point and ASCII digits; `isDoubtful` when a sign could mean two things.
 * Beside an amount of `currency` (ISO 4217) the sign of that currency is read over.
 * @param {string} typed
 * @param {{currency?: string}} money
 */
export function readTyped(typed, { currency } = {}) {
  const { digits } = signs();
  let text = trimmed(typed);
  if (currency) text = withoutCurrency(text, currency);
  text = [...text].map((sign) => (digits.indexOf(sign) >= 0 ? String(digits.indexOf(sign)) : sign))
    .join("");
  text = text.replace("\u2212", "-");
  const whole = ungrouped(text);
  return whole === null ? { text, isDoubtful: true } : decimals(whole);
}

/** @param {string} text */
const trimmed = (text) => text.replace(new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, "gu"), "");

/**
 * Without the signs between thousands, where they stand as the reader's locale has them; null where
 * they stand otherwise. A point is left as it is: it may be a decimal sign everywhere.
 * @param {string} text
 */
function ungrouped(text) {
  const { decimal, group } = signs();
  // Nobody types a narrow blank, or has two apostrophes on a keyboard.
  const kin = [BLANKS, "'\u2019"].find((signs) => new RegExp(`^[${signs}]$`, "u").test(group));
  const sign = kin ? `[${kin}]` : group === "." || group === "" ? null : escaped(group);
  if (sign) {
    const tail = `(${escaped(decimal)}\\d*)?`;
    const grouped = new RegExp(`^[+-]?\\d{1,3}(${sign}\\d{2,3})*${sign}\\d{3}${tail}$`, "u");
    if (grouped.test(text)) return text.replace(new RegExp(sign, "gu"), "");
  }
  return new RegExp(sign ? `[${BLANKS}]|${sign}` : `[${BLANKS}]`, "u").test(text) ? null : text;
}

/** @param {string} sign */
const escaped = (sign) => sign.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** @param {string} text */
function decimals(text) {
  const { decimal, group } = signs();
  if (decimal === ".") return { text, isDoubtful: false };
  const isGrouped = group === "." && /^[+-]?\d{1,3}(\.\d{3})+$/.test(text);
  const hasBoth = text.includes(decimal) && text.includes(".");
  if (isGrouped || hasBoth) return { text, isDoubtful: true };
  const isOnce = text.indexOf(decimal) === text.lastIndexOf(decimal);
  return { text: isOnce ? text.replace(decimal, ".") : text, isDoubtful: !isOnce };
}

/**
 * Digits with a point, as the reader would type them.
 * @param {string} text
 */
export const asTyped = (text) => text.replace(".", signs().decimal);

/**
 * What is pasted on several lines is several numbers: their break is kept, as a blank.
 * @param {string} text
 */
export const asPasted = (text) => trimmed(text).replace(/[\r\n\t]+/g, " ");

/**
 * What is wrong with a typed number on the face of it, as a sentence; "" when nothing is. Limits,
 * lots and ticks are the server's to judge.
 * @param {Wire.Field} name
 * @param {string} typed
 * @param {{example: string, currency?: string}} of
 */
export function faultOf(name, typed, { example, currency }) {
  const { text, isDoubtful } = readTyped(typed, { currency });
  if (text === "") return `Enter a ${name}.`;
  if (isDoubtful) {
    return `Write the ${name} without separators between thousands, such as ${asTyped(example)}; `
      + `“${typed.slice(0, 24)}” could mean either.`;
  }
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return "";
  return `The ${name} must be a number in plain digits, such as ${asTyped(example)}; `
    + `“${typed.slice(0, 24)}” is not.`;
}
