// @ts-check
// The bell of a market: makes an alert at a price, and lists those of this market.

import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { icon } from "../icons.js";
import { Screen } from "../screens/screen.js";
import { t } from "../texts.js";
import { oftenWord, stateWord } from "./words.js";

let count = 0;

export class AlertBell extends Screen {
  #market;
  #level = h("input.field", { type: "number", inputmode: "decimal", autocomplete: "off",
    min: "0", step: "any", "aria-label": t("Price of the alert") });
  #again = h("input", { type: "checkbox", role: "switch", name: "again" });
  #said = h("p.field-error", { role: "status" });
  #rows = h("ul.bell-rows");
  /** @type {KeyedList<string, BellRow>} */
  #list;
  #number = h("span.bell-count", { "aria-hidden": "true" });
  #button;
  #sheet;
  /** Whether the field was given the price since the sheet was opened. */
  #hasBegun = false;

  /**
   * @param {import("../screens/screen.js").Page} page
   * @param {{venue: string, symbol: string}} market
   */
  constructor(page, market) {
    super(page);
    count += 1;
    const id = `bell-${count}`;
    this.#market = market;
    this.figures = this.open(`figures/${market.venue}/${market.symbol}`);
    this.alerts = this.open("alerts");
    this.#list = new KeyedList(this.#rows, (key) => new BellRow(page.alerts, key));
    const form = h("form.bell-form", { novalidate: true },
      h("div.bell-line", {}, this.#level,
        h("button.button.small", { type: "submit" }, t("Set alert"))),
      h("label.option", {}, this.#again, h("span", {}, t("Every time the price crosses it"))));
    form.addEventListener("submit", (event) => this.#add(event));
    this.#sheet = h("div.sheet.bell-sheet", { id, popover: "auto", role: "dialog",
      "aria-label": t("Alerts of {symbol}", { symbol: market.symbol }) },
    h("h2", {}, t("Alerts of {symbol}", { symbol: market.symbol })), form, this.#said, this.#rows);
    this.#button = h("button.icon-button.bell", { type: "button", popovertarget: id },
      icon("bell"), this.#number);
    this.#sheet.addEventListener("toggle", () => this.#toggled());
    this.element = h("div.bell-place", {}, this.#button, this.#sheet);
    this.whenGone(page.alerts.hearRefusal((message) => setText(this.#said, message)));
  }

  render() {
    const { venue, symbol } = this.#market;
    const rows = this.page.alerts.of(venue, symbol);
    const waiting = rows.filter(({ armed, again }) => armed || again).length;
    setText(this.#number, waiting > 0 ? String(waiting) : "");
    const label = waiting > 0 ? t("Alerts of {symbol}, {count} set", { symbol, count: waiting })
      : t("Alerts of {symbol}", { symbol });
    setAttribute(this.#button, "aria-label", label);
    setAttribute(this.#button, "title", label);
    if (!this.#isOpen) return;
    this.#begin();
    this.#list.arrange(rows.map(({ id }) => id).reverse());
    for (const row of rows) this.#list.rows.get(row.id)?.update(row, this.link.now());
  }

  get #isOpen() {
    return this.#sheet.matches(":popover-open");
  }

  #toggled() {
    setAttribute(this.#button, "aria-expanded", String(this.#isOpen));
    setText(this.#said, "");
    if (!this.#isOpen) return;
    this.#hasBegun = false;
    this.#level.value = "";
    this.#place();
    this.#level.focus();
    this.refresh();
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

  /** Under the bell, and never out of the window; a narrow one has it at its foot. */
  #place() {
    const box = this.#button.getBoundingClientRect();
    const left = Math.min(box.left, innerWidth - this.#sheet.offsetWidth - 12);
    this.#sheet.style.setProperty("--left", `${Math.max(12, left)}px`);
    this.#sheet.style.setProperty("--top", `${box.bottom + 4}px`);
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

class BellRow {
  #text = h("span.bell-text");
  #arm = h("button.button.small", { type: "button" }, t("Set again"));
  #remove = h("button.icon-button", { type: "button" }, icon("close"));
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
