// The chart's colours from the page's style sheet; reread when the theme changes.

// The font of a chart's labels, for measuring and painting.
/** Its size in rem. */
const REM = 11 / 16;

// `family` as `readColours` returns it: the user's text size, then the name.
/** @param {string} family @param {number} ratio */
export function fontOf(family, ratio, weight = 400) {
  const [, size = "16", name = family] = /^(\d+(?:\.\d+)?)px (.*)$/s.exec(family) ?? [];
  return `${weight} ${REM * Number(size) * ratio}px ${name}`;
}

/** @typedef {{[name: string]: string}} Colours */

const NAMES = [
  "ground", "ink", "muted", "grid", "edge", "up", "down", "up-body", "up-volume", "down-volume",
  "line", "area", "gap", "gap-edge", "on-price", "warning",
  "own", "moving", "exponential", "weighted", "bands", "profile",
];

// Colours by name (`--chart-NAME`) and the font, in canvas form.
/** @param {HTMLElement} element @returns {Colours} */
export function readColours(element) {
  const style = getComputedStyle(element);
  const { fontSize } = getComputedStyle(document.documentElement);
  /** @type {Colours} */
  const colours = { font: `${fontSize} ${style.fontFamily}` };
  const before = element.style.color;
  // A custom property reads as written; only a real property reads as its resolved colour.
  for (const name of NAMES) {
    element.style.color = `var(--chart-${name})`;
    colours[name] = style.color;
  }
  element.style.color = before;
  return colours;
}
