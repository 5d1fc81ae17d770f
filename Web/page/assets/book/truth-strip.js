// The truth strip: how reliable this book was in each interval of the last hour. An interval shows
// its worst level; the words are for hover and screen readers.

import { localMoment, number } from "../text/format.js";
import { plural, sentence, t } from "../text/texts.js";
import { stateWord } from "../text/words.js";
import { h, setAttribute } from "../ui/dom.js";
import { Screen } from "../ui/screen.js";

/** @typedef {Topic.TruthSpan[1]} Level */
/** @typedef {Topic.TruthSpan} Span */

const HOUR_MILLISECONDS = 3_600_000;
const STRETCH_MILLISECONDS = 30_000;
// From the best to the worst.
/** @type {Level[]} */
const LEVELS = ["unwatched", "closed", "proven", "live", "late", "resyncing", "blind"];
/** @type {Level[]} */
const DOUBTFUL = ["late", "resyncing", "blind"];

export class TruthStrip extends Screen {
  element = h("div.truth-strip", { role: "img", hidden: true });
  #painted = "";

  /** @param {Page} page @param {{venue: string, symbol: string}} market */
  constructor(page, { venue, symbol }) {
    super(page);
    this.entry = this.open(`truth/${venue}/${symbol}`);
    this.element.addEventListener("pointermove", (event) => this.#point(event));
  }

  render() {
    const day = this.entry.state?.day;
    if (!day) return;
    const now = this.link.now();
    const spans = this.#spans();
    const paint = paintOf(columns(spans, now));
    if (paint !== this.#painted) this.element.style.backgroundImage = paint;
    this.#painted = paint;
    setAttribute(this.element, "aria-label", summary(day, spans, now));
    setAttribute(this.element, "hidden", false);
  }

  // The server's spans, plus the current outage if the page has no connection.
  /** @returns {Span[]} */
  #spans() {
    const spans = this.entry.state?.spans ?? [];
    if (this.link.trusted) return spans;
    return [...spans, [this.link.lastMessageAt, "blind", t("No connection to Livetape")]];
  }

  /** @param {PointerEvent} event */
  #point({ clientX }) {
    const { left, width } = this.element.getBoundingClientRect();
    const now = this.link.now();
    const at = beginOf(now) + ((clientX - left) / width) * HOUR_MILLISECONDS;
    const span = this.#spans().findLast(([since]) => since <= at);
    const said = span ? ` · ${wordOf(span[1])}${span[2] ? `: ${sentence(span[2])}` : ""}` : "";
    const day = this.entry.state?.day;
    const all = day ? `\n${summary(day, this.#spans(), now)}` : "";
    setAttribute(this.element, "title", localMoment(at, now) + said + all);
  }
}

// The first moment shown: the end of an interval, so that the strip moves in whole intervals.
/** @param {number} now */
const beginOf = (now) =>
  (Math.floor(now / STRETCH_MILLISECONDS) + 1) * STRETCH_MILLISECONDS - HOUR_MILLISECONDS;

// The worst level of each interval, oldest first; future ones have the current level.
/** @param {Span[]} spans @param {number} now @returns {Level[]} */
export function columns(spans, now) {
  const begin = beginOf(now);
  /** @type {Level[]} */
  const worst = Array.from({ length: HOUR_MILLISECONDS / STRETCH_MILLISECONDS },
    () => "unwatched");
  spans.forEach(([since, level], at) => {
    // The last span is current.
    const until = spans[at + 1]?.[0] ?? now + 1;
    const first = Math.max(0, Math.floor((since - begin) / STRETCH_MILLISECONDS));
    const end = Math.min(worst.length, Math.ceil((until - begin) / STRETCH_MILLISECONDS));
    for (let column = first; column < end; column += 1) {
      if (LEVELS.indexOf(level) > LEVELS.indexOf(worst[column])) worst[column] = level;
    }
  });
  return worst;
}

// Colours with hard edges; neighbours of equal level are merged.
/** @param {Level[]} levels */
function paintOf(levels) {
  /** @type {string[]} */
  const stops = [];
  levels.forEach((level, at) => {
    if (level === levels[at - 1]) return;
    const next = levels.findIndex((other, later) => later > at && other !== level);
    const [from, to] = [at, next < 0 ? levels.length : next]
      .map((place) => `${Math.round((place / levels.length) * 10_000) / 100}%`);
    stops.push(`var(--truth-${level}) ${from} ${to}`);
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

// "Today 99.97 % proven, 2 resyncs, 4.1 s in doubt."
/** @param {Topic.TruthDay} day @param {Span[]} spans @param {number} now */
function summary(day, spans, now) {
  const spent = { ...day };
  spans.forEach(([since, level], at) => {
    const until = spans[at + 1]?.[0] ?? now;
    spent[level] += Math.max(0, until - Math.max(since, day.countedTo));
  });
  const doubt = DOUBTFUL.reduce((sum, level) => sum + spent[level], 0);
  const good = spent.proven + spent.live;
  const watched = good + doubt;
  /** @param {number} part */
  const share = (part) => number((Math.floor((part / Math.max(1, watched)) * 10_000) / 100)
    .toFixed(2));
  const first = spent.proven > 0 ? t("Today (UTC) {share}% proven", { share: share(spent.proven) })
    : t("Today (UTC) {share}% live", { share: share(good) });
  const resyncs = plural(day.resyncs, "{count} resync", "{count} resyncs");
  return `${first}, ${resyncs}, ${t("{seconds} s in doubt",
    { seconds: number((doubt / 1000).toFixed(1)) })}`;
}

/** @param {Level} level */
function wordOf(level) {
  if (level === "proven") return t("proven");
  if (level === "unwatched") return t("not watched");
  return stateWord(level === "blind" ? "disconnected" : level);
}
