// The sidebar's watchlist: markets with last price, change and 24-hour line.

import { compare } from "../base/decimal.js";
import { pathOf, symbolOf } from "../base/route.js";
import { number, percent } from "../text/format.js";
import { observeChoices } from "../text/preferences.js";
import { t } from "../text/texts.js";
import { freshnessText, ofWindow } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { RovingFocus } from "../ui/lists.js";
import { skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { placeOf, unlisted, venueOf } from "./market.js";
import { chosenList, OwnLists } from "./own-lists.js";
import { drawSpark, forgetColours, sparkText } from "./spark.js";

// One market of the sidebar: symbol, 24-hour line, last price, change. One that is not live shows
// its state in the venue's place.
const ARROWS = ["↓ ", "", "↑ "];
const SPOKEN = [`${t("down")} `, "", `${t("up")} `];

class WatchRow extends Screen {
  #market;
  #route;
  #name = h("span.watch-name");
  #sub = h("span.row-sub");
  #price = new Price();
  #arrow = h("span", { "aria-hidden": "true" });
  #spoken = h("span.unseen");
  #percent = h("span");
  #change = h("span.watch-change", {}, this.#arrow, this.#spoken, this.#percent);
  #canvas = h("canvas.watch-spark", { role: "img", hidden: true });
  #link;
  /** @type {(string | null)[] | undefined} */
  #closes;

  /** @param {Page} page @param {string} id "VENUE/SYMBOL" */
  constructor(page, id) {
    super(page);
    this.#market = unlisted(id);
    const { venue, symbol } = this.#market;
    this.#route = placeOf(this.#market).route;
    this.entry = this.open(`figures/${venue}/${symbol}`);
    setText(this.#name, symbol);
    this.#link = h("a.watch-row", { href: pathOf(this.#route), "data-go": "", "data-row": id },
      h("span.watch-what", {}, this.#name, this.#sub), this.#canvas,
      h("span.watch-figures", {}, this.#price.element, this.#change));
    this.element = h("li", {}, this.#link);
    this.#ask();
    this.whenGone(() => this.#price.dispose());
    this.whenGone(() => page.sparks.forget(id));
  }

  // Marks the row of the market on screen, by its short or long name.
  /** @param {Route} here @param {Topic.Books} books */
  mark(here, books) {
    const { venue, symbol } = this.#market;
    const isHere = here.screen === this.#route.screen && (here.screen === "market"
      ? symbolOf(here.name) === symbol && venueOf(books, here.name) === venue
      : here.name === (this.#route.name ?? ""));
    setAttribute(this.#link, "aria-current", isHere ? "page" : null);
  }

  /** Redraws in changed colours. */
  redraw() {
    if (this.#closes) drawSpark(this.#canvas, this.#closes);
  }

  render() {
    const { state } = this.entry;
    const freshness = this.believe(this.entry);
    const venue = this.page.status.state?.venues[this.#market.venue]?.name ?? this.#market.venue;
    const isLive = freshness.state === "live" || state === undefined;
    setText(this.#sub, isLive ? venue : freshnessText(freshness, this.link.now()));
    setAttribute(this.#sub, "data-state", isLive ? null : freshness.state);
    this.#price.update({ text: number(state?.price), direction: state?.direction,
      changes: state?.changes, generation: this.entry.generation, ...freshness });
    this.#showChange(state, freshness.dimmed);
  }

  /** @param {Topic.Figures | undefined} state @param {boolean} isDimmed */
  #showChange(state, isDimmed) {
    const order = compare(state?.percent ?? "0", "0") + 1;
    setText(this.#percent, state?.percent === undefined ? "" : percent(state.percent));
    setText(this.#arrow, state?.percent === undefined || isDimmed ? "" : ARROWS[order]);
    setText(this.#spoken, SPOKEN[order]);
    const direction = ["down", null, "up"][order];
    setAttribute(this.#change, "data-direction", isDimmed ? null : direction);
    setAttribute(this.#change, "title", ofWindow(t("Change"), state?.since, this.link.now()));
    if (this.#canvas.getAttribute("data-direction") === direction) return;
    setAttribute(this.#canvas, "data-direction", direction);
    this.redraw();
  }

  /** Requests the line when the page is idle. */
  #ask() {
    const known = this.page.sparks.closes(this.#market.id, () => this.#ask());
    if (!known) return;
    this.#closes = known;
    setAttribute(this.#canvas, "aria-label", sparkText(known, number));
    setAttribute(this.#canvas, "hidden", known.filter((close) => close !== null).length < 2);
    drawSpark(this.#canvas, known);
  }
}

/** Each row opens a topic, and a page may open only so many. */
const MAXIMUM_ROWS = 40;

export class WatchScreen extends Screen {
  #rows = h("ul.watch-rows");
  #focus = new RovingFocus(this.#rows, "a");
  #none = h("p.empty.small", { hidden: true }, t("This list is empty."));
  #all = h("a.watch-all", { href: pathOf({ screen: "markets", name: "all" }), "data-go": "" },
    t("All markets"));
  #skeleton = skeleton(10);
  /** @type {KeyedList<string, WatchRow>} */
  #list;
  #lists;

  /** @param {Page} page */
  constructor(page) {
    super(page);
    this.#list = new KeyedList(this.#rows, (id) => new WatchRow(page, id));
    this.#lists = new OwnLists(this.link, this.refresh);
    const body = h("div.pane-body", {}, this.#skeleton, this.#rows, this.#none);
    this.element = h("section.pane.watch", { "aria-label": t("Watched markets") }, body, this.#all);
    this.books = this.open("books");
    this.exchange = this.open("exchange");
    this.whenGone(() => this.#list.dispose());
    this.whenGone(() => this.#lists.dispose());
    this.whenGone(observeChoices(() => {
      forgetColours();
      for (const row of this.#list.rows.values()) row.redraw();
    }));
  }

  render() {
    if (!this.books.state) return;
    this.#skeleton.remove();
    const ids = this.#members.slice(0, MAXIMUM_ROWS);
    if (this.#list.arrange(ids)) this.#focus.arrange();
    this.#none.hidden = ids.length > 0;
    const here = this.page.router.route;
    for (const row of this.#list.rows.values()) row.mark(here, this.books.state);
  }

  get #members() {
    const list = this.#lists.get(chosenList(this.#lists));
    if (list) return list.members;
    const instruments = this.books.state?.instruments ?? [];
    const stock = this.exchange.state?.symbol;
    return [...(stock ? [`exchange/${stock}`] : []),
      ...instruments.map(({ venue, symbol }) => `${venue}/${symbol}`)];
  }
}
