// The keys anywhere on the page: Ctrl or ⌘ K the palette, ↑ ↓ j k rows, Esc back, and the keys of
// commands.

import { lazyPart, withPart } from "../ui/lazy.js";

/** @type {{[key: string]: number}} */
const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
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

// Listens for keys. Returns a function that returns the commands once their code has loaded.
/** @param {Parts} parts */
export function listenForKeys(parts) {
  const { layout, search, router } = parts;
  /** @type {import("./commands.js").CommandTable | undefined} */
  let commands;
  const find = () => {
    const CommandTable = lazyPart("CommandTable");
    if (CommandTable) commands ??= new CommandTable(parts);
    return commands;
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const hasCommand = event.ctrlKey || event.metaKey;
    if (hasCommand && key === "k" && !event.altKey && !event.shiftKey) {
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      search();
      return;
    }
    if (event.defaultPrevented || hasCommand || event.altKey) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    if (key === "Escape") {
      if (isTyping(target)) target.blur();
      else if (layout.escape()) event.preventDefault();
      else router.back();
      return;
    }
    if (isTyping(target)) return;
    const isInTabs = target instanceof Element && target.closest("[role=tablist]");
    if (isInTabs && key.startsWith("Arrow")) return;
    const step = STEPS[key];
    const acts = step ? layout.step(step) || walk(layout.activeElement(), step)
      : find()?.press(key);
    if (acts) event.preventDefault();
    else if (!commands && !step && key.length === 1) {
      withPart("CommandTable", () => find()?.press(key));
    }
  });
  return find;
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
