// A live chart: candles or line, pan and zoom, crosshair, live price, gaps, own fills. The geometry is
// the core's; this module joins it to the canvas, to the person's hands and to the words around it.

import { h, setAttribute, setText } from "../dom.js";
import { motionIsReduced, observeChoices } from "../preferences.js";
import { forget, invalidate } from "../scheduler.js";
import { ChartBar, hasButton } from "./bar.js";
import { readColours } from "./colours.js";
import { CoreChart, loadCore } from "./core.js";
import { Easel } from "./easel.js";
import { fillsText } from "./fills.js";
import { Gestures } from "./gestures.js";
import { HistoryKeeper } from "./history.js";
import { listenForChartKeys } from "./keys.js";
import { plainNumber, PriceLabels, TimeLabels } from "./labels.js";
import { ChartNote } from "./note.js";
import { Pointing } from "./pointing.js";
import { axisWidth, beyond, Frame, sheetOf } from "./sheet.js";
import { summary } from "./summary.js";

const SUMMARY_EVERY_MILLISECONDS = 5000;
const FINEST = 1000;
const LEAST_LENGTH = 40;
/** Above and below the legend, in pixels of the style sheet. */
const LEGEND_MARGINS = 8 + 4;

/**
 * A chart in `container`. Options, all of them optional:
 * `load()` promises a history · `name` what is charted · `formatPrice(text)` and
 * `formatQuantity(text)` write exact digits · `locale` · `zone` "utc" or "local" · `interval` ms ·
 * `style` "candles" or "line" · `now()` ms, for the moving edge · `onChoice({interval, style})`.
 */
export function createChart(container, options = {}) {
  return new Chart(container, options);
}

class Chart {
  #options;
  #core = null;
  #coreReady;
  #easel = new Easel(() => this.restyle());
  #frame = new Frame();
  #colours = null;
  #gestures;
  #keeper;
  #pointing;
  #labels;
  #quantity;
  #isDirty = true;
  #picture = null;
  #dimmed = false;
  #notice = null;
  #queue = [];
  #finest = FINEST;
  #summaryAt = -Infinity;
  #summaryState = "";
  #legendHeight = 0;
  #fills = [];
  #barInterval = 0;
  #timer = 0;
  #endings = [];

