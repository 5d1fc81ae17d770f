// The amend form in an open order's row: quantity, trigger, price, Save and Discard, and what the
// amended order would trade at once. Input stays until saved or discarded, whatever the market does
// meanwhile.

import { compare } from "../base/decimal.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { isWaiting, said, sideWord, triggerWord } from "./words.js";

/** @typedef {"quantity" | "trigger" | "price"} Name */

let count = 0;

export class AmendForm {
  #trading;
  #id;
  #close;
  #fields;
  #fault = h("p.amend-fault", { role: "status" });
  #save = h("button.button.small", { type: "submit", "data-main": "" }, t("Save"));
  #keep = h("button.button.small", { type: "button" }, t("Discard"));
  /** @type {Topic.Order | null} */
  #order = null;
  /** @type {Format} */
  #format = (text) => text ?? "";
  #isSent = false;

  // `close()` is called when the form is saved or discarded: the row removes it and returns the
  // focus to the button that opened it.
  /** @param {string} id @param {Trading} trading @param {() => unknown} close */
  constructor(id, trading, close) {
    this.#id = id;
    this.#trading = trading;
    this.#close = close;
    count += 1;
    this.#fields = { quantity: field("quantity", t("Quantity")),
      trigger: field("trigger", t("Trigger")), price: field("price", t("Price")) };
    this.#fault.id = `amend-fault-${count}`;
    this.element = h("form.amend-form",
      { novalidate: true, "aria-label": t("Amend order {id}", { id }) },
      ...Object.values(this.#fields).map(({ element }) => element),
      h("div.amend-acts", {}, this.#save, this.#keep), this.#fault);
    this.element.addEventListener("input", ({ target }) => this.#edited(target));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#end();
    });
    this.#keep.addEventListener("click", () => this.#end());
  }

  /** Focuses the first field once the form is in the page. */
  focus() {
    const first = Object.values(this.#fields).find(({ element }) => !element.hidden);
    first?.input.focus();
    first?.input.select();
    this.element.scrollIntoView({ block: "nearest" });
  }

  // Draws the form for the order's current state; `isKnown` is whether the server confirms it.
  /** @param {{order: Topic.Order | undefined, format: Format, isKnown: boolean}} view */
  render({ order, format, isKnown }) {
    if (!this.#order && order) this.#begin(order);
    this.#order = order ?? this.#order;
    this.#format = format;
    const came = this.#trading.amendment(this.#id);
    if (this.#isSent && came?.state === "done") return this.#end();
    const isOver = order === undefined;
    const isWaiting = this.#trading.isAmending(this.#id);
    setText(this.#save, isWaiting ? t("Saving…") : t("Save"));
    setAttribute(this.#save, "disabled", isWaiting || isOver || !isKnown);
    setText(this.#keep, isOver ? t("Close") : t("Discard"));
    const refusal = came?.state === "refused" ? came : undefined;
    if (refusal || isOver) this.#isSent = false;
    if (isOver) this.#say(t("Too late to amend: the order is no longer open."), undefined);
    else if (refusal) {
      this.#say(said(refusal.message, format),
        refusal.field === "profit" ? undefined : refusal.field);
    }
    else this.#preview();
  }

  /** @param {Topic.Order} order */
  #begin(order) {
    const { ticket } = this.#trading;
    for (const [name, value] of Object.entries(valuesOf(order))) {
      const { input, element, label } = this.#fields[/** @type {Name} */ (name)];
      input.value = ticket.writeNumber(value ?? "");
      element.hidden = value === undefined;
      if (name === "trigger" && order.trigger) setText(label, triggerLabel(order.trigger));
    }
    setText(this.#keep, t("Discard"));
    setAttribute(this.element, "data-side", order.side);
    setAttribute(this.element, "aria-label",
      `${t("Amend order {id}", { id: this.#id })}: ${sideWord(order.side)}`);
  }

  /** Only the fields that differ from the order, so that a fill meanwhile is not undone. */
  #change() {
    const { ticket } = this.#trading;
    /** @type {Name | null} */
    let wrong = null;
    /** @type {{[name in Name]?: string}} */
    const change = {};
    const values = this.#order ? valuesOf(this.#order) : {};
    for (const [key, value] of Object.entries(values)) {
      const name = /** @type {Name} */ (key);
      if (value === undefined) continue;
      const typed = ticket.readNumber(this.#fields[name].input.value, name !== "quantity");
      if (typed === "") wrong ??= name;
      else if (compare(typed, value) !== 0) change[name] = typed;
    }
    return { wrong, change };
  }

  // Clears a field's error once it is edited.
  /** @param {EventTarget | null} target */
  #edited(target) {
    if (target instanceof HTMLElement && target.hasAttribute("aria-invalid")) {
      this.#trading.forgetAmendment(this.#id);
      this.#say("", undefined);
    }
    this.#preview();
  }

  /** Shows what saving would trade at once, in place of the message. */
  #preview() {
    const isFault = Object.values(this.#fields)
      .some(({ input }) => input.hasAttribute("aria-invalid"));
    if (isFault || !this.#order) return;
    const { wrong, change } = this.#change();
    const crossing = wrong || Object.keys(change).length === 0 ? null
      : this.#trading.crossing(this.#id, change);
    setAttribute(this.#fault, "data-crossing", crossing !== null);
    setText(this.#fault, crossing
      ? [`${said(crossing.text, this.#format)}.`, said(crossing.rest, this.#format)].join(" ")
      : "");
  }

  #send() {
    if (!this.#order || this.#trading.isAmending(this.#id)) return;
    this.#trading.forgetAmendment(this.#id);
    const { wrong, change } = this.#change();
    if (wrong) {
      this.#say(wrong === "quantity" ? t("The quantity must be a number in plain digits.")
        : t("The price must be a number in plain digits."), wrong);
      this.#fields[wrong].input.focus();
      return;
    }
    if (Object.keys(change).length === 0) return this.#end();
    this.#say("", undefined);
    this.#isSent = true;
    this.#trading.amend(this.#id, change);
  }

  #end() {
    this.#trading.forgetAmendment(this.#id);
    this.#close();
  }

  /** @param {string} text @param {Name | undefined} name */
  #say(text, name) {
    setText(this.#fault, text);
    setAttribute(this.#fault, "data-crossing", null);
    for (const [key, { input }] of Object.entries(this.#fields)) {
      setAttribute(input, "aria-invalid", key === name ? "true" : null);
      setAttribute(input, "aria-describedby", key === name ? this.#fault.id : null);
    }
  }
}

// What can be changed: the quantity of an order that follows no other's, the trigger while it
// waits, and the limit.
/** @param {Topic.Order} order @returns {{[name in Name]: string | undefined}} */
function valuesOf(order) {
  const { trigger, link } = order;
  const isLeg = trigger !== undefined && link !== undefined;
  return { quantity: isLeg ? undefined : order.quantity,
    trigger: isWaiting(order) ? trigger?.trail ?? trigger?.trailPercent ?? trigger?.price
      : undefined,
    price: order.limit };
}

/** @param {NonNullable<Topic.Order["trigger"]>} trigger */
const triggerLabel = (trigger) => (trigger.trailPercent ? t("Trails by (%)")
  : trigger.trail ? t("Trails by") : triggerWord(trigger));

/** @param {Name} name @param {string} text */
function field(name, text) {
  const input = h("input.field.amend-input", {
    type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", maxlength: "40",
    name: `amend-${name}`, enterkeyhint: "done",
  });
  const label = h("span", {}, text);
  return { input, label, element: h("label.amend-field", {}, label, input) };
}
