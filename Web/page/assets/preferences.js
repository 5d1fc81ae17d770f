// What the reader chose: theme, colours and how orders are placed. Kept on this device only.

import { invalidate } from "./scheduler.js";

export const THEMES = [["system", "System"], ["light", "Light"], ["dark", "Dark"]];
export const COLOURS = [
  ["green-red", "Green up, red down"],
  ["red-green", "Red up, green down"],
  ["blue-orange", "Blue up, orange down"],
  ["mono", "Arrows and signs only"],
];

/** Switches of the ticket: key, label, what it is before anybody chose. */
export const SWITCHES = [
  ["review", "Review before placing", "on"],
  ["tradingKeys", "Trading keys B and S", "off"],
];

const observers = new Set();

/** What was remembered on this device, if it is one of `allowed` (`[[value, …], …]`); else the first of them. */
export function recall(key, allowed) {
  try {
    const value = localStorage.getItem(`livetape.${key}`);
    return allowed.some(([known]) => known === value) ? value : allowed[0][0];
  } catch {
    return allowed[0][0];
  }
}

/** Remembers a choice on this device. */
export function remember(key, value) {
  try {
    localStorage.setItem(`livetape.${key}`, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

const remembered = () => ({
  theme: recall("theme", THEMES), colours: recall("colours", COLOURS),
  ...Object.fromEntries(SWITCHES.map(([key, , first]) => [key, recall(key, [[first], ["on"], ["off"]])])),
});

export const preferences = remembered();

function apply() {
  const root = document.documentElement;
  if (preferences.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = preferences.theme;
  root.dataset.colours = preferences.colours;
  for (const observer of observers) invalidate(observer);
}

/** Chooses and remembers: `choose("theme", "dark")`. */
export function choose(key, value) {
  preferences[key] = value;
  remember(key, value);
  apply();
}

/** Draws `observer` again when a choice changes. Returns what ends that. */
export function observeChoices(observer) {
  observers.add(observer);
  return () => observers.delete(observer);
}

// Two tabs of one person place orders by the same rules.
addEventListener("storage", () => {
  Object.assign(preferences, remembered());
  apply();
});
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
  matchMedia(query).addEventListener("change", apply);
}
apply();

/** Whether the person asked for less motion. */
export const motionIsReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
