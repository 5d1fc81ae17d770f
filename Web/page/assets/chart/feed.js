// A chart fed by the server: the history over HTTP, the ticks from the topic `chart/VENUE/SYMBOL`.

import { askForHistory, helper } from "./helper.js";
import { fetchHistory } from "./request.js";

const FINEST_MILLISECONDS = 1000;

/** `load` for a chart: the candles of one second that the server knows. */
export function historyLoader(venue, symbol, interval = FINEST_MILLISECONDS) {
  const path = `/history/${encodeURIComponent(venue)}/${encodeURIComponent(symbol)}?interval=${interval}`;
  return async () => {
    const { history, problem } = helper() ? await askForHistory(path) : { history: await fetchHistory(path) };
    if (problem) throw new Error(problem);
    return history;
  };
}

/** Hands a topic's state to a chart, again and again; the chart leaves out what it has. */
export class ChartFeed {
  #chart;
  #isPageDown = false;
  #down = null;

  constructor(chart) {
    this.#chart = chart;
  }

  /**
   * `state` as the server sent it; `freshness` as the page believes it (`dimmed`, `confirmedAt`);
   * `isPageDown` when it is the page's own link that is down: then the history, asked again as soon
   * as the link stands, tells what was missed.
   */
  update(state, freshness, { now, isPageDown = false }) {
    if (!state) return;
    if (this.#isPageDown && !isPageDown) this.#chart.reload();
    this.#isPageDown = isPageDown;
    this.#chart.setScales(state);
    this.#chart.addTicks(state.ticks ?? []);
    this.#chart.setDimmed(freshness.dimmed);
    if (freshness.dimmed && freshness.state !== "waiting") this.#wentDown(freshness.confirmedAt ?? now, isPageDown);
    else if (!freshness.dimmed) this.#cameBack(now);
  }

  #wentDown(since, isPageDown) {
    if (this.#down !== null) return;
    this.#down = { since, isPageDown };
    this.#chart.setInterrupted(since);
  }

  #cameBack(now) {
    if (this.#down === null) return;
    const { since, isPageDown } = this.#down;
    this.#down = null;
    this.#chart.setInterrupted(null);
    if (!isPageDown && now > since) this.#chart.noteGap(since, now);
  }
}
