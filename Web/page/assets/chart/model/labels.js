// Chart labels: exact prices from integers, and times as short as the grid allows.

import { dateLocales } from "../../text/format.js";
import { timeZone, zoneName, zoneOffset } from "../../text/zone.js";

const DAY = 86_400_000;
const MOST_KEPT = 600;

// A count of units as exact digits: `decimalText(4505n, 2, 2)` is "45.05". At least `decimals`
// places.
/** @param {bigint | number} units @param {number} scale @param {number} decimals */
export function decimalText(units, scale, decimals) {
  const whole = BigInt(units);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  let fraction = digits.slice(point);
  while (fraction.length > decimals && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  fraction = fraction.padEnd(decimals, "0");
  return `${whole < 0n ? "-" : ""}${digits.slice(0, point)}${fraction ? `.${fraction}` : ""}`;
}

// Exact digits as a count of units: `unitsOf("45.05", 2)` is 4505; null if inexact.
/** @param {string} digits @param {number} scale */
export function unitsOf(digits, scale) {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d*?)0*)?$/.exec(String(digits)) ?? [];
  if (whole === undefined || fraction.length > scale) return null;
  const units = Number(`${sign}${whole}${fraction.padEnd(scale, "0")}`);
  return Number.isSafeInteger(units) ? units : null;
}

// Caches texts, so that a moving chart does not format them again.
/** @template K @template V */
class Kept {
  /** @type {Map<K, V>} */
  #texts = new Map();

  /** @param {K} key @param {() => V} make */
  of(key, make) {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    if (this.#texts.size > MOST_KEPT) this.#texts.clear();
    const text = make();
    this.#texts.set(key, text);
    return text;
  }

  clear() {
    this.#texts.clear();
  }
}

export class PriceLabels {
  /** @type {Kept<bigint | number, string>} */
  #kept = new Kept();
  #format;
  scale = 0;
  decimals = 0;

  // `format(text)` formats exact digits such as "45.05" for the user.
  /** @param {Format | undefined} format @param {string | undefined} locale */
  constructor(format, locale) {
    this.#format = format ?? plainNumber(locale);
  }

  /** @param {number} scale @param {number} decimals */
  setScale(scale, decimals) {
    if (scale === this.scale && decimals === this.decimals) return;
    this.scale = scale;
    this.decimals = decimals;
    this.#kept.clear();
  }

  /** The smallest price step, in units: no price here has more decimals. */
  get tick() {
    return 10 ** (this.scale - this.decimals);
  }

  /** @param {bigint | number} units */
  text(units) {
    return this.#kept.of(units, () => this.#format(decimalText(units, this.scale, this.decimals)));
  }

  // A value made of prices, rounded to two decimals more than a price has.
  /** @param {bigint} units */
  finer(units) {
    const step = BigInt(Math.max(1, this.tick / 100));
    const half = units < 0n ? -step / 2n : step / 2n;
    return this.text((units + half) / step * step);
  }
}

// `format(text)`: the user's grouping and decimal separator; the digits stay.
/** @param {string | undefined} locale @returns {Format} */
export function plainNumber(locale) {
  /** @type {Map<number, Intl.NumberFormat>} */
  const formats = new Map();
  return (text = "") => {
    const places = Math.min(20, text.includes(".") ? text.length - text.indexOf(".") - 1 : 0);
    const format = formats.get(places) ?? new Intl.NumberFormat(locale, {
      minimumFractionDigits: places, maximumFractionDigits: places,
    });
    formats.set(places, format);
    // `Intl` accepts exact digits as text; TypeScript 4.8 has no type for it.
    return format.format(/** @type {any} */ (text));
  };
}

/**
 * @typedef {"second" | "fraction" | "minute" | "day" | "month" | "year" | "moment" | "hour"
 *   | "date"} Kind
 */

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
/** @type {{[kind in Kind]: Intl.DateTimeFormatOptions}} */
const KINDS = {
  second: { ...CLOCK, second: "2-digit" },
  fraction: { ...CLOCK, second: "2-digit", fractionalSecondDigits: 2 },
  minute: CLOCK,
  day: { day: "numeric", month: "short" },
  month: { month: "short" },
  year: { year: "numeric" },
  moment: { day: "numeric", month: "short", ...CLOCK, second: "2-digit" },
  hour: { weekday: "short", day: "numeric", month: "short", ...CLOCK },
  date: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
};

export class TimeLabels {
  /** @type {Kept<string, string>} */
  #candles = new Kept();
  /** @type {Kept<string, {text: string, isBold: boolean}>} */
  #grids = new Kept();
  /** @type {Map<Kind, Intl.DateTimeFormat>} */
  #formats = new Map();
  #locale;
  /** @type {string | undefined} */
  #zone = undefined;

