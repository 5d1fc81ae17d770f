// What this page has sent to the exchange and what came of it. An order has one name from its
// review on; it is sent under that name until an answer comes, so it can't become two orders.

import { moneyOf, said } from "./components/order-words.js";
import { invalidate } from "./scheduler.js";

const STORED_KEY = "livetape.sentOrders";
const ASK_AGAIN_AFTER_MILLISECONDS = 5000;
/** An order that is older is not sent again by itself: the market is another one by then. */
const TOO_OLD_MILLISECONDS = 120_000;
const MAXIMUM_RECEIPTS = 20;
const MAXIMUM_TEXTS = 4;

/** What the ticket holds; it outlives the screen that shows it. */
export const newDraft = () => ({ phase: "form", side: "buy", type: "market", quantity: "", price: "", last: "", review: null, sent: "" });

export class Trading {
  draft = newDraft();
  /** How prices are written; the screens that know the currency say. */
  format = moneyOf(undefined);
  /** Newest first: `{key, id, texts: [{text, at}], isWarning, at}`, one for each order. */
  receipts = [];
  #link;
  #announce;
  #listeners = new Set();
  #sent = new Map();
  #cancels = new Map();
  /** All orders up to `newest` are being cancelled: `{newest, triedAt, isAnswered}`. */
  #cancelAll = null;

