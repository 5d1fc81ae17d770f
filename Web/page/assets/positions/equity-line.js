// Cash and position over time as a small line. Figures become pixels only here; the text uses the
// server's digits.

import { compare } from "../base/decimal.js";
import { localMoment, money } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

const WIDTH = 300;
const HEIGHT = 48;
const EDGE = 3;
const NAMESPACE = "http://www.w3.org/2000/svg";

export class EquityLine {
  #path = svg("polyline", { fill: "none", "vector-effect": "non-scaling-stroke" });
  #zero = svg("line", { class: "equity-zero", "vector-effect": "non-scaling-stroke" });
  #words = h("figcaption.equity-words");
  /** @type {unknown[]} */
  #drawn = [];

  constructor() {
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      class: "equity-picture", "aria-hidden": "true" });
    picture.append(this.#zero, this.#path);
    this.element = h("figure.equity", { hidden: true }, picture, this.#words);
  }

  /** @param {Topic.Positions} state @param {number} now */
  render(state, now) {
    if (state.line === this.#drawn[0] && state.equity === this.#drawn[1]) return;
    this.#drawn = [state.line, state.equity];
    const line = untilNow(steady(state.line), state.equity, now);
    setAttribute(this.element, "hidden", line.length < 2);
    if (line.length < 2) return;
    const times = line.map(([time]) => time);
    const values = line.map(([, equity]) => Number(equity));
    const x = scale(times, WIDTH);
    const y = scale([...values, 0], HEIGHT);
    const points = line.map((_, at) =>
      `${x(times[at]).toFixed(1)},${(HEIGHT - y(values[at])).toFixed(1)}`);
    setAttribute(this.#path, "points", points.join(" "));
    const zero = (HEIGHT - y(0)).toFixed(1);
    for (const [name, value] of [["x1", 0], ["x2", WIDTH], ["y1", zero], ["y2", zero]]) {
      setAttribute(this.#zero, String(name), value);
    }
    setText(this.#words, sentence(line, state, now));
  }
}

// Drops fills after the first minute value: a fill's price differs from the exit price and would
// make the line jump.
/** @param {Topic.EquityPoint[]} line */
function steady(line) {
  const first = line.find(([, , isFill]) => !isFill)?.[0] ?? Infinity;
  return line.filter(([time, , isFill]) => !isFill || time < first);
}

/**
 * Extends the line to the table's equity, so that the line's low is never above that figure.
 * @param {Topic.EquityPoint[]} line
 * @param {string | undefined} equity
 * @param {number} now
 * @returns {Topic.EquityPoint[]}
 */
function untilNow(line, equity, now) {
  const last = line.at(-1);
  return equity && last ? [...line, [Math.max(last[0], now), equity, last[2]]] : line;
}

/** @param {Topic.EquityPoint[]} line @param {Topic.Positions} state @param {number} now */
function sentence(line, { symbol, currency, decimals }, now) {
  const sorted = line.map(([, equity]) => equity).sort(compare);
  const say = (/** @type {string | undefined} */ text) => money(text, currency, decimals);
  const minute = line.find(([, , isFill]) => !isFill);
  const parts = [
    line[0][2] ? t("at each fill from {time}", { time: localMoment(line[0][0], now) }) : "",
    minute ? t("by the minute from {time}", { time: localMoment(minute[0], now) }) : "",
  ].filter(Boolean).join(", ");
  return `${t("Equity {unit}", { unit: symbol })}${parts && ` ${parts}`}: `
    + t("lowest {low}, highest {high}.", { low: say(sorted[0]), high: say(sorted.at(-1)) });
}

// Maps figures to pixels, with a margin at both ends.
/** @param {number[]} values @param {number} size */
function scale(values, size) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  return (/** @type {number} */ value) => EDGE + (value - low) / span * (size - 2 * EDGE);
}

/** @param {string} tag @param {{[name: string]: string}} properties */
function svg(tag, properties) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  return element;
}
