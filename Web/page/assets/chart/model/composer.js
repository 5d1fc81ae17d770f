// Draws the chart's picture and makes its render model: in the user's time zone, on an axis as wide
// as its prices need.

import { t } from "../../text/texts.js";
import { ago } from "../../text/words.js";
import { zoneOffsets } from "../../text/zone.js";
import { axisWidth, renderModelOf } from "./render-model.js";

// The text under the label of the latest price: time to the candle's close, or the price's age.
/**
 * "in 0:53", "in 3:12:09", "in 2 d"; "12 s ago" for a price that is not live; empty if the time is
 * unavailable.
 * @param {{closesIn: number} | null} live
 * @param {{now: number | undefined, dimmed: boolean, confirmedAt: number | null}} at
 */
export function belowPrice(live, { now, dimmed, confirmedAt }) {
  if (!live || now === undefined) return "";
  if (dimmed) return confirmedAt === null ? "" : ago(Math.max(0, now - confirmedAt));
  const seconds = Math.ceil(live.closesIn / 1000);
  if (seconds >= 2 * 86_400) return t("in {count} d", { count: Math.floor(seconds / 86_400) });
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const time = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
  return t("in {time}", { time });
}

const DAY = 86_400_000;
const LEAST_AXIS = 48;
const SPARE_AXIS = 14;

export class Composer {
  #scene;
  /** The times whose zone offsets the core has. */
  #zoned = /** @type {{from: number, to: number} | null} */ (null);

  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.#scene = scene;
  }

  /** Applies a changed time zone. */
  rezone() {
    this.#scene.labels.time.rezone();
    this.#zoned = null;
  }

  // The picture, drawn again if its prices need a wider or narrower axis.
  /** @param {CoreChart} core @param {Style} style @param {string} font */
  compose(core, style, font) {
    const { axis } = this.#scene.frame;
    let composed = this.#compose(core, style);
    if (this.#tellZone(core, composed.picture)) composed = this.#compose(core, style);
    const needed = axisWidth(composed.model, font);
    if (needed <= axis.right && needed >= axis.right - SPARE_AXIS) return composed;
    axis.right = Math.max(LEAST_AXIS, Math.ceil(needed) + 3);
    this.#scene.resize();
    return this.#compose(core, style);
  }

  /** @param {CoreChart} core @param {Style} style */
  #compose(core, style) {
    const { labels, dimmed, confirmedAt, frame, isSmall, now } = this.#scene;
    const picture = core.draw(Math.floor(now ?? 0));
    this.#scene.picture = picture;
    const below = belowPrice(picture.live,
      { now: isSmall ? undefined : now, dimmed, confirmedAt });
    return { picture, model: renderModelOf(picture, frame, { labels, style, dimmed, below }) };
  }

  // Sends the core the zone offsets around the visible times if it lacks them: the picture then has
  // the wrong hours and is discarded.
  /** @param {CoreChart} core @param {Picture} picture */
  #tellZone(core, { left, right }) {
    if (this.#zoned && left >= this.#zoned.from && right <= this.#zoned.to) return false;
    const reach = 2 * (right - left) + 400 * DAY;
    this.#zoned = { from: left - reach, to: right + reach };
    core.setZone(zoneOffsets(this.#zoned.from, this.#zoned.to));
    return true;
  }
}
