// What a screen reader says of a chart before anything in it is pointed at.

import { t } from "../../text/texts.js";
import { intervalName } from "./intervals.js";

/** @type {{[side: string]: string}} */
const SIDES = { "": "", "↑ ": `, ${t("above the view")}`, "↓ ": `, ${t("below the view")}` };

/**
 * One sentence on the picture: what it shows, its latest price, live or `dimmed`, how it is walked.
 * @param {Pick<import("./core.js").Picture, "live" | "count">} picture
 * @param {{name?: string, style: import("./intervals.js").Style, interval: number,
 *   price: import("./labels.js").PriceLabels, side: string, dimmed: boolean, alerts: string}} of
 */
export function summary({ live, count }, of) {
  const { name, style, interval, price, side, dimmed, alerts } = of;
  const kind = style === "line" ? t("Line chart") : t("Candle chart");
  const what = name ? ` ${t("of {name}", { name })}` : "";
  const each = t("{interval} each", { interval: intervalName(interval) });
  const last = live && count > 0 ? { price: price.text(live.units) + SIDES[side] } : null;
  const latest = !last ? `, ${t("nothing yet")}`
    : `. ${dimmed ? t("Last known {price}", last) : t("Latest {price}", last)}`;
  return `${kind}${what}, ${each}${latest}.${alerts && ` ${alerts}.`} `
    + t("Arrow keys walk the candles.");
}
