// @ts-check
// Short news in the message line, the latest one in sight. The announcer speaks it to screen
// readers; orders and alerts keep it in their lists.

import { byId, h, setAttribute } from "../dom.js";
import { said } from "./order-words.js";

const SHOWN_MILLISECONDS = 6000;

/**
 * Shows a text for a while.
 * @param {string} text
 */
export function toast(text, isWarning = false) {
  const element = h("p.toast", { "data-warning": isWarning }, text);
  byId("toasts").append(element);
  count();
  setTimeout(() => remove(element), SHOWN_MILLISECONDS);
  return element;
}

/** @param {HTMLElement | null} element */
function remove(element) {
  element?.remove();
  count();
}

/** How many toasts the latest one hides. */
function count() {
  const more = byId("toasts").childElementCount - 1;
  setAttribute(byId("toasts"), "data-more", more > 0 ? more : null);
}

/**
 * Shows news of own orders where neither the ticket nor the list of news that tell them are seen.
 * @param {import("../trading.js").Trading} trading
 */
export function toastOrders(trading) {
  let last = "";
  /** @type {HTMLElement | null} */
  let shown = null;
  trading.observe(() => {
    const [news] = trading.receipts;
    const text = news ? said(news.texts.at(-1)?.text, trading.format, news.at) : "";
    const key = news ? `${news.key} ${text}` : "";
    const isNew = key !== last && key !== "";
    last = key;
    const isSeen = [...document.querySelectorAll(".receipts, .ticket-outcome")]
      .some((element) => element instanceof HTMLElement && element.offsetParent !== null);
    if (!isNew || isSeen) return;
    // Of orders the latest news alone: one that fills in many parts would pile them up.
    remove(shown);
    shown = toast(text, news?.isWarning);
  });
}
