// The lines that a person drew, kept on this device by instrument: prices as digits, so that they
// outlive a change of scale.

import { read, remember } from "../../base/storage.js";
import { decimalText, unitsOf } from "../model/labels.js";

/** @typedef {import("../model/core.js").Drawing} Drawing */
/** @typedef {[time: number, price: string]} Kept */

const KEY = "chart.drawings";
const MOST_INSTRUMENTS = 50;
/** As many as the core draws. */
export const MOST_DRAWINGS = 64;
const LONGEST_TEXT = 400_000;

/** @returns {Map<string, unknown>} the latest used last */
function all() {
  const text = read(KEY);
  if (!text || text.length > LONGEST_TEXT) return new Map();
  try {
    const rows = JSON.parse(text);
    return new Map(Array.isArray(rows)
      ? rows.filter((row) => Array.isArray(row) && typeof row[0] === "string") : []);
  } catch {
    return new Map();
  }
}

/**
 * The lines of an instrument on a scale of prices; what is none is left out.
 * @param {string} instrument
 * @param {number} scale
 * @returns {Drawing[]}
 */
export function drawingsOf(instrument, scale) {
  const rows = all().get(instrument);
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, MOST_DRAWINGS).flatMap((row) => {
    if (!Array.isArray(row)) return [];
    const start = pointOf(row[0], scale);
    const end = row[1] === undefined ? null : pointOf(row[1], scale);
    return start && (end || row[1] === undefined) ? [{ start, end }] : [];
  });
}

/**
 * @param {unknown} kept
 * @param {number} scale
 */
function pointOf(kept, scale) {
  if (!Array.isArray(kept) || !Number.isSafeInteger(kept[0]) || typeof kept[1] !== "string") {
    return null;
  }
  const price = unitsOf(kept[1], scale);
  return price === null ? null : { time: kept[0], price };
}

/**
 * Keeps the lines of an instrument; those of the one that was longest not used go first.
 * @param {string} instrument
 * @param {Drawing[]} drawings
 * @param {number} scale
 */
export function keepDrawings(instrument, drawings, scale) {
  const known = all();
  known.delete(instrument);
  const kept = (/** @type {import("../model/core.js").Point} */ { time, price }) =>
    [time, decimalText(price, scale, 0)];
  if (drawings.length > 0) {
    known.set(instrument, drawings.slice(0, MOST_DRAWINGS).map(({ start, end }) =>
      (end ? [kept(start), kept(end)] : [kept(start)])));
  }
  remember(KEY, JSON.stringify([...known].slice(-MOST_INSTRUMENTS)));
}
