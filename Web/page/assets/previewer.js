// @ts-check
// Asks the server what an order would take now: at most five times a second, the latest order
// wins, and an answer to anything else is not shown.

/** @typedef {import("./link.js").Link} Link */

const EVERY_MILLISECONDS = 200;

export class Previewer {
  #link;
  #changed;
  /** @type {Wire.Ticket | null} */
  #wanted = null;
  #key = "";
  /** @type {Map<number, string>} */
  #asked = new Map();
  #ask = 0;
  #answered = 0;
  #askedAt = -Infinity;
  #timer = 0;
  #releases;

  /** The reply to the order that is wanted; null while there is none. */
  reply = /** @type {Wire.Previewed | null} */ (null);

  /**
   * `changed` is called when a reply came.
   * @param {Link} link
   * @param {() => unknown} changed
   */
  constructor(link, changed) {
    this.#link = link;
    this.#changed = changed;
    this.#releases = [
      link.hear("reply", (reply) => this.#heard(reply)),
      link.hear("connected", () => this.refresh()),
    ];
  }

  /**
   * Wants to know about an order; null for nothing. The same order again is no new question.
   * @param {Wire.Ticket | null} order
   */
  want(order) {
    const key = order ? JSON.stringify(order) : "";
    if (key === this.#key) return;
    this.#key = key;
    this.#wanted = order;
    this.reply = null;
    this.refresh();
  }

  /** Asks again: the market moved. The old reply stays until the new one comes. */
  refresh() {
    clearTimeout(this.#timer);
    if (!this.#wanted) return;
    const wait = Math.max(0, this.#askedAt + EVERY_MILLISECONDS - performance.now());
    this.#timer = setTimeout(() => this.#send(), wait);
  }

  dispose() {
    clearTimeout(this.#timer);
    for (const release of this.#releases) release();
  }

  #send() {
    this.#askedAt = performance.now();
    this.#ask += 1;
    if (!this.#wanted) return;
    const isSent = this.#link.do({ do: "order.preview", ask: this.#ask, order: this.#wanted });
    if (!isSent) return;
    this.#asked.set(this.#ask, this.#key);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > 20) this.#asked.delete(oldest);
  }

  /** @param {Wire.Reply} reply */
  #heard(reply) {
    if (reply.to !== "order.preview" || !(reply.ask > this.#answered)) return;
    const key = this.#asked.get(reply.ask);
    this.#asked.delete(reply.ask);
    if (key === undefined || key !== this.#key) return;
    this.#answered = reply.ask;
    this.reply = reply;
    this.#changed();
  }
}
