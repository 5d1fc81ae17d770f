// The status chip and its panel: the page's own link, then each venue.

import { dissentText } from "../book/notes.js";
import { shortTime } from "../latency/words.js";
import { t, told } from "../text/texts.js";
import { ago, connectionWord, duration, originText, phaseText, stateWord } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { loadLazyParts, lazyPart } from "../ui/lazy.js";
import { viewNote } from "../ui/view-only.js";

/** @typedef {Entry<Topic.Status>} Status */
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
  /** @type {KeyedList<string, VenueCard>} */
  #list;
  #link;
  #status;
  #proofs;
  #own = new VenueCard();
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
    const venues = h("ul.venues");
    this.#list = new KeyedList(venues,
      (key) => new VenueCard(() => link.do({ do: "venue.retry", venue: key })));
    this.#panel = h("div.sheet.status-panel",
      { id: "status-panel", popover: "auto", role: "dialog", "aria-label": t("Connections") },
      h("div.sheet-head", {}, h("h2", {}, t("Connections")),
        h("button.icon-button",
          { type: "button", popovertarget: "status-panel", popovertargetaction: "hide",
            "aria-label": t("Close") }, "✕")),
      viewNote(), h("ul.venues", {}, this.#own.element), venues);
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

  // The fault and latency panels subscribe only while the panel is open; their code is in the lazy
  // bundle.
  /** @param {() => unknown} refresh */
  #watchMore(refresh) {
    if (!this.isOpen) {
      this.#breaker?.rest();
      this.#ladders?.rest();
      return;
    }
    loadLazyParts().then(() => {
      const FaultPanel = lazyPart("FaultPanel");
      const LatencyPanel = lazyPart("LatencyPanel");
      this.#breaker ??= FaultPanel && new FaultPanel(this.#link, refresh);
      this.#ladders ??= LatencyPanel && new LatencyPanel(this.#link, refresh);
      if (!this.isOpen) return;
      this.#breaker?.watch();
      this.#ladders?.watch();
    }, () => {});
  }

  render() {
    const [link, status] = [this.#link, this.#status];
    const word = worstWord(link, status);
    setAttribute(this.element, "data-state", word);
    setText(this.#word, stateWord(word));
    this.#renderCount();
    if (!this.isOpen) return;
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

// The effect of slow responses on the prices; "" if responses are prompt.
/** @param {Connection} venue */
const delayText = ({ delayMilliseconds: delay }) => (delay === undefined ? ""
  : t("Slow: what it says may be {time} old.", { time: shortTime(delay * 1000) }));

class VenueCard {
  #name = h("h3");
  #badge = h("span.badge");
  #state = h("span.venue-state");
  #reason = h("p.venue-reason");
  #dissent = h("p.venue-dissent", { hidden: true });
  #since = h("span.venue-since");
  #facts = h("dl.venue-facts");
  #more = h("details.venue-more", {}, h("summary", {}, t("Details")), this.#facts);
  /** Container for the venue's actions. */
  foot = h("div.venue-foot", {}, this.#since, this.#more);
  #retry = h("button.button.small", { type: "button", hidden: true }, t("Retry now"));
  /** @type {Map<string, {text: HTMLElement, element: HTMLElement}>} */
  #values = new Map();
  /** @type {(() => unknown) | undefined} */
  #act;

  /** @param {() => unknown} [retry] */
  constructor(retry) {
    this.element = h("li.venue", {},
      h("div.venue-head", {}, h("span.dot", { "aria-hidden": "true" }), this.#name, this.#badge,
        this.#state),
      this.#reason, this.#dissent, this.foot, this.#retry);
    this.#retry.addEventListener("click", () => (retry ?? this.#act)?.());
    // A retry of the page's own link affects only this page, so viewers have it, too.
    setAttribute(this.#retry, "data-changes", retry !== undefined);
  }

  /** @param {Connection} venue @param {Link} link @param {boolean} known */
  update(venue, link, known) {
    this.#act = venue.retry;
    const now = link.now();
    const isStopped = known && venue.phase === "stopped";
    const word = isStopped ? "stopped" : known ? connectionWord(venue) : "disconnected";
    setAttribute(this.element, "data-state", word);
    setText(this.#name, venue.name);
    setText(this.#badge, originText(venue.origin));
    setAttribute(this.#badge, "hidden", originText(venue.origin) === "");
    setText(this.#state, known ? phaseText(venue.phase) : t("Not known"));
    setText(this.#reason,
      known ? told(venue.reason) || delayText(venue)
      : t("Not known while this page has no connection."));
    setAttribute(this.#reason, "hidden", this.#reason.textContent === "");
    const dissents = (known && venue.dissenting) || [];
    setText(this.#dissent, dissents.map(([symbol, ...dissent]) =>
      `${symbol}: ${dissentText(dissent)}`).join(" · "));
    setAttribute(this.#dissent, "hidden", dissents.length === 0);
    setAttribute(this.#retry, "hidden", venue.connected || !known || venue.phase === "stopped");
    // A disconnected venue has no round trip.
    const trip = venue.connected && known ? venue.roundTripMicroseconds : undefined;
    const answer = trip === undefined ? ""
      : ` · ${t("ping {time}", { time: shortTime(trip) })}`;
    const lasted = { duration: duration(now - (venue.since ?? now)) };
    setText(this.#since, venue.since === undefined ? ""
      : (venue.connected && known ? t("up {duration}", lasted) : t("For {duration}", lasted))
        + answer);
    this.#fact(t("Last message"),
      venue.lastMessage === undefined ? "–" : ago(now - venue.lastMessage));
    this.#fact(t("Reconnects"), venue.reconnects);
    this.#fact(t("Book reloads"), venue.resyncs);
    this.#fact(t("Messages refused"), venue.rejected,
      t("Messages that made no sense: they were left out, and no price came of them"));
    this.#fact(t("Listings skipped"), venue.skipped,
      t("Instruments that the venue lists and that can't be shown here"));
    this.#fact(t("Books refused today"), venue.refusedBooks,
      t("Books whose rows were not those that server and venue vouch for: they were not drawn"));
    const wait = venue.nextAttempt === undefined ? undefined
      : Math.ceil(Math.max(0, venue.nextAttempt - now) / 1000);
    this.#fact(t("Next attempt"),
      wait === undefined ? undefined : wait === 0 ? t("now") : t("in {wait} s", { wait }));
  }

  /**
   * @param {string} label
   * @param {string | number | undefined} value
   * @param {string} [explanation]
   */
  #fact(label, value, explanation) {
    let fact = this.#values.get(label);
    if (!fact) {
      const text = h("dd");
      fact = { text, element: h("div", { title: explanation }, h("dt", {}, label), text) };
      this.#values.set(label, fact);
      this.#facts.append(fact.element);
    }
    setAttribute(fact.element, "hidden",
      value === undefined || value === "" || Number.isNaN(value));
    setText(fact.text, String(value ?? ""));
  }
}
