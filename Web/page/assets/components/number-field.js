// @ts-check
// A number that a person types or steps. Nothing but the person changes what stands in it.

import { stepped } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { asPasted, asTyped, readTyped } from "../typed-number.js";

/**
 * @typedef {object} Options
 * @property {Wire.Field} name
 * @property {string} label
 * @property {() => string} step
 * @property {() => string | undefined} start where the first step goes
 * @property {(typed: string) => unknown} changed
 * @property {() => string} [last] what may be taken again with a press
 * @property {() => string | undefined} [currency] of an amount (ISO 4217)
 */

/** @type {{[key: string]: number}} */
const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
/** A button that is held steps on after a while, then as often. */
const HOLD_MILLISECONDS = 400;
const REPEAT_MILLISECONDS = 70;
let count = 0;

export class NumberField {
  #input;
  #fault;
  #hint = h("span.number-hint");
  #last = h("button.number-last", { type: "button", hidden: true });
  #options;

  /** @param {Options} options */
  constructor(options) {
    count += 1;
    this.#options = options;
    const id = `number-${count}`;
    this.#fault = h("p.field-error", { id: `${id}-fault`, role: "status" });
    this.#input = h("input.field.number-input", {
      id, type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false",
      maxlength: "40",
      enterkeyhint: "go", name: options.name, "aria-describedby": `${id}-fault`,
    });
    this.#input.addEventListener("input", () => options.changed(this.#input.value));
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("paste", (event) => this.#paste(event));
    this.#last.addEventListener("click", () => {
      this.put(this.#options.last?.() ?? "");
      this.focus();
    });
    this.element = h("div.number-field", { "data-field": options.name },
      h("div.number-head", {}, h("label", { for: id }, options.label), this.#last, this.#hint),
      h("div.stepper", {}, this.#button("−", `Less ${options.name}`, -1), this.#input,
        this.#button("+", `More ${options.name}`, 1)),
      this.#fault);
  }

  /** What stands in the field, as typed. */
  get typed() {
    return this.#input.value;
  }

  /**
   * Puts digits in, written as the reader writes them: because the person asked for it.
   * @param {string} digits
   */
  put(digits) {
    this.show(asTyped(digits));
    this.#options.changed(this.#input.value);
  }

  /**
   * Shows a draft again.
   * @param {string} typed
   */
  show(typed) {
    if (this.#input.value !== typed) this.#input.value = typed;
    const last = this.#options.last?.();
    setAttribute(this.#last, "hidden", !last || typed !== "");
    if (last) setText(this.#last, `Again ${number(last)}`);
  }

  /**
   * Says what is wrong; "" when nothing is.
   * @param {string} fault
   */
  say(fault) {
    setText(this.#fault, fault);
    setAttribute(this.#input, "aria-invalid", fault !== "" ? "true" : null);
  }

  /** @param {string} text */
  hint(text) {
    setText(this.#hint, text);
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  /**
   * @param {string} sign
   * @param {string} label
   * @param {number} steps
   */
  #button(sign, label, steps) {
    const button = h("button.step", { type: "button", "aria-label": label, tabindex: "-1" }, sign);
    let timer = 0;
    let isHeld = false;
    const release = () => {
      clearTimeout(timer);
      removeEventListener("blur", release);
    };
    const repeat = () => {
      if (!button.isConnected || button.disabled || button.closest("[inert]")) return release();
      isHeld = true;
      this.#step(steps);
      timer = setTimeout(repeat, REPEAT_MILLISECONDS);
    };
    button.addEventListener("pointerdown", (event) => {
      isHeld = false;
      release();
      if (event.button !== 0) return;
      timer = setTimeout(repeat, HOLD_MILLISECONDS);
      // What takes the keyboard away from the page takes the finger, too.
      addEventListener("blur", release);
    });
    for (const kind of ["pointerup", "pointerleave", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(kind, release);
    }
    // A long press is for stepping, not for a menu.
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      if (!isHeld) this.#step(steps);
      isHeld = false;
    });
    return button;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = STEPS[event.key];
    if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#step(event.shiftKey && Math.abs(steps) === 1 ? steps * 10 : steps);
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
    this.#input.setRangeText(asPasted(text), start ?? 0, end ?? 0, "end");
    this.#options.changed(this.#input.value);
  }

  /** @param {number} steps */
  #step(steps) {
    const { text } = readTyped(this.#input.value, { currency: this.#options.currency?.() });
    const from = text === "" ? this.#options.start() : text;
    const step = this.#options.step();
    if (text === "" && from !== "0") {
      if (from !== undefined) this.put(from);
      return;
    }
    const next = stepped(from, step, steps);
    if (next !== undefined) this.put(next);
  }
}
