// The tables under the chart: open orders, positions, fills, history, order activity and alerts,
// one at a time. The code of some is in the lazy bundle.

import { compare } from "../base/decimal.js";
import { recall, remember } from "../base/storage.js";
import { OpenOrders } from "../orders/open-orders.js";
import { OwnOrders } from "../orders/own-orders.js";
import { Receipts } from "../orders/receipts.js";
import { moneyOf } from "../orders/words.js";
import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, oneStop, setAttribute, setText } from "../ui/dom.js";
import { loadLazyParts, NOT_SENT, lazyPart } from "../ui/lazy.js";
import { skeleton } from "../ui/pane.js";
import { PressGuard } from "../ui/press-guard.js";
import { Screen } from "../ui/screen.js";

/** @typedef {"positions" | "fills" | "history" | "alerts"} LateTab tabs with lazy code */
/** @typedef {"open" | "news" | LateTab} Tab */

/** @type {[tab: Tab, label: string][]} */
const TABS = [
  ["open", t("Open")], ["positions", t("Positions")], ["fills", t("Fills")],
  ["history", t("History")],
  ["news", t("Activity")], ["alerts", t("Alerts")],
];
const TAB_KEY = "dock.tab";
/** @typedef {"all" | "market"} Scope */
const SCOPE_KEY = "dock.orders";
/** @type {Scope[]} the first is the default */
const SCOPES = ["all", "market"];
/** Tables whose rows each belong to one market. */
const OF_MARKETS = ["open", "positions", "fills", "history"];
/** The most fills that the topic "orders" lists per order. */
const FILLS_OF_AN_ORDER = 32;
let count = 0;

// Makes a table the default of new docks.
/** @param {Tab} tab */
export const rememberTable = (tab) => remember(TAB_KEY, tab);

