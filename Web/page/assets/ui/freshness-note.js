// The state of a pane's values in words, with their age; and where they come from.

import { freshnessText, originText, originTitle } from "../text/words.js";
import { h, setAttribute, setText } from "./dom.js";

export class FreshnessNote {
  #text = h("span.note-text");
  #badge = h("span.badge", { hidden: true });

  constructor() {
    this.element = h("span.note", {}, h("span.dot", { "aria-hidden": "true" }), this.#text,
      this.#badge);
  }

  /**
   * `freshness` as `believe` gives it; `words` replace the text when a pane knows better.
   * @param {Pick<Seen, "state" | "origin" | "confirmedAt">} freshness
   * @param {number} now
   */
  update(freshness, now, words = freshnessText(freshness, now)) {
    setAttribute(this.element, "data-state", freshness.state);
    setText(this.#text, words);
    const origin = originText(freshness.origin);
    setText(this.#badge, origin);
    setAttribute(this.#badge, "hidden", origin === "");
    setAttribute(this.#badge, "title", originTitle(freshness.origin));
  }
}
