// The chart's colours, taken from the page's style sheet; read anew when the theme changes.

// The font of a chart's labels, for whoever measures and whoever paints.
/** Its size in rem. */
const REM = 11 / 16;

// `family` as `readColours` reads it: the size of the reader's text before the name.
/** @param {string} family @param {number} ratio */
export function fontOf(family, ratio, weight = 400) {
  const [, size = "16", name = family] = /^(\d+(?:\.\d+)?)px (.*)$/s.exec(family) ?? [];
  return `${weight} ${REM * Number(size) * ratio}px ${name}`;
}

/** @typedef {{[name: string]: string}} Colours */

const NAMES = [
  "ground", "ink", "muted", "grid", "edge", "up", "down", "up-body", "up-volume", "down-volume",
  "line", "area", "gap", "gap-edge", "on-price", "warning",
  "own", "moving", "exponential", "weighted", "profile",
];

// Colours by name (`--chart-NAME`) and the font, as a canvas takes them.
/** @param {HTMLElement} element @returns {Colours} */
export function readColours(element) {
  const style = getComputedStyle(element);
  const { fontSize } = getComputedStyle(document.documentElement);
  /** @type {Colours} */
  const colours = { font: `${fontSize} ${style.fontFamily}` };
  const before = element.style.color;
  // A custom property reads as it was written; only a real property reads as the colour it stands
  // for.
  for (const name of NAMES) {
    element.style.color = `var(--chart-${name})`;
    colours[name] = style.color;
  }
  element.style.color = before;
  return colours;
}
