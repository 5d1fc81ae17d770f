// A chart's render model: a picture of the core that any painter can draw. Marks are copied out of
// the core's memory; prices and times are texts.

import { number, percent } from "../../text/format.js";
import { textWidth } from "../../text/text-width.js";
import { PANES, STRIDE } from "./core.js";
import { decimalText } from "./labels.js";
import { fontOf } from "./style.js";

/** @typedef {import("./core.js").Marks} Marks */
/** @typedef {import("./labels.js").TimeLabels} TimeLabels */
/** @typedef {{price: PriceLabels, time: TimeLabels}} Labels */
/** @typedef {Frame["lengths"]} Lengths */
/** @typedef {ReturnType<typeof renderModelOf>} RenderModel */

const KINDS = /** @type {const} */ (
  ["candles", "line", "gaps", "fills", "studies", "profile", "drawings"]);
const COPIED = {
  candles: STRIDE.candle, line: STRIDE.line, gaps: STRIDE.gap, fills: STRIDE.fill,
  studies: STRIDE.study, profile: STRIDE.profile, drawings: STRIDE.drawing,
};

/** CSS pixels; what does not fit is only in the legend. */
const PANE_HEIGHT = 96;
const LEAST_PANE_HEIGHT = 44;
const MOST_OF_PANES = 0.45;

/** A chart canvas's lengths in device pixels. */
export class Frame {
  /** Width of the price axis and height of the time axis, in CSS pixels. */
  axis = { right: 56, bottom: 26 };
  /** The panes' titles, from the top. */
  panes = /** @type {string[]} */ ([]);
  width = 0;
  height = 0;
  ratio = 1;

  /** The width of the candles' area. */
  get plotWidth() {
    return Math.max(1, this.width - Math.round(this.axis.right * this.ratio));
  }

  /** The height of the candles' area and the panes below it. */
  get areaHeight() {
    return Math.max(1, this.height - Math.round(this.axis.bottom * this.ratio));
  }

  /** How many panes fit into less than half of the area. */
  get paneCount() {
    const fit = Math.floor(this.areaHeight * MOST_OF_PANES / (LEAST_PANE_HEIGHT * this.ratio));
    return Math.min(this.panes.length, fit);
  }

  /** The height of each pane. */
  get paneHeight() {
    const most = this.areaHeight * MOST_OF_PANES / Math.max(1, this.paneCount);
    return Math.floor(Math.min(PANE_HEIGHT * this.ratio, most));
  }

  get plotHeight() {
    return Math.max(1, this.areaHeight - this.paneCount * this.paneHeight);
  }

  /** The lengths alone. */
  get lengths() {
    const { width, height, ratio, plotWidth, plotHeight, areaHeight } = this;
    return { width, height, ratio, plotWidth, plotHeight, areaHeight };
  }
}

// An arrow before a price above or below the view; empty if in view.
/** @param {{y: number}} live @param {{plotHeight: number}} frame */
export const beyond = ({ y }, { plotHeight }) => (y < 0 ? "↑ " : y > plotHeight ? "↓ " : "");

/**
 * `labels` is `{price, time}`; `style` "candles" or "line"; `dimmed` if the price is not live;
 * `below` is the text under the latest price: time to the candle's close, or the price's age.
 * @param {Picture} picture
 * @param {Frame} frame
 * @param {{labels: Labels, style: Style, dimmed: boolean, below: string}} look
 */
export function renderModelOf(picture, frame, { labels, style, dimmed, below }) {
  return {
    ...marksOf(picture), frame: frame.lengths, style, dimmed,
    prices: pricesOf(picture, labels.price), below: picture.live ? below : "",
    times: timesOf(picture, labels.time),
    panes: panesOf(picture, frame), guides: guidesOf(picture, frame, labels.price),
    zone: labels.time.zone(picture.right),
    live: picture.live && {
      y: picture.live.y, isUp: picture.live.isUp,
      text: beyond(picture.live, frame) + (picture.scale === "percent"
        ? shareText(picture.live.hundredths) : labels.price.text(picture.live.units)),
    },
  };
}

