// What stands in place of a picture: what is loading, or why there is none and what can be done.

import { h, setAttribute, setText } from "../dom.js";

export class ChartNote {
  #text = h("div.chart-note", { role: "status" });
  #act = () => {};
  #button = h("button.button.small", { type: "button", hidden: true, onclick: () => this.#act() });
  element = h("div.chart-empty", {}, this.#text, this.#button);

  /** `{text, action: {label, run}}`; an empty text takes it away. */
  update({ text, action = null }) {
    setText(this.#text, text);
    setText(this.#button, action?.label ?? "");
    this.#act = action?.run ?? (() => {});
    setAttribute(this.#button, "hidden", action === null);
    setAttribute(this.element, "hidden", text === "");
  }
}
