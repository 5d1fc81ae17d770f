// The values of a candle in the corner of the plot: of the one under the crosshair, else the latest.

import { h, setAttribute, setText } from "../dom.js";
import { intervalName } from "./bar.js";

const FIELDS = [["O", "open"], ["H", "high"], ["L", "low"], ["C", "close"]];

export class Legend {
  #time = h("span.legend-time");
  #values = {};
  #change = h("span.legend-change");
  #volume = h("b");
  #volumeField = h("span.legend-field", {}, h("i", {}, "V"), this.#volume);
  #merged = h("span.legend-merged", { hidden: true });

  constructor() {
    const fields = FIELDS.map(([letter, key]) => {
      this.#values[key] = h("b");
      return h("span.legend-field", {}, h("i", {}, letter), this.#values[key]);
    });
    this.element = h("div.chart-legend", { "aria-hidden": "true" },
      this.#time, ...fields, this.#change, this.#volumeField, this.#merged);
  }

  /** `drawn` is the interval of the candle, `chosen` what the person chose. */
  update(candle, { labels, quantity, drawn, chosen }) {
    setAttribute(this.element, "hidden", candle === null);
    if (!candle) return;
    setText(this.#time, labels.time.candle(candle.start, drawn));
    for (const [, key] of FIELDS) setText(this.#values[key], labels.price.text(candle[key]));
    const change = changeOf(candle, labels);
    setText(this.#change, change.text);
    setAttribute(this.#change, "data-direction", change.direction);
    setAttribute(this.#volumeField, "hidden", candle.volume === 0n);
    if (candle.volume !== 0n) setText(this.#volume, quantity.text(candle.volume));
    setAttribute(this.#merged, "hidden", drawn === chosen);
    if (drawn !== chosen) setText(this.#merged, `${intervalName(drawn)} each`);
  }
}

/** Close against open, with arrow, sign and percent. */
function changeOf({ open, close }, labels) {
  const units = close - open;
  const direction = units > 0n ? "up" : units < 0n ? "down" : "unchanged";
  const sign = { up: "↑ +", down: "↓ −", unchanged: "" }[direction];
  const size = units < 0n ? -units : units;
  const hundredths = open === 0n ? 0n : (size * 10_000n * 2n / (open < 0n ? -open : open) + 1n) / 2n;
  const percent = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}%`;
  return { direction, text: `${sign}${labels.price.text(size)} (${percent})` };
}

/** The same as a sentence. */
export function sentence(candle, { labels, quantity, drawn }) {
  const price = (units) => labels.price.text(units);
  const volume = candle.volume === 0n ? "" : `, volume ${quantity.text(candle.volume)}`;
  const direction = candle.close > candle.open ? "up" : candle.close < candle.open ? "down" : "unchanged";
  return `${labels.time.candle(candle.start, drawn)}: ${direction}, open ${price(candle.open)}, `
    + `high ${price(candle.high)}, low ${price(candle.low)}, close ${price(candle.close)}${volume}`;
}
