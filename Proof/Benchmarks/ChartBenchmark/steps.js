// Single steps of a chart's work, on the thread that does them: a history that opens, older candles
// put before it, pictures of a view that is panned, and their paint. All of it is the same each
// time, so the least of some runs is what a step costs and the rest is the machine's other work.

import { readColours } from "/assets/chart/model/style.js";
import { CoreChart, FIELDS, loadCore } from "/assets/chart/model/core.js";
import { PriceLabels, TimeLabels } from "/assets/chart/model/labels.js";
import { Painter } from "/assets/chart/paint/painter.js";
import { Frame, renderModelOf } from "/assets/chart/model/render-model.js";

/** Candles of one answer, as the server gives older ones. */
const PIECE = 1000;
const PIECES = 40;
const PICTURES = 120;
const WIDTH = 1440;
const HEIGHT = 848;

/** Milliseconds of each kind of step: how many, median, 99th of 100 and worst, each step's least of `runs`. */
export async function steps(flat, { interval, runs }) {
  const core = await loadCore();
  const least = {};
  for (let run = 0; run < runs; run += 1) {
    for (const [name, times] of Object.entries(oneRun(core, flat, interval))) {
      const known = (least[name] ??= times);
      times.forEach((time, index) => (known[index] = Math.min(known[index], time)));
    }
  }
  return Object.entries(least).map(([name, times]) => ({ name, ...shares(times) }));
}

function oneRun(core, flat, interval) {
  const chart = new CoreChart(core, interval);
  chart.resize(WIDTH - 56, HEIGHT - 26, 1);
  const end = flat.length / FIELDS - PIECE * PIECES;
  const part = (from, to) => flat.subarray(from * FIELDS, to * FIELDS);
  const times = { "older candles, put in front and drawn": [], "all at once, and drawn": [] };
  times["all at once, and drawn"].push(timed(() => {
    chart.setCandles(interval, part(PIECE * PIECES, PIECE * PIECES + end));
    chart.show(interval, 9);
    chart.draw(0);
  }));
  for (let piece = PIECES; piece > 0; piece -= 1) {
    times["older candles, put in front and drawn"].push(timed(() => {
      chart.prependCandles(part((piece - 1) * PIECE, piece * PIECE));
      chart.draw(0);
    }));
  }
  for (const style of ["candles", "line"]) {
    for (const [view, width] of [["close", 9], ["dense", 2.5], ["wide", 0.003]]) {
      Object.assign(times, pictures(chart, interval, { style, view, width }));
    }
  }
  chart.dispose();
  return times;
}

function pictures(chart, interval, { style, view, width }) {
  const frame = new Frame();
  Object.assign(frame, { width: WIDTH, height: HEIGHT });
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const painter = new Painter(canvas);
  painter.restyle(readColours(document.body));
  // As the page does before its history is there: a canvas's memory costs more than a picture.
  painter.clear(frame.lengths);
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const look = () => {
    // A picture is only recorded until somebody wants to see it.
    probe.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    probe.getImageData(0, 0, 1, 1);
  };
  look();
  const labels = { price: new PriceLabels(undefined, "en-US"), time: new TimeLabels("en-US") };
  labels.price.setScale(2, 2);
  const drawn = [];
  const painted = [];
  chart.setStyle(style);
  chart.backToLive();
  chart.show(interval, width);
  for (let number = 0; number < PICTURES; number += 1) {
    chart.pan(number % 2 === 0 ? 37 : 11);
    let model;
    drawn.push(timed(() => {
      model = renderModelOf(chart.draw(0), frame, { labels, style, dimmed: false });
    }));
    painted.push(timed(() => {
      painter.paint(model);
      look();
    }));
  }
  return { [`${style}, ${view}: drawn`]: drawn, [`${style}, ${view}: painted`]: painted };
}

function timed(act) {
  const from = performance.now();
  act();
  return performance.now() - from;
}

function shares(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), worst: sorted.at(-1) };
}
