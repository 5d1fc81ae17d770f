// @ts-check
// What a screen reader says of a chart before anything in it is pointed at.

import { intervalName } from "./bar.js";

/** @type {{[side: string]: string}} */
const SIDES = { "": "", "↑ ": ", above the view", "↓ ": ", below the view" };

/**
 * One sentence on the picture: what it shows, its latest price, live or `dimmed`, how it is walked.
 * @param {import("./core.js").Picture} picture
 * @param {{name?: string, style: import("./bar.js").Style, interval: number,
 *   price: import("./labels.js").PriceLabels, side: string, dimmed: boolean, alerts: string}} of
 */
export function summary({ live, count }, of) {
  const { name, style, interval, price, side, dimmed, alerts } = of;
  const what = name ? ` of ${name}` : "";
  const latest = live && count > 0
    ? `. ${dimmed ? "Last known" : "Latest"} ${price.text(live.units)}${SIDES[side]}`
    : ", nothing yet";
  const kind = style === "line" ? "Line" : "Candle";
  const each = intervalName(interval);
  return `${kind} chart${what}, ${each} each${latest}.${alerts && ` ${alerts}.`} `
    + "Arrow keys walk the candles.";
}
