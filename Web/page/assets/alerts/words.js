// Words for what an alert waits for and its state, and the button that edits it.

import { localMoment, number } from "../text/format.js";
import { plural, sentence, t } from "../text/texts.js";
import { h, icon } from "../ui/dom.js";

// The kinds of the form, with the unit of the level and of the time, and a new alert's values.
/**
 * @typedef {object} Kind
 * @property {string} word
 * @property {string} [unit] of its level; undefined for a book, which has none
 * @property {string} [level]
 * @property {number} [window]
 * @property {boolean} [isMinutes] of its window, which is in seconds otherwise
 */
/** @typedef {"price" | "rise" | "fall" | "spread" | "volume" | "book"} KindName */
/** @type {Map<KindName, Kind>} */
export const KINDS = new Map([
  ["price", { word: t("Price"), unit: "" }],
  ["rise", { word: t("Rise"), unit: "%", level: "2", window: 15, isMinutes: true }],
  ["fall", { word: t("Fall"), unit: "%", level: "2", window: 15, isMinutes: true }],
  ["spread", { word: t("Spread"), unit: t("bp"), level: "10" }],
  ["volume", { word: t("Volume"), unit: "", window: 15, isMinutes: true }],
  ["book", { word: t("Invalid order book"), window: 5 }],
]);

/** @typedef {Pick<Topic.PriceAlert, "kind" | "level" | "window">} Condition */

/** @param {Condition} condition @returns {KindName} */
export const kindOf = ({ kind, level }) =>
  (kind !== "change" ? kind : level?.startsWith("-") ? "fall" : "rise");

// "64,000", "Fall of 5% within 15 min".
/** @param {Condition} condition */
export function conditionWord(condition) {
  const level = number(condition.level?.replace("-", ""));
  const { window = 0 } = condition;
  const values = { 0: level, 1: window / 60 };
  switch (kindOf(condition)) {
    case "price": return number(condition.level);
    case "rise": return t("Rise of {0}% within {1} min", values);
    case "fall": return t("Fall of {0}% within {1} min", values);
    case "spread": return t("Spread of {0} bp or more", values);
    case "volume": return t("Volume of {0} or more within {1} min", values);
    case "book": return t("No valid order book for {0} s", { 0: window });
  }
}

export const editButton = () =>
  h("button.icon-button", { type: "button", "data-changes": true }, icon("edit"));

// The pauses of a repeating alert in seconds; the first is the default.
export const PAUSES = new Map([
  [60, t("1 minute")], [300, t("5 minutes")], [3600, t("1 hour")], [86_400, t("1 day")],
]);

// "Once", "Every cross", "Every time, 5 minutes apart".
/** @param {Topic.PriceAlert} alert */
export function oftenWord({ kind, again, pause }) {
  if (!again) return t("Once");
  if (kind !== "price") {
    return pause ? t("Every time, {pause} apart", { pause: PAUSES.get(pause) ?? `${pause} s` })
      : t("Every time");
  }
  return pause ? t("Every cross, {pause} apart", { pause: PAUSES.get(pause) ?? `${pause} s` })
    : t("Every cross");
}

// "2 not delivered: the webhook answered 404"; "" if all were.
/** @param {Topic.PriceAlert} alert */
export const failureWord = ({ undelivered }) => (undelivered === undefined ? ""
  : plural(undelivered.count, "1 not delivered: {reason}", "{count} not delivered: {reason}",
    { reason: sentence(undelivered.reason) }));

// "Active", "Fired 14:32:07", "At the level since 14:32:07": its current state.
/** @param {Topic.PriceAlert} alert @param {number} now */
export function stateWord({ kind, armed, again, pause, firedAt, side }, now) {
  const rested = pause && firedAt !== undefined ? firedAt + pause * 1000 : 0;
  if (again && now < rested) return t("Paused until {time}", { time: localMoment(rested, now) });
  const time = firedAt === undefined ? "" : localMoment(firedAt, now);
  if (!armed && again) {
    return kind === "price" ? t("At the level; triggered {time}", { time })
      : t("Still so; triggered {time}", { time });
  }
  if (!armed) return t("Triggered {time}", { time });
  if (kind === "price" && side === undefined) return t("Active, waiting for a first trade");
  return time ? t("Active, last triggered {time}", { time }) : t("Active");
}
