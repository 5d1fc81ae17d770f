// Requests to the exchange besides the ticket's: cancellations and amendments, with their results;
// and the activity of own orders.

import { invalidate } from "../base/scheduler.js";
import { plural, sentence, t } from "../text/texts.js";
import { loadLazyParts, NOT_SENT, lazyPart } from "../ui/lazy.js";
import { newClientId, TicketCore } from "./ticket-core.js";
import { formatOf, isWaiting, marketName, moneyOf, orderTitle, said } from "./words.js";

/**
 * The receipt of one order; texts are oldest first.
 * @typedef {object} News
 * @property {string} key
 * @property {string} id
 * @property {{text: Sentence, at: number}[]} texts
 * @property {boolean} isWarning
 * @property {number} at
 */

/**
 * An amendment in progress, or its error.
 * @typedef {object} Amendment
 * @property {Wire.Amendment} wanted
 * @property {number} triedAt
 * @property {"waiting" | "done" | "refused"} state
 * @property {(problem?: string) => void} ended
 * @property {Sentence} [message]
 * @property {Wire.Field} [field]
 */
/** @typedef {{quantity?: string, price?: string, trigger?: string}} Change */
/** @typedef {Omit<Wire.Ticket, "clientId">} PlainOrder */

const ASK_AGAIN_AFTER_MILLISECONDS = 5000;
// The server closes the connection of a page that sends more than 50 messages a second.
const MAXIMUM_CANCELS_A_SECOND = 20;
const MAXIMUM_RECEIPTS = 20;
const MAXIMUM_TEXTS = 4;
const UNUSUAL = "unusual";

export class Trading {
  // The last state of the exchange.
  /** @type {Topic.Exchange | undefined} */
  market;
  // The market of the visible ticket: the exchange's or a venue's.
  /** @type {TicketMarket | undefined} */
  ticketMarket;
  // Newest first, one per order.
  /** @type {News[]} */
  receipts = [];
  /** @type {Link} */
  #link;
  /** @type {(text: string) => unknown} */
  #announce;
  /** @type {Set<() => unknown>} */
  #listeners = new Set();
  /** @type {Map<string, {triedAt: number, isAnswered: boolean}>} */
  #cancels = new Map();
  /** @type {Map<string, Amendment>} */
  #amendments = new Map();
  /** Orders placed or previewed without the ticket that await their response. */
  /** @type {Map<string, (problem?: string) => void>} */
  #requests = new Map();
  #asked = 0;
  // All orders up to `newest` are being cancelled; `markets` names their markets.
  /** @type {{newest: string, markets: string, triedAt: number, isAnswered: boolean} | null} */
  #cancelAll = null;
  /** The orders of one market that are being cancelled together. */
  /** @type {{market: string, ids: string[]} | null} */
  #cancelMarket = null;
  #cancelsSentAt = -Infinity;
  /** @type {OwnRows} */
  #rows = {};
  /** @type {OwnRows} */
  #openRows = {};
  /** @type {import("./crossing-dialog.js").CrossingDialog | undefined} */
  #dialog;

