// What a level means for somebody who would trade down to it, in words.

import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { withUnit } from "../text/words.js";

/**
 * How much there is to this level, at what average price, for what.
 * @param {Topic.BookRow} row
 * @param {"bids" | "asks"} kind
 * @param {Topic.KnownBook} book
 */
export function reachOf(row, kind, { base, quote, unit, priceDecimals }) {
  const [, , , , , total, cost, average] = row;
  const counted = withUnit(total, number(total), unit === "base" ? base : "contracts");
  const bound = kind === "asks" ? t("at most") : t("at least");
  const price = average === null ? ""
    : `, ${t("average {bound} {price}", { bound, price: number(average, priceDecimals) })}`;
  const currency = unit === "base" ? quote : base;
  const verb = unit !== "base" ? t("worth") : kind === "asks" ? t("costs") : t("brings");
  // Two digits of money are enough, unless there is less of it than that shows.
  const digits = unit === "base" && cost !== null && Number(cost) >= 1 ? 2 : undefined;
  return [
    t("To here {quantity}", { quantity: counted }) + price,
    cost === null ? "" : `${verb} ${bound} ${number(cost, digits)} ${currency}`,
  ];
}
