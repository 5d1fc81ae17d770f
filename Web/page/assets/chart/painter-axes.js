// The two axes of a chart with their labels, and the label of the live price.

import { STRIDE } from "./core.js";

const FONT_PIXELS = 11;
const widths = new Map();

/** The width of a text, as if all digits were the same: labels then do not jump. */
function widthOf(c, text) {
  const key = `${c.font} ${text.replace(/\d/g, "0")}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 500) widths.clear();
    width = c.measureText(text.replace(/\d/g, "0")).width;
    widths.set(key, width);
  }
  return width;
}

const fontOf = (painter, weight = 400) =>
  `${weight} ${FONT_PIXELS * painter.ratio}px ${painter.colours.font}`;

/** Paints both axes. Returns the width that the price labels need, in pixels of the style sheet. */
export function paintAxes(c, painter, picture, labels, dimmed) {
  const { width, height, plotWidth, plotHeight, hair, colours } = painter;
  c.fillStyle = colours.ground;
  c.fillRect(plotWidth, 0, width - plotWidth, height);
  c.fillRect(0, plotHeight, plotWidth, height - plotHeight);
  c.fillStyle = colours.edge;
  c.fillRect(plotWidth, 0, hair, plotHeight);
  c.fillRect(0, plotHeight, width, hair);
  paintTimes(c, painter, picture, labels.time);
  const widest = paintPrices(c, painter, picture, labels.price);
  return Math.max(widest, paintLive(c, painter, picture, labels.price, dimmed));
}

function paintTimes(c, painter, { times, timeStep, memory: { floats, integers } }, labels) {
  const { ratio, plotWidth, plotHeight, colours } = painter;
  const y = plotHeight + 17 * ratio;
  const room = 26 * ratio;
  c.textAlign = "center";
  c.textBaseline = "alphabetic";
  for (let index = 0; index < times.count; index += 1) {
    const x = floats[(times.at + index * STRIDE.time) / 4];
    if (x < room || x > plotWidth - room) continue;
    const time = Number(integers[(times.at + index * STRIDE.time) / 8 + 1]);
    const { text, isBold } = labels.grid(time, timeStep);
    c.font = fontOf(painter, isBold ? 600 : 400);
    c.fillStyle = isBold ? colours.ink : colours.muted;
    c.fillText(text, x, y);
  }
  c.font = fontOf(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.fillText(labels.zone, plotWidth + 9 * ratio, y);
}

function paintPrices(c, painter, { prices, live, memory: { floats, integers } }, labels) {
  const { ratio, plotWidth, plotHeight, colours } = painter;
  let widest = 0;
  c.font = fontOf(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.textBaseline = "middle";
  for (let index = 0; index < prices.count; index += 1) {
    const y = floats[(prices.at + index * STRIDE.price) / 4];
    const text = labels.text(integers[(prices.at + index * STRIDE.price) / 8 + 1]);
    widest = Math.max(widest, widthOf(c, text));
    // The live price stands over the labels next to it: better none than half of one.
    if (live && Math.abs(y - live.y) < 16 * ratio) continue;
    if (y > 8 * ratio && y < plotHeight - 8 * ratio) c.fillText(text, plotWidth + 9 * ratio, y);
  }
  return widest / ratio + 20;
}

/** The live price beside its line, or at the edge towards which it is out of view. */
function paintLive(c, painter, { live }, labels, dimmed) {
  if (!live) return 0;
  const { colours, ratio, plotHeight } = painter;
  const text = labels.text(live.units);
  const colour = dimmed ? colours.muted : live.isUp ? colours.up : colours.down;
  const y = Math.min(plotHeight - 10 * ratio, Math.max(10 * ratio, live.y));
  paintPill(c, painter, { text, y, colour, ink: colours["on-price"] });
  return widthOf(c, text) / ratio + 21;
}

/** A label on the price axis. */
function paintPill(c, painter, { text, y, colour, ink }) {
  const { ratio, plotWidth, width } = painter;
  const half = 10 * ratio;
  c.fillStyle = colour;
  c.beginPath();
  c.roundRect(plotWidth + painter.hair, y - half, width - plotWidth - 3 * ratio, 2 * half, 4 * ratio);
  c.fill();
  c.font = fontOf(painter, 600);
  c.fillStyle = ink;
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillText(text, plotWidth + 9 * ratio, y + 0.5 * ratio);
}
