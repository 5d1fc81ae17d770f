// The plot of a chart: its canvas and overlays, and when each is drawn.

import { forget, invalidate } from "../base/scheduler.js";
import { observeChoices } from "../text/preferences.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Composer } from "./model/composer.js";
import { SIGNS, STRIDE } from "./model/core.js";
import { readColours } from "./model/style.js";
import { CanvasHost } from "./paint/canvas-host.js";
import { pictureOf } from "./paint/screenshot.js";
import { followSize, GrowingRow } from "./paint/sizes.js";
import { Spoken } from "./spoken.js";
import { Hands } from "./tools/input.js";
import { ChartNote } from "./tools/legend.js";
import { Pointing } from "./tools/pointing.js";
import { priceStrip } from "./tools/prices.js";
import { neededSince } from "./tools/studies.js";

/** @typedef {import("./tools/legend.js").Note} Note */

const LEAST_LENGTH = 40;
const SAID_MILLISECONDS = 5000;
/** The element that takes keyboard focus. */
const SURFACE = {
  tabindex: 0, role: "slider", "aria-roledescription": t("chart"), "aria-orientation": "horizontal",
  "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0, "aria-valuetext": t("nothing yet"),
  "aria-keyshortcuts": "ArrowLeft ArrowRight + - Home End Shift+ArrowUp Shift+ArrowDown A G L",
};

/**
 * The parts of a plot.
 * @typedef {object} Parts
 * @property {import("./choice.js").Choice} choice
 * @property {import("./candles.js").Past} past
 * @property {import("./tools/prices.js").Act} prices
 * @property {import("./tools/prices.js").PriceScaleMenu} scale
 * @property {import("./tools/studies.js").StudyMenu} studies
 * @property {import("./tools/overlays.js").Overlays} overlays
 * @property {import("./tools/date.js").DateMenu} date
 */

export class Plot {
  element;
  surface;
  pointing;
  /** Why there is nothing to draw, if the page has a better reason. */
  notice = /** @type {Note | null} */ (null);
  #scene;
  #parts;
  #composer;
  #spoken;
  #hands;
  #legendRow;
  #host = new CanvasHost(() => this.restyle());
  #live = h("button.chart-live", { type: "button", hidden: true }, t("Back to live"));
  #note = new ChartNote();
  #status = h("div.chart-status", { role: "status", hidden: true });
  #hint = h("div.chart-hint", { role: "status", hidden: true });
  /** @type {Colours | null} */
  #colours = null;
  #isDirty = true;
  #timer = 0;
  #hintTimer = 0;
  #isGone = false;
  /** @type {(() => unknown)[]} */
  #endings = [];

