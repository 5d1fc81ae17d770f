// What the parts of one chart share: its core, as soon as that is loaded, the latest picture, and
// the words and lengths that both are told in.

import { loadCore } from "./core.js";
import { plainNumber, PriceLabels, TimeLabels } from "./labels.js";
import { Frame } from "./render-model.js";

/** @typedef {import("./core.js").Fill} Fill */
/**
 * @typedef {object} Options
 * @property {(interval: number, before?: number) => Promise<Wire.History>} [load] the candles of an
 *   interval, or those before a time
 * @property {string} [name] what is charted
 * @property {Format} [formatPrice] writes exact digits
 * @property {Format} [formatQuantity]
 * @property {string} [locale]
 * @property {number} [interval] ms
 * @property {Style} [style]
 * @property {() => number} [now] ms, for the moving edge
 * @property {(choice: {interval: number, style: Style}) => unknown} [onChoice]
 * @property {boolean} [isSmall] without bar, legend, studies and full screen
 * @property {string} [instrument] under which drawn lines are kept; without it none are drawn
 * @property {() => {title: string, details: string, file: string}} [caption] what a picture of
 *   it is of; without it none is made
 */

const FINEST = 1000;

export class Scene {
  /** @type {CoreChart | null} */
  core = null;
  /** Why no chart can be drawn at all. */
  failure = "";
  /** @type {Picture | null} */
  picture = null;
  frame = new Frame();
  labels;
  quantity;
  /** The interval of the candles that the core was given, in milliseconds. */
  finest = FINEST;
  dimmed = false;
  /** When the price was last confirmed, while it is not live. */
  confirmedAt = /** @type {number | null} */ (null);
  /** @type {Fill[]} */
  fills = [];
  /** The exports of the core that all charts share. */
  exports = loadCore();
  isSmall;
  #clock;
  #changed;
  /** @type {((core: CoreChart) => unknown)[]} */
  #queue = [];

  // `changed()` is called when there is something to draw.
  /** @param {Options} options @param {() => unknown} changed */
  constructor({ locale, formatPrice, formatQuantity, now, isSmall = false }, changed) {
    this.labels = {
      price: new PriceLabels(formatPrice, locale), time: new TimeLabels(locale),
    };
    this.quantity = new PriceLabels(formatQuantity ?? plainNumber(locale), locale);
    this.isSmall = isSmall;
    this.#clock = now;
    this.#changed = changed;
  }

  /** The time in ms; undefined where the chart knows of no clock. */
  get now() {
    return this.#clock?.();
  }

  /** There is something new to draw. */
  refresh() {
    this.#changed();
  }

  // What is asked before the core is there waits for it; without a core that could come it is
  // dropped.
  /** @param {(core: CoreChart) => unknown} act */
  with(act) {
    if (!this.core) {
      if (!this.failure) this.#queue.push(act);
      return true;
    }
    return this.moved(act);
  }

  // What is worth nothing later: without a core it is dropped.
  /** @param {(core: CoreChart) => unknown} act */
  moved(act) {
    if (!this.core) return false;
    const result = act(this.core);
    this.refresh();
    return result;
  }

  // The core is there and knows how to show: what waited for it is done.
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

  /** Tells the core the lengths of the frame. */
  resize() {
    const { width, height, ratio, plotWidth, plotHeight } = this.frame;
    if (width === 0 || height === 0) return;
    this.core?.resize(plotWidth, plotHeight, ratio);
  }

  /** Draws a picture as it is now. */
  draw() {
    return this.core ? this.core.draw(Math.floor(this.now ?? 0)) : null;
  }

  dispose() {
    this.core?.dispose();
    this.core = null;
    this.#queue = [];
  }
}
