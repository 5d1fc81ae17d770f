// Which screens stand where. One at a time where there is little room; list, market and details
// side by side where there is much. A screen lives, and its topics are open, only while it shows.

import { h, setAttribute } from "./dom.js";
import { pathOf } from "./router.js";
import { ExchangeScreen } from "./screens/exchange.js";
import { ExchangeSummary } from "./screens/exchange-summary.js";
import { FeedScreen } from "./screens/feed.js";
import { MarketScreen } from "./screens/market.js";
import { MissingScreen } from "./screens/missing.js";
import { OrdersScreen } from "./screens/orders.js";
import { ProductScreen } from "./screens/product.js";
import { ProductsScreen } from "./screens/products.js";
import { StocksScreen } from "./screens/stocks.js";
import { SymbolScreen } from "./screens/symbol.js";

const SCREENS = {
  feed: FeedScreen, stocks: StocksScreen, products: ProductsScreen, symbol: SymbolScreen,
  product: ProductScreen, exchange: ExchangeScreen, summary: ExchangeSummary, orders: OrdersScreen,
  market: MarketScreen, missing: MissingScreen,
};
const SLOT_OF = {
  feed: "list", stocks: "list", products: "list", market: "market", symbol: "details", product: "details",
  summary: "exchange", exchange: "desk", orders: "orders", missing: "missing",
};
const LISTS = [["feed", "Tracker"], ["stocks", "Stocks"], ["products", "Products"]];
const SLOTS = ["list", "market", "details", "exchange", "desk", "orders", "missing"];
/** What stands side by side: the market with its details, the exchange with its orders, or nothing of either. */
const SIDE_BY_SIDE = {
  watching: new Set(["list", "market", "details", "exchange"]), trading: new Set(["list", "desk", "orders"]),
  missing: new Set(["list", "missing"]),
};
const WIDE = "(min-width: 1100px)";

