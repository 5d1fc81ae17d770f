// For pages without room for the ticket beside the chart: Sell and Buy with their prices at the
// bottom, and a sheet with the ticket.

import { number, numberSigns } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, icon, setAttribute, setText } from "../ui/dom.js";
import { PressGuard } from "../ui/press-guard.js";

// The phone ticket's keypad: the system keyboard would cover the ticket.
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const ERASE = "erase";
const LONGEST = 40;

class Keypad {
  #core;
  /** @type {Wire.Field} */
  #field = "quantity";
  /** Whether the next digit replaces the number. */
  #isFresh = true;

  // Types into the field of `form` that has the focus, or had it last.
  /** @param {TicketCore} core @param {HTMLElement} form */
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

  /** Call when the ticket opens: the next digit replaces the quantity. */
  begin() {
    this.#field = "quantity";
    this.#isFresh = true;
  }

  /** @param {string} sign @param {Node} face @param {string} [label] */
  #key(sign, face, label) {
    const key = h("button.key", { type: "button", "aria-label": label, tabindex: "-1" }, face);
    // Keep the focus in the field.
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

export class TicketSheet {
  #core;
  #ticket;
  #keypad;
  #guard;
  #sell = new Side("sell", t("Sell"));
  #buy = new Side("buy", t("Buy"));
  #close = h("button.icon-button.sheet-close",
    { type: "button", "aria-label": t("Close the ticket") },
    icon("close"));
  #bodyOfSheet = h("div.ticket-sheet-body");
  #bid = h("b");
  #ask = h("b");
  #prices = h("p.sheet-price", {}, `${t("Bid")} `, this.#bid, ` · ${t("Ask")} `, this.#ask);
  /** @type {HTMLElement | null} */
  #opener = null;
  /** Called before the sheet opens. */
  opening = () => {};
  /** Called after a key has opened the sheet. */
  openedByKey = () => {};

  /**
   * @param {TicketCore} core
   * @param {HTMLElement} ticket the ticket's element, which is here while the sheet is needed
   */
  constructor(core, ticket) {
    this.#core = core;
    this.#ticket = ticket;
    this.#keypad = new Keypad(core, ticket);
    this.bar = h("div.trade-bar", { role: "group", "aria-label": t("Trade") }, this.#sell.element,
      this.#buy.element);
    this.element = h("section.ticket-sheet", { "aria-label": t("Ticket"), hidden: true },
      h("header.ticket-sheet-head", {}, this.#prices, this.#close), this.#bodyOfSheet,
      this.#keypad.element);
    this.#guard = new PressGuard(this.element);
    this.#close.addEventListener("click", () => this.close());
    for (const side of [this.#sell, this.#buy]) {
      side.element.addEventListener("click", ({ detail }) => {
        this.open(side.side, side.element);
        if (detail === 0) this.openedByKey();
      });
    }
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Moves the ticket from beside the chart into the sheet. */
  adopt() {
    if (this.#ticket.parentElement === this.#bodyOfSheet) return;
    this.#bodyOfSheet.append(this.#ticket);
    const mode = matchMedia("(pointer: coarse)").matches ? "none" : "decimal";
    for (const input of this.#ticket.querySelectorAll("input")) {
      setAttribute(input, "inputmode", mode);
    }
  }

  /**
   * Opens the ticket on a side: for a new order once the last one's result is available.
   * @param {Wire.Side} side
   * @param {HTMLElement} opener gets the focus when the sheet closes
   */
  open(side, opener) {
    this.#opener = opener;
    this.opening();
    if (this.#core.view.phase === "sent") this.#core.act("next");
    if (this.#core.view.phase === "form") this.#core.act("side", side);
    setAttribute(this.element, "hidden", false);
    setAttribute(this.bar, "data-open", true);
    this.#guard.changed();
    this.#keypad.begin();
    this.#ticket.focus({ preventScroll: true });
  }

  /** Closes the sheet; false if it was closed. */
  close() {
    if (!this.isOpen) return false;
    setAttribute(this.element, "hidden", true);
    setAttribute(this.bar, "data-open", false);
    this.#opener?.focus({ preventScroll: true });
    return true;
  }

  /** @param {TicketMarket} market @param {Seen} freshness @param {Format} format */
  render({ bid, bidSize, ask, askSize }, { dimmed }, format) {
    setText(this.#bid, format(bid));
    setText(this.#ask, format(ask));
    setAttribute(this.#prices, "data-dimmed", dimmed);
    this.#sell.update(bid, bidSize, dimmed, format);
    this.#buy.update(ask, askSize, dimmed, format);
  }
}

class Side {
  #price = h("b");
  #size = h("small");

  /** @param {Wire.Side} side @param {string} word */
  constructor(side, word) {
    this.side = side;
    this.element = h(`button.trade-side.trade-${side}`, { type: "button" },
      h("span", {}, word, " ", this.#price), this.#size);
  }

  /**
   * @param {string | undefined} price
   * @param {string | undefined} size
   * @param {boolean} dimmed
   * @param {Format} format
   */
  update(price, size, dimmed, format) {
    setText(this.#price, format(price));
    setText(this.#size, size === undefined ? ""
      : t("{quantity} at this price", { quantity: number(size) }));
    setAttribute(this.element, "data-dimmed", dimmed);
  }
}
