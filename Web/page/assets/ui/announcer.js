// What a screen reader is told without asking: little, politely, at most one message in 5 s.

import { byId } from "./dom.js";

const EVERY_MILLISECONDS = 5000;
const MAXIMUM_WAITING = 4;

export class Announcer {
  #element = byId("announcer");
  #state = "";
  /** @type {{text: string, isNews: boolean}[]} */
  #waiting = [];
  #saidAt = -Infinity;
  #timer = 0;

  /**
   * Says a state when it differs from the one before; only the latest survives the wait.
   * @param {string} text
   */
  say = (text) => {
    if (text === this.#state) return;
    this.#state = text;
    this.#waiting = this.#waiting.filter((message) => message.isNews);
    this.#waiting.push({ text, isNews: false });
    this.#soon();
  };

  /**
   * Says news: what came of an order. It outlasts states; what has to wait is said together.
   * @param {string} text
   */
  tell = (text) => {
    this.#waiting.push({ text, isNews: true });
    this.#waiting.splice(0, this.#waiting.length - MAXIMUM_WAITING);
    this.#soon();
  };

  #soon() {
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#saidAt + EVERY_MILLISECONDS - performance.now());
    this.#timer = setTimeout(() => {
      this.#saidAt = performance.now();
      this.#element.textContent = this.#waiting.splice(0).map((message) => message.text).join(" ");
    }, wait);
  }
}
