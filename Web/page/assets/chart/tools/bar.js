// The controls above a chart: intervals and style.

import { t } from "../../text/texts.js";
import { h, icon, oneStop, setAttribute } from "../../ui/dom.js";
import { INTERVALS, OF_HISTORY } from "../model/intervals.js";
import { closeMenus, opener } from "./menus.js";

/** @type {[style: Style, sign: SVGElement, spoken: string][]} */
const STYLES = [
  ["candles", icon("M8 3v4m0 10v4M5 7h6v10H5zM17 2v7m0 6v4M14 9h6v6h-6z"), t("Candles")],
  ["line", icon("M3 17l5-6 4 3 8-9"), t("Line")],
];

export class ChartBar {
  /** @type {Map<number, HTMLButtonElement>} */
  #intervals = new Map();
  /** @type {Map<Style, HTMLButtonElement>} */
  #styles = new Map();
  #select;
  #tools = h("div.chart-tools", { role: "group", "aria-label": t("Chart tools") });

  /** @param {{interval: (ms: number) => unknown, style: (name: Style) => unknown}} act */
  constructor(act) {
    // Replaces the buttons where they do not fit.
    this.#select = h("select.chart-interval", {
      "aria-label": t("Interval"),
    }, ...INTERVALS.map(([value, , spoken]) => h("option", { value }, spoken)));
    this.#select.addEventListener("change", () => act.interval(Number(this.#select.value)));
    const buttons = group(t("Interval"), INTERVALS, this.#intervals, act.interval);
    buttons.classList.add("chart-intervals");
    for (const [value, button] of this.#intervals) button.dataset.command = `interval-${value}`;
    this.element = h("div.chart-bar", {}, this.#select, buttons,
      group(t("Style"), STYLES, this.#styles, act.style), this.#more(), this.#tools);
  }

  /** Replaces the tools where they do not fit: opens them as a menu. */
  #more() {
    const button = opener(t("Chart tools"), [icon("M5.5 12h.01M12 12h.01M18.5 12h.01")],
      this.#tools);
    button.classList.add("chart-more");
    return button;
  }

  // Adds tools after intervals and style, with the names of their commands.
  /** @param {{[command: string]: HTMLElement | undefined}} named */
  addTools(named) {
    for (const [command, tool] of Object.entries(named)) {
      const button = tool?.querySelector("button") ?? tool;
      if (button) button.dataset.command = command;
    }
    const tools = Object.values(named).filter((tool) => tool !== undefined);
    this.#tools.append(.../** @type {HTMLElement[]} */ (tools));
    oneStop(this.#tools, ".chart-tool");
    for (const tool of tools) {
      // A tool that acts at once closes the menu.
      if (tool instanceof HTMLButtonElement) {
        tool.addEventListener("click", () => closeMenus(this.#tools));
      }
    }
  }

  // `finest` is the shortest interval available; `hasHistory`: whether the venue provides history.
  /** @param {{interval: number, style: Style, finest: number, hasHistory: boolean}} view */
  update({ interval, style, finest, hasHistory }) {
    const isShown = (/** @type {number} */ value) =>
      hasHistory || value === interval || !OF_HISTORY.includes(value);
    for (const [value, button] of this.#intervals) {
      setAttribute(button, "aria-pressed", String(value === interval));
      setAttribute(button, "hidden", !isShown(value));
      button.disabled = value < finest;
    }
    for (const option of this.#select.options) {
      option.disabled = Number(option.value) < finest;
      setAttribute(option, "hidden", !isShown(Number(option.value)));
    }
    this.#select.value = String(interval);
    for (const [value, button] of this.#styles) {
      setAttribute(button, "aria-pressed", String(value === style));
    }
  }
}

/**
 * Buttons of which one is pressed; each is added to `into`.
 * @template V
 * @param {string} label
 * @param {[value: V, sign: SVGElement | string, spoken: string][]} choices
 * @param {Map<V, HTMLButtonElement>} into
 * @param {(value: V) => unknown} choose
 */
function group(label, choices, into, choose) {
  return oneStop(h("div.segments", { role: "group", "aria-label": label },
    ...choices.map(([value, sign, spoken]) => {
      const button = h("button.segment", {
        type: "button", "aria-label": spoken, title: spoken, onclick: () => choose(value),
      }, typeof sign === "string" ? sign : sign.cloneNode(true));
      into.set(value, button);
      return button;
    })));
}

// Buttons that act at once: screenshot and full screen.
const CAMERA = "M4 8h4l2-3h4l2 3h4v11H4zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8";
const CORNERS = "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5";

/** @param {() => unknown} save */
export const cameraButton = (save) => tool(t("Save a picture"), CAMERA, save);

// Toggles full screen for the chart's pane, bar included; hidden where the browser lacks it.
/** @param {() => Element | null} chart */
export function screenButton(chart) {
  const button = tool(t("Full screen"), CORNERS, () => {
    if (document.fullscreenElement) return document.exitFullscreen();
    const pane = chart()?.closest(".panel, .market-chart") ?? chart();
    return pane?.requestFullscreen().catch(() => setAttribute(button, "hidden", true));
  });
  setAttribute(button, "hidden", !document.fullscreenEnabled);
  return button;
}

/** @param {string} label @param {string} path @param {() => unknown} run */
function tool(label, path, run) {
  return h("button.chart-tool", {
    type: "button", "aria-label": label, title: label, onclick: run,
  }, icon(path));
}
