// Where the user points, by pointer or keyboard, and its text: crosshair, legend and the sentence
// for screen readers. Without a pointer the legend shows the latest candle.

import { h, setAttribute, setText } from "../../ui/dom.js";
import { shareText } from "../model/render-model.js";
import { Legend, sentence } from "./legend.js";
import { StudyWords } from "./studies.js";

/** @typedef {import("../model/core.js").Hit} Hit */
/** @typedef {import("../model/render-model.js").Frame} Frame */
/** @typedef {import("../model/render-model.js").Labels} Labels */
/** @typedef {import("./legend.js").Words} Words */

// The crosshair: two lines and two labels over the canvas. They are elements that only move, so
// that pointer moves paint nothing.
class Crosshair {
  #across = h("div.cross-across");
  #down = h("div.cross-down");
  #price = h("div.cross-price");
  #time = h("div.cross-time");

  constructor() {
    this.element = h("div.chart-cross", { hidden: true, "aria-hidden": "true" },
      this.#across, this.#down, this.#price, this.#time);
  }

  hide() {
    setAttribute(this.element, "hidden", true);
  }

  /**
   * `x` and `y` in device pixels; `price` and `time` are texts.
   * @param {{x: number, y: number, price: string, time: string}} at
   * @param {import("../model/render-model.js").Frame} frame
   */
  show({ x, y, price, time }, { ratio, axis, plotWidth, plotHeight, areaHeight }) {
    setAttribute(this.element, "hidden", false);
    setAttribute(this.#price, "hidden", y > plotHeight);
    const [left, top] = [Math.round(x) / ratio, Math.round(y) / ratio];
    const [width, height] = [plotWidth / ratio, areaHeight / ratio];
    this.#down.style.transform = `translate(${left}px, 0) scaleY(${height / 100})`;
    this.#across.style.transform = `translate(0, ${top}px) scaleX(${width / 100})`;
    setText(this.#price, price);
    // As wide as the axis; a longer price extends over the plot rather than out of sight.
    this.#price.style.transform = `translate(0, ${top - 10}px)`;
    this.#price.style.minWidth = `${axis.right - 3}px`;
    setText(this.#time, time);
    // Centred under the line, inside the plot.
    this.#time.style.transform =
      `translate(${left}px, ${height + 3}px) translateX(${shift(left, width)})`;
  }
}

// Half the label's width to the left, less near the ends; labels are about 150 pixels wide.
/** @param {number} left @param {number} width */
function shift(left, width) {
  const half = 74;
  if (left < half) return `${-left}px`;
  if (left > width - half) return `calc(-100% + ${width - left}px)`;
  return "-50%";
}

/** @typedef {Hit & {y?: number}} Pointed */

const LEGEND_EVERY_MILLISECONDS = 200;

export class Pointing {
  crosshair = new Crosshair();
  legend = new Legend();
  #spoken = new StudyWords();
  /** Whether it has moved since it was shown. */
  hasMoved = false;
  #frame;
  #labels;
  /** @type {{x: number, y: number} | null} */
  #pointer = null;
  /** The candle under the keyboard cursor. */
  #walked = /** @type {number | null} */ (null);
  /** The time pointed at in a linked chart. */
  #followed = /** @type {number | null} */ (null);
  #said = /** @type {number | null} */ (null);
  #legendIsPointed = false;
  #legendTimer = 0;
  /** @type {(() => unknown) | null} */
  #latest = null;

  #pointed;

  /**
   * `pointed` receives the time under the pointer or keyboard cursor, null without one.
   * @param {Frame} frame
   * @param {Labels} labels
   * @param {((time: number | null) => unknown) | undefined} pointed
   */
  constructor(frame, labels, pointed) {
    this.#frame = frame;
    this.#labels = labels;
    this.#pointed = pointed;
  }

  // Shows the candle at a time while nothing is pointed at here; null shows none.
  /** @param {number | null} time */
  follow(time) {
    this.#followed = time;
    this.hasMoved = true;
  }

  // CSS pixels from the surface's corner.
  /** @param {number} x @param {number} y */
  point(x, y) {
    this.#pointer = { x, y };
    this.#walked = null;
    this.hasMoved = true;
  }

  /** Returns whether anything was pointed at. */
  leave() {
    if (!this.#pointer && this.#walked === null) return false;
    this.#pointer = null;
    this.#walked = null;
    this.hasMoved = true;
    return true;
  }

  // `by` older candles were prepended: shifts the keyboard cursor.
  /** @param {() => number} by */
  moveWalk(by) {
    if (this.#walked !== null) this.#walked += by();
  }

  // The content under the pointer or keyboard cursor; null without, and in a study's pane, which
  // has no price.
  /** @param {CoreChart} core */
  at(core) {
    const hit = this.#hit(core);
    return hit && (hit.y ?? 0) > this.#frame.plotHeight ? null : hit;
  }

  /** The candles changed: drops the keyboard cursor. */
  forgetWalk() {
    this.#walked = null;
  }

  // The candle that many steps from the current one; without one, the latest.
  /** @param {CoreChart} core @param {Picture} picture @param {number} steps */
  walk(core, picture, steps) {
    const last = picture.drawnCount - 1;
    const from = this.#walked ?? this.#hit(core)?.candle?.index;
    this.goTo(core, picture, from === undefined ? last : Math.max(0, Math.min(last, from + steps)));
  }

  // Shows a candle by its index, 0 the oldest and Infinity the latest.
  /** @param {CoreChart} core @param {Picture} picture @param {number} index */
  goTo(core, picture, index) {
    this.#pointer = null;
    this.#walked = Math.min(index, picture.drawnCount - 1);
    if (index === 0) core.showOldest();
    else if (index === Infinity) core.backToLive();
    else core.reveal(this.#walked);
  }

  // The candle under the keyboard cursor, else the latest, in words: `{index, text}`; null without.
  /** @param {CoreChart} core @param {Picture} picture @param {Words} words */
  told(core, picture, words) {
    const index = this.#walked ?? picture.drawnCount - 1;
    const candle = core.candle(index)?.candle;
    if (!candle) return null;
    words.tellStudies(this.#spoken, candle);
    const studies = this.#spoken.sentence;
    return { index, text: sentence(candle, words) + (studies && `, ${studies}`) };
  }

  // Draws crosshair and legend over the picture.
  /** @param {CoreChart} core @param {Picture} picture @param {Words} words */
  show(core, picture, words) {
    this.hasMoved = false;
    const { price } = this.#labels;
    const priceText = (/** @type {Pointed} */ { price: units, hundredths }) =>
      (picture.scale === "percent" ? shareText(hundredths) : price.text(units));
    const own = this.#hit(core);
    const time = own && (own.candle?.start ?? own.time);
    if (time !== this.#said) this.#pointed?.(this.#said = time);
    const hit = own ?? this.#linked(core, picture);
    if (!hit) this.crosshair.hide();
    else {
      this.crosshair.show({
        x: hit.x, y: hit.y ?? hit.candle?.closeY ?? 0,
        price: priceText(hit),
        time: this.#labels.time.candle(hit.candle?.start ?? hit.time, picture.interval),
      }, this.#frame);
    }
    this.#latest = () =>
      this.legend.update(core.candle(picture.drawnCount - 1)?.candle ?? null, words);
    if (hit) this.legend.update(hit.candle, { ...words, dimmed: false });
    else this.#tellLatest(this.#legendIsPointed);
    this.#legendIsPointed = hit !== null;
  }

  dispose() {
    clearTimeout(this.#legendTimer);
    this.#latest = null;
  }

  /** @param {CoreChart} core @returns {Pointed | null} */
  #hit(core) {
    if (this.#walked !== null) return core.candle(this.#walked);
    if (!this.#pointer) return null;
    const { ratio, plotWidth, areaHeight } = this.#frame;
    const [x, y] = [this.#pointer.x * ratio, this.#pointer.y * ratio];
    if (x < 0 || y < 0 || x > plotWidth || y > areaHeight) return null;
    const hit = core.under(x, y);
    return hit && { ...hit, y };
  }

  // The visible candle at the time of a linked chart.
  /** @param {CoreChart} core @param {Picture} picture @returns {Pointed | null} */
  #linked(core, { drawnCount, interval }) {
    const time = this.#followed;
    if (time === null || drawnCount === 0) return null;
    const hit = core.candle(core.indexAt(time, drawnCount));
    const start = hit?.candle?.start ?? Infinity;
    const isInView = hit !== null && hit.x >= 0 && hit.x <= this.#frame.plotWidth;
    return isInView && time >= start && time < start + interval ? hit : null;
  }

  // The latest candle changes with each tick: throttled to a readable pace.
  /** @param {boolean} atOnce */
  #tellLatest(atOnce) {
    if (this.#legendTimer !== 0 && !atOnce) return;
    clearTimeout(this.#legendTimer);
    this.#latest?.();
    this.#legendTimer = setTimeout(() => {
      this.#legendTimer = 0;
      if (!this.#legendIsPointed) this.#latest?.();
    }, LEGEND_EVERY_MILLISECONDS);
  }
}
