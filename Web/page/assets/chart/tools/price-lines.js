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
import { MovableLine } from "./movable.js";

/** @typedef {import("../../alerts/levels.js").AlertLevel} AlertLevel */
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

/**
 * A slider that sends on Enter, while its line can move.
 * @param {HTMLElement} grip
 * @param {MovableLine} line
 * @param {boolean} canMove
 * @param {(units: number) => string} text
 * @param {string} [result] of the move
 */
function slide(grip, { units, wanted, isMoved }, canMove, text, result = "") {
  setAttribute(grip, "role", canMove ? "slider" : null);
  setAttribute(grip, "aria-orientation", canMove ? "vertical" : null);
  setAttribute(grip, "aria-valuenow", canMove ? (wanted ?? units) : null);
  setAttribute(grip, "aria-valuetext", !canMove ? null : wanted !== null && isMoved
    ? [t("{wanted}, was {price}. Enter sends, Escape keeps",
      { wanted: text(wanted), price: text(units) }), result].filter(Boolean).join(". ")
    : text(units));
}

/**
 * The ticks and prices that lines move by.
 * @param {HTMLElement} area
 * @param {() => {price: PriceLabels, priceAt: (y: number) => bigint | null}} host
 */
const steps = (area, host) => ({
  tick: () => Number(host().price.tick),
  priceAt: (/** @type {number} */ clientY) =>
    host().priceAt(clientY - area.getBoundingClientRect().top),
});

/** @param {MovableLine[]} lines */
const heldOf = (lines) => lines.find(({ held }) => held !== null)?.held ?? null;

// Own alerts over the chart: a dashed line at each pending alert's price, with a bell beside the
// price at the axis, which moves it, and tags with the counts of those above and below the view.
// The core places the lines.
/**
 * Actions on alerts; an absent one is unavailable. Prices are exact digits; `open` receives an
 * alert, or null for all, and the pressed element.
 * @typedef {object} AlertAct
 * @property {(price: string) => unknown} [add]
 * @property {(id: string, price: string) => unknown} [move]
 * @property {(id: string | null, near: HTMLElement) => unknown} [open]
 */

class AlertLine extends MovableLine {
  #rule = h("div.alert-rule");
  #text = h("span");
  #price = h("div.alert-price", {}, icon("bell"),
    h("span.unseen", {}, `${t("Alert at")} `), this.#text);
  parts = {
    rule: this.#rule, leader: h("div.alert-leader"), price: this.#price,
    element: h("div.alert-level", { role: "listitem" }),
  };

