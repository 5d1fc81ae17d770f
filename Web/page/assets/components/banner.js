// A banner, and only for an outage that lasts: two seconds are waited out in silence. It lies over
// the page instead of pushing it, so that nothing jumps.

import { h, setAttribute, setText } from "../dom.js";
import { ago, isOutage } from "../words.js";

const PATIENCE_MILLISECONDS = 2000;

export class Banner {
  #element = document.getElementById("banner");
  #text = h("span.banner-text");
  #button = h("button.button.small", { type: "button" });
  #downSince = new Map();
  #close = h("button.icon-button", { type: "button", "aria-label": "Hide this message" }, "✕");
  #shown = "";
  #hidden = "";
  #act = () => {};

  constructor(context) {
    this.context = context;
    this.#element.append(h("span.dot", { "aria-hidden": "true" }), this.#text, this.#button, this.#close);
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
    const { link } = this.context;
    if (!this.#lasts("", !link.trusted)) return null;
    const wait = link.nextAttemptAt ? Math.ceil(Math.max(0, link.nextAttemptAt - Date.now()) / 1000) : 0;
    const next = wait > 0 ? `Trying again in ${wait} s.` : "Trying again…";
    const since = link.neverConnected ? "No connection to Livetape." : `Connection to Livetape lost, last heard ${ago(link.now() - link.lastMessageAt)}.`;
    return { text: `${since} ${next}`, spoken: "Connection to Livetape lost", label: "Try now", act: () => link.retryNow() };
  }

  #venueOutage() {
    const { link, status } = this.context;
    if (!link.trusted || !status.confirmed) return null;
    const venues = status.state?.venues ?? {};
    const down = Object.keys(venues).filter((key) => this.#lasts(key, isOutage(venues[key])));
    if (down.length === 0) return null;
    const names = down.map((key) => venues[key].name ?? key);
    const who = names.length > 2 ? `${names.length} venues are` : `${names.join(" and ")} ${names.length > 1 ? "are" : "is"}`;
    const reason = down.length === 1 ? venues[down[0]].reason : "";
    const text = `${who} disconnected. ${reason || "Prices shown are the last known ones."}`;
    return { text, spoken: `${who} disconnected`, label: "Details", act: () => this.context.chip.show() };
  }

  /** Whether something has been down for longer than a person need not know. */
  #lasts(key, isDown) {
    if (!isDown) this.#downSince.delete(key);
    else if (!this.#downSince.has(key)) this.#downSince.set(key, performance.now());
    return isDown && performance.now() - this.#downSince.get(key) > PATIENCE_MILLISECONDS;
  }
}
