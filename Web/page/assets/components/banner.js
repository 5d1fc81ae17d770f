// @ts-check
// A banner, and only for an outage that lasts: two seconds are waited out in silence. It has room
// of its own under the top bar: nothing that can be pressed or read lies under it.

import { byId, h, setAttribute, setText } from "../dom.js";
import { t, told } from "../texts.js";
import { ago, isOutage } from "../words.js";

const PATIENCE_MILLISECONDS = 2000;

export class Banner {
  #element = byId("banner");
  #text = h("span.banner-text");
  #button = h("button.button.small", { type: "button" });
  /** @type {Map<string, number>} */
  #downSince = new Map();
  #close = h("button.icon-button", { type: "button", "aria-label": t("Hide this message") }, "✕");
  #link;
  #status;
  #details;
  #shown = "";
  #hidden = "";
  /** @type {() => void} */
  #act = () => {};

  /**
   * @param {object} page
   * @param {import("../link.js").Link} page.link
   * @param {import("../topics.js").Entry<Topic.Status>} page.status
   * @param {() => void} page.details shows all connections
   */
  constructor({ link, status, details }) {
    this.#link = link;
    this.#status = status;
    this.#details = details;
    this.#element.append(h("span.dot", { "aria-hidden": "true" }), this.#text, this.#button,
      this.#close);
    this.#button.addEventListener("click", () => this.#act());
    // Hidden until something else breaks; the chip goes on saying it.
    this.#close.addEventListener("click", () => {
      this.#hidden = this.#shown;
      this.render();
    });
  }

  /** Draws it, and returns the outage in a few words; null when there is none. */
  render() {
    const outage = this.#ownOutage() ?? this.#venueOutage();
    this.#shown = outage?.spoken ?? "";
    if (this.#hidden !== this.#shown) this.#hidden = "";
    setAttribute(this.#element, "hidden", !outage || this.#hidden === this.#shown);
    if (!outage) return null;
    setText(this.#text, outage.text);
    setText(this.#button, outage.label);
    this.#act = outage.act;
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
    return { text: `${since} ${next}`, spoken: t("Connection to Livetape lost"),
      label: t("Try now"),
      act: () => link.retryNow() };
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
    const reason = down.length === 1 ? told(venues[down[0]].reason) : "";
    const text = `${spoken}. ${reason || t("Prices shown are the last known ones.")}`;
    return { text, spoken, label: t("Details"), act: this.#details };
  }

  /**
   * Whether something has been down for longer than a person need not know.
   * @param {string} key
   * @param {boolean} isDown
   */
  #lasts(key, isDown) {
    const now = performance.now();
    const since = this.#downSince.get(key) ?? now;
    if (isDown) this.#downSince.set(key, since);
    else this.#downSince.delete(key);
    return isDown && now - since > PATIENCE_MILLISECONDS;
  }
}