export class Layout {
  #main = document.getElementById("main");
  #wide = matchMedia(WIDE);
  #slots = new Map();
  #last = {
    list: { screen: "feed", name: "" }, market: { screen: "market", name: "XBTUSD", tab: "book" }, details: null,
    exchange: { screen: "summary", name: "" }, desk: { screen: "exchange", name: "" }, orders: { screen: "orders", name: "" }, missing: null,
  };
  #scrolls = new Map();
  #suggestion = null;
  #switch = h("nav.segments.list-switch", { "aria-label": "List" }, ...LISTS.map(([screen, label]) =>
    h("a.segment", { href: pathOf({ screen }), "data-go": "", "data-list": screen }, label)));

  /** `context` gets `wide()`; it is handed to every screen. */
  constructor(context) {
    this.context = context;
    context.wide = () => this.#wide.matches;
    for (const name of SLOTS) {
      const element = h(`div.slot.slot-${name}`);
      this.#slots.set(name, { element, key: "", screen: null });
    }
    this.#slots.get("list").element.append(this.#switch);
    const side = h("div.side", {}, this.#slots.get("details").element, this.#slots.get("exchange").element);
    this.#main.append(this.#slots.get("list").element, this.#slots.get("market").element, side,
      this.#slots.get("desk").element, this.#slots.get("orders").element, this.#slots.get("missing").element);
    this.#wide.addEventListener("change", () => context.show(this.route));
  }

  /** Shows a route: the only screen, or its slot beside the others. */
  show(route) {
    this.route = route;
    this.active = SLOT_OF[route.screen];
    this.#last[this.active] = route;
    setAttribute(this.#main, "data-active", this.active);
    setAttribute(this.#main, "data-wide", this.#wide.matches);
    setAttribute(this.#main, "data-trading", this.isTrading);
    const sight = this.active === "missing" ? "missing" : this.isTrading ? "trading" : "watching";
    setAttribute(this.#main, "data-missing", sight === "missing");
    for (const name of SLOTS) {
      const beside = SIDE_BY_SIDE[sight].has(name) ? this.#last[name] : null;
      const wanted = this.#wide.matches ? beside : name === this.active ? route : null;
      this.#fill(name, wanted);
      setAttribute(this.#slots.get(name).element, "data-active", name === this.active);
    }
    this.#suggest();
    for (const link of this.#switch.children) {
      setAttribute(link, "aria-current", link.dataset.list === this.list ? "true" : null);
    }
    const screen = this.#slots.get(this.active).screen;
    document.title = `${screen.title} · Livetape`;
  }

  /** Whether the exchange or its orders are what is looked at. */
  get isTrading() {
    return SIDE_BY_SIDE.trading.has(this.active) && this.active !== "list";
  }

  /** One step back inside the screens on show; false when there is none. */
  escape() {
    return SLOTS.some((name) => this.#slots.get(name).screen?.escape?.());
  }

  /** The ticket on show, if any. */
  get ticket() {
    return this.#slots.get("desk").screen?.ticket;
  }

  /** The instrument that was looked at last. */
  get instrument() {
    return this.#last.market.name;
  }

  #builtIn = this.#last.market;

  /** Makes an instrument the one to open while nobody has chosen any; whether that changed it. */
  prefer(name) {
    if (!name || this.#last.market !== this.#builtIn || name === this.#builtIn.name) return false;
    this.#builtIn = { ...this.#builtIn, name };
    this.#last.market = this.#builtIn;
    return true;
  }

  /** The list that was looked at last: "feed", "stocks" or "products". */
  get list() {
    return this.#last.list.screen;
  }

  /** With room for details and none chosen, the first symbol of the feed is shown. */
  #suggest() {
    if (!this.#wide.matches || this.#last.details || this.#suggestion) return;
    const take = () => {
      const symbol = this.#suggestion?.entry.state?.order?.[0];
      if (!symbol) return;
      this.#suggestion.close();
      this.#suggestion = null;
      if (!this.#wide.matches || this.#last.details) return;
      this.#last.details = { screen: "symbol", name: symbol };
      if (!this.isTrading && this.active !== "missing") this.#fill("details", this.#last.details);
    };
    this.#suggestion = this.context.link.topics.open("feed", take);
  }

  /** Where the keys that walk rows walk: the pane with the focus, else the active one, else the list. */
  activeElement() {
    const focused = document.activeElement?.closest?.(".slot");
    const candidates = [focused, this.#slots.get(this.active).element, this.#slots.get("list").element];
    return candidates.find((element) => element?.querySelector("[data-row]"));
  }

  /** Brings a tab of the instrument to the front; false when none is on screen. */
  showTab(tab) {
    const { screen } = this.#slots.get("market");
    if (!screen && !this.isTrading) return false;
    if (!screen) {
      this.context.router.go({ screen: "market", name: this.instrument, tab });
      return true;
    }
    if (this.#wide.matches) screen.focusPanel(tab);
    else this.context.router.go({ screen: "market", name: screen.symbol, tab }, { replace: true });
    return true;
  }

  #fill(name, route) {
    const slot = this.#slots.get(name);
    const key = route ? `${route.screen}/${route.name}` : "";
    if (key === slot.key) {
      if (route?.screen === "market") slot.screen.show(route.tab);
      return;
    }
    this.#empty(slot);
    slot.key = key;
    if (!route) return;
    slot.screen = new SCREENS[route.screen](this.context, route.name, route.tab);
    slot.element.append(slot.screen.element);
    this.#restoreScroll(slot);
  }

  #empty(slot) {
    if (!slot.screen) return;
    const body = slot.element.querySelector(".pane-body");
    if (body) this.#scrolls.set(slot.key, body.scrollTop);
    slot.screen.dispose();
    slot.screen.element.remove();
    slot.screen = null;
  }

  /** Rows come with the first frame; then the list is where it was left. */
  #restoreScroll(slot) {
    const top = this.#scrolls.get(slot.key);
    if (!top) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const body = slot.element.querySelector(".pane-body");
      if (body) body.scrollTop = top;
    }));
  }
}
