// User-drawn lines: at a price, or between two points. Placed, moved and deleted by pointer and
// keyboard; the core computes geometry and ticks.

import { read, remember } from "../../base/storage.js";
import { t } from "../../text/texts.js";
import { h, setAttribute, setText } from "../../ui/dom.js";
import { STRIDE } from "../model/core.js";
import { decimalText, unitsOf } from "../model/labels.js";
import { closeMenus } from "./menus.js";

/** @typedef {import("../model/core.js").Drawing} Drawing */
/** @typedef {import("../model/core.js").Point} Point */
/** @typedef {import("../model/render-model.js").Frame} Frame */

// Drawn lines are stored on this device by instrument: prices as digits, so that they survive a
// change of scale.
/** @typedef {[time: number, price: string]} Kept */

const KEY = "chart.drawings";
const MOST_INSTRUMENTS = 50;
/** As many as the core draws. */
const MOST_DRAWINGS = 64;
const LONGEST_TEXT = 400_000;

/** @returns {Map<string, unknown>} the latest used last */
function all() {
  const text = read(KEY);
  if (!text || text.length > LONGEST_TEXT) return new Map();
  try {
    const rows = JSON.parse(text);
    return new Map(Array.isArray(rows)
      ? rows.filter((row) => Array.isArray(row) && typeof row[0] === "string") : []);
  } catch {
    return new Map();
  }
}

// An instrument's lines on a price scale; invalid ones are omitted.
/** @param {string} instrument @param {number} scale @returns {Drawing[]} */
function drawingsOf(instrument, scale) {
  const rows = all().get(instrument);
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, MOST_DRAWINGS).flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const start = pointOf(row[0], scale);
    const end = row[1] === undefined ? null : pointOf(row[1], scale);
    return start && (end || row[1] === undefined) ? [{ start, end }] : [];
  });
}

/** @param {unknown} kept @param {number} scale */
function pointOf(kept, scale) {
  if (!Array.isArray(kept) || !Number.isSafeInteger(kept[0]) || typeof kept[1] !== "string") {
    return null;
  }
  const price = unitsOf(kept[1], scale);
  return price === null ? null : { time: kept[0], price };
}

// Stores an instrument's lines; beyond the limit it drops those of the least recently used one.
/** @param {string} instrument @param {Drawing[]} drawings @param {number} scale */
function keepDrawings(instrument, drawings, scale) {
  const known = all();
  known.delete(instrument);
  const kept = (/** @type {import("../model/core.js").Point} */ { time, price }) =>
    [time, decimalText(price, scale, 0)];
  if (drawings.length > 0) {
    known.set(instrument, drawings.slice(0, MOST_DRAWINGS).map(({ start, end }) =>
      (end ? [kept(start), kept(end)] : [kept(start)])));
  }
  remember(KEY, JSON.stringify([...known].slice(-MOST_INSTRUMENTS)));
}

/** @typedef {"level" | "trend" | "alert"} Tool */

const PARTS = { whole: 0, start: 1, end: 2 };
const REACH_PIXELS = 6;
/** Spacing of two tags at the axis, and of a tag and the latest price's label, CSS pixels. */
const APART = { tags: 20, label: 27 };
const MANY = 10;
/** @type {{[tool in Tool]: string}} */
const NEXT = {
  level: t("Click to place the line, or use the arrow keys and Enter."),
  trend: t("Press where the line begins, or walk there and press Enter."),
  alert: t("Press at the price of the alert, or walk there and press Enter."),
};
/** @type {{[key: string]: [candles: number, ticks: number]}} */
const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

export class Drawings {
  /** The handles, over the plot. */
  element = h("div.chart-drawings", { role: "group", "aria-label": t("Drawn lines") });
  /** @type {Drawing[]} */
  #drawings = [];
  /** @type {HTMLButtonElement[]} */
  #handles = [];
  /** @type {Tool | null} */
  #tool = null;
  /** @type {Point | null} */
  #begun = null;
  // Takes focus once it is shown.
  /** @type {HTMLButtonElement | undefined} */
  #awaited;
  /** The line last placed, pressed or focused. */
  #selected = /** @type {number | null} */ (null);
  /** @type {HTMLElement[]} */
  #prices = [];
  #remove = h("button.drawing-remove", { type: "button", hidden: true,
    "aria-label": t("Delete this line"), title: t("Delete this line"),
    onclick: () => this.#removeSelected() }, "×");
  #host;
  #clear;
  #alert;
  #menu;

