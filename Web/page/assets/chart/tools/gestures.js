// Turns mouse, touch and wheel on a chart into pan, zoom and crosshair. Positions are CSS pixels
// from the top left of the plot.

/** @typedef {{x: number, y: number, time: number}} At */
/** @typedef {{move: (x: number, y: number) => unknown, end: () => unknown}} Grip */
/**
 * What gestures do: `pan` returns false at the end.
 * @typedef {object} Act
 * @property {(pixels: number) => boolean} pan
 * @property {(factor: number, x: number) => unknown} zoom
 * @property {(x: number, y: number) => unknown} point
 * @property {() => unknown} leave
 * @property {() => unknown} moving
 * @property {(pixels: number) => unknown} lift moves prices; positive pixels show higher ones
 * @property {(x: number, y: number) => Grip | null} press what a press grabs, if anything
 * @property {() => boolean} reducesMotion
 */

const LONG_PRESS_MILLISECONDS = 350;
const SLOP_PIXELS = 5;
const VELOCITY_WINDOW_MILLISECONDS = 90;
const FADE_MILLISECONDS = 325;
const LEAST_VELOCITY = 0.02;
const WHEEL_LINE_PIXELS = 32;
const WHEEL_ZOOM = 0.0016;
const PINCH_WHEEL_ZOOM = 0.012;

export class Gestures {
  #target;
  #act;
  /** @type {Map<number, At & {from: At}>} */
  #pointers = new Map();
  /** @type {At[]} */
  #trail = [];
  #mode = "none";
  /** @type {Grip | null} */
  #grip = null;
  #pressTimer = 0;
  #velocity = 0;
  #movedAt = 0;
  #ended = new AbortController();

