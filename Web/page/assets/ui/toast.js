// Toasts in the message line, the latest one visible. The announcer speaks them to screen readers;
// orders and alerts keep them in their lists.

import { byId, h, setAttribute } from "./dom.js";

const SHOWN_MILLISECONDS = 6000;

// Shows a text for six seconds.
/** @param {string} text */
export function toast(text, isWarning = false) {
  const element = h("p.toast", { "data-warning": isWarning }, text);
  byId("toasts").append(element);
  count();
  setTimeout(() => removeToast(element), SHOWN_MILLISECONDS);
  return element;
}

/** @param {HTMLElement | null} element */
export function removeToast(element) {
  element?.remove();
  count();
}

/** Shows how many toasts the latest one hides. */
function count() {
  const more = byId("toasts").childElementCount - 1;
  setAttribute(byId("toasts"), "data-more", more > 0 ? more : null);
}
