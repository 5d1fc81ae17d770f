// @ts-check
// What stands in place of a picture: what is loading, or why there is none and what can be done.

import { h, setAttribute, setText } from "../dom.js";
import { t, told } from "../texts.js";
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
  const each = intervalName(interval);
  if (isFailing) {
    return isWaiting ? t("Candles of {interval} could not be loaded. Trying again…",
      { interval: each })
      : t("The history could not be loaded. Trying again…");
  }
  if (isWaiting) return t("Loading candles of {interval}…", { interval: each });
  if (older === "failed") return t("Older candles could not be loaded. Trying again…");
  if (past.status === "failed") {
    return told(past.problem) || t("The venue’s history can’t be reached. Live prices go on.");
  }
  if (older === "loading") return t("Loading older candles…");
  return past.status === "loading" ? t("Loading the venue’s history…") : "";
}
