// @ts-check
// The line of prices seen on this page, with its honest label and a summary for screen readers.

import { ChartLine } from "../chart-line.js";
import { h, setAttribute, setText } from "../dom.js";
import { observeChoices } from "../preferences.js";
import { zoneName } from "../zone.js";

/** @typedef {import("../series.js").Series} Series */

const SUMMARY_EVERY_MILLISECONDS = 5000;

export class SeenChart {
  #caption = h("figcaption");
  #summaryAt = -Infinity;
  #wasDimmed = false;
  #release;

  /**
   * `what`: "trades" or "prices". `refresh` draws again.
   * @param {string} what
   * @param {() => unknown} refresh
   */
  constructor(what, refresh) {
    this.what = what;
    this.line = new ChartLine(refresh);
    this.element = h("figure.seen-chart", {}, this.line.element, this.#caption);
    this.#saySource();
    this.#release = observeChoices(() => {
      this.#saySource();
      this.line.restyle();
      refresh();
    });
  }

  #saySource() {
    setText(this.#caption,
      `${this.what} seen on this page · times in ${zoneName(Date.now())}`);
  }

  /**
   * Draws a series up to `now`. `format(text)` writes a price.
   * @param {Series} series
   * @param {number} now
   * @param {Format} format
   * @param {number} decimals
   * @param {boolean} dimmed
   */
  update(series, now, format, decimals, dimmed) {
    const label = (/** @type {number} */ price) => format(price.toFixed(decimals));
    this.line.draw({ points: series.points, version: series.version, now, label, dimmed });
    const isDimmed = dimmed === true;
    if (performance.now() - this.#summaryAt < SUMMARY_EVERY_MILLISECONDS
      && isDimmed === this.#wasDimmed) return;
    [this.#summaryAt, this.#wasDimmed] = [performance.now(), isDimmed];
    setAttribute(this.line.element, "aria-label",
      this.#summary(series, label, isDimmed ? "last known" : "latest"));
  }

  dispose() {
    this.#release();
    this.line.dispose();
  }

  /**
   * @param {Series} series
   * @param {(price: number) => string} label
   * @param {string} latest
   */
  #summary(series, label, latest) {
    const prices = series.points.flatMap((point) => point?.price ?? []);
    if (prices.length === 0) return `Line chart: no ${this.what} seen yet`;
    return `Line chart of ${prices.length} ${this.what} seen on this page: `
      + `lowest ${label(Math.min(...prices))}, highest ${label(Math.max(...prices))}, `
      + `first ${label(prices[0])}, ${latest} ${label(prices[prices.length - 1])}`;
  }
}
