// A line over the chart that its grip moves to another price: a drag, or the arrow keys and Enter,
// sends it; Escape keeps the old price.

const MANY_TICKS = 10;

/**
 * How lines move. `priceAt` is the price at a height of the window, `changed` follows each step;
 * `send` may return a promise: the line stays where it was dropped until that settles.
 * @template {MovableLine} Line
 * @typedef {object} Mover
 * @property {(line: Line) => boolean} canMove
 * @property {() => number} tick
 * @property {(clientY: number) => bigint | null} priceAt
 * @property {() => unknown} changed
 * @property {(line: Line, units: number) => unknown} send
 * @property {(line: Line, grip: HTMLElement) => unknown} press
 */

export class MovableLine {
  /** Its price. */
  units;
  /** The price it is moved to. */
  wanted = /** @type {number | null} */ (null);
  isSent = false;
  /** @type {Mover<any>} */
  #mover;

  /** @param {number} units @param {Mover<any>} mover */
  constructor(units, mover) {
    this.units = units;
    this.#mover = mover;
  }

  /** The price where it is held; null while it is at rest or sent. */
  get held() {
    return this.isSent ? null : this.wanted;
  }

  get isMoved() {
    return this.wanted !== null && this.wanted !== this.units;
  }

  /** @param {HTMLElement} grip */
  listen(grip) {
    const mover = this.#mover;
    /** @type {number | null} */
    let held = null;
    let hasMoved = false;
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !mover.canMove(this) || this.isSent) return;
      grip.setPointerCapture(event.pointerId);
      held = event.pointerId;
      hasMoved = false;
    });
    grip.addEventListener("pointermove", (event) => {
      if (held !== event.pointerId) return;
      const price = mover.priceAt(event.clientY);
      if (price === null) return;
      hasMoved ||= Number(price) !== this.units;
      this.#put(Number(price));
    });
    grip.addEventListener("pointerup", () => {
      if (held === null) return;
      held = null;
      this.#send();
    });
    grip.addEventListener("click", () => {
      if (!hasMoved && this.wanted === null) mover.press(this, grip);
      hasMoved = false;
    });
    grip.addEventListener("pointercancel", () => {
      held = null;
      this.rest();
    });
    grip.addEventListener("keydown", (event) => {
      if (event.key === "Escape") held = null;
      if (this.#key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    grip.addEventListener("focus", () => mover.changed());
    grip.addEventListener("blur", () => {
      if (held === null && !this.isSent) this.rest();
      mover.changed();
    });
  }

  /** @param {KeyboardEvent} event */
  #key({ key, shiftKey, ctrlKey, metaKey, altKey }) {
    if (ctrlKey || metaKey || altKey || !this.#mover.canMove(this) || this.isSent) return false;
    const way = key === "ArrowUp" ? 1 : key === "ArrowDown" ? -1 : 0;
    if (way !== 0) {
      const ticks = way * (shiftKey ? MANY_TICKS : 1);
      this.#put((this.wanted ?? this.units) + ticks * this.#mover.tick());
      return true;
    }
    if (key === "Enter") this.#send();
    else if (key === "Escape" && this.wanted !== null) this.rest();
    else return false;
    return true;
  }

  /** @param {number} units */
  #put(units) {
    if (units <= 0 || this.wanted === units) return;
    this.wanted = units;
    this.#mover.changed();
  }

  // Back to its price.
  rest() {
    if (this.wanted === null && !this.isSent) return;
    this.wanted = null;
    this.isSent = false;
    this.#mover.changed();
  }

  #send() {
    const { wanted } = this;
    if (wanted === null || !this.isMoved) return this.rest();
    this.isSent = true;
    this.#mover.changed();
    Promise.resolve(this.#mover.send(this, wanted)).catch(() => {}).then(() => this.rest());
  }
}
