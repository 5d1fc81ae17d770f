// Sorts rows by a column, exactly. Rows without a value come last in either direction.

import { decimal } from "../base/decimal.js";

/**
 * @typedef {"name" | "price" | "percent" | "high" | "low" | "volume" | "turnover" | "age"} SortKey
 */
/** @typedef {"ascending" | "descending"} Direction */
/** @typedef {{key: SortKey, direction: Direction}} Sort */
/**
 * Figures to sort by: `at` is their time, `since` the start of a window below 24 hours.
 * @typedef {Partial<Pick<Topic.SurveyedMarket, "price" | "percent" | "high" | "low" | "volume"
 *   | "vwap" | "since" | "at">> & {turnover?: string}} Values `turnover` in US dollars
 */

/** @type {SortKey[]} */
const KEYS = ["name", "price", "percent", "high", "low", "volume", "turnover", "age"];
/** Names and ages start ascending, figures descending. */
const RISING = new Set(["name", "age"]);
/** 24-hour figures; those of another window are not comparable with them. */
const OF_THE_DAY = new Set(["percent", "high", "low", "volume", "turnover"]);
const NO_NUMBER = { units: 0n, scale: 0 };
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

// The next sort after a press on a heading: one direction, the other, the natural order.
/** @param {Sort | null} sort @param {SortKey} key @returns {Sort | null} */
export function nextSort(sort, key) {
  /** @type {[Direction, Direction]} */
  const ways = RISING.has(key) ? ["ascending", "descending"] : ["descending", "ascending"];
  if (sort?.key !== key) return { key, direction: ways[0] };
  return sort.direction === ways[0] ? { key, direction: ways[1] } : null;
}

// Parses the stored form "percent:descending"; null for anything else.
/** @param {string | null} text @returns {Sort | null} */
export function sortOf(text) {
  const [name, direction] = (text ?? "").split(":");
  const key = KEYS.find((known) => known === name);
  return key && (direction === "ascending" || direction === "descending")
    ? { key, direction } : null;
}

/** @type {(sort: Sort | null) => string} */
export const writtenSort = (sort) => (sort ? `${sort.key}:${sort.direction}` : "");

/**
 * The rows in order; equal rows, and rows without a value, keep their order.
 * @param {Market[]} markets in their natural order
 * @param {Sort} sort
 * @param {(market: Market) => Values | undefined} valuesOf
 * @returns {Market[]}
 */
export function sorted(markets, sort, valuesOf) {
  const { known, unknown, compare } = ranked(markets, sort, valuesOf);
  known.sort((a, b) => compare(a, b) || a.at - b.at);
  return [...known.map(({ market }) => market), ...unknown];
}

/**
 * Whether rows are out of order for their values.
 * @param {Market[]} markets as shown
 * @param {Sort} sort
 * @param {(market: Market) => Values | undefined} valuesOf
 */
export function isOutOfOrder(markets, sort, valuesOf) {
  const { known, unknown, compare } = ranked(markets, sort, valuesOf);
  if (unknown.length > 0 && known.length > 0 && known[known.length - 1].at >= known.length) {
    return true;
  }
  return known.some((row, at) => at > 0 && compare(known[at - 1], row) > 0);
}

/** @typedef {{market: Market, at: number, units: bigint}} Ranked */

/**
 * The rows with a value, each in whole units of one scale, and the others.
 * @param {Market[]} markets
 * @param {Sort} sort
 * @param {(market: Market) => Values | undefined} valuesOf
 */
function ranked(markets, { key, direction }, valuesOf) {
  const sign = direction === "ascending" ? 1 : -1;
  /** @type {Market[]} */
  const unknown = [];
  const found = markets.flatMap((market, at) => {
    const number = key === "name" ? NO_NUMBER : numberOf(key, valuesOf(market));
    if (!number) unknown.push(market);
    return number ? [{ market, at, number }] : [];
  });
  const scale = found.reduce((most, { number }) => Math.max(most, number.scale), 0);
  /** @type {Ranked[]} */
  const known = found.map(({ market, at, number }) =>
    ({ market, at, units: number.units * 10n ** BigInt(scale - number.scale) }));
  const compare = (/** @type {Ranked} */ a, /** @type {Ranked} */ b) => sign
    * (key === "name" ? collator.compare(a.market.name, b.market.name)
    : a.units < b.units ? -1 : a.units > b.units ? 1 : 0);
  return { known, unknown, compare };
}

/** @param {Exclude<SortKey, "name">} key @param {Values | undefined} values */
function numberOf(key, values) {
  if (!values) return null;
  if (key === "age") {
    // The younger, the smaller.
    return values.at === undefined ? null : { units: -BigInt(Math.round(values.at)), scale: 0 };
  }
  if (OF_THE_DAY.has(key) && values.since !== undefined) return null;
  return decimal(values[key]);
}
