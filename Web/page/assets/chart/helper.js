// The worker that paints charts and reads histories: one for the page, null where it can't run.

let worker;
let asked = 0;
const answers = new Map();
const mourners = new Set();

/** The worker, which the first call starts. */
export function helper() {
  if (worker === undefined) worker = start();
  return worker;
}

function start() {
  if (!HTMLCanvasElement.prototype.transferControlToOffscreen) return null;
  const started = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  started.onmessage = ({ data }) => {
    answers.get(data.id)?.(data);
    answers.delete(data.id);
  };
  started.onerror = fail;
  started.onmessageerror = fail;
  return started;
}

/** Without it the page does its work itself. */
function fail() {
  worker?.terminate();
  worker = null;
  for (const answer of answers.values()) answer({ problem: "the chart's worker failed" });
  answers.clear();
  for (const mourn of mourners) mourn();
}

/** Calls `mourn` when the worker can't go on. Returns what ends that. */
export function whenHelperFails(mourn) {
  mourners.add(mourn);
  return () => mourners.delete(mourn);
}

/** A history, fetched and read by the worker: `{history}` or `{problem}`. */
export function askForHistory(path) {
  asked += 1;
  const id = asked;
  helper().postMessage({ act: "history", id, path });
  return new Promise((resolve) => answers.set(id, resolve));
}
