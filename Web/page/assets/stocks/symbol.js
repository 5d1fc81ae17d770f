// One symbol of the price tracker: title, price with the feed's own indicator, description.

import { money } from "../text/format.js";
import { t } from "../text/texts.js";
import { knowingStop, shortened } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { SeenChart } from "./price-line.js";
import { QuoteFollower } from "./series.js";

export class SymbolScreen extends Screen {
  #name = h("p.card-sub");
  #price = new Price("p.price.big");
  #description = h("p.prose");
  #chart = new SeenChart(t("prices"));
  #skeleton = skeleton(4, "card");

  /**
   * @param {Page} page
   * @param {import("../base/route.js").Route} route
   */
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
