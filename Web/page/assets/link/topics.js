// The topics this page has open: their listeners, their latest state, and whether the server
// confirms it.

import { invalidate } from "../base/scheduler.js";

// RFC 7396 merge patches: the server sends only what changed. The result shares unchanged parts
// with the old state, so `===` detects changes.
const MAXIMUM_DEPTH = 16;

/** @type {(value: unknown) => value is {[key: string]: unknown}} */
const isObject = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value);

// Returns the patched target; modifies neither. Throws if nested too deeply.
/** @param {unknown} target @param {unknown} patch @returns {unknown} */
export function mergePatch(target, patch, depth = 0) {
  if (!isObject(patch)) return patch;
  if (depth >= MAXIMUM_DEPTH) throw new RangeError("patch: nested too deeply");
  // Without a prototype, "__proto__" is an ordinary key.
  const result = Object.assign(Object.create(null), isObject(target) ? target : null);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) delete result[key];
    else result[key] = mergePatch(result[key], patch[key], depth + 1);
  }
  return result;
}

/** @typedef {(message: Wire.Request) => boolean} Send */
/**
 * An open topic: its entry, and a function that closes it.
 * @template [T=unknown]
 * @typedef {{entry: Entry<T>, close: () => void}} Handle
 */

// The state of a topic, and the server's time of it.
/** @typedef {{topic: string, at: number, state: unknown}} Told */
// The source that a state was verified against, by a proof that this page computed.
/** @typedef {"venue" | "server"} Proof */
/**
 * The part of a received state that may be shown.
 * @template [T=unknown]
 * @typedef {{state: T, proof?: Proof}} Judgement
 */
// Validates a received state against the shown one; null if it must be refetched.
/** @typedef {(said: unknown, shown: unknown) => Judgement | null} Guard */

// A state being fetched, and the patches received meanwhile.
/** @typedef {{patches: unknown[]}} Loading */

const MAXIMUM_TOPICS_A_MESSAGE = 64;
const MAXIMUM_KEPT = 200;
const FLUSH_EVERY_MILLISECONDS = 50;
/** Delay before refetching when a snapshot was invalid as well. */
const DOUBT_MILLISECONDS = 1000;
/** Large states load after the first values of all other topics, but no later than this. */
const LOAD_AFTER_MILLISECONDS = 3000;
const LOOK_EVERY_MILLISECONDS = 100;

// One topic. `confirmed` is false until the server sends the state (again).
/** @template [T=unknown] */
export class Entry {
  // The state to show.
  /** @type {T | undefined} */
  state = undefined;
  // The last received state, to which patches apply.
  /** @type {unknown} */
  said = undefined;
  /** @type {Proof | undefined} */
  proof = undefined;
  /** Whether the last state was rejected and has been requested again. */
  isDoubtful = false;
  confirmed = false;
  /** Whether the server has this topic open. */
  told = false;
  /** Whether the server rejected the topic as unknown. */
  refused = false;
  /** Whether the state is a partial one, shown while the whole loads. */
  isPartial = false;
  /** @type {Loading | null} */
  loading = null;
  /** Whether the server opens the topic only after this user's pages close others. */
  isQueued = false;
  seq = 0;
  /** Counts snapshots: a change from one snapshot to the next does not flash. */
  generation = 0;
  receivedAt = 0;
  openedAt = performance.now();
  /** @type {Set<() => unknown>} */
  listeners = new Set();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }
}

export class Topics {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {Map<string, Guard>} */
  #guards = new Map();
  /** @type {{open: Set<string>, close: Set<string>}} */
  #pending = { open: new Set(), close: new Set() };
  // States that an earlier page stored; dropped on the first connection.
  /** @type {Map<string, Told>} */
  #recalled = new Map();
  #flushTimer = 0;
  #lastFlush = -Infinity;
  /** @type {Send} */
  #send;

  // `send(object)` returns false while there is no connection.
  /** @param {Send} send */
  constructor(send) {
    this.#send = send;
  }

  /**
   * Opens a topic for a listener; only the first listener sends a request to the server.
   * @template {keyof Topic.ByName & string} N
   * @param {N} name
   * @param {() => unknown} listener
   * @returns {Handle<Topic.ByName[N]>}
   */
  open(name, listener) {
    let entry = this.#entries.get(name);
    if (!entry) {
      entry = new Entry(name);
      this.#entries.set(name, entry);
      this.#fill(entry);
    }
    if (entry.listeners.size === 0) this.#ask(entry);
    entry.listeners.add(listener);
    invalidate(listener);
    const kept = entry;
    const close = () => this.#release(kept, listener);
    return { entry: /** @type {Entry<Topic.ByName[N]>} */ (kept), close };
  }

