// Paints the layers over and under the candles: studies, volume by price, drawn lines, own fills.

import { SHAPES, STRIDE } from "../model/core.js";
import { fontOf } from "../model/style.js";

/** @typedef {import("./painter.js").Canvas2D} Canvas2D */
/** @typedef {import("./painter.js").Painted} Painted */
/** @typedef {import("./painter.js").Painter} Painter */

// The two axes of a chart with their labels, and the label of the live price.
/** @param {Painter} painter @param {number} [weight] */
const font = (painter, weight) => fontOf(painter.colours.font, painter.ratio, weight);

/** @param {Canvas2D} c @param {Painter} painter @param {RenderModel} model */
export function paintAxes(c, painter, model) {
  const { width, height, plotWidth, areaHeight, hair, colours } = painter;
  c.fillStyle = colours.ground;
  c.fillRect(plotWidth, 0, width - plotWidth, height);
  c.fillRect(0, areaHeight, plotWidth, height - areaHeight);
  c.fillStyle = colours.edge;
  c.fillRect(plotWidth, 0, hair, areaHeight);
  for (const { top } of model.panes) c.fillRect(0, Math.round(top), width, hair);
  c.fillRect(0, areaHeight, width, hair);
  paintTimes(c, painter, model);
  paintPrices(c, painter, model);
  paintLive(c, painter, model);
}

