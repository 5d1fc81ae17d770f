// The figures of an instrument's day: change, high, low, volume and VWAP, each under the window
// that it is of. What is not known is left out.

import { compare } from "../base/decimal.js";
import { abbreviated, number, percent, signed } from "../text/format.js";
import { t } from "../text/texts.js";
import { ofWindow, withUnit } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";

/** Quantities of more characters than these are written short, in full in the tooltip. */
const LONGEST_QUANTITY = 9;
const SPOKEN = { up: `${t("up")} `, down: `${t("down")} `, unchanged: "" };

/** @typedef {keyof typeof SPOKEN} Movement */

export class DayFacts {
  #change = new Fact(t("Change"));
  #high = new Fact(t("High"));
  #low = new Fact(t("Low"));
  #volume = new Fact(t("Volume"));
  #vwap = new Fact("VWAP");

  constructor() {
    /** The change alone, which may stand beside the price. */
    this.change = h("dl.day-facts.day-change", {}, this.#change.element);
    this.range = h("dl.day-facts", {}, this.#high.element, this.#low.element,
      this.#volume.element, this.#vwap.element);
  }

  /**
   * `unit` is what the volume counts, where it needs saying.
   * @param {Topic.Figures} figures
   * @param {{now: number, dimmed: boolean, unit: string, formatPrice: Format}} view
   */
  update(figures, { now, dimmed, unit, formatPrice }) {
    const { since, high, low, vwap } = figures;
    const of = (/** @type {string} */ name) => ofWindow(name, since, now);
    const movement = movementOf(figures);
    const change = changeText(figures);
    this.#change.update(of(t("Change")), change, { movement });
    // Nothing that is not there keeps the others from the edge.
    setAttribute(this.change, "hidden", !change);
    this.#high.update(of(t("High")), high && formatPrice(high));
    this.#low.update(of(t("Low")), low && formatPrice(low));
    this.#vwap.update(of("VWAP"), vwap && formatPrice(vwap));
    const volume = volumeTexts(figures.volume, unit);
    this.#volume.update(of(t("Volume")), volume.text, { full: volume.full });
    for (const list of [this.change, this.range]) setAttribute(list, "data-dimmed", dimmed);
  }
}

/**
 * Change and percent, or the one of them that is known.
 * @param {Topic.Figures} figures
 */
function changeText({ change, percent: share, price }) {
  if (change === undefined) return share && percent(share);
  return signed(change, price) + (share === undefined ? "" : ` (${percent(share)})`);
}

/**
 * @param {Topic.Figures} figures
 * @returns {Movement}
 */
function movementOf({ change, percent: share }) {
  const order = compare(change ?? share, "0");
  return order > 0 ? "up" : order < 0 ? "down" : "unchanged";
}

/**
 * A volume as it fits, and in full where that is longer.
 * @param {string | undefined} volume
 * @param {string} unit
 */
function volumeTexts(volume, unit) {
  if (volume === undefined) return { text: undefined, full: undefined };
  const plain = volume.includes(".") ? volume.replace(/\.?0+$/, "") : volume;
  const full = withUnit(plain, number(plain), unit);
  if (plain.length <= LONGEST_QUANTITY) return { text: full, full: undefined };
  return { text: withUnit(plain, abbreviated(plain), unit), full };
}

class Fact {
  #label = h("dt");
  #spoken = h("span.unseen");
  #text = h("span");
  #value = h("dd", {}, this.#spoken, this.#text);
  #most = 0;

  /** @param {string} name */
  constructor(name) {
    this.element = h("div.day-fact", { "data-fact": name.toLowerCase(), hidden: true },
      this.#label, this.#value);
  }

  /**
   * Its room only grows, so that nothing beside it moves with the digits.
   * @param {string} label
   * @param {string | undefined} text
   * @param {{movement?: Movement, full?: string}} more
   */
  update(label, text, { movement, full } = {}) {
    setAttribute(this.element, "hidden", !text);
    if (!text) return;
    setText(this.#label, label);
    setText(this.#text, text);
    setText(this.#spoken, full ? `${full}, ${t("in short")} ` : movement ? SPOKEN[movement] : "");
    setAttribute(this.#value, "title", full);
    setAttribute(this.#value, "data-direction", movement);
    if (text.length <= this.#most) return;
    this.#most = text.length;
    // A digit is the widest of what a number is written with; the signs between leave some room.
    this.#value.style.minWidth = `${text.length - 1}ch`;
  }
}
