// The person's alerts over the chart: a dashed line at each price that one waits for, with a bell
// beside the price at the axis. Where they stand is the core's.

import { t } from "../../text/texts.js";
import { h, setAttribute, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { decimalText, unitsOf } from "../model/labels.js";
import { placeLevels } from "./level-lines.js";

/** @typedef {import("../../alerts/levels.js").AlertLevel} AlertLevel */
/** @typedef {import("../model/core.js").Picture} Picture */
/** @typedef {import("../model/labels.js").PriceLabels} PriceLabels */
/**
 * @typedef {object} Line
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
  /** @type {Map<string, Line>} */
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

  /**
   * Asks for an alert at a price; false where none can be made.
   * @param {bigint | number} units
   */
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

  /**
   * Puts lines and prices where the picture has them.
   * @param {Picture} picture
   * @param {import("../model/render-model.js").Frame} frame
   */
  show({ alerts, memory: { floats } }, frame) {
    placeLevels([...this.#lines.values()].map(({ parts }) => parts), alerts, floats, frame);
  }
}
