// The order book in four shapes: a ladder with the asks above the bids, two sides with the best
// prices at the top, a depth chart, or every price in a row (DOM). Both sides share one scale.

import { RowAlert } from "../alerts/bell.js";
import { invalidate } from "../base/scheduler.js";
import { number } from "../text/format.js";
import { fontOfElement, textWidth } from "../text/text-width.js";
import { t } from "../text/texts.js";
import { withUnit } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { lazyPart, loadLazyParts } from "../ui/lazy.js";
import { QuantityColumn } from "../ui/quantity-column.js";
import { Panel } from "../ui/screen.js";
import { BookControls } from "./controls.js";
import { Foot, Middle } from "./middle.js";
import { ROWS, Side, sizeOf } from "./side.js";

/** @typedef {Entry<Topic.Book>} BookEntry */
/** @typedef {import("./depth.js").Place} Place */

// Trading down to a level, in words: the size, the average price and the cost.
/** @param {Topic.BookRow} row @param {"bids" | "asks"} kind @param {Topic.KnownBook} book */
function reachOf(row, kind, { base, quote, unit, priceDecimals }) {
  const [, , , , , total, cost, average] = row;
  const counted = withUnit(total, number(total), unit === "base" ? base : "contracts");
  const bound = kind === "asks" ? t("at most") : t("at least");
  const price = average === null ? ""
    : `, ${t("average {bound} {price}", { bound, price: number(average, priceDecimals) })}`;
  const currency = unit === "base" ? quote : base;
  const verb = unit !== "base" ? t("worth") : kind === "asks" ? t("costs") : t("brings");
  // Two decimals of money suffice, unless the amount is smaller.
  const digits = unit === "base" && cost !== null && Number(cost) >= 1 ? 2 : undefined;
  return [
    t("Sum {quantity}", { quantity: counted }) + price,
    cost === null ? "" : `${verb} ${bound} ${number(cost, digits)} ${currency}`,
  ];
}

const LEAST_QUANTITY_PIXELS = 64;
/** Between the price and the middle, plus between price and quantity. */
const GAPS_PIXELS = 8 + 8;
/** The price column's share of a side's width; the other columns share the rest. */
const PRICE_SHARE = 0.24;
/** The most width that two sides take. */
const SIDES_REM = 34;
const EDGES_REM = 1.5;
const GAP_REM = 0.5;
/** Three heat steps of a row fit in a second. */
const FADE_MILLISECONDS = 340;
/** A book this high and narrower than the page is a ladder. */
const LADDER_PIXELS = 320;
const COLUMN_SHARE = 0.7;

/** @typedef {Topic.KnownBook} Book */
/** @typedef {ReturnType<typeof import("../orders/words.js").linesOf>[number]} OwnLine */

/**
 * Trading in the book's market. Problems are sentences.
 * @typedef {object} BookDesk
 * @property {ReadonlyMap<string, string>} own open quantities by limit price
 * @property {readonly OwnLine[]} lines own open orders
 * @property {TicketMarket | undefined} market
 * @property {boolean} viewsOnly
 * @property {(side: Wire.Side, price: string) => void} take fills in the ticket
 * @property {(text: string) => Promise<string>} readNumber digits; "" if invalid or ambiguous
 * @property {(side: Wire.Side, price: string, quantity: string) => Promise<string | undefined>}
 *   place a limit order, without the ticket
 * @property {(id: string, price: string) => Promise<string | undefined>} amend
 * @property {(id: string) => void} cancel
 */

