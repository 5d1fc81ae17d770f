// @ts-check
// The ticket while it is filled in: side, kind, quantity and limit, the button that goes on, and
// below it, where it moves nothing, what would happen.

import { h, setAttribute, setText } from "../dom.js";
import { NumberField } from "./number-field.js";
import { TicketPreview } from "./ticket-preview.js";

/** @typedef {import("../ticket-core.js").TicketCore} TicketCore */

/** @type {[Wire.Side, string][]} */
const SIDES = [["buy", "Buy"], ["sell", "Sell"]];
/** @type {[TicketView["type"], string][]} */
const TYPES = [["market", "Market"], ["limit", "Limit"]];

export class TicketForm {
  #core;
  #sides = choice("Side", SIDES, (side) => this.#core.act("side", side));
  #types = choice("Kind of order", TYPES, (type) => this.#core.act("type", type));
  #preview = new TicketPreview("What would happen now");
  #reason = h("p.ticket-reason", { role: "status", id: "ticket-reason" });
  #go = h("button.button.ticket-go",
    { type: "submit", "data-main": "", "aria-describedby": "ticket-reason" });

  /**
   * `go()` is a wish to go on.
   * @param {TicketCore} core
   * @param {() => unknown} go
   */
  constructor(core, go) {
    this.#core = core;
    this.quantity = new NumberField(core, { name: "quantity", label: "Quantity", hasLast: true });
    this.price = new NumberField(core, { name: "price", label: "Limit price", hasLast: false });
    this.element = h("form.ticket-form", { novalidate: true, "aria-label": "Order" },
      h("div.ticket-top", {}, this.#sides.element, this.#types.element, this.quantity.element,
        this.price.element),
      h("div.ticket-action", {}, this.#go),
      h("div.ticket-below", {}, this.#reason, this.#preview.element));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      go();
    });
  }

  /** @param {"quantity" | "price" | "button"} part */
  focusOn(part) {
    if (part === "button") this.#go.focus();
    else this[part].focus();
  }

  /**
   * @param {TicketView} view
   * @param {Format} format
   */
  render(view, format) {
    this.#sides.show(view.side);
    this.#types.show(view.type);
    if (this.#core.isReady) {
      this.quantity.show(view.quantity, format, view.last);
      this.price.show(view.price, format);
    }
    setAttribute(this.price.element, "hidden", view.type !== "limit");
    this.#preview.update(view.preview, format);
    setText(this.#go, view.label);
    setAttribute(this.#go, "disabled", view.isClosed);
    showReason(this.#reason, view);
  }
}

/**
 * Why nothing can be sent, or what holds for what is.
 * @param {Element} element
 * @param {TicketView} view
 */
export function showReason(element, { reason, isBlocked }) {
  setText(element, reason);
  setAttribute(element, "hidden", reason === "");
  setAttribute(element, "data-blocked", isBlocked);
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