  // `announce(text)` speaks to a screen reader.
  /** @param {Link} link @param {(text: string) => unknown} announce */
  constructor(link, announce) {
    this.#link = link;
    this.#announce = announce;
    this.ticket = new TicketCore(link, (text) => announce(said(text, moneyOf(this.ticketMarket))),
      () => this.#changed());
    link.hear("reply", (reply) => this.#heard(reply));
    link.hear("notice", (notice) => this.#noticed(notice));
    link.hear("connected", () => {
      for (const ended of this.#requests.values()) {
        ended(t("The connection was lost. Check your orders before placing it again."));
      }
      this.#requests.clear();
      this.#cancelsSentAt = -Infinity;
      this.#sendAgain(0);
    });
    setInterval(() => this.#sendAgain(ASK_AGAIN_AFTER_MILLISECONDS), 1000);
  }

  /** The exchange's price format. */
  get format() {
    return moneyOf(this.market);
  }

  // An order's price format.
  /** @param {string} id */
  formatFor(id) {
    return formatOf(this.#rows[id], this.format);
  }

  // An open order; undefined once it has ended.
  /** @param {string} id */
  openOrder(id) {
    return this.#openRows[id];
  }

  // The markets of all open orders up to `newest`, or the given one: "TROAD".
  /** @param {string} newest @param {string} [market] */
  marketsUpTo(newest, market) {
    const symbols = Object.entries(this.#openRows)
      .filter(([id]) => Number(id) <= Number(newest)).map(([, { symbol }]) => market ?? symbol);
    return [...new Set(symbols)].map(marketName).join(", ");
  }

  // The trade that an amendment would cause at once; null if the order would rest.
  /** @param {string} id @param {Change} change */
  crossing(id, change) {
    const order = this.openOrder(id);
    const market = [this.ticketMarket, this.market].find((one) => one?.symbol === order?.symbol);
    return order && !isWaiting(order) ? this.ticket.crossing({ ...order,
      limit: change.price ?? order.limit, quantity: change.quantity ?? order.quantity }, market)
      : null;
  }

  // Redraws `listener` whenever an order's activity changes. Returns a function that stops it.
  /** @param {() => unknown} listener @returns {Release} */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // Requests a cancellation; repeated calls do nothing until the list of orders shows it.
  /** @param {string} id */
  cancel(id) {
    if (this.#cancels.has(id)) return;
    this.#cancels.set(id, { triedAt: performance.now(), isAnswered: false });
    this.#link.do({ do: "order.cancel", id });
    this.#changed();
  }

  // Requests the cancellation of every order up to `newest`, the newest visible one.
  /** @param {string} newest */
  cancelAll(newest) {
    if (this.#cancelAll) return;
    this.#cancelAll = { newest, markets: this.marketsUpTo(newest),
      triedAt: performance.now(), isAnswered: false };
    this.#link.do({ do: "orders.cancelAll", id: newest });
    this.#changed();
  }

  // Cancels every order of one market up to `newest`, one by one.
  /** @param {string} newest @param {string} market */
  cancelMarket(newest, market) {
    if (this.#cancelMarket) return;
    const ids = Object.entries(this.#openRows)
      .filter(([id, { symbol }]) => symbol === market && Number(id) <= Number(newest))
      .map(([id]) => id);
    for (const id of ids) {
      if (!this.#cancels.has(id)) {
        this.#cancels.set(id, { triedAt: -Infinity, isAnswered: false });
      }
    }
    this.#cancelMarket = { market, ids };
    this.#sendCancels(ASK_AGAIN_AFTER_MILLISECONDS);
    this.#changed();
  }

  // Whether a cancellation of the order is in progress.
  /** @param {string} id */
  isCancelling(id) {
    return this.#cancels.has(id)
      || (this.#cancelAll !== null && Number(id) <= Number(this.#cancelAll.newest));
  }

  // Places an order without the ticket. Resolves with the error, if any. It is sent once: after a
  // lost connection it could be placed at another time than the user's.
  /** @param {PlainOrder} order @returns {Promise<string | undefined>} */
  place(order) {
    const clientId = newClientId();
    return this.#once(clientId, { do: "order.place", order: { clientId, ...order } });
  }

  // As `place`, but an order of an unusual size is left to `review`.
  /** @param {PlainOrder} order @param {() => void} review */
  async placeUsual(order, review) {
    const clientId = newClientId();
    // The ticket's own numbers are positive.
    this.#asked -= 1;
    const problem = await this.#once(String(this.#asked),
      { do: "order.preview", ask: this.#asked, order: { clientId, ...order } });
    if (problem !== UNUSUAL) return problem ?? this.place(order);
    review();
    return undefined;
  }

  // Sends a request once. Resolves with the error, if any.
  /** @param {string} key @param {Wire.Action} action @returns {Promise<string | undefined>} */
  #once(key, action) {
    if (!this.#link.trusted || !this.#link.do(action)) {
      return Promise.resolve(t("Offline: orders can’t be sent."));
    }
    return new Promise((ended) => this.#requests.set(key, ended));
  }

  // Requests another quantity, price or trigger of an open order, once the user has confirmed an
  // amendment that trades at once. While one is in progress, others are ignored. All are digits
  // with a point; missing ones stay the same. Resolves on completion, with the error if any.
  /** @param {string} id @param {Change} change @returns {Promise<string | undefined>} */
  async amend(id, change) {
    if (this.isAmending(id)) return undefined;
    const wanted = { clientId: newClientId(), ...change };
    try {
      if (!this.ticket.isReady) await this.ticket.ready();
      if (this.crossing(id, change) && !await this.#confirm(id, change)) return undefined;
    } catch {
      return NOT_SENT;
    }
    if (this.isAmending(id)) return undefined;
    return new Promise((ended) => {
      this.#amendments.set(id, { wanted, triedAt: performance.now(), state: "waiting", ended });
      this.#link.do({ do: "order.amend", id, order: wanted });
      this.#changed();
    });
  }

  // Moves an order's line: its trigger while it waits for one, otherwise its price. Resolves as
  // `amend`.
  /** @param {string} id @param {string} price */
  async move(id, price) {
    const order = this.openOrder(id);
    const problem = await this.amend(id,
      order && isWaiting(order) ? { trigger: price } : { price });
    this.forgetAmendment(id);
    return problem;
  }

  /** @param {string} id @param {Change} change */
  async #confirm(id, change) {
    await loadLazyParts();
    const Dialog = lazyPart("CrossingDialog");
    if (!Dialog) return false;
    this.#dialog ??= new Dialog(this);
    return this.#dialog.ask(id, change);
  }

  // Whether an amendment of the order is in progress.
  /** @param {string} id */
  isAmending(id) {
    return this.#amendments.get(id)?.state === "waiting";
  }

  // The order's latest amendment, with its result or error.
  /** @param {string} id */
  amendment(id) {
    return this.#amendments.get(id);
  }

  // Drops a completed amendment once its result has been shown.
  /** @param {string} id */
  forgetAmendment(id) {
    if (!this.isAmending(id)) this.#amendments.delete(id);
  }

  // Derives the results of lost responses from the order lists.
  /** @param {OwnRows} orders @param {OwnRows} openRows */
  learn(orders, openRows) {
    [this.#rows, this.#openRows] = [orders, openRows];
    for (const id of this.#cancels.keys()) {
      if (!openRows[id]) this.#cancels.delete(id);
    }
    this.#endMarket(orders);
    for (const [id, { state, ended }] of this.#amendments) {
      if (openRows[id] || state !== "waiting") continue;
      this.#amendments.delete(id);
      ended();
    }
    const newest = Number(this.#cancelAll?.newest ?? 0);
    if (!Object.keys(openRows).some((id) => Number(id) <= newest)) this.#cancelAll = null;
    const { sent } = this.ticket.view;
    if (!sent?.isOpen) return;
    const found = Object.entries(orders).find(([, { clientId }]) => clientId === sent.name);
    if (found) this.ticket.found(...found);
  }

  // Removes a receipt.
  /** @param {string} key */
  dismiss(key) {
    this.receipts = this.receipts.filter((receipt) => receipt.key !== key);
    this.#changed();
  }

  /** @param {OwnRows} orders */
  #endMarket(orders) {
    const { market, ids } = this.#cancelMarket ?? { market: "", ids: [""] };
    if (market === "" || ids.some((id) => this.#cancels.has(id))) return;
    this.#cancelMarket = null;
    this.#sayCancelled(ids.filter((id) => orders[id]?.status === "CANCELLED").length,
      marketName(market));
  }

  /** @param {number} count @param {string} markets */
  #sayCancelled(count, markets) {
    this.#announce(plural(count, "{count} order cancelled in {markets}.",
      "{count} orders cancelled in {markets}.", { markets }));
  }

  /** @param {Wire.Reply} reply */
  #heard(reply) {
    if (reply.to === "order.cancel" && this.#cancels.has(reply.id)) this.#cancelled(reply);
    if (reply.to === "order.amend") this.#amended(reply);
    if (reply.to === "order.place") {
      this.#end(reply.clientId,
        reply.ok ? undefined : said(reply.message, moneyOf(this.ticketMarket)));
    }
    // A rejected preview is no obstacle: the order itself is judged once more.
    if (reply.to === "order.preview") {
      this.#end(String(reply.ask), reply.usual ? UNUSUAL : undefined);
    }
    if (reply.to === "orders.cancelAll" && this.#cancelAll?.newest === reply.id) {
      this.#allCancelled(reply);
    }
  }

  // The list may lag the response; only the list completes a granted cancellation.
  /** @param {Wire.Cancelled} reply */
  #cancelled(reply) {
    const cancel = this.#cancels.get(reply.id);
    if (reply.ok) {
      if (cancel) cancel.isAnswered = true;
    } else {
      this.#cancels.delete(reply.id);
      this.#note({ order: reply.id, text: this.#named(reply.id,
        reply.message ?? t("It could not be cancelled.")), warning: true });
    }
    this.#changed();
  }

  /** @param {string} key @param {string} [problem] */
  #end(key, problem) {
    this.#requests.get(key)?.(problem);
    this.#requests.delete(key);
  }

  /** @param {Wire.Amended} reply */
  #amended(reply) {
    const amendment = this.#amendments.get(reply.id);
    if (amendment?.wanted.clientId !== reply.clientId) return;
    amendment.state = reply.ok ? "done" : "refused";
    if (!reply.ok) {
      amendment.message = reply.message;
      amendment.field = reply.field;
      this.#announce(this.#named(reply.id, said(reply.message, this.formatFor(reply.id))));
    }
    amendment.ended(reply.ok ? undefined : said(reply.message, this.formatFor(reply.id)));
    this.#changed();
  }

  /** @param {Wire.CancelledAll} reply */
  #allCancelled(reply) {
    if (reply.ok) {
      if (this.#cancelAll) this.#cancelAll.isAnswered = true;
      this.#sayCancelled(reply.count, this.#cancelAll?.markets ?? "");
    } else {
      this.#cancelAll = null;
      this.#note({ order: reply.id, text: this.#named(reply.id,
        reply.message ?? t("They could not be cancelled.")), warning: true });
    }
    this.#changed();
  }

