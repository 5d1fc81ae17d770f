// Orders in words and figures, the same in ticket, receipts, open orders and history.

import { compare } from "../base/decimal.js";
import { exactMoney, localMoment, number } from "../text/format.js";
import { sentence, t } from "../text/texts.js";
import { ORDER_STATUSES, SIDES, VENUES } from "../text/vocabulary.js";

/** @typedef {Topic.Order} Order */

// Whether an order can still be filled or cancelled.
/** @param {Order} order */
export const isOpen = (order) => ORDER_STATUSES[order.status]?.isOpen === true;

// The displayed status: a cancelled order with fills is a partial fill.
/** @param {Pick<Order, "status" | "filled">} order */
export const statusOf = (order) =>
  (order.status === "CANCELLED" && hasFills(order) ? "PARTIALLY FILLED" : order.status);

// The result of an order that was open.
/** @param {Order | undefined} order */
export const endWord = (order) => {
  const status = order && statusOf(order);
  return status === "CANCELLED" ? t("Cancelled") : status === "FILLED" ? t("Filled")
    : status === "PARTIALLY FILLED" ? t("Partially filled") : t("Ended");
};

/** @param {Wire.Side} side */
export const sideWord = (side) => t(SIDES[side], {}, "side");

// A market's name on screen: "BTC/USD · Kraken" for "kraken:BTC/USD", "TROAD" for the stock.
/** @param {string} key as in orders */
export function marketName(key) {
  const at = key.indexOf(":");
  const venue = VENUES[/** @type {keyof typeof VENUES} */ (key.slice(0, Math.max(0, at)))];
  return venue ? `${key.slice(at + 1)} · ${venue.name}` : key;
}

/** @type {Map<string, Format>} */
const formats = new Map();

// The exchange's price format; `state` is the topic "exchange". Cached by currency.
/** @param {{currency?: string, decimals?: number} | undefined} state @returns {Format} */
export function moneyOf(state) {
  const { currency, decimals = 2 } = state ?? {};
  const key = `${currency} ${decimals}`;
  const format = formats.get(key) ?? ((text) => exactMoney(text, currency, decimals));
  formats.set(key, format);
  return format;
}

// An order's price format: in its market's currency, or the exchange's.
/** @param {Order | undefined} order @param {Format} format @returns {Format} */
export const formatOf = (order, format) =>
  order?.currency === undefined ? format : moneyOf({ currency: order.currency, decimals: 0 });

// The orders of one market.
/** @param {OwnRows} orders @param {string | undefined} symbol @returns {OwnRows} */
export const ordersIn = (orders, symbol) =>
  Object.fromEntries(Object.entries(orders).filter(([, order]) => order.symbol === symbol));

/**
 * A sentence in the user's language and format: `{$45.10}` is a price, `{60}` a quantity,
 * `{kraken:BTC/USD}` a market and `{at}` the time `at`.
 * @param {Sentence | undefined} text
 * @param {Format} format
 * @param {number} [at]
 * @param {number} [now]
 */
export function said(text, format, at, now = at) {
  return sentence(text)
    .replace(/\{(\$?)([+-]?\d+(?:\.\d+)?)\}/g,
      (_, isPrice, digits) => (isPrice ? format(digits) : number(digits)))
    .replace(/\{([a-z-]+:[^{}\s]+)\}/g, (_, key) => marketName(key))
    .replace("{at}", at === undefined ? t("then") : t("at {time}", { time: localMoment(at, now) }));
}

// Whether an order still waits for its trigger.
/** @param {Pick<Order, "trigger" | "status">} order */
export const isWaiting = (order) =>
  order.trigger !== undefined && order.trigger.at === undefined
  && ORDER_STATUSES[order.status]?.isOpen === true;

/** @param {Pick<NonNullable<Order["trigger"]>, "kind" | "trail" | "trailPercent">} trigger */
export const triggerWord = ({ kind, trail, trailPercent }) =>
  (trail || trailPercent ? t("Trailing stop") : kind === "stop" ? t("Stop", {}, "order")
    : t("Take profit"));

// "Stop 99.10 → market".
/** @param {Order} order @param {Format} format */
const triggerText = ({ trigger, limit }, format) => {
  if (!trigger) return "";
  const then = limit ? format(limit) : t("market");
  return `${triggerWord(trigger)} ${format(trigger.price)} → ${then}`;
};

// "Triggered at 98.20, 0.90 beyond its trigger"; "" while it waits and nothing is in doubt.
/** @param {Order} order @param {Format} format @param {number} now */
export function triggerNote({ trigger }, format, now) {
  if (!trigger) return "";
  const { at, met, beyond, late, missedFrom, missedTo } = trigger;
  if (at !== undefined) {
    const note = beyond
      ? t("Triggered at {price}, {gap} beyond its trigger",
        { price: format(met), gap: format(beyond) })
      : t("Triggered at {price}", { price: format(met) });
    return late ? `${note} · ${t("late: trades were missed")}` : note;
  }
  return missedFrom === undefined || missedTo === undefined ? ""
    : t("Trigger unknown between {from} and {to}",
      { from: localMoment(missedFrom, now), to: localMoment(missedTo, now) });
}

