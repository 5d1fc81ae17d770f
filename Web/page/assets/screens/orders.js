// The history of orders: newest first, by status and by words, each with its receipt, all of it to
// take away; and whether the ledger behind it is intact.

import { deskTabs } from "../components/desk-tabs.js";
import { OrderRow } from "../components/order-row.js";
import { isOpen, moneyOf, sideWord } from "../components/order-words.js";
import { Pane, skeleton } from "../components/pane.js";
import { h, KeyedList, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { Screen } from "./screen.js";

/** Value, words, which orders of the list, and how many of all there are, listed or not. */
const FILTERS = [
  ["ALL", "All", () => true, (state) => state.total],
  ["OPEN", "Open", isOpen, (state) => state.openCount],
  ...["PENDING", "PARTIALLY FILLED", "FILLED", "CANCELLED", "REJECTED"].map((status) =>
    [status, status[0] + status.slice(1).toLowerCase(), (order) => order.status === status, (state) => state.counts?.[status]]),
];

export class OrdersScreen extends Screen {
  title = "Orders";
  #filter = "ALL";
  #select = h("select.field.order-filter", { "aria-label": "Status" }, ...FILTERS.map(([value, label]) => h("option", { value }, label)));
  #search = h("input.field.order-search", { type: "text", placeholder: "Search", "aria-label": "Search the orders", autocomplete: "off", spellcheck: "false", maxlength: "40", enterkeyhint: "search" });
  #heads = h("div.order-heads", { "aria-hidden": "true" }, ...["Order", "Quantity", "Average", "Limit", "Status", "Time"].map((head) => h("span", {}, head)));
  #rows = h("ul.order-rows");
  #list;
  #none = h("p.empty", { role: "status", hidden: true });
  #more = h("p.order-more", { hidden: true });
  #ledger = h("p.ledger");
  #failure = h("p.order-failure", { role: "alert", hidden: true });
  #skeleton = skeleton(6);

  constructor(context) {
    super(context);
    this.#list = new KeyedList(this.#rows, (id) => new OrderRow(id, context.trading));
    this.pane = new Pane({ kind: "orders", title: this.title });
    this.element = this.pane.element;
    this.pane.tail.append(deskTabs("orders"));
    this.tools = h("div.order-tools", {}, this.#select, this.#search);
    this.foot = h("footer.order-foot", {}, this.#ledger, h("span.exports", {}, exportLink("csv", "CSV"), exportLink("json", "JSON")));
    this.pane.body.append(this.#skeleton, this.#failure, this.#heads, this.#rows, this.#none, this.#more);
    this.element.insertBefore(this.tools, this.pane.body);
    this.element.append(this.foot);
    this.entry = this.open("orders");
    this.market = this.open("exchange");
    this.#select.addEventListener("change", () => {
      this.#filter = this.#select.value;
      this.refresh();
    });
    this.#search.addEventListener("input", this.refresh);
    this.whenGone(context.trading.observe(this.refresh));
  }

  render() {
    const isLoaded = this.entry.state?.loaded !== false;
    const state = isLoaded ? this.entry.state : undefined;
    const isKnown = this.link.trusted && this.entry.confirmed;
    const now = this.link.now();
    this.pane.say(this.#notice(state));
    setAttribute(this.tools, "hidden", !(state?.order?.length > 0));
    setAttribute(this.foot, "hidden", !state);
    this.#renderNote(state, isKnown, now);
    if (!state) return;
    if (isKnown) this.context.trading.learn(state.orders);
    this.#skeleton.remove();
    setText(this.#failure, state.failure ? `Orders can’t be stored: ${state.failure}` : "");
    setAttribute(this.#failure, "hidden", !state.failure);
    this.#renderRows(state, isKnown, now);
    this.#renderLedger(state);
  }

  #renderRows(state, isKnown, now) {
    const all = (state.order ?? []).filter((id) => state.orders?.[id]);
    const isWanted = FILTERS.find(([value]) => value === this.#filter)[2];
    const words = this.#search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const shown = all.filter((id) => isWanted(state.orders[id]) && matches(id, state.orders[id], words));
    const format = moneyOf(this.market.state);
    this.#list.arrange(shown);
    for (const id of shown) this.#list.rows.get(id).update({ order: state.orders[id], format, now, isKnown });
    setAttribute(this.#rows, "data-dimmed", !isKnown);
    this.#count(state);
    setAttribute(this.#none, "hidden", shown.length > 0 || all.length === 0);
    setAttribute(this.#heads, "hidden", shown.length === 0);
    this.#renderMore(state, all.length, words.length > 0 ? null : shown.length);
  }

  #count(state) {
    FILTERS.forEach(([, label, , count], at) =>
      setText(this.#select.options[at], `${label} (${whole(count(state))})`));
  }

  /** What the list leaves out: it holds the newest orders only, `found` of them by status alone, or null. */
  #renderMore(state, listed, found) {
    const [value, label, , count] = FILTERS.find(([value]) => value === this.#filter);
    const isCut = (state.total ?? 0) > listed;
    const isMissing = isCut && found !== (count(state) ?? 0);
    const latest = `${isCut ? "the latest " : ""}${whole(listed)}`;
    setText(this.#none, isMissing ? `No order matches among ${latest}.` : "No order matches.");
    const part = value === "ALL" || found === null ? "" : `${whole(found)} of ${whole(count(state))} ${label.toLowerCase()}: among t`;
    setText(this.#more, `${part || "T"}he latest ${whole(listed)} of ${whole(state.total)}. The exports hold all of them.`);
    setAttribute(this.#more, "hidden", !isMissing);
  }

  #renderLedger({ ledger }) {
    const isBroken = ledger?.intact === false;
    setAttribute(this.#ledger, "data-broken", isBroken);
    setAttribute(this.#ledger, "title", ledger?.head ? `Hash of the latest event: ${ledger.head}` : null);
    const events = number(String(ledger?.events ?? ""));
    setText(this.#ledger, !ledger ? "Ledger not known" : isBroken ? `Ledger damaged · ${events} events`
      : `Ledger intact · ${events} events · ${String(ledger.head ?? "").slice(0, 8)}`);
  }

  /** The list's own state: it has no rhythm, so it is right while the server stands behind it. */
  #renderNote(state, isKnown, now) {
    const own = { state: isKnown ? "live" : "waiting", origin: "venue" };
    const freshness = this.believe(this.entry, isKnown ? own : { ...own, confirmedAt: this.entry.receivedAt || undefined });
    const open = state?.openCount ?? 0;
    const count = state ? `${whole(state.total)} ${state.total === 1 ? "order" : "orders"} · ${whole(open)} open` : "Loading";
    this.pane.note.update(freshness, now, isKnown || !state ? count : undefined);
  }

  #notice(state) {
    if (!state) return this.entry.state ? null : this.whyNothing(this.entry, "Your orders");
    if (state.order?.length > 0 || state.failure) return null;
    const trade = { label: "Go to the ticket", run: () => this.context.router.go({ screen: "exchange" }) };
    return { title: "No orders yet", text: "What you buy and sell on the exchange will stand here, with its receipt.", action: trade };
  }
}

const whole = (count) => number(String(count ?? 0));

function exportLink(kind, label) {
  return h("a.button.small.export", { href: `/orders.${kind}`, download: `orders.${kind}`, "aria-label": `Download all orders as ${label}` }, label);
}

/** Whether every word is found in what the row says. */
function matches(id, order, words) {
  if (words.length === 0) return true;
  const text = [id, order.type, sideWord(order.side), order.status, order.quantity, order.filled, order.average, order.limit,
    order.reason, order.clientId].filter(Boolean).join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
