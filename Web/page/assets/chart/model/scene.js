// What the parts of a chart share: its core once loaded, the latest picture, and the labels and
// lengths of both.

import { loadCore } from "./core.js";
import { plainNumber, PriceLabels, TimeLabels } from "./labels.js";
import { Frame } from "./render-model.js";

/** @typedef {import("./core.js").Fill} Fill */
/**
 * @typedef {object} Options
 * @property {(interval: number, before?: number) => Promise<Wire.History>} [load] the candles of an
 *   interval, or those before a time
 * @property {string} [name] the charted instrument
 * @property {Format} [formatPrice] formats exact digits
 * @property {Format} [formatQuantity]
 * @property {string} [locale]
 * @property {number} [interval] ms
 * @property {Style} [style]
 * @property {() => number} [now] ms, for the moving edge
 * @property {(choice: {interval: number, style: Style}) => unknown} [onChoice]
 * @property {(time: number | null) => unknown} [onPoint] receives the time pointed at
 * @property {boolean} [isSmall] without bar, legend, studies and full screen
 * @property {string} [instrument] key for stored drawings; without it drawing is off
 * @property {() => {title: string, details: string, file: string}} [caption] of a screenshot;
 *   without it screenshots are off
 */

const FINEST = 1000;

export class Scene {
  /** @type {CoreChart | null} */
  core = null;
  /** Why no chart can be drawn. */
  failure = "";
  /** @type {Picture | null} */
  picture = null;
  frame = new Frame();
  labels;
  quantity;
  /** The interval of the core's candles, in milliseconds. */
  finest = FINEST;
  dimmed = false;
  /** When the price was last confirmed, while it is not live. */
  confirmedAt = /** @type {number | null} */ (null);
  /** @type {Fill[]} */
  fills = [];
  /** The exports of the core that all charts share. */
  exports = loadCore();
  isSmall;
  onPoint;
  #clock;
  #changed;
  /** @type {((core: CoreChart) => unknown)[]} */
  #queue = [];

  // `changed()` runs when there is something to draw.
  /** @param {Options} options @param {() => unknown} changed */
  constructor({ locale, formatPrice, formatQuantity, now, onPoint, isSmall = false }, changed) {
    this.labels = {
      price: new PriceLabels(formatPrice, locale), time: new TimeLabels(locale),
    };
    this.quantity = new PriceLabels(formatQuantity ?? plainNumber(locale), locale);
    this.isSmall = isSmall;
    this.onPoint = onPoint;
    this.#clock = now;
    this.#changed = changed;
  }

  /** The time in ms; undefined without a clock. */
  get now() {
    return this.#clock?.();
  }

  /** Schedules a redraw. */
  refresh() {
    this.#changed();
  }

  // Runs `act` once the core is loaded; if loading failed, drops it.
  /** @param {(core: CoreChart) => unknown} act */
  with(act) {
    if (!this.core) {
      if (!this.failure) this.#queue.push(act);
      return true;
    }
    return this.moved(act);
  }

  // Not queued: without a core the call is dropped.
  /** @param {(core: CoreChart) => unknown} act */
  moved(act) {
    if (!this.core) return false;
    const result = act(this.core);
    this.refresh();
    return result;
  }

  // The core is ready: run what was queued for it.
  /** @param {CoreChart} core */
  begin(core) {
    this.resize();
    for (const act of this.#queue.splice(0)) act(core);
    this.refresh();
  }

  /** @param {string} failure */
  fail(failure) {
    this.#queue = [];
    this.failure = failure;
    this.refresh();
  }

  /** Sends the core the frame's lengths. */
  resize() {
    const { width, height, ratio, plotWidth, plotHeight, paneHeight } = this.frame;
    if (width === 0 || height === 0) return;
    this.core?.resize(plotWidth, plotHeight, paneHeight, ratio);
  }

  /** Draws the current picture. */
  draw() {
    return this.core ? this.core.draw(Math.floor(this.now ?? 0)) : null;
  }

  dispose() {
    this.core?.dispose();
    this.core = null;
    this.#queue = [];
  }
}
