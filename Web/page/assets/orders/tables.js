// The newest orders with their receipts; the history lists all others.

import { pathOf } from "../base/route.js";
import { bothClocks, localMoment, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { OrderRow } from "./row.js";
import { feeText, formatOf, marketName, said, sideWord } from "./words.js";

// Own fills, newest first: side, quantity, price and order.
const MAXIMUM_FILLS = 200;
const HEADS = [t("Market"), t("Time"), t("Side"), t("Quantity"), t("Price"), t("Order")];

export class DockFills {
  #rows = h("div.table-rows", { role: "rowgroup" });
  /** @type {KeyedList<string, FillRow>} */
  #list = new KeyedList(this.#rows, () => new FillRow());
  #none = h("p.empty.small");
  #file = h("a.text-link", { href: "/fills.csv", download: "fills.csv", hidden: true },
    t("All fills as CSV"));
  #table;
  /** @type {unknown[]} */
  #drawn = [];

  constructor() {
    const heads = HEADS.map((head) => h("span", { role: "columnheader" }, head));
    this.#table = h("div.table.fill-table", { role: "table", "aria-label": t("Fills") },
      h("div.table-heads", { role: "row" }, ...heads), this.#rows);
    this.element = h("div.dock-fills", {}, this.#table, this.#none, this.#file);
  }

  /** @param {DockView} view */
  render({ orders, format, now, isKnown }) {
    const { all } = orders;
    setAttribute(this.#file, "hidden", !orders.state?.fillCount);
    setAttribute(this.#table, "hidden", this.#list.rows.size === 0);
    setText(this.#none, !orders.state ? t("Loading orders…") : orders.market === undefined
      ? t("No fills yet.") : t("No fills in {market}.", { market: marketName(orders.market) }));
    setAttribute(this.#rows, "data-dimmed", !isKnown);
    // The currency may arrive after the orders, and the day may end without a new one.
    const drawn = [all, format, new Date(now).toDateString()];
    if (drawn.every((value, at) => value === this.#drawn[at])) return;
    this.#drawn = drawn;
    const fills = fillsOf(all).slice(0, MAXIMUM_FILLS);
    this.#list.arrange(fills.map(({ key }) => key));
    for (const fill of fills) {
      const order = all[fill.id];
      this.#list.rows.get(fill.key)?.update(fill, order, formatOf(order, format), now);
    }
    setAttribute(this.#table, "hidden", fills.length === 0);
    setAttribute(this.#none, "hidden", fills.length > 0);
  }
}

/**
 * @typedef {object} OwnFill
 * @property {string} key
 * @property {string} id
 * @property {string} symbol
 * @property {Wire.Side} side
 * @property {Topic.Fill} fill
 */

// All fills of the orders, newest first.
/** @param {OwnRows} orders @returns {OwnFill[]} */
const fillsOf = (orders) => Object.entries(orders).flatMap(([id, { symbol, side, fills }]) =>
  fills.map((fill, at) => ({ key: `${id}.${at}`, id, symbol, side, fill })))
  .sort((a, b) => b.fill[0] - a.fill[0] || Number(b.id) - Number(a.id));

class FillRow {
  #cells = HEADS.map(() => h("span", { role: "cell" }));
  element = h("div.table-row", { role: "row" }, ...this.#cells);

  /**
   * @param {OwnFill} own
   * @param {Topic.Order | undefined} order
   * @param {Format} format
   * @param {number} now
   */
  update({ id, symbol, side, fill }, order, format, now) {
    const [time, price, quantity, , , evidence] = fill;
    setAttribute(this.element, "data-side", side);
    const texts = [marketName(symbol), localMoment(time, now),
      `${side === "buy" ? "▲" : "▼"} ${sideWord(side)}`, number(quantity), format(price), `#${id}`];
    texts.forEach((text, at) => setText(this.#cells[at], text));
    setAttribute(this.#cells[1], "title", bothClocks(time));
    const proof = [said(evidence, format), feeText(order, fill)];
    setAttribute(this.element, "title", proof.filter(Boolean).join(" · "));
  }
}

const MAXIMUM_ORDERS = 50;

export class DockHistory {
  #rows = h("ul.order-rows");
  /** @type {KeyedList<string, OrderRow>} */
  #list;
  #none = h("p.empty.small");
  #all = h("a.text-link", { href: pathOf({ screen: "orders" }), "data-go": "" }, t("All orders"));

  /** @param {Trading} trading */
  constructor(trading) {
    this.#list = new KeyedList(this.#rows, (id) => new OrderRow(id, trading));
    this.element = h("div.dock-history", {}, this.#rows, this.#none, this.#all);
  }

  /** @param {DockView} view */
  render({ orders, format, now, isKnown }) {
    const ids = orders.latest.slice(0, MAXIMUM_ORDERS);
    this.#list.arrange(ids);
    const view = { format, now, day: new Date(now).toDateString(), isKnown };
    for (const id of ids) {
      const order = orders.all[id];
      if (order) this.#list.rows.get(id)?.update(order, view);
    }
    setText(this.#none, !orders.state ? t("Loading orders…") : orders.market === undefined
      ? t("No orders yet.") : t("No orders in {market}.", { market: marketName(orders.market) }));
    setAttribute(this.#none, "hidden", ids.length > 0);
    setAttribute(this.#rows, "data-dimmed", !isKnown);
  }
}
