// Moves a row by its grip: a line shows where it would stand, the list scrolls at its edges, and
// Esc leaves all as it was.

import { h, setAttribute } from "../ui/dom.js";
import { ROW_PIXELS } from "./virtual-rows.js";

const EDGE_PIXELS = 40;
const SCROLL_PIXELS = 10;

export class RowDrag {
  #line = h("div.drop-line", { "aria-hidden": "true", hidden: true });
  #rows;
  #scroller;
  #drop;
  #id = "";
  #gap = -1;
  #y = 0;
  #frame = 0;

  /**
   * @param {object} list
   * @param {HTMLElement} list.room what holds the rows
   * @param {HTMLElement} list.scroller
   * @param {{gapAt: (clientY: number) => number, views: Map<string, {element: HTMLElement}>}}
   *   list.rows
   * @param {(id: string, gap: number) => void} list.drop
   */
  constructor({ room, scroller, rows, drop }) {
    this.#rows = rows;
    this.#scroller = scroller;
    this.#drop = drop;
    room.after(this.#line);
    room.addEventListener("pointerdown", (event) => this.#begin(event));
    room.addEventListener("pointermove", (event) => this.#move(event));
    room.addEventListener("pointerup", () => this.#end(true));
    room.addEventListener("pointercancel", () => this.#end(false));
    this.room = room;
  }

  get isRunning() {
    return this.#id !== "";
  }

  /** All as it was. */
  cancel() {
    this.#end(false);
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest("[data-act=grip]") && target.closest("[data-row]");
    if (!row || event.button !== 0) return;
    event.preventDefault();
    this.#id = row.getAttribute("data-row") ?? "";
    this.room.setPointerCapture(event.pointerId);
    setAttribute(row, "data-dragged", true);
    this.#y = event.clientY;
    this.#step();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.isRunning) this.#y = event.clientY;
  }

  /** A frame while it is held: the line follows, and the list under it. */
  #step() {
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const way = this.#y < top + EDGE_PIXELS + ROW_PIXELS ? -1
      : this.#y > bottom - EDGE_PIXELS ? 1 : 0;
    if (way !== 0) this.#scroller.scrollTop += way * SCROLL_PIXELS;
    this.#gap = this.#rows.gapAt(this.#y);
    this.#line.hidden = false;
    this.#line.style.top = `${this.room.offsetTop + this.#gap * ROW_PIXELS}px`;
    this.#frame = requestAnimationFrame(() => this.#step());
  }

  /** @param {boolean} isDropped */
  #end(isDropped) {
    if (!this.isRunning) return;
    cancelAnimationFrame(this.#frame);
    this.#line.hidden = true;
    const id = this.#id;
    this.#id = "";
    for (const { element } of this.#rows.views.values()) {
      setAttribute(element, "data-dragged", null);
    }
    if (isDropped) this.#drop(id, this.#gap);
  }
}
