// Amounts of money in cells.

import { compare } from "../base/decimal.js";
import { exactMoney, money } from "../text/format.js";
import { setAttribute, setText } from "../ui/dom.js";

/** @typedef {Pick<Topic.Positions, "currency" | "decimals">} AmountForm */

// Money with the decimals of prices; the exact amount is in the title.
/** @param {HTMLElement} cell @param {string | undefined} text @param {AmountForm} form */
export function write(cell, text, { currency, decimals }) {
  setText(cell, money(text, currency, decimals));
  const exact = exactMoney(text, currency, decimals);
  setAttribute(cell, "title", exact === cell.textContent ? null : exact);
}

/**
 * The same for a profit or loss: signed, and coloured while current.
 * @param {HTMLElement} cell
 * @param {string | undefined} text
 * @param {AmountForm} form
 * @param {boolean} isOld
 */
export function writeChange(cell, text, form, isOld) {
  write(cell, text, form);
  const sign = text === undefined ? 0 : compare(text, "0");
  if (sign > 0) setText(cell, `+${cell.textContent}`);
  setAttribute(cell, "data-direction",
    isOld || sign === 0 ? null : sign > 0 ? "up" : "down");
}
