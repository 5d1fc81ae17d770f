// The chart tab of an instrument. Which venue has the instrument is in the list of books.

import { prepareChart } from "../chart/chart.js";
import { MarketChart } from "../components/market-chart.js";
import { setAttribute } from "../dom.js";
import { freshnessText } from "../words.js";
import { Panel } from "./panel.js";

export class ChartPanel extends Panel {
  #chart = null;

  constructor(context, symbol) {
    super(context, symbol, { kind: "chart", title: "Chart" });
    prepareChart();
    this.books = this.open("books");
    this.whenGone(() => this.#chart?.dispose());
  }

  render() {
    this.#chart ??= this.#find();
    setAttribute(this.element, "data-loading", this.#chart === null);
    if (!this.#chart) return;
    const now = this.link.now();
    const { entry, freshness } = this.#chart;
    this.pane.note.update(freshness, now, entry.state ? freshnessText(freshness, now) : "Loading");
  }

  /** The chart once its venue is known; until then the pane says what it waits for. */
  #find() {
    const { state } = this.books;
    const own = state?.instruments?.find(({ symbol }) => symbol === this.symbol);
    this.pane.note.update(this.believe(this.books), this.link.now(), own ? "Loading" : "");
    this.pane.say(state && !own ? this.unknown() : this.whyNothing(this.books, "The chart"));
    if (!own) return null;
    const chart = new MarketChart(this.context, { venue: own.venue, symbol: own.symbol });
    this.pane.body.append(chart.element);
    this.open(chart.entry.name);
    return chart;
  }
}
