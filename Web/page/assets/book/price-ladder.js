// Depth of market (DOM): one row per price step, so that a price keeps its place while quantities
// change. A click places an order or fills in the ticket; own orders are dragged to another price.
// Where the book ends, quantities are not known, which is not the same as none.

import { compare, decimal, sum, written } from "../base/decimal.js";
import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, icon, oneStop, setAttribute, setText } from "../ui/dom.js";
import { PressGuard } from "../ui/press-guard.js";
import { QuantityColumn } from "../ui/quantity-column.js";
import { toast } from "../ui/toast.js";
import { sizeOf } from "./side.js";

/** @typedef {import("./book.js").BookDesk} BookDesk */
/** @typedef {{size: string | undefined, share: number}} Known */
/** @typedef {{text: string, lines: import("./book.js").OwnLine[]}} Own */
/** @typedef {{dimmed: boolean, base: boolean, last: string | undefined}} View */

/** Rows on both sides of the middle one; the axis moves along before they run out. */
const REACH = 100;
const ROWS = 2 * REACH + 1;
/** Rows left in the scrolling direction at which the axis moves along. */
const EDGE = 20;
/** A press becomes a drag after this many pixels. */
const DRAG_PIXELS = 4;
/** Quantities to choose from. */
const PRESETS = 3;

/** @type {{[kind in "bid" | "ask"]: Wire.Side}} */
const SIDES = { bid: "buy", ask: "sell" };

