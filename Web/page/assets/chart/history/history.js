// Joins a history with the ticks that follow it. Arrival numbers are consecutive, so a hole means
// missed ticks: the history is reloaded, and the hole is a gap until then. It is also reloaded when
// the server reports a new revision.

// Candles before a chart's oldest one, loaded while scrolling towards them.
/** @typedef {(interval: number, before: number) => Promise<Wire.History>} LoadOlder */

const PAUSE_MILLISECONDS = 5000;

export class OlderCandles {
  /** @type {"none" | "loading" | "failed"} */
  state = "none";
  #load;
  #take;
  #changed;
  /** Whether older ones may exist. */
  #hasMore = false;
  /** Whether any were added. */
  hasTaken = false;
  /** Counts restarts: responses for earlier candles are ignored. */
  #beginning = 0;
  #notBefore = -Infinity;

  /**
   * `take` receives what arrived and returns how many candles were new.
   * @param {LoadOlder | undefined} load
   * @param {(history: Wire.History) => number} take
   * @param {() => unknown} changed
   */
  constructor(load, take, changed) {
    this.#load = load;
    this.#take = take;
    this.#changed = changed;
  }

  /** Whether the oldest available candles are loaded. */
  get isEnded() {
    return this.#load !== undefined && !this.#hasMore && this.state === "none";
  }

  // Restarts for other candles.
  /** @param {boolean} hasMore */
  begin(hasMore) {
    this.#beginning += 1;
    this.#hasMore = hasMore;
    this.#notBefore = -Infinity;
    this.hasTaken = false;
    this.state = "none";
  }

  // Requests those before `oldest`, unless already requested.
  /** @param {number} interval @param {number} oldest */
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
      // A response without older candles ends loading, whatever its `hasOlder`.
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

/** @typedef {() => Promise<Wire.History>} Load */
/**
 * What to do with a history and ticks: `history` returns false if unreadable, `tick` if dropped.
 * @typedef {object} Act
 * @property {(history: Wire.History) => boolean} history
 * @property {(time: number, price: number, quantity: number) => unknown} tick
 * @property {(start: number, end: number) => unknown} gap
 * @property {() => unknown} changed
 */

const MOST_WAITING = 20_000;
const FIRST_PAUSE_MILLISECONDS = 1000;
const LAST_PAUSE_MILLISECONDS = 30_000;

export class HistoryLoader {
  /** @type {"waiting" | "loading" | "ready" | "failed"} */
  state = "waiting";
  /** Why the last request failed; empty if it did not. */
  problem = "";
  /** @type {Load | undefined} */
  #load;
  /** @type {Act} */
  #act;
  /** @type {Topic.Tick[]} */
  #waiting = [];
  /** @type {number | null} */
  #last = null;
  /** @type {number | null} */
  #lastTime = null;
  /** Counts requests: only the latest response is used. */
  #question = 0;
  #isLoading = false;
  /** The revision of the latest loaded or requested history; null before the first. */
  #revision = /** @type {number | null} */ (null);
  /** The revision that the server last reported. */
  #told = /** @type {number | null} */ (null);
  #timer = 0;
  #pause = FIRST_PAUSE_MILLISECONDS;
  #asked = -Infinity;
  #isGone = false;

  /** @param {Load | undefined} load @param {Act} act */
  constructor(load, act) {
    this.#load = load;
    this.#act = act;
  }

