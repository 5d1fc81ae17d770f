// Prices received on this page, for its own small line. Bounded, in memory only; missing data is a
// gap.

/** @typedef {{time: number, price: number, text: string}} Point */

const MAXIMUM_POINTS = 3000;
const MAXIMUM_SERIES = 48;

/** Points in order of time; `null` marks a gap. Prices are numbers here: for pixels only. */
export class Series {
  /** @type {(Point | null)[]} */
  points = [];
  /** The exact digits of the last price. */
  lastText = /** @type {string | undefined} */ (undefined);
  /** Increments with each change, for painters to compare. */
  version = 0;

  /** @param {number} time @param {string} text */
  add(time, text) {
    const price = Number(text);
    if (!Number.isFinite(price) || !Number.isFinite(time)) return;
    // Clocks get corrected; a line never runs back in time.
    const previous = this.points.findLast((point) => point !== null);
    this.points.push({ time: Math.max(time, previous?.time ?? time), price, text });
    if (this.points.length > MAXIMUM_POINTS) this.points.splice(0, MAXIMUM_POINTS / 10);
    this.lastText = text;
    this.version += 1;
  }

  gap() {
    if (this.points.length === 0 || this.points.at(-1) === null) return;
    this.points.push(null);
    this.version += 1;
  }
}

export class SeriesStore {
  /** @type {Map<string, Series>} */
  #all = new Map();

  // A name's series; beyond the bound, the least recently used one is dropped.
  /** @param {string} name */
  of(name) {
    const series = this.#all.get(name) ?? new Series();
    this.#all.delete(name);
    this.#all.set(name, series);
    const [oldest] = this.#all.keys();
    if (this.#all.size > MAXIMUM_SERIES) this.#all.delete(oldest);
    return series;
  }
}

/** Follows a quote: one point per price change, a gap while it is invalid. */
export class QuoteFollower {
  /** @type {number | undefined} */
  #changes = undefined;

  /** @param {Series} series */
  constructor(series) {
    this.series = series;
    series.gap();
  }

  /**
   * @param {{price?: string, changes?: number} | undefined} state
   * @param {Seen} freshness
   * @param {number} now
   */
  follow(state, freshness, now) {
    if (freshness.dimmed || state?.price === undefined) return this.series.gap();
    const broken = this.series.points.at(-1) === null;
    if (state.changes === this.#changes && state.price === this.series.lastText && !broken) return;
    this.#changes = state.changes;
    this.series.add(now, state.price);
  }
}
