// An order in words and figures, the same in ticket, receipts, open orders and history.

import { compare } from "../decimal.js";
import { exactMoney, number } from "../format.js";

const OPEN = new Set(["PENDING", "PARTIALLY FILLED"]);

/** Whether an order still waits for offers. */
export const isOpen = (order) => OPEN.has(order.status);

export const sideWord = (side) => (side === "sell" ? "Sell" : "Buy");

/** How the exchange's prices are written; `state` is the topic "exchange". */
export const moneyOf = (state) => (text) => exactMoney(text, state?.currency, state?.decimals ?? 2);

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

/** One sentence for screen readers. */
export function orderSentence(id, order, format, when) {
  const filled = compare(order.filled, "0") > 0
    ? `, ${number(order.filled)} filled at ${format(order.average)} on average` : "";
  return `Order ${id}: ${orderTitle(order, format)}, ${order.status.toLowerCase()}${filled}, placed ${when}`;
}

/** The word and class of a status. */
export function statusKind(status) {
  return { PENDING: "pending", "PARTIALLY FILLED": "partial", FILLED: "filled", CANCELLED: "cancelled", REJECTED: "rejected" }[status] ?? "pending";
}
