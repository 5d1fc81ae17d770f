// The help dialog: the keys, and the meaning of the states.

import { t } from "../text/texts.js";
import { stateWord } from "../text/words.js";
import { h } from "../ui/dom.js";

/** Marks keys that a viewer may not use. */
const CHANGES = "changes";
const KEYS = [
  ["/", t("Search everything")], ["↑ ↓ or j k", t("Move between rows")],
  ["Enter", t("Open", {}, "do")],
  ["Esc", t("Back, or close")], ["1 2 3", t("Chart, Order Book, Recent Trades")],
  ["m", t("In the list of markets: the menu of a row")],
  ["s", t("In the list of markets: star"), CHANGES],
  ["Alt ↑ Alt ↓", t("Move a row of a list of your own"), CHANGES], ["4", t("Exchange")],
  ["b or s", t("Buy or sell, once switched on under Display and trading"), CHANGES],
  ["i", t("Speak the market’s prices and state")], ["?", t("This help")],
  ["← →", t("Move between candles")], ["↑ ↓ or + -", t("Zoom the chart")],
  ["⇧↑ ⇧↓ A", t("Stretch the chart’s prices; fit them again")],
  ["G", t("Go to a date on the chart")],
  ["L", t("Set an alert at the chart’s crosshair"), CHANGES],
  ["⇧F10", t("Set an alert at the price of the book’s row"), CHANGES],
  ["Home End", t("Oldest candle, back to live")],
];
/** @type {[state: Parameters<typeof stateWord>[0], meaning: string][]} */
const STATES = [
  ["live", t("Updating at its normal pace")],
  ["late", t("Slower than usual; may still be right")],
  ["stale", t("Too old to trust; kept in sight with its age")],
  ["resyncing", t("The book failed a check and is reloading")],
  ["disconnected", t("No connection to the venue, or to Livetape")],
  ["closed", t("Market closed; no updates expected")],
];

/** Creates the dialog; call its `showModal()`. */
export function makeHelp() {
  const close = h("button.icon-button", { type: "button", "aria-label": t("Close") }, "✕");
  const dialog = h("dialog.sheet.help", { "aria-label": t("Help") },
    h("div.sheet-head", {}, h("h2", {}, t("Keys")), close),
    h("dl.keys", {},
      ...KEYS.map(([key, text, changes]) => h("div", { "data-changes": changes },
        h("dt", {}, ...kbd(key)), h("dd", {}, text)))),
    h("h2", {}, t("What the states mean")),
    h("dl.states", {}, ...STATES.map(([state, text]) => h("div.note", { "data-state": state },
      h("dt", {}, h("span.dot"), capital(stateWord(state))), h("dd", {}, text)))),
    h("p.muted", {},
      t("Simulated marks prices made by Livetape’s own simulator: no real market is behind them."),
    ));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

/** @type {(keys: string) => Child[]} */
const kbd = (keys) => keys.split(" ").map(
  (key) => (key === "or" ? ` ${t("or")} ` : h("kbd", {}, key)));

/** @param {string} word */
const capital = (word) => word[0].toUpperCase() + word.slice(1);
