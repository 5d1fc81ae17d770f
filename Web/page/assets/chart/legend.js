// The values of a candle in the corner of the plot: of the one under the crosshair, else the latest.

import { h, setAttribute, setText } from "../dom.js";
import { percent } from "../format.js";
import { hasButton, intervalName, intervalSign } from "./bar.js";

const FIELDS = [["O", "open"], ["H", "high"], ["L", "low"], ["C", "close"]];

export class Legend {
  #time = h("span.legend-time");
  #values = {};
  #since = h("span.legend-since", { hidden: true, title: "Only this part of the candle was seen" });
  #changeName = h("i");
  #changeText = h("span");
  #change = h("span.legend-change", {}, this.#changeName, this.#changeText);
  #volume = h("b");
  #volumeField = h("span.legend-field", {}, h("i", {}, "V"), this.#volume);
  #merged = h("span.legend-merged", { hidden: true });
  #fills = h("span.legend-fills", { hidden: true });

  constructor() {
    const fields = FIELDS.map(([letter, key]) => {
      this.#values[key] = h("b");
      return h("span.legend-field", {}, h("i", {}, letter), this.#values[key]);
    });
    this.element = h("div.chart-legend", { "aria-hidden": "true" },
      this.#time, this.#since, ...fields, this.#change, this.#volumeField, this.#merged, this.#fills);
  }

  /**
   * `drawn` is the interval of the candle, `dimmed` says that it is the latest one of prices that are not
   * live; `fillsOf(candle)` tells the own fills in it, in words.
   */
  update(candle, { labels, quantity, drawn, dimmed, fillsOf }) {
    setAttribute(this.element, "hidden", candle === null);
    setAttribute(this.element, "data-dimmed", dimmed);
    if (!candle) return;
    setText(this.#time, labels.time.candle(candle.start, drawn));
    for (const [, key] of FIELDS) setText(this.#values[key], labels.price.text(candle[key]));
    const isPartial = candle.seenSince !== null;
    setAttribute(this.#since, "hidden", !isPartial);
    if (isPartial) setText(this.#since, `since ${labels.time.candle(candle.seenSince, 1000)}`);
    // A part of a candle has no open to compare with.
    setAttribute(this.#change, "hidden", isPartial);
    const change = changeOf(candle, labels);
    setText(this.#changeName, `${intervalSign(drawn)} candle`);
    setText(this.#changeText, change.text);
    setAttribute(this.#change, "data-direction", change.direction);
    setAttribute(this.#volumeField, "hidden", candle.volume === 0n);
    if (candle.volume !== 0n) setText(this.#volume, quantity.text(candle.volume));
    setAttribute(this.#merged, "hidden", hasButton(drawn));
    if (!hasButton(drawn)) setText(this.#merged, `${intervalName(drawn)} each`);
    const fills = fillsOf(candle);
    setAttribute(this.#fills, "hidden", fills === "");
    setText(this.#fills, fills);
  }
}

/** Close against open, with arrow, sign and percent. */
function changeOf({ open, close }, labels) {
  const units = close - open;
  const direction = units > 0n ? "up" : units < 0n ? "down" : "unchanged";
  const sign = { up: "↑ +", down: "↓ −", unchanged: "" }[direction];
  const size = units < 0n ? -units : units;
  const hundredths = open === 0n ? 0n : (size * 10_000n * 2n / (open < 0n ? -open : open) + 1n) / 2n;
  const share = percent(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`, "never");
  return { direction, text: `${sign}${labels.price.text(size)} (${share})` };
}

/** The same as a sentence. */
export function sentence(candle, { labels, quantity, drawn, fillsOf }) {
  const price = (units) => labels.price.text(units);
  const volume = candle.volume === 0n ? "" : `, volume ${quantity.text(candle.volume)}`;
  const fills = fillsOf(candle);
  const direction = candle.close > candle.open ? "up" : candle.close < candle.open ? "down" : "unchanged";
  const part = candle.seenSince === null ? "" : `, seen since ${labels.time.candle(candle.seenSince, 1000)}`;
  return `${labels.time.candle(candle.start, drawn)}${part}: ${direction}, open ${price(candle.open)}, `
    + `high ${price(candle.high)}, low ${price(candle.low)}, close ${price(candle.close)}${volume}${fills && `, ${fills}`}`;
}
