// The chart's worker. It paints the newest render model of each canvas, the first at once and then
// at most one per frame, and fetches histories.

import { fetchHistory } from "./chart/history/request.js";
import { Painter } from "./chart/paint/painter.js";

/** @typedef {import("./chart/model/render-model.js").Lengths} Lengths */

const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (globalThis));
/** @type {Map<number, {painter: Painter, model: RenderModel | null}>} */
const hosts = new Map();
let isResting = false;

// Handlers of the page's messages, by their `act`.
/** @type {{[act: string]: (data: any) => unknown}} */
const acts = {
  attach: (/** @type {{id: number, canvas: OffscreenCanvas}} */ { id, canvas }) =>
     hosts.set(id, { painter: new Painter(canvas), model: null }),
  remove: (/** @type {{id: number}} */ { id }) => hosts.delete(id),
  clear(/** @type {{id: number, frame: Lengths}} */ { id, frame }) {
    const host = hosts.get(id);
    if (!host) return;
    host.model = null;
    host.painter.clear(frame);
  },
  restyle: (/** @type {{id: number, colours: Colours}} */ { id, colours }) =>
    hosts.get(id)?.painter.restyle(colours),
  show(/** @type {{id: number, model: RenderModel}} */ { id, model }) {
    const host = hosts.get(id);
    if (!host) return;
    host.model = model;
    if (!isResting) paint();
  },
  history(/** @type {{id: number, path: string}} */ { id, path }) {
    fetchHistory(path).then(
      (history) => scope.postMessage({ id, history }, [history.candles.buffer]),
      (error) => scope.postMessage({ id, problem: error.message }));
  },
};

function paint() {
  isResting = false;
  for (const host of hosts.values()) {
    if (!host.model) continue;
    host.painter.paint(host.model);
    host.model = null;
    isResting = true;
  }
  if (isResting) requestAnimationFrame(paint);
}

scope.onmessage = (/** @type {MessageEvent} */ { data }) => acts[data.act]?.(data);
