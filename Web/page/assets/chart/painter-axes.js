// @ts-check
// The two axes of a chart with their labels, and the label of the live price.

import { fontOf } from "./render-model.js";

/** @typedef {import("./painter.js").Canvas2D} Canvas2D */
/** @typedef {import("./painter.js").Painter} Painter */
/** @typedef {import("./render-model.js").RenderModel} RenderModel */

/**
 * @param {Painter} painter
 * @param {number} [weight]
 */
const font = (painter, weight) => fontOf(painter.colours.font, painter.ratio, weight);

/**
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {RenderModel} model
 */
export function paintAxes(c, painter, model) {
  const { width, height, plotWidth, plotHeight, hair, colours } = painter;
  c.fillStyle = colours.ground;
  c.fillRect(plotWidth, 0, width - plotWidth, height);
  c.fillRect(0, plotHeight, plotWidth, height - plotHeight);
  c.fillStyle = colours.edge;
  c.fillRect(plotWidth, 0, hair, plotHeight);
  c.fillRect(0, plotHeight, width, hair);
  paintTimes(c, painter, model);
  paintPrices(c, painter, model);
  paintLive(c, painter, model);
}

/**
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {RenderModel} model
 */
function paintTimes(c, painter, { times, zone }) {
  const { ratio, plotWidth, plotHeight, colours } = painter;
  const y = plotHeight + 17 * ratio;
  const room = 26 * ratio;
  c.textAlign = "center";
  c.textBaseline = "alphabetic";
  for (const { x, text, isBold } of times) {
    if (x < room || x > plotWidth - room) continue;
    c.font = font(painter, isBold ? 600 : 400);
    c.fillStyle = isBold ? colours.ink : colours.muted;
    c.fillText(text, x, y);
  }
  c.font = font(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.fillText(zone, plotWidth + 9 * ratio, y);
}

/**
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {RenderModel} model
 */
function paintPrices(c, painter, { prices, live }) {
  const { ratio, plotWidth, plotHeight, colours } = painter;
  c.font = font(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.textBaseline = "middle";
  for (const { y, text } of prices) {
    // The live price stands over the labels next to it: better none than half of one.
    if (live && Math.abs(y - live.y) < 16 * ratio) continue;
    if (y > 8 * ratio && y < plotHeight - 8 * ratio) c.fillText(text, plotWidth + 9 * ratio, y);
  }
}

/**
 * The live price beside its line, or at the edge towards which it is out of view.
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {RenderModel} model
 */
function paintLive(c, painter, { live, dimmed }) {
  if (!live) return;
  const { colours, ratio, plotHeight } = painter;
  const colour = dimmed ? colours.muted : live.isUp ? colours.up : colours.down;
  const y = Math.min(plotHeight - 10 * ratio, Math.max(10 * ratio, live.y));
  paintPill(c, painter, { text: live.text, y, colour, ink: colours["on-price"] });
}

/**
 * A label on the price axis.
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {{text: string, y: number, colour: string, ink: string}} pill
 */
function paintPill(c, painter, { text, y, colour, ink }) {
  const { ratio, plotWidth, width } = painter;
  const half = 10 * ratio;
  c.fillStyle = colour;
  c.beginPath();
  c.roundRect(plotWidth + painter.hair, y - half, width - plotWidth - 3 * ratio, 2 * half,
    4 * ratio);
  c.fill();
  c.font = font(painter, 600);
  c.fillStyle = ink;
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillText(text, plotWidth + 9 * ratio, y + 0.5 * ratio);
}
