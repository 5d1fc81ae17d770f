// A row's 24-hour line: fetched one at a time per venue, cached for the hour, and drawn on a small
// canvas with gaps.

import { t } from "../text/texts.js";

/** @typedef {{closes: (string | null)[], until: number}} Spark */

/** A browser has six connections to a server; a chart needs some of them. */
const AT_ONCE = 3;
const HOUR_MILLISECONDS = 3_600_000;
/** Pause before a failed request is repeated. */
const AGAIN_MILLISECONDS = 30_000;
const MAXIMUM_KEPT = 2000;
const MAXIMUM_CLOSES = 48;
const EDGE_PIXELS = 3;
/** Its size in CSS pixels; the style sheet has the same. */
const [WIDTH, HEIGHT] = [88, 30];

export class Sparks {
  /** @type {Map<string, Spark>} */
  #kept = new Map();
  /** @type {Map<string, () => void>} */
  #waiting = new Map();
  // Venues with a request in flight: one each, so that a slow venue delays no other.
  /** @type {Set<string>} */
  #asked = new Set();
  #now;

  /** @param {() => number} now the server's clock */
  constructor(now) {
    this.#now = now;
  }

  // The closes of an instrument, oldest first; undefined until available. `ready` then runs.
  /** @param {string} id @param {() => void} ready */
  closes(id, ready) {
    const kept = this.#kept.get(id);
    if (this.#isKnown(id)) return kept?.closes;
    this.#waiting.delete(id);
    this.#waiting.set(id, ready);
    this.#next();
    return kept?.closes;
  }

  // Drops an instrument that is out of view.
  /** @param {string} id */
  forget(id) {
    this.#waiting.delete(id);
  }

  /** @param {string} id */
  #isKnown(id) {
    return (this.#kept.get(id)?.until ?? -Infinity) > this.#now();
  }

  /** From the top of the list; rows that left the view are skipped. */
  #next() {
    for (const [id, ready] of [...this.#waiting]) {
      const [venue] = id.split("/");
      // It was in flight when requested again.
      if (this.#isKnown(id)) {
        this.#waiting.delete(id);
        ready();
        continue;
      }
      if (this.#asked.size >= AT_ONCE) return;
      if (this.#asked.has(venue)) continue;
      this.#waiting.delete(id);
      this.#asked.add(venue);
      void this.#fetch(id).then(ready, () => {}).finally(() => {
        this.#asked.delete(venue);
        this.#next();
      });
    }
  }

  /** @param {string} id */
  async #fetch(id) {
    const [venue, ...rest] = id.split("/");
    const path = `/spark/${venue}/${encodeURIComponent(rest.join("/"))}`;
    const now = this.#now();
    const hourEnds = (Math.floor(now / HOUR_MILLISECONDS) + 1) * HOUR_MILLISECONDS;
    try {
      const answer = await fetch(path);
      // An instrument without history has none for this hour.
      const isFinal = answer.ok || answer.status === 404;
      const closes = answer.ok ? readCloses(await answer.json()) : [];
      this.#keep(id, { closes, until: isFinal ? hourEnds : now + AGAIN_MILLISECONDS });
    } catch {
      this.#keep(id, { closes: [], until: now + AGAIN_MILLISECONDS });
    }
  }

  /** @param {string} id @param {Spark} spark */
  #keep(id, spark) {
    this.#kept.delete(id);
    this.#kept.set(id, spark);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAXIMUM_KEPT) break;
      this.#kept.delete(oldest);
    }
  }
}

/** @param {any} answer @returns {(string | null)[]} */
function readCloses(answer) {
  if (!Array.isArray(answer?.closes)) return [];
  return answer.closes.slice(-MAXIMUM_CLOSES)
    .map((/** @type {unknown} */ close) => (typeof close === "string" ? close : null));
}

// The style sheet's colours by a line's direction; read once for all rows.
/** @type {Map<string | null, string>} */
const colours = new Map();

/** The user changed the colours. */
export const forgetColours = () => colours.clear();

/** @param {HTMLCanvasElement} canvas */
function colourOf(canvas) {
  const direction = canvas.getAttribute("data-direction");
  const known = colours.get(direction) ?? getComputedStyle(canvas).color;
  colours.set(direction, known);
  return known;
}

// Draws closes over the whole canvas; nothing for fewer than two.
/** @param {HTMLCanvasElement} canvas @param {(string | null)[]} closes */
export function drawSpark(canvas, closes) {
  const c = canvas.getContext("2d");
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(WIDTH * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  const values = closes.map((close) => (close === null ? NaN : Number(close)));
  const known = values.filter(Number.isFinite);
  if (!c || known.length < 2) return;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const step = (WIDTH - 2 * EDGE_PIXELS) / (values.length - 1);
  const y = (/** @type {number} */ value) => (high === low ? HEIGHT / 2
    : EDGE_PIXELS + (high - value) / (high - low) * (HEIGHT - 2 * EDGE_PIXELS));
  c.scale(ratio, ratio);
  c.strokeStyle = c.fillStyle = colourOf(canvas);
  c.lineWidth = 1.5;
  c.lineJoin = c.lineCap = "round";
  c.beginPath();
  values.forEach((value, at) => {
    if (!Number.isFinite(value)) return;
    const x = EDGE_PIXELS + at * step;
    const [isAfter, isBefore] = [at > 0 && Number.isFinite(values[at - 1]),
      Number.isFinite(values[at + 1])];
    if (isAfter) c.lineTo(x, y(value));
    else c.moveTo(x, y(value));
    // A single value between two gaps is a dot.
    if (!isAfter && !isBefore) c.lineTo(x, y(value));
  });
  c.stroke();
}

// The line in words, for screen readers.
/** @param {(string | null)[]} closes @param {Format} format */
export function sparkText(closes, format) {
  const known = closes.flatMap((close) => close ?? []);
  if (known.length < 2) return t("No line of the last 24 hours");
  const [first, last] = [format(known[0]), format(known[known.length - 1])];
  return t("Hourly closes of 24 hours, from {first} to {last}", { first, last });
}
