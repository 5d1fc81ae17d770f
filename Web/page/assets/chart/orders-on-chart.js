// Own orders, the prices typed into the ticket, and own fills on a market's chart.

import { fillsOf, linesOf, ordersIn, said, triggerWord } from "../orders/words.js";
import { t } from "../text/texts.js";

/** @typedef {import("./market-chart.js").MarketChart} MarketChart */

// The ids of lines that move a field of the ticket begin so; the field's name follows.
const DRAFT = "draft-";
/** Conditions whose trigger is a price. */
const PRICED = ["stop", "takeProfit", "oco", "bracket"];

export class OrdersOnChart {
  #page;
  #symbol;
  #orders;
  /** @type {OwnRows | null} */
  #listed = null;
  /** @type {ReturnType<typeof linesOf>} */
  #lines = [];
  /** @type {MarketChart | null} */
  #chart = null;
  /** What the chart was given last. */
  #drawn = this.#lines;
  #shown = "";
  /** @type {OwnRows | null} */
  #all = null;
  /** @type {Topic.Fill[][]} */
  #fills = [];

  /**
   * @param {Page} page
   * @param {string} symbol the orders' market
   * @param {import("../orders/own-orders.js").OwnOrders} orders
   */
  constructor(page, symbol, orders) {
    this.#page = page;
    this.#symbol = symbol;
    this.#orders = orders;
  }

  /** Own open orders with a price: the same object until one changes. */
  get lines() {
    const { openRows } = this.#orders;
    if (openRows !== this.#listed) {
      this.#listed = openRows;
      this.#lines = linesOf(ordersIn(openRows, this.#symbol));
    }
    return this.#lines;
  }

  /**
   * Without the market's ticket on the screen nothing is moved: its best prices decide whether an
   * order would trade at once.
   * @param {MarketChart} chart
   * @param {"open" | "closed" | "absent"} ticket
   */
  draw(chart, ticket) {
    const { trading, link } = this.#page;
    const isView = link.viewsOnly || ticket === "absent";
    const drafts = ticket === "open" && !isView ? this.#drafts() : [];
    const shown = JSON.stringify([drafts, isView]);
    const isNew = chart !== this.#chart;
    this.#chart = chart;
    if (isNew || this.lines !== this.#drawn || shown !== this.#shown) {
      [this.#drawn, this.#shown] = [this.lines, shown];
      chart.setOrders([...this.lines, ...drafts], isView ? {} : {
        amend: (id, price) => this.#move(id, price),
        crossing: (id, price) => said(trading.crossing(id, { price })?.text, trading.formatFor(id)),
        cancel: (id) => (id.startsWith(DRAFT) ? this.#type(id, "") : trading.cancel(id)),
      });
    }
    const { all } = this.#orders;
    if (!isNew && all === this.#all) return;
    this.#all = all;
    // The market moves orders to new objects, but their `fills` arrays stay the same.
    const traded = ordersIn(all, this.#symbol);
    const fills = Object.values(traded).map((order) => order.fills)
      .filter(({ length }) => length > 0);
    if (!isNew && fills.length === this.#fills.length
      && fills.every((fill, at) => fill === this.#fills[at])) return;
    this.#fills = fills;
    chart.setFills(fillsOf(traded));
  }

  // The ticket's prices as lines; one that can't be read has none.
  #drafts() {
    const { ticket } = this.#page.trading;
    const { phase, side, type, condition, ...fields } = ticket.view;
    if (phase === "sent") return [];
    const isBracket = condition === "bracket";
    const exit = !isBracket ? side : side === "buy" ? "sell" : "buy";
    const lines = /** @type {const} */ ([
      ["price", type === "limit", side, t("Draft")],
      ["trigger", PRICED.includes(condition), exit,
        triggerWord({ kind: condition === "takeProfit" ? "takeProfit" : "stop" })],
      ["profit", isBracket, exit, t("Take profit")],
    ]);
    const leaves = ticket.readNumber(fields.quantity.typed, false);
    return lines.flatMap(([name, isUsed, of, waits]) => {
      const { typed } = fields[name];
      const price = isUsed && typed ? ticket.readNumber(typed, true) : "";
      return price === "" ? [] : [{ id: `${DRAFT}${name}`, symbol: this.#symbol, side: of, price,
        leaves, waits, isFixed: phase !== "form", isDraft: true }];
    });
  }

  /** @param {string} id @param {string} text */
  #type(id, text) {
    this.#page.trading.ticket.act("typed", id.slice(DRAFT.length), text);
  }

  // An order's line stays at its new price until the response; a problem is shown over it.
  /** @param {string} id @param {string} price */
  async #move(id, price) {
    const { trading } = this.#page;
    if (id.startsWith(DRAFT)) return this.#type(id, trading.ticket.writeNumber(price));
    const problem = await trading.move(id, price);
    if (problem) this.#chart?.say(problem);
  }
}
