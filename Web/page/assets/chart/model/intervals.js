// Candle intervals and their names.

import { t } from "../../text/texts.js";

/** @typedef {[interval: number, sign: string, spoken: string]} Interval */
/** @typedef {"candles" | "line"} Style */

// Interval in milliseconds, button label, spoken name.
/** @type {Interval[]} */
export const INTERVALS = [
  [1000, "1s", t("1 second")], [5000, "5s", t("5 seconds")], [15_000, "15s", t("15 seconds")],
  [60_000, "1m", t("1 minute")], [300_000, "5m", t("5 minutes")], [900_000, "15m", t("15 minutes")],
  [3_600_000, "1h", t("1 hour")], [14_400_000, "4h", t("4 hours")], [86_400_000, "1d", t("1 day")],
];
/** Intervals that only a venue's history can fill. */
export const OF_HISTORY = [14_400_000];
/** @type {Interval[]} */
const COARSER = [[604_800_000, "1w", t("1 week")]];

/** @param {number} interval */
const named = (interval) => [...INTERVALS, ...COARSER].find(([known]) => known === interval);

// "5 seconds" for 5000.
/** @param {number} interval */
export const intervalName = (interval) =>
  named(interval)?.[2] ?? t("{count} seconds", { count: interval / 1000 });

// "5s" for 5000.
/** @param {number} interval */
export const intervalSign = (interval) => named(interval)?.[1] ?? `${interval / 1000}s`;

// Whether an interval has a button.
/** @param {number} interval */
export const hasButton = (interval) => INTERVALS.some(([known]) => known === interval);
