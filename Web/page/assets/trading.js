// @ts-check
// What this page has sent to the exchange and what came of it. An order has one name from its
// review on; it is sent under that name until an answer comes, so it can't become two orders.

import { moneyOf, said } from "./components/order-words.js";
import { invalidate } from "./scheduler.js";
import { read, remember } from "./storage.js";

/** @typedef {import("./own-orders.js").OwnRows} OwnRows */
/** @typedef {{price: string | undefined, quantity: string | undefined}} Offer */
/**
 * What was reviewed: the order, the server's answer, the opposite offer then, and when.
 * @typedef {{order: Wire.Ticket, reply: Wire.Previewed, best: Offer | undefined,
 *   at: number}} Review
 */
/**
 * What the ticket holds.
 * @typedef {object} Draft
 * @property {"form" | "review" | "sent"} phase
 * @property {Wire.Side} side
 * @property {"market" | "limit"} type
 * @property {string} quantity as typed
 * @property {string} price as typed
 * @property {string} last the quantity of the order before
 * @property {Review | null} review
 * @property {string} sent the `clientId` of the order that was sent
 * @property {{field: Wire.Field, text: string | undefined} | null} [refusal]
 */
/**
 * An order that this page has sent, and what became of it.
 * @typedef {object} Sent
 * @property {Wire.Ticket} order
 * @property {"waiting" | "placed" | "rejected" | "unsent" | "doubtful" | "abandoned"} state
 * @property {number} sentAt
 * @property {number} triedAt
 * @property {string} [id]
 * @property {string} [message]
 * @property {Wire.Field} [field]
 * @property {boolean} [repeated]
 */
/**
 * The receipt of one order: what was said of it, oldest first.
 * @typedef {object} News
 * @property {string} key
 * @property {string} id
 * @property {{text: string, at: number}[]} texts
 * @property {boolean} isWarning
 * @property {number} at
 */

const STORED_KEY = "sentOrders";
const ASK_AGAIN_AFTER_MILLISECONDS = 5000;
/** An order that is older is not sent again by itself: the market is another one by then. */
const TOO_OLD_MILLISECONDS = 120_000;
const MAXIMUM_RECEIPTS = 20;
const MAXIMUM_TEXTS = 4;

/**
 * What the ticket holds; it outlives the screen that shows it.
 * @type {() => Draft}
 */
export const newDraft = () => ({
  phase: "form", side: "buy", type: "market", quantity: "", price: "", last: "", review: null,
  sent: "",
});

export class Trading {
  draft = newDraft();
  /** How prices are written; the screens that know the currency say. */
  format = moneyOf(undefined);
  /**
   * Newest first, one for each order.
   * @type {News[]}
   */
  receipts = [];
  /** @type {import("./link.js").Link} */
  #link;
  /** @type {(text: string) => unknown} */
  #announce;
  /** @type {Set<() => unknown>} */
  #listeners = new Set();
  /** @type {Map<string, Sent>} */
  #sent = new Map();
  /** @type {Map<string, {triedAt: number, isAnswered: boolean}>} */
  #cancels = new Map();
  /**
   * All orders up to `newest` are being cancelled.
   * @type {{newest: string, triedAt: number, isAnswered: boolean} | null}
   */
  #cancelAll = null;

