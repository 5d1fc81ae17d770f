// @ts-check
// What an order would take now, in figures: the server's answer, never the page's own guess.

import { compare, product } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { said } from "./order-words.js";

/** @typedef {Wire.Previewed} Reply */
/** @typedef {Extract<Reply, {ok: true}>} Figures */

export class TicketPreview {
  #taken = fact("Takes now");
  #total = fact("Together");
  #remainder = h("p.preview-left");
  #facts = h("dl.preview-facts", {}, this.#taken.element, this.#total.element);

  /** @param {string} label */
  constructor(label) {
    this.element = h("div.preview", { role: "group", "aria-label": label }, this.#facts,
      this.#remainder);
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
    const fill = figures?.fill ?? null;
    setAttribute(this.element, "data-empty", !reply);
    setAttribute(this.#facts, "hidden", !fill);
    setText(this.#remainder, reply ? remainderText(reply, order, format, offered) : hint);
    setAttribute(this.#remainder, "hidden", this.#remainder.textContent === "");
    setAttribute(this.element, "hidden", !fill && this.#remainder.textContent === "");
    const isCancelled = figures && compare(figures.leavesQuantity, "0") > 0
      && !figures.remainderRests;
    const kind = reply?.ok === false ? "refused" : isCancelled ? "cancelled" : null;
    setAttribute(this.#remainder, "data-kind", kind);
    if (!fill) return;
    const [price, quantity] = fill;
    this.#taken.set(`${number(quantity)} × ${format(price)}`);
    this.#total.set(format(product(price, quantity)));
  }
}

/**
 * @param {Reply} reply
 * @param {{price?: string}} order
 * @param {Format} format
 * @param {string | undefined} offered
 */
function remainderText(reply, order, format, offered) {
  if (!reply.ok) return reply.field ? "" : said(reply.message, format);
  if (!(compare(reply.leavesQuantity, "0") > 0)) return "";
  const left = reply.fill ? number(reply.leavesQuantity) : `All ${number(reply.leavesQuantity)}`;
  if (reply.remainderRests) return `${left} would wait at ${format(order.price)} or better.`;
  return `${left} would be cancelled: ${whyNoMore(reply, offered)}.`;
}

/**
 * Not all that is offered can be had: earlier orders may have taken of this tick.
 * @param {Figures} figures
 * @param {string | undefined} offered
 */
function whyNoMore({ fill }, offered) {
  const had = fill?.[1] ?? "0";
  if (!(compare(offered, "0") > 0)) return "nothing is offered";
  if (compare(had, offered) >= 0) return `only ${number(offered)} offered`;
  const left = fill ? `left only ${number(had)}` : "took all";
  return `earlier orders ${left} of the ${number(offered)} offered now`;
}

/** @param {string} label */
function fact(label) {
  const text = h("dd");
  return { element: h("div", {}, h("dt", {}, label), text),
    set: (/** @type {string} */ value) => setText(text, value) };
}
