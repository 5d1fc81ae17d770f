// Announces firings of alerts by toast, voice, sound and system notification.

import { localMoment, minuteMoment, number, percent } from "../text/format.js";
import { preferences } from "../text/preferences.js";
import { plural, t } from "../text/texts.js";

/** @typedef {Topic.AlertFiring} Firing */

/** Of many missed firings only the newest are announced individually. */
const MAXIMUM_TOLD_ALONE = 3;

// The quiet sound of an alert: two soft notes, synthesised so that nothing is loaded.
const NOTES = [{ hertz: 660, after: 0 }, { hertz: 880, after: 0.16 }];
const LOUDNESS = 0.06;
const SECONDS = 0.35;

/** @type {AudioContext | null} */
let context = null;

/** Plays the sound, if the user's interaction has unlocked audio. */
export function chime() {
  try {
    context ??= new AudioContext();
    void context.resume();
    if (context.state !== "running") return;
    for (const note of NOTES) play(context, note);
  } catch {
    // A device without sound.
  }
}

/** @param {AudioContext} audio @param {{hertz: number, after: number}} note */
function play(audio, { hertz, after }) {
  const start = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + SECONDS);
}

// Browsers keep a page silent until the user has interacted with it.
addEventListener("pointerdown", () => void context?.resume(), { passive: true });

/**
 * `announce(text)` announces to a screen reader, `toast(text)` shows it for a while.
 * @param {Firing[]} firings newest first
 * @param {number} now
 * @param {{announce: (text: string) => unknown, toast: (text: string) => unknown}} tell
 */
export function announceFirings(firings, now, { announce, toast }) {
  const more = firings.length - MAXIMUM_TOLD_ALONE;
  for (const firing of firings.slice(0, MAXIMUM_TOLD_ALONE).reverse()) {
    const text = firingText(firing, now);
    toast(text);
    announce(text);
    notify(firing, text);
  }
  if (more > 0) toast(plural(more, "1 more alert triggered. See Alerts.",
    "{count} more alerts triggered. See Alerts."));
  if (preferences.sound === "on") chime();
}

// "AAPL rose to 46.00 at 14:32:07: alert at 45.50. Not seen since 14:30."
/** @param {Firing} firing @param {number} now */
export function firingText(firing, now) {
  const text = firing.kind === "price" ? crossingText(firing, now)
    : `${firing.symbol}, ${localMoment(firing.time, now)}: ${conditionText(firing)}`;
  const { blindSince } = firing;
  return blindSince === undefined ? text
    : `${text} ${t("Not seen since {time}.", { time: minuteMoment(blindSince, now) })}`;
}

/** @param {Firing} firing @param {number} now */
function crossingText({ symbol, direction, price, time, level }, now) {
  const figures = { symbol, price: number(price), time: localMoment(time, now),
    level: number(level) };
  return direction === "up"
    ? t("{symbol} rose to {price} at {time}: alert at {level}.", figures)
    : t("{symbol} fell to {price} at {time}: alert at {level}.", figures);
}

/** @param {Firing} firing */
function conditionText({ kind, value, level, window = 0 }) {
  const [minutes, limit] = [window / 60, number(level)];
  switch (kind) {
    case "spread": return t("The spread was {0} bp; alert at {1} bp.",
      { 0: number(value), 1: limit });
    case "volume": return t("{0} traded within {1} min; alert at {2}.",
      { 0: number(value), 1: minutes, 2: limit });
    case "book": return t("No valid order book for {0} s.", { 0: number(value) });
    default: return t("Changed by {0} within {1} min; alert at {2}.",
      { 0: percent(value), 1: minutes, 2: percent(level) });
  }
}

// Notifies through the system while the page is not in view; two tabs share one notification.
/** @param {Firing} firing @param {string} text */
function notify(firing, text) {
  if (globalThis.Notification?.permission !== "granted" || document.hasFocus()) return;
  try {
    new Notification(t("{symbol} · alert", { symbol: firing.symbol }),
      { body: text, tag: `alert-${firing.number}` });
  } catch {
    // Some browsers let only a service worker notify.
  }
}
