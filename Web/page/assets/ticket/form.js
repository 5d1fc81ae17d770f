// The ticket's form: side, type, quantity, limit or protection price, a preview in a fixed space,
// and the button that continues.

import { compare, sum } from "../base/decimal.js";
import { said } from "../orders/words.js";
import { number } from "../text/format.js";
import { sentence, t } from "../text/texts.js";
import { h, oneStop, setAttribute, setText } from "../ui/dom.js";
import { NumberField } from "./number-field.js";

// One-press quantities: shares of the size at the best price, and the last order's quantity. They
// keep their places even when disabled.
const SHARES = [25, 50, 100];

class TicketPresets {
  #shares;
  #last = h("button.preset.preset-last", { type: "button" });
  #reduce = h("button.preset", { type: "button",
    title: t("Only closes your position: no fill opens or enlarges one") }, t("Reduce"));

  /** @param {TicketCore} core */
  constructor(core) {
    this.#shares = SHARES.map((percent) => {
      const button = h("button.preset", { type: "button" },
        t("{share}%", { share: number(String(percent)) }));
      button.addEventListener("click", () => core.act("share", percent));
      return button;
    });
    this.#last.addEventListener("click", () => core.act("last"));
    this.element = oneStop(h("div.presets", { role: "group", "aria-label": t("Quantities") },
      ...this.#shares, this.#last, this.#reduce));
    this.#reduce.addEventListener("click", () =>
      core.act("reduceOnly", core.view.reduceOnly ? "" : "1"));
  }

  /** @param {TicketView} view */
  show({ shares, last, side, reduceOnly }) {
    setAttribute(this.#reduce, "aria-pressed", String(Boolean(reduceOnly)));
    this.#shares.forEach((button, at) => {
      const share = shares[at];
      const quantity = share?.quantity;
      const part = { share: number(String(SHARES[at])) };
      const what = side === "buy" ? t("{share}% of what is offered at the best price", part)
        : t("{share}% of what is wanted at the best price", part);
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

// What an order would trade now, as computed by the server, never by the page.
export class TicketPreview {
  #taken = fact(t("Fills now"));
  #total = fact("");
  #after = fact(t("Position after"));
  #remainder = h("p.preview-left");
  #bound = h("p.preview-bound");
  #facts = h("dl.preview-facts", {}, this.#taken.element, this.#total.element,
    this.#after.element);

  /**
   * @param {string} label
   * @param {HTMLElement[]} faults the errors that prevent a preview: shown in its place, so that
   *   nothing below moves
   */
  constructor(label, faults = []) {
    this.element = h("div.preview", { role: "group", "aria-label": label }, ...faults,
      this.#facts, this.#remainder, this.#bound);
  }

  /** @param {TicketPreviewView} view @param {Format} format @param {Wire.Side} side */
  update(view, format, side) {
    const { isEmpty, taken, together, worst, fee, slippage, position } = view;
    const { remainder, kind } = view;
    const notes = [view.bound, view.latency].filter(Boolean)
      .map((note) => said(note, format)).join(" ");
    this.#total.name(side === "buy" ? t("Est. cost") : t("Est. proceeds"));
    const text = said(remainder, format);
    setAttribute(this.element, "data-empty", isEmpty);
    setAttribute(this.#facts, "hidden", !taken);
    setText(this.#remainder, text);
    setAttribute(this.#remainder, "hidden", text === "");
    setAttribute(this.#remainder, "data-kind", kind);
    setText(this.#bound, notes);
    setAttribute(this.#bound, "hidden", !notes);
    setAttribute(this.element, "data-quiet", !taken && text === "");
    if (!taken) return;
    const [fill, total] = [said(taken, format), said(together ?? "–", format)];
    this.#taken.set(worst ? t("{fill}, worst {price}", { fill, price: said(worst, format) })
      : fill);
    const after = said(position ?? "–", format);
    this.#after.set(slippage ? t("{position}, slippage {points} bp",
      { position: after, points: said(slippage, format) }) : after);
    this.#total.set(fee ? t("{amount}, fee {fee}", { amount: total, fee: said(fee, format) })
      : total);
  }
}

/** @param {string} label */
function fact(label) {
  const [name, text] = [h("dt", {}, label), h("dd")];
  return { element: h("div", {}, name, text),
    name: (/** @type {string} */ value) => setText(name, value),
    set: (/** @type {string} */ value) => setText(text, value) };
}

/**
 * The input of the side buttons.
 * @typedef {object} Quote
 * @property {Format} format
 * @property {boolean} dimmed
 * @property {OwnRows} orders own open orders
 * @property {boolean} isKnown whether they are current
 */

// One side of the ticket, with the price at which it trades at once: the best bid to sell, the best
// ask to buy. Own orders at that price are marked.
class SideButton {
  #price = h("span.side-price");
  #size = h("span.side-size");
  #own = h("span.side-own", { hidden: true });
  #best = "";

  /** @param {Wire.Side} side @param {(side: Wire.Side, price: string) => unknown} choose */
  constructor(side, choose) {
    this.side = side;
    const [word, best] = side === "sell" ? [t("Sell"), t("Best bid")] : [t("Buy"), t("Best ask")];
    this.element = h("button.choice.side", { type: "button", "data-value": side },
      h("span.side-line", {}, h("span", {}, word), h("span.unseen", {}, ` ${best} `), this.#price),
      h("span.side-line", {}, h("span.unseen", {}, ` ${t("Quantity")} `), this.#size, this.#own));
    this.element.addEventListener("click", () => choose(side, this.#best));
  }

  /** @param {TicketMarket} market @param {Quote} quote */
  update({ bid, bidSize, ask, askSize }, { format, dimmed, orders, isKnown }) {
    const [price, size] = this.side === "sell" ? [bid, bidSize] : [ask, askSize];
    this.#best = price ?? "";
    setText(this.#price, format(price));
    setText(this.#size, number(size));
    setAttribute(this.element, "data-dimmed", dimmed);
    const here = Object.values(orders).filter(({ type, limit }) =>
      type === "limit" && price !== undefined && compare(limit, price) === 0);
    setAttribute(this.#own, "hidden", here.length === 0);
    setAttribute(this.#own, "data-dimmed", !isKnown);
    setText(this.#own, here.length === 0 ? ""
      : t("yours {quantity}", { quantity: number(sum(here.map((order) => order.open))) }));
    setAttribute(this.#own, "title", isKnown ? null : t("as last heard"));
  }
}

/** @type {[TicketView["type"], string][]} */
const TYPES = [["market", t("Market", {}, "order")], ["limit", t("Limit")]];
/** @type {[TicketView["timeInForce"], string, string][]} */
const VALIDITIES = [
  ["gtc", "GTC", t("Good till cancelled: unfilled quantity stays open")],
  ["ioc", "IOC", t("Immediate or cancel: unfilled quantity is cancelled")],
  ["fok", "FOK", t("Fill or kill: all of it now, or nothing")],
  ["post", t("Post"), t("Post-only: rests, or is refused if it would trade at once")],
  ["hour", t("1h"), t("Good for an hour, then cancelled")],
  ["day", t("1d"), t("Good for a day, then cancelled")],
  ["week", t("1w"), t("Good for a week, then cancelled")],
  ["posthour", `${t("Post")} ${t("1h")}`, t("Post-only for an hour, then cancelled")],
  ["postday", `${t("Post")} ${t("1d")}`, t("Post-only for a day, then cancelled")],
  ["postweek", `${t("Post")} ${t("1w")}`, t("Post-only for a week, then cancelled")],
];

/** @type {[TicketView["condition"], string, string][]} */
const CONDITIONS = [
  ["none", t("At once"), t("Works at once")],
  ["stop", t("Stop", {}, "order"),
    t("Waits for a trade at its trigger or beyond, against the order")],
  ["takeProfit", t("Take profit"), t("Waits for a trade at its trigger or better")],
  ["trail", t("Trailing"),
    t("A stop that follows the best traded price at a distance in price")],
  ["trailPercent", t("Trailing %"),
    t("A stop that follows the best traded price at a distance in percent")],
  ["oco", t("OCO"), t("One cancels the other: a limit order and a stop")],
  ["bracket", t("Bracket"), t("A stop and a take-profit for what the order fills")],
];

export class TicketForm {
  #core;
  // Sell on the left and Buy on the right, like bid and ask everywhere.
  #sides = [new SideButton("sell", (side, price) => this.#choose(side, price)),
    new SideButton("buy", (side, price) => this.#choose(side, price))];
  #types = choice(t("Order type"), TYPES, (type) => this.#core.act("type", type));
  #validity = h("select.validity", { "aria-label": t("Time in force") },
    ...VALIDITIES.map(([value, text, title]) => h("option", { value, title }, text)));
  #condition = h("select.validity", { "aria-label": t("When") },
    ...CONDITIONS.map(([value, text, title]) => h("option", { value, title }, text)));
  #presets;
  #prices;
  #preview;
  /** @type {TicketView | null} */
  #view = null;
  #again = h("button.ticket-again", { type: "button", hidden: true });
  #reason = h("p.ticket-reason", { role: "status", id: "ticket-reason" });
  #go = h("button.button.ticket-go",
    { type: "submit", "data-main": "", "aria-describedby": "ticket-reason" });

  // `go()` requests the next step.
  /** @param {TicketCore} core @param {() => unknown} go */
  constructor(core, go) {
    this.#core = core;
    this.#presets = new TicketPresets(core);
    this.quantity = new NumberField(core, { name: "quantity", label: t("Quantity") });
    this.price = new NumberField(core, { name: "price", label: t("Limit price") });
    this.protection = new NumberField(core, { name: "protection", label: t("Max price") });
    this.trigger = new NumberField(core, { name: "trigger", label: t("Trigger") });
    this.profit = new NumberField(core, { name: "profit", label: t("Take profit") });
    this.#prices = h("div.ticket-prices", {}, this.price.element, this.trigger.element,
      this.profit.element, this.protection.element);
    this.#preview = new TicketPreview(t("Order preview"),
      [this.quantity, this.trigger, this.profit, this.price, this.protection]
        .map(({ fault }) => fault));
    this.#condition.addEventListener("change",
      () => core.act("condition", this.#condition.value));
    this.#validity.addEventListener("change", () => core.act("validity", this.#validity.value));
    this.#again.addEventListener("click", () => core.act("again"));
    this.element = h("form.ticket-form", { novalidate: true, "aria-label": t("Order") },
      h("div.ticket-top", {},
        oneStop(h("div.choices.sides", { role: "group", "aria-label": t("Side") },
          ...this.#sides.map(({ element }) => element))),
        h("div.ticket-terms", {}, this.#types.element, this.#condition, this.#validity),
        this.quantity.element, this.#presets.element, this.#prices, this.#preview.element),
      h("div.ticket-rest", {}, h("div.ticket-action", {}, this.#go),
        h("div.ticket-below", {}, this.#reason, this.#again)));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      go();
    });
  }

  // Selects a side. A limit order gets the side's best price if it has none, and whenever the
  // selected side is pressed again.
  /** @param {Wire.Side} side @param {string} price */
  #choose(side, price) {
    const { type, side: before, price: { typed } } = this.#view ?? this.#core.view;
    if (type === "limit" && price !== "" && (typed === "" || side === before)) {
      this.#core.act("takeOffer", price, side);
    } else {
      this.#core.act("side", side);
    }
  }

  // Shows best bid and ask, at which the sides trade at once.
  /** @param {TicketMarket} market @param {Quote} quote */
  quote(market, quote) {
    for (const side of this.#sides) side.update(market, quote);
  }

  /** @param {"quantity" | "price" | "trigger" | "profit" | "protection" | "button"} part */
  focusOn(part) {
    if (part === "button") this.#go.focus();
    else this[part].focus();
  }

  /** @param {TicketView} view @param {Format} format */
  render(view, format) {
    this.#view = view;
    for (const { side, element } of this.#sides) {
      setAttribute(element, "aria-pressed", String(side === view.side));
    }
    this.#types.show(view.type);
    this.quantity.show(view.quantity, format);
    this.price.show(view.price, format);
    this.protection.show(view.protection, format);
    this.trigger.show(view.trigger, format);
    this.profit.show(view.profit, format);
    const waits = view.condition !== "none";
    const isBracket = view.condition === "bracket";
    const fields = Number(view.type === "limit") + Number(waits) + Number(isBracket);
    if (this.#condition.value !== view.condition) this.#condition.value = view.condition;
    setAttribute(this.#condition, "title",
      CONDITIONS.find(([value]) => value === view.condition)?.[2]);
    setAttribute(this.#prices, "data-fields", fields > 1 ? String(fields) : null);
    this.trigger.name(view.condition === "oco" || isBracket ? t("Stop", {}, "order")
      : view.condition === "trail" ? t("Distance")
      : view.condition === "trailPercent" ? t("Distance in %") : t("Trigger"));
    this.trigger.hide(!waits);
    this.profit.hide(!isBracket);
    this.protection.name(view.side === "buy" ? t("Max price") : t("Min price"));
    this.#presets.show(view);
    if (this.#validity.value !== view.timeInForce) this.#validity.value = view.timeInForce;
    setAttribute(this.#validity, "title",
      VALIDITIES.find(([value]) => value === view.timeInForce)?.[2]);
    const waitsForTrade = waits && view.condition !== "oco" && !isBracket;
    setAttribute(this.#validity, "disabled", view.type !== "limit" && !waitsForTrade);
    for (const option of this.#validity.options) {
      option.disabled = view.type !== "limit" && !["gtc", "hour", "day", "week"]
        .includes(option.value);
    }
    this.price.hide(view.type !== "limit");
    this.protection.hide(view.type !== "market" || waits);
    setAttribute(this.#again, "hidden", !view.again || view.quantity.typed !== "");
    setText(this.#again, t("Repeat: {order}", { order: said(view.again, format) }));
    // The reason for a blocked order replaces the preview's figures: below the button it may be out
    // of sight.
    this.#preview.update(view.isBlocked
      ? { ...view.preview, kind: "refused", remainder: view.reason } : view.preview, format,
    view.side);
    setText(this.#go, sentence(view.label));
    setAttribute(this.#go, "disabled", view.isClosed);
    showReason(this.#reason, view);
    setAttribute(this.#reason, "data-above", view.isBlocked);
  }
}

// Shows why the order is blocked, or a note on it.
/** @param {Element} element @param {TicketView} view */
export function showReason(element, { reason, isBlocked }) {
  setText(element, sentence(reason));
  setAttribute(element, "hidden", reason === "");
  setAttribute(element, "data-blocked", isBlocked);
}

/**
 * A group of buttons, one of them pressed.
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
  const element = oneStop(h("div.choices", { role: "group", "aria-label": label },
    ...buttons.values()));
  const show = (/** @type {V} */ value) => {
    for (const [key, button] of buttons) {
      setAttribute(button, "aria-pressed", String(key === value));
    }
  };
  return { element, show };
}
