// The contents of the menus for display and trading, and of layouts: apply a layout, save the
// current sizes under a name, copy an address that contains them.

import { chime } from "../alerts/firings.js";
import { cleanName } from "../base/names.js";
import {
  ALERT_SWITCHES, choose, COLOURS, preferences, SWITCHES, THEMES, ZONES,
} from "../text/preferences.js";
import { LANGUAGES, t } from "../text/texts.js";
import { zoneName } from "../text/zone.js";
import { h, icon, setText } from "../ui/dom.js";
import { LONGEST_NAME } from "./frame.js";

/** @typedef {import("./frame.js").Frame} Frame */

// Theme, colours, time zone, language, and order entry.
/** @param {HTMLElement} menu */
export function fillDisplayMenu(menu) {
  menu.append(group(t("Theme"), "theme", THEMES), group(t("Colours"), "colours", COLOURS),
    group(t("Times"), "zone", zones()),
    group(t("Language"), "language", tongues()), switches(t("Trading"), SWITCHES),
    switches(t("Alerts"), ALERT_SWITCHES, (key) => key === "sound" && chime()));
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
      // All drawn text is translated at creation, so the page reloads.
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

// Each language in its own words.
/** @returns {typeof LANGUAGES} */
const tongues = () => LANGUAGES.map(([value, name]) =>
  [value, value === "browser" ? t("Browser default") : name]);

// Names the current offset.
/** @returns {typeof ZONES} */
const zones = () => ZONES.map(([value, text]) =>
  [value, value === "utc" ? text : `${text}, ${zoneName(Date.now(), value)}`]);

// Switches, away from the order buttons; `on` is called with the key of one switched on.
/** @param {string} label @param {typeof SWITCHES} choices @param {(key: string) => unknown} [on] */
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

export class LayoutMenu {
  #frame;
  #rows = h("div.layout-rows");
  #name = h("input.field", { type: "text", maxlength: String(LONGEST_NAME), placeholder: t("Name"),
    "aria-label": t("Name of the layout"), autocomplete: "off", spellcheck: "false" });
  #said = h("p.layout-said", { role: "status" });
  #sheet;

  /** @param {HTMLElement} sheet @param {Frame} frame */
  constructor(sheet, frame) {
    this.#frame = frame;
    this.#sheet = sheet;
    const keep = h("form.field-line", {}, this.#name,
      h("button.button.small", { type: "submit" }, t("Save")));
    keep.addEventListener("submit", (event) => this.#keep(event));
    const copy = h("button.button.small", { type: "button" }, t("Copy a link to this layout"));
    copy.addEventListener("click", () => void this.#copy());
    sheet.append(h("h2", {}, t("Layouts")), this.#rows, keep, copy, this.#said);
    sheet.addEventListener("toggle", () => setText(this.#said, ""));
    frame.observe(() => this.#draw());
    this.#draw();
  }

  #draw() {
    this.#rows.replaceChildren(this.#row("", t("Default")),
      ...this.#frame.names.map((name) => this.#row(name, name)));
  }

  /** @param {string} name @param {string} label */
  #row(name, label) {
    const isChosen = name !== "" && name === this.#frame.name;
    const take = h("button.layout-take",
      { type: "button", "aria-pressed": String(isChosen) }, label);
    take.addEventListener("click", () => {
      this.#frame.take(name);
      /** @type {any} */ (this.#sheet).hidePopover();
    });
    if (name === "") return h("div.layout-row", {}, take);
    const remove = h("button.icon-button",
      { type: "button", "aria-label": t("Delete {name}", { name }) },
      icon("close"));
    remove.addEventListener("click", () => this.#frame.forget(name));
    return h("div.layout-row", {}, take, remove);
  }

  /** @param {Event} event */
  #keep(event) {
    event.preventDefault();
    if (cleanName(this.#name.value) === "") {
      return setText(this.#said, t("Enter a name for the layout."));
    }
    if (!this.#frame.keep(this.#name.value)) {
      return setText(this.#said, t("There are 20 layouts. Delete one first."));
    }
    this.#name.value = "";
    setText(this.#said, t("Saved as “{name}” on this device.",
      { name: this.#frame.name }));
  }

  async #copy() {
    const link = new URL(location.href);
    link.searchParams.set("layout", this.#frame.shared);
    try {
      await navigator.clipboard.writeText(String(link));
      setText(this.#said, t("Copied."));
    } catch {
      // Without clipboard permission the link goes into the address bar.
      history.replaceState(history.state, "", link);
      setText(this.#said, t("Link is in the address bar."));
    }
  }
}
