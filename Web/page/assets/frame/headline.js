// An instrument's headline: its last price, the figures of its day, and their freshness unless it
// is live.

import { compare } from "../base/decimal.js";
import { abbreviated, isLarge, number, percent, signed } from "../text/format.js";
import { t } from "../text/texts.js";
import { freshnessText, ofWindow, withUnit } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { FreshnessNote } from "../ui/freshness.js";
import { Price } from "../ui/price.js";
import { Screen } from "../ui/screen.js";

// The figures of an instrument's day: change, high, low, volume and VWAP, each labelled with its
// window. Missing values are omitted.
const SPOKEN = { up: `${t("up")} `, down: `${t("down")} `, unchanged: "" };

/** @typedef {keyof typeof SPOKEN} Movement */

class DayFacts {
  #change = new Fact(t("Change"));
  #high = new Fact(t("High"));
  #low = new Fact(t("Low"));
  #volume = new Fact(t("Volume"));
  #vwap = new Fact("VWAP");

  constructor() {
    /** The change alone, which may be shown beside the price. */
    this.change = h("dl.day-facts.day-change", {}, this.#change.element);
    this.range = h("dl.day-facts", {}, this.#high.element, this.#low.element,
      this.#volume.element, this.#vwap.element);
  }

  /**
   * `unit` is the volume's unit, if it must be shown.
   * @param {Topic.Figures} figures
   * @param {{now: number, dimmed: boolean, unit: string, formatPrice: Format}} view
   */
  update(figures, { now, dimmed, unit, formatPrice }) {
    const { since, high, low, vwap } = figures;
    const of = (/** @type {string} */ name) => ofWindow(name, since, now);
    const movement = movementOf(figures);
    const change = changeText(figures);
    this.#change.update(of(t("Change")), change, { movement });
    // An empty list would leave a gap at the edge.
    setAttribute(this.change, "hidden", !change);
    this.#high.update(of(t("High")), high && formatPrice(high));
    this.#low.update(of(t("Low")), low && formatPrice(low));
    this.#vwap.update(of("VWAP"), vwap && formatPrice(vwap));
    const volume = volumeTexts(figures.volume, unit);
    this.#volume.update(of(t("Volume")), volume.text, { full: volume.full });
    for (const list of [this.change, this.range]) setAttribute(list, "data-dimmed", dimmed);
  }
}

// Change and percent, or the one that is available.
/** @param {Topic.Figures} figures */
function changeText({ change, percent: share, price }) {
  if (change === undefined) return share && percent(share);
  return signed(change, price) + (share === undefined ? "" : ` (${percent(share)})`);
}

/** @param {Topic.Figures} figures @returns {Movement} */
function movementOf({ change, percent: share }) {
  const order = compare(change ?? share, "0");
  return order > 0 ? "up" : order < 0 ? "down" : "unchanged";
}

// The volume to display, and the full one if it is longer.
/** @param {string | undefined} volume @param {string} unit */
function volumeTexts(volume, unit) {
  if (volume === undefined) return { text: undefined, full: undefined };
  const plain = volume.includes(".") ? volume.replace(/\.?0+$/, "") : volume;
  const full = withUnit(plain, number(plain), unit);
  if (!isLarge(plain)) return { text: full, full: undefined };
  return { text: withUnit(plain, abbreviated(plain), unit), full };
}

/**
 * The best prices and their freshness, to be spoken.
 * @param {{bid?: string, ask?: string}} quote
 * @param {Seen} freshness
 * @param {number} now
 * @param {Format} format
 */
export const spokenQuote = ({ bid, ask }, freshness, now, format) => [
  bid !== undefined && `${t("Best bid")} ${format(bid)}`,
  ask !== undefined && `${t("Best ask")} ${format(ask)}`,
  (bid ?? ask) !== undefined && freshnessText(freshness, now),
];

class Fact {
  #label = h("dt");
  #spoken = h("span.unseen");
  #text = h("span");
  #value = h("dd", {}, this.#spoken, this.#text);
  #most = 0;

  /** @param {string} name */
  constructor(name) {
    this.element = h("div.day-fact", { "data-fact": name.toLowerCase(), hidden: true },
      this.#label, this.#value);
  }

  /**
   * The width only grows, so that changing digits move nothing beside it.
   * @param {string} label
   * @param {string | undefined} text
   * @param {{movement?: Movement, full?: string}} more
   */
  update(label, text, { movement, full } = {}) {
    setAttribute(this.element, "hidden", !text);
    if (!text) return;
    setText(this.#label, label);
    setText(this.#text, text);
    setText(this.#spoken, full ? `${full}, ${t("in short")} ` : movement ? SPOKEN[movement] : "");
    setAttribute(this.#value, "title", full);
    setAttribute(this.#value, "data-direction", movement);
    if (text.length <= this.#most) return;
    this.#most = text.length;
    // Digits are the widest characters; the signs between them leave some room.
    this.#value.style.minWidth = `${text.length - 1}ch`;
  }
}

/** A live source may have old figures: beyond this age the age is shown. */
const OLD_MILLISECONDS = 60_000;
/** A longer price is smaller, so that it fits beside the name. */
const LONGEST_LARGE_PRICE = 12;

/**
 * The headline's subject; `unit` is the volume's unit, `hasPrice` is false if the price is already
 * shown beside it.
 * @typedef {{venue: string, symbol: string, unit?: string, formatPrice?: Format,
 *   hasPrice?: boolean}} Subject
 */

export class Headline extends Screen {
  note = new FreshnessNote();
  #price = new Price("span.price");
  #facts = new DayFacts();
  #subject;

  /** @param {Page} page @param {Subject} subject */
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

  /** The price, the day's change and their freshness, to be spoken; empty without figures. */
  spoken() {
    const { state } = this.entry;
    if (!state) return [];
    const { formatPrice, hasPrice } = this.#subject;
    const change = changeText(state);
    return [
      hasPrice && state.price !== undefined && `${t("Last")} ${formatPrice(state.price)}`,
      change && `${t("Change")} ${SPOKEN[movementOf(state)]}${change}`,
      freshnessText(this.believe(this.entry), this.link.now()),
    ];
  }

  // The browser's tab shows the price while it is reliable.
  /** @param {Topic.Figures} state @param {Seen} freshness */
  #entitle({ price, direction }, { dimmed }) {
    const { hasPrice, formatPrice, symbol } = this.#subject;
    if (!hasPrice) return;
    const arrow = direction === "up" ? " ↑" : direction === "down" ? " ↓" : "";
    this.page.title.quote(price === undefined || dimmed ? ""
      : `${formatPrice(price)}${arrow} ${symbol}`);
  }

  // Shows the figures' freshness unless they are live and recent; ages count from their own time.
  /** @param {Seen} freshness @param {number} now */
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
