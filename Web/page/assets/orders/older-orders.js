// Orders that are too old for the topic "orders", fetched a page at a time at the user's request.
// They join the newest ones without a gap.

import { t } from "../text/texts.js";
import { isOpen } from "./words.js";

/** @typedef {import("./own-orders.js").OwnOrders} OwnOrders */

const ASK_AGAIN_AFTER_MILLISECONDS = 5000;
const ANSWER_WITHIN_MILLISECONDS = 15_000;

export class OlderOrders {
  /** @type {Map<string, Topic.Order>} */
  #rows = new Map();
  /** @type {string[]} */
  #latest = [];
  /** @type {OwnRows} */
  #latestRows = {};
  #changed;
  /** One request at a time, the user's or an automatic one. */
  #isAsking = false;
  /**
   * The last order that triggered an automatic refetch, and when: the same one is refetched only
   * after a pause.
   */
  #refreshed = { id: "", at: -Infinity };
  /** Whether the user is waiting for a page. */
  isLoading = false;
  /** Why the requested page failed to load; "" on success. */
  problem = "";

  // `changed` is called when a page has loaded or failed.
  /** @param {() => unknown} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  // Follows own orders: those that drop out of the newest ones are kept here.
  /** @param {OwnOrders} orders */
  follow(orders) {
    const rows = orders.state?.orders ?? {};
    if (orders.latest !== this.#latest) this.#keep(orders.latest, rows);
    this.#latestRows = rows;
    if (orders.confirmed) this.#refresh(orders.all);
  }

  /** The order ids, newest first. */
  get ids() {
    return [...this.#rows.keys()];
  }

  // The last received row of an order.
  /** @param {string} id */
  row(id) {
    return this.#rows.get(id);
  }

  /** The oldest id of the gapless list that starts at the newest order. */
  get oldest() {
    return Number(this.ids.at(-1) ?? this.#latest.at(-1) ?? 1);
  }

  /** Requests the next page. */
  more() {
    if (this.isLoading || this.oldest <= 1) return;
    this.isLoading = true;
    this.problem = "";
    this.#changed();
    if (!this.#isAsking) this.#ask(this.oldest, { isWanted: true });
  }

  /** @param {string[]} latest @param {OwnRows} rows */
  #keep(latest, rows) {
    const newest = Number(this.#latest[0] ?? 0);
    if (Number(latest.at(-1) ?? 1) > newest + 1) {
      this.#rows.clear();
    } else {
      const gone = this.#latest.filter((id) => !rows[id]);
      const slid = new Map(gone.map((id) => [id, this.#latestRows[id]]));
      if (slid.size > 0) this.#rows = new Map([...slid, ...this.#rows]);
    }
    this.#latest = latest;
  }

  // An order that was open here and no longer is has ended: its page is refetched.
  /** @param {OwnRows} all */
  #refresh(all) {
    if (this.#isAsking) return;
    const found = [...this.#rows].find(([id, order]) => isOpen(order) && !all[id]);
    if (!found) return;
    const [id] = found;
    const now = performance.now();
    if (id === this.#refreshed.id && now - this.#refreshed.at < ASK_AGAIN_AFTER_MILLISECONDS) {
      return;
    }
    this.#refreshed = { id, at: now };
    this.#ask(Number(id) + 1, { isWanted: false });
  }

  // `isWanted` is whether the user requested the page.
  /** @param {number} before @param {{isWanted: boolean}} request */
  async #ask(before, { isWanted }) {
    this.#isAsking = true;
    let problem = "";
    try {
      const signal = /** @type {any} */ (AbortSignal).timeout(ANSWER_WITHIN_MILLISECONDS);
      const answer = await fetch(`/history/orders?before=${before}`, { signal });
      if (!answer.ok || !this.#take(before, await answer.json())) {
        problem = t("Older orders could not be loaded.");
      }
    } catch {
      problem = t("Older orders could not be loaded.");
    }
    this.#isAsking = false;
    if (isWanted) [this.isLoading, this.problem] = [false, problem];
    // The user's request waited for this response.
    else if (this.isLoading) this.#ask(this.oldest, { isWanted: true });
    this.#changed();
  }

  // False if the list was reset meanwhile and the page no longer fits.
  /** @param {number} before @param {Wire.OlderOrders} page */
  #take(before, { order, orders }) {
    if (before !== this.oldest && !this.#rows.has(String(before - 1))) return false;
    for (const id of order) {
      if (!this.#latestRows[id]) this.#rows.set(id, orders[id]);
    }
    return true;
  }
}
