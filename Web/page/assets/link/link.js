// The page's own link to the server. It is part of the truth: while it is down, or in doubt,
// nothing on screen counts as live.

import { beforeDrawing, drawNow, invalidate } from "../base/scheduler.js";
import { read, remember } from "../base/storage.js";
import { frameMilliseconds, FrameTimes } from "./frames.js";
import { ServerClock } from "./server-clock.js";
import { Topics } from "./topics.js";

// What the page's socket needs beside the cookie where the server has an access token: a ticket
// that opens one socket, named as a subprotocol. Whether it needs one is remembered, so that a page
// asks for it while its code is still under way (first-paint.js), and one without never does.
const PATH = "/session/socket";
const KEY = "ticket";
const [NEEDED, NEEDLESS] = ["needed", "needless"];

/** Whether the server has asked for one before. */
export const needsTicket = () => read(KEY) === NEEDED;

/**
 * The protocols to open a socket with; none where the server wants no ticket. Throws when there is
 * no answer, or no right to one.
 */
async function socketProtocols() {
  const asked = window.firstTicket ?? fetch(PATH);
  delete window.firstTicket;
  const answer = await asked;
  const isNeedless = answer.status === 404;
  if (!answer.ok && !isNeedless) throw new Error(`${PATH}: ${answer.status}`);
  remember(KEY, isNeedless ? NEEDLESS : NEEDED);
  return isNeedless ? [] : ["livetape", `livetape.ticket.${await answer.text()}`];
}

/** @typedef {"connecting" | "connected" | "disconnected"} LinkState */
/**
 * What the server says outside of topics, by its kind.
 * @typedef {{reply: Wire.Reply, notice: Wire.Notice, error: Wire.Problem, connected: undefined}}
 *   Heard
 */

const MAXIMUM_MESSAGE_CHARACTERS = 4 * 1024 * 1024;
const FIRST_RETRY_MILLISECONDS = 250;
const LAST_RETRY_MILLISECONDS = 5000;
const OPEN_DEADLINE_MILLISECONDS = 5000;
const BEAT_MILLISECONDS = 250;
/**
 * Silence after which the server is asked, and after which what it last said is judged by the page.
 */
const PING_AFTER_MILLISECONDS = 500;
const SILENT_AFTER_MILLISECONDS = 1000;
const LOST_AFTER_MILLISECONDS = 5000;
const DOUBT_AFTER_MILLISECONDS = 1500;
/** How long a server that is in doubt has to answer. */
const ANSWER_WITHIN_MILLISECONDS = 3000;
/** The same while messages come: on a slow line the answer is behind them. */
const ANSWER_AMONG_OTHERS_MILLISECONDS = 15_000;
/** A pause without a turn for this page after which what it reads may have waited. */
const DEAF_AFTER_MILLISECONDS = 5000;
const HEALTHY_AFTER_MILLISECONDS = 3000;

