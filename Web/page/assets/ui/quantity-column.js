// Quantities in a column that has only so much room: in full where they fit and have few decimals,
// else by four significant digits, with the full ones in the tooltip and for screen readers. A
// number is never cut.

import { abbreviated, number } from "../text/format.js";
import { textWidth } from "../text/text-width.js";
import { setAttribute, setText } from "./dom.js";

/** The pixels that a measured text and a drawn one may differ by. */
const SLACK = 2;
/** More decimals than these are noise in a column: its numbers are read by their first digits. */
const MOST_DECIMALS = 4;

export class QuantityColumn {
  /** Grows when texts may have to be written anew. */
  version = 0;
  #font = "";
  #room = Infinity;

  // The font and the pixels there are for a text.
  /** @param {string} font @param {number} room */
  resize(font, room) {
    if (font === this.#font && room === this.#room) return;
    [this.#font, this.#room] = [font, room];
    this.version += 1;
  }

  // The pixels that the widest of these digits needs, as it will be written.
  /** @param {(string | undefined)[]} digits */
  widest(digits) {
    return Math.max(0, ...digits.map((text) => this.#widthOf(this.#written(text))));
  }

  // Writes digits into a cell.
  /** @param {Element} cell @param {string | undefined} digits */
  write(cell, digits) {
    const [full, text] = [number(digits), this.#written(digits)];
    setText(cell, text);
    setAttribute(cell, "title", text === full ? null : full);
    setAttribute(cell, "aria-label", text === full ? null : full);
  }

  /** @param {string | undefined} digits */
  #written(digits) {
    const full = number(digits);
    const decimals = digits?.split(".")[1]?.length ?? 0;
    const fits = decimals <= MOST_DECIMALS && this.#widthOf(full) <= this.#room;
    return fits ? full : abbreviated(digits);
  }

  /** @param {string} text */
  #widthOf(text) {
    return this.#font === "" ? 0 : textWidth(text, this.#font) + SLACK;
  }
}
