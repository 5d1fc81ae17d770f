// Paints a picture of the core on a canvas, in whole device pixels, so that lines are sharp at
// every ratio.

import { SIGNS, STRIDE } from "../model/core.js";
import {
  paintAxes, paintDrawings, paintFills, paintPanes, paintProfile, paintStudies,
} from "./painter-marks.js";

/** @typedef {import("../model/core.js").Marks} Marks */
/** @typedef {import("../model/render-model.js").Lengths} Lengths */
/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Canvas2D */
/** @typedef {RenderModel & {floats: Float32Array, bytes: Uint8Array}} Painted */

const HATCH = 7;
/** A whole candle with trades has only the first of these bits set, or none of them. */
const WHOLE = SIGNS.rising | SIGNS.partial | SIGNS.withoutTrades;

export class Painter {
  /** @type {Colours} */
  colours = {};
  ratio = 1;
  width = 0;
  height = 0;
  plotWidth = 1;
  plotHeight = 1;
  areaHeight = 1;
  #canvas;
  #context;
  #hatch = /** @type {CanvasPattern | null} */ (null);

  // On a canvas of the page or of a worker.
  /** @param {HTMLCanvasElement | OffscreenCanvas} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = contextOf(canvas, { alpha: false });
  }

  /** @param {Colours} colours */
  restyle(colours) {
    this.colours = colours;
    this.#hatch = null;
  }

  // Paints the background only, which allocates the canvas: that takes longer than a picture.
  /** @param {Lengths} frame */
  clear(frame) {
    this.#resize(frame);
    this.#context.fillStyle = this.colours.ground;
    this.#context.fillRect(0, 0, this.width, this.height);
  }

