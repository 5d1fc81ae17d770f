// @ts-check
// The exchange in short, beside other markets: price, best offers, a line, and the way to trade.

import { ExchangeQuote } from "../components/exchange-quote.js";
import { moneyOf } from "../components/order-words.js";
import { Pane, skeleton } from "../components/pane.js";
import { SeenChart } from "../components/seen-chart.js";
import { h, setAttribute, setText } from "../dom.js";
import { pathOf } from "../route.js";
import { QuoteFollower } from "../series.js";
import { Screen } from "./screen.js";

/** @type {{[id: string]: Topic.Order}} */
const NONE = Object.freeze({});

export class ExchangeSummary extends Screen {
  #sub = h("p.card-sub");
  #quote = new ExchangeQuote();
  #chart = new SeenChart("prices", this.refresh);
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
    const trade = h("a.button.primary.small.trade-link",
      { href: pathOf({ screen: "exchange" }), "data-go": "" }, "Trade");
    this.card = h("div.card", { hidden: true }, this.#sub,
      h("div.summary-line", {}, this.#quote.price, trade), this.#quote.offers, this.#chart.element);
    this.pane.body.append(this.#skeleton, this.card);
    this.entry = this.open("exchange");
    this.orders = this.open("openOrders");
    this.follower = new QuoteFollower(page.series.of("exchange"));
    for (const part of [this.#quote, this.#chart]) this.whenGone(() => part.dispose());
  }

  render() {
    const market = this.entry.state;
    const freshness = this.believe(this.entry);
    const now = this.link.now();
    this.pane.note.update(freshness, now);
    this.pane.say(this.whyNothing(this.entry, "The exchange"));
    if (!market) return;
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    const nothing = market.price === undefined ? ` · ${this.venueReason("exchange")}` : "";
    setText(this.#sub, `${market.symbol ?? ""}${nothing}`);
    const isKnown = this.link.trusted && this.orders.confirmed;
    const orders = this.orders.state?.orders ?? NONE;
    this.#quote.update(market, this.entry.generation, freshness, orders, isKnown);
    this.follower.follow(market, freshness, now);
    this.#chart.update(this.follower.series, now, moneyOf(market), market.decimals,
      freshness.dimmed);
  }
}