  /** @param {HTMLElement} target @param {Act} act */
  constructor(target, act) {
    this.#target = target;
    this.#act = act;
    /**
     * @type {<K extends keyof HTMLElementEventMap>(name: K,
     *   handle: (event: HTMLElementEventMap[K]) => unknown, options?: AddEventListenerOptions) =>
     *   void}
     */
    const listen = (name, handle, options = {}) =>
      target.addEventListener(name, handle, { signal: this.#ended.signal, ...options });
    listen("pointerdown", (event) => this.#down(event));
    listen("pointermove", (event) => this.#move(event));
    listen("pointerup", (event) => this.#up(event));
    listen("pointercancel", (event) => this.#up(event));
    listen("pointerleave",
      (event) => event.pointerType === "mouse" && this.#mode === "none" && act.leave());
    listen("wheel", (event) => this.#wheel(event), { passive: false });
    listen("contextmenu", (event) => this.#mode === "cross" && event.preventDefault());
  }

  dispose() {
    clearTimeout(this.#pressTimer);
    this.#ended.abort();
  }

  // Continues a fling; true while it moves. Once per frame.
  /** @param {number} now */
  advance(now) {
    if (this.#velocity === 0) return false;
    const passed = Math.min(64, Math.max(0, now - this.#movedAt));
    this.#movedAt = now;
    if (!this.#act.pan(this.#velocity * passed)) this.#velocity = 0;
    this.#velocity *= Math.exp(-passed / FADE_MILLISECONDS);
    if (Math.abs(this.#velocity) < LEAST_VELOCITY) this.#velocity = 0;
    return this.#velocity !== 0;
  }

  /** Stops a fling. */
  halt() {
    this.#velocity = 0;
  }

  /** @param {MouseEvent} event */
  #at(event) {
    const box = this.#target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, time: event.timeStamp };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.halt();
    this.#target.setPointerCapture?.(event.pointerId);
    const at = this.#at(event);
    this.#pointers.set(event.pointerId, { ...at, from: at });
    this.#trail = [at];
    clearTimeout(this.#pressTimer);
    this.#grip = this.#pointers.size === 1 ? this.#act.press(at.x, at.y) : null;
    if (this.#grip) {
      this.#mode = "held";
    } else if (this.#pointers.size === 2) {
      this.#mode = "pinch";
      this.#act.leave();
    } else if (event.pointerType === "mouse") {
      this.#mode = "pan";
    } else {
      this.#mode = "touch";
      this.#pressTimer = setTimeout(() => this.#longPress(at), LONG_PRESS_MILLISECONDS);
    }
  }

  /** @param {At} at */
  #longPress(at) {
    if (this.#mode !== "touch") return;
    this.#mode = "cross";
    this.#act.point(at.x, at.y);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const at = this.#at(event);
    const known = this.#pointers.get(event.pointerId);
    if (!known) {
      if (event.pointerType === "mouse") this.#act.point(at.x, at.y);
      return;
    }
    const before = { x: known.x, y: known.y };
    if (this.#mode === "pinch") return this.#pinch(event.pointerId, known, at);
    Object.assign(known, at);
    if (this.#mode === "held") {
      this.#grip?.move(at.x - before.x, at.y - before.y);
      if (event.pointerType === "mouse") this.#act.point(at.x, at.y);
      return;
    }
    if (this.#mode === "cross") return this.#act.point(at.x, at.y);
    const way = Math.hypot(at.x - known.from.x, at.y - known.from.y);
    if (this.#mode === "touch" && way < SLOP_PIXELS) return;
    clearTimeout(this.#pressTimer);
    this.#mode = "pan";
    if (event.pointerType === "mouse") this.#act.point(at.x, at.y);
    this.#trail.push(at);
    while (at.time - this.#trail[0].time > VELOCITY_WINDOW_MILLISECONDS) this.#trail.shift();
    if (at.x !== before.x) this.#act.pan(at.x - before.x);
    if (at.y !== before.y) this.#act.lift(at.y - before.y);
  }

  /** @param {number} identifier @param {At} known @param {At} at */
  #pinch(identifier, known, at) {
    const other = [...this.#pointers].find(([key]) => key !== identifier)?.[1];
    if (!other) return;
    const before = Math.max(12, Math.abs(known.x - other.x));
    const middle = (known.x + other.x) / 2;
    Object.assign(known, at);
    this.#act.pan((known.x + other.x) / 2 - middle);
    this.#act.zoom(Math.max(12, Math.abs(known.x - other.x)) / before, (known.x + other.x) / 2);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    clearTimeout(this.#pressTimer);
    const [mode, last] = [this.#mode, this.#at(event)];
    this.#mode = "none";
    if (mode === "pinch" && this.#pointers.size === 1) {
      this.#mode = "pan";
      this.#trail = [];
      return;
    }
    if (mode === "held") {
      this.#grip?.end();
      this.#grip = null;
    }
    // A tap hides the crosshair that a long press left.
    if (mode === "touch") this.#act.leave();
    if (mode === "pan" && event.type === "pointerup") this.#fling(last);
  }

  /** @param {At} last */
  #fling(last) {
    const first = this.#trail.find((at) => last.time - at.time <= VELOCITY_WINDOW_MILLISECONDS);
    if (!first || last.time - first.time < 8 || this.#act.reducesMotion()) return;
    const velocity = (last.x - first.x) / (last.time - first.time);
    if (Math.abs(velocity) < 0.15) return;
    this.#velocity = Math.max(-8, Math.min(8, velocity));
    this.#movedAt = performance.now();
    this.#act.moving();
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.halt();
    const unit = event.deltaMode === 1 ? WHEEL_LINE_PIXELS : event.deltaMode === 2 ? 400 : 1;
    let [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey && dx === 0) [dx, dy] = [dy, 0];
    const { x, y } = this.#at(event);
    if (Math.abs(dx) > Math.abs(dy)) this.#act.pan(-dx);
    else this.#act.zoom(Math.exp(-dy * (event.ctrlKey ? PINCH_WHEEL_ZOOM : WHEEL_ZOOM)), x);
    this.#act.point(x, y);
  }
}
