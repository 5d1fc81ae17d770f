// Orders that are too old for the topic "orders": fetched a page at a time when a person asks for
// more. They join the newest ones without a gap.

import { isOpen } from "./components/order-words.js";

const ASK_AGAIN_AFTER_MILLISECONDS = 5000;

export class OlderOrders {
  #rows = new Map();
  #latest = [];
  #latestRows = {};
  #changed;
  #isAsking = false;
  #refusedAt = -Infinity;
  /** Whether a person waits for a page. */
  isLoading = false;
  /** Why the page that a person asked for did not come; "" when it did. */
  problem = "";

  /** `changed` is called when a page came, or did not. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Follows the own orders: what slides out of the newest ones stays here. */
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

  /** What was heard last of an order. */
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
    this.#ask(this.oldest);
  }

  #keep(latest, rows) {
    const newest = Number(this.#latest[0] ?? 0);
    if (Number(latest.at(-1) ?? 1) > newest + 1) {
      this.#rows.clear();
    } else {
      const slid = this.#latest.filter((id) => !rows[id]).map((id) => [id, this.#latestRows[id]]);
      if (slid.length > 0) this.#rows = new Map([...slid, ...this.#rows]);
    }
    this.#latest = latest;
  }

  /** One that waited here and waits no more has ended meanwhile: its page is asked for again. */
  #refresh(all) {
    if (this.#isAsking || performance.now() - this.#refusedAt < ASK_AGAIN_AFTER_MILLISECONDS) return;
    for (const [id, row] of this.#rows) {
      if (isOpen(row) && !all[id]) return void this.#ask(Number(id) + 1);
    }
  }

  async #ask(before) {
    this.#isAsking = true;
    try {
      const answer = await fetch(`/history/orders?before=${before}`);
      if (!answer.ok) throw new Error(await answer.text());
      this.#take(before, await answer.json());
    } catch {
      this.#refusedAt = performance.now();
      if (this.isLoading) this.problem = "Older orders could not be loaded.";
    }
    this.#isAsking = this.isLoading = false;
    this.#changed();
  }

  #take(before, { order, orders }) {
    // A list that was begun anew meanwhile has no place for the page.
    if (before !== this.oldest && !this.#rows.has(String(before - 1))) return;
    for (const id of order) {
      if (!this.#latestRows[id]) this.#rows.set(id, orders[id]);
    }
  }
}
