// Last price, best bid and best ask with their quantities. A click on one takes it: its price goes
// into the ticket, and the side that meets it. Own orders that rest at that very price are marked.

import { sum } from "../base/decimal.js";
import { moneyOf } from "../orders/words.js";
import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Price } from "../ui/price.js";

/** @typedef {import("../orders/own-orders.js").OwnRows} OwnRows */
/** @typedef {((price: string, side: Wire.Side) => unknown) | null} Take */
/**
 * @typedef {object} View
 * @property {Format} format
 * @property {Seen} freshness
 * @property {Map<string | undefined, Topic.Order[]>} own by price
 * @property {boolean} isKnown
 */

export class ExchangeQuote {
  #price = new Price("p.price.big");
  /** @type {OwnRows | null} */
  #orders = null;
  /** @type {Map<string | undefined, Topic.Order[]>} */
  #own = new Map();
  #buy;
  #sell;

  /**
   * `take(price, side)` gets a price that is clicked and the side that meets it; without it they
   * are plain text.
   * @param {Take} take
   */
  constructor(take = null) {
    this.#buy = new Offer("buy", t("Best bid"), take);
    this.#sell = new Offer("sell", t("Best ask"), take);
    this.price = this.#price.element;
    this.offers = h("div.offers", {}, this.#buy.element, this.#sell.element);
  }

  /**
   * `orders` are the own ones that wait, by number, and `isKnown` says whether the server stands
   * behind them.
   * @param {Topic.Exchange} state
   * @param {number} generation
   * @param {Seen} freshness
   * @param {OwnRows} orders
   * @param {boolean} isKnown
   */
  update(state, generation, freshness, orders, isKnown) {
    const format = moneyOf(state);
    this.#price.update({
      text: format(state.price), direction: state.direction, changes: state.changes,
      generation, ...freshness,
    });
    const view = { format, freshness, own: this.#byPrice(orders), isKnown };
    this.#buy.update(state.bid, state.bidSize, view);
    this.#sell.update(state.ask, state.askSize, view);
  }

  dispose() {
    this.#price.dispose();
  }

  /**
   * The orders that wait by their limit; made anew only when they changed.
   * @param {OwnRows} orders
   */
  #byPrice(orders) {
    if (orders === this.#orders) return this.#own;
    this.#orders = orders;
    const limited = Object.values(orders).filter((order) => order.type === "limit");
    this.#own = Map.groupBy(limited, (order) => plain(order.limit));
    return this.#own;
  }
}

/**
 * Digits without zeros at the end, so that the same price has the same text.
 * @param {string | undefined} text
 */
const plain = (text) => (text?.includes(".") ? text.replace(/\.?0+$/, "") : text);

class Offer {
  #price = h("span.offer-price");
  #size = h("span.offer-size");
  #own = h("span.offer-own", { hidden: true });
  /** @type {string | undefined} */
  #digits = undefined;
  /** What a click does, in a word. */
  #meets;

  /**
   * @param {Wire.Side} side
   * @param {string} label
   * @param {Take} take
   */
  constructor(side, label, take) {
    this.label = label;
    this.#meets = side === "buy" ? t("Sell at this price") : t("Buy at this price");
    this.element = h(`${take ? "button" : "div"}.offer.offer-${side}`,
      { type: take ? "button" : null }, h("span.offer-label", {}, label), this.#price, this.#size,
      this.#own);
    const meets = side === "buy" ? "sell" : "buy";
    if (take) {
      this.element.addEventListener("click", () => this.#digits && take(this.#digits, meets));
    }
  }

  /**
   * @param {string | undefined} price
   * @param {string | undefined} size
   * @param {View} view
   */
  update(price, size, { format, freshness, own, isKnown }) {
    this.#digits = price;
    setText(this.#price, format(price));
    setText(this.#size, t("Quantity {quantity}", { quantity: number(size) }));
    setAttribute(this.element, "data-dimmed", freshness.dimmed);
    const here = own.get(plain(price)) ?? [];
    setAttribute(this.#own, "hidden", here.length === 0);
    const quantity = number(sum(here.map((order) => order.open)));
    const text = here.length === 0 ? "" : here[0].side === "buy"
      ? t("You buy {quantity} here", { quantity }) : t("You sell {quantity} here", { quantity });
    setText(this.#own, text);
    setAttribute(this.#own, "data-dimmed", !isKnown);
    if (this.element.localName !== "button") return;
    setAttribute(this.element, "disabled", price === undefined);
    setAttribute(this.element, "title", t("{act}, as a limit", { act: this.#meets }));
    const known = text ? `${text}${isKnown ? "" : `, ${t("as last heard")}`}. ` : "";
    const offer = t("{offer} {price}, quantity {quantity}.",
      { offer: this.label, price: format(price), quantity: number(size) });
    setAttribute(this.element, "aria-label", `${offer} ${known}${this.#meets}`);
  }
}
