// @ts-check
// After a part of the page has changed, a press that was meant for what stood there before does
// nothing: it is judged by the time at which the finger or the button went down, however late the
// page gets to it. Keys are not presses.

import { setAttribute } from "../dom.js";

const DEAF_MILLISECONDS = 400;

export class PressGuard {
  #element;
  #until = -Infinity;
  /** @type {number | null} */
  #pressedAt = null;
  #timer = 0;
  #deaf = DEAF_MILLISECONDS;

  /**
   * Guards everything inside `element`, and marks it with `data-settling` while it is deaf.
   * @param {HTMLElement} element
   */
  constructor(element) {
    this.#element = element;
    const options = { capture: true };
    element.addEventListener("pointerdown", (event) => {
      this.#pressedAt = event.timeStamp;
      this.#judge(event, event.timeStamp);
    }, options);
    element.addEventListener("pointercancel", () => (this.#pressedAt = null), options);
    element.addEventListener("click", (event) => {
      // A click without a pointer comes from the keyboard or from assistive technology.
      if (event.detail > 0) this.#judge(event, this.#pressedAt ?? event.timeStamp);
      this.#pressedAt = null;
    }, options);
  }

  /**
   * What stands inside the element is another thing from now on, and from when it is drawn.
   * @param {number} deaf for how long, milliseconds
   */
  changed(deaf = DEAF_MILLISECONDS) {
    this.#deaf = deaf;
    clearTimeout(this.#timer);
    // However long that takes: nobody can mean what was never drawn.
    this.#until = Infinity;
    setAttribute(this.#element, "data-settling", true);
    requestAnimationFrame(() => this.#drawn());
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

  /**
   * @param {Event} event
   * @param {number} pressedAt
   */
  #judge(event, pressedAt) {
    if (pressedAt >= this.#until) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}
