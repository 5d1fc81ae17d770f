// @ts-check
// A number that a person types or steps. Nothing but the person changes what stands in it.

import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { said } from "./order-words.js";

/** @typedef {import("../ticket-core.js").TicketCore} TicketCore */
/**
 * @typedef {object} Options
 * @property {Wire.Field} name
 * @property {string} label
 * @property {boolean} hasLast whether the last order's number may be taken again with a press
 */

/** @type {{[key: string]: number}} */
const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
let count = 0;

export class NumberField {
  #input;
  #fault;
  #hint = h("span.number-hint");
  #last = h("button.number-last", { type: "button", hidden: true });
  #core;
  #name;

  /**
   * @param {TicketCore} core
   * @param {Options} options
   */
  constructor(core, { name, label, hasLast }) {
    count += 1;
    this.#core = core;
    this.#name = name;
    const id = `number-${count}`;
    this.#fault = h("p.field-error", { id: `${id}-fault`, role: "status" });
    this.#input = h("input.field.number-input", {
      id, type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false",
      maxlength: "40",
      enterkeyhint: "go", name, "aria-describedby": `${id}-fault`,
    });
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("paste", (event) => this.#paste(event));
    if (hasLast) this.#last.addEventListener("click", () => core.act("last"));
    this.element = h("div.number-field", { "data-field": name },
      h("div.number-head", {}, h("label", { for: id }, label), this.#last, this.#hint),
      h("div.stepper", {}, this.#button("−", `Less ${name}`, -1), this.#input,
        this.#button("+", `More ${name}`, 1)),
      this.#fault);
  }

  /**
   * Shows what stands in the field, what is wrong with it, and what may be taken again.
   * @param {TicketField} field
   * @param {Format} format
   * @param {string} last
   */
  show({ typed, hint, fault }, format, last = "") {
    if (this.#input.value !== typed) this.#input.value = typed;
    setText(this.#hint, said(hint, format));
    setText(this.#fault, said(fault, format));
    setAttribute(this.#input, "aria-invalid", fault !== "" ? "true" : null);
    setAttribute(this.#last, "hidden", last === "" || typed !== "");
    if (last !== "") setText(this.#last, `Again ${number(last)}`);
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  #typed() {
    this.#core.act("typed", this.#name, this.#input.value);
  }

  /**
   * @param {string} sign
   * @param {string} label
   * @param {number} steps
   */
  #button(sign, label, steps) {
    const button = h("button.step", { type: "button", "aria-label": label, tabindex: "-1" }, sign);
    let isDown = false;
    const release = () => {
      if (!isDown) return;
      isDown = false;
      removeEventListener("blur", release);
      this.#core.act("release");
    };
    button.addEventListener("pointerdown", (event) => {
      release();
      if (event.button !== 0) return;
      isDown = true;
      // What takes the keyboard away from the page takes the finger, too.
      addEventListener("blur", release);
      this.#core.act("hold", this.#name, steps);
    });
    for (const kind of ["pointerup", "pointerleave", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(kind, release);
    }
    // A long press is for stepping, not for a menu.
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", () => this.#core.act("click", this.#name, steps));
    return button;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = STEPS[event.key];
    if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#core.act("step", this.#name,
      event.shiftKey && Math.abs(steps) === 1 ? steps * 10 : steps);
  }

  /**
   * A field of one line would join the lines of what is pasted into one number.
   * @param {ClipboardEvent} event
   */
  #paste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\r\n\t]/.test(text)) return;
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end } = this.#input;
    this.#input.setRangeText(this.#core.pasted(text), start ?? 0, end ?? 0, "end");
    this.#typed();
  }
}
