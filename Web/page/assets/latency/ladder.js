// "Latency" of each venue in the list of connections: the time from the venue's own clock until an
// update is drawn, stage by stage.

import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { measuredTime, shortTime } from "./words.js";

/** @type {[rung: Topic.LatencyFigures["rung"], label: string][]} */
const RUNGS = [
  ["socket", t("Venue to socket")], ["reader", t("In the reader")], ["bus", t("Over the bus")],
  ["decoded", t("Decoding")], ["state", t("Until shown")], ["sent", t("Sending")],
  ["received", t("To the page")], ["painted", t("Painting")],
];
/** @type {[span: Topic.LatencyFigures["span"], label: string][]} */
const SPANS = [["lastMinute", t("Last minute")], ["sinceStart", t("Since the start")]];
const FIGURES = /** @type {const} */ (["p50", "p90", "p99", "max"]);

// The key of a ladder's row.
/** @param {Topic.LatencyFigures["span"]} span @param {Topic.LatencyFigures["rung"]} rung */
const keyOf = (span, rung) => `${span} ${rung}`;

/** The ladders of all venues. */
export class LatencyPanel {
  /** @type {Map<string, Ladder>} */
  #ladders = new Map();
  /** @type {Handle<Topic.Latency> | null} */
  #topic = null;
  #link;
  #refresh;

  /** @param {Link} link @param {() => unknown} refresh draws the list of venues again */
  constructor(link, refresh) {
    this.#link = link;
    this.#refresh = refresh;
  }

  /** Follows the figures while the panel is open. */
  watch() {
    this.#topic ??= this.#link.topics.open("latency", this.#refresh);
  }

  rest() {
    this.#topic?.close();
    this.#topic = null;
  }

  // Draws a venue's ladder in its place; nothing before the first measurement.
  /** @param {string} venue @param {HTMLElement} place */
  render(venue, place) {
    const entry = this.#topic?.entry;
    const state = entry?.state?.venues?.[venue];
    let ladder = this.#ladders.get(venue);
    if (!ladder && state) {
      ladder = new Ladder();
      this.#ladders.set(venue, ladder);
      place.append(ladder.element);
    }
    // Old figures are not shown as those of the last minute.
    ladder?.update(this.#link.trusted && entry?.confirmed ? state : undefined);
  }
}

class Ladder {
  #latest = h("span.latency-latest");
  #clock = h("p.latency-note");
  #reader = h("p.latency-note", { hidden: true });
  /** @type {Map<string, {row: HTMLElement, latest: HTMLElement, cells: HTMLElement[]}>} */
  #rows = new Map();
  element;

  constructor() {
    const head = [t("Now"), "p50", "p90", "p99", t("Max")]
      .map((label) => h("th", { scope: "col" }, label));
    const table = h("table.latency-table", {},
      h("thead", {}, h("tr", {}, h("td"), ...head)), ...SPANS.map((span) => this.#body(span)));
    this.element = h("details.venue-more.venue-latency", {},
      h("summary", {}, t("Latency"), this.#latest), table, this.#clock, this.#reader,
      h("p.latency-note", {},
        t("Measured for messages that began a frame. ± is how far two clocks may be apart.")));
  }

  /** @param {[span: Topic.LatencyFigures["span"], label: string]} span */
  #body([span, label]) {
    const rows = RUNGS.map(([rung, name]) => {
      const latest = h("td");
      const cells = FIGURES.map(() => h("td"));
      const row = h("tr", { hidden: true }, h("th", { scope: "row" }, name), latest, ...cells);
      this.#rows.set(keyOf(span, rung), { row, latest, cells });
      return row;
    });
    return h("tbody", {},
      h("tr", {}, h("th", { scope: "rowgroup", colspan: 6 }, label)), ...rows);
  }

  /** @param {Topic.VenueLatency | undefined} state */
  update(state) {
    setAttribute(this.element, "data-known", String(state !== undefined));
    const rungs = state?.rungs ?? [];
    const figures = new Map(rungs.map((each) => [keyOf(each.span, each.rung), each]));
    for (const [key, { row, latest, cells }] of this.#rows) {
      const found = figures.get(key);
      setAttribute(row, "hidden", found === undefined);
      if (!found) continue;
      setText(latest, measuredTime(found.latest, found.within));
      FIGURES.forEach((name, at) => setText(cells[at], measuredTime(found[name], found.within)));
      setAttribute(row, "title", t("{count} messages", { count: number(String(found.count)) }));
    }
    const socket = figures.get(keyOf("lastMinute", "socket"));
    setText(this.#latest, socket ? ` · ${measuredTime(socket.latest, socket.within)}` : "");
    setText(this.#clock, clockText(state));
    const reader = state?.readerClock;
    setAttribute(this.#reader, "hidden", reader === undefined);
    setText(this.#reader, reader ? readerText(reader) : "");
  }
}

/** @param {Topic.VenueLatency | undefined} state */
function clockText(state) {
  if (!state) return t("Not known while this page has no connection.");
  const { clock, readerClock } = state;
  if (!clock) return t("Its messages tell no time: the ladder begins at the socket.");
  if (clock.method === "fastest") {
    return t("Compared with its fastest message of two minutes: at least this much later.");
  }
  const offset = offsetText(clock, readerClock !== undefined);
  if (clock.driftPerBillion === undefined || clock.driftWithin === undefined) return offset;
  const drift = {
    drift: perMillion(clock.driftPerBillion), within: perMillion(clock.driftWithin),
  };
  return `${offset} ${t("Drift {drift} ppm, ±{within}.", drift)}`;
}

/**
 * @param {Topic.VenueClock} clock of a venue
 * @param {boolean} byReader whether a reader's clock measured it
 */
function offsetText(clock, byReader) {
  const values = offsetValues(clock);
  const isBehind = clock.offset < 0;
  if (byReader) {
    return isBehind ? t("Its clock is {offset} behind the reader's, ±{within}.", values)
      : t("Its clock is {offset} ahead of the reader's, ±{within}.", values);
  }
  return isBehind ? t("Its clock is {offset} behind, ±{within}.", values)
    : t("Its clock is {offset} ahead, ±{within}.", values);
}

/** @param {Topic.VenueClock} clock of a reader */
const readerText = (clock) => (clock.offset < 0
  ? t("The reader's clock is {offset} behind the server's, ±{within}.", offsetValues(clock))
  : t("The reader's clock is {offset} ahead of the server's, ±{within}.", offsetValues(clock)));

/** @param {Topic.VenueClock} clock */
const offsetValues = ({ offset, within }) => (
  { offset: shortTime(Math.abs(offset)), within: shortTime(within) });

/** @param {number} perBillion */
const perMillion = (perBillion) => number((perBillion / 1000).toFixed(1));
