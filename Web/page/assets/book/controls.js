// The book's settings: price grouping, size unit, and shape.

import { read, recall, remember } from "../base/storage.js";
import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

const UNIT_KEY = "bookUnit";
const SHAPE_KEY = "bookShape";
const SHAPES = ["auto", "ladder", "sides", "depth", "dom"];
/** @type {[Shape, string][]} */
const NAMES = [["ladder", t("Ladder")], ["sides", t("Side by side")], ["depth", t("Depth")],
  ["dom", "DOM"]];

/** @typedef {"ladder" | "sides" | "depth" | "dom"} Shape */

export class BookControls {
  /** Whether sizes are shown in the base currency. */
  base = recall(UNIT_KEY, ["contracts", "base"]) === "base";
  // The user's chosen shape; null to choose by the available room.
  /** @type {Shape | null} */
  shape = shapeOf(recall(SHAPE_KEY, SHAPES));
  #contracts = h("button.segment", { type: "button" }, t("Contracts"));
  #base = h("button.segment", { type: "button" }, t("Base"));
  #units = h("div.segments", { role: "group", "aria-label": t("Unit of the quantities") },
    this.#contracts, this.#base);
  #groups = h("select.book-choice", { "aria-label": t("Price grouping") });
  #shapes = h("select.book-choice",
    { "aria-label": t("Book view"), "data-command": "book-shape" },
    ...NAMES.map(([value, name]) => h("option", { value }, name)));
  #grouping = h("label.book-pick", {}, h("span", { "aria-hidden": "true" }, t("Group")),
    this.#groups);
  element = h("div.book-controls", {}, this.#grouping, this.#units, this.#shapes);
  #symbol;
  #listed = "";
  /** @type {(change: {ticks?: number}) => void} */
  #changed;

  /** @param {string} symbol @param {(change: {ticks?: number}) => void} changed */
  constructor(symbol, changed) {
    this.#symbol = symbol;
    this.#changed = changed;
    this.#contracts.addEventListener("click", () => this.#chooseUnit(false));
    this.#base.addEventListener("click", () => this.#chooseUnit(true));
    this.#groups.addEventListener("change", () => this.#chooseGroup());
    this.#shapes.addEventListener("change", () => this.#chooseShape());
  }

  /** Ticks per row, as last chosen for this instrument. */
  get ticks() {
    const kept = read(groupKey(this.#symbol)) ?? "";
    return /^[1-9]\d{0,6}$/.test(kept) ? Number(kept) : 1;
  }

  /**
   * @param {Topic.KnownBook} book
   * @param {Shape} shape as drawn
   * @param {number} ticks as requested
   */
  update(book, shape, ticks) {
    setAttribute(this.#contracts, "aria-pressed", String(!this.base));
    setAttribute(this.#base, "aria-pressed", String(this.base));
    setText(this.#base, book.base);
    // Sizes already in the base currency have nothing to switch.
    setAttribute(this.#units, "hidden", book.unit === "base");
    if (this.#shapes.value !== shape) this.#shapes.value = shape;
    this.#list(book.groups, ticks);
  }

  /** @param {[number, string][]} groups @param {number} ticks */
  #list(groups, ticks) {
    setAttribute(this.#grouping, "hidden", groups.length < 2 && ticks === 1);
    const key = JSON.stringify(groups);
    if (key !== this.#listed) {
      this.#listed = key;
      this.#groups.replaceChildren(...groups.map(([value, step]) =>
        h("option", { value }, number(step))));
    }
    const isListed = groups.some(([value]) => value === ticks);
    // A grouping no longer offered stays listed while it is shown.
    if (!isListed && !this.#groups.querySelector(`[value="${ticks}"]`)) {
      this.#groups.append(h("option", { value: ticks }, t("{count} ticks", { count: ticks })));
    }
    if (this.#groups.value !== String(ticks)) this.#groups.value = String(ticks);
  }

  /** @param {boolean} base */
  #chooseUnit(base) {
    this.base = base;
    remember(UNIT_KEY, base ? "base" : "contracts");
    this.#changed({});
  }

  #chooseGroup() {
    const ticks = Number(this.#groups.value);
    remember(groupKey(this.#symbol), String(ticks));
    this.#changed({ ticks });
  }

  #chooseShape() {
    this.shape = shapeOf(this.#shapes.value);
    remember(SHAPE_KEY, this.shape ?? "auto");
    this.#changed({});
  }
}

/** @param {string} symbol */
const groupKey = (symbol) => `bookGroup.${symbol}`;

/** @param {string} text @returns {Shape | null} */
const shapeOf = (text) => NAMES.find(([shape]) => shape === text)?.[0] ?? null;
