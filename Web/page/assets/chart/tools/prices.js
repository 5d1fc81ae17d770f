// The price scale: its menu, which is stored, and its axis: drag to stretch, double-click to fit
// the candles again.

import { recall, remember } from "../../base/storage.js";
import { t } from "../../text/texts.js";
import { h, setText } from "../../ui/dom.js";
import { SCALES } from "../model/core.js";
import { choices, menu } from "./menus.js";

/** @typedef {(typeof SCALES)[number]} Scale */

const KEY = "chart.scale";
const STRETCH = 1.15;
/** Pixels that stretch by a factor of e. */
const PIXELS = 160;
/** @type {{[scale: string]: string}} */
const WORDS = { linear: t("linear"), logarithmic: t("log"), percent: t("percent") };

/**
 * The scale's actions.
 * @typedef {object} Act
 * @property {(scale: Scale) => unknown} choose
 * @property {(factor: number) => unknown} stretch
 * @property {() => unknown} fit
 */

export class PriceScaleMenu {
  scale = /** @type {Scale} */ (recall(KEY, [...SCALES]));
  #face = h("span");
  #fit;

  /** @param {Act} act */
  constructor(act) {
    const kinds = choices(t("Price scale"), /** @type {const} */ ([
      ["linear", t("Linear")], ["logarithmic", t("Logarithmic")],
      ["percent", t("Percent (from first visible candle)")],
    ]), (scale) => {
      this.scale = scale;
      remember(KEY, scale);
      act.choose(scale);
    });
    kinds.set(this.scale);
    const button = (/** @type {string} */ text, /** @type {() => unknown} */ run) =>
      h("button.button.small", { type: "button", onclick: run }, text);
    this.#fit = button(t("Auto"), act.fit);
    this.element = menu(t("Price scale"), [this.#face], kinds.element,
      h("div.chart-menu-row", { role: "group", "aria-label": t("Range of prices") }, this.#fit,
        button(t("Zoom in (price)"), () => act.stretch(STRETCH)),
        button(t("Zoom out (price)"), () => act.stretch(1 / STRETCH))));
    this.update({ scale: this.scale, isOwnRange: false });
  }

  // As drawn: a range that can't be logarithmic is linear.
  /** @param {{scale: Scale, isOwnRange: boolean}} drawn */
  update({ scale, isOwnRange }) {
    setText(this.#face, `${isOwnRange ? t("Own") : t("Auto")} · ${WORDS[scale]}`);
    this.#fit.disabled = !isOwnRange;
  }
}

// The draggable strip over the price labels; keys and the menu do the same.
/** @param {Act} act */
export function priceStrip({ stretch, fit }) {
  const element = h("div.chart-prices", { "aria-hidden": "true" });
  /** @type {{id: number, y: number} | null} */
  let held = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    held = { id: event.pointerId, y: event.clientY };
  });
  element.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    stretch(Math.exp((held.y - event.clientY) / PIXELS));
    held.y = event.clientY;
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    element.addEventListener(name, () => {
      held = null;
    });
  }
  element.addEventListener("dblclick", fit);
  return element;
}
