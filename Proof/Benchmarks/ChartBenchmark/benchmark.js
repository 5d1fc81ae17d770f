// The chart under load: a history, a hand that pans at 60 Hz, and 100 ticks a second. What runs in
// a frame is timed around the frame's own callbacks.

import { createChart } from "/assets/chart/chart.js";
import { loadCore } from "/assets/chart/model/core.js";
import { prepareChart } from "/assets/chart/chart.js";
import { steps } from "./steps.js";

const frames = { work: [], at: [] };
const request = window.requestAnimationFrame.bind(window);
let current = -1;
window.requestAnimationFrame = (callback) => request((time) => {
  const from = performance.now();
  callback(time);
  const spent = performance.now() - from;
  if (time === current) frames.work[frames.work.length - 1] += spent;
  else {
    current = time;
    frames.at.push(time);
    frames.work.push(spent);
  }
});

/** Candles of `step` milliseconds. */
function candles(count, step) {
  const flat = new Float64Array(count * 10);
  let state = 7;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  let price = 450_000;
  const start = 1_790_000_000_000;
  for (let index = 0; index < count; index += 1) {
    const open = price;
    price = Math.max(1000, Math.round(price + (random() - 0.5) * 60));
    const high = Math.max(open, price) + Math.floor(random() * 30);
    const low = Math.min(open, price) - Math.floor(random() * 30);
    flat.set([start - (start % step) + index * step, open, high, low, price, Math.floor(random() * 900),
      1, 0, 0, 0], index * 10);
  }
  return flat;
}

const painted = () => new Promise((resolve) => request(() => setTimeout(resolve, 0)));

/** From the call that makes the chart to the end of the frame that shows it. */
async function firstFrame(flat, { rows, style, interval }) {
  const list = rows ? Array.from({ length: flat.length / 10 }, (_, at) => [...flat.subarray(at * 10, at * 10 + 10)]) : flat;
  const from = performance.now();
  window.chart = createChart(document.getElementById("main"), { name: "BENCH", locale: "en-US", style, interval });
  window.chart.setHistory({
    interval: flat[10] - flat[0], priceScale: 2, priceDecimals: 2, quantityScale: 0, lastArrival: 0, gaps: [], candles: list,
  });
  const close = document.querySelector(".chart-legend").getElementsByTagName("b")[3];
  while (close.textContent === "") await painted();
  // What a worker painted is on its way to the screen once the page's canvas has it; what the page
  // painted goes with the end of the frame.
  const canvas = document.querySelector(".chart-canvas");
  if (isShown(canvas)) await painted();
  while (!isShown(canvas)) await painted();
  return performance.now() - from;
}

const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

/** A canvas that a worker paints is clear until its first frame is there. */
function isShown(canvas) {
  probe.clearRect(0, 0, 1, 1);
  probe.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
  return probe.getImageData(0, 0, 1, 1).data[3] > 0;
}

/** A chart, made ready for `pan`; `zoomed` turns of the wheel widen the view. */
async function prepare(flat, { zoomed, style, interval }) {
  await firstFrame(flat, { rows: false, style, interval });
  const surface = document.querySelector(".chart-surface");
  const box = surface.getBoundingClientRect();
  for (let index = 0; index < zoomed; index += 1) {
    surface.dispatchEvent(new WheelEvent("wheel", {
      deltaY: 300, clientX: box.left + box.width / 2, clientY: box.top + 300, bubbles: true, cancelable: true,
    }));
    await painted();
  }
}

/** Pans for some seconds while ticks arrive. */
async function pan(flat, { seconds, ticksPerSecond }) {
  const surface = document.querySelector(".chart-surface");
  const box = surface.getBoundingClientRect();
  let arrival = 0;
  let time = flat[flat.length - 10];
  let price = flat[flat.length - 6];
  const timer = setInterval(() => {
    const ticks = [];
    for (let index = 0; index < Math.max(1, ticksPerSecond / 100); index += 1) {
      price += (arrival % 7) - 3;
      time += 1000 / ticksPerSecond;
      ticks.push([arrival += 1, Math.round(time), price, 3]);
    }
    chart.addTicks(ticks);
  }, 1000 / Math.min(100, ticksPerSecond));
  const pointer = (type, x) => surface.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, pointerType: "mouse", button: 0, clientX: x, clientY: box.top + 200, bubbles: true,
  }));
  surface.setPointerCapture = () => {};
  const middle = box.left + box.width / 2;
  pointer("pointerdown", middle);
  frames.work.length = frames.at.length = 0;
  const from = performance.now();
  let step = 0;
  await new Promise((resolve) => {
    const move = () => {
      step += 1;
      const swing = middle + 300 * Math.sin(step / 40);
      pointer("pointermove", swing);
      if (performance.now() - from < seconds * 1000) request(move);
      else resolve();
    };
    request(move);
  });
  clearInterval(timer);
  pointer("pointerup", middle);
  return { ticks: arrival, ...summary() };
}

/** What any canvas of that size costs here: one pixel changes in each frame, nothing else. */
async function bare(seconds) {
  window.chart?.dispose();
  const canvas = document.createElement("canvas");
  canvas.width = innerWidth;
  canvas.height = innerHeight - 52;
  document.getElementById("main").replaceChildren(canvas);
  const context = canvas.getContext("2d", { alpha: false });
  frames.work.length = frames.at.length = 0;
  const from = performance.now();
  await new Promise((resolve) => {
    const change = () => {
      context.fillStyle = frames.at.length % 2 === 0 ? "#000" : "#fff";
      context.fillRect(0, 0, 1, 1);
      if (performance.now() - from < seconds * 1000) window.requestAnimationFrame(change);
      else resolve();
    };
    window.requestAnimationFrame(change);
  });
  return summary();
}

function summary() {
  const work = frames.work.slice(5).sort((a, b) => a - b);
  const gaps = frames.at.slice(6).map((time, index) => time - frames.at[index + 5]).sort((a, b) => a - b);
  const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0;
  return {
    frames: work.length, mean: work.reduce((sum, each) => sum + each, 0) / Math.max(1, work.length),
    p50: at(work, 0.5), p95: at(work, 0.95), p99: at(work, 0.99), worst: work.at(-1) ?? 0,
    fps: 1000 * gaps.length / Math.max(1, gaps.reduce((sum, each) => sum + each, 0)), lateFrame: at(gaps, 0.99),
  };
}

prepareChart();
await loadCore();
window.benchmark = { bare, candles, firstFrame, pan, prepare, steps };
document.documentElement.dataset.ready = "";