  // A render model from `renderModelOf`.
  /** @param {RenderModel} model */
  paint(model) {
    this.clear(model.frame);
    const picture = {
      ...model, floats: new Float32Array(model.marks), bytes: new Uint8Array(model.marks),
    };
    const { style, dimmed } = model;
    const c = this.#context;
    this.#paintGrid(c, picture);
    this.#paintOverPrices(c, picture, () => {
      if (style === "line") this.#paintLine(c, picture, dimmed);
      paintProfile(c, this, picture);
      this.#paintVolumes(c, picture);
    });
    this.#paintGaps(c, picture);
    this.#paintOverPrices(c, picture, () => {
      if (style !== "line") this.#paintCandles(c, picture);
      this.#paintLiveLine(c, picture, dimmed);
    });
    paintPanes(c, this, picture);
    paintStudies(c, this, picture);
    paintDrawings(c, this, picture);
    this.#paintOverPrices(c, picture, () => paintFills(c, this, picture));
    paintAxes(c, this, picture);
  }

  // Keeps prices beyond the user's range out of the panes; without panes the axis covers them.
  /** @param {Canvas2D} c @param {Painted} picture @param {() => void} paint */
  #paintOverPrices(c, { panes }, paint) {
    if (panes.length === 0) return paint();
    c.save();
    c.beginPath();
    c.rect(0, 0, this.plotWidth, this.plotHeight);
    c.clip();
    paint();
    c.restore();
  }

  /** @param {Lengths} frame */
  #resize(frame) {
    if (this.#canvas.width !== frame.width) this.#canvas.width = frame.width;
    if (this.#canvas.height !== frame.height) this.#canvas.height = frame.height;
    if (this.ratio !== frame.ratio) this.#hatch = null;
    Object.assign(this, frame);
  }

  /** The thickness of a line of one CSS pixel. */
  get hair() {
    return Math.max(1, Math.floor(this.ratio));
  }

  /** @param {Canvas2D} c @param {Painted} picture */
  #paintGrid(c, { prices, times }) {
    const { hair, plotWidth, areaHeight } = this;
    c.fillStyle = this.colours.grid;
    for (const { y } of prices) c.fillRect(0, Math.round(y), plotWidth, hair);
    for (const { x } of times) c.fillRect(Math.round(x), 0, hair, areaHeight);
  }

  /** @param {Canvas2D} c @param {Painted} picture */
  #paintGaps(c, { gaps, floats }) {
    if (gaps.count === 0) return;
    const { hair, areaHeight } = this;
    this.#hatch ??= hatchOf(c, this.colours.gap, this.ratio);
    for (let index = 0, at = gaps.at / 4; index < gaps.count; index += 1, at += STRIDE.gap / 4) {
      const left = Math.round(floats[at]);
      const width = Math.max(hair, Math.round(floats[at + 1]) - left);
      c.fillStyle = this.#hatch ?? this.colours.gap;
      c.fillRect(left, 0, width, areaHeight);
      c.fillStyle = this.colours["gap-edge"];
      c.fillRect(left, 0, hair, areaHeight);
      c.fillRect(left + width - hair, 0, hair, areaHeight);
    }
  }

  /** @param {Canvas2D} c @param {Painted} picture */
  #paintVolumes(c, { candles, floats, bytes }) {
    if (candles.count === 0) return;
    const floor = this.plotHeight;
    const width = this.#bodyWidth(floats[candles.at / 4 + 1]);
    const half = (width - 1) >> 1;
    for (let up = 0; up <= 1; up += 1) {
      c.fillStyle = up ? this.colours["up-volume"] : this.colours["down-volume"];
      for (let at = candles.at / 4; at < endOf(candles); at += STRIDE.candle / 4) {
        if ((bytes[at * 4 + 28] & SIGNS.rising) !== up) continue;
        const height = Math.ceil(floats[at + 6]);
        if (height > 0) c.fillRect(Math.round(floats[at]) - half, floor - height, width, height);
      }
    }
  }

  // Rising candles are hollow, falling ones filled: colour is not the only sign.
  /** @param {Canvas2D} c @param {Painted} picture */
  #paintCandles(c, { candles, floats, bytes }) {
    if (candles.count === 0) return;
    const { hair } = this;
    const width = this.#bodyWidth(floats[candles.at / 4 + 1]);
    const half = (width - 1) >> 1;
    const wickHalf = (hair - 1) >> 1;
    const hollow = width >= 3 * hair + 1;
    for (let up = 0; up <= 1; up += 1) {
      c.fillStyle = up ? this.colours.up : this.colours.down;
      for (let at = candles.at / 4; at < endOf(candles); at += STRIDE.candle / 4) {
        if ((bytes[at * 4 + 28] & WHOLE) !== up) continue;
        const x = Math.round(floats[at]);
        const wickTop = Math.round(floats[at + 4]);
        const wickHeight = Math.round(floats[at + 5]) - wickTop;
        if (wickHeight > 0) c.fillRect(x - wickHalf, wickTop, hair, wickHeight);
        const top = Math.round(floats[at + 2]);
        c.fillRect(x - half, top, width, Math.max(hair, Math.round(floats[at + 3]) - top));
      }
    }
    if (hollow) this.#hollow(c, candles, floats, bytes, width, half);
    this.#paintPartial(c, candles, floats, bytes, width, half);
    this.#paintMarks(c, candles, floats, bytes, half);
  }

  /**
   * A short dash where there was no trade, and a diamond above candles that the venue contradicts.
   * @param {Canvas2D} c
   * @param {Marks} candles
   * @param {Float32Array} floats
   * @param {Uint8Array} bytes
   * @param {number} half
   */
  #paintMarks(c, candles, floats, bytes, half) {
    const { hair, ratio } = this;
    const reach = Math.max(hair, Math.min(half, 3 * hair));
    for (let at = candles.at / 4; at < endOf(candles); at += STRIDE.candle / 4) {
      const signs = bytes[at * 4 + 28];
      if ((signs & (SIGNS.withoutTrades | SIGNS.contradicted)) === 0) continue;
      const x = Math.round(floats[at]);
      if (signs & SIGNS.withoutTrades) {
        c.fillStyle = this.colours.muted;
        c.fillRect(x - reach, Math.round(floats[at + 2]), 2 * reach + hair, hair);
      }
      if (signs & SIGNS.contradicted) {
        const [y, size] = [Math.round(floats[at + 4]) - 8 * ratio, 4 * ratio];
        c.fillStyle = this.colours.warning;
        c.beginPath();
        c.moveTo(x, y - size);
        c.lineTo(x + size, y);
        c.lineTo(x, y + size);
        c.lineTo(x - size, y);
        c.fill();
      }
    }
  }

  /**
   * Candles with partial coverage: hollow and dashed, rising or falling.
   * @param {Canvas2D} c
   * @param {Marks} candles
   * @param {Float32Array} floats
   * @param {Uint8Array} bytes
   * @param {number} width
   * @param {number} half
   */
  #paintPartial(c, candles, floats, bytes, width, half) {
    const { hair } = this;
    c.save();
    c.lineWidth = hair;
    c.setLineDash([3 * hair, 2 * hair]);
    for (let at = candles.at / 4; at < endOf(candles); at += STRIDE.candle / 4) {
      const signs = bytes[at * 4 + 28];
      if ((signs & SIGNS.partial) === 0 || (signs & SIGNS.withoutTrades) !== 0) continue;
      c.strokeStyle = signs & SIGNS.rising ? this.colours.up : this.colours.down;
      const [middle, edge] = [
        Math.round(floats[at]) + hair / 2, Math.round(floats[at]) - half + hair / 2,
      ];
      const [top, bottom] = [Math.round(floats[at + 2]), Math.round(floats[at + 3])];
      c.beginPath();
      c.moveTo(middle, Math.round(floats[at + 4]));
      c.lineTo(middle, top);
      c.moveTo(middle, bottom);
      c.lineTo(middle, Math.round(floats[at + 5]));
      c.stroke();
      c.strokeRect(edge, top + hair / 2, Math.max(hair, width - hair),
        Math.max(hair, bottom - top));
    }
    c.restore();
  }

  /**
   * @param {Canvas2D} c
   * @param {Marks} candles
   * @param {Float32Array} floats
   * @param {Uint8Array} bytes
   * @param {number} width
   * @param {number} half
   */
  #hollow(c, candles, floats, bytes, width, half) {
    const { hair } = this;
    c.fillStyle = this.colours["up-body"];
    for (let at = candles.at / 4; at < endOf(candles); at += STRIDE.candle / 4) {
      if ((bytes[at * 4 + 28] & WHOLE) !== SIGNS.rising) continue;
      const top = Math.round(floats[at + 2]) + hair;
      const height = Math.round(floats[at + 3]) - hair - top;
      if (height > 0) {
        c.fillRect(Math.round(floats[at]) - half + hair, top, width - 2 * hair, height);
      }
    }
  }

  // At most as wide as keeps the wick centred.
  /** @param {number} wanted */
  #bodyWidth(wanted) {
    const width = Math.max(this.hair, Math.round(wanted));
    return (width - this.hair) % 2 === 0 ? width : width - 1;
  }

  /** @param {Canvas2D} c @param {Painted} picture @param {boolean} dimmed */
  #paintLine(c, { line, floats, bytes }, dimmed) {
    if (line.count === 0) return;
    const floor = this.plotHeight;
    c.lineWidth = 1.75 * this.ratio;
    c.lineJoin = "bevel";
    c.strokeStyle = dimmed ? this.colours.muted : this.colours.line;
    c.fillStyle = this.colours.area;
    const step = STRIDE.line / 4;
    let from = 0;
    while (from < line.count) {
      let to = from + 1;
      while (to < line.count && bytes[line.at + to * STRIDE.line + 8] === 0) to += 1;
      const first = line.at / 4 + from * step;
      const last = line.at / 4 + (to - 1) * step;
      c.beginPath();
      for (let at = first; at <= last; at += step) c.lineTo(floats[at], floats[at + 1]);
      if (to - from === 1) c.lineTo(floats[first] + this.ratio, floats[first + 1]);
      c.stroke();
      c.lineTo(floats[last], floor);
      c.lineTo(floats[first], floor);
      c.fill();
      from = to;
    }
  }

  /** @param {Canvas2D} c @param {Painted} picture @param {boolean} dimmed */
  #paintLiveLine(c, { live }, dimmed) {
    if (!live) return;
    const y = Math.round(live.y);
    if (y < 0 || y > this.plotHeight) return;
    c.fillStyle = dimmed ? this.colours.muted : live.isUp ? this.colours.up : this.colours.down;
    const [dash, hair] = [3 * this.hair, this.hair];
    for (let x = 0; x < this.plotWidth; x += 2 * dash) c.fillRect(x, y, dash, hair);
  }
}

// The end of the candles, in floats.
/** @param {Marks} candles */
const endOf = ({ at, count }) => (at + count * STRIDE.candle) / 4;

// Seamless diagonal lines.
/** @param {Canvas2D} c @param {string} colour @param {number} ratio */
function hatchOf(c, colour, ratio) {
  const side = Math.round(HATCH * ratio);
  const tile = "OffscreenCanvas" in globalThis
    ? new OffscreenCanvas(side, side) : document.createElement("canvas");
  tile.width = tile.height = side;
  const t = contextOf(tile);
  t.strokeStyle = colour;
  t.lineWidth = ratio;
  for (const shift of [-side, 0, side]) {
    t.beginPath();
    t.moveTo(shift - 1, side + 1);
    t.lineTo(shift + side + 1, -1);
    t.stroke();
  }
  return c.createPattern(/** @type {HTMLCanvasElement} */ (tile), "repeat");
}

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
function contextOf(canvas, settings) {
  const context = /** @type {Canvas2D | null} */ (canvas.getContext("2d", settings));
  if (!context) throw new Error("this browser has no canvas");
  return context;
}
