// The user's alerts on this page: the pending ones, the fired ones, and one announcement of each
// firing by toast, voice, sound and system notification.

import { read, remember } from "../base/storage.js";
import { localMoment, minuteMoment, number } from "../text/format.js";
import { preferences } from "../text/preferences.js";
import { plural, sentence, t } from "../text/texts.js";
import { AWAY, VIEW_ONLY } from "../ui/view-only.js";

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

/** @typedef {Topic.AlertFiring} Firing */

const TOLD_KEY = "alerts.told";
/** Of many missed firings only the newest are announced individually. */
const MAXIMUM_TOLD_ALONE = 3;

export class Alerts {
  #link;
  #announce;
  #toast;
  /** @type {Set<(message: string) => unknown>} */
  #refusals = new Set();
  /** The number of the newest firing that this tab announced; null before the first list. */
  #told = toldBefore();

  /**
   * `announce(text)` announces to a screen reader, `toast(text)` shows it for a while.
   * @param {Link} link
   * @param {{announce: (text: string) => unknown, toast: (text: string) => unknown}} tell
   */
  constructor(link, { announce, toast }) {
    this.#link = link;
    this.#announce = announce;
    this.#toast = toast;
    this.entry = link.topics.open("alerts", () => this.#tellNew()).entry;
    link.hear("error", ({ code, message }) => {
      if (code === "bad_alert") this.#refuse(sentence(message));
    });
  }

  /** The number of pending alerts; undefined until loaded. */
  get count() {
    return this.entry.state?.rows.filter(({ armed, again }) => armed || again).length;
  }

  // A market's alerts, from the server.
  /** @param {string} venue @param {string} symbol */
  of(venue, symbol) {
    return this.entry.state?.rows.filter((row) => row.venue === venue && row.symbol === symbol)
      ?? [];
  }

  // Sets an alert. The first one requests permission for notifications, which needs a press.
  // `pause` is for how many seconds it does not fire again.
  /**
   * @param {string} market venue and symbol
   * @param {string} price
   * @param {boolean} again
   * @param {number} [pause]
   */
  add(market, price, again, pause) {
    this.#do({ do: "alert.add", market, price, again, pause });
    if (globalThis.Notification?.permission === "default") void Notification.requestPermission();
  }

  // Changes an alert, which is armed again.
  /** @param {string} id @param {string} price @param {boolean} again @param {number} [pause] */
  edit(id, price, again, pause) {
    this.#do({ do: "alert.edit", id, price, again, pause });
  }

  // Moves an alert to another price.
  /** @param {string} id @param {string} price */
  move(id, price) {
    const row = this.entry.state?.rows.find((alert) => alert.id === id);
    if (row) this.edit(id, price, row.again, row.pause ?? 0);
  }

  /** @param {string} id */
  remove(id) {
    this.#do({ do: "alert.remove", id });
  }

  /** @param {string} id */
  arm(id) {
    this.#do({ do: "alert.arm", id });
  }

  /** @param {Wire.Action} action */
  #do(action) {
    if (!this.#link.do(action)) this.#refuse(this.#link.viewsOnly ? VIEW_ONLY : AWAY);
  }

  /** @param {string} message */
  #refuse(message) {
    for (const refused of this.#refusals) refused(message);
  }

  // Calls `refused` with the reason when the server rejects a page's action. Returns the release.
  /** @param {(message: string) => unknown} refused @returns {Release} */
  hearRefusal(refused) {
    this.#refusals.add(refused);
    return () => this.#refusals.delete(refused);
  }

  #tellNew() {
    const firings = this.entry.confirmed ? this.entry.state?.firings : undefined;
    if (!firings) return;
    const newest = firings[0]?.number ?? 0;
    // A new page missed none; lower numbers mean that the alerts were reset.
    const told = this.#told === null || this.#told > newest ? newest : this.#told;
    const isFirst = this.#told === null;
    this.#told = newest;
    if (told === newest && !isFirst) return;
    for (const area of /** @type {const} */ (["localStorage", "sessionStorage"])) {
      remember(TOLD_KEY, String(newest), area);
    }
    this.#tell(firings.filter((firing) => firing.number > told));
  }

  /** @param {Firing[]} firings newest first */
  #tell(firings) {
    if (firings.length === 0) return;
    const now = this.#link.now();
    const more = firings.length - MAXIMUM_TOLD_ALONE;
    for (const firing of firings.slice(0, MAXIMUM_TOLD_ALONE).reverse()) {
      const text = firingText(firing, now);
      this.#toast(text);
      this.#announce(text);
      notify(firing, text);
    }
    if (more > 0) this.#toast(plural(more, "1 more alert triggered. See Alerts.",
      "{count} more alerts triggered. See Alerts."));
    if (preferences.sound === "on") chime();
  }
}

/** The newest firing that this tab announced, else any tab of this device. */
function toldBefore() {
  const known = read(TOLD_KEY, "sessionStorage") ?? read(TOLD_KEY);
  return known !== null && /^\d{1,15}$/.test(known) ? Number(known) : null;
}

// "AAPL rose to 46.00 at 14:32:07: alert at 45.50. Not seen since 14:30."
/** @param {Firing} firing @param {number} now */
export function firingText({ symbol, direction, price, time, level, blindSince }, now) {
  const figures = { symbol, price: number(price), time: localMoment(time, now),
    level: number(level) };
  const text = direction === "up"
    ? t("{symbol} rose to {price} at {time}: alert at {level}.", figures)
    : t("{symbol} fell to {price} at {time}: alert at {level}.", figures);
  return blindSince === undefined ? text
    : `${text} ${t("Not seen since {time}.", { time: minuteMoment(blindSince, now) })}`;
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
