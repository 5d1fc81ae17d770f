// A long list of which only the rows in view exist. Rows are reused; the focused one stays until it
// loses focus.

import { forget, invalidate } from "../base/scheduler.js";
import { h, setAttribute } from "../ui/dom.js";

const rootPixels = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
const isDense = matchMedia("(pointer: fine) and (min-width: 43.75rem)");
// Row height in CSS pixels, --row in the style sheet: two lines for a mouse, or a touch target.
export const rowPixels = () => Math.round((isDense.matches ? 2 : 3) * rootPixels);
/** Rows above and below those in view, so that a wheel step finds them drawn. */
const MARGIN_ROWS = 6;
/** A limit for any window height: each row opens a topic. */
const MAXIMUM_ROWS = 100;
/** How often to check which rows stayed in view. */
const SETTLE_MILLISECONDS = 100;

/**
 * A row that shows one market after another.
 * @template T
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(item: T) => void} bind shows another item
 * @property {() => void} release shows nothing
 * @property {(stayed: number) => boolean} settle runs after so many milliseconds in view; returns
 *   whether to run again
 */

/** @template {{id: string}} T @template {View<T>} V */
export class VirtualRows {
  /** @type {Map<string, V>} */
  views = new Map();
  /** @type {T[]} */
  items = [];
  row = rowPixels();
  #scroller;
  #room;
  #make;
  /** @type {V[]} */
  #free = [];
  /** @type {Map<string, number>} */
  #places = new Map();
  /** @type {Map<string, number>} */
  #since = new Map();
  /** The row that the Tab key reaches. */
  #current = "";
  #timer = 0;
  /** The view as last measured: drawing rows triggers no layout. */
  #top = 0;
  #height = 0;
  #observer;
  #draw = () => this.draw();

  // `room` is as high as all rows together and holds those that exist; `scroller` scrolls it.
  /** @param {HTMLElement} scroller @param {HTMLElement} room @param {() => V} make */
  constructor(scroller, room, make) {
    this.#scroller = scroller;
    this.#room = room;
    this.#make = make;
    scroller.addEventListener("scroll", () => {
      this.#top = scroller.scrollTop;
      invalidate(this.#draw);
    }, { passive: true });
    this.#observer = new ResizeObserver(() => {
      // The headings cover the top.
      this.#height = Math.max(0, scroller.clientHeight - room.offsetTop);
      this.#top = scroller.scrollTop;
      invalidate(this.#draw);
    });
    this.#observer.observe(scroller);
    this.#observer.observe(room);
    room.addEventListener("focusin", (event) => {
      const row = event.target instanceof Element && event.target.closest("[data-row]");
      if (row) this.#choose(row.getAttribute("data-row") ?? "");
    });
  }

