// @ts-check
// What a person should know of for a moment: at the lower left, over nothing that can be pressed. A
// screen reader is told by the announcer, and what was told stays under the chart.

import { byId, h } from "../dom.js";
import { said } from "./order-words.js";

const SHOWN_MILLISECONDS = 6000;

/**
 * Shows a text for a while.
 * @param {string} text
 */
export function toast(text, isWarning = false) {
  const element = h("p.toast", { "data-warning": isWarning }, text);
  byId("toasts").append(element);
  setTimeout(() => element.remove(), SHOWN_MILLISECONDS);
  return element;
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
    shown?.remove();
    shown = toast(text, news?.isWarning);
  });
}
