// The order history: newest first, filtered by status and text, each with its receipt, exportable
// as a whole, with the state of the ledger. Open orders are always listed, older ones load on
// request.

import { number } from "../text/format.js";
import { inSentence, plural, sentence, t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { StillRows } from "../ui/lists.js";
import { Pane, skeleton } from "../ui/pane.js";
import { PressGuard } from "../ui/press-guard.js";
import { Screen } from "../ui/screen.js";
import { OlderOrders } from "./older-orders.js";
import { OwnOrders } from "./own-orders.js";
import { OrderRow } from "./row.js";
import {
  hasFills, isOpen, marketName, moneyOf, partText, said, sideWord, statusOf,
} from "./words.js";

/** @typedef {Topic.Order} Order */
/**
 * Value, label, filter of the list, and the number of all matching orders, listed or not.
 * @typedef {[value: string, label: string, isWanted: (order: Order) => boolean,
 *   count: (state: Topic.Orders) => number]} Filter
 */

/** @param {string} word */
const capitalised = (word) => word[0] + word.slice(1).toLowerCase();

/** @type {(status: Order["status"]) => Filter} */
const byStatus = (status) => [status, capitalised(sentence(status)),
  (order) => order.status === status, (state) => state.counts[status]];

/** @type {Filter[]} */
const FILTERS = [
  ["ALL", t("All"), () => true, (state) => state.total],
  ["OPEN", t("Open"), isOpen, (state) => state.openCount],
  byStatus("PENDING"), byStatus("PARTIALLY FILLED"),
  ["FILLED", t("Filled"), hasFills, (state) => state.filledCount],
  byStatus("CANCELLED"), byStatus("REJECTED"),
];

export class OrdersScreen extends Screen {
  #filter = "ALL";
  #select = h("select.field.order-filter", { "aria-label": t("Status") },
    ...FILTERS.map(([value, label]) => h("option", { value }, label)));
  #search = h("input.field.order-search",
    { type: "text", placeholder: t("Search"), "aria-label": t("Search the orders"),
      autocomplete: "off",
      spellcheck: "false", maxlength: "40", enterkeyhint: "search" });
  #heads = h("div.order-heads", { "aria-hidden": "true" },
    ...[t("Order"), t("Quantity"), t("Average"), t("Limit"), t("Status"), t("Time")]
      .map((head) => h("span", {}, head)));
  #rows = h("ul.order-rows");
  /** @type {KeyedList<string, OrderRow>} */
  #list;
  #still = new StillRows(this.#rows, this.refresh);
  #none = h("p.empty", { role: "status", hidden: true });
  #moreText = h("p");
  #load = h("button.button", { type: "button" }, t("Load more"));
  #more = h("div.order-more", { hidden: true }, this.#moreText, this.#load);
  #ledger = h("p.ledger");
  #failure = h("p.order-failure", { role: "alert", hidden: true });
  #skeleton = skeleton(6);

  /** @param {Page} page @param {Route} _route @param {string} title */
  constructor(page, _route, title) {
    super(page);
    this.#list = new KeyedList(this.#rows, (id) => new OrderRow(id, page.trading));
    const back = { href: "/exchange", word: t("Exchange") };
    this.pane = new Pane({ kind: "orders", title, back });
    this.element = this.pane.element;
    this.guard = new PressGuard(this.pane.body);
    this.tools = h("div.order-tools", {}, this.#select, this.#search);
    this.foot = h("footer.order-foot", {}, this.#ledger,
      h("span.exports", {}, exportLink("csv", "CSV"), exportLink("json", "JSON")));
    this.pane.body.append(this.#skeleton, this.#failure, this.#heads, this.#rows, this.#none,
      this.#more);
    this.element.insertBefore(this.tools, this.pane.body);
    this.element.append(this.foot);
    this.orders = new OwnOrders(this.open("orders"), this.open("openOrders"));
    this.older = new OlderOrders(this.refresh);
    this.market = this.open("exchange");
    this.#select.addEventListener("change", () => {
      this.#filter = this.#select.value;
      this.#look();
    });
    this.#search.addEventListener("input", () => this.#look());
    this.#load.addEventListener("click", () => this.older.more());
    this.whenGone(page.trading.observe(this.refresh));
  }

  /** Resets the list after a filter or search change. */
  #look() {
    this.#still.reset();
    this.pane.body.scrollTop = 0;
    this.refresh();
  }

  render() {
    const isLoaded = this.orders.state?.loaded !== false;
    const state = isLoaded ? this.orders.state : undefined;
    const isKnown = this.link.trusted && this.orders.known;
    const now = this.link.now();
    this.pane.say(this.#notice(state));
    setAttribute(this.tools, "hidden", !state || state.order.length === 0);
    setAttribute(this.foot, "hidden", !state);
    this.#renderNote(state, isKnown, now);
    if (!state) return;
    if (this.market.state) this.page.trading.market = this.market.state;
    if (this.orders.confirmed) this.page.trading.learn(this.orders.all, this.orders.openRows);
    this.older.follow(this.orders);
    this.#skeleton.remove();
    setText(this.#failure, state.failure
      ? t("Orders are refused: {failure}", { failure: sentence(state.failure) }) : "");
    setAttribute(this.#failure, "hidden", !state.failure);
    this.#renderRows(state, isKnown, now);
    this.#renderLedger(state);
  }

  /** @param {Topic.Orders} state @param {boolean} isKnown @param {number} now */
  #renderRows(state, isKnown, now) {
    const rows = this.#rowsById();
    const ids = [...rows.keys()];
    const [, , isWanted] = this.#chosen;
    const words = this.#search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const shown = [...rows]
      .filter(([id, order]) => isWanted(order) && matches(id, order, words)).map(([id]) => id);
    const view = {
      format: moneyOf(this.market.state), now, day: new Date(now).toDateString(), isKnown,
    };
    // A row that no longer matches stays for a moment, so that the next one does not slide under a
    // press.
    const still = this.#still.arrange(shown).filter((id) => rows.has(id));
    this.#list.arrange(still);
    for (const id of still) {
      const order = rows.get(id);
      if (order) this.#list.rows.get(id)?.update(order, view);
    }
    setAttribute(this.#rows, "data-dimmed", !isKnown);
    this.#count(state);
    setAttribute(this.#none, "hidden", shown.length > 0 || ids.length === 0);
    setAttribute(this.#heads, "hidden", shown.length === 0);
    this.#renderMore(state, words.length > 0 ? null : shown.length);
  }

  get #chosen() {
    return FILTERS.find(([value]) => value === this.#filter) ?? FILTERS[0];
  }

  /** All loaded orders, newest first: the topics override fetched pages. */
  #rowsById() {
    const { all } = this.orders;
    const older = this.older.ids.filter((id) => !all[id]);
    const ids = [...Object.keys(all), ...older].sort((a, b) => Number(b) - Number(a));
    /** @type {Map<string, Order>} */
    const rows = new Map();
    for (const id of ids) {
      const order = all[id] ?? this.older.row(id);
      if (order) rows.set(id, order);
    }
    return rows;
  }

  /** @param {Topic.Orders} state */
  #count(state) {
    FILTERS.forEach(([, label, , count], at) =>
      setText(this.#select.options[at], `${label} (${whole(count(state))})`));
  }

  // The unlisted orders, and the button for more; `found` is null while a search is active.
  /** @param {Topic.Orders} state @param {number | null} found */
  #renderMore(state, found) {
    const [value, label, , count] = this.#chosen;
    const { total } = state;
    const isMissing = this.older.oldest > 1 && found !== count(state);
    const listed = t("the latest {part} of {whole} and all open ones",
      { part: whole(total - this.older.oldest + 1), whole: whole(total) });
    setText(this.#none, isMissing ? t("No order matches among {listed}.", { listed })
      : t("No order matches."));
    const text = value === "ALL" || found === null ? listed
      : t("{found} of {count} {label}, among {listed}", { found: whole(found),
        count: whole(count(state)), label: inSentence(label), listed });
    setText(this.#moreText, this.older.problem || `${text[0].toUpperCase()}${text.slice(1)}.`);
    setText(this.#load, this.older.isLoading ? t("Loading…") : t("Load more"));
    setAttribute(this.#load, "aria-disabled", this.older.isLoading ? "true" : null);
    setAttribute(this.#more, "hidden", !isMissing);
  }

  /** @param {Topic.Orders} state */
  #renderLedger({ ledger }) {
    const isBroken = ledger?.intact === false;
    setAttribute(this.#ledger, "data-broken", isBroken);
    setAttribute(this.#ledger, "title",
      ledger?.head ? t("Hash of the latest event: {head}", { head: ledger.head }) : null);
    const events = number(String(ledger?.events ?? ""));
    setText(this.#ledger,
      !ledger ? t("Ledger not known") : isBroken
      ? t("Ledger damaged · {events} events", { events })
      : `${t("Ledger intact · {events} events", { events })} · ${ledger.head.slice(0, 8)}`);
  }

  // The list's own state. Orders have no update rate, so the list is valid while confirmed.
  /** @param {Topic.Orders | undefined} state @param {boolean} isKnown @param {number} now */
  #renderNote(state, isKnown, now) {
    const { entry } = this.orders;
    const { knownUntil } = state ?? {};
    const freshness = this.believe(entry, {
      state: isKnown ? "live" : knownUntil ? "stale" : "waiting", origin: "venue",
      confirmedAt: isKnown ? undefined : knownUntil ?? (entry.receivedAt || undefined),
    });
    const open = state?.openCount ?? 0;
    const count = state
      ? plural(state.total, "{count} order", "{count} orders", { count: whole(state.total) })
        + ` · ${t("{count} open", { count: whole(open) })}`
      : t("Loading");
    this.pane.note.update(freshness, now, isKnown || !state ? count : undefined);
  }

  /** @param {Topic.Orders | undefined} state @returns {PaneNotice | null} */
  #notice(state) {
    if (!state) return this.orders.state ? null
      : this.whyNothing(this.orders.missing, t("Your orders"));
    if (state.order.length > 0 || state.failure) return null;
    const trade = {
      label: t("Go to the ticket"), run: () => this.page.router.go({ screen: "exchange" }),
    };
    return { title: t("No orders yet"),
      text: t("Your orders and their receipts will be listed here."),
      action: trade };
  }
}

/** @param {number} count */
const whole = (count) => number(String(count ?? 0));

/** @param {string} kind @param {string} label */
function exportLink(kind, label) {
  return h("a.button.small.export",
    { href: `/orders.${kind}`, download: `orders.${kind}`,
      "aria-label": t("Download all orders as {format}", { format: label }) }, label);
}

const plain = (/** @type {string | undefined} */ digits) => digits ?? "";

// Whether the row contains every word.
/** @param {string} id @param {Order} order @param {string[]} words */
function matches(id, order, words) {
  if (words.length === 0) return true;
  const text = [id, order.type, sideWord(order.side), order.symbol,
    marketName(order.symbol), order.status,
    statusOf(order), order.quantity, order.filled,
    order.average, order.limit,
    said(order.reason, plain), partText(order), order.clientId].filter(Boolean).join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
