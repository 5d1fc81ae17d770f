// The keys: `/` search, ↑ ↓ j k rows, Enter open, Esc back, 1 to 4 tabs, b s ticket, ? help.

import { TABS } from "./screens/market.js";

const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
/** They act once they are switched on in the display menu. */
const SIDES = { b: "buy", s: "sell" };
const isTyping = (element) => element?.matches?.("input:not([type=radio]), textarea, select, [contenteditable]");

/** Listens for keys anywhere on the page. `layout`, `jump`, `help` and `router` act on them. */
export function listenForKeys({ layout, jump, help, router }) {
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
    if (event.target.closest?.("[role=tablist]") && event.key.startsWith("Arrow")) return;
    if (acts(event.key, { layout, jump, help, router })) event.preventDefault();
  });
}

function acts(key, { layout, jump, help, router }) {
  if (key === "/") jump.show();
  else if (key === "?") help.showModal();
  else if (STEPS[key]) return walk(layout.activeElement(), STEPS[key]);
  else if (/^[1-3]$/.test(key)) return layout.showTab(TABS[Number(key) - 1][0]);
  else if (key === "4") router.go({ screen: "exchange" });
  else if (SIDES[key]) return layout.ticket?.trade(SIDES[key]) ?? false;
  else return false;
  return true;
}

/** Moves the focus to the next or previous row; false when there are no rows here. */
function walk(area, step) {
  const rows = [...(area?.querySelectorAll("[data-row]") ?? [])].filter((row) => row.offsetParent !== null);
  if (rows.length === 0) return false;
  const at = rows.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
  rows[next].focus({ focusVisible: true });
  rows[next].scrollIntoView({ block: "nearest" });
  return true;
}
