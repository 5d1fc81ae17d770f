// Where a chart's pictures are painted: by the worker, so that the page's own thread stays free for
// hands and words; on that thread where a browser has no canvas for workers.

import { h } from "../dom.js";
import { helper, whenHelperFails } from "./helper.js";
import { Painter } from "./painter.js";

let count = 0;

export class Easel {
  element = null;
  #id = 0;
  #painter = null;
  #forget;

  /** `again()` is called when everything must be painted anew, colours as well. */
  constructor(again) {
    this.#hang();
    this.#forget = whenHelperFails(() => {
      if (this.#painter) return;
      const before = this.element;
      this.#hang();
      before.replaceWith(this.element);
      again();
    });
  }

  #hang() {
    this.element = h("canvas.chart-canvas");
    const worker = helper();
    if (worker) {
      this.#id = count += 1;
      const canvas = this.element.transferControlToOffscreen();
      worker.postMessage({ act: "hang", id: this.#id, canvas }, [canvas]);
    } else {
      this.#painter = new Painter(this.element);
    }
  }

  restyle(colours) {
    if (this.#painter) this.#painter.restyle(colours);
    else helper()?.postMessage({ act: "restyle", id: this.#id, colours });
  }

  /** Paints the ground of a frame, before there is anything to draw. */
  clear(frame) {
    if (this.#painter) this.#painter.clear(frame);
    else helper()?.postMessage({ act: "clear", id: this.#id, frame });
  }

  /** Paints a sheet; its marks may be gone afterwards. */
  show(sheet) {
    if (this.#painter) this.#painter.paint(sheet);
    else helper()?.postMessage({ act: "show", id: this.#id, sheet }, [sheet.marks]);
  }

  dispose() {
    this.#forget();
    if (!this.#painter) helper()?.postMessage({ act: "remove", id: this.#id });
  }
}
