// The exchange with one listed stock: last price, best buy and best sell with their quantities.

import { Pane, skeleton } from "../components/pane.js";
import { Price } from "../components/price.js";
import { SeenChart } from "../components/seen-chart.js";
import { h, setAttribute, setText } from "../dom.js";
import { money, number } from "../format.js";
import { QuoteFollower } from "../series.js";
import { Screen } from "./screen.js";

export class ExchangeScreen extends Screen {
  title = "Exchange";
  #sub = h("p.card-sub");
  #price = new Price("p.price.big");
  #buy = new Offer("buy", "Best buy");
  #sell = new Offer("sell", "Best sell");
  #chart = new SeenChart("prices", this.refresh);
  #skeleton = skeleton(4, "card");

  constructor(context) {
    super(context);
    this.pane = new Pane({ kind: "exchange", title: this.title });
    this.element = this.pane.element;
    this.card = h("div.card", { hidden: true }, this.#sub, this.#price.element,
      h("div.offers", {}, this.#buy.element, this.#sell.element), this.#chart.element);
    this.pane.body.append(this.#skeleton, this.card);
    this.entry = this.open("exchange");
    this.follower = new QuoteFollower(context.series.of("exchange"));
    this.whenGone(() => this.#price.dispose());
    this.whenGone(() => this.#chart.dispose());
  }

  render() {
    const state = this.entry.state;
    const freshness = this.believe(this.entry);
    const now = this.link.now();
    this.pane.note.update(freshness, now);
    this.pane.say(this.whyNothing(this.entry, "The exchange"));
    if (!state) return;
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    const format = (digits) => money(digits, state.currency, state.decimals);
    const nothing = state.price === undefined ? ` · ${this.venueReason("exchange")}` : "";
    setText(this.#sub, `${state.symbol ?? ""}${nothing}`);
    this.#price.update({
      text: format(state.price), direction: state.direction, changes: state.changes,
      generation: this.entry.generation, ...freshness,
    });
    this.#buy.update(format(state.bid), number(state.bidSize), freshness);
    this.#sell.update(format(state.ask), number(state.askSize), freshness);
    this.follower.follow(state, freshness, now);
    this.#chart.update(this.follower.series, now, format, state.decimals ?? 2, freshness.dimmed);
  }
}

class Offer {
  #price = h("span.offer-price");
  #size = h("span.offer-size");

  constructor(side, label) {
    this.element = h(`div.offer.offer-${side}`, {}, h("span.offer-label", {}, label), this.#price, this.#size);
  }

  update(price, size, freshness) {
    setText(this.#price, price);
    setText(this.#size, `Quantity ${size}`);
    setAttribute(this.element, "data-dimmed", freshness.dimmed);
  }
}