  /**
   * `instrument` is the storage key; `core()` is null until loaded; `refresh` redraws, `say` shows
   * the next step, `focus` moves focus to the plot, `alert` sets an alert.
   * @param {{instrument: string, price: PriceLabels, core: () => CoreChart | null,
   *   refresh: () => unknown, say: (text: string) => unknown, focus: () => unknown,
   *   alert: (price: number) => unknown}} host
   * @param {HTMLElement} menu of the chart's bar
   */
  constructor(host, menu) {
    this.#host = host;
    const tool = (/** @type {string} */ text, /** @type {Tool} */ name) => h("button.option", {
      type: "button", onclick: () => this.#begin(name),
    }, text);
    this.#clear = h("button.option", { type: "button", onclick: () => this.#replace([]) },
      t("Delete all lines"));
    this.#alert = tool(t("Price alert"), "alert");
    setAttribute(this.#alert, "hidden", true);
    this.element.append(this.#remove);
    this.#menu = menu;
    menu.querySelector("[popover]")?.append(tool(t("Line at a price"), "level"),
      tool(t("Trend line"), "trend"), this.#alert, this.#clear);
  }

  // Whether alerts can be set.
  /** @param {boolean} isAllowed */
  allowAlerts(isAllowed) {
    setAttribute(this.#alert, "hidden", !isAllowed);
  }

  /** Reads the stored lines, on the current price scale. */
  rescale() {
    this.#drawings = drawingsOf(this.#host.instrument, this.#host.price.scale);
    this.#hand();
  }

  /** Whether the next press or Enter places a point. */
  get isPlacing() {
    return this.#tool !== null;
  }

  /** @param {Tool} tool */
  #begin(tool) {
    closeMenus(this.#menu);
    if (tool !== "alert" && this.#drawings.length >= MOST_DRAWINGS) {
      return this.#host.say(t("{count} lines are the most: delete one first.",
        { count: MOST_DRAWINGS }));
    }
    this.#tool = tool;
    this.#begun = null;
    this.#host.focus();
    this.#host.say(NEXT[tool]);
  }

  /** Stops drawing without a line; returns whether drawing was active. */
  cancel() {
    if (!this.#tool) return false;
    this.#tool = null;
    this.#begun = null;
    this.#host.say("");
    return true;
  }

  // Places a point of the new line.
  /** @param {Point} point */
  place(point) {
    if (this.#tool === "trend" && !this.#begun) {
      this.#begun = point;
      return this.#host.say(t("Now click the end point."));
    }
    if (this.#tool === "alert") {
      this.cancel();
      return this.#host.alert(point.price);
    }
    const drawing = this.#begun ? { start: this.#begun, end: point } : { start: point, end: null };
    this.cancel();
    this.#replace([...this.#drawings, drawing]);
    this.#select(this.#drawings.length - 1);
    this.#awaited = this.#handles.at(-1);
  }

  // What a press grabs: moves it by device pixels, and stores it at the end; null without a line.
  /** @param {number} x @param {number} y @param {number} ratio */
  grab(x, y, ratio) {
    const index = this.#host.core()?.drawingAt(x, y, REACH_PIXELS * ratio) ?? null;
    this.#select(index);
    return index === null ? null : this.#grip(index, PARTS.whole);
  }

  /** @param {number | null} index */
  #select(index) {
    if (index === this.#selected) return;
    this.#selected = index;
    this.#host.refresh();
  }

  #removeSelected() {
    this.#replace(this.#drawings.filter((_, at) => at !== this.#selected));
    this.#host.focus();
  }

  /** @param {number} index @param {number} part */
  #grip(index, part) {
    return {
      move: (/** @type {number} */ x, /** @type {number} */ y) =>
        this.#moved(index, this.#host.core()?.moveDrawing(index, part, x, y)),
      end: () => this.#keep(),
    };
  }

