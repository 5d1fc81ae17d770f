// The depth chart: cumulative size by price, both sides on one scale, the mid price in the middle.
// Positions are whole thousandths, so that no price becomes a binary fraction.

import { decimal, written } from "../base/decimal.js";
import { abbreviated, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 1000;

/** @typedef {{kind: "bids" | "asks", at: number}} Place */
/** @typedef {{x: number, kind: "bids" | "asks", at: number, height: number}} Step */

export class DepthChart {
  #shapes = { bids: shape("depth-bids"), asks: shape("depth-asks") };
  #cursor = h("span.depth-cursor", { hidden: true, "aria-hidden": "true" });
  #scale = { low: h("span"), middle: h("span"), high: h("span") };
  #most = h("span.depth-most");
  #plot = h("div.depth-plot", { role: "slider", tabindex: "0", "aria-label": t("Depth by price"),
    "aria-orientation": "horizontal", "aria-valuemin": "0" });
  // From the lowest price to the highest.
  /** @type {Step[]} */
  #steps = [];
  #place;
  #point;

  /**
   * @param {() => Place | null} place the pointed-at level, also before it is drawn
   * @param {(place: Place | null) => void} point receives the level under pointer or keys
   */
  constructor(place, point) {
    this.#place = place;
    this.#point = point;
    const image = document.createElementNS(NAMESPACE, "svg");
    image.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    image.setAttribute("preserveAspectRatio", "none");
    image.setAttribute("aria-hidden", "true");
    image.append(this.#shapes.bids, this.#shapes.asks);
    this.#plot.append(image, this.#cursor, this.#most);
    this.element = h("div.depth", {}, this.#plot,
      h("div.depth-scale", { "aria-hidden": "true" }, this.#scale.low, this.#scale.middle,
        this.#scale.high));
    this.#plot.addEventListener("pointermove", (event) => this.#hover(event));
    this.#plot.addEventListener("pointerleave", () => this.#point(null));
    this.#plot.addEventListener("blur", () => this.#point(null));
    this.#plot.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** @param {Topic.KnownBook} book @param {boolean} dimmed */
  update(book, dimmed) {
    const range = rangeOf(book);
    this.#steps = range ? [...stepsOf(book, "bids", range).reverse(),
      ...stepsOf(book, "asks", range)] : [];
    for (const kind of /** @type {const} */ (["bids", "asks"])) {
      const steps = this.#steps.filter((step) => step.kind === kind)
        .sort((a, b) => a.at - b.at);
      setAttribute(this.#shapes[kind], "d", outline(steps, kind === "bids" ? 0 : WIDTH));
    }
    const decimals = book.priceDecimals;
    const label = (/** @type {bigint} */ units) =>
      (range ? number(written({ units, scale: range.scale }), decimals) : "");
    setText(this.#scale.low, range ? label(range.low) : "");
    setText(this.#scale.middle, range ? label(range.low + range.span / 2n) : "");
    setText(this.#scale.high, range ? label(range.low + range.span) : "");
    const most = [book.bids.at(-1), book.asks.at(-1)].find((row) => row?.[3] === WIDTH)?.[5];
    setText(this.#most, most === undefined ? "" : abbreviated(most));
    setAttribute(this.#plot, "aria-valuemax", Math.max(0, this.#steps.length - 1));
    setAttribute(this.element, "data-dimmed", dimmed);
  }

  // Marks a level and sets its screen-reader text.
  /** @param {Place | null} place @param {string} words */
  mark(place, words) {
    const at = this.#stepOf(place);
    setAttribute(this.#cursor, "hidden", at < 0);
    setAttribute(this.#plot, "aria-valuenow", Math.max(0, at));
    setAttribute(this.#plot, "aria-valuetext", at < 0 ? t("No level chosen") : words);
    if (at < 0) return;
    this.#cursor.style.left = `${this.#steps[at].x / 10}%`;
    setAttribute(this.#cursor, "data-kind", this.#steps[at].kind);
  }

  /** @param {Place | null} place */
  #stepOf(place) {
    return this.#steps.findIndex((step) => step.kind === place?.kind && step.at === place.at);
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const width = this.#plot.clientWidth;
    if (width === 0 || this.#steps.length === 0) return;
    const x = (event.offsetX * WIDTH) / width;
    const nearest = this.#steps.reduce((best, step) =>
      (Math.abs(step.x - x) < Math.abs(best.x - x) ? step : best));
    this.#point({ kind: nearest.kind, at: nearest.at });
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    // A key can precede the frame that draws the previous key's result.
    const now = this.#stepOf(this.#place());
    const last = this.#steps.length - 1;
    const middle = this.#steps.findIndex((step) => step.kind === "asks");
    const to = { ArrowRight: now + 1, ArrowUp: now + 1, ArrowLeft: now - 1, ArrowDown: now - 1,
      Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    const step = this.#steps[now < 0 ? Math.max(0, middle) : Math.min(last, Math.max(0, to))];
    this.#point({ kind: step.kind, at: step.at });
  }
}

/** @param {string} name */
function shape(name) {
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("class", name);
  return path;
}

// The price range from left to right: equally far from the middle on both sides.
/** @param {Topic.KnownBook} book */
function rangeOf({ bids, asks }) {
  const texts = [bids.at(-1)?.[0], bids[0]?.[0], asks[0]?.[0], asks.at(-1)?.[0]];
  const known = texts.map((text) => decimal(text));
  const scale = Math.max(0, ...known.map((value) => value?.scale ?? 0));
  const [low, bid, ask, high] = known.map((value) => value && unitsAt(value, scale));
  const [lower, upper, from, to] = [bid ?? ask, ask ?? bid, low ?? ask, high ?? bid];
  if (lower === null || upper === null || from === null || to === null) return null;
  // Twice the middle, to stay an integer.
  const middle = lower + upper;
  const reach = [middle - 2n * from, 2n * to - middle].reduce((a, b) => (a > b ? a : b));
  if (reach <= 0n) return null;
  // A margin, so that the last step is visible.
  const half = reach + reach / 20n + 1n;
  return { low: (middle - half) / 2n, span: half, scale };
}

/** @param {{units: bigint, scale: number}} value @param {number} scale */
const unitsAt = (value, scale) => value.units * 10n ** BigInt(scale - value.scale);

/**
 * @param {Topic.KnownBook} book
 * @param {"bids" | "asks"} kind
 * @param {{low: bigint, span: bigint, scale: number}} range
 * @returns {Step[]}
 */
function stepsOf(book, kind, { low, span, scale }) {
  return book[kind].map(([price, , , share], at) => {
    const value = decimal(price);
    const units = value ? unitsAt(value, scale) : low;
    return { kind, at, x: Number(((units - low) * BigInt(WIDTH)) / span), height: share };
  });
}

// Stairs from the best price outwards.
/** @param {Step[]} steps best first @param {number} edge where the side ends */
function outline(steps, edge) {
  if (steps.length === 0) return "";
  const stairs = steps.map(({ x, height }) => `H${x}V${HEIGHT - height}`).join("");
  return `M${steps[0].x} ${HEIGHT}${stairs}H${edge}V${HEIGHT}Z`;
}
