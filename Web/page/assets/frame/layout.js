// Places screens in slots: one at a time on small pages, beside a rail with a list on wide ones. A
// screen exists, and its topics are open, only while it is shown.

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
const SLOTS = ["list", "markets", "market", "charts", "details", "exchange", "orders", "missing"];
// The slot shown beside the rail, by active slot. Slots that are not listed take the full width.
/** @type {{[slot in Slot]?: Slot}} */
const BESIDE_RAIL = {
  list: "market", market: "market", details: "details", exchange: "exchange", missing: "missing",
};

export class Layout {
  #main = byId("main");
  #page;
  /** @type {{[slot in Slot]: Place}} */
  #slots;
  // The current or last route of each slot.
  /** @type {{[slot in Slot]: Route | null}} */
  #last = {
    list: { screen: "watch", name: "" }, markets: null, market: null, charts: null, details: null,
    exchange: { screen: "exchange", name: "" }, orders: { screen: "orders", name: "" },
    missing: null,
  };
  // The default market, until the user chooses one.
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

  /** @param {Page} page passed to every screen */
  constructor(page) {
    this.#page = page;
    const place = (/** @type {Slot} */ slot) =>
      ({ element: h(`div.slot.slot-${slot}`), key: "", screen: null });
    this.#slots = {
      list: place("list"), markets: place("markets"), market: place("market"),
      charts: place("charts"), details: place("details"), exchange: place("exchange"),
      orders: place("orders"), missing: place("missing"),
    };
    this.#rail = new Rail(page, () => this.#watch());
    this.#slots.list.element.prepend(this.#rail.element, this.#lists);
    this.#main.append(...SLOTS.map((slot) => this.#slots[slot].element),
      new Splitter(page.frame, "rail").element);
  }

  // Shows a route: alone, or in its slot beside the rail.
  /** @param {Route} route */
  show(route) {
    const isWide = this.#page.isWide();
    const isTurned = this.#main.hasAttribute("data-wide") !== isWide;
    this.#active = entryOf(route.screen).slot;
    // The bare address shows the current market.
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
    // Screens without new data would otherwise rearrange only at the next tick.
    if (isTurned) for (const name of SLOTS) this.#slots[name].screen?.refresh();
    // A folded rail has no room for the lists.
    if (isWide && this.#active === "list" && this.#page.frame.isFolded) this.#page.frame.fold();
    this.#showLists();
    this.#rail.show(this.#last.list?.screen ?? "");
    this.#page.title.show(entryOf(route.screen).title ?? route.name);
  }

  /** Shows the selected watchlist in the rail. */
  #watch() {
    const { router } = this.#page;
    this.#last.list = { screen: "watch", name: "" };
    this.#slots.list.screen?.refresh();
    if (this.#active === "list" && router.route.screen !== "home") router.go({ screen: "home" });
    else this.show(router.route);
  }

  /** Whether the exchange or its orders are active. */
  get isTrading() {
    return this.#active === "exchange" || this.#active === "orders";
  }

  /** The market in sight in a few sentences; "" without one. */
  summary() {
    const { market, exchange } = this.#slots;
    return (this.#active === "exchange" ? exchange : market).screen?.summary() ?? "";
  }

  /** Focuses the search of the active screen; false if it has none. */
  find() {
    return this.#slots[this.#active].screen?.find() ?? false;
  }

  // Moves through a screen's rows that are not all in the page; false if it has none.
  /** @param {number} step */
  step(step) {
    return this.#slots[this.#active].screen?.step(step) ?? false;
  }

  /** Goes back one step in the visible screens; false if there is no step to undo. */
  escape() {
    return SLOTS.some((name) => this.#slots[name].screen?.escape());
  }

  /** The visible ticket, if any. */
  get ticket() {
    return this.#slots.exchange.screen?.ticket;
  }

  // Brings a table of the exchange's screen to the front, now or once the screen exists.
  /** @param {import("./dock.js").Tab} tab */
  showTable(tab) {
    rememberTable(tab);
    const { dock } = this.#slots.exchange.screen ?? {};
    dock?.show(tab);
    dock?.element.scrollIntoView({ block: "nearest" });
  }

  /** Shows the lists of "Watch" above the current one. */
  #showLists() {
    const screen = this.#last.list?.screen ?? "";
    setAttribute(this.#lists, "hidden", entryOf(screen).place !== "watch");
    for (const link of this.#lists.children) {
      setAttribute(link, "aria-current", link.getAttribute("data-list") === screen ? "page" : null);
    }
  }

  // The route of a navigation place: the last one shown there.
  /** @param {import("./screens.js").Place} place @returns {Route} */
  routeTo(place) {
    if (place === "watch") return this.#list;
    if (place === "trade") return this.#last[this.#trade] ?? { screen: "exchange", name: "" };
    return this.#last[place] ?? { screen: place, name: "" };
  }

  /** The last instrument shown; "" before the first. */
  get instrument() {
    return this.#last.market?.name ?? "";
  }

  // Sets the default instrument unless the user has chosen one; returns whether it changed.
  /** @param {string | undefined} name */
  prefer(name) {
    const isChosen = this.#last.market !== this.#suggested;
    if (!name || isChosen || name === this.#suggested?.name) return false;
    this.#suggested = { screen: "market", name, tab: "book" };
    this.#last.market = this.#suggested;
    return true;
  }

  /**
   * The pane for the row keys: the one with the focus, else the active one, else the list.
   */
  activeElement() {
    const focused = document.activeElement?.closest(".slot");
    const candidates = [focused, this.#slots[this.#active].element, this.#slots.list.element];
    return candidates.find((element) => element?.querySelector("[data-row]"));
  }

  // Brings a tab of the instrument to the front; false if no instrument is available.
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

  // Replaces a slot's placeholder once the screen's code has loaded.
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

  // Restores the scroll position after the first frame has added the rows.
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
