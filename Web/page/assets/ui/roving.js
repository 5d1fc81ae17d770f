// One stop of the Tab key for a whole list: the row that had the focus last, else its first.

import { setAttribute } from "./dom.js";

export class RovingFocus {
  #list;
  #selector;
  /** @type {Element | null | undefined} */
  #current = null;

  /**
   * `selector` finds the rows that take the focus inside `list`.
   * @param {HTMLElement} list
   * @param {string} selector
   */
  constructor(list, selector) {
    this.#list = list;
    this.#selector = selector;
    list.addEventListener("focusin", (event) => {
      const row = event.target instanceof Element && event.target.closest(selector);
      if (row) this.#choose(row);
    });
  }

  /** To be called when rows came, went or moved. */
  arrange() {
    const rows = [...this.#list.querySelectorAll(this.#selector)];
    this.#choose(rows.find((row) => row === this.#current) ?? rows[0], rows);
  }

  /**
   * @param {Element | undefined} chosen
   * @param {(Element | null | undefined)[]} rows
   */
  #choose(chosen, rows = [this.#current, chosen]) {
    this.#current = chosen ?? null;
    for (const row of rows) if (row) setAttribute(row, "tabindex", row === chosen ? "0" : "-1");
  }
}
