// The person's waiting orders over the chart: a line at the limit, and a tag with a grip that
// amends it and a cross that cancels it. Where lines and tags stand is the core's.

import { sideWord } from "../../orders/words.js";
import { t } from "../../text/texts.js";
import { h, icon, setAttribute, setText } from "../../ui/dom.js";
import { PressGuard } from "../../ui/press-guard.js";
import { STRIDE } from "../model/core.js";
import { decimalText, unitsOf } from "../model/labels.js";

/** @typedef {import("../../alerts/words.js").AlertLevel} AlertLevel */
/** @typedef {import("../model/core.js").Marks} Marks */
/** @typedef {import("../model/render-model.js").Frame} Frame */

// Where a line at a price and its tag stand, as the core placed them: that of a waiting order, that
// of an alert.
/**
 * `rule` is the line, `price` stands at the axis, `leader` joins both where they are apart, `tag`
 * stands where the price does.
 * @typedef {object} LevelParts
 * @property {HTMLElement} element
 * @property {HTMLElement} rule
 * @property {HTMLElement} leader
 * @property {HTMLElement} price
 * @property {HTMLElement} [tag]
 */

/**
 * Puts lines where the picture has them, in its order.
 * @param {LevelParts[]} lines
 * @param {Marks} marks
 * @param {Float32Array} floats
 * @param {import("../model/render-model.js").Frame} frame
 */
function placeLevels(lines, marks, floats, { ratio, axis, plotWidth, plotHeight }) {
  const [width, height] = [plotWidth / ratio, plotHeight / ratio];
  lines.forEach(({ element, rule, leader, price, tag }, index) => {
    const isDrawn = index < marks.count;
    setAttribute(element, "hidden", !isDrawn);
    if (!isDrawn) return;
    const at = marks.at / 4 + index * (STRIDE.order / 4);
    const [y, tagY] = [floats[at] / ratio, floats[at + 1] / ratio];
    const side = y < 0 ? "above" : y > height ? "below" : "";
    setAttribute(element, "data-beyond", side || null);
    rule.style.transform = `translateY(${Math.round(y)}px)`;
    rule.style.width = `${width}px`;
    price.style.transform = `translateY(${Math.round(tagY)}px) translateY(-50%)`;
    price.style.minWidth = `${axis.right - 3}px`;
    if (tag) tag.style.transform = price.style.transform;
    const [from, to] = [Math.min(y, tagY), Math.max(y, tagY)];
    const isAside = side === "" && to - from > 3;
    setAttribute(leader, "hidden", !isAside);
    if (!isAside) return;
    leader.style.transform = `translate(${width - 1}px, ${Math.round(from)}px)`;
    leader.style.height = `${Math.round(to - from)}px`;
  });
}

// The person's alerts over the chart: a dashed line at each price that one waits for, with a bell
// beside the price at the axis. Where they stand is the core's.
/**
 * @typedef {object} AlertLine
 * @property {number} units
 * @property {Record<"element" | "rule" | "leader" | "price" | "text", HTMLElement>} parts
 */

/** As many as the core draws. */
const MOST = 64;
const MOST_NAMED = 4;

export class AlertLines {
  element = h("div.chart-alerts", { role: "list", "aria-label": t("Alerts"), hidden: true });
  /** Makes an alert at exact digits; null where none can be made. */
  add = /** @type {((price: string) => unknown) | null} */ (null);
  /** Why none can be made, for who tries; "" to say nothing. */
  why = "";
  /** @type {AlertLevel[]} */
  #levels = [];
  /** @type {Map<string, AlertLine>} */
  #lines = new Map();
  /** Prices at which the person has just asked for one. */
  #asked = new Set();
  #host;

  /**
   * `price` writes units; `changed` hands the prices to the core, `say` tells what came of a press.
   * @param {{price: PriceLabels, changed: (prices: number[]) => unknown,
   *   say: (text: string) => unknown}} host
   */
  constructor(host) {
    this.#host = host;
  }

  /** @param {AlertLevel[]} levels */
  set(levels) {
    this.#levels = levels;
    this.rescale();
  }