class Row {
  #price = h("span.dom-price", { role: "rowheader" });
  #cells = { bid: h("span.dom-bid", { role: "gridcell", tabindex: "-1", "data-kind": "bid" }),
    ask: h("span.dom-ask", { role: "gridcell", tabindex: "-1", "data-kind": "ask" }) };
  #own = { buy: h("span.dom-own.dom-buys", { role: "gridcell" }),
    sell: h("span.dom-own.dom-sells", { role: "gridcell" }) };
  #drawn = { bid: "", ask: "", buy: "", sell: "" };

  /** @param {number} at */
  constructor(at) {
    this.element = h("div.dom-row", { role: "row", "data-at": at },
      this.#own.buy, this.#cells.bid, this.#price, this.#cells.ask, this.#own.sell);
  }

  /** @param {"bid" | "ask"} kind */
  focus(kind) {
    this.#cells[kind].focus({ focusVisible: true });
  }

  /** @param {string} price */
  name(price) {
    setText(this.#price, price);
  }

  /**
   * @param {"bid" | "ask"} kind
   * @param {Known | null | undefined} level null where quantities are not known
   * @param {QuantityColumn} sizes
   */
  show(kind, level, sizes) {
    const share = level ? level.share : 0;
    const drawn = `${level === null ? "?" : level?.size} ${share} ${sizes.version}`;
    if (drawn === this.#drawn[kind]) return;
    this.#drawn[kind] = drawn;
    const cell = this.#cells[kind];
    if (level) {
      sizes.write(cell, level.size);
    } else {
      setText(cell, "");
      setAttribute(cell, "title", null);
      setAttribute(cell, "aria-label", level === null ? t("Quantity not known") : null);
    }
    setAttribute(cell, "data-unknown", level === null);
    cell.style.backgroundSize = `${share / 10}% 100%`;
  }

  // Own orders here: their quantity, to be dragged, and a button that cancels them.
  /** @param {Wire.Side} side @param {Own | undefined} own @param {boolean} isPending */
  own(side, own, isPending) {
    const drawn = own ? `${own.text} ${isPending} ${own.lines.map(({ id }) => id).join(" ")}` : "";
    if (drawn === this.#drawn[side]) return;
    this.#drawn[side] = drawn;
    this.#own[side].replaceChildren(...own ? [
      h("span.dom-order", { "data-side": side, "data-pending": isPending,
        title: t("Drag to another price") }, own.text),
      h("button.dom-cancel", { type: "button", tabindex: "-1", "data-side": side,
        "data-changes": "", hidden: isPending,
        "aria-label": t("Cancel your orders: {quantity}", { quantity: own.text }) }, "×")] : []);
  }
}

export class PriceLadder {
  #rows = Array.from({ length: ROWS }, (_, at) => new Row(at));
  #grid = h("div.dom-rows", { role: "grid", tabindex: "0", "aria-label": t("Depth of market") },
    ...this.#rows.map(({ element }) => element));
  #quantity = h("input.field.dom-quantity", { type: "text", inputmode: "decimal", maxlength: "40",
    autocomplete: "off", spellcheck: "false", "aria-label": t("Order quantity") });
  #presets = Array.from({ length: PRESETS }, () => h("button.preset", { type: "button" }));
  #centre = toggle(icon("centre"), t("Keep the best prices in the middle"),
    t("Keep the best prices in the middle"));
  #oneClick = toggle(t("One click"), t("One click"),
    t("A click on a quantity places a limit order at its price, good till cancelled."));
  #head = h("div.dom-head", {}, this.#quantity,
    oneStop(h("div.presets", { role: "group", "aria-label": t("Quantities") }, ...this.#presets)),
    this.#oneClick, this.#centre);
  #sizes = new QuantityColumn();
  /** Rows have moved: a press was aimed at another price. */
  #guard = new PressGuard(this.#grid);
  #ask;
  #desk;
  #again;
  /** Price units of a row, and their decimals. */
  #step = { units: 0n, scale: 0 };
  /** The first row's price in steps; row `at` is `at` steps below it. */
  #top = 0;
  #middle = 0;
  /** The market and step that the axis is for. */
  #axis = "";
  /** What the rows' prices were written for. */
  #names = "";
  #isLocked = true;
  #isPointed = false;
  #scrolledTo = 0;
  #row = 20;
  #height = 0;
  /** @type {{side: Wire.Side, ids: string[], at: number, from: number, y: number,
   *   isMoving: boolean} | null} */
  #drag = null;
  /** Orders on their way to another price, in steps, until the list of orders has them there. */
  /** @type {Map<string, number>} */
  #moving = new Map();

  /**
   * @param {() => BookDesk | null} desk
   * @param {(price: string, event: MouseEvent) => void} ask offers an alert at a price
   * @param {() => void} again redraws
   */
  constructor(desk, ask, again) {
    this.#desk = desk;
    this.#ask = ask;
    this.#again = again;
    const heads = h("div.dom-heads", { "aria-hidden": "true" },
      ...[t("Yours"), t("Bids"), t("Price"), t("Asks"), t("Yours")].map((text) =>
        h("span.head", {}, text)));
    this.element = h("div.dom", {}, this.#head, heads, this.#grid);
    setAttribute(this.#centre, "aria-pressed", "true");
    this.#listen();
  }

  // Sets the fonts and the room, in pixels.
  /** @param {string} font @param {number} width @param {number} price the width of a price */
  resize(font, width, price) {
    this.element.style.setProperty("--price", `${price}px`);
    this.#sizes.resize(font, Math.floor((width - price) * 0.3) - 8);
    this.#row = this.#rows[0].element.offsetHeight || this.#row;
    if (this.#grid.clientHeight === this.#height) return;
    this.#height = this.#grid.clientHeight;
    if (this.#isLocked) this.#scrollTo(this.#middle);
  }

  /** @param {Topic.KnownBook} book @param {View} view */
  update(book, view) {
    const step = decimal(book.groups.find(([ticks]) => ticks === book.group)?.[1]);
    if (!step || step.units <= 0n) return;
    this.#step = step;
    const sides = { bid: this.#levels(book.bids, false, view), ask: this.#levels(book.asks, true,
      view) };
    this.#follow(book, sides);
    const last = view.last === undefined ? NaN : this.#stepsOf(view.last, false);
    const lines = this.#desk()?.lines ?? [];
    const own = { buy: this.#ownOf(lines, "buy"), sell: this.#ownOf(lines, "sell") };
    const target = this.#drag?.isMoving ? this.#drag.at : NaN;
    // No two rows have one name, also while the venue's decimals are not known.
    const decimals = Math.max(book.priceDecimals ?? 0, step.scale);
    const names = `${this.#axis} ${this.#top} ${decimals}`;
    this.#rows.forEach((row, at) => {
      const steps = this.#top - at;
      if (names !== this.#names) row.name(number(this.#priceAt(steps), decimals));
      setAttribute(row.element, "data-last", steps === last);
      const [{ bid, ask }, isBelow, isAbove] = [sides, steps < sides.bid.low,
        steps > sides.ask.high];
      row.show("bid", isBelow ? null : bid.levels.get(steps), this.#sizes);
      row.show("ask", isAbove ? null : ask.levels.get(steps), this.#sizes);
      for (const side of /** @type {const} */ (["buy", "sell"])) {
        const here = own[side].get(steps);
        row.own(side, here, here?.lines.some(({ id }) => this.#moving.has(id)) ?? false);
      }
      setAttribute(row.element, "data-target", steps === target);
    });
    this.#names = names;
    setAttribute(this.element, "data-dimmed", view.dimmed);
    this.#offer();
  }

  /** Quantities to choose from: powers of ten worth about 100, 1,000 and 10,000. */
  #offer() {
    const market = this.#desk()?.market;
    const price = decimal(market?.ask ?? market?.bid);
    const step = market?.quantityStep;
    setAttribute(this.#head, "data-closed", !market || this.#desk()?.viewsOnly);
    if (!price || !step || price.units <= 0n) return;
    const digits = price.units.toString().length - 1 - price.scale;
    const smallest = powerOfTen(1 - digits);
    const first = compare(smallest, step) < 0 ? step : smallest;
    this.#presets.forEach((button, at) => {
      const quantity = times(first, 10n ** BigInt(at));
      setText(button, number(quantity));
      button.dataset.quantity = quantity;
    });
    if (this.#quantity.dataset.market === market.symbol) return;
    this.#quantity.dataset.market = market.symbol;
    this.#quantity.value = number(first);
  }

  /**
   * The levels of one side by price in steps; bids round down to a step, asks up.
   * @param {Topic.BookRow[]} rows @param {boolean} up @param {View} view
   */
  #levels(rows, up, { base }) {
    const most = Math.max(1, ...rows.map((row) => row[4]));
    /** @type {Map<number, Known>} */
    const levels = new Map();
    for (const row of rows) {
      const steps = this.#stepsOf(row[0], up);
      const [before, size] = [levels.get(steps), sizeOf(row, base)];
      levels.set(steps, { size: before ? sum([before.size, size]) : size,
        share: (before?.share ?? 0) + Math.round((row[4] * 1000) / most) });
    }
    const found = [...levels.keys()];
    return { levels, low: Math.min(Infinity, ...found), high: Math.max(-Infinity, ...found) };
  }

  /** @param {readonly import("./book.js").OwnLine[]} lines @param {Wire.Side} side */
  #ownOf(lines, side) {
    /** @type {Map<number, Own>} */
    const own = new Map();
    for (const line of lines) {
      if (line.side !== side) continue;
      const listed = this.#stepsOf(line.price, side === "sell");
      if (this.#moving.get(line.id) === listed) this.#moving.delete(line.id);
      const steps = this.#moving.get(line.id) ?? listed;
      const all = [...own.get(steps)?.lines ?? [], line];
      const waits = all.find(({ waits: word }) => word !== undefined)?.waits;
      const text = number(sum(all.map(({ leaves }) => leaves)));
      own.set(steps, { lines: all, text: waits ? `${waits} ${text}` : text });
    }
    return own;
  }

  /** @param {string} price @param {boolean} up */
  #stepsOf(price, up) {
    const value = decimal(price);
    if (!value) return NaN;
    const scale = Math.max(value.scale, this.#step.scale);
    const units = value.units * 10n ** BigInt(scale - value.scale);
    const step = this.#step.units * 10n ** BigInt(scale - this.#step.scale);
    const whole = units / step;
    return Number(up && whole * step < units ? whole + 1n : whole);
  }

  /** @param {number} steps */
  #priceAt(steps) {
    const { units, scale } = this.#step;
    return steps > 0 ? written({ units: BigInt(steps) * units, scale }) : undefined;
  }

  /**
   * Keeps the best prices in sight: at once for another market or step, else only while the
   * pointer is elsewhere, so that no price moves away under it.
   * @param {Topic.KnownBook} book
   * @param {{bid: {high: number}, ask: {low: number}}} sides
   */
  #follow(book, { bid, ask }) {
    const best = [bid.high, ask.low].filter(Number.isFinite);
    if (best.length === 0) return;
    this.#middle = Math.round(best.reduce((all, one) => all + one, 0) / best.length);
    const axis = `${book.venue} ${book.symbol} ${written(this.#step)}`;
    if (axis !== this.#axis) {
      this.#axis = axis;
      this.#isLocked = true;
      this.#moving.clear();
      return this.#scrollTo(this.#middle);
    }
    if (!this.#isLocked || this.#isPointed || this.#drag) return undefined;
    const seen = this.#height / this.#row;
    const away = this.#middle - (this.#top - (this.#scrolledTo + this.#height / 2) / this.#row);
    return Math.abs(away) > Math.max(2, seen / 4) ? this.#scrollTo(this.#middle) : undefined;
  }

  // Scrolls a price to the middle.
  /** @param {number} steps */
  #scrollTo(steps) {
    this.#top = steps + REACH;
    const above = Math.floor(this.#height / this.#row / 2);
    this.#scrolledTo = (REACH - above) * this.#row;
    this.#guard.changed();
    this.#grid.scrollTop = this.#scrolledTo;
  }

  // After the user has scrolled: the axis moves along before its rows run out.
  #scrolled() {
    const to = this.#grid.scrollTop;
    if (Math.abs(to - this.#scrolledTo) < 2) return;
    this.#lock(false);
    const above = Math.floor(to / this.#row);
    const below = ROWS - Math.ceil((to + this.#height) / this.#row);
    const by = above < EDGE ? REACH - EDGE - above : below < EDGE ? below + EDGE - REACH : 0;
    this.#top += by;
    this.#scrolledTo = to + by * this.#row;
    if (by === 0) return;
    this.#grid.scrollTop = this.#scrolledTo;
    this.#again();
  }

  /** @param {boolean} isLocked */
  #lock(isLocked) {
    this.#isLocked = isLocked;
    setAttribute(this.#centre, "aria-pressed", String(isLocked));
    if (!isLocked) return;
    this.#scrollTo(this.#middle);
    this.#again();
  }

  #listen() {
    const grid = this.#grid;
    grid.addEventListener("scroll", () => this.#scrolled());
    grid.addEventListener("pointerenter", () => { this.#isPointed = true; });
    grid.addEventListener("pointerleave", () => { this.#isPointed = false; });
    grid.addEventListener("click", (event) => this.#click(event));
    grid.addEventListener("contextmenu", (event) => {
      const price = this.#priceAt(this.#top - rowOf(event.target));
      if (price !== undefined) this.#ask(price, event);
    });
    grid.addEventListener("keydown", (event) => this.#press(event));
    grid.addEventListener("pointerdown", (event) => this.#grab(event));
    grid.addEventListener("pointermove", (event) => this.#pull(event));
    grid.addEventListener("pointerup", () => this.#drop());
    grid.addEventListener("pointercancel", () => this.#release());
    this.#centre.addEventListener("click", () => this.#lock(!this.#isLocked));
    this.#oneClick.addEventListener("click", () => setAttribute(this.#oneClick, "aria-pressed",
      String(this.#oneClick.getAttribute("aria-pressed") !== "true")));
    for (const button of this.#presets) {
      button.addEventListener("click", () => {
        this.#quantity.value = number(button.dataset.quantity);
      });
    }
  }

  /** @param {Event} event */
  #click({ target }) {
    if (!(target instanceof HTMLElement)) return;
    const steps = this.#top - rowOf(target);
    if (target.matches(".dom-cancel")) this.#cancel(steps, sideOf(target));
    else this.#take(target.dataset.kind, steps);
  }

  /** @param {string | undefined} kind @param {number} steps */
  async #take(kind, steps) {
    const [desk, price] = [this.#desk(), this.#priceAt(steps)];
    if (!desk || desk.viewsOnly || price === undefined) return;
    if (kind !== "bid" && kind !== "ask") return;
    const side = SIDES[kind];
    if (this.#oneClick.getAttribute("aria-pressed") !== "true") {
      desk.take(side, price);
      return;
    }
    const quantity = await desk.readNumber(this.#quantity.value);
    setAttribute(this.#quantity, "aria-invalid", quantity === "" ? "true" : null);
    if (quantity === "") this.#quantity.focus();
    else this.#report(desk.place(side, price, quantity));
  }

  /** @param {number} steps @param {Wire.Side} side */
  #cancel(steps, side) {
    const desk = this.#desk();
    if (!desk || desk.viewsOnly) return;
    for (const { id } of this.#ownOf(desk.lines, side).get(steps)?.lines ?? []) desk.cancel(id);
  }

  // A problem is shown, whatever screen is shown by then.
  /** @param {Promise<string | undefined>} outcome */
  async #report(outcome) {
    const problem = await outcome;
    if (problem) toast(problem, true);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return;
    if (key === "Escape" && this.#drag) {
      event.stopPropagation();
      return this.#release();
    }
    const kind = target.dataset.kind === "ask" ? "ask" : "bid";
    const isCell = target.dataset.kind !== undefined;
    const at = isCell ? rowOf(target) : this.#top - this.#middle;
    if (isCell && (key === "Enter" || key === " ")) this.#take(kind, this.#top - at);
    else if (isCell && key === "Delete") this.#cancel(this.#top - at, SIDES[kind]);
    else if (key === "ArrowLeft" || key === "ArrowRight") {
      this.#rows[at]?.focus(key === "ArrowLeft" ? "bid" : "ask");
    } else if (key === "Home") this.#rows[this.#top - this.#middle]?.focus(kind);
    else if (key === "ArrowUp" || key === "ArrowDown") {
      this.#rows[isCell ? at + (key === "ArrowUp" ? -1 : 1) : at]?.focus(kind);
    } else return;
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #grab({ target, button, clientY, pointerId }) {
    const desk = this.#desk();
    if (!(target instanceof HTMLElement) || !target.matches(".dom-order") || button !== 0) return;
    if (!desk || desk.viewsOnly) return;
    const [side, from] = [sideOf(target), this.#top - rowOf(target)];
    const lines = this.#ownOf(desk.lines, side).get(from)?.lines ?? [];
    const ids = lines.filter(({ id, waits }) => waits === undefined && !this.#moving.has(id))
      .map(({ id }) => id);
    if (ids.length === 0) return;
    this.#drag = { side, ids, from, at: from, y: clientY, isMoving: false };
    this.#grid.setPointerCapture(pointerId);
  }

  /** @param {PointerEvent} event */
  #pull({ clientY }) {
    const drag = this.#drag;
    if (!drag || (!drag.isMoving && Math.abs(clientY - drag.y) < DRAG_PIXELS)) return;
    drag.isMoving = true;
    const y = clientY - this.#grid.getBoundingClientRect().top + this.#grid.scrollTop;
    drag.at = this.#top - Math.min(ROWS - 1, Math.max(0, Math.floor(y / this.#row)));
    this.#again();
  }

  #drop() {
    const [drag, desk] = [this.#drag, this.#desk()];
    this.#release();
    const price = drag ? this.#priceAt(drag.at) : undefined;
    if (!drag?.isMoving || drag.at === drag.from || !desk || price === undefined) return;
    for (const id of drag.ids) this.#report(this.#move(desk, id, drag.at, price));
    this.#again();
  }

  /** @param {BookDesk} desk @param {string} id @param {number} steps @param {string} price */
  async #move(desk, id, steps, price) {
    this.#moving.set(id, steps);
    const problem = await desk.amend(id, price);
    // The list of orders may lag the answer: an accepted order waits there for it.
    const line = desk.lines.find((each) => each.id === id);
    if (problem !== undefined || !line || compare(line.price, price) !== 0) {
      this.#moving.delete(id);
    }
    this.#again();
    return problem;
  }

  #release() {
    if (!this.#drag) return;
    this.#drag = null;
    this.#again();
  }
}

/** @param {Child} face @param {string} label @param {string} title */
const toggle = (face, label, title) =>
  h("button.preset.dom-toggle", { type: "button", title, "aria-label": label,
    "aria-pressed": "false" }, face);

/** @param {EventTarget | null} target */
const rowOf = (target) => {
  const row = target instanceof Element ? target.closest(".dom-row") : null;
  return row instanceof HTMLElement ? Number(row.dataset.at) : NaN;
};

/** @param {HTMLElement} element @returns {Wire.Side} */
const sideOf = ({ dataset }) => (dataset.side === "sell" ? "sell" : "buy");

/** @param {number} exponent */
const powerOfTen = (exponent) => (exponent >= 0 ? `${10n ** BigInt(exponent)}`
  : written({ units: 1n, scale: -exponent }));

/** @param {string} digits @param {bigint} factor */
function times(digits, factor) {
  const { units, scale } = decimal(digits) ?? { units: 0n, scale: 0 };
  // Without trailing zeros: 1, not 1.000.
  const text = written({ units: units * factor, scale });
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
