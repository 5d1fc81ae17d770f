// A chart's screen-reader text: an occasional summary of the picture, and the candle under the
// keyboard cursor at once.

import { t } from "../text/texts.js";
import { setAttribute } from "../ui/dom.js";
import { beyond } from "./model/render-model.js";
import { fillsText, summary } from "./model/words.js";

/** @typedef {import("./tools/legend.js").Words} Words */

const SUMMARY_EVERY_MILLISECONDS = 5000;

export class Spoken {
  #surface;
  #parts;
  #name;
  #at = -Infinity;
  #state = "";
  /** Whether the surface last announced a candle. */
  #hasTold = false;

  /**
   * `surface` takes keyboard focus; `name` is the charted instrument.
   * @param {HTMLElement} surface
   * @param {string | undefined} name
   * @param {{scene: import("./model/scene.js").Scene, choice: import("./choice.js").Choice,
   *   past: import("./candles.js").Past, pointing: import("./tools/pointing.js").Pointing,
   *   studies: import("./tools/studies.js").StudyMenu,
   *   overlays: import("./tools/overlays.js").Overlays}} parts
   */
  constructor(surface, name, parts) {
    this.#surface = surface;
    this.#name = name;
    this.#parts = parts;
    // It has its name before there is anything to draw.
    this.#entitle({ live: null, count: 0 }, "");
  }

  get #alerts() {
    return this.#parts.overlays.tools?.alerts.words ?? "";
  }

  /**
   * @param {Pick<Picture, "live" | "count">} picture
   * @param {string} side where the price is, if not in view
   */
  #entitle(picture, side) {
    const { scene: { dimmed, labels }, choice } = this.#parts;
    setAttribute(this.#surface, "aria-label", summary(picture, {
      name: this.#name, style: choice.style, interval: choice.pressed, price: labels.price, side,
      dimmed, alerts: this.#alerts,
    }));
  }

  // The words for candles of a picture.
  /** @param {Picture} picture @returns {Words} */
  words({ interval: drawn }) {
    const { scene, past, studies } = this.#parts;
    const { labels, quantity, dimmed, now } = scene;
    return {
      labels, quantity, drawn, dimmed, now,
      fillsOf: ({ start }) => fillsText(scene.fills, start, start + drawn),
      venueOf: ({ start, proof }) => (proof === "contradicted" && drawn === scene.finest
        ? past.contradicted.get(start) : undefined),
      tellStudies: (words, { index }) => {
        if (!scene.core) return;
        words.update(scene.core, studies.chosen, { index, interval: drawn }, labels);
      },
    };
  }

  /** Announces the candle under the keyboard cursor, else the latest. */
  tell() {
    const { scene: { core, picture }, pointing } = this.#parts;
    if (!core || !picture) return;
    const told = pointing.told(core, picture, this.words(picture));
    setAttribute(this.#surface, "aria-valuemax", Math.max(0, picture.drawnCount - 1));
    setAttribute(this.#surface, "aria-valuenow", told?.index ?? 0);
    setAttribute(this.#surface, "aria-valuetext", told?.text ?? t("nothing yet"));
    this.#hasTold = told !== null;
  }

  /** @param {Picture} picture */
  summarise(picture) {
    const { frame, dimmed } = this.#parts.scene;
    const now = performance.now();
    const side = picture.live ? beyond(picture.live, frame) : "";
    // Announce at once: the first candles, a price leaving the view, one no longer live, and
    // changed alerts.
    const state = `${picture.count === 0}${side}${dimmed}${this.#alerts}`;
    if (now - this.#at < SUMMARY_EVERY_MILLISECONDS && state === this.#state) return;
    [this.#at, this.#state] = [now, state];
    this.#entitle(picture, side);
    // While the user walks the candles, announce no others; announce the first ones when waiting.
    if (document.activeElement !== this.#surface || !this.#hasTold) this.tell();
  }
}
