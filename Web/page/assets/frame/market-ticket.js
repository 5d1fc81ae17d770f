// Paper orders in the venue's market: Sell and Buy with the best prices, the ticket that they open,
// and own orders and fills on the market's chart.

import { sum } from "../base/decimal.js";
import { OrdersOnChart } from "../chart/orders-on-chart.js";
import { OwnOrders } from "../orders/own-orders.js";
import { moneyOf, said } from "../orders/words.js";
import { OwnedFacts } from "../positions/facts.js";
import { t } from "../text/texts.js";
import { TicketSheet } from "../ticket/sheet.js";
import { Ticket } from "../ticket/ticket.js";
import { h, setAttribute } from "../ui/dom.js";
import { spokenQuote } from "./headline.js";

/** @typedef {import("../chart/market-chart.js").MarketChart} MarketChart */

export class MarketTicket {
  #screen;
  #page;
  #ticket;
  #sheet;
  #orders;
  #entry;
  #positions;
  #symbol;
  #owned = new OwnedFacts();
  #note = h("p.ticket-paper", {}, t("Paper order. Nothing is sent to the venue."));
  #onChart;

  /**
   * @param {import("../ui/screen.js").Screen} screen the screen that opens its topics
   * @param {string} venue
   * @param {string} symbol
   */
  constructor(screen, venue, symbol) {
    this.#screen = screen;
    this.#page = screen.page;
    this.#symbol = `${venue}:${symbol}`;
    this.#entry = screen.open(/** @type {const} */ (`ticket/${venue}/${symbol}`));
    this.#positions = screen.open("positions");
    this.#orders = new OwnOrders(screen.open("orders"), screen.open("openOrders"));
    this.#onChart = new OrdersOnChart(screen.page, this.#symbol, this.#orders);
    this.#ticket = new Ticket(screen.page, screen.refresh, true);
    this.#sheet = new TicketSheet(screen.page.trading.ticket, this.#ticket.element);
    this.#sheet.adopt();
    this.#sheet.opening = () => {
      this.#ticket.begin();
      screen.render();
    };
    this.#sheet.openedByKey = () => this.#ticket.focus();
    this.sheet = this.#sheet.element;
    this.bar = this.#sheet.bar;
    this.facts = this.#owned.element;
    this.sheet.append(this.#note, this.#ticket.below);
    screen.whenGone(() => this.#ticket.dispose());
  }

  /** The id of the order whose outcome the ticket shows. */
  get orderShown() {
    return this.#ticket.orderShown;
  }

  /** Own open orders with a price: the same object until one changes. */
  get lines() {
    return this.#onChart.lines;
  }

  /** Own open quantities by limit price. */
  get own() {
    /** @type {Map<string, string>} */
    const own = new Map();
    for (const { price, leaves, waits } of this.lines) {
      if (waits === undefined) own.set(price, sum([own.get(price) ?? "0", leaves]));
    }
    return own;
  }

  /** Why no order can be placed here; undefined if one can. */
  get obstacle() {
    const { obstacle } = this.#entry.state ?? {};
    return obstacle && said(obstacle, (digits) => digits ?? "");
  }

  /** The best prices and the steps; undefined without paper orders in this market. */
  get market() {
    return this.bar.hidden ? undefined : this.#entry.state;
  }

  get viewsOnly() {
    return this.#page.link.viewsOnly;
  }

  /** Whether the ticket is open. */
  get isOpen() {
    return this.#sheet.isOpen;
  }

  // Opens the ticket for a limit order at a price of the book.
  /** @param {Wire.Side} side @param {string} price */
  take(side, price) {
    if (this.bar.hidden) return;
    if (!this.isOpen) this.#sheet.open(side, this.bar);
    this.#page.trading.ticket.act("takeOffer", price, side);
  }

  /** @param {string} text */
  async readNumber(text) {
    const { ticket } = this.#page.trading;
    await ticket.ready();
    return ticket.readNumber(text, false);
  }

  // Places a limit order that is good till cancelled without the ticket, which reviews an unusual
  // size.
  /** @param {Wire.Side} side @param {string} price @param {string} quantity */
  place(side, price, quantity) {
    const { trading } = this.#page;
    return trading.placeUsual({ instrument: this.#symbol, type: "limit", side, quantity, price,
      timeInForce: "gtc" }, () => {
      if (!this.isOpen) this.#sheet.open(side, this.bar);
      this.#ticket.review(side, price, quantity);
    });
  }

  /** @param {string} id @param {string} price */
  amend(id, price) {
    return this.#page.trading.move(id, price);
  }

  /** @param {string} id */
  cancel(id) {
    this.#page.trading.cancel(id);
  }

  /** The best prices and their freshness, to be spoken. */
  spoken() {
    const { state } = this.#entry;
    return state ? spokenQuote(state, this.#screen.believe(this.#entry),
      this.#page.link.now(), moneyOf(state)) : [];
  }

  /** Goes back one step; false if there is no step to undo. */
  escape() {
    return this.#ticket.escape() || this.#sheet.close();
  }

  /** @param {MarketChart | null} chart */
  render(chart) {
    const market = this.#entry.state;
    const freshness = this.#screen.believe(this.#entry);
    const { trading, link } = this.#page;
    const { obstacle } = market ?? {};
    setAttribute(this.bar, "hidden", obstacle !== undefined);
    if (obstacle !== undefined || !market?.priceStep) return;
    if (this.#orders.confirmed) trading.learn(this.#orders.all, this.#orders.openRows);
    trading.ticketMarket = market;
    const format = moneyOf(market);
    this.#sheet.render(market, freshness, format);
    this.#owned.render(this.#positions.state?.rows?.[this.#symbol], freshness, format);
    this.#ticket.render({
      market, freshness, orders: this.#orders, isKnown: link.trusted && this.#orders.known,
      now: link.now(),
    });
    if (chart) this.#onChart.draw(chart, this.isOpen ? "open" : "closed");
  }
}
