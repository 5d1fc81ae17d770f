// Asks the server for a history and makes its candles one flat list of numbers.

import { copyRows, FIELDS } from "../model/core.js";
import { HISTORY_TYPE, readHistory } from "./history-bytes.js";

const PATIENCE_MILLISECONDS = 15_000;

/**
 * Throws, in words, what the server did not answer.
 * @param {string} path
 * @returns {Promise<Wire.History & {candles: Float64Array}>}
 */
export async function fetchHistory(path) {
  const response = await fetch(path, {
    headers: { accept: `${HISTORY_TYPE}, application/json;q=0.5` },
    signal: /** @type {any} */ (AbortSignal).timeout(PATIENCE_MILLISECONDS),
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  if (response.headers.get("content-type") === HISTORY_TYPE) {
    return readHistory(await response.arrayBuffer());
  }
  const history = await response.json();
  const rows = history?.candles;
  if (!Array.isArray(rows)) throw new Error("the history could not be read");
  const candles = new Float64Array(rows.length * FIELDS);
  copyRows(rows, 0, rows.length, candles, 0);
  return { ...history, candles };
}
