// The price tracker: 25 symbols by price, its own connection on the left, Start and Stop on the
// right.

import { pathOf } from "../base/route.js";
import { money } from "../text/format.js";
import { t } from "../text/texts.js";
import { directionWord, freshnessText, knowingStop, stateWord } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { RovingFocus, StillOrder } from "../ui/lists.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { viewBadge } from "../ui/view-only.js";

export class FeedScreen extends Screen {
  #connectionWord = h("span");
  #connection = h("span.connection", { role: "status" },
    h("span.dot", { "aria-hidden": "true" }), this.#connectionWord);
  #toggle = h("button.button.start-stop",
    { type: "button", title: t("For everybody who watches this server"), "data-changes": true },
    t("Stop"));
  #held = h("span.held",
    { hidden: true, title: t("Sorting pauses while you point") },
    t("Sorting paused"));
  #rows = h("ul.rows.feed-rows");
  /** @type {KeyedList<string, FeedRow>} */
  #list = new KeyedList(this.#rows, (symbol) => new FeedRow(symbol));
  #focus = new RovingFocus(this.#rows, "a");
  #still = new StillOrder(this.#rows, this.refresh);
  #skeleton = skeleton(12);

  /** @param {Page} page @param {Route} _route @param {string} title */
  constructor(page, _route, title) {
    super(page);
    this.pane = new Pane({ kind: "feed", title });
    this.element = this.pane.element;
    this.pane.lead.append(this.#connection);
    this.pane.tail.append(this.#toggle, viewBadge());
    this.pane.line.append(this.#held);
    this.pane.body.append(this.#skeleton, this.#rows);
    this.#toggle.addEventListener("click", () => this.#startOrStop());
    this.feed = this.open("feed");
    this.whenGone(() => this.#list.dispose());
  }

  render() {
    const state = this.feed.state;
    this.pane.say(this.whyNothing(this.feed, t("The prices")));
    const freshness = knowingStop(this.believe(this.feed), this.link, this.page.status);
    const isStopped = freshness.state === "stopped";
    this.#renderConnection(state, isStopped);
    if (!state) return this.pane.note.update(freshness, this.link.now(), t("Loading"));
    this.#skeleton.remove();
    const now = this.link.now();
    const words = isStopped ? t("Stopped for everybody") : undefined;
    this.pane.note.update(freshness, now, freshnessText(freshness, now, words));
    const order = state.order.filter((symbol) => state.rows[symbol]);
    const { keys, held } = this.#still.arrange(order);
    setAttribute(this.#held, "hidden", !held);
    if (this.#list.arrange(keys)) this.#focus.arrange();
    this.#still.settle(this.#list.rows, keys);
    for (const [symbol, row] of this.#list.rows) {
      row.update(state.rows[symbol], state, freshness, this.feed.generation);
    }
  }

  /** @param {Topic.Feed | undefined} state @param {boolean} isStopped */
  #renderConnection(state, isStopped) {
    const word = this.link.trusted ? (state?.connection ?? "connecting") : this.link.state;
    const shown = word === "connected" && !this.link.trusted ? "connecting" : word;
    setAttribute(this.#connection, "data-state", isStopped ? "stopped" : shown);
    setText(this.#connectionWord, stateWord(shown));
    setText(this.#toggle, state?.running === false ? t("Start") : t("Stop"));
    setAttribute(this.#toggle, "data-do", state?.running === false ? "start" : "stop");
    setAttribute(this.#toggle, "disabled", !state || !this.link.trusted);
  }

  #startOrStop() {
    this.link.do({ do: this.feed.state?.running === false ? "feed.start" : "feed.stop" });
  }
}

class FeedRow {
  #symbol;
  #name = h("span.row-sub");
  #price = new Price();
  #link;

  /** @param {string} symbol */
  constructor(symbol) {
    this.#symbol = symbol;
    this.#link = h("a.row",
      { href: pathOf({ screen: "symbol", name: symbol }), "data-go": "", "data-row": symbol },
      h("span.row-main", {}, h("span.row-title", {}, symbol), this.#name), this.#price.element);
    this.element = h("li", { "data-symbol": symbol }, this.#link);
  }

  /**
   * @param {Topic.FeedRow} row
   * @param {Topic.Feed} feed
   * @param {Seen} freshness
   * @param {number} generation
   */
  update(row, feed, freshness, generation) {
    const text = money(row.price, feed.currency, feed.decimals);
    setText(this.#name, row.name);
    this.#price.update(
      { text, direction: row.direction, changes: row.changes, generation, ...freshness });
    const state = freshness.quiet ? `, ${freshness.state}` : directionWord(row.direction);
    setAttribute(this.#link, "aria-label", `${row.name}, ${this.#symbol}, ${text}${state}`);
  }

  dispose() {
    this.#price.dispose();
  }
}
