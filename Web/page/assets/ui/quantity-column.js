// Quantities in a narrow column: in full if they fit and have few decimals, else to four
// significant digits, with the full number in the tooltip and for screen readers. Numbers are never
// truncated.

import { abbreviated, number } from "../text/format.js";
import { textWidth } from "../text/text-width.js";
import { setAttribute, setText } from "./dom.js";

/** Tolerance between measured and drawn text, pixels. */
const SLACK = 2;
/** More decimals are noise in a column, which is read by its first digits. */
const MOST_DECIMALS = 4;

export class QuantityColumn {
  /** Increases when texts may have to be rewritten. */
  version = 0;
  #font = "";
  #room = Infinity;

  // Sets the font and the text width in pixels.
  /** @param {string} font @param {number} room */
  resize(font, room) {
    if (font === this.#font && room === this.#room) return;
    [this.#font, this.#room] = [font, room];
    this.version += 1;
  }

  // The pixels that the widest of these numbers needs, as displayed.
  /** @param {(string | undefined)[]} digits */
  widest(digits) {
    return Math.max(0, ...digits.map((text) => this.#widthOf(this.#written(text))));
  }

  // Writes a number into a cell.
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
