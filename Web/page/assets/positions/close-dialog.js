// Confirms closing a position at once: the levels that a market order would take, and what that
// brings. The figures follow the market while the dialog is open.

import { sum } from "../base/decimal.js";
import { marketName, moneyOf } from "../orders/words.js";
import { money, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { PressGuard } from "../ui/press-guard.js";
import { toast } from "../ui/toast.js";
import { writeChange } from "./amounts.js";

export class CloseDialog {
  #trading;
  #title = h("h2.crossing-title", { id: "close-title" });
  #levels = h("ol.close-levels", { tabindex: "0", "aria-label": t("Levels taken") });
  /** @type {KeyedList<string, {element: HTMLElement}>} */
  #list = new KeyedList(this.#levels, (text) => ({ element: h("li", {}, text) }));
  #average = h("dd");
  #fee = h("dd");
  #profit = h("dd");
  #note = h("p.crossing-rest", { role: "status" });
  #yes = h("button.button.crossing-yes", { type: "button", "data-main": "" });
  #no = h("button.button", { type: "button" }, t("Don’t close"));
  #element = h("dialog.crossing", { role: "alertdialog", "aria-labelledby": "close-title" },
    this.#title, this.#levels,
    h("dl.close-figures", {}, h("dt", {}, t("Average")), this.#average,
      h("dt", {}, t("Fee")), this.#fee, h("dt", {}, t("P&L after the fee")), this.#profit),
    this.#note, h("div.crossing-acts", {}, this.#no, this.#yes));
  #guard = new PressGuard(this.#element);
  /** The position's market; "" while the dialog is closed. */
  #symbol = "";
  /** @type {Topic.Positions | undefined} */
  #position;

  /** @param {Trading} trading */
  constructor(trading) {
    this.#trading = trading;
    this.#yes.addEventListener("click", () => this.#close());
    this.#no.addEventListener("click", () => this.#element.close());
    this.#element.addEventListener("close", () => (this.#symbol = ""));
    document.body.append(this.#element);
  }

  /** @param {Topic.Positions} position */
  open(position) {
    this.#symbol = position.symbol;
    this.#draw(position, "average", false);
    this.#guard.changed();
    if (!this.#element.open) this.#element.showModal();
    // Enter must not trade before the figures are read.
    this.#no.focus();
  }

  /**
   * Shows the latest figures of the position in question.
   * @param {Topic.Positions[]} positions
   * @param {"average" | "fifo"} method
   * @param {boolean} isOld
   */
  render(positions, method, isOld) {
    if (this.#symbol === "") return;
    const position = positions.find(({ symbol }) => symbol === this.#symbol);
    if (position) this.#draw(position, method, isOld);
  }

  dispose() {
    this.#element.remove();
  }

  /**
   * @param {Topic.Positions} position
   * @param {"average" | "fifo"} method
   * @param {boolean} isOld
   */
  #draw(position, method, isOld) {
    this.#position = position;
    const { quantity = "0", exit, out } = position;
    const format = moneyOf(position);
    const isLong = !quantity.startsWith("-");
    const size = number(quantity.replace("-", ""));
    setText(this.#title, t("Close {0} {1}?",
      { 0: number(quantity), 1: marketName(position.symbol) }));
    this.#list.arrange((exit?.levels ?? []).map(([price, taken]) =>
      `${format(price)} × ${number(taken)}`));
    setText(this.#average, out ? format(out[0]) : "–");
    setText(this.#fee, exit?.fee ? money(exit.fee, position.currency, position.decimals) : "–");
    const { unrealised } = position[method];
    writeChange(this.#profit, unrealised
      && sum([unrealised, `-${exit?.fee ?? "0"}`.replace("--", "")]), position, isOld);
    setText(this.#note, isOld ? t("Prices are not live: the order will not be placed.") : "");
    setText(this.#yes, isLong ? t("Sell {0} at market", { 0: size })
      : t("Buy {0} at market", { 0: size }));
    setAttribute(this.#element, "data-side", isLong ? "sell" : "buy");
    setAttribute(this.#yes, "disabled", isOld || !exit || quantity === "0");
  }

  async #close() {
    const { symbol, quantity = "0" } = this.#position ?? {};
    this.#element.close();
    if (!symbol) return;
    const problem = await this.#trading.place({
      ...symbol.includes(":") ? { instrument: symbol } : {}, type: "market",
      side: quantity.startsWith("-") ? "buy" : "sell", quantity: quantity.replace("-", ""),
      reduceOnly: true,
    });
    if (problem) toast(problem, true);
  }
}
