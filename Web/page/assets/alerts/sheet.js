// @ts-check
// Makes an alert of a market at a price, and lists those that it has.

import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { icon } from "../icons.js";
import { Screen } from "../screens/screen.js";
import { t } from "../texts.js";
import { viewNote } from "../viewing.js";
import { oftenWord, stateWord } from "./words.js";

/**
 * Where the sheet opens.
 * @typedef {{left: number, bottom: number}} Anchor
 */

export class AlertSheet extends Screen {
  /** @type {{venue: string, symbol: string}} */
  #market;
  /** @type {() => Anchor} */
  #anchor;
  /** @type {(isOpen: boolean) => unknown} */
  #turned;
  #level = h("input.field", { type: "number", inputmode: "decimal", autocomplete: "off",
    min: "0", step: "any", "aria-label": t("Price of the alert") });
  #again = h("input", { type: "checkbox", role: "switch", name: "again" });
  #said = h("p.field-error", { role: "status" });
  #rows = h("ul.bell-rows");
  /** @type {KeyedList<string, AlertRow>} */
  #list;
  /** The price to begin with; "" for the last one. */
  #given = "";
  /** Whether the field was given the price since the sheet was opened. */
  #hasBegun = false;

  /**
   * @param {import("../screens/screen.js").Page} page
   * @param {{venue: string, symbol: string}} market
   * @param {() => Anchor} anchor
   * @param {(isOpen: boolean) => unknown} turned hears that it opened or closed
   */
  constructor(page, market, anchor, turned) {
    super(page);
    this.#market = market;
    this.#anchor = anchor;
    this.#turned = turned;
    const { venue, symbol } = market;
    this.figures = this.open(`figures/${venue}/${symbol}`);
    this.alerts = this.open("alerts");
    this.#list = new KeyedList(this.#rows, (key) => new AlertRow(page.alerts, key));
    const form = h("form.bell-form", { novalidate: true, "data-changes": true },
      h("div.bell-line", {}, this.#level,
        h("button.button.small", { type: "submit" }, t("Set alert"))),
      h("label.option", {}, this.#again, h("span", {}, t("Every time the price crosses it"))));
    form.addEventListener("submit", (event) => this.#add(event));
    this.element = h("div.sheet.bell-sheet", { popover: "auto", role: "dialog",
      "aria-label": t("Alerts of {symbol}", { symbol }) },
    h("h2", {}, t("Alerts of {symbol}", { symbol })), form, viewNote(), this.#said, this.#rows);
    this.element.addEventListener("beforetoggle", (event) => {
      if (/** @type {Event & { newState?: string }} */ (event).newState === "open") this.#opens();
    });
    this.element.addEventListener("toggle", () => this.#toggled());
    this.whenGone(page.alerts.hearRefusal((message) => setText(this.#said, message)));
  }

  get isOpen() {
    return this.element.matches(":popover-open");
  }

  /**
   * Opens it with a price in its field.
   * @param {string} price "" for the last one
   */
  show(price) {
    this.#given = price;
    this.element.showPopover();
  }

  render() {
    if (!this.isOpen) return;
    const { venue, symbol } = this.#market;
    const rows = this.page.alerts.of(venue, symbol);
    this.#begin();
    this.#list.arrange(rows.map(({ id }) => id).reverse());
    for (const row of rows) this.#list.rows.get(row.id)?.update(row, this.link.now());
  }

  /** Before it can be seen: what is typed from then on stands. */
  #opens() {
    this.#hasBegun = false;
    this.#level.value = this.#given;
    this.#given = "";
  }

  /** Told a moment after it has opened or closed. */
  #toggled() {
    const { isOpen } = this;
    setText(this.#said, "");
    if (isOpen) {
      this.#place();
      this.#level.focus();
      this.#level.select();
      this.refresh();
    }
    this.#turned(isOpen);
  }

  /** The last price is where one begins, once it is known; what was typed is never overwritten. */
  #begin() {
    const { price } = this.figures.state ?? {};
    if (this.#hasBegun || price === undefined) return;
    this.#hasBegun = true;
    const decimals = price.split(".")[1]?.length ?? 0;
    setAttribute(this.#level, "step", decimals > 0 ? `0.${"0".repeat(decimals - 1)}1` : "1");
    if (this.#level.value !== "") return;
    this.#level.value = price;
    this.#level.select();
  }

  /** Under its anchor, and never out of the window; a narrow one has it at its foot. */
  #place() {
    const { left, bottom } = this.#anchor();
    const [right, lowest] = [innerWidth - this.element.offsetWidth - 12,
      innerHeight - this.element.offsetHeight - 12];
    const place = this.element.style;
    place.setProperty("--left", `${Math.max(12, Math.min(left, right))}px`);
    place.setProperty("--top", `${Math.max(12, Math.min(bottom + 4, lowest))}px`);
  }

  /** @param {Event} event */
  #add(event) {
    event.preventDefault();
    const { venue, symbol } = this.#market;
    setText(this.#said, "");
    this.page.alerts.add(`${venue}/${symbol}`, this.#level.value, this.#again.checked);
  }

  dispose() {
    super.dispose();
    this.#list.dispose();
    this.element.remove();
  }
}

class AlertRow {
  #text = h("span.bell-text");
  #arm = h("button.button.small", { type: "button", "data-changes": true }, t("Set again"));
  #remove = h("button.icon-button", { type: "button", "data-changes": true }, icon("close"));
  element = h("li.bell-row", {}, this.#text, this.#arm, this.#remove);

  /**
   * @param {import("./alerts.js").Alerts} alerts
   * @param {string} id
   */
  constructor(alerts, id) {
    this.#arm.addEventListener("click", () => alerts.arm(id));
    this.#remove.addEventListener("click", () => alerts.remove(id));
  }

  /**
   * @param {Topic.PriceAlert} alert
   * @param {number} now
   */
  update(alert, now) {
    const { level } = alert;
    setText(this.#text, `${number(level)} · ${oftenWord(alert)} · ${stateWord(alert, now)}`);
    setAttribute(this.#arm, "hidden", alert.armed || alert.again);
    setAttribute(this.#arm, "aria-label", t("Set the alert at {level} again", { level }));
    setAttribute(this.#remove, "aria-label", t("Delete the alert at {level}", { level }));
  }
}
