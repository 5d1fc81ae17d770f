// The exchange in short, beside other markets: price, best offers, a line, and the way to trade.

import { ExchangeQuote } from "../components/exchange-quote.js";
import { moneyOf } from "../components/order-words.js";
import { Pane, skeleton } from "../components/pane.js";
import { SeenChart } from "../components/seen-chart.js";
import { h, setAttribute, setText } from "../dom.js";
import { pathOf } from "../router.js";
import { QuoteFollower } from "../series.js";
import { Screen } from "./screen.js";

export class ExchangeSummary extends Screen {
  title = "Exchange";
  #sub = h("p.card-sub");
  #quote = new ExchangeQuote();
  #chart = new SeenChart("prices", this.refresh);
  #skeleton = skeleton(4, "card");

  constructor(context) {
    super(context);
    this.pane = new Pane({ kind: "exchange", title: this.title });
    this.element = this.pane.element;
    const trade = h("a.button.primary.small.trade-link", { href: pathOf({ screen: "exchange" }), "data-go": "" }, "Trade");
    this.card = h("div.card", { hidden: true }, this.#sub,
      h("div.summary-line", {}, this.#quote.price, trade), this.#quote.offers, this.#chart.element);
    this.pane.body.append(this.#skeleton, this.card);
    this.entry = this.open("exchange");
    this.orders = this.open("openOrders");
    this.follower = new QuoteFollower(context.series.of("exchange"));
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
    this.#quote.update(this.entry, freshness, this.orders.state?.orders ?? {}, this.link.trusted && this.orders.confirmed);
    this.follower.follow(market, freshness, now);
    this.#chart.update(this.follower.series, now, moneyOf(market), market.decimals ?? 2, freshness.dimmed);
  }
}
