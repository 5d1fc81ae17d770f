// A venue in the panel of connections: its state, the reason, and its figures.

import { dissentText } from "../book/notes.js";
import { shortTime } from "../latency/words.js";
import { sentence, t } from "../text/texts.js";
import { ago, connectionWord, duration, originText, phaseText } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";

// The effect of slow responses on the prices; "" if responses are prompt.
/** @param {import("./status.js").Connection} venue */
const delayText = ({ delayMilliseconds: delay }) => (delay === undefined ? ""
  : t("Slow: what it says may be {time} old.", { time: shortTime(delay * 1000) }));

export class VenueCard {
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

  /** @param {import("./status.js").Connection} venue @param {Link} link @param {boolean} known */
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
      known ? sentence(venue.reason) || delayText(venue)
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
