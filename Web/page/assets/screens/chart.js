// @ts-check
// The chart tab of an instrument. Which venue has the instrument is in the list of books.

import { ChartAlerts } from "../alerts/chart-alerts.js";
import { icon } from "../chart/bar.js";
import { prepareChart } from "../chart/prepare.js";
import { MarketChart } from "../components/market-chart.js";
import { h, setAttribute } from "../dom.js";
import { pathOf } from "../route.js";
import { t } from "../texts.js";
import { freshnessText } from "../words.js";
import { Panel } from "./panel.js";

const LARGER = icon("M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7");
const SMALLER = icon("M20 10h-6V4M14 10l6-6M4 14h6v6M10 14l-6 6");

const ROOMY = matchMedia("(min-width: 600px)");

export class ChartPanel extends Panel {
  /** @type {MarketChart | null} */
  #chart = null;
  #place = h("div.chart-place");

  /**
   * @param {import("./screen.js").Page} page
   * @param {string} symbol
   */
  constructor(page, symbol) {
    super(page, symbol, { kind: "chart", title: t("Chart") });
    this.pane.line.append(this.#place, this.#size("chart", t("Larger chart"), LARGER),
      this.#size("book", t("Smaller chart"), SMALLER));
    prepareChart();
    this.books = this.open("books");
    this.whenGone(() => this.#chart?.dispose());
  }

  render() {
    this.#chart ??= this.#find();
    setAttribute(this.element, "data-loading", this.#chart === null);
    if (!this.#chart) return;
    // Beside the freshness where there is room, above the chart where there is not.
    this.#chart.showControls(ROOMY.matches ? this.#place : undefined);
    const now = this.link.now();
    const { entry, freshness } = this.#chart;
    this.pane.note.update(freshness, now, entry.state ? freshnessText(freshness, now)
      : t("Loading"));
  }

  /**
   * Side by side with the other views, the chart is large while its own tab is the chosen one.
   * @param {import("../route.js").Tab} tab
   * @param {string} label
   * @param {SVGElement} sign
   */
  #size(tab, label, sign) {
    return h(`a.chart-size.to-${tab}`, {
      href: pathOf({ screen: "market", name: this.symbol, tab }), "data-go": "replace",
      "aria-label": label, title: label,
    }, sign.cloneNode(true));
  }

  /** The chart once its venue is known; until then the pane says what it waits for. */
  #find() {
    const { state } = this.books;
    const own = state?.instruments?.find(({ symbol }) => symbol === this.symbol);
    this.pane.note.update(this.believe(this.books), this.link.now(), own ? t("Loading") : "");
    this.pane.say(state && !own ? this.unknown() : this.whyNothing(this.books, t("The chart")));
    if (!own) return null;
    const chart = new MarketChart(this.page, { venue: own.venue, symbol: own.symbol });
    const alerts = new ChartAlerts(this.page, own, chart);
    this.whenGone(() => alerts.dispose());
    this.pane.body.append(chart.element);
    this.open(chart.topic);
    return chart;
  }
}
