// The newest orders with their receipts; all others are a step away, in the history.

import { pathOf } from "../base/route.js";
import { t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { OrderRow } from "./row.js";

const MAXIMUM_ROWS = 50;

export class DockHistory {
  #rows = h("ul.order-rows");
  /** @type {KeyedList<string, OrderRow>} */
  #list;
  #none = h("p.empty.small");
  #all = h("a.text-link", { href: pathOf({ screen: "orders" }), "data-go": "" }, t("All orders"));

  /** @param {import("./trading.js").Trading} trading */
  constructor(trading) {
    this.#list = new KeyedList(this.#rows, (id) => new OrderRow(id, trading));
    this.element = h("div.dock-history", {}, this.#rows, this.#none, this.#all);
  }

  /** @param {DockView} view */
  render({ orders, format, now, isKnown }) {
    const ids = orders.latest.slice(0, MAXIMUM_ROWS);
    this.#list.arrange(ids);
    const view = { format, now, day: new Date(now).toDateString(), isKnown };
    for (const id of ids) {
      const order = orders.all[id];
      if (order) this.#list.rows.get(id)?.update(order, view);
    }
    setText(this.#none, orders.state ? t("No orders yet.") : t("Loading orders…"));
    setAttribute(this.#none, "hidden", ids.length > 0);
    setAttribute(this.#rows, "data-dimmed", !isKnown);
  }
}
