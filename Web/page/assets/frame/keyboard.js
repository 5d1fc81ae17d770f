// The keys: `/` search, ↑ ↓ j k rows, Enter open, Esc back, 1 to 4 tabs, b s ticket, i summary,
// ? help.

import { TABS } from "./market-screen.js";

/** @type {{[key: string]: number}} */
const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
// These keys are off until switched on in the display menu.
/** @type {{[key: string]: Wire.Side}} */
const SIDES = { b: "buy", s: "sell" };
const FIELDS = "input:not([type=radio]), textarea, select, [contenteditable]";

/** @param {EventTarget | null} target @returns {target is HTMLElement} */
const isTyping = (target) => target instanceof HTMLElement && target.matches(FIELDS);

/**
 * The parts of the page that the keys control.
 * @typedef {object} Parts
 * @property {import("./layout.js").Layout} layout
 * @property {() => unknown} search opens the search
 * @property {() => unknown} help opens the help
 * @property {(text: string) => unknown} speak answers a request, to screen readers
 * @property {import("./router.js").Router} router
 */

// Listens for keys anywhere on the page.
/** @param {Parts} parts */
export function listenForKeys({ layout, search, help, speak, router }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    if (event.key === "Escape") {
      if (isTyping(event.target)) event.target.blur();
      else if (layout.escape()) event.preventDefault();
      else router.back();
      return;
    }
    if (isTyping(event.target)) return;
    const isInTabs = event.target instanceof Element && event.target.closest("[role=tablist]");
    if (isInTabs && event.key.startsWith("Arrow")) return;
    if (acts(event.key, { layout, search, help, speak, router })) event.preventDefault();
  });
}

/** @param {string} key @param {Parts} parts */
function acts(key, { layout, search, help, speak, router }) {
  if (key === "/") layout.find() || search();
  else if (key === "?") help();
  else if (key === "i") speak(layout.summary());
  else if (STEPS[key]) {
    return layout.step(STEPS[key]) || walk(layout.activeElement(), STEPS[key]);
  }
  else if (/^[1-3]$/.test(key)) return layout.showTab(TABS[Number(key) - 1][0]);
  else if (key === "4") router.go({ screen: "exchange" });
  else if (SIDES[key]) return layout.ticket?.trade(SIDES[key]) ?? false;
  else return false;
  return true;
}

// Moves the focus to the next or previous row; false if there are no rows.
/** @param {Element | null | undefined} area @param {number} step */
function walk(area, step) {
  /** @type {NodeListOf<HTMLElement> | undefined} */
  const found = area?.querySelectorAll("[data-row]");
  const rows = [...(found ?? [])].filter((row) => row.offsetParent !== null);
  if (rows.length === 0) return false;
  const at = rows.findIndex((row) => row === document.activeElement);
  const from = at < 0 && step < 0 ? rows.length : at;
  const next = Math.max(0, Math.min(rows.length - 1, from + step));
  rows[next].focus({ focusVisible: true });
  rows[next].scrollIntoView({ block: "nearest" });
  return true;
}