/** @param {Canvas2D} c @param {Painter} painter @param {RenderModel} model */
function paintTimes(c, painter, { times, zone }) {
  const { ratio, plotWidth, areaHeight, colours } = painter;
  const y = areaHeight + 17 * ratio;
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

/** @param {Canvas2D} c @param {Painter} painter @param {RenderModel} model */
function paintPrices(c, painter, { prices, live, below, guides }) {
  const { ratio, plotWidth, plotHeight, colours } = painter;
  c.font = font(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.textBaseline = "middle";
  for (const { y, text } of prices) {
    // The live price covers the labels next to it: drop those rather than show half of one.
    if (live && Math.abs(y - live.y) < (below ? 23 : 16) * ratio) continue;
    if (y > 8 * ratio && y < plotHeight - 8 * ratio) c.fillText(text, plotWidth + 9 * ratio, y);
  }
  // Values of one pane that are too near share a label: the first one's.
  let last = -Infinity;
  for (const { y, text } of guides) {
    if (Math.abs(y - last) < 12 * ratio) continue;
    c.fillText(text, plotWidth + 9 * ratio, y);
    last = y;
  }
}

// The live price beside its line, or at the edge beyond which it is.
/** @param {Canvas2D} c @param {Painter} painter @param {RenderModel} model */
function paintLive(c, painter, { live, dimmed, below }) {
  if (!live) return;
  const { colours, ratio, plotHeight, plotWidth, width, hair } = painter;
  const half = (below ? 17 : 10) * ratio;
  const y = Math.min(plotHeight - half, Math.max(half, live.y));
  c.beginPath();
  c.roundRect(plotWidth + hair, y - half, width - plotWidth - 3 * ratio, 2 * half, 4 * ratio);
  // A price that is not live is hollow and dashed: colour is not the only sign.
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

/** Colour and dash of each study, by its number in the core: colour is not the only sign. */
/** @typedef {readonly [colour: string, dash: readonly number[]]} Line */
/** @type {readonly (Line | null)[]} */
const LINES = [
  ["moving", []], ["exponential", [6, 3]], ["weighted", [2, 2]],
  ["bands", []], ["bands", [4, 3]], ["bands", []],
  ["exponential", []], ["line", []], ["moving", [6, 3]], null, ["weighted", []],
];
/** The first that is drawn in a pane, and the one that is drawn as bars. */
const [FIRST_IN_PANE, HISTOGRAM] = [6, 9];

// The lines over the candles and those in the panes, which nothing of the prices overlaps.
/** @param {Canvas2D} c @param {Painter} painter @param {Painted} picture */
export function paintStudies(c, painter, picture) {
  if (picture.studies.count === 0) return;
  const { plotHeight, areaHeight } = painter;
  paintLines(c, painter, picture, LINES.slice(0, FIRST_IN_PANE), 0, [0, plotHeight]);
  if (picture.panes.length === 0) return;
  paintHistogram(c, painter, picture);
  paintLines(c, painter, picture, LINES.slice(FIRST_IN_PANE), FIRST_IN_PANE,
    [plotHeight, areaHeight]);
}

/**
 * @param {Canvas2D} c
 * @param {Painter} painter
 * @param {Painted} picture
 * @param {readonly (Line | null)[]} lines
 * @param {number} first the number of the first
 * @param {[top: number, bottom: number]} rows
 */
function paintLines(c, { ratio, colours, plotWidth }, { studies, floats, bytes }, lines, first,
  [top, bottom]) {
  c.save();
  c.beginPath();
  c.rect(0, top, plotWidth, bottom - top);
  c.clip();
  c.lineWidth = 1.5 * ratio;
  c.lineJoin = "bevel";
  lines.forEach((line, number) => {
    if (!line) return;
    c.beginPath();
    for (let index = 0; index < studies.count; index += 1) {
      const at = studies.at + index * STRIDE.study;
      if (bytes[at + 8] !== first + number) continue;
      const [x, y] = [floats[at / 4], floats[at / 4 + 1]];
      if (bytes[at + 9] === 0) c.lineTo(x, y);
      else {
        // A value between two gaps is a dot.
        c.moveTo(x - ratio, y);
        c.lineTo(x, y);
      }
    }
    c.setLineDash(line[1].map((length) => length * ratio));
    c.strokeStyle = colours[line[0]];
    c.stroke();
  });
  c.restore();
}

// Bars from the zero line: those above it are rising, those below falling.
/** @param {Canvas2D} c @param {Painter} painter @param {Painted} picture */
function paintHistogram(c, { hair, ratio, colours, plotWidth },
  { studies, panes, floats, bytes, candles }) {
  const shown = panes.find(({ pane }) => pane === "convergence");
  if (!shown) return;
  const zero = Math.round(shown.zero);
  const wide = candles.count > 0 ? Math.round(floats[candles.at / 4 + 1]) : ratio;
  const half = Math.max(0, (wide - hair) >> 1);
  for (let index = 0; index < studies.count; index += 1) {
    const at = studies.at + index * STRIDE.study;
    if (bytes[at + 8] !== HISTOGRAM) continue;
    const [x, y] = [Math.round(floats[at / 4]), Math.round(floats[at / 4 + 1])];
    if (x > plotWidth) continue;
    c.fillStyle = y <= zero ? colours["up-volume"] : colours["down-volume"];
    c.fillRect(x - half, Math.min(y, zero), 2 * half + hair, Math.max(hair, Math.abs(y - zero)));
  }
}

// The panes' grounds, guides and titles: volumes and drawn lines end at their upper edge.
/** @param {Canvas2D} c @param {Painter} painter @param {Painted} picture */
export function paintPanes(c, painter, { panes, guides }) {
  const { hair, ratio, colours, plotWidth } = painter;
  for (const { y, hasLine } of guides) {
    if (!hasLine) continue;
    c.fillStyle = colours.edge;
    const dash = 3 * hair;
    for (let x = 0; x < plotWidth; x += 2 * dash) c.fillRect(x, Math.round(y), dash, hair);
  }
  c.font = font(painter);
  c.fillStyle = colours.muted;
  c.textAlign = "left";
  c.textBaseline = "top";
  for (const { top, title } of panes) c.fillText(title, 8 * ratio, top + 6 * ratio);
}

// Volume by price, from the right edge; the largest row is framed.
/** @param {Canvas2D} c @param {Painter} painter @param {Painted} picture */
export function paintProfile(c, { ratio, hair, colours, plotWidth }, { profile, floats, bytes }) {
  for (let index = 0; index < profile.count; index += 1) {
    const at = profile.at / 4 + index * (STRIDE.profile / 4);
    const [top, bottom] = [Math.round(floats[at]), Math.round(floats[at + 1])];
    const width = Math.max(hair, Math.round(floats[at + 2]));
    const height = Math.max(hair, bottom - top - hair);
    c.fillStyle = colours.profile;
    c.fillRect(plotWidth - width, top, width, height);
    if (bytes[at * 4 + 12] === 0) continue;
    c.lineWidth = ratio;
    c.strokeStyle = colours.muted;
    c.strokeRect(plotWidth - width, top, width, height);
  }
}

/** @param {Canvas2D} c @param {Painter} painter @param {Painted} picture */
export function paintDrawings(c, { ratio, colours, plotWidth, plotHeight },
  { drawings, floats, bytes }) {
  if (drawings.count === 0) return;
  const words = new Int32Array(floats.buffer);
  c.save();
  c.beginPath();
  c.rect(0, 0, plotWidth, plotHeight);
  c.clip();
  c.lineWidth = 1.5 * ratio;
  c.strokeStyle = c.fillStyle = colours.own;
  for (let index = 0; index < drawings.count; index += 1) {
    const at = drawings.at / 4 + index * (STRIDE.drawing / 4);
    const [x, y, endX, endY] = floats.subarray(at, at + 4);
    const shape = SHAPES[bytes[4 * at + 20]];
    const isLevel = words[at + 4] >= 0;
    if (shape === "text") continue;
    // The line that a retracement spans is fainter than its levels.
    c.setLineDash(shape === "retracement" && !isLevel ? [3 * ratio, 3 * ratio] : []);
    c.beginPath();
    if (shape === "rectangle" || shape === "measure") {
      c.rect(x, y, endX - x, endY - y);
      c.globalAlpha = 0.12;
      c.fill();
      c.globalAlpha = 1;
    } else if (shape === "level") {
      c.moveTo(0, y);
      c.lineTo(plotWidth, y);
    } else {
      // A ray goes on to an edge of the plot.
      const [width, height] = [endX - x, endY - y];
      const far = shape !== "ray" ? 1
        : Math.max(1, Math.min(edgeShare(x, width, plotWidth), edgeShare(y, height, plotHeight)));
      c.moveTo(x, y);
      c.lineTo(x + far * width, y + far * height);
    }
    c.stroke();
  }
  c.restore();
}

// How often a step fits between a place and the edge ahead.
/** @param {number} from @param {number} step @param {number} length */
const edgeShare = (from, step, length) =>
  (step === 0 ? Infinity : ((step > 0 ? length : 0) - from) / step);

// A flag with the number of fills: below the candle for buys, above for sells.
/** @param {Canvas2D} c @param {Painter} painter @param {Painted} picture */
export function paintFills(c, { ratio, colours }, { fills, floats, bytes }) {
  if (fills.count === 0) return;
  const counts = new Int32Array(floats.buffer);
  const [tip, side] = [5 * ratio, 15 * ratio];
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.font = fontOf(colours.font, ratio, 600);
  for (let index = 0; index < fills.count; index += 1) {
    const at = fills.at / 4 + index * (STRIDE.fill / 4);
    const way = bytes[at * 4 + 12] === 0 ? 1 : -1;
    const [x, y] = [Math.round(floats[at]), Math.round(floats[at + 1]) + way * 3 * ratio];
    const text = counts[at + 2] > 99 ? "99+" : String(counts[at + 2]);
    const width = Math.max(side, (text.length * 7 + 5) * ratio);
    const far = y + way * (tip + side);
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x + tip, y + way * tip);
    c.lineTo(x - tip, y + way * tip);
    c.closePath();
    c.roundRect(x - width / 2, Math.min(far, y + way * tip), width, side, 3 * ratio);
    c.lineWidth = 2 * ratio;
    c.strokeStyle = colours.ground;
    c.stroke();
    c.fillStyle = colours.own;
    c.fill();
    c.fillStyle = colours["on-price"];
    c.fillText(text, x, y + way * (tip + side / 2) + 0.5 * ratio);
  }
}
