// A list of all markets: search as you type, sort by any column, stars and own lists. Only visible
// rows exist and open topics.

import { RowAlert } from "../alerts/bell.js";
import { read, remember } from "../base/storage.js";
import { number } from "../text/format.js";
import { observeChoices } from "../text/preferences.js";
import { plural, t } from "../text/texts.js";
import { freshnessText, shortened } from "../text/words.js";
import { h, oneStop, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";
import { COLUMNS, Headings, sortText } from "./columns.js";
import { ALL, ListDialog, ListTabs } from "./lists.js";
import { placeOf, turnoverOf, unlisted } from "./market.js";
import { Menu } from "./menu.js";
import { isOutOfOrder, nextSort, sorted, sortOf, writtenSort } from "./order.js";
import { listName, OwnLists, STARS } from "./own-lists.js";
import { RowActs } from "./row-acts.js";
import { MarketRow } from "./row.js";
import { Finder, wordsOf } from "./search.js";
import { forgetColours } from "./spark.js";
import { RowDrag, rowPixels, VirtualRows } from "./virtual-rows.js";

/** @typedef {import("./order.js").Sort} Sort */
/** @typedef {import("./order.js").SortKey} SortKey */

const CHECK_ORDER_MILLISECONDS = 5000;
/** @type {[sort: string, name: string][]} */
const PRESETS = [["percent:descending", t("Gainers")], ["percent:ascending", t("Losers")],
  ["turnover:descending", t("Turnover")]];
/** From this width on lines fit; the style sheet has the same number. */
const SPARK_PIXELS = 480;

export class MarketsScreen extends Screen {
  #room = h("div.market-rows", { role: "rowgroup" });
  #headings = new Headings((key) => this.#press(key));
  #grid = h("div.market-grid",
    { role: "grid", "aria-label": t("Markets"), "aria-colcount": COLUMNS.length });
  #skeleton = skeleton(12);
  #emptyText = h("p");
  #elsewhere = h("button.button", { type: "button",
    onclick: () => this.page.router.go({ screen: "markets", name: ALL }, { replace: true }) },
  t("Search all markets"));
  #empty = h("div.empty", { hidden: true }, this.#emptyText, this.#elsewhere);
  #search = h("input.field.market-search", {
    type: "search", placeholder: t("Search markets"), "aria-label": t("Search markets"),
    autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "100",
    enterkeyhint: "search",
  });
  #order = h("span.market-order");
  #again = h("button.text-button", { type: "button", hidden: true,
    onclick: () => this.#sortAgain() }, t("Sort again"));
  #complaint = h("span");
  #complaintLine = h("p.list-complaint", { role: "alert", hidden: true }, this.#complaint,
    h("button.text-button", { type: "button", onclick: () => this.#lists.forgive() }, t("Close")));
  #said = h("span.unseen", { "aria-live": "polite" });
  #finder = new Finder();
  #menu = new Menu();
  #alerts;
  #dialog = new ListDialog();
  #tabs = new ListTabs({
    create: () => this.#create(null), more: (opener) => this.#manage(opener),
  });
  #presets = new Map(PRESETS.map(([sort, name]) => [sort, h("button.segment", { type: "button",
    onclick: () => this.#take(writtenSort(this.#sort) === sort ? null : sortOf(sort)) }, name)]));
  #lists;
  /** @type {VirtualRows<Market, MarketRow>} */
  #rows;
  #drag;

  #chosen = ALL;
  /** @type {Sort | null} */
  #sort = null;
  /** Places by identifier at the time of the sort; null for the natural order. */
  #ranks = /** @type {Map<string, number> | null} */ (null);
  #wasSurveyed = false;
  #checkedAt = 0;
  /** The inputs of the shown rows. */
  #made = /** @type {unknown[]} */ ([]);
  /** @type {Map<string, Market>} */
  #unlisted = new Map();
  #hasSparks = false;

  /** @param {Page} page @param {Route} route @param {string} title */
  constructor(page, route, title) {
    super(page);
    this.pane = new Pane({ kind: "markets", title });
    this.element = this.pane.element;
    this.pane.bar.append(this.#tabs.element,
      oneStop(h("div.segments.market-presets", { role: "group", "aria-label": t("Sort by") },
        ...this.#presets.values())), this.#search);
    this.pane.line.append(h("span.market-sort", {}, this.#order, this.#again));
    this.pane.line.before(this.#complaintLine);
    this.#grid.style.setProperty("--row", `${rowPixels()}px`);
    this.#grid.append(h("div.market-top", { role: "rowgroup" }, this.#headings.element),
      this.#room);
    this.pane.body.append(this.#grid, this.#skeleton, this.#empty, this.#said);
    this.markets = this.open("markets");
    this.survey = this.open("survey");
    this.stocks = this.open("stocks");
    this.#lists = new OwnLists(this.link, this.refresh);
    this.#alerts = new RowAlert(page);
    /** @type {VirtualRows<Market, MarketRow>} */
    const rows = new VirtualRows(this.pane.body, this.#room, () => this.#makeRow());
    this.#rows = rows;
    new RowActs(this.#room, {
      rows: this.#rows, lists: this.#lists, menu: this.#menu, chosen: () => this.#chosen,
      isByHand: () => this.#isByHand, open: (market) => this.#go(market),
      alert: (market, point) => this.#alerts.show(market, point),
      addToNew: (market) => this.#create(market), say: (text) => setText(this.#said, text),
    });
    this.#drag = new RowDrag({
      room: this.#room, scroller: this.pane.body, rows: this.#rows,
      drop: (id, gap) => this.#lists.move(this.#chosen, id, gap),
    });
    this.#search.value = read("markets.search") ?? "";
    this.#search.addEventListener("input", () => this.#searched());
    this.#search.addEventListener("keydown", (event) => this.#searchKey(event));
    this.#watchWidth();
    this.whenGone(observeChoices(() => {
      forgetColours();
      for (const view of this.#rows.views.values()) view.redraw();
    }));
    for (const part of [this.#lists, this.#rows, this.#menu, this.#dialog, this.#alerts]) {
      this.whenGone(() => part.dispose());
    }
    this.show(route.name);
  }

  // Shows a list by its identifier; "" for the last one shown.
  /** @param {string} name */
  show(name) {
    this.#chosen = name || read("markets.list") || ALL;
    remember("markets.list", this.#chosen);
    this.#sort = sortOf(read(`markets.sort.${this.#chosen}`));
    this.#rows.scrollTo(0);
    this.#sortAgain();
  }

  // Switches to another list.
  /** @param {Route} route */
  takes(route) {
    this.show(route.name);
    return true;
  }

  /** The "/" key. */
  find() {
    this.#search.focus();
    this.#search.select();
    return true;
  }

  // The arrow keys enter the rows from anywhere on the screen.
  /** @param {number} step */
  step(step) {
    const { current } = this.#rows;
    if (!current) return false;
    const isInside = this.#room.contains(document.activeElement);
    this.#rows.focus(this.#rows.placeOf(current.id) + (isInside ? step : 0));
    return true;
  }

  escape() {
    if (this.#drag.isRunning) this.#drag.cancel();
    else if (this.#search.value !== "") this.#clear();
    else return false;
    return true;
  }

  render() {
    const state = this.markets.state;
    this.pane.say(this.whyNothing(this.markets, t("The markets")));
    this.#tabs.show(this.#lists.all, this.#chosen, this.#isOwn);
    this.#complain();
    const freshness = this.believe(this.markets);
    if (!state) return this.pane.note.update(freshness, this.link.now(), t("Loading"));
    this.#skeleton.remove();
    this.#arrange(state);
    this.#renderNote(state, freshness);
    this.#checkOrder();
    for (const view of this.#rows.views.values()) view.render();
  }

  get #isOwn() {
    return this.#chosen !== ALL && this.#chosen !== STARS
      && this.#lists.get(this.#chosen) !== undefined;
  }

  /** Whether rows are in the user's own order. */
  get #isByHand() {
    return this.#chosen !== ALL && !this.#sort && this.#search.value.trim() === "";
  }

  #makeRow() {
    return new MarketRow({
      link: this.link, sparks: this.page.sparks, hasSparks: () => this.#hasSparks,
      venueName: (venue) => this.#venueName(venue),
      decimals: (market) => this.#decimals(market), survey: (id) => this.survey.state?.rows[id],
      turnover: (market, values) => this.#turnover(market, values),
      isStarred: (id) => this.#lists.has(STARS, id),
    });
  }

  /** @param {string} venue */
  #venueName(venue) {
    return this.page.status.state?.venues[venue]?.name ?? venue;
  }

  // Stock prices are formatted as on the watch list; others keep their decimals.
  /** @param {Market} market */
  #decimals({ venue, symbol }) {
    if (venue !== "isin") return undefined;
    return this.stocks.state?.rows.find(({ isin }) => isin === symbol)?.decimals;
  }

  /** Lines are loaded only where they fit. */
  #watchWidth() {
    const observer = new ResizeObserver(([{ contentRect }]) => {
      const hasSparks = contentRect.width >= SPARK_PIXELS;
      if (hasSparks === this.#hasSparks) return;
      this.#hasSparks = hasSparks;
      for (const view of this.#rows.views.values()) view.spark();
    });
    observer.observe(this.#grid);
    this.whenGone(() => observer.disconnect());
  }

  // All rows of the chosen list in their natural order.
  /** @param {Topic.Markets} state @returns {Market[]} */
  #all({ rows }) {
    if (this.#chosen === ALL) return rows;
    const known = new Map(rows.map((row) => [row.id, row]));
    return (this.#lists.get(this.#chosen)?.members ?? []).map((id) => {
      const found = known.get(id) ?? this.#unlisted.get(id) ?? unlisted(id);
      if (!known.has(id)) this.#unlisted.set(id, found);
      return found;
    });
  }

  // Rebuilds the rows when one of their inputs changes.
  /** @param {Topic.Markets} state */
  #arrange(state) {
    const isSurveyed = this.survey.state !== undefined;
    if (isSurveyed && !this.#wasSurveyed) this.#rank();
    this.#wasSurveyed = isSurveyed;
    const venues = this.page.status.state !== undefined;
    if (venues !== this.#made[5]) this.#finder = new Finder();
    const made = [state.rows, this.#lists.get(this.#chosen)?.members, this.#chosen,
      this.#search.value, this.#ranks, venues];
    if (made.every((part, at) => part === this.#made[at])) return;
    this.#made = made;
    if (this.#sort && !this.#ranks) this.#rank();
    const words = wordsOf(this.#search.value);
    const found = this.#all(state).filter((market) =>
      this.#finder.matches(market, this.#venueName(market.venue), words));
    const ranks = this.#ranks;
    if (ranks) {
      const rank = (/** @type {Market} */ { id }) => ranks.get(id) ?? Infinity;
      found.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    }
    const held = this.#rows.current;
    const hasFocus = this.#room.contains(document.activeElement);
    this.#rows.arrange(found);
    if (hasFocus && held) this.#rows.reveal(held.id);
    setAttribute(this.#grid, "aria-rowcount", found.length + 1);
    setAttribute(this.#grid, "data-byhand", this.#isByHand);
    this.#headings.show(this.#sort);
    for (const [sort, button] of this.#presets) {
      setAttribute(button, "aria-pressed", String(sort === writtenSort(this.#sort)));
    }
    this.#sayEmpty(found.length, words.length > 0);
  }

  /** @param {number} count @param {boolean} isSearch */
  #sayEmpty(count, isSearch) {
    setAttribute(this.#grid, "hidden", count === 0);
    setAttribute(this.#empty, "hidden", count > 0);
    const isMissing = this.#chosen !== ALL && this.#lists.isKnown
      && !this.#lists.get(this.#chosen);
    const query = shortened(this.#search.value.trim());
    const list = this.#lists.get(this.#chosen);
    const isOwn = this.#chosen !== ALL && list !== undefined;
    const text = isMissing ? t("There is no such list (any more).")
      : this.markets.isPartial && !(isOwn && list.members.length === 0) ? t("Loading")
      : isOwn && isSearch && list.members.length > 0
        ? t("No match in “{list}”.", { list: listName(list) })
      : isSearch && !isOwn
        ? t("No market has “{query}” in its name, symbol, currency or venue.", { query })
      : this.#chosen === ALL ? t("No venue has said what it lists.")
      : this.link.viewsOnly || isSearch ? t("This list is empty.")
      : t("This list is empty. Press a market’s star, or choose the list in the market’s menu.");
    setText(this.#emptyText, text);
    setAttribute(this.#elsewhere, "hidden", !isSearch || this.#chosen === ALL);
  }

  /** @param {Topic.Markets} state @param {Seen} freshness */
  #renderNote({ rows }, freshness) {
    const now = this.link.now();
    const all = this.#chosen === ALL ? rows.length
      : this.#lists.get(this.#chosen)?.members.length ?? 0;
    const whole = (/** @type {number} */ count) => number(String(count));
    const found = this.#rows.items.length;
    const of = plural(all, "{count} market", "{count} markets", { count: whole(all) });
    const count = this.markets.isPartial ? t("Loading")
      : found === all ? of : t("{part} of {whole}", { part: whole(found), whole: of });
    this.pane.note.update(freshness, now,
      freshness.state === "live" ? count : `${freshnessText(freshness, now)} · ${count}`);
    setText(this.#order, this.#sort ? sortText(this.#sort)
      : this.#isByHand && found > 1 ? t("Custom order") : "");
  }

  #complain() {
    const text = this.#lists.complaint || this.#lists.problem;
    setText(this.#complaint, text);
    setAttribute(this.#complaintLine, "hidden", text === "");
    setAttribute(this.#complaintLine.lastElementChild ?? this.#complaintLine, "hidden",
      this.#lists.complaint === "");
  }

  #searched() {
    remember("markets.search", this.#search.value);
    this.#rows.scrollTo(0);
    this.refresh();
    const count = this.#rows.items.length;
    if (!this.markets.state) return;
    setText(this.#said, plural(count, "{count} market found", "{count} markets found"));
  }

  #clear() {
    this.#search.value = "";
    this.#searched();
  }

  /** @param {KeyboardEvent} event */
  #searchKey(event) {
    if (event.key === "Escape" && this.#search.value !== "") this.#clear();
    else if (event.key === "ArrowDown" || event.key === "Enter") this.#rows.focus(0);
    else return;
    event.preventDefault();
  }

  /** @param {SortKey} key */
  #press(key) {
    this.#take(nextSort(this.#sort, key));
  }

  /** @param {Sort | null} sort */
  #take(sort) {
    this.#sort = sort;
    remember(`markets.sort.${this.#chosen}`, writtenSort(this.#sort));
    this.#sortAgain();
  }

  /** Rows move only when the user sorts. */
  #sortAgain() {
    this.#ranks = null;
    this.#rank();
    this.#made = [];
    this.refresh();
  }

  #rank() {
    setAttribute(this.#again, "hidden", true);
    this.#checkedAt = performance.now();
    const state = this.markets.state;
    this.#ranks = null;
    if (!this.#sort || !state) return;
    const order = sorted(this.#all(state), this.#sort, (market) => this.#valuesOf(market));
    this.#ranks = new Map(order.map(({ id }, at) => [id, at]));
  }

  /** @param {Market} market */
  #valuesOf(market) {
    const { id } = market;
    const values = this.#rows.views.get(id)?.values() ?? this.survey.state?.rows[id];
    return values && this.#sort?.key === "turnover"
      ? { ...values, turnover: this.#turnover(market, values) } : values;
  }

  /** @param {Market} market @param {import("./order.js").Values} values */
  #turnover(market, values) {
    const priceOf = (/** @type {string} */ pair) =>
      this.survey.state?.rows[`${market.venue}/${pair}`]?.price;
    return turnoverOf(market, values, (currency) => priceOf(`${currency}/USD`)
      ?? String(Number(priceOf("BTC/USD")) / Number(priceOf(`BTC/${currency}`))));
  }

  #checkOrder() {
    if (performance.now() - this.#checkedAt < CHECK_ORDER_MILLISECONDS) return;
    this.#checkedAt = performance.now();
    const isOld = this.#sort !== null
      && isOutOfOrder(this.#rows.items, this.#sort, (market) => this.#valuesOf(market));
    setAttribute(this.#again, "hidden", !isOld);
  }

  /** @param {Market} market */
  #go(market) {
    const { route, row } = placeOf(market);
    this.page.router.go(route);
    if (row) this.page.reveal(row);
  }

  // Makes a list, with a first member if given.
  /** @param {Market | null} member */
  #create(member) {
    this.#dialog.ask({
      title: t("New list"), value: "", yes: t("Create"),
      text: member ? t("{name} will be in it.", { name: member.name }) : "",
      problem: (name) => this.#nameTaken(name),
      run: (name) => this.#lists.create(name, ({ id }) => {
        if (member) this.#lists.toggle(id, member.id);
        else this.page.router.go({ screen: "markets", name: id }, { replace: true });
      }),
    });
  }

  /** @param {HTMLElement} opener */
  #manage(opener) {
    const list = this.#lists.get(this.#chosen);
    if (!list) return;
    const { id, name, members } = list;
    const count = `${members.length} ${members.length === 1 ? "market" : "markets"}`;
    this.#menu.show(opener, name, [
      { label: t("Rename…"), run: () => this.#dialog.ask({
        title: t("Rename the list"), value: name, yes: t("Rename"),
        problem: (other) => (other === name ? "" : this.#nameTaken(other)),
        run: (other) => this.#lists.rename(id, other),
      }) },
      { label: t("Delete…"), run: () => this.#dialog.ask({
        title: t("Delete “{name}”?", { name }),
        text: t("It has {count}. The markets themselves stay.", { count }),
        yes: t("Delete"), run: () => this.#delete(id),
      }) },
    ]);
  }

  /** @param {string} id */
  #delete(id) {
    if (!this.#lists.delete(id)) return;
    this.page.router.go({ screen: "markets", name: ALL }, { replace: true });
  }

  /** @param {string} name */
  #nameTaken(name) {
    const isTaken = this.#lists.all.some((list) => list.name.toLowerCase() === name.toLowerCase());
    return isTaken ? t("Another list has this name.") : "";
  }
}
