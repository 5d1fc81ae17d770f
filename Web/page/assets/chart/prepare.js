// What takes time before a chart can be drawn, begun before there is anything to draw.

import { loadCore } from "./model/core.js";
import { TimeLabels } from "./model/labels.js";
import { axisWidth } from "./model/render-model.js";
import { chartWorker } from "./paint/worker.js";

/**
 * Starts the worker, loads the core, and uses times and fonts once. A failure shows when a chart
 * needs them.
 */
export function prepareChart() {
  chartWorker();
  loadCore().catch(() => {});
  new TimeLabels(undefined).grid(0, 1000);
  axisWidth({ prices: [{ text: "0" }], live: { text: "0" }, below: "" },
    getComputedStyle(document.body).fontFamily);
}
