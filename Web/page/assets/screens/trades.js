// @ts-check
// The tape: the latest 30 trades, newest first. A trade that arrives while the page looks is
// lighter for 0.2 s; those of a snapshot are not.

import { QuantityColumn } from "../components/quantity-column.js";
import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { clockTime, localTime, number } from "../format.js";
import { observeChoices, preferences } from "../preferences.js";
import { fontOfElement } from "../text-width.js";
import { ago } from "../words.js";
import { zoneName } from "../zone.js";
import { Panel } from "./panel.js";

const NEW_MILLISECONDS = 200;
const MAXIMUM_ROWS = 30;
const CELL_GAP_PIXELS = 8;

export class TradesPanel extends Panel {
  #quantityHead = h("span.head", {}, "Qty");
  #priceHead = h("span.head", {}, "Price");
  #timeHead = h("span.head", {}, "Time");
  #rows = h("div.tape", { role: "table", "aria-label": "Recent trades, newest first" });
  /** @type {KeyedList<number, TradeRow>} */
  #list = new KeyedList(this.#rows, (arrival) => new TradeRow(arrival));
  #noRows = h("p.empty", { hidden: true }, "No trades yet.");
  #generation = -1;
  #newest = -Infinity;
  #column = new QuantityColumn();

  /**
   * @param {import("./screen.js").Page} page
   * @param {string} symbol
   */
  constructor(page, symbol) {
    super(page, symbol, { kind: "trades", title: "Recent Trades" });
    this.entry = this.open(`trades/${symbol}`);
    const heads = h("div.tape-heads", { "aria-hidden": "true" }, this.#priceHead,
      this.#quantityHead, this.#timeHead);
    this.pane.element.insertBefore(heads, this.pane.body);
    this.pane.body.append(this.#rows, this.#noRows);
    this.pane.reachByKeyboard();
    this.#rows.addEventListener("pointerover", (event) => this.#explain(event));
    const observer = new ResizeObserver(() => this.#resized());
    observer.observe(this.#quantityHead);
    this.whenGone(() => observer.disconnect());
    this.whenGone(observeChoices(() => this.refresh()));
    this.whenGone(() => this.#list.dispose());
  }

  get isMissing() {
    return this.isUnknown(this.entry);
  }

  render() {
    const known = this.known(this.entry, "The trades");
    setAttribute(this.element, "data-loading", !known);
    if (!known) return;
    const { state, freshness } = known;
    setText(this.#priceHead, `Price (${state.quote})`);
    setText(this.#quantityHead, state.unit === "base" ? `Qty (${state.base})` : "Qty");
    setAttribute(this.#timeHead, "title", `Venue time, ${zoneName(this.link.now())}`);
    const shown = state.trades.slice(0, MAXIMUM_ROWS);
    const trades = new Map(shown.map((trade) => [trade[0], trade]));
    // Rows of a snapshot, the first rows of all, or those of a hidden tab are not news.
    const fromSnapshot = this.entry.generation !== this.#generation;
    const first = this.#newest === -Infinity;
    const quiet = fromSnapshot || first || freshness.quiet || document.hidden;
    this.#list.arrange([...trades.keys()]);
    for (const [arrival, row] of this.#list.rows) {
      const trade = trades.get(arrival);
      const isNew = !quiet && arrival > this.#newest;
      if (trade) row.update(trade, state.priceDecimals, isNew, this.#column);
    }
    this.#generation = this.entry.generation;
    this.#newest = Math.max(fromSnapshot ? -Infinity : this.#newest, ...trades.keys());
    setAttribute(this.#rows, "data-dimmed", freshness.dimmed);
    setAttribute(this.#noRows, "hidden", trades.size > 0);
  }

  #resized() {
    const width = this.#quantityHead.clientWidth;
    if (width === 0) return;
    this.#column.resize(fontOfElement(this.#rows), width - CELL_GAP_PIXELS);
    this.refresh();
  }

  /**
   * Local time and age, when asked for.
   * @param {Event} event
   */
  #explain(event) {
    const row = event.target instanceof Element && event.target.closest(".trade");
    if (!(row instanceof HTMLElement) || !row.dataset.time) return;
    const time = Number(row.dataset.time);
    row.title = `${localTime(time)} ${zoneName(time)}, ${ago(this.link.now() - time)}`;
  }
}

class TradeRow {
  #price = h("span.trade-price", { role: "cell" });
  #size = h("span.trade-size", { role: "cell" });
  #time = h("span.trade-time", { role: "cell" });
  #side = h("span.unseen");
  /** @type {Topic.Trade | undefined} */
  #drawn = undefined;
  #version = -1;
  #zone = "";
  #timer = 0;

  /** @param {number} arrival */
  constructor(arrival) {
    this.element = h("div.trade", { role: "row", "data-arrival": arrival }, this.#price, this.#size,
      this.#time);
  }

  /**
   * @param {Topic.Trade} trade
   * @param {number | undefined} decimals
   * @param {boolean} isNew
   * @param {QuantityColumn} column
   */
  update(trade, decimals, isNew, column) {
    if (column.version !== this.#version) column.write(this.#size, trade[2]);
    this.#version = column.version;
    if (this.#zone !== preferences.zone) setText(this.#time, clockTime(trade[5]));
    this.#zone = preferences.zone;
    // A trade never changes; only its first drawing counts.
    if (this.#drawn) return;
    this.#drawn = trade;
    const [, price, , , side, time] = trade;
    setAttribute(this.element, "data-side", side);
    setAttribute(this.element, "data-time", time);
    setText(this.#price, number(price, decimals));
    setText(this.#side, side === "none" ? "" : ` ${side}`);
    this.#price.append(this.#side);
    if (!isNew) return;
    this.element.classList.add("new");
    this.#timer = setTimeout(() => this.element.classList.remove("new"), NEW_MILLISECONDS);
  }

  dispose() {
    clearTimeout(this.#timer);
  }
}
