// A chart fed by the server: the history over HTTP, the ticks from the topic `chart/VENUE/SYMBOL`.

const FINEST_MILLISECONDS = 1000;

/** `load` for a chart: the candles of one second that the server knows. */
export function historyLoader(venue, symbol, interval = FINEST_MILLISECONDS) {
  const path = `/history/${encodeURIComponent(venue)}/${encodeURIComponent(symbol)}?interval=${interval}`;
  return async () => {
    const response = await fetch(path, { headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return response.json();
  };
}

/** Hands a topic's state to a chart, again and again; the chart leaves out what it has. */
export class ChartFeed {
  #chart;
  #downSince = null;

  constructor(chart) {
    this.#chart = chart;
  }

  /**
   * `state` as the server sent it; `freshness` as the page believes it (`dimmed`, `confirmedAt`);
   * `isPageDown` when it is the page's own link that is down: then the history, once it can be asked
   * again, tells what was missed.
   */
  update(state, freshness, { now, isPageDown = false }) {
    if (!state) return;
    this.#chart.setScales(state);
    this.#chart.addTicks(state.ticks ?? []);
    this.#chart.setDimmed(freshness.dimmed);
    const isDown = freshness.dimmed && freshness.state !== "waiting";
    if (isDown && this.#downSince === null) {
      this.#downSince = { time: freshness.confirmedAt ?? now, isPageDown };
      this.#chart.setInterrupted(this.#downSince.time);
    } else if (!freshness.dimmed && this.#downSince !== null) {
      const { time, isPageDown: wasPageDown } = this.#downSince;
      this.#downSince = null;
      this.#chart.setInterrupted(null);
      if (wasPageDown) this.#chart.reload();
      else if (now > time) this.#chart.noteGap(time, now);
    }
  }
}
