// One row of the market list. It shows the survey's figures with their age until its own topic
// responds; that topic is open only while the row stays in view.

import { compare } from "../base/decimal.js";
import { pathOf } from "../base/route.js";
import { forget } from "../base/scheduler.js";
import { abbreviated, isLarge, minuteMoment, NOTHING, number, percent } from "../text/format.js";
import { t } from "../text/texts.js";
import { ago, directionText, freshnessText, stateWord, withUnit } from "../text/words.js";
import { h, icon, setAttribute, setText } from "../ui/dom.js";
import { believe } from "../ui/freshness.js";
import { Price } from "../ui/price.js";
import { cell } from "./columns.js";
import { kindText, placeOf, unitsOf, UNLISTED } from "./market.js";
import { drawSpark, sparkText } from "./spark.js";

/** @typedef {import("./order.js").Values} Values */

/** A row that only scrolls past opens no topic. */
const OPEN_AFTER_MILLISECONDS = 100;
const SPARK_AFTER_MILLISECONDS = 300;
/** @type {Seen} */
const SURVEYED = { quiet: true, dimmed: true, state: "waiting", origin: "venue" };
let bindings = 0;

/**
 * What a row needs from its list.
 * @typedef {object} Around
 * @property {Link} link
 * @property {import("./spark.js").Sparks} sparks
 * @property {(venue: string) => string} venueName
 * @property {(id: string) => Topic.SurveyedMarket | undefined} survey
 * @property {(market: Market, values: Values) => string | undefined} turnover in US dollars
 * @property {(id: string) => boolean} isStarred
 * @property {() => boolean} hasSparks whether there is room for lines
 * @property {(market: Market) => number | undefined} decimals of its prices, if not as many as
 *   they have
 */

