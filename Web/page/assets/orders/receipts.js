// The activity of own orders: bought, sold, open or cancelled, and why. Each receipt stays in place
// until the user dismisses it.

import { bothClocks, localMoment } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { removeToast, toast } from "../ui/toast.js";
import { formatOf, moneyOf, orderTitle, said } from "./words.js";

const MAXIMUM_SHOWN = 5;

export class Receipts {
  #rows = h("ul.receipt-rows");
  /** @type {KeyedList<string, Receipt>} */
  #list;

  /** @param {Trading} trading */
  constructor(trading) {
    this.trading = trading;
    this.#list = new KeyedList(this.#rows, (key) => new Receipt(key, () => trading.dismiss(key)));
    this.element = h("section.receipts", { "aria-label": t("Order activity"), hidden: true },
      h("h2.section-title", {}, t("Order activity")), this.#rows);
  }

  /**
   * `inTicket` is the id of the order whose outcome the ticket shows.
   * @param {{orders: OwnRows, market: Topic.Exchange | undefined, now: number, inTicket: string
   *   | undefined}} view
   */
  render({ orders, market, now, inTicket }) {
    const shown = this.trading.receipts.filter((receipt) => receipt.id !== inTicket)
      .slice(0, MAXIMUM_SHOWN);
    setAttribute(this.element, "hidden", shown.length === 0);
    this.#list.arrange(shown.map((receipt) => receipt.key));
    for (const receipt of shown) {
      const order = orders[receipt.id];
      this.#list.rows.get(receipt.key)?.update(receipt, order, formatOf(order, moneyOf(market)),
        now);
    }
  }
}

class Receipt {
  #title = h("span.receipt-title");
  #time = h("bdi.receipt-time");
  #text = h("p.receipt-text");

  /** @param {string} key @param {() => unknown} dismiss */
  constructor(key, dismiss) {
    const close = h("button.icon-button",
      { type: "button", "aria-label": t("Dismiss order {key}", { key }) }, "✕");
    close.addEventListener("click", dismiss);
    this.element = h("li.receipt", { "data-order": key },
      h("div.receipt-head", {}, this.#title, this.#time, close), this.#text);
  }

  /**
   * `order` is undefined if it is too old for the newest orders.
   * @param {import("./trading.js").News} receipt
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

// Shows order activity as toasts while neither ticket outcome nor receipts are visible.
/** @param {import("../orders/trading.js").Trading} trading */
export function toastOrders(trading) {
  let last = "";
  /** @type {HTMLElement | null} */
  let shown = null;
  trading.observe(() => {
    const [news] = trading.receipts;
    const text = news ? said(news.texts.at(-1)?.text, trading.formatFor(news.id), news.at)
      : "";
    const key = news ? `${news.key} ${text}` : "";
    const isNew = key !== last && key !== "";
    last = key;
    const isSeen = [...document.querySelectorAll(".receipts, .ticket-outcome")]
      .some((element) => element instanceof HTMLElement && element.offsetParent !== null);
    if (!isNew || isSeen) return;
    // Only the latest order toast: partial fills would pile up.
    removeToast(shown);
    shown = toast(text, news?.isWarning);
  });
}
