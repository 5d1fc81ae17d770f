// The zone in which the page writes times: the reader's own, UTC, or that of the venue on screen;
// one for all of it.

import { preferences } from "./preferences.js";
import { t } from "./texts.js";

/** @typedef {{first: number, changes: [time: number, offset: number][]}} Offsets */

const DAY = 86_400_000;
/** No zone changes its clock twice within so many days. */
const STRIDE_DAYS = 14;
const MOST_CHANGES = 256;
/** What is further away than this is read as the time that is so far away. */
const FARTHEST_YEARS = 60;

/** What the venue on screen calls its zone, as IANA names it. */
let ofVenue = "UTC";
/** @type {Map<string, Intl.DateTimeFormat>} */
const readers = new Map();

// The zone of the venue on screen; UTC where the catalogue knows none, or `Intl` does not.
/** @param {string | undefined} name as IANA names it */
export function setVenueZone(name = "UTC") {
  ofVenue = isZone(name) ? name : "UTC";
}

/** For `Intl`: nothing stands for the reader's own. */
export function timeZone(zone = preferences.zone) {
  return zone === "utc" ? "UTC" : zone === "venue" ? ofVenue : undefined;
}

// Milliseconds of the zone ahead of UTC at a time.
/** @param {number} time */
export function zoneOffset(time, zone = preferences.zone) {
  const name = timeZone(zone);
  if (name === "UTC") return 0;
  if (name !== undefined) return offsetIn(name, time);
  return -new Date(time).getTimezoneOffset() * 60_000 || 0;
}

// The offset at `from`, and those that follow it until `to`, each with the time it begins: so that
// lines of a chart fall on the hours and days of a clock that is set forward and back.
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
 * The first minute that has another offset than the one before.
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

// "UTC", "UTC+1" or "UTC−3:30": what the zone is at a time.
/** @param {number} time */
export function zoneName(time = Date.now(), zone = preferences.zone) {
  const minutes = zoneOffset(time, zone) / 60_000;
  if (!Number.isFinite(minutes) || minutes === 0) return "UTC";
  const [size, sign] = [Math.abs(minutes), minutes < 0 ? "\u2212" : "+"];
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${sign}${Math.floor(size / 60)}${rest}`;
}

// What the clock of the page is called: "local", "UTC", or "UTC+1" of a venue.
/** @param {number} time */
export const zoneWord = (time, zone = preferences.zone) =>
  (zone === "local" ? t("local") : zoneName(time, zone));

/** @param {string} name @param {number} time */
function offsetIn(name, time) {
  if (!Number.isFinite(time)) return 0;
  let reader = readers.get(name);
  if (!reader) {
    reader = new Intl.DateTimeFormat("en-US", {
      calendar: "gregory", timeZone: name, hourCycle: "h23", era: "narrow", year: "numeric",
      month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
    });
    readers.set(name, reader);
  }
  /** @type {{[type: string]: number}} */
  const part = {};
  for (const { type, value } of reader.formatToParts(time)) part[type] = Number(value);
  const shown = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return shown - Math.floor(time / 1000) * 1000;
}

/** @param {string} name */
function isZone(name) {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
