// The frame's sizes: rail width, right column width, dock height. The user changes them; they are
// stored here, saved as named layouts, and shared in an address.

import { cleanName } from "../base/names.js";
import { read, remember } from "../base/storage.js";
import { t } from "../text/texts.js";
import { h, setAttribute } from "../ui/dom.js";

/** @typedef {"rail" | "side" | "tape" | "dock"} Part */
/** @typedef {{[part in Part]: number}} Sizes rem, in steps of a quarter */

// Minimum, default and maximum size of each part, rem.
/** @type {{[part in Part]: [least: number, usual: number, most: number]}} */
const LIMITS = {
  rail: [3.5, 15, 24], side: [18, 23.5, 36], tape: [14, 19, 28], dock: [2.75, 14, 40],
};
const PARTS = /** @type {Part[]} */ (Object.keys(LIMITS));
/** Below this width the rail shows names and changes only. */
const FOLDED_BELOW_REM = 9;
const SIZES_KEY = "frame.sizes";
const NAMED_KEY = "frame.layouts";
const MAXIMUM_NAMED = 20;
export const LONGEST_NAME = 24;

export class Frame {
  #root;
  /** @type {Sizes} */
  #sizes;
  /** @type {Set<() => void>} */
  #observers = new Set();
  /** @type {Map<string, string>} */
  #named;
  /** The name of the layout chosen last; "" once a part is resized. */
  name = "";

  // `shared` is the address's layout, if any: it applies to this page and is not stored.
  /** @param {HTMLElement} root @param {string | null} shared */
  constructor(root, shared) {
    this.#root = root;
    this.#sizes = sizesOf(shared) ?? sizesOf(read(SIZES_KEY)) ?? usual();
    this.#named = namedOf(read(NAMED_KEY));
    this.#apply();
  }

