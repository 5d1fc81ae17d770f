// One side of the book: twenty rows, best first, and which of them changed of late.

import { compare, sum } from "../base/decimal.js";
import { h, setAttribute } from "../ui/dom.js";
import { Level } from "./level.js";

export const ROWS = 20;
const FLASH_MILLISECONDS = 1000;
const HEATS = 3;

/** @typedef {import("./level.js").RowView & {dimmed: boolean, quiet: boolean}} SideView */

export class Side {
  rows = Array.from({ length: ROWS }, (_, at) => new Level(at));
  /** @type {Topic.BookRow[]} */
  #levels = [];
  /**
   * When a price's size changed, by price.
   * @type {Map<string, number>}
   */
  #changedAt = new Map();

  /**
   * @param {"bids" | "asks"} kind
   * @param {string} label
   */
  constructor(kind, label) {
    this.kind = kind;
    this.element = h(`div.book-side.${kind}`, { role: "table", "aria-label": label },
      ...this.rows.map((row) => row.element));
  }

  /**
   * Draws levels; says whether a row is still fading.
   * @param {Topic.BookRow[]} levels
   * @param {SideView} view `quiet` where a change is no news: a snapshot, or what is not live
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
   * Marks own orders in the rows that their prices belong to.
   * @param {ReadonlyMap<string, string>} own quantities by price
   * @param {string} step the price that a row spans
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

  /**
   * Whether a price belongs to a row: bids are rounded down to it, asks up.
   * @param {string} level
   * @param {string} step
   * @param {string} price
   */
  #holds(level, step, price) {
    const [low, high] = this.kind === "bids" ? [level, price] : [price, level];
    return compare(low, high) <= 0 && compare(high, sum([low, step])) < 0;
  }

  /**
   * @param {Topic.BookRow[]} levels
   * @param {number} now
   */
  #compare(levels, now) {
    const before = new Map(this.#levels.map((level) => [level[0], level[1]]));
    const last = this.#levels.at(-1)?.[0];
    for (const [price, size] of levels) {
      const known = before.get(price);
      // A price that came into view from below is not news.
      const cameIntoView = known === undefined
        && (last === undefined || this.#isBeyond(price, last));
      if (known !== size && !cameIntoView) this.#changedAt.set(price, now);
    }
  }

  /**
   * @param {string} price
   * @param {string} last
   */
  #isBeyond(price, last) {
    const order = compare(price, last);
    return this.kind === "bids" ? order < 0 : order > 0;
  }
}

/**
 * The colour fades in three steps: a fade in each frame would cost more than the whole book.
 * @param {number | undefined} changedAt
 * @param {number} now
 */
function heat(changedAt, now) {
  if (changedAt === undefined) return 0;
  return Math.max(0, HEATS - Math.floor(((now - changedAt) * HEATS) / FLASH_MILLISECONDS));
}
