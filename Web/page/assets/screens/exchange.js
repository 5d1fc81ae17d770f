// @ts-check
// The exchange with one listed stock: price and best offers, chart, ticket, news of own orders and
// those that wait.

import { prepareChart } from "../chart/prepare.js";
import { deskTabs } from "../components/desk-tabs.js";
import { ExchangeQuote } from "../components/exchange-quote.js";
import { Headline } from "../components/headline.js";
import { MarketChart } from "../components/market-chart.js";
import { OpenOrders } from "../components/open-orders.js";
import { moneyOf } from "../components/order-words.js";
import { Pane, skeleton } from "../components/pane.js";
import { Receipts } from "../components/receipts.js";
import { Ticket } from "../components/ticket.js";
import { h, setAttribute, setText } from "../dom.js";
import { OwnOrders } from "../own-orders.js";
import { Screen } from "./screen.js";

/** @typedef {import("../own-orders.js").OwnRows} OwnRows */

export class ExchangeScreen extends Screen {
  #sub = h("p.card-sub");
  #quote = new ExchangeQuote((price) => this.ticket.take(price));
  /** @type {MarketChart | null} */
  #chart = null;
  #chartPlace = h("div.exchange-chart");
  /** @type {Headline | null} */
  #headline = null;
  #headlinePlace = h("div.exchange-figures");
  /** @type {OwnRows | null} */
  #ordersDrawn = null;
  /** @type {Topic.Fill[][]} */
  #fillsDrawn = [];
  #skeleton = skeleton(4, "card");

  /**
   * @param {import("./screen.js").Page} page
   * @param {import("../route.js").Route} _route
   * @param {string} title
   */
  constructor(page, _route, title) {
    super(page);
    this.pane = new Pane({ kind: "exchange", title });
    this.element = this.pane.element;
    this.pane.tail.append(deskTabs("exchange"));
    this.entry = this.open("exchange");
    this.orders = new OwnOrders(this.open("orders"), this.open("openOrders"));
    this.ticket = new Ticket(page, this.refresh);
    this.receipts = new Receipts(page.trading);
    this.openOrders = new OpenOrders(page.trading, this.refresh);
    this.card = h("div.desk", { hidden: true },
      h("div.desk-market", {},
        h("header.desk-quote", {}, h("div.desk-price", {}, this.#sub, this.#quote.price),
          this.#quote.offers),
        this.#headlinePlace, this.#chartPlace),
      h("div.desk-ticket", {}, this.ticket.element, this.receipts.element),
      this.openOrders.element);
    this.pane.body.append(this.#skeleton, this.card);
    prepareChart();
    for (const part of [this.#quote, this.ticket]) this.whenGone(() => part.dispose());
    this.whenGone(() => [this.#chart, this.#headline].forEach((part) => part?.dispose()));
  }

  /** One step back inside the ticket; false when there is none. */
  escape() {
    return this.ticket.escape();
  }

  render() {
    const market = this.entry.state;
    const freshness = this.believe(this.entry);
    const now = this.link.now();
    const orders = this.orders.all;
    const isKnown = this.link.trusted && this.orders.confirmed;
    this.pane.note.update(freshness, now);
    if (this.orders.confirmed) this.page.trading.learn(orders, this.orders.openRows);
    this.pane.say(this.whyNothing(this.entry, "The exchange"));
    if (!market) return;
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    const nothing = market.price === undefined ? ` · ${this.venueReason("exchange")}` : "";
    setText(this.#sub, `${market.symbol ?? ""}${nothing}`);
    this.page.trading.format = moneyOf(market);
    this.#quote.update(market, this.entry.generation, freshness, this.orders.openRows, isKnown);
    this.#draw(market, orders);
    this.ticket.render({ market, freshness, orders: this.orders, now });
    this.receipts.render({ orders, market, now, inTicket: this.ticket.orderShown });
    this.openOrders.render({ orders: this.orders, market, now, isKnown });
  }

  /**
   * Chart and figures live on by themselves; here they begin, and the chart gets the own fills
   * when they have changed.
   * @param {Topic.Exchange} market
   * @param {OwnRows} orders
   */
  #draw(market, orders) {
    if (!this.#chart && market.symbol) {
      this.#chart = new MarketChart(this.page, {
        venue: "exchange", symbol: market.symbol, formatPrice: moneyOf(market),
      });
      this.#chartPlace.append(this.#chart.element);
      // The price stands above, and how fresh the venue is in the pane's own line.
      this.#headline = new Headline(this.page, {
        venue: "exchange", symbol: market.symbol, formatPrice: moneyOf(market), hasPrice: false,
      });
      this.#headlinePlace.append(this.#headline.element);
    }
    if (!this.#chart || orders === this.#ordersDrawn) return;
    this.#ordersDrawn = orders;
    // What moves with the market makes orders new; their fills it leaves as they were.
    const fills = Object.values(orders).filter((order) => order.fills.length > 0)
      .map((order) => order.fills);
    if (fills.length === this.#fillsDrawn.length
      && fills.every((fill, at) => fill === this.#fillsDrawn[at])) return;
    this.#fillsDrawn = fills;
    this.#chart.setFills(fillsOf(orders));
  }
}

/**
 * Own fills as the chart marks them.
 * @param {OwnRows} orders
 */
const fillsOf = (orders) => Object.values(orders).flatMap(({ side, fills }) =>
  fills.map(([time, price, quantity]) => ({ time, price, quantity, side })));
