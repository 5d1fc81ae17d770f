// The candles before the oldest one of a chart, asked for as a person scrolls towards them.

/** @typedef {(interval: number, before: number) => Promise<Wire.History>} LoadOlder */

const PAUSE_MILLISECONDS = 5000;

export class OlderCandles {
  /** @type {"none" | "loading" | "failed"} */
  state = "none";
  #load;
  #take;
  #changed;
  /** Whether there may be more of them. */
  #hasMore = false;
  /** Whether any were added. */
  hasTaken = false;
  /** Counts beginnings: what was asked for other candles is not listened to. */
  #beginning = 0;
  #notBefore = -Infinity;

  /**
   * `take` gets what came, and says how many candles of it were new.
   * @param {LoadOlder | undefined} load
   * @param {(history: Wire.History) => number} take
   * @param {() => unknown} changed
   */
  constructor(load, take, changed) {
    this.#load = load;
    this.#take = take;
    this.#changed = changed;
  }

  /**
   * Other candles are there.
   * @param {boolean} hasMore
   */
  begin(hasMore) {
    this.#beginning += 1;
    this.#hasMore = hasMore;
    this.#notBefore = -Infinity;
    this.hasTaken = false;
    this.state = "none";
  }

  /**
   * Asks for those before `oldest` unless that was done.
   * @param {number} interval
   * @param {number} oldest
   */
  want(interval, oldest) {
    if (!this.#load || !this.#hasMore || this.state === "loading") return;
    if (performance.now() < this.#notBefore) return;
    const beginning = this.#beginning;
    this.state = "loading";
    this.#changed();
    const ended = (/** @type {OlderCandles["state"]} */ state) => {
      if (beginning !== this.#beginning) return;
      this.state = state;
      this.#changed();
    };
    this.#load(interval, oldest).then((history) => {
      if (beginning !== this.#beginning) return;
      // An answer without anything older ends it, whatever it says.
      const taken = this.#take(history);
      this.hasTaken ||= taken > 0;
      this.#hasMore = taken > 0 && history.hasOlder === true;
      ended("none");
    }).catch(() => {
      if (beginning !== this.#beginning) return;
      this.#notBefore = performance.now() + PAUSE_MILLISECONDS;
      setTimeout(this.#changed, PAUSE_MILLISECONDS);
      ended("failed");
    });
  }
}
