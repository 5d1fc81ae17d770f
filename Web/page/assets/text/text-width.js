// Text width in CSS pixels, without layout.

const MOST_KEPT = 500;
/** @type {Map<string, number>} */
const kept = new Map();
/** @type {CanvasRenderingContext2D | null} */
let measurer = null;

function measure() {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) throw new Error("this browser has no canvas");
  return context;
}

// The width of a text in a font (CSS shorthand). All digits count as equally wide, so that labels
// do not jump.
/** @param {string} text @param {string} font */
export function textWidth(text, font) {
  const shape = text.replace(/\d/g, "0");
  const key = `${font} ${shape}`;
  let width = kept.get(key);
  if (width === undefined) {
    if (kept.size > MOST_KEPT) kept.clear();
    measurer ??= measure();
    measurer.font = font;
    width = measurer.measureText(shape).width;
    kept.set(key, width);
  }
  return width;
}

// An element's font for a canvas, with another weight if given.
/** @param {Element} element @param {number | undefined} weight */
export function fontOfElement(element, weight = undefined) {
  const style = getComputedStyle(element);
  return `${weight ?? style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
}