  constructor(container, options) {
    const { load, locale, zone = "utc", interval = 60_000, style = "candles" } = options;
    this.#options = options;
    this.interval = interval;
    this.style = style;
    this.#labels = { price: new PriceLabels(options.formatPrice, locale), time: new TimeLabels(locale, zone) };
    this.#quantity = new PriceLabels(options.formatQuantity ?? plainNumber(locale), locale);
    this.#pointing = new Pointing(this.#frame, this.#labels);
    this.#build(container);
    this.#coreReady = loadCore();
    // Both are asked for at once; the candles need the core to stand in.
    const loadBoth = load && (() => Promise.all([load(), this.#coreReady]).then(([history]) => history));
    this.#keeper = new HistoryKeeper(loadBoth, {
      history: (history) => this.#tookHistory(history),
      tick: (time, price, quantity) => this.#with((core) => core.addTick(time, price, quantity)),
      gap: (start, end) => this.#with((core) => core.noteGap(start, end)),
      changed: () => this.#refresh(),
    });
    this.#start();
    const { width, height } = this.surface.getBoundingClientRect();
    this.#size(Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio), devicePixelRatio);
  }

  #build(container) {
    this.bar = new ChartBar({ interval: (ms) => this.setInterval(ms), style: (name) => this.setStyle(name) });
    this.live = h("button.chart-live", {
      type: "button", hidden: true, onclick: () => this.backToLive(),
    }, "Back to live");
    this.note = new ChartNote();
    this.surface = h("div.chart-surface", {
      tabindex: 0, role: "slider", "aria-roledescription": "chart", "aria-orientation": "horizontal",
      "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0, "aria-valuetext": "nothing yet",
      "aria-keyshortcuts": "ArrowLeft ArrowRight + - Home End",
    }, this.#easel.element, this.#pointing.crosshair.element);
    this.plot = h("div.chart-plot", {}, this.surface, this.#pointing.legend.element, this.live, this.note.element);
    this.element = h("div.chart-view", {}, this.bar.element, this.plot);
    container.append(this.element);
    this.#updateBar();
  }

  #start() {
    this.#gestures = new Gestures(this.surface, {
      pan: (pixels) => this.#moved((core) => core.pan(pixels * this.#frame.ratio)),
      zoom: (factor, x) => this.#moved((core) => core.zoom(factor, x * this.#frame.ratio)),
      point: (x, y) => this.#point(x, y),
      leave: () => this.#leave(),
      moving: () => this.#refresh(),
      reducesMotion: motionIsReduced,
    });
    listenForChartKeys(this.surface, {
      walk: (steps) => this.#walk(steps),
      zoom: (factor) => this.#moved((core) => core.zoom(factor, this.#frame.plotWidth / 2)),
      oldest: () => this.#goTo(0),
      live: () => this.#goTo(Infinity),
      leave: () => this.#leave(),
    });
    const observer = new ResizeObserver(([entry]) => this.#resized(entry));
    try {
      observer.observe(this.surface, { box: "device-pixel-content-box" });
    } catch {
      observer.observe(this.surface);
    }
    const legendObserver = new ResizeObserver(() => this.#makeRoomForLegend());
    legendObserver.observe(this.#pointing.legend.element);
    this.#endings.push(() => observer.disconnect(), () => legendObserver.disconnect(),
      observeChoices(() => this.restyle()));
    this.#coreReady.then((core) => this.#ready(core), (error) => this.#broken(error));
    this.#keeper.reload();
    this.#refresh();
  }

  #ready(core) {
    if (!this.element) return;
    this.#core = new CoreChart(core, this.#finest);
    this.#core.setStyle(this.style);
    this.#core.show(this.interval, this.#pixelsPerCandle);
    this.#applySize();
    for (const act of this.#queue.splice(0)) act(this.#core);
    this.#refresh();
  }

  #broken(error) {
    reportError(error);
    this.#queue = [];
    this.failure = "The chart can’t be drawn: its core could not be loaded.";
    this.#refresh();
  }

  /** What is asked before the core is there waits for it; without a core that could come it is dropped. */
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

  /** `{interval, candles, gaps, lastArrival, priceScale, quantityScale}`; replaces all there is. */
  setHistory(history) {
    this.#with(() => this.#keeper.take(history));
  }

