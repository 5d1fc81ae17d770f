// What is drawn over a chart and moved there: own orders, alerts and drawings.

import { number } from "../../text/format.js";
import { plural, t } from "../../text/texts.js";
import { setAttribute } from "../../ui/dom.js";
import { STRIDE } from "../model/core.js";
import { Drawings } from "./drawings.js";
import { AlertLines, OrderLines } from "./price-lines.js";

// A dot at each drawn candle that crossed the held level: dashes of no length with round ends.
class Dots {
  element = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #path = document.createElementNS("http://www.w3.org/2000/svg", "path");

  constructor() {
    this.element.classList.add("chart-drawings");
    this.#path.style.cssText = "fill: none; stroke: var(--chart-alert); stroke-width: 6px;"
      + "stroke-linecap: round";
    for (const side of ["width", "height"]) this.element.setAttribute(side, "100%");
    setAttribute(this.element, "aria-hidden", "true");
    this.element.append(this.#path);
  }

  /** @param {Picture} picture @param {number} ratio */
  show({ crossings: { at, count }, memory: { floats } }, ratio) {
    const dots = Array.from({ length: count }, (_, index) => {
      const from = (at + index * STRIDE.line) / 4;
      return `M${floats[from] / ratio} ${floats[from + 1] / ratio}h0`;
    });
    setAttribute(this.#path, "d", dots.join(""));
  }
}

/** @typedef {import("../model/render-model.js").Frame} Frame */
/**
 * `instrument` is the storage key of drawings, which are unavailable without it; `hint` shows the
 * next step, `say` a text for a moment, `focus` moves focus to the plot.
 * @typedef {object} Host
 * @property {import("../model/scene.js").Scene} scene
 * @property {string} [instrument]
 * @property {() => unknown} refresh
 * @property {() => unknown} focus
 * @property {(text: string) => unknown} say
 * @property {(text: string) => unknown} hint
 */

export class OverlayTools {
  orders;
  alerts;
  drawings;
  /** @type {Element[]} */
  elements;
  #dots = new Dots();
  #host;
  /** Where a trigger and an alert are held; the core marks the crossings of the first. */
  #held = /** @type {(number | null)[]} */ ([null, null]);
  #rehearsed = /** @type {number | null} */ (null);

  /** @param {Host} host @param {HTMLElement} menu */
  constructor(host, menu) {
    const { scene, instrument, refresh, focus, say, hint } = this.#host = host;
    const { price } = scene.labels;
    const priceAt = (/** @type {number} */ y) =>
      scene.core?.under(0, y * scene.frame.ratio)?.price ?? null;
    this.orders = new OrderLines({
      price, priceAt, changed: (orders, held) => {
        scene.with((core) => core.setOrders(orders));
        this.#rehearse(0, held);
      },
    });
    this.alerts = new AlertLines({
      price, priceAt, say, changed: (prices, held) => {
        scene.with((core) => core.setAlerts(prices));
        this.#rehearse(1, held);
      },
    });
    this.drawings = instrument === undefined ? null : new Drawings({
      instrument, price, core: () => scene.core, refresh, focus, say: hint,
      alert: (units) => this.alerts.ask(units),
    }, menu);
    this.elements = [...this.drawings ? [this.drawings.element] : [], this.#dots.element,
      this.alerts.element, this.orders.element];
  }

  // Puts all where the picture has them.
  /** @param {Picture} picture @param {Frame} frame */
  show(picture, frame) {
    this.orders.show(picture, frame);
    this.alerts.show(picture, frame);
    this.drawings?.show(picture, frame);
    this.#dots.show(picture, frame.ratio);
    this.#countCrossings(picture);
  }

  /** @param {0 | 1} kind @param {number | null} held */
  #rehearse(kind, held) {
    this.#held[kind] = held;
    const level = this.#held[0] ?? this.#held[1];
    if (level === this.#rehearsed) return;
    this.#rehearsed = level;
    this.#host.scene.with((core) => core.rehearse(level));
    if (level === null) this.#host.hint("");
  }

  // How often the held level was crossed in the loaded candles.
  /** @param {Picture} picture */
  #countCrossings({ crossingCount, oldest, interval }) {
    if (this.#rehearsed === null) return;
    const time = this.#host.scene.labels.time.candle(oldest, interval);
    this.#host.hint(crossingCount === 0 ? t("No crossing seen since {0}", { 0: time })
      : plural(crossingCount, "At least {0} crossing since {1}", "At least {0} crossings since {1}",
        { 0: number(String(crossingCount)), 1: time }));
  }
}
