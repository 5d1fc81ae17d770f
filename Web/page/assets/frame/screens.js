// The table of all screens: path, title, slot and class. Router, layout, navigation and search use
// only this table.

import { MOST_CHARTS } from "../base/route.js";
import { WatchScreen } from "../markets/watch.js";
import { t } from "../text/texts.js";
import { lazyPart, provideLazyParts } from "../ui/lazy.js";
import { MarketScreen, TABS } from "./market-screen.js";
import { HomeScreen, MissingScreen } from "./placeholders.js";

/**
 * @typedef {"list" | "markets" | "market" | "charts" | "details" | "exchange" | "orders"
 *   | "missing"} Slot
 */
/**
 * @typedef {import("../ui/screen.js").Screen & {element: HTMLElement,
 *   ticket?: import("../ticket/ticket.js").Ticket,
 *   dock?: import("./dock.js").Dock}} Shown
 */
/** @typedef {new (page: Page, route: Route, title: string) => Shown} Maker */
/**
 * The screens in the lazy bundle, by name.
 * @typedef {{[N in keyof LazyParts]: LazyParts[N] extends Maker ? N : never}[keyof LazyParts]} Name
 */

/** @typedef {"markets" | "trade" | "orders" | "watch"} Place */

/**
 * One row of the table.
 * @typedef {object} Entry
 * @property {string} screen its slug: the first part of its path, and its name in a route
 * @property {(kind: string, names: string[]) => Route | null} [parse] its route for a path, given
 *   the path's first part in lower case and the other parts; missing if it has no path
 * @property {string} [title] its title; by default the name of its route
 * @property {Slot} slot its position when screens are side by side
 * @property {string} [parent] the screen that Back leads to after a deep link
 * @property {Place} [place] the navigation place it belongs to
 * @property {string} [label] its name among the lists of the place "watch"
 * @property {[name: string, also: string]} [search] its name and further words in search
 * @property {Maker | Name} module its class; a name if its code is in the lazy bundle
 */

provideLazyParts(() => import("./lazy.js"));

/** The bare address. */
const HOME = { screen: "home", name: "" };

/** @type {(screen: string) => (kind: string, names: string[]) => Route | null} */
const alone = (screen) => (kind, names) =>
  kind === screen && names.length === 0 ? { screen, name: "" } : null;

/** @type {(screen: string) => (kind: string, names: string[]) => Route | null} */
const named = (screen) => (kind, names) =>
  kind === screen && names.length === 1 ? { screen, name: names[0] } : null;

// "/stocks", and "/stocks/US0378331005" for one of its rows.
/** @param {string} kind @param {string[]} names @returns {Route | null} */
function stocks(kind, [isin = "", ...rest]) {
  return kind === "stocks" && rest.length === 0 ? { screen: "stocks", name: isin.toUpperCase() }
    : null;
}

// Symbols may be in any case.
/** @param {string} kind @param {string[]} names */
function symbol(kind, names) {
  const route = named("symbol")(kind, names);
  return route && { ...route, name: route.name.toUpperCase() };
}

// "/markets", and "/markets/stars" for one of its lists.
/** @param {string} kind @param {string[]} names @returns {Route | null} */
function markets(kind, [name = "", ...rest]) {
  return kind === "markets" && rest.length === 0 ? { screen: "markets", name } : null;
}

// A name in its venue's spelling: capitals, except for the venue before ":" and the x of a
// tokenised share ("AAPLx/USD").
/** @param {string} name @returns {string} */
function spelled(name) {
  const [first, rest] = name.split(/:(.*)/s);
  if (rest) return `${first.toLowerCase()}:${spelled(rest)}`;
  return /^[A-Z0-9.]+x\/[A-Z0-9.]+$/.test(name) ? name : name.toUpperCase();
}

// "/book/BTC/USD" as typed by a user, and "/book/BTC%2FUSD" as written by the page.
/** @param {string} kind @param {string[]} names @returns {Route | null} */
function market(kind, names) {
  const tab = TABS.find(([key]) => key === kind)?.[0];
  if (!tab || (names.length !== 1 && names.length !== 2)) return null;
  return { screen: "market", name: spelled(names.join("/")), tab };
}

// "/asset/BTC/USD": a pair of currencies at all venues.
/** @param {string} kind @param {string[]} names @returns {Route | null} */
function asset(kind, names) {
  const name = names.join("/").toUpperCase();
  return kind === "asset" && name.split("/").length === 2 ? { screen: "asset", name } : null;
}