  /** @param {number} index @param {Drawing | null | undefined} drawing */
  #moved(index, drawing) {
    if (!drawing) return;
    this.#drawings[index] = drawing;
    this.#name();
    this.#host.refresh();
  }

  #keep() {
    keepDrawings(this.#host.instrument, this.#drawings, this.#host.price.scale);
  }

  /** @param {Drawing[]} drawings */
  #replace(drawings) {
    this.#drawings = drawings;
    this.#selected = null;
    this.#keep();
    this.#hand();
  }

  #hand() {
    this.#host.core()?.setDrawings(this.#drawings);
    for (const handle of this.#handles) handle.remove();
    this.#handles = this.#drawings.flatMap(({ end }, index) => (end
      ? [this.#handle(index, PARTS.start), this.#handle(index, PARTS.end)]
      : [this.#handle(index, PARTS.whole)]));
    this.element.append(...this.#handles);
    for (const price of this.#prices) price.remove();
    this.#prices = this.#drawings.map(() =>
      h("div.order-price.drawing-price", { "aria-hidden": "true", hidden: true }));
    this.element.prepend(...this.#prices);
    setAttribute(this.#clear, "hidden", this.#drawings.length === 0);
    this.#name();
    this.#host.refresh();
  }

  #name() {
    for (const handle of this.#handles) {
      const { start, end } = this.#drawings[Number(handle.dataset.index)];
      const text = (/** @type {Point} */ { price }) => this.#host.price.text(price);
      const part = Number(handle.dataset.part);
      const what = !end ? t("Line at {price}", { price: text(start) }) : part === PARTS.start
        ? t("Trend line, begins at {price}", { price: text(start) })
        : t("Trend line, ends at {price}", { price: text(end) });
      setAttribute(handle, "aria-label",
        `${what}. ${t("Arrow keys move it, Delete removes it")}`);
    }
  }

  /** @param {number} index @param {number} part */
  #handle(index, part) {
    const handle = h("button.drawing-handle", {
      type: "button", "data-index": index, "data-part": part, hidden: true,
    });
    const grip = this.#grip(index, part);
    handle.addEventListener("focus", () => this.#select(index));
    /** @type {{x: number, y: number} | null} */
    let held = null;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      handle.setPointerCapture(event.pointerId);
      held = { x: event.clientX, y: event.clientY };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!held) return;
      const ratio = devicePixelRatio || 1;
      grip.move((event.clientX - held.x) * ratio, (event.clientY - held.y) * ratio);
      held = { x: event.clientX, y: event.clientY };
    });
    const end = () => {
      if (held) grip.end();
      held = null;
    };
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
    handle.addEventListener("keydown", (event) => {
      if (!this.#key(event, index, part)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    return handle;
  }

  /** @param {KeyboardEvent} event @param {number} index @param {number} part */
  #key({ key, shiftKey }, index, part) {
    if (key === "Delete" || key === "Backspace") {
      this.#select(index);
      this.#removeSelected();
      return true;
    }
    const step = STEPS[key];
    if (!step) return false;
    const [candles, ticks] = step.map((size) => size * (shiftKey ? MANY : 1));
    this.#moved(index, this.#host.core()?.stepDrawing(index, part, candles, ticks));
    this.#keep();
    return true;
  }

  // Puts handles and prices where the picture has the lines.
  /** @param {Picture} picture @param {Frame} frame */
  show(picture, frame) {
    const { drawings, memory: { floats } } = picture;
    const { ratio, plotWidth, plotHeight } = frame;
    this.#showPrices(picture, frame);
    for (const handle of this.#handles) {
      const index = Number(handle.dataset.index);
      const part = Number(handle.dataset.part);
      const at = drawings.at / 4 + index * (STRIDE.drawing / 4) + (part === PARTS.end ? 2 : 0);
      // A line at a price has its handle near the right end, wherever it began.
      const x = part === PARTS.whole ? plotWidth - 28 * ratio : floats[at];
      const y = floats[at + 1];
      const isInView = index < drawings.count && x >= 0 && x <= plotWidth && y >= 0
        && y <= plotHeight;
      setAttribute(handle, "hidden", !isInView);
      if (isInView) handle.style.transform = `translate(${x / ratio}px, ${y / ratio}px)`;
    }
    this.#awaited?.focus();
    this.#awaited = undefined;
  }

  // Each line's price at the axis, a trend line's at its end. A price that would cover the latest
  // price's label moves beside it; of two overlapping ones the selected line's is shown.
  /** @param {Picture} picture @param {Frame} frame */
  #showPrices({ drawings, live, memory: { floats } }, { ratio, plotWidth, plotHeight, axis }) {
    const [width, height] = [plotWidth / ratio, plotHeight / ratio];
    const free = live ? live.y / ratio : -Infinity;
    /** @type {number[]} */
    const taken = [];
    const isFirst = (/** @type {number} */ index) => (index === this.#selected ? 0 : 1);
    setAttribute(this.#remove, "hidden", this.#selected === null);
    for (const index of [...this.#prices.keys()].sort((a, b) => isFirst(a) - isFirst(b))) {
      const label = this.#prices[index];
      const { start, end } = this.#drawings[index];
      const at = drawings.at / 4 + index * (STRIDE.drawing / 4) + (end ? 3 : 1);
      const y = floats[at] / ratio;
      const place = Math.abs(y - free) >= APART.label ? y
        : free + (y < free ? -APART.label : APART.label);
      const isShown = index < drawings.count && y >= 0 && y <= height
        && taken.every((other) => Math.abs(other - place) >= APART.tags);
      setAttribute(label, "hidden", !isShown);
      if (index === this.#selected) {
        const top = Math.max(16, Math.min(height - 16, Number.isFinite(y) ? y : 0));
        this.#remove.style.transform =
          `translate(${width - 44}px, ${Math.round(top)}px) translate(-100%, -50%)`;
      }
      if (!isShown) continue;
      taken.push(place);
      setText(label, this.#host.price.text((end ?? start).price));
      setAttribute(label, "data-selected", index === this.#selected);
      label.style.transform = `translateY(${Math.round(place)}px) translateY(-50%)`;
      label.style.minWidth = `${axis.right - 3}px`;
    }
  }
}
