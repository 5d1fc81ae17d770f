// @ts-check
// The tables under the chart: open orders, positions, fills, history and news, one at a time.

import { DockAlerts } from "../alerts/dock-alerts.js";
import { compare } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { OwnOrders } from "../own-orders.js";
import { Screen } from "../screens/screen.js";
import { recall, remember } from "../storage.js";
import { t } from "../texts.js";
import { DockFills } from "./dock-fills.js";
import { DockHistory } from "./dock-history.js";
import { OpenOrders } from "./open-orders.js";
import { moneyOf } from "./order-words.js";
import { PositionsTable } from "./positions-table.js";
import { PressGuard } from "./press-guard.js";
import { Receipts } from "./receipts.js";

/** @typedef {"open" | "positions" | "fills" | "history" | "news" | "alerts"} Tab */
/**
 * What every table is drawn from.
 * @typedef {object} View
 * @property {OwnOrders} orders
 * @property {Topic.Exchange | undefined} market
 * @property {Format} format
 * @property {number} now
 * @property {boolean} isKnown whether the server stands behind the orders
 * @property {Topic.Positions | undefined} positions
 * @property {Seen} freshness of the exchange's price
 */
/** @typedef {{element: HTMLElement, render: (view: View) => void}} Table */

/** @type {[tab: Tab, label: string][]} */
const TABS = [
  ["open", t("Open")], ["positions", t("Positions")], ["fills", t("Fills")],
  ["history", t("History")],
  ["news", t("News")], ["alerts", t("Alerts")],
];
const TAB_KEY = "dock.tab";
let count = 0;

export class Dock extends Screen {
  /** @type {Tab} */
  #tab = /** @type {Tab} */ (recall(TAB_KEY, TABS.map(([tab]) => tab)));
  /** @type {{[tab in Tab]: Table}} */
  #tables;
  /** @type {Map<Tab, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {Map<Tab, HTMLElement>} */
  #counts = new Map();
  #body = h("div.dock-body");
  #guard = new PressGuard(this.#body);
  #inTicket;

  /**
   * @param {import("../screens/screen.js").Page} page
   * @param {() => string | undefined} inTicket the number of the order that a ticket tells of
   */
  constructor(page, inTicket = () => undefined) {
    super(page);
    this.#inTicket = inTicket;
    count += 1;
    this.orders = new OwnOrders(this.open("orders"), this.open("openOrders"));
    this.exchange = this.open("exchange");
    this.positions = this.open("positions");
    this.receipts = new Receipts(page.trading);
    const alerts = new DockAlerts(page);
    this.whenGone(() => alerts.dispose());
    this.#tables = {
      open: new OpenOrders(page.trading, this.refresh), positions: positionsTable(),
      fills: new DockFills(), history: new DockHistory(page.trading), news: this.#news(), alerts,
    };
    this.tabs = h("div.dock-tabs", { role: "tablist", "aria-label": t("Your orders") });
    for (const [tab, label] of TABS) this.#add(tab, label);
    this.tabs.addEventListener("keydown", (event) => this.#walk(event));
    this.element = h("section.dock", { "aria-label": t("Orders and fills") }, this.tabs,
      this.#body);
    this.whenGone(page.trading.observe(this.refresh));
    this.show(this.#tab);
  }

  /**
   * Brings a table to the front.
   * @param {Tab} tab
   */
  show(tab) {
    this.#tab = tab;
    for (const [key, button] of this.#buttons) {
      setAttribute(button, "aria-selected", String(key === tab));
      setAttribute(button, "tabindex", key === tab ? "0" : "-1");
      setAttribute(this.#tables[key].element.parentElement ?? this.#body, "hidden", key !== tab);
    }
    this.refresh();
  }

  render() {
    const { state } = this.orders;
    const market = this.exchange.state;
    const positions = this.positions.state;
    const held = positions?.quantity && compare(positions.quantity, "0") !== 0 ? 1 : 0;
    const counts = [state?.openCount, positions?.loaded ? held : undefined, state?.filledCount,
      state?.total, this.page.trading.receipts.length || undefined,
      this.page.alerts.count];
    TABS.forEach(([tab], at) => {
      const text = counts[at] === undefined ? "" : number(String(counts[at]));
      setText(this.#counts.get(tab) ?? this.tabs, text);
    });
    const isKnown = this.link.trusted && this.orders.known;
    if (this.orders.confirmed) this.page.trading.learn(this.orders.all, this.orders.openRows);
    if (market) this.page.trading.format = moneyOf(market);
    this.#tables[this.#tab].render({
      orders: this.orders, market, format: moneyOf(market), now: this.link.now(), isKnown,
      positions, freshness: this.believe(this.exchange),
    });
  }

  /** @returns {Table} */
  #news() {
    const none = h("p.empty.small", {}, t("No news of your orders since this page was opened."));
    return {
      element: h("div.dock-news", {}, this.receipts.element, none),
      render: ({ orders, market, now }) => {
        this.receipts.render({ orders: orders.all, market, now, inTicket: this.#inTicket() });
        setAttribute(none, "hidden", !this.receipts.element.hidden);
      },
    };
  }

  /**
   * @param {Tab} tab
   * @param {string} label
   */
  #add(tab, label) {
    const id = `dock-${count}-${tab}`;
    const number = h("span.count");
    const button = h("button.dock-tab", { type: "button", role: "tab", id, "data-tab": tab,
      "aria-controls": `${id}-panel` }, label, number);
    button.addEventListener("click", () => this.#choose(tab));
    this.#buttons.set(tab, button);
    this.#counts.set(tab, number);
    this.tabs.append(button);
    this.#body.append(h("div.dock-panel",
      { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, "data-tab": tab },
      this.#tables[tab].element));
  }

  /** @param {Tab} tab */
  #choose(tab) {
    if (tab !== this.#tab) {
      this.#guard.changed();
      // Each table is read from its newest row, however far down another one was read.
      this.#body.scrollTop = 0;
    }
    remember(TAB_KEY, tab);
    this.show(tab);
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

/** @returns {Table} */
function positionsTable() {
  const table = new PositionsTable();
  return {
    element: table.element,
    render: ({ positions, freshness, market, format, now }) =>
      table.render({ state: positions, freshness, market, format, now }),
  };
}
