// One product: live price, previous close and the difference in %, or what stands in their way.

import { money, percent } from "../text/format.js";
import { t } from "../text/texts.js";
import { failureText, knowingStop, shortened } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { SeenChart } from "./price-line.js";
import { QuoteFollower } from "./series.js";

// One symbol of the price tracker: title, price with the feed's own indicator, description.
export class SymbolScreen extends Screen {
  #name = h("p.card-sub");
  #price = new Price("p.price.big");
  #description = h("p.prose");
  #chart = new SeenChart(t("prices"));
  #skeleton = skeleton(4, "card");

  /** @param {Page} page @param {import("../base/route.js").Route} route */
  constructor(page, { name: symbol }) {
    super(page);
    this.symbol = symbol;
    this.pane = new Pane({ kind: "symbol", title: symbol,
      back: { href: "/", word: t("Tracker") } });
    this.element = this.pane.element;
    this.card = h("div.card", { hidden: true },
      this.#name, this.#price.element, this.#chart.element, h("h2.card-head", {}, t("About")),
      this.#description);
    this.pane.body.append(this.#skeleton, this.card);
    this.entry = this.open(`symbol/${symbol}`);
    this.follower = new QuoteFollower(page.series.of(`symbol/${symbol}`));
    this.whenGone(() => this.#price.dispose());
    this.whenGone(() => this.#chart.dispose());
  }

  render() {
    const state = this.entry.state;
    const freshness = knowingStop(this.believe(this.entry), this.link, this.page.status);
    const now = this.link.now();
    const isUnknown = this.isUnknown(this.entry);
    setAttribute(this.pane.line, "hidden", isUnknown);
    this.pane.note.update(freshness, now);
    if (isUnknown) return this.pane.say(this.#unknown());
    this.pane.say(this.whyNothing(this.entry, t("The symbol")));
    if (!state?.known) return;
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    const text = money(state.price, state.currency, state.decimals);
    setText(this.#name, state.name);
    setText(this.#description, state.description || t("No description."));
    // The description is the feed's own, in English.
    setAttribute(this.#description, "lang", state.description ? "en" : null);
    this.#price.update({
      text, direction: state.direction, changes: state.changes, generation: this.entry.generation,
      ...freshness,
    });
    this.follower.follow(state, freshness, now);
    const format = (/** @type {string | undefined} */ digits) =>
      money(digits, state.currency, state.decimals);
    this.#chart.update(this.follower.series, now, format, state.decimals, freshness.dimmed);
  }

  /** @returns {PaneNotice} */
  #unknown() {
    return {
      title: t("There is no symbol {symbol}", { symbol: shortened(this.symbol) }),
      text: t("The price tracker does not follow it. Perhaps the link is mistyped."),
      action: { label: t("See all symbols"), run: () => this.page.router.go({ screen: "feed" }) },
    };
  }
}

export class ProductScreen extends Screen {
  #sub = h("p.card-sub");
  #price = new Price("p.price.big");
  #percent = h("span.percent");
  #closing = h("dd");
  #market = h("dd");
  #code = h("dd");
  #chart = new SeenChart(t("prices"));
  #skeleton = skeleton(4, "card");

  /** @param {Page} page @param {import("../base/route.js").Route} route */
  constructor(page, { name: id }) {
    super(page);
    this.id = id;
    this.pane = new Pane(
      { kind: "product", title: id, back: { href: "/products", word: t("Products") } });
    this.element = this.pane.element;
    const facts = h("dl.facts", {},
      h("div", {}, h("dt", {}, t("Previous close")), this.#closing),
      h("div", {}, h("dt", {}, t("Market")), this.#market),
      h("div", {}, h("dt", {}, t("Identifier")), this.#code));
    this.card = h("div.card", { hidden: true }, this.#sub,
      h("div.price-line", {}, this.#price.element, this.#percent), facts, this.#chart.element);
    this.pane.body.append(this.#skeleton, this.card);
    this.entry = this.open(`product/${id}`);
    this.follower = new QuoteFollower(page.series.of(`product/${id}`));
    this.whenGone(() => this.#price.dispose());
    this.whenGone(() => this.#chart.dispose());
  }

  render() {
    const state = this.entry.state;
    const freshness = this.believe(this.entry);
    const failed = state?.phase === "failed" && state.price === undefined;
    setAttribute(this.pane.line, "hidden", failed);
    this.pane.note.update(freshness, this.link.now(),
      state?.phase === "loading" ? t("Loading") : undefined);
    setText(this.pane.heading, state?.name ?? this.id);
    if (failed) return this.pane.say(this.#failure(state.failure));
    this.pane.say(this.whyNothing(this.entry, t("The product")));
    if (state?.price !== undefined) this.#renderProduct(state, freshness);
  }

  /** @param {Topic.Product} state @param {Seen} freshness */
  #renderProduct(state, freshness) {
    const now = this.link.now();
    const format = (/** @type {string | undefined} */ digits) =>
      money(digits, state.currency, state.decimals);
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    setText(this.#sub, state.symbol ?? "");
    setText(this.#closing, format(state.closing));
    setText(this.#code, state.id);
    setText(this.#market,
      state.market === "closed" ? t("Closed") : state.market === "open" ? t("Open", {}, "market")
        : t("Unknown"));
    this.#price.update({
      text: format(state.price), direction: state.direction, changes: state.changes,
      generation: this.entry.generation, ...freshness,
    });
    const isZero = !state.percent || /^-?0(\.0+)?$/.test(state.percent);
    const sign = isZero ? null : state.percent?.startsWith("-") ? "down" : "up";
    setText(this.#percent, percent(state.percent));
    setAttribute(this.#percent, "data-direction", sign);
    setAttribute(this.#percent, "data-dimmed", freshness.dimmed);
    setAttribute(this.#percent, "aria-label", t("{percent} since the previous close",
      { percent: percent(state.percent) }));
    this.follower.follow(state, freshness, now);
    this.#chart.update(this.follower.series, now, format, state.decimals ?? 2, freshness.dimmed);
  }

  /** @param {Topic.ProductFailure | undefined} failure @returns {PaneNotice} */
  #failure(failure) {
    const retry = { label: t("Retry"),
      run: () => this.link.do({ do: "product.retry", id: this.id }) };
    const choose = {
      label: t("Choose a product"), run: () => this.page.router.go({ screen: "products" }),
    };
    return {
      title: t("This product can't be shown"),
      text: failureText(failure) + (failure?.code ? ` (${failure.code})` : ""),
      action: failure?.canRetry === false || this.link.viewsOnly ? choose : retry,
    };
  }
}
