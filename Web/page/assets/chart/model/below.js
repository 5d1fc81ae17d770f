// What stands under the label of the latest price: when its candle closes, or how old it is.

import { t } from "../../text/texts.js";
import { ago } from "../../text/words.js";

/**
 * "in 0:53", "in 3:12:09", "in 2 d"; "12 s ago" of a price that is not live; empty where nothing is
 * known of time.
 * @param {{closesIn: number} | null} live
 * @param {{now: number | undefined, dimmed: boolean, confirmedAt: number | null}} at
 */
export function belowPrice(live, { now, dimmed, confirmedAt }) {
  if (!live || now === undefined) return "";
  if (dimmed) return confirmedAt === null ? "" : ago(Math.max(0, now - confirmedAt));
  const seconds = Math.ceil(live.closesIn / 1000);
  if (seconds >= 2 * 86_400) return t("in {count} d", { count: Math.floor(seconds / 86_400) });
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const time = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
  return t("in {time}", { time });
}
