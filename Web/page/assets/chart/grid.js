// Up to four charts side by side, each with its own market and interval; symbol, interval and
// crosshair may be linked. The address contains markets and intervals.

import { MOST_CHARTS, pathOf, symbolOf } from "../base/route.js";
import { read, remember } from "../base/storage.js";
import { nameOf, venueOf } from "../markets/market.js";
import { OwnOrders } from "../orders/own-orders.js";
import { t } from "../text/texts.js";
import { h, icon, oneStop, setAttribute, setText } from "../ui/dom.js";
import { Pane } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";
import { INTERVALS, intervalSign } from "./model/intervals.js";
import { OrdersOnChart } from "./orders-on-chart.js";
import { ChartPanel } from "./panel.js";

/** @typedef {{name: string, interval?: number}} Cell without an interval, the market's own */
/** @typedef {"symbol" | "interval" | "crosshair"} Linked */

const STORED = "charts";
/** @type {[linked: Linked, label: string][]} */
const LINKS = [
  ["symbol", t("Symbol")], ["interval", t("Interval")], ["crosshair", t("Crosshair")],
];

export class ChartsScreen extends Screen {
  /** @type {GridCell[]} */
  #cells = [];
  #grid = h("div.chart-grid");
  #linked = new Set((read(`${STORED}.linked`) ?? "crosshair").split(" "));
  #add = h("button.button.small", { type: "button", "aria-label": t("Add chart"),
    onclick: () => this.#extend() }, icon("plus"), h("span", {}, t("Add chart")));
  /** @type {Entry<Topic.Books>} */
  #books;
  #orders;

