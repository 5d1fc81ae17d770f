// The ticket while it is filled in: side, kind, quantity, limit or protection price, what would
// happen, in a room of its own, and the button that goes on.

import { said } from "../orders/words.js";
import { number } from "../text/format.js";
import { t, told } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { NumberField } from "./number-field.js";

// Quantities to take with one press: shares of what is offered at the best price, and that of the
// order before. They keep their places, whether they can be pressed or not.
const SHARES = [25, 50, 100];

class TicketPresets {
  #shares;
  #last = h("button.preset", { type: "button" });

  /** @param {TicketCore} core */
  constructor(core) {
    this.#shares = SHARES.map((percent) => {
      const button = h("button.preset", { type: "button" }, `${number(String(percent))} %`);
      button.addEventListener("click", () => core.act("share", percent));
      return button;
    });
    this.#last.addEventListener("click", () => core.act("last"));
    this.element = h("div.presets", { role: "group", "aria-label": t("Quantities") },
      ...this.#shares, this.#last);
  }

  /** @param {TicketView} view */
  show({ shares, last, side }) {
    this.#shares.forEach((button, at) => {
      const share = shares[at];
      const quantity = share?.quantity;
      const part = { share: number(String(SHARES[at])) };
      const what = side === "buy" ? t("{share} % of what is offered at the best price", part)
        : t("{share} % of what is wanted at the best price", part);
      const text = quantity ? `${number(quantity)}: ${what}` : `${what}: ${t("not known")}`;
      setAttribute(button, "disabled", !quantity);
      setAttribute(button, "title", text);
      setAttribute(button, "aria-label", text);
    });
    setAttribute(this.#last, "disabled", last === "");
    setText(this.#last, t("Last {quantity}", { quantity: last === "" ? "–" : number(last) }));
    setAttribute(this.#last, "aria-label", last === "" ? t("No quantity before")
      : t("Last quantity, {quantity}", { quantity: number(last) }));
  }
}

// What an order would take now, in figures: the server's answer, never the page's own guess.
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

  /** @param {TicketPreviewView} preview @param {Format} format */
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

// Sell at the left and Buy at the right, as bid and ask are everywhere.
/** @type {[Wire.Side, string][]} */
const SIDES = [["sell", t("Sell")], ["buy", t("Buy")]];
/** @type {[TicketView["type"], string][]} */
const TYPES = [["market", t("Market", {}, "order")], ["limit", t("Limit")]];
/** @type {[TicketView["timeInForce"], string, string][]} */
const VALIDITIES = [
  ["gtc", "GTC", t("Good till cancelled: what is not filled now rests")],
  ["ioc", "IOC", t("Immediate or cancel: what is not filled now is cancelled")],
  ["fok", "FOK", t("Fill or kill: all of it now, or nothing")],
];

export class TicketForm {
  #core;
  #sides = choice(t("Side"), SIDES, (side) => this.#core.act("side", side));
  #types = choice(t("Kind of order"), TYPES, (type) => this.#core.act("type", type));
  #validity = h("select.validity", { "aria-label": t("How long it holds") },
    ...VALIDITIES.map(([value, text, title]) => h("option", { value, title }, text)));
  #presets;
  #preview;
  #again = h("button.ticket-again", { type: "button", hidden: true });
  #reason = h("p.ticket-reason", { role: "status", id: "ticket-reason" });
  #go = h("button.button.ticket-go",
    { type: "submit", "data-main": "", "aria-describedby": "ticket-reason" });

  // `go()` asks to go on.
  /** @param {TicketCore} core @param {() => unknown} go */
  constructor(core, go) {
    this.#core = core;
    this.#presets = new TicketPresets(core);
    this.quantity = new NumberField(core, { name: "quantity", label: t("Quantity") });
    this.price = new NumberField(core,
      { name: "price", label: t("Limit price"), more: this.#validity });
    this.protection = new NumberField(core, { name: "protection", label: t("At most") });
    this.#preview = new TicketPreview(t("What would happen now"),
      [this.quantity.fault, this.price.fault, this.protection.fault]);
    this.#validity.addEventListener("change", () => core.act("validity", this.#validity.value));
    this.#again.addEventListener("click", () => core.act("again"));
    this.element = h("form.ticket-form", { novalidate: true, "aria-label": t("Order") },
      h("div.ticket-top", {}, this.#sides.element, this.#types.element, this.quantity.element,
        this.#presets.element, this.price.element, this.protection.element, this.#preview.element),
      h("div.ticket-rest", {}, h("div.ticket-action", {}, this.#go),
        h("div.ticket-below", {}, this.#reason, this.#again)));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      go();
    });
  }

  /** @param {"quantity" | "price" | "protection" | "button"} part */
  focusOn(part) {
    if (part === "button") this.#go.focus();
    else this[part].focus();
  }

  /** @param {TicketView} view @param {Format} format */
  render(view, format) {
    this.#sides.show(view.side);
    this.#types.show(view.type);
    this.quantity.show(view.quantity, format);
    this.price.show(view.price, format);
    this.protection.show(view.protection, format);
    this.protection.name(view.side === "buy" ? t("At most") : t("At least"));
    this.#presets.show(view);
    if (this.#validity.value !== view.timeInForce) this.#validity.value = view.timeInForce;
    setAttribute(this.#validity, "title",
      VALIDITIES.find(([value]) => value === view.timeInForce)?.[2]);
    this.price.hide(view.type !== "limit");
    this.protection.hide(view.type !== "market");
    setAttribute(this.#again, "hidden", !view.again || view.quantity.typed !== "");
    setText(this.#again, t("Repeat: {order}", { order: said(view.again, format) }));
    // Why nothing can be sent is said where figures would stand: below the button it may be out of
    // sight.
    this.#preview.update(view.isBlocked
      ? { ...view.preview, kind: "refused", remainder: view.reason } : view.preview, format);
    setText(this.#go, told(view.label));
    setAttribute(this.#go, "disabled", view.isClosed);
    showReason(this.#reason, view);
    setAttribute(this.#reason, "data-above", view.isBlocked);
  }
}

// Why nothing can be sent, or what holds for what is.
/** @param {Element} element @param {TicketView} view */
export function showReason(element, { reason, isBlocked }) {
  setText(element, told(reason));
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