  /**
   * `announce(text)` tells a screen reader.
   * @param {import("./link.js").Link} link
   * @param {(text: string) => unknown} announce
   */
  constructor(link, announce) {
    this.#link = link;
    this.#announce = announce;
    this.#restore();
    link.hear("reply", (reply) => this.#heard(reply));
    link.hear("notice", (notice) => this.#noticed(notice));
    link.hear("connected", () => this.#sendAgain(0));
    setInterval(() => this.#sendAgain(ASK_AGAIN_AFTER_MILLISECONDS), 1000);
  }

  /**
   * Draws `listener` again whenever something came of an order. Returns what ends that.
   * @param {() => unknown} listener
   * @returns {Release}
   */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Sends an order, once: a second call with the same `clientId` does nothing.
   * @param {Wire.Ticket} order
   */
  place(order) {
    if (this.#sent.has(order.clientId)) return;
    /** @type {Sent} */
    const record = { order, state: "waiting", sentAt: Date.now(), triedAt: performance.now() };
    this.#sent.set(order.clientId, record);
    // On this device before it is on the wire: a reload in between must not forget it.
    this.#store();
    if (!this.#link.do({ do: "order.place", order })) this.#end(record, "unsent");
    this.#changed();
  }

  /**
   * What became of an order that this page has sent, by its `clientId`.
   * @param {string} clientId
   */
  fate(clientId) {
    return this.#sent.get(clientId);
  }

  /**
   * A person's word on an order that nobody knows of any more: send it again after all.
   * @param {string} clientId
   */
  insist(clientId) {
    const record = this.#sent.get(clientId);
    if (record?.state !== "doubtful") return;
    record.state = "waiting";
    record.sentAt = Date.now();
    this.#store();
    this.#try(record);
  }

  /**
   * Or leave it.
   * @param {string} clientId
   */
  abandon(clientId) {
    const record = this.#sent.get(clientId);
    if (record?.state === "doubtful") this.#end(record, "abandoned");
  }

  /**
   * Asks for a cancellation; until the list of orders shows it, asking again does nothing.
   * @param {string} id
   */
  cancel(id) {
    if (this.#cancels.has(id)) return;
    this.#cancels.set(id, { triedAt: performance.now(), isAnswered: false });
    this.#link.do({ do: "order.cancel", id });
    this.#changed();
  }

  /**
   * Asks for the cancellation of every order up to `newest`, the newest in sight.
   * @param {string} newest
   */
  cancelAll(newest) {
    if (this.#cancelAll) return;
    this.#cancelAll = { newest, triedAt: performance.now(), isAnswered: false };
    this.#link.do({ do: "orders.cancelAll", id: newest });
    this.#changed();
  }

  /**
   * Whether a cancellation of the order is under way.
   * @param {string} id
   */
  isCancelling(id) {
    return this.#cancels.has(id)
      || (this.#cancelAll !== null && Number(id) <= Number(this.#cancelAll.newest));
  }

  /**
   * Learns from the orders, and those that wait, what a lost answer would have said.
   * @param {OwnRows} orders
   * @param {OwnRows} openRows
   */
  learn(orders, openRows) {
    for (const id of this.#cancels.keys()) {
      if (!openRows[id]) this.#cancels.delete(id);
    }
    const newest = Number(this.#cancelAll?.newest ?? 0);
    if (!Object.keys(openRows).some((id) => Number(id) <= newest)) this.#cancelAll = null;
    const isAnyOpen = [...this.#sent.values()].some(isOpen);
    if (!isAnyOpen) return;
    for (const [id, order] of Object.entries(orders)) {
      const record = this.#sent.get(order.clientId);
      if (record?.state === "waiting" || record?.state === "doubtful") {
        this.#found(record, id, order);
      }
    }
  }

  /**
   * Takes a receipt off the screen.
   * @param {string} key
   */
  dismiss(key) {
    this.receipts = this.receipts.filter((receipt) => receipt.key !== key);
    this.#changed();
  }

  /**
   * @param {Sent} record
   * @param {string} id
   * @param {Topic.Order} order
   */
  #found(record, id, order) {
    record.id = id;
    if (order.status === "REJECTED") record.message = order.reason;
    this.#end(record, order.status === "REJECTED" ? "rejected" : "placed");
  }

  /** @param {Wire.Reply} reply */
  #heard(reply) {
    if (reply.to === "order.place") this.#placed(reply);
    if (reply.to === "order.cancel" && this.#cancels.has(reply.id)) this.#cancelled(reply);
    if (reply.to === "orders.cancelAll" && this.#cancelAll?.newest === reply.id) {
      this.#allCancelled(reply);
    }
  }

  /**
   * The list may be a frame behind the answer; only the list ends a cancellation that was granted.
   * @param {Wire.Cancelled} reply
   */
  #cancelled(reply) {
    const cancel = this.#cancels.get(reply.id);
    if (reply.ok) {
      if (cancel) cancel.isAnswered = true;
    } else {
      this.#cancels.delete(reply.id);
      this.#note({ order: reply.id, text: reply.message ?? "It could not be cancelled.",
        warning: true });
    }
    this.#changed();
  }

  /** @param {Wire.CancelledAll} reply */
  #allCancelled(reply) {
    if (reply.ok) {
      if (this.#cancelAll) this.#cancelAll.isAnswered = true;
      this.#announce(reply.count === 1 ? "1 order cancelled." : `${reply.count} orders cancelled.`);
    } else {
      this.#cancelAll = null;
      this.#note({ order: reply.id, text: reply.message ?? "They could not be cancelled.",
        warning: true });
    }
    this.#changed();
  }

  /** @param {Wire.Placed} reply */
  #placed(reply) {
    const record = this.#sent.get(reply.clientId);
    if (!record) return;
    record.id = reply.id ?? record.id;
    record.message = reply.ok ? undefined : reply.message;
    record.field = reply.ok ? undefined : reply.field;
    record.repeated = reply.ok && reply.repeated;
    if (!reply.ok) this.#announce(`Order rejected. ${said(reply.message, this.format)}`);
    this.#end(record, reply.ok ? "placed" : "rejected");
  }

  /** @param {Wire.Notice} notice */
  #noticed(notice) {
    if (typeof notice.text !== "string") return;
    this.#note({ ...notice, order: String(notice.order) });
    this.#changed();
  }

  /** @param {{order: string, text: string, warning: boolean, at?: number}} news */
  #note({ order, text, warning, at }) {
    const known = this.receipts.find((receipt) => receipt.key === order);
    if (known?.texts.at(-1)?.text === text) return;
    const news = { text, at: at ?? this.#link.now() };
    const receipt = {
      key: order, id: order, texts: [...(known?.texts ?? []), news].slice(-MAXIMUM_TEXTS),
      isWarning: warning === true, at: news.at,
    };
    this.receipts = [receipt, ...this.receipts.filter((other) => other !== known)].slice(0,
      MAXIMUM_RECEIPTS);
    this.#announce(said(text, this.format, news.at));
  }

  /**
   * Sends what still waits for an answer again, when the last attempt is at least that old.
   * @param {number} after
   */
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
      this.#link.do({ do: "order.cancel", id });
    }
    if (this.#cancelAll && !this.#cancelAll.isAnswered && now - this.#cancelAll.triedAt >= after) {
      this.#cancelAll.triedAt = now;
      this.#link.do({ do: "orders.cancelAll", id: this.#cancelAll.newest });
    }
  }

  /** @param {Sent} record */
  #try(record) {
    if (!this.#link.do({ do: "order.place", order: record.order })) return;
    record.triedAt = performance.now();
    this.#changed();
  }

  /**
   * @param {Sent} record
   * @param {Sent["state"]} state
   */
  #end(record, state) {
    record.state = state;
    this.#store();
    this.#changed();
  }

