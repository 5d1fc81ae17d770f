// One asset at all venues: each market's best prices side by side, their spread over the last hour,
// and one combined book.

import { abbreviated, localMoment, NOTHING, number, percent } from "../text/format.js";
import { t } from "../text/texts.js";
import { ago, wordOf } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";
import { placeOf } from "./market.js";
import { pathOf } from "../base/route.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
/** The colours of asset.css; further venues reuse them. */
const COLOURS = 6;
const HEADS = [t("Venue"), t("Bid"), t("Size"), t("Ask"), t("Size"), t("Spread"), t("Last"), "24 h",
  t("Volume")];

export class AssetScreen extends Screen {
  #facts = h("p.asset-best", { role: "status" });
  #excluded = h("p.asset-excluded");
  #line = new SpreadLine();
  #rows = h("div.table-rows", { role: "rowgroup" });
  /** @type {KeyedList<string, MarketLine>} */
  #list = new KeyedList(this.#rows, () => new MarketLine());
  #step = h("select.field.small", { "aria-label": t("Price step") });
  #steps = "";
  #book = new CommonBook();
  #skeleton = skeleton(4);
  #content;
  /** @type {Handle<Topic.Asset>} */
  #handle;

  /** @param {Page} page @param {Route} route */
  constructor(page, { name }) {
    super(page);
    this.name = name;
    this.pane = new Pane({ kind: "asset", title: name.replace("/", " / "),
      back: { href: "/markets", word: t("Markets") } });
    this.element = this.pane.element;
    const heads = HEADS.map((head) => h("span", { role: "columnheader" }, head));
    const table = h("div.table.asset-table", { role: "table", "aria-label": t("Venues") },
      h("div.table-heads", { role: "row" }, ...heads), this.#rows);
    this.#content = h("div.asset", { hidden: true }, this.#facts, this.#excluded,
      this.#line.element, table,
      h("div.asset-head", {}, h("h2", {}, t("Consolidated order book")), this.#step),
      this.#book.element);
    this.pane.body.append(this.#skeleton, this.#content);
    this.pane.reachByKeyboard();
    this.#step.addEventListener("change", () => this.#reopen());
    this.#handle = this.#open();
    this.whenGone(() => this.#handle.close());
  }

  /** @param {string} [step] */
  #open(step) {
    const [base, quote] = this.name.split("/");
    const pair = step ? `${quote}?step=${step}` : quote;
    return this.link.topics.open(`asset/${base}/${pair}`, this.refresh);
  }

  #reopen() {
    const old = this.#handle;
    this.#handle = this.#open(this.#step.value);
    old.close();
    this.refresh();
  }

  render() {
    const { entry } = this.#handle;
    const { state } = entry;
    if (entry.refused) return this.pane.say(this.#unknown());
    this.pane.say(this.whyNothing(entry, t("The markets")));
    if (!state) return;
    this.#skeleton.remove();
    setAttribute(this.#content, "hidden", false);
    const now = this.link.now();
    const seen = state.markets.map((market) => this.believe(entry, market.freshness));
    const counted = state.markets.filter((market) => market.counted);
    const shown = placesShown(state);
    const { venues } = this.page.status.state ?? { venues: {} };
    const nameOf = (/** @type {string} */ venue) => venues[venue]?.name ?? venue;
    const best = seen.find((_, at) => state.markets[at].counted) ?? seen[0];
    this.pane.note.update(best, now,
      t("{count} of {all} venues", { count: counted.length, all: shown.length }));
    setText(this.#facts, state.best ? this.#sentence(state, state.best, nameOf, now)
      : t("No venue has a valid book."));
    setAttribute(this.#content, "data-dimmed", best.dimmed);
    setText(this.#excluded, excluded(state, shown, seen, nameOf));
    this.#line.update(state.spreads, now);
    const keyOf = (/** @type {number} */ at) =>
      `${state.markets[at].venue}/${state.markets[at].symbol}`;
    this.#list.arrange(shown.map(keyOf));
    shown.forEach((at) => this.#list.rows.get(keyOf(at))?.update({ market: state.markets[at],
      seen: seen[at], at, best: state.best, name: nameOf(state.markets[at].venue), now }));
    this.#drawSteps(state);
    this.#book.update(state, nameOf);
  }

  /**
   * @param {Topic.Asset} state
   * @param {Topic.AssetQuote} best
   * @param {(venue: string) => string} name
   * @param {number} now
   */
  #sentence({ markets }, best, name, now) {
    const at = (/** @type {"bid" | "ask"} */ side) => markets
      .filter((market) => market.counted && compareText(market[side], best[side]))
      .map(({ venue }) => name(venue)).join(", ");
    const parts = [t("Best bid {price} at {venue}", { price: number(best.bid), venue: at("bid") }),
      t("best ask {price} at {venue}", { price: number(best.ask), venue: at("ask") })];
    if (best.basisPoints) {
      parts.push(t("spread {spread} bp", { spread: number(best.basisPoints) }));
      if (best.at !== undefined) parts.push(ago(now - best.at));
    }
    return parts.join(" · ");
  }

  /** @param {Topic.Asset} state */
  #drawSteps({ steps, step = "" }) {
    const key = steps.join(" ");
    if (key !== this.#steps) {
      this.#steps = key;
      this.#step.replaceChildren(...steps.map((value) => h("option", { value }, number(value))));
    }
    if (document.activeElement !== this.#step) this.#step.value = step;
  }

  #unknown() {
    return {
      title: t("No venue trades {asset}", { asset: this.name }),
      text: t("Choose another one in the list of markets."),
      action: { label: t("All markets"), run: () => this.page.router.go({ screen: "markets" }) },
    };
  }
}

/** @param {string | undefined} price @param {string} best */
const compareText = (price, best) => price !== undefined && number(price) === number(best);

/** @param {Seen} seen */
const stateOf = ({ state }) => wordOf(state === "stopped" ? "stale" : state);

// The indexes of the markets to show: those that exist, or all if none does.
/** @param {Topic.Asset} state */
function placesShown({ markets }) {
  const known = markets.flatMap((market, at) => (market.known ? [at] : []));
  return known.length > 0 ? known : [...markets.keys()];
}

// The shown markets that don't count, and why.
/**
 * @param {Topic.Asset} state
 * @param {number[]} shown
 * @param {Seen[]} seen
 * @param {(venue: string) => string} nameOf
 */
function excluded({ markets }, shown, seen, nameOf) {
  const names = shown.flatMap((at) => {
    const { counted, known, venue } = markets[at];
    return counted ? []
      : [`${nameOf(venue)} (${known ? stateOf(seen[at]) : t("not listed")})`];
  });
  return names.length > 0 ? t("Not counted: {venues}", { venues: names.join(", ") }) : "";
}

class MarketLine {
  #name = h("a.asset-venue", { "data-go": "" });
  #age = h("small");
  #cells = HEADS.slice(1).map(() => h("span", { role: "cell" }));
  element = h("div.table-row", { role: "row" },
    h("span", { role: "cell" }, this.#name, this.#age), ...this.#cells);

  /**
   * @param {{market: Topic.AssetMarket, seen: Seen, at: number, best?: Topic.AssetQuote,
   *   name: string, now: number}} view
   */
  update({ market, seen, at, best, name, now }) {
    setText(this.#name, name);
    setAttribute(this.#name, "href", pathOf({ name: "", ...placeOf(market).route }));
    setAttribute(this.#name, "data-colour", at % COLOURS);
    const age = seen.confirmedAt ? ` ${ago(now - seen.confirmedAt)}` : "";
    setText(this.#age, market.known ? `${stateOf(seen)}${age}` : t("not listed"));
    setAttribute(this.element, "data-dimmed", !market.counted || seen.dimmed);
    const { bid, bidSize, ask, askSize, basisPoints, last, volume } = market;
    const texts = [...[bid, bidSize, ask, askSize].map((text) => number(text)),
      basisPoints ? `${number(basisPoints)} bp` : NOTHING, number(last), percent(market.percent),
      volume ? abbreviated(volume) : NOTHING];
    texts.forEach((text, place) => setText(this.#cells[place], text));
    const isBest = (/** @type {"bid" | "ask"} */ side) =>
      best !== undefined && market.counted && compareText(market[side], best[side]);
    setAttribute(this.#cells[0], "data-best", isBest("bid"));
    setAttribute(this.#cells[2], "data-best", isBest("ask"));
  }
}

// The spread across the venues as a small line; values become pixels here, so floats are fine.
class SpreadLine {
  #path = document.createElementNS(NAMESPACE, "polyline");
  #words = h("figcaption");
  #drawn = 0;

  constructor() {
    const picture = document.createElementNS(NAMESPACE, "svg");
    picture.setAttribute("viewBox", "0 0 240 32");
    picture.setAttribute("preserveAspectRatio", "none");
    picture.setAttribute("aria-hidden", "true");
    picture.append(this.#path);
    this.element = h("figure.asset-spread", { hidden: true }, picture, this.#words);
  }

  /** @param {Topic.AssetSpread[]} spreads @param {number} now */
  update(spreads, now) {
    const last = spreads.at(-1)?.[0] ?? 0;
    setAttribute(this.element, "hidden", spreads.length < 2);
    if (last === this.#drawn || spreads.length < 2) return;
    this.#drawn = last;
    const values = spreads.map(([, value]) => Number(value));
    const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
    const points = spreads.map(([time], at) => {
      const x = 240 - (last - time) / 15_000;
      const y = 30 - (values[at] - low) / (high - low || 1) * 28;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    setAttribute(this.#path, "points", points.join(" "));
    const [least, most] = [Math.min(...values), Math.max(...values)]
      .map((value) => number(spreads[values.indexOf(value)][1]));
    setText(this.#words, t("Spread across venues since {time}: {least} to {most} bp",
      { time: localMoment(spreads[0][0], now), least, most }));
  }
}

// The sizes of all counted markets by price: asks above bids, a colour for each venue.
class CommonBook {
  #sides = { askRows: h("div.asset-side.asks", { role: "rowgroup" }),
    bidRows: h("div.asset-side.bids", { role: "rowgroup" }) };
  #none = h("p.empty.small");
  element = h("div.asset-book", { role: "table", "aria-label": t("Consolidated order book") },
    h("div.asset-level.heads", { role: "row" }, h("span", { role: "columnheader" }, t("Price")),
      h("span", { role: "columnheader" }, t("Size")),
      h("span", { role: "columnheader" }, t("Venues"))),
    this.#sides.askRows, this.#sides.bidRows, this.#none);

  /** @param {Topic.Asset} state @param {(venue: string) => string} nameOf */
  update(state, nameOf) {
    for (const side of /** @type {const} */ (["askRows", "bidRows"])) {
      const levels = side === "askRows" ? [...state[side]].reverse() : state[side];
      const box = this.#sides[side];
      while (box.children.length > levels.length) box.lastElementChild?.remove();
      while (box.children.length < levels.length) box.append(makeLevel());
      levels.forEach((level, at) => drawLevel(box.children[at], level, state, nameOf));
    }
    setText(this.#none, state.bidRows.length + state.askRows.length > 0 ? ""
      : t("Waiting for the rows of all venues."));
  }
}

const makeLevel = () => h("div.asset-level", { role: "row" }, h("span", { role: "cell" }),
  h("span", { role: "cell" }), h("span.asset-bar", { role: "cell" }));

/**
 * @param {Element} row
 * @param {Topic.AssetLevel} level
 * @param {Topic.Asset} state
 * @param {(venue: string) => string} nameOf
 */
function drawLevel(row, { price, size, share, parts }, { markets }, nameOf) {
  const [first, second, bar] = row.children;
  setText(first, number(price));
  setText(second, number(size));
  const label = parts.map(([market, part]) => `${nameOf(markets[market].venue)} ${number(part)}`)
    .join(", ");
  setAttribute(bar, "aria-label", label);
  setAttribute(bar, "title", label);
  while (bar.children.length > parts.length) bar.lastElementChild?.remove();
  while (bar.children.length < parts.length) bar.append(h("i"));
  parts.forEach(([market, , part], at) => {
    setAttribute(bar.children[at], "data-colour", market % COLOURS);
    const width = `${(share * part / 10_000).toFixed(2)}%`;
    const { style } = /** @type {HTMLElement} */ (bar.children[at]);
    if (style.width !== width) style.width = width;
  });
}
