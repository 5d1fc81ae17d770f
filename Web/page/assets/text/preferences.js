// The user's settings: theme, colours, language and order entry. Stored on this device only.

import { invalidate } from "../base/scheduler.js";
import { recall, remember } from "../base/storage.js";
import { LANGUAGES, t } from "./texts.js";

/**
 * @typedef {"theme" | "colours" | "zone" | "language" | "review" | "tradingKeys"
 *   | "sound"} ChoiceKey
 */

/** @type {[value: string, label: string][]} */
export const THEMES = [["system", t("System")], ["light", t("Light")], ["dark", t("Dark")]];
/** @type {[value: string, label: string][]} */
export const COLOURS = [
  ["green-red", t("Green up, red down")],
  ["red-green", t("Red up, green down")],
  ["blue-orange", t("Blue up, orange down")],
  ["mono", t("Arrows and signs only")],
];

/** @type {[value: string, label: string][]} */
export const ZONES = [["local", t("Local time")], ["utc", "UTC"]];

// Switches of the ticket: key, label.
/** @type {[key: ChoiceKey, label: string][]} */
export const SWITCHES = [
  ["review", t("Review before placing")],
  ["tradingKeys", t("Trading keys B and S")],
];

// Switches of the alerts: key, label.
/** @type {[key: ChoiceKey, label: string][]} */
export const ALERT_SWITCHES = [["sound", t("Sound")]];

/** @type {Set<() => unknown>} */
const observers = new Set();

const values = (/** @type {[value: string, ...others: string[]][]} */ choices) =>
  choices.map(([value]) => value);

/** @returns {{[key in ChoiceKey]: string}} */
const remembered = () => ({
  theme: recall("theme", values(THEMES)), colours: recall("colours", values(COLOURS)),
  zone: recall("zone", values(ZONES)), language: recall("language", values(LANGUAGES)),
  review: recall("review", ["on", "off"]), tradingKeys: recall("tradingKeys", ["off", "on"]),
  sound: recall("sound", ["off", "on"]),
});

export const preferences = remembered();

/** The colour of the system's own bars around the page, per theme. */
const around = [...document.querySelectorAll("meta")].filter(({ name }) => name === "theme-color")
  .map((meta) => ({ meta, media: meta.media }));

function apply() {
  const root = document.documentElement;
  const { theme } = preferences;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.colours = preferences.colours;
  for (const { meta, media } of around) {
    meta.media = theme === "system" ? media : media.includes(theme) ? "screen" : "print";
  }
  for (const observer of observers) invalidate(observer);
}

// Applies and stores a choice: `choose("theme", "dark")`.
/** @param {ChoiceKey} key @param {string} value */
export function choose(key, value) {
  preferences[key] = value;
  remember(key, value);
  apply();
}

// Redraws `observer` when a choice changes. Returns a function that stops it.
/** @param {() => unknown} observer @returns {Release} */
export function observeChoices(observer) {
  observers.add(observer);
  return () => observers.delete(observer);
}

// Two tabs of one user place orders by the same rules.
addEventListener("storage", () => {
  Object.assign(preferences, remembered());
  apply();
});
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
  matchMedia(query).addEventListener("change", apply);
}
apply();

/** Whether the user prefers reduced motion. */
export const motionIsReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
