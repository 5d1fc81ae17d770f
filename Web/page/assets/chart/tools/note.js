// What stands in place of a picture: what is loading, or why there is none and what can be done.

import { h, setAttribute, setText } from "../../ui/dom.js";

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
