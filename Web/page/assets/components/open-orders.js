// The own orders that wait, oldest news last, each with its Cancel.

import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { pathOf } from "../router.js";
import { duration } from "../words.js";
import { filledText, isOpen, moneyOf, orderSentence, orderTitle, statusKind } from "./order-words.js";

export class OpenOrders {
  #rows = h("ul.open-rows");
  #count = h("span.count");
  #none = h("p.empty.small");
  #heading = h("h2.section-title", { tabindex: "-1" }, "Open orders", this.#count);
  #list;

  constructor(trading) {
    this.#list = new KeyedList(this.#rows, (id) => new OpenOrder(id, trading));
    this.element = h("section.open-orders", { "aria-label": "Open orders" },
      h("div.section-head", {}, this.#heading,
        h("a.text-link", { href: pathOf({ screen: "orders" }), "data-go": "" }, "Order history")),
      this.#rows, this.#none);
  }

  /** `entry` is that of the topic "orders"; `isKnown` whether the server stands behind it. */
  render({ entry, market, now, isKnown }) {
    const { order = [], orders = {}, openCount } = entry.state ?? {};
    const open = order.filter((id) => orders[id] && isOpen(orders[id]));
    const hadFocus = this.#rows.contains(document.activeElement);
    this.#list.arrange(open);
    // A row that goes must not take the keyboard's place with it.
    if (hadFocus && !this.#rows.contains(document.activeElement)) (this.#rows.querySelector("button") ?? this.#heading).focus();
    for (const id of open) this.#list.rows.get(id).update(orders[id], moneyOf(market), now, isKnown);
    setText(this.#count, openCount > 0 ? ` ${openCount}` : "");
    setText(this.#none, entry.state ? "No order waits." : "Waiting for your orders.");
    setAttribute(this.#none, "hidden", open.length > 0);
    setAttribute(this.#rows, "data-dimmed", !isKnown);
  }
}

class OpenOrder {
  #title = h("span.open-title");
  #facts = h("span.open-facts");
  #bar = h("span.fill-bar");
  #cancel = h("button.button.small", { type: "button" }, "Cancel");

  constructor(id, trading) {
    this.id = id;
    this.trading = trading;
    this.#cancel.addEventListener("click", () => trading.cancel(id));
    this.element = h("li.open-order", { "data-order": id }, h("span.open-main", {}, this.#title, this.#facts,
      h("span.fill-track", { "aria-hidden": "true" }, this.#bar)), this.#cancel);
  }

  update(order, format, now, isKnown) {
    const age = `${duration(now - order.placedAt)} ago`;
    const isCancelling = this.trading.isCancelling(this.id);
    setAttribute(this.element, "data-side", order.side);
    setAttribute(this.element, "data-status", statusKind(order.status));
    setText(this.#title, orderTitle(order, format));
    setText(this.#facts, `${filledText(order)} filled · ${age}`);
    setAttribute(this.#title, "title", orderSentence(this.id, order, format, age));
    this.#bar.style.transform = `scaleX(${Math.min(1, Number(order.filled) / Number(order.quantity)) || 0})`;
    setText(this.#cancel, isCancelling ? "Cancelling…" : "Cancel");
    setAttribute(this.#cancel, "disabled", !isKnown);
    setAttribute(this.#cancel, "aria-disabled", isCancelling ? "true" : null);
    setAttribute(this.#cancel, "aria-label", isCancelling ? null : `Cancel order ${this.id}, ${orderTitle(order, format)}`);
  }
}
