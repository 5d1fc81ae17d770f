// The alerts of a market where one of its rows was asked for them: of the book, or of a list.

import { AlertSheet } from "./sheet.js";

export class RowAlert {
  #page;
  /** @type {AlertSheet | null} */
  #sheet = null;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Opens them at a point of the window.
   * @param {{venue: string, symbol: string}} market
   * @param {{x: number, y: number}} point
   * @param {string} [price] the one to begin with, if not the last
   */
  show(market, { x, y }, price = "") {
    this.dispose();
    /** @type {AlertSheet} */
    const sheet = new AlertSheet(this.#page, market, () => ({ left: x, bottom: y }),
      (isOpen) => isOpen || sheet.dispose());
    this.#sheet = sheet;
    document.body.append(sheet.element);
    sheet.show(price);
  }

  dispose() {
    this.#sheet?.dispose();
    this.#sheet = null;
  }
}