  dispose() {
    this.#isGone = true;
    clearTimeout(this.#timer);
  }

  /** Reloads the history; one request at a time, and never faster than the pause. */
  reload() {
    if (!this.#load || this.#isLoading || this.#isGone) return;
    clearTimeout(this.#timer);
    const wait = this.#asked + this.#pause - performance.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.reload(), wait);
      return;
    }
    this.#asked = performance.now();
    this.#isLoading = true;
    this.#question += 1;
    const question = this.#question;
    const told = this.#told;
    if (this.state !== "ready") this.#become("loading");
    this.#load().then((history) => {
      if (question !== this.#question || this.#isGone) return;
      this.#isLoading = false;
      this.#revision = history?.revision ?? told;
      this.take(history);
      this.#follow();
    }, (error) => {
      if (question !== this.#question || this.#isGone) return;
      this.#isLoading = false;
      this.#failed(error);
    });
  }

  /** Reloads at once, despite pending requests: for user actions. */
  retry() {
    this.#asked = -Infinity;
    this.#pause = FIRST_PAUSE_MILLISECONDS;
    this.#isLoading = false;
    this.reload();
  }

  // The server counts changes of the history: a new number reloads it.
  /** @param {number} revision */
  tellRevision(revision) {
    if (!Number.isSafeInteger(revision) || revision === this.#told) return;
    this.#told = revision;
    this.#revision ??= revision;
    this.#follow();
  }

  #follow() {
    if (this.#told !== null && this.#revision !== this.#told) this.reload();
  }

  // Applies a history, requested or not.
  /** @param {Wire.History} history */
  take(history) {
    if (!isHistory(history) || !this.#act.history(history)) {
      return this.#failed(new Error("the history could not be read"));
    }
    const { lastArrival = NaN } = history;
    this.#last = Number.isSafeInteger(lastArrival) ? lastArrival : null;
    this.#lastTime = null;
    this.#pause = FIRST_PAUSE_MILLISECONDS;
    this.problem = "";
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#become("ready");
    this.add(waiting);
  }

  /** @param {unknown} error */
  #failed(error) {
    this.problem = error instanceof Error ? error.message : String(error);
    this.#become(this.state === "ready" ? "ready" : "failed");
    this.#pause = Math.min(this.#pause * 2, LAST_PAUSE_MILLISECONDS);
    clearTimeout(this.#timer);
    if (this.#load) this.#timer = setTimeout(() => this.reload(), this.#pause);
  }

  // `[[arrival, ms, priceUnits, quantity], …]`, newest last. Skips ticks received before.
  /** @param {Topic.Tick[]} ticks */
  add(ticks) {
    if (!Array.isArray(ticks) || ticks.length === 0) return;
    if (this.state !== "ready" && this.#load) return this.#keep(ticks);
    const newest = ticks.at(-1)?.[0] ?? NaN;
    if (this.#last !== null && newest < this.#last) {
      // Numbering restarted: the server was restarted.
      this.#last = null;
      this.reload();
    }
    for (const tick of ticks) this.#take(tick);
    if (this.#isLoading) this.#keep(ticks);
  }

  /** @param {Topic.Tick} tick */
  #take(tick) {
    if (!Array.isArray(tick) || !Number.isSafeInteger(tick[0])) return;
    const [arrival, time, price, quantity] = tick;
    if (this.#last !== null && arrival <= this.#last) return;
    if (this.#last !== null && arrival > this.#last + 1) {
      if (this.#lastTime !== null && time > this.#lastTime) this.#act.gap(this.#lastTime, time);
      this.reload();
      if (this.#isLoading) this.#keep([tick]);
    }
    this.#last = arrival;
    if (this.#act.tick(time, Number(price), Number(quantity ?? 0))) this.#lastTime = time;
  }

  /** @param {Topic.Tick[]} ticks */
  #keep(ticks) {
    const known = this.#waiting.at(-1)?.[0] ?? -Infinity;
    for (const tick of ticks) if (tick?.[0] > known) this.#waiting.push(tick);
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.splice(0, this.#waiting.length - MOST_WAITING);
    }
  }

  /** @param {HistoryLoader["state"]} state */
  #become(state) {
    this.state = state;
    this.#act.changed();
  }
}

/** @param {Wire.History} history */
const isHistory = (history) =>
  Number.isSafeInteger(history?.interval)
    && (Array.isArray(history.candles) || ArrayBuffer.isView(history.candles));
