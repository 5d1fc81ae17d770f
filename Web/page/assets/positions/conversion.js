// All positions in a currency of choice: the server's figures, and the markets that convert them.

import { recall, remember } from "../base/storage.js";
import { marketName } from "../orders/words.js";
import { money, NOTHING, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { freshnessText } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Screen } from "../ui/screen.js";
import { write, writeChange } from "./amounts.js";

const STORED_KEY = "totalCurrency";
/** Offered besides the positions' own currencies. */
const USUAL = ["BTC", "EUR", "USD"];
/** @typedef {import("./table.js").Method} Method */
/** @typedef {{method: Method, isOld: boolean}} View */
/** @type {{[standing in Topic.ConvertedCurrency["standing"]]: string}} */
const REASONS = {
  converted: "", searching: t("searching for a market"), noRoute: t("no market converts it"),
  noPrice: t("no conversion price yet"), noValue: t("a position has no price"),
  tooLarge: t("too large"),
};
const ROUNDING = t("Converted at mid prices, each currency’s amounts rounded to 8 decimals.");

export class Conversion extends Screen {
  #select = h("select.field.small", { "aria-label": t("Total in") });
  #amounts = ["equity", "unrealised", "realised", "fees"].map((kind) =>
    h("dd", { "data-kind": kind }));
  #figures = h("dl.conversion-figures", {},
    ...[t("Equity"), t("Unrealised"), t("Realised"), t("Fees")].map((label, at) =>
      h("div", {}, h("dt", {}, label), this.#amounts[at])));
  #range = h("p.position-range");
  #routes = h("ul.conversion-routes", { title: ROUNDING });
  #missing = h("p.positions-note", { role: "status", "data-warning": true });
  #whole = h("div", { hidden: true }, this.#figures, this.#range, this.#missing, this.#routes);
  #choices = "";
  /** @type {Handle<Topic.Conversion> | undefined} */
  #handle;
  #topic = "";
  /** @type {View | undefined} */
  #view;

  /** @param {Page} page */
  constructor(page) {
    super(page);
    this.element = h("section.conversion", { "aria-label": t("Total in") },
      h("label.positions-tools", {}, h("span", {}, t("Total in")), this.#select), this.#whole);
    this.#select.addEventListener("change", () => {
      remember(STORED_KEY, this.#select.value);
      this.render();
    });
    this.whenGone(() => this.#handle?.close());
  }

  // Positions in one of `currencies` each, null to hide them; `isOld` if a price that values them
  // is not current.
  /** @param {string[] | null} currencies @param {Method} method @param {boolean} isOld */
  show(currencies, method, isOld) {
    setAttribute(this.element, "hidden", currencies === null);
    this.#view = { method, isOld };
    if (!currencies) return;
    const choices = ["", ...new Set([...USUAL, ...currencies].sort())];
    if (choices.join() !== this.#choices) {
      this.#choices = choices.join();
      this.#select.replaceChildren(...choices.map((value) =>
        h("option", { value }, value || t("Each currency"))));
      this.#select.value = recall(STORED_KEY, choices);
    }
    this.render();
  }

  render() {
    const currency = this.element.offsetParent === null ? "" : this.#select.value;
    this.#follow(currency);
    setAttribute(this.#whole, "hidden", currency === "");
    if (this.#handle && this.#view) this.#draw(this.#handle.entry, currency, this.#view);
  }

  // The topic is open while it is visible.
  /** @param {string} currency "" for none */
  #follow(currency) {
    if (this.#topic === currency) return;
    this.#topic = currency;
    this.#handle?.close();
    this.#handle = currency === "" ? undefined
      : this.link.topics.open(`conversion/${currency}`, this.refresh);
  }

  /**
   * @param {Entry<Topic.Conversion>} entry
   * @param {string} currency
   * @param {View} view
   */
  #draw(entry, currency, { method, isOld }) {
    const { total, decimals = 2 } = entry.state ?? {};
    const currencies = entry.state?.currencies ?? [];
    const legs = currencies.filter(({ standing }) => standing === "converted")
      .flatMap((one) => one.legs);
    const isDimmed = isOld || legs.some((leg) => this.believe(entry, leg.freshness).dimmed);
    const form = { currency, decimals };
    const [equity, unrealised, realised, fees] = this.#amounts;
    write(equity, total?.equity, form);
    writeChange(unrealised, total?.[method].unrealised, form, isDimmed);
    writeChange(realised, total?.[method].realised, form, isDimmed);
    write(fees, total?.fees, form);
    setAttribute(this.#figures, "data-dimmed", isDimmed);
    setText(this.#range, total?.lowEquity === undefined ? "" : t("{low} to {high} possible",
      { low: money(total.lowEquity, currency, decimals),
        high: money(total.highEquity, currency, decimals) }));
    const left = currencies.filter(({ standing }) => standing !== "converted");
    setText(this.#missing, left.length === 0 ? "" : t("Not in the total: {currencies}.",
      { currencies: left.map((one) => `${one.currency} (${REASONS[one.standing]})`)
        .join(", ") }));
    this.#drawRoutes(entry, currencies);
  }

  /** @param {Entry<Topic.Conversion>} entry @param {Topic.ConvertedCurrency[]} currencies */
  #drawRoutes(entry, currencies) {
    const now = this.link.now();
    const lines = currencies.filter(({ legs }) => legs.length > 0).map(({ legs }) =>
      legs.map(({ from, to, symbol = "", price, freshness }) => {
        const seen = this.believe(entry, freshness);
        return { state: seen.state, text: `${t("{from} → {to} by {market} at {price}", { from, to,
          market: marketName(symbol), price: price ? number(price) : NOTHING })}, `
          + freshnessText(seen, now) };
      }));
    while (this.#routes.children.length > lines.length) this.#routes.lastElementChild?.remove();
    while (this.#routes.children.length < lines.length) this.#routes.append(h("li"));
    lines.forEach((steps, at) => {
      const row = /** @type {HTMLElement} */ (this.#routes.children[at]);
      setText(row, `${steps.map(({ text }) => text).join("; ")}.`);
      setAttribute(row, "data-late", steps.some(({ state }) => state !== "live"));
    });
  }
}
