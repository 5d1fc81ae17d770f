// What a screen reader says of a chart before anything in it is pointed at.

import { intervalName } from "./bar.js";

const SIDES = { "": "", "↑ ": ", above the view", "↓ ": ", below the view" };

/** One sentence on the picture: what it shows, its latest price, live or `dimmed`, how it is walked. */
export function summary({ live, count }, { name, style, interval, price, side, dimmed }) {
  const what = name ? ` of ${name}` : "";
  const latest = live && count > 0 ? `. ${dimmed ? "Last known" : "Latest"} ${price.text(live.units)}${SIDES[side]}` : ", nothing yet";
  const kind = style === "line" ? "Line" : "Candle";
  return `${kind} chart${what}, ${intervalName(interval)} each${latest}. Arrow keys walk the candles.`;
}
