// @ts-check
// A small live line on a canvas: what this page has seen, no more. Sharp on any screen, gaps left
// open. The full chart, with candles and zoom, is another module.

import { clockTime } from "./format.js";

/** @typedef {import("./series.js").Point} Point */
/**
 * @typedef {object} Drawing
 * @property {(Point | null)[]} points null marks a gap
 * @property {number} version
 * @property {number} now
 * @property {Label} label
 * @property {boolean} dimmed
 */
/** @typedef {(price: number) => string} Label */
/**
 * From time and price to pixels.
 * @typedef {object} Frame
 * @property {(Point | null)[]} visible
 * @property {number} start
 * @property {number} now
 * @property {number} low
 * @property {number} high
 * @property {Point | undefined} last
 * @property {(time: number) => number} x
 * @property {(price: number) => number} y
 */

const WINDOW_MILLISECONDS = 5 * 60 * 1000;
const SHORTEST_MILLISECONDS = 30 * 1000;
const EDGE = { top: 14, right: 76, bottom: 24, left: 12 };
const LABEL_WIDTH = 72;
const TIME_STEPS = [5, 10, 15, 30, 60, 120, 300].map((seconds) => seconds * 1000);

export class ChartLine {
  #context;
  #size = { width: 0, height: 0, ratio: 1 };
  /** @type {{[name: string]: string} | null} */
  #colours = null;
  #drawn = "";
  #observer;

