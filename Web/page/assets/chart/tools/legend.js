// A candle's values in a row above the plot: the one under the crosshair, else the latest.

import { percent } from "../../text/format.js";
import { t } from "../../text/texts.js";
import { h, setAttribute, setText } from "../../ui/dom.js";
import { hasButton, intervalName, intervalSign } from "../model/intervals.js";
import { coverageWords, hasChange, sourceWords, venueWords } from "../model/words.js";
import { StudyWords } from "./studies.js";

/** @typedef {import("../model/core.js").Candle} Candle */

// The notice in place of a picture: the loading state, or why there is no picture and what to do.
// An empty text shows nothing.
/** @typedef {{text: string, action?: {label: string, run: () => unknown}}} Note */

export class ChartNote {
  #text = h("div.chart-note", { role: "status" });
  #act = /** @type {() => unknown} */ (() => {});
  #button = h("button.button.small", { type: "button", hidden: true, onclick: () => this.#act() });
  element = h("div.chart-empty", {}, this.#text, this.#button);

  /** @param {Note} note */
  update({ text, action }) {
    setText(this.#text, text);
    setText(this.#button, action?.label ?? "");
    this.#act = action?.run ?? (() => {});
    setAttribute(this.#button, "hidden", !action);
    setAttribute(this.element, "hidden", text === "");
  }
}

/**
 * How to describe a candle: `drawn` is the candles' interval, `now` the time, `dimmed` means that
 * the latest price is not live, `fillsOf` returns a candle's own fills as text, `venueOf` the
 * venue's values of a candle that it contradicts.
 * @typedef {object} Words
 * @property {import("../model/render-model.js").Labels} labels
 * @property {PriceLabels} quantity
 * @property {number} drawn
 * @property {number} [now] ms
 * @property {boolean} dimmed
 * @property {(candle: Candle) => string} fillsOf
 * @property {(candle: Candle) => Wire.VenueRow | undefined} venueOf
 * @property {(words: StudyWords, candle: Candle) => void} tellStudies
 */

/** @type {[letter: string, key: "open" | "high" | "low" | "close"][]} */
const FIELDS = [["O", "open"], ["H", "high"], ["L", "low"], ["C", "close"]];

export class Legend {
  #time = h("span.legend-time");
  #values = { open: h("b"), high: h("b"), low: h("b"), close: h("b") };
  #since = h("span.legend-since", { hidden: true });
  #source = h("span.legend-source");
  #noTrade = h("span.legend-quiet", { hidden: true }, t("no trade"));
  #venue = h("span.legend-venue", { hidden: true });
  #changeName = h("i");
  #changeText = h("span");
  #change = h("span.legend-change", {}, this.#changeName, this.#changeText);
  #volume = h("b");
  #volumeField = h("span.legend-field", {}, h("i", {}, "V"), this.#volume);
  #merged = h("span.legend-merged", { hidden: true });
  #fills = h("span.legend-fills", { hidden: true });
  #studies = new StudyWords();

  constructor() {
    const fields = FIELDS.map(([letter, key]) =>
      h("span.legend-field", {}, h("i", {}, letter), this.#values[key]));
    this.element = h("div.chart-legend", { "aria-hidden": "true" },
      this.#time, this.#since, ...fields, this.#noTrade, this.#change, this.#volumeField,
      this.#source, this.#merged, this.#fills, this.#venue, ...this.#studies.elements);
  }

  // Shows a candle; null hides the legend.
  /** @param {Candle | null} candle @param {Words} words */
  update(candle, words) {
    const { labels, quantity, drawn, now, dimmed, fillsOf, venueOf } = words;
    setAttribute(this.element, "data-empty", candle === null);
    setAttribute(this.element, "data-dimmed", dimmed);
    if (!candle) return;
    words.tellStudies(this.#studies, candle);
    setText(this.#time, labels.time.candle(candle.start, drawn));
    for (const [, key] of FIELDS) setText(this.#values[key], labels.price.text(candle[key]));
    show(this.#since, coverageWords(candle, drawn, labels, now));
    setAttribute(this.#noTrade, "hidden", candle.count > 0);
    setText(this.#source, sourceWords(candle));
    setAttribute(this.#source, "data-proof", candle.proof);
    show(this.#venue, venueWords(venueOf(candle), labels, quantity));
    setAttribute(this.#change, "hidden", !hasChange(candle));
    const change = changeOf(candle, labels);
    setText(this.#changeName, t("{interval} candle", { interval: intervalSign(drawn) }));
    setText(this.#changeText, change.text);
    setAttribute(this.#change, "data-direction", change.direction);
    setAttribute(this.#volumeField, "hidden", candle.volume === 0n);
    if (candle.volume !== 0n) setText(this.#volume, quantity.text(candle.volume));
    setAttribute(this.#merged, "hidden", hasButton(drawn));
    if (!hasButton(drawn)) setText(this.#merged, t("{interval} each",
      { interval: intervalName(drawn) }));
    show(this.#fills, fillsOf(candle));
  }
}

// An empty text takes no room.
/** @param {HTMLElement} element @param {string} text */
function show(element, text) {
  setAttribute(element, "hidden", text === "");
  setText(element, text);
}

// Close versus open, with arrow, sign and percent.
/** @param {Candle} candle @param {Words["labels"]} labels */
function changeOf({ open, close }, labels) {
  const units = close - open;
  const direction = units > 0n ? "up" : units < 0n ? "down" : "unchanged";
  const sign = { up: "↑ +", down: "↓ −", unchanged: "" }[direction];
  const size = units < 0n ? -units : units;
  const hundredths = open === 0n ? 0n
    : (size * 10_000n * 2n / (open < 0n ? -open : open) + 1n) / 2n;
  const share = percent(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`,
    "never");
  return { direction, text: `${sign}${labels.price.text(size)} (${share})` };
}

/** @type {{[proof: string]: string | undefined}} */
const SPOKEN = {
  proven: `, ${t("proven from trades")}`, contradicted: `, ${t("not what the venue says")}`,
};

// The same as a sentence.
/** @param {Candle} candle @param {Words} words */
export function sentence(candle, { labels, quantity, drawn, now, fillsOf, venueOf }) {
  const price = (/** @type {bigint} */ units) => labels.price.text(units);
  const volume = candle.volume === 0n ? ""
    : `, ${t("volume {volume}", { volume: quantity.text(candle.volume) })}`;
  const fills = fillsOf(candle);
  const seen = coverageWords(candle, drawn, labels, now);
  const part = seen
    && `, ${candle.seenSince === null ? seen : t("seen {since}", { since: seen })}`;
  const moment = labels.time.candle(candle.start, drawn);
  const source = SPOKEN[candle.proof] ?? `, ${sourceWords(candle)}`;
  if (candle.count === 0) {
    const text = t("no trade, price {price}", { price: price(candle.close) });
    return `${moment}${part}: ${text}${source}`;
  }
  const direction = !hasChange(candle) ? "" : candle.close > candle.open ? `${t("up")}, `
    : candle.close < candle.open ? `${t("down")}, ` : `${t("unchanged")}, `;
  const venue = venueWords(venueOf(candle), labels, quantity);
  const prices = t("open {open}, high {high}, low {low}, close {close}", {
    open: price(candle.open), high: price(candle.high), low: price(candle.low),
    close: price(candle.close),
  });
  return `${moment}${part}: ${direction}${prices}${volume}${fills && `, ${fills}`}`
    + `${source}${venue && `, ${venue}`}`;
}
