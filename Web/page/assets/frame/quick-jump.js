// The palette: one field for all symbols, products, instruments, screens and commands.

import { forget, invalidate, tick } from "../base/scheduler.js";
import { nameOf, placeOf } from "../markets/market.js";
import { Finder, nearness, NO_MATCH, queryOf, SPELT_OUT } from "../markets/search.js";
import { t } from "../text/texts.js";
import { h, icon, setAttribute } from "../ui/dom.js";

const MAXIMUM_RESULTS = 12;
/** How long to wait for a venue's own list: an offline venue sends none. */
const LISTING_MILLISECONDS = 5000;
/**
 * A search result: `also` are further search words, `row` is a row to reveal, `open` runs after the
 * navigation, `key` is a command's.
 * @typedef {object} Item
 * @property {string} code
 * @property {string} name
 * @property {string} kind
 * @property {import("./router.js").Destination} [route]
 * @property {string} [key]
 * @property {string} [also]
 * @property {string} [row]
 * @property {() => unknown} [open]
 * @property {boolean} [isFound] whether it has already been matched
 * @property {boolean} [isGuess] whether no venue's list contains it
 */

export class QuickJump {
  #input = h("input.field", {
    type: "text", role: "combobox", placeholder: t("Symbol, product or instrument"),
    autocomplete: "off",
    spellcheck: "false", "aria-label": t("Search"), "aria-controls": "jump-results",
    "aria-expanded": "true",
  });
  #results = h("ul.results", { id: "jump-results", role: "listbox", "aria-label": t("Results") });
  /** @type {ReturnType<typeof openLists> | null} */
  #lists = null;
  /** @type {Item[]} */
  #shown = [];
  /** The key of the data behind the current rows. */
  #key = "";
  #at = 0;
  /** Enter was pressed before there was a result to select. */
  #isEntered = false;
  #openedAt = 0;
  /** @type {((name: string) => void) | undefined} */
  #choose;
  #finder = new Finder();
  #page;
  #render = () => this.#draw();

  /**
   * @param {object} page
   * @param {Link} page.link
   * @param {Entry<Topic.Status>} page.status
   * @param {import("./router.js").Router} page.router
   * @param {(row: string) => void} page.reveal scrolls to a row of a list
   * @param {{screen: string, search?: [name: string, words: string]}[]} page.screens
   * @param {import("./commands.js").CommandTable | undefined} page.commands
   */
  constructor(page) {
    this.#page = page;
    const close = h("button.icon-button", { type: "button", "aria-label": t("Close search") },
      icon("close"));
    this.dialog = h("dialog.sheet.jump", { "aria-label": t("Search") },
      h("div.jump-head", {}, this.#input, close), this.#results);
    document.body.append(this.dialog);
    close.addEventListener("click", () => this.dialog.close());
    this.#input.addEventListener("input", () => {
      this.#at = 0;
      this.#isEntered = false;
      invalidate(this.#render);
    });
    this.#input.addEventListener("keydown", (event) => this.#pressed(event));
    // The event arrives in a later task, when the box may be open again.
    this.dialog.addEventListener("close", () => this.dialog.open || this.#closed());
    this.dialog.addEventListener("click",
      (event) => event.target === this.dialog && this.dialog.close());
  }

  // Opens the box; its lists are subscribed only while it is open. `choose` receives the name of a
  // market instead of opening it; then only markets are offered.
  /** @param {(name: string) => void} [choose] */
  show(choose) {
    if (this.dialog.open) return;
    this.#closed();
    this.#choose = choose;
    this.#lists = openLists(this.#page.link, this.#render);
    this.#input.value = "";
    this.#at = 0;
    this.#isEntered = false;
    this.#openedAt = performance.now();
    tick(this.#render);
    this.dialog.showModal();
    this.#input.focus();
  }

  #closed() {
    for (const list of Object.values(this.#lists ?? {})) list.close();
    this.#lists = null;
    forget(this.#render);
  }

  /** Whether all lists are loaded, including the venues' own lists unless overdue. */
  get #isWhole() {
    const isListed = this.#lists?.markets.entry.state?.freshness.state !== "waiting"
      || performance.now() - this.#openedAt > LISTING_MILLISECONDS;
    return isListed && Object.values(this.#lists ?? {})
      .every(({ entry }) => entry.refused || entry.state !== undefined && !entry.isPartial);
  }

  /** @returns {Item[]} */
  #everything() {
    const instruments = this.#lists?.books.entry.state?.instruments ?? [];
    const rows = this.#lists?.feed.entry.state?.rows ?? {};
    const choices = this.#lists?.products.entry.state?.choices ?? [];
    const stocks = this.#lists?.stocks.entry.state?.rows ?? [];
    const code = this.#lists?.exchange.entry.state?.symbol;
    const exchange = {
      name: this.#venue("exchange"), kind: t("Exchange"), route: { screen: "exchange" },
    };
    return [
      ...instruments.map((instrument) => ({
        code: instrument.symbol, name: instrument.name, kind: this.#venue(instrument.venue),
        route: { screen: "market", name: nameOf(instrument) },
      })),
      ...assetsOf(instruments),
      ...(code ? [{ code, ...exchange }] : []),
      ...Object.entries(rows).map(([symbol, { name }]) => ({
        code: symbol, name, kind: t("Symbol"), route: { screen: "symbol", name: symbol },
      })),
      ...choices.map(({ id, name }) => ({
        code: id, name, kind: t("Product"), route: { screen: "product", name: id },
      })),
      ...stocks.map(({ isin, name }) => ({
        code: isin, name, kind: t("Stocks"), route: { screen: "stocks" }, row: isin,
      })),
      ...this.#page.screens.flatMap(({ screen, search }) => (search
        ? [{ code: "", name: search[0], also: search[1], kind: t("Screen"), route: { screen } }]
        : [])),
      ...this.#commands(),
    ];
  }

  /** @returns {Item[]} */
  #commands() {
    const { commands } = this.#page;
    return (commands?.all ?? []).filter((command) => commands?.isHere(command))
      .map((command) => ({ code: "", name: command.name, also: command.also,
        key: commands?.keyOf(command), kind: t("Command"), open: command.run }));
  }

  /** @param {string} key */
  #venue(key) {
    return this.#page.status.state?.venues[key]?.name ?? key;
  }

  /**
   * Markets that only the venues' own lists contain; matched as in the list of all markets.
   * @param {import("../markets/search.js").Query} query
   * @param {Set<string>} known the other lists' market names, and the codes of their other items
   * @returns {Item[]}
   */
  #listed(query, known) {
    const rows = this.#lists?.markets.entry.state?.rows ?? [];
    if (query.words.length === 0) return [];
    const isNear = (/** @type {Topic.Market} */ { symbol: code }) =>
      nearness({ code, name: "" }, query) < NO_MATCH;
    return rows.filter((market) => !known.has(nameOf(market)) && (isNear(market)
      || this.#finder.matches(market, this.#venue(market.venue), query.words))).map((market) => {
      const { route, row } = placeOf(market);
      const { symbol: code, name, venue } = market;
      return { code, name, kind: this.#venue(venue), route, row, isFound: true };
    });
  }

  /** @param {string} words @returns {Item[]} */
  #pairs(words) {
    const venue = this.#lists?.books.entry.state?.acceptsPair;
    return venue ? pairs(words, this.#venue(venue)) : [];
  }

  #draw() {
    if (!this.dialog.open) return;
    const query = queryOf(this.#input.value);
    const others = this.#everything();
    const listed = this.#listed(query, new Set(others.map(({ code, route }) =>
      (route?.screen === "market" ? route.name ?? code : code))));
    const isListed = [...others, ...listed]
      .some(({ code }) => code.toLowerCase() === query.typed.toLowerCase());
    const found = [...others, ...listed, ...(isListed ? [] : this.#pairs(query.typed))]
      .map((item) => ({ ...item, rank: nearness(item, query) }))
      .filter((item) => item.rank < NO_MATCH
        && (!this.#choose || item.route?.screen === "market")).sort((a, b) => a.rank - b.rank)
      .slice(0, MAXIMUM_RESULTS);
    const none = this.#isWhole ? t("No results") : t("Loading…");
    const key = found.map((item) => item.kind + item.code + item.name).join("\n") || none;
    if (key !== this.#key) {
      this.#key = key;
      this.#shown = found;
      this.#results.replaceChildren(
        ...(found.length > 0 ? found.map((item, at) => this.#option(item, at))
        : [h("li.no-result", {}, none)]));
    }
    this.#mark();
    const isSpeltOut = (found[0]?.rank ?? NO_MATCH) <= SPELT_OUT;
    if (this.#isEntered && (this.#isWhole || isSpeltOut)) this.#enter();
  }

  /** Opens the selected item. While lists load, waits rather than open a guess. */
  #enter() {
    const item = this.#shown[this.#at];
    this.#isEntered = !this.#isWhole && (!item || item.isGuess === true);
    if (item && !this.#isEntered) this.#go(item);
  }

  /** @param {Item} item @param {number} at */
  #option(item, at) {
    const option = h("li.result", { role: "option", id: `jump-${at}` },
      h("span.result-name", {}, item.name), item.key ? h("kbd", {}, item.key)
        : h("span.result-code", {}, item.code),
      h("span.result-kind", {}, item.kind));
    option.addEventListener("click", () => this.#go(item));
    return option;
  }

  #mark() {
    this.#at = Math.max(0, Math.min(this.#at, this.#shown.length - 1));
    this.#shown.forEach((_, at) =>
      setAttribute(this.#results.children[at], "aria-selected", String(at === this.#at)));
    setAttribute(this.#input, "aria-activedescendant",
      this.#shown.length > 0 ? `jump-${this.#at}` : null);
    this.#results.children[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    // A key may come before the frame that draws the last typed text.
    this.#draw();
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      this.#at += step;
      this.#mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#enter();
    }
  }

  /** @param {Item} item */
  #go(item) {
    this.dialog.close();
    if (this.#choose && item.route?.name) return this.#choose(item.route.name);
    const { router } = this.#page;
    // From market to market the view stays.
    const view = item.route?.screen === router.route.screen ? { tab: router.route.tab } : {};
    if (item.route) router.go({ ...view, ...item.route });
    if (item.row) this.#page.reveal(item.row);
    item.open?.();
  }
}

// The pairs listed by several venues, each once.
/** @param {Topic.Instrument[]} instruments @returns {Item[]} */
function assetsOf(instruments) {
  const pairs = instruments.filter(({ kind }) => kind === "spot")
    .map(({ base, quote }) => `${base}/${quote}`);
  return [...new Set(pairs.filter((pair, at) => pairs.indexOf(pair) !== at))].map((pair) => ({
    code: "", name: t("{pair} at all venues", { pair }), also: pair.replace("/", ""),
    kind: t("Asset"), route: { screen: "asset", name: pair },
  }));
}

// The lists to search.
/** @param {Link} link @param {() => unknown} draw */
const openLists = ({ topics }, draw) => ({
  books: topics.open("books", draw), exchange: topics.open("exchange", draw),
  feed: topics.open("feed", draw), products: topics.open("products", draw),
  stocks: topics.open("stocks", draw), markets: topics.open("markets", draw),
});

// A venue may accept any currency pair: it is offered last, and its screen reports an unknown one.
/** @param {string} typed @param {string} venue @returns {Item[]} */
function pairs(typed, venue) {
  if (!/^[a-z0-9.]{1,16}\/[a-z0-9.]{1,16}$/i.test(typed)) return [];
  const code = typed.toUpperCase();
  return [{ code, name: t("{code} at {venue}", { code, venue }), kind: t("Any pair"),
    route: { screen: "market", name: code }, isGuess: true }];
}