export class Dock extends Screen {
  /** @type {Tab} */
  #tab = /** @type {Tab} */ (recall(TAB_KEY, TABS.map(([tab]) => tab)));
  /** @type {{[tab in Tab]?: DockTable}} those whose code is here */
  #tables;
  /** @type {Map<Tab, HTMLElement>} */
  #panels = new Map();
  /** @type {Map<Tab, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {Map<Tab, HTMLElement>} */
  #counts = new Map();
  #body = h("div.dock-body");
  #guard = new PressGuard(this.#body);
  #inTicket;
  #marketOnScreen;
  #scope = /** @type {Scope} */ (recall(SCOPE_KEY, SCOPES));
  #scopes = new Map(["market", "all"].map((scope) => [scope, h("button.segment",
    { type: "button" }, scope === "market" ? t("This market") : t("All"))]));
  #filter = oneStop(h("div.segments.dock-filter", { role: "group", "aria-label": t("Orders of") },
    ...this.#scopes.values()));

  /**
   * @param {Page} page
   * @param {() => string | undefined} marketOnScreen the market's name as in orders
   * @param {() => string | undefined} inTicket the id of the order shown in a ticket
   */
  constructor(page, marketOnScreen, inTicket = () => undefined) {
    super(page);
    this.#inTicket = inTicket;
    this.#marketOnScreen = marketOnScreen;
    count += 1;
    this.orders = new OwnOrders(this.open("orders"), this.open("openOrders"));
    this.exchange = this.open("exchange");
    this.positions = this.open("positions");
    this.receipts = new Receipts(page.trading);
    this.#tables = { open: new OpenOrders(page.trading, this.refresh), news: this.#news() };
    this.tabs = h("div.dock-tabs", { role: "tablist", "aria-label": t("Your orders") });
    for (const [tab, label] of TABS) this.#add(tab, label);
    this.tabs.addEventListener("keydown", (event) => this.#walk(event));
    for (const [scope, button] of this.#scopes) {
      button.addEventListener("click", () => this.#narrow(/** @type {Scope} */ (scope)));
    }
    this.element = h("section.dock", { "aria-label": t("Orders and fills") },
      h("div.dock-bar", {}, this.tabs, this.#filter), this.#body);
    this.whenGone(page.trading.observe(this.refresh));
    this.show(this.#tab);
  }

  // Brings a table to the front.
  /** @param {Tab} tab */
  show(tab) {
    this.#tab = tab;
    for (const [key, button] of this.#buttons) {
      setAttribute(button, "aria-selected", String(key === tab));
      setAttribute(button, "tabindex", key === tab ? "0" : "-1");
      setAttribute(this.#panels.get(key) ?? this.#body, "hidden", key !== tab);
    }
    if (!this.#tables[tab]) this.#complete();
    this.refresh();
  }

  /** Creates the missing tables, or loads their code first. */
  #complete() {
    const made = lazyPart("makeDockTables")?.(this.page);
    if (!made) {
      this.#ask();
      return;
    }
    this.whenGone(made.dispose);
    Object.assign(this.#tables, made.tables);
    for (const [tab, { element }] of Object.entries(made.tables)) {
      this.#panels.get(/** @type {Tab} */ (tab))?.replaceChildren(element);
    }
  }

  /** A skeleton while a table's code loads; an error if loading fails. */
  #ask() {
    const panel = this.#panels.get(this.#tab);
    panel?.replaceChildren(skeleton(3));
    loadLazyParts().then(() => {
      if (this.isGone || this.#tables[this.#tab]) return;
      this.#guard.changed();
      this.show(this.#tab);
    }, () => panel?.replaceChildren(h("p.empty.small", { role: "alert" }, NOT_SENT)));
  }

  render() {
    const { state } = this.orders;
    const market = this.exchange.state;
    const positions = this.positions.state;
    const onScreen = this.#marketOnScreen();
    const shown = this.orders.of(this.#scope === "market" ? onScreen : undefined);
    for (const [scope, button] of this.#scopes) {
      setAttribute(button, "aria-pressed", String(scope === this.#scope));
    }
    setAttribute(this.#filter, "data-reserved", !OF_MARKETS.includes(this.#tab));
    const held = positions ? [positions, ...Object.values(positions.rows ?? {})]
      .filter(({ quantity, symbol }) => compare(quantity ?? "0", "0") !== 0
        && (shown.market === undefined || symbol === shown.market)).length : 0;
    /** @type {(number | string | undefined)[]} */
    const counts = shown.market === undefined ? [state?.openCount, held, state?.fillCount,
      state?.total] : countsOf(shown, held);
    if (!positions?.loaded) counts[1] = undefined;
    counts.push(this.page.trading.receipts.length || undefined, this.page.alerts.count);
    TABS.forEach(([tab, label], at) => {
      const value = counts[at];
      const text = value === undefined ? ""
        : typeof value === "string" ? value : number(String(value));
      setText(this.#counts.get(tab) ?? this.tabs, text);
      setAttribute(this.#buttons.get(tab) ?? this.tabs, "aria-label",
        text === "" ? null : `${label}, ${text}`);
    });
    const isKnown = this.link.trusted && this.orders.known;
    if (this.orders.confirmed) this.page.trading.learn(this.orders.all, this.orders.openRows);
    if (market) this.page.trading.market = market;
    this.#tables[this.#tab]?.render({
      orders: shown, market, format: moneyOf(market), now: this.link.now(), isKnown,
      positions, freshness: this.believe(this.exchange),
    });
  }

  /** @returns {DockTable} */
  #news() {
    const none = h("p.empty.small", {}, t("No order activity since you opened this page."));
    return {
      element: h("div.dock-news", {}, this.receipts.element, none),
      render: ({ market, now }) => {
        this.receipts.render({ orders: this.orders.all, market, now, inTicket: this.#inTicket() });
        setAttribute(none, "hidden", !this.receipts.element.hidden);
      },
    };
  }

  /** @param {Tab} tab @param {string} label */
  #add(tab, label) {
    const id = `dock-${count}-${tab}`;
    const number = h("span.count");
    const button = h("button.dock-tab", { type: "button", role: "tab", id, "data-tab": tab,
      "aria-controls": `${id}-panel` }, label, number);
    button.addEventListener("click", () => this.#choose(tab));
    this.#buttons.set(tab, button);
    this.#counts.set(tab, number);
    this.tabs.append(button);
    const panel = h("div.dock-panel",
      { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, "data-tab": tab },
      this.#tables[tab]?.element);
    this.#panels.set(tab, panel);
    this.#body.append(panel);
  }

  /** @param {Tab} tab */
  #choose(tab) {
    if (tab !== this.#tab) {
      this.#guard.changed();
      // A newly opened table starts at its newest row.
      this.#body.scrollTop = 0;
    }
    remember(TAB_KEY, tab);
    this.show(tab);
  }

  /** @param {Scope} scope */
  #narrow(scope) {
    if (scope === this.#scope) return;
    this.#guard.changed();
    this.#body.scrollTop = 0;
    this.#scope = scope;
    remember(SCOPE_KEY, scope);
    this.render();
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const shown = TABS.map(([tab]) => tab);
    const next = shown[(shown.indexOf(this.#tab) + step + shown.length) % shown.length];
    this.#choose(next);
    this.#buttons.get(next)?.focus();
  }
}

// The tabs' counts for one market. A "+" marks counts that may be higher: the page has only the
// newest orders, and the latest fills of each.
/**
 * @param {import("../orders/own-orders.js").ShownOrders} shown
 * @param {number} held
 */
function countsOf({ state, all, open, latest }, held) {
  if (!state) return [];
  const rows = Object.values(all);
  const fills = rows.reduce((sum, order) => sum + order.fills.length, 0);
  const hasOlder = state.total > state.order.length;
  const hasFills = hasOlder || rows.some((order) => order.fills.length >= FILLS_OF_AN_ORDER);
  const atLeast = (/** @type {number} */ count, /** @type {boolean} */ isPart) =>
    isPart ? `${number(String(count))}+` : count;
  return [open.length, held, atLeast(fills, hasFills), atLeast(latest.length, hasOlder)];
}
