// Open orders over the chart: a line at the limit, and a tag with a grip to amend and a cross to
// cancel. Orders whose tags would overlap share one, which lists them. The core places lines and
// tags.

import { sideWord } from "../../orders/words.js";
import { number } from "../../text/format.js";
import { plural, t } from "../../text/texts.js";
import { h, icon, KeyedList, setAttribute, setText } from "../../ui/dom.js";
import { PressGuard } from "../../ui/press-guard.js";
import { STRIDE } from "../model/core.js";
import { decimalText, unitsOf } from "../model/labels.js";
import { stand } from "./menus.js";

/** @typedef {import("../../alerts/words.js").AlertLevel} AlertLevel */
/** @typedef {import("../model/core.js").Marks} Marks */
/** @typedef {import("../model/render-model.js").Frame} Frame */

// Where the core places a price line and its tag, of an open order or an alert.
/**
 * `rule` is the line, `price` its label at the axis, `leader` joins both where they are apart,
 * `tag` is at the price's height.
 * @typedef {object} LevelParts
 * @property {HTMLElement} element
 * @property {HTMLElement} rule
 * @property {HTMLElement} leader
 * @property {HTMLElement} price
 * @property {HTMLElement} [tag]
 */
/**
 * The place of a line and its tag, CSS pixels; `count` orders share `tagNumber`.
 * @typedef {{y: number, tagY: number, tagNumber: number, count: number}} LevelPlace
 */

/**
 * @param {Marks} marks
 * @param {Picture["memory"]} memory
 * @param {Frame} frame
 * @returns {LevelPlace[]}
 */
const placesOf = ({ at, count }, { floats, words }, { ratio }) =>
  Array.from({ length: count }, (_, index) => {
    const from = at / 4 + index * (STRIDE.order / 4);
    return { y: floats[from] / ratio, tagY: floats[from + 1] / ratio,
      tagNumber: words[from + 2], count: words[from + 3] };
  });

/**
 * Puts lines where the picture has them, in its order.
 * @param {LevelParts[]} lines
 * @param {LevelPlace[]} places
 * @param {Frame} frame
 */
