// The order book: 20 bids at the left and 20 asks at the right, best at the top, each row with a
// bar for the size from the best price down to it. One scale for both sides.

import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { Panel } from "./panel.js";

const ROWS = 20;
const UNIT_KEY = "livetape.bookUnit";

export class BookPanel extends Panel {
  #base = false;
  #contractsButton = h("button.segment", { type: "button" }, "Contracts");
  #baseButton = h("button.segment", { type: "button" }, "XBT");
  #spread = h("p.spread");
  #levels = h("span.levels");
  #quantityHeads = [quantityHead(), quantityHead()];
  #units;
  #heads = { bids: priceHead(), asks: priceHead() };
  #sides = { bids: new Side("bids", "Bids, best first"), asks: new Side("asks", "Asks, best first") };
  #noRows = h("p.empty", { hidden: true });

  constructor(context, symbol) {
    super(context, symbol, { kind: "book", title: "Order Book", topic: "book" });
    this.#base = readUnit();
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
    this.pane.body.append(h("div.book-sides", {}, this.#sides.bids.element, this.#sides.asks.element), this.#noRows);
  }

  render() {
    const known = this.known("The order book");
    setAttribute(this.element, "data-loading", !known);
    setAttribute(this.#contractsButton, "aria-pressed", String(!this.#base));
    setAttribute(this.#baseButton, "aria-pressed", String(this.#base));
    if (!known) return;
    const { state, freshness } = known;
    setText(this.#baseButton, state.base ?? "Base");
    // Where sizes are amounts of the base currency, there is nothing to switch.
    const isBase = state.unit === "base";
    setAttribute(this.element, "data-unit", state.unit);
    setAttribute(this.#units, "hidden", isBase);
    for (const head of this.#quantityHeads) setText(head, isBase ? `Qty (${state.base})` : "Qty");
    for (const head of Object.values(this.#heads)) setText(head, `Price (${state.quote ?? ""})`);
    const view = { decimals: state.priceDecimals, base: this.#base && !isBase, dimmed: freshness.dimmed };
    this.#sides.bids.update(state.bids ?? [], view);
    this.#sides.asks.update(state.asks ?? [], view);
    const empty = !(state.bids?.length || state.asks?.length);
    setAttribute(this.#noRows, "hidden", !empty);
    setText(this.#noRows, state.status === "synced" ? "The book is empty." : "Waiting for the book’s first snapshot.");
    setText(this.#spread, state.spread === undefined ? "Spread –" : `Spread ${number(state.spread, state.priceDecimals)}`);
    setText(this.#levels, levelsText(state));
    setAttribute(this.#spread, "data-dimmed", freshness.dimmed);
  }

  #choose(base) {
    this.#base = base;
    try {
      localStorage.setItem(UNIT_KEY, base ? "base" : "contracts");
    } catch {
      // Not remembered, but switched.
    }
    this.refresh();
  }
}

const quantityHead = () => h("span.head.head-qty", {}, "Qty");
const priceHead = () => h("span.head.head-price", {}, "Price");

function readUnit() {
  try {
    return localStorage.getItem(UNIT_KEY) === "base";
  } catch {
    return false;
  }
}

function levelsText(state) {
  if (state.bidLevels === undefined) return "";
  const again = state.resyncs > 0 ? ` · ${state.resyncs} resyncs` : "";
  return `${number(String(state.bidLevels))} bid, ${number(String(state.askLevels))} ask levels${again}`;
}

class Side {
  #rows = Array.from({ length: ROWS }, () => new Level());

  constructor(kind, label) {
    this.element = h(`div.book-side.${kind}`, { role: "table", "aria-label": label }, ...this.#rows.map((row) => row.element));
  }

  update(levels, view) {
    this.#rows.forEach((row, at) => row.update(levels[at], view));
    setAttribute(this.element, "data-dimmed", view.dimmed);
  }
}

class Level {
  #bar = h("span.bar", { "aria-hidden": "true" });
  #size = h("span.size", { role: "cell" });
  #price = h("span.level-price", { role: "cell" });
  #level = undefined;
  #base = undefined;
  #share = 0;

  constructor() {
    this.element = h("div.level", { role: "row", "data-empty": true }, this.#bar, this.#size, this.#price);
  }

  update(level, { decimals, base }) {
    if (level === this.#level && base === this.#base) return;
    this.#level = level;
    this.#base = base;
    setAttribute(this.element, "data-empty", !level);
    if (!level) {
      setText(this.#size, "");
      setText(this.#price, "");
      return this.#grow(0);
    }
    const [price, contracts, inBase, share] = level;
    setText(this.#price, number(price, decimals));
    setText(this.#size, number(base ? inBase : contracts));
    this.#grow(Math.min(1000, Math.max(0, Number(share) || 0)));
  }

  #grow(share) {
    if (share === this.#share) return;
    this.#share = share;
    this.#bar.style.transform = `scaleX(${share / 1000})`;
    setAttribute(this.element, "data-share", share);
  }
}
