// @ts-check
// What an order would take now, in figures: the server's answer, never the page's own guess.

import { compare, product, sum } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { said } from "./order-words.js";

/** @typedef {Wire.Previewed} Reply */
/** @typedef {Extract<Reply, {ok: true}>} Figures */

export class TicketPreview {
  #taken = fact("Takes now");
  #average = fact("Average");
  #worst = fact("Worst price");
  #total = fact("Together");
  #left = h("p.preview-left");
  #facts = h("dl.preview-facts", {},
    ...[this.#taken, this.#average, this.#worst, this.#total].map((each) => each.element));

  /** @param {string} label */
  constructor(label) {
    this.element = h("div.preview", { role: "group", "aria-label": label }, this.#facts,
      this.#left);
  }

  /**
   * `reply` is the server's answer, null while there is none; `hint` stands in its place.
   * `offered` is the quantity of the best offer.
   * @param {Reply | null} reply
   * @param {{price?: string}} order
   * @param {Format} format
   * @param {string} hint
   * @param {string | undefined} offered
   */
  update(reply, order, format, hint, offered) {
    const figures = reply?.ok ? reply : null;
    const levels = figures?.levels ?? [];
    setAttribute(this.element, "data-empty", !reply);
    setAttribute(this.#facts, "hidden", levels.length === 0);
    setText(this.#left, reply ? leftText(reply, order, format, offered) : hint);
    setAttribute(this.#left, "hidden", this.#left.textContent === "");
    setAttribute(this.element, "hidden", levels.length === 0 && this.#left.textContent === "");
    const isCancelled = figures && compare(figures.left, "0") > 0 && !figures.leftWaits;
    const kind = reply?.ok === false ? "refused" : isCancelled ? "cancelled" : null;
    setAttribute(this.#left, "data-kind", kind);
    if (!figures || levels.length === 0) return;
    this.#taken.set(
      levels.map(([price, quantity]) => `${number(quantity)} × ${format(price)}`).join(", "));
    this.#average.set(format(figures.average));
    this.#worst.set(format(figures.worst));
    this.#total.set(format(sum(levels.map(([price, quantity]) => product(price, quantity)))));
  }
}

/**
 * @param {Reply} reply
 * @param {{price?: string}} order
 * @param {Format} format
 * @param {string | undefined} offered
 */
function leftText(reply, order, format, offered) {
  if (!reply.ok) return reply.field ? "" : said(reply.message, format);
  if (!(compare(reply.left, "0") > 0)) return "";
  const isAll = reply.levels.length === 0;
  const left = isAll ? `All ${number(reply.left)}` : number(reply.left);
  if (reply.leftWaits) return `${left} would wait at ${format(order.price)} or better.`;
  return `${left} would be cancelled: ${whyNoMore(reply, offered)}.`;
}

/**
 * Not all that is offered can be had: earlier orders may have taken of this tick.
 * @param {Figures} figures
 * @param {string | undefined} offered
 */
function whyNoMore({ levels }, offered) {
  const had = levels[0]?.[1] ?? "0";
  if (!(compare(offered, "0") > 0)) return "nothing is offered";
  if (compare(had, offered) >= 0) return `only ${number(offered)} offered`;
  const left = levels.length > 0 ? `left only ${number(had)}` : "took all";
  return `earlier orders ${left} of the ${number(offered)} offered now`;
}

/** @param {string} label */
function fact(label) {
  const text = h("dd");
  return { element: h("div", {}, h("dt", {}, label), text),
    set: (/** @type {string} */ value) => setText(text, value) };
}
