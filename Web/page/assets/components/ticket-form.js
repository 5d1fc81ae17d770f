// @ts-check
// The ticket while it is filled in: side, kind, quantity and limit, the button that goes on, and
// below it, where it moves nothing, what would happen.

import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { faultOf, readTyped } from "../typed-number.js";
import { NumberField } from "./number-field.js";
import { said, sideWord } from "./order-words.js";
import { TicketPreview } from "./ticket-preview.js";

/** @typedef {import("../trading.js").Draft} Draft */
/** @typedef {Omit<Wire.Ticket, "clientId">} Order */
/**
 * @typedef {object} FormView
 * @property {Topic.Exchange | undefined} market
 * @property {Wire.Previewed | null} reply
 * @property {Format} format
 * @property {string} blocked
 * @property {string} hint
 * @property {boolean} isChecking
 * @property {boolean} reviews
 */

/** @type {[Wire.Side, string][]} */
const SIDES = [["buy", "Buy"], ["sell", "Sell"]];
/** @type {[Order["type"], string][]} */
const TYPES = [["market", "Market"], ["limit", "Limit"]];

export class TicketForm {
  #sides = choice("Side", SIDES, (side) => this.#change({ side }));
  #types = choice("Kind of order", TYPES, (type) => this.#change({ type }));
  #preview = new TicketPreview("What would happen now");
  #reason = h("p.ticket-reason", { role: "status", id: "ticket-reason" });
  #go = h("button.button.ticket-go",
    { type: "submit", "data-main": "", "aria-describedby": "ticket-reason" });
  #attempted = false;
  #changed;
  /** @type {Partial<Topic.Exchange>} */
  #market = {};

  /**
   * `draft` is kept by the caller; `changed()` follows each change, `go()` a wish to go on.
   * @param {Draft} draft
   * @param {() => unknown} changed
   * @param {() => unknown} go
   */
  constructor(draft, changed, go) {
    this.draft = draft;
    this.#changed = changed;
    this.quantity = new NumberField({
      name: "quantity", label: "Quantity", step: () => this.#market.quantityStep ?? "1",
      start: () => "0",
      changed: (quantity) => this.#change({ quantity }),
      last: () => draft.last,
    });
    this.price = new NumberField({
      name: "price", label: "Limit price", step: () => this.#market.priceStep ?? "0.01",
      start: () => (draft.side === "buy" ? this.#market.ask : this.#market.bid)
        ?? this.#market.price,
      changed: (price) => this.#change({ price }), currency: () => this.#market.currency,
    });
    this.element = h("form.ticket-form", { novalidate: true, "aria-label": "Order" },
      h("div.ticket-top", {}, this.#sides.element, this.#types.element, this.quantity.element,
        this.price.element),
      h("div.ticket-action", {}, this.#go),
      h("div.ticket-below", {}, this.#reason, this.#preview.element));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#attempted = true;
      go();
    });
  }

  /**
   * The order as it stands, in digits with a point; null while something is not filled in.
   * @returns {Order | null}
   */
  get order() {
    const { side, type, quantity, price } = this.draft;
    /** @type {Order} */
    const order = { type, side, quantity: readTyped(quantity).text };
    if (type === "limit") order.price = readTyped(price, this.#market).text;
    return order.quantity === "" || order.price === "" ? null : order;
  }

  /** What is wrong on the face of it, by field. */
  get faults() {
    const { type, quantity, price } = this.draft;
    const faults = { quantity: faultOf("quantity", quantity, { example: "100" }), price: "" };
    const { currency, price: example = "45.10" } = this.#market;
    if (type === "limit") faults.price = faultOf("price", price, { example, currency });
    return faults;
  }

  /**
   * Puts the focus on the first field that has a fault; false when none has.
   * @param {string} field
   */
  focusFault(field = this.faults.quantity ? "quantity" : this.faults.price ? "price" : "") {
    if (field === "price") this.price.focus();
    else if (field === "quantity") this.quantity.focus();
    return field !== "";
  }

  /** Back to the button, or to the quantity while there is a reason that nothing can be sent. */
  focusGo() {
    if (this.#go.disabled) this.quantity.focus();
    else this.#go.focus();
  }

  /** Complaints about what is not filled in begin anew. */
  calm() {
    this.#attempted = false;
  }

  /** @param {FormView} view */
  render({ market, reply, format, blocked, hint, isChecking, reviews }) {
    this.#market = market ?? {};
    const { side, type, quantity, price } = this.draft;
    this.#sides.show(side);
    this.#types.show(type);
    this.quantity.show(quantity);
    this.price.show(price);
    setAttribute(this.price.element, "hidden", type !== "limit");
    if (this.#market.quantityStep) {
      this.quantity.hint(`in steps of ${number(this.#market.quantityStep)}`);
    }
    if (this.#market.priceStep) this.price.hint(`in steps of ${number(this.#market.priceStep)}`);
    this.#complain(reply, format);
    const offered = side === "buy" ? this.#market.askSize : this.#market.bidSize;
    this.#preview.update(reply, this.order ?? {}, format, this.#previewHint(), offered);
    setText(this.#go, `${reviews ? "Review" : "Place"} ${sideWord(side).toLowerCase()} order`);
    setAttribute(this.#go, "disabled", blocked !== "" || isChecking);
    setText(this.#reason, blocked || hint);
    setAttribute(this.#reason, "hidden", (blocked || hint) === "");
    setAttribute(this.#reason, "data-blocked", blocked !== "");
  }

  #previewHint() {
    if (this.order) {
      return this.faults.quantity || this.faults.price ? "" : "Asking what would happen…";
    }
    return this.draft.type === "limit" ? "Enter a quantity and a price to see what would happen."
      : "Enter a quantity to see what would happen.";
  }

  /**
   * What is plainly wrong with a field, or else the server's word on it.
   * @param {Wire.Previewed | null} reply
   * @param {Format} format
   */
  #complain(reply, format) {
    const { faults, draft } = this;
    for (const name of /** @type {const} */ (["quantity", "price"])) {
      const isSpoken = draft[name] !== "" || this.#attempted;
      const refused = draft.refusal?.field === name ? draft.refusal.text : "";
      const answer = reply?.ok === false && reply.field === name ? reply.message : "";
      const fault = (isSpoken && faults[name]) || answer;
      this[name].say(said(fault || refused, format));
    }
  }

  /** @param {Partial<Draft>} values */
  #change(values) {
    Object.assign(this.draft, values, { refusal: null });
    this.#changed();
  }
}

/**
 * Buttons of which one is pressed.
 * @template {string} V
 * @param {string} label
 * @param {[value: V, text: string][]} options
 * @param {(value: V) => unknown} choose
 */
function choice(label, options, choose) {
  const buttons = new Map(options.map(([value, text]) => {
    const button = h("button.choice", { type: "button", "data-value": value }, text);
    button.addEventListener("click", () => choose(value));
    return /** @type {const} */ ([value, button]);
  }));
  const element = h("div.choices", { role: "group", "aria-label": label }, ...buttons.values());
  const show = (/** @type {V} */ value) => {
    for (const [key, button] of buttons) {
      setAttribute(button, "aria-pressed", String(key === value));
    }
  };
  return { element, show };
}
