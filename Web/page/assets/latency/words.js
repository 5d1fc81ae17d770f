// Short times in words.

import { number } from "../text/format.js";

// "812 µs", "1.2 ms", "3.0 s".
/** @param {number} microseconds */
export function shortTime(microseconds) {
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1_000_000) return `${number((microseconds / 1000).toFixed(1))} ms`;
  return `${number((microseconds / 1_000_000).toFixed(1))} s`;
}

// A time with tolerance `within`: anything up to that is indistinguishable from zero.
/** @param {number} microseconds @param {number | undefined} within */
export const measuredTime = (microseconds, within) =>
  (within !== undefined && microseconds <= within ? `±${shortTime(within)}`
    : shortTime(microseconds));
