// The amend form in an open order's row: quantity, price, Save and Discard, and what the amended
// order would trade at once. Input stays until saved or discarded, whatever the market does
// meanwhile.

import { compare } from "../base/decimal.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { said, sideWord } from "./words.js";

/** @typedef {"quantity" | "price"} Name */

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
      price: field("price", t("Price")) };
    this.#fault.id = `amend-fault-${count}`;
    this.element = h("form.amend-form",
      { novalidate: true, "aria-label": t("Amend order {id}", { id }) },
      this.#fields.quantity.element, this.#fields.price.element,
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

  /** Focuses the quantity once the form is in the page. */
  focus() {
    const { input } = this.#fields.quantity;
    input.focus();
    input.select();
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
      // A waiting order has a trigger, and can't be amended.
      this.#say(said(refusal.message, format),
        refusal.field === "quantity" || refusal.field === "price" ? refusal.field : undefined);
    }
    else this.#preview();
  }

  /** @param {Topic.Order} order */
  #begin(order) {
    const { ticket } = this.#trading;
    this.#fields.quantity.input.value = ticket.writeNumber(order.quantity);
    this.#fields.price.input.value = ticket.writeNumber(order.limit ?? "");
    setText(this.#keep, t("Discard"));
    setAttribute(this.element, "data-side", order.side);
    setAttribute(this.element, "aria-label",
      `${t("Amend order {id}", { id: this.#id })}: ${sideWord(order.side)}`);
  }

  /** Only the fields that differ from the order, so that a fill meanwhile is not undone. */
  #change() {
    const { ticket } = this.#trading;
    const quantity = ticket.readNumber(this.#fields.quantity.input.value, false);
    const price = ticket.readNumber(this.#fields.price.input.value, true);
    const order = this.#order;
    /** @type {Name | null} */
    const wrong = quantity === "" ? "quantity" : price === "" ? "price" : null;
    return { wrong, change: {
      ...(compare(quantity, order?.quantity) !== 0 && { quantity }),
      ...(compare(price, order?.limit) !== 0 && { price }),
    } };
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
      this.#say(wrong === "price" ? t("The price must be a number in plain digits.")
        : t("The quantity must be a number in plain digits."), wrong);
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

/** @param {Name} name @param {string} label */
function field(name, label) {
  const input = h("input.field.amend-input", {
    type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", maxlength: "40",
    name: `amend-${name}`, enterkeyhint: "done",
  });
  return { input, element: h("label.amend-field", {}, h("span", {}, label), input) };
}
