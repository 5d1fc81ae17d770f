// @ts-check
// News of own orders for a moment, where the ticket that would tell them is not in sight. They stay
// under the tab "News".

import { h, setAttribute, setText } from "../dom.js";
import { said } from "./order-words.js";

const SHOWN_MILLISECONDS = 6000;

export class Toast {
  #trading;
  #text = h("p");
  #element = h("div.toast", { "aria-hidden": "true", hidden: true }, this.#text);
  #last = "";
  #timer = 0;

  /** @param {import("../trading.js").Trading} trading */
  constructor(trading) {
    this.#trading = trading;
    document.body.append(this.#element);
    trading.observe(() => this.#look());
  }

  #look() {
    const [news] = this.#trading.receipts;
    const text = news ? said(news.texts.at(-1)?.text, this.#trading.format, news.at) : "";
    const key = news ? `${news.key} ${text}` : "";
    if (key === this.#last) return;
    this.#last = key;
    // Where the news themselves are in sight, once is enough.
    const isSeen = [...document.querySelectorAll(".receipts, .ticket-outcome")]
      .some((element) => element instanceof HTMLElement && element.offsetParent !== null);
    if (key === "" || isSeen) return;
    setText(this.#text, text);
    setAttribute(this.#element, "data-warning", news?.isWarning);
    setAttribute(this.#element, "hidden", false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => setAttribute(this.#element, "hidden", true),
      SHOWN_MILLISECONDS);
  }
}
