// @ts-check
// The order ticket: filled in, reviewed, sent; it goes on only by a person's word. It is closed,
// and says why, while what it would act on can't be believed.

import { h, setAttribute } from "../dom.js";
import { observeChoices, preferences } from "../preferences.js";
import { Previewer } from "../previewer.js";
import { invalidate } from "../scheduler.js";
import { newClientId } from "../trading.js";
import { freshnessText } from "../words.js";
import { moneyOf } from "./order-words.js";
import { PressGuard } from "./press-guard.js";
import { TicketForm } from "./ticket-form.js";
import { TicketOutcome } from "./ticket-outcome.js";
import { TicketReview } from "./ticket-review.js";

/** @typedef {import("../trading.js").Offer} Offer */
/**
 * What the ticket is drawn from.
 * @typedef {object} View
 * @property {Topic.Exchange | undefined} market
 * @property {Seen} freshness
 * @property {import("../own-orders.js").OwnOrders} orders
 * @property {number} now
 */

export class Ticket {
  #link;
  #trading;
  /** @type {TicketForm} */
  #form;
  #review;
  #outcome;
  #previewer;
  #guard;
  #shown = "";
  #isChecking = false;
  #marketKey = "";
  /** @type {View | null} */
  #view = null;

  /**
   * What is typed lives in `trading.draft`.
   * @param {{link: import("../link.js").Link, trading: import("../trading.js").Trading}} page
   * @param {() => unknown} refresh draws again
   */
  constructor({ link, trading }, refresh) {
    this.#link = link;
    this.#trading = trading;
    this.refresh = () => invalidate(refresh);
    this.draft = trading.draft;
    this.#form = new TicketForm(this.draft, () => this.#edited(), () => this.#goOn());
    this.#review = new TicketReview(() => this.#place(), () => this.escape());
    this.#outcome = new TicketOutcome({
      insist: () => trading.insist(this.draft.sent),
      abandon: () => trading.abandon(this.draft.sent),
      edit: () => this.#edit(), next: () => this.#next(),
    });
    this.#previewer = new Previewer(link, () => this.#answered());
    this.#previewer.want(this.#asked);
    this.element = h("section.ticket",
      { id: "ticket", "aria-label": "Order ticket", tabindex: "-1" },
      this.#form.element, this.#review.element, this.#outcome.element);
    this.#guard = new PressGuard(this.element);
    // A key that is held down repeats itself; only its first press counts.
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.releases = [trading.observe(refresh), observeChoices(refresh)];
  }

  dispose() {
    for (const release of this.releases) release();
    this.#review.dispose();
    this.#previewer.dispose();
  }

  /** The number of the order whose outcome the ticket tells; undefined while there is none. */
  get orderShown() {
    return this.draft.phase === "sent" ? this.#trading.fate(this.draft.sent)?.id : undefined;
  }

  /**
   * Puts an offer's price into the ticket; beside the outcome of an order it begins a new one.
   * @param {string} price
   */
  take(price) {
    if (this.#isUnanswered) return;
    if (this.draft.phase === "sent") this.#next();
    this.draft.phase = "form";
    this.draft.type = "limit";
    this.#form.price.put(price);
    this.element.scrollIntoView({ block: "nearest" });
    this.refresh();
  }

  /**
   * The keys `b` and `s`, once they are switched on. False when they are not.
   * @param {Wire.Side} side
   */
  trade(side) {
    if (preferences.tradingKeys !== "on") return false;
    if (this.#isUnanswered) return true;
    if (this.draft.phase === "sent") this.#next();
    this.draft.phase = "form";
    this.draft.side = side;
    this.#edited();
    this.#draw();
    this.element.scrollIntoView({ block: "nearest" });
    this.#form.quantity.focus();
    return true;
  }

  /** Whether the ticket tells of an order that may or may not have arrived. */
  get #isUnanswered() {
    const { phase, sent } = this.draft;
    return phase === "sent"
      && ["waiting", "doubtful"].includes(this.#trading.fate(sent)?.state ?? "");
  }

  /** Brings the keyboard to what is to be done next. */
  focus() {
    this.element.scrollIntoView({ block: "nearest" });
    if (this.draft.phase === "form") this.#form.quantity.focus();
    else if (this.draft.phase === "sent") this.#outcome.focus();
    else this.#review.begin();
  }

  /** One step back; false when there is none. */
  escape() {
    if (this.draft.phase !== "review") return false;
    this.draft.phase = "form";
    this.draft.review = null;
    this.#draw();
    this.#form.focusGo();
    this.refresh();
    return true;
  }

  /** @param {View} view */
  render(view) {
    this.#view = view;
    const [trading, link] = [this.#trading, this.#link];
    const format = moneyOf(view.market);
    const { review } = this.draft;
    const blocked = this.#blocked(review?.order ?? this.draft);
    this.#follow(view);
    this.#show();
    setAttribute(this.element, "data-side", this.draft.side);
    const hint = this.#hint();
    if (this.draft.phase === "form") {
      this.#form.render({ market: view.market, reply: this.#previewer.reply, format, blocked, hint,
        isChecking: this.#isChecking, reviews: preferences.review === "on" });
    } else if (this.draft.phase === "review" && review) {
      this.#review.render(
        { review, best: best(this.draft.side, view.market), format, blocked, hint, now: view.now });
    } else {
      const record = trading.fate(this.draft.sent);
      if (!record) return this.#next();
      this.#outcome.render(
        { record, order: record.id === undefined ? undefined : view.orders.all[record.id], format,
          isOnline: link.trusted, now: view.now,
        receipt: trading.receipts.find((receipt) => receipt.id === record.id) });
      this.#turn(record.state);
    }
  }

  /**
   * Asks again when the market or the own orders changed.
   * @param {View} view
   */
  #follow({ market, orders }) {
    const key = [market?.bid, market?.bidSize, market?.ask, market?.askSize, market?.changes,
      orders.entry.seq].join();
    if (key !== this.#marketKey) this.#previewer.refresh();
    this.#marketKey = key;
    if (!this.#link.trusted) this.#isChecking = false;
  }

  /**
   * Why nothing can be sent now; "" when something can.
   * @param {{type: "market" | "limit"}} order
   */
  #blocked({ type }) {
    if (!this.#view) return "Waiting for the exchange.";
    const { market, freshness, orders, now } = this.#view;
    if (!this.#link.trusted) return "No connection to Livetape: nothing can be sent.";
    if (orders.state === undefined || !orders.confirmed) return "Waiting for your orders.";
    if (orders.state.loaded === false) return "Your orders are being read from disk.";
    if (orders.state.failure) return `Orders can’t be stored: ${orders.state.failure}`;
    if (!market) return "Waiting for the exchange.";
    if (type === "market" && freshness.state !== "live") {
      return `A market order needs live prices: ${freshnessText(freshness, now)
        .toLowerCase()}. A limit order can wait for them.`;
    }
    return "";
  }

  #hint() {
    if (!this.#view) return "";
    const { freshness, now } = this.#view;
    if (this.draft.type !== "limit" || freshness.state === "live") return "";
    return `Prices are not live (${freshnessText(freshness, now)
      .toLowerCase()}): a limit order waits for them.`;
  }

  /** The order as the preview is asked for; null while there is nothing that could be asked. */
  get #asked() {
    const { order } = this.#form;
    // Other signs than these are in no number, and are said to be wrong without asking.
    const isPlain = /^[\x20-\x7e]*$/.test(`${order?.quantity}${order?.price}`);
    return order && isPlain ? { clientId: "preview", ...order } : null;
  }

  #edited() {
    this.#isChecking = false;
    this.#previewer.want(this.#asked);
    this.refresh();
  }

  /**
   * From the form: to the review, once the server has nothing against the order.
   * @returns {void}
   */
  #goOn() {
    this.refresh();
    if (this.#form.focusFault() || this.#blocked(this.draft)) return;
    if (this.#previewer.reply) return this.#decide();
    this.#isChecking = true;
  }

  #answered() {
    this.refresh();
    if (!this.#isChecking) return;
    this.#isChecking = false;
    this.#decide();
  }

  /** @returns {void} */
  #decide() {
    const { reply } = this.#previewer;
    const { order } = this.#form;
    if (!reply || !order || !this.#view) return;
    if (reply.ok === false && reply.field) return void this.#form.focusFault(reply.field);
    if (reply.ok === false && this.draft.type === "market") return;
    const { market, now } = this.#view;
    this.draft.review = {
      order: { clientId: newClientId(), ...order }, reply, best: best(this.draft.side, market),
      at: now,
    };
    if (preferences.review === "off") return this.#place();
    this.draft.phase = "review";
    this.#draw();
    this.refresh();
  }

  #place() {
    const { review } = this.draft;
    if (!review || this.#blocked(review.order)) return;
    Object.assign(this.draft, { phase: "sent", sent: review.order.clientId, review: null });
    this.#trading.place(review.order);
    this.#draw();
  }

  #edit() {
    const { message, field } = this.#trading.fate(this.draft.sent) ?? {};
    const refusal = field ? { field, text: message } : null;
    Object.assign(this.draft, { phase: "form", sent: "", refusal });
    this.#edited();
    this.#draw();
    this.#form.focusFault(field ?? "quantity");
  }

  #next() {
    const last = this.#trading.fate(this.draft.sent)?.order.quantity ?? this.draft.last;
    Object.assign(this.draft,
      { phase: "form", sent: "", quantity: "", price: "", last, refusal: null });
    this.#form.calm();
    this.#edited();
    this.#draw();
    this.#form.quantity.focus();
  }

  /**
   * What the last drawing was given, with what was decided since: no part is seen with what it
   * showed before.
   */
  #draw() {
    if (this.#view) this.render(this.#view);
    else this.#show();
  }

  /** Shows the part of the ticket that its phase asks for; the focus goes along. */
  #show() {
    const { phase } = this.draft;
    if (this.#shown.split(" ")[0] === phase) return;
    const isFirst = this.#shown === "";
    this.#turn();
    setAttribute(this.element, "data-phase", phase);
    // The form keeps its room, so that the main button has one place in all phases.
    setAttribute(this.#form.element, "data-away", phase !== "form");
    setAttribute(this.#form.element, "inert", phase !== "form");
    setAttribute(this.#review.element, "hidden", phase !== "review");
    setAttribute(this.#outcome.element, "hidden", phase !== "sent");
    if (phase === "review") this.#review.begin();
    if (phase === "sent" && !isFirst) this.#outcome.focus();
  }

  /** Notes what the ticket shows; when it is another thing than before, presses have to wait. */
  #turn(state = "") {
    const shown = `${this.draft.phase} ${state}`;
    if (this.#shown !== "" && shown !== this.#shown) this.#guard.changed();
    this.#shown = shown;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.repeat && event.key === "Enter") return event.preventDefault();
    if (event.key === "Escape" && this.escape()) return event.preventDefault();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const side = event.key === "b" ? "buy" : event.key === "s" ? "sell" : null;
    // No number has these letters, so they act inside the fields too.
    if (side && isPlain && this.trade(side)) event.preventDefault();
  }
}

/**
 * The offer that an order on a side would take.
 * @param {Wire.Side} side
 * @param {Topic.Exchange | undefined} market
 * @returns {Offer | undefined}
 */
function best(side, market) {
  if (!market) return undefined;
  return side === "buy" ? { price: market.ask, quantity: market.askSize }
    : { price: market.bid, quantity: market.bidSize };
}
