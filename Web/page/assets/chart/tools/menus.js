// The menus of a chart's bar. Each is a popover beside its button, so that it is above everything
// around the chart, full screen included.

import { h, setAttribute } from "../../ui/dom.js";

let count = 0;

/**
 * A button and its menu.
 * @param {string} label
 * @param {(Node | string)[]} face the button's content
 * @param {...Node} content
 */
export function menu(label, face, ...content) {
  const panel = h("div.chart-menu", { role: "dialog", "aria-label": label }, ...content);
  return h("div.chart-menu-place", {}, opener(label, face, panel), panel);
}

/**
 * The button that opens `panel`, which becomes a popover.
 * @param {string} label
 * @param {(Node | string)[]} face the button's content
 * @param {HTMLElement} panel
 */
export function opener(label, face, panel) {
  count += 1;
  const id = `chart-menu-${count}`;
  setAttribute(panel, "id", id);
  setAttribute(panel, "popover", "auto");
  const button = h("button.chart-tool", {
    type: "button", popovertarget: id, "aria-label": label, title: label,
    "aria-expanded": false,
  }, ...face);
  panel.addEventListener("toggle", () => {
    const isOpen = panel.matches(":popover-open");
    setAttribute(button, "aria-expanded", String(isOpen));
    if (isOpen) stand(panel, button);
  });
  return button;
}

// Closes the menu in an element, and the menu around it.
/** @param {HTMLElement} place */
export function closeMenus(place) {
  for (const panel of [place.querySelector("[popover]"), place.closest("[popover]")]) {
    if (panel?.matches(":popover-open")) /** @type {any} */ (panel).hidePopover();
  }
}

// Positions a menu below its button, inside the window.
/** @param {HTMLElement} panel @param {HTMLElement} button */
export function stand(panel, button) {
  const [box, own] = [button.getBoundingClientRect(), panel.getBoundingClientRect()];
  const left = Math.max(8, Math.min(box.left, innerWidth - own.width - 8));
  const fits = box.bottom + 4 + own.height <= innerHeight - 8;
  const top = fits ? box.bottom + 4 : Math.max(8, innerHeight - own.height - 8);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

/**
 * Radio buttons under a heading; `set` presses one.
 * @template {string} V
 * @param {string} legend
 * @param {readonly (readonly [value: V, text: string])[]} choices
 * @param {(value: V) => unknown} choose
 */
export function choices(legend, choices, choose) {
  count += 1;
  const inputs = choices.map(([value, text]) => {
    const input = h("input", { type: "radio", name: `chart-choice-${count}`, value });
    input.addEventListener("change", () => choose(value));
    return { value, input, label: h("label.option", {}, input, h("span", {}, text)) };
  });
  const element = h("fieldset", {}, h("legend", {}, legend), ...inputs.map(({ label }) => label));
  const set = (/** @type {V} */ wanted) => {
    for (const { value, input } of inputs) input.checked = value === wanted;
  };
  return { element, set };
}
