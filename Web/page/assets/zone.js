// @ts-check
// The zone in which the page writes times: the reader's own, or UTC by choice; one for all of it.

import { preferences } from "./preferences.js";

/** For `Intl`: nothing stands for the reader's own. */
export const timeZone = () => (preferences.zone === "utc" ? "UTC" : undefined);

/**
 * Milliseconds of the zone ahead of UTC at a time.
 * @param {number} time
 */
export function zoneOffset(time, zone = preferences.zone) {
  return zone === "utc" ? 0 : -new Date(time).getTimezoneOffset() * 60_000 || 0;
}

/**
 * "UTC", "UTC+1" or "UTC−3:30": what the zone is at a time.
 * @param {number} time
 */
export function zoneName(time, zone = preferences.zone) {
  const minutes = zoneOffset(time, zone) / 60_000;
  if (!Number.isFinite(minutes) || minutes === 0) return "UTC";
  const [size, sign] = [Math.abs(minutes), minutes < 0 ? "\u2212" : "+"];
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${sign}${Math.floor(size / 60)}${rest}`;
}
