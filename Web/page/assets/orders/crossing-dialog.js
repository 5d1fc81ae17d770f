// Confirms an amendment that would trade at once. Quantity and price follow the market while the
// dialog is open.

import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { PressGuard } from "../ui/press-guard.js";
import { orderTitle, said } from "./words.js";

/** @typedef {import("./trading.js").Change} Change */

const EVERY_MILLISECONDS = 200;

export class CrossingDialog {
  #trading;
  #title = h("h2.crossing-title", { id: "crossing-title" });
  #now = h("p.crossing-now", { id: "crossing-now" });
  #rest = h("p.crossing-rest");
  #yes = h("button.button.crossing-yes", { type: "button", "data-main": "" });
  #no = h("button.button", { type: "button" }, t("Don’t change"));
  #element = h("dialog.crossing", { role: "alertdialog",
    "aria-describedby": "crossing-now", "aria-labelledby": "crossing-title" },
  this.#title, this.#now, this.#rest, h("div.crossing-acts", {}, this.#no, this.#yes));
  #guard = new PressGuard(this.#element);
  #timer = 0;
  /** @type {(mayTrade: boolean) => void} */
  #ended = () => {};

  /** @param {Trading} trading */
  constructor(trading) {
    this.#trading = trading;
    this.#yes.addEventListener("click", () => this.#end(true));
    this.#no.addEventListener("click", () => this.#end(false));
    // The event arrives in a later task, when another dialog may be open.
    this.#element.addEventListener("close", () => this.#element.open || this.#end(false));
    document.body.append(this.#element);
  }

  // Resolves to whether the amendment may be sent.
  /** @param {string} id @param {Change} change @returns {Promise<boolean>} */
  ask(id, change) {
    this.#end(false);
    return new Promise((ended) => {
      this.#ended = ended;
      this.#draw(id, change);
      this.#timer = setInterval(() => this.#draw(id, change), EVERY_MILLISECONDS);
      this.#guard.changed();
      this.#element.showModal();
      // Enter must not trade before the text is read.
      this.#no.focus();
    });
  }

  /** @param {string} id @param {Change} change */
  #draw(id, change) {
    const trading = this.#trading;
    const order = trading.openOrder(id);
    const crossing = trading.crossing(id, change);
    setAttribute(this.#yes, "disabled", !order);
    if (!order) {
      setText(this.#now, t("Too late to amend: the order is no longer open."));
      return;
    }
    const amended = { ...order, limit: change.price ?? order.limit,
      quantity: change.quantity ?? order.quantity };
    setText(this.#title, t("Amend order #{id}: {order}?",
      { id, order: orderTitle(amended, trading.format) }));
    setAttribute(this.#element, "data-crossing", crossing !== null);
    setAttribute(this.#element, "data-side", order.side);
    setText(this.#now, crossing ? `${said(crossing.text, trading.format)}.`
      : t("It no longer trades at once; it will rest."));
    setText(this.#rest, said(crossing?.rest, trading.format));
    setText(this.#yes, !crossing ? t("Amend")
      : order.side === "buy" ? t("Buy now") : t("Sell now"));
  }

  /** @param {boolean} mayTrade */
  #end(mayTrade) {
    clearInterval(this.#timer);
    const ended = this.#ended;
    this.#ended = () => {};
    if (this.#element.open) this.#element.close();
    ended(mayTrade);
  }
}
