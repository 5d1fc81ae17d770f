// Time and sales: the latest 30 prints, newest first. A print is a trade, or all trades of a sweep.
// One that arrives while the page is visible is lighter for 0.2 s; those of a snapshot are not.

import { compare } from "../base/decimal.js";
import { read, remember } from "../base/storage.js";
import { bothClocks, clockTime, minuteMoment, number } from "../text/format.js";
import { observeChoices, preferences } from "../text/preferences.js";
import { fontOfElement, textWidth } from "../text/text-width.js";
import { t } from "../text/texts.js";
import { ago } from "../text/words.js";
import { zoneName } from "../text/zone.js";
import { h, KeyedList, setAttribute, setText, spokenHeads } from "../ui/dom.js";
import { QuantityColumn } from "../ui/quantity-column.js";
import { Panel } from "../ui/screen.js";

const NEW_MILLISECONDS = 200;
const MAXIMUM_ROWS = 30;
const CELL_GAP_PIXELS = 8;
/** @param {string} symbol */
const sizeKey = (symbol) => `tapeSize.${symbol}`;

export class TradesPanel extends Panel {
  #quantityHead = h("span.head", {}, t("Qty"));
  #priceHead = h("span.head", {}, t("Price"));
  #timeHead = h("span.head", {}, t("Time"));
  #body = h("div.tape-rows", { role: "rowgroup" });
  #rows = h("div.tape", { role: "table", "aria-label": t("Recent trades, newest first") },
    spokenHeads([t("Price"), t("Quantity"), t("Trades"), t("Time")]), this.#body);
  /** @type {KeyedList<number, TradeRow>} */
  #list = new KeyedList(this.#body, (arrival) => new TradeRow(arrival));
  #noRows = h("p.empty", { hidden: true }, t("No trades yet."));
  #from = h("select.book-choice", { "aria-label": t("Smallest size shown") });
  #steps = "";
  /** The smallest size shown; empty for any. */
  #least;
  // Prints that passed the filter since it was chosen.
  /** @type {Topic.Trade[]} */
  #passed = [];
  #since = 0;
  #generation = -1;
  #newest = -Infinity;
  #column = new QuantityColumn();
  #font = "";
  #pricePixels = 0;

