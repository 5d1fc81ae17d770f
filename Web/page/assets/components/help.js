// @ts-check
// The help overlay: the keys, and what the states mean.

import { h } from "../dom.js";

const KEYS = [
  ["/", "Search everything"], ["↑ ↓ or j k", "Walk through the rows"], ["Enter", "Open"],
  ["Esc", "Back, or close"], ["1 2 3", "Chart, Order Book, Recent Trades"],
  ["s m", "In the list of markets: star, and the menu of a row"],
  ["Alt ↑ Alt ↓", "Move a row of a list of your own"], ["4", "Exchange"],
  ["b or s", "Buy or sell, once switched on under Display and trading"],
  ["?", "This help"],
  ["← →", "Walk the chart’s candles"], ["↑ ↓ or + -", "Zoom the chart"],
  ["⇧↑ ⇧↓ A", "Stretch the chart’s prices; fit them again"],
  ["L", "Set an alert at the chart’s crosshair"],
  ["Home End", "Oldest candle, back to live"],
];
const STATES = [
  ["live", "In time, by the stream’s own rhythm"], ["late", "Later than usual; may still be right"],
  ["stale", "Too old to trust; kept in sight with its age"],
  ["resyncing", "A doubtful book is being fetched anew"],
  ["disconnected", "No connection to the venue, or to Livetape"],
  ["closed", "The market is closed: silence is right"],
];

/** Makes the dialog; call its `showModal()`. */
export function helpDialog() {
  const close = h("button.icon-button", { type: "button", "aria-label": "Close" }, "✕");
  const dialog = h("dialog.sheet.help", { "aria-label": "Help" },
    h("div.sheet-head", {}, h("h2", {}, "Keys"), close),
    h("dl.keys", {},
      ...KEYS.map(([key, text]) => h("div", {}, h("dt", {}, ...kbd(key)), h("dd", {}, text)))),
    h("h2", {}, "What the states mean"),
    h("dl.states", {}, ...STATES.map(([state, text]) => h("div.note", { "data-state": state },
      h("dt", {}, h("span.dot"), state[0].toUpperCase() + state.slice(1)), h("dd", {}, text)))),
    h("p.muted", {},
      "Simulated marks prices made by Livetape’s own simulator: no real market is behind them."));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

/** @type {(keys: string) => Child[]} */
const kbd = (keys) => keys.split(" ").map((key) => (key === "or" ? " or " : h("kbd", {}, key)));
