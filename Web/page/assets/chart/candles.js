// The candles of a chart: the history joined with the ticks that follow, older candles loaded while
// scrolling, gaps, and notes about missing data.

import { sentence, t } from "../text/texts.js";
import { HistoryLoader, OlderCandles } from "./history/history.js";
import { FIELDS } from "./model/core.js";
import { intervalName } from "./model/intervals.js";

/** @typedef {import("./tools/legend.js").Note} Note */

const MINUTE = 60_000;

export class Past {
  loader;
  /** @type {Map<number, Wire.VenueRow>} */
  contradicted = new Map();
  /** @type {{status: Wire.HistoryStatus, problem?: Sentence}} */
  #state = { status: "none" };
  /** The time of the newest candle or tick. */
  #newest = -Infinity;
  #older;
  #scene;
  #choice;
  #act;
  #loads;

  /**
   * `took` receives each loaded history; `moved` reports how many candles were prepended.
   * @param {import("./model/scene.js").Scene} scene
   * @param {import("./choice.js").Choice} choice
   * @param {import("./model/scene.js").Options["load"]} load
   * @param {{took: (core: CoreChart, history: Wire.History) => unknown,
   *   moved: (by: () => number) => unknown}} act
   */
  constructor(scene, choice, load, act) {
    this.#scene = scene;
    this.#choice = choice;
    this.#act = act;
    this.#loads = load !== undefined;
    // Both load in parallel; the candles need the core.
    const loadBoth = load
      && (() => Promise.all([load(choice.interval), scene.exports]).then(([history]) => history));
    this.#older = new OlderCandles(load, (history) => this.#tookOlder(history),
      () => scene.refresh());
    this.loader = new HistoryLoader(loadBoth, {
      history: (history) => this.#took(history),
      tick: (time, price, quantity) => this.#tick(time, price, quantity),
      gap: (start, end) => scene.with((core) => core.noteGap(start, end)),
      changed: () => this.#loaded(),
    });
  }

  // The server's state of the instrument's history.
  /** @param {Wire.HistoryState} state */
  set({ revision, status, problem }) {
    const { status: before, problem: reason } = this.#state;
    if (status !== before || sentence(problem) !== sentence(reason)) {
      this.#become({ status, problem });
      this.#scene.refresh();
    }
    this.loader.tellRevision(revision);
  }

  /** @param {{status: Wire.HistoryStatus, problem?: Sentence}} state */
  #become(state) {
    this.#state = state;
    this.#choice.setPast(state.status !== "none");
  }

  /** @param {number} time @param {number} price @param {number} quantity */
  #tick(time, price, quantity) {
    const isTaken = this.#scene.with((core) => core.addTick(time, price, quantity));
    if (isTaken) this.#newest = Math.max(this.#newest, time);
    return isTaken;
  }

  /** @param {Wire.History} history */
  #took(history) {
    const { core } = this.#scene;
    if (!core || !this.#setCandles(core, history)) return false;
    const { seenSince = NaN, status, problem } = history;
    if (Number.isSafeInteger(seenSince)) core.seenSince(seenSince);
    this.#tookGaps(core, history);
    this.#scene.finest = history.interval;
    if (status) this.#become({ status, problem });
    this.#act.took(core, history);
    this.#scene.refresh();
    return true;
  }

  // Candles loaded by scrolling stay if the new ones continue them without a hole.
  /** @param {CoreChart} core @param {Wire.History} history */
  #setCandles(core, { interval, candles, hasOlder = false }) {
    const { picture, finest } = this.#scene;
    const [first, last] = edgesOf(candles);
    const goesOn = interval === finest && picture !== null && first !== undefined
      && picture.count > 0 && picture.oldest < first && this.#newest + interval >= first
      && this.#older.hasTaken;
    this.#newest = last ?? -Infinity;
    if (goesOn) {
      core.renewCandles(candles);
      return true;
    }
    if (core.setCandles(interval, candles) < 0) return false;
    this.contradicted.clear();
    this.#older.begin(hasOlder);
    return true;
  }

  // Prepends older candles: nothing in view moves.
  /** @param {Wire.History} history */
  #tookOlder(history) {
    const { core, finest, picture } = this.#scene;
    if (!core || history.interval !== finest) return 0;
    const drawn = picture?.drawnCount ?? 0;
    const taken = core.prependCandles(history.candles);
    this.#tookGaps(core, history);
    this.#tookSeconds(core, history);
    this.#scene.refresh();
    if (taken > 0) this.#act.moved(() => (this.#scene.draw()?.drawnCount ?? drawn) - drawn);
    return taken;
  }

  // A missing second had no tick, as far back as the candles reach.
  /** @param {CoreChart} core @param {Wire.History} history */
  #tookSeconds(core, { interval, candles, seenSince = NaN, hasOlder = false }) {
    const [first] = edgesOf(candles);
    if (interval >= MINUTE || first === undefined || !Number.isSafeInteger(seenSince)) return;
    core.seenSince(hasOlder ? Math.max(seenSince, first) : seenSince);
  }

  /** @param {CoreChart} core @param {Wire.History} history */
  #tookGaps(core, { gaps, contradicted }) {
    for (const gap of Array.isArray(gaps) ? gaps : []) core.noteGap(gap?.[0], gap?.[1]);
    for (const row of Array.isArray(contradicted) ? contradicted : []) {
      if (Array.isArray(row)) this.contradicted.set(row[0], row);
    }
  }

  /** The history loaded or failed: fold the available candles, if that is possible. */
  #loaded() {
    const { core } = this.#scene;
    if (core && this.#choice.isWaiting && this.loader.problem) this.#choice.show(core);
    this.#scene.refresh();
  }

  // Requests candles left of the oldest one, a screen before they are needed, and those from
  // `since` on; returns a note on what is missing.
  /** @param {Picture} picture @param {number} since */
  reach({ left, right, oldest, count, followsLive }, since) {
    const { isWaiting, interval } = this.#choice;
    if (count > 0 && !isWaiting && Math.min(since, left - (right - left)) < oldest) {
      this.#older.want(this.#scene.finest, oldest);
    }
    return count === 0 ? "" : pastWords({
      past: this.#state,
      older: left >= oldest ? "none"
        : this.#older.isEnded && !followsLive ? "ended" : this.#older.state,
      isFailing: this.loader.problem !== "", isWaiting, interval,
    });
  }

  /** Whether no older candles can be loaded. */
  get isWhole() {
    return !this.#loads || this.#older.isEnded;
  }

  // Why there are no candles to draw.
  /** @returns {Note} */
  get nothing() {
    if (this.loader.state === "failed") {
      return {
        text: t("The history could not be loaded. Trying again…"),
        action: { label: t("Retry"), run: () => this.loader.retry() },
      };
    }
    if (this.loader.state === "ready" || !this.#loads) {
      const text = pastWords({ past: this.#state });
      return { text: text ? `${text} ${t("No trades yet")}` : t("No trades yet") };
    }
    return { text: t("Loading the chart…") };
  }
}

/**
 * Where the first and the last candle begin; undefined without any.
 * @param {Wire.History["candles"]} candles
 * @returns {[first: number | undefined, last: number | undefined]}
 */
const edgesOf = (candles) => (candles instanceof Float64Array
  ? [candles[0], candles[candles.length - FIELDS]] : [candles[0]?.[0], candles.at(-1)?.[0]]);

/**
 * Why the history is incomplete; empty if it is complete.
 * @param {{past: {status: Wire.HistoryStatus, problem?: Sentence}, isFailing?: boolean,
 *   isWaiting?: boolean, interval?: number, older?: "none" | "loading" | "failed" | "ended"}} of
 */
function pastWords({ past, isFailing, isWaiting, interval = 0, older }) {
  const each = intervalName(interval);
  if (isFailing) {
    return isWaiting ? t("Candles of {interval} could not be loaded. Trying again…",
      { interval: each })
      : t("The history could not be loaded. Trying again…");
  }
  if (isWaiting) return t("Loading candles of {interval}…", { interval: each });
  if (older === "failed") return t("Older candles could not be loaded. Trying again…");
  if (past.status === "failed") {
    return sentence(past.problem) || t("The venue’s history can’t be reached. Live prices go on.");
  }
  if (older === "loading") return t("Loading older candles…");
  if (older === "ended") {
    return t("No older candles of {interval}. A longer interval goes further back.",
      { interval: each });
  }
  return past.status === "loading" ? t("Loading the venue’s history…") : "";
}
