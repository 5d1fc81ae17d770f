// @ts-check
// A live chart: candles or line, pan and zoom, crosshair, live price, gaps, own fills. The geometry
// is the core's; this module joins it to the canvas, to the person's hands and to the words around
// it.

import { h, setAttribute, setText } from "../dom.js";
import { motionIsReduced, observeChoices } from "../preferences.js";
import { forget, invalidate } from "../scheduler.js";
import { ChartBar, hasButton, INTERVALS } from "./bar.js";
import { readColours } from "./colours.js";
import { CoreChart, loadCore } from "./core.js";
import { CanvasHost } from "./canvas-host.js";
import { fillsText } from "./fills.js";
import { Gestures } from "./gestures.js";
import { HistoryKeeper } from "./history.js";
import { OlderCandles } from "./older.js";
import { listenForChartKeys } from "./keys.js";
import { plainNumber, PriceLabels, TimeLabels } from "./labels.js";
import { ChartNote, pastWords } from "./note.js";
import { Pointing } from "./pointing.js";
import { belowPrice } from "./below.js";
import { Drawings } from "./drawings.js";
import { OrderLines } from "./order-lines.js";
import { PriceScaleMenu, priceStrip } from "./prices.js";
import { download, pictureOf } from "./screenshot.js";
import { StudyMenu } from "./studies.js";
import { cameraButton, screenButton } from "./tools.js";
import { axisWidth, beyond, Frame, renderModelOf } from "./render-model.js";
import { summary } from "./summary.js";
import { zoneOffsets } from "../zone.js";

/** @typedef {import("./core.js").Fill} Fill */
/** @typedef {import("./prices.js").Scale} Scale */
/** @typedef {import("./core.js").Picture} Picture */
/** @typedef {import("./bar.js").Style} Style */
/** @typedef {import("./note.js").Note} Note */
/** @typedef {import("./colours.js").Colours} Colours */
/**
 * @typedef {object} Options
 * @property {(interval: number, before?: number) => Promise<Wire.History>} [load] the candles of an
 *   interval, or those before a time
 * @property {string} [name] what is charted
 * @property {Format} [formatPrice] writes exact digits
 * @property {Format} [formatQuantity]
 * @property {string} [locale]
 * @property {number} [interval] ms
 * @property {Style} [style]
 * @property {() => number} [now] ms, for the moving edge
 * @property {(choice: {interval: number, style: Style}) => unknown} [onChoice]
 * @property {boolean} [isSmall] without bar, legend, studies and full screen
 * @property {string} [instrument] under which drawn lines are kept; without it none are drawn
 * @property {() => import("./screenshot.js").Caption} [caption] what a picture of it is of; without
 *   it none is made
 */

const SUMMARY_EVERY_MILLISECONDS = 5000;
const FINEST = 1000;
const LEAST_LENGTH = 40;
/** The part that takes the keyboard's focus. */
const SURFACE = {
  tabindex: 0, role: "slider", "aria-roledescription": "chart", "aria-orientation": "horizontal",
  "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0, "aria-valuetext": "nothing yet",
  "aria-keyshortcuts": "ArrowLeft ArrowRight + - Home End Shift+ArrowUp Shift+ArrowDown A",
};

/**
 * A chart in `container`.
 * @param {HTMLElement} container
 * @param {Options} options
 */
export function createChart(container, options = {}) {
  return new Chart(container, options);
}

