// The last received state, stored on the device. A page that opens without its server shows it,
// each value with its age. Venue data and the user's own lists only; no orders, no positions.

/** @typedef {import("./topics.js").Told} Told */

/**
 * @typedef {object} Kept
 * @property {string} build the page build that stored it: others may read states differently
 * @property {number} heardAt the server's clock at its latest message
 * @property {number} clockDifference the server's clock minus this computer's
 * @property {Told[]} topics newest first
 */

const CACHE = "livetape-state";
const ADDRESS = "/kept-state";
const KEPT = new RegExp("^(status|feed|stocks|products|markets|survey|lists|books|exchange"
  + "|(symbol|stock|product|book|trades|figures)/.+)$");
const KEEP_EVERY_MILLISECONDS = 60_000;
const MAXIMUM_TOPICS = 150;
const MAXIMUM_CHARACTERS = 4_000_000;

// A state that was never confirmed is empty, and must not replace the stored one. While it is live,
// the server leaves the time of the confirmation out.
/** @param {unknown} state */
function hasValues(state) {
  const { freshness } = /** @type {{freshness?: Topic.Freshness}} */ (state);
  return freshness === undefined || ["live", "closed"].includes(freshness.state)
    || freshness.confirmedAt !== undefined;
}

export class KeptState {
  #link;
  #build;
  #wasTrusted = false;
  /** Serialises reads and writes. */
  #work = Promise.resolve();

  /** @param {Link} link */
  constructor(link) {
    this.#link = link;
    const code = document.querySelector("script[type=module]");
    this.#build = code instanceof HTMLScriptElement ? code.src : "";
    // Cache storage requires a secure origin.
    if (!("caches" in globalThis)) return;
    link.observe(() => this.#linkChanged());
    setInterval(() => {
      if (link.trusted && !document.hidden) this.#keep();
    }, KEEP_EVERY_MILLISECONDS);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && link.trusted) this.#keep();
    });
  }

  #linkChanged() {
    const { neverConnected, state, trusted } = this.#link;
    if (this.#wasTrusted && !trusted) this.#keep();
    this.#wasTrusted = trusted;
    if (neverConnected && state === "disconnected") this.#then(() => this.#restore());
  }

  #keep() {
    const { topics, lastMessageAt, clockDifference } = this.#link;
    const told = topics.told(lastMessageAt)
      .filter(({ topic, state }) => KEPT.test(topic) && hasValues(state));
    if (told.length > 0) this.#then(() => this.#write(told, lastMessageAt, clockDifference));
  }

  // If storage is full or blocked, nothing is stored and the page works on.
  /** @param {() => Promise<void>} step */
  #then(step) {
    this.#work = this.#work.then(step).catch(() => {});
  }

  /** @param {Told[]} told @param {number} heardAt @param {number} clockDifference */
  async #write(told, heardAt, clockDifference) {
    // Keep the topics of other screens and tabs.
    const names = new Set(told.map(({ topic }) => topic));
    const before = (await this.#read())?.topics.filter(({ topic }) => !names.has(topic)) ?? [];
    const topics = [...told, ...before].sort((a, b) => b.at - a.at).slice(0, MAXIMUM_TOPICS);
    /** @type {Kept} */
    const kept = { build: this.#build, heardAt, clockDifference, topics };
    const text = JSON.stringify(kept);
    if (text.length > MAXIMUM_CHARACTERS) return;
    const cache = await caches.open(CACHE);
    await cache.put(ADDRESS, new Response(text));
  }

  /** @returns {Promise<Kept | null>} null if nothing of this build is stored */
  async #read() {
    const found = await caches.match(ADDRESS, { cacheName: CACHE });
    if (!found) return null;
    const kept = await found.json();
    const { build, heardAt, clockDifference, topics } = kept ?? {};
    const isSound = build === this.#build && [heardAt, clockDifference].every(Number.isFinite)
      && Array.isArray(topics) && topics.every((each) => typeof each?.topic === "string"
        && Number.isFinite(each.at) && each.state !== null && typeof each.state === "object");
    return isSound ? kept : null;
  }

  async #restore() {
    const kept = await this.#read();
    if (kept && this.#link.neverConnected) this.#link.recall(kept);
  }
}
