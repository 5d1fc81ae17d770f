// Draws the order ticket: the part of its phase, the focus, and the press guard. The logic is in
// `orders/ticket-core.js`.

import { invalidate } from "../base/scheduler.js";
import { newClientId } from "../orders/ticket-core.js";
import { formatOf, moneyOf, ordersIn } from "../orders/words.js";
import { observeChoices, preferences } from "../text/preferences.js";
import { t } from "../text/texts.js";
import { freshnessText } from "../text/words.js";
import { h, setAttribute } from "../ui/dom.js";
import { PressGuard } from "../ui/press-guard.js";
import { TicketForm } from "./form.js";
import { TicketOutcome } from "./outcome.js";
import { TicketReview } from "./review.js";

/**
 * The ticket's inputs besides its core.
 * @typedef {object} View
 * @property {TicketMarket | undefined} market
 * @property {Seen} freshness
 * @property {import("../orders/own-orders.js").OwnOrders} orders
 * @property {boolean} isKnown whether own orders are current
 * @property {number} now
 */

// Whether the order is shown before it is sent.
/** @param {TicketView["phase"]} phase */
const isReview = (phase) => phase === "review" || phase === "confirmation";

export class Ticket {
  #begun = false;
  #link;
  #trading;
  #core;
  #form;
  #review;
  #outcome;
  #guard;
  /** @type {string | null} */
  #phase = null;
  #turn = -1;
  /** Whether focus was requested while the ticket was hidden. */
  #isSought = false;
  /** @type {View | null} */
  #view = null;
  /** The last order's outcome, while the form beside the chart takes the next order. */
  below = h("div.ticket-receipt");
  // The order whose outcome is in `below`.
  /** @type {TicketSent | null} */
  #kept = null;
  /** Whether the focus is outside the ticket and must stay there. */
  #isElsewhere = false;
  // The side whose key was pressed before the market was available.
  /** @type {Wire.Side | null} */
  #wanted = null;