export class Chart {
  #options;
  /** @type {CoreChart | null} */
  #core = null;
  #coreReady;
  #host = new CanvasHost(() => this.restyle());
  #frame = new Frame();
  /** @type {Colours | null} */
  #colours = null;
  #gestures;
  #keeper;
  #pointing;
  #labels;
  #quantity;
  /** Why no chart can be drawn at all. */
  failure = "";
  #isDirty = true;
  /** @type {Picture | null} */
  #picture = null;
  #dimmed = false;
  /** When the price was last confirmed, while it is not live. */
  #confirmedAt = /** @type {number | null} */ (null);
  /** @type {Note | null} */
  #notice = null;
  /** @type {((core: CoreChart) => unknown)[]} */
  #queue = [];
  #finest = FINEST;
  /** The chosen interval of the picture; the wanted one differs until its candles are there. */
  #shown = 0;
  #older;
  /** @type {Map<number, Wire.VenueRow>} */
  #contradicted = new Map();
  /** @type {{status: Wire.HistoryStatus, problem?: string}} */
  #past = { status: "none" };
  #summaryAt = -Infinity;
  #summaryState = "";
  #legendHeight = 0;
  #legendWidth = 0;
  #prices;
  #scaleMenu;
  #studyMenu;
  #drawings;
  /** @type {Fill[]} */
  #fills = [];
  #barInterval = 0;
  /** The times whose zone the core knows. */
  #zoned = /** @type {{from: number, to: number} | null} */ (null);
  #timer = 0;
  /** @type {(() => unknown)[]} */
  #endings = [];

