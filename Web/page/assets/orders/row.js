// One order of the history: a line that expands to its receipt.

import { compare } from "../base/decimal.js";
import { bothClocks, localMoment, localTime, NOTHING, number } from "../text/format.js";
import { sentence, t } from "../text/texts.js";
import { h, icon, setAttribute, setText } from "../ui/dom.js";
import { viewNote } from "../ui/view-only.js";
import {
  amountText, endWord, feeText, filledText, formatOf, isOpen, isWaiting, marketName, orderSentence,
  partText, said, sideWord, statusKind, statusOf, triggerNote, triggerWord, typeText,
} from "./words.js";

// The most fills that the server lists of an order.
const MAXIMUM_FILLS = 32;

/** @typedef {Topic.Order} Order */
// How an order is displayed: `day` is the date of `now`, `isKnown` is whether the server confirms
// it.
/** @typedef {{format: Format, now: number, day: string, isKnown: boolean}} View */

export class OrderRow {
  #market = h("b.order-market");
  #side = h("span.order-side");
  #type = h("span.order-type");
  #quantity = h("span.order-quantity");
  #averagePrice = h("span");
  #averageWord = h("small", {}, t("avg"));
  #average = h("span.order-average", {}, this.#averageWord, this.#averagePrice);
  #limitPrice = h("span");
  #limitWord = h("small", {}, t("limit"));
  #limit = h("span.order-limit", {}, this.#limitWord, this.#limitPrice);
  #status = h("span.status");
  #part = h("span.order-part");
  #moment = h("bdi");
  #time = h("span.order-time", {}, this.#moment);
  #line;
  #details = h("div.order-details", { hidden: true });
  #cancel = h("button.button.small", { type: "button", "data-changes": true }, t("Cancel"));
  /** @type {Order | null} */
  #order = null;
  /** @type {View | null} */
  #view = null;
  /** @type {unknown[]} */
  #shown = [];
  #drawn = "";
  #wasPressed = false;

