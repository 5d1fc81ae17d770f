// Numbers in the user's locale. The server sends exact digits as text and `Intl` takes that text:
// no price becomes a binary fraction on its way to the screen.

import { dateLanguages, languages } from "./texts.js";
import { timeZone, zoneName, zoneWord } from "./zone.js";

const NOTHING = "–";
/** @type {Map<string, Intl.NumberFormat>} */
const numberFormats = new Map();
/** @type {Map<string, Intl.DateTimeFormat>} */
const timeFormats = new Map();

/** The user's locales, best first. */
export const locales = () => usable(languages());
/** The same for dates, whose words are in the page's language. */
export const dateLocales = () => usable(dateLanguages());

// Drops the locales that `Intl` does not support.
/** @param {readonly string[]} languages */
function usable(languages) {
  /** @type {string[]} */
  const found = [];
  for (const language of languages) {
    try {
      found.push(.../** @type {any} */ (Intl).getCanonicalLocales(language));
    } catch {
      // A name like "C" or "en-US@posix": try the next.
    }
  }
  return found.length > 0 ? found : undefined;
}

addEventListener("languagechange", () => {
  numberFormats.clear();
  timeFormats.clear();
});

// A minus sign is as wide as a plus sign; a hyphen is not.
/** @param {Intl.NumberFormat} format @param {string} text */
const written = (format, text) => formatted(format, text).replace("-", "\u2212");

// `Intl` takes exact digits as text, which TypeScript 4.8 does not declare.
/** @param {Intl.NumberFormat} format @param {string} text */
const formatted = (format, text) => format.format(/** @type {any} */ (text));

/** @param {Intl.NumberFormatOptions} options */
function formatter(options) {
  const key = JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locales(), options);
  numberFormats.set(key, format);
  return format;
}

// Uses the page's time zone, and always the calendar of the chart's grid lines.
/** @param {Intl.DateTimeFormatOptions} choice */
function timeFormatter(choice) {
  const options = { calendar: "gregory", timeZone: timeZone(), ...choice };
  const key = JSON.stringify(options);
  const format = timeFormats.get(key) ?? new Intl.DateTimeFormat(dateLocales(), options);
  timeFormats.set(key, format);
  return format;
}

/** @param {number | undefined} count */
const places = (count) => {
  const bounded = Math.min(20,
    Math.max(0, count !== undefined && Number.isInteger(count) ? count : 2));
  return { minimumFractionDigits: bounded, maximumFractionDigits: bounded };
};

/** @type {(text: unknown) => text is string} */
const isNumber = (text) => typeof text === "string" && /^-?\d+(\.\d+)?$/.test(text);

/**
 * Formats "189.20" as money of a currency (ISO 4217) with `decimals` decimals.
 * @param {string | undefined} text
 * @param {string | undefined} currency
 * @param {number | undefined} decimals
 */
export function money(text, currency, decimals) {
  if (!isNumber(text)) return NOTHING;
  try {
    return written(formatter({ style: "currency", currency, ...places(decimals) }), text);
  } catch {
    return `${written(formatter(places(decimals)), text)} ${currency ?? ""}`.trim();
  }
}

// A plain number; keeps its own decimals if none are given.
/** @param {string | undefined} text @param {number} [decimals] */
export function number(text, decimals) {
  if (!isNumber(text)) return NOTHING;
  return written(formatter(places(decimals ?? decimalsOf(text))), text);
}

// The number of decimals.
/** @param {string} text */
const decimalsOf = (text) => (text.includes(".") ? text.length - text.indexOf(".") - 1 : 0);

// A change with its sign and the decimals of `like`, or its own if it has more.
/** @param {string | undefined} text @param {string | undefined} like */
export function signed(text, like) {
  if (!isNumber(text)) return NOTHING;
  const decimals = Math.max(decimalsOf(text), isNumber(like) ? decimalsOf(like) : 0);
  return written(formatter({ ...places(decimals), signDisplay: "exceptZero" }), text);
}

const LETTERS = ["", "k", "M", "B", "T"];

// Four significant digits: "45123456.789" as "45.12M"; k, M, B and T count thousands.
/** @param {string | undefined} text */
export function abbreviated(text) {
  if (!isNumber(text)) return NOTHING;
  const [first, rest = ""] = text.replace("-", "").split(".");
  const whole = first.replace(/^0+/, "");
  // A value that rounds up to 1000 takes the next suffix.
  const isFull = whole.length > 0 && whole.length % 3 === 0
    && (whole + rest).slice(0, 5).padEnd(5, "0") >= "99995";
  const power = Math.min(LETTERS.length - 1,
    Math.floor(Math.max(0, whole.length - (isFull ? 0 : 1)) / 3));
  const options = { minimumSignificantDigits: 4, maximumSignificantDigits: 4 };
  return formatted(formatter(options), `${text}e-${3 * power}`) + LETTERS[power];
}