export class BookPanel extends Panel {
  // Null if trading is unavailable.
  /** @type {BookDesk | null} */
  desk = null;
  #controls;
  #alerts;
  #middle = new Middle();
  #foot = new Foot();
  #quantityHeads = [head("qty", t("Qty")), head("qty", t("Qty"))];
  #priceHeads = [head("price", t("Price")), head("price", t("Price"))];
  #ladderHeads = { own: head("own", t("Yours")), price: head("price", t("Price")),
    size: head("size", t("Size")), total: head("total", t("Total")) };
  #sides = { bids: new Side("bids", t("Bids, best first")),
    asks: new Side("asks", t("Asks, best first")) };
  /** @type {import("./depth.js").DepthChart | null} */
  #depth = null;
  /** @type {import("./price-ladder.js").PriceLadder | null} */
  #prices = null;
  #noRows = h("p.empty", { hidden: true });
  #sizes = new QuantityColumn();
  #totals = new QuantityColumn();
  #room = { width: 0, height: 0, rem: 16 };
  #fonts = { price: "", quantity: "", head: "" };
  #quantityPixels = LEAST_QUANTITY_PIXELS;
  #pricePixels = 0;
  #kind = "";
  #inView = ROWS;
  /** @type {import("./controls.js").Shape} */
  #shape = "sides";
  /** @type {Place | null} */
  #place = null;
  #generation = "";
  #fade = 0;
  /** @type {Handle<Topic.Book>} */
  #handle;
  // The same book at another grouping, until it arrives.
  /** @type {Handle<Topic.Book> | null} */
  #next = null;
  #ticks;
  /** @type {Entry<Topic.Figures> | null} */
  #figures = null;
  /** @type {import("./truth-strip.js").TruthStrip | null} */
  #truth = null;

  /** @param {Page} page @param {string} symbol */
  constructor(page, symbol) {
    super(page, symbol, { kind: "book", title: t("Order Book") });
    this.#controls = new BookControls(symbol, (change) => this.#chosen(change));
    this.#ticks = this.#controls.ticks;
    this.#alerts = new RowAlert(page);
    page.proofs.load();
    this.#handle = this.link.topics.open(this.#topic(), this.refresh);
    this.pane.line.append(this.#controls.element);
    const heads = h("div.book-heads", { "aria-hidden": "true" },
      this.#quantityHeads[0], ...this.#priceHeads, this.#quantityHeads[1]);
    const ladderHeads = h("div.ladder-heads", { "aria-hidden": "true" },
      ...Object.values(this.#ladderHeads));
    const sides = h("div.book-sides", {}, this.#sides.bids.element, this.#sides.asks.element);
    this.pane.body.append(h("div.book-body", {}, ladderHeads, this.#middle.element, heads, sides,
      this.#foot.element), this.#noRows);
    this.pane.reachByKeyboard();
    const observer = new ResizeObserver(([entry]) => this.#resized(entry.contentRect));
    observer.observe(this.pane.body);
    this.#listen(sides);
    this.whenGone(() => {
      observer.disconnect();
      clearTimeout(this.#fade);
      this.#handle.close();
      this.#next?.close();
      this.#middle.dispose();
      this.#alerts.dispose();
      this.#truth?.dispose();
    });
  }

  get entry() {
    return this.#handle.entry;
  }

  get isMissing() {
    const { refused, state } = this.entry;
    return state?.known === false || (refused && !this.#next);
  }

  render() {
    this.#takeNext();
    const known = this.known(this.entry, t("The order book"));
    setAttribute(this.element, "data-loading", !known);
    setAttribute(this.element, "data-shape", this.#shape);
    // A side scrolls on its own only in a ladder.
    for (const { element } of Object.values(this.#sides)) {
      setAttribute(element, "tabindex", this.#shape === "ladder" ? "0" : null);
    }
    if (!known) return;
    const { state, freshness, now } = known;
    this.#controls.update(state, this.#shape, this.#ticks);
    setAttribute(this.element, "data-unit", state.unit);
    const base = this.#controls.base && state.unit !== "base";
    this.#writeHeads(state, base);
    this.#arrange(state, base);
    this.#drawRows(state, freshness, base);
    const empty = state.bids.length + state.asks.length === 0;
    setAttribute(this.#noRows, "hidden", !empty);
    setText(this.#noRows,
      state.status === "synced" ? t("The book is empty.")
        : t("Waiting for the book’s first snapshot."));
    this.#middle.updateSpread(state, freshness, now);
    const TruthStrip = lazyPart("TruthStrip");
    if (!this.#truth && TruthStrip) {
      this.#truth = new TruthStrip(this.page, state);
      this.#foot.element.append(this.#truth.element);
    }
    this.#foot.update(state, freshness.dimmed);
    this.#prove(state, freshness, now);
    if (this.#shape === "depth") {
      this.#addDepth();
      this.#depth?.update(state, freshness.dimmed);
    }
    this.#drawLast(state);
    if (this.#shape === "dom") this.#drawPrices(state, freshness, base);
    this.#explain(state);
  }

  /** @param {Book} state @param {Seen} freshness @param {number} now */
  #prove(state, { dimmed }, now) {
    const venue = this.page.status.state?.venues[state.venue]?.name ?? state.venue;
    const { refused } = this.page.proofs;
    this.#foot.proof.update(state, this.entry.proof, { dimmed, now, venue, refused });
  }

  /** @param {Book} state @param {Seen} freshness @param {boolean} base */
  #drawRows(state, freshness, base) {
    const generation = `${this.entry.name} ${this.entry.generation}`;
    const view = {
      decimals: state.priceDecimals, base, dimmed: freshness.dimmed, sizes: this.#sizes,
      totals: this.#totals, scale: this.#scale(state),
      quiet: freshness.quiet || document.hidden || generation !== this.#generation,
    };
    this.#generation = generation;
    const fading = [this.#sides.bids.update(state.bids, view),
      this.#sides.asks.update(state.asks, view)];
    const own = this.desk?.own ?? NO_ORDERS;
    const step = state.groups.find(([ticks]) => ticks === state.group)?.[1];
    for (const side of Object.values(this.#sides)) side.mark(own, step ?? "0");
    clearTimeout(this.#fade);
    if (fading.includes(true)) {
      this.#fade = setTimeout(() => invalidate(this.refresh), FADE_MILLISECONDS);
    }
  }

  // The longest bar is that of the last visible row of either side.
  /** @param {Book} state */
  #scale({ bids, asks }) {
    const shares = [bids, asks].map((rows) => rows[Math.min(this.#inView, rows.length) - 1]?.[3]);
    return Math.max(1, ...shares.map((share) => share ?? 0));
  }

  /** @param {Book} state */
  #drawLast({ venue }) {
    this.#figures ??= this.open(`figures/${venue}/${this.symbol}`);
    this.#middle.updateLast(this.#figures, this.believe(this.#figures));
  }

  /** @param {Book} state @param {boolean} base */
  #writeHeads({ base: currency, quote, unit }, base) {
    const counted = unit === "base" || base ? currency : t("contracts");
    for (const cell of this.#quantityHeads) {
      setText(cell, unit === "base" ? t("Qty ({unit})", { unit: currency }) : t("Qty"));
    }
    for (const cell of [...this.#priceHeads, this.#ladderHeads.price]) {
      setText(cell, t("Price ({unit})", { unit: quote }));
    }
    setText(this.#ladderHeads.size, t("Size ({unit})", { unit: counted }));
    setAttribute(this.#ladderHeads.size, "title", t("Size ({unit})", { unit: counted }));
  }

  /** @param {{width: number, height: number}} room */
  #resized({ width, height }) {
    const cell = this.element.querySelector(".size");
    if (!cell || width === 0) return;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#room = { width, height, rem };
    this.#fonts = {
      price: fontOfElement(cell, 600), quantity: fontOfElement(cell),
      head: fontOfElement(this.#quantityHeads[0]),
    };
    this.#kind = "";
    this.#chooseShape();
    this.refresh();
    this.#countRows();
  }

  /** The number of rows of a side visible without scrolling: all of them, except in a ladder. */
  #countRows() {
    const { element, rows } = this.#sides.bids;
    const [room, row] = [element.clientHeight, rows[0].element.offsetHeight];
    const whole = this.#shape === "ladder" && row > 0 ? Math.round(room / row) : rows.length;
    if (whole === this.#inView) return;
    this.#inView = whole;
    invalidate(this.refresh);
  }

  #chooseShape() {
    const { width, height } = this.#room;
    const isColumn = width < COLUMN_SHARE * innerWidth && height >= LADDER_PIXELS;
    this.#shape = this.#controls.shape ?? (isColumn ? "ladder" : "sides");
  }

  // Gives quantities the room that prices leave; their columns only grow.
  /** @param {Book} book @param {boolean} base */
  #arrange({ symbol, bids, asks, priceDecimals }, base) {
    if (this.#room.width <= 0) return;
    const levels = [...bids, ...asks];
    const kind = `${symbol} ${base} ${this.#shape} ${this.#ticks}`;
    if (kind !== this.#kind) {
      [this.#quantityPixels, this.#pricePixels] = [LEAST_QUANTITY_PIXELS, 0];
    }
    this.#kind = kind;
    const price = levels.reduce((most, [text]) =>
      Math.max(most, textWidth(number(text, priceDecimals), this.#fonts.price)), 0);
    this.#pricePixels = Math.ceil(Math.max(price, this.#pricePixels));
    if (this.#shape === "ladder") this.#arrangeLadder();
    else if (this.#shape === "dom") {
      this.#prices?.resize(this.#fonts.quantity, this.#room.width, this.#pricePixels + GAPS_PIXELS);
    } else this.#arrangeSides(levels, base);
  }

  /** The columns of book.css: own and price have fixed widths, the others share the rest. */
  #arrangeLadder() {
    const { width, rem } = this.#room;
    const price = Math.ceil(Math.max(this.#pricePixels, width * PRICE_SHARE));
    const room = Math.floor((width - price - (EDGES_REM + 2 * GAP_REM) * rem) / 2);
    this.#sizes.resize(this.#fonts.quantity, room);
    this.#totals.resize(this.#fonts.quantity, room);
    this.element.style.setProperty("--price", `${price}px`);
  }

  /** @param {Topic.BookRow[]} levels @param {boolean} base */
  #arrangeSides(levels, base) {
    // As in book.css: no measuring while numbers stream in.
    const { width, rem } = this.#room;
    const side = (Math.min(width, SIDES_REM * rem) - EDGES_REM * rem) / 2;
    const room = Math.floor(side - this.#pricePixels - GAPS_PIXELS);
    this.#sizes.resize(this.#fonts.quantity, room);
    const title = textWidth(this.#quantityHeads[0].textContent ?? "", this.#fonts.head);
    const needed = this.#sizes.widest(levels.map((level) => sizeOf(level, base)));
    const wanted = Math.max(this.#quantityPixels, needed, title);
    this.#quantityPixels = Math.ceil(Math.min(wanted, Math.max(room, needed)));
    this.element.style.setProperty("--qty", `${this.#quantityPixels}px`);
  }

  // User actions

  /** @param {{ticks?: number}} change */
  #chosen({ ticks }) {
    if (ticks !== undefined && ticks !== this.#ticks) {
      this.#ticks = ticks;
      this.#next?.close();
      // Switching back before the other book arrives keeps the current one.
      this.#next = this.#topic() === this.entry.name ? null
        : this.link.topics.open(this.#topic(), this.refresh);
    }
    this.#chooseShape();
    this.refresh();
    this.#countRows();
  }

  #topic() {
    const name = /** @type {const} */ (`book/${this.name}`);
    return this.#ticks === 1 ? name : /** @type {const} */ (`${name}?group=${this.#ticks}`);
  }

  /** Keeps the old book until the other one arrives; falls back to one tick if it is rejected. */
  #takeNext() {
    if (this.entry.refused && this.#ticks !== 1 && !this.#next) {
      this.#ticks = 1;
      this.#next = this.link.topics.open(this.#topic(), this.refresh);
    }
    if (!this.#next || (this.#next.entry.state === undefined && !this.#next.entry.refused)) return;
    this.#handle.close();
    [this.#handle, this.#next] = [this.#next, null];
    this.#place = null;
  }

  /** @param {HTMLElement} sides */
  #listen(sides) {
    sides.addEventListener("pointerover", (event) => this.#pointAt(placeOf(event.target)));
    sides.addEventListener("pointerleave", () => this.#pointAt(placeOf(document.activeElement)));
    sides.addEventListener("focusin", (event) => this.#pointAt(placeOf(event.target)));
    sides.addEventListener("focusout", () => this.#pointAt(null));
    sides.addEventListener("contextmenu", (event) => this.#askAlert(event));
    sides.addEventListener("click", (event) => this.#take(placeOf(event.target)));
    this.pane.body.addEventListener("keydown", (event) => this.#press(event));
  }

  /** @param {Place | null} place */
  #pointAt(place) {
    if (place?.kind === this.#place?.kind && place?.at === this.#place?.at) return;
    this.#place = place;
    invalidate(this.refresh);
  }

  // Explains the level under pointer or focus, and marks the rows down to it.
  /** @param {Book} state */
  #explain(state) {
    const place = this.#place;
    const row = place && state[place.kind][place.at];
    for (const side of Object.values(this.#sides)) {
      side.rows.forEach(({ element }, at) => setAttribute(element, "data-within",
        Boolean(row) && side.kind === place?.kind && at <= place.at));
    }
    const lines = place && row ? reachOf(row, place.kind, state) : null;
    this.#foot.say(lines);
    const price = row ? number(row[0], state.priceDecimals) : "";
    this.#depth?.mark(row ? place : null, [price, ...lines ?? []].filter(Boolean).join(", "));
  }

  // Creates the depth chart once its code has loaded.
  #addDepth() {
    if (this.#depth) return;
    const DepthChart = lazyPart("DepthChart");
    if (!DepthChart) {
      loadLazyParts().then(this.refresh, () => {});
      return;
    }
    this.#depth = new DepthChart(() => this.#place, (place) => this.#pointAt(place));
    this.#foot.element.before(this.#depth.element);
  }

  // Creates the DOM once its code has loaded.
  /** @param {Book} state @param {Seen} freshness @param {boolean} base */
  #drawPrices(state, { dimmed }, base) {
    const PriceLadder = lazyPart("PriceLadder");
    if (!PriceLadder) {
      loadLazyParts().then(this.refresh, () => {});
      return;
    }
    if (!this.#prices) {
      this.#prices = new PriceLadder(() => this.desk, (price, event) =>
        this.#offerAlert(event, this.element, price), () => invalidate(this.refresh));
      this.#foot.element.before(this.#prices.element);
      this.#arrange(state, base);
    }
    this.#prices.update(state, { dimmed, base, last: this.#figures?.state?.price });
  }

  // A click on an ask level buys, on a bid level sells.
  /** @param {Place | null} place */
  #take(place) {
    const row = place && this.#sides[place.kind].rows[place.at]?.row;
    if (row) this.desk?.take(place.kind === "asks" ? "buy" : "sell", row[0]);
  }

  /** @param {MouseEvent} event */
  #askAlert(event) {
    const place = placeOf(event.target);
    const level = place && this.#sides[place.kind].rows[place.at];
    if (level?.row) this.#offerAlert(event, level.element, level.row[0]);
  }

  /** @param {MouseEvent} event @param {Element} element @param {string} price */
  #offerAlert(event, element, price) {
    const { state } = this.entry;
    if (!state?.known || this.link.viewsOnly) return;
    event.preventDefault();
    const { left, bottom } = element.getBoundingClientRect();
    const y = Math.min(bottom, event.clientY || bottom);
    this.#alerts.show(state, { x: event.clientX || left, y }, { price });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key === "Enter") this.#take(placeOf(document.activeElement));
    const hasRows = this.#shape === "ladder" || this.#shape === "sides";
    if (!hasRows || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = placeOf(document.activeElement);
    const to = this.#step(from, event.key);
    const row = to && this.#sides[to.kind].rows[to.at];
    if (!row?.row) return;
    event.preventDefault();
    row.element.focus({ focusVisible: true });
    row.element.scrollIntoView({ block: "nearest" });
  }

  // The level that a key leads to, in screen order.
  /** @param {Place | null} from @param {string} key @returns {Place | null} */
  #step(from, key) {
    const by = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (key === "Home") return { kind: from?.kind ?? "bids", at: 0 };
    if (this.#shape === "sides") {
      if (key === "ArrowLeft") return { kind: "bids", at: from?.at ?? 0 };
      if (key === "ArrowRight") return { kind: "asks", at: from?.at ?? 0 };
      if (by === 0) return null;
      return from ? { kind: from.kind, at: from.at + by } : { kind: "bids", at: 0 };
    }
    if (by === 0) return null;
    // One line of levels: asks count down from -1, bids up from 0.
    const line = from === null ? (by > 0 ? -1 : 0) : from.kind === "bids" ? from.at : -1 - from.at;
    const next = line + by;
    return next >= 0 ? { kind: "bids", at: next } : { kind: "asks", at: -1 - next };
  }
}

/** @type {ReadonlyMap<string, string>} */
const NO_ORDERS = new Map();

/** @param {string} kind @param {string} title */
const head = (kind, title) => h(`span.head.head-${kind}`, {}, title);

// The level of an element.
/** @param {EventTarget | null} target @returns {Place | null} */
function placeOf(target) {
  const row = target instanceof Element ? target.closest(".level:not([data-empty])") : null;
  if (!(row instanceof HTMLElement)) return null;
  return { kind: row.closest(".bids") ? "bids" : "asks", at: Number(row.dataset.at) };
}
