// What an order would take now, in figures: the server's answer, never the page's own guess.

import { said } from "../orders/words.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

export class TicketPreview {
  #taken = fact(t("Takes now"));
  #total = fact(t("Together"));
  #remainder = h("p.preview-left");
  #bound = h("p.preview-bound");
  #facts = h("dl.preview-facts", {}, this.#taken.element, this.#total.element);

  /**
   * @param {string} label
   * @param {HTMLElement[]} faults what keeps it from saying anything: it stands in its room, so
   *   that nothing below moves
   */
  constructor(label, faults = []) {
    this.element = h("div.preview", { role: "group", "aria-label": label }, ...faults,
      this.#facts, this.#remainder, this.#bound);
  }

  /**
   * @param {TicketPreviewView} preview
   * @param {Format} format
   */
  update({ isEmpty, taken, together, remainder, bound, kind }, format) {
    const text = said(remainder, format);
    setAttribute(this.element, "data-empty", isEmpty);
    setAttribute(this.#facts, "hidden", !taken);
    setText(this.#remainder, text);
    setAttribute(this.#remainder, "hidden", text === "");
    setAttribute(this.#remainder, "data-kind", kind);
    setText(this.#bound, said(bound, format));
    setAttribute(this.#bound, "hidden", !bound);
    setAttribute(this.element, "data-quiet", !taken && text === "");
    if (!taken) return;
    this.#taken.set(said(taken, format));
    this.#total.set(said(together ?? "–", format));
  }
}

/** @param {string} label */
function fact(label) {
  const text = h("dd");
  return { element: h("div", {}, h("dt", {}, label), text),
    set: (/** @type {string} */ value) => setText(text, value) };
}
