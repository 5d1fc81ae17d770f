// @ts-check
// Which screens stand where. One at a time where there is little room; list, market and details
// side by side where there is much. A screen lives, and its topics are open, only while it shows.

import { byId, h, setAttribute } from "./dom.js";
import { pathOf } from "./route.js";
import { ExchangeScreen } from "./screens/exchange.js";
import { MarketScreen } from "./screens/market.js";
import { MarketsScreen } from "./screens/markets.js";
import { entryOf, SCREENS } from "./screens.js";

/** @typedef {import("./route.js").Route} Route */
/** @typedef {import("./screens.js").Slot} Slot */
/** @typedef {import("./screens.js").Shown} Shown */
/** @typedef {{element: HTMLElement, key: string, screen: Shown | null}} Place */

/** @type {Slot[]} */
const SLOTS = ["list", "markets", "market", "details", "exchange", "desk", "orders",
  "missing"];
/**
 * What stands side by side: the market with its details, the exchange with its orders, or nothing
 * of either. The list of all markets needs all the room.
 * @type {{[sight: string]: Set<Slot>}}
 */
const SIDE_BY_SIDE = {
  watching: new Set(["list", "market", "details", "exchange"]),
  trading: new Set(["list", "desk", "orders"]),
  markets: new Set(["markets"]),
  missing: new Set(["list", "missing"]),
};