  /**
   * `refresh` is called when the size changed.
   * @param {() => unknown} refresh
   */
  constructor(refresh) {
    this.element = document.createElement("canvas");
    this.element.className = "line";
    this.element.setAttribute("role", "img");
    this.#context = contextOf(this.element);
    this.#observer = new ResizeObserver(() => {
      this.#drawn = "";
      refresh();
    });
    this.#observer.observe(this.element);
  }

  /** Ends its watch over the element's size. */
  dispose() {
    this.#observer.disconnect();
  }

  /** Takes the colours anew from the style sheet. */
  restyle() {
    this.#colours = null;
    this.#drawn = "";
  }

  /**
   * Draws `points` up to `now`; `label(price)` writes the scale; `dimmed` when not live.
   * @param {Drawing} drawing
   */
  draw({ points, version, now, label, dimmed }) {
    const key = `${version} ${Math.floor(now / 1000)} ${dimmed} ${devicePixelRatio}`;
    if (key === this.#drawn || !this.#measure()) return;
    this.#drawn = key;
    const colours = (this.#colours ??= this.#readColours());
    const frame = this.#frame(points, now);
    const { width, height, ratio } = this.#size;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#context.clearRect(0, 0, width, height);
    this.#context.font = colours.font;
    this.#drawTimes(frame, colours);
    const { last } = frame;
    if (!last) return;
    this.#drawPrices(frame, last, label, colours);
    this.#drawLine(frame, dimmed, colours);
    this.#drawLast(frame, last, label, dimmed, colours);
  }

  #measure() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const ratio = devicePixelRatio || 1;
    if (width < 40 || height < 40) return false;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.element.width !== wide) this.element.width = wide;
    if (this.element.height !== high) this.element.height = high;
    this.#size = { width, height, ratio };
    return true;
  }

  /** @returns {{[name: string]: string}} */
  #readColours() {
    const style = getComputedStyle(this.element);
    // A custom property reads as written; only a real property reads as the colour it stands for.
    const read = (/** @type {string} */ name) => {
      this.element.style.color = `var(--chart-${name})`;
      return style.color;
    };
    return {
      font: `11px ${style.fontFamily}`, text: read("text"), grid: read("grid"), line: read("line"),
      dim: read("dim"), paper: read("paper"), fill: read("fill"),
    };
  }

  /**
   * From time and price to pixels.
   * @param {(Point | null)[]} points
   * @param {number} now
   * @returns {Frame}
   */
  #frame(points, now) {
    const first = points.find((point) => point !== null && point.time > now - WINDOW_MILLISECONDS);
    const span = Math.min(WINDOW_MILLISECONDS,
      Math.max(SHORTEST_MILLISECONDS, now - (first?.time ?? now)));
    const start = now - span;
    const visible = points.filter((point) => point === null || point.time >= start);
    const prices = visible.flatMap((point) => point?.price ?? []);
    let [low, high] = [Math.min(...prices), Math.max(...prices)];
    const room = Math.max((high - low) * 0.12, Math.abs(high) * 0.00002, 1e-9);
    low -= room;
    high += room;
    const { width, height } = this.#size;
    return {
      visible, start, now, low, high,
      last: visible.findLast((point) => point !== null) ?? undefined,
      x: (time) => EDGE.left + ((time - start) / span) * (width - EDGE.left - EDGE.right),
      y: (price) => EDGE.top + ((high - price) / (high - low)) * (height - EDGE.top - EDGE.bottom),
    };
  }

  /**
   * @param {Frame} frame
   * @param {{[name: string]: string}} colours
   */
  #drawTimes({ start, now, x }, colours) {
    const c = this.#context;
    const most = Math.max(1, (this.#size.width - EDGE.left - EDGE.right) / LABEL_WIDTH);
    const step = TIME_STEPS.find((candidate) => (now - start) / candidate <= most)
      ?? TIME_STEPS[TIME_STEPS.length - 1];
    c.fillStyle = colours.text;
    c.textAlign = "center";
    c.textBaseline = "alphabetic";
    for (let time = Math.ceil(start / step) * step; time <= now; time += step) {
      const at = x(time);
      if (at < EDGE.left + 26 || at > this.#size.width - EDGE.right - 10) continue;
      c.fillText(clockTime(time), at, this.#size.height - 8);
    }
  }

  /**
   * @param {Frame} frame
   * @param {Point} last
   * @param {Label} label
   * @param {{[name: string]: string}} colours
   */
  #drawPrices({ low, high, y }, last, label, colours) {
    const c = this.#context;
    const lines = Math.max(2, Math.min(5, Math.floor(this.#size.height / 56)));
    const step = niceStep((high - low) / lines);
    c.strokeStyle = colours.grid;
    c.lineWidth = 1;
    c.textAlign = "left";
    c.textBaseline = "middle";
    for (let price = Math.ceil(low / step) * step; price <= high; price += step) {
      const at = Math.round(y(price)) + 0.5;
      c.beginPath();
      c.moveTo(EDGE.left, at);
      c.lineTo(this.#size.width - EDGE.right, at);
      c.stroke();
      const underTag = Math.abs(at - y(last.price)) < 18;
      if (!underTag) c.fillText(label(price), this.#size.width - EDGE.right + 8, at);
    }
  }

  /**
   * @param {Frame} frame
   * @param {boolean} dimmed
   * @param {{[name: string]: string}} colours
   */
  #drawLine({ visible, now, x, y }, dimmed, colours) {
    const c = this.#context;
    const floor = this.#size.height - EDGE.bottom;
    c.lineWidth = 1.75;
    c.lineJoin = "round";
    c.strokeStyle = dimmed ? colours.dim : colours.line;
    c.fillStyle = colours.fill;
    const runs = runsOf(visible);
    for (const run of runs) {
      const first = run[0];
      const final = run[run.length - 1];
      const end = run === runs.at(-1) && !dimmed ? now : final.time;
      c.beginPath();
      c.moveTo(x(first.time), y(first.price));
      // Steps, not slopes: between two prices the first one stood, and nothing lay halfway.
      run.forEach(({ time, price }, at) => {
        if (at > 0) c.lineTo(x(time), y(run[at - 1].price));
        c.lineTo(x(time), y(price));
      });
      c.lineTo(Math.max(x(end), x(final.time) + 1), y(final.price));
      c.stroke();
      if (dimmed) continue;
      c.lineTo(x(end), floor);
      c.lineTo(x(first.time), floor);
      c.fill();
    }
  }

  /**
   * @param {Frame} frame
   * @param {Point} last
   * @param {Label} label
   * @param {boolean} dimmed
   * @param {{[name: string]: string}} colours
   */
  #drawLast({ now, x, y }, last, label, dimmed, colours) {
    const c = this.#context;
    const [atX, atY] = [x(dimmed ? last.time : now), y(last.price)];
    const edge = this.#size.width - EDGE.right;
    c.fillStyle = dimmed ? colours.dim : colours.line;
    c.beginPath();
    c.arc(atX, atY, 3, 0, Math.PI * 2);
    c.fill();
    c.beginPath();
    c.roundRect(edge + 2, atY - 10, EDGE.right - 6, 20, 4);
    c.fill();
    c.fillStyle = colours.paper;
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillText(label(last.price), edge + 8, atY + 0.5);
  }
}

/**
 * Stretches of points without a gap.
 * @param {(Point | null)[]} points
 */
function runsOf(points) {
  /** @type {Point[][]} */
  const runs = [];
  /** @type {Point[]} */
  let run = [];
  for (const point of [...points, null]) {
    if (point !== null) run.push(point);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  return runs;
}

/**
 * 1, 2 or 5 times a power of ten, at least `rough`.
 * @param {number} rough
 */
function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? 10 * power;
}

/** @param {HTMLCanvasElement} canvas */
function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no canvas");
  return context;
}
