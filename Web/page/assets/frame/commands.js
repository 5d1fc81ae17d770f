// The commands of the page with their keys: one table for the keyboard, the palette and the help. A
// command calls a part of the page, or presses its control where that is in the page.

import { read, remember } from "../base/storage.js";
import { INTERVALS } from "../chart/model/intervals.js";
import { choose, preferences, THEMES } from "../text/preferences.js";
import { t } from "../text/texts.js";
import { byId } from "../ui/dom.js";
import { TABS } from "./market-screen.js";

/**
 * `key` is the default; `run` returns false if there is nothing to do.
 * @typedef {object} Command
 * @property {string} id
 * @property {string} name
 * @property {string} [key]
 * @property {string} [also] further words of the palette
 * @property {() => unknown} run
 * @property {boolean} [presses] whether it presses a control, which may be absent
 * @property {boolean} [isTrade] its key is off until the user switches trading keys on
 */

const KEY = "keys";
const LONGEST_KEPT = 2000;
/** Marks keys that a viewer may not use. */
const CHANGES = "changes";
/** @type {[keys: string, what: string, changes?: string][]} keys that stay */
export const FIXED = [
  [`${t("Ctrl")} K or ⌘ K`, t("Search everything")],
  ["↑ ↓ or j k", t("Move between rows")],
  ["Enter", t("Open", {}, "do")],
  ["Esc", t("Back, or close")],
  ["m", t("In the list of markets: the menu of a row")],
  ["s", t("In the list of markets: star"), CHANGES],
  ["Alt ↑ Alt ↓", t("Move a row of a list of your own"), CHANGES],
  ["← →", t("Move between candles")], ["↑ ↓ or + -", t("Zoom the chart")],
  ["⇧↑ ⇧↓ A", t("Stretch the chart’s prices; fit them again")],
  ["G", t("Go to a date on the chart")],
  ["L", t("Set an alert at the chart’s crosshair"), CHANGES],
  ["⇧F10", t("Set an alert at the price of the book’s row"), CHANGES],
  ["Home End", t("Oldest candle, back to live")],
  ["← →", t("Depth of market: bid or ask; Enter places there"), CHANGES],
  ["Delete", t("Depth of market: cancel the row’s orders"), CHANGES],
];

/** @param {string} key */
const normal = (key) => (key.length === 1 ? key.toLowerCase() : key);

// The control of a command; undefined while it is absent or off.
/** @param {string} name */
const control = (name) => [...document.querySelectorAll(`[data-command="${name}"]`)]
  .find((element) => !element.matches(":disabled") && !element.closest("[hidden]"));

/** @param {string} name */
function press(name) {
  const found = control(name);
  if (found instanceof HTMLSelectElement) {
    found.selectedIndex = (found.selectedIndex + 1) % found.length;
    return found.dispatchEvent(new Event("change"));
  }
  if (!(found instanceof HTMLElement)) return false;
  // Where tools have no room, they are in a menu.
  const menu = found.closest("[popover]");
  if (!found.offsetParent && menu) /** @type {any} */ (menu).showPopover();
  found.click();
  return true;
}

/** @param {string} id @param {string} name @param {Partial<Command>} [more] @returns {Command} */
const pressing = (id, name, more) => ({ id, name, run: () => press(id), presses: true, ...more });

