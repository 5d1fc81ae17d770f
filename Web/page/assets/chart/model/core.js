// The chart's geometry: Swift, compiled to WebAssembly. This module loads it once and reads its
// pictures in place from its memory, without copying.

/** @typedef {{at: number, count: number}} Marks */
/** @typedef {"none" | "proven" | "contradicted"} Proof */
/** @typedef {{time: number, price: number, side: Wire.Side, quantity?: string}} Fill */
/**
 * A drawn candle. Prices and the volume count units.
 * @typedef {object} Candle
 * @property {number} index
 * @property {number} start
 * @property {bigint} open
 * @property {bigint} high
 * @property {bigint} low
 * @property {bigint} close
 * @property {bigint} volume
 * @property {number} closeY
 * @property {number} count trades, 0 without any
 * @property {number} missing ms of its span without a source, 0 for a whole one
 * @property {number | null} seenSince when its observed span begins; null for a whole one, or if
 *   more is missing than its beginning
 * @property {"venue" | "trades" | "seen"} source
 * @property {Proof} proof
 */
/**
 * The content under a point; `hundredths` of a percent on a percent scale.
 * @typedef {{x: number, price: bigint, hundredths: bigint, time: number,
 *   candle: Candle | null}} Hit
 */
/**
 * A study's value at a candle: `since` is when its input begins, null if earlier candles carry no
 * weight; `blind` are the first of `blindCount` spans without a source, `missing` ms besides them.
 * @typedef {object} Reading
 * @property {bigint | null} value
 * @property {number | null} since
 * @property {number} candles counted
 * @property {number} needed candles before there is a value
 * @property {[from: number, to: number][]} blind
 * @property {number} blindCount
 * @property {number} missing
 */
/** @typedef {{time: number, price: number}} Point */
/** The core's shapes of drawings. */
export const SHAPES = /** @type {const} */ (
  ["level", "trend", "ray", "rectangle", "retracement", "text", "measure"]);
/** @typedef {(typeof SHAPES)[number]} Shape */
/** @typedef {{kind: Shape, start: Point, end: Point | null, text?: string}} Drawing */
/**
 * The chosen studies: each with its numbers, as "20" or "12/26/9"; "" for off.
 * @typedef {{[study in "moving" | "exponential" | "bands" | "weighted" | "profile" | "strength"
 *   | "convergence" | "range"]: string}} Studies
 */
/** @typedef {ReturnType<CoreChart["draw"]>} Picture */

const PICTURE_FIELDS = 46;
const RECORD_FIELDS = 20;
const NAMED_STRETCHES = 3;
/** @type {Candle["source"][]} */
const SOURCES = ["venue", "trades", "seen"];
/** @type {Proof[]} */
const PROOFS = ["none", "proven", "contradicted"];
/** Numbers of a candle: start, open, high, low, close, volume, count, missing, source, proof. */
export const FIELDS = 10;
/** Defaults of the last four: a whole candle, as seen. */
const UNTOLD = [1, 0, 2, 0];
/** Bits of a candle's kind, after its seven floats. */
export const SIGNS = { rising: 1, partial: 2, withoutTrades: 4, contradicted: 8 };
/** Bytes of one mark, as ChartModel lays them out; a test there checks the same numbers. */
export const STRIDE = { candle: 32, line: 12, gap: 8, price: 16, time: 16, fill: 16,
  study: 12, profile: 16, order: 16, drawing: 32, pane: 16, guide: 16 };
/** Price scales, by their number in the core. */
export const SCALES = /** @type {const} */ (["linear", "logarithmic", "percent"]);
/** Studies by their number in the core. */
const STUDIES = /** @type {const} */ (["moving", "exponential", "weighted", "upper", "middle",
  "lower", "strength", "convergence", "signal", "histogram", "trueRange"]);
/** Panes by their number in the core. */
export const PANES = /** @type {const} */ (["strength", "convergence", "range"]);
const HIGHEST_CANDLES = 4_000_000;

/** @type {Promise<CoreExports> | null} */
let loading = null;