  /**
   * @param {string} id
   * @param {number} units
   * @param {import("./movable.js").Mover<AlertLine>} mover
   */
  constructor(id, units, mover) {
    super(units, mover);
    this.id = id;
    this.parts.element.append(this.#rule, this.parts.leader, this.#price);
    this.listen(this.#price);
  }

  /** @param {boolean} canMove @param {(units: number) => string} text */
  say(canMove, text) {
    const { units, wanted, parts } = this;
    setText(this.#text, text(wanted ?? units));
    setAttribute(parts.element, "data-moved", this.isMoved);
    setAttribute(parts.element, "data-sent", this.isSent);
    slide(this.#price, this, canMove, text);
    setAttribute(this.#price, "tabindex", canMove ? "0" : null);
    setAttribute(this.#price, "aria-label",
      canMove ? t("Alert at {price}", { price: text(units) }) : null);
  }
}

/** As many as the core draws. */
const MOST = 64;
const MOST_NAMED = 4;
/** From the chart's edge to the middle of a tag, CSS pixels. */
const EDGE = 14;

export class AlertLines {
  #list = h("div", { role: "list", "aria-label": t("Alerts"), hidden: true });
  element = h("div.chart-alerts", {}, this.#list);
  /** @type {AlertAct} */
  #act = {};
  why = "";
  /** @type {AlertLevel[]} */
  #levels = [];
  /** @type {Map<string, AlertLine>} */
  #lines = new Map();
  /** Prices with a pending request. */
  #asked = new Set();
  /** @type {(() => void)[]} */
  #sent = [];
  #edges = ["above", "below"].map(() => new SharedTag(
    (button) => this.#act.open?.(null, button), icon("bell"),
    h("span.unseen", {}, `${t("Alerts")}: `)));
  #host;
  /** @type {import("./movable.js").Mover<AlertLine>} */
  #mover = {
    canMove: () => this.#act.move !== undefined,
    ...steps(this.element, () => this.#host),
    changed: () => this.#tell(),
    send: ({ id }, units) => {
      this.#act.move?.(id, this.#digits(units));
      return new Promise((settle) => this.#sent.push(() => settle(null)));
    },
    press: ({ id }, grip) => this.#act.open?.(id, grip),
  };

  /**
   * `price` formats units; `priceAt(y)` is the price at a height in CSS pixels, on a tick;
   * `changed` sends the prices to the core, and where a line is held; `say` shows a press's result.
   * @param {{price: PriceLabels, priceAt: (y: number) => bigint | null,
   *   changed: (prices: number[], held: number | null) => unknown,
   *   say: (text: string) => unknown}} host
   */
  constructor(host) {
    this.#host = host;
    for (const { element } of this.#edges) {
      element.classList.add("alert-edge");
      setAttribute(element, "hidden", true);
      this.element.append(element);
    }
  }

  // The actions, and why alerts can't be set, shown on an attempt; "" shows nothing.
  /** @param {AlertAct} act @param {string} why */
  allow(act, why) {
    [this.#act, this.why] = [act, why];
    this.#tell();
  }

  // Moved alerts that the server has not moved go back.
  settle() {
    for (const settle of this.#sent.splice(0)) settle();
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
      const known = this.#lines.get(id);
      if (known?.isSent && known.units !== units) {
        this.#sent = [];
        known.rest();
      }
      const line = known ?? new AlertLine(id, units, this.#mover);
      line.units = units;
      if (!known) {
        this.#lines.set(id, line);
        this.#list.append(line.parts.element);
      }
      setAttribute(line.parts.element, "data-resting", !isArmed);
      if (this.#asked.delete(units)) {
        this.#host.say(t("Alert set at {price}", { price: this.#host.price.text(units) }));
      }
    }
    for (const id of gone) {
      this.#lines.get(id)?.parts.element.remove();
      this.#lines.delete(id);
    }
    setAttribute(this.#list, "hidden", this.#lines.size === 0);
    this.#tell();
  }

  #tell() {
    const lines = [...this.#lines.values()];
    const text = (/** @type {number} */ units) => this.#host.price.text(units);
    for (const line of lines) line.say(this.#mover.canMove(line), text);
    this.#host.changed(lines.map(({ units, wanted }) => wanted ?? units), heldOf(lines));
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
    if (!this.#act.add) {
      if (this.why) this.#host.say(this.why);
      return this.why !== "";
    }
    this.#asked.clear();
    this.#asked.add(Number(units));
    this.#act.add(this.#digits(units));
    return true;
  }

  /** @param {bigint | number} units */
  #digits(units) {
    const { scale, decimals } = this.#host.price;
    return decimalText(units, scale, decimals);
  }

  // Puts lines and prices where the picture has them.
  /** @param {Picture} picture @param {Frame} frame */
  show({ alerts, memory }, frame) {
    const lines = [...this.#lines.values()];
    const places = placesOf(alerts, memory, frame);
    placeLevels(lines.map(({ parts }) => parts), places, frame);
    const height = frame.plotHeight / frame.ratio;
    const beyond = [(/** @type {number} */ y) => y < 0, (/** @type {number} */ y) => y > height];
    beyond.forEach((isBeyond, index) => {
      const count = places.filter(({ y }) => isBeyond(y)).length;
      const { element } = this.#edges[index];
      if (count === 0) return setAttribute(element, "hidden", true);
      this.#edges[index].show(count, index === 0 ? "above" : "below",
        { tagY: index === 0 ? EDGE : height - EDGE });
    });
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
 * @property {string} [waits] what it waits for at the price: "Stop"
 * @property {boolean} [isFixed] whether it can't be moved, as a price that follows the market
 * @property {boolean} [isDraft] whether it is not placed yet
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
 * @typedef {Record<"element" | "rule" | "leader" | "tag" | "price" | "words" | "size" | "grip",
 *   HTMLElement> & {cross: HTMLButtonElement}} LineParts
 */

/** The most lines drawn for orders that share tags. */
const MOST_RULES = 64;
/** The most orders that the core places. */
const MOST_ORDERS = 1024;
/** Half a tag, CSS pixels: a larger move puts another button under the pointer. */
const JUMP = 12;

class OrderLine extends MovableLine {
  /** Once it had its own tag. */
  parts = /** @type {LineParts | undefined} */ (undefined);
  row;

  /**
   * @param {OrderRow} row
   * @param {number} units
   * @param {import("./movable.js").Mover<OrderLine>} mover
   */
  constructor(row, units, mover) {
    super(units, mover);
    this.row = row;
  }
}

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
  /** @type {import("./movable.js").Mover<OrderLine>} */
  #mover = {
    canMove: ({ row }) => this.#act.amend !== undefined && !row.isFixed,
    ...steps(this.element, () => this.#host),
    changed: () => this.#tell(),
    send: ({ row }, units) => this.#act.amend?.(row.id, this.#digits(units)),
    press: ({ row }, grip) => this.#list.open([row], grip),
  };

  /**
   * `price` formats units; `priceAt(y)` is the price at a height in CSS pixels, on a tick;
   * `changed` sends the orders to the core, and where the line of a trigger is held.
   * @param {{price: PriceLabels, priceAt: (y: number) => bigint | null,
   *   changed: (orders: {price: number, side: Wire.Side, isSeparate: boolean}[],
   *     held: number | null) => unknown}} host
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
      if (known?.isSent && known.units !== units) known.rest();
      if (known) Object.assign(known, { row, units });
      else this.#lines.set(row.id, new OrderLine(row, units, this.#mover));
    }
    for (const id of gone) {
      this.#lines.get(id)?.parts?.element.remove();
      this.#lines.delete(id);
    }
    this.#list.follow(this.#rows, this.#act.cancel !== undefined);
    this.#tell();
  }

  #tell() {
    const lines = [...this.#lines.values()];
    for (const line of lines) this.#say(line);
    this.#host.changed(lines.map(({ row, units, wanted, isSent, parts }) => ({
      price: wanted ?? units, side: row.side,
      isSeparate: wanted !== null || isSent || parts?.grip === document.activeElement,
    })), heldOf(lines.filter(({ row }) => row.waits)));
  }

  // "Buy 150", and its price.
  /** @param {OrderRow} row @returns {[size: string, price: string]} */
  #wordsOf({ id, side, leaves, waits }) {
    const units = this.#lines.get(id)?.units;
    const size = leaves === "" ? sideWord(side) : `${sideWord(side)} ${number(leaves)}`;
    return [waits ? `${waits} · ${size}` : size,
      units === undefined ? "" : this.#host.price.text(units)];
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
    const element = h("div.level-line", { "data-draft": row.isDraft }, rule, leader, tag, price);
    const parts = { element, rule, leader, tag, price, words, size, grip, cross };
    line.parts = parts;
    line.listen(grip);
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
    const { isMoved } = line;
    const crossing = wanted !== null && isMoved
      ? this.#act.crossing?.(row.id, this.#digits(wanted)) ?? "" : "";
    setText(parts.size, crossing || size);
    setText(parts.words, crossing ? ""
      : ` · ${wanted !== null && isMoved ? `${text(units)} → ${text(wanted)}` : text(units)}`);
    setAttribute(parts.element, "data-crossing", crossing !== "");
    setText(parts.price, text(wanted ?? units));
    setAttribute(parts.element, "data-side", row.side);
    setAttribute(parts.element, "data-moved", isMoved);
    setAttribute(parts.element, "data-sent", line.isSent);
    const canAmend = this.#mover.canMove(line);
    slide(grip, line, canAmend, text, crossing);
    setAttribute(grip, "aria-label",
      `${named}, ${row.waits ?? t("limit")}${canAmend ? "" : ` ${text(units)}`}`);
    setAttribute(cross, "aria-label",
      t("Cancel {size} at {price}", { size: named, price: text(units) }));
    setAttribute(cross, "hidden", !this.#act.cancel);
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
      const rows = group.map(([{ row }]) => row);
      const tag = this.#shared[index] ??= this.#share();
      tag.open = (button) => this.#list.open(rows, button);
      tag.show(rows.length, sideOf(group.map(([, { y }]) => y), frame), group[0][1]);
    });
    for (const tag of this.#shared.slice(members.size)) setAttribute(tag.element, "hidden", true);
    this.#guardJumps(places);
  }

  #share() {
    const tag = new SharedTag(() => {});
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

// The tag of several orders or alerts: opens their list and has no cancel.
class SharedTag {
  #words = h("span.order-words");
  #button = h("button.order-more", { type: "button", "aria-haspopup": "dialog" });
  #tag = h("div.order-tag", {}, this.#button);
  element = h("div.order-group", {}, this.#tag);
  open;

  /** @param {(button: HTMLElement) => unknown} open @param {Node[]} lead before its words */
  constructor(open, ...lead) {
    this.open = open;
    this.#button.append(...lead, this.#words);
    this.#button.addEventListener("click", () => this.open(this.#button));
  }

  /** @param {number} size @param {"" | "above" | "below"} side @param {{tagY: number}} place */
  show(size, side, { tagY }) {
    const count = number(String(size));
    setAttribute(this.element, "hidden", false);
    setText(this.#words, side === "above" ? `${t("{count} above", { count })} ↑`
      : side === "below" ? `${t("{count} below", { count })} ↓`
        : `${plural(size, "{count} order", "{count} orders", { count })} ▾`);
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
