// What is drawn over a chart and moved there: own orders, alerts and drawings.

import { Drawings } from "./drawings.js";
import { AlertLines, OrderLines } from "./price-lines.js";

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

  /** @param {Host} host @param {HTMLElement} menu */
  constructor({ scene, instrument, refresh, focus, say, hint }, menu) {
    const { price } = scene.labels;
    const priceAt = (/** @type {number} */ y) =>
      scene.core?.under(0, y * scene.frame.ratio)?.price ?? null;
    this.orders = new OrderLines({
      price, priceAt, changed: (orders) => scene.with((core) => core.setOrders(orders)),
    });
    this.alerts = new AlertLines({
      price, priceAt, say, changed: (prices) => scene.with((core) => core.setAlerts(prices)),
    });
    this.drawings = instrument === undefined ? null : new Drawings({
      instrument, price, core: () => scene.core, refresh, focus, say: hint,
      alert: (units) => this.alerts.ask(units),
    }, menu);
  }
}
