// Own orders, alerts and drawings over a chart. Their code loads with the first of them, or with
// the first use of the drawing menu.

import { read } from "../../base/storage.js";
import { t } from "../../text/texts.js";
import { h, icon } from "../../ui/dom.js";
import { lazyPart, loadLazyParts, withPart } from "../../ui/lazy.js";
import { menu, stand } from "./menus.js";

/** @typedef {import("./overlay-tools.js").OverlayTools} OverlayTools */
/** @typedef {import("./overlay-tools.js").Host} Host */

export class Overlays {
  element = h("div.chart-overlays");
  /** The drawing menu; its content comes with the code. */
  menu = menu(t("Draw"), [icon("M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3")]);
  /** @type {OverlayTools | null} */
  tools = null;
  #host;
  /** @type {[rows: import("./price-lines.js").OrderRow[],
   *   act?: import("./price-lines.js").OrderAct]} */
  #orders = [[]];
  /** @type {import("./price-lines.js").AlertLevel[]} */
  #levels = [];
  /** @type {[act: import("./price-lines.js").AlertAct, why: string]} */
  #allowed = [{}, ""];

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    const [button, panel] = /** @type {HTMLElement[]} */ ([...this.menu.children]);
    // An open menu grows when its content comes.
    panel.addEventListener("toggle", () => this.#use(() => stand(panel, button)), { once: true });
  }

  /** Runs once the plot exists. */
  begin() {
    const { instrument } = this.#host;
    const hasDrawings = instrument !== undefined
      && read("chart.drawings")?.includes(JSON.stringify(instrument)) === true;
    if (lazyPart("OverlayTools")) this.#make();
    else if (hasDrawings) this.#load();
  }

  #load() {
    loadLazyParts().then(() => this.#make(), () => {});
  }

  #make() {
    const Tools = lazyPart("OverlayTools");
    if (this.tools || !Tools) return;
    const { orders, alerts, drawings, elements } = this.tools = new Tools(this.#host, this.menu);
    this.element.append(...elements);
    this.allowAlerts(...this.#allowed);
    drawings?.rescale();
    orders.set(...this.#orders);
    alerts.set(this.#levels);
    this.#host.refresh();
  }

  /** @param {(tools: OverlayTools) => unknown} act */
  #use(act) {
    if (this.tools) return act(this.tools);
    return withPart("OverlayTools", () => {
      this.#make();
      if (this.tools) act(this.tools);
    });
  }

  /** The same on the current price scale. */
  rescale() {
    this.tools?.drawings?.rescale();
    this.tools?.orders.rescale();
    this.tools?.alerts.rescale();
  }

  /** @type {import("./price-lines.js").OrderLines["set"]} */
  setOrders(...orders) {
    this.#orders = orders;
    if (this.tools) this.tools.orders.set(...orders);
    else if (orders[0].length > 0) this.#load();
  }

  /** @param {import("./price-lines.js").AlertLevel[]} levels */
  setAlerts(levels) {
    this.#levels = levels;
    if (this.tools) this.tools.alerts.set(levels);
    else if (levels.length > 0) this.#load();
  }

  /** @param {import("./price-lines.js").AlertAct} act @param {string} why */
  allowAlerts(act, why) {
    this.#allowed = [act, why];
    this.tools?.alerts.allow(act, why);
    this.tools?.drawings?.allowAlerts(act.add !== undefined);
  }

  // Requests an alert at a price; false if unavailable.
  /** @param {bigint | number} units */
  askAlert(units) {
    const [{ add }, why] = this.#allowed;
    if (!add && why === "") return false;
    this.#use(({ alerts }) => alerts.ask(units));
    return true;
  }

  // Puts them where the picture has them.
  /** @param {Picture} picture @param {import("../model/render-model.js").Frame} frame */
  show(picture, frame) {
    this.tools?.show(picture, frame);
  }
}
