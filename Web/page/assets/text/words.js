// Words for states on screen, from the vocabulary that the apps share.

import { minuteMoment, number } from "./format.js";
import { inSentence, sentence, t } from "./texts.js";
import { AGES, FRESHNESS, ORIGINS, PHASES } from "./vocabulary.js";

// A duration in words: seconds below two minutes, then minutes, hours, days.
/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const unit = AGES.find(({ below }) => below === null || seconds < below) ?? AGES[0];
  return `${Math.floor(seconds / unit.seconds)} ${t(unit.word)}`;
}

// An age in words: "12 s ago", as in the apps.
/** @param {number} milliseconds */
export const ago = (milliseconds) =>
  (milliseconds < 1000 ? t("just now") : t("{duration} ago",
    { duration: duration(milliseconds) }));

// An age with tenths of a second while they matter: "0.4 s ago".
/** @param {number} milliseconds */
export function preciseAge(milliseconds) {
  if (milliseconds >= 10_000) return ago(milliseconds);
  const tenths = (Math.max(0, Math.floor(milliseconds / 100)) / 10).toFixed(1);
  return t("{duration} ago", { duration: `${number(tenths, 1)} ${t("s")}` });
}

/**
 * A quantity with its unit: "24.7k BTC", "1 contract".
 * @param {string} plain as sent by the server
 * @param {string} text as displayed
 * @param {string} unit
 */
export const withUnit = (plain, text, unit) =>
  (unit !== "contracts" ? `${text} ${unit}`.trim()
    : plain === "1" ? t("{count} contract", { count: text })
    : t("{count} contracts", { count: text }));

// A figure's name with its window: "24 h high", or "High since 09:05" if less than a day of data is
// available.
/** @param {string} name @param {number | undefined} since @param {number} now */
export function ofWindow(name, since, now) {
  if (since !== undefined) {
    return t("{name} since {time}", { name, time: minuteMoment(since, now) });
  }
  return `24 h ${name === name.toUpperCase() ? name : inSentence(name)}`;
}

// Severity of a state: 0 for live, higher the less reliable, -1 for stopped by the user.
/** @param {Seen["state"]} state */
export const severity = (state) => (state === "stopped" ? -1 : FRESHNESS[state].severity);

// The name of a state of freshness.
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

// Texts as sentences; absent ones are left out.
/** @param {(string | false | null | undefined)[]} texts */
export const sentences = (texts) => texts.filter(Boolean).map((text) => `${text}.`).join(" ");

// A long name for a sentence, cut at 40 characters.
/** @param {string} name */
export const shortened = (name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

/**
 * Freshness of the price tracker's values. A connection that the user stopped gives "stopped",
 * which is not a fault.
 * @param {Seen} freshness
 * @param {Link} link
 * @param {Entry<Topic.Status>} status
 * @returns {Seen}
 */
export function knowingStop(freshness, link, status) {
  const isStopped = link.trusted && status.state?.venues.echo?.phase === "stopped";
  return isStopped ? { ...freshness, state: "stopped" } : freshness;
}

// The badge for values that do not come from a real venue; empty for venue data.
/** @param {Topic.Freshness["origin"] | undefined} origin */
export const originText = (origin) => t((origin && ORIGINS[origin]?.badge) ?? "");

// The badge's explanation; null if there is no badge or it needs no explanation.
/** @param {Topic.Freshness["origin"]} origin */
export const originTitle = (origin) =>
  t(ORIGINS[origin]?.explanation ?? "") || null;

// A venue's phase in words.
/** @param {Topic.Venue["phase"]} phase */
export const phaseText = (phase) => (PHASES[phase] ? t(PHASES[phase].word) : t("Unknown"));

// A venue's state for the status chip, one of three words.
/** @param {Pick<Topic.Venue, "phase">} venue */
export const connectionWord = (venue) => PHASES[venue.phase]?.indicator ?? "disconnected";

// Whether a disconnected venue is an outage: one that was never started is not.
/** @param {Topic.Venue} venue */
export const isOutage = (venue) => PHASES[venue.phase]?.isOutage ?? !venue.connected;

// "up", "down" or empty.
/** @param {string | undefined} direction */
export const directionText = (direction) =>
  (direction === "up" ? t("up") : direction === "down" ? t("down") : "");

// For screen readers: ", up".
/** @param {string | undefined} direction */
export const directionWord = (direction) =>
  direction === "up" || direction === "down" ? `, ${directionText(direction)}` : "";

// Why a product failed, in the server's words.
/** @param {Topic.ProductFailure | undefined} failure */
export const failureText = (failure) =>
  sentence(failure?.message) || t("The product could not be loaded.");
