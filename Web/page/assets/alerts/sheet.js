// Adds an alert for a market, lists its existing ones, and edits them.

import { compare, decimal, percentChange, sum, written } from "../base/decimal.js";
import { number, percent } from "../text/format.js";
import { t } from "../text/texts.js";
import { shortened } from "../text/words.js";
import { h, icon, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { Screen } from "../ui/screen.js";
import { viewNote } from "../ui/view-only.js";
import {
  conditionWord, editButton, failureWord, kindOf, KINDS, oftenWord, PAUSES, stateWord,
} from "./words.js";

/** From this distance to the last price, in percent, a level may be a typing error. */
const FAR_PERCENT = "20";
/** @type {{[key: string]: number}} */
const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

// The position where the sheet opens.
/** @typedef {{left: number, bottom: number}} Anchor */

let count = 0;

export class AlertSheet extends Screen {
  /** @type {{venue: string, symbol: string}} */
  #market;
  /** @type {() => Anchor} */
  #anchor;
  /** @type {(isOpen: boolean) => unknown} */
  #turned;
  #kind = h("select.field", { "aria-label": t("Kind of the alert") },
    ...[...KINDS].map(([value, { word }]) => h("option", { value }, word)));
  #level = h("input.field", { type: "text", inputmode: "decimal", autocomplete: "off",
    spellcheck: "false", maxlength: "40" });
  #unit = h("span.bell-unit");
  #window = h("input.field", { type: "text", inputmode: "numeric", autocomplete: "off",
    maxlength: "4" });
  #windowWord = h("span");
  #windowLine = h("label.bell-pause", {}, this.#windowWord, this.#window);
  #distance = h("p.bell-distance");
  #again = h("input", { type: "checkbox", role: "switch", name: "again" });
  #againWord = h("span");
  /** An alert from before there were pauses may have none. */
  #noPause = h("option", { value: "0", hidden: true }, t("No pause"));
  #pause = h("select.field", { "aria-label": t("Pause after it triggers"), disabled: true },
    this.#noPause, ...[...PAUSES].map(([value, word]) => h("option", { value }, word)));
  #submit = h("button.button.small", { type: "submit" });
  #keep = h("button.button.small", { type: "button", hidden: true }, t("Cancel", {}, "dialog"));
  #said = h("p.field-error", { role: "status" });
  #rows = h("ul.bell-rows");
  /** @type {KeyedList<string, AlertRow>} */
  #list;
  /** The initial price; "" for the last one. */
  #given = "";
  /** The alert to edit when it opens; "" for none. */
  #chosen = "";
  /** The alert being edited; null while a new one is set. */
  #edited = /** @type {Topic.PriceAlert | null} */ (null);
  /** What the edited alert will be, once sent. */
  #sent = /** @type {{terms: Wire.AlertTerms, again: boolean, pause: number} | null} */ (null);
  /** Whether the price field was filled since the sheet was opened. */
  #hasBegun = false;
  /** The last text set by code; any other text was typed. */
  #written = "";
  /** Parses and formats prices as the order ticket does. */
  #ticket;

  /**
   * @param {Page} page
   * @param {{venue: string, symbol: string}} market
   * @param {() => Anchor} anchor
   * @param {(isOpen: boolean) => unknown} turned runs when it opens or closes
   */
  constructor(page, market, anchor, turned) {
    super(page);
    this.#market = market;
    this.#anchor = anchor;
    this.#turned = turned;
    count += 1;
    this.#distance.id = `bell-distance-${count}`;
    setAttribute(this.#level, "aria-describedby", this.#distance.id);
    this.#ticket = page.trading.ticket;
    const { venue, symbol } = market;
    this.figures = this.open(`figures/${venue}/${symbol}`);
    this.alerts = this.open("alerts");
    this.#list = new KeyedList(this.#rows, (key) => new AlertRow(page.alerts, key,
      () => {
        this.#turnTo(this.page.alerts.of(venue, symbol).find(({ id }) => id === key));
        this.#level.focus();
      }));
    const form = h("form.bell-form", { novalidate: true, "data-changes": true },
      h("div.bell-line", {}, this.#kind, this.#level, this.#unit), this.#windowLine,
      this.#distance,
      h("label.option", {}, this.#again, this.#againWord),
      h("label.bell-pause", {}, h("span", {}, t("Pause")), this.#pause),
      h("div.bell-line", {}, this.#submit, this.#keep));
    form.addEventListener("submit", (event) => this.#submitted(event));
    this.#keep.addEventListener("click", () => {
      this.#turnTo();
      this.#level.focus();
    });
    this.#kind.addEventListener("change", () => {
      this.#chooseKind();
      this.#hasBegun = false;
      this.refresh();
    });
    this.#again.addEventListener("change", () => this.#allowPause());
    this.#level.addEventListener("input", () => this.#showDistance());
    this.#level.addEventListener("keydown", (event) => this.#stepped(event));
    this.element = h("div.sheet.bell-sheet", { popover: "auto", role: "dialog",
      "aria-label": t("Alerts for {symbol}", { symbol }) },
    h("h2", {}, t("Alerts for {symbol}", { symbol })), form, viewNote(), this.#said, this.#rows);
    this.element.addEventListener("beforetoggle", (event) => {
      if (/** @type {Event & { newState?: string }} */ (event).newState === "open") this.#opens();
    });
    this.element.addEventListener("toggle", () => this.#toggled());
    this.whenGone(page.alerts.hearRefusal((message) => setText(this.#said, message)));
  }

  get isOpen() {
    return this.element.matches(":popover-open");
  }

  // Opens it with a price in its field instead of the last one, or to edit an alert.
  /** @param {{price?: string, id?: string}} initial */
  show({ price = "", id = "" }) {
    this.#given = price;
    this.#chosen = id;
    this.element.showPopover();
  }

  render() {
    if (!this.isOpen) return;
    const { venue, symbol } = this.#market;
    const rows = this.page.alerts.of(venue, symbol);
    this.#followEdit(rows);
    this.#begin();
    this.#showDistance();
    this.#list.arrange(rows.map(({ id }) => id).reverse());
    const last = this.#last;
    const [now, edited] = [this.link.now(), this.#edited?.id];
    for (const row of rows) {
      this.#list.rows.get(row.id)?.update(row, last, now, row.id === edited);
    }
  }

  /** Ends an edit once the server has applied it, or deleted the alert. */
  /** @param {Topic.PriceAlert[]} rows */
  #followEdit(rows) {
    if (!this.#edited) return;
    const row = rows.find(({ id }) => id === this.#edited?.id);
    if (!row) {
      this.#turnTo();
      setText(this.#said, t("This alert no longer exists."));
    } else if (this.#sent && this.#sent.again === row.again
      && (!row.again || this.#sent.pause === (row.pause ?? 0))
      && isOf(row, this.#sent.terms)) this.#turnTo();
  }

  /** The last price while it is current. */
  get #last() {
    return this.believe(this.figures).dimmed ? undefined : this.figures.state?.price;
  }

  /** Runs before it is visible: later typing is kept. */
  #opens() {
    const { venue, symbol } = this.#market;
    this.#turnTo(this.page.alerts.of(venue, symbol).find(({ id }) => id === this.#chosen),
      this.#given);
    this.#chosen = "";
    this.#ticket.ready().then(this.refresh, ({ message }) => setText(this.#said, message));
  }

  // Fills the form with an alert to edit, or for a new one.
  /** @param {Topic.PriceAlert} [alert] @param {string} [price] of a new one */
  #turnTo(alert, price = "") {
    this.#edited = alert ?? null;
    this.#sent = null;
    this.#given = alert?.level?.replace("-", "") ?? price;
    this.#hasBegun = false;
    this.#kind.value = alert ? kindOf(alert) : "price";
    this.#chooseKind(alert);
    this.#again.checked = alert?.again ?? false;
    const hasNone = alert?.again === true && !alert.pause;
    setAttribute(this.#noPause, "hidden", !hasNone);
    this.#pause.value = String(hasNone ? 0 : alert?.pause ?? [...PAUSES.keys()][0]);
    this.#allowPause();
    this.#level.value = this.#written = "";
    setText(this.#submit, alert ? t("Save") : t("Set alert"));
    setAttribute(this.#keep, "hidden", !alert);
    setText(this.#said, "");
    setAttribute(this.#level, "aria-invalid", null);
    this.#begin();
    if (this.isOpen) this.refresh();
  }

  get #kindName() {
    return /** @type {import("./words.js").KindName} */ (this.#kind.value);
  }

  // The fields of the chosen kind, with an alert's time or the usual one.
  /** @param {Topic.PriceAlert} [alert] */
  #chooseKind(alert) {
    const name = this.#kindName;
    const { word, unit, window, isMinutes } = KINDS.get(name) ?? { word: "" };
    const isPrice = name === "price";
    setAttribute(this.#level, "hidden", unit === undefined);
    setAttribute(this.#level, "aria-label", isPrice ? t("Price of the alert") : word);
    setAttribute(this.#distance, "hidden", !isPrice);
    setText(this.#unit, unit ?? "");
    setAttribute(this.#windowLine, "hidden", window === undefined);
    setText(this.#windowWord, isMinutes ? t("Within minutes") : t("For seconds"));
    const seconds = alert?.window;
    this.#window.value = String(seconds === undefined ? window ?? ""
      : seconds / (isMinutes ? 60 : 1));
    setText(this.#againWord, isPrice ? t("Alert every time the price crosses")
      : t("Alert every time"));
    if (!alert) this.#level.value = this.#written = "";
    setText(this.#said, "");
  }

  #allowPause() {
    this.#pause.disabled = !this.#again.checked;
  }

  /** Runs shortly after it has opened or closed. */
  #toggled() {
    const { isOpen } = this;
    setText(this.#said, "");
    if (isOpen) {
      this.#place();
      (this.#level.hidden ? this.#kind : this.#level).focus();
      this.#level.select();
      this.refresh();
    }
    this.#turned(isOpen);
  }

  /** Starts at the given level, or the usual one once available. Typed text stays. */
  #begin() {
    const price = this.#given || this.#usualLevel;
    if (this.#hasBegun || price === undefined) return;
    this.#hasBegun = this.#ticket.isReady;
    if (this.#hasBegun) this.#given = "";
    if (this.#level.value !== this.#written) return;
    const text = this.#ticket.writeNumber(price);
    if (text === this.#written) return;
    this.#level.value = this.#written = text;
    this.#level.select();
  }

  /** The last price, or a usual level of another kind. */
  get #usualLevel() {
    const { price, volume } = this.figures.state ?? {};
    switch (this.#kindName) {
      case "price": return price;
      // Three times what a quarter of an hour has on average.
      case "volume": return volume && plain(Number(volume) / 32);
      default: return KINDS.get(this.#kindName)?.level;
    }
  }

  /** The typed price as digits with a point; "" if it is invalid or ambiguous. */
  get #price() {
    return this.#ticket.readNumber(this.#level.value, true);
  }

  /** The typed level's distance to the last price, with a warning if it is large. */
  #showDistance() {
    const last = this.#kindName === "price" ? this.#last : undefined;
    const share = percentChange(last, this.#price);
    const isFar = share !== undefined && compare(share.replace("-", ""), FAR_PERCENT) >= 0;
    const values = { percent: percent(share), price: number(last) };
    setText(this.#distance, share === undefined ? ""
      : isFar ? t("Far from the market: {percent} from last {price}", values)
      : t("{percent} from last {price}", values));
    setAttribute(this.#distance, "data-far", isFar);
  }

  // Steps the level by the last digit of the market's prices.
  /** @param {KeyboardEvent} event */
  #stepped(event) {
    const steps = STEPS[event.key];
    const { price } = this.figures.state ?? {};
    if (!steps || this.#kindName !== "price") return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (price === undefined || !this.#ticket.isReady) return;
    const step = { units: BigInt(steps), scale: decimal(price)?.scale ?? 0 };
    const next = sum([this.#price || price, written(step)]);
    if (compare(next, "0") <= 0) return;
    this.#level.value = this.#ticket.writeNumber(next);
    this.#showDistance();
  }

  /** Below its anchor and inside the window; at the foot of a narrow one. */
  #place() {
    const { left, bottom } = this.#anchor();
    const [right, lowest] = [innerWidth - this.element.offsetWidth - 12,
      innerHeight - this.element.offsetHeight - 12];
    const place = this.element.style;
    place.setProperty("--left", `${Math.max(12, Math.min(left, right))}px`);
    place.setProperty("--top", `${Math.max(12, Math.min(bottom + 4, lowest))}px`);
  }

  /** @param {Event} event */
  #submitted(event) {
    event.preventDefault();
    setText(this.#said, "");
    if (this.#ticket.isReady) return this.#add();
    this.#ticket.ready().then(() => this.#add(), ({ message }) => setText(this.#said, message));
  }

  #add() {
    const { venue, symbol } = this.#market;
    const [terms, problem, field] = this.#terms;
    setText(this.#said, problem);
    for (const one of [this.#level, this.#window]) {
      setAttribute(one, "aria-invalid", problem !== "" && one === field ? "true" : null);
    }
    if (problem !== "") return field.focus();
    const again = this.#again.checked;
    const pause = Number(this.#pause.value);
    if (!this.#edited) return this.page.alerts.add(`${venue}/${symbol}`, terms, again, pause);
    this.#sent = { terms, again, pause };
    this.page.alerts.edit(this.#edited.id, terms, again, pause);
  }

  /**
   * The typed terms, what is wrong with them, and the field where that is.
   * @returns {[terms: Wire.AlertTerms, problem: string, field: HTMLInputElement]}
   */
  get #terms() {
    const name = this.#kindName;
    const price = this.#price;
    const typed = this.#level.value.trim();
    const example = this.#ticket.writeNumber(
      (name === "price" ? this.figures.state?.price : this.#usualLevel) ?? "45.5");
    const { unit, window, isMinutes } = KINDS.get(name) ?? {};
    const isWrong = unit !== undefined && !(compare(price, "0") > 0);
    const problem = !isWrong ? "" : typed !== "" && price === ""
      ? t("“{text}” isn’t one clear price. Enter it like {example}.",
        { text: shortened(typed), example })
      : name === "price" ? t("Enter a price above 0.") : t("Enter a number above 0.");
    if (name === "price") return [{ price }, problem, this.#level];
    const count = Number(this.#window.value);
    const most = isMinutes ? 1440 : 3600;
    const isTime = window === undefined || Number.isInteger(count) && count > 0 && count <= most;
    const level = name === "fall" ? `-${price}` : price;
    /** @type {Wire.AlertTerms} */
    const terms = {
      kind: name === "rise" || name === "fall" ? "change" : name,
      ...unit !== undefined && { level },
      ...window !== undefined && { window: isMinutes ? 60 * count : count },
    };
    return [terms, problem || (isTime ? "" : t("Enter a whole number from 1 to {most}.", { most })),
      isWrong ? this.#level : this.#window];
  }

  dispose() {
    super.dispose();
    this.#list.dispose();
    this.element.remove();
  }
}

// Whether an alert has these terms.
/** @param {Topic.PriceAlert} row @param {Wire.AlertTerms} terms */
function isOf({ kind, level = "0", window }, terms) {
  if ("price" in terms) return kind === "price" && compare(terms.price, level) === 0;
  return kind === terms.kind && window === terms.window
    && compare(terms.level ?? "0", level) === 0;
}

// Two digits of a number, without an exponent.
/** @param {number} value */
const plain = (value) => (value >= 1 ? String(Number(Math.round(value).toPrecision(2)))
  : value.toFixed(Math.min(12, 2 - Math.floor(Math.log10(value || 1)) - 1)));

class AlertRow {
  #text = h("span");
  #failure = h("span.bell-failure");
  #arm = h("button.button.small", { type: "button", "data-changes": true }, t("Re-arm"));
  #edit = editButton();
  #remove = h("button.icon-button", { type: "button", "data-changes": true }, icon("close"));
  element = h("li.bell-row", {}, h("div.bell-text", {}, this.#text, this.#failure),
    this.#arm, this.#edit, this.#remove);

  /**
   * @param {import("./alerts.js").Alerts} alerts
   * @param {string} id
   * @param {() => unknown} edit
   */
  constructor(alerts, id, edit) {
    this.#edit.addEventListener("click", edit);
    this.#arm.addEventListener("click", () => alerts.arm(id));
    this.#remove.addEventListener("click", () => alerts.remove(id));
  }

  /**
   * @param {Topic.PriceAlert} alert
   * @param {string | undefined} last
   * @param {number} now
   * @param {boolean} isEdited
   */
  update(alert, last, now, isEdited) {
    const { kind, level } = alert;
    const isPrice = kind === "price";
    const share = isPrice ? percentChange(last, level) : undefined;
    const distance = share === undefined ? ""
      : ` · ${t("{percent} from last", { percent: percent(share) })}`;
    const condition = conditionWord(alert);
    const named = { level: level ?? "", condition };
    setText(this.#text, `${condition} · ${oftenWord(alert)} · ${stateWord(alert, now)}${distance}`);
    setText(this.#failure, failureWord(alert));
    setAttribute(this.#arm, "hidden", alert.armed || alert.again);
    setAttribute(this.#arm, "aria-label", isPrice ? t("Set the alert at {level} again", named)
      : t("Set the alert again: {condition}", named));
    setAttribute(this.element, "data-edited", isEdited);
    setAttribute(this.#edit, "aria-label", isPrice ? t("Edit the alert at {level}", named)
      : t("Edit the alert: {condition}", named));
    setAttribute(this.#remove, "aria-label", isPrice ? t("Delete the alert at {level}", named)
      : t("Delete the alert: {condition}", named));
  }
}
