// The chart tab of an instrument.

import { pathOf } from "../base/route.js";
import { isNamed, venueOf } from "../markets/market.js";
import { t } from "../text/texts.js";
import { freshnessText } from "../text/words.js";
import { h, icon, setAttribute } from "../ui/dom.js";
import { Panel } from "../ui/screen.js";
import { prepareChart } from "./chart.js";
import { ChartAlerts, MarketChart } from "./market-chart.js";

const LARGER = icon("M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7");
const SMALLER = icon("M20 10h-6V4M14 10l6-6M4 14h6v6M10 14l-6 6");

// The intervals of a market on the screen of several charts.
const SIDE_BY_SIDE = ["1m", "15m", "1h", "1d"];
const ROOMY = matchMedia("(min-width: 37.5rem)");

export class ChartPanel extends Panel {
  /** @type {MarketChart | null} */
  #chart = null;
  /** @type {Entry<Topic.Figures> | null} */
  #figures = null;
  #place = h("div.chart-place");
  #link;

  /**
   * `link` connects a chart with others beside it.
   * @param {Page} page
   * @param {string} name
   * @param {import("./market-chart.js").ChartLink} [link]
   */
  constructor(page, name, link) {
    super(page, name, { kind: "chart", title: t("Chart") });
    this.#link = link;
    this.pane.line.append(this.#place, ...(link ? [] : [this.#grid(),
      this.#size("chart", t("Larger chart"), LARGER),
      this.#size("book", t("Smaller chart"), SMALLER)]));
    prepareChart();
    this.books = this.open("books");
    this.whenGone(() => this.#chart?.dispose());
  }

  /** The chart; null until its venue is resolved. */
  get chart() {
    return this.#chart;
  }

  /** Whether the venue rejects the name. An instrument of the catalogue keeps its chart. */
  get isMissing() {
    const isRejected = this.#figures?.state?.known === false || this.#chart?.entry.refused === true;
    return isRejected
      && this.books.state?.instruments.every((market) => !isNamed(market, this.name)) === true;
  }

  render() {
    this.#chart ??= this.#find();
    setAttribute(this.element, "data-loading", this.#chart === null);
    if (!this.#chart) return;
    this.pane.say(this.isMissing ? this.unknown() : null);
    // Beside the freshness if there is room, else above the chart.
    this.#chart.showControls(ROOMY.matches ? this.#place : undefined);
    const now = this.link.now();
    const { entry, freshness } = this.#chart;
    this.pane.note.update(freshness, now, entry.state ? freshnessText(freshness, now)
      : t("Loading"));
  }

  // Beside the other views, the chart is large while its own tab is selected.
  /** @param {import("../base/route.js").Tab} tab @param {string} label @param {SVGElement} sign */
  #size(tab, label, sign) {
    return h(`a.chart-size.to-${tab}`, {
      href: pathOf({ screen: "market", name: this.name, tab }), "data-go": "replace",
      "aria-label": label, title: label,
    }, sign.cloneNode(true));
  }

  /** The market in four intervals. */
  #grid() {
    const name = SIDE_BY_SIDE.map((interval) => `${this.name}@${interval}`).join(",");
    return h("a.chart-size.to-grid", {
      href: pathOf({ screen: "charts", name }), "data-go": "", "aria-label": t("Several charts"),
      title: t("Several charts"),
    }, icon("M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"));
  }

  /** The chart once its venue is resolved. Until then the pane shows why it is absent. */
  #find() {
    const { state } = this.books;
    const { symbol } = this;
    const venue = venueOf(state, this.name);
    this.pane.note.update(this.believe(this.books), this.link.now(), venue ? t("Loading") : "");
    this.pane.say(state && !venue ? this.unknown() : this.whyNothing(this.books, t("The chart")));
    if (!venue) return null;
    const chart = new MarketChart(this.page, { venue, symbol, ...this.#link });
    const alerts = new ChartAlerts(this.page, { venue, symbol }, chart);
    this.whenGone(() => alerts.dispose());
    this.pane.body.append(chart.element);
    this.open(chart.topic);
    this.#figures = this.open(`figures/${venue}/${symbol}`);
    return chart;
  }
}
