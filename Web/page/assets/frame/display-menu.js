// Theme, colours, the zone of times, the language, and how orders are placed.

import { chime } from "../alerts/chime.js";
import {
  ALERT_SWITCHES, choose, COLOURS, preferences, SWITCHES, THEMES, ZONES,
} from "../text/preferences.js";
import { LANGUAGES, t } from "../text/texts.js";
import { zoneName } from "../text/zone.js";
import { h, setAttribute } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** The button and its menu. */
export function displayMenu() {
  const menu = h("div.sheet.display-menu",
    { id: "display-menu", popover: "auto", role: "dialog", "aria-label": t("Display") },
    group(t("Theme"), "theme", THEMES), group(t("Colours"), "colours", COLOURS),
    group(t("Times"), "zone", zones()),
    group(t("Language"), "language", tongues()), switches(t("Trading"), SWITCHES),
    switches(t("Alerts"), ALERT_SWITCHES, (key) => key === "sound" && chime()));
  document.body.append(menu);
  const button = h("button.icon-button", {
    type: "button", popovertarget: "display-menu", "aria-label": t("Display and trading"),
    title: t("Display and trading"),
  }, icon("display"));
  menu.addEventListener("toggle",
    () => setAttribute(button, "aria-expanded", String(menu.matches(":popover-open"))));
  return button;
}

/**
 * @param {string} label
 * @param {"theme" | "colours" | "zone" | "language"} key
 * @param {[value: string, label: string][]} choices
 */
function group(label, key, choices) {
  const options = choices.map(([value, text]) => {
    const input = h("input", { type: "radio", name: key, value });
    input.checked = preferences[key] === value;
    input.addEventListener("change", () => {
      choose(key, value);
      // The words stand in all that is drawn: the page begins anew with others.
      if (key === "language") location.reload();
    });
    const sample = key === "colours"
      ? h("span.sample", { "data-colours": value, "aria-hidden": "true" }, h("b", {}, "↑"),
        h("i", {}, "↓")) : null;
    return h("label.option", {}, input,
      h("span", { lang: key === "language" && value !== "browser" ? value : null }, text), sample);
  });
  return h("fieldset", {}, h("legend", {}, label), ...options);
}

/**
 * Each language by its own name.
 * @returns {typeof LANGUAGES}
 */
const tongues = () => LANGUAGES.map(([value, name]) =>
  [value, value === "browser" ? t("As the browser") : name]);

/**
 * What they stand for now is named.
 * @returns {typeof ZONES}
 */
const zones = () => ZONES.map(([value, text]) =>
  [value, value === "utc" ? text : `${text}, ${zoneName(Date.now(), value)}`]);

/**
 * Switches out of reach of a press that was meant for an order; `on` hears which is put on.
 * @param {string} label
 * @param {typeof SWITCHES} choices
 * @param {(key: string) => unknown} [on]
 */
function switches(label, choices, on) {
  const options = choices.map(([key, text]) => {
    const input = h("input", { type: "checkbox", role: "switch", name: key });
    input.checked = preferences[key] === "on";
    input.addEventListener("change", () => {
      choose(key, input.checked ? "on" : "off");
      if (input.checked) on?.(key);
    });
    return h("label.option", {}, input, h("span", {}, text));
  });
  return h("fieldset", {}, h("legend", {}, label), ...options);
}
