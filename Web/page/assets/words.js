// @ts-check
// What states are called on screen. One place, so that the same state has the same words
// everywhere.

import { minuteMoment } from "./format.js";

/**
 * A length of time in words: seconds below two minutes, then minutes, hours, days.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/**
 * How long ago something was: "12 s ago", as the apps say it.
 * @param {number} milliseconds
 */
export const ago = (milliseconds) =>
  (milliseconds < 1000 ? "just now" : `${duration(milliseconds)} ago`);

/**
 * What a figure is a figure of, around its name: "24 h high", or "High since 09:05" where less
 * than a day is known.
 * @param {string} name
 * @param {number | undefined} since
 * @param {number} now
 */
export function ofWindow(name, since, now) {
  if (since !== undefined) return `${name} since ${minuteMoment(since, now)}`;
  return `24 h ${name === name.toUpperCase() ? name : name.toLowerCase()}`;
}

/**
 * The states of freshness, from the least severe to the most severe.
 * @type {Topic.Freshness["state"][]}
 */
export const BY_SEVERITY = [
  "live", "closed", "late", "stale", "resyncing", "waiting", "disconnected",
];

const FRESHNESS = {
  waiting: "Waiting",
  live: "Live",
  late: "Late",
  stale: "Stale",
  resyncing: "Resyncing",
  disconnected: "Disconnected",
  closed: "Market closed",
  stopped: "Stopped",
};

/**
 * "Stale · 12 s ago".
 * @param {Pick<Seen, "state" | "confirmedAt">} freshness
 * @param {number} now
 */
export function freshnessText(freshness, now, word = FRESHNESS[freshness.state] ?? "Unknown") {
  if (!freshness.confirmedAt) return word;
  return `${word} · ${ago(now - freshness.confirmedAt)}`;
}

/**
 * A long name for a sentence: its beginning, and dots.
 * @param {string} name
 */
export const shortened = (name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

/**
 * Freshness of the price tracker's values, given the connections: what a person stopped is
 * "stopped", which is no fault.
 * @param {Seen} freshness
 * @param {import("./link.js").Link} link
 * @param {import("./topics.js").Entry<Topic.Status>} status
 * @returns {Seen}
 */
export function knowingStop(freshness, link, status) {
  const isStopped = link.trusted && status.state?.venues.echo?.phase === "stopped";
  return isStopped ? { ...freshness, state: "stopped" } : freshness;
}

/**
 * The badge for values that do not come from a real venue; empty for those that do.
 * @param {Topic.Freshness["origin"] | undefined} origin
 */
export function originText(origin) {
  if (origin === "simulated") return "Simulated";
  if (origin === "custom") return "Custom address";
  return origin === "replay" ? "Replay" : "";
}

/**
 * What the badge means; null where there is none.
 * @param {Topic.Freshness["origin"]} origin
 */
export function originTitle(origin) {
  if (origin === "simulated") return "Made by Livetape's own simulator: not a real market";
  return origin === "custom" ? "From an address that was given, not the venue's public one" : null;
}

const PHASES = {
  idle: "Not started",
  connecting: "Connecting",
  handshaking: "Handshaking",
  awaitingReady: "Waiting for welcome",
  subscribing: "Subscribing",
  live: "Connected",
  stale: "No data",
  backingOff: "Disconnected",
  stopped: "Stopped",
  refused: "Refused",
};

/**
 * A venue's phase for people.
 * @param {Topic.Venue["phase"]} phase
 */
export const phaseText = (phase) => PHASES[phase] ?? "Unknown";

/** @type {Set<Topic.Venue["phase"]>} */
const TRYING = new Set(["connecting", "handshaking", "awaitingReady"]);

/**
 * One of the three words of the status chip for a venue.
 * @param {Pick<Topic.Venue, "connected" | "phase">} venue
 */
export function connectionWord(venue) {
  if (venue.connected) return "connected";
  return TRYING.has(venue.phase) ? "connecting" : "disconnected";
}

/**
 * Whether a venue that is not connected means an outage: one that nobody started does not.
 * @param {Topic.Venue} venue
 */
export const isOutage = (venue) =>
  !venue.connected && venue.phase !== "idle" && venue.phase !== "stopped";

/**
 * For sentences that are read aloud: ", up".
 * @param {string | undefined} direction
 */
export const directionWord = (direction) =>
  direction === "up" || direction === "down" ? `, ${direction}` : "";

/**
 * Why a product failed, in the server's words.
 * @param {Topic.ProductFailure | undefined} failure
 */
export const failureText = (failure) =>
  failure?.message || "The product could not be loaded.";