  /** @param {string | undefined} locale */
  constructor(locale) {
    this.#locale = locale;
    this.#zone = timeZone();
  }

  /** Applies a changed time zone. */
  rezone() {
    if (this.#zone === timeZone()) return;
    this.#zone = timeZone();
    this.#candles.clear();
    this.#grids.clear();
    this.#formats.clear();
  }

  // A format takes milliseconds to make: made on demand, and cached.
  /** @param {Kind} kind @param {number} time */
  #text(kind, time) {
    let format = this.#formats.get(kind);
    if (!format) {
      // Grid lines are where months of this calendar begin.
      format = new Intl.DateTimeFormat(this.#locale ?? dateLocales(),
        { calendar: "gregory", timeZone: this.#zone, ...KINDS[kind] });
      this.#formats.set(kind, format);
    }
    return format.format(time);
  }

  // The zone's name at a time, for the chart's corner.
  /** @param {number} time */
  zone(time) {
    return zoneName(time);
  }

  // The zone's offset ahead of UTC at a time, in ms.
  /** @param {number} time */
  offset(time) {
    return zoneOffset(time);
  }

  // The label of a grid line, and whether a new day, month or year begins there.
  /** @param {number} time @param {number} step */
  grid(time, step) {
    return this.#grids.of(`${time} ${step}`, () => this.#grid(time, step));
  }

  /** @param {number} time @param {number} step */
  #grid(time, step) {
    const local = time + this.offset(time);
    const date = new Date(local);
    const kind = unitOf(date, step);
    const isBold = step < DAY ? kind === "day" : step < 28 * DAY ? kind !== "day" : kind === "year";
    return { text: this.#text(kind, time), isBold };
  }

  // A candle's time: with seconds or date as its interval needs.
  /** @param {number} time @param {number} interval */
  candle(time, interval) {
    const kind = interval >= DAY ? "date" : interval >= 60_000 ? "hour" : "moment";
    return this.#candles.of(`${kind} ${time}`, () => this.#text(kind, time));
  }

  // A moment inside a candle: with seconds in a short candle, with the date if it differs from that
  // of the candle's start.
  /** @param {number} time @param {number} start @param {number} interval */
  since(time, start, interval) {
    const isOtherDay = this.#text("day", time) !== this.#text("day", start);
    const kind = isOtherDay ? "moment" : interval > 3_600_000 ? "minute" : "second";
    return this.#candles.of(`since ${kind} ${time}`, () => this.#text(kind, time));
  }
}

// The largest unit that begins at a time and that the step can show. `date` reads as UTC.
/** @param {Date} date @param {number} step @returns {Kind} */
function unitOf(date, step) {
  const midnight = date.getTime() % DAY === 0;
  if (step >= 28 * DAY) return date.getUTCMonth() === 0 ? "year" : "month";
  if (step >= DAY) {
    return date.getUTCDate() === 1 ? (date.getUTCMonth() === 0 ? "year" : "month") : "day";
  }
  if (midnight) return "day";
  if (step >= 60_000) return "minute";
  return step >= 1000 ? "second" : "fraction";
}
