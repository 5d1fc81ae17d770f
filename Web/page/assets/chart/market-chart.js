// The chart of one instrument of a venue: its topic, its history and the user's choices.

import { RowAlert } from "../alerts/bell.js";
import { alertLevels } from "../alerts/levels.js";
import { recall, remember } from "../base/storage.js";
import { bothClocks, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { freshnessText, originText } from "../text/words.js";
import { h } from "../ui/dom.js";
import { Screen } from "../ui/screen.js";
import { VIEW_ONLY } from "../ui/view-only.js";
import { createChart } from "./chart.js";
import { ChartFeed, historyLoader } from "./feed.js";
import { INTERVALS } from "./model/intervals.js";
import { unitsOf } from "./model/labels.js";

// A market's alerts on its chart: a line for each pending one, which can be moved, and a new one
// at a clicked price.
export class ChartAlerts extends Screen {
  #market;
  #chart;
  /** @type {import("./tools/price-lines.js").AlertAct["open"]} */
  #open;
  /** @type {Topic.Alerts | undefined} */
  #drawn;
  /** Whether the user has view-only access, as last applied. */
  #views = /** @type {boolean | null} */ (null);

  /**
   * @param {Page} page
   * @param {{venue: string, symbol: string}} market
   * @param {MarketChart} chart
   */
  constructor(page, market, chart) {
    super(page);
    this.#market = market;
    this.#chart = chart;
    this.alerts = this.open("alerts");
    const sheet = new RowAlert(page);
    this.#open = (id, near) => {
      const { left, bottom } = near.getBoundingClientRect();
      sheet.show(market, { x: left, y: bottom }, id === null ? {} : { id });
    };
    this.whenGone(() => sheet.dispose());
    this.whenGone(page.alerts.hearRefusal((message) => {
      chart.say(message);
      chart.settleAlerts();
    }));
  }

  render() {
    this.#allow(this.link.viewsOnly);
    const { state } = this.alerts;
    if (!this.link.trusted) this.#chart.settleAlerts();
    if (state === this.#drawn) return;
    this.#drawn = state;
    this.#chart.setAlerts(alertLevels(state, this.#market.venue, this.#market.symbol));
  }

  /** @param {boolean} views */
  #allow(views) {
    if (views === this.#views) return;
    this.#views = views;
    const { venue, symbol } = this.#market;
    const { alerts } = this.page;
    this.#chart.allowAlerts(views ? { open: this.#open } : {
      add: (price) => alerts.add(`${venue}/${symbol}`, { price }, false),
      move: (id, price) => alerts.move(id, price), open: this.#open,
    }, views ? VIEW_ONLY : "");
  }
}

// An own fill; price and quantity are digits.
/** @typedef {{time: number, price: string, quantity: string, side: Wire.Side}} OwnFill */

// Each market has its own interval: a stock listed today has no daily candles.
/** @param {string} venue @param {string} symbol */
const intervalKey = (venue, symbol) => `chart.interval.${venue}/${symbol}`;
const STYLE_KEY = "chart.style";
// The first is the default: minutes where the venue provides history.
/** @param {string} venue */
const allowed = (venue) =>
  [venue === "exchange" ? "5000" : "60000", ...INTERVALS.map(([interval]) => String(interval))];

/** @type {Style[]} */
const STYLES = ["candles", "line"];

/**
 * What connects a chart with others: `interval` (ms) replaces the market's stored one; `onPoint`
 * receives the time under its crosshair.
 * @typedef {{interval?: number | undefined, onInterval?: (ms: number) => unknown,
 *   onPoint?: (time: number | null) => unknown}} ChartLink
 */

export class MarketChart extends Screen {
  #chart;
  #feed;
  /** @type {OwnFill[]} */
  #fills = [];
  /** @type {number | null} */
  #priceScale = null;

