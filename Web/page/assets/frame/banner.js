// Outages of more than two seconds, in the message line. The status chip beside it shows them too,
// and offers the retry.

import { read, remember } from "../base/storage.js";
import { sentence, t } from "../text/texts.js";
import { ago, isOutage } from "../text/words.js";
import { byId, h, setAttribute, setText } from "../ui/dom.js";

const PATIENCE_MILLISECONDS = 2000;
const INTRO_KEY = "introSeen";

// On the first visit with simulated venues: what this market is, and how to go live. Shown in the
// message line until dismissed, or until another message needs the line.
export class Intro {
  #element = byId("intro");
  #status;
  #isSeen = read(INTRO_KEY) === "yes";

  /** @param {Entry<Topic.Status>} status */
  constructor(status) {
    this.#status = status;
    const dismiss = h("button.intro-dismiss", { type: "button" }, t("Dismiss"));
    dismiss.addEventListener("click", () => {
      this.#isSeen = true;
      remember(INTRO_KEY, "yes");
      this.render();
    });
    setAttribute(this.#element, "aria-label", t("Demo market"));
    this.#element.append(h("span.intro-text", {}, t("Built-in demo market: prices are simulated."),
      h("span.intro-more", {}, ` ${t("For live prices, start Livetape with --venues live.")}`)),
    dismiss);
  }

  render() {
    const venues = Object.values(this.#status.state?.venues ?? {});
    const isDemo = venues.some(({ origin }) => origin === "simulated");
    setAttribute(this.#element, "hidden", this.#isSeen || !isDemo);
  }
}

export class Banner {
  #element = byId("banner");
  #text = h("span.banner-text");
  /** @type {Map<string, number>} */
  #downSince = new Map();
  #link;
  #status;

  /** @param {object} page @param {Link} page.link @param {Entry<Topic.Status>} page.status */
  constructor({ link, status }) {
    this.#link = link;
    this.#status = status;
    this.#element.append(h("span.dot", { "aria-hidden": "true" }), this.#text);
  }

  /** Draws the banner; returns the outage in a few words, or null. */
  render() {
    const outage = this.#ownOutage() ?? this.#venueOutage();
    setAttribute(this.#element, "hidden", !outage);
    if (!outage) return null;
    setText(this.#text, outage.text);
    return outage.spoken;
  }

  #ownOutage() {
    const link = this.#link;
    if (!this.#lasts("", !link.trusted)) return null;
    const wait = link.nextAttemptAt
      ? Math.ceil(Math.max(0, link.nextAttemptAt - Date.now()) / 1000) : 0;
    const next = wait > 0 ? t("Trying again in {wait} s.", { wait }) : t("Trying again…");
    const heard = { ago: ago(link.now() - link.lastMessageAt) };
    const since = !link.neverConnected ? t("Connection to Livetape lost, last heard {ago}.", heard)
      : link.lastMessageAt > 0 ? t("No connection to Livetape. Last known state: {ago}.", heard)
      : t("No connection to Livetape.");
    return { text: `${since} ${next}`, spoken: t("Connection to Livetape lost") };
  }

  #venueOutage() {
    const [link, status] = [this.#link, this.#status];
    if (!link.trusted || !status.confirmed) return null;
    const venues = status.state?.venues ?? {};
    const down = Object.keys(venues).filter((key) => this.#lasts(key, isOutage(venues[key])));
    if (down.length === 0) return null;
    const names = down.map((key) => venues[key].name);
    const [one, two] = names;
    const spoken = names.length > 2 ? t("{count} venues are disconnected", { count: names.length })
      : names.length > 1 ? t("{one} and {two} are disconnected", { one, two })
      : t("{one} is disconnected", { one });
    const reason = down.length === 1 ? sentence(venues[down[0]].reason) : "";
    return { text: `${spoken}. ${reason || t("Prices shown are the last known ones.")}`, spoken };
  }

  // Whether something has been down for longer than the display delay.
  /** @param {string} key @param {boolean} isDown */
  #lasts(key, isDown) {
    const now = performance.now();
    const since = this.#downSince.get(key) ?? now;
    if (isDown) this.#downSince.set(key, since);
    else this.#downSince.delete(key);
    return isDown && now - since > PATIENCE_MILLISECONDS;
  }
}

// Unprompted messages to screen readers: few, polite, at most one in 5 s.
const EVERY_MILLISECONDS = 5000;
const MAXIMUM_WAITING = 4;

export class Announcer {
  #element = byId("announcer");
  #state = "";
  /** @type {{text: string, isNews: boolean}[]} */
  #waiting = [];
  #saidAt = -Infinity;
  #timer = 0;

  // Announces a state when it changes; of several waiting states only the latest is kept.
  /** @param {string} text */
  say = (text) => {
    if (text === this.#state) return;
    this.#state = text;
    this.#waiting = this.#waiting.filter((message) => message.isNews);
    this.#waiting.push({ text, isNews: false });
    this.#soon();
  };

  // Announces news, such as an order's result. It outlasts states; waiting news is joined.
  /** @param {string} text */
  tell = (text) => {
    this.#waiting.push({ text, isNews: true });
    this.#waiting.splice(0, this.#waiting.length - MAXIMUM_WAITING);
    this.#soon();
  };

  // Answers a request: at once, also with the text of the last message.
  /** @param {string} text */
  answer = (text) => {
    this.#element.textContent = "";
    this.#saidAt = performance.now();
    requestAnimationFrame(() => { this.#element.textContent = text; });
    if (this.#waiting.length > 0) this.#soon();
  };

  #soon() {
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#saidAt + EVERY_MILLISECONDS - performance.now());
    this.#timer = setTimeout(() => {
      this.#saidAt = performance.now();
      this.#element.textContent = this.#waiting.splice(0).map((message) => message.text).join(" ");
    }, wait);
  }
}
