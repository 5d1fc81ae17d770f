// The crosshair: two lines and two labels over the canvas. They are elements that only move, so
// that a pointer on its way paints nothing.

import { h, setAttribute, setText } from "../../ui/dom.js";

export class Crosshair {
  #across = h("div.cross-across");
  #down = h("div.cross-down");
  #price = h("div.cross-price");
  #time = h("div.cross-time");

  constructor() {
    this.element = h("div.chart-cross", { hidden: true, "aria-hidden": "true" },
      this.#across, this.#down, this.#price, this.#time);
  }

  hide() {
    setAttribute(this.element, "hidden", true);
  }

  /**
   * `x` and `y` in pixels of the screen; `price` and `time` are texts.
   * @param {{x: number, y: number, price: string, time: string}} at
   * @param {import("../model/render-model.js").Frame} frame
   */
  show({ x, y, price, time }, { ratio, axis, plotWidth, plotHeight }) {
    setAttribute(this.element, "hidden", false);
    const [left, top] = [Math.round(x) / ratio, Math.round(y) / ratio];
    const [width, height] = [plotWidth / ratio, plotHeight / ratio];
    this.#down.style.transform = `translate(${left}px, 0) scaleY(${height / 100})`;
    this.#across.style.transform = `translate(0, ${top}px) scaleX(${width / 100})`;
    setText(this.#price, price);
    // As wide as the axis; a longer price reaches over the plot instead of out of sight.
    this.#price.style.transform = `translate(0, ${top - 10}px)`;
    this.#price.style.minWidth = `${axis.right - 3}px`;
    setText(this.#time, time);
    // Its middle stands under the line, and it stays inside the plot.
    this.#time.style.transform =
      `translate(${left}px, ${height + 3}px) translateX(${shift(left, width)})`;
  }
}

/**
 * Half of the label's own width to the left, less near the ends; labels are about 150 pixels wide.
 * @param {number} left
 * @param {number} width
 */
function shift(left, width) {
  const half = 74;
  if (left < half) return `${-left}px`;
  if (left > width - half) return `calc(-100% + ${width - left}px)`;
  return "-50%";
}
