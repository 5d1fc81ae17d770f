// A number that the user types or steps. Only the user changes its content.

import { said } from "../orders/words.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

/**
 * @typedef {object} Options
 * @property {"quantity" | "price" | "protection" | "trigger" | "profit"} name
 * @property {string} label
 * @property {Node} [more] shown beside the label
 */

/** @type {{[key: string]: number}} */
const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
/** A wheel notch is about 100 pixels; a touchpad sends many small deltas. */
const WHEEL_STEP_PIXELS = 50;
let count = 0;

const NAMES = { quantity: t("quantity"), price: t("price"), protection: t("protection"),
  trigger: t("trigger"), profit: t("take-profit price") };

export class NumberField {
  #input;
  #label = h("label");
  #turned = 0;
  #hint = h("span.number-hint");
  #core;
  #name;

  /** @param {TicketCore} core @param {Options} options */
  constructor(core, { name, label, more }) {
    count += 1;
    this.#core = core;
    this.#name = name;
    const id = `number-${count}`;
    /** Its error text; the owner places it. */
    this.fault = h("p.field-error", { id: `${id}-fault`, role: "status", "data-for": name });
    this.#input = h("input.field.number-input", {
      id, type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false",
      maxlength: "40",
      enterkeyhint: "go", name, "aria-describedby": `${id}-fault`,
    });
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("paste", (event) => this.#paste(event));
    this.#input.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    setAttribute(this.#label, "for", id);
    setText(this.#label, label);
    this.element = h("div.number-field", { "data-field": name },
      h("div.number-head", {}, this.#label, more ?? null, this.#hint),
      h("div.stepper", {}, this.#button("−", t("Decrease {name}", { name: NAMES[name] }), -1),
        this.#input,
        this.#button("+", t("Increase {name}", { name: NAMES[name] }), 1)));
  }

  /** @param {boolean} isHidden */
  hide(isHidden) {
    setAttribute(this.element, "hidden", isHidden);
    setAttribute(this.fault, "hidden", isHidden);
  }

  /** @param {string} text */
  name(text) {
    setText(this.#label, text);
  }

  // Shows the field's text and its error.
  /** @param {TicketField} field @param {Format} format */
  show({ typed, hint, fault }, format) {
    if (this.#input.value !== typed) this.#input.value = typed;
    setText(this.#hint, said(hint, format));
    setText(this.fault, said(fault, format));
    setAttribute(this.#input, "aria-invalid", fault !== "" ? "true" : null);
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  #typed() {
    this.#core.act("typed", this.#name, this.#input.value);
  }

  /** @param {string} sign @param {string} label @param {number} steps */
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
      // A page that loses the keyboard loses the pointer, too.
      addEventListener("blur", release);
      this.#core.act("hold", this.#name, steps);
    });
    for (const kind of ["pointerup", "pointerleave", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(kind, release);
    }
    // A long press steps; it opens no menu.
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", () => this.#core.act("click", this.#name, steps));
    return button;
  }

  // The wheel steps only the focused field; over others it scrolls the page.
  /** @param {WheelEvent} event */
  #wheel(event) {
    if (document.activeElement !== this.#input || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL
      ? event.deltaY / WHEEL_STEP_PIXELS : event.deltaY / Math.abs(event.deltaY);
    if (lines * this.#turned < 0) this.#turned = 0;
    this.#turned += lines;
    const steps = Math.trunc(this.#turned);
    if (steps === 0) return;
    this.#turned -= steps;
    this.#core.act("step", this.#name, -steps * (event.shiftKey ? 10 : 1));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = STEPS[event.key];
    if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#core.act("step", this.#name,
      event.shiftKey && Math.abs(steps) === 1 ? steps * 10 : steps);
  }

  // A single-line field would join pasted lines into one number.
  /** @param {ClipboardEvent} event */
  #paste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\r\n\t]/.test(text)) return;
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end } = this.#input;
    this.#input.setRangeText(this.#core.pasted(text), start ?? 0, end ?? 0, "end");
    this.#typed();
  }
}
