// One symbol or product: live price and details, or why the price is missing.

import { money, percent } from "../text/format.js";
import { t } from "../text/texts.js";
import { failureText, knowingStop, shortened } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { SeenChart } from "./price-line.js";
import { QuoteFollower } from "./series.js";

/** Common parts of a symbol's and a product's screen. */
class DetailsScreen extends Screen {
  subtitle = h("p.card-sub");
  price = new Price("p.price.big");
  card = h("div.card", { hidden: true });
  #chart = new SeenChart(t("prices"));
  #skeleton = skeleton(4, "card");
  #follower;

  /** @param {Page} page @param {Pane} pane @param {string} topic */
  constructor(page, pane, topic) {
    super(page);
    this.pane = pane;
    this.element = pane.element;
    this.pane.body.append(this.#skeleton, this.card);
    this.chart = this.#chart.element;
    this.#follower = new QuoteFollower(page.series.of(topic));
    this.whenGone(() => this.price.dispose());
    this.whenGone(() => this.#chart.dispose());
  }

  /**
   * @param {Topic.Product | Extract<Topic.Symbol, {known: true}>} state
   * @param {Seen} freshness
   * @param {number} generation
   */
  draw(state, freshness, generation) {
    const now = this.link.now();
    const format = (/** @type {string | undefined} */ digits) =>
      money(digits, state.currency, state.decimals);
    this.#skeleton.remove();
    setAttribute(this.card, "hidden", false);
    this.price.update({ text: format(state.price), direction: state.direction,
      changes: state.changes, generation, ...freshness });
    this.#follower.follow(state, freshness, now);
    this.#chart.update(this.#follower.series, now, format, state.decimals ?? 2, freshness.dimmed);
    return format;
  }
}

/** One symbol of the price tracker: price with the feed's own indicator, description. */
export class SymbolScreen extends DetailsScreen {
  #description = h("p.prose");

  /** @param {Page} page @param {Route} route */
  constructor(page, { name: symbol }) {
    super(page, new Pane({ kind: "symbol", title: symbol,
      back: { href: "/", word: t("Tracker") } }), `symbol/${symbol}`);
    this.symbol = symbol;
    this.card.append(this.subtitle, this.price.element, this.chart,
      h("h2.card-head", {}, t("About")), this.#description);
    this.entry = this.open(`symbol/${symbol}`);
  }

  render() {
    const { state, generation } = this.entry;
    const freshness = knowingStop(this.believe(this.entry), this.link, this.page.status);
    const isUnknown = this.isUnknown(this.entry);
    setAttribute(this.pane.line, "hidden", isUnknown);
    this.pane.note.update(freshness, this.link.now());
    if (isUnknown) return this.pane.say(this.#unknown());
    this.pane.say(this.whyNothing(this.entry, t("The symbol")));
    if (!state?.known) return;
    setText(this.subtitle, state.name);
    setText(this.#description, state.description || t("No description."));
    // The description is the feed's own, in English.
    setAttribute(this.#description, "lang", state.description ? "en" : null);
    this.draw(state, freshness, generation);
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

// One product: live price, previous close and the difference in %, or why they are missing.
export class ProductScreen extends DetailsScreen {
  #percent = h("span.percent");
  #closing = h("dd");
  #market = h("dd");
  #code = h("dd");

  /** @param {Page} page @param {Route} route */
  constructor(page, { name: id }) {
    super(page, new Pane({ kind: "product", title: id,
      back: { href: "/products", word: t("Products") } }), `product/${id}`);
    this.id = id;
    const facts = h("dl.facts", {},
      h("div", {}, h("dt", {}, t("Previous close")), this.#closing),
      h("div", {}, h("dt", {}, t("Market")), this.#market),
      h("div", {}, h("dt", {}, t("Identifier")), this.#code));
    this.card.append(this.subtitle,
      h("div.price-line", {}, this.price.element, this.#percent), facts, this.chart);
    this.entry = this.open(`product/${id}`);
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
    const format = this.draw(state, freshness, this.entry.generation);
    setText(this.subtitle, state.symbol ?? "");
    setText(this.#closing, format(state.closing));
    setText(this.#code, state.id);
    setText(this.#market,
      state.market === "closed" ? t("Closed") : state.market === "open" ? t("Open", {}, "market")
        : t("Unknown"));
    const isZero = !state.percent || /^-?0(\.0+)?$/.test(state.percent);
    const sign = isZero ? null : state.percent?.startsWith("-") ? "down" : "up";
    setText(this.#percent, percent(state.percent));
    setAttribute(this.#percent, "data-direction", sign);
    setAttribute(this.#percent, "data-dimmed", freshness.dimmed);
    setAttribute(this.#percent, "aria-label", t("{percent} since the previous close",
      { percent: percent(state.percent) }));
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
