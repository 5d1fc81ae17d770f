// One render per animation frame, however many messages arrive; one tick a second for ages.

/** @type {Set<() => unknown>} */
const dirty = new Set();
/** @type {Set<() => unknown>} */
const everySecond = new Set();
/** @type {Set<() => unknown>} */
const checks = new Set();
/** @type {(() => unknown)[]} */
const observers = [];
let requested = false;

// Runs `render` in the next animation frame, once.
/** @param {() => unknown} render */
export function invalidate(render) {
  dirty.add(render);
  if (requested) return;
  requested = true;
  requestAnimationFrame(flush);
}

// Cancels a pending render.
/** @param {() => unknown} render */
export function forget(render) {
  dirty.delete(render);
  everySecond.delete(render);
}

// Runs `render` in a frame each second until it is removed.
/** @param {() => unknown} render */
export function tick(render) {
  everySecond.add(render);
}

// Runs `check` before each drawing, so that it detects a pause before anything is drawn.
/** @param {() => unknown} check */
export function beforeDrawing(check) {
  checks.add(check);
}

/** Runs all pending renders at once, for a page about to be shown again or frozen. */
export function drawNow() {
  flush();
}

// Runs `observer` after each frame's renders, as long as the page lives.
/** @param {() => unknown} observer */
export function afterDrawing(observer) {
  observers.push(observer);
}

function flush() {
  for (const check of checks) check();
  requested = false;
  const renders = [...dirty];
  dirty.clear();
  for (const render of renders) {
    try {
      render();
    } catch (error) {
      // One failing pane must not stop the others from updating.
      reportError(error);
    }
  }
  for (const observer of observers) observer();
}

setInterval(() => {
  for (const render of everySecond) invalidate(render);
}, 1000);