// "Buy 100 TROAD at market", "Sell 40 TROAD at $45.10 or better".
/** @param {Order} order @param {Format} format */
export function orderTitle(order, format) {
  const at = order.trigger ? triggerText(order, format)
    : order.type === "limit" ? t("at {price} or better", { price: format(order.limit) })
    : t("at market");
  return `${sideWord(order.side)} ${number(order.quantity)} ${marketName(order.symbol)} ${at}`;
}

// "Market", "Limit", "Limit IOC".
/** @param {Pick<Order, "type" | "timeInForce" | "trigger" | "postOnly" | "expires">} order */
export const typeText = ({ type, timeInForce = "gtc", trigger, postOnly, expires }) =>
  trigger ? `${triggerWord(trigger)} → ${type === "limit" ? t("limit") : t("market")}`
  : type === "market" ? t("Market", {}, "order") : postOnly ? `${t("Limit")} ${t("Post")}`
    : expires ? `${t("Limit")} GTD` : timeInForce === "gtc" ? t("Limit")
    : `${t("Limit")} ${timeInForce.toUpperCase()}`;

// " · 17 ↔ 16" for one of two linked orders.
/** @param {string} id @param {Order} order */
export const linkText = (id, { link }) => (link ? ` · ${id} ↔ ${link.order}` : "");

// "60 of 100", or only the total if both are the same.
/** @param {Order} order */
export function filledText(order) {
  return t("{part} of {whole}", { part: filledRange(order), whole: number(order.quantity) });
}

// The confirmed and the maximum possible fill: "0.4–0.75".
/** @param {Order} order */
export const filledRange = ({ filled, possible }) =>
  possible === undefined ? number(filled) : `${number(filled)}–${number(possible)}`;

// An amount of money in an order's currency, with its cents; prices have the market's decimals.
/** @param {Order | undefined} order @param {string} amount */
export const amountText = (order, amount) => moneyOf(order)(amount);

// What a fill costs and as what: "$0.48 fee as maker"; "" if unknown.
/** @param {Order | undefined} order @param {Topic.Fill} fill */
export function feeText(order, [, , , fee, isMaker]) {
  if (fee === "") return "";
  return isMaker ? t("{fee} fee as maker", { fee: amountText(order, fee) })
    : t("{fee} fee as taker", { fee: amountText(order, fee) });
}

// Whether an order has any fills.
/** @param {Pick<Order, "filled">} order */
export const hasFills = (order) => compare(order.filled, "0") > 0;

// "38 filled · 62 cancelled" for an order cancelled after a partial fill; "" for any other.
/** @param {Order} order */
export const partText = (order) =>
  order.status === "CANCELLED" && hasFills(order)
    ? t("{filled} filled · {cancelled} cancelled",
      { filled: number(order.filled), cancelled: number(order.cancelled) }) : "";

// One sentence for screen readers.
/** @param {string} id @param {Order} order @param {Format} format @param {string} when */
export function orderSentence(id, order, format, when) {
  const filled = hasFills(order)
    ? `, ${t("{filled} filled at {price} on average",
      { filled: number(order.filled), price: format(order.average) })}` : "";
  const title = orderTitle(order, format);
  const status = sentence(statusOf(order)).toLowerCase();
  return `${t("Order {id}", { id })}: ${title}, ${status}${filled}, `
    + t("placed {when}", { when });
}

/** @type {{[status in Order["status"]]: string}} */
const KINDS = {
  PENDING: "pending", "PARTIALLY FILLED": "partial", FILLED: "filled", CANCELLED: "cancelled",
  REJECTED: "rejected",
};

// The label and class of a status.
/** @param {Order["status"]} status */
export function statusKind(status) {
  return KINDS[status] ?? "pending";
}

// Resting orders for the chart.
/** @param {OwnRows} orders */
export const linesOf = (orders) => Object.entries(orders).flatMap(([id, order]) => {
  const { symbol, side, limit, open, trigger } = order;
  const [price, waits] = trigger && isWaiting(order)
    ? [trigger.price, triggerWord(trigger)] : [limit, undefined];
  const isFixed = Boolean(waits && (trigger?.trail || trigger?.trailPercent));
  return price === undefined ? [] : [{ id, symbol, side, price, leaves: open, waits, isFixed }];
});

// Own fills for the chart.
/** @param {OwnRows} orders */
export const fillsOf = (orders) => Object.values(orders).flatMap(({ side, fills }) =>
  fills.map(([time, price, quantity]) => ({ time, price, quantity, side })));