  /** `announce(text)` tells a screen reader. */
  constructor(link, announce) {
    this.#link = link;
    this.#announce = announce;
    this.#restore();
    link.hear("reply", (reply) => this.#heard(reply));
    link.hear("notice", (notice) => this.#noticed(notice));
    link.hear("connected", () => this.#sendAgain(0));
    setInterval(() => this.#sendAgain(ASK_AGAIN_AFTER_MILLISECONDS), 1000);
  }

  /** Draws `listener` again whenever something came of an order. Returns what ends that. */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends an order, once: a second call with the same `clientId` does nothing. */
  place(order) {
    if (this.#sent.has(order.clientId)) return;
    const record = { order, state: "waiting", sentAt: Date.now(), triedAt: performance.now() };
    this.#sent.set(order.clientId, record);
    // On this device before it is on the wire: a reload in between must not forget it.
    this.#store();
    if (!this.#link.do("order.place", { order })) this.#end(record, "unsent");
    this.#changed();
  }

  /** What became of an order that this page has sent, by its `clientId`. */
  fate(clientId) {
    return this.#sent.get(clientId);
  }

  /** A person's word on an order that nobody knows of any more: send it again after all. */
  insist(clientId) {
    const record = this.#sent.get(clientId);
    if (record?.state !== "doubtful") return;
    record.state = "waiting";
    record.sentAt = Date.now();
    this.#store();
    this.#try(record);
  }

  /** Or leave it. */
  abandon(clientId) {
    const record = this.#sent.get(clientId);
    if (record?.state === "doubtful") this.#end(record, "abandoned");
  }

  /** Asks for a cancellation; until the list of orders shows it, asking again does nothing. */
  cancel(id) {
    if (this.#cancels.has(id)) return;
    this.#cancels.set(id, { triedAt: performance.now(), isAnswered: false });
    this.#link.do("order.cancel", { id });
    this.#changed();
  }

  /** Asks for the cancellation of every order up to `newest`, the newest in sight. */
  cancelAll(newest) {
    if (this.#cancelAll) return;
    this.#cancelAll = { newest, triedAt: performance.now(), isAnswered: false };
    this.#link.do("orders.cancelAll", { id: newest });
    this.#changed();
  }

  /** Whether a cancellation of the order is under way. */
  isCancelling(id) {
    return this.#cancels.has(id) || (this.#cancelAll !== null && Number(id) <= Number(this.#cancelAll.newest));
  }

  /** Learns from the orders, and those that wait, what a lost answer would have said. */
  learn(orders, openRows) {
    for (const id of this.#cancels.keys()) {
      if (!openRows[id]) this.#cancels.delete(id);
    }
    if (this.#cancelAll && !Object.keys(openRows).some((id) => Number(id) <= Number(this.#cancelAll.newest))) {
      this.#cancelAll = null;
    }
    const isAnyOpen = [...this.#sent.values()].some(({ state }) => state === "waiting" || state === "doubtful");
    if (!isAnyOpen) return;
    for (const [id, order] of Object.entries(orders)) {
      const record = this.#sent.get(order.clientId);
      if (record?.state === "waiting" || record?.state === "doubtful") this.#found(record, id, order);
    }
  }

  /** Takes a receipt off the screen. */
  dismiss(key) {
    this.receipts = this.receipts.filter((receipt) => receipt.key !== key);
    this.#changed();
  }

  #found(record, id, order) {
    record.id = id;
    if (order.status === "REJECTED") record.message = order.reason;
    this.#end(record, order.status === "REJECTED" ? "rejected" : "placed");
  }

  #heard(reply) {
    if (reply.to === "order.place") this.#placed(reply);
    if (reply.to === "order.cancel" && this.#cancels.has(reply.id)) this.#cancelled(reply);
    if (reply.to === "orders.cancelAll" && this.#cancelAll?.newest === reply.id) this.#allCancelled(reply);
  }

  /** The list may be a frame behind the answer; only the list ends a cancellation that was granted. */
  #cancelled(reply) {
    if (reply.ok) {
      this.#cancels.get(reply.id).isAnswered = true;
    } else {
      this.#cancels.delete(reply.id);
      this.#note({ order: reply.id, text: reply.message ?? "It could not be cancelled.", warning: true });
    }
    this.#changed();
  }

  #allCancelled(reply) {
    if (reply.ok) {
      this.#cancelAll.isAnswered = true;
      this.#announce(reply.count === 1 ? "1 order cancelled." : `${reply.count} orders cancelled.`);
    } else {
      this.#cancelAll = null;
      this.#note({ order: reply.id, text: reply.message ?? "They could not be cancelled.", warning: true });
    }
    this.#changed();
  }

  #placed(reply) {
    const record = this.#sent.get(reply.clientId);
    if (!record) return;
    Object.assign(record, { id: reply.id ?? record.id, message: reply.message, field: reply.field, repeated: reply.repeated === true });
    if (!reply.ok) this.#announce(`Order rejected. ${said(reply.message, this.format)}`);
    this.#end(record, reply.ok ? "placed" : "rejected");
  }

  #noticed(notice) {
    if (typeof notice.text !== "string") return;
    this.#note({ ...notice, order: String(notice.order) });
    this.#changed();
  }

  #note({ order, text, warning, at }) {
    const known = this.receipts.find((receipt) => receipt.key === order);
    if (known?.texts.at(-1).text === text) return;
    const news = { text, at: at ?? this.#link.now() };
    const receipt = {
      key: order, id: order, texts: [...(known?.texts ?? []), news].slice(-MAXIMUM_TEXTS),
      isWarning: warning === true, at: news.at,
    };
    this.receipts = [receipt, ...this.receipts.filter((other) => other !== known)].slice(0, MAXIMUM_RECEIPTS);
    this.#announce(said(text, this.format, news.at));
  }

  /** Sends what still waits for an answer again, when the last attempt is at least that old. */
  #sendAgain(after) {
    const now = performance.now();
    for (const record of this.#sent.values()) {
      if (record.state !== "waiting" || now - record.triedAt < after) continue;
      if (Date.now() - record.sentAt > TOO_OLD_MILLISECONDS) this.#end(record, "doubtful");
      else this.#try(record);
    }
    for (const [id, cancel] of this.#cancels) {
      if (cancel.isAnswered || now - cancel.triedAt < after) continue;
      cancel.triedAt = now;
      this.#link.do("order.cancel", { id });
    }
    if (this.#cancelAll && !this.#cancelAll.isAnswered && now - this.#cancelAll.triedAt >= after) {
      this.#cancelAll.triedAt = now;
      this.#link.do("orders.cancelAll", { id: this.#cancelAll.newest });
    }
  }

  #try(record) {
    if (!this.#link.do("order.place", { order: record.order })) return;
    record.triedAt = performance.now();
    this.#changed();
  }

  #end(record, state) {
    record.state = state;
    this.#store();
    this.#changed();
  }

  #changed() {
    for (const listener of this.#listeners) invalidate(listener);
  }

  #store() {
    const open = [...this.#sent.values()].filter(({ state }) => state === "waiting" || state === "doubtful");
    try {
      sessionStorage.setItem(STORED_KEY, JSON.stringify(open.map(({ order, sentAt }) => ({ order, sentAt }))));
    } catch {
      // Without storage a reload forgets what it waited for; the history still has it.
    }
  }

  /** After a reload: the orders that still wait for their answers, the latest one in the ticket. */
  #restore() {
    let stored = [];
    try {
      stored = JSON.parse(sessionStorage.getItem(STORED_KEY) ?? "[]");
    } catch {
      return;
    }
    for (const { order, sentAt } of Array.isArray(stored) ? stored : []) {
      if (typeof order?.clientId !== "string" || !Number.isFinite(sentAt)) continue;
      this.#sent.set(order.clientId, { order, state: "waiting", sentAt, triedAt: -Infinity });
      Object.assign(this.draft, { phase: "sent", sent: order.clientId, side: order.side, type: order.type,
        quantity: order.quantity, price: order.price ?? "" });
    }
  }
}

/** A name for an order that no other has: 128 random bits, also where the page has no TLS. */
export function newClientId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `web-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
