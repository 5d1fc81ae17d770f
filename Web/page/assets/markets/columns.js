// The columns of the market list, and its row of headings.

import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

/** @typedef {import("./order.js").Sort} Sort */
/** @typedef {import("./order.js").SortKey} SortKey */

// In order: the cell's class, the heading, and the sort key.
/** @type {[cell: string, heading: string, key: SortKey | null][]} */
export const COLUMNS = [
  ["star", "", null], ["name", t("Market"), "name"], ["last", t("Last"), "price"],
  ["change", t("24h change"), "percent"], ["high", t("24h high"), "high"],
  ["low", t("24h low"), "low"], ["volume", t("24h volume"), "volume"],
  ["turnover", t("24h turnover (USD)"), "turnover"], ["spark", t("24h chart"), null],
  ["age", t("Age"), "age"], ["more", "", null],
];

/** @type {{[cell: string]: string}} */
const UNSEEN = { star: t("Favourite"), more: t("Lists") };
const ARROWS = { ascending: "↑", descending: "↓" };

// A cell of a row, with its column index.
/** @param {string} name @param {...Child} children */
export function cell(name, ...children) {
  const at = COLUMNS.findIndex(([key]) => key === name);
  return h(`div.cell.cell-${name}`, { role: "gridcell", "aria-colindex": at + 1 }, ...children);
}

// The name of a sort: "Change, 24 h, highest first".
/** @param {Sort} sort */
export function sortText({ key, direction }) {
  const heading = COLUMNS.find(([, , sorts]) => sorts === key)?.[1] ?? "";
  const isUp = direction === "ascending";
  const way = key === "name" ? (isUp ? t("A to Z") : t("Z to A"))
    : key === "age" ? (isUp ? t("youngest first") : t("oldest first"))
    : isUp ? t("lowest first") : t("highest first");
  return `${heading}, ${way}`;
}

export class Headings {
  /** @type {Map<SortKey, {cell: HTMLElement, arrow: HTMLElement}>} */
  #sorted = new Map();

  /** @param {(key: SortKey) => unknown} press */
  constructor(press) {
    this.element = h("div.market-headings", { role: "row", "aria-rowindex": 1 },
      ...COLUMNS.map((column, at) => this.#heading(column, at, press)));
  }

  /** @param {Sort | null} sort */
  show(sort) {
    for (const [key, { cell: heading, arrow }] of this.#sorted) {
      const direction = sort?.key === key ? sort.direction : undefined;
      setAttribute(heading, "aria-sort", direction ?? "none");
      setText(arrow, direction ? ARROWS[direction] : "");
    }
  }

  /**
   * @param {typeof COLUMNS[number]} column
   * @param {number} at
   * @param {(key: SortKey) => unknown} press
   */
  #heading([name, text, key], at, press) {
    const face = { role: "columnheader", "aria-colindex": at + 1 };
    if (!key) {
      return h(`div.cell.cell-${name}`, face,
        text || h("span.unseen", {}, UNSEEN[name] ?? ""));
    }
    const arrow = h("span.sort-arrow", { "aria-hidden": "true" });
    const button = h("button.sort", { type: "button", onclick: () => press(key) },
      h("span", {}, text), arrow);
    const heading = h(`div.cell.cell-${name}`, face, button);
    this.#sorted.set(key, { cell: heading, arrow });
    return heading;
  }
}
