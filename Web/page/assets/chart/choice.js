// The user's chosen interval and style, and the interval shown: the previous one until the new
// candles arrive, and longer candles while zoomed out.

import { hasButton, INTERVALS } from "./model/intervals.js";
import { ChartBar } from "./tools/bar.js";

export class Choice {
  bar;
  interval;
  style;
  /** The interval of the picture. */
  shown;
  /** The interval whose button is pressed. */
  pressed = 0;
  #scene;
  #act;
  #loads;
  #hasPast = false;

  /**
   * `load` requests candles of the chosen interval; `shows` runs when other candles are shown.
   * @param {import("./model/scene.js").Scene} scene
   * @param {import("./model/scene.js").Options} options
   * @param {{load: () => unknown, shows: () => unknown}} act
   */
  constructor(scene, { load, interval = 60_000, style = "candles", onChoice }, act) {
    this.#scene = scene;
    this.interval = this.shown = interval;
    this.style = style;
    this.#loads = load !== undefined;
    this.#act = { ...act, chose: onChoice };
    this.bar = new ChartBar({
      interval: (ms) => this.setInterval(ms), style: (name) => this.setStyle(name),
    });
    this.update();
  }

  /** Whether the candles of the chosen interval are pending. */
  get isWaiting() {
    return this.shown !== this.interval;
  }

  // Shows candles of another interval (ms).
  /** @param {number} interval */
  setInterval(interval) {
    if (!INTERVALS.some(([known]) => known === interval)) return;
    if (this.#loads && (interval !== this.shown || this.isWaiting)) {
      // The old picture stays until the new candles arrive; responses for other intervals are
      // ignored.
      this.interval = interval;
      this.#chose();
      this.#act.load();
      this.#scene.refresh();
      return;
    }
    this.#scene.with((core) => {
      const before = this.interval;
      this.interval = interval;
      if (this.show(core)) this.#chose();
      else this.interval = before;
    });
  }

  /** @param {Style} style */
  setStyle(style) {
    this.style = style;
    this.#scene.with((core) => core.setStyle(style));
    this.#chose();
  }

  // Shows candles of the chosen interval, if they can be made from the available ones.
  /** @param {CoreChart} core */
  show(core) {
    if (!this.begin(core)) return false;
    this.shown = this.interval;
    this.#act.shows();
    return true;
  }

  // The same before any candles arrive.
  /** @param {CoreChart} core */
  begin(core) {
    const { width, ratio } = this.#scene.frame;
    return core.show(this.interval, width / ratio < 420 ? 7 : 9);
  }

  // Candles arrived: finer ones than these are unavailable.
  /** @param {CoreChart} core */
  took(core) {
    if (this.interval < this.#scene.finest) this.interval = this.#scene.finest;
    if (this.isWaiting) this.show(core);
    this.update();
  }

  // Whether the venue provides history.
  /** @param {boolean} hasPast */
  setPast(hasPast) {
    this.#hasPast = hasPast;
    this.update();
  }

  /** Presses the button of the drawn candles; zoomed out, they are longer than the chosen ones. */
  update() {
    const drawn = this.isWaiting ? 0 : this.#scene.picture?.interval ?? 0;
    this.pressed = hasButton(drawn) && drawn > this.interval ? drawn : this.interval;
    this.bar.update({
      interval: this.pressed, style: this.style, finest: this.#loads ? 0 : this.#scene.finest,
      hasHistory: this.#hasPast || !this.#loads,
    });
  }

  #chose() {
    this.update();
    this.#act.chose?.({ interval: this.interval, style: this.style });
  }
}
