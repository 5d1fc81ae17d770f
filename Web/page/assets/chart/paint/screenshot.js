// A screenshot of the chart: what is on screen, with a caption of instrument, venue, time and
// freshness. It omits own orders but has own fills and lines.

import { fontOf } from "../model/style.js";

const [PAD, LINE] = [14, 18];

/** @typedef {{title: string, details: string, file: string}} Caption */

/**
 * The chart's canvas above its caption.
 * @param {HTMLCanvasElement} canvas
 * @param {Caption} caption
 * @param {{ground: string, ink: string, muted: string, font: string, ratio: number}} look
 */
export function pictureOf(canvas, { title, details }, { ground, ink, muted, font, ratio }) {
  const picture = document.createElement("canvas");
  const c = picture.getContext("2d");
  const size = (/** @type {number} */ weight) => fontOf(font, ratio, weight);
  if (!c) return picture;
  c.font = size(400);
  const room = canvas.width - 2 * PAD * ratio;
  const rows = wrapped(details, room, (text) => c.measureText(text).width);
  picture.width = canvas.width;
  picture.height = canvas.height + (2 * PAD + LINE * (1 + rows.length)) * ratio;
  c.fillStyle = ground;
  c.fillRect(0, 0, picture.width, picture.height);
  c.drawImage(canvas, 0, 0);
  c.textBaseline = "top";
  let y = canvas.height + PAD * ratio;
  c.font = size(650);
  c.fillStyle = ink;
  c.fillText(title, PAD * ratio, y);
  c.font = size(400);
  c.fillStyle = muted;
  for (const row of rows) {
    y += LINE * ratio;
    c.fillText(row, PAD * ratio, y);
  }
  return picture;
}

// Dot-separated parts, wrapped into as many lines as they need.
/** @param {string} text @param {number} width @param {(text: string) => number} measure */
function wrapped(text, width, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const part of text.split(" · ")) {
    const longer = lines.length > 0 ? `${lines[lines.length - 1]} · ${part}` : part;
    if (lines.length > 0 && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

// Downloads a picture as a PNG.
/** @param {HTMLCanvasElement} picture @param {string} file */
export function download(picture, file) {
  picture.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }, "image/png");
}