/** @param {import("./keyboard.js").Parts} parts @returns {Command[]} */
function commandsOf({ layout, search, help, speak, router }) {
  const trade = (/** @type {Wire.Side} */ side) => {
    const { ticket } = layout;
    if (ticket?.trade(side)) return;
    const open = document.querySelector(`.slot[data-active] .trade-${side}`);
    if (open instanceof HTMLElement && open.offsetParent) open.click();
    else ticket?.focus();
  };
  const table = (/** @type {import("./dock.js").Tab} */ tab) => {
    router.go({ screen: "exchange" });
    layout.showTable(tab);
  };
  const open = (/** @type {string} */ id) => /** @type {any} */ (byId(id)).showPopover();
  return [
    { id: "search", key: "/", name: t("Search everything"),
      run: () => layout.find() || search() },
    ...TABS.map(([tab, name], at) =>
      ({ id: tab, key: String(at + 1), name, run: () => layout.showTab(tab) })),
    { id: "exchange", key: "4", name: t("Exchange"), run: () => router.go({ screen: "exchange" }) },
    { id: "buy", key: "b", name: t("Buy"), isTrade: true, run: () => trade("buy") },
    { id: "sell", key: "s", name: t("Sell"), isTrade: true, run: () => trade("sell") },
    pressing("book-shape", t("Change the book view"), { key: "v" }),
    pressing("studies", t("Studies"), { also: "indicators average rsi macd" }),
    pressing("draw", t("Draw"), { key: "d", also: "line shape measure text" }),
    pressing("date", t("Go to date")),
    pressing("picture", t("Save a picture"), { also: "screenshot" }),
    pressing("full-screen", t("Full screen"), { key: "f" }),
    ...INTERVALS.map(([value, , spoken]) => pressing(`interval-${value}`,
      t("Interval: {interval}", { interval: spoken }))),
    ...THEMES.map(([value, label]) => ({ id: `theme-${value}`,
      name: t("Theme: {theme}", { theme: label }), run: () => choose("theme", value) })),
    { id: "alerts", name: t("Alerts"), also: "price alarm bell", run: () => table("alerts") },
    { id: "positions", name: t("Positions"), also: "position profit loss",
      run: () => table("positions") },
    { id: "layouts", name: t("Layouts"), run: () => open("layout-menu") },
    { id: "settings", name: t("Settings"), also: "display theme language colours zone sound",
      run: () => open("display-menu") },
    { id: "speak", key: "i", name: t("Speak the market’s prices and state"),
      run: () => speak(layout.summary()) },
    { id: "help", key: "?", name: t("This help"), also: "keys shortcuts", run: help },
  ];
}

export class CommandTable {
  all;
  /** @type {Map<string, string>} changed keys by command; "" for no key */
  #keys = new Map();

  /** @param {import("./keyboard.js").Parts} parts */
  constructor(parts) {
    this.all = commandsOf(parts);
    try {
      const kept = JSON.parse((read(KEY) ?? "{}").slice(0, LONGEST_KEPT));
      for (const { id } of this.all) {
        if (typeof kept?.[id] === "string" && isKey(kept[id])) this.#keys.set(id, kept[id]);
      }
    } catch {
      // The defaults apply.
    }
  }

  // Whether a command that presses a control has one now.
  /** @param {Command} command */
  isHere({ id, presses }) {
    return !presses || control(id) !== undefined;
  }

  /** @param {Command} command */
  keyOf({ id, key = "" }) {
    return this.#keys.get(id) ?? key;
  }

  // Changes a command's key; returns what has that key already, or "".
  /** @param {Command} command @param {string} typed "" for none */
  setKey(command, typed) {
    const key = normal(typed);
    const isSame = (/** @type {string} */ other) => normal(other) === key;
    const holder = key === "" ? ""
      : this.all.find((other) => other !== command && this.keyOf(other) === key)?.name
        ?? FIXED.find(([keys]) => keys.split(" ").some(isSame))?.[1] ?? "";
    if (holder !== "") return holder;
    this.#keys.set(command.id, key);
    remember(KEY, JSON.stringify(Object.fromEntries(this.#keys)));
    return "";
  }

  /** Restores all keys. */
  reset() {
    this.#keys.clear();
    remember(KEY, "{}");
  }

  // Runs the command of a pressed key; false without one.
  /** @param {string} typed */
  press(typed) {
    const key = normal(typed);
    const command = this.all.find((each) => this.keyOf(each) === key);
    if (!command || (command.isTrade && preferences.tradingKeys !== "on")) return false;
    return command.run() !== false;
  }
}

// A character or a function key; blank keeps pressing buttons.
/** @param {string} key */
export const isKey = (key) => key === "" || /^(?:[^\s]|F[1-9]\d?)$/u.test(key);