  // Requests a topic's snapshot again, after a gap or at the user's request.
  /** @param {Entry} entry */
  reopen(entry) {
    if (entry.listeners.size > 0) this.#ask(entry);
  }

  // One element of a frame's `topics`.
  /** @param {Wire.Item | null | undefined} item @param {number} now */
  receive(item, now) {
    const entry = this.#entries.get(item?.topic ?? "");
    if (!item || !entry || entry.listeners.size === 0 || !Number.isSafeInteger(item.seq)) return;
    const { document } = item;
    const isSnapshot = item.snapshot !== undefined || document !== undefined;
    if (!isSnapshot && !entry.confirmed && !entry.loading) return;
    if (!isSnapshot && item.seq !== entry.seq + 1) {
      this.#ask(entry);
      return;
    }
    entry.seq = item.seq;
    if (document !== undefined) {
      this.#load(entry, document, item.snapshot, now);
    } else if (!isSnapshot && entry.loading) {
      entry.loading.patches.push(item.patch ?? {});
    } else {
      const said = isSnapshot ? mergePatch(undefined, item.snapshot)
        : mergePatch(entry.said, item.patch ?? {});
      this.#apply(entry, said, { isSnapshot, now });
    }
  }

  /**
   * @param {Entry} entry
   * @param {unknown} said
   * @param {{isSnapshot: boolean, isPartial?: boolean, now: number}} how
   */
  #apply(entry, said, { isSnapshot, isPartial = false, now }) {
    entry.isPartial = isPartial;
    if (!isPartial) entry.loading = null;
    if (!this.#admit(entry, said)) return;
    entry.isQueued = false;
    if (isSnapshot) entry.generation += 1;
    entry.confirmed = true;
    entry.receivedAt = now;
  }

