// User-drawn lines, shapes and texts. Placed, moved and deleted by pointer and keyboard; the core
// computes geometry and ticks.

import { read, remember } from "../../base/storage.js";
import { number } from "../../text/format.js";
import { plural, t } from "../../text/texts.js";
import { duration } from "../../text/words.js";
import { h, setAttribute, setText } from "../../ui/dom.js";
import { SHAPES, STRIDE } from "../model/core.js";
import { decimalText, unitsOf } from "../model/labels.js";
import { shareText } from "../model/render-model.js";
import { closeMenus } from "./menus.js";

/** @typedef {import("../model/core.js").Drawing} Drawing */
/** @typedef {import("../model/core.js").Point} Point */
/** @typedef {import("../model/core.js").Shape} Shape */
/** @typedef {import("../model/render-model.js").Frame} Frame */

// Drawings are stored on this device by instrument: prices as digits, so that they survive a change
// of scale. A row is [start, end, shape, text]; the shape of a line follows from its points.
/** @typedef {[time: number, price: string]} Kept */

const KEY = "chart.drawings";
const MOST_INSTRUMENTS = 50;
/** As many as the core draws. */
const MOST_DRAWINGS = 64;
const LONGEST_TEXT = 400_000;
/** Of a text on the chart. */
const LONGEST_WORDS = 80;

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

// An instrument's drawings on a price scale; invalid ones are omitted.
/** @param {string} instrument @param {number} scale @returns {Drawing[]} */
function drawingsOf(instrument, scale) {
  const rows = all().get(instrument);
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, MOST_DRAWINGS).flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const [first, last, word, text] = row;
    const start = pointOf(first, scale);
    const end = last ? pointOf(last, scale) : null;
    const kind = SHAPES.find((shape) => shape === word) ?? (last ? "trend" : "level");
    if (!start || hasEnd(kind) !== (end !== null)) return [];
    const words = kind === "text" ? String(text ?? "").slice(0, LONGEST_WORDS) : undefined;
    return words === "" ? [] : [{ kind, start, end, text: words }];
  });
}

/** @param {Shape} shape */
const hasEnd = (shape) => shape !== "level" && shape !== "text";

/** @param {unknown} kept @param {number} scale */
function pointOf(kept, scale) {
  if (!Array.isArray(kept) || !Number.isSafeInteger(kept[0]) || typeof kept[1] !== "string") {
    return null;
  }
  const price = unitsOf(kept[1], scale);
  return price === null ? null : { time: kept[0], price };
}

// Stores an instrument's drawings; beyond the limit it drops those of the least recently used one.
/** @param {string} instrument @param {Drawing[]} drawings @param {number} scale */
function keepDrawings(instrument, drawings, scale) {
  const known = all();
  known.delete(instrument);
  const kept = (/** @type {import("../model/core.js").Point} */ { time, price }) =>
    [time, decimalText(price, scale, 0)];
  if (drawings.length > 0) {
    known.set(instrument, drawings.slice(0, MOST_DRAWINGS).map(({ kind, start, end, text }) => [
      kept(start), ...(end ? [kept(end)] : kind === "level" ? [] : [null]),
      ...(kind === "level" || kind === "trend" ? [] : [kind]), ...(text ? [text] : []),
    ]));
  }
  remember(KEY, JSON.stringify([...known].slice(-MOST_INSTRUMENTS)));
}

/** @typedef {Shape | "alert"} Tool */

/** @type {Record<Shape, string>} in the menu's order */
const NAMES = {
  level: t("Line at a price"), trend: t("Trend line"), ray: t("Ray"), rectangle: t("Rectangle"),
  retracement: t("Fibonacci retracement"), text: t("Text"), measure: t("Measure"),
};
const PARTS = { whole: 0, start: 1, end: 2 };
const REACH_PIXELS = 6;
/** Spacing of two tags at the axis, and of a tag and the latest price's label, CSS pixels. */
const APART = { tags: 20, label: 27 };
/** Left of a text's field, CSS pixels. */
const FIELD_GAP = 12;
const MANY = 10;
/** @param {Tool} tool */
const firstStep = (tool) => (tool === "alert"
  ? t("Press at the price of the alert, or walk there and press Enter.")
  : hasEnd(tool) ? t("Click the start point, or use the arrow keys and Enter.")
    : t("Click to place it, or use the arrow keys and Enter."));
