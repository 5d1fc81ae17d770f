// Chart input by pointer and keyboard: moves and stretches the view, points at candles and walks
// them, places and grabs drawn lines.

import { motionIsReduced } from "../../text/preferences.js";
import { Gestures } from "./gestures.js";

// Keys of a chart: ← → walk its candles, ↑ ↓ + - zoom, ⇧↑ ⇧↓ stretch the prices and A fits them to
// the candles, Home and End go to its ends and G to a date, Enter places a drawing's point, L sets
// an alert at the crosshair's level. Handled keys do not propagate: the page's own arrow keys would
// move to another pane.
const ZOOM = 1.3;
const PAGE = 20;

/**
 * What the keys do: those that return a boolean return false if there is nothing to do.
 * @typedef {object} Act
 * @property {(steps: number) => unknown} walk
 * @property {(factor: number) => unknown} zoom
 * @property {() => unknown} oldest
 * @property {() => unknown} live
 * @property {() => boolean} leave
 * @property {(factor: number) => unknown} stretch
 * @property {() => unknown} fit
 * @property {() => boolean} place
 * @property {() => boolean} alert
 * @property {() => boolean} date
 */

/** @param {HTMLElement} element @param {Act} act */
function listenForChartKeys(element, act) {
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !acts(event, act)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {KeyboardEvent} event @param {Act} act */
function acts({ key, shiftKey }, act) {
  if (shiftKey && (key === "ArrowUp" || key === "ArrowDown")) {
    act.stretch(key === "ArrowUp" ? ZOOM : 1 / ZOOM);
    return true;
  }
  switch (key) {
    case "a": case "A": act.fit(); return true;
    case "l": case "L": return act.alert();
    case "g": case "G": return act.date();
    case "Enter": return act.place();
    case "ArrowLeft": act.walk(shiftKey ? -10 : -1); return true;
    case "ArrowRight": act.walk(shiftKey ? 10 : 1); return true;
    case "PageUp": act.walk(-PAGE); return true;
    case "PageDown": act.walk(PAGE); return true;
    case "+": case "=": case "ArrowUp": act.zoom(ZOOM); return true;
    case "-": case "_": case "ArrowDown": act.zoom(1 / ZOOM); return true;
    case "Home": act.oldest(); return true;
    case "End": act.live(); return true;
    case "Escape": return act.leave();
    default: return false;
  }
}

export class Hands {
  #scene;
  #parts;
  #act;
  #gestures;

  /**
   * `pointed` runs when the crosshair moves, `walked` when a candle is reached by keyboard.
   * @param {HTMLElement} surface
   * @param {import("../model/scene.js").Scene} scene
   * @param {{pointing: import("./pointing.js").Pointing, prices: import("./prices.js").Act,
   *   overlays: import("./overlays.js").Overlays, date: import("./date.js").DateMenu}} parts
   * @param {{pointed: () => unknown, walked: () => unknown}} act
   */
  constructor(surface, scene, parts, act) {
    this.#scene = scene;
    this.#parts = parts;
    this.#act = act;
    const { frame } = scene;
    this.#gestures = new Gestures(surface, {
      pan: (pixels) => scene.moved((core) => core.pan(pixels * frame.ratio)) === true,
      zoom: (factor, x) => scene.moved((core) => core.zoom(factor, x * frame.ratio)),
      point: (x, y) => this.#point(x, y),
      leave: () => this.#leave(),
      moving: () => scene.refresh(),
      lift: (pixels) => scene.moved((core) => core.movePrices(pixels * frame.ratio)),
      press: (x, y) => this.#press(x, y),
      reducesMotion: motionIsReduced,
    });
    listenForChartKeys(surface, {
      walk: (steps) => this.#walk(steps),
      zoom: (factor) => scene.moved((core) => core.zoom(factor, frame.plotWidth / 2)),
      oldest: () => this.#goTo(0),
      live: () => this.#goTo(Infinity),
      leave: () => (this.#drawings?.cancel() ?? false) || this.#leave(),
      stretch: parts.prices.stretch, fit: parts.prices.fit, place: () => this.#place(),
      alert: () => this.#alert(), date: () => parts.date.open(),
    });
    // Input on the chart stops the search for a date.
    for (const kind of ["pointerdown", "wheel", "keydown"]) {
      surface.addEventListener(kind, () => parts.date.cancel(), { passive: true });
    }
  }

  get #drawings() {
    return this.#parts.overlays.tools?.drawings ?? null;
  }

  // Continues a fling; true while it moves. Once per frame.
  /** @param {number} now */
  advance(now) {
    return this.#gestures.advance(now);
  }

  /** Stops a fling. */
  halt() {
    this.#gestures.halt();
  }

  dispose() {
    this.#gestures.dispose();
  }

  /** @param {number} x @param {number} y */
  #point(x, y) {
    this.#parts.pointing.point(x, y);
    this.#act.pointed();
  }

  #leave() {
    if (!this.#parts.pointing.leave()) return false;
    this.#act.pointed();
    return true;
  }

  // Moves the crosshair by keyboard, from the latest candle or its last place.
  /** @param {number} steps */
  #walk(steps) {
    const { core, picture } = this.#scene;
    if (!core || !picture || picture.count === 0) return;
    this.#parts.pointing.walk(core, picture, steps);
    this.#walked();
  }

  /** @param {number} index */
  #goTo(index) {
    const { core, picture } = this.#scene;
    if (!core || !picture) return;
    this.#parts.pointing.goTo(core, picture, index);
    this.#walked();
  }

  // Centres a candle by its index.
  /** @param {number} index */
  show(index) {
    const { core, frame } = this.#scene;
    if (!core) return;
    this.#goTo(index);
    core.reveal(index);
    const x = core.candle(index)?.x;
    if (x !== undefined) core.pan(frame.plotWidth / 2 - x);
  }

  #walked() {
    this.#scene.refresh();
    this.#act.walked();
  }

  // A press places a drawing's point or grabs a drawn line.
  /** @param {number} x @param {number} y */
  #press(x, y) {
    const { core, frame: { ratio, plotHeight } } = this.#scene;
    const drawings = this.#drawings;
    if (!drawings || !core) return null;
    if (!drawings.isPlacing) {
      const grip = drawings.grab(x * ratio, y * ratio, ratio);
      return grip && scaled(grip, ratio);
    }
    const hit = y * ratio <= plotHeight ? core.under(x * ratio, y * ratio) : null;
    if (hit) drawings.place({ time: hit.time, price: Number(hit.price) });
    return { move: () => {}, end: () => {} };
  }

  /** Sets an alert at the crosshair's price. */
  #alert() {
    const { core } = this.#scene;
    const hit = core && this.#parts.pointing.at(core);
    return hit !== null && this.#parts.overlays.askAlert(hit.price);
  }

  /** Enter places a point at the crosshair; at the latest candle without one. */
  #place() {
    const { core, picture } = this.#scene;
    const { pointing } = this.#parts;
    const drawings = this.#drawings;
    if (!drawings?.isPlacing || !core || !picture) return false;
    const hit = pointing.at(core) ?? core.candle(picture.drawnCount - 1);
    if (hit) drawings.place({ time: hit.time, price: Number(hit.price) });
    return true;
  }
}

/**
 * A grip in CSS pixels.
 * @param {import("./gestures.js").Grip} grip
 * @param {number} ratio
 * @returns {import("./gestures.js").Grip}
 */
const scaled = (grip, ratio) =>
  ({ move: (x, y) => grip.move(x * ratio, y * ratio), end: grip.end });
