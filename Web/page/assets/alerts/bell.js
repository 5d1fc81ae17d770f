// A market's bell: the number of pending alerts, and the sheet that lists them.

import { t } from "../text/texts.js";
import { h, icon, setAttribute, setText } from "../ui/dom.js";
import { lazyPart, withPart } from "../ui/lazy.js";
import { Screen } from "../ui/screen.js";

/** @typedef {import("./sheet.js").AlertSheet} AlertSheet */

// A market's alerts, opened from one of its rows in the book or a list.
export class RowAlert {
  #page;
  /** @type {AlertSheet | null} */
  #sheet = null;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Opens the sheet at a point of the window.
   * @param {{venue: string, symbol: string}} market
   * @param {{x: number, y: number}} point
   * @param {{price?: string, id?: string}} [initial] a price, or an alert to edit
   */
  show(market, { x, y }, initial = {}) {
    withPart("AlertSheet", (Sheet) => {
      this.dispose();
      /** @type {AlertSheet} */
      const sheet = new Sheet(this.#page, market, () => ({ left: x, bottom: y }),
        (isOpen) => isOpen || sheet.dispose());
      this.#sheet = sheet;
      document.body.append(sheet.element);
      sheet.show(initial);
    });
  }

  dispose() {
    this.#sheet?.dispose();
    this.#sheet = null;
  }
}

let count = 0;

export class AlertBell extends Screen {
  #market;
  #number = h("span.bell-count", { "aria-hidden": "true" });
  /** @type {HTMLButtonElement} */
  #button;
  #id;
  /** @type {AlertSheet | null} */
  #sheet = null;

  /** @param {Page} page @param {{venue: string, symbol: string}} market */
  constructor(page, market) {
    super(page);
    count += 1;
    this.#id = `bell-${count}`;
    this.#market = market;
    this.alerts = this.open("alerts");
    this.#button = h("button.icon-button.bell", {
      type: "button", popovertarget: this.#id,
    }, icon("bell"), this.#number);
    // Later presses are the popover's.
    this.#button.addEventListener("click", (event) => {
      if (this.#sheet) return;
      event.preventDefault();
      withPart("AlertSheet", (Sheet) => this.#fill(Sheet).element.showPopover());
    });
    this.element = h("div.bell-place", {}, this.#button);
  }

  /** @param {LazyParts["AlertSheet"]} Sheet @returns {AlertSheet} */
  #fill(Sheet) {
    if (this.#sheet) return this.#sheet;
    /** @type {AlertSheet} */
    const sheet = new Sheet(this.page, this.#market, () => this.#button.getBoundingClientRect(),
      (isOpen) => setAttribute(this.#button, "aria-expanded", String(isOpen)));
    sheet.element.id = this.#id;
    this.element.append(sheet.element);
    this.#sheet = sheet;
    return sheet;
  }

  render() {
    const Sheet = lazyPart("AlertSheet");
    if (Sheet) this.#fill(Sheet);
    const { venue, symbol } = this.#market;
    const waiting = this.page.alerts.of(venue, symbol)
      .filter(({ armed, again }) => armed || again).length;
    setText(this.#number, waiting > 0 ? String(waiting) : "");
    const label = waiting > 0 ? t("Alerts for {symbol} ({count})", { symbol, count: waiting })
      : t("Alerts for {symbol}", { symbol });
    setAttribute(this.#button, "aria-label", label);
    setAttribute(this.#button, "title", label);
  }

  dispose() {
    super.dispose();
    this.#sheet?.dispose();
    this.element.remove();
  }
}
