// The server's clock, as well as this page knows it. A wrong guess may make a value look older than
// it is, and never younger.

/**
 * How far the wall's clock runs ahead of the page's own between two readings before it counts as
 * sleep: the page's own clock pauses while a computer sleeps. A wall clock that was set forward
 * looks the same.
 */
const ASLEEP_MILLISECONDS = 1000;
/** A message this much later than the promptest one calls for a ping. */
const LAG_MILLISECONDS = 500;

export class ServerClock {
  /** Milliseconds that this page slept, of which its own clock counts none. */
  slept = 0;
  #own = performance.now();
  #wall = Date.now();
  /** The server's clock less `elapsed`; null before the first message. */
  #offset = /** @type {number | null} */ (null);
  /** When the ping was sent whose reply came last, until the next message bounds the offset. */
  #asked = /** @type {number | null} */ (null);

  /**
   * Milliseconds since the page was opened, sleep included. Never goes back, whatever the wall
   * clock is set to.
   */
  elapsed() {
    const [own, wall] = [performance.now(), Date.now()];
    const ahead = wall - this.#wall - (own - this.#own);
    if (ahead > ASLEEP_MILLISECONDS) this.slept += ahead;
    [this.#own, this.#wall] = [own, wall];
    return own + this.slept;
  }

  /** Milliseconds since 1970 by the server's clock. */
  now() {
    return this.#offset === null ? Date.now() : Math.round(this.elapsed() + this.#offset);
  }

  /** Milliseconds of the server's clock ahead of this computer's. */
  get difference() {
    return this.now() - Date.now();
  }

  // Starts with what an earlier page knew.
  /** @param {number} difference @param {number} heardAt the server's clock at its latest message */
  recall(difference, heardAt) {
    this.#offset = Math.max(Date.now() + difference, heardAt) - this.elapsed();
  }

  // Applies the time of a message. It was sent at `now` and may have waited since, so the server's
  // clock is at least there. Only a message that follows the reply to a ping also bounds it from
  // above: it was sent after the ping. Returns whether a ping is needed to tell a message that
  // waited from a clock that was set.
  /** @param {number} now */
  received(now) {
    const elapsed = this.elapsed();
    const least = now - elapsed;
    const isLate = this.#offset !== null && least < this.#offset - LAG_MILLISECONDS;
    this.#offset = Math.max(this.#offset ?? least, least);
    if (this.#asked === null) return isLate;
    this.#offset = Math.min(this.#offset, now - this.#asked);
    this.#asked = null;
    return false;
  }

  // The reply to a ping that was sent at `at` by `elapsed`.
  /** @param {number} at */
  replied(at) {
    this.#asked = at;
  }
}
