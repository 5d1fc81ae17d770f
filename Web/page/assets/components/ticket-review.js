// @ts-check
// The last look before an order is placed. What was reviewed is pinned; how far the market has
// moved since is shown beside it.

import { compare, difference } from "../decimal.js";
import { h, setAttribute, setText } from "../dom.js";
import { number } from "../format.js";
import { duration } from "../words.js";
import { orderTitle, sideWord } from "./order-words.js";
import { TicketPreview } from "./ticket-preview.js";

/** @typedef {import("../trading.js").Review} Review */
/** @typedef {import("../trading.js").Offer} Offer */

/** A second press of Enter must not be taken for a word on what was not read yet. */
const SETTLE_MILLISECONDS = 350;

export class TicketReview {
  #title = h("h3.review-title", { tabindex: "-1" });
  #pinned = new TicketPreview("When you reviewed");
  #drift = h("p.drift");
  #reason = h("p.ticket-reason", { role: "status" });
  #place = h("button.button.ticket-go", { type: "button", "data-main": "" });
  #back = h("button.button", { type: "button" }, "Back");
  #timer = 0;

  /**
   * @param {() => unknown} place
   * @param {() => unknown} back
   */
  constructor(place, back) {
    this.element = h("div.ticket-review", { role: "group", "aria-label": "Review" },
      h("div.ticket-top", {}, this.#title, this.#pinned.element),
      h("div.ticket-action", {}, this.#place, this.#back),
      h("div.ticket-below", {}, this.#reason, this.#drift));
    this.#place.addEventListener("click", place);
    this.#back.addEventListener("click", back);
  }

  /** Begins a review: the focus goes to it, and a moment later to its button. */
  begin() {
    this.#title.focus({ preventScroll: true });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (document.activeElement === this.#title) {
        this.#place.focus({ focusVisible: true, preventScroll: true });
      }
    }, SETTLE_MILLISECONDS);
  }

  dispose() {
    clearTimeout(this.#timer);
  }

  /**
   * `review`: order, reply, best (the opposite offer then), at. `best` is that offer now.
   * @param {{review: Review, best: Offer | undefined, format: Format, blocked: string,
   *   hint: string, now: number}} view
   */
  render({ review, best, format, blocked, hint, now }) {
    setText(this.#title, orderTitle(review.order, format));
    this.#pinned.update(review.reply, review.order, format, "", review.best?.quantity);
    this.#renderDrift(review, best, format, now);
    setText(this.#place, `Place ${sideWord(review.order.side).toLowerCase()} order`);
    setText(this.#reason, blocked || hint);
    setAttribute(this.#reason, "hidden", (blocked || hint) === "");
    setAttribute(this.#reason, "data-blocked", blocked !== "");
    setAttribute(this.#place, "disabled", blocked !== "");
  }

  /**
   * @param {Review} review
   * @param {Offer | undefined} now
   * @param {Format} format
   * @param {number} time
   */
  #renderDrift({ order, best: then, at }, now, format, time) {
    const name = order.side === "buy" ? "Best sell" : "Best buy";
    const isNew = time - at < 1000;
    const moved = compare(now?.price, then?.price);
    if (!moved) {
      const more = compare(now?.quantity, then?.quantity);
      const size = more ? `, quantity ${number(then?.quantity)} → ${number(now?.quantity)}` : "";
      setText(this.#drift,
        `${name} ${format(then?.price)} as reviewed ${isNew ? "just now"
          : `${duration(time - at)} ago`}${size}.`);
      setAttribute(this.#drift, "data-kind", null);
      return;
    }
    const by = difference(now?.price, then?.price) ?? "";
    const isWorse = order.side === "buy" ? moved > 0 : moved < 0;
    const sign = moved > 0 ? "+" : "−";
    setText(this.#drift,
      `${name} ${format(then?.price)} → ${format(now?.price)} since your review${isNew ? ""
        : ` ${duration(time - at)} ago`}: `
      + `${sign}${format(by.replace("-", ""))}, ${isWorse ? "worse" : "better"} for you.`);
    setAttribute(this.#drift, "data-kind", isWorse ? "worse" : "better");
  }
}
