// The status chip and its panel: the page's own link, then each venue.

import { t } from "../text/texts.js";
import { stateWord } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { lazyPart, withPart } from "../ui/lazy.js";
import { viewNote } from "../ui/view-only.js";

/** @typedef {Entry<Topic.Status>} Status */
/** @typedef {import("./venue-card.js").VenueCard} VenueCard */
/**
 * A venue, or the page's own link, which has no counts but a retry.
 * @typedef {Omit<Topic.Venue, "reconnects" | "resyncs" | "rejected"> & {reconnects?: number,
 *   resyncs?: number, rejected?: number, refusedBooks?: number, retry?: () => unknown}} Connection
 */

// The worst state of the link and the venues, as one of three words.
/** @param {Link} link @param {Status} status */
export function worstWord(link, status) {
  if (!link.trusted) return link.state === "connected" ? "connecting" : link.state;
  return status.confirmed ? (status.state?.worst ?? "connecting") : "connecting";
}

export class StatusChip {
  #word = h("span.chip-word");
  #count = h("span.chip-count");
  #panel;
  #pageRow = h("ul.venues");
  #venueRows = h("ul.venues");
  /** @type {KeyedList<string, VenueCard> | null} */
  #list = null;
  #link;
  #status;
  #proofs;
  /** @type {VenueCard | null} */
  #own = null;
  /** @type {import("../faults/panel.js").FaultPanel | null} */
  #breaker = null;
  /** @type {import("../latency/ladder.js").LatencyPanel | null} */
  #ladders = null;

  /**
   * @param {object} page
   * @param {Link} page.link
   * @param {Status} page.status
   * @param {import("../book/proof.js").BookProofs} page.proofs
   * @param {() => unknown} page.refresh redraws the chip
   */
  constructor({ link, status, proofs, refresh }) {
    this.#link = link;
    this.#status = status;
    this.#proofs = proofs;
    this.element = h("button.chip",
      { type: "button", popovertarget: "status-panel", "aria-haspopup": "dialog" },
      h("span.dot", { "aria-hidden": "true" }), this.#word, this.#count);
    this.#panel = h("div.sheet.status-panel",
      { id: "status-panel", popover: "auto", role: "dialog", "aria-label": t("Connections") },
      h("div.sheet-head", {}, h("h2", {}, t("Connections")),
        h("button.icon-button",
          { type: "button", popovertarget: "status-panel", popovertargetaction: "hide",
            "aria-label": t("Close") }, "✕")),
      viewNote(), this.#pageRow, this.#venueRows);
    document.body.append(this.#panel);
    this.#panel.addEventListener("toggle", () => {
      setAttribute(this.element, "aria-expanded", String(this.isOpen));
      this.#watchMore(refresh);
      refresh();
    });
    setAttribute(this.element, "aria-expanded", "false");
  }

  get isOpen() {
    return this.#panel.matches(":popover-open");
  }

  // The fault and latency panels subscribe only while the panel is open; the code of its content is
  // in the lazy bundle.
  /** @param {() => unknown} refresh */
  #watchMore(refresh) {
    if (!this.isOpen) {
      this.#breaker?.rest();
      this.#ladders?.rest();
      return;
    }
    withPart("VenueCard", (Card) => {
      if (!this.#own) {
        this.#own = new Card();
        this.#pageRow.append(this.#own.element);
      }
      this.#list ??= new KeyedList(this.#venueRows,
        (key) => new Card(() => this.#link.do({ do: "venue.retry", venue: key })));
      const FaultPanel = lazyPart("FaultPanel");
      const LatencyPanel = lazyPart("LatencyPanel");
      this.#breaker ??= FaultPanel && new FaultPanel(this.#link, refresh);
      this.#ladders ??= LatencyPanel && new LatencyPanel(this.#link, refresh);
      if (!this.isOpen) return;
      this.#breaker?.watch();
      this.#ladders?.watch();
      refresh();
    });
  }

  render() {
    const [link, status] = [this.#link, this.#status];
    const word = worstWord(link, status);
    setAttribute(this.element, "data-state", word);
    setText(this.#word, stateWord(word));
    this.#renderCount();
    if (!this.isOpen || !this.#own || !this.#list) return;
    this.#own.update(ownVenue(link, this.#proofs.refused), link, true);
    const known = link.trusted && status.confirmed;
    const venues = status.state?.venues ?? {};
    this.#list.arrange((status.state?.order ?? []).filter((key) => venues[key]));
    for (const [key, card] of this.#list.rows) {
      card.update(venues[key], link, known);
      this.#ladders?.render(key, card.foot);
      this.#breaker?.render(key, venues[key].name, card.foot);
    }
  }

  /** "4/5": the number of connected venues; empty while unconfirmed. */
  #renderCount() {
    const [link, status] = [this.#link, this.#status];
    const venues = link.trusted && status.confirmed ? Object.values(status.state?.venues ?? {})
      : [];
    const connected = venues.filter((venue) => venue.connected).length;
    setText(this.#count, venues.length > 0 ? `${connected}/${venues.length}` : "");
    const detail = venues.length > 0
      ? `, ${t("{connected} of {count} venues", { connected, count: venues.length })}` : "";
    setAttribute(this.element, "aria-label",
      t("{state}: show connections", { state: this.#word.textContent + detail }));
  }
}

// The page's own link as a venue.
/** @param {Link} link @param {number} refusedBooks @returns {Connection} */
function ownVenue(link, refusedBooks) {
  const offset = link.now() - Date.now();
  return {
    name: t("This page"), connected: link.trusted, origin: "venue",
    phase: link.trusted ? "live" : link.state === "connecting" ? "connecting" : "backingOff",
    // An outage starts at the server's last message, not at the last connection attempt.
    since: link.trusted ? link.since + offset : link.lastMessageAt || link.since + offset,
    lastMessage: link.lastMessageAt || undefined,
    nextAttempt: link.nextAttemptAt === undefined ? undefined : link.nextAttemptAt + offset,
    reason: link.trusted ? "" : t("The Livetape server does not answer. Trying again by itself."),
    refusedBooks,
    retry: () => link.retryNow(),
  };
}
