// What came of the order that the ticket sent: it stays until the person goes on.

import { compare } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { pathOf } from "../router.js";
import { filledText, orderTitle, statusKind } from "./order-words.js";

export class TicketOutcome {
  #title = h("h3.review-title", { tabindex: "-1" });
  #status = h("span.status");
  #figures = h("span.outcome-figures");
  #texts = h("div.outcome-texts");
  #again = button("Send it again");
  #leave = button("Leave it");
  #edit = button("Edit");
  #next = button("New order");
  #history = h("a.text-link", { href: pathOf({ screen: "orders" }), "data-go": "" }, "See it in the history");
  #act;

  /** `act`: insist(), abandon(), edit(), next(). */
  constructor(act) {
    this.#act = act;
    this.element = h("div.ticket-outcome", { role: "group", "aria-label": "What came of the order" },
      this.#title, h("p.outcome-line", {}, this.#status, this.#figures), this.#texts,
      h("div.ticket-action", {}, this.#again, this.#leave, this.#edit, this.#next), this.#history);
    for (const [name, element] of [["insist", this.#again], ["abandon", this.#leave], ["edit", this.#edit], ["next", this.#next]]) {
      element.addEventListener("click", (event) => event.detail < 2 && this.#act[name]());
    }
  }

  focus() {
    this.#title.focus();
  }

  /** `record` is the order's fate, `order` its line in the history, `receipt` its news. */
  render({ record, order, receipt, isOnline, format }) {
    const { state } = record;
    setText(this.#title, orderTitle(record.order, format));
    setAttribute(this.element, "data-state", state);
    const word = order?.status ?? WORDS[state];
    setText(this.#status, word);
    setAttribute(this.#status, "data-status", order ? statusKind(order.status) : state);
    const filled = order && compare(order.filled, "0") > 0;
    setText(this.#figures, filled ? `${filledText(order)} at ${format(order.average)}` : "");
    this.#say(explain(record, order, receipt, isOnline), receipt?.isWarning || ["rejected", "unsent", "doubtful"].includes(state));
    setAttribute(this.#again, "hidden", state !== "doubtful");
    setAttribute(this.#leave, "hidden", state !== "doubtful");
    setAttribute(this.#edit, "hidden", state !== "rejected" && state !== "unsent");
    setAttribute(this.#next, "hidden", state === "waiting" || state === "doubtful");
    setAttribute(this.#history, "hidden", !record.id);
  }

  #say(texts, isWarning) {
    setAttribute(this.#texts, "data-warning", isWarning);
    const key = texts.join("\n");
    if (this.shown === key) return;
    this.shown = key;
    this.#texts.replaceChildren(...texts.map((text) => h("p", {}, text)));
  }
}

const button = (label) => h("button.button", { type: "button" }, label);

const WORDS = { waiting: "SENT", placed: "PLACED", rejected: "REJECTED", unsent: "NOT SENT", doubtful: "NOT KNOWN", abandoned: "LEFT" };

function explain(record, order, receipt, isOnline) {
  const again = record.repeated ? ["It had arrived the first time; nothing was ordered twice."] : [];
  if (record.state === "waiting") {
    return [isOnline ? "Sent; waiting for the answer."
      : "Sent; waiting for the answer. The connection is gone. It will be asked for under the same name, so it can’t become two orders."];
  }
  if (record.state === "unsent") return ["There was no connection, so nothing was sent."];
  if (record.state === "doubtful") {
    return ["No answer came for two minutes, and the history does not show the order. The market has moved on, so it is not sent again without your word."];
  }
  if (record.state === "abandoned") return ["It will not be sent again. Should it have arrived after all, the history shows it."];
  if (record.state === "rejected") return receipt?.texts ?? [record.message ?? order?.reason ?? "The order was rejected."];
  return [...(receipt?.texts ?? [order?.reason ?? `Order ${record.id} is placed.`]), ...again];
}
