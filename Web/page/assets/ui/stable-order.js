// Keeps a sorted list still under a finger, a pointer or a keyboard's focus, and lets rows glide
// to their new places otherwise. Values go on updating all the while.

import { motionIsReduced } from "../text/preferences.js";

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

  /**
   * `refresh` is called when the list may move again.
   * @param {HTMLElement} element
   * @param {() => unknown} refresh
   */
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

  /**
   * The order to show, and whether it differs from the wanted one because it is held.
   * @param {string[]} wanted
   */
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

  /**
   * After the rows were moved: lets them glide there from where they stood.
   * @param {Map<string, {element: HTMLElement}>} rows
   * @param {string[]} keys
   */
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
