// Estimates the server's clock. An error may make a value look older than it is, never younger.

/**
 * How far the wall's clock runs ahead of the page's own between two readings before it counts as
 * The page's clock pauses during sleep. If the wall clock gains more than this on it between two
 * readings, the computer slept. A wall clock set forward looks the same.
 * looks the same.
 */
const ASLEEP_MILLISECONDS = 1000;
/** A message this much later than the fastest one triggers a ping. */
const LAG_MILLISECONDS = 500;

export class ServerClock {
  /** Milliseconds of sleep, which the page's own clock does not count. */
  slept = 0;
  #own = performance.now();
  #wall = Date.now();
  /** The server's clock minus `elapsed`; null before the first message. */
  #offset = /** @type {number | null} */ (null);
  /** When the last answered ping was sent, until the next message bounds the offset. */
  #asked = /** @type {number | null} */ (null);

  /**
   * Milliseconds since the page opened, sleep included. Never goes back, even if the wall clock
   * does.
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

  // Starts with the values that an earlier page stored.
  /** @param {number} difference @param {number} heardAt the server's clock at its latest message */
  recall(difference, heardAt) {
    this.#offset = Math.max(Date.now() + difference, heardAt) - this.elapsed();
  }

  // Applies the time of a message. It was sent at `now` and may have waited, so the server's clock
  // is at least that. Only a message after the reply to a ping also bounds the clock from above, as
  // it was sent after the ping. Returns whether a ping is needed to distinguish a delayed message
  // from a clock change.
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

  // Applies the reply to the ping that was sent at `at`, in time of `elapsed`.
  /** @param {number} at */
  replied(at) {
    this.#asked = at;
  }
}