  /** @param {Wire.Notice} notice */
  #noticed(notice) {
    if (typeof notice.text !== "string" && !Array.isArray(notice.text)) return;
    this.#note({ ...notice, order: String(notice.order) });
    this.#changed();
  }

  // A sentence about an order, prefixed with the order's title.
  /** @param {string} id @param {Sentence} text */
  #named(id, text) {
    const order = this.openOrder(id);
    return order ? `${orderTitle(order, this.format)}: ${sentence(text)}` : sentence(text);
  }

  /** @param {{order: string, text: Sentence, warning: boolean, at?: number}} news */
  #note({ order, text, warning, at }) {
    const known = this.receipts.find((receipt) => receipt.key === order);
    const last = known?.texts.at(-1)?.text;
    if (last !== undefined && sentence(last) === sentence(text)) return;
    const news = { text, at: at ?? this.#link.now() };
    const receipt = {
      key: order, id: order, texts: [...(known?.texts ?? []), news].slice(-MAXIMUM_TEXTS),
      isWarning: warning === true, at: news.at,
    };
    this.receipts = [receipt, ...this.receipts.filter((other) => other !== known)].slice(0,
      MAXIMUM_RECEIPTS);
    this.#announce(said(text, this.formatFor(order), news.at));
  }

  // Resends pending requests whose last attempt is at least `after` milliseconds old.
  /** @param {number} after */
  #sendAgain(after) {
    const now = performance.now();
    this.#sendCancels(after);
    // The same client id marks the same amendment, so it is never made twice.
    for (const [id, amendment] of this.#amendments) {
      if (amendment.state !== "waiting" || now - amendment.triedAt < after) continue;
      amendment.triedAt = now;
      this.#link.do({ do: "order.amend", id, order: amendment.wanted });
    }
    if (this.#cancelAll && !this.#cancelAll.isAnswered && now - this.#cancelAll.triedAt >= after) {
      this.#cancelAll.triedAt = now;
      this.#link.do({ do: "orders.cancelAll", id: this.#cancelAll.newest });
    }
  }

  // New requests go before retries.
  /** @param {number} after */
  #sendCancels(after) {
    const now = performance.now();
    if (now - this.#cancelsSentAt < 1000) return;
    const due = [...this.#cancels].filter(([, { isAnswered, triedAt }]) =>
      !isAnswered && now - triedAt >= after).sort(([, a], [, b]) => a.triedAt - b.triedAt);
    if (due.length > 0) this.#cancelsSentAt = now;
    for (const [id, cancel] of due.slice(0, MAXIMUM_CANCELS_A_SECOND)) {
      cancel.triedAt = now;
      this.#link.do({ do: "order.cancel", id });
    }
  }

  #changed() {
    for (const listener of this.#listeners) invalidate(listener);
  }
}
