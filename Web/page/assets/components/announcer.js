// What a screen reader is told without asking: little, politely, at most one message in 5 s.

const EVERY_MILLISECONDS = 5000;

export class Announcer {
  #element = document.getElementById("announcer");
  #last = "";
  #saidAt = -Infinity;
  #timer = 0;

  /** Says `text` if it differs from what was said; only the latest survives the wait. */
  say = (text) => {
    if (text === this.#last) return;
    this.#last = text;
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#saidAt + EVERY_MILLISECONDS - performance.now());
    this.#timer = setTimeout(() => {
      this.#saidAt = performance.now();
      this.#element.textContent = text;
    }, wait);
  };
}
