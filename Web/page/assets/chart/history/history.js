// Joins a history with the ticks that follow it. Arrivals count up by one, so a hole in them means
// that ticks were missed: the history is asked for again, and until it comes the hole is a gap. It
// is also asked for again when the server says that it is not what it was.

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

  /** Whether the oldest candles of all are there. */
  get isEnded() {
    return this.#load !== undefined && !this.#hasMore && this.state === "none";
  }

  // Other candles are there.
  /** @param {boolean} hasMore */
  begin(hasMore) {
    this.#beginning += 1;
    this.#hasMore = hasMore;
    this.#notBefore = -Infinity;
    this.hasTaken = false;
    this.state = "none";
  }

  // Asks for those before `oldest` unless that was done.
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

/** @typedef {() => Promise<Wire.History>} Load */
/**
 * What comes of a history and of ticks: `history` answers false for one that can't be read, `tick`
 * for one that was left out.
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
  /** Why the last question failed; empty when it did not. */
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
  /** Counts questions: only the latest is listened to. */
  #question = 0;
  #isLoading = false;
  /** The revision that the latest history has, or was asked for at; null while none is known. */
  #revision = /** @type {number | null} */ (null);
  /** The revision that the server told last. */
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

  /** Asks for the history; one question at a time, and never faster than the pause. */
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

  /** At once, whatever was asked before: the person asks, or asks for something else. */
  retry() {
    this.#asked = -Infinity;
    this.#pause = FIRST_PAUSE_MILLISECONDS;
    this.#isLoading = false;
    this.reload();
  }

  // The server counts what changes in the past: another number asks for it again.
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

  // A history from elsewhere, or the one that was asked for.
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

  // `[[arrival, ms, priceUnits, quantity], …]`, newest last. Ticks that are known are left out.
  /** @param {Topic.Tick[]} ticks */
  add(ticks) {
    if (!Array.isArray(ticks) || ticks.length === 0) return;
    if (this.state !== "ready" && this.#load) return this.#keep(ticks);
    const newest = ticks.at(-1)?.[0] ?? NaN;
    if (this.#last !== null && newest < this.#last) {
      // Another count began: the server was started anew.
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
