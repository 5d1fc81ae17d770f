// The alerts of all markets as a table, and the log of firings.

import { sum } from "../base/decimal.js";
import { localMoment, minuteMoment, NOTHING, signed } from "../text/format.js";
import { sentence, t } from "../text/texts.js";
import { h, icon, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { Screen } from "../ui/screen.js";
import { viewNote } from "../ui/view-only.js";
import { firingText } from "./firings.js";
import { RowAlert } from "./bell.js";
import { conditionWord, editButton, failureWord, oftenWord, stateWord } from "./words.js";

const HEADS = [t("Market"), t("Condition"), t("Repeat"), t("State"), t("vs last"), ""];
/** The most markets whose last price is followed for the distance. */
const MAXIMUM_MARKETS = 12;
const MAXIMUM_LOG = 50;

export class DockAlerts extends Screen {
  #rows = h("div.table-rows", { role: "rowgroup" });
  /** @type {KeyedList<string, AlertRow>} */
  #list;
  #table;
  #sheet;
  #none = h("p.empty.small");
  #problem = h("p.field-error", { role: "status" });
  #log = h("ol.alert-log");
  #logHead = h("h3.section-title", {}, t("Alert log and data gaps"));
  #logDrawn = "";
  /** @type {Map<string, Entry<Topic.Figures>>} */
  #figures = new Map();

  /** @param {Page} page */
  constructor(page) {
    super(page);
    this.#sheet = new RowAlert(page);
    this.#list = new KeyedList(this.#rows, (id) => new AlertRow(page.alerts, id,
      (button) => this.#edit(id, button)));
    const heads = HEADS.map((head) => h("span", { role: "columnheader" }, head));
    this.#table = h("div.table.alert-table", { role: "table", "aria-label": t("Alerts") },
      h("div.table-heads", { role: "row" }, ...heads), this.#rows);
    this.element = h("div.dock-alerts", {}, viewNote(), this.#problem, this.#table, this.#none,
      this.#logHead, this.#log);
  }

  render() {
    const { state, confirmed } = this.page.alerts.entry;
    const now = this.link.now();
    const rows = state?.rows ?? [];
    setText(this.#problem, sentence(state?.problem));
    setAttribute(this.#table, "hidden", rows.length === 0);
    setAttribute(this.#rows, "data-dimmed", !(this.link.trusted && confirmed));
    setAttribute(this.#none, "hidden", rows.length > 0);
    setText(this.#none, !state ? t("Waiting for your alerts.")
      : this.link.viewsOnly ? t("No alerts.")
      : t("No alerts. Set one with the bell beside a market's name."));
    this.#list.arrange(rows.map(({ id }) => id).reverse());
    for (const row of rows) this.#list.rows.get(row.id)?.update(row, this.#last(row), now);
    this.#drawLog(state, now);
  }

  /** @param {string} id @param {HTMLElement} button */
  #edit(id, button) {
    const alert = this.page.alerts.entry.state?.rows.find((row) => row.id === id);
    const { left, bottom } = button.getBoundingClientRect();
    if (alert) this.#sheet.show(alert, { x: left, y: bottom }, { id });
  }

  // A market's last price, in view or not; undefined while invalid.
  /** @param {Topic.PriceAlert} alert */
  #last({ venue, symbol }) {
    const key = `${venue}/${symbol}`;
    // Followed only while the table is visible.
    if (!this.#figures.has(key) && this.#figures.size < MAXIMUM_MARKETS
      && this.element.offsetParent !== null) {
      this.#figures.set(key, this.open(`figures/${venue}/${symbol}`));
    }
    const entry = this.#figures.get(key);
    return entry && !this.believe(entry).dimmed ? entry.state?.price : undefined;
  }

  // Firings and periods without data in one timeline, newest first.
  /** @param {Topic.Alerts | undefined} state @param {number} now */
  #drawLog(state, now) {
    const fired = (state?.firings ?? []).map((firing) => ({ at: firing.at, kind: "fired",
      text: firingText(firing, now)
        + (firing.trade ? ` ${t("Trade {trade}.", { trade: firing.trade })}` : "") }));
    const blind = (state?.blind ?? []).map((span) => ({ at: span.since, kind: "blind",
      text: blindText(span, now) }));
    const lines = [...fired, ...blind].sort((a, b) => b.at - a.at).slice(0, MAXIMUM_LOG);
    const drawn = lines.map(({ text }) => text).join("\n");
    setAttribute(this.#logHead, "hidden", lines.length === 0);
    if (drawn === this.#logDrawn) return;
    this.#logDrawn = drawn;
    this.#log.replaceChildren(...lines.map(({ at, kind, text }) =>
      h("li.alert-line", { "data-kind": kind },
        h("bdi.alert-time", {}, localMoment(at, now)), h("span", {}, text))));
  }

  dispose() {
    super.dispose();
    this.#sheet.dispose();
    this.#list.dispose();
  }
}

// "08:30–09:05", "since 08:30".
/** @param {Topic.BlindTime} span @param {number} now */
function blindText({ symbol, since, until }, now) {
  const from = minuteMoment(since, now);
  if (until === undefined) return t("{symbol} not seen since {from}", { symbol, from });
  const to = minuteMoment(until, now);
  const seconds = Math.max(1, Math.round((until - since) / 1000));
  return from === to
    ? t("{symbol} not seen for {seconds} s at {from}", { symbol, seconds, from })
    : t("{symbol} not seen {from}–{to}", { symbol, from, to });
}

class AlertRow {
  #cells = HEADS.slice(1).map(() => h("span", { role: "cell" }));
  #arm = h("button.button.small", { type: "button", "data-changes": true }, t("Re-arm"));
  #edit = editButton();
  #remove = h("button.icon-button", { type: "button", "data-changes": true }, icon("close"));
  #market = h("span", { role: "cell" });
  element = h("div.table-row", { role: "row" }, this.#market, ...this.#cells);

  /**
   * @param {import("./alerts.js").Alerts} alerts
   * @param {string} id
   * @param {(button: HTMLElement) => unknown} edit
   */
  constructor(alerts, id, edit) {
    this.#edit.addEventListener("click", () => edit(this.#edit));
    this.#arm.addEventListener("click", () => alerts.arm(id));
    this.#remove.addEventListener("click", () => alerts.remove(id));
    this.#cells[4].append(this.#arm, this.#edit, this.#remove);
  }

  /** @param {Topic.PriceAlert} alert @param {string | undefined} last @param {number} now */
  update(alert, last, now) {
    const { symbol, kind, level, armed, again } = alert;
    setText(this.#market, symbol);
    const distance = last === undefined || kind !== "price" ? NOTHING
      : signed(sum([level, `-${last}`]), level);
    const state = [stateWord(alert, now), failureWord(alert)].filter(Boolean).join(" · ");
    [conditionWord(alert), oftenWord(alert), state, distance]
      .forEach((text, at) => setText(this.#cells[at], text));
    setAttribute(this.#cells[2], "data-failed", alert.undelivered !== undefined);
    setAttribute(this.#arm, "hidden", armed || again);
    const named = { symbol, level: level ?? "", condition: conditionWord(alert) };
    const isPrice = kind === "price";
    setAttribute(this.#arm, "aria-label", isPrice
      ? t("Set the alert of {symbol} at {level} again", named)
      : t("Set the alert of {symbol} again: {condition}", named));
    setAttribute(this.#edit, "aria-label", isPrice
      ? t("Edit the alert of {symbol} at {level}", named)
      : t("Edit the alert of {symbol}: {condition}", named));
    setAttribute(this.#remove, "aria-label", isPrice
      ? t("Delete the alert of {symbol} at {level}", named)
      : t("Delete the alert of {symbol}: {condition}", named));
  }
}
