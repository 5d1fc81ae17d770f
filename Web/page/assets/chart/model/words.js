// A chart's screen-reader text.

import { sum } from "../../base/decimal.js";
import { number } from "../../text/format.js";
import { plural, t } from "../../text/texts.js";
import { intervalName } from "./intervals.js";

/** @typedef {import("./core.js").Candle} Candle */
/** @typedef {import("./render-model.js").Labels} Labels */

// A candle's notes beside its prices: coverage, source, and the venue's values where they differ.
const SOURCES = { venue: t("venue"), trades: t("built from trades"), seen: t("live") };

/**
 * "since 09:05", or "62 % seen" if more than the beginning is missing; empty for a whole candle.
 * The rest of an unfinished candle counts as unseen.
 * @param {Candle} candle
 * @param {number} interval
 * @param {Labels} labels
 * @param {number} [now] ms; without it every candle counts as closed
 */
export function coverageWords({ missing, seenSince, start }, interval, labels, now = Infinity) {
  if (missing === 0) return "";
  if (seenSince !== null) {
    return t("since {time}", { time: labels.time.since(seenSince, start, interval) });
  }
  const passed = Math.min(interval, Math.max(0, now - start));
  const share = Math.floor((100 * Math.max(0, passed - missing)) / interval);
  return share < 1 ? t("under 1% seen") : t("{share}% seen", { share });
}

// A candle's source: "venue", "✓ proven from trades", "built from trades", "live".
/** @param {Candle} candle */
export const sourceWords = ({ source, proof }) =>
  ({ none: SOURCES[source], proven: `✓ ${t("proven from trades")}`,
    contradicted: `≠ ${t("venue")}` })[proof];

// Whether the close is comparable with the open: not without trades, and not in a partial candle,
// whose first price is no open.
/** @param {Candle} candle */
export const hasChange = ({ missing, count }) => missing === 0 && count > 0;

// The venue's values of a candle that differs from ours: "venue: O … H … L … C … V …".
/** @param {Wire.VenueRow | undefined} row @param {Labels} labels @param {PriceLabels} quantity */
export function venueWords(row, labels, quantity) {
  if (!row || row.length < 7 || !row.every((figure) => Number.isSafeInteger(figure))) return "";
  const [, open, high, low, close, volume, count] = row;
  const price = (/** @type {number} */ units) => labels.price.text(units);
  return `${t("venue")}: O ${price(open)} H ${price(high)} L ${price(low)} C ${price(close)} `
    + `V ${quantity.text(volume)}, ${plural(count, "{count} trade", "{count} trades")}`;
}

// Own fills as text: the number of buys and sells in a time range, and their quantity.
const SIDES = [["buy", t("buy"), t("buys")], ["sell", t("sell"), t("sells")]];

// "3 buys of 24 · 1 sell" for fills in [start, end); quantities only if all are available.
/** @param {import("./core.js").Fill[]} fills @param {number} start @param {number} end */
export function fillsText(fills, start, end) {
  const within = fills.filter(({ time }) => time >= start && time < end);
  return SIDES.map(([side, one, many]) => {
    const own = within.filter((fill) => fill.side === side);
    if (own.length === 0) return "";
    const quantity = sum(own.map((fill) => fill.quantity));
    const total = own.every((fill) => fill.quantity)
      ? ` ${t("of {quantity}", { quantity: number(quantity) })}` : "";
    return `${own.length} ${own.length === 1 ? one : many}${total}`;
  }).filter(Boolean).join(" · ");
}

/** @type {{[side: string]: string}} */
const BESIDE = { "": "", "↑ ": `, ${t("above the view")}`, "↓ ": `, ${t("below the view")}` };

/**
 * A one-sentence summary: content, latest price, live or `dimmed`, and how to walk the candles.
 * @param {Pick<Picture, "live" | "count">} picture
 * @param {{name?: string, style: Style, interval: number,
 *   price: PriceLabels, side: string, dimmed: boolean, alerts: string}} of
 */
export function summary({ live, count }, of) {
  const { name, style, interval, price, side, dimmed, alerts } = of;
  const kind = style === "line" ? t("Line chart") : t("Candle chart");
  const what = name ? ` ${t("of {name}", { name })}` : "";
  const each = t("{interval} each", { interval: intervalName(interval) });
  const last = live && count > 0 ? { price: price.text(live.units) + BESIDE[side] } : null;
  const latest = !last ? `, ${t("nothing yet")}`
    : `. ${dimmed ? t("Last known {price}", last) : t("Latest {price}", last)}`;
  return `${kind}${what}, ${each}${latest}.${alerts && ` ${alerts}.`} `
    + t("Arrow keys walk the candles.");
}
