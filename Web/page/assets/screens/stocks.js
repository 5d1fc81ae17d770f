// The watch list: name left, price right. A row's price is asked for only while the row is on
// screen (or nearly), and a change of price touches that price alone.

import { Pane, skeleton } from "../components/pane.js";
import { Price } from "../components/price.js";
import { believe } from "../believe.js";
import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { money } from "../format.js";
import { forget, tick } from "../scheduler.js";
import { ago, BY_SEVERITY, directionWord, freshnessText } from "../words.js";
import { Screen } from "./screen.js";

const MARGIN = "88px 0px";

export class StocksScreen extends Screen {
  title = "Watch list";
  #rows = h("ul.rows.stock-rows");
  #skeleton = skeleton(10);
  #byElement = new WeakMap();
  #list = new KeyedList(this.#rows, (isin) => this.#makeRow(isin));
  #eye;

  constructor(context) {
    super(context);
    this.pane = new Pane({ kind: "stocks", title: this.title });
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
    this.pane.say(this.whyNothing(this.stocks, "The watch list"));
    this.#renderNote(state);
    if (!state) return;
    this.#skeleton.remove();
    const stocks = new Map((state.rows ?? []).map((row) => [row.isin, row]));
    this.#list.arrange([...stocks.keys()]);
    for (const [isin, row] of this.#list.rows) row.describe(stocks.get(isin));
  }

  /** The line sums up the rows on screen: the worst state, and where the prices come from. */
  #renderNote(state) {
    const shown = [...this.#list.rows.values()].map((row) => row.freshness).filter(Boolean);
    const worst = shown.reduce((a, b) => (BY_SEVERITY.indexOf(b.state) > BY_SEVERITY.indexOf(a.state) ? b : a),
      shown[0] ?? this.believe(this.stocks, { state: "waiting", origin: "venue" }));
    const count = state?.rows?.length ?? 0;
    const rows = count > 0 ? `${count} stocks` : "Loading";
    const text = worst.state === "live" ? `Live · ${rows}` : freshnessText(worst, this.link.now());
    this.pane.note.update(worst, this.link.now(), text);
  }

  #makeRow(isin) {
    const row = new StockRow(this.link, isin);
    this.#byElement.set(row.element, row);
    this.#eye.observe(row.element);
    return row;
  }

  #looked(seen) {
    for (const { target, isIntersecting } of seen) this.#byElement.get(target)?.look(isIntersecting);
  }
}

class StockRow {
  freshness = null;
  #link;
  #isin;
  #stock = {};
  #handle = null;
  #last = null;
  #name = h("span.row-title");
  #age = h("span.row-age");
  #price = new Price();
  #refresh = () => this.#render();

  constructor(link, isin) {
    this.#link = link;
    this.#isin = isin;
    this.row = h("div.row", { "data-row": isin },
      h("span.row-main", {}, this.#name, h("span.row-sub", {}, isin, this.#age)), this.#price.element);
    this.element = h("li", { "data-isin": isin }, this.row);
  }

  /** Name and currency, from the list. */
  describe(stock) {
    if (stock === this.#stock) return;
    this.#stock = stock;
    setText(this.#name, stock.name ?? stock.isin);
    this.#render();
  }

  /** Opens the row's price when it comes into view and closes it when it leaves. */
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
    const text = money(state?.price, this.#stock.currency, this.#stock.decimals);
    this.freshness = entry ? believe(this.#link, entry) : null;
    const freshness = this.freshness ?? { quiet: true, dimmed: true, state: "waiting" };
    this.#price.update({
      text, direction: state?.direction, changes: state?.changes, generation: entry?.generation, ...freshness,
    });
    const old = state && freshness.dimmed && freshness.confirmedAt && freshness.state !== "waiting";
    setText(this.#age, old ? ` · ${ago(this.#link.now() - freshness.confirmedAt)}` : "");
    const word = old ? `, ${freshness.state}` : directionWord(freshness.quiet ? "" : state?.direction);
    setAttribute(this.row, "aria-label", `${this.#stock.name ?? this.#isin}, ${state ? text : "no price yet"}${word}`);
    setAttribute(this.row, "role", "group");
  }
}
