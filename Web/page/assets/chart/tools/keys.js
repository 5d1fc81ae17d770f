// A chart by keyboard: ← → walk its candles, ↑ ↓ + - zoom, ⇧↑ ⇧↓ stretch the prices and A lets the
// candles choose them, Home and End go to its ends, Enter places what is drawn, L sets an alert at
// the crosshair's level. What it takes goes no further: the page's own arrow keys would walk to
// another pane.

const ZOOM = 1.3;
const PAGE = 20;

/**
 * What the keys do: what answers a boolean answers false where there is nothing to do.
 * @typedef {object} Act
 * @property {(steps: number) => unknown} walk
 * @property {(factor: number) => unknown} zoom
 * @property {() => unknown} oldest
 * @property {() => unknown} live
 * @property {() => boolean} leave
 * @property {(factor: number) => unknown} stretch
 * @property {() => unknown} fit
 * @property {() => boolean} place
 * @property {() => boolean} alert
 */

/**
 * @param {HTMLElement} element
 * @param {Act} act
 */
export function listenForChartKeys(element, act) {
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !acts(event, act)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {Act} act
 */
function acts({ key, shiftKey }, act) {
  if (shiftKey && (key === "ArrowUp" || key === "ArrowDown")) {
    act.stretch(key === "ArrowUp" ? ZOOM : 1 / ZOOM);
    return true;
  }
  switch (key) {
    case "a": case "A": act.fit(); return true;
    case "l": case "L": return act.alert();
    case "Enter": return act.place();
    case "ArrowLeft": act.walk(shiftKey ? -10 : -1); return true;
    case "ArrowRight": act.walk(shiftKey ? 10 : 1); return true;
    case "PageUp": act.walk(-PAGE); return true;
    case "PageDown": act.walk(PAGE); return true;
    case "+": case "=": case "ArrowUp": act.zoom(ZOOM); return true;
    case "-": case "_": case "ArrowDown": act.zoom(1 / ZOOM); return true;
    case "Home": act.oldest(); return true;
    case "End": act.live(); return true;
    case "Escape": return act.leave();
    default: return false;
  }
}
