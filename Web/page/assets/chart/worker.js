// What the chart's worker does: it paints the newest sheet of each easel once a frame, and reads
// histories.

import { Painter } from "./painter.js";
import { fetchHistory } from "./request.js";

const easels = new Map();
let isAsked = false;

const acts = {
  hang: ({ id, canvas }) => easels.set(id, { painter: new Painter(canvas), sheet: null }),
  remove: ({ id }) => easels.delete(id),
  restyle: ({ id, colours }) => easels.get(id)?.painter.restyle(colours),
  show({ id, sheet }) {
    const easel = easels.get(id);
    if (!easel) return;
    easel.sheet = sheet;
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(paint);
  },
  history({ id, path }) {
    fetchHistory(path).then(
      (history) => postMessage({ id, history }, [history.candles.buffer]),
      (error) => postMessage({ id, problem: error.message }));
  },
};

function paint() {
  isAsked = false;
  for (const easel of easels.values()) {
    if (easel.sheet) easel.painter.paint(easel.sheet);
    easel.sheet = null;
  }
}

onmessage = ({ data }) => acts[data.act]?.(data);
