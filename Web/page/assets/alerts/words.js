// Words for an alert's state, and the button that edits it.

import { localMoment } from "../text/format.js";
import { t } from "../text/texts.js";
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

// "Once", "Every cross".
/** @param {Topic.PriceAlert} alert */
export const oftenWord = ({ again }) => (again ? t("Every cross") : t("Once"));

// "Active", "Fired 14:32:07", "At the level since 14:32:07": its current state.
/** @param {Topic.PriceAlert} alert @param {number} now */
export function stateWord({ armed, again, firedAt, side }, now) {
  const time = firedAt === undefined ? "" : localMoment(firedAt, now);
  if (!armed && again) return t("At the level; triggered {time}", { time });
  if (!armed) return t("Triggered {time}", { time });
  if (side === undefined) return t("Active, waiting for a first trade");
  return time ? t("Active, last triggered {time}", { time }) : t("Active");
}