  /**
   * @param {Pick<Page, "link" | "trading">} page
   * @param {() => unknown} refresh redraws the screen
   * @param {boolean} [waits] whether the core, which is large, loads only with `begin()`
   */
  constructor({ link, trading }, refresh, waits = false) {
    this.#link = link;
    this.#trading = trading;
    this.#core = trading.ticket;
    this.refresh = () => invalidate(refresh);
    this.#form = new TicketForm(this.#core, () => this.#core.act("goOn", newClientId()));
    this.#review = new TicketReview(() => this.#core.act("place"), () => this.escape());
    this.#outcome = new TicketOutcome((button) => this.#core.act(button));
    this.element = h("section.ticket",
      { id: "ticket", "aria-label": t("Order ticket"), tabindex: "-1" },
      this.#form.element, this.#review.element, this.#outcome.element);
    this.#guard = new PressGuard(this.element);
    // A held key repeats; only its first press counts.
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.releases = [trading.observe(refresh), observeChoices(refresh)];
    if (!waits) this.begin();
  }

  /** Loads the core and follows it; once. */
  begin() {
    if (this.#begun) return;
    this.#begun = true;
    this.releases.push(this.#core.attend((effects) => this.#acted(effects)));
  }

  // Fills in a limit order that is good till cancelled and goes on to its review.
  /** @param {Wire.Side} side @param {string} price @param {string} quantity */
  review(side, price, quantity) {
    const core = this.#core;
    core.act("condition", "none");
    core.act("validity", "gtc");
    core.act("reduceOnly", "");
    core.act("takeOffer", price, side);
    core.act("typed", "quantity", core.writeNumber(quantity));
    core.act("goOn", newClientId());
  }

  dispose() {
    if (this.#begun) this.#core.act("release");
    for (const release of this.releases) release();
    this.#review.dispose();
  }

  /** The id of the order whose outcome is shown, if any. */
  get orderShown() {
    return this.#begun ? (this.#core.view.sent ?? this.#kept)?.id : undefined;
  }

  // The keys `b` and `s`. Returns false unless they are switched on.
  /** @param {Wire.Side} side */
  trade(side) {
    if (preferences.tradingKeys !== "on") return false;
    if (this.#view) {
      this.#know();
      this.#core.act("key", side);
    } else {
      this.#wanted = side;
    }
    return true;
  }

  /** Focuses the next step once the ticket is visible. */
  focus() {
    this.#isSought = this.element.offsetParent === null;
    if (this.#isSought) return;
    this.element.scrollIntoView({ block: "nearest" });
    const { phase } = this.#core.view;
    if (phase === "form") this.#form.quantity.focus();
    else if (phase === "sent") this.#outcome.focus();
    else this.#review.begin();
  }

  /** Goes back one step; false if there is no step to undo. */
  escape() {
    if (!isReview(this.#core.view.phase)) return false;
    this.#core.act("back");
    return true;
  }

  /** @param {View} view */
  render(view) {
    this.#view = view;
    if (!this.#begun) return;
    this.#know();
    this.#draw();
    if (this.#isSought) this.focus();
    if (this.#wanted) this.trade(this.#wanted);
    this.#wanted = null;
  }

  /** Passes the current facts to the core. */
  #know() {
    if (!this.#view) return;
    const { market, freshness, orders, now } = this.#view;
    const { state } = orders;
    this.#core.know({
      isOnline: this.#link.trusted,
      orders: this.#link.viewsOnly ? "viewing"
        : state === undefined || !orders.confirmed ? "unknown"
        : state.loaded === false ? "reading" : state.failure ? "failed" : "ready",
      failure: state?.failure, market, revision: orders.entry.seq,
      isLive: freshness.state === "live",
      freshness: freshnessText(freshness, now).toLowerCase(),
      reviews: preferences.review === "on", tradingKeys: preferences.tradingKeys === "on",
    });
  }

  // Draws at once after an action, so that no part shows an old state.
  /** @param {TicketEffect[]} effects */
  #acted(effects) {
    this.#draw();
    for (const effect of effects) {
      if (effect.do === "reveal") this.element.scrollIntoView({ block: "nearest" });
      if (effect.do === "focus" && !this.#isElsewhere) this.#form.focusOn(effect.on);
    }
    this.refresh();
  }

  // Beside the chart, the form is reset after a placed order: its outcome moves below the form.
  /** @param {Topic.Order | undefined} order */
  #goOn(order) {
    const { sent } = this.#core.view;
    if (!order || sent?.state !== "placed" || !this.element.closest("[data-columns]")) return;
    this.#kept = sent;
    this.#isElsewhere = !this.element.contains(document.activeElement);
    this.#core.act("next");
    this.#isElsewhere = false;
  }

  #draw() {
    const { view } = this.#core;
    this.#show(view);
    setAttribute(this.element, "data-side", view.side);
    if (!this.#view) return;
    const { market, freshness, orders, isKnown, now } = this.#view;
    const format = moneyOf(market);
    const sent = view.sent ?? this.#kept;
    const id = sent?.id;
    const order = id === undefined ? undefined : orders.all[id];
    if (order) {
      this.#core.became(order);
      this.#goOn(order);
    }
    if (this.#core.view.phase !== view.phase) return;
    if (view.phase === "form") {
      this.#form.render(view, format);
      if (market) {
        this.#form.quote(market,
          { format, dimmed: freshness.dimmed,
            orders: ordersIn(orders.openRows, market.symbol), isKnown });
      }
    } else if (view.review) {
      this.#review.render(view, view.review, format);
    }
    if (!sent) return;
    this.#outcome.render({
      sent: this.#core.view.sent ?? sent, order, format: formatOf(order, format), now,
      receipt: this.#trading.receipts.find((receipt) => receipt.id === id),
    });
  }

  // Shows the phase's part of the ticket and moves the focus there.
  /** @param {TicketView} view */
  #show({ phase, turn, settle }) {
    // The content has changed since the press was aimed.
    if (this.#turn >= 0 && turn !== this.#turn) this.#guard.changed(settle);
    this.#turn = turn;
    if (this.#phase === phase) return;
    const isFirst = this.#phase === null;
    this.#phase = phase;
    setAttribute(this.element, "data-phase", phase);
    // The hidden form keeps its room, so that the main button is in the same place in all phases.
    setAttribute(this.#form.element, "data-away", phase !== "form");
    setAttribute(this.#form.element, "inert", phase !== "form");
    setAttribute(this.#review.element, "hidden", !isReview(phase));
    if (phase === "sent") this.#kept = null;
    const outcome = this.#outcome.element;
    const place = phase === "form" && this.#kept ? this.below : this.element;
    if (outcome.parentElement !== place) place.append(outcome);
    setAttribute(outcome, "hidden", phase !== "sent" && place === this.element);
    if (isReview(phase)) this.#review.begin();
    if (phase === "sent" && !isFirst) this.#outcome.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.repeat && event.key === "Enter") return event.preventDefault();
    if (event.key === "Escape" && this.escape()) return event.preventDefault();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const side = event.key === "b" ? "buy" : event.key === "s" ? "sell" : null;
    // Numbers never contain these letters, so they work inside the fields, too.
    if (side && isPlain && this.trade(side)) event.preventDefault();
  }
}