function placeLevels(lines, places, { ratio, axis, plotWidth, plotHeight }) {
  const [width, height] = [plotWidth / ratio, plotHeight / ratio];
  lines.forEach(({ element, rule, leader, price, tag }, index) => {
    const isDrawn = index < places.length;
    setAttribute(element, "hidden", !isDrawn);
    if (!isDrawn) return;
    const { y, tagY } = places[index];
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

// Own alerts over the chart: a dashed line at each pending alert's price, with a bell beside the
// price at the axis. The core places them.
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
  /** Adds an alert at exact digits; null if unavailable. */
  add = /** @type {((price: string) => unknown) | null} */ (null);
  /** Why alerts are unavailable, shown on an attempt; "" shows nothing. */
  why = "";
  /** @type {AlertLevel[]} */
  #levels = [];
  /** @type {Map<string, AlertLine>} */
  #lines = new Map();
  /** Prices with a pending request. */
  #asked = new Set();
  #host;

  /**
   * `price` formats units; `changed` sends the prices to the core; `say` shows a press's result.
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

  /** The same alerts, on the current price scale. */
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

  /** The lines for screen readers: "Alerts at 45.50 and 47.00"; empty without any. */
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

  // Requests an alert at a price; false if unavailable.
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
  /** @param {Picture} picture @param {Frame} frame */
  show({ alerts, memory }, frame) {
    placeLevels([...this.#lines.values()].map(({ parts }) => parts),
      placesOf(alerts, memory, frame), frame);
  }
}

/** An open order: price and open quantity are digits. */
/**
 * @typedef {object} OrderRow
 * @property {string} id
 * @property {string} [symbol] its instrument
 * @property {Wire.Side} side
 * @property {string} price
 * @property {string} leaves
 */
/**
 * The tags' actions; an absent action is unavailable. `amend` may return a promise: the line stays
 * where it was dropped until that settles.
 * @typedef {object} OrderAct
 * @property {(id: string, price: string) => unknown} [amend]
 * @property {(id: string, price: string) => string} [crossing] what the order would trade at once
 *   at another price; "" if it would rest
 * @property {(id: string) => unknown} [cancel]
 */
/**
 * @typedef {object} OrderLine
 * @property {OrderRow} row
 * @property {number} units the order's price
 * @property {number | null} wanted the price it is moved to
 * @property {boolean} isSent
 * @property {LineParts} [parts] once it had its own tag
 */
/**
 * @typedef {Record<"element" | "rule" | "leader" | "tag" | "price" | "words" | "size" | "grip",
 *   HTMLElement> & {cross: HTMLButtonElement}} LineParts
 */

const MANY_TICKS = 10;
/** The most lines drawn for orders that share tags. */
const MOST_RULES = 64;
/** The most orders that the core places. */
const MOST_ORDERS = 1024;
/** Half a tag, CSS pixels: a larger move puts another button under the pointer. */
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
  /** @type {SharedTag[]} */
  #shared = [];
  /** @type {HTMLElement[]} */
  #rules = [];
  #list;
  /** The tags' places at their last jump. */
  #tagsDrawn = new Map();
  #host;

  /**
   * `price` formats units; `priceAt(y)` is the price at a height in CSS pixels, on a tick;
   * `changed` sends the orders to the core.
   * @param {{price: PriceLabels, priceAt: (y: number) => bigint | null,
   *   changed: (orders: {price: number, side: Wire.Side, isSeparate: boolean}[]) => unknown}} host
   */
  constructor(host) {
    this.#host = host;
    this.#list = new OrderList((row) => this.#wordsOf(row), (id) => this.#act.cancel?.(id));
    this.element.append(this.#list.element);
  }

  // Rows and their actions; an order being dragged stays where it is held.
  /** @param {OrderRow[]} rows @param {OrderAct} act */
  set(rows, act = {}) {
    this.#rows = rows;
    this.#act = act;
    this.rescale();
  }

  /** The same rows, on the current price scale. */
  rescale() {
    const gone = new Set(this.#lines.keys());
    for (const row of this.#rows) {
      const units = unitsOf(row.price, this.#host.price.scale);
      if (units === null || (!this.#lines.has(row.id) && this.#lines.size >= MOST_ORDERS)) continue;
      gone.delete(row.id);
      const known = this.#lines.get(row.id);
      if (known && (known.isSent && known.units !== units)) this.#rest(known);
      if (known) Object.assign(known, { row, units });
      else this.#lines.set(row.id, { row, units, wanted: null, isSent: false });
    }
    for (const id of gone) {
      this.#lines.get(id)?.parts?.element.remove();
      this.#lines.delete(id);
    }
    this.#list.follow(this.#rows, this.#act.cancel !== undefined);
    this.#tell();
  }

  #tell() {
    for (const line of this.#lines.values()) this.#say(line);
    this.#host.changed([...this.#lines.values()].map(({ row, units, wanted, isSent, parts }) => ({
      price: wanted ?? units, side: row.side,
      isSeparate: wanted !== null || isSent || parts?.grip === document.activeElement,
    })));
  }

  // "Buy 150", and its price.
  /** @param {OrderRow} row @returns {[size: string, price: string]} */
  #wordsOf({ id, side, leaves }) {
    const units = this.#lines.get(id)?.units;
    return [`${sideWord(side)} ${leaves}`, units === undefined ? "" : this.#host.price.text(units)];
  }

  /** @param {OrderLine} line */
  #build(line) {
    const { row } = line;
    const size = h("span");
    const words = h("span");
    const grip = h("button.order-grip", { type: "button" },
      h("span.order-dots", { "aria-hidden": "true" }, "⠿"),
      h("span.order-words", {}, size, words));
    const cross = h("button.order-cross", {
      type: "button", onclick: () => this.#act.cancel?.(row.id),
    }, "×");
    const [rule, leader] = [h("div.order-rule"), h("div.order-leader")];
    const price = h("div.order-price", { "aria-hidden": "true" });
    const tag = h("div.order-tag", {}, grip, cross);
    const element = h("div.level-line", { "data-side": row.side }, rule, leader, tag, price);
    const parts = { element, rule, leader, tag, price, words, size, grip, cross };
    line.parts = parts;
    this.#listen(line, grip);
    this.#say(line);
    this.element.append(element);
    return parts;
  }

  /** @param {OrderLine} line */
  #say(line) {
    const { row, units, wanted, parts } = line;
    if (!parts) return;
    const { grip, cross } = parts;
    const text = (/** @type {number} */ at) => this.#host.price.text(at);
    const [size] = this.#wordsOf(row);
    const named = row.symbol ? `${size} ${row.symbol}` : size;
    const isMoved = wanted !== null && wanted !== units;
    const crossing = isMoved ? this.#act.crossing?.(row.id, this.#digits(wanted)) ?? "" : "";
    setText(parts.size, crossing || size);
    setText(parts.words, crossing ? ""
      : ` · ${isMoved ? `${text(units)} → ${text(wanted)}` : text(units)}`);
    setAttribute(parts.element, "data-crossing", crossing !== "");
    setText(parts.price, text(wanted ?? units));
    setAttribute(parts.element, "data-moved", isMoved);
    setAttribute(parts.element, "data-sent", line.isSent);
    // A slider that sends on Enter.
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

  /** @param {OrderLine} line @param {HTMLElement} grip */
  #listen(line, grip) {
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
    grip.addEventListener("click", () => {
      if (line.wanted === null) this.#list.open([line.row], grip);
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
    grip.addEventListener("focus", () => this.#tell());
    grip.addEventListener("blur", () => {
      if (held === null && !line.isSent) this.#rest(line);
      this.#tell();
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

  // Back to the order's price.
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
  show({ orders, memory }, frame) {
    const lines = [...this.#lines.values()];
    const places = placesOf(orders, memory, frame);
    /** @type {Map<number, [line: OrderLine, place: LevelPlace][]>} */
    const members = new Map();
    /** @type {[parts: LineParts, place: LevelPlace][]} */
    const own = [];
    /** @type {number[]} */
    const rules = [];
    lines.forEach((line, index) => {
      const place = places[index];
      if (place?.count === 1) {
        // The quantity that would trade at once changes with the market.
        if (line.parts && line.wanted !== null) this.#say(line);
        own.push([line.parts ?? this.#build(line), place]);
        return;
      }
      if (line.parts) setAttribute(line.parts.element, "hidden", true);
      if (!place) return;
      const group = members.get(place.tagNumber);
      if (group) group.push([line, place]);
      else members.set(place.tagNumber, [[line, place]]);
      const isInView = place.y >= 0 && place.y <= frame.plotHeight / frame.ratio;
      if (isInView && rules.length < MOST_RULES) rules.push(place.y);
    });
    placeLevels(own.map(([parts]) => parts), own.map(([, place]) => place), frame);
    this.#drawRules(rules, frame);
    [...members.values()].forEach((group, index) => {
      const tag = this.#shared[index] ??= this.#share();
      tag.show(group.map(([{ row }]) => row), sideOf(group.map(([, { y }]) => y), frame),
        group[0][1]);
    });
    for (const tag of this.#shared.slice(members.size)) setAttribute(tag.element, "hidden", true);
    this.#guardJumps(places);
  }

  #share() {
    const tag = new SharedTag((rows, button) => this.#list.open(rows, button));
    this.element.append(tag.element);
    return tag;
  }

  // The lines of orders that share tags.
  /** @param {number[]} rules @param {Frame} frame */
  #drawRules(rules, { plotWidth, ratio }) {
    rules.forEach((y, index) => {
      if (!this.#rules[index]) {
        this.#rules[index] = h("div.order-rule.shared-rule");
        this.element.prepend(this.#rules[index]);
      }
      this.#rules[index].style.transform = `translateY(${Math.round(y)}px)`;
      this.#rules[index].style.width = `${plotWidth / ratio}px`;
    });
    this.#rules.forEach((rule, index) => setAttribute(rule, "hidden", index >= rules.length));
  }

  // Guards against presses on the wrong tag after one jumps, joins or splits.
  /** @param {LevelPlace[]} places */
  #guardJumps(places) {
    const drawn = new Map([...this.#lines.keys()].slice(0, places.length)
      .map((id, index) => [id, places[index]]));
    let hasJumped = false;
    for (const [id, { tagY, count }] of drawn) {
      const before = this.#tagsDrawn.get(id);
      if (before && Math.abs(tagY - before.tagY) < JUMP && count === before.count) continue;
      hasJumped ||= before !== undefined;
      this.#tagsDrawn.set(id, { tagY, count });
    }
    for (const id of this.#tagsDrawn.keys()) if (!drawn.has(id)) this.#tagsDrawn.delete(id);
    if (hasJumped) this.#guard.changed();
  }
}

/** @param {number[]} lines @param {Frame} frame */
function sideOf(lines, { plotHeight, ratio }) {
  if (lines.every((y) => y < 0)) return "above";
  return lines.every((y) => y > plotHeight / ratio) ? "below" : "";
}

// The tag of several orders: opens their list and has no cancel.
class SharedTag {
  #words = h("span.order-words");
  #button = h("button.order-more", { type: "button", "aria-haspopup": "dialog" }, this.#words);
  #tag = h("div.order-tag", {}, this.#button);
  element = h("div.order-group", {}, this.#tag);
  /** @type {OrderRow[]} */
  #rows = [];

  /** @param {(rows: OrderRow[], button: HTMLElement) => unknown} open */
  constructor(open) {
    this.#button.addEventListener("click", () => open(this.#rows, this.#button));
  }

  /** @param {OrderRow[]} rows @param {"" | "above" | "below"} side @param {LevelPlace} place */
  show(rows, side, { tagY }) {
    this.#rows = rows;
    const count = number(String(rows.length));
    setAttribute(this.element, "hidden", false);
    setText(this.#words, side === "above" ? `${t("{count} above", { count })} ↑`
      : side === "below" ? `${t("{count} below", { count })} ↓`
        : `${plural(rows.length, "{count} order", "{count} orders", { count })} ▾`);
    this.#tag.style.transform = `translateY(${Math.round(tagY)}px) translateY(-50%)`;
  }
}

// The orders of a shared tag, each with its Cancel.
class OrderList {
  #rows = h("ul.order-list-rows");
  element = h("div.chart-menu.order-list",
    { popover: "auto", role: "dialog", "aria-label": t("Open orders") }, this.#rows);
  #guard = new PressGuard(this.element);
  /** @type {KeyedList<string, {element: HTMLElement, show: (row: OrderRow) => unknown}>} */
  #list;
  /** @type {Set<string>} */
  #ids = new Set();
  #canCancel = false;
  /** @type {Map<string, OrderRow>} */
  #known = new Map();

  /**
   * @param {(row: OrderRow) => [size: string, price: string]} words
   * @param {(id: string) => unknown} cancel
   */
  constructor(words, cancel) {
    this.#list = new KeyedList(this.#rows, (id) => {
      const [size, price] = [h("span"), h("b")];
      const button = h("button.button.small", { type: "button" }, t("Cancel"));
      button.addEventListener("click", () => {
        cancel(id);
        button.disabled = true;
      });
      return {
        element: h("li", {}, size, price, button),
        show: (row) => {
          const texts = words(row);
          setText(size, texts[0]);
          setText(price, texts[1]);
          setAttribute(button, "hidden", !this.#canCancel);
          setAttribute(button, "aria-label", t("Cancel {size} at {price}", {
            size: row.symbol ? `${texts[0]} ${row.symbol}` : texts[0], price: texts[1] }));
        },
      };
    });
  }

  // Shows rows beside the pressed tag.
  /** @param {OrderRow[]} rows @param {HTMLElement} button */
  open(rows, button) {
    this.#ids = new Set(rows.map(({ id }) => id));
    this.#draw();
    /** @type {any} */ (this.element).showPopover();
    stand(this.element, button);
  }

  // Updates the orders; closed ones leave the list.
  /** @param {OrderRow[]} rows @param {boolean} canCancel */
  follow(rows, canCancel) {
    this.#known = new Map(rows.map((row) => [row.id, row]));
    this.#canCancel = canCancel;
    if (this.#ids.size > 0) this.#draw();
  }

  #draw() {
    const ids = [...this.#ids].filter((id) => this.#known.has(id));
    if (this.#list.arrange(ids)) this.#guard.changed();
    for (const id of ids) {
      const row = this.#known.get(id);
      if (row) this.#list.rows.get(id)?.show(row);
    }
    this.#ids = new Set(ids);
    if (ids.length === 0 && this.element.matches(":popover-open")) {
      /** @type {any} */ (this.element).hidePopover();
    }
  }
}
