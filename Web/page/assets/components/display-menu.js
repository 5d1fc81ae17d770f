// Theme and colours.

import { h, setAttribute } from "../dom.js";
import { icon } from "../icons.js";
import { choose, COLOURS, preferences, THEMES } from "../preferences.js";

/** The button and its menu. */
export function displayMenu() {
  const menu = h("div.sheet.display-menu", { id: "display-menu", popover: "auto", role: "dialog", "aria-label": "Display" },
    group("Theme", "theme", THEMES), group("Colours", "colours", COLOURS));
  document.body.append(menu);
  const button = h("button.icon-button", {
    type: "button", popovertarget: "display-menu", "aria-label": "Theme and colours", title: "Theme and colours",
  }, icon("display"));
  menu.addEventListener("toggle", () => setAttribute(button, "aria-expanded", String(menu.matches(":popover-open"))));
  return button;
}

function group(label, key, choices) {
  const options = choices.map(([value, text]) => {
    const input = h("input", { type: "radio", name: key, value });
    input.checked = preferences[key] === value;
    input.addEventListener("change", () => choose(key, value));
    const sample = key === "colours"
      ? h("span.sample", { "data-colours": value, "aria-hidden": "true" }, h("b", {}, "↑"), h("i", {}, "↓")) : null;
    return h("label.option", {}, input, h("span", {}, text), sample);
  });
  return h("fieldset", {}, h("legend", {}, label), ...options);
}
