// Keeps the rows of a list in place while the user may be about to press one. An ended row stays
// for at least two seconds, and while the pointer is on the list. With `holdsNew`, no new row is
// inserted above it meanwhile.

import { motionIsReduced } from "../text/preferences.js";
import { setAttribute } from "./dom.js";

// One tab stop for a whole list: the row focused last, else the first.
export class RovingFocus {
  #list;
  #selector;
  /** @type {Element | null | undefined} */
  #current = null;

  // `selector` matches the focusable rows of `list`.
  /** @param {HTMLElement} list @param {string} selector */
  constructor(list, selector) {
    this.#list = list;
    this.#selector = selector;
    list.addEventListener("focusin", (event) => {
      const row = event.target instanceof Element && event.target.closest(selector);
      if (row) this.#choose(row);
    });
  }

  /** Call after rows are added, removed or moved. */
  arrange() {
    const rows = [...this.#list.querySelectorAll(this.#selector)];
    this.#choose(rows.find((row) => row === this.#current) ?? rows[0], rows);
  }

  /** @param {Element | undefined} chosen @param {(Element | null | undefined)[]} rows */
  #choose(chosen, rows = [this.#current, chosen]) {
    this.#current = chosen ?? null;
    for (const row of rows) if (row) setAttribute(row, "tabindex", row === chosen ? "0" : "-1");
  }
}

// Holds the order of a sorted list during touch, hover or keyboard focus; otherwise rows glide to
// their new places. Values keep updating.
const AFTER_TOUCH_MILLISECONDS = 800;
const GLIDE = { duration: 280, easing: "cubic-bezier(.2,.7,.2,1)" };

export class StillOrder {
  #element;
  #pointed = false;
  #touchedUntil = 0;
  /** @type {string[]} */
  #shown = [];
  /** @type {Map<string, number>} */
  #before = new Map();

  // Calls `refresh` when rows may move again.
  /** @param {HTMLElement} element @param {() => unknown} refresh */
  constructor(element, refresh) {
    this.#element = element;
    element.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#pointed = true;
    });
    element.addEventListener("pointerleave", () => {
      this.#pointed = false;
      refresh();
    });
    element.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.#touchedUntil = Infinity;
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      element.addEventListener(kind, () => {
        this.#touchedUntil = performance.now() + AFTER_TOUCH_MILLISECONDS;
      });
    }
  }

  // The order to show, and whether it differs from `wanted` because it is held.
  /** @param {string[]} wanted */
  arrange(wanted) {
    const same = wanted.length === this.#shown.length
      && wanted.every((key, at) => key === this.#shown[at]);
    if (same) return { keys: this.#shown, held: false };
    const known = new Set(this.#shown);
    const sameRows = wanted.length === known.size && wanted.every((key) => known.has(key));
    if (sameRows && this.#isHeld()) return { keys: this.#shown, held: true };
    this.#before = new Map(this.#shown.map((key, at) => [key, at]));
    this.#shown = [...wanted];
    return { keys: this.#shown, held: false };
  }

  // Call after the rows have moved: animates them from their old places.
  /** @param {Map<string, {element: HTMLElement}>} rows @param {string[]} keys */
  settle(rows, keys) {
    const before = this.#before;
    if (before.size === 0) return;
    this.#before = new Map();
    if (motionIsReduced() || document.hidden) return;
    const height = rows.get(keys[0])?.element.offsetHeight ?? 0;
    keys.forEach((key, at) => {
      const from = before.get(key);
      if (from === undefined || from === at) return;
      const start = { transform: `translateY(${(from - at) * height}px)` };
      rows.get(key)?.element.animate([start, { transform: "none" }], GLIDE);
    });
  }

  #isHeld() {
    const focused = this.#element.contains(document.activeElement)
      && document.activeElement?.matches(":focus-visible");
    return this.#pointed || focused || performance.now() < this.#touchedUntil;
  }
}

const STAYS_MILLISECONDS = 2000;

export class StillRows {
  /** @type {string[]} */
  #shown = [];
  /** @type {Map<string, number>} */
  #left = new Map();
  #isPointed = false;
  #touchedAt = -Infinity;
  #holdsNew;

  // `element` contains the rows; `refresh` is called when they may move again; `holdsNew` delays
  // new rows until then.
  /** @param {HTMLElement} element @param {() => unknown} refresh */
  constructor(element, refresh, { holdsNew = false } = {}) {
    this.#holdsNew = holdsNew;
    element.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#isPointed = true;
    });
    element.addEventListener("pointerleave", () => {
      this.#isPointed = false;
      refresh();
    });
    element.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.#touchedAt = event.timeStamp;
    });
  }

  // The keys to show: `wanted` (numbers, highest first) plus the rows that stay.
  /** @param {string[]} wanted */
  arrange(wanted) {
    const now = performance.now();
    const isHeld = this.#isPointed || now - this.#touchedAt < STAYS_MILLISECONDS;
    const isWanted = new Set(wanted);
    const known = new Set(this.#shown);
    for (const key of isWanted) this.#left.delete(key);
    for (const key of this.#shown) {
      if (!isWanted.has(key) && !this.#left.has(key)) this.#left.set(key, now);
    }
    for (const [key, since] of this.#left) {
      if (!this.#isPointed && now - since >= STAYS_MILLISECONDS) this.#left.delete(key);
    }
    const present = this.#holdsNew && isHeld && known.size > 0
      ? wanted.filter((key) => known.has(key)) : wanted;
    this.#shown = this.#left.size === 0 ? present
      : [...present, ...this.#left.keys()].sort((a, b) => Number(b) - Number(a));
    return this.#shown;
  }

  /** Drops all held rows, for a new filter or search. */
  reset() {
    this.#shown = [];
    this.#left.clear();
  }

  // Whether a key is shown although its row has ended.
  /** @param {string} key */
  hasLeft(key) {
    return this.#left.has(key);
  }
}