/** @type {{[key: string]: [candles: number, ticks: number]}} */
const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

export class Drawings {
  /** The handles, over the plot. */
  element = h("div.chart-drawings", { role: "group", "aria-label": t("Drawings") });
  /** @type {Drawing[]} */
  #drawings = [];
  /** @type {HTMLButtonElement[]} */
  #handles = [];
  /** @type {Tool | null} */
  #tool = null;
  /** @type {Point | null} */
  #begun = null;
  // Takes focus once it is shown.
  /** @type {HTMLElement | undefined} */
  #awaited;
  /** The field of the text that is edited. */
  #field = /** @type {HTMLInputElement | null} */ (null);
  /** @type {HTMLElement[]} */
  #labels = [];
  /** The drawing last placed, pressed or focused. */
  #selected = /** @type {number | null} */ (null);
  /** @type {HTMLElement[]} */
  #prices = [];
  #remove = h("button.drawing-remove", { type: "button", hidden: true,
    "aria-label": t("Delete this drawing"), title: t("Delete this drawing"),
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
      t("Delete all drawings"));
    this.#alert = tool(t("Price alert"), "alert");
    setAttribute(this.#alert, "hidden", true);
    this.element.append(this.#remove);
    this.#menu = menu;
    menu.querySelector("[popover]")?.append(
      ...Object.entries(NAMES).map(([shape, name]) => tool(name, /** @type {Shape} */ (shape))),
      this.#alert, this.#clear);
  }

  // Whether alerts can be set.
  /** @param {boolean} isAllowed */
  allowAlerts(isAllowed) {
    setAttribute(this.#alert, "hidden", !isAllowed);
  }

  /** Reads the stored drawings, on the current price scale. */
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
      return this.#host.say(t("{count} drawings are the most: delete one first.",
        { count: MOST_DRAWINGS }));
    }
    this.#tool = tool;
    this.#begun = null;
    this.#host.focus();
    this.#host.say(firstStep(tool));
  }

  /** Stops drawing without a result; returns whether drawing was active. */
  cancel() {
    if (!this.#tool) return false;
    this.#tool = null;
    this.#begun = null;
    this.#host.say("");
    return true;
  }

  // Places a point of the new drawing.
  /** @param {Point} point */
  place(point) {
    const kind = this.#tool;
    const start = this.#begun ?? point;
    if (!kind) return;
    if (kind !== "alert" && hasEnd(kind) && !this.#begun) {
      this.#begun = point;
      return this.#host.say(t("Now click the end point."));
    }
    this.cancel();
    if (kind === "alert") return this.#host.alert(point.price);
    this.#replace([...this.#drawings, { kind, start, end: hasEnd(kind) ? point : null }]);
    this.#select(this.#drawings.length - 1);
    this.#awaited = this.#handles.at(-1);
    if (kind === "text") this.#edit(this.#drawings.length - 1);
  }

  // Edits a text: Enter and leaving the field keep it, Escape restores it. An empty one is deleted.
  /** @param {number} index */
  #edit(index) {
    const drawing = this.#drawings[index];
    const field = this.#field = this.#awaited = h("input.field.drawing-text", {
      type: "text", maxlength: String(LONGEST_WORDS), "aria-label": t("Text"), "data-index": index,
    });
    field.value = drawing.text ?? "";
    const finish = (/** @type {string | undefined} */ text) => {
      if (this.#field !== field) return;
      this.#field = null;
      field.remove();
      this.#replace(text
        ? this.#drawings.map((other, at) => (at === index ? { ...other, text } : other))
        : this.#drawings.filter((_, at) => at !== index));
      if (text) this.#select(index);
      this.#host.focus();
    };
    field.addEventListener("blur", () => finish(field.value.trim()));
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") finish(field.value.trim());
      if (event.key === "Escape") finish(drawing.text);
    });
    this.element.append(field);
    this.#host.refresh();
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

  /** @param {number} index @param {Pick<Drawing, "start" | "end"> | null | undefined} points */
  #moved(index, points) {
    if (!points) return;
    this.#drawings[index] = { ...this.#drawings[index], ...points };
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
      const { kind, start, end, text } = this.#drawings[Number(handle.dataset.index)];
      const isStart = Number(handle.dataset.part) === PARTS.start;
      const price = this.#host.price.text((isStart ? start : end ?? start).price);
      const what = kind === "level" ? t("Line at {price}", { price })
        : kind === "text" ? t("Text “{text}” at {price}", { text: text ?? "", price })
          : isStart ? t("{shape}, begins at {price}", { shape: NAMES[kind], price })
            : t("{shape}, ends at {price}", { shape: NAMES[kind], price });
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
    let hasMoved = false;
    handle.addEventListener("click", () => {
      if (this.#drawings[index].kind === "text" && !hasMoved) this.#edit(index);
      hasMoved = false;
    });
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      hasMoved = false;
      handle.setPointerCapture(event.pointerId);
      held = { x: event.clientX, y: event.clientY };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!held) return;
      const ratio = devicePixelRatio || 1;
      hasMoved = true;
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
    this.#showLabels(picture, frame);
    for (const handle of this.#handles) {
      const index = Number(handle.dataset.index);
      const part = Number(handle.dataset.part);
      const at = drawings.at / 4 + index * (STRIDE.drawing / 4) + (part === PARTS.end ? 2 : 0);
      // A line at a price has its handle near the right end, wherever it began.
      const x = this.#drawings[index]?.kind === "level" ? plotWidth - 28 * ratio : floats[at];
      const y = floats[at + 1];
      const isInView = index < drawings.count && x >= 0 && x <= plotWidth && y >= 0
        && y <= plotHeight;
      setAttribute(handle, "hidden", !isInView);
      if (isInView) handle.style.transform = `translate(${x / ratio}px, ${y / ratio}px)`;
      if (isInView && this.#field && this.#field.dataset.index === handle.dataset.index) {
        const room = (plotWidth / ratio) - this.#field.offsetWidth - FIELD_GAP;
        this.#field.style.transform =
          `translate(${Math.max(0, Math.min(x / ratio, room))}px, ${y / ratio}px)`;
      }
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

  // Texts, distances, and the prices of a retracement's levels.
  /** @param {Picture} picture @param {Frame} frame */
  #showLabels({ drawings, interval, memory: { floats, words, bytes, integers } },
    { ratio, plotWidth, plotHeight }) {
    let count = 0;
    for (let mark = 0; mark < drawings.count; mark += 1) {
      const at = drawings.at / 4 + mark * (STRIDE.drawing / 4);
      const drawing = this.#drawings[bytes[4 * at + 22]];
      const level = words[at + 4];
      const [startX, , endX, y] = floats.subarray(at, at + 4);
      const x = level >= 0 ? Math.max(0, Math.min(startX, endX)) : endX;
      const text = level >= 0 ? `${number(decimalText(level, 3, 0))} · ${
        this.#host.price.text(integers[at / 2 + 3])}`
        : drawing?.kind === "measure" ? this.#distance(drawing, interval) : drawing?.text;
      const isInView = x >= 0 && x <= plotWidth && y >= 0 && y <= plotHeight;
      if (!drawing || !text || !isInView) continue;
      const label = this.#labels[count] ??= this.#label();
      count += 1;
      setText(label, text);
      setAttribute(label, "hidden", false);
      setAttribute(label, "data-shape", drawing.kind);
      // A distance ends at the pointer, and its text stays in the plot.
      const shift = drawing.kind === "measure" && 2 * x > plotWidth ? "-100%" : "0";
      label.style.transform =
        `translate(${Math.round(x / ratio)}px, ${Math.round(y / ratio)}px) translateX(${shift})`;
    }
    for (const label of this.#labels.slice(count)) setAttribute(label, "hidden", true);
  }

  #label() {
    const label = h("div.drawing-label");
    this.element.prepend(label);
    return label;
  }

  // "+12.50 (+1.24%) · 15 bars · 15 min"
  /** @param {Drawing} drawing @param {number} interval */
  #distance({ start, end }, interval) {
    if (!end) return "";
    const change = end.price - start.price;
    const time = Math.abs(end.time - start.time);
    const bars = Math.round(time / interval);
    const share = start.price > 0
      ? ` (${shareText(Math.round(change * 10_000 / start.price))})` : "";
    return [`${change > 0 ? "+" : ""}${this.#host.price.text(change)}${share}`,
      plural(bars, "{count} bar", "{count} bars", { count: number(String(bars)) }),
      duration(time)].join(" · ");
  }
}