  /**
   * `formatPrice(text)` and `formatQuantity(text)` format exact digits; `name` is the title.
   * @param {Page} page
   * @param {ChartLink & {venue: string, symbol: string, name?: string, formatPrice?: Format,
   *   formatQuantity?: Format}} what
   */
  constructor(page, { venue, symbol, name = symbol, formatPrice = number, formatQuantity = number,
    interval = Number(recall(intervalKey(venue, symbol), allowed(venue))), onInterval, onPoint }) {
    super(page);
    this.name = name;
    this.element = h("div.market-chart");
    this.#chart = createChart(this.element, {
      load: historyLoader(venue, symbol), name, formatPrice, formatQuantity, interval, onPoint,
      style: /** @type {Style} */ (recall(STYLE_KEY, STYLES)),
      now: () => this.link.now(), instrument: `${venue}/${symbol}`,
      caption: () => this.#caption(venue, symbol),
      onChoice: (chosen) => {
        remember(STYLE_KEY, chosen.style);
        if (!onInterval) remember(intervalKey(venue, symbol), String(chosen.interval));
        else if (chosen.interval !== interval) onInterval(interval = chosen.interval);
      },
    });
    this.#feed = new ChartFeed(this.#chart);
    this.topic = /** @type {const} */ (`chart/${venue}/${symbol}`);
    this.entry = this.open(this.topic);
    this.whenGone(() => this.#chart.dispose());
  }

  /** The freshness of the drawn data, as the page judges it. */
  get freshness() {
    return this.believe(this.entry);
  }

  // Shows interval and style controls in `place`.
  /** @param {Element} place */
  showControls(place = this.element.firstElementChild ?? this.element) {
    if (this.#chart.bar.element.parentElement !== place) place.prepend(this.#chart.bar.element);
  }

  // Shows candles of another interval (ms).
  /** @param {number} interval */
  setInterval(interval) {
    this.#chart.setInterval(interval);
  }

  // Points at the candle at a time; null at none.
  /** @param {number | null} time */
  follow(time) {
    this.#chart.follow(time);
  }

  /** Redraws what changed; runs automatically, and the owner may call it. */
  update() {
    const { state } = this.entry;
    this.#chart.setNotice(this.#notice());
    if (!state) return;
    this.#feed.update(state, this.freshness,
      { now: this.link.now(), isPageDown: !this.link.trusted });
    if (state.priceScale !== this.#priceScale) {
      this.#priceScale = state.priceScale;
      this.#markFills();
    }
  }

  render() {
    this.update();
  }

  // Marks own fills.
  /** @param {OwnFill[]} fills */
  setFills(fills) {
    this.#fills = fills;
    this.#markFills();
  }

  /**
   * Draws open orders as lines: `amend(id, price)` receives the dropped price as exact digits and
   * may return a promise; `cancel(id)`. Prices and quantities are digits.
   * @param {import("./tools/price-lines.js").OrderRow[]} rows
   * @param {import("./tools/price-lines.js").OrderAct} [act]
   */
  setOrders(rows, act) {
    this.#chart.setOrders(rows, act);
  }

  // Draws pending alerts as lines.
  /** @param {import("../alerts/levels.js").AlertLevel[]} levels */
  setAlerts(levels) {
    this.#chart.setAlerts(levels);
  }

  // What can be done with alerts on the chart, and why they can't be set.
  /** @param {import("./tools/price-lines.js").AlertAct} act @param {string} why */
  allowAlerts(act, why) {
    this.#chart.allowAlerts(act, why);
  }

  // Moved alerts that the server has not moved go back.
  settleAlerts() {
    this.#chart.settleAlerts();
  }

  // Shows a text over the chart for a moment.
  /** @param {string} text */
  say(text) {
    this.#chart.say(text);
  }

  // The caption of a screenshot: instrument, venue, time, freshness.
  /** @param {string} venue @param {string} symbol */
  #caption(venue, symbol) {
    const now = this.link.now();
    const { freshness } = this;
    const venueName = this.page.status?.state?.venues?.[venue]?.name ?? venue;
    const origin = originText(freshness.origin);
    return {
      title: `${this.name === symbol ? symbol : `${this.name} (${symbol})`} · ${venueName}`,
      details: [bothClocks(now), freshnessText(freshness, now),
        origin && t("origin: {origin}", { origin }),
        "Livetape"].filter(Boolean).join(" · "),
      file: `${symbol}-${new Date(now).toISOString().slice(0, 19)}Z.png`
        .replace(/[^A-Za-z0-9.-]+/g, "-"),
    };
  }

  #markFills() {
    const scale = this.#priceScale;
    if (scale === null) return;
    this.#chart.setFills(this.#fills.flatMap((fill) => {
      const price = unitsOf(fill.price, scale);
      return price === null ? [] : [{ ...fill, price }];
    }));
  }

  /** @returns {import("./tools/legend.js").Note | null} */
  #notice() {
    const why = this.whyNothing(this.entry, t("The chart"));
    return why && { text: `${why.title}. ${why.text}`, action: why.action };
  }
}
