// Own orders: the newest, and every open one, however old.

import { ordersIn } from "./words.js";

/** @typedef {{[id: string]: Topic.Order}} OwnRows */
/**
 * The orders that tables show: all, or those of `market`.
 * @typedef {object} ShownOrders
 * @property {Topic.Orders | undefined} state
 * @property {string | undefined} market
 * @property {OwnRows} all
 * @property {string[]} latest
 * @property {string[]} open
 * @property {OwnRows} openRows
 */

export class OwnOrders {
  #latest;
  #waiting;
  /** @type {(OwnRows | undefined)[]} */
  #from = [];
  /** @type {OwnRows} */
  #all = {};
  /** @type {ShownOrders | null} */
  #shown = null;
  /** @type {unknown[]} */
  #shownFrom = [];

  /** @param {Entry<Topic.Orders>} latest @param {Entry<Topic.OpenOrders>} waiting */
  constructor(latest, waiting) {
    this.#latest = latest;
    this.#waiting = waiting;
  }

  /** The entry of the topic "orders". */
  get entry() {
    return this.#latest;
  }

  /** The state of "orders": counts, ledger, failure; undefined until both topics have one. */
  get state() {
    return this.#waiting.state === undefined ? undefined : this.#latest.state;
  }

  /** Whether the server confirms both lists. */
  get confirmed() {
    return this.#latest.confirmed && this.#waiting.confirmed;
  }

  /** Whether the orders are current: false while the server can't confirm their latest state. */
  get known() {
    return this.confirmed && this.#latest.state?.knownUntil === undefined;
  }

  /** The entry of a topic that has no state yet, or that of "orders". */
  get missing() {
    return this.#waiting.state === undefined && this.#latest.state !== undefined ? this.#waiting
      : this.#latest;
  }

  /** Orders by id: the same object until one of them changes. */
  get all() {
    const from = [this.#waiting.state?.orders, this.#latest.state?.orders];
    if (from.some((orders, at) => orders !== this.#from[at])) {
      this.#from = from;
      this.#all = Object.assign(Object.create(null), ...from);
    }
    return this.#all;
  }

  /** The ids of the newest orders, newest first. */
  get latest() {
    return this.#latest.state?.order ?? [];
  }

  /** The ids of open orders, newest first. */
  get open() {
    return this.#waiting.state?.order ?? [];
  }

  /** Rows of open orders by id: the same object until one of them changes. */
  get openRows() {
    return this.#waiting.state?.orders ?? NONE;
  }

  // The orders of one market, or all if undefined: the same object until one changes.
  /** @param {string | undefined} market @returns {ShownOrders} */
  of(market) {
    const { state, all, latest, open, openRows } = this;
    const from = [market, state, all, latest, open, openRows];
    if (this.#shown && from.every((value, at) => value === this.#shownFrom[at])) return this.#shown;
    this.#shownFrom = from;
    this.#shown = { state, market, all, latest, open, openRows };
    if (market !== undefined) {
      const isShown = (/** @type {string} */ id) =>
        (openRows[id] ?? all[id])?.symbol === market;
      Object.assign(this.#shown, { all: ordersIn(all, market), latest: latest.filter(isShown),
        open: open.filter(isShown), openRows: ordersIn(openRows, market) });
    }
    return this.#shown;
  }
}

/** @type {OwnRows} */
const NONE = Object.freeze({});
