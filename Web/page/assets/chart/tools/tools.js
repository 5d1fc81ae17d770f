// Buttons of a chart's bar that act at once: a picture to keep, and the full screen.

import { t } from "../../text/texts.js";
import { h, setAttribute } from "../../ui/dom.js";
import { icon } from "./bar.js";

const CAMERA = "M4 8h4l2-3h4l2 3h4v11H4zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8";
const CORNERS = "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5";

/** @param {() => unknown} save */
export const cameraButton = (save) => tool(t("Save a picture"), CAMERA, save);

/**
 * The pane that the chart is in, bar and all, on the full screen, or back; hidden where a browser
 * has no full screen.
 * @param {() => Element | null} chart
 */
export function screenButton(chart) {
  const button = tool(t("Full screen"), CORNERS, () => {
    if (document.fullscreenElement) return document.exitFullscreen();
    const pane = chart()?.closest(".panel, .market-chart") ?? chart();
    return pane?.requestFullscreen().catch(() => setAttribute(button, "hidden", true));
  });
  setAttribute(button, "hidden", !document.fullscreenEnabled);
  return button;
}

/**
 * @param {string} label
 * @param {string} path
 * @param {() => unknown} run
 */
function tool(label, path, run) {
  return h("button.chart-tool", {
    type: "button", "aria-label": label, title: label, onclick: run,
  }, icon(path));
}