  /**
   * @param {HTMLElement} container
   * @param {Options} options
   */
  constructor(container, options) {
    const { load, locale, interval = 60_000, style = "candles" } = options;
    this.#options = options;
    this.interval = this.#shown = interval;
    this.style = style;
    this.#labels = {
      price: new PriceLabels(options.formatPrice, locale), time: new TimeLabels(locale),
    };
    this.#quantity = new PriceLabels(options.formatQuantity ?? plainNumber(locale), locale);
    this.#pointing = new Pointing(this.#frame, this.#labels);
    const choose = {
      interval: (/** @type {number} */ ms) => this.setInterval(ms),
      style: (/** @type {Style} */ name) => this.setStyle(name),
    };
    this.bar = new ChartBar(choose);
    const prices = {
      choose: (/** @type {Scale} */ scale) => this.#with((core) => core.setScale(scale)),
      stretch: (/** @type {number} */ factor) => this.#moved((core) => core.stretch(factor)),
      fit: () => this.#moved((core) => core.fitPrices()),
    };
    this.#prices = prices;
    this.#scaleMenu = new PriceScaleMenu(prices);
    this.#studyMenu = new StudyMenu((studies) => this.#with((core) => core.setStudies(studies)));
    this.orders = new OrderLines({
      price: this.#labels.price,
      priceAt: (y) => this.#core?.under(0, y * this.#frame.ratio)?.price ?? null,
      changed: (orders) => this.#with((core) => core.setOrders(orders)),
    });
    this.#drawings = options.instrument === undefined ? null : new Drawings({
      instrument: options.instrument, price: this.#labels.price, core: () => this.#core,
      refresh: () => this.#refresh(), focus: () => this.surface.focus(),
      say: (text) => this.#hint(text),
    });
    this.bar.addTools(this.#studyMenu.element, this.#scaleMenu.element);
    if (this.#drawings) this.bar.addTools(this.#drawings.menu);
    if (options.caption) this.bar.addTools(cameraButton(() => this.#save()));
    this.bar.addTools(screenButton(() => this.element));
    this.live = h("button.chart-live", { type: "button", hidden: true }, "Back to live");
    this.live.addEventListener("click", () => this.backToLive());
    this.note = new ChartNote();
    this.status = h("div.chart-status", { role: "status", hidden: true });
    this.surface = h("div.chart-surface", SURFACE, this.#host.element,
      this.#pointing.crosshair.element);
    this.hint = h("div.chart-hint", { role: "status", hidden: true });
    this.plot = h("div.chart-plot", {}, this.surface, priceStrip(prices),
      this.#drawings?.element ?? null, this.orders.element, this.live, this.status, this.hint,
      this.note.element);
    /** @type {HTMLElement | null} */
    this.element = h("div.chart-view", {},
      ...(options.isSmall ? [] : [this.bar.element, this.#pointing.legend.element]), this.plot);
    container.append(this.element);
    this.#updateBar();
    this.#coreReady = loadCore();
    // Both are asked for at once; the candles need the core to stand in.
    const loadBoth = load
      && (() => Promise.all([load(this.interval), this.#coreReady])
        .then(([history]) => history));
    this.#older = new OlderCandles(load, (history) => this.#tookOlder(history),
      () => this.#refresh());
    this.#keeper = new HistoryKeeper(loadBoth, {
      history: (history) => this.#tookHistory(history),
      tick: (time, price, quantity) =>
        this.#with((core) => core.addTick(time, price, quantity)),
      gap: (start, end) => this.#with((core) => core.noteGap(start, end)),
      changed: () => this.#loaded(),
    });
    this.#gestures = this.#listen();
    this.#start();
    const { width, height } = this.surface.getBoundingClientRect();
    this.#size(Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio),
      devicePixelRatio);
  }

  #listen() {
    return new Gestures(this.surface, {
      pan: (pixels) => this.#moved((core) => core.pan(pixels * this.#frame.ratio)) === true,
      zoom: (factor, x) => this.#moved((core) => core.zoom(factor, x * this.#frame.ratio)),
      point: (x, y) => this.#point(x, y),
      leave: () => this.#leave(),
      moving: () => this.#refresh(),
      lift: (pixels) => this.#moved((core) => core.movePrices(pixels * this.#frame.ratio)),
      press: (x, y) => this.#press(x, y),
      reducesMotion: motionIsReduced,
    });
  }

  #start() {
    listenForChartKeys(this.surface, {
      walk: (steps) => this.#walk(steps),
      zoom: (factor) => this.#moved((core) => core.zoom(factor, this.#frame.plotWidth / 2)),
      oldest: () => this.#goTo(0),
      live: () => this.#goTo(Infinity),
      leave: () => (this.#drawings?.cancel() ?? false) || this.#leave(),
      stretch: this.#prices.stretch, fit: this.#prices.fit, place: () => this.#place(),
    });
    const observer = new ResizeObserver(([entry]) => this.#resized(entry));
    try {
      observer.observe(this.surface, { box: "device-pixel-content-box" });
    } catch {
      observer.observe(this.surface);
    }
    const legendObserver = new ResizeObserver(() => this.#keepLegendHeight());
    legendObserver.observe(this.#pointing.legend.element);
    this.#endings.push(() => observer.disconnect(), () => legendObserver.disconnect(),
      observeChoices(() => this.#rechosen()));
    this.#coreReady.then((core) => this.#ready(core), (error) => this.#broken(error));
    this.#keeper.reload();
    this.#refresh();
  }

  /** @param {CoreExports} core */
  #ready(core) {
    if (!this.element) return;
    this.#core = new CoreChart(core, this.#finest);
    this.#core.setStyle(this.style);
    if (!this.#options.isSmall) {
      this.#core.setScale(this.#scaleMenu.scale);
      this.#core.setStudies(this.#studyMenu.chosen);
    }
    this.#core.setTick(this.#labels.price.tick);
    this.#drawings?.rescale();
    this.#core.show(this.interval, this.#pixelsPerCandle);
    this.#applySize();
    for (const act of this.#queue.splice(0)) act(this.#core);
    this.#refresh();
  }

  /** @param {unknown} error */
  #broken(error) {
    reportError(error);
    this.#queue = [];
    this.failure = "The chart can’t be drawn: its core could not be loaded.";
    this.#refresh();
  }

  /**
   * What is asked before the core is there waits for it; without a core that could come it is
   * dropped.
   * @param {(core: CoreChart) => unknown} act
   */
  #with(act) {
    if (!this.#core) {
      if (!this.failure) this.#queue.push(act);
      return true;
    }
    const result = act(this.#core);
    this.#refresh();
    return result;
  }

  // Data

  /**
   * Replaces all there is.
   * @param {Wire.History} history
   */
  setHistory(history) {
    this.#with(() => this.#keeper.take(history));
  }

  /**
   * Decimals of the instrument.
   * @param {{priceScale?: number, priceDecimals?: number, quantityScale?: number}} scales
   */
  setScales({ priceScale, priceDecimals, quantityScale }) {
    const price = bounded(priceScale, this.#labels.price.scale);
    const labels = this.#labels.price;
    const before = `${labels.scale} ${labels.decimals}`;
    labels.setScale(price, Math.min(price, bounded(priceDecimals, price)));
    this.#quantity.setScale(bounded(quantityScale, this.#quantity.scale), 0);
    if (before === `${labels.scale} ${labels.decimals}`) return;
    this.#core?.setTick(labels.tick);
    this.#drawings?.rescale();
    this.orders.rescale();
  }

  /** @param {Wire.History} history */
  #tookHistory(history) {
    const core = this.#core;
    if (!core || !this.#setCandles(core, history)) return false;
    const { seenSince = NaN } = history;
    if (Number.isSafeInteger(seenSince)) core.seenSince(seenSince);
    this.#tookGaps(core, history);
    const { status, problem } = history;
    if (status) this.#past = { status, problem };
    this.#finest = history.interval;
    this.setScales({ priceDecimals: this.#labels.price.decimals, ...history });
    if (this.interval < this.#finest) this.interval = this.#finest;
    if (this.interval !== this.#shown) this.#show(core);
    this.#updateBar();
    this.#refresh();
    return true;
  }

  /**
   * What was loaded by scrolling stays, where the new candles go on from it.
   * @param {CoreChart} core
   * @param {Wire.History} history
   */
  #setCandles(core, { interval, candles, hasOlder = false }) {
    const first = candles instanceof Float64Array ? candles[0] : candles[0]?.[0];
    const goesOn = interval === this.#finest && this.#core === core && this.#picture !== null
      && first !== undefined && this.#picture.count > 0 && this.#picture.oldest < first
      && this.#older.hasTaken;
    if (goesOn) {
      core.renewCandles(candles);
      return true;
    }
    if (core.setCandles(interval, candles) < 0) return false;
    this.#contradicted.clear();
    this.#older.begin(hasOlder);
    return true;
  }

  /**
   * Older candles go before those there are: nothing that is in view moves.
   * @param {Wire.History} history
   */
  #tookOlder(history) {
    const core = this.#core;
    if (!core || history.interval !== this.#finest) return 0;
    const drawn = this.#picture?.drawnCount ?? 0;
    const taken = core.prependCandles(history.candles);
    this.#tookGaps(core, history);
    this.#refresh();
    if (taken > 0) this.#pointing.moveWalk(() => core.draw(this.#now()).drawnCount - drawn);
    return taken;
  }

  /**
   * @param {CoreChart} core
   * @param {Wire.History} history
   */
  #tookGaps(core, { gaps, contradicted }) {
    for (const gap of Array.isArray(gaps) ? gaps : []) core.noteGap(gap?.[0], gap?.[1]);
    for (const row of Array.isArray(contradicted) ? contradicted : []) {
      if (Array.isArray(row)) this.#contradicted.set(row[0], row);
    }
  }

  /** The history came, or did not: then what is known is folded, where that can be done. */
  #loaded() {
    const core = this.#core;
    if (core && this.interval !== this.#shown && this.#keeper?.problem) this.#show(core);
    this.#refresh();
  }

  /**
   * What the server says of the past of the instrument.
   * @param {Wire.HistoryState} state
   */
  setPast({ revision, status, problem }) {
    if (status !== this.#past.status || problem !== this.#past.problem) {
      this.#past = { status, problem };
      this.#updateBar();
      this.#refresh();
    }
    this.#keeper.tellRevision(revision);
  }

  /**
   * Newest last.
   * @param {Topic.Tick[]} ticks
   */
  addTicks(ticks) {
    this.#with(() => this.#keeper.add(ticks));
  }

  /**
   * A stretch in which nothing could be heard.
   * @param {number} start
   * @param {number} end
   */
  noteGap(start, end) {
    this.#with((core) => core.noteGap(start, end));
  }

  /**
   * Since when nothing can be heard (ms), or null: shaded to the right edge.
   * @param {number | null} since
   */
  setInterrupted(since) {
    this.#with((core) => core.setInterrupted(since));
  }

  /**
   * Whether the latest price is not live: its label is then grey, and says since when it was.
   * @param {boolean} dimmed
   * @param {number} [confirmedAt] ms
   */
  setDimmed(dimmed, confirmedAt) {
    if (this.#dimmed === dimmed && this.#confirmedAt === (confirmedAt ?? null)) return;
    this.#dimmed = dimmed;
    this.#confirmedAt = confirmedAt ?? null;
    this.#refresh();
  }

  /**
   * Own fills: the price in units, the quantity as digits where it is known.
   * @param {Fill[]} fills
   */
  setFills(fills) {
    this.#fills = fills;
    this.#with((core) => core.setFills(fills));
  }

  /**
   * Waiting orders as lines that can be dragged: `amend(id, price)` gets exact digits, a promise of
   * it keeps the line where it was put; `cancel(id)`. What is missing can't be done.
   * @param {import("./order-lines.js").OrderRow[]} rows
   * @param {import("./order-lines.js").OrderAct} [act]
   */
  setOrders(rows, act) {
    this.orders.set(rows, act);
  }

  /**
   * Why there is nothing to draw, when the page knows better: null otherwise.
   * @param {Note | null} notice
   */
  setNotice(notice) {
    if (notice === this.#notice || notice?.text === this.#notice?.text) return;
    this.#notice = notice;
    this.#refresh();
  }

  /** Asks for the history again. */
  reload() {
    this.#keeper.retry();
  }

  // View

  /**
   * What is shown: times of both edges in ms, the interval of the drawn candles, how many there are
   * of the finest ones, whether it follows the newest tick; null before the first picture.
   */
  get view() {
    if (!this.#picture) return null;
    const { left, right, interval, count, followsLive } = this.#picture;
    return { left, right, interval, count, followsLive };
  }

  /**
   * Shows candles of another interval, in milliseconds.
   * @param {number} interval
   */
  setInterval(interval) {
    if (!isInterval(interval)) return;
    if (this.#options.load && interval !== this.#shown) {
      // The old picture stays until the new candles are there.
      this.interval = interval;
      this.#chose();
      this.#keeper.retry();
      this.#refresh();
      return;
    }
    this.#with((core) => {
      const before = this.interval;
      this.interval = interval;
      if (this.#show(core)) this.#chose();
      else this.interval = before;
    });
  }

  /**
   * Shows candles of the wanted interval, if they can be made of those there are.
   * @param {CoreChart} core
   */
  #show(core) {
    if (!core.show(this.interval, this.#pixelsPerCandle)) return false;
    this.#shown = this.interval;
    this.#pointing.forgetWalk();
    return true;
  }

  /**
   * "candles" or "line".
   * @param {Style} style
   */
  setStyle(style) {
    this.style = style;
    this.#with((core) => core.setStyle(style));
    this.#chose();
  }

  #chose() {
    this.#updateBar();
    this.#options.onChoice?.({ interval: this.interval, style: this.style });
  }

  /**
   * The button of the candles that are drawn is pressed; zoomed out they are longer than was
   * chosen.
   */
  #updateBar() {
    const drawn = this.#shown === this.interval ? this.#picture?.interval ?? 0 : 0;
    this.#barInterval = hasButton(drawn) && drawn > this.interval ? drawn : this.interval;
    this.bar.update({
      interval: this.#barInterval, style: this.style, finest: this.#options.load ? 0 : this.#finest,
      hasHistory: this.#past.status !== "none" || !this.#options.load,
    });
  }

  /** Follows the newest tick again. */
  backToLive() {
    this.#gestures.halt();
    if (this.live.contains(document.activeElement)) this.surface.focus();
    this.#with((core) => core.backToLive());
  }

  #rechosen() {
    this.#labels.time.rezone();
    this.#zoned = null;
    this.restyle();
  }

  /** Reads the colours anew. */
  restyle() {
    this.#colours = null;
    this.#refresh();
  }

  dispose() {
    forget(this.#render);
    clearTimeout(this.#timer);
    for (const end of this.#endings) end();
    this.#gestures.dispose();
    this.#host.dispose();
    this.#keeper.dispose();
    this.#pointing.dispose();
    this.#core?.dispose();
    this.#core = null;
    this.#queue = [];
    this.element?.remove();
    this.element = null;
  }

  get #pixelsPerCandle() {
    return this.#frame.width / this.#frame.ratio < 420 ? 7 : 9;
  }

  /** @param {(core: CoreChart) => unknown} act */
  #moved(act) {
    if (!this.#core) return false;
    const result = act(this.#core);
    this.#refresh();
    return result;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #point(x, y) {
    this.#pointing.point(x, y);
    invalidate(this.#render);
  }

  #leave() {
    if (!this.#pointing.leave()) return false;
    invalidate(this.#render);
    return true;
  }

  /**
   * The crosshair by keyboard, from the latest candle or where it was.
   * @param {number} steps
   */
  #walk(steps) {
    if (!this.#core || !this.#picture || this.#picture.count === 0) return;
    this.#pointing.walk(this.#core, this.#picture, steps);
    this.#walked();
  }

  /** @param {number} index */
  #goTo(index) {
    if (!this.#core || !this.#picture) return;
    this.#pointing.goTo(this.#core, this.#picture, index);
    this.#walked();
  }

  /** What the reader's own keys found is said at once. */
  #walked() {
    this.#refresh();
    this.#tell();
  }

  #tell() {
    const [core, picture] = [this.#core, this.#picture];
    if (!core || !picture) return;
    const told = this.#pointing.told(core, picture, this.#words(picture));
    setAttribute(this.surface, "aria-valuemax", Math.max(0, picture.drawnCount - 1));
    setAttribute(this.surface, "aria-valuenow", told?.index ?? 0);
    setAttribute(this.surface, "aria-valuetext", told?.text ?? "nothing yet");
  }

  /**
   * @param {Picture} picture
   * @returns {import("./legend.js").Words}
   */
  #words({ interval: drawn }) {
    return {
      labels: this.#labels, quantity: this.#quantity, drawn, dimmed: this.#dimmed,
      now: this.#options.now?.(),
      fillsOf: ({ start }) => fillsText(this.#fills, start, start + drawn),
      venueOf: ({ start, proof }) => (proof === "contradicted" && drawn === this.#finest
        ? this.#contradicted.get(start) : undefined),
      tellStudies: (words, { index }) => {
        if (!this.#core) return;
        words.update(this.#core, this.#studyMenu.chosen, { index, interval: drawn }, this.#labels);
      },
    };
  }

  #save() {
    const [caption, colours] = [this.#options.caption?.(), this.#colours];
    if (!caption || !colours) return;
    const { ground, ink, muted, font } = colours;
    download(pictureOf(this.#host.element, caption,
      { ground, ink, muted, font, ratio: this.#frame.ratio }), caption.file);
  }

  /** @param {string} text */
  #hint(text) {
    setText(this.hint, text);
    setAttribute(this.hint, "hidden", text === "");
  }

  /**
   * A press places a point of what is drawn, or takes hold of a drawn line.
   * @param {number} x
   * @param {number} y
   */
  #press(x, y) {
    const { ratio } = this.#frame;
    if (!this.#drawings || !this.#core) return null;
    if (!this.#drawings.isPlacing) {
      const grip = this.#drawings.grab(x * ratio, y * ratio, ratio);
      return grip && scaled(grip, ratio);
    }
    const hit = this.#core.under(x * ratio, y * ratio);
    if (hit) this.#drawings.place({ time: hit.time, price: Number(hit.price) });
    return { move: () => {}, end: () => {} };
  }

  /** Enter places a point where the crosshair stands; the latest candle without one. */
  #place() {
    const [core, picture] = [this.#core, this.#picture];
    if (!this.#drawings?.isPlacing || !core || !picture) return false;
    const hit = this.#pointing.at(core) ?? core.candle(picture.drawnCount - 1);
    if (hit) this.#drawings.place({ time: hit.time, price: Number(hit.price) });
    return true;
  }

  // Drawing

  #refresh() {
    this.#isDirty = true;
    invalidate(this.#render);
  }

  /** @param {ResizeObserverEntry} entry */
  #resized(entry) {
    const exact = entry.devicePixelContentBoxSize?.[0];
    const ratio = devicePixelRatio || 1;
    // The exact count, unless the browser only pretends to have that ratio and counts otherwise.
    const pixels = (/** @type {number} */ length, counted = Infinity) =>
      Math.abs(counted - length * ratio) <= 1 ? counted : Math.round(length * ratio);
    const { width, height } = entry.contentRect;
    this.#size(pixels(width, exact?.inlineSize), pixels(height, exact?.blockSize), ratio);
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} ratio
   */
  #size(width, height, ratio) {
    const frame = this.#frame;
    if (width === frame.width && height === frame.height && ratio === frame.ratio) return;
    Object.assign(frame, { width, height, ratio });
    if (width !== this.#legendWidth) this.#forgetLegendHeight(width);
    this.#applySize();
    if (width < LEAST_LENGTH || height < LEAST_LENGTH) return;
    this.#colours ??= this.#readColours();
    if (!this.#picture) this.#host.clear(frame.lengths);
    // A canvas that changed its size is empty: it is painted before the frame ends, or it would
    // flicker.
    this.#isDirty = true;
    this.#render();
  }

  #applySize() {
    const { width, height, ratio } = this.#frame;
    if (width === 0 || height === 0) return;
    this.#core?.resize(this.#frame.plotWidth, this.#frame.plotHeight, ratio);
  }

  /** The legend's row only grows, or the plot would jump whenever its words wrap. */
  #keepLegendHeight() {
    const { element } = this.#pointing.legend;
    const height = element.offsetHeight;
    if (height <= this.#legendHeight) return;
    this.#legendHeight = height;
    element.style.minHeight = `${height}px`;
  }

  /** @param {number} width */
  #forgetLegendHeight(width) {
    [this.#legendWidth, this.#legendHeight] = [width, 0];
    this.#pointing.legend.element.style.minHeight = "";
  }

  #render = () => {
    const { width, height } = this.#frame;
    if (!this.element || width < LEAST_LENGTH || height < LEAST_LENGTH) return;
    const colours = (this.#colours ??= this.#readColours());
    const core = this.#core;
    if (!core) return this.note.update(this.#problem());
    if (this.#gestures.advance(performance.now())) this.#refresh();
    const isPainted = this.#isDirty;
    const picture = isPainted ? this.#paint(core, colours) : this.#picture;
    if (!picture || (!isPainted && !this.#pointing.hasMoved)) return;
    this.#pointing.show(core, picture, this.#words(picture));
    if (!isPainted) return;
    this.orders.show(picture, this.#frame);
    this.#drawings?.show(picture, this.#frame);
    this.#scaleMenu.update(picture);
    this.plot.style.setProperty("--axis-width", `${this.#frame.axis.right}px`);
  };

  #readColours() {
    const colours = readColours(this.surface);
    this.#host.restyle(colours);
    this.#isDirty = true;
    return colours;
  }

  /**
   * @param {CoreChart} core
   * @param {Colours} colours
   */
  #paint(core, colours) {
    // What moves on by itself has asked for the next frame already.
    this.#isDirty = false;
    const now = this.#options.now?.() ?? 0;
    const { picture, model } = this.#compose(core, colours, this.#now());
    if (picture.count > 0) this.#host.show(model);
    else this.#host.clear(this.#frame.lengths);
    setAttribute(this.live, "hidden", picture.followsLive || picture.count === 0);
    if (picture.interval !== this.#barInterval) this.#updateBar();
    this.note.update(this.#problem());
    this.#tellPast(picture);
    this.#summarise(picture);
    this.#expect(picture, now);
    return picture;
  }

  #now() {
    return Math.floor(this.#options.now?.() ?? 0);
  }

  /**
   * Candles to the left of those there are, a screen before they are needed; and what stands in
   * their way.
   * @param {Picture} picture
   */
  #tellPast({ left, right, oldest, count }) {
    if (count > 0 && this.#shown === this.interval && left - (right - left) < oldest) {
      this.#older.want(this.#finest, oldest);
    }
    const text = count === 0 ? "" : pastWords({
      past: this.#past, older: left < oldest ? this.#older.state : "none",
      isFailing: this.#keeper.problem !== "", isWaiting: this.#shown !== this.interval,
      interval: this.interval,
    });
    setAttribute(this.status, "hidden", text === "");
    setText(this.status, text);
  }

  /**
   * Tells the core the zone of the times around those in view, where it does not know it: then the
   * picture, which fell on other hours, is none.
   * @template {{picture: Picture}} P
   * @param {CoreChart} core
   * @param {P} drawn
   */
  #tellZone(core, drawn) {
    const { left, right } = drawn.picture;
    if (this.#zoned && left >= this.#zoned.from && right <= this.#zoned.to) return drawn;
    const reach = 2 * (right - left) + 400 * 86_400_000;
    this.#zoned = { from: left - reach, to: right + reach };
    core.setZone(zoneOffsets(this.#zoned.from, this.#zoned.to));
    return null;
  }

  /**
   * The picture, once more if its prices need a wider or narrower axis.
   * @param {CoreChart} core
   * @param {Colours} colours
   * @param {number} now
   */
  #compose(core, colours, now) {
    const look = { labels: this.#labels, style: this.style, dimmed: this.#dimmed };
    const compose = () => {
      const picture = core.draw(now);
      this.#picture = picture;
      const below = belowPrice(picture.live, {
        now: this.#options.isSmall ? undefined : this.#options.now?.(), dimmed: this.#dimmed,
        confirmedAt: this.#confirmedAt,
      });
      return { picture, model: renderModelOf(picture, this.#frame, { ...look, below }) };
    };
    const first = this.#tellZone(core, compose()) ?? compose();
    const { axis } = this.#frame;
    const needed = axisWidth(first.model, colours.font);
    if (needed <= axis.right && needed >= axis.right - 14) return first;
    axis.right = Math.max(48, Math.ceil(needed) + 3);
    this.#applySize();
    return compose();
  }

  /**
   * Each second counts down under the latest price; silence moves the picture on.
   * @param {Picture} picture
   * @param {number} now
   */
  #expect(picture, now) {
    if (!this.#options.now || this.#timer !== 0 || !picture.live) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#refresh();
    }, 1000 - (now % 1000) + 20);
  }

  /** @returns {Note} */
  #problem() {
    if (this.failure) return { text: this.failure };
    if (this.#picture && this.#picture.count > 0) return { text: "" };
    if (this.#notice) return this.#notice;
    if (this.#keeper.state === "failed") {
      return {
        text: "The history could not be loaded. Trying again…",
        action: { label: "Retry", run: () => this.#keeper.retry() },
      };
    }
    if (this.#keeper.state === "ready" || !this.#options.load) {
      const text = pastWords({ past: this.#past });
      return { text: text ? `${text} No trades yet` : "No trades yet" };
    }
    return { text: "Loading the chart…" };
  }

  /** @param {Picture} picture */
  #summarise(picture) {
    const now = performance.now();
    const side = picture.live ? beyond(picture.live, this.#frame) : "";
    // The first candles, a price that leaves the view, and one that is not live any more, are not
    // waited with.
    const state = `${picture.count === 0}${side}${this.#dimmed}`;
    if (now - this.#summaryAt < SUMMARY_EVERY_MILLISECONDS && state === this.#summaryState) return;
    [this.#summaryAt, this.#summaryState] = [now, state];
    setAttribute(this.surface, "aria-label", summary(picture, {
      name: this.#options.name, style: this.style, interval: this.#barInterval,
      price: this.#labels.price, side, dimmed: this.#dimmed,
    }));
    // Who walks the candles is told of no others.
    if (document.activeElement !== this.surface) this.#tell();
  }
}

/**
 * A grip that moves by pixels of the style sheet.
 * @param {import("./gestures.js").Grip} grip
 * @param {number} ratio
 * @returns {import("./gestures.js").Grip}
 */
const scaled = (grip, ratio) =>
  ({ move: (x, y) => grip.move(x * ratio, y * ratio), end: grip.end });

/** @param {number} interval */
const isInterval = (interval) => INTERVALS.some(([known]) => known === interval);

/**
 * @param {number | undefined} scale
 * @param {number} otherwise
 */
const bounded = (scale, otherwise) =>
  scale !== undefined && Number.isInteger(scale) && scale >= 0 && scale <= 18 ? scale : otherwise;
