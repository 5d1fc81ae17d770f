// Records when measured frames arrive and when they are drawn, for the server's latency ladder.
// Times are milliseconds of the page's clock. Reports to the server are in microseconds of the
// connection's clock, whose offset comes from pongs.

// The page requests no more frames than it can draw.
/** 60 a second. */
const FAST_MILLISECONDS = 16;
/** The server's default interval. */
const USUAL_MILLISECONDS = 33;
/** A display with a longer frame interval draws fewer than 60 frames a second. */
const LONGEST_FAST_FRAME_MILLISECONDS = 17.5;
const FRAMES_MEASURED = 11;

/** The shortest useful interval between two frames, in milliseconds. */
export async function frameMilliseconds() {
  if (document.hidden) return USUAL_MILLISECONDS;
  /** @type {number[]} */
  const times = [];
  while (times.length < FRAMES_MEASURED) {
    times.push(await new Promise((drawn) => requestAnimationFrame(drawn)));
  }
  const frames = times.slice(1).map((time, index) => time - times[index]);
  const median = frames.sort((a, b) => a - b)[Math.floor(frames.length / 2)];
  return median <= LONGEST_FAST_FRAME_MILLISECONDS ? FAST_MILLISECONDS : USUAL_MILLISECONDS;
}

/** Ping interval with a good clock offset, and with a poor one. */
const ASK_EVERY_MILLISECONDS = 10_000;
const ASK_SOON_MILLISECONDS = 1000;
const GOOD_RADIUS_MILLISECONDS = 2;
const REPORT_EVERY_MILLISECONDS = 1000;
const MAXIMUM_FRAMES = 16;
/** A longer delay (1 min) measures the page, not the network. */
const LONGEST_MILLISECONDS = 60_000;
/** Maximum drift between the two clocks, and the coarseness of the browser's clock. */
const DRIFT = 1e-4;
const COARSENESS_MILLISECONDS = 0.1;

/** @typedef {{offset: number, radius: number, at: number}} Tie */

export class FrameTimes {
  #send;
  /** @type {Tie | null} the connection's clock minus the page's */
  #tie = null;
  #asked = { number: -1, at: -Infinity };
  #reportedAt = -Infinity;
  #hides = 0;
  /** @type {[number: number, received: number, painted: number][]} */
  #frames = [];

  /** @param {(message: Wire.Request) => unknown} send */
  constructor(send) {
    this.#send = send;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#hides += 1;
    });
  }

  /** A new connection has a clock of its own. */
  opened() {
    this.#tie = null;
    this.#frames = [];
    this.#asked = { number: -1, at: -Infinity };
  }

  // The response to a ping.
  /** @param {unknown} number @param {unknown} at microseconds of the connection's clock */
  pong(number, at) {
    if (number !== this.#asked.number || typeof at !== "number" || !Number.isFinite(at)) return;
    const [sent, now] = [this.#asked.at, performance.now()];
    this.#asked.number = -1;
    const radius = (now - sent) / 2 + COARSENESS_MILLISECONDS;
    const tie = { offset: at / 1000 - (sent + now) / 2, radius, at: now };
    const old = this.#tie && radiusAt(this.#tie, now);
    // An offset that contradicts the last one means that a clock stopped, as clocks do in sleep.
    if (this.#tie === null || old === null || radius <= old
      || Math.abs(tie.offset - this.#tie.offset) > radius + old) this.#tie = tie;
  }

  // A measured frame has been applied. Its changes are drawn in the next animation frame, by
  // callbacks that were queued before this one.
  /** @param {unknown} number @param {number} received */
  frame(number, received) {
    if (document.hidden || typeof number !== "number") return;
    const hides = this.#hides;
    requestAnimationFrame(() => {
      const painted = performance.now() - received;
      if (hides !== this.#hides || painted > LONGEST_MILLISECONDS) return;
      if (this.#frames.length < MAXIMUM_FRAMES) this.#frames.push([number, received, painted]);
    });
  }

  // Pings and reports, each when it is due.
  /** @param {number} now */
  beat(now) {
    const isGood = this.#tie !== null && radiusAt(this.#tie, now) <= GOOD_RADIUS_MILLISECONDS;
    if (now - this.#asked.at >= (isGood ? ASK_EVERY_MILLISECONDS : ASK_SOON_MILLISECONDS)) {
      this.#asked = { number: Math.ceil(now), at: now };
      this.#send({ ping: this.#asked.number });
    }
    if (!this.#tie || this.#frames.length === 0) return;
    if (now - this.#reportedAt < REPORT_EVERY_MILLISECONDS) return;
    const { offset } = this.#tie;
    this.#send({
      measured: this.#frames.map(([number, received, painted]) =>
        [number, microseconds(received + offset), microseconds(painted)]),
      within: Math.ceil(radiusAt(this.#tie, now) * 1000),
    });
    this.#frames = [];
    this.#reportedAt = now;
  }
}

/** @param {Tie} tie @param {number} now */
const radiusAt = ({ radius, at }, now) => radius + (now - at) * DRIFT;

/** @param {number} milliseconds */
const microseconds = (milliseconds) => Math.round(milliseconds * 1000);