// The core's exports; a failed load can be retried.
/** @returns {Promise<CoreExports>} */
export function loadCore() {
  loading ??= instantiate(new URL("../../core.wasm", import.meta.url)).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** @param {URL} url */
async function instantiate(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the chart's core is missing (${response.status})`);
  // Compiles while it downloads, off this thread.
  const { instance } = await WebAssembly.instantiateStreaming(response, {});
  return /** @type {CoreExports} */ (/** @type {unknown} */ (instance.exports));
}

/** One chart inside the core. Lengths are device pixels, prices are counts of units. */
export class CoreChart {
  #core;
  #handle;
  #recordAt;
  #bulkAt;
  /** @type {ArrayBuffer | null} */
  #buffer = null;
  /** Views over the core's memory: bytes, floats, doubles and 64 bit integers. */
  bytes = new Uint8Array();
  floats = new Float32Array();
  doubles = new Float64Array();
  integers = new BigInt64Array();
  words = new Int32Array();

  /** @param {CoreExports} core @param {number} interval */
  constructor(core, interval) {
    this.#core = core;
    this.#handle = core.chart_create(interval);
    if (this.#handle === 0) throw new Error("too many charts, or an unknown interval");
    this.#recordAt = core.chart_crosshair_at(this.#handle);
    this.#bulkAt = core.chart_bulk();
  }

  dispose() {
    this.#core.chart_destroy(this.#handle);
    this.#handle = 0;
  }

  // Restarts with candles of `interval` ms: rows of `FIELDS` numbers, or the same numbers flat in a
  // typed array. Returns how many were valid; -1 for an unsupported interval.
  /** @param {number} interval @param {Float64Array | number[][]} candles */
  setCandles(interval, candles) {
    const count = Math.min(HIGHEST_CANDLES, countOf(candles));
    if (this.#core.chart_reset(this.#handle, interval) === 0) return -1;
    return this.#append(candles, count);
  }

  // Replaces the candles from the first of these on; same interval.
  /** @param {Float64Array | number[][]} candles */
  renewCandles(candles) {
    const first = candles instanceof Float64Array ? candles[0] : candles[0]?.[0];
    this.#core.chart_forget(this.#handle, first ?? NaN);
    return this.#append(candles, Math.min(HIGHEST_CANDLES, countOf(candles)));
  }

  /** @param {Float64Array | number[][]} candles @param {number} count */
  #append(candles, count) {
    const most = this.#core.chart_bulk_capacity();
    let taken = 0;
    for (let from = 0; from < count; from += most) {
      const some = Math.min(most, count - from);
      this.#fillBulk(candles, from, some);
      taken += this.#core.chart_append(this.#handle, some);
    }
    return taken;
  }

  // Prepends older candles. Returns how many were valid.
  /** @param {Float64Array | number[][]} candles */
  prependCandles(candles) {
    const most = this.#core.chart_bulk_capacity();
    let taken = 0;
    for (let to = countOf(candles); to > 0; to -= most) {
      const from = Math.max(0, to - most);
      this.#fillBulk(candles, from, to - from);
      taken += this.#core.chart_prepend(this.#handle, to - from);
    }
    return taken;
  }

  /** @param {Float64Array | number[][]} candles @param {number} from @param {number} count */
  #fillBulk(candles, from, count) {
    this.#refresh();
    const to = this.#bulkAt / 8;
    if (candles instanceof Float64Array) {
      this.doubles.set(candles.subarray(from * FIELDS, (from + count) * FIELDS), to);
    } else copyRows(candles, from, count, this.doubles, to);
  }

  /** @param {number} milliseconds @param {number} price @param {number} quantity */
  addTick(milliseconds, price, quantity) {
    return this.#core.chart_add_tick(this.#handle, milliseconds, price, quantity) === 1;
  }

  /** @param {number} start @param {number} end */
  noteGap(start, end) {
    this.#core.chart_note_gap(this.#handle, start, end);
  }

  // From when on everything was received, except for the gaps.
  /** @param {number} milliseconds */
  seenSince(milliseconds) {
    this.#core.chart_seen_since(this.#handle, milliseconds);
  }

  // Since when the feed is down; null if it is up.
  /** @param {number | null} since */
  setInterrupted(since) {
    this.#core.chart_interrupted(this.#handle, since ?? NaN);
  }

  /** @param {Fill[]} fills */
  setFills(fills) {
    this.#core.chart_clear_fills(this.#handle);
    for (const { time, price, side } of fills) {
      this.#core.chart_add_fill(this.#handle, time, Number(price), side === "buy" ? 1 : 0);
    }
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} paneHeight
   * @param {number} ratio
   */
  resize(width, height, paneHeight, ratio) {
    this.#core.chart_resize(this.#handle, width, height, paneHeight, ratio);
  }

  // Open orders, their prices in units.
  /** @param {{price: number, side: Wire.Side, isSeparate: boolean}[]} orders */
  setOrders(orders) {
    this.#core.chart_clear_orders(this.#handle);
    for (const { price, side, isSeparate } of orders) {
      this.#core.chart_add_order(this.#handle, price, side === "buy" ? 1 : 0, isSeparate ? 1 : 0);
    }
  }

  // Alert prices, in units.
  /** @param {number[]} prices */
  setAlerts(prices) {
    this.#core.chart_clear_alerts(this.#handle);
    for (const price of prices) this.#core.chart_add_alert(this.#handle, price);
  }

  // Marks the candles in which a level was crossed, in units; null for none.
  /** @param {number | null} price */
  rehearse(price) {
    this.#core.chart_rehearse(this.#handle, price ?? NaN);
  }

  /** @param {Drawing[]} drawings */
  setDrawings(drawings) {
    this.#core.chart_clear_drawings(this.#handle);
    for (const { kind, start, end } of drawings) {
      this.#core.chart_add_drawing(this.#handle, SHAPES.indexOf(kind), start.time, start.price,
        end?.time ?? NaN, end?.price ?? NaN);
    }
  }

  // The index of the drawing near a point; null without one.
  /** @param {number} x @param {number} y @param {number} pixels */
  drawingAt(x, y, pixels) {
    const found = this.#core.chart_drawing_at(this.#handle, x, y, pixels);
    return found > 0 ? found - 1 : null;
  }

  // Moves a part of a drawing (0 whole, 1 start, 2 end) by pixels; null without it.
  /** @param {number} index @param {number} part @param {number} x @param {number} y */
  moveDrawing(index, part, x, y) {
    return this.#drawing(this.#core.chart_move_drawing(this.#handle, index, part, x, y));
  }

  // The same, by drawn candles and ticks.
  /** @param {number} index @param {number} part @param {number} candles @param {number} ticks */
  stepDrawing(index, part, candles, ticks) {
    return this.#drawing(
      this.#core.chart_step_drawing(this.#handle, index, part, candles, ticks));
  }

  /** @param {number} kind @returns {Pick<Drawing, "start" | "end"> | null} */
  #drawing(kind) {
    if (kind === 0) return null;
    const field = this.#record();
    const point = (/** @type {number} */ at) =>
      ({ time: Number(field[at]), price: Number(field[at + 1]) });
    return { start: point(0), end: kind === 2 ? point(2) : null };
  }

  /** @param {Studies} studies */
  setStudies({ moving, exponential, bands, weighted, profile, strength, convergence, range }) {
    const [length, deviations] = numbersOf(bands, 2);
    const [fast, slow, signal] = numbersOf(convergence, 3);
    this.#core.chart_studies(this.#handle, Number(moving), Number(exponential), length,
      Math.round(10 * deviations), Number(weighted !== ""), Number(profile !== ""),
      Number(strength), fast, slow, signal, Number(range));
  }

  // A study's value at a drawn candle; null if the candle is not drawn.
  /** @param {(typeof STUDIES)[number]} study @param {number} index @returns {Reading | null} */
  study(study, index) {
    const kind = this.#core.chart_study(this.#handle, STUDIES.indexOf(study), index);
    if (kind === 0) return null;
    const field = this.#record();
    const blindCount = Number(field[5]);
    return {
      value: kind === 2 ? field[0] : null, since: field[2] === 1n ? Number(field[1]) : null,
      candles: Number(field[3]), needed: Number(field[12]), missing: Number(field[4]), blindCount,
      blind: Array.from({ length: Math.min(blindCount, NAMED_STRETCHES) },
        (_, at) => [Number(field[6 + 2 * at]), Number(field[7 + 2 * at])]),
    };
  }

  /** The time range of the volume by price, and the prices of its largest row; null without one. */
  profile() {
    if (this.#core.chart_profile(this.#handle) === 0) return null;
    const field = this.#record();
    return { since: Number(field[0]), until: Number(field[1]), low: field[2], high: field[3] };
  }

  /** @param {(typeof SCALES)[number]} scale */
  setScale(scale) {
    this.#core.chart_scale(this.#handle, SCALES.indexOf(scale));
  }

  // The smallest step of a price, in units.
  /** @param {number} units */
  setTick(units) {
    this.#core.chart_tick(this.#handle, units);
  }

  // Stretches prices around the middle: above 1 enlarges.
  /** @param {number} factor */
  stretch(factor) {
    this.#core.chart_stretch(this.#handle, factor);
  }

  // Positive shows higher prices, if the user sets the price range.
  /** @param {number} pixels */
  movePrices(pixels) {
    this.#core.chart_move_prices(this.#handle, pixels);
  }

  /** Fits the price range to the candles again. */
  fitPrices() {
    this.#core.chart_fit(this.#handle);
  }

  // Positive shows earlier times. False at the end.
  /** @param {number} pixels */
  pan(pixels) {
    return this.#core.chart_pan(this.#handle, pixels) === 1;
  }

  /** @param {number} factor @param {number} x */
  zoom(factor, x) {
    this.#core.chart_zoom(this.#handle, factor, x);
  }

  /** @param {number} interval @param {number} pixelsPerCandle */
  show(interval, pixelsPerCandle) {
    return this.#core.chart_show(this.#handle, interval, pixelsPerCandle) === 1;
  }

  backToLive() {
    this.#core.chart_live(this.#handle);
  }

  showOldest() {
    this.#core.chart_oldest(this.#handle);
  }

  /** @param {number} index */
  reveal(index) {
    this.#core.chart_reveal(this.#handle, index);
  }

  /** @param {"candles" | "line"} style */
  setStyle(style) {
    this.#core.chart_style(this.#handle, style === "line" ? 1 : 0);
  }

  /** @param {import("../../text/zone.js").Offsets} offsets */
  setZone({ first, changes }) {
    this.#core.chart_zone(this.#handle, first);
    for (const [time, offset] of changes) this.#core.chart_zone_change(this.#handle, time, offset);
  }

  // The picture at `now`. Its addresses are valid until the next call into the core.
  /** @param {number} now */
  draw(now) {
    const at = this.#core.chart_draw(this.#handle, now) / 8;
    this.#refresh();
    const field = this.doubles.subarray(at, at + PICTURE_FIELDS);
    return {
      candles: { at: field[0], count: field[1] }, line: { at: field[2], count: field[3] },
      gaps: { at: field[4], count: field[5] }, prices: { at: field[6], count: field[7] },
      times: { at: field[8], count: field[9] }, fills: { at: field[10], count: field[11] },
      timeStep: field[12],
      live: field[13] === 1 ? {
        y: field[14], units: field[15], isUp: field[16] === 1, hundredths: field[33],
        closesIn: field[34],
      } : null,
      interval: field[17], drawnCount: field[18], followsLive: field[19] === 1,
      left: field[20], right: field[21], hasScale: field[22] === 1, count: field[23],
      oldest: field[24],
      studies: { at: field[25], count: field[26] }, profile: { at: field[27], count: field[28] },
      orders: { at: field[29], count: field[30] }, drawings: { at: field[31], count: field[32] },
      alerts: { at: field[37], count: field[38] },
      panes: { at: field[39], count: field[40] }, guides: { at: field[41], count: field[42] },
      crossings: { at: field[43], count: field[44] }, crossingCount: field[45],
      scale: SCALES[field[35]], isOwnRange: field[36] === 1,
      memory: this,
    };
  }

  // The content under a point of the picture; null outside.
  /** @param {number} x @param {number} y */
  under(x, y) {
    return this.#read(this.#core.chart_crosshair(this.#handle, x, y));
  }

  // The drawn candle at an index; null without one.
  /** @param {number} index */
  candle(index) {
    return this.#read(this.#core.chart_candle(this.#handle, index));
  }

  // The last of `count` drawn candles that begins at or before a time, or the first of all.
  /** @param {number} time @param {number} count */
  indexAt(time, count) {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.candle(middle)?.candle?.start ?? Infinity) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** @param {number} kind @returns {Hit | null} */
  #read(kind) {
    if (kind === 0) return null;
    const field = this.#record();
    /** @type {Hit} */
    const hit = {
      x: Number(field[0]) / 1024, price: field[1], time: Number(field[2]), candle: null,
      hundredths: field[16],
    };
    if (kind === 2) {
      hit.candle = {
        index: Number(field[3]), start: Number(field[4]), open: field[5], high: field[6],
        low: field[7],
        close: field[8], volume: field[9], closeY: Number(field[10]) / 1024,
        seenSince: field[11] === 0n ? null : Number(field[11]),
        count: Number(field[12]), missing: Number(field[13]),
        source: SOURCES[Number(field[14])], proof: PROOFS[Number(field[15])],
      };
    }
    return hit;
  }

  /** The latest result. */
  #record() {
    this.#refresh();
    const at = this.#recordAt / 8;
    return this.integers.subarray(at, at + RECORD_FIELDS);
  }

  /** Memory moves when it grows, which invalidates views of the old one. */
  #refresh() {
    const { buffer } = this.#core.memory;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.bytes = new Uint8Array(buffer);
    this.floats = new Float32Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.integers = new BigInt64Array(buffer);
    this.words = new Int32Array(buffer);
  }
}

// The numbers of "12/26/9", 0 for each that is missing.
/** @param {string} text @param {number} count */
const numbersOf = (text, count) => {
  const numbers = text.split("/").map(Number);
  return Array.from({ length: count }, (_, at) => numbers[at] ?? 0);
};

/** @param {Float64Array | number[][]} candles */
const countOf = (candles) => (candles instanceof Float64Array
  ? Math.floor(candles.length / FIELDS) : candles.length);

/**
 * Rows as flat numbers. Non-numbers become NaN: the core drops their row.
 * @param {unknown[][]} rows
 * @param {number} from
 * @param {number} count
 * @param {Float64Array} to
 * @param {number} at
 */
export function copyRows(rows, from, count, to, at) {
  for (let index = 0; index < count; index += 1) {
    const row = rows[from + index];
    for (let field = 0; field < FIELDS; field += 1) {
      const told = row?.[field];
      const value = told === undefined ? UNTOLD[field - 6] : told;
      to[at] = typeof value === "number" ? value : NaN;
      at += 1;
    }
  }
}
