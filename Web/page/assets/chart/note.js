// @ts-check
// What stands in place of a picture: what is loading, or why there is none and what can be done.

import { h, setAttribute, setText } from "../dom.js";
import { intervalName } from "./bar.js";

/**
 * An empty text stands for nothing to say.
 * @typedef {{text: string, action?: {label: string, run: () => unknown}}} Note
 */

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
 * What stands in the way of the past; empty where nothing does.
 * @param {{past: {status: Wire.HistoryStatus, problem?: string}, isFailing?: boolean,
 *   isWaiting?: boolean, interval?: number, older?: "none" | "loading" | "failed"}} of
 */
export function pastWords({ past, isFailing, isWaiting, interval = 0, older }) {
  if (isFailing) {
    return isWaiting ? `Candles of ${intervalName(interval)} could not be loaded. Trying again…`
      : "The history could not be loaded. Trying again…";
  }
  if (isWaiting) return `Loading candles of ${intervalName(interval)}…`;
  if (older === "failed") return "Older candles could not be loaded. Trying again…";
  if (past.status === "failed") {
    return past.problem || "The venue’s history can’t be reached. Live prices go on.";
  }
  if (older === "loading") return "Loading older candles…";
  return past.status === "loading" ? "Loading the venue’s history…" : "";
}
