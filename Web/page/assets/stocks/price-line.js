// The prices received on this page, as a small chart with gaps for missing data and its own
// caption.

import { createChart } from "../chart/chart.js";
import { unitsOf } from "../chart/model/labels.js";
import { observeChoices } from "../text/preferences.js";
import { t } from "../text/texts.js";
import { zoneName } from "../text/zone.js";
import { h, setText } from "../ui/dom.js";

/** @typedef {import("./series.js").Point} Point */
/** @typedef {import("./series.js").Series} Series */

export class SeenChart {
  #caption = h("figcaption");
  #place = h("div.line");
  #chart;
  /** @type {Format} */
  #format = (text = "") => text;
  #now = 0;
  #arrival = 0;
  #version = -1;
  /** @type {Point | null} */
  #last = null;
  #release;

  // `what`: "trades" or "prices".
  /** @param {string} what */
  constructor(what) {
    this.what = what;
    this.element = h("figure.seen-chart", {}, this.#place, this.#caption);
    this.#chart = createChart(this.#place, {
      isSmall: true, style: "line", interval: 1000, name: t("{what} seen on this page", { what }),
      formatPrice: (text) => this.#format(text), now: () => this.#now,
    });
    this.#saySource();
    this.#release = observeChoices(() => this.#saySource());
  }

  #saySource() {
    setText(this.#caption, t("{what} seen on this page · times in {zone}",
      { what: this.what, zone: zoneName() }));
  }

  /**
   * Draws a series up to `now`. `format(text)` formats a price with so many decimals.
   * @param {Series} series
   * @param {number} now
   * @param {Format} format
   * @param {number} decimals
   * @param {boolean} dimmed
   */
  update(series, now, format, decimals, dimmed) {
    [this.#format, this.#now] = [format, now];
    this.#chart.setScales({ priceScale: decimals, priceDecimals: decimals });
    this.#chart.setDimmed(dimmed);
    this.#chart.setInterrupted(dimmed ? (this.#last?.time ?? null) : null);
    if (series.version === this.#version) return;
    this.#version = series.version;
    let isGap = false;
    for (const point of series.points.slice(series.points.lastIndexOf(this.#last) + 1)) {
      if (point === null) isGap = true;
      else {
        this.#add(point, decimals, isGap);
        isGap = false;
      }
    }
  }

  /**
   * @param {Point} point
   * @param {number} decimals
   * @param {boolean} isGap whether data is missing before it
   */
  #add(point, decimals, isGap) {
    const units = unitsOf(point.text, decimals) ?? Math.round(point.price * 10 ** decimals);
    if (isGap && this.#last) this.#chart.noteGap(this.#last.time, point.time);
    this.#last = point;
    this.#arrival += 1;
    this.#chart.addTicks([[this.#arrival, point.time, units, 0]]);
  }

  dispose() {
    this.#release();
    this.#chart.dispose();
  }
}
