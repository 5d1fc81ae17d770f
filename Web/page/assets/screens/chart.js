// The chart tab: for now a live line of the trades that this page has seen, and it says so.

import { SeenChart } from "../components/seen-chart.js";
import { setAttribute } from "../dom.js";
import { number } from "../format.js";
import { addTrades } from "../series.js";
import { Panel } from "./panel.js";

export class ChartPanel extends Panel {
  #chart = new SeenChart("trades", this.refresh);

  constructor(context, symbol) {
    super(context, symbol, { kind: "chart", title: "Chart", topic: "trades" });
    this.pane.body.append(this.#chart.element);
    this.series = context.series.of(`trades/${symbol}`);
    this.whenGone(() => this.#chart.dispose());
  }

  render() {
    const known = this.known("The trades");
    setAttribute(this.element, "data-loading", !known);
    if (!known) return;
    const { state, freshness, now } = known;
    if (freshness.dimmed) this.series.gap();
    else addTrades(this.series, state.trades ?? []);
    const decimals = state.priceDecimals ?? 1;
    this.#chart.update(this.series, now, (digits) => number(digits, decimals), decimals, freshness.dimmed);
  }
}
