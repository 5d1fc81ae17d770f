// Draws the picture of a chart and makes its render model: in the reader's zone, on an axis as wide
// as its prices need.

import { zoneOffsets } from "../../text/zone.js";
import { belowPrice } from "./below.js";
import { axisWidth, renderModelOf } from "./render-model.js";

/** @typedef {import("./core.js").CoreChart} CoreChart */
/** @typedef {import("./core.js").Picture} Picture */

const DAY = 86_400_000;
const LEAST_AXIS = 48;
const SPARE_AXIS = 14;

export class Composer {
  #scene;
  /** The times whose zone the core knows. */
  #zoned = /** @type {{from: number, to: number} | null} */ (null);

  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.#scene = scene;
  }

  /** The page may have been given another zone. */
  rezone() {
    this.#scene.labels.time.rezone();
    this.#zoned = null;
  }

  /**
   * The picture, once more if its prices need a wider or narrower axis.
   * @param {CoreChart} core
   * @param {import("./intervals.js").Style} style
   * @param {string} font
   */
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

  /**
   * @param {CoreChart} core
   * @param {import("./intervals.js").Style} style
   */
  #compose(core, style) {
    const { labels, dimmed, confirmedAt, frame, isSmall, now } = this.#scene;
    const picture = core.draw(Math.floor(now ?? 0));
    this.#scene.picture = picture;
    const below = belowPrice(picture.live,
      { now: isSmall ? undefined : now, dimmed, confirmedAt });
    return { picture, model: renderModelOf(picture, frame, { labels, style, dimmed, below }) };
  }

  /**
   * Tells the core the zone of the times around those in view, where it does not know it: then the
   * picture fell on other hours, and is none.
   * @param {CoreChart} core
   * @param {Picture} picture
   */
  #tellZone(core, { left, right }) {
    if (this.#zoned && left >= this.#zoned.from && right <= this.#zoned.to) return false;
    const reach = 2 * (right - left) + 400 * DAY;
    this.#zoned = { from: left - reach, to: right + reach };
    core.setZone(zoneOffsets(this.#zoned.from, this.#zoned.to));
    return true;
  }
}