  /** Decimals of the instrument: `{priceScale, priceDecimals, quantityScale}`. */
  setScales({ priceScale, priceDecimals, quantityScale }) {
    const price = bounded(priceScale, this.#labels.price.scale);
    this.#labels.price.setScale(price, Math.min(price, bounded(priceDecimals, price)));
    this.#quantity.setScale(bounded(quantityScale, this.#quantity.scale), 0);
  }

  #tookHistory(history) {
    if (this.#core.setCandles(history.interval, history.candles) < 0) return false;
    if (Number.isSafeInteger(history.seenSince)) this.#core.seenSince(history.seenSince);
    for (const gap of Array.isArray(history.gaps) ? history.gaps : []) this.#core.noteGap(gap?.[0], gap?.[1]);
    this.#finest = history.interval;
    this.setScales({ priceDecimals: this.#labels.price.decimals, ...history });
    if (this.interval < this.#finest) this.interval = this.#finest;
    this.#updateBar();
    this.#refresh();
    return true;
  }

  /** `[[arrival, ms, priceUnits, quantity], …]`, newest last. */
  addTicks(ticks) {
    this.#with(() => this.#keeper.add(ticks));
  }

  /** A stretch in which nothing could be heard. */
  noteGap(start, end) {
    this.#with((core) => core.noteGap(start, end));
  }

  /** Since when nothing can be heard (ms), or null: shaded to the right edge. */
  setInterrupted(since) {
    this.#with((core) => core.setInterrupted(since));
  }

  /** Whether the latest price is not live: its label is then grey. */
  setDimmed(dimmed) {
    if (this.#dimmed === dimmed) return;
    this.#dimmed = dimmed;
    this.#refresh();
  }

  /** `[{time, price, side, quantity}, …]`: the price in units, side "buy" or "sell", the quantity as
   * digits where it is known. */
  setFills(fills) {
    this.#fills = fills;
    this.#with((core) => core.setFills(fills));
  }

  /** Why there is nothing to draw, when the page knows better: `{text, action: {label, run}}` or null. */
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

  /** What is shown: times of both edges in ms, the interval of the drawn candles, how many there are
   * of the finest ones, whether it follows the newest tick; null before the first picture. */
  get view() {
    if (!this.#picture) return null;
    const { left, right, interval, count, followsLive } = this.#picture;
    return { left, right, interval, count, followsLive };
  }

  /** Shows candles of another interval, in milliseconds. */
  setInterval(interval) {
    this.#with((core) => {
      if (!core.show(interval, this.#pixelsPerCandle)) return;
      this.interval = interval;
      this.#pointing.forgetWalk();
      this.#chose();
    });
  }

  /** "candles" or "line". */
  setStyle(style) {
    this.style = style;
    this.#with((core) => core.setStyle(style));
    this.#chose();
  }

  #chose() {
    this.#updateBar();
    this.#options.onChoice?.({ interval: this.interval, style: this.style });
  }

  /** The button of the candles that are drawn is pressed; zoomed out they are longer than was chosen. */
  #updateBar() {
    const drawn = this.#picture?.interval ?? this.interval;
    this.#barInterval = hasButton(drawn) && drawn > this.interval ? drawn : this.interval;
    this.bar.update({ interval: this.#barInterval, style: this.style, finest: this.#finest });
  }

  /** Follows the newest tick again. */
  backToLive() {
    this.#gestures.halt();
    if (this.live.contains(document.activeElement)) this.surface.focus();
    this.#with((core) => core.backToLive());
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
    this.#easel.dispose();
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

  #moved(act) {
    if (!this.#core) return false;
    const result = act(this.#core);
    this.#refresh();
    return result;
  }

  #point(x, y) {
    this.#pointing.point(x, y);
    invalidate(this.#render);
  }

  #leave() {
    if (!this.#pointing.leave()) return false;
    invalidate(this.#render);
    return true;
  }

  /** The crosshair by keyboard, from the latest candle or where it was. */
  #walk(steps) {
    if (!this.#core || !this.#picture || this.#picture.count === 0) return;
    this.#pointing.walk(this.#core, this.#picture, steps);
    this.#walked();
  }

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
    const told = this.#pointing.told(this.#core, this.#picture, this.#words);
    setAttribute(this.surface, "aria-valuemax", Math.max(0, this.#picture.drawnCount - 1));
    setAttribute(this.surface, "aria-valuenow", told?.index ?? 0);
    setAttribute(this.surface, "aria-valuetext", told?.text ?? "nothing yet");
  }

  get #words() {
    const drawn = this.#picture.interval;
    return {
      labels: this.#labels, quantity: this.#quantity, drawn, dimmed: this.#dimmed,
      fillsOf: ({ start }) => fillsText(this.#fills, start, start + drawn),
    };
  }

  // Drawing

  #refresh() {
    this.#isDirty = true;
    invalidate(this.#render);
  }

  #resized(entry) {
    const exact = entry.devicePixelContentBoxSize?.[0];
    const ratio = devicePixelRatio || 1;
    // The exact count, unless the browser only pretends to have that ratio and counts otherwise.
    const pixels = (length, counted) =>
      Math.abs((counted ?? Infinity) - length * ratio) <= 1 ? counted : Math.round(length * ratio);
    const { width, height } = entry.contentRect;
    this.#size(pixels(width, exact?.inlineSize), pixels(height, exact?.blockSize), ratio);
  }

  #size(width, height, ratio) {
    const frame = this.#frame;
    if (width === frame.width && height === frame.height && ratio === frame.ratio) return;
    Object.assign(frame, { width, height, ratio });
    this.#legendHeight = 0;
    this.#makeRoomForLegend();
    this.#applySize();
    if (width < LEAST_LENGTH || height < LEAST_LENGTH) return;
    this.#colours ??= this.#readColours();
    if (!this.#picture) this.#easel.clear(frame.lengths);
    // A canvas that changed its size is empty: it is painted before the frame ends, or it would flicker.
    this.#isDirty = true;
    this.#render();
  }

  #applySize() {
    const { width, height, ratio } = this.#frame;
    if (width === 0 || height === 0) return;
    this.#core?.resize(this.#frame.plotWidth, this.#frame.plotHeight, ratio);
    this.#core?.setInset(this.#legendHeight > 0 ? (this.#legendHeight + LEGEND_MARGINS) * ratio : 0);
  }

  /** Candles keep below the legend. Its room only grows, or prices would jump whenever it wraps. */
  #makeRoomForLegend() {
    const height = this.#pointing.legend.element.offsetHeight;
    if (height <= this.#legendHeight) return;
    this.#legendHeight = height;
    this.#applySize();
    this.#refresh();
  }

  #render = () => {
    const { width, height } = this.#frame;
    if (!this.element || width < LEAST_LENGTH || height < LEAST_LENGTH) return;
    this.#colours ??= this.#readColours();
    if (!this.#core) return this.note.update(this.#problem());
    if (this.#gestures.advance(performance.now())) this.#refresh();
    const isPainted = this.#isDirty;
    if (isPainted) this.#paint();
    if (isPainted || this.#pointing.hasMoved) this.#pointing.show(this.#core, this.#picture, this.#words);
  };

  #readColours() {
    const colours = readColours(this.surface);
    this.#easel.restyle(colours);
    this.#isDirty = true;
    return colours;
  }

  #paint() {
    // What moves on by itself has asked for the next frame already.
    this.#isDirty = false;
    const now = this.#options.now?.() ?? 0;
    const { picture, sheet } = this.#compose(Math.floor(now));
    if (picture.count > 0) this.#easel.show(sheet);
    else this.#easel.clear(this.#frame.lengths);
    setAttribute(this.live, "hidden", picture.followsLive || picture.count === 0);
    this.#core.setZone(this.#labels.time.offset(picture.right));
    if (picture.interval !== this.#barInterval) this.#updateBar();
    this.note.update(this.#problem());
    this.#summarise();
    this.#expect(now);
  }

  /** The picture, once more if its prices need a wider or narrower axis. */
  #compose(now) {
    this.#picture = this.#core.draw(now);
    const options = { labels: this.#labels, style: this.style, dimmed: this.#dimmed };
    const sheet = sheetOf(this.#picture, this.#frame, options);
    const { axis } = this.#frame;
    const needed = axisWidth(sheet, this.#colours.font);
    if (needed <= axis.right && needed >= axis.right - 14) return { picture: this.#picture, sheet };
    axis.right = Math.max(48, Math.ceil(needed) + 3);
    this.#applySize();
    this.#picture = this.#core.draw(now);
    return { picture: this.#picture, sheet: sheetOf(this.#picture, this.#frame, options) };
  }

  /** Silence moves the picture on, one candle at a time. */
  #expect(now) {
    if (!this.#options.now || this.#timer !== 0 || !this.#picture.followsLive) return;
    const wait = this.interval - (now % this.interval) + 20;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#refresh();
    }, Math.min(wait, 60_000));
  }

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
    if (this.#keeper.state === "ready" || !this.#options.load) return { text: "No trades yet" };
    return { text: "Loading the chart…" };
  }

  #summarise() {
    const now = performance.now();
    const side = this.#picture.live ? beyond(this.#picture.live, this.#frame) : "";
    // The first candles, a price that leaves the view, and one that is not live any more, are not waited with.
    const state = `${this.#picture.count === 0}${side}${this.#dimmed}`;
    if (now - this.#summaryAt < SUMMARY_EVERY_MILLISECONDS && state === this.#summaryState) return;
    [this.#summaryAt, this.#summaryState] = [now, state];
    setAttribute(this.surface, "aria-label", summary(this.#picture, {
      name: this.#options.name, style: this.style, interval: this.#barInterval, price: this.#labels.price, side, dimmed: this.#dimmed,
    }));
    // Who walks the candles is told of no others.
    if (document.activeElement !== this.surface) this.#tell();
  }
}

const bounded = (scale, otherwise) =>
  Number.isInteger(scale) && scale >= 0 && scale <= 18 ? scale : otherwise;
