// Which screens stand where. One at a time where there is little room; beside a rail with a list
// where there is much. A screen lives, and its topics are open, only while it shows.

import { pathOf } from "../base/route.js";
import { t } from "../text/texts.js";
import { byId, h, setAttribute } from "../ui/dom.js";
import { rememberTable } from "./dock.js";
import { Splitter } from "./frame.js";
import { MarketScreen } from "./market-screen.js";
import { ComingScreen } from "./placeholders.js";
import { Rail } from "./rail.js";
import { entryOf, makerOf, WATCH_LISTS } from "./screens.js";

/** @typedef {import("./screens.js").Slot} Slot */
/** @typedef {import("./screens.js").Shown} Shown */
/** @typedef {{element: HTMLElement, key: string, screen: Shown | null}} Place */

/** @type {Slot[]} */
const SLOTS = ["list", "markets", "market", "details", "exchange", "orders", "missing"];
// What stands beside the rail, for the slot that a person looks at. What is not named needs all the
// room.
/** @type {{[slot in Slot]?: Slot}} */
const BESIDE_RAIL = {
  list: "market", market: "market", details: "details", exchange: "exchange", missing: "missing",
};

export class Layout {
  #main = byId("main");
  #page;
  /** @type {{[slot in Slot]: Place}} */
  #slots;
  // What stands, or stood last, in each slot.
  /** @type {{[slot in Slot]: Route | null}} */
  #last = {
    list: { screen: "watch", name: "" }, markets: null, market: null, details: null,
    exchange: { screen: "exchange", name: "" }, orders: { screen: "orders", name: "" },
    missing: null,
  };
  // The market to begin with, while nobody has chosen any.
  /** @type {Route | null} */
  #suggested = null;
  /** @type {Slot} */
  #active = "list";
  /** @type {"market" | "exchange"} */
  #trade = "exchange";
  /** @type {Route} */
  #list = { screen: "feed", name: "" };
  #lists = h("nav.segments.watch-lists", { "aria-label": t("Watch") },
    ...WATCH_LISTS.map(([screen, label]) => h("a.segment",
      { href: pathOf({ screen }), "data-go": "", "data-list": screen }, label)));
  /** @type {Map<string, number>} */
  #scrolls = new Map();
  #rail;

  /** @param {Page} page what every screen is handed */
  constructor(page) {
    this.#page = page;
    const place = (/** @type {Slot} */ slot) =>
      ({ element: h(`div.slot.slot-${slot}`), key: "", screen: null });
    this.#slots = {
      list: place("list"), markets: place("markets"), market: place("market"),
      details: place("details"), exchange: place("exchange"), orders: place("orders"),
      missing: place("missing"),
    };
    this.#rail = new Rail(page, () => this.#watch());
    this.#slots.list.element.prepend(this.#rail.element, this.#lists);
    this.#main.append(this.#slots.list.element, new Splitter(page.frame, "rail").element,
      ...SLOTS.slice(1).map((slot) => this.#slots[slot].element));
  }

  // Shows a route: the only screen, or its slot beside the rail.
  /** @param {Route} route */
  show(route) {
    const isWide = this.#page.isWide();
    const isTurned = this.#main.hasAttribute("data-wide") !== isWide;
    this.#active = entryOf(route.screen).slot;
    // The address without a path shows the market that is there.
    if (route.screen !== "home") this.#last[this.#active] = route;
    if (this.#active === "market" || this.#active === "exchange") this.#trade = this.#active;
    if (entryOf(route.screen).place === "watch" && this.#active === "list") this.#list = route;
    const beside = BESIDE_RAIL[this.#active];
    setAttribute(this.#main, "data-active", this.#active);
    setAttribute(this.#main, "data-wide", isWide);
    setAttribute(this.#main, "data-railed", isWide && beside !== undefined);
    for (const name of SLOTS) {
      const isBeside = beside ? name === "list" || name === beside : name === this.#active;
      const wanted = isWide ? isBeside : name === this.#active;
      const shown = this.#last[name] ?? (name === this.#active ? route : null);
      this.#fill(name, wanted ? shown : null);
      setAttribute(this.#slots[name].element, "data-active", name === this.#active);
      setAttribute(this.#slots[name].element, "hidden", !wanted);
    }
    // A screen whose data rests would wait for the next tick before it takes its new arrangement.
    if (isTurned) for (const name of SLOTS) this.#slots[name].screen?.refresh();
    // A folded rail has no room for the lists.
    if (isWide && this.#active === "list" && this.#page.frame.isFolded) this.#page.frame.fold();
    this.#showLists();
    this.#rail.show(this.#last.list?.screen ?? "");
    this.#page.title.show(entryOf(route.screen).title ?? route.name);
  }

  /** The rail shows the list that was chosen to be watched. */
  #watch() {
    const { router } = this.#page;
    this.#last.list = { screen: "watch", name: "" };
    this.#slots.list.screen?.refresh();
    if (this.#active === "list" && router.route.screen !== "home") router.go({ screen: "home" });
    else this.show(router.route);
  }

  /** Whether the exchange or its orders are what is looked at. */
  get isTrading() {
    return this.#active === "exchange" || this.#active === "orders";
  }

  /** Puts the focus on the search of the screen on show; false when it has none. */
  find() {
    return this.#slots[this.#active].screen?.find() ?? false;
  }

  // Walks the rows of a screen that knows more rows than are there; false when there is none.
  /** @param {number} step */
  step(step) {
    return this.#slots[this.#active].screen?.step(step) ?? false;
  }

  /** Goes back one step in the screens on show; false if there was nothing to go back from. */
  escape() {
    return SLOTS.some((name) => this.#slots[name].screen?.escape());
  }

  /** The ticket on show, if any. */
  get ticket() {
    return this.#slots.exchange.screen?.ticket;
  }

  // Brings a table of the exchange's screen to the front, now or once the screen is there.
  /** @param {import("./dock.js").Tab} tab */
  showTable(tab) {
    rememberTable(tab);
    const { dock } = this.#slots.exchange.screen ?? {};
    dock?.show(tab);
    dock?.element.scrollIntoView({ block: "nearest" });
  }

  /** The lists of the place "watch", above the one on show. */
  #showLists() {
    const screen = this.#last.list?.screen ?? "";
    setAttribute(this.#lists, "hidden", entryOf(screen).place !== "watch");
    for (const link of this.#lists.children) {
      setAttribute(link, "aria-current", link.getAttribute("data-list") === screen ? "page" : null);
    }
  }

  // Where a place of the page leads: to what was looked at there last.
  /** @param {import("./screens.js").Place} place @returns {Route} */
  routeTo(place) {
    if (place === "watch") return this.#list;
    if (place === "trade") return this.#last[this.#trade] ?? { screen: "exchange", name: "" };
    return this.#last[place] ?? { screen: place, name: "" };
  }

  /** The instrument that was looked at last; "" while none is known. */
  get instrument() {
    return this.#last.market?.name ?? "";
  }

  // Makes an instrument the one to open while nobody has chosen any; whether that changed it.
  /** @param {string | undefined} name */
  prefer(name) {
    const isChosen = this.#last.market !== this.#suggested;
    if (!name || isChosen || name === this.#suggested?.name) return false;
    this.#suggested = { screen: "market", name, tab: "book" };
    this.#last.market = this.#suggested;
    return true;
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

  // Brings a tab of the instrument to the front; false when none is on screen.
  /** @param {import("../base/route.js").Tab} tab */
  showTab(tab) {
    const { screen } = this.#slots.market;
    if (!(screen instanceof MarketScreen)) {
      if (!this.isTrading || !this.instrument) return false;
      this.#page.router.go({ screen: "market", name: this.instrument, tab });
      return true;
    }
    if (this.#page.isRoomy()) screen.focusPanel(tab);
    else this.#page.router.go({ screen: "market", name: screen.name, tab }, { replace: true });
    return true;
  }

  /** @param {Slot} name @param {Route | null} route */
  #fill(name, route) {
    const slot = this.#slots[name];
    const key = route ? `${route.screen}/${route.name}` : "";
    if (key === slot.key) {
      if (slot.screen instanceof MarketScreen && route?.tab) slot.screen.show(route.tab);
      return;
    }
    if (route && slot.screen?.takes(route)) {
      slot.key = key;
      return;
    }
    this.#empty(slot);
    slot.key = key;
    if (!route) return;
    const entry = entryOf(route.screen);
    const { title = route.name } = entry;
    const Maker = makerOf(entry);
    slot.screen = Maker ? new Maker(this.#page, route, title)
      : new ComingScreen(this.#page, title, () => this.#renew(name, route));
    slot.element.append(slot.screen.element);
    this.#restoreScroll(slot);
  }

  // Makes the screen of a slot whose code has come.
  /** @param {Slot} name @param {Route} route */
  #renew(name, route) {
    this.#empty(this.#slots[name]);
    this.#slots[name].key = "";
    this.#fill(name, route);
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

  // Rows come with the first frame; then the list is where it was left.
  /** @param {Place} slot */
  #restoreScroll(slot) {
    const top = this.#scrolls.get(slot.key);
    if (!top) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const body = slot.element.querySelector(".pane-body");
      if (body) body.scrollTop = top;
    }));
  }
}
