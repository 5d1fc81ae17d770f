// The page's connection to the server. While it is down or in doubt, nothing on screen counts as
// live.

import { beforeDrawing, drawNow, invalidate } from "../base/scheduler.js";
import { read, remember } from "../base/storage.js";
import { frameMilliseconds, FrameTimes } from "./frames.js";
import { ServerClock } from "./server-clock.js";
import { Topics } from "./topics.js";

// If the server has an access token, the socket needs, besides the cookie, a one-time token that is
// passed as a subprotocol. Whether it does is stored, so that first-paint.js can fetch the token
// while the code loads, and pages that need none skip the request.
const PATH = "/session/socket";
const KEY = "ticket";
const [NEEDED, NEEDLESS] = ["needed", "needless"];

/** Whether the server required a token last time. */
export const needsTicket = () => read(KEY) === NEEDED;

/**
 * The subprotocols for the socket; empty if the server requires no token. Throws if the request
 * fails or is not authorised.
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
 * Server messages outside of topics, by kind.
 * @typedef {{reply: Wire.Reply, notice: Wire.Notice, error: Wire.Problem, connected: undefined}}
 *   Heard
 */

const MAXIMUM_MESSAGE_CHARACTERS = 4 * 1024 * 1024;
const FIRST_RETRY_MILLISECONDS = 250;
const LAST_RETRY_MILLISECONDS = 5000;
const OPEN_DEADLINE_MILLISECONDS = 5000;
const BEAT_MILLISECONDS = 250;
/** Silence after which the page pings, and after which the page itself ages the server's data. */
const PING_AFTER_MILLISECONDS = 500;
const SILENT_AFTER_MILLISECONDS = 1000;
const LOST_AFTER_MILLISECONDS = 5000;
const DOUBT_AFTER_MILLISECONDS = 1500;
/** Time that a server in doubt has to respond. */
const ANSWER_WITHIN_MILLISECONDS = 3000;
/** The same while messages arrive: on a slow line the response queues behind them. */
const ANSWER_AMONG_OTHERS_MILLISECONDS = 15_000;
/** If the page did not run for this long, its next messages may be old. */
const DEAF_AFTER_MILLISECONDS = 5000;
const HEALTHY_AFTER_MILLISECONDS = 3000;

export class Link {
  /** @type {LinkState} */
  state = "connecting";
  /** When the state began, and when the next attempt is due, by this computer's clock. */
  since = Date.now();
  /** @type {number | undefined} */
  nextAttemptAt = undefined;
  /** The server's clock at its latest message. */
  lastMessageAt = 0;
  /** Whether the page may view but not change anything. */
  viewsOnly = false;
  /** True until the first connection opens. */
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
  /** Whether the last attempt ended before the connection opened. */
  #wasRefused = false;
  #deadlineTimer = 0;
  #healthyTimer = 0;
  #clock = new ServerClock();
  /** Times of `#clock.elapsed`, which includes sleep. */
  #heardAt = 0;
  #askedAt = 0;
  #lastBeat = this.#clock.elapsed();
  #lastTurn = this.#lastBeat;
  /** Sleep handled so far, in milliseconds. */
  #slept = 0;
  /** Whether the last late beat was excused: two in a row are not. */
  #isExcused = false;
  /** When doubt about the server began; null if there is no doubt. */
  #doubtedAt = /** @type {number | null} */ (null);
  /** The lowest ping whose reply ends the doubt: earlier replies may be old as well. */
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
    // The first messages that a resumed page reads are old. The last frame drawn before the freeze
    // is the first one shown after it, so it is drawn as doubtful.
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

  /** Whether the page's data is current. */
  get trusted() {
    return this.state === "connected" && this.#doubtedAt === null;
  }

  /** Milliseconds since the page was opened, including time asleep. */
  get elapsed() {
    return this.#clock.elapsed();
  }

  /** Milliseconds since the last message from the server. */
  get silence() {
    return this.#clock.elapsed() - this.#heardAt;
  }

  /** Milliseconds of the server's clock ahead of this computer's. */
  get clockDifference() {
    return this.#clock.difference;
  }

  // Shows the state that an earlier page stored, until a connection opens.
  /** @param {import("./kept-state.js").Kept} kept */
  recall({ heardAt, clockDifference, topics }) {
    this.lastMessageAt = heardAt;
    this.#clock.recall(clockDifference, heardAt);
    this.topics.recall(topics);
    this.#announce();
  }

  /** The server's clock, as estimated by this page. */
  now() {
    return this.#clock.now();
  }

  // Redraws `listener` whenever the link changes. Returns a function that stops it.
  /** @param {() => unknown} listener @returns {Release} */
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Passes `listener` server messages outside of topics ("reply", "notice", "error") and the
   * opening of a connection ("connected"), at once and not in the next frame. Returns a function
   * that stops it.
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

  // An action of the protocol: "feed.start", "venue.retry" … Returns false if there is no
  // connection, or if the page is view-only and the action is not.
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

  /** Retries now instead of at the end of the back-off. */
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
    // A first socket that was refused before this code loaded needs a token, too.
    if (first && first.readyState > WebSocket.OPEN) this.#enter();
    else this.#take(first ?? new WebSocket(this.#url));
  }

  /** Connects with a token if the server requires one now. */
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
    // Deferred, so that the page's first topics are opened in one message.
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
    // A message after a silence may have waited in the socket for that long.
    if (this.silence > DOUBT_AFTER_MILLISECONDS) this.#question();
    this.#heardAt = this.#clock.elapsed();
    if (wasSilent) this.topics.touchAll();
    // An ignored message leaves a sequence gap, and the gap reopens the topic.
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
   * Doubts the page's data after sleep, or after a pause in which the page did not run: the next
   * messages may be as old as the pause.
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

  /** Checks that the server still responds. */
  #beat() {
    this.#notePause();
    const now = this.#lastTurn;
    const pause = now - this.#lastBeat;
    this.#lastBeat = now;
    if (this.state !== "connected") return;
    if (this.silence > SILENT_AFTER_MILLISECONDS) this.topics.touchAll();
    if (this.silence > PING_AFTER_MILLISECONDS || this.#doubtedAt !== null) this.#ask(now);
    this.#frames.beat(performance.now());
    // A page that did not run for a while has not read its messages yet, so it is checked on the
    // next beat. One beat only: in a hidden page all beats are late.
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
   * Pings after an event such as a shown tab or a changed network. Unless the last message is
   * recent, and always if messages may have waited, the data is doubtful until the reply.
   */
  #question({ isDoubtful = false } = {}) {
    if (this.state !== "connected") return this.retryNow();
    const now = this.#clock.elapsed();
    if (isDoubtful || this.silence > DOUBT_AFTER_MILLISECONDS) {
      // A page that ran without pause reads replies in order, so an earlier ping's reply is enough.
      if (isDoubtful || this.#doubtedAt === null) this.#provenBy = now;
      this.#doubtedAt ??= now;
      this.#announce();
    }
    this.#askedAt = -Infinity;
    this.#ask(now);
  }

  /** Doubts all data of a page that is or was frozen, before it is shown again. */
  #suspect() {
    this.#question({ isDoubtful: true });
    drawNow();
  }

  #settle() {
    this.#doubtedAt = null;
    this.#announce();
  }

  /** Requests as many frames as this page can draw. */
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

// The socket that first-paint.js opened while this code loaded; returned once.
/** @param {string} url */
function firstSocket(url) {
  const socket = window.firstSocket;
  delete window.firstSocket;
  return socket?.url === url ? socket : null;
}