  /** The item that has focus, or had it last. */
  get current() {
    return this.items[this.#places.get(this.#current) ?? -1];
  }

  /** @param {string} id */
  placeOf(id) {
    return this.#places.get(id) ?? -1;
  }

  // Shows these items, in this order.
  /** @param {T[]} items */
  arrange(items) {
    this.items = items;
    this.#places = new Map(items.map(({ id }, at) => [id, at]));
    this.#room.style.height = `${items.length * this.row}px`;
    for (const [id, view] of this.views) {
      const at = this.#places.get(id);
      if (at !== undefined) view.bind(items[at]);
    }
    this.draw();
    // An item may have changed, and with it what its view needs.
    this.#settleSoon();
  }

  /** Creates the rows in view. */
  draw() {
    const wanted = this.#wanted();
    for (const [id, view] of this.views) {
      if (!wanted.has(id)) this.#put(id, view);
    }
    let isNew = false;
    for (const [id, at] of wanted) {
      let view = this.views.get(id);
      if (!view) {
        view = this.#free.pop() ?? this.#makeView();
        if (view.element.hidden) view.element.hidden = false;
        setAttribute(view.element, "data-row", id);
        view.bind(this.items[at]);
        this.views.set(id, view);
        this.#since.set(id, performance.now());
        isNew = true;
      }
      const place = `translateY(${at * this.row}px)`;
      if (view.element.style.transform !== place) view.element.style.transform = place;
      // The headings are the first row.
      setAttribute(view.element, "aria-rowindex", at + 2);
      setAttribute(view.element, "tabindex", id === this.#current ? "0" : "-1");
    }
    for (const { element } of this.#free) if (!element.hidden) element.hidden = true;
    if (isNew) this.#settleSoon();
  }

  // Focuses a place in the list and scrolls it into view.
  /** @param {number} at */
  focus(at) {
    const item = this.items[Math.max(0, Math.min(at, this.items.length - 1))];
    if (!item) return;
    this.#choose(item.id);
    this.reveal(item.id);
    this.draw();
    this.views.get(item.id)?.element.focus({ preventScroll: true, focusVisible: true });
  }

  // Scrolls no further than needed to show a row.
  /** @param {string} id */
  reveal(id) {
    const at = this.placeOf(id);
    if (at < 0) return;
    const [start, end] = [at * this.row, (at + 1) * this.row];
    if (start < this.#top) this.scrollTo(start);
    else if (end > this.#top + this.#height) this.scrollTo(end - this.#height);
  }

  /** @param {number} top */
  scrollTo(top) {
    this.#scroller.scrollTop = top;
    this.#top = this.#scroller.scrollTop;
  }

  /** The number of whole rows in view. */
  get page() {
    return Math.max(1, Math.floor(this.#height / this.row) - 1);
  }

  // The gap between two rows at a height of the window.
  /** @param {number} clientY */
  gapAt(clientY) {
    const y = clientY - this.#room.getBoundingClientRect().top;
    return Math.max(0, Math.min(this.items.length, Math.round(y / this.row)));
  }

  dispose() {
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    forget(this.#draw);
    for (const view of this.views.values()) view.release();
    this.views.clear();
  }

  /** @returns {Map<string, number>} */
  #wanted() {
    const top = Math.min(this.#top, this.items.length * this.row - this.#height);
    const first = Math.max(0, Math.floor(top / this.row) - MARGIN_ROWS);
    const end = Math.min(this.items.length, first + MAXIMUM_ROWS,
      Math.ceil((top + this.#height) / this.row) + MARGIN_ROWS);
    /** @type {Map<string, number>} */
    const wanted = new Map();
    for (let at = first; at < end; at += 1) wanted.set(this.items[at].id, at);
    const hasFocus = this.#room.contains(document.activeElement);
    if (!hasFocus) {
      const seen = this.items[Math.max(0, Math.min(end - 1, Math.ceil(top / this.row)))];
      if (!wanted.has(this.#current)) this.#current = seen?.id ?? "";
    }
    const at = this.#places.get(this.#current);
    if (at !== undefined) wanted.set(this.#current, at);
    return wanted;
  }

  #makeView() {
    const view = this.#make();
    this.#room.append(view.element);
    return view;
  }

  /** @param {string} id @param {V} view */
  #put(id, view) {
    view.release();
    setAttribute(view.element, "data-row", null);
    this.views.delete(id);
    this.#since.delete(id);
    this.#free.push(view);
  }

  /** @param {string} id */
  #choose(id) {
    if (id === this.#current) return;
    const before = this.views.get(this.#current);
    if (before) setAttribute(before.element, "tabindex", "-1");
    this.#current = id;
    const now = this.views.get(id);
    if (now) setAttribute(now.element, "tabindex", "0");
  }

  #settleSoon() {
    this.#timer ||= setTimeout(() => this.#settle(), SETTLE_MILLISECONDS);
  }

  #settle() {
    this.#timer = 0;
    const now = performance.now();
    let isUnsettled = false;
    for (const [id, view] of this.views) {
      isUnsettled = view.settle(now - (this.#since.get(id) ?? now)) || isUnsettled;
    }
    if (isUnsettled) this.#settleSoon();
    else this.#sortElements();
  }

  /** Puts elements in list order, as screen readers read them. The focused one stays. */
  #sortElements() {
    const views = [...this.views].sort(([a], [b]) => this.placeOf(a) - this.placeOf(b));
    const held = views.findIndex(([, { element }]) => element.contains(document.activeElement));
    const elements = views.map(([, { element }]) => element);
    let next = this.#room.firstChild;
    elements.forEach((element, at) => {
      if (at === held) next = element.nextSibling;
      else if (element === next) next = element.nextSibling;
      else this.#room.insertBefore(element, at < held ? elements[held] : next);
    });
  }
}

// Moves a row by its grip: a line shows its new place, the list scrolls at its edges, and Esc
// cancels.
const EDGE_PIXELS = 40;
const SCROLL_PIXELS = 10;

export class RowDrag {
  #line = h("div.drop-line", { "aria-hidden": "true", hidden: true });
  #rows;
  #scroller;
  #drop;
  #id = "";
  #gap = -1;
  #y = 0;
  #frame = 0;

  /**
   * @param {object} list
   * @param {HTMLElement} list.room the rows' container
   * @param {HTMLElement} list.scroller
   * @param {{gapAt: (clientY: number) => number, row: number,
   *   views: Map<string, {element: HTMLElement}>}}
   *   list.rows
   * @param {(id: string, gap: number) => void} list.drop
   */
  constructor({ room, scroller, rows, drop }) {
    this.#rows = rows;
    this.#scroller = scroller;
    this.#drop = drop;
    room.after(this.#line);
    room.addEventListener("pointerdown", (event) => this.#begin(event));
    room.addEventListener("pointermove", (event) => this.#move(event));
    room.addEventListener("pointerup", () => this.#end(true));
    room.addEventListener("pointercancel", () => this.#end(false));
    this.room = room;
  }

  get isRunning() {
    return this.#id !== "";
  }

  /** Drops the move. */
  cancel() {
    this.#end(false);
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest("[data-act=grip]") && target.closest("[data-row]");
    if (!row || event.button !== 0) return;
    event.preventDefault();
    this.#id = row.getAttribute("data-row") ?? "";
    this.room.setPointerCapture(event.pointerId);
    setAttribute(row, "data-dragged", true);
    this.#y = event.clientY;
    this.#step();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.isRunning) this.#y = event.clientY;
  }

  /** A frame while dragging: the line follows, and the list scrolls. */
  #step() {
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const way = this.#y < top + EDGE_PIXELS + this.#rows.row ? -1
      : this.#y > bottom - EDGE_PIXELS ? 1 : 0;
    if (way !== 0) this.#scroller.scrollTop += way * SCROLL_PIXELS;
    this.#gap = this.#rows.gapAt(this.#y);
    this.#line.hidden = false;
    this.#line.style.top = `${this.room.offsetTop + this.#gap * this.#rows.row}px`;
    this.#frame = requestAnimationFrame(() => this.#step());
  }

  /** @param {boolean} isDropped */
  #end(isDropped) {
    if (!this.isRunning) return;
    cancelAnimationFrame(this.#frame);
    this.#line.hidden = true;
    const id = this.#id;
    this.#id = "";
    for (const { element } of this.#rows.views.values()) {
      setAttribute(element, "data-dragged", null);
    }
    if (isDropped) this.#drop(id, this.#gap);
  }
}