// One buffer for all marks, and each kind's offset in it.
/** @param {Picture} picture */
function marksOf(picture) {
  let size = 0;
  for (const kind of KINDS) size += picture[kind].count * COPIED[kind];
  const marks = new ArrayBuffer(size);
  const to = new Uint8Array(marks);
  let end = 0;
  const copied = (/** @type {(typeof KINDS)[number]} */ kind) => {
    const [at, { at: from, count }] = [end, picture[kind]];
    const length = count * COPIED[kind];
    to.set(picture.memory.bytes.subarray(from, from + length), at);
    end += length;
    return { at, count };
  };
  return {
    marks, candles: copied("candles"), line: copied("line"), gaps: copied("gaps"),
    fills: copied("fills"), studies: copied("studies"), profile: copied("profile"),
    drawings: copied("drawings"),
  };
}

/** @param {Picture} picture @param {PriceLabels} labels */
function pricesOf({ prices, scale, memory: { floats, integers, words } }, labels) {
  return Array.from({ length: prices.count }, (_, index) => {
    const at = prices.at + index * STRIDE.price;
    const text = scale === "percent" ? shareText(words[at / 4 + 1])
      : labels.text(integers[at / 8 + 1]);
    return { y: floats[at / 4], text };
  });
}

/** @param {Picture} picture @param {Frame} frame */
function panesOf({ panes, memory: { bytes, floats } }, frame) {
  return Array.from({ length: Math.min(panes.count, frame.paneCount) }, (_, index) => {
    const at = (panes.at + index * STRIDE.pane) / 4;
    return { top: floats[at], bottom: floats[at + 1], zero: floats[at + 2],
      pane: PANES[bytes[4 * at + 12]], title: frame.panes[index] ?? "" };
  });
}

/** @param {Picture} picture @param {Frame} frame @param {PriceLabels} labels */
function guidesOf({ guides, memory: { bytes, floats, integers } }, { areaHeight }, labels) {
  return Array.from({ length: guides.count }, (_, index) => {
    const at = guides.at + index * STRIDE.guide;
    const value = integers[at / 8];
    return { y: floats[at / 4 + 2], hasLine: bytes[at + 13] === 1,
      text: PANES[bytes[at + 12]] === "strength" ? shareOf(value, 0) : labels.finer(value) };
  }).filter(({ y }) => y < areaHeight);
}

// A relative strength, which counts hundredths: "56.21".
/** @param {bigint} hundredths @param {number} [decimals] */
export const shareOf = (hundredths, decimals = 2) => number(decimalText(hundredths, 2, decimals));

/** @param {Picture} picture @param {TimeLabels} labels */
function timesOf({ times, timeStep, memory: { floats, integers } }, labels) {
  return Array.from({ length: times.count }, (_, index) => {
    const at = times.at + index * STRIDE.time;
    return { x: floats[at / 4], ...labels.grid(Number(integers[at / 8 + 1]), timeStep) };
  });
}

// "+1.24%" for 124 hundredths.
/** @param {number | bigint} hundredths */
export const shareText = (hundredths) => percent(decimalText(hundredths, 2, 2));

/**
 * The width that the price axis needs, in CSS pixels.
 * @param {{prices: {text: string}[], guides: {text: string}[], live: {text: string} | null,
 *   below: string}} shown
 * @param {string} family
 */
export function axisWidth({ prices, guides, live, below }, family) {
  let widest = live ? textWidth(live.text, fontOf(family, 1, 600)) + 1 : 0;
  // Digits are about equally wide: zeros keep the width steady through the countdown.
  if (below) widest = Math.max(widest, textWidth(below.replace(/\d/g, "0"), fontOf(family, 1)));
  for (const { text } of [...prices, ...guides]) {
    widest = Math.max(widest, textWidth(text, fontOf(family, 1)));
  }
  return widest + 20;
}