  #changed() {
    for (const listener of this.#listeners) invalidate(listener);
  }

  #store() {
    const open = [...this.#sent.values()].filter(isOpen);
    // Without storage a reload forgets what it waited for; the history still has it.
    const stored = JSON.stringify(open.map(({ order, sentAt }) => ({ order, sentAt })));
    remember(STORED_KEY, stored, "sessionStorage");
  }

  /** After a reload: the orders that still wait for their answers, the latest one in the ticket. */
  #restore() {
    let stored;
    try {
      stored = JSON.parse(read(STORED_KEY, "sessionStorage") ?? "[]");
    } catch {
      return;
    }
    for (const { order, sentAt } of Array.isArray(stored) ? stored : []) {
      if (typeof order?.clientId !== "string" || !Number.isFinite(sentAt)) continue;
      this.#sent.set(order.clientId, { order, state: "waiting", sentAt, triedAt: -Infinity });
      Object.assign(this.draft,
        { phase: "sent", sent: order.clientId, side: order.side, type: order.type,
        quantity: order.quantity, price: order.price ?? "" });
    }
  }
}

/** @param {Sent} sent */
const isOpen = ({ state }) => state === "waiting" || state === "doubtful";

/** A name for an order that no other has: 128 random bits, also where the page has no TLS. */
export function newClientId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `web-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