  // Calls `observer` after each change. Returns a function that stops it.
  /** @param {() => void} observer @returns {Release} */
  observe(observer) {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** @param {Part} part */
  sizeOf(part) {
    return this.#sizes[part];
  }

  /** Whether the rail is folded. */
  get isFolded() {
    return this.#sizes.rail < FOLDED_BELOW_REM;
  }

  /** Folds the rail, or restores its default width. */
  fold() {
    this.resize("rail", this.isFolded ? LIMITS.rail[1] : LIMITS.rail[0]);
  }

  // Resizes a part, within its limits.
  /** @param {Part} part @param {number} rem */
  resize(part, rem) {
    this.#set({ ...this.#sizes, [part]: bounded(part, rem) });
    this.name = "";
    remember(SIZES_KEY, written(this.#sizes));
  }

  /** The names of the saved layouts, oldest first. */
  get names() {
    return [...this.#named.keys()];
  }

  // Saves the sizes under a name; false if there are too many layouts.
  /** @param {string} name */
  keep(name) {
    const text = cleanName(name.slice(0, LONGEST_NAME));
    if (text === "" || (!this.#named.has(text) && this.#named.size >= MAXIMUM_NAMED)) return false;
    this.#named.set(text, written(this.#sizes));
    this.name = text;
    this.#remember();
    return true;
  }

  /** @param {string} name */
  forget(name) {
    this.#named.delete(name);
    if (this.name === name) this.name = "";
    this.#remember();
  }

  // Applies a layout by name; "" for the default.
  /** @param {string} name */
  take(name) {
    const sizes = name === "" ? usual() : sizesOf(this.#named.get(name));
    if (!sizes) return;
    this.name = name;
    this.#set(sizes);
    remember(SIZES_KEY, written(sizes));
  }

  /** The sizes, encoded for an address. */
  get shared() {
    return written(this.#sizes);
  }

  #remember() {
    remember(NAMED_KEY, JSON.stringify([...this.#named]));
    this.#tell();
  }

  /** @param {Sizes} sizes */
  #set(sizes) {
    this.#sizes = sizes;
    this.#apply();
    this.#tell();
  }

  #apply() {
    for (const part of PARTS) this.#root.style.setProperty(`--${part}`, `${this.#sizes[part]}rem`);
    setAttribute(this.#root, "data-folded", this.isFolded);
  }

  #tell() {
    for (const observer of this.#observers) observer();
  }
}

/** @returns {Sizes} */
const usual = () => Object.assign(Object.create(null),
  ...PARTS.map((part) => ({ [part]: LIMITS[part][1] })));

/** @param {Part} part @param {number} rem */
function bounded(part, rem) {
  const [least, , most] = LIMITS[part];
  return Math.min(most, Math.max(least, Math.round(rem * 4) / 4));
}

/** @param {Sizes} sizes */
const written = (sizes) => PARTS.map((part) => `${part}-${sizes[part]}`).join("_");

// Parses encoded sizes; null if the text is invalid.
/** @param {string | null | undefined} text @returns {Sizes | null} */
function sizesOf(text) {
  const sizes = usual();
  const given = (text ?? "").slice(0, 200).split("_").map((item) => item.split("-"));
  let isAny = false;
  for (const [name, digits] of given) {
    const part = PARTS.find((known) => known === name);
    if (!part || !/^\d{1,3}(\.\d{1,2})?$/.test(digits ?? "")) continue;
    sizes[part] = bounded(part, Number(digits));
    isAny = true;
  }
  return isAny ? sizes : null;
}

/** @param {string | null} text @returns {Map<string, string>} */
function namedOf(text) {
  try {
    const pairs = /** @type {unknown} */ (JSON.parse(text ?? "[]"));
    const known = Array.isArray(pairs) ? pairs.slice(0, MAXIMUM_NAMED) : [];
    return new Map(known.filter((pair) => Array.isArray(pair) && sizesOf(String(pair[1])))
      .map(([name, sizes]) => [cleanName(String(name).slice(0, LONGEST_NAME)), String(sizes)]));
  } catch {
    // Ignore values written by other programs.
    return new Map();
  }
}

// A splitter between two parts of the frame: dragged, or moved with the arrow keys. A double click
// restores the part's default size. For each part: its name, whether it is a width, and which way
// it grows.
/** @type {{[part in Part]: [label: string, isWidth: boolean, sign: 1 | -1]}} */
const FACES = {
  rail: [t("Width of the list"), true, 1], side: [t("Width of the right column"), true, -1],
  tape: [t("Width of the trades"), true, -1], dock: [t("Height of the tables"), false, -1],
};

export class Splitter {
  #frame;
  #part;
  /** @type {{from: number, size: number, rem: number} | null} */
  #drag = null;

  /** @param {Frame} frame @param {Part} part */
  constructor(frame, part) {
    this.#frame = frame;
    this.#part = part;
    const [label, isWidth] = FACES[part];
    const [least, usual, most] = LIMITS[part];
    this.element = h(`div.splitter.splitter-${part}`, {
      role: "separator", tabindex: "0", "aria-label": label,
      "aria-orientation": isWidth ? "vertical" : "horizontal", "aria-valuemin": least,
      "aria-valuemax": most,
    });
    this.element.addEventListener("pointerdown", (event) => this.#begin(event));
    this.element.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.element.addEventListener(kind, () => (this.#drag = null));
    }
    this.element.addEventListener("dblclick", () => frame.resize(part, usual));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    const draw = () => setAttribute(this.element, "aria-valuenow", frame.sizeOf(part));
    this.dispose = frame.observe(draw);
    draw();
  }

  /** @param {PointerEvent} event */
  #at(event) {
    return FACES[this.#part][1] ? event.clientX : event.clientY;
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    if (event.button !== 0) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    this.#drag = { from: this.#at(event), size: this.#frame.sizeOf(this.#part), rem };
    this.element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#drag) return;
    const { from, size, rem } = this.#drag;
    this.#frame.resize(this.#part, size + FACES[this.#part][2] * (this.#at(event) - from) / rem);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [, isWidth, sign] = FACES[this.#part];
    const [least, , most] = LIMITS[this.#part];
    const [less, more] = isWidth ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const size = this.#frame.sizeOf(this.#part);
    if (event.key === less) this.#frame.resize(this.#part, size - sign);
    else if (event.key === more) this.#frame.resize(this.#part, size + sign);
    else if (event.key === "Home") this.#frame.resize(this.#part, least);
    else if (event.key === "End") this.#frame.resize(this.#part, most);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
