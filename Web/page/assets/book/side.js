// One side of the book: twenty rows, best first, and which of them changed recently.

import { compare, sum } from "../base/decimal.js";
import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText, spokenHeads } from "../ui/dom.js";

/** @typedef {import("../ui/quantity-column.js").QuantityColumn} QuantityColumn */

// One row of the book: own open quantity, price, size, cumulative size, and two bars on one scale,
// drawn as its background. Only changes are written.
/**
 * Row formatting: `base` shows base currency if the book counts contracts; `scale` is the
 * thousandths of a full bar.
 * @typedef {{decimals: number | undefined, base: boolean, sizes: QuantityColumn,
 *   totals: QuantityColumn, scale: number}} RowView
 */

/** @param {Topic.BookRow} row @param {boolean} base */
export const sizeOf = ([, size, inBase], base) => (base ? inBase : size) ?? undefined;

/**
 * The cumulative size from the best row to this one.
 * @param {Topic.BookRow} row
 * @param {boolean} base the cost of contracts of one quote unit each is their size in the base
 *   currency
 */
const totalOf = (row, base) => (base ? row[6] : row[5]) ?? undefined;

export class Level {
  #own = h("span.level-own", { role: "cell" });
  #price = h("span.level-price", { role: "cell" });
  #size = h("span.size", { role: "cell" });
  #total = h("span.level-total", { role: "cell" });
  /** @type {Topic.BookRow | undefined} */
  row = undefined;
  #grown = "";
  #versions = "";
  #scale = 0;

