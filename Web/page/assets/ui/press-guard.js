// Ignores presses aimed at controls that have just changed or moved. A press counts from the moment
// the finger or button went down, however late the page handles it. Keys are not presses.

import { afterDrawing } from "../base/scheduler.js";
import { setAttribute } from "./dom.js";

const DEAF_MILLISECONDS = 400;
/** A smaller shift leaves the pointer on its target; CSS pixels. */
const LEAST_SHIFT = 2;
/** Controls compared per guarded part; a list's other rows move with the first ones. */
const MOST_COMPARED = 64;
const CONTROLS = "button, a[href], input, select";
/** Rows that scroll into view get their real height: for this long, shifts don't count. */
const SCROLL_MILLISECONDS = 100;

/** @typedef {Map<Element, {x: number, y: number}>} Places */

// Guards whose elements are in the page.
/** @type {Set<PressGuard>} */
const guards = new Set();
let scrolledAt = -Infinity;

/** Compares the places of all guarded controls with the last check. */
function look() {
  /** @type {Places} */
  const known = new Map();
  for (const guard of guards) guard.look(known);
}

afterDrawing(look);
addEventListener("resize", look);
addEventListener("scroll", () => {
  scrolledAt = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(look));
}, { capture: true, passive: true });
const sizes = new ResizeObserver(look);

export class PressGuard {
  #element;
  #until = -Infinity;
  /** @type {number | null} */
  #pressedAt = null;
  #timer = 0;
  #deaf = DEAF_MILLISECONDS;
  // The controls' places at the last check.
  /** @type {Places} */
  #places = new Map();

  // Guards all controls in `element`; sets `data-settling` while presses are ignored.
  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    const options = { capture: true };
    element.addEventListener("pointerdown", (event) => {
      this.#pressedAt = event.timeStamp;
      // The shift may be newer than the last frame.
      this.look(new Map());
      this.#judge(event, event.timeStamp);
    }, options);
    element.addEventListener("pointercancel", () => (this.#pressedAt = null), options);
    element.addEventListener("click", (event) => {
      // A click without a pointer comes from the keyboard or assistive technology.
      if (event.detail > 0) this.#judge(event, this.#pressedAt ?? event.timeStamp);
      this.#pressedAt = null;
    }, options);
    sizes.observe(element);
    guards.add(this);
  }

  /**
   * Call when the element's content changes: presses count again `deaf` milliseconds after the
   * change is drawn.
   */
  changed(deaf = DEAF_MILLISECONDS) {
    this.#deaf = deaf;
    clearTimeout(this.#timer);
    // A press can't be aimed at content that is not drawn yet.
    this.#until = Infinity;
    setAttribute(this.#element, "data-settling", true);
    requestAnimationFrame(() => this.#drawn());
  }

  // Ignores presses for a while if a control has moved since the last check. Places are relative to
  // the layout, so scrolling does not count.
  /** @param {Places} known the places computed in this round */
  look(known) {
    if (!this.#element.isConnected) {
      if (this.#places.size > 0) this.#forget();
      return;
    }
    /** @type {Places} */
    const places = new Map();
    for (const control of this.#element.querySelectorAll(CONTROLS)) {
      if (places.size >= MOST_COMPARED) break;
      if (control instanceof HTMLElement && control.offsetParent) {
        places.set(control, placeOf(control, known));
      }
    }
    const hasMoved = [...places].some(([control, { x, y }]) => {
      const before = this.#places.get(control);
      return before && (Math.abs(before.x - x) >= LEAST_SHIFT
        || Math.abs(before.y - y) >= LEAST_SHIFT);
    });
    this.#places = places;
    if (hasMoved && performance.now() - scrolledAt > SCROLL_MILLISECONDS) this.changed();
  }

  /** Called once its screen has closed. */
  #forget() {
    guards.delete(this);
    sizes.unobserve(this.#element);
  }

  #drawn() {
    this.#until = performance.now() + this.#deaf;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), this.#deaf);
  }

  #settle() {
    const left = this.#until - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#settle(), left);
    else setAttribute(this.#element, "data-settling", null);
  }

  /** @param {Event} event @param {number} pressedAt */
  #judge(event, pressedAt) {
    if (pressedAt >= this.#until) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}

// An element's place in the page's layout, independent of its parents' scroll positions.
/** @param {HTMLElement} element @param {Places} known @returns {{x: number, y: number}} */
function placeOf(element, known) {
  const found = known.get(element);
  if (found) return found;
  const parent = element.offsetParent;
  const origin = parent instanceof HTMLElement ? placeOf(parent, known) : { x: 0, y: 0 };
  const place = { x: origin.x + element.offsetLeft, y: origin.y + element.offsetTop };
  known.set(element, place);
  return place;
}
