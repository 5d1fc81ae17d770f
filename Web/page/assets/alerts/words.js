// Words for an alert's state, and the button that edits it.

import { localMoment } from "../text/format.js";
import { plural, sentence, t } from "../text/texts.js";
import { h, icon } from "../ui/dom.js";

// The levels of a market's alerts, for the chart and the book.
/** @typedef {{id: string, level: string, isArmed: boolean, again: boolean}} AlertLevel */

/**
 * A market's pending alerts, as exact digits.
 * @param {Topic.Alerts | undefined} state of topic `alerts`
 * @param {string} venue
 * @param {string} symbol
 * @returns {AlertLevel[]}
 */
export const alertLevels = (state, venue, symbol) => (state?.rows ?? [])
  .filter((row) => row.venue === venue && row.symbol === symbol && (row.armed || row.again))
  .map(({ id, level, armed, again }) => ({ id, level, isArmed: armed, again }));

export const editButton = () =>
  h("button.icon-button", { type: "button", "data-changes": true }, icon("edit"));

// The pauses of a repeating alert in seconds; the first is the default.
export const PAUSES = new Map([
  [60, t("1 minute")], [300, t("5 minutes")], [3600, t("1 hour")], [86_400, t("1 day")],
]);

// "Once", "Every cross", "Every cross, 5 minutes apart".
/** @param {Topic.PriceAlert} alert */
export function oftenWord({ again, pause }) {
  if (!again) return t("Once");
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
export function stateWord({ armed, again, pause, firedAt, side }, now) {
  const rested = pause && firedAt !== undefined ? firedAt + pause * 1000 : 0;
  if (again && now < rested) return t("Paused until {time}", { time: localMoment(rested, now) });
  const time = firedAt === undefined ? "" : localMoment(firedAt, now);
  if (!armed && again) return t("At the level; triggered {time}", { time });
  if (!armed) return t("Triggered {time}", { time });
  if (side === undefined) return t("Active, waiting for a first trade");
  return time ? t("Active, last triggered {time}", { time }) : t("Active");
}
