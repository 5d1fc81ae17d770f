// A live chart: candles or line, pan and zoom, crosshair, live price, gaps, own fills. The core
// computes the geometry; this module connects it to the canvas, the input and the surrounding text.

import { t } from "../text/texts.js";
import { h } from "../ui/dom.js";
import { Past } from "./candles.js";
import { Choice } from "./choice.js";
import { CoreChart, loadCore } from "./model/core.js";
import { TimeLabels } from "./model/labels.js";
import { axisWidth } from "./model/render-model.js";
import { Scene } from "./model/scene.js";
import { download } from "./paint/screenshot.js";
import { chartWorker } from "./paint/worker.js";
import { Plot } from "./plot.js";
import { cameraButton, screenButton } from "./tools/bar.js";
import { DateMenu } from "./tools/date.js";
import { Overlays } from "./tools/overlays.js";
import { PriceScaleMenu } from "./tools/prices.js";
import { StudyMenu } from "./tools/studies.js";

/** @typedef {import("./model/core.js").Fill} Fill */
/** @typedef {import("./model/scene.js").Options} Options */
/** @typedef {import("./tools/legend.js").Note} Note */

// Warms up what is slow, before there is anything to draw.
/**
 * Starts the worker, loads the core, and uses times and fonts once. A failure shows when a chart
 * needs them.
 */
export function prepareChart() {
  chartWorker();
  loadCore().catch(() => {});
  new TimeLabels(undefined).grid(0, 1000);
  axisWidth({ prices: [{ text: "0" }], guides: [], live: { text: "0" }, below: "" },
    getComputedStyle(document.body).fontFamily);
}

// A chart in `container`.
/** @param {HTMLElement} container @param {Options} options */
export function createChart(container, options = {}) {
  return new Chart(container, options);
}

export class Chart {
  #scene;
  /** @type {Choice} */
  #choice;
  #past;
  #scale;
  #studies;
  #overlays;
  #date;
  /** @type {Plot} */
  #plot;

