// @ts-check
// What the state of an alert is called.

import { localMoment } from "../format.js";

/**
 * "Once", "Every time".
 * @param {Topic.PriceAlert} alert
 */
export const oftenWord = ({ again }) => (again ? "Every time" : "Once");

/**
 * "Armed", "Fired 14:32:07", "At the level since 14:32:07": what it waits for now.
 * @param {Topic.PriceAlert} alert
 * @param {number} now
 */
export function stateWord({ armed, again, firedAt, side }, now) {
  const fired = firedAt === undefined ? "" : `fired ${localMoment(firedAt, now)}`;
  if (!armed && again) return `At the level, ${fired}`;
  if (!armed) return `F${fired.slice(1)}`;
  if (side === undefined) return "Armed, waits for a first trade";
  return fired ? `Armed, ${fired}` : "Armed";
}
