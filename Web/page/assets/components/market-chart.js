// The chart of one instrument of a venue: the topic, the history and the person's choices, joined to
// the chart that draws them. It closes its topic when it goes.

import { INTERVALS } from "../chart/bar.js";
import { createChart } from "../chart/chart.js";
import { ChartFeed, historyLoader } from "../chart/feed.js";
import { unitsOf } from "../chart/labels.js";
import { h } from "../dom.js";
import { number } from "../format.js";
import { recall, remember } from "../preferences.js";
import { Screen } from "../screens/screen.js";

const CHOICES = {
  "chart.interval": [["5000"], ...INTERVALS.map(([interval]) => [String(interval)])],
  "chart.style": [["candles"], ["line"]],
};

export class MarketChart extends Screen {
  #chart;
  #feed;
  #fills = [];
  #priceScale = null;

  /** `formatPrice(text)` and `formatQuantity(text)` write exact digits; `name` is what is charted. */
  constructor(context, { venue, symbol, name = symbol, formatPrice = number, formatQuantity = number }) {
    super(context);
    this.name = name;
    this.element = h("div.market-chart");
    this.#chart = createChart(this.element, {
      load: historyLoader(venue, symbol), name, formatPrice, formatQuantity, zone: "utc",
      interval: Number(recall("chart.interval", CHOICES["chart.interval"])),
      style: recall("chart.style", CHOICES["chart.style"]),
      now: () => this.link.now(),
      onChoice: ({ interval, style }) => {
        remember("chart.interval", String(interval));
        remember("chart.style", style);
      },
    });
    this.#feed = new ChartFeed(this.#chart);
    this.entry = this.open(`chart/${venue}/${symbol}`);
    this.whenGone(() => this.#chart.dispose());
  }

  /** The freshness of what is drawn, as the page believes it. */
  get freshness() {
    return this.believe(this.entry);
  }

  /** Intervals and style; they may be shown elsewhere, `place` being what holds them. */
  showControls(place = this.element.firstElementChild) {
    if (this.#chart.bar.element.parentElement !== place) place.prepend(this.#chart.bar.element);
  }

  /** Draws anew what changed; it is called by itself, and may be called by whoever holds the chart. */
  update() {
    const { state } = this.entry;
    this.#chart.setNotice(this.#notice(state));
    if (!state) return;
    this.#feed.update(state, this.freshness, { now: this.link.now(), isPageDown: !this.link.trusted });
    if (state.priceScale !== this.#priceScale) {
      this.#priceScale = state.priceScale;
      this.#markFills();
    }
  }

  render() {
    this.update();
  }

  /** Marks own fills: `[{time, price, quantity, side}, …]`, the price as digits, side "buy" or "sell". */
  setFills(fills) {
    this.#fills = fills;
    this.#markFills();
  }

  #markFills() {
    if (!Number.isInteger(this.#priceScale)) return;
    this.#chart.setFills(this.#fills
      .map((fill) => ({ ...fill, price: unitsOf(fill.price, this.#priceScale) }))
      .filter(({ price }) => price !== null));
  }

  #notice(state) {
    if (state?.known === false) return { text: `There is no chart of ${this.name}` };
    const why = this.whyNothing(this.entry, "The chart");
    return why && { text: `${why.title}. ${why.text}`, action: why.action };
  }
}
