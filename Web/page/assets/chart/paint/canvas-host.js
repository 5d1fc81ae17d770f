// Paints a chart's pictures in the worker, to keep the main thread free for input and text; on the
// main thread if the browser has no offscreen canvas.

import { h } from "../../ui/dom.js";
import { lazyPart, withPart } from "../../ui/lazy.js";
import { chartWorker, whenWorkerFails } from "./worker.js";

/** @typedef {import("../model/render-model.js").Lengths} Lengths */

let count = 0;

export class CanvasHost {
  element = h("canvas.chart-canvas");
  #id = 0;
  /** @type {import("./painter.js").Painter | null} */
  #painter = null;
  #forget;
  #again;

  // `again()` runs when everything must be repainted, colours included.
  /** @param {() => unknown} again */
  constructor(again) {
    this.#again = again;
    this.#attach();
    this.#forget = whenWorkerFails(() => {
      if (this.#painter) return;
      const before = this.element;
      this.element = h("canvas.chart-canvas");
      this.#attach();
      before.replaceWith(this.element);
      again();
    });
  }

  #attach() {
    const worker = chartWorker();
    if (worker) {
      this.#id = count += 1;
      const canvas = this.element.transferControlToOffscreen();
      worker.postMessage({ act: "attach", id: this.#id, canvas }, [canvas]);
    } else {
      const Painter = lazyPart("ChartPainter");
      if (Painter) this.#painter = new Painter(this.element);
      else withPart("ChartPainter", () => this.#load());
    }
  }

  #load() {
    this.#attach();
    this.#again();
  }

  /** @param {Colours} colours */
  restyle(colours) {
    if (this.#painter) this.#painter.restyle(colours);
    else chartWorker()?.postMessage({ act: "restyle", id: this.#id, colours });
  }

  // Paints a frame's background, before there is anything to draw.
  /** @param {Lengths} frame */
  clear(frame) {
    if (this.#painter) this.#painter.clear(frame);
    else chartWorker()?.postMessage({ act: "clear", id: this.#id, frame });
  }

  // Paints a render model and may transfer its marks away.
  /** @param {RenderModel} model */
  show(model) {
    if (this.#painter) this.#painter.paint(model);
    else chartWorker()?.postMessage({ act: "show", id: this.#id, model }, [model.marks]);
  }

  dispose() {
    this.#forget();
    if (!this.#painter) chartWorker()?.postMessage({ act: "remove", id: this.#id });
  }
}
