// The two axes of a chart with their labels, and the label of the live price.

import { fontOf } from "../model/fonts.js";

/** @typedef {import("./painter.js").Canvas2D} Canvas2D */
/** @typedef {import("./painter.js").Painter} Painter */
/** @typedef {import("../model/render-model.js").RenderModel} RenderModel */

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
function paintPrices(c, painter, { prices, live, below }) {
  const { ratio, plotWidth, plotHeight, colours } = painter;
  c.font = font(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.textBaseline = "middle";
  for (const { y, text } of prices) {
    // The live price stands over the labels next to it: better none than half of one.
    if (live && Math.abs(y - live.y) < (below ? 23 : 16) * ratio) continue;
    if (y > 8 * ratio && y < plotHeight - 8 * ratio) c.fillText(text, plotWidth + 9 * ratio, y);
  }
}

/**
 * The live price beside its line, or at the edge towards which it is out of view.
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {RenderModel} model
 */
function paintLive(c, painter, { live, dimmed, below }) {
  if (!live) return;
  const { colours, ratio, plotHeight, plotWidth, width, hair } = painter;
  const half = (below ? 17 : 10) * ratio;
  const y = Math.min(plotHeight - half, Math.max(half, live.y));
  c.beginPath();
  c.roundRect(plotWidth + hair, y - half, width - plotWidth - 3 * ratio, 2 * half, 4 * ratio);
  // What is not live is hollow and dashed: colour is not its only sign.
  c.fillStyle = dimmed ? colours.ground : live.isUp ? colours.up : colours.down;
  c.fill();
  if (dimmed) {
    c.setLineDash([3 * ratio, 2 * ratio]);
    c.lineWidth = hair;
    c.strokeStyle = colours.muted;
    c.stroke();
    c.setLineDash([]);
  }
  c.fillStyle = dimmed ? colours.muted : colours["on-price"];
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.font = font(painter, 600);
  c.fillText(live.text, plotWidth + 9 * ratio, y + (below ? -6.5 : 0.5) * ratio);
  c.font = font(painter);
  if (below) c.fillText(below, plotWidth + 9 * ratio, y + 7.5 * ratio);
}