  /** @param {Page} page @param {string} name */
  constructor(page, name) {
    super(page, name, { kind: "trades", title: t("Recent Trades") });
    this.entry = this.open(`trades/${name}`);
    this.#least = read(sizeKey(name)) ?? "";
    const heads = h("div.tape-heads", { "aria-hidden": "true" }, this.#priceHead,
      this.#quantityHead, this.#timeHead);
    this.pane.line.append(h("span.tape-controls", {}, this.#from));
    this.pane.element.insertBefore(heads, this.pane.body);
    this.pane.body.append(this.#rows, this.#noRows);
    // The list has nothing to focus inside, so it takes keyboard scrolling itself.
    setAttribute(this.#rows, "tabindex", "0");
    this.#rows.addEventListener("pointerover", (event) => this.#explain(event));
    this.#rows.addEventListener("scroll", () =>
      setAttribute(this.#rows, "data-scrolled", this.#rows.scrollTop > 0));
    this.#from.addEventListener("change", () => this.#chooseSize());
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
    const known = this.known(this.entry, t("The trades"));
    setAttribute(this.element, "data-loading", !known);
    if (!known) return;
    const { state, freshness } = known;
    setText(this.#priceHead, t("Price ({unit})", { unit: state.quote }));
    setText(this.#quantityHead, state.unit === "base" ? t("Qty ({unit})", { unit: state.base })
      : t("Qty"));
    setAttribute(this.#timeHead, "title", t("Venue time, {zone}",
      { zone: zoneName(this.link.now()) }));
    this.#listSizes(state.sizeSteps);
    // Rows of a snapshot, the first rows, or those of a hidden tab are not highlighted.
    const fromSnapshot = this.entry.generation !== this.#generation;
    const first = this.#newest === -Infinity;
    const quiet = fromSnapshot || first || freshness.quiet || document.hidden;
    const shown = this.#filtered(state.trades, fromSnapshot).slice(0, MAXIMUM_ROWS);
    const trades = new Map(shown.map((trade) => [trade[0], trade]));
    this.#list.arrange([...trades.keys()]);
    this.#widen(shown, state.priceDecimals);
    for (const [arrival, row] of this.#list.rows) {
      const trade = trades.get(arrival);
      const isNew = !quiet && arrival > this.#newest;
      if (trade) row.update(trade, state.priceDecimals, isNew, this.#column);
    }
    this.#generation = this.entry.generation;
    const arrivals = state.trades.map(([arrival]) => arrival);
    this.#newest = Math.max(fromSnapshot ? -Infinity : this.#newest, ...arrivals);
    setAttribute(this.#rows, "data-dimmed", freshness.dimmed);
    setAttribute(this.#noRows, "hidden", trades.size > 0);
    setText(this.#noRows, this.#least === "" ? t("No trades yet.")
      : t("No trades of {size} or more since {time}.", { size: number(this.#least),
        time: minuteMoment(this.#since, this.link.now()) }));
  }

  // Prints of at least the chosen size: the current ones, and earlier ones as long as none was
  // missed since.
  /** @param {Topic.Trade[]} trades @param {boolean} fromSnapshot */
  #filtered(trades, fromSnapshot) {
    if (this.#least === "") return trades;
    const oldest = trades.at(-1);
    const isWhole = !fromSnapshot && trades.some(([arrival]) => arrival <= this.#newest);
    if (!isWhole) this.#passed = [];
    if (!isWhole || this.#since === 0) this.#since = oldest?.[5] ?? this.link.now();
    const inTape = new Set(trades.map(([arrival]) => arrival));
    const older = this.#passed.filter(([arrival, , , , , time]) =>
      !inTape.has(arrival) && oldest !== undefined && time <= oldest[5]);
    const passing = trades.filter(([, , size]) => compare(size, this.#least) >= 0);
    this.#passed = [...passing, ...older].slice(0, MAXIMUM_ROWS);
    return this.#passed;
  }

  // The price column is as wide as its widest price so far.
  /** @param {Topic.Trade[]} trades @param {number | undefined} decimals */
  #widen(trades, decimals) {
    if (this.#font === "") return;
    const widest = trades.reduce((most, [, price]) =>
      Math.max(most, textWidth(number(price, decimals), this.#font)), this.#pricePixels);
    if (widest === this.#pricePixels) return;
    this.#pricePixels = widest;
    this.element.style.setProperty("--price", `${Math.ceil(widest)}px`);
  }

  /** @param {string[]} steps */
  #listSizes(steps) {
    const key = steps.join(" ");
    setAttribute(this.#from, "hidden", steps.length === 0 && this.#least === "");
    if (key === this.#steps) return;
    this.#steps = key;
    // A chosen size stays listed.
    const isKnown = this.#least === "" || steps.includes(this.#least);
    const sizes = ["", ...(isKnown ? [] : [this.#least]), ...steps];
    this.#from.replaceChildren(...sizes.map((value) =>
      h("option", { value }, value === "" ? t("All sizes")
        : t("≥ {size}", { size: number(value) }))));
    this.#from.value = this.#least;
  }

  #chooseSize() {
    this.#least = this.#from.value;
    remember(sizeKey(this.name), this.#least);
    [this.#passed, this.#since] = [[], 0];
    this.refresh();
  }

  #resized() {
    const width = this.#quantityHead.clientWidth;
    if (width === 0) return;
    const font = fontOfElement(this.#rows, 600);
    if (font !== this.#font) this.#pricePixels = 0;
    this.#font = font;
    this.#column.resize(fontOfElement(this.#rows), width - CELL_GAP_PIXELS);
    this.refresh();
  }

  // Local time and age, on hover.
  /** @param {Event} event */
  #explain(event) {
    const row = event.target instanceof Element && event.target.closest(".trade");
    if (!(row instanceof HTMLElement) || !row.dataset.time) return;
    const time = Number(row.dataset.time);
    const sweep = row.dataset.sweep ? `${row.dataset.sweep}; ` : "";
    row.title = `${sweep}${bothClocks(time)}, ${ago(this.link.now() - time)}`;
  }
}

class TradeRow {
  #price = h("span.trade-price", { role: "cell" });
  #size = h("span.trade-size", { role: "cell" });
  #bar = h("span.print-bar", { "aria-hidden": "true" });
  #count = h("span.trade-count", { role: "cell" });
  #time = h("span.trade-time", { role: "cell" });
  #side = h("span.unseen");
  #drawn = "";
  #lit = false;
  #version = -1;
  #zone = "";
  #share = -1;
  #timer = 0;

  /** @param {number} arrival */
  constructor(arrival) {
    this.element = h("div.trade", { role: "row", "data-arrival": arrival }, this.#price, this.#size,
      this.#bar, this.#count, this.#time);
  }

  /**
   * @param {Topic.Trade} trade
   * @param {number | undefined} decimals
   * @param {boolean} isNew
   * @param {QuantityColumn} column
   */
  update(trade, decimals, isNew, column) {
    const [, price, size, , side, time, count, from, share] = trade;
    if (share !== this.#share) this.#bar.style.backgroundSize = `${share / 10}% 100%`;
    this.#share = share;
    // A trade never changes, but a sweep can grow.
    const drawn = `${price} ${size} ${count}`;
    if (column.version !== this.#version || drawn !== this.#drawn) column.write(this.#size, size);
    this.#version = column.version;
    if (this.#zone !== preferences.zone) setText(this.#time, clockTime(time));
    this.#zone = preferences.zone;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    setAttribute(this.element, "data-side", side);
    setAttribute(this.element, "data-time", time);
    setText(this.#price, number(price, decimals));
    setText(this.#side, side === "none" ? "" : ` ${side === "buy" ? t("buy") : t("sell")}`);
    this.#price.append(this.#side);
    setText(this.#count, count > 1 ? `${count}×` : "");
    const sweep = count <= 1 ? null : from === null ? t("{count} trades of one sweep", { count })
      : t("{count} trades of one sweep from {price}", { count, price: number(from, decimals) });
    setAttribute(this.element, "data-sweep", sweep);
    if (isNew && !this.#lit) this.#light();
  }

  #light() {
    this.#lit = true;
    this.element.classList.add("new");
    this.#timer = setTimeout(() => this.element.classList.remove("new"), NEW_MILLISECONDS);
  }

  dispose() {
    clearTimeout(this.#timer);
  }
}