export class MarketRow {
  /** @type {Market | null} */
  market = null;
  #around;
  /** @type {Handle<Topic.Figures> | null} */
  #handle = null;
  #binding = 0;
  #price = new Price();
  #star = h("button.row-button.star",
    { type: "button", tabindex: "-1", "data-act": "star", "data-changes": true }, icon("star"));
  #more = h("button.row-button.more", { type: "button", tabindex: "-1", "data-act": "menu",
    "aria-haspopup": "menu" }, icon("more"));
  #grip = h("span.grip", { "aria-hidden": "true", "data-act": "grip", "data-changes": true },
    icon("grip"));
  #name = h("a.row-title", { "data-go": "", tabindex: "-1" });
  #about = h("span.row-sub");
  #unit = h("span.unit");
  #smallAge = h("span.small-age");
  #spoken = h("span.unseen");
  #change = h("span.change");
  #since = h("span.row-sub");
  #high = new Figure("high");
  #low = new Figure("low");
  #volume = new Figure("volume");
  #turnover = new Figure("turnover");
  #age = h("span.age");
  #state = h("span.row-sub");
  #canvas = h("canvas.spark", { role: "img" });
  /** @type {(string | null)[] | undefined} */
  #closes = undefined;
  #refresh = () => this.render();

  /** @param {Around} around */
  constructor(around) {
    this.#around = around;
    this.element = h("div.market-row", { role: "row", tabindex: "-1" },
      cell("star", this.#grip, this.#star),
      cell("name", this.#name, this.#about),
      cell("last", this.#price.element,
        h("span.row-sub", {}, this.#unit, this.#smallAge)),
      cell("change", h("span", {}, this.#spoken, this.#change), this.#since),
      ...[this.#high, this.#low, this.#volume, this.#turnover].map(({ element }) => element),
      cell("spark", this.#canvas), cell("age", this.#age, this.#state),
      cell("more", this.#more));
  }

  /** @param {Market} market */
  bind(market) {
    if (this.market?.id !== market.id) {
      this.#begin();
      this.market = market;
    } else if (this.market === market) {
      return;
    }
    this.market = market;
    const place = placeOf(market);
    setText(this.#name, market.name);
    setAttribute(this.#name, "href", pathOf(place.route));
    setText(this.#unit, unitsOf(market).price);
    this.render();
  }

  /** Another market: clears everything of the previous one, flashes included. */
  #begin() {
    bindings += 1;
    this.#binding = bindings;
    this.#price.update({ text: NOTHING, quiet: true, dimmed: true });
    this.#closes = undefined;
    this.#clearSpark();
  }

  release() {
    this.#handle?.close();
    this.#handle = null;
    forget(this.#refresh);
    this.#price.dispose();
    if (this.market) this.#around.sparks.forget(this.market.id);
    this.market = null;
  }

  // Runs after so many milliseconds in view.
  /** @param {number} stayed */
  settle(stayed) {
    const { market } = this;
    if (!market || market.kind === UNLISTED) return false;
    if (stayed >= OPEN_AFTER_MILLISECONDS && !this.#handle) {
      this.#handle = this.#around.link.topics.open(
        `figures/${market.venue}/${market.symbol}`, this.#refresh);
    }
    if (stayed < SPARK_AFTER_MILLISECONDS) return true;
    this.spark();
    return false;
  }

  /** Requests the day's line, and draws it once loaded. */
  spark() {
    const { market } = this;
    if (!market || market.kind === UNLISTED || !this.#around.hasSparks()) return;
    const closes = this.#around.sparks.closes(market.id, () => {
      if (this.market === market) this.spark();
    });
    if (!closes || closes === this.#closes) return;
    this.#closes = closes;
    this.redraw();
  }

  /** Redraws the line in the current colours. */
  redraw() {
    if (!this.#closes) return;
    const known = this.#closes.flatMap((close) => close ?? []);
    const way = compare(known[known.length - 1], known[0]);
    setAttribute(this.#canvas, "data-direction", way > 0 ? "up" : way < 0 ? "down" : null);
    setAttribute(this.#canvas, "aria-label", sparkText(this.#closes, number));
    drawSpark(this.#canvas, this.#closes);
  }

  #clearSpark() {
    setAttribute(this.#canvas, "aria-label", t("No line yet"));
    this.#canvas.width = 0;
  }

  // The figures to sort by: its own if live, else the survey's.
  /** @returns {Values | undefined} */
  values() {
    return this.#shown().values;
  }

  /** @returns {{values: Values | undefined, figures?: Topic.Figures, seen: Seen, at?: number}} */
  #shown() {
    const { link, survey } = this.#around;
    const entry = this.#handle?.entry;
    const state = entry?.state;
    if (entry && state?.price !== undefined) {
      const seen = believe(link, entry);
      return { values: state, figures: state, seen, at: state.at ?? seen.confirmedAt };
    }
    const values = this.market ? survey(this.market.id) : undefined;
    return { values, seen: SURVEYED, at: values?.at };
  }

  render() {
    const { market } = this;
    if (!market) return;
    const { values, figures, seen, at } = this.#shown();
    const now = this.#around.link.now();
    const decimals = this.#around.decimals(market);
    setText(this.#about, this.#aboutText(market));
    setAttribute(this.element, "data-dimmed", seen.dimmed);
    setAttribute(this.element, "data-state", figures ? seen.state : values ? "surveyed" : "none");
    this.#price.update({
      text: number(values?.price, decimals), direction: figures?.direction,
      changes: figures?.changes, generation: this.#generation(figures), quiet: seen.quiet,
      dimmed: seen.dimmed,
    });
    // The heading promises 24 hours; figures of another window each name it.
    const since = values?.since === undefined ? ""
      : t("since {time}", { time: minuteMoment(values.since, now) });
    this.#renderChange(values, since);
    this.#high.update(number(values?.high), since);
    this.#low.update(number(values?.low), since);
    this.#volume.update(volumeText(values?.volume, unitsOf(market).quantity), since);
    const turnover = values && this.#around.turnover(market, values);
    this.#turnover.update(turnover === undefined ? NOTHING : `$${abbreviated(turnover)}`, since);
    this.#renderAge(seen, figures !== undefined, at, now);
    this.#renderStar(market);
    if (this.element === document.activeElement) this.describe();
  }

  // A flash belongs to one market and one snapshot of its topic.
  /** @param {Topic.Figures | undefined} figures */
  #generation(figures) {
    return figures ? this.#binding * 1e6 + (this.#handle?.entry.generation ?? 0) : -this.#binding;
  }

  /** @param {Values | undefined} values @param {string} since */
  #renderChange(values, since) {
    const share = values?.percent;
    const way = compare(share, "0");
    const direction = way > 0 ? "up" : way < 0 ? "down" : null;
    setText(this.#change, percent(share));
    setText(this.#spoken, direction ? `${directionText(direction)} ` : "");
    setAttribute(this.#change, "data-direction", direction);
    setText(this.#since, share === undefined ? "" : since);
  }

  /**
   * @param {Seen} seen
   * @param {boolean} isOwn
   * @param {number | undefined} at
   * @param {number} now
   */
  #renderAge(seen, isOwn, at, now) {
    const isLive = seen.state === "live";
    const age = at !== undefined ? ago(now - at) : isOwn && isLive ? stateWord("live") : "";
    setText(this.#age, age || NOTHING);
    setText(this.#smallAge, age);
    const word = isOwn && !isLive ? freshnessText({ state: seen.state }, now) : "";
    setText(this.#state, word);
  }

  /** @param {Market} market */
  #renderStar({ id, name }) {
    const isStarred = this.#around.isStarred(id);
    setAttribute(this.#star, "aria-pressed", String(isStarred));
    setAttribute(this.#star, "aria-label", t("Favourite {name}", { name }));
    setAttribute(this.#more, "aria-label", t("Actions for {name}", { name }));
  }

  /** The name of the focused row. */
  describe() {
    const { market } = this;
    if (!market) return;
    const { values, figures, seen, at } = this.#shown();
    const now = this.#around.link.now();
    const unit = unitsOf(market).price;
    const price = values?.price === undefined ? t("no price yet")
      : `${number(values.price, this.#around.decimals(market))} ${unit}`.trim();
    const change = values?.percent === undefined ? ""
      : `, ${t("change {percent}", { percent: percent(values.percent) })} `
        + (values.since === undefined ? t("in 24 hours")
          : t("since {time}", { time: minuteMoment(values.since, now) }));
    const state = figures ? `, ${stateWord(seen.state)}` : "";
    const age = at === undefined ? "" : `, ${ago(now - at)}`;
    const star = this.#around.isStarred(market.id) ? `, ${t("favourite")}` : "";
    setAttribute(this.element, "aria-label",
      `${market.name}, ${this.#aboutText(market)}, ${price}${change}${state}${age}${star}`);
  }

  /** @param {Market} market */
  #aboutText(market) {
    const { venue, symbol, name, kind, open } = market;
    const isRefused = this.#handle?.entry.state?.known === false;
    const parts = [symbol === name ? "" : symbol, this.#around.venueName(venue), kindText(market),
      kind === UNLISTED ? t("Delisted") : isRefused ? t("Refused by the venue")
      : open ? "" : t("Not open for trading")];
    return parts.filter(Boolean).join(" · ");
  }
}

/** A figure above its window. */
class Figure {
  #text = h("span");
  #since = h("span.row-sub");

  /** @param {string} name */
  constructor(name) {
    this.element = cell(name, this.#text, this.#since);
  }

  /** @param {string} text @param {string} since */
  update(text, since) {
    setText(this.#text, text);
    setText(this.#since, text === NOTHING ? "" : since);
  }
}

// A volume with its unit, shortened to fit.
/** @param {string | undefined} volume @param {string} unit */
function volumeText(volume, unit) {
  if (volume === undefined) return NOTHING;
  const plain = volume.includes(".") ? volume.replace(/\.?0+$/, "") : volume;
  const text = isLarge(plain) ? abbreviated(plain) : number(plain);
  return withUnit(plain, text, unit);
}
