// The alerts of a market on its chart: a line each while they wait, and a new one at a price there.

import { alertLevels } from "../alerts/levels.js";
import { Screen } from "../ui/screen.js";
import { VIEW_ONLY } from "../ui/view-only.js";

export class ChartAlerts extends Screen {
  #market;
  #chart;
  /** @type {Topic.Alerts | undefined} */
  #drawn;
  /** Whether the person may only look, as the chart was told. */
  #views = /** @type {boolean | null} */ (null);

  /**
   * @param {Page} page
   * @param {{venue: string, symbol: string}} market
   * @param {import("./market-chart.js").MarketChart} chart
   */
  constructor(page, market, chart) {
    super(page);
    this.#market = market;
    this.#chart = chart;
    this.alerts = this.open("alerts");
    this.whenGone(page.alerts.hearRefusal((message) => chart.say(message)));
  }

  render() {
    this.#allow(this.link.viewsOnly);
    const { state } = this.alerts;
    if (state === this.#drawn) return;
    this.#drawn = state;
    this.#chart.setAlerts(alertLevels(state, this.#market.venue, this.#market.symbol));
  }

  /** @param {boolean} views */
  #allow(views) {
    if (views === this.#views) return;
    this.#views = views;
    const { venue, symbol } = this.#market;
    if (views) this.#chart.allowAlerts(null, VIEW_ONLY);
    else {
      this.#chart.allowAlerts((price) =>
        this.page.alerts.add(`${venue}/${symbol}`, price, false));
    }
  }
}
