// Orders that are too old for the topic "orders": fetched a page at a time when a person asks for
// more. They join the newest ones without a gap.

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
  /** One question at a time, a person's or the list's own. */
  #isAsking = false;
  /**
   * The order whose page the list asked for by itself, and when: the same one again only after a
   * pause.
   */
  #refreshed = { id: "", at: -Infinity };
  /** Whether a person waits for a page. */
  isLoading = false;
  /** Why the page that a person asked for did not come; "" when it did. */
  problem = "";

  // `changed` is called when a page came, or did not.
  /** @param {() => unknown} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  // Follows the own orders: what slides out of the newest ones stays here.
  /** @param {OwnOrders} orders */
  follow(orders) {
    const rows = orders.state?.orders ?? {};
    if (orders.latest !== this.#latest) this.#keep(orders.latest, rows);
    this.#latestRows = rows;
    if (orders.confirmed) this.#refresh(orders.all);
  }

  /** The numbers, newest first. */
  get ids() {
    return [...this.#rows.keys()];
  }

  // What was heard last of an order.
  /** @param {string} id */
  row(id) {
    return this.#rows.get(id);
  }

  /** The oldest number of the list that begins with the newest order and leaves none out. */
  get oldest() {
    return Number(this.ids.at(-1) ?? this.#latest.at(-1) ?? 1);
  }

  /** Asks for the next page. */
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

  // One that waited here and waits no more has ended meanwhile: its page is asked for again.
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

  // `isWanted` where a person waits for the page.
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
    // What a person asked for meanwhile waited for this answer.
    else if (this.isLoading) this.#ask(this.oldest, { isWanted: true });
    this.#changed();
  }

  // False when a list that was begun anew meanwhile has no place for the page.
  /** @param {number} before @param {Wire.OlderOrders} page */
  #take(before, { order, orders }) {
    if (before !== this.oldest && !this.#rows.has(String(before - 1))) return false;
    for (const id of order) {
      if (!this.#latestRows[id]) this.#rows.set(id, orders[id]);
    }
    return true;
  }
}
