// Numbers for people, in the reader's locale. The server sends exact digits as text and `Intl`
// takes that text: no price ever becomes a binary fraction on its way to the screen.

const NOTHING = "–";
const cache = new Map();

/** The reader's languages, without those that `Intl` does not know. */
export function locales() {
  const usable = [];
  for (const language of navigator.languages ?? []) {
    try {
      usable.push(...Intl.getCanonicalLocales(language));
    } catch {
      // A name like "C" or "en-US@posix": the next one may do.
    }
  }
  return usable.length > 0 ? usable : undefined;
}

addEventListener("languagechange", () => cache.clear());

/** A minus sign is as wide as a plus sign; a hyphen is not. */
const written = (format, text) => format.format(text).replace("-", "\u2212");

function formatter(options, kind = Intl.NumberFormat) {
  const key = `${kind.name} ${JSON.stringify(options)}`;
  let known = cache.get(key);
  if (!known) {
    known = new kind(locales(), options);
    cache.set(key, known);
  }
  return known;
}

const places = (count) => {
  const bounded = Math.min(20, Math.max(0, Number.isInteger(count) ? count : 2));
  return { minimumFractionDigits: bounded, maximumFractionDigits: bounded };
};

const isNumber = (text) => typeof text === "string" && /^-?\d+(\.\d+)?$/.test(text);

/** "189.20" as money of a currency (ISO 4217) with that many decimals. */
export function money(text, currency, decimals) {
  if (!isNumber(text)) return NOTHING;
  try {
    return written(formatter({ style: "currency", currency, ...places(decimals) }), text);
  } catch {
    return `${written(formatter(places(decimals)), text)} ${currency ?? ""}`.trim();
  }
}

/** A plain number; with its own decimals when none are given. */
export function number(text, decimals) {
  if (!isNumber(text)) return NOTHING;
  const own = text.includes(".") ? text.length - text.indexOf(".") - 1 : 0;
  return written(formatter(places(decimals ?? own)), text);
}

const LETTERS = ["", "k", "M", "B", "T"];

/** Four significant digits: "45123456.789" as "45.12M"; k, M, B and T count thousands. */
export function abbreviated(text) {
  if (!isNumber(text)) return NOTHING;
  const [first, rest = ""] = text.replace("-", "").split(".");
  const whole = first.replace(/^0+/, "");
  // What is rounded up to a thousand is written as one of the next letter.
  const isFull = whole.length > 0 && whole.length % 3 === 0 && (whole + rest).slice(0, 5).padEnd(5, "0") >= "99995";
  const power = Math.min(LETTERS.length - 1, Math.floor(Math.max(0, whole.length - (isFull ? 0 : 1)) / 3));
  const options = { minimumSignificantDigits: 4, maximumSignificantDigits: 4 };
  return formatter(options).format(`${text}e-${3 * power}`) + LETTERS[power];
}

/**
 * "2.94" as "+2.94%": the exponent moves the point, so that no digit is lost. `signDisplay` is "never"
 * where the sign stands before it.
 */
export function percent(text, signDisplay = "exceptZero") {
  if (!isNumber(text)) return NOTHING;
  const options = { style: "percent", signDisplay, ...places(2) };
  return written(formatter(options), `${text}e-2`);
}

/** Venue time on the tape, HH:mm:ss in UTC. */
export function clockTime(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? NOTHING : date.toISOString().slice(11, 19);
}

/** Local time with seconds, with its date unless that is the date of `now`. */
export function localMoment(milliseconds, now) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return NOTHING;
  const isToday = date.toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : { month: "short", day: "numeric" };
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  return formatter({ ...day, ...time }, Intl.DateTimeFormat).format(date);
}

/** Local date and time with seconds, 24 h. */
export function localTime(milliseconds) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return NOTHING;
  return formatter({ dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }, Intl.DateTimeFormat).format(date);
}

/** Money with all the decimals that the digits have, and at least `decimals`. */
export function exactMoney(text, currency, decimals = 2) {
  const trimmed = typeof text === "string" && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  const own = typeof trimmed === "string" && trimmed.includes(".") ? trimmed.length - trimmed.indexOf(".") - 1 : 0;
  return money(trimmed, currency, Math.max(own, decimals));
}

/** What stands where a value is not known. */
export { NOTHING };
