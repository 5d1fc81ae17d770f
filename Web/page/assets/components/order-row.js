// One order of the history: a line that opens to its receipt.

import { compare } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { localMoment, localTime, NOTHING, number } from "../format.js";
import { icon } from "../icons.js";
import { isOpen, orderSentence, sideWord, statusKind } from "./order-words.js";

export class OrderRow {
  #side = h("span.order-side");
  #type = h("span.order-type");
  #quantity = h("span.order-quantity");
  #averagePrice = h("span");
  #averageWord = h("small", {}, "avg");
  #average = h("span.order-average", {}, this.#averageWord, this.#averagePrice);
  #limitPrice = h("span");
  #limitWord = h("small", {}, "limit");
  #limit = h("span.order-limit", {}, this.#limitWord, this.#limitPrice);
  #status = h("span.status");
  #time = h("span.order-time");
  #line;
  #details = h("div.order-details", { hidden: true });
  #cancel = h("button.button.small", { type: "button" }, "Cancel");
  #view = null;
  #drawn = "";

  constructor(id, trading) {
    this.id = id;
    this.trading = trading;
    this.#line = h("button.order-line", { type: "button", "aria-expanded": "false", "data-row": id },
      h("span.order-main", {}, h("span.order-what", {}, this.#side, this.#type), this.#quantity),
      h("span.order-sub", {}, this.#average, this.#limit),
      h("span.order-state", {}, this.#status), this.#time, icon("back"));
    this.#line.addEventListener("click", () => this.#toggle());
    this.#cancel.addEventListener("click", () => trading.cancel(id));
    this.element = h("li.order", { "data-order": id }, this.#line, this.#details);
  }

  /** `view`: order, format, now, isKnown (whether the server stands behind it). */
  update(view) {
    this.#view = view;
    const { order, format, now } = view;
    setAttribute(this.element, "data-side", order.side);
    setAttribute(this.element, "data-status", statusKind(order.status));
    setText(this.#side, sideWord(order.side));
    setText(this.#type, order.type === "limit" ? "Limit" : "Market");
    setText(this.#quantity, quantityText(order));
    setText(this.#averagePrice, order.average ? format(order.average) : NOTHING);
    setAttribute(this.#averageWord, "hidden", !order.average);
    setAttribute(this.#average, "data-empty", !order.average);
    setText(this.#limitPrice, order.limit ? format(order.limit) : "at market");
    setAttribute(this.#limitWord, "hidden", !order.limit);
    setText(this.#status, order.status);
    setAttribute(this.#status, "data-status", statusKind(order.status));
    const when = localMoment(order.placedAt, now);
    setText(this.#time, when);
    setAttribute(this.#line, "aria-label", orderSentence(this.id, order, format, when));
    this.#renderDetails();
  }

  #toggle() {
    const isOpened = this.#details.hidden;
    setAttribute(this.#details, "hidden", !isOpened);
    setAttribute(this.#line, "aria-expanded", String(isOpened));
    this.#renderDetails();
  }

  #renderDetails() {
    if (this.#details.hidden || !this.#view) return;
    const { order, format, isKnown } = this.#view;
    const isCancelling = this.trading.isCancelling(this.id);
    setText(this.#cancel, isCancelling ? "Cancelling…" : "Cancel this order");
    setAttribute(this.#cancel, "disabled", isCancelling || !isKnown);
    const key = JSON.stringify(order);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#details.replaceChildren(...this.#parts(order, format));
  }

  #parts(order, format) {
    const facts = [
      ["Filled", `${number(order.filled)} of ${number(order.quantity)}`],
      compare(order.open, "0") > 0 ? ["Waits", number(order.open)] : null,
      compare(order.cancelled, "0") > 0 ? ["Cancelled", number(order.cancelled)] : null,
      order.average ? ["Average", format(order.average)] : null,
      order.limit ? ["Limit", format(order.limit)] : null,
      order.slippage ? ["Slippage", slippageText(order.slippage, format)] : null,
      order.wouldHaveFilled ? ["Would have filled", `${number(order.wouldHaveFilled[1])} at ${format(order.wouldHaveFilled[0])}`] : null,
      ["Placed", localTime(order.placedAt)],
      order.changedAt !== order.placedAt ? ["Last change", localTime(order.changedAt)] : null,
      ["Number", this.id],
    ].filter(Boolean);
    return [
      order.reason ? h("p.order-reason", {}, order.reason) : null,
      h("dl.order-facts", {}, ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      this.#levels(order, format),
      isOpen(order) ? this.#cancel : null,
    ].filter(Boolean);
  }

  #levels(order, format) {
    if (!order.levels?.length) return null;
    return h("table.order-levels", {}, h("caption", {}, "Taken, level by level"),
      h("tbody", {}, ...order.levels.map(([price, quantity]) =>
        h("tr", {}, h("td", {}, number(quantity)), h("td", {}, `at ${format(price)}`)))));
  }
}

function quantityText(order) {
  const isPart = compare(order.filled, order.quantity) !== 0 && order.status !== "PENDING" && order.status !== "REJECTED";
  return isPart ? `${number(order.filled)} of ${number(order.quantity)}` : number(order.quantity);
}

function slippageText(slippage, format) {
  const sign = compare(slippage, "0");
  if (sign === 0) return "none";
  return `${format(slippage.replace("-", ""))} ${sign > 0 ? "worse" : "better"} than at arrival`;
}
