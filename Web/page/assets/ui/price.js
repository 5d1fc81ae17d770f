// A price with its arrow. It flashes only when the value changes: not when a message repeats it,
// not between snapshots, not while the value is unreliable.

import { directionText } from "../text/words.js";
import { h, setAttribute, setText } from "./dom.js";

/** @typedef {Topic.FeedRow["direction"]} Direction */
/**
 * @typedef {object} PriceView
 * @property {string} text
 * @property {Direction} [direction]
 * @property {number} [changes]
 * @property {number} [generation] of the topic's snapshot
 * @property {boolean} quiet no arrow, no flash
 * @property {boolean} dimmed
 */

const FLASH_MILLISECONDS = 1000;
const ONE_FLASH_MILLISECONDS = 100;
const ARROWS = { up: "↑", down: "↓", unchanged: "" };

export class Price {
  #arrow = h("span.arrow", { "aria-hidden": "true" });
  #number = h("span.number");
  #word = h("span.unseen");
  /** @type {number | undefined} */
  #changes = undefined;
  /** @type {number | undefined} */
  #generation = -1;
  #flashedAt = -Infinity;
  #timer = 0;

  /** @param {"span.price" | "p.price.big"} kind */
  constructor(kind = "span.price") {
    this.element = h(kind, {}, this.#arrow, this.#number, this.#word);
  }

  /** @param {PriceView} view */
  update(view) {
    const isMoving = !view.quiet && (view.direction === "up" || view.direction === "down");
    const direction = isMoving ? view.direction : undefined;
    setText(this.#arrow, direction ? ARROWS[direction] : "");
    setText(this.#number, view.text);
    setText(this.#word, directionText(direction));
    setAttribute(this.element, "data-direction", direction);
    setAttribute(this.element, "data-dimmed", view.dimmed);
    const changed = this.#changes !== undefined && (view.changes ?? 0) > this.#changes
      && view.generation === this.#generation;
    this.#changes = view.changes;
    this.#generation = view.generation;
    if (view.quiet) this.#end();
    else if (changed && direction && !document.hidden) this.#flash(direction);
  }

  /** Stops running animations. */
  dispose() {
    clearTimeout(this.#timer);
  }

  /** @param {Direction} direction */
  #flash(direction) {
    const now = performance.now();
    const classes = this.element.classList;
    // The colour follows the latest change, even one that starts no flash.
    classes.toggle("flash-up", direction === "up");
    classes.toggle("flash-down", direction === "down");
    if (now - this.#flashedAt < ONE_FLASH_MILLISECONDS) return;
    this.#flashedAt = now;
    // Two names for the same animation: switching restarts it without a forced layout.
    const again = classes.contains("flash") && !classes.contains("flash-again");
    classes.add("flash");
    classes.toggle("flash-again", again);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), FLASH_MILLISECONDS);
  }

  #end() {
    clearTimeout(this.#timer);
    this.element.classList.remove("flash", "flash-again", "flash-up", "flash-down");
  }
}
