// The user's alerts on this page: the pending ones, the fired ones, and one announcement of each
// firing.

import { read, remember } from "../base/storage.js";
import { sentence } from "../text/texts.js";
import { withPart } from "../ui/lazy.js";
import { AWAY, VIEW_ONLY } from "../ui/view-only.js";

/** @typedef {Topic.AlertFiring} Firing */

const TOLD_KEY = "alerts.told";

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
   * @param {Wire.AlertTerms} terms
   * @param {boolean} again
   * @param {number} [pause]
   */
  add(market, terms, again, pause) {
    this.#do({ do: "alert.add", market, ...terms, again, pause });
    if (globalThis.Notification?.permission === "default") void Notification.requestPermission();
  }

  // Changes an alert, which is armed again.
  /**
   * @param {string} id
   * @param {Wire.AlertTerms} terms
   * @param {boolean} again
   * @param {number} [pause]
   */
  edit(id, terms, again, pause) {
    this.#do({ do: "alert.edit", id, ...terms, again, pause });
  }

  // Moves an alert to another price.
  /** @param {string} id @param {string} price */
  move(id, price) {
    const row = this.entry.state?.rows.find((alert) => alert.id === id);
    if (row) this.edit(id, { price }, row.again, row.pause ?? 0);
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
    withPart("announceFirings", (announce) =>
      announce(firings, this.#link.now(), { announce: this.#announce, toast: this.#toast }));
  }
}

/** The newest firing that this tab announced, else any tab of this device. */
function toldBefore() {
  const known = read(TOLD_KEY, "sessionStorage") ?? read(TOLD_KEY);
  return known !== null && /^\d{1,15}$/.test(known) ? Number(known) : null;
}
