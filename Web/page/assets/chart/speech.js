// What a screen reader hears of a chart: politely, at most one message in 5 seconds, the latest one.

import { h } from "../dom.js";

const EVERY_MILLISECONDS = 5000;

export class Speech {
  element = h("div.unseen", { "aria-live": "polite" });
  #saidAt = -Infinity;
  #timer = 0;

  say(text) {
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#saidAt + EVERY_MILLISECONDS - performance.now());
    this.#timer = setTimeout(() => {
      this.#saidAt = performance.now();
      this.element.textContent = text;
    }, wait);
  }

  dispose() {
    clearTimeout(this.#timer);
  }
}
