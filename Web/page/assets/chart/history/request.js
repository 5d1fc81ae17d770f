// Requests a history from the server and reads its candles into one flat array.

import { copyRows, FIELDS } from "../model/core.js";

// Reads a history in its short form (docs/page-protocol.md). It is network input: anything else is
// rejected, and no memory is reserved beyond what the received bytes can fill.
export const HISTORY_TYPE = "application/vnd.livetape.candles";
const VERSION = 1;
const HIGHEST_CANDLES = 1_000_000;
const LONGEST_TEXT = 2048;
/** Bits of a candle's first byte; the lowest four are its source and its proof. */
const SIGNS = { missing: 16, quiet: 32, apart: 64, unknown: 128 };
/** @type {Wire.HistoryStatus[]} */
const STATUSES = ["none", "loading", "ready", "failed"];

// Throws if the bytes are not a history.
/** @param {ArrayBuffer} buffer @returns {Wire.History & {candles: Float64Array}} */
export function readHistory(buffer) {
  const reader = new Reader(buffer);
  if (reader.byte() !== VERSION) refuse();
  const interval = reader.whole();
  if (interval < 1) refuse();
  const [priceScale, quantityScale] = [reader.whole(), reader.whole()];
  const [revision, lastArrival, seenSince] = [reader.whole(), reader.whole(), reader.whole()];
  const signs = reader.byte();
  const told = reader.text();
  const status = STATUSES.find((name) => name === told);
  const problem = reader.text();
  const mismatches = reader.whole();
  const candles = reader.candles(interval);
  const contradicted = rowsOf(reader.candles(interval));
  const gaps = reader.gaps();
  if (!status || signs > 3 || !reader.isAtEnd) refuse();
  return {
    interval, priceScale, quantityScale, revision, lastArrival, status, mismatches, candles,
    contradicted, gaps, hasOlder: (signs & 1) !== 0,
    ...((signs & 2) !== 0 && { seenSince }), ...(problem && { problem: JSON.parse(problem) }),
  };
}

/** @returns {never} */
function refuse() {
  throw new Error("the history could not be read");
}

// The venue's own values of candles: the first seven numbers of each.
/** @param {Float64Array} candles @returns {Wire.VenueRow[]} */
function rowsOf(candles) {
  const count = candles.length / FIELDS;
  return Array.from({ length: count }, (_, index) => /** @type {Wire.VenueRow} */ (
    [...candles.subarray(index * FIELDS, index * FIELDS + 7)]));
}

class Reader {
  #bytes;
  #at = 0;

  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    this.#bytes = new Uint8Array(buffer);
  }

  get isAtEnd() {
    return this.#at === this.#bytes.length;
  }

  byte() {
    if (this.isAtEnd) refuse();
    this.#at += 1;
    return this.#bytes[this.#at - 1];
  }

  /** Seven bits a byte, lowest first. Rounded beyond 2^53, as in JSON. */
  #unsigned() {
    let sum = 0;
    for (let weight = 1, count = 0; count < 10; count += 1, weight *= 128) {
      const byte = this.byte();
      sum += (byte & 127) * weight;
      if (byte < 128) return sum;
    }
    return refuse();
  }

  /** A signed number: the sign is its lowest bit. */
  #signed() {
    const number = this.#unsigned();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  /** An exact number, zero or above. */
  whole() {
    const number = this.#signed();
    if (!(number >= 0 && Number.isSafeInteger(number))) refuse();
    return number;
  }

  /** The number of items that follow, each at least a byte. */
  #count(most = HIGHEST_CANDLES) {
    const count = this.#unsigned();
    if (count > Math.min(most, this.#bytes.length - this.#at)) refuse();
    return count;
  }

  text() {
    const length = this.#count(LONGEST_TEXT);
    this.#at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#at - length, this.#at));
  }

  // Ten numbers each, flat.
  /** @param {number} interval */
  candles(interval) {
    const count = this.#count();
    const candles = new Float64Array(count * FIELDS);
    let [start, close] = [0, 0];
    for (let at = 0; at < candles.length; at += FIELDS) {
      const signs = this.byte();
      const [source, proof] = [signs & 3, (signs >> 2) & 3];
      if (signs >= SIGNS.unknown || source > 2 || proof > 2) refuse();
      if (signs & SIGNS.apart) start += this.#signed();
      const missing = signs & SIGNS.missing ? this.#signed() : 0;
      const quiet = (signs & SIGNS.quiet) !== 0;
      const open = quiet ? close : close + this.#signed();
      close = quiet ? open : open + this.#signed();
      const high = quiet ? open : Math.max(open, close) + this.#signed();
      const low = quiet ? open : Math.min(open, close) - this.#signed();
      const [volume, trades] = quiet ? [0, 0] : [this.#signed(), this.#signed()];
      for (const number of [start, open, high, low, close]) {
        if (!Number.isSafeInteger(number)) refuse();
      }
      candles.set([start, open, high, low, close, volume, trades, missing, source, proof], at);
      start += interval;
    }
    return candles;
  }

  /** @returns {[start: number, end: number][]} */
  gaps() {
    const count = this.#count();
    return Array.from({ length: count }, () => {
      const start = this.#signed();
      return [start, start + this.#signed()];
    });
  }
}

const PATIENCE_MILLISECONDS = 15_000;

// Throws a readable message if there is no valid response.
/** @param {string} path @returns {Promise<Wire.History & {candles: Float64Array}>} */
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
