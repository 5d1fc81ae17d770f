// What the chart's worker does: it paints the newest sheet of each easel, at once and then at most once
// a frame, and reads histories.

import { Painter } from "./painter.js";
import { fetchHistory } from "./request.js";

const easels = new Map();
let isResting = false;

const acts = {
  hang: ({ id, canvas }) => easels.set(id, { painter: new Painter(canvas), sheet: null }),
  remove: ({ id }) => easels.delete(id),
  clear({ id, frame }) {
    const easel = easels.get(id);
    if (!easel) return;
    easel.sheet = null;
    easel.painter.clear(frame);
  },
  restyle: ({ id, colours }) => easels.get(id)?.painter.restyle(colours),
  show({ id, sheet }) {
    const easel = easels.get(id);
    if (!easel) return;
    easel.sheet = sheet;
    if (!isResting) paint();
  },
  history({ id, path }) {
    fetchHistory(path).then(
      (history) => postMessage({ id, history }, [history.candles.buffer]),
      (error) => postMessage({ id, problem: error.message }));
  },
};

function paint() {
  isResting = false;
  for (const easel of easels.values()) {
    if (!easel.sheet) continue;
    easel.painter.paint(easel.sheet);
    easel.sheet = null;
    isResting = true;
  }
  if (isResting) requestAnimationFrame(paint);
}

onmessage = ({ data }) => acts[data.act]?.(data);
