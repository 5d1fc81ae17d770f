// The headline of an instrument: its last price and the figures of its day, and how fresh they are
// where that is not a matter of course.

import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { freshnessText } from "../text/words.js";
import { h, setAttribute } from "../ui/dom.js";
import { FreshnessNote } from "../ui/freshness-note.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";
import { DayFacts } from "./day-facts.js";

/** A source may be alive and its figures old all the same: from here on their age is said. */
const OLD_MILLISECONDS = 60_000;
/** A price of more characters is written smaller, so that it fits beside the name. */
const LONGEST_LARGE_PRICE = 12;

/**
 * What the headline is of; `unit` is what volumes count, `hasPrice` is false where the price
 * stands beside it anyway.
 * @typedef {{venue: string, symbol: string, unit?: string, formatPrice?: Format,
 *   hasPrice?: boolean}} Subject
 */

export class Headline extends Screen {
  note = new FreshnessNote();
  #price = new Price("span.price");
  #facts = new DayFacts();
  #subject;

  /**
   * @param {Page} page
   * @param {Subject} subject
   */
  constructor(page, { unit = "", formatPrice = number, hasPrice = true, venue, symbol }) {
    super(page);
    this.#subject = { unit, formatPrice, venue, symbol, hasPrice };
    this.entry = this.open(`figures/${venue}/${symbol}`);
    this.note.element.classList.add("headline-note");
    this.#price.element.classList.add("headline-price");
    setAttribute(this.note.element, "hidden", true);
    this.element = h("div.headline",
      { role: "group", "aria-label": t("{symbol} in figures", { symbol }) },
      hasPrice ? this.#price.element : null, this.#facts.change, this.#facts.range);
    this.whenGone(() => this.#price.dispose());
    if (hasPrice) this.whenGone(() => page.title.quote(""));
  }

  render() {
    const { state } = this.entry;
    const freshness = this.believe(this.entry);
    const now = this.link.now();
    setAttribute(this.element, "hidden", this.entry.refused);
    this.#tell(freshness, now);
    setAttribute(this.#price.element, "hidden", state?.price === undefined);
    if (!state) return;
    const { formatPrice, unit } = this.#subject;
    this.#entitle(state, freshness);
    if (state.price !== undefined) {
      const text = formatPrice(state.price);
      setAttribute(this.#price.element, "data-long", text.length > LONGEST_LARGE_PRICE);
      this.#price.update({
        text, direction: state.direction, changes: state.changes,
        generation: this.entry.generation, ...freshness,
      });
    }
    this.#facts.update(state, { now, dimmed: freshness.dimmed, unit, formatPrice });
  }

  /**
   * The browser's tab says the price while it can be believed.
   * @param {Topic.Figures} state
   * @param {Seen} freshness
   */
  #entitle({ price, direction }, { dimmed }) {
    const { hasPrice, formatPrice, symbol } = this.#subject;
    if (!hasPrice) return;
    const arrow = direction === "up" ? " ↑" : direction === "down" ? " ↓" : "";
    this.page.title.quote(price === undefined || dimmed ? ""
      : `${formatPrice(price)}${arrow} ${symbol}`);
  }

  /**
   * Says how fresh the figures are unless they are live and young; ages count from their own time.
   * @param {Seen} freshness
   * @param {number} now
   */
  #tell(freshness, now) {
    const { state } = this.entry;
    const at = state?.at;
    const isOld = at !== undefined && now - at > OLD_MILLISECONDS;
    const isNews = freshness.state !== "live" || isOld;
    const isPatient = state === undefined && this.whyNothing(this.entry, "") === null;
    setAttribute(this.note.element, "hidden", !isNews || isPatient || this.entry.refused);
    const { confirmedAt } = freshness;
    const since = confirmedAt || isOld ? at ?? confirmedAt : undefined;
    const aged = { ...freshness, confirmedAt: since };
    this.note.update(freshness, now, state?.price === undefined && freshness.state === "waiting"
      ? this.venueReason(this.#subject.venue) : freshnessText(aged, now));
  }
}