// "/charts/BTC%2FUSD@5m/XBTUSD": markets side by side, each with its interval.
/** @param {string} kind @param {string[]} names @returns {Route | null} */
function charts(kind, names) {
  if (kind !== "charts" || names.length > MOST_CHARTS) return null;
  const name = names.map((part) => part.split("@"))
    .map(([market, ...interval]) => [spelled(market), ...interval].join("@")).join(",");
  return { screen: "charts", name };
}

/** @type {Entry[]} */
export const SCREENS = [
  {
    screen: "home", parse: (kind, names) => (kind === "" && names.length === 0 ? HOME : null),
    title: t("Trade"), slot: "market", parent: "markets", place: "trade", module: HomeScreen,
  },
  {
    screen: "watch", title: t("Watched markets"), slot: "list", parent: "markets",
    place: "markets", module: WatchScreen,
  },
  {
    screen: "feed", parse: alone("feed"), title: t("Tracker"), slot: "list", place: "watch",
    label: t("Tracker"), search: [t("Tracker"), "tracker feed symbols"], module: "FeedScreen",
  },
  {
    screen: "stocks", parse: stocks, title: t("Stocks"), slot: "list", place: "watch",
    label: t("Stocks"), search: [t("Stocks"), "watch list shares isin"], module: "StocksScreen",
  },
  {
    screen: "products", parse: alone("products"), title: t("Products"), slot: "list",
    place: "watch", label: t("Products"), search: [t("Products"), "watch certificates bux"],
    module: "ProductsScreen",
  },
  {
    screen: "markets", parse: markets, title: t("Markets"), slot: "markets", place: "markets",
    search: [t("Markets"), "all list stars groups"], module: "MarketsScreen",
  },
  { screen: "asset", parse: asset, slot: "details", parent: "markets", module: "AssetScreen" },
  { screen: "market", parse: market, slot: "market", place: "trade", module: MarketScreen },
  {
    screen: "charts", parse: charts, title: t("Charts"), slot: "charts", parent: "markets",
    place: "trade", search: [t("Charts"), "grid multi compare linked"], module: "ChartsScreen",
  },
  {
    screen: "exchange", parse: alone("exchange"), title: t("Exchange"), slot: "exchange",
    place: "trade", search: [t("Exchange"), "trade buy sell ticket"],
    module: "ExchangeScreen",
  },
  {
    screen: "orders", parse: alone("orders"), title: t("Orders"), slot: "orders",
    parent: "exchange", place: "orders",
    search: [t("Order history"), "orders receipts fills"], module: "OrdersScreen",
  },
  {
    screen: "symbol", parse: symbol, slot: "details", parent: "feed", place: "watch",
    module: "SymbolScreen",
  },
  {
    screen: "product", parse: named("product"), slot: "details", parent: "products",
    place: "watch",
    module: "ProductScreen",
  },
  { screen: "missing", title: t("Not found"), slot: "missing", module: MissingScreen },
];

// The entry of a screen; that of "missing" for an unknown slug.
/** @param {string} screen @returns {Entry} */
export const entryOf = (screen) =>
  SCREENS.find((entry) => entry.screen === screen) ?? entryOf("missing");

// A screen's class; null until its code has loaded.
/** @param {Entry} entry @returns {Maker | null} */
export const makerOf = ({ module }) =>
  (typeof module === "string" ? lazyPart(module) : module);

// Navigation places in order, with names and icons: the same at every width.
/** @type {[place: Place, label: string, icon: string][]} */
export const PLACES = [["markets", t("Markets"), "markets"], ["trade", t("Trade"), "exchange"],
  ["orders", t("Orders"), "orders"], ["watch", t("Watch"), "feed"]];

// The lists of the place "watch", with their names.
/** @type {[screen: string, label: string][]} */
export const WATCH_LISTS = SCREENS.flatMap(({ screen, label }) => (label ? [[screen, label]] : []));

// The route of a path; an unknown path gives the screen "missing", with the path as its name.
/** @param {string} path @returns {Route} */
export function routeOf(path) {
  const [first = "", ...names] = path.split("/").filter(Boolean).map(decoded);
  for (const { parse } of SCREENS) {
    const route = parse?.(first.toLowerCase(), names);
    if (route) return route;
  }
  return { screen: "missing", name: path };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray "%": keep the part unchanged.
    return part;
  }
}
