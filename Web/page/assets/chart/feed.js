// A chart fed by the server: the history over HTTP, the ticks from the topic `chart/VENUE/SYMBOL`.

import { fetchHistory } from "./history/request.js";
import { askForHistory, chartWorker } from "./paint/worker.js";

/** The first load: two screens of a chart 1,400 pixels wide, 10 kB. */
const FIRST_CANDLES = 320;

/**
 * `load` for a chart: the newest candles of an interval, or those before a time.
 * @param {string} venue
 * @param {string} symbol
 * @returns {(interval: number, before?: number) => Promise<Wire.History>}
 */
export function historyLoader(venue, symbol) {
  const instrument = `${encodeURIComponent(venue)}/${encodeURIComponent(symbol)}`;
  return async (interval, before) => {
    const part = before === undefined ? `limit=${FIRST_CANDLES}` : `before=${before}`;
    const history = await ask(`/history/${instrument}?interval=${interval}&${part}`);
    if (history.interval !== interval) throw new Error("these are candles of another interval");
    return history;
  };
}

/** @param {string} path @returns {Promise<Wire.History>} */
async function ask(path) {
  if (!chartWorker()) return fetchHistory(path);
  const { history, problem } = await askForHistory(path);
  if (!history) throw new Error(problem);
  return history;
}

/** Passes each state of a topic to a chart, which skips what it already has. */
export class ChartFeed {
  #chart;
  #isPageDown = false;
  /** @type {{since: number, isPageDown: boolean} | null} */
  #down = null;

  /** @param {import("./chart.js").Chart} chart */
  constructor(chart) {
    this.#chart = chart;
  }

  /**
   * `state` from the server; `freshness` as the page judges it (`dimmed`, `confirmedAt`);
   * `isPageDown` if the page's own link is down: the history, reloaded on reconnect, then fills
   * the missed part.
   * @param {Topic.Chart & {history?: Wire.HistoryState} | undefined} state
   * @param {Seen} freshness
   * @param {{now: number, isPageDown?: boolean}} when
   */
  update(state, freshness, { now, isPageDown = false }) {
    if (!state) return;
    if (this.#isPageDown && !isPageDown) this.#chart.reload();
    this.#isPageDown = isPageDown;
    this.#chart.setScales(state);
    if (state.history) this.#chart.setPast(state.history);
    this.#chart.addTicks(state.ticks);
    this.#chart.setDimmed(freshness.dimmed, freshness.confirmedAt);
    if (!freshness.dimmed) this.#cameBack(now);
    else if (freshness.state !== "waiting" && freshness.state !== "queued") {
      this.#wentDown(freshness.confirmedAt ?? now, isPageDown);
    }
  }

  /** @param {number} since @param {boolean} isPageDown */
  #wentDown(since, isPageDown) {
    if (this.#down !== null) return;
    this.#down = { since, isPageDown };
    this.#chart.setInterrupted(since);
  }

  /** @param {number} now */
  #cameBack(now) {
    if (this.#down === null) return;
    const { since, isPageDown } = this.#down;
    this.#down = null;
    this.#chart.setInterrupted(null);
    if (!isPageDown && now > since) this.#chart.noteGap(since, now);
  }
}
