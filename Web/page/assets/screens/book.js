// @ts-check
// The order book: 20 bids at the left and 20 asks at the right, best at the top, each row with a
// bar for the size from the best price down to it. One scale for both sides.

import { QuantityColumn } from "../components/quantity-column.js";
import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { recall, remember } from "../storage.js";
import { fontOfElement, textWidth } from "../text-width.js";
import { Panel } from "./panel.js";

const ROWS = 20;
const LEAST_QUANTITY_PIXELS = 64;
/** Between the price and the middle, and between price and quantity. */
const GAPS_PIXELS = 8 + 8;
const UNIT_KEY = "bookUnit";
const UNITS = ["contracts", "base"];

/** @typedef {Topic.KnownBook} Book */
/**
 * @typedef {{decimals: number | undefined, base: boolean, dimmed: boolean,
 *   column: QuantityColumn}} View
 */

export class BookPanel extends Panel {
  /** Whether sizes are shown in the base currency. */
  #base = recall(UNIT_KEY, UNITS) === "base";
  #contractsButton = h("button.segment", { type: "button" }, "Contracts");
  #baseButton = h("button.segment", { type: "button" }, "Base");
  #spread = h("p.spread");
  #levels = h("span.levels");
  #quantityHeads = [quantityHead(), quantityHead()];
  #units;
  #heads = { bids: priceHead(), asks: priceHead() };
  #sides = { bids: new Side("bids", "Bids, best first"),
    asks: new Side("asks", "Asks, best first") };
  #noRows = h("p.empty", { hidden: true });
  #column = new QuantityColumn();
  #width = 0;
  #fonts = { price: "", quantity: "", head: "" };
  #quantityPixels = LEAST_QUANTITY_PIXELS;
  #kind = "";

  /**
   * @param {import("./screen.js").Page} page
   * @param {string} symbol
   */
  constructor(page, symbol) {
    super(page, symbol, { kind: "book", title: "Order Book" });
    this.entry = this.open(`book/${symbol}`);
    this.#units = h("div.segments", { role: "group", "aria-label": "Unit of the quantities" },
      this.#contractsButton, this.#baseButton);
    this.pane.line.append(this.#units);
    this.#contractsButton.addEventListener("click", () => this.#choose(false));
    this.#baseButton.addEventListener("click", () => this.#choose(true));
    const heads = h("div.book-heads", { "aria-hidden": "true" },
      this.#quantityHeads[0], this.#heads.bids, this.#heads.asks, this.#quantityHeads[1]);
    const spreadLine = h("div.spread-line", {}, this.#spread, this.#levels);
    this.pane.element.insertBefore(spreadLine, this.pane.body);
    this.pane.element.insertBefore(heads, this.pane.body);
    const sides = h("div.book-sides", {}, this.#sides.bids.element, this.#sides.asks.element);
    this.pane.body.append(sides, this.#noRows);
    this.pane.reachByKeyboard();
    const observer = new ResizeObserver(([entry]) => this.#resized(entry.contentRect.width));
    observer.observe(sides);
    this.whenGone(() => observer.disconnect());
  }

  get isMissing() {
    return this.isUnknown(this.entry);
  }

  render() {
    const known = this.known(this.entry, "The order book");
    setAttribute(this.element, "data-loading", !known);
    setAttribute(this.#contractsButton, "aria-pressed", String(!this.#base));
    setAttribute(this.#baseButton, "aria-pressed", String(this.#base));
    if (!known) return;
    const { state, freshness } = known;
    setText(this.#baseButton, state.base);
    // Where sizes are amounts of the base currency, there is nothing to switch.
    const isBase = state.unit === "base";
    setAttribute(this.element, "data-unit", state.unit);
    setAttribute(this.#units, "hidden", isBase);
    for (const head of this.#quantityHeads) setText(head, isBase ? `Qty (${state.base})` : "Qty");
    for (const head of Object.values(this.#heads)) setText(head, `Price (${state.quote})`);
    const base = this.#base && !isBase;
    this.#arrange(state, base);
    const view = {
      decimals: state.priceDecimals, base, dimmed: freshness.dimmed, column: this.#column,
    };
    this.#sides.bids.update(state.bids, view);
    this.#sides.asks.update(state.asks, view);
    const empty = state.bids.length + state.asks.length === 0;
    setAttribute(this.#noRows, "hidden", !empty);
    setText(this.#noRows,
      state.status === "synced" ? "The book is empty." : "Waiting for the book’s first snapshot.");
    setText(this.#spread,
      state.spread === undefined ? "Spread –"
        : `Spread ${number(state.spread, state.priceDecimals)}`);
    setText(this.#levels, levelsText(state));
    setAttribute(this.#spread, "data-dimmed", freshness.dimmed);
  }

  /** @param {number} width */
  #resized(width) {
    const cell = this.element.querySelector(".size");
    if (!cell) return;
    this.#width = width;
    this.#fonts = {
      price: fontOfElement(cell, 600), quantity: fontOfElement(cell),
      head: fontOfElement(this.#quantityHeads[0]),
    };
    this.#kind = "";
    this.refresh();
  }

  /**
   * Gives the quantities the room that prices leave; their column grows as it must, and only grows.
   * @param {Book} book
   * @param {boolean} base
   */
  #arrange({ symbol, bids, asks, priceDecimals }, base) {
    if (this.#width <= 0) return;
    const levels = [...bids, ...asks];
    const price = levels.reduce((most, [text]) =>
      Math.max(most, textWidth(number(text, priceDecimals), this.#fonts.price)), 0);
    const room = Math.floor(this.#width / 2 - price - GAPS_PIXELS);
    this.#column.resize(this.#fonts.quantity, room);
    const kind = `${symbol} ${base}`;
    if (kind !== this.#kind) this.#quantityPixels = LEAST_QUANTITY_PIXELS;
    this.#kind = kind;
    const head = textWidth(this.#quantityHeads[0].textContent ?? "", this.#fonts.head);
    const needed = this.#column.widest(levels.map((level) => quantityOf(level, base)));
    const wished = Math.max(this.#quantityPixels, needed, head);
    this.#quantityPixels = Math.ceil(Math.min(wished, Math.max(room, needed)));
    this.element.style.setProperty("--qty", `${this.#quantityPixels}px`);
  }

  /** @param {boolean} base */
  #choose(base) {
    this.#base = base;
    remember(UNIT_KEY, base ? "base" : "contracts");
    this.refresh();
  }
}

/**
 * @param {Topic.BookRow} row
 * @param {boolean} base
 */
const quantityOf = ([, size, inBase], base) => (base ? inBase : size) ?? undefined;
const quantityHead = () => h("span.head.head-qty", {}, "Qty");
const priceHead = () => h("span.head.head-price", {}, "Price");

/** @param {Book} state */
function levelsText(state) {
  const again = state.resyncs > 0 ? ` · ${state.resyncs} resyncs` : "";
  const [bids, asks] = [state.bidLevels, state.askLevels].map((count) => number(String(count)));
  return `${bids} bid, ${asks} ask levels${again}`;
}

class Side {
  #rows = Array.from({ length: ROWS }, () => new Level());

  /**
   * @param {string} kind
   * @param {string} label
   */
  constructor(kind, label) {
    this.element = h(`div.book-side.${kind}`, { role: "table", "aria-label": label },
      ...this.#rows.map((row) => row.element));
  }

  /**
   * @param {Topic.BookRow[]} levels
   * @param {View} view
   */
  update(levels, view) {
    this.#rows.forEach((row, at) => row.update(levels[at], view));
    setAttribute(this.element, "data-dimmed", view.dimmed);
  }
}

class Level {
  #bar = h("span.bar", { "aria-hidden": "true" });
  #size = h("span.size", { role: "cell" });
  #price = h("span.level-price", { role: "cell" });
  /** @type {Topic.BookRow | undefined} */
  #level = undefined;
  /** @type {boolean | undefined} */
  #base = undefined;
  #version = -1;
  /** @type {number | undefined} */
  #decimals = undefined;
  #share = 0;

  constructor() {
    this.element = h("div.level", { role: "row", "data-empty": true }, this.#bar, this.#size,
      this.#price);
  }

  /**
   * @param {Topic.BookRow | undefined} level
   * @param {View} view
   */
  update(level, { decimals, base, column }) {
    const isSame = level === this.#level && base === this.#base && decimals === this.#decimals;
    if (isSame && column.version === this.#version) return;
    this.#level = level;
    this.#decimals = decimals;
    this.#base = base;
    this.#version = column.version;
    setAttribute(this.element, "data-empty", !level);
    if (!level) {
      for (const name of ["title", "aria-label"]) setAttribute(this.#size, name, null);
      setText(this.#size, "");
      setText(this.#price, "");
      return this.#grow(0);
    }
    const [price, , , share] = level;
    setText(this.#price, number(price, decimals));
    column.write(this.#size, quantityOf(level, base));
    this.#grow(Math.min(1000, Math.max(0, share)));
  }

  /** @param {number} share */
  #grow(share) {
    if (share === this.#share) return;
    this.#share = share;
    this.#bar.style.transform = `scaleX(${share / 1000})`;
    setAttribute(this.element, "data-share", share);
  }
}
