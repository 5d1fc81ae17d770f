// The page's time zone: the user's own or UTC.

import { preferences } from "./preferences.js";
import { t } from "./texts.js";

/** @typedef {{first: number, changes: [time: number, offset: number][]}} Offsets */

const DAY = 86_400_000;
/** No zone changes its offset twice within this many days. */
const STRIDE_DAYS = 14;
const MOST_CHANGES = 256;
/** Times further away use the offset at this distance. */
const FARTHEST_YEARS = 60;

/** For `Intl`: undefined selects the user's own zone. */
export const timeZone = (zone = preferences.zone) => (zone === "utc" ? "UTC" : undefined);

// Milliseconds that the zone is ahead of UTC at a time.
/** @param {number} time */
export const zoneOffset = (time, zone = preferences.zone) =>
  (timeZone(zone) === "UTC" ? 0 : -new Date(time).getTimezoneOffset() * 60_000 || 0);

// The offset at `from` and the changes until `to`, each with its time, so that the chart's grid
// lines fall on local hours and days across clock changes.
/** @param {number} from @param {number} to @returns {Offsets} */
export function zoneOffsets(from, to, zone = preferences.zone) {
  const now = Date.now();
  const reach = FARTHEST_YEARS * 365 * DAY;
  let at = Math.min(now + reach, Math.max(now - reach, from));
  const end = Math.min(now + reach, to);
  const first = zoneOffset(at, zone);
  /** @type {Offsets["changes"]} */
  const changes = [];
  let before = first;
  while (at < end && changes.length < MOST_CHANGES) {
    const next = at + STRIDE_DAYS * DAY;
    const offset = zoneOffset(next, zone);
    if (offset !== before) changes.push([changeBetween(at, next, before, zone), offset]);
    [at, before] = [next, offset];
  }
  return { first, changes };
}

/**
 * The first minute whose offset differs from the one before.
 * @param {number} from
 * @param {number} to
 * @param {number} before the offset at `from`
 * @param {string} zone
 */
function changeBetween(from, to, before, zone) {
  let [low, high] = [Math.floor(from / 60_000), Math.ceil(to / 60_000)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffset(middle * 60_000, zone) === before) low = middle + 1;
    else high = middle;
  }
  return high * 60_000;
}

// The zone's name at a time: "UTC", "UTC+1" or "UTC−3:30".
/** @param {number} time */
export function zoneName(time = Date.now(), zone = preferences.zone) {
  const minutes = zoneOffset(time, zone) / 60_000;
  if (!Number.isFinite(minutes) || minutes === 0) return "UTC";
  const [size, sign] = [Math.abs(minutes), minutes < 0 ? "\u2212" : "+"];
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${sign}${Math.floor(size / 60)}${rest}`;
}

// The label of the page's clock: "local" or "UTC".
/** @param {number} time */
export const zoneWord = (time, zone = preferences.zone) =>
  (zone === "local" ? t("local") : zoneName(time, zone));