  /** @param {Page} page @param {Route} route @param {string} title */
  constructor(page, route, title) {
    super(page);
    this.pane = new Pane({ kind: "charts", title });
    this.element = this.pane.element;
    const links = h("div.segments", { role: "group", "aria-label": t("Link the charts") },
      ...LINKS.map(([linked, label]) => this.#toggle(linked, label)));
    this.pane.line.replaceChildren(this.pane.heading,
      h("span.muted", { "aria-hidden": "true" }, t("Link")), oneStop(links), this.#add);
    this.pane.bar.remove();
    this.pane.body.append(this.#grid);
    this.#books = this.open("books");
    this.#orders = new OwnOrders(this.open("orders"), this.open("openOrders"));
    this.whenGone(() => this.#cells.forEach((cell) => cell.dispose()));
    this.takes(route);
  }

  /** @param {Linked} linked @param {string} label */
  #toggle(linked, label) {
    const button = h("button.segment", {
      type: "button", "aria-pressed": String(this.#linked.has(linked)),
      onclick: () => {
        if (!this.#linked.delete(linked)) this.#linked.add(linked);
        remember(`${STORED}.linked`, [...this.#linked].join(" "));
        setAttribute(button, "aria-pressed", String(this.#linked.has(linked)));
        this.#point(null);
      },
    }, label);
    return button;
  }

  /** @param {Route} route */
  takes({ screen, name }) {
    if (screen !== "charts") return false;
    const wanted = cellsOf(name || read(STORED) || "").slice(0, MOST_CHARTS);
    if (wanted.length > 0) this.#arrange(wanted);
    return true;
  }

  render() {
    this.pane.say(this.#cells.length > 0 ? null : this.whyNothing(this.#books, t("The charts")));
    for (const cell of this.#cells) {
      cell.show(this.#books.state, this.page.status.state?.venues ?? {}, this.#orders);
    }
    if (this.#cells.length > 0 || !this.#books.state) return;
    // The first markets of the venue with the most markets.
    const { instruments, acceptsPair } = this.#books.state;
    const first = instruments.filter(({ venue }) => venue === acceptsPair);
    this.#change((first.length > 0 ? first : instruments).slice(0, this.page.isWide() ? 4 : 2)
      .map((market) => ({ name: nameOf(market) })));
  }

  // Keeps the charts that stay, so that their views don't move.
  /** @param {Cell[]} wanted */
  #arrange(wanted) {
    const old = this.#cells;
    this.#cells = wanted.map((cell, at) => (old[at]?.takes(cell) ? old[at] : this.#make(cell)));
    for (const cell of old) {
      if (this.#cells.includes(cell)) continue;
      cell.dispose();
      cell.element.remove();
    }
    this.#grid.replaceChildren(...this.#cells.map(({ element }) => element));
    setAttribute(this.#grid, "data-count", this.#cells.length);
    for (const cell of this.#cells) setAttribute(cell.remove, "hidden", this.#cells.length === 1);
    setAttribute(this.#add, "hidden", this.#cells.length === MOST_CHARTS);
    this.#point(null);
    this.refresh();
  }

  /** @param {Cell} what */
  #make(what) {
    /** @type {GridCell} */
    const cell = new GridCell(this.page, what, {
      choose: (name) => this.#choose(cell, name),
      interval: (ms) => this.#setInterval(cell, ms),
      point: (time) => this.#point(time, cell),
      remove: () => this.#remove(cell),
    });
    return cell;
  }

  /** @param {Cell[]} cells */
  #change(cells) {
    const name = cells.map(textOf).join(",");
    remember(STORED, name);
    this.page.router.go({ screen: "charts", name }, { replace: true });
  }

  /** @param {GridCell} cell @param {string} name */
  #choose(cell, name) {
    this.#change(this.#cells.map((other) =>
      ({ ...other.what, name: other === cell || this.#linked.has("symbol") ? name : other.name })));
  }

  /** @param {GridCell} cell @param {number} interval */
  #setInterval(cell, interval) {
    if (cell.interval === interval) return;
    cell.interval = interval;
    if (this.#linked.has("interval")) for (const other of this.#cells) other.setInterval(interval);
    this.#change(this.#cells.map(({ what }) => what));
  }

  /** Adds a chart of the last one's market, to choose another one there. */
  #extend() {
    this.#change([...this.#cells, this.#cells.at(-1)].flatMap((cell) => cell?.what ?? []));
    this.#cells.at(-1)?.chooser.focus();
  }

  /** @param {GridCell} cell */
  #remove(cell) {
    const at = this.#cells.indexOf(cell);
    // The other charts keep their views.
    this.#cells.splice(at, 1);
    cell.dispose();
    cell.element.remove();
    this.#change(this.#cells.map(({ what }) => what));
    this.#cells[Math.min(at, this.#cells.length - 1)].chooser.focus();
  }

  // Shows the time pointed at in one chart in all others.
  /** @param {number | null} time @param {GridCell} [by] */
  #point(time, by) {
    const shown = this.#linked.has("crosshair") ? time : null;
    for (const cell of this.#cells) if (cell !== by) cell.follow(shown);
  }
}

class GridCell {
  name;
  /** @type {number | undefined} */
  interval;
  #page;
  #link;
  #panel;
  #venue = h("span.muted");
  /** @type {OrdersOnChart | null} */
  #onChart = null;

  /**
   * @param {Page} page
   * @param {Cell} what
   * @param {{choose: (name: string) => unknown, interval: (ms: number) => unknown,
   *   point: (time: number | null) => unknown, remove: () => unknown}} act
   */
  constructor(page, { name, interval }, act) {
    this.#page = page;
    this.name = name;
    this.interval = interval;
    const symbol = symbolOf(name);
    this.#link = { interval, onInterval: act.interval, onPoint: act.point };
    this.#panel = new ChartPanel(page, name, this.#link);
    this.chooser = h("button.chooser", {
      type: "button", "aria-haspopup": "dialog",
      "aria-label": t("{symbol}, choose another market", { symbol }),
      onclick: () => page.search(act.choose),
    }, symbol);
    const open = h("a.icon-button", { href: pathOf({ screen: "market", name }), "data-go": "",
      "aria-label": t("Open {symbol}", { symbol }), title: t("Open the market") },
    icon("M14 5h5v5M19 5l-8 8M10 5H5v14h14v-5"));
    this.remove = h("button.icon-button", { type: "button", onclick: act.remove,
      "aria-label": t("Remove {symbol}", { symbol }), title: t("Remove chart") }, icon("close"));
    const { pane, element } = this.#panel;
    pane.line.prepend(this.chooser, this.#venue);
    pane.line.append(open, this.remove);
    setAttribute(element, "role", "region");
    setAttribute(element, "aria-label", symbol);
    this.element = element;
  }

  // Shows the venue's name, and own orders and fills in the market.
  /**
   * @param {Topic.Books | undefined} books
   * @param {Topic.Status["venues"]} venues
   * @param {OwnOrders} orders
   */
  show(books, venues, orders) {
    const venue = venueOf(books, this.name);
    setText(this.#venue, venue === undefined ? "" : venues[venue]?.name ?? venue);
    const { chart } = this.#panel;
    if (venue === undefined || !chart) return;
    this.#onChart ??= new OrdersOnChart(this.#page, `${venue}:${symbolOf(this.name)}`, orders);
    this.#onChart.draw(chart, "absent");
  }

  /** Market and interval, as in the address. */
  get what() {
    return { name: this.name, interval: this.interval };
  }

  // Takes another interval of the same market; false for another market.
  /** @param {Cell} cell */
  takes({ name, interval }) {
    if (name !== this.name) return false;
    if (interval !== undefined) this.setInterval(interval);
    return true;
  }

  /** @param {number} interval */
  setInterval(interval) {
    if (this.interval === interval) return;
    this.interval = this.#link.interval = interval;
    this.#panel.chart?.setInterval(interval);
  }

  /** @param {number | null} time */
  follow(time) {
    this.#panel.chart?.follow(time);
  }

  dispose() {
    this.#panel.dispose();
  }
}

// "BTC/USD@5m" for a market and its interval.
/** @param {Cell} cell */
const textOf = ({ name, interval }) =>
  (interval === undefined ? name : `${name}@${intervalSign(interval)}`);

// The charts of a route's name; an unknown interval is left out.
/** @param {string} text @returns {Cell[]} */
const cellsOf = (text) => text.split(",").filter(Boolean).map((part) => {
  const [name, sign] = part.split("@");
  return { name, interval: INTERVALS.find((known) => known[1] === sign)?.[0] };
});
