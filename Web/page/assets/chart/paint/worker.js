// The worker that paints charts and reads histories: one per page, null where it can't run.

/** @type {Worker | null | undefined} */
let worker;
let asked = 0;
/** @typedef {{history?: Wire.History, problem?: string}} Answer */

/** @type {Map<number, (answer: Answer) => unknown>} */
const answers = new Map();
/** @type {Set<() => unknown>} */
const failureListeners = new Set();

/** The worker, which the first call starts. */
export function chartWorker() {
  if (worker === undefined) worker = start();
  return worker;
}

function start() {
  if (!HTMLCanvasElement.prototype.transferControlToOffscreen) return null;
  const started = new Worker(new URL("../../chart-worker.js", import.meta.url), { type: "module" });
  started.onmessage = ({ data }) => {
    answers.get(data.id)?.(data);
    answers.delete(data.id);
  };
  started.onerror = fail;
  started.onmessageerror = fail;
  return started;
}

/** The page then works without it. */
function fail() {
  worker?.terminate();
  worker = null;
  for (const answer of answers.values()) answer({ problem: "the chart's worker failed" });
  answers.clear();
  for (const listener of failureListeners) listener();
}

// Calls `listener` when the worker fails. Returns the release.
/** @param {() => unknown} listener @returns {Release} */
export function whenWorkerFails(listener) {
  failureListeners.add(listener);
  return () => failureListeners.delete(listener);
}

// A history that the worker fetches and reads: `{history}` or `{problem}`.
/** @param {string} path @returns {Promise<Answer>} */
export function askForHistory(path) {
  asked += 1;
  const id = asked;
  chartWorker()?.postMessage({ act: "history", id, path });
  return new Promise((resolve) => answers.set(id, resolve));
}
