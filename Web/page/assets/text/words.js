// What states are called on screen, by the vocabulary that the apps have, too.

import { minuteMoment, number } from "./format.js";
import { inSentence, t, told } from "./texts.js";
import { AGES, FRESHNESS, ORIGINS, PHASES } from "./vocabulary.js";

// A length of time in words: seconds below two minutes, then minutes, hours, days.
/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const unit = AGES.find(({ below }) => below === null || seconds < below) ?? AGES[0];
  return `${Math.floor(seconds / unit.seconds)} ${t(unit.word)}`;
}

// How long ago something was: "12 s ago", as the apps say it.
/** @param {number} milliseconds */
export const ago = (milliseconds) =>
  (milliseconds < 1000 ? t("just now") : t("{duration} ago",
    { duration: duration(milliseconds) }));

// How long ago something was, to the tenth of a second while that says something: "0.4 s ago".
/** @param {number} milliseconds */
export function preciseAge(milliseconds) {
  if (milliseconds >= 10_000) return ago(milliseconds);
  const tenths = (Math.max(0, Math.floor(milliseconds / 100)) / 10).toFixed(1);
  return t("{duration} ago", { duration: `${number(tenths, 1)} ${t("s")}` });
}

/**
 * A quantity and what it counts: "24.7k BTC", "1 contract".
 * @param {string} plain as it is sent
 * @param {string} text as it is written
 * @param {string} unit
 */
export const withUnit = (plain, text, unit) =>
  (unit !== "contracts" ? `${text} ${unit}`.trim()
    : plain === "1" ? t("{count} contract", { count: text })
    : t("{count} contracts", { count: text }));

// What a figure is a figure of, around its name: "24 h high", or "High since 09:05" where less
// than a day is known.
/** @param {string} name @param {number | undefined} since @param {number} now */
export function ofWindow(name, since, now) {
  if (since !== undefined) {
    return t("{name} since {time}", { name, time: minuteMoment(since, now) });
  }
  return `24 h ${name === name.toUpperCase() ? name : inSentence(name)}`;
}

// How little a value can be believed: 0 for a live one, less for one that a person stopped.
/** @param {Seen["state"]} state */
export const severity = (state) => (state === "stopped" ? -1 : FRESHNESS[state].severity);

// What a state of freshness is called.
/** @param {keyof typeof FRESHNESS} state */
export const wordOf = (state) => (FRESHNESS[state] ? t(FRESHNESS[state].word) : t("Unknown"));

const STATES = {
  connecting: t("connecting"), connected: t("connected"), disconnected: t("disconnected"),
  stopped: t("stopped"), waiting: t("waiting"),
  queued: t("waiting: too many streams open"), live: t("live"), late: t("late"),
  stale: t("stale"), resyncing: t("resyncing"), closed: t("closed"),
};

// A state of freshness or of a connection, inside a sentence.
/** @param {keyof typeof STATES} state */
export const stateWord = (state) => STATES[state];

/** @param {Seen["state"]} state */
const freshnessWord = (state) => (state === "stopped" ? t("Stopped") : wordOf(state));

// "Stale · 12 s ago".
/** @param {Pick<Seen, "state" | "confirmedAt">} freshness @param {number} now */
export function freshnessText(freshness, now, word = freshnessWord(freshness.state)) {
  if (!freshness.confirmedAt) return word;
  return `${word} · ${ago(now - freshness.confirmedAt)}`;
}

// A long name for a sentence: its beginning, and dots.
/** @param {string} name */
export const shortened = (name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

/**
 * Freshness of the price tracker's values, given the connections: what a person stopped is
 * "stopped", which is no fault.
 * @param {Seen} freshness
 * @param {Link} link
 * @param {Entry<Topic.Status>} status
 * @returns {Seen}
 */
export function knowingStop(freshness, link, status) {
  const isStopped = link.trusted && status.state?.venues.echo?.phase === "stopped";
  return isStopped ? { ...freshness, state: "stopped" } : freshness;
}

// The badge for values that do not come from a real venue; empty for those that do.
/** @param {Topic.Freshness["origin"] | undefined} origin */
export const originText = (origin) => t((origin && ORIGINS[origin]?.badge) ?? "");

// What the badge means; null where there is none, or where it says all.
/** @param {Topic.Freshness["origin"]} origin */
export const originTitle = (origin) =>
  t(ORIGINS[origin]?.explanation ?? "") || null;

// A venue's phase for people.
/** @param {Topic.Venue["phase"]} phase */
export const phaseText = (phase) => (PHASES[phase] ? t(PHASES[phase].word) : t("Unknown"));

// One of the three words of the status chip for a venue.
/** @param {Pick<Topic.Venue, "phase">} venue */
export const connectionWord = (venue) => PHASES[venue.phase]?.indicator ?? "disconnected";

// Whether a venue that is not connected means an outage: one that nobody started does not.
/** @param {Topic.Venue} venue */
export const isOutage = (venue) => PHASES[venue.phase]?.isOutage ?? !venue.connected;

// "up", "down" or nothing.
/** @param {string | undefined} direction */
export const directionText = (direction) =>
  (direction === "up" ? t("up") : direction === "down" ? t("down") : "");

// For sentences that are read aloud: ", up".
/** @param {string | undefined} direction */
export const directionWord = (direction) =>
  direction === "up" || direction === "down" ? `, ${directionText(direction)}` : "";

// Why a product failed, in the server's words.
/** @param {Topic.ProductFailure | undefined} failure */
export const failureText = (failure) =>
  told(failure?.message) || t("The product could not be loaded.");