  /**
   * `name` is the charted instrument.
   * @param {import("./model/scene.js").Scene} scene
   * @param {string | undefined} name
   * @param {Parts} parts
   */
  constructor(scene, name, parts) {
    const { choice, past, prices, studies, overlays, date } = parts;
    this.#scene = scene;
    this.#parts = parts;
    this.#composer = new Composer(scene);
    const pointing = this.pointing = new Pointing(scene.frame, scene.labels, scene.onPoint);
    this.surface = h("div.chart-surface", SURFACE, this.#host.element,
      pointing.crosshair.element);
    this.#live.addEventListener("click", () => this.backToLive());
    this.element = h("div.chart-plot", {}, this.surface, priceStrip(prices),
      overlays.element, this.#live, this.#status, this.#hint, this.#note.element);
    this.#legendRow = new GrowingRow(this.legend);
    this.#spoken = new Spoken(this.surface, name,
      { scene, choice, past, pointing, studies, overlays });
    this.#hands = new Hands(this.surface, scene, { pointing, prices, overlays, date },
      { pointed: () => invalidate(this.#render), walked: () => this.#spoken.tell() });
  }

  /** The row with a candle's values. */
  get legend() {
    return this.pointing.legend.element;
  }

  /** Runs once the plot is in the page: its size is available from now on. */
  begin() {
    this.refresh();
    this.#endings = [
      observeChoices(() => this.#rechosen()),
      followSize(this.surface, (width, height, ratio) => this.#size(width, height, ratio)),
    ];
  }

  dispose() {
    this.#isGone = true;
    forget(this.#render);
    clearTimeout(this.#timer);
    clearTimeout(this.#hintTimer);
    for (const end of this.#endings) end();
    this.#legendRow.dispose();
    this.#hands.dispose();
    this.#host.dispose();
    this.pointing.dispose();
  }

  /** Redraws everything with the next frame. */
  refresh() {
    this.#isDirty = true;
    invalidate(this.#render);
  }

  /** Rereads the colours. */
  restyle() {
    this.#colours = null;
    this.refresh();
  }

  // Points at the candle at a time, as a linked chart does; null at none.
  /** @param {number | null} time */
  follow(time) {
    this.pointing.follow(time);
    invalidate(this.#render);
  }

  #rechosen() {
    this.#composer.rezone();
    this.restyle();
  }

  /** Follows the newest tick again. */
  backToLive() {
    this.#hands.halt();
    this.#parts.date.cancel();
    if (this.#live.contains(document.activeElement)) this.surface.focus();
    this.#scene.with((core) => core.backToLive());
  }

  // Centres a candle and announces it.
  /** @param {number} index */
  showCandle(index) {
    this.#hands.show(index);
  }

  // The user's next step; empty for no hint.
  /** @param {string} text */
  hint(text) {
    clearTimeout(this.#hintTimer);
    setText(this.#hint, text);
    setAttribute(this.#hint, "hidden", text === "");
  }

  // Shows a text for a moment.
  /** @param {string} text */
  say(text) {
    this.hint(text);
    this.#hintTimer = setTimeout(() => this.hint(""), SAID_MILLISECONDS);
  }

  // A screenshot; null before the first picture.
  /** @param {import("./paint/screenshot.js").Caption} caption */
  save(caption) {
    if (!this.#colours) return null;
    const { ground, ink, muted, font } = this.#colours;
    const { ratio } = this.#scene.frame;
    return pictureOf(this.#host.element, caption, { ground, ink, muted, font, ratio });
  }

  /** @param {number} width @param {number} height @param {number} ratio */
  #size(width, height, ratio) {
    const { frame, picture } = this.#scene;
    if (width === frame.width && height === frame.height && ratio === frame.ratio) return;
    Object.assign(frame, { width, height, ratio });
    this.#legendRow.setWidth(width);
    this.#scene.resize();
    if (width < LEAST_LENGTH || height < LEAST_LENGTH) return;
    this.#colours ??= this.#readColours();
    if (!picture) this.#host.clear(frame.lengths);
    // A resized canvas is empty: paint it within this frame, or it flickers.
    this.#isDirty = true;
    this.#render();
  }

  #render = () => {
    const { core, frame } = this.#scene;
    if (this.#isGone || frame.width < LEAST_LENGTH || frame.height < LEAST_LENGTH) return;
    const colours = (this.#colours ??= this.#readColours());
    if (!core) return this.#note.update(this.#problem());
    if (this.#hands.advance(performance.now())) this.refresh();
    const isPainted = this.#isDirty;
    const picture = isPainted ? this.#paint(core, colours) : this.#scene.picture;
    if (!picture || (!isPainted && !this.pointing.hasMoved)) return;
    this.pointing.show(core, picture, this.#spoken.words(picture));
    if (!isPainted) return;
    const { overlays, scale } = this.#parts;
    overlays.show(picture, frame);
    scale.update(picture);
    this.element.style.setProperty("--axis-width", `${frame.axis.right}px`);
  };

  #readColours() {
    const colours = readColours(this.surface);
    this.#host.restyle(colours);
    this.#isDirty = true;
    return colours;
  }

  /** @param {CoreChart} core @param {Colours} colours */
  #paint(core, colours) {
    // Running motion has already requested the next frame.
    this.#isDirty = false;
    const { choice, past, date } = this.#parts;
    const { picture, model } = this.#composer.compose(core, choice.style, colours.font);
    if (picture.count > 0) this.#host.show(model);
    else this.#host.clear(this.#scene.frame.lengths);
    setAttribute(this.#live, "hidden", picture.followsLive || picture.count === 0);
    if (picture.interval !== choice.pressed) choice.update();
    this.#note.update(this.#problem());
    const missing = past.reach(picture, this.#since(picture)) || mismatchWords(picture);
    date.seek(picture, past.isWhole);
    setAttribute(this.#status, "hidden", missing === "");
    setText(this.#status, missing);
    this.#spoken.summarise(picture);
    this.#expect(picture);
    return picture;
  }

  // From when on candles are needed; a small chart has no studies.
  /** @param {Picture} picture */
  #since(picture) {
    const { isSmall, labels } = this.#scene;
    return isSmall ? picture.left
      : neededSince(this.#parts.studies.chosen, picture, labels.time.offset(picture.left));
  }

  // The countdown under the latest price ticks each second; without ticks the picture still moves.
  /** @param {Picture} picture */
  #expect(picture) {
    const { now } = this.#scene;
    if (now === undefined || this.#timer !== 0 || !picture.live) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.refresh();
    }, 1000 - (now % 1000) + 20);
  }

  /** @returns {Note} */
  #problem() {
    const { failure, picture } = this.#scene;
    if (failure) return { text: failure };
    if (picture && picture.count > 0) return { text: "" };
    return this.notice ?? this.#parts.past.nothing;
  }
}

// Explains the diamonds over candles, while one is in view.
/** @param {Picture} picture */
function mismatchWords({ candles: { at, count }, memory: { bytes } }) {
  for (let candle = at; candle < at + count * STRIDE.candle; candle += STRIDE.candle) {
    if (bytes[candle + 28] & SIGNS.contradicted) {
      return t("◆ The venue’s candle differs from its trades.");
    }
  }
  return "";
}
