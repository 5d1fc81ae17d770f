// Positions on the exchange and in venues' markets and their current value: the server's figures,
// from its ledger. Those that depend on prices are muted, with their age, while not live.

import { compare } from "../base/decimal.js";
import { recall, remember } from "../base/storage.js";
import { marketName, moneyOf, said } from "../orders/words.js";
import { money, NOTHING, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { freshnessText } from "../text/words.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { write, writeChange } from "./amounts.js";
import { CloseDialog } from "./close-dialog.js";
import { EquityLine } from "./equity-line.js";

/** @typedef {"average" | "fifo"} Method */
/** @typedef {[kind: string, head: string]} Column */

const STORED_KEY = "costMethod";
/** @type {[Method, string, string][]} */
const METHODS = [
  ["average", t("Average"), t("Every share cost the average of all that are open")],
  ["fifo", "FIFO", t("What was bought first is sold first")],
];
/** @type {Column[]} */
const COLUMNS = [
  ["name", t("Market")], ["quantity", t("Quantity")], ["cost", t("Average cost")],
  ["out", t("Exit price")],
  ["value", t("Value")], ["unrealised", t("Unrealised")], ["middle", t("At mid")],
  ["realised", t("Realised")], ["fees", t("Fees")], ["close", ""],
];
/** Columns that depend on prices. */
const LIVE = ["out", "value", "unrealised", "middle"];

/**
 * @typedef {object} View
 * @property {Topic.Positions | undefined} state
 * @property {string | undefined} scope the only market to list; undefined for all
 * @property {Seen} freshness of the exchange's price
 * @property {Topic.Exchange | undefined} market
 * @property {Format} format
 * @property {number} now
 */

export class PositionsTable {
  #method = /** @type {Method} */ (recall(STORED_KEY, ["average", "fifo"]));
  #buttons = METHODS.map(([value, text, title]) => {
    const button = h("button.cost-method", { type: "button", title }, text);
    button.addEventListener("click", () => this.#choose(value));
    return button;
  });
  #costHead = h("th", { scope: "col", "data-kind": "cost" });
  #stock = cells(t("Position"));
  #markets = h("tbody");
  #possible = h("tbody");
  /** @type {KeyedList<string, ReturnType<typeof cells> & {element: HTMLElement}>} */
  #rows = new KeyedList(this.#markets, (symbol) => {
    const made = cells(symbol);
    return { ...made, element: made.row };
  });
  /** @type {KeyedList<string, ReturnType<typeof rangeRow>>} */
  #ranges = new KeyedList(this.#possible, rangeRow);
  #totals = h("tbody");
  /** @type {KeyedList<string, {[part in "element" | "amount" | "text"]: HTMLElement}>} */
  #sums = new KeyedList(this.#totals, (key) =>
    key.startsWith("range") ? { ...rangeRow(key), amount: h("td") } : totalRow(key));
  #note = h("p.positions-note", { role: "status" });
  #line = new EquityLine();
  #none = h("p.empty.small");
  #whole;
  /** @type {View | null} */
  #view = null;
  #conversion;
  #dialog;

  /**
   * @param {import("./conversion.js").Conversion} [conversion] for all markets
   * @param {Trading} [trading] to close positions
   */
  constructor(conversion, trading) {
    this.#conversion = conversion;
    this.#dialog = trading && new CloseDialog(trading);
    const heads = COLUMNS.map(([kind, head]) => kind === "cost" ? this.#costHead
      : h("th", { scope: "col", "data-kind": kind }, head));
    const table = h("table.positions", { "aria-label": t("Positions") },
      h("thead", {}, h("tr", {}, ...heads)),
      this.#markets, h("tbody", {}, this.#stock.row), this.#possible, this.#totals);
    this.#whole = h("div.positions-whole", {},
      h("div.positions-tools", {}, h("span", {}, t("Cost basis")),
        h("div.cost-methods", { role: "group", "aria-label": t("Cost basis") }, ...this.#buttons)),
      h("div.positions-scroll", { tabindex: "0", role: "group", "aria-label": t("Positions") },
        table),
      this.#note, conversion?.element, this.#line.element);
    this.element = h("section.positions-view", { "aria-label": t("Positions") }, this.#none,
      this.#whole);
  }

  /** @param {Method} method */
  #choose(method) {
    this.#method = method;
    remember(STORED_KEY, method);
    if (this.#view) this.render(this.#view);
  }

  /** @param {View} view */
  render(view) {
    this.#view = view;
    const { state, scope } = view;
    const isLoaded = state?.loaded === true;
    const markets = Object.values(state?.rows ?? {});
    const isEmpty = isLoaded && state.line.length === 0 && markets.length === 0;
    const isElsewhere = isLoaded && !isEmpty && scope !== undefined && state.symbol !== scope
      && !state.rows?.[scope];
    setText(this.#none, isElsewhere ? t("No position in {market}.", { market: marketName(scope) })
      : isLoaded ? t("No fills yet.") : t("Waiting for your positions."));
    setAttribute(this.#none, "hidden", isLoaded && !isEmpty && !isElsewhere);
    setAttribute(this.#whole, "hidden", !isLoaded || isEmpty);
    METHODS.forEach(([value], at) =>
      setAttribute(this.#buttons[at], "aria-pressed", String(value === this.#method)));
    if (isLoaded && !isEmpty) this.#draw(state, view);
  }

  dispose() {
    this.#dialog?.dispose();
  }

  /** @param {Topic.Positions} state @param {View} view */
  #draw(state, { freshness, format, now, scope }) {
    const markets = Object.values(state.rows ?? {})
      .filter(({ symbol }) => scope === undefined || symbol === scope);
    this.#rows.arrange(markets.map(({ symbol }) => symbol));
    for (const market of markets) {
      const row = this.#rows.rows.get(market.symbol);
      if (row) this.#fill(row, market, moneyOf(market), false);
    }
    const isFlat = compare(state.quantity ?? "0", "0") === 0;
    const isOld = freshness.dimmed && !isFlat;
    setText(this.#costHead, this.#method === "fifo" ? t("FIFO cost") : t("Average cost"));
    this.#fill(this.#stock, state, format, isOld);
    setAttribute(this.#stock.row, "hidden", scope !== undefined && scope !== state.symbol);
    this.#showRanges([...markets, ...(scope ?? state.symbol) === state.symbol ? [state] : []]);
    this.#sum(state, scope, isOld);
    this.#dialog?.render([state, ...markets], this.#method, isOld);
    const age = isOld ? `${t("Prices: {freshness}.",
      { freshness: freshnessText(freshness, now) })} ` : "";
    setText(this.#note, `${age}${said(state.note, format)}`);
    setAttribute(this.#note, "data-warning", isOld || state.note !== undefined);
    this.#conversion?.show(scope === undefined ? Object.keys(state.totals ?? {}) : null,
      this.#method, isOld);
    this.#line.render(state, now);
  }

  // What is possible besides the certain figures: a row for each market with such orders.
  /** @param {Topic.Positions[]} states */
  #showRanges(states) {
    const doubtful = states.filter(({ possible }) => possible !== undefined);
    this.#ranges.arrange(doubtful.map(({ symbol }) => symbol));
    for (const state of doubtful) {
      const row = this.#ranges.rows.get(state.symbol);
      if (row) setText(row.text, rangeText(state));
    }
  }

  // Cash and equity by currency; of one market, its own.
  /** @param {Topic.Positions} state @param {string | undefined} scope @param {boolean} isOld */
  #sum(state, scope, isOld) {
    const own = scope === state.symbol ? state : state.rows?.[scope ?? ""];
    /** @type {{[currency: string]: Partial<Topic.CurrencyTotal>}} */
    const totals = scope === undefined ? state.totals ?? {} : own ? { [own.currency]: own } : {};
    const currencies = Object.keys(totals).sort();
    this.#sums.arrange(currencies.flatMap((currency) => [`cash ${currency}`, `equity ${currency}`,
      ...totals[currency].lowEquity === undefined ? [] : [`range ${currency}`]]));
    for (const currency of currencies) {
      const { cash, equity, decimals = 2 } = totals[currency];
      const form = { currency, decimals };
      const [held, whole, range] = ["cash", "equity", "range"].map((kind) =>
        this.#sums.rows.get(`${kind} ${currency}`));
      if (held) write(held.amount, cash, form);
      if (whole) write(whole.amount, equity, form);
      const { lowEquity, highEquity } = totals[currency];
      if (range) {
        setText(range.text, t("{low} to {high} possible", {
          low: money(lowEquity, currency, decimals),
          high: money(highEquity, currency, decimals) }));
      }
      setAttribute(whole?.element ?? this.#totals, "data-dimmed",
        isOld && currency === state.currency);
    }
  }

  /**
   * @param {ReturnType<typeof cells>} row
   * @param {Topic.Positions} state
   * @param {Format} format
   * @param {boolean} isOld
   */
  #fill({ row, parts }, state, format, isOld) {
    const cost = state[this.#method];
    setText(parts.name, marketName(state.symbol));
    setText(parts.quantity, number(state.quantity ?? "0"));
    write(parts.cost, cost.cost, state);
    const [price, size] = state.out ?? [];
    setText(parts.out, price ? `${format(price)} × ${number(size)}` : NOTHING);
    writeChange(parts.middle, cost.middle, state, isOld);
    write(parts.value, state.value, state);
    writeChange(parts.unrealised, cost.unrealised, state, isOld);
    writeChange(parts.realised, cost.realised, state, false);
    write(parts.fees, state.fees, state);
    for (const kind of LIVE) setAttribute(parts[kind], "data-dimmed", isOld);
    const isFlat = compare(state.quantity ?? "0", "0") === 0;
    setAttribute(row, "data-flat", isFlat);
    const dialog = this.#dialog;
    if (!dialog) return;
    const button = parts.close.querySelector("button")
      ?? parts.close.appendChild(h("button.button.small", { type: "button" }, t("Close")));
    button.onclick = () => dialog.open(state);
    setAttribute(button, "aria-label",
      t("Close the position in {0}", { 0: marketName(state.symbol) }));
    setAttribute(button, "hidden", isFlat);
  }
}

// A row "Cash USD" or "Equity USD".
/** @param {string} key */
function totalRow(key) {
  const [kind, currency] = key.split(" ");
  const [amount, text] = [h("td", { "data-kind": "value" }), h("td", { colspan: "5" })];
  const label = kind === "cash" ? t("Cash {unit}", { unit: currency })
    : t("Equity {unit}", { unit: currency });
  const element = h("tr", { "data-total": key }, h("th", { scope: "row", colspan: "4" }, label),
    amount, text);
  return { element, amount, text };
}

/** @param {string} key */
function rangeRow(key) {
  const text = h("span.position-range");
  return { element: h("tr", { "data-range": key }, h("td", { colspan: "10" }, text)), text };
}

/** @param {Topic.Positions} state */
function rangeText({ symbol, quantity = "0", equity, possible, currency, decimals }) {
  if (!possible) return "";
  const amount = (/** @type {string} */ text) => money(text, currency, decimals);
  const size = t("{market}: {certain} certain, {low} to {high} possible", {
    market: marketName(symbol), certain: number(quantity), low: number(possible.low),
    high: number(possible.high) });
  const { lowEquity, highEquity } = possible;
  if (equity === undefined || lowEquity === undefined || highEquity === undefined) return size;
  return `${size}; ${t("P&L {certain}, {low} to {high} possible", { certain: amount(equity),
    low: amount(lowEquity), high: amount(highEquity) })}`;
}

/** @param {string} label */
function cells(label) {
  /** @type {{[kind: string]: HTMLElement}} */
  const parts = {};
  for (const [kind] of COLUMNS) {
    parts[kind] = kind === "name" ? h("th", { scope: "row", "data-kind": kind }, label)
      : h("td", { "data-kind": kind, ...kind === "close" ? { "data-changes": true } : {} });
  }
  return { row: h("tr", {}, ...Object.values(parts)), parts };
}
