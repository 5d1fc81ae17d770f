// @ts-check
// The alerts of a market on its chart: a line each while they wait, and a new one at a price there.

import { Screen } from "../screens/screen.js";
import { alertLevels } from "./levels.js";

export class ChartAlerts extends Screen {
  #market;
  #chart;
  /** @type {Topic.Alerts | undefined} */
  #drawn;

  /**
   * @param {import("../screens/screen.js").Page} page
   * @param {{venue: string, symbol: string}} market
   * @param {import("../components/market-chart.js").MarketChart} chart
   */
  constructor(page, market, chart) {
    super(page);
    this.#market = market;
    this.#chart = chart;
    this.alerts = this.open("alerts");
    const { venue, symbol } = market;
    chart.allowAlerts((price) => page.alerts.add(`${venue}/${symbol}`, price, false));
    this.whenGone(page.alerts.hearRefusal((message) => chart.say(message)));
  }

  render() {
    const { state } = this.alerts;
    if (state === this.#drawn) return;
    this.#drawn = state;
    this.#chart.setAlerts(alertLevels(state, this.#market.venue, this.#market.symbol));
  }
}