  /** The same, on the scale of the prices as it is now. */
  rescale() {
    const gone = new Set(this.#lines.keys());
    for (const { id, level, isArmed } of this.#levels) {
      const units = unitsOf(level, this.#host.price.scale);
      if (units === null || (!this.#lines.has(id) && this.#lines.size >= MOST)) continue;
      gone.delete(id);
      const line = this.#lines.get(id) ?? this.#make(id);
      line.units = units;
      const price = this.#host.price.text(units);
      setText(line.parts.text, price);
      setAttribute(line.parts.element, "data-resting", !isArmed);
      if (this.#asked.delete(units)) this.#host.say(t("Alert set at {price}", { price }));
    }
    for (const id of gone) {
      this.#lines.get(id)?.parts.element.remove();
      this.#lines.delete(id);
    }
    setAttribute(this.element, "hidden", this.#lines.size === 0);
    this.#host.changed([...this.#lines.values()].map(({ units }) => units));
  }

  /** The lines for who can't see them: "Alerts at 45.50 and 47.00"; empty without any. */
  get words() {
    const prices = [...this.#lines.values()].map(({ units }) => this.#host.price.text(units));
    const named = prices.slice(0, MOST_NAMED);
    const more = prices.length - named.length;
    if (more > 0) named.push(t("{count} more", { count: more }));
    const last = named.pop();
    if (last === undefined) return "";
    return named.length === 0 ? t("Alert at {price}", { price: last })
      : t("Alerts at {prices} and {last}", { prices: named.join(", "), last });
  }

  // Asks for an alert at a price; false where none can be made.
  /** @param {bigint | number} units */
  ask(units) {
    if (!this.add) {
      if (this.why) this.#host.say(this.why);
      return this.why !== "";
    }
    const { scale, decimals } = this.#host.price;
    this.#asked.clear();
    this.#asked.add(Number(units));
    this.add(decimalText(units, scale, decimals));
    return true;
  }

  /** @param {string} id */
  #make(id) {
    const [rule, leader] = [h("div.alert-rule"), h("div.alert-leader")];
    const text = h("span");
    const price = h("div.alert-price", {}, icon("bell"),
      h("span.unseen", {}, `${t("Alert at")} `), text);
    const element = h("div.alert-level", { role: "listitem" }, rule, leader, price);
    const line = { units: 0, parts: { element, rule, leader, price, text } };
    this.#lines.set(id, line);
    this.element.append(element);
    return line;
  }

  // Puts lines and prices where the picture has them.
  /** @param {Picture} picture @param {import("../model/render-model.js").Frame} frame */
  show({ alerts, memory: { floats } }, frame) {
    placeLevels([...this.#lines.values()].map(({ parts }) => parts), alerts, floats, frame);
  }
}

/** An open order: price and open quantity are digits. */
/**
 * @typedef {object} OrderRow
 * @property {string} id
 * @property {string} [symbol] what it is of
 * @property {Wire.Side} side
 * @property {string} price
 * @property {string} leaves
 */
/**
 * What the tags do; what is missing can't be done. `amend` may answer a promise: until it is done
 * the line stays where it was put.
 * @typedef {object} OrderAct
 * @property {(id: string, price: string) => unknown} [amend]
 * @property {(id: string, price: string) => string} [crossing] what the order would trade at once
 *   at another price; "" where it would rest
 * @property {(id: string) => unknown} [cancel]
 */
/**
 * @typedef {object} OrderLine
 * @property {OrderRow} row
 * @property {number} units where the order is
 * @property {number | null} wanted where it is put
 * @property {boolean} isSent
 * @property {number} tagY where its tag was when it last jumped
 * @property {Record<"element" | "rule" | "leader" | "tag" | "price" | "words", HTMLElement>} parts
 * @property {HTMLElement} grip
 * @property {HTMLButtonElement} cross
 */

const MANY_TICKS = 10;
/** Half a tag: what moves this far brings another button under the pointer, CSS pixels. */
const JUMP = 12;

export class OrderLines {
  element = h("div.chart-orders", { role: "group", "aria-label": t("Open orders") });
  /** @type {OrderRow[]} */
  #rows = [];
  /** @type {OrderAct} */
  #act = {};
  /** @type {Map<string, OrderLine>} */
  #lines = new Map();
  #guard = new PressGuard(this.element);
  #host;

  /**
   * `price` writes units; `priceAt(y)` is the price at a height in pixels of the style sheet, on a
   * tick; `changed` hands the orders to the core.
   * @param {{price: PriceLabels, priceAt: (y: number) => bigint | null,
   *   changed: (orders: {price: number, side: Wire.Side}[]) => unknown}} host
   */
  constructor(host) {
    this.#host = host;
  }

  // Rows and what can be done with them; an order that is being moved stays where it is held.
  /** @param {OrderRow[]} rows @param {OrderAct} act */
  set(rows, act = {}) {
    this.#rows = rows;
    this.#act = act;
    this.rescale();
  }

  /** The same rows, on the scale of the prices as it is now. */
  rescale() {
    const gone = new Set(this.#lines.keys());
    for (const row of this.#rows) {
      const units = unitsOf(row.price, this.#host.price.scale);
      if (units === null || (!this.#lines.has(row.id) && this.#lines.size >= MOST)) continue;
      gone.delete(row.id);
      const known = this.#lines.get(row.id);
      if (known && (known.isSent && known.units !== units)) this.#rest(known);
      const line = known ?? this.#add(row);
      Object.assign(line, { row, units });
    }
    for (const id of gone) {
      this.#lines.get(id)?.parts.element.remove();
      this.#lines.delete(id);
    }
    this.#tell();
  }

  #tell() {
    for (const line of this.#lines.values()) this.#say(line);
    this.#host.changed([...this.#lines.values()].map(({ row, units, wanted }) =>
      ({ price: wanted ?? units, side: row.side })));
  }

  /** @param {OrderRow} row @returns {OrderLine} */
  #add(row) {
    const words = h("span.order-words");
    const grip = h("button.order-grip", { type: "button" },
      h("span.order-dots", { "aria-hidden": "true" }, "⠿"), words);
    const cross = h("button.order-cross", {
      type: "button", onclick: () => this.#act.cancel?.(row.id),
    }, "×");
    const [rule, leader] = [h("div.order-rule"), h("div.order-leader")];
    const price = h("div.order-price", { "aria-hidden": "true" });
    const tag = h("div.order-tag", {}, grip, cross);
    const element = h("div.level-line", { "data-side": row.side }, rule, leader, tag, price);
    /** @type {OrderLine} */
    const line = {
      row, units: 0, wanted: null, isSent: false, tagY: NaN, grip, cross,
      parts: { element, rule, leader, tag, price, words },
    };
    this.#listen(line);
    this.#lines.set(row.id, line);
    this.element.append(element);
    return line;
  }

  /** @param {OrderLine} line */
  #say(line) {
    const { row, units, wanted, parts, grip, cross } = line;
    const text = (/** @type {number} */ at) => this.#host.price.text(at);
    const size = `${sideWord(row.side)} ${row.leaves}`;
    const named = row.symbol ? `${size} ${row.symbol}` : size;
    const isMoved = wanted !== null && wanted !== units;
    const crossing = isMoved ? this.#act.crossing?.(row.id, this.#digits(wanted)) ?? "" : "";
    setText(parts.words,
      crossing || `${size} · ${isMoved ? `${text(units)} → ${text(wanted)}` : text(units)}`);
    setAttribute(parts.element, "data-crossing", crossing !== "");
    setText(parts.price, text(wanted ?? units));
    setAttribute(parts.element, "data-moved", isMoved);
    setAttribute(parts.element, "data-sent", line.isSent);
    // A slider that sends on Enter: where it is put, and what to do then.
    const canAmend = this.#act.amend !== undefined;
    setAttribute(grip, "role", canAmend ? "slider" : null);
    setAttribute(grip, "aria-orientation", canAmend ? "vertical" : null);
    setAttribute(grip, "aria-valuenow", canAmend ? (wanted ?? units) : null);
    setAttribute(grip, "aria-valuetext", !canAmend ? null : isMoved
      ? [t("{wanted}, was {price}. Enter sends, Escape keeps",
        { wanted: text(wanted), price: text(units) }), crossing].filter(Boolean).join(". ")
      : text(units));
    setAttribute(grip, "aria-label", `${named}, ${t("limit")}${canAmend ? "" : ` ${text(units)}`}`);
    setAttribute(cross, "aria-label",
      t("Cancel {size} at {price}", { size: named, price: text(units) }));
    setAttribute(cross, "hidden", !this.#act.cancel);
  }

  /** @param {OrderLine} line */
  #listen(line) {
    const { grip } = line;
    /** @type {number | null} */
    let held = null;
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.#act.amend || line.isSent) return;
      grip.setPointerCapture(event.pointerId);
      held = event.pointerId;
    });
    grip.addEventListener("pointermove", (event) => {
      if (held !== event.pointerId) return;
      const y = event.clientY - this.element.getBoundingClientRect().top;
      const price = this.#host.priceAt(y);
      if (price !== null) this.#put(line, Number(price));
    });
    grip.addEventListener("pointerup", () => {
      if (held === null) return;
      held = null;
      this.#send(line);
    });
    grip.addEventListener("pointercancel", () => {
      held = null;
      this.#rest(line);
    });
    grip.addEventListener("keydown", (event) => {
      if (event.key === "Escape") held = null;
      if (this.#key(line, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    grip.addEventListener("blur", () => {
      if (held === null && !line.isSent) this.#rest(line);
    });
  }

  /** @param {OrderLine} line @param {KeyboardEvent} event */
  #key(line, { key, shiftKey, ctrlKey, metaKey, altKey }) {
    if (ctrlKey || metaKey || altKey || !this.#act.amend || line.isSent) return false;
    const way = key === "ArrowUp" ? 1 : key === "ArrowDown" ? -1 : 0;
    if (way !== 0) {
      const ticks = way * (shiftKey ? MANY_TICKS : 1);
      this.#put(line, (line.wanted ?? line.units) + ticks * Number(this.#host.price.tick));
      return true;
    }
    if (key === "Enter") this.#send(line);
    else if (key === "Escape" && line.wanted !== null) this.#rest(line);
    else return false;
    return true;
  }

  /** @param {OrderLine} line @param {number} units */
  #put(line, units) {
    if (units <= 0 || line.wanted === units) return;
    line.wanted = units;
    this.#tell();
  }

  // Back to where the order is.
  /** @param {OrderLine} line */
  #rest(line) {
    if (line.wanted === null && !line.isSent) return;
    line.wanted = null;
    line.isSent = false;
    this.#tell();
  }

  /** @param {OrderLine} line */
  #send(line) {
    const { wanted, units, row } = line;
    if (wanted === null || wanted === units) return this.#rest(line);
    line.isSent = true;
    this.#tell();
    Promise.resolve(this.#act.amend?.(row.id, this.#digits(wanted)))
      .catch(() => {}).then(() => this.#rest(line));
  }

  /** @param {number} units */
  #digits(units) {
    const { scale, decimals } = this.#host.price;
    return decimalText(units, scale, decimals);
  }

  // Puts lines and tags where the picture has them.
  /** @param {Picture} picture @param {Frame} frame */
  show({ orders, memory: { floats } }, frame) {
    const lines = [...this.#lines.values()];
    // What an order would trade changes with the market.
    for (const line of lines) if (line.wanted !== null) this.#say(line);
    placeLevels(lines.map(({ parts }) => parts), orders, floats, frame);
    let hasJumped = false;
    lines.slice(0, orders.count).forEach((line, index) => {
      const y = floats[orders.at / 4 + index * (STRIDE.order / 4) + 1] / frame.ratio;
      if (Math.abs(y - line.tagY) < JUMP) return;
      hasJumped ||= !Number.isNaN(line.tagY);
      line.tagY = y;
    });
    if (hasJumped) this.#guard.changed();
  }
}
