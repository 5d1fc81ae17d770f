// @ts-check
// The activity of own orders, kept in place until the user dismisses it: what was bought or sold,
// what is open or was cancelled, and why.

import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { bothClocks, localMoment } from "../format.js";
import { t } from "../texts.js";
import { moneyOf, orderTitle, said } from "./order-words.js";

/** @typedef {import("../own-orders.js").OwnRows} OwnRows */

const MAXIMUM_SHOWN = 5;

export class Receipts {
  #rows = h("ul.receipt-rows");
  /** @type {KeyedList<string, Receipt>} */
  #list;

  /** @param {import("../trading.js").Trading} trading */
  constructor(trading) {
    this.trading = trading;
    this.#list = new KeyedList(this.#rows, (key) => new Receipt(key, () => trading.dismiss(key)));
    this.element = h("section.receipts", { "aria-label": t("Order activity"), hidden: true },
      h("h2.section-title", {}, t("Order activity")), this.#rows);
  }

  /**
   * `inTicket` is the number of the order that the ticket itself tells of.
   * @param {{orders: OwnRows, market: Topic.Exchange | undefined, now: number, inTicket: string
   *   | undefined}} view
   */
  render({ orders, market, now, inTicket }) {
    const shown = this.trading.receipts.filter((receipt) => receipt.id !== inTicket)
      .slice(0, MAXIMUM_SHOWN);
    setAttribute(this.element, "hidden", shown.length === 0);
    this.#list.arrange(shown.map((receipt) => receipt.key));
    for (const receipt of shown) {
      this.#list.rows.get(receipt.key)?.update(receipt, orders[receipt.id], moneyOf(market), now);
    }
  }
}

class Receipt {
  #title = h("span.receipt-title");
  #time = h("bdi.receipt-time");
  #text = h("p.receipt-text");

  /**
   * @param {string} key
   * @param {() => unknown} dismiss
   */
  constructor(key, dismiss) {
    const close = h("button.icon-button",
      { type: "button", "aria-label": t("Dismiss order {key}", { key }) }, "✕");
    close.addEventListener("click", dismiss);
    this.element = h("li.receipt", { "data-order": key },
      h("div.receipt-head", {}, this.#title, this.#time, close), this.#text);
  }

  /**
   * `order` is undefined when it is too old for the list of the newest.
   * @param {import("../trading.js").News} receipt
   * @param {Topic.Order | undefined} order
   * @param {Format} format
   * @param {number} now
   */
  update(receipt, order, format, now) {
    setAttribute(this.element, "data-warning", receipt.isWarning);
    setText(this.#title, order ? orderTitle(order, format) : t("Order {id}", { id: receipt.id }));
    setText(this.#time, localMoment(receipt.at, now));
    setAttribute(this.#time, "title", bothClocks(receipt.at));
    setText(this.#text,
      receipt.texts.map(({ text, at }) => said(text, format, at, now)).join("\n"));
  }
}