  /** @param {number} at */
  constructor(at) {
    const attributes = { role: "row", "data-empty": true, "data-at": at, tabindex: "-1" };
    this.element = h("div.level", attributes, this.#own, this.#price, this.#size, this.#total);
  }

  /** @param {Topic.BookRow | undefined} row @param {RowView} view */
  update(row, view) {
    const { decimals, base, sizes, totals, scale } = view;
    const versions = `${sizes.version} ${totals.version} ${base} ${decimals}`;
    if (row && scale !== this.#scale) this.#grow(part(row[3], scale), part(row[4], scale));
    this.#scale = scale;
    if (row === this.row && versions === this.#versions) return;
    const before = versions === this.#versions ? this.row : undefined;
    this.row = row;
    this.#versions = versions;
    setAttribute(this.element, "data-empty", !row);
    if (!row) return this.#clear();
    if (row[0] !== before?.[0]) setText(this.#price, number(row[0], decimals));
    const [size, total] = [sizeOf(row, base), totalOf(row, base)];
    if (!before || size !== sizeOf(before, base)) sizes.write(this.#size, size);
    if (!before || total !== totalOf(before, base)) totals.write(this.#total, total);
    this.#grow(part(row[3], scale), part(row[4], scale));
  }

  // Own open quantity in this row, as digits; undefined clears it.
  /** @param {string | undefined} quantity */
  mark(quantity) {
    const text = quantity === undefined ? "" : number(quantity);
    setText(this.#own, text);
    setAttribute(this.element, "data-own", quantity !== undefined);
    setAttribute(this.#own, "title", quantity === undefined ? null
      : t("Your orders: {quantity}", { quantity: text }));
  }

  // How recently its size changed: 3 just now, 0 not recently.
  /** @param {number} heat */
  warm(heat) {
    setAttribute(this.element, "data-heat", this.row && heat > 0 ? heat : null);
  }

  #clear() {
    for (const cell of [this.#size, this.#total]) {
      for (const name of ["title", "aria-label"]) setAttribute(cell, name, null);
    }
    for (const cell of [this.#size, this.#price, this.#total]) setText(cell, "");
    this.#grow(0, 0);
  }

  /** @param {number} total a part of the row's width, from 0 to 1 @param {number} size */
  #grow(total, size) {
    const [high, low] = forcedColors.matches ? ["3px", "1px"] : ["100%", "100%"];
    const grown = `${share(size)} ${high}, ${share(total)} ${low}`;
    if (grown === this.#grown) return;
    this.#grown = grown;
    this.element.style.backgroundSize = grown;
  }
}

/** In forced colours, bars are lines under the numbers. */
const forcedColors = matchMedia("(forced-colors: active)");

/** @param {number} part */
const share = (part) => `${Math.round(1000 * part) / 10}%`;

// A bar's share of its row; rows out of view may exceed the scale.
/** @param {number} share @param {number} scale */
const part = (share, scale) => Math.min(1, Math.max(0, share / Math.max(1, scale)));

export const ROWS = 20;
const FLASH_MILLISECONDS = 1000;
const HEATS = 3;

/** @typedef {RowView & {dimmed: boolean, quiet: boolean}} SideView */

export class Side {
  rows = Array.from({ length: ROWS }, (_, at) => new Level(at));
  /** @type {Topic.BookRow[]} */
  #levels = [];
  // When each price's size changed.
  /** @type {Map<string, number>} */
  #changedAt = new Map();

  /** @param {"bids" | "asks"} kind @param {string} label */
  constructor(kind, label) {
    this.kind = kind;
    this.element = h(`div.book-side.${kind}`, { role: "table", "aria-label": label },
      spokenHeads([t("Yours"), t("Price"), t("Size"), t("Total")],
        ["level-own", "", "", "level-total"]), ...this.rows.map((row) => row.element));
  }

  /**
   * Draws levels; returns whether a row is still fading.
   * @param {Topic.BookRow[]} levels
   * @param {SideView} view `quiet` shows no changes: a snapshot, or a book that is not live
   */
  update(levels, view) {
    const now = performance.now();
    if (view.quiet) this.#changedAt.clear();
    else if (levels !== this.#levels) this.#compare(levels, now);
    this.#levels = levels;
    for (const [price, at] of this.#changedAt) {
      if (now - at >= FLASH_MILLISECONDS) this.#changedAt.delete(price);
    }
    this.rows.forEach((row, at) => {
      row.update(levels[at], view);
      row.warm(heat(this.#changedAt.get(levels[at]?.[0] ?? ""), now));
    });
    setAttribute(this.element, "data-dimmed", view.dimmed);
    return this.#changedAt.size > 0;
  }

  /**
   * Marks own orders in the rows of their prices.
   * @param {ReadonlyMap<string, string>} own quantities by price
   * @param {string} step the price range of a row
   */
  mark(own, step) {
    /** @type {Map<number, string[]>} */
    const found = new Map();
    for (const [price, quantity] of own) {
      const at = this.#levels.findIndex(([level]) => this.#holds(level, step, price));
      if (at >= 0) found.set(at, [...(found.get(at) ?? []), quantity]);
    }
    this.rows.forEach((row, at) => {
      const quantities = found.get(at);
      row.mark(quantities && sum(quantities));
    });
  }

  // Whether a price belongs to a row: bids round down to it, asks up.
  /** @param {string} level @param {string} step @param {string} price */
  #holds(level, step, price) {
    const [low, high] = this.kind === "bids" ? [level, price] : [price, level];
    return compare(low, high) <= 0 && compare(high, sum([low, step])) < 0;
  }

  /** @param {Topic.BookRow[]} levels @param {number} now */
  #compare(levels, now) {
    const before = new Map(this.#levels.map((level) => [level[0], level[1]]));
    const last = this.#levels.at(-1)?.[0];
    for (const [price, size] of levels) {
      const known = before.get(price);
      // A price that entered the view from below is not highlighted.
      const cameIntoView = known === undefined
        && (last === undefined || this.#isBeyond(price, last));
      if (known !== size && !cameIntoView) this.#changedAt.set(price, now);
    }
  }

  /** @param {string} price @param {string} last */
  #isBeyond(price, last) {
    const order = compare(price, last);
    return this.kind === "bids" ? order < 0 : order > 0;
  }
}

// The colour fades in three steps: fading every frame would cost more than the whole book.
/** @param {number | undefined} changedAt @param {number} now */
function heat(changedAt, now) {
  if (changedAt === undefined) return 0;
  return Math.max(0, HEATS - Math.floor(((now - changedAt) * HEATS) / FLASH_MILLISECONDS));
}