  /** @param {HTMLElement} container @param {Options} options */
  constructor(container, options) {
    const scene = this.#scene = new Scene(options, () => this.#plot.refresh());
    this.#choice = new Choice(scene, options, {
      load: () => this.#past.loader.retry(), shows: () => this.#plot.pointing.forgetWalk(),
    });
    this.#past = new Past(scene, this.#choice, options.load, {
      took: (core, history) => {
        this.setScales({ priceDecimals: scene.labels.price.decimals, ...history });
        this.#choice.took(core);
      },
      moved: (by) => this.#plot.pointing.moveWalk(by),
    });
    /** @type {import("./tools/prices.js").Act} */
    const prices = {
      choose: (scale) => scene.with((core) => core.setScale(scale)),
      stretch: (factor) => scene.moved((core) => core.stretch(factor)),
      fit: () => scene.moved((core) => core.fitPrices()),
    };
    this.#scale = new PriceScaleMenu(prices);
    this.#studies = new StudyMenu(() => scene.with((core) => this.#choose(core)));
    this.#overlays = new Overlays({
      scene, instrument: options.instrument, refresh: () => scene.refresh(),
      focus: () => this.surface.focus(), say: (text) => this.say(text),
      hint: (text) => this.#plot.hint(text),
    });
    this.#date = new DateMenu({
      scene, show: (index) => this.#plot.showCandle(index), say: (text) => this.say(text),
    });
    this.#plot = new Plot(scene, options.name, {
      choice: this.#choice, past: this.#past, prices, scale: this.#scale, studies: this.#studies,
      overlays: this.#overlays, date: this.#date,
    });
    this.#addTools(options);
    this.#overlays.begin();
    /** @type {HTMLElement | null} */
    this.element = h("div.chart-view", {},
      ...(scene.isSmall ? [] : [this.bar.element, this.#plot.legend]), this.#plot.element);
    container.append(this.element);
    scene.exports.then((exports) => this.#ready(exports), (error) => this.#broken(error));
    this.#past.loader.reload();
    this.#plot.begin();
  }

  /** @param {Options} options */
  #addTools({ caption, instrument }) {
    const camera = caption && cameraButton(() => {
      const what = caption();
      const picture = this.#plot.save(what);
      if (picture) download(picture, what.file);
    });
    this.bar.addTools({
      studies: this.#studies.element, scale: this.#scale.element, date: this.#date.element,
      draw: instrument === undefined ? undefined : this.#overlays.menu, picture: camera,
      "full-screen": screenButton(() => this.element),
    });
  }

  // Studies in panes take room from the prices.
  /** @param {CoreChart} core */
  #choose(core) {
    this.#scene.frame.panes = this.#studies.titles;
    this.#scene.resize();
    core.setStudies(this.#studies.chosen);
  }

  /** @param {CoreExports} exports */
  #ready(exports) {
    if (!this.element) return;
    const scene = this.#scene;
    const core = scene.core = new CoreChart(exports, scene.finest);
    core.setStyle(this.#choice.style);
    if (!scene.isSmall) {
      core.setScale(this.#scale.scale);
      this.#choose(core);
    }
    core.setTick(scene.labels.price.tick);
    this.#overlays.rescale();
    this.#choice.begin(core);
    scene.begin(core);
  }

  /** @param {unknown} error */
  #broken(error) {
    console.warn("livetape: a chart has no core", error);
    this.#scene.fail(t("The chart can’t be drawn: its core could not be loaded."));
  }

  /** Intervals, style and tools. */
  get bar() {
    return this.#choice.bar;
  }

  /** The element that takes keyboard focus. */
  get surface() {
    return this.#plot.surface;
  }

  // Data

  // Replaces all candles.
  /** @param {Wire.History} history */
  setHistory(history) {
    this.#scene.with(() => this.#past.loader.take(history));
  }

  // Scales and decimals of the instrument.
  /** @param {{priceScale?: number, priceDecimals?: number, quantityScale?: number}} scales */
  setScales({ priceScale, priceDecimals, quantityScale }) {
    const { core, quantity, labels: { price } } = this.#scene;
    const scale = bounded(priceScale, price.scale);
    const before = `${price.scale} ${price.decimals}`;
    price.setScale(scale, Math.min(scale, bounded(priceDecimals, scale)));
    quantity.setScale(bounded(quantityScale, quantity.scale), 0);
    if (before === `${price.scale} ${price.decimals}`) return;
    core?.setTick(price.tick);
    this.#overlays.rescale();
  }

  // The server's state of the instrument's history.
  /** @param {Wire.HistoryState} state */
  setPast(state) {
    this.#past.set(state);
  }

  // Newest last.
  /** @param {Topic.Tick[]} ticks */
  addTicks(ticks) {
    this.#scene.with(() => this.#past.loader.add(ticks));
  }

  // A period without data.
  /** @param {number} start @param {number} end */
  noteGap(start, end) {
    this.#scene.with((core) => core.noteGap(start, end));
  }

  // Since when the feed is down (ms), or null: shaded to the right edge.
  /** @param {number | null} since */
  setInterrupted(since) {
    this.#scene.with((core) => core.setInterrupted(since));
  }

  // Whether the latest price is not live: its label is then grey and shows its age.
  /** @param {boolean} dimmed @param {number | null} [confirmedAt] ms */
  setDimmed(dimmed, confirmedAt = null) {
    const scene = this.#scene;
    if (scene.dimmed === dimmed && scene.confirmedAt === confirmedAt) return;
    Object.assign(scene, { dimmed, confirmedAt });
    scene.refresh();
  }

  // Own fills: price in units, quantity as digits where available.
  /** @param {Fill[]} fills */
  setFills(fills) {
    this.#scene.fills = fills;
    this.#scene.with((core) => core.setFills(fills));
  }

  /**
   * Open orders as draggable lines: `amend(id, price)` receives exact digits and may return a
   * promise, which holds the line in place; `cancel(id)`. An absent action is unavailable.
   * @param {import("./tools/price-lines.js").OrderRow[]} rows
   * @param {import("./tools/price-lines.js").OrderAct} [act]
   */
  setOrders(rows, act) {
    this.#overlays.setOrders(rows, act);
  }

  // Pending alerts, as lines.
  /** @param {import("./tools/price-lines.js").AlertLevel[]} levels */
  setAlerts(levels) {
    this.#overlays.setAlerts(levels);
  }

  // What can be done with alerts on the chart, and why they can't be set, shown on an attempt.
  /** @param {import("./tools/price-lines.js").AlertAct} act @param {string} [why] */
  allowAlerts(act, why = "") {
    this.#overlays.allowAlerts(act, why);
  }

  // Moved alerts that the server has not moved go back.
  settleAlerts() {
    this.#overlays.tools?.alerts.settle();
  }

  // Shows a text over the plot for a moment.
  /** @param {string} text */
  say(text) {
    this.#plot.say(text);
  }

  // Why there is nothing to draw, if the page has a better reason; null otherwise.
  /** @param {Note | null} notice */
  setNotice(notice) {
    if (notice?.text === this.#plot.notice?.text) return;
    this.#plot.notice = notice;
    this.#scene.refresh();
  }

  /** Reloads the history. */
  reload() {
    this.#past.loader.retry();
  }

  // View

  /**
   * The view: times of both edges in ms, the interval of the drawn candles, the number of finest
   * candles, whether it follows the newest tick; null before the first picture.
   */
  get view() {
    if (!this.#scene.picture) return null;
    const { left, right, interval, count, followsLive } = this.#scene.picture;
    return { left, right, interval, count, followsLive };
  }

  // Shows candles of another interval (ms).
  /** @param {number} interval */
  setInterval(interval) {
    this.#choice.setInterval(interval);
  }

  // "candles" or "line".
  /** @param {Style} style */
  setStyle(style) {
    this.#choice.setStyle(style);
  }

  // Points at the candle at a time, as a linked chart does; null at none.
  /** @param {number | null} time */
  follow(time) {
    this.#plot.follow(time);
  }

  /** Follows the newest tick again. */
  backToLive() {
    this.#plot.backToLive();
  }

  /** Rereads the colours. */
  restyle() {
    this.#plot.restyle();
  }

  dispose() {
    this.#plot.dispose();
    this.#past.loader.dispose();
    this.#scene.dispose();
    this.element?.remove();
    this.element = null;
  }
}

/** @param {number | undefined} scale @param {number} otherwise */
const bounded = (scale, otherwise) =>
  scale !== undefined && Number.isInteger(scale) && scale >= 0 && scale <= 18 ? scale : otherwise;
