// The rail's own list: markets with their last price, change and line of 24 hours.

import { pathOf } from "../base/route.js";
import { observeChoices } from "../text/preferences.js";
import { t } from "../text/texts.js";
import { h, KeyedList } from "../ui/dom.js";
import { skeleton } from "../ui/pane.js";
import { RovingFocus } from "../ui/roving.js";
import { Screen } from "../ui/screen.js";
import { chosenList } from "./chosen-list.js";
import { OwnLists } from "./own-lists.js";
import { forgetColours } from "./spark.js";
import { WatchRow } from "./watch-row.js";

/** Each row is a topic of its own, and a page may have only so many. */
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
    for (const row of this.#list.rows.values()) row.mark(here);
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