/** Longer quantities are abbreviated. */
const LONGEST_QUANTITY = 9;

// Whether a volume is abbreviated: from a million on, or if it is long.
/** @param {string} plain */
export const isLarge = (plain) =>
  plain.length > LONGEST_QUANTITY || /^-?[1-9]\d{6}/.test(plain);

// "2.94" as "+2.94%": the exponent shifts the point, so that no digit is lost. `signDisplay` is
// "never" where the sign is shown separately.
/** @param {string | undefined} text @param {"exceptZero" | "never"} signDisplay */
export function percent(text, signDisplay = "exceptZero") {
  if (!isNumber(text)) return NOTHING;
  return written(formatter({ style: "percent", signDisplay, ...places(2) }), `${text}e-2`);
}

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };

// Venue time on the tape, HH:mm:ss in the page's zone.
/** @param {number} milliseconds */
export function clockTime(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? NOTHING : timeFormatter(CLOCK).format(date);
}

// The page's clock and its zone: "14:32:07 local".
/** @param {number} now */
export const clockText = (now) => `${clockTime(now)} ${zoneWord(now)}`;

// A time in the page's zone and in UTC, for a tooltip: "Nov 21, 2026, 14:32:07 UTC+1 · 13:32:07
// UTC".
/** @param {number} milliseconds */
export function bothClocks(milliseconds) {
  if (Number.isNaN(new Date(milliseconds).getTime())) return NOTHING;
  const name = zoneName(milliseconds);
  const own = `${localTime(milliseconds)} ${name}`;
  return name === "UTC" ? own
    : `${own} · ${timeFormatter({ timeZone: "UTC", ...CLOCK }).format(milliseconds)} UTC`;
}

// A time with seconds, with its date unless that is the date of `now`.
/** @param {number} milliseconds @param {number | undefined} now */
export function localMoment(milliseconds, now) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return NOTHING;
  const dayOf = timeFormatter({ dateStyle: "short" });
  const isToday = now !== undefined && dayOf.format(date) === dayOf.format(now);
  /** @type {Intl.DateTimeFormatOptions} */
  const day = isToday ? {} : { month: "short", day: "numeric" };
  return timeFormatter({ ...day, ...CLOCK }).format(date);
}

// A time to the minute, with its date unless that is the date of `now`.
/** @param {number} milliseconds @param {number} now */
export function minuteMoment(milliseconds, now) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return NOTHING;
  const dayOf = timeFormatter({ dateStyle: "short" });
  /** @type {Intl.DateTimeFormatOptions} */
  const day = dayOf.format(date) === dayOf.format(now) ? {} : { month: "short", day: "numeric" };
  return timeFormatter({ ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    .format(date);
}

// Date and time with seconds, 24 h.
/** @param {number} milliseconds */
export function localTime(milliseconds) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return NOTHING;
  return timeFormatter({
    dateStyle: "medium", timeStyle: "medium", hourCycle: "h23",
  }).format(date);
}

// Money with all its decimals, and at least `decimals`.
/** @param {string | undefined} text @param {string | undefined} currency */
export function exactMoney(text, currency, decimals = 2) {
  const trimmed = typeof text === "string" && text.includes(".") ? text.replace(/\.?0+$/, "")
    : text;
  const own = typeof trimmed === "string" && trimmed.includes(".")
    ? trimmed.length - trimmed.indexOf(".") - 1 : 0;
  return money(trimmed, currency, Math.max(own, decimals));
}

/** Placeholder for a missing value. */
export { NOTHING };

// The user's number format, for the ticket.
/** @type {Map<string, string[]>} */
const known = new Map();
addEventListener("languagechange", () => known.clear());

// Decimal separator, thousands separator, digits 0 to 9, and the ways to write a currency (ISO
// 4217) beside a number. The same array until the locale changes.
/** @param {string | undefined} currency @returns {string[]} */
export function numberSigns(currency) {
  const key = currency ?? "";
  const signs = known.get(key) ?? signsOf(key);
  known.set(key, signs);
  return signs;
}

/** @param {string} currency */
function signsOf(currency) {
  const parts = new Intl.NumberFormat(locales()).formatToParts(1234567.8);
  const find = (/** @type {string} */ type) =>
    parts.find((part) => part.type === type)?.value ?? "";
  const digits = new Intl.NumberFormat(locales(), { useGrouping: false }).format(9876543210);
  return [find("decimal") || ".", find("group"), [...digits].reverse().join(""),
    ...currencySigns(currency)];
}

/** @param {string} currency */
function currencySigns(currency) {
  try {
    const signs = ["symbol", "narrowSymbol", "code"].map((currencyDisplay) =>
      new Intl.NumberFormat(locales(), { style: "currency", currency, currencyDisplay })
        .formatToParts(0).find(({ type }) => type === "currency")?.value ?? "");
    return [...new Set(signs)].filter(Boolean);
  } catch {
    return [];
  }
}
