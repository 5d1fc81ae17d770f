// The keys for digits beside the ticket on a phone: the system's own keyboard would cover it.

import { numberSigns } from "../text/number-signs.js";
import { t } from "../text/texts.js";
import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** @typedef {import("../orders/ticket-core.js").TicketCore} TicketCore */

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const ERASE = "erase";
const LONGEST = 40;

export class Keypad {
  #core;
  /** @type {Wire.Field} */
  #field = "quantity";
  /** Whether the next digit begins the number anew. */
  #isFresh = true;

  /**
   * Writes into the field of `form` that has the focus, or had it last.
   * @param {TicketCore} core
   * @param {HTMLElement} form
   */
  constructor(core, form) {
    this.#core = core;
    const [decimal, , digits] = numberSigns(undefined);
    const signs = [...digits];
    const sign = (/** @type {number} */ digit) => signs[digit] ?? String(digit);
    const keys = [...DIGITS.map(sign), decimal, sign(0)];
    this.element = h("div.keypad", { role: "group", "aria-label": t("Digits") },
      ...keys.map((key) => this.#key(key, h("span", {}, key))),
      this.#key(ERASE, icon("erase"), t("Delete the last digit")));
    form.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.name !== "quantity" && target.name !== "price") return;
      this.#isFresh = target.name !== this.#field;
      this.#field = target.name;
    });
  }

  /** The ticket was opened: the next digit begins the quantity anew. */
  begin() {
    this.#field = "quantity";
    this.#isFresh = true;
  }

  /**
   * @param {string} sign
   * @param {Node} face
   * @param {string} [label]
   */
  #key(sign, face, label) {
    const key = h("button.key", { type: "button", "aria-label": label, tabindex: "-1" }, face);
    // The field keeps the focus.
    key.addEventListener("pointerdown", (event) => event.preventDefault());
    key.addEventListener("click", () => this.#press(sign));
    return key;
  }

  /** @param {string} sign */
  #press(sign) {
    const { typed } = this.#core.view[this.#field];
    const text = sign === ERASE ? typed.slice(0, -1) : (this.#isFresh ? "" : typed) + sign;
    this.#isFresh = false;
    if (text.length <= LONGEST) this.#core.act("typed", this.#field, text);
  }
}
