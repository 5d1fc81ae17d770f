// An order in words and figures, the same in ticket, receipts, open orders and history.

import { compare } from "../decimal.js";
import { exactMoney, localMoment, number } from "../format.js";

const OPEN = new Set(["PENDING", "PARTIALLY FILLED"]);

/** Whether an order still waits for offers. */
export const isOpen = (order) => OPEN.has(order.status);

/** What became of an order that waited. */
export const endWord = (order) => ({ CANCELLED: "Cancelled", FILLED: "Filled" })[order?.status] ?? "Ended";

export const sideWord = (side) => (side === "sell" ? "Sell" : "Buy");

const formats = new Map();

/** How the exchange's prices are written; `state` is the topic "exchange". The same for the same currency. */
export function moneyOf(state) {
  const { currency, decimals = 2 } = state ?? {};
  const key = `${currency} ${decimals}`;
  if (!formats.has(key)) formats.set(key, (text) => exactMoney(text, currency, decimals));
  return formats.get(key);
}

/**
 * A sentence of the server as the reader writes it: `{$45.10}` is a price, `{60}` a quantity and
 * `{at}` the moment of which it tells, `at`.
 */
export function said(text, format, at, now = at) {
  return String(text ?? "")
    .replace(/\{(\$?)([+-]?\d+(?:\.\d+)?)\}/g, (_, isPrice, digits) => (isPrice ? format(digits) : number(digits)))
    .replace("{at}", at === undefined ? "then" : `at ${localMoment(at, now)}`);
}

/** "Buy 100 at market", "Sell 40 at $45.10 or better". */
export function orderTitle(order, format) {
  const limit = order.limit ?? order.price;
  const at = order.type === "limit" ? `at ${format(limit)} or better` : "at market";
  return `${sideWord(order.side)} ${number(order.quantity)} ${at}`;
}

/** "60 of 100", or the whole when there is nothing to tell apart. */
export function filledText(order) {
  return `${number(order.filled ?? "0")} of ${number(order.quantity)}`;
}

/** Whether an order got something, all of it or a part. */
export const hasFills = (order) => compare(order.filled, "0") > 0;

/** "38 filled · rest cancelled" of an order that was given up after a part; "" for any other. */
export const partText = (order) =>
  order.status === "CANCELLED" && hasFills(order) ? `${number(order.filled)} filled · rest cancelled` : "";

/** One sentence for screen readers. */
export function orderSentence(id, order, format, when) {
  const filled = hasFills(order)
    ? `, ${number(order.filled)} filled at ${format(order.average)} on average` : "";
  return `Order ${id}: ${orderTitle(order, format)}, ${order.status.toLowerCase()}${filled}, placed ${when}`;
}

/** The word and class of a status. */
export function statusKind(status) {
  return { PENDING: "pending", "PARTIALLY FILLED": "partial", FILLED: "filled", CANCELLED: "cancelled", REJECTED: "rejected" }[status] ?? "pending";
}
