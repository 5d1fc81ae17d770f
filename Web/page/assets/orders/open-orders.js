// Own open orders, newest first, each with its Cancel. An order that has ended keeps its place for
// a moment, so that a second press can't hit another order.

import { minuteMoment, number, percent } from "../text/format.js";
import { plural, t } from "../text/texts.js";
import { duration } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { loadLazyParts, NOT_SENT, lazyPart } from "../ui/lazy.js";
import { StillRows } from "../ui/lists.js";
import { PressGuard } from "../ui/press-guard.js";
import { toast } from "../ui/toast.js";
import { viewNote } from "../ui/view-only.js";
import {
  endWord, filledRange, filledText, formatOf, linkText, marketName, moneyOf, orderTitle, sideWord,
  triggerNote, typeText, isWaiting,
  statusKind, statusOf,
} from "./words.js";

/** @typedef {import("./own-orders.js").ShownOrders} ShownOrders */

const HEADS = [t("Market"), t("Placed"), t("Side"), t("Type"), t("Price"), t("Quantity"),
  t("Filled"), t("vs last"), ""];

export class OpenOrders {
  #rows = h("ul.open-rows");
  #count = h("span.count");
  #none = h("p.empty.small");
  #older = h("p.empty.small", { hidden: "" });
  /** How many open orders are not listed, as only the newest are. */
  #unlisted = 0;
  #heading = h("h2.section-title", { tabindex: "-1" }, t("Open orders"), this.#count);
  #heads = h("div.open-heads", { "aria-hidden": "true" }, ...HEADS.map((head) =>
    h("span", {}, head)));
  #all = h("button.button.small", { type: "button", "data-changes": true }, t("Cancel all"));
  #confirm = h("button.button.small", { type: "button", hidden: "", "data-changes": true });
  #keep = h("button.button.small", { type: "button", hidden: "", "data-changes": true },
    t("Don’t cancel"));
  #head;
  #trading;
  #guard;
  /** @type {KeyedList<string, OpenOrder>} */
  #list;
  #still;
  #rowsGuard = new PressGuard(this.#rows);
  /** The newest order that "Cancel all" covers; "" while no confirmation is open. */
  #asked = "";
  /** @type {string[]} */
  #open = [];
  #isKnown = false;
  /** @type {string | undefined} */
  #market;
  #isWhole = true;

  // `refresh` redraws the screen.
  /** @param {Trading} trading @param {() => unknown} refresh */
  constructor(trading, refresh) {
    this.#trading = trading;
    this.#list = new KeyedList(this.#rows,
      (id) => new OpenOrder(id, trading, () => this.#rowsGuard.changed()));
    this.#still = new StillRows(this.#rows, refresh, { holdsNew: true });
    this.#head = h("div.section-head", {}, this.#heading, this.#all, this.#keep, this.#confirm);
    this.element = h("section.open-orders", { "aria-label": t("Open orders") }, this.#head,
      viewNote(), this.#heads, this.#rows, this.#none,
      this.#older);
    this.#guard = new PressGuard(this.#head);
    this.#all.addEventListener("click", () => this.#ask(this.#open[0], this.#confirm));
    this.#keep.addEventListener("click", () => this.#ask("", this.#all));
    this.#confirm.addEventListener("click", () => {
      if (this.#market === undefined || this.#isWhole) trading.cancelAll(this.#asked);
      else trading.cancelMarket(this.#asked, this.#market);
      this.#ask("", this.#heading);
    });
  }

  // The confirmation replaces the button, and the focus moves at once: a frame later it could take
  // the focus from the user's next target.
  /** @param {string} newest @param {HTMLElement} next */
  #ask(newest, next) {
    this.#asked = newest;
    this.#guard.changed();
    this.#renderAll();
    next.focus();
  }

  /**
   * `isKnown`: whether the server confirms the orders.
   * @param {{orders: ShownOrders, market: Topic.Exchange | undefined, now: number,
   *   isKnown: boolean}} view
   */
  render({ orders, market, now, isKnown }) {
    if (orders.market !== this.#market) {
      this.#market = orders.market;
      this.#asked = "";
      this.#still.reset();
    }
    const ids = this.#still.arrange(orders.open);
    const hadFocus = this.#rows.contains(document.activeElement);
    if (this.#list.arrange(ids)) this.#rowsGuard.changed();
    // Keep the focus in the list when the focused row is removed.
    if (hadFocus && !this.#rows.contains(document.activeElement)) {
      /** @type {HTMLButtonElement | null} */
      const next = this.#rows.querySelector(
        ".open-acts > :last-child:not([aria-disabled])");
      (next ?? this.#heading).focus();
    }
    const day = new Date(now).toDateString();
    const view = { format: moneyOf(market), now, day, isKnown, market };
    for (const id of ids) {
      // Rows of the topic "openOrders" do not change when only the market moves.
      const order = orders.openRows[id] ?? orders.all[id];
      this.#list.rows.get(id)?.update(order, this.#still.hasLeft(id), view);
    }
    const total = orders.state?.openCount ?? 0;
    this.#unlisted = Math.max(0, total - Object.keys(orders.openRows).length);
    const count = orders.market === undefined ? total : orders.open.length;
    this.#isWhole = count === total;
    setText(this.#older, t("{0} older open orders are not listed.",
      { 0: number(String(this.#unlisted)) }));
    setAttribute(this.#older, "hidden", this.#unlisted === 0);
    setText(this.#count, count > 0 ? ` ${number(String(count))}` : "");
    [this.#open, this.#isKnown] = [orders.open, isKnown];
    this.#renderAll();
    setText(this.#none, !orders.state ? t("Loading orders…") : orders.market === undefined
      ? t("No open orders.")
      : t("No open orders in {market}.", { market: marketName(orders.market) }));
    setAttribute(this.#none, "hidden", ids.length > 0);
    // Shown with the first row, so that no later order moves the rows.
    setAttribute(this.#head, "data-empty", ids.length === 0);
    setAttribute(this.#heads, "hidden", ids.length === 0);
    setAttribute(this.#rows, "data-dimmed", !isKnown);
  }

  #renderAll() {
    const open = this.#open;
    let asked = open.filter((id) => Number(id) <= Number(this.#asked)).length;
    if (asked === 0) this.#asked = "";
    else if (this.#isWhole) asked += this.#unlisted;
    const isAsking = this.#asked !== "";
    setText(this.#all, this.#market === undefined ? t("Cancel all")
      : t("Cancel all {market}", { market: marketName(this.#market) }));
    setText(this.#confirm, plural(asked, "Cancel {count} {markets} order",
      "Cancel {count} {markets} orders",
      { count: number(String(asked)),
        markets: isAsking ? this.#trading.marketsUpTo(this.#asked, this.#market) : "" }));
    setAttribute(this.#all, "hidden", isAsking);
    // A single order has its own Cancel; the button keeps its room.
    setAttribute(this.#all, "data-reserved", open.length < 2);
    for (const button of [this.#confirm, this.#keep]) setAttribute(button, "hidden", !isAsking);
    for (const button of [this.#confirm, this.#all]) {
      setAttribute(button, "disabled", !this.#isKnown || open.length === 0);
    }
  }
}

class OpenOrder {
  #title = h("span.open-title");
  #figures = h("span");
  #age = h("span");
  #bar = h("span.fill-bar");
  #cells = HEADS.slice(0, -1).map(() => h("span.open-cell", { "aria-hidden": "true" }));
  #cancel = h("button.button.small", { type: "button" }, t("Cancel"));
  #amend = h("button.button.small", { type: "button" }, t("Amend"));
  #acts = h("span.open-acts", { "data-changes": true }, this.#amend, this.#cancel);
  /** @type {import("./amend-form.js").AmendForm | null} */
  #form = null;
  #moved;
  /** @type {Topic.Order | undefined} */
  #order;
  // The last view drawn in the form.
  /** @type {Parameters<import("./amend-form.js").AmendForm["render"]>[0] | undefined} */
  #view;
  /** @type {unknown[]} */
  #drawn = [];
  #shownAge = "";

  // `moved()` is called when a form opens late: the rows below it have moved.
  /** @param {string} id @param {Trading} trading @param {() => unknown} moved */
  constructor(id, trading, moved) {
    this.id = id;
    this.trading = trading;
    this.#moved = moved;
    this.#cancel.addEventListener("click", () => {
      if (this.#cancel.getAttribute("aria-disabled") !== "true") trading.cancel(id);
    });
    this.element = h("li.open-order", { "data-order": id },
      h("span.open-main", {}, this.#title, h("span.open-facts", {}, this.#figures, this.#age),
        h("span.fill-track", { "aria-hidden": "true" }, this.#bar)), ...this.#cells, this.#acts);
    this.#amend.addEventListener("click", () => this.#open());
  }

  /**
   * `order` is undefined if it has ended and is too old for the newest orders.
   * @param {Topic.Order | undefined} order
   * @param {boolean} hasLeft
   * @param {{format: Format, now: number, day: string, isKnown: boolean,
   *   market: Topic.Exchange | undefined}} view
   */
  update(order, hasLeft, { format: common, now, day, isKnown, market }) {
    this.#order = order ?? this.#order;
    const format = formatOf(this.#order, common);
    this.#showAge(now);
    const last = market?.symbol === this.#order?.symbol ? market?.price : undefined;
    const waits = this.#order && isWaiting(this.#order);
    setText(this.#cells[7], distance(waits ? this.#order?.trigger?.price : this.#order?.limit,
      last));
    this.#view = { order: hasLeft ? undefined : order, format, isKnown };
    this.#form?.render(this.#view);
    const isCancelling = this.trading.isCancelling(this.id) || order?.pending === "cancelling";
    const drawn = [order, hasLeft, isCancelling, format, isKnown, day];
    if (drawn.every((value, at) => value === this.#drawn[at])) return;
    this.#drawn = drawn;
    if (!this.#order) return;
    this.#draw(this.#order, hasLeft ? endWord(order) : "", isCancelling, format, isKnown);
    const { symbol, placedAt, side, limit, quantity, trigger } = this.#order;
    const price = trigger && isWaiting(this.#order) ? trigger.price : limit;
    const note = triggerNote(this.#order, format, now);
    if (note) setText(this.#figures, note);
    [marketName(symbol), minuteMoment(placedAt, now),
      `${side === "buy" ? "▲" : "▼"} ${sideWord(side)}`,
      typeText(this.#order) + linkText(this.id, this.#order), price ? format(price) : "",
      number(quantity),
      filledRange(this.#order)].forEach((text, at) => setText(this.#cells[at], text));
  }

  /**
   * @param {Topic.Order} order
   * @param {string} ended
   * @param {boolean} isCancelling
   * @param {Format} format
   * @param {boolean} isKnown
   */
  #draw(order, ended, isCancelling, format, isKnown) {
    setAttribute(this.element, "data-side", order.side);
    setAttribute(this.element, "data-status", statusKind(statusOf(order)));
    setAttribute(this.element, "data-ended", ended !== "");
    setText(this.#title, orderTitle(order, format) + linkText(this.id, order));
    setText(this.#figures, order.pending === "amending" ? t("Amending…")
      : t("{part} filled", { part: filledText(order) }));
    const share = Math.min(1, Number(order.filled) / Number(order.quantity)) || 0;
    this.#bar.style.transform = `scaleX(${share})`;
    setText(this.#cancel, ended || (isCancelling ? t("Cancelling…") : t("Cancel")));
    setAttribute(this.#cancel, "disabled", !isKnown && ended === "");
    setAttribute(this.#cancel, "aria-disabled", isCancelling || ended ? "true" : null);
    const isOver = isCancelling || ended !== "";
    setAttribute(this.#amend, "hidden", ended !== "");
    setAttribute(this.#amend, "disabled", !isKnown);
    setAttribute(this.#amend, "aria-disabled", isOver ? "true" : null);
    setAttribute(this.#amend, "aria-label",
      `${t("Amend order {id}", { id: this.id })}, ${orderTitle(order, format)}`);
    const spoken = `${t("Cancel order {id}", { id: this.id })}, ${orderTitle(order, format)}`;
    setAttribute(this.#cancel, "aria-label", isCancelling || ended ? null : spoken);
  }

  /** Opens the amend form in the row, once its code has loaded. */
  async #open() {
    const { ticket } = this.trading;
    const isLate = !lazyPart("AmendForm") || !ticket.isReady;
    try {
      if (isLate) await Promise.all([loadLazyParts(), ticket.ready()]);
    } catch {
      toast(NOT_SENT, true);
    }
    const AmendForm = lazyPart("AmendForm");
    if (!AmendForm || !ticket.isReady || this.#form
      || this.#amend.getAttribute("aria-disabled") === "true") return;
    const active = /** @type {HTMLElement} */ (document.activeElement);
    this.#form = new AmendForm(this.id, this.trading, () => {
      this.#form?.element.remove();
      this.#form = null;
      setAttribute(this.element, "data-amending", false);
      this.#amend.focus();
    });
    // Filled before it is visible, so that it can't overwrite early input.
    if (this.#view) this.#form.render(this.#view);
    setAttribute(this.element, "data-amending", true);
    this.element.append(this.#form.element);
    if (isLate) this.#moved();
    // If the focus has moved elsewhere meanwhile, it stays there.
    if (!isLate || [this.#amend, document.body].includes(active)) this.#form.focus();
  }

  /** @param {number} now */
  #showAge(now) {
    if (!this.#order) return;
    const age = duration(now - this.#order.placedAt);
    if (age === this.#shownAge) return;
    this.#shownAge = age;
    setText(this.#age, ` · ${t("{duration} ago", { duration: age })}`);
  }
}

// The distance of a limit from the last price; "" if either is missing.
/** @param {string | undefined} limit @param {string | undefined} last */
function distance(limit, last) {
  const [from, to] = [Number(last), Number(limit)];
  return from > 0 && to > 0 ? percent(((to - from) / from * 100).toFixed(2)) : "";
}
