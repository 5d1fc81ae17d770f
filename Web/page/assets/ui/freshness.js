// Whether a value may be shown as live: the venue's freshness as the server reports it, combined
// with the state of the page's own link.

import { FRESHNESS, STALE_FACTOR } from "../text/vocabulary.js";
import { freshnessText, originText, originTitle } from "../text/words.js";
import { h, setAttribute, setText } from "./dom.js";

/**
 * The freshness to show for a topic: `state`, `origin`, `confirmedAt`, and the derived `quiet` (no
 * arrow, no flash) and `dimmed`. `given` replaces the topic's own freshness.
 * @param {Link} link
 * @param {Entry} entry
 * @param {Topic.Freshness | undefined} given
 * @returns {Seen}
 */
export function believe(link, entry, given = freshnessOf(entry.state)) {
  /** @type {Topic.Freshness} */
  const own = given ?? { state: "waiting", origin: "venue" };
  const seen = throughLink(link, entry, own);
  const { showsMovement, isDimmed } = FRESHNESS[seen.state];
  return { ...seen, quiet: !showsMovement, dimmed: isDimmed };
}

/** @param {unknown} state */
const freshnessOf = (state) =>
  /** @type {{freshness?: Topic.Freshness} | undefined} */ (state)?.freshness;

/**
 * @param {Link} link
 * @param {Entry} entry
 * @param {Topic.Freshness} own
 * @returns {Topic.Freshness}
 */
function throughLink(link, entry, own) {
  const awaited = entry.isQueued ? "queued" : "waiting";
  if (entry.state === undefined) return { state: awaited, origin: own.origin };
  if (link.trusted && entry.confirmed) return aged(own, link);
  const heard = entry.confirmed ? link.lastMessageAt : entry.receivedAt;
  const confirmedAt = Math.min(own.confirmedAt ?? heard, heard);
  const state = link.trusted ? (entry.isDoubtful ? "resyncing" : awaited)
    : link.state === "connected" ? "stale" : "disconnected";
  return { state, origin: own.origin, confirmedAt };
}

// The server rates a value as long as its messages arrive. When it is silent, the page applies the
// value's own limits: late after `lateAfter` milliseconds, stale after a multiple of that.
/** @param {Topic.Freshness} own @param {Link} link @returns {Topic.Freshness} */
function aged(own, link) {
  const inTime = own.state === "live" || own.state === "late";
  if (!inTime || !own.lateAfter || link.silence <= own.lateAfter) return own;
  const state = link.silence > STALE_FACTOR * own.lateAfter ? "stale" : "late";
  return { ...own, state, confirmedAt: own.confirmedAt ?? link.lastMessageAt };
}

// The state of a pane's values in words, with their age and origin.
export class FreshnessNote {
  #text = h("span.note-text");
  #badge = h("span.badge", { hidden: true });

  constructor() {
    this.element = h("span.note", {}, h("span.dot", { "aria-hidden": "true" }), this.#text,
      this.#badge);
  }

  // `freshness` comes from `believe`; a pane may pass more specific `words`.
  /** @param {Pick<Seen, "state" | "origin" | "confirmedAt">} freshness @param {number} now */
  update(freshness, now, words = freshnessText(freshness, now)) {
    setAttribute(this.element, "data-state", freshness.state);
    setText(this.#text, words);
    const origin = originText(freshness.origin);
    setText(this.#badge, origin);
    setAttribute(this.#badge, "hidden", origin === "");
    setAttribute(this.#badge, "title", originTitle(freshness.origin));
  }
}
