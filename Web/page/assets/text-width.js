// How wide a text is, in pixels of the style sheet, without laying anything out.

const MOST_KEPT = 500;
const kept = new Map();
let measurer = null;

/** The width of a text in a font (CSS shorthand), as if all digits were the same: labels then do not jump. */
export function textWidth(text, font) {
  const shape = text.replace(/\d/g, "0");
  const key = `${font} ${shape}`;
  let width = kept.get(key);
  if (width === undefined) {
    if (kept.size > MOST_KEPT) kept.clear();
    measurer ??= document.createElement("canvas").getContext("2d");
    measurer.font = font;
    width = measurer.measureText(shape).width;
    kept.set(key, width);
  }
  return width;
}

/** An element's font as a canvas takes it, with another weight where one is given. */
export function fontOfElement(element, weight) {
  const style = getComputedStyle(element);
  return `${weight ?? style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
}
