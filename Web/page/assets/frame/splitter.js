// A splitter between two parts of the frame: dragged, or moved with the arrow keys. A double click
// gives the part its usual size again.

import { t } from "../text/texts.js";
import { h, setAttribute } from "../ui/dom.js";
import { LIMITS } from "./frame.js";

/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("./frame.js").Part} Part */

/**
 * For each part: its name, whether it is a width, and which way it grows.
 * @type {{[part in Part]: [label: string, isWidth: boolean, sign: 1 | -1]}}
 */
const FACES = {
  rail: [t("Width of the list"), true, 1], side: [t("Width of the right column"), true, -1],
  tape: [t("Width of the trades"), true, -1], dock: [t("Height of the tables"), false, -1],
};

export class Splitter {
  #frame;
  #part;
  /** @type {{from: number, size: number, rem: number} | null} */
  #drag = null;

  /**
   * @param {Frame} frame
   * @param {Part} part
   */
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
