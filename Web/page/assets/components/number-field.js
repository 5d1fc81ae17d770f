// A number that a person types or steps. Nothing but the person changes what stands in it.

import { stepped } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { asTyped, readTyped } from "../typed-number.js";

const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
let count = 0;

export class NumberField {
  #input;
  #fault;
  #hint = h("span.number-hint");
  #options;

  /** `options`: name ("quantity"), label, step(), start() for the first step, changed(typed). */
  constructor(options) {
    count += 1;
    this.#options = options;
    const id = `number-${count}`;
    this.#fault = h("p.field-error", { id: `${id}-fault`, role: "status" });
    this.#input = h("input.field.number-input", {
      id, type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", maxlength: "40",
      enterkeyhint: "go", name: options.name, "aria-describedby": `${id}-fault`,
    });
    this.#input.addEventListener("input", () => options.changed(this.#input.value));
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.element = h("div.number-field", { "data-field": options.name },
      h("div.number-head", {}, h("label", { for: id }, options.label), this.#hint),
      h("div.stepper", {}, this.#button("−", `Less ${options.name}`, -1), this.#input, this.#button("+", `More ${options.name}`, 1)),
      this.#fault);
  }

  /** What stands in the field, as typed. */
  get typed() {
    return this.#input.value;
  }

  /** Puts digits in, written as the reader writes them: because the person asked for it. */
  put(digits) {
    this.show(asTyped(digits));
    this.#options.changed(this.#input.value);
  }

  /** Shows a draft again. */
  show(typed) {
    if (this.#input.value !== typed) this.#input.value = typed;
  }

  /** Says what is wrong; "" when nothing is. */
  say(fault) {
    setText(this.#fault, fault);
    setAttribute(this.#input, "aria-invalid", fault !== "" ? "true" : null);
  }

  hint(text) {
    setText(this.#hint, text);
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  #button(sign, label, steps) {
    const button = h("button.step", { type: "button", "aria-label": label, tabindex: "-1" }, sign);
    button.addEventListener("click", () => this.#step(steps));
    return button;
  }

  #key(event) {
    const steps = STEPS[event.key];
    if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#step(event.shiftKey && Math.abs(steps) === 1 ? steps * 10 : steps);
  }

  #step(steps) {
    const { text } = readTyped(this.#input.value);
    const from = text === "" ? this.#options.start() : text;
    const step = this.#options.step();
    if (text === "" && from !== "0") return from === undefined ? undefined : this.put(from);
    const next = stepped(from, step, steps);
    if (next !== undefined) this.put(next);
  }
}
