// Sizes that a chart follows: its surface in device pixels, and the row above it, whose height must
// not move the plot.

/**
 * Calls `sized(width, height, ratio)` in device pixels, at once and on every change. Returns the
 * release.
 * @param {HTMLElement} surface
 * @param {(width: number, height: number, ratio: number) => unknown} sized
 * @returns {Release}
 */
export function followSize(surface, sized) {
  const observer = new ResizeObserver(([entry]) => sized(...pixelsOf(entry)));
  try {
    observer.observe(surface, { box: "device-pixel-content-box" });
  } catch {
    observer.observe(surface);
  }
  const { width, height } = surface.getBoundingClientRect();
  sized(Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio),
    devicePixelRatio);
  return () => observer.disconnect();
}

/** @param {ResizeObserverEntry} entry @returns {[width: number, height: number, ratio: number]} */
function pixelsOf({ devicePixelContentBoxSize, contentRect: { width, height } }) {
  const exact = devicePixelContentBoxSize?.[0];
  const ratio = devicePixelRatio || 1;
  // The exact count, unless it contradicts the ratio that the browser claims.
  const pixels = (/** @type {number} */ length, counted = Infinity) =>
    Math.abs(counted - length * ratio) <= 1 ? counted : Math.round(length * ratio);
  return [pixels(width, exact?.inlineSize), pixels(height, exact?.blockSize), ratio];
}

/** A row that shrinks only when its width changes, or the plot would jump when text wraps. */
export class GrowingRow {
  #element;
  #height = 0;
  #width = 0;
  #observer = new ResizeObserver(() => this.#keepHeight());

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#observer.observe(element);
  }

  #keepHeight() {
    const height = this.#element.offsetHeight;
    if (height <= this.#height) return;
    this.#height = height;
    this.#element.style.minHeight = `${height}px`;
  }

  /** @param {number} width */
  setWidth(width) {
    if (width === this.#width) return;
    [this.#width, this.#height] = [width, 0];
    this.#element.style.minHeight = "";
  }

  dispose() {
    this.#observer.disconnect();
  }
}