export class Layout {
  #main = byId("main");
  #page;
  /** @type {{[slot in Slot]: Place}} */
  #slots;
  /**
   * What stands, or stood last, in each slot.
   * @type {{[slot in Slot]: Route | null}}
   */
  #last = {
    list: { screen: "feed", name: "" }, markets: null, market: null, details: null,
    exchange: { screen: "summary", name: "" }, desk: { screen: "exchange", name: "" },
    orders: { screen: "orders", name: "" }, missing: null,
  };
  /**
   * The market to begin with, while nobody has chosen any.
   * @type {Route | null}
   */
  #suggested = null;
  /** @type {Slot} */
  #active = "list";
  /** @type {Map<string, number>} */
  #scrolls = new Map();
  /** @type {import("./topics.js").Handle<Topic.Feed> | null} */
  #suggestion = null;
  #switch = listSwitch();

  /** @param {import("./screens/screen.js").Page} page what every screen is handed */
  constructor(page) {
    this.#page = page;
    const place = (/** @type {Slot} */ slot) =>
      ({ element: h(`div.slot.slot-${slot}`), key: "", screen: null });
    this.#slots = {
      list: place("list"), markets: place("markets"), market: place("market"),
      details: place("details"), exchange: place("exchange"), desk: place("desk"),
      orders: place("orders"), missing: place("missing"),
    };
    const { list, markets, market, details, exchange, desk, orders, missing } = this.#slots;
    list.element.append(this.#switch);
    const side = h("div.side", {}, details.element, exchange.element);
    this.#main.append(list.element, markets.element, market.element, side, desk.element,
      orders.element, missing.element);
  }

  /**
   * Shows a route: the only screen, or its slot beside the others.
   * @param {Route} route
   */
  show(route) {
    const isWide = this.#page.isWide();
    this.#active = entryOf(route.screen).slot;
    this.#last[this.#active] = route;
    setAttribute(this.#main, "data-active", this.#active);
    setAttribute(this.#main, "data-wide", isWide);
    setAttribute(this.#main, "data-trading", this.isTrading);
    const { sight } = this;
    setAttribute(this.#main, "data-missing", sight === "missing");
    setAttribute(this.#main, "data-markets", sight === "markets");
    for (const name of SLOTS) {
      const beside = SIDE_BY_SIDE[sight].has(name) ? this.#last[name] : null;
      const wanted = isWide ? beside : name === this.#active ? route : null;
      this.#fill(name, wanted);
      setAttribute(this.#slots[name].element, "data-active", name === this.#active);
    }
    this.#suggest();
    for (const link of this.#switch.children) {
      const isChosen = link.getAttribute("data-list") === this.#last.list?.screen;
      setAttribute(link, "aria-current", isChosen ? "true" : null);
    }
    document.title = `${entryOf(route.screen).title ?? route.name} · Livetape`;
  }

  /** Whether the exchange or its orders are what is looked at. */
  get isTrading() {
    return SIDE_BY_SIDE.trading.has(this.#active) && this.#active !== "list";
  }

  /** Which screens stand side by side. */
  get sight() {
    if (this.#active === "missing" || this.#active === "markets") return this.#active;
    return this.isTrading ? "trading" : "watching";
  }

  /** Puts the focus on the search of the screen on show; false when it has none. */
  find() {
    return this.#slots[this.#active].screen?.find() ?? false;
  }

  /**
   * Walks the rows of a screen that knows more rows than are there; false when there is none.
   * @param {number} step
   */
  step(step) {
    return this.#slots[this.#active].screen?.step(step) ?? false;
  }

  /** One step back inside the screens on show; false when there is none. */
  escape() {
    return SLOTS.some((name) => this.#slots[name].screen?.escape());
  }

  /** The ticket on show, if any. */
  get ticket() {
    const { screen } = this.#slots.desk;
    return screen instanceof ExchangeScreen ? screen.ticket : undefined;
  }

  /** The instrument that was looked at last; "" while none is known. */
  get instrument() {
    return this.#last.market?.name ?? "";
  }

  /**
   * Makes an instrument the one to open while nobody has chosen any; whether that changed it.
   * @param {string | undefined} name
   */
  prefer(name) {
    const isChosen = this.#last.market !== this.#suggested;
    if (!name || isChosen || name === this.#suggested?.name) return false;
    this.#suggested = { screen: "market", name, tab: "book" };
    this.#last.market = this.#suggested;
    return true;
  }

  /** With room for details and none chosen, the first symbol of the feed is shown. */
  #suggest() {
    if (!this.#page.isWide() || this.#last.details || this.#suggestion) return;
    const take = () => {
      const symbol = this.#suggestion?.entry.state?.order[0];
      if (!symbol) return;
      this.#suggestion?.close();
      this.#suggestion = null;
      if (!this.#page.isWide() || this.#last.details) return;
      this.#last.details = { screen: "symbol", name: symbol };
      if (this.sight === "watching") this.#fill("details", this.#last.details);
    };
    this.#suggestion = this.#page.link.topics.open("feed", take);
  }

  /**
   * Where the keys that walk rows walk: the pane with the focus, else the active one, else the
   * list.
   */
  activeElement() {
    const focused = document.activeElement?.closest(".slot");
    const candidates = [focused, this.#slots[this.#active].element, this.#slots.list.element];
    return candidates.find((element) => element?.querySelector("[data-row]"));
  }

  /**
   * Brings a tab of the instrument to the front; false when none is on screen.
   * @param {import("./route.js").Tab} tab
   */
  showTab(tab) {
    const { screen } = this.#slots.market;
    if (!(screen instanceof MarketScreen)) {
      if (!this.isTrading || !this.instrument) return false;
      this.#page.router.go({ screen: "market", name: this.instrument, tab });
      return true;
    }
    if (this.#page.isWide()) screen.focusPanel(tab);
    else this.#page.router.go({ screen: "market", name: screen.symbol, tab }, { replace: true });
    return true;
  }

  /**
   * @param {Slot} name
   * @param {Route | null} route
   */
  #fill(name, route) {
    const slot = this.#slots[name];
    const key = route ? `${route.screen}/${route.name}` : "";
    if (key === slot.key) {
      if (slot.screen instanceof MarketScreen && route?.tab) slot.screen.show(route.tab);
      return;
    }
    if (slot.screen instanceof MarketsScreen && route) {
      slot.key = key;
      slot.screen.show(route.name);
      return;
    }
    this.#empty(slot);
    slot.key = key;
    if (!route) return;
    const { module: Module, title = route.name } = entryOf(route.screen);
    slot.screen = new Module(this.#page, route, title);
    slot.element.append(slot.screen.element);
    this.#restoreScroll(slot);
  }

  /** @param {Place} slot */
  #empty(slot) {
    if (!slot.screen) return;
    const body = slot.element.querySelector(".pane-body");
    if (body) this.#scrolls.set(slot.key, body.scrollTop);
    slot.screen.dispose();
    slot.screen.element.remove();
    slot.screen = null;
  }

  /**
   * Rows come with the first frame; then the list is where it was left.
   * @param {Place} slot
   */
  #restoreScroll(slot) {
    const top = this.#scrolls.get(slot.key);
    if (!top) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const body = slot.element.querySelector(".pane-body");
      if (body) body.scrollTop = top;
    }));
  }
}

/** The links between the lists, where there is room for one of them. */
function listSwitch() {
  const lists = SCREENS.filter(({ slot }) => slot === "list");
  return h("nav.segments.list-switch", { "aria-label": "List" }, ...lists.map(({ screen, label }) =>
    h("a.segment", { href: pathOf({ screen }), "data-go": "", "data-list": screen }, label)));
}