  // Fetches a state that is too large for a message. Until it arrives, a topic without a state
  // shows the beginning.
  /** @param {Entry} entry @param {string} name @param {unknown} beginning @param {number} now */
  async #load(entry, name, beginning, now) {
    /** @type {Loading} */
    const loading = { patches: [] };
    entry.loading = loading;
    entry.isQueued = false;
    if (entry.state === undefined && beginning !== undefined) {
      this.#apply(entry, mergePatch(undefined, beginning),
        { isSnapshot: true, isPartial: true, now });
    }
    const state = await this.#turn(entry).then(() => fetched(name)).catch(() => undefined);
    if (entry.loading !== loading) return;
    entry.loading = null;
    if (state === undefined) {
      setTimeout(() => entry.loading === null && this.reopen(entry), DOUBT_MILLISECONDS);
      return;
    }
    const said = loading.patches.reduce((whole, patch) => mergePatch(whole, patch),
      mergePatch(undefined, state));
    this.#apply(entry, said, { isSnapshot: true, now });
  }

  // Waits until the other open topics have states: they are smaller, and prices are among them.
  /** @param {Entry} entry */
  async #turn(entry) {
    const until = performance.now() + LOAD_AFTER_MILLISECONDS;
    const isAwaited = (/** @type {Entry} */ other) => other !== entry && other.listeners.size > 0
      && !other.confirmed && !other.loading && !other.refused && !other.isQueued;
    do {
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MILLISECONDS));
    } while (performance.now() < until && [...this.#entries.values()].some(isAwaited));
  }

  // Validates with `guard` the states of all topics with this name prefix before they are drawn.
  /** @param {string} prefix @param {Guard} guard */
  guard(prefix, guard) {
    this.#guards.set(prefix, guard);
  }

  // Validates the shown states again after a guard's data has changed.
  /** @param {string} prefix */
  judgeAgain(prefix) {
    for (const entry of this.#entries.values()) {
      if (entry.confirmed && entry.name.startsWith(prefix)) this.#admit(entry, entry.said);
    }
  }

  // Applies a state unless its guard rejects it; the last valid one then stays, marked doubtful.
  /** @param {Entry} entry @param {unknown} said */
  #admit(entry, said) {
    const judgement = this.#judge(entry, said);
    if (judgement) {
      entry.said = said;
      entry.state = judgement.state;
      entry.proof = judgement.proof;
      entry.isDoubtful = false;
      this.#touch(entry);
      return true;
    }
    const isFirst = !entry.isDoubtful;
    entry.isDoubtful = true;
    entry.confirmed = false;
    this.#touch(entry);
    if (isFirst) this.#ask(entry);
    else setTimeout(() => entry.isDoubtful && this.reopen(entry), DOUBT_MILLISECONDS);
    return false;
  }

  /** @param {Entry} entry @param {unknown} said @returns {Judgement | null} */
  #judge(entry, said) {
    for (const [prefix, guard] of this.#guards) {
      if (entry.name.startsWith(prefix)) return guard(said, entry.state);
    }
    return { state: said };
  }

  // The server has no topic with this name.
  /** @param {string} name */
  refuse(name) {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.refused = true;
    this.#touch(entry);
  }

  // The server opens this topic later, as too many are open.
  /** @param {string} name */
  queue(name) {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.isQueued = true;
    this.#touch(entry);
  }

  // The latest states, each with the time at which the server last confirmed it.
  /** @param {number} heardAt @returns {Told[]} */
  told(heardAt) {
    return [...this.#entries.values()].filter(({ state }) => state !== undefined)
      .map(({ name, state, confirmed, receivedAt }) =>
        ({ topic: name, at: confirmed ? heardAt : receivedAt, state }));
  }

  // Fills empty topics with states that an earlier page stored, unconfirmed.
  /** @param {Told[]} told */
  recall(told) {
    this.#recalled = new Map(told.map((each) => [each.topic, each]));
    for (const entry of this.#entries.values()) this.#fill(entry);
    this.touchAll();
  }

  /** After each (re)connection, reopens every topic in use. */
  connected() {
    this.#recalled.clear();
    this.#pending.open.clear();
    this.#pending.close.clear();
    this.#send({ documents: true });
    for (const entry of this.#entries.values()) {
      entry.told = false;
      this.reopen(entry);
    }
    this.#flush();
  }

  // Marks all topics unconfirmed; confirmed states are as old as the last message.
  /** @param {number} heardAt */
  disconnected(heardAt) {
    for (const entry of this.#entries.values()) {
      if (entry.confirmed) entry.receivedAt = heardAt;
      entry.confirmed = false;
      entry.loading = null;
    }
    this.touchAll();
  }

  /** Redraws all listeners. */
  touchAll() {
    for (const entry of this.#entries.values()) this.#touch(entry);
  }

  /** @param {Entry} entry */
  #fill(entry) {
    const told = this.#recalled.get(entry.name);
    if (!told || entry.state !== undefined) return;
    entry.state = told.state;
    entry.receivedAt = told.at;
  }

  /** @param {Entry} entry */
  #touch(entry) {
    for (const listener of entry.listeners) invalidate(listener);
  }

  /** @param {Entry} entry */
  #ask(entry) {
    entry.confirmed = false;
    entry.loading = null;
    entry.refused = false;
    entry.isQueued = false;
    entry.openedAt = performance.now();
    this.#pending.close.delete(entry.name);
    this.#pending.open.add(entry.name);
    this.#touch(entry);
    this.#flushSoon();
  }

  /** @param {Entry} entry @param {() => unknown} listener */
  #release(entry, listener) {
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    entry.confirmed = false;
    entry.loading = null;
    this.#pending.open.delete(entry.name);
    if (entry.told) this.#pending.close.add(entry.name);
    this.#forgetOldest();
    this.#flushSoon();
  }

  /** Keeps last states, so that a reopened screen shows data at once, marked old. */
  #forgetOldest() {
    for (const [name, entry] of this.#entries) {
      if (this.#entries.size <= MAXIMUM_KEPT) return;
      if (entry.listeners.size === 0) this.#entries.delete(name);
    }
  }

  /** @param {string} name @param {boolean} open */
  #tell(name, open) {
    const entry = this.#entries.get(name);
    if (entry) entry.told = open;
  }

  #flushSoon() {
    if (this.#flushTimer) return;
    const wait = Math.max(0, this.#lastFlush + FLUSH_EVERY_MILLISECONDS - performance.now());
    this.#flushTimer = setTimeout(() => this.#flush(), wait);
  }

  #flush() {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = 0;
    this.#lastFlush = performance.now();
    const close = [...this.#pending.close];
    const open = [...this.#pending.open];
    while (open.length > 0 || close.length > 0) {
      /** @type {{open?: string[], close?: string[]}} */
      const message = {};
      const closing = close.splice(0, MAXIMUM_TOPICS_A_MESSAGE);
      const opening = open.splice(0, MAXIMUM_TOPICS_A_MESSAGE - closing.length);
      if (closing.length > 0) message.close = closing;
      if (opening.length > 0) message.open = opening;
      // On failure, the next connection reopens all topics.
      if (!this.#send(message)) break;
      for (const name of closing) this.#tell(name, false);
      for (const name of opening) this.#tell(name, true);
    }
    this.#pending.open.clear();
    this.#pending.close.clear();
  }
}

// Fetches a state that the server sent by reference.
/** @param {string} name @returns {Promise<unknown>} */
async function fetched(name) {
  const response = await fetch(`/documents/${encodeURIComponent(name)}`);
  if (!response.ok) throw new Error(`document ${name}: ${response.status}`);
  return response.json();
}
