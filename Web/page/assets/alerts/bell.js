// The bell of a market: how many of its alerts wait, and the sheet of them under it.

import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { Screen } from "../ui/screen.js";
import { AlertSheet } from "./sheet.js";

let count = 0;

export class AlertBell extends Screen {
  #market;
  #number = h("span.bell-count", { "aria-hidden": "true" });
  #button;
  #sheet;

  /**
   * @param {Page} page
   * @param {{venue: string, symbol: string}} market
   */
  constructor(page, market) {
    super(page);
    count += 1;
    const id = `bell-${count}`;
    this.#market = market;
    this.alerts = this.open("alerts");
    this.#button = h("button.icon-button.bell", { type: "button", popovertarget: id },
      icon("bell"), this.#number);
    this.#sheet = new AlertSheet(page, market, () => this.#button.getBoundingClientRect(),
      (isOpen) => setAttribute(this.#button, "aria-expanded", String(isOpen)));
    this.#sheet.element.id = id;
    this.element = h("div.bell-place", {}, this.#button, this.#sheet.element);
  }

  render() {
    const { venue, symbol } = this.#market;
    const waiting = this.page.alerts.of(venue, symbol)
      .filter(({ armed, again }) => armed || again).length;
    setText(this.#number, waiting > 0 ? String(waiting) : "");
    const label = waiting > 0 ? t("Alerts of {symbol}, {count} set", { symbol, count: waiting })
      : t("Alerts of {symbol}", { symbol });
    setAttribute(this.#button, "aria-label", label);
    setAttribute(this.#button, "title", label);
  }

  dispose() {
    super.dispose();
    this.#sheet.dispose();
    this.element.remove();
  }
}
