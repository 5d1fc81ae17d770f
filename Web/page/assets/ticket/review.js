// The review before an order is placed. The reviewed values are fixed; the market's move since is
// shown beside them.

import { said } from "../orders/words.js";
import { sentence, t } from "../text/texts.js";
import { ago } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { showReason, TicketPreview } from "./form.js";

/** A second press of Enter must not confirm unread content. */
const SETTLE_MILLISECONDS = 350;

export class TicketReview {
  #title = h("h3.review-title", { tabindex: "-1" });
  #pinned = new TicketPreview(t("When you reviewed"));
  #question = h("p.review-question", { hidden: true });
  #drift = h("p.drift");
  #reason = h("p.ticket-reason", { role: "status" });
  #place = h("button.button.ticket-go", { type: "button", "data-main": "" });
  #back = h("button.button", { type: "button" }, t("Back"));
  #timer = 0;

  /** @param {() => unknown} place @param {() => unknown} back */
  constructor(place, back) {
    this.element = h("div.ticket-review", { role: "group", "aria-label": t("Review") },
      h("div.ticket-top", {}, this.#title, this.#question, this.#pinned.element),
      h("div.ticket-rest", {}, h("div.ticket-action", {}, this.#place, this.#back),
        h("div.ticket-below", {}, this.#reason, this.#drift)));
    this.#place.addEventListener("click", place);
    this.#back.addEventListener("click", back);
  }

  /** Starts a review: focuses it, and after a delay its button. */
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

  /** @param {TicketView} view @param {TicketReviewData} review @param {Format} format */
  render(view, review, format) {
    setText(this.#title, said(review.title, format));
    setText(this.#question, said(review.question, format));
    setAttribute(this.#question, "hidden", !review.question);
    this.#pinned.update(view.preview, format, view.side);
    setText(this.#drift, said(review.drift, format).replace("{ago}", ago(review.age)));
    setAttribute(this.#drift, "data-kind", review.kind);
    setText(this.#place, sentence(view.label));
    setAttribute(this.#place, "disabled", view.isClosed);
    showReason(this.#reason, view);
  }
}
