// The person's own fills as words: how often was bought and sold in a stretch of time, and how
// much.

import { sum } from "../../base/decimal.js";
import { t } from "../../text/texts.js";

const SIDES = [["buy", t("buy"), t("buys")], ["sell", t("sell"), t("sells")]];

/**
 * "3 buys of 24 · 1 sell" for the fills from `start` to before `end`; quantities where all are
 * known.
 * @param {import("./core.js").Fill[]} fills
 * @param {number} start
 * @param {number} end
 */
export function fillsText(fills, start, end) {
  const within = fills.filter(({ time }) => time >= start && time < end);
  return SIDES.map(([side, one, many]) => {
    const own = within.filter((fill) => fill.side === side);
    if (own.length === 0) return "";
    const total = own.every(({ quantity }) => quantity)
      ? ` ${t("of {quantity}", { quantity: sum(own.map(({ quantity }) => quantity)) })}` : "";
    return `${own.length} ${own.length === 1 ? one : many}${total}`;
  }).filter(Boolean).join(" · ");
}
