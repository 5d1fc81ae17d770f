// @ts-check
// What came of the order that the ticket sent: it stays until the person goes on.

import { h, setAttribute, setText } from "../dom.js";
import { pathOf } from "../route.js";
import { filledText, hasFills, orderTitle, partText, said, statusKind } from "./order-words.js";

/** @typedef {import("../trading.js").Sent} Sent */
/** @typedef {import("../trading.js").News} News */
/** @typedef {"insist" | "abandon" | "edit" | "next"} Act */
/** @typedef {{text: string | undefined, at?: number}} Sentence */

/** @type {Sent["state"][]} */
const ALARMING = ["rejected", "unsent", "doubtful"];
/**
 * Which buttons a state has, the main one first.
 * @type {{[state in Sent["state"]]: Act[]}}
 */
const BUTTONS = {
  waiting: [], placed: ["next"], abandoned: ["next"], rejected: ["edit", "next"],
  unsent: ["edit", "next"], doubtful: ["insist", "abandon"],
};
/** @type {[name: Act, label: string][]} */
const LABELS = [
  ["insist", "Send it again"], ["abandon", "Leave it"], ["edit", "Edit"], ["next", "New order"],
];

export class TicketOutcome {
  #title = h("h3.review-title", { tabindex: "-1" });
  #status = h("span.status");
  #figures = h("span.outcome-figures");
  #texts = h("div.outcome-texts");
  #buttons = new Map(LABELS.map(([name, label]) =>
    [name, h("button.button", { type: "button" }, label)]));
  #history = h("a.text-link", { href: pathOf({ screen: "orders" }), "data-go": "" },
    "See it in the history");
  #shown = "";

  /** @param {{[name in Act]: () => unknown}} act */
  constructor(act) {
    this.element = h("div.ticket-outcome",
      { role: "group", "aria-label": "What came of the order" },
      h("div.ticket-top", {}, this.#title, h("p.outcome-line", {}, this.#status, this.#figures),
        this.#texts),
      h("div.ticket-action", {}, ...this.#buttons.values()),
      h("div.ticket-below", {}, this.#history));
    for (const [name, button] of this.#buttons) button.addEventListener("click", () => act[name]());
  }

  focus() {
    this.#title.focus();
  }

  /**
   * `record` is the order's fate, `order` its line in the history, `receipt` its news.
   * @param {{record: Sent, order: Topic.Order | undefined, receipt: News | undefined,
   *   isOnline: boolean, format: Format, now: number}} view
   */
  render({ record, order, receipt, isOnline, format, now }) {
    const { state } = record;
    setText(this.#title, orderTitle(record.order, format));
    setAttribute(this.element, "data-state", state);
    setText(this.#status, order?.status ?? WORDS[state]);
    setAttribute(this.#status, "data-status", order ? statusKind(order.status) : state);
    const rest = order && partText(order) ? " · rest cancelled" : "";
    setText(this.#figures,
      order && hasFills(order) ? `${filledText(order)} at ${format(order.average)}${rest}` : "");
    const write = (/** @type {Sentence} */ { text, at }) => said(text, format, at, now);
    this.#say(explain(record, order, receipt, isOnline).map(write),
      receipt?.isWarning === true || ALARMING.includes(state));
    const names = BUTTONS[state];
    for (const [name, button] of this.#buttons) {
      setAttribute(button, "hidden", !names.includes(name));
      setAttribute(button, "data-main", name === names[0]);
    }
    setAttribute(this.#history, "hidden", !record.id);
  }

  /**
   * @param {string[]} texts
   * @param {boolean} isWarning
   */
  #say(texts, isWarning) {
    setAttribute(this.#texts, "data-warning", isWarning);
    const key = texts.join("\n");
    if (this.#shown === key) return;
    this.#shown = key;
    this.#texts.replaceChildren(...texts.map((text) => h("p", {}, text)));
  }
}

/** @type {{[state in Sent["state"]]: string}} */
const WORDS = {
  waiting: "SENT", placed: "PLACED", rejected: "REJECTED", unsent: "NOT SENT",
  doubtful: "NOT KNOWN", abandoned: "LEFT",
};

/** @type {(text: string | undefined, at?: number) => Sentence} */
const sentence = (text, at) => ({ text, at });

/**
 * What is to be said, oldest first: sentences of the server or the page's own.
 * @param {Sent} record
 * @param {Topic.Order | undefined} order
 * @param {News | undefined} receipt
 * @param {boolean} isOnline
 * @returns {Sentence[]}
 */
function explain(record, order, receipt, isOnline) {
  const again = record.repeated
    ? [sentence("It had arrived the first time; nothing was ordered twice.")] : [];
  if (record.state === "waiting") {
    return [sentence(isOnline ? "Sent; waiting for the answer."
      : "Sent; waiting for the answer. The connection is gone. It will be asked for under the same "
        + "name, so it can’t become two orders.")];
  }
  if (record.state === "unsent") return [sentence("There was no connection, so nothing was sent.")];
  if (record.state === "doubtful") {
    return [sentence("No answer came for two minutes, and the history does not show the "
      + "order. The market has moved on, so it is not sent again without your word.")];
  }
  if (record.state === "abandoned") {
    return [sentence(
      "It will not be sent again. Should it have arrived after all, the history shows it.")];
  }
  const known = order?.reason ? [sentence(order.reason, order.changedAt)] : [];
  if (record.state === "rejected") {
    return receipt?.texts
      ?? [sentence(record.message ?? order?.reason ?? "The order was rejected.", order?.changedAt)];
  }
  return [...(receipt?.texts
    ?? (known.length > 0 ? known : [sentence(`Order ${record.id} is placed.`)])), ...again];
}
