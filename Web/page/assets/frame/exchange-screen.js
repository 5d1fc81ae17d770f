// The exchange with one listed stock: headline, chart over the tables, best bid and ask, ticket.
// Without room for the ticket, it opens as a sheet.

import { AlertBell } from "../alerts/bell.js";
import { pathOf } from "../base/route.js";
import { prepareChart } from "../chart/chart.js";
import { ChartAlerts, MarketChart } from "../chart/market-chart.js";
import { OrdersOnChart } from "../chart/orders-on-chart.js";
import { StarButton } from "../markets/star-button.js";
import { OwnOrders } from "../orders/own-orders.js";
import { Receipts } from "../orders/receipts.js";
import { moneyOf } from "../orders/words.js";
import { OwnedFacts } from "../positions/facts.js";
import { t } from "../text/texts.js";
import { sentences } from "../text/words.js";
import { TicketSheet } from "../ticket/sheet.js";
import { Ticket } from "../ticket/ticket.js";
import { h, icon, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { Dock } from "./dock.js";
import { Splitter } from "./frame.js";
import { Headline, spokenQuote } from "./headline.js";

export class ExchangeScreen extends Screen {
  #name = h("span.market-symbol");
  #back = h("a.back.to-markets",
    { href: pathOf({ screen: "markets" }), "data-go": "", "aria-label": t("Back to the markets") },
    icon("back"));
  #sub = h("span.market-name");
  #price = new Price("p.price.big");
  /** @type {MarketChart | null} */
  #chart = null;
  #chartPlace = h("div.exchange-chart");
  /** @type {Headline | null} */
  #headline = null;
  #figures = h("div.market-head");
  #owned = new OwnedFacts();
  /** @type {OrdersOnChart | null} */
  #onChart = null;
  #skeleton = skeleton(4, "card");

  /** @param {Page} page @param {Route} _route @param {string} title */
  constructor(page, _route, title) {
    super(page);
    this.pane = new Pane({ kind: "exchange", title });
    this.element = this.pane.element;
    this.entry = this.open("exchange");
    this.positions = this.open("positions");
    this.orders = new OwnOrders(this.open("orders"), this.open("openOrders"));
    this.ticket = new Ticket(page, this.refresh);
    this.receipts = new Receipts(page.trading);
    this.dock = new Dock(page, () => this.entry.state?.symbol,
      () => this.ticket.orderShown);
    this.sheet = new TicketSheet(page.trading.ticket, this.ticket.element);
    this.sheet.openedByKey = () => this.ticket.focus();
    this.star = new StarButton(page.link);
    const settings = h("button.icon-button",
      { type: "button", popovertarget: "display-menu", "aria-label": t("Settings of the ticket"),
        title: t("Settings of the ticket") }, icon("more"));
    this.side = h("div.exchange-side", {},
      h("div.side-head", {}, h("h2", {}, t("Ticket")), settings));
    this.pane.bar.append(
      h("div.market-identity", {},
        h("div.pane-lead", {}, this.#back, this.star.element, this.#name), this.#sub,
        this.pane.note.element),
      h("div.exchange-last", {}, this.#price.element), this.#figures);
    const split = new Splitter(page.frame, "dock");
    this.card = h("div.exchange-frame", { hidden: true }, this.#chartPlace, split.element,
      this.dock.element, this.side);
    this.pane.body.append(this.#skeleton, this.card);
    this.element.append(this.sheet.element, this.sheet.bar);
    this.#place();
    prepareChart();
    for (const part of [this.#price, this.ticket, this.dock, this.star, split]) {
      this.whenGone(() => part.dispose());
    }
    this.whenGone(() => [this.#chart, this.#headline].forEach((part) => part?.dispose()));
    this.whenGone(() => page.title.quote(""));
  }

  /** The market's prices and state in sentences. */
  summary() {
    const { state } = this.entry;
    if (!state) return "";
    const format = moneyOf(state);
    return sentences([state.symbol, state.price && `${t("Last")} ${format(state.price)}`,
      ...this.#headline?.spoken() ?? [],
      ...spokenQuote(state, this.believe(this.entry), this.link.now(), format)]);
  }

  /** Goes back one step, or closes the ticket; false if there is no step to undo. */
  escape() {
    return this.ticket.escape() || this.sheet.close();
  }

  render() {
    const market = this.entry.state;
    const freshness = this.believe(this.entry);
    const now = this.link.now();
    const orders = this.orders.all;
    const isKnown = this.link.trusted && this.orders.known;
    this.pane.note.update(freshness, now);
    if (this.orders.confirmed) this.page.trading.learn(orders, this.orders.openRows);
    this.pane.say(this.whyNothing(this.entry, t("The exchange")));
    if (!market) return;
    const format = moneyOf(market);
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    this.#place();
    setText(this.#name, market.symbol ?? "");
    this.star.show(market.symbol ? `exchange/${market.symbol}` : "");
    setText(this.#sub, market.price === undefined ? this.venueReason("exchange")
      : this.page.isWide() ? t("Exchange") : "");
    this.page.trading.market = this.page.trading.ticketMarket = market;
    this.page.title.quote(freshness.dimmed ? "" : `${format(market.price)} ${market.symbol}`);
    this.#price.update({
      text: format(market.price), direction: market.direction, changes: market.changes,
      generation: this.entry.generation, ...freshness,
    });
    this.sheet.render(market, freshness, format);
    this.#owned.render(this.positions.state, freshness, format);
    this.#draw(market);
    this.ticket.render({ market, freshness, orders: this.orders, isKnown, now });
    this.receipts.render({ orders, market, now, inTicket: this.ticket.orderShown });
  }

  /** Puts the ticket beside the chart if there is room, otherwise in the sheet. */
  #place() {
    const isWide = this.page.isWide();
    setAttribute(this.element, "data-columns", isWide);
    if (!isWide) this.sheet.adopt();
    else if (this.ticket.element.parentElement !== this.side) {
      this.sheet.close();
      this.side.append(this.ticket.element, this.ticket.below, this.receipts.element);
    }
  }

  // Creates chart and headline, which then update themselves.
  /** @param {Topic.Exchange} market */
  #draw(market) {
    if (!this.#chart && market.symbol) {
      this.#chart = new MarketChart(this.page, {
        venue: "exchange", symbol: market.symbol, formatPrice: moneyOf(market),
      });
      this.#onChart = new OrdersOnChart(this.page, market.symbol, this.orders);
      this.#chartPlace.append(this.#chart.element);
      // The price is shown beside it, and the venue's freshness in the pane's own line.
      this.#headline = new Headline(this.page, {
        venue: "exchange", symbol: market.symbol, formatPrice: moneyOf(market), hasPrice: false,
      });
      const bell = new AlertBell(this.page, { venue: "exchange", symbol: market.symbol });
      const alerts = new ChartAlerts(this.page, { venue: "exchange", symbol: market.symbol },
        this.#chart);
      this.whenGone(() => {
        bell.dispose();
        alerts.dispose();
      });
      this.#name.after(bell.element);
      this.#figures.append(this.#headline.element, this.#owned.element);
    }
    if (this.#chart) {
      const hasTicket = this.page.isWide() || this.sheet.isOpen;
      this.#onChart?.draw(this.#chart, hasTicket ? "open" : "closed");
    }
  }
}
