// The watch list: name left, price right. A row's price is requested only while the row is on
// screen (or nearly), and a price change redraws that price alone.

import { forget, tick } from "../base/scheduler.js";
import { money } from "../text/format.js";
import { t } from "../text/texts.js";
import { ago, directionWord, freshnessText, severity, wordOf } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { believe } from "../ui/freshness.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";

const MARGIN = "88px 0px";

export class StocksScreen extends Screen {
  #rows = h("ul.rows.stock-rows");
  #skeleton = skeleton(10);
  /** @type {WeakMap<Element, StockRow>} */
  #byElement = new WeakMap();
  /** @type {KeyedList<string, StockRow>} */
  #list = new KeyedList(this.#rows, (isin) => this.#makeRow(isin));
  #eye;

  /** @param {Page} page @param {Route} _route @param {string} title */
  constructor(page, _route, title) {
    super(page);
    this.pane = new Pane({ kind: "stocks", title });
    this.element = this.pane.element;
    this.pane.body.append(this.#skeleton, this.#rows);
    this.pane.reachByKeyboard();
    this.stocks = this.open("stocks");
    this.#eye = new IntersectionObserver((seen) => this.#looked(seen),
      { root: this.pane.body, rootMargin: MARGIN });
    this.whenGone(() => this.#eye.disconnect());
    this.whenGone(() => this.#list.dispose());
  }

  render() {
    const state = this.stocks.state;
    this.pane.say(this.whyNothing(this.stocks, t("The watch list")));
    this.#renderNote(state);
    if (!state) return;
    this.#skeleton.remove();
    const stocks = new Map(state.rows.map((row) => [row.isin, row]));
    this.#list.arrange([...stocks.keys()]);
    for (const [isin, row] of this.#list.rows) {
      const stock = stocks.get(isin);
      if (stock) row.describe(stock);
    }
  }

  // The line summarises the rows on screen: the worst state, and the source of the prices.
  /** @param {Topic.Stocks | undefined} state */
  #renderNote(state) {
    const shown = [...this.#list.rows.values()].flatMap(({ freshness }) => freshness ?? []);
    const none = this.believe(this.stocks, { state: "waiting", origin: "venue" });
    const worst = shown.reduce(
      (a, b) => (severity(b.state) > severity(a.state) ? b : a), shown[0] ?? none);
    const count = state?.rows.length ?? 0;
    const rows = count > 0 ? t("{count} stocks", { count }) : t("Loading");
    const text = worst.state === "live" ? `${wordOf("live")} · ${rows}`
      : freshnessText(worst, this.link.now());
    this.pane.note.update(worst, this.link.now(), text);
  }

  /** @param {string} isin */
  #makeRow(isin) {
    const row = new StockRow(this.link, isin);
    this.#byElement.set(row.element, row);
    this.#eye.observe(row.element);
    return row;
  }

  /** @param {IntersectionObserverEntry[]} seen */
  #looked(seen) {
    for (const { target, isIntersecting } of seen) {
      this.#byElement.get(target)?.look(isIntersecting);
    }
  }
}

/** @type {Seen} */
const NOT_SEEN = { quiet: true, dimmed: true, state: "waiting", origin: "venue" };

class StockRow {
  /** @type {Seen | null} */
  freshness = null;
  #link;
  #isin;
  /** @type {Topic.ListedStock | null} */
  #stock = null;
  /** @type {Handle<Topic.Stock> | null} */
  #handle = null;
  /** @type {Entry<Topic.Stock> | null} */
  #last = null;
  #name = h("span.row-title");
  #age = h("span.row-age");
  #price = new Price();
  #refresh = () => this.#render();

  /** @param {Link} link @param {string} isin */
  constructor(link, isin) {
    this.#link = link;
    this.#isin = isin;
    this.row = h("div.row", { "data-row": isin },
      h("span.row-main", {}, this.#name,
        h("span.row-sub.row-aged", {}, h("span.row-isin", {}, isin), this.#age)),
      this.#price.element);
    this.element = h("li", { "data-isin": isin }, this.row);
  }

  // Name and currency, from the list.
  /** @param {Topic.ListedStock} stock */
  describe(stock) {
    if (stock === this.#stock) return;
    this.#stock = stock;
    setText(this.#name, stock.name);
    this.#render();
  }

  // Opens the row's price when it comes into view and closes it when it leaves.
  /** @param {boolean} visible */
  look(visible) {
    if (visible === (this.#handle !== null)) return;
    if (visible) {
      this.#handle = this.#link.topics.open(`stock/${this.#isin}`, this.#refresh);
      this.#last = this.#handle.entry;
      tick(this.#refresh);
    } else {
      this.dispose();
      this.freshness = null;
    }
  }

  dispose() {
    this.#handle?.close();
    this.#handle = null;
    forget(this.#refresh);
    this.#price.dispose();
  }

  #render() {
    const entry = this.#last;
    const state = entry?.state;
    const text = money(state?.price, this.#stock?.currency, this.#stock?.decimals);
    this.freshness = entry ? believe(this.#link, entry) : null;
    const freshness = this.freshness ?? NOT_SEEN;
    this.#price.update({
      text, direction: state?.direction, changes: state?.changes, generation: entry?.generation,
      ...freshness,
    });
    const isOld = state && freshness.dimmed && freshness.state !== "waiting";
    const confirmedAt = isOld ? freshness.confirmedAt : undefined;
    setText(this.#age, confirmedAt ? ` · ${ago(this.#link.now() - confirmedAt)}` : "");
    const word = confirmedAt ? `, ${freshness.state}`
      : directionWord(freshness.quiet ? "" : state?.direction);
    const name = this.#stock?.name ?? this.#isin;
    setAttribute(this.row, "aria-label", `${name}, ${state ? text : t("no price yet")}${word}`);
    setAttribute(this.row, "role", "group");
  }
}