  /** @param {string} id @param {Trading} trading */
  constructor(id, trading) {
    this.id = id;
    this.trading = trading;
    this.#line = h("button.order-line",
      { type: "button", "aria-expanded": "false", "data-row": id },
      h("span.order-main", {},
        h("span.order-what", {}, this.#market, this.#side, this.#type), this.#quantity),
      h("span.order-sub", {}, this.#part, this.#average, this.#limit),
      h("span.order-state", {}, this.#status), this.#time, icon("back"));
    this.#line.addEventListener("click", () => this.#toggle());
    this.#cancel.addEventListener("click", () => {
      if (!this.#order || !isOpen(this.#order)) return;
      this.#wasPressed = true;
      trading.cancel(id);
    });
    this.element = h("li.order", { "data-order": id }, this.#line, this.#details);
  }

  /** @param {Order} order @param {View} given */
  update(order, given) {
    const view = { ...given, format: formatOf(order, given.format) };
    this.#order = order;
    this.#view = view;
    // Only the details depend on the market.
    const drawn = [order.changedAt, order.filled, order.status, view.format, view.day];
    if (drawn.some((value, at) => value !== this.#shown[at])) {
      this.#shown = drawn;
      this.#renderLine(order, view);
    }
    this.#renderDetails();
  }

  /** @param {Order} order @param {View} view */
  #renderLine(order, { format, now }) {
    setAttribute(this.element, "data-side", order.side);
    const status = statusOf(order);
    setAttribute(this.element, "data-status", statusKind(status));
    setText(this.#market, marketName(order.symbol));
    setText(this.#side, sideWord(order.side));
    setText(this.#type, typeText(order));
    setText(this.#quantity, quantityText(order));
    setText(this.#averagePrice, order.average ? format(order.average) : NOTHING);
    setAttribute(this.#averageWord, "hidden", !order.average);
    setAttribute(this.#average, "data-empty", !order.average);
    const trigger = order.trigger && isWaiting(order) ? format(order.trigger.price) : "";
    setText(this.#limitPrice, trigger || (order.limit ? format(order.limit) : t("at market")));
    setAttribute(this.#limitWord, "hidden", Boolean(trigger) || !order.limit);
    setText(this.#status, sentence(status));
    setAttribute(this.#status, "data-status", statusKind(status));
    setText(this.#part, partText(order));
    setAttribute(this.#part, "hidden", partText(order) === "");
    const when = localMoment(order.placedAt, now);
    setText(this.#moment, when);
    setAttribute(this.#moment, "title", bothClocks(order.placedAt));
    setAttribute(this.#line, "aria-label", orderSentence(this.id, order, format, when));
  }

  #toggle() {
    const isOpened = this.#details.hidden;
    setAttribute(this.#details, "hidden", !isOpened);
    setAttribute(this.#line, "aria-expanded", String(isOpened));
    this.#renderDetails();
  }

  #renderDetails() {
    const [order, view] = [this.#order, this.#view];
    if (this.#details.hidden || !order || !view) return;
    const { isKnown } = view;
    const isCancelling = this.trading.isCancelling(this.id);
    const waiting = isCancelling ? t("Cancelling…") : t("Cancel this order");
    setText(this.#cancel, isOpen(order) ? waiting : endWord(order));
    setAttribute(this.#cancel, "disabled", isCancelling || !isKnown || !isOpen(order));
    const key = JSON.stringify(order);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#details.replaceChildren(...this.#parts(order, view));
  }

  /** @param {Order} order @param {View} view */
  #parts(order, { format, now }) {
    /** @type {([name: string, value: Node | string] | null)[]} */
    const facts = [
      [t("Filled"), filledText(order)],
      compare(order.open, "0") > 0 ? [t("Open"), number(order.open)] : null,
      compare(order.cancelled, "0") > 0 ? [t("Cancelled"), number(order.cancelled)] : null,
      order.average ? [t("Average"), format(order.average)] : null,
      order.limit ? [t("Limit"), format(order.limit)] : null,
      order.trigger ? [triggerWord(order.trigger), format(order.trigger.price)] : null,
      trailText(order.trigger, format) ? [t("Trails by"), trailText(order.trigger, format)] : null,
      order.link ? [t("Linked to order"), order.link.order] : null,
      triggerNote(order, format, now) ? [t("Trigger"), triggerNote(order, format, now)] : null,
      order.protection
        ? [order.side === "buy" ? t("Max price") : t("Min price"), format(order.protection)] : null,
      order.postOnly ? [t("Post-only"), t("rests, never takes")] : null,
      order.reduceOnly ? [t("Reduce-only"), t("closes a position only")] : null,
      order.expires ? [t("Expires"), moment(order.expires)] : null,
      order.amendments ? [t("Amended"), `${number(String(order.amendments))}×`] : null,
      order.fees ? [t("Fees"), amountText(order, order.fees)] : null,
      order.latency ? [t("Latency"), t("{time} ms", { time: number(order.latency) })] : null,
      order.submitted ? [t("Price when sent"), format(order.submitted)] : null,
      order.arrived ? [t("Price at arrival"), format(order.arrived)] : null,
      order.slippage ? [t("Slippage"), slippageText(order.slippage, format)] : null,
      order.wouldHaveFilled ? offerFact(order, order.wouldHaveFilled, format, now) : null,
      [t("Placed"), moment(order.placedAt)],
      order.changedAt !== order.placedAt ? [t("Last change"), moment(order.changedAt)] : null,
      [t("Number"), this.id],
    ];
    const parts = [
      order.reason ? h("p.order-reason", {}, said(order.reason, format, order.changedAt, now))
        : null,
      h("dl.order-facts", {}, ...facts.map((fact) =>
        fact && h("div", {}, h("dt", {}, fact[0]), h("dd", {}, fact[1])))),
      ...this.#fills(order, format),
      // Once pressed, the button keeps its place, so that nothing moves under the pointer.
      isOpen(order) || this.#wasPressed ? this.#cancel : null,
      isOpen(order) ? viewNote() : null,
    ];
    return parts.flatMap((part) => part ?? []);
  }

  /** @param {Order} order @param {Format} format */
  #fills(order, format) {
    if (order.fills.length === 0) return [];
    const isPart = order.fills.length >= MAXIMUM_FILLS;
    return [
      isPart ? tableOf(t("Fills by price"), order.levels.map(([price, quantity]) =>
        [number(quantity), t("at {price}", { price: format(price) })])) : null,
      tableOf(isPart ? t("Latest fills") : t("Fills"), order.fills.map(
        (fill) => [number(fill[2]), t("at {price}", { price: format(fill[1]) }),
          feeText(order, fill), said(fill[5], format)])),
    ];
  }

}

/** @param {string} caption @param {string[][]} rows */
const tableOf = (caption, rows) => h("table.order-levels", {}, h("caption", {}, caption),
  h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))))));

// A date keeps its own text direction.
/** @param {number} time */
const moment = (time) => h("bdi", {}, localTime(time));

/**
 * The quote that would fill an open order; for an ended one, the quote at that time.
 * @param {Order} order
 * @param {Topic.Amount} offer
 * @param {Format} format
 * @param {number} now
 * @returns {[name: string, value: string]}
 */
function offerFact(order, [price, quantity], format, now) {
  const offer = t("{quantity} at {price}",
    { quantity: number(quantity), price: format(price) });
  if (isOpen(order)) return [t("Would fill now"), offer];
  return [t("Would have filled"), `${offer} (${t("at {time}",
    { time: localMoment(order.changedAt, now) })})`];
}

/** @param {Order} order */
function quantityText(order) {
  const isBegun = order.status !== "PENDING" && order.status !== "REJECTED";
  const isPart = isBegun && compare(order.filled, order.quantity) !== 0;
  return isPart ? filledText(order) : number(order.quantity);
}

/** @param {Order["trigger"]} trigger @param {Format} format */
const trailText = (trigger, format) => (trigger?.trail ? format(trigger.trail)
  : trigger?.trailPercent ? t("{share}%", { share: number(trigger.trailPercent) }) : "");

/** @param {string} slippage @param {Format} format */
function slippageText(slippage, format) {
  const sign = compare(slippage, "0");
  if (sign === 0) return t("none");
  const amount = format(slippage.replace("-", ""));
  return sign > 0 ? t("{amount} worse than arrival price", { amount })
    : t("{amount} better than arrival price", { amount });
}
