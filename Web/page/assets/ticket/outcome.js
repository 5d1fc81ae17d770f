// The result of the order that the ticket sent; it stays until the user continues.

import { pathOf } from "../base/route.js";
import { filledText, hasFills, partText, said, statusKind, statusOf } from "../orders/words.js";
import { number } from "../text/format.js";
import { sentence, t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

/** @typedef {import("../orders/trading.js").News} News */
/** @typedef {TicketSent["buttons"][number]["act"]} Act */
/** @typedef {{text: Sentence | undefined, at?: number}} Spoken */

/** @type {Act[]} */
const ACTS = ["insist", "abandon", "edit", "next"];

export class TicketOutcome {
  #title = h("h3.review-title", { tabindex: "-1" });
  #status = h("span.status");
  #figures = h("span.outcome-figures");
  #texts = h("div.outcome-texts");
  #change = h("p.drift");
  #buttons = new Map(ACTS.map((name) => [name, h("button.button", { type: "button" })]));
  #history = h("a.text-link", { href: pathOf({ screen: "orders" }), "data-go": "" },
    t("View in history"));
  #shown = "";

  /** @param {(name: Act) => unknown} act */
  constructor(act) {
    this.element = h("div.ticket-outcome",
      { role: "group", "aria-label": t("Order result") },
      h("div.ticket-top", {}, this.#title, h("p.outcome-line", {}, this.#status, this.#figures),
        this.#texts, this.#change),
      h("div.ticket-rest", {}, h("div.ticket-action", {}, ...this.#buttons.values()),
        h("div.ticket-below", {}, this.#history)));
    for (const [name, button] of this.#buttons) button.addEventListener("click", () => act(name));
  }

  focus() {
    this.#title.focus();
  }

  /**
   * `order` is its row in the history, `receipt` its activity.
   * @param {{sent: TicketSent, order: Topic.Order | undefined, receipt: News | undefined,
   *   format: Format, now: number}} view
   */
  render({ sent, order, receipt, format, now }) {
    setText(this.#title, said(sent.title, format));
    setAttribute(this.element, "data-state", sent.state);
    setText(this.#status, sentence(order ? statusOf(order) : sent.status));
    setAttribute(this.#status, "data-status", order ? statusKind(statusOf(order)) : sent.state);
    const rest = order && partText(order)
      ? ` · ${t("{quantity} cancelled", { quantity: number(order.cancelled) })}` : "";
    setText(this.#figures,
      order && hasFills(order) ? t("{quantity} at {price}",
        { quantity: filledText(order), price: format(order.average) }) + rest : "");
    const write = (/** @type {Spoken} */ { text, at }) => said(text, format, at, now);
    this.#say(explain(sent, order, receipt).map(write),
      receipt?.isWarning === true || sent.isAlarming);
    setText(this.#change, said(sent.change, format));
    setAttribute(this.#change, "hidden", !sent.change);
    setAttribute(this.#change, "data-kind", sent.kind);
    for (const [name, button] of this.#buttons) {
      const at = sent.buttons.findIndex(({ act }) => act === name);
      setAttribute(button, "hidden", at < 0);
      setAttribute(button, "data-main", at === 0);
      if (at >= 0) setText(button, sentence(sent.buttons[at].label));
    }
    setAttribute(this.#history, "hidden", !sent.id);
  }

  /** @param {string[]} texts @param {boolean} isWarning */
  #say(texts, isWarning) {
    setAttribute(this.#texts, "data-warning", isWarning);
    const key = texts.join("\n");
    if (this.#shown === key) return;
    this.#shown = key;
    this.#texts.replaceChildren(...texts.map((text) => h("p", {}, text)));
  }
}

/**
 * The sentences to show, oldest first: the order's activity, its row in the history, or the
 * ticket's own sentence.
 * @param {TicketSent} sent
 * @param {Topic.Order | undefined} order
 * @param {News | undefined} receipt
 * @returns {Spoken[]}
 */
function explain(sent, order, receipt) {
  if (sent.isOwnWord) return [{ text: sent.text }];
  if (sent.state === "rejected") {
    return receipt?.texts ?? [{ text: sent.text, at: order?.changedAt }];
  }
  const known = order?.reason ? { text: order.reason, at: order.changedAt } : { text: sent.text };
  const again = sent.repeated ? [{ text: sent.repeated }] : [];
  return [...(receipt?.texts ?? [known]), ...again];
}