export class Link {
  /** @type {LinkState} */
  state = "connecting";
  /** When the state began, and when the next attempt is due; this computer's clock. */
  since = Date.now();
  /** @type {number | undefined} */
  nextAttemptAt = undefined;
  /** The server's clock at its latest message. */
  lastMessageAt = 0;
  /** Whether the server lets this page look, and change nothing. */
  viewsOnly = false;
  /** True until the first connection stands. */
  neverConnected = true;
  topics = new Topics((message) => this.#send(message));
  #frames = new FrameTimes((message) => this.#send(message));

  #url;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Set<() => unknown>} */
  #listeners = new Set();
  /** @type {Map<keyof Heard, Set<(what: any) => unknown>>} */
  #hearers = new Map();
  #retryMilliseconds = FIRST_RETRY_MILLISECONDS;
  #retryTimer = 0;
  #attempt = 0;
  /** Whether the last attempt ended before a connection stood. */
  #wasRefused = false;
  #deadlineTimer = 0;
  #healthyTimer = 0;
  #clock = new ServerClock();
  /** Times of `#clock.elapsed`, which counts sleep. */
  #heardAt = 0;
  #askedAt = 0;
  #lastBeat = this.#clock.elapsed();
  #lastTurn = this.#lastBeat;
  /** How much of the sleep so far has been acted on. */
  #slept = 0;
  /** Whether a late beat was not judged: only one in a row is not. */
  #isExcused = false;
  /** Since when the server has to prove that it is there; null while it need not. */
  #doubtedAt = /** @type {number | null} */ (null);
  /** The lowest ping whose reply ends the doubt: an earlier reply may have waited, too. */
  #provenBy = 0;

  /** @param {string} url */
  constructor(url) {
    this.#url = url;
    setInterval(() => this.#beat(), BEAT_MILLISECONDS);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) {
        this.#question();
        drawNow();
      }
      this.#pace();
    });
    // What a frozen page reads first is old, however new it is to the page. The picture that is
    // put away is the first one shown again, so it is drawn as doubtful already.
    for (const kind of ["freeze", "resume"]) document.addEventListener(kind, () => this.#suspect());
    addEventListener("pageshow", (event) => event.persisted && this.#suspect());
    addEventListener("pagehide", (event) => {
      if (!event.persisted) return;
      if (this.state === "connected") this.#lost(this.#socket);
      drawNow();
    });
    beforeDrawing(() => this.#notePause());
    addEventListener("online", () => this.#question());
    addEventListener("offline", () => this.#question());
    this.#connect();
  }

  /** Whether what the page holds is what the server says now. */
  get trusted() {
    return this.state === "connected" && this.#doubtedAt === null;
  }

  /** Milliseconds since the page was opened, including time asleep. */
  get elapsed() {
    return this.#clock.elapsed();
  }

  /** Milliseconds since anything came from the server. */
  get silence() {
    return this.#clock.elapsed() - this.#heardAt;
  }

  /** Milliseconds of the server's clock ahead of this computer's. */
  get clockDifference() {
    return this.#clock.difference;
  }

  // Shows what an earlier page was told, while this one has heard nothing.
  /** @param {import("./kept-state.js").Kept} kept */
  recall({ heardAt, clockDifference, topics }) {
    this.lastMessageAt = heardAt;
    this.#clock.recall(clockDifference, heardAt);
    this.topics.recall(topics);
    this.#announce();
  }

  /** The server's clock, as well as this page knows it. */
  now() {
    return this.#clock.now();
  }

  // Draws `listener` again whenever the link changes. Returns what ends that.
  /** @param {() => unknown} listener @returns {Release} */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Hands `listener` what the server says outside of topics ("reply", "notice", "error"), and calls
   * it when a connection stands ("connected"). At once, not in the next frame. Returns what ends
   * it.
   * @template {keyof Heard} K
   * @param {K} kind
   * @param {(what: Heard[K]) => unknown} listener
   * @returns {Release}
   */
  hear(kind, listener) {
    const hearers = this.#hearers.get(kind) ?? new Set();
    this.#hearers.set(kind, hearers.add(listener));
    return () => hearers.delete(listener);
  }

  // An action of the protocol: "feed.start", "venue.retry" … False when the server is away, or
  // would refuse it to a viewer.
  /** @param {Wire.Action} action */
  do(action) {
    if (this.viewsOnly && action.do !== "order.preview") return false;
    return this.#send(action);
  }

  /** @param {boolean} viewsOnly */
  #admit(viewsOnly) {
    if (viewsOnly === this.viewsOnly) return;
    this.viewsOnly = viewsOnly;
    if (viewsOnly) document.documentElement.dataset.access = "view";
    else delete document.documentElement.dataset.access;
    this.#announce();
  }

  /** Tries now instead of at the end of the back-off. */
  retryNow() {
    if (this.state === "connected") return;
    this.#retryMilliseconds = FIRST_RETRY_MILLISECONDS;
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#retryTimer);
    this.#drop();
    this.#become("connecting");
    this.#deadlineTimer = setTimeout(() => this.#lost(this.#socket), OPEN_DEADLINE_MILLISECONDS);
    if (needsTicket() || this.#wasRefused) return void this.#enter();
    const first = firstSocket(this.#url);
    // One that was refused before this code was there wants a ticket, too.
    if (first && first.readyState > WebSocket.OPEN) this.#enter();
    else this.#take(first ?? new WebSocket(this.#url));
  }

  /** With a ticket where the server wants one: it may want one since the last time. */
  async #enter() {
    const attempt = this.#attempt;
    const protocols = await socketProtocols().catch(() => null);
    if (attempt !== this.#attempt) return;
    if (protocols) this.#take(new WebSocket(this.#url, protocols));
    else this.#lost(null);
  }

  /** @param {WebSocket} socket */
  #take(socket) {
    this.#socket = socket;
    // All that this page begins with is asked for in one message.
    if (socket.readyState === WebSocket.OPEN) {
      queueMicrotask(() => socket === this.#socket && this.#opened());
    }
    socket.onopen = () => this.#opened();
    socket.onclose = () => this.#lost(socket);
    socket.onmessage = (event) => this.#received(event.data);
  }

  #opened() {
    clearTimeout(this.#deadlineTimer);
    this.#heardAt = this.#lastTurn = this.#clock.elapsed();
    this.#doubtedAt = null;
    this.#isExcused = false;
    this.neverConnected = this.#wasRefused = false;
    this.#frames.opened();
    this.#healthyTimer = setTimeout(() => {
      this.#retryMilliseconds = FIRST_RETRY_MILLISECONDS;
    }, HEALTHY_AFTER_MILLISECONDS);
    this.#become("connected");
    this.topics.connected();
    this.#tell("connected", undefined);
    this.#pace();
  }

  /** @param {WebSocket | null} socket */
  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#wasRefused = this.state === "connecting";
    this.#drop();
    const wait = this.#retryMilliseconds * (0.75 + Math.random() * 0.25);
    this.#retryMilliseconds = Math.min(this.#retryMilliseconds * 2, LAST_RETRY_MILLISECONDS);
    this.nextAttemptAt = Date.now() + wait;
    this.#retryTimer = setTimeout(() => this.#connect(), wait);
    this.#become("disconnected");
    this.topics.disconnected(this.lastMessageAt);
  }

  #drop() {
    clearTimeout(this.#deadlineTimer);
    clearTimeout(this.#healthyTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#attempt += 1;
    if (!socket) return;
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
  }

  /** @param {unknown} data */
  #received(data) {
    const receivedAt = performance.now();
    this.#notePause();
    const wasSilent = this.silence > SILENT_AFTER_MILLISECONDS;
    // What comes after a silence may have waited for as long in the socket.
    if (this.silence > DOUBT_AFTER_MILLISECONDS) this.#question();
    this.#heardAt = this.#clock.elapsed();
    if (wasSilent) this.topics.touchAll();
    // Ignored, it leaves a gap, and the gap opens the topic again.
    if (typeof data !== "string" || data.length > MAXIMUM_MESSAGE_CHARACTERS) return;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      console.warn("livetape: a message that is not JSON was ignored");
      return;
    }
    if (Number.isFinite(message?.pong)) {
      this.#frames.pong(message.pong, message.at);
      this.#clock.replied(message.pong - 1);
      if (this.#doubtedAt !== null && message.pong >= this.#provenBy) this.#settle();
    }
    if (message?.error) console.warn("livetape:", message.error.code, message.error.message);
    if (message?.error?.code === "unknown_topic") this.topics.refuse(message.error.topic);
    if (message?.error?.code === "topic_waits") this.topics.queue(message.error.topic);
    for (const kind of /** @type {const} */ (["reply", "notice", "error"])) {
      if (message?.[kind] !== null && typeof message?.[kind] === "object") {
        this.#tell(kind, message[kind]);
      }
    }
    if (!Array.isArray(message?.topics) || !Number.isFinite(message.now)) return;
    this.#admit(message.access === "view");
    this.lastMessageAt = message.now;
    if (this.#clock.received(message.now)) this.#ask(this.#heardAt);
    for (const item of message.topics) {
      try {
        this.topics.receive(item, message.now);
      } catch (error) {
        console.warn("livetape: a topic could not be read", error);
      }
    }
    if (message.measured === true) this.#frames.frame(message.frame, receivedAt);
  }

  /**
   * Doubts what the page holds after a sleep, or a pause without a turn: what it reads next may
   * have waited as long.
   */
  #notePause() {
    const now = this.#clock.elapsed();
    const wasAsleep = this.#clock.slept > this.#slept;
    const pause = now - this.#lastTurn;
    this.#slept = this.#clock.slept;
    this.#lastTurn = now;
    if (this.state !== "connected") return;
    const isDeaf = pause > DEAF_AFTER_MILLISECONDS && !document.hidden;
    if (wasAsleep || isDeaf) this.#question({ isDoubtful: true });
  }

  /** Checks that the server is still there. */
  #beat() {
    this.#notePause();
    const now = this.#lastTurn;
    const pause = now - this.#lastBeat;
    this.#lastBeat = now;
    if (this.state !== "connected") return;
    if (this.silence > SILENT_AFTER_MILLISECONDS) this.topics.touchAll();
    if (this.silence > PING_AFTER_MILLISECONDS || this.#doubtedAt !== null) this.#ask(now);
    this.#frames.beat(performance.now());
    // A page that had no turn for a while has not read yet what came meanwhile: it is judged at the
    // next beat, also where all beats are late, as those of a hidden page are.
    this.#isExcused = pause > 2 * BEAT_MILLISECONDS && !this.#isExcused;
    if (!this.#isExcused && this.#isOverdue(now)) this.#lost(this.#socket);
  }

  /** @param {number} now */
  #isOverdue(now) {
    if (this.#doubtedAt !== null) {
      return now - Math.max(this.#doubtedAt, this.#heardAt) > ANSWER_WITHIN_MILLISECONDS
        || now - this.#doubtedAt > ANSWER_AMONG_OTHERS_MILLISECONDS;
    }
    return now - this.#heardAt > LOST_AFTER_MILLISECONDS;
  }

  /** @param {number} now */
  #ask(now) {
    if (now - this.#askedAt <= PING_AFTER_MILLISECONDS) return;
    this.#askedAt = now;
    this.#send({ ping: Math.ceil(now) });
  }

  /**
   * Pings after an event such as a shown tab or a changed network. Unless the server was heard just
   * now, and in any case where its messages may have waited, nothing is believed until the reply.
   */
  #question({ isDoubtful = false } = {}) {
    if (this.state !== "connected") return this.retryNow();
    const now = this.#clock.elapsed();
    if (isDoubtful || this.silence > DOUBT_AFTER_MILLISECONDS) {
      // A page that had its turns reads each reply in order, so an earlier ping's will do.
      if (isDoubtful || this.#doubtedAt === null) this.#provenBy = now;
      this.#doubtedAt ??= now;
      this.#announce();
    }
    this.#askedAt = -Infinity;
    this.#ask(now);
  }

  /** The page is or was frozen: doubts everything it shows before the next picture of it. */
  #suspect() {
    this.#question({ isDoubtful: true });
    drawNow();
  }

  #settle() {
    this.#doubtedAt = null;
    this.#announce();
  }

  /** Asks for as many frames as this page draws now. */
  async #pace() {
    this.#send({ frameMilliseconds: await frameMilliseconds() });
  }

  /** @template {keyof Heard} K @param {K} kind @param {Heard[K]} what */
  #tell(kind, what) {
    for (const listener of this.#hearers.get(kind) ?? []) {
      try {
        listener(what);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** @param {Wire.Request} message @returns {boolean} */
  #send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** @param {LinkState} state */
  #become(state) {
    if (state !== "disconnected") this.nextAttemptAt = undefined;
    if (state === this.state) return;
    this.state = state;
    this.since = Date.now();
    this.#announce();
  }

  #announce() {
    this.topics.touchAll();
    for (const listener of this.#listeners) invalidate(listener);
  }
}

// The socket that first-paint.js opened while this code was still under way; once.
/** @param {string} url */
function firstSocket(url) {
  const socket = window.firstSocket;
  delete window.firstSocket;
  return socket?.url === url ? socket : null;
}
