// One chart with made-up candles: `window.chart`, and what tests need to make data for it.

import { createChart } from "/assets/chart/chart.js";
import { ChartFeed, historyLoader } from "/assets/chart/feed.js";
import { Painter } from "/assets/chart/paint/painter.js";
import { loadLazyParts, provideLazyParts } from "/assets/ui/lazy.js";

provideLazyParts(async () =>
  ({ ChartPainter: Painter, ...await import("/assets/chart/tools/overlay-tools.js") }));

/** A walk that is the same each time. */
export function candles(count, { start = 1_790_000_000_000, step = 1000, seed = 7 } = {}) {
  const flat = new Float64Array(count * 10);
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let price = 450_000;
  let drift = 0;
  for (let index = 0; index < count; index += 1) {
    drift = drift * 0.98 + (random() - 0.5) * 6;
    const open = price;
    price = Math.max(1000, Math.round(price + drift + (random() - 0.5) * 60));
    const high = Math.max(open, price) + Math.floor(random() * 30);
    const low = Math.min(open, price) - Math.floor(random() * 30);
    const volume = Math.floor(random() ** 3 * 900) + Math.abs(price - open);
    flat.set([start + index * step, open, high, low, price, volume, 1, 0, 2, 0], index * 10);
  }
  return flat;
}

export const history = (flat, more = {}) =>
  ({ interval: 1000, priceScale: 2, quantityScale: 0, lastArrival: 1000, candles: flat, gaps: [], ...more });

window.harness = { candles, history, createChart, ChartFeed, historyLoader };
window.open_chart = (options) => {
  window.chart?.dispose();
  window.chart = createChart(document.getElementById("main"), { name: "TEST", locale: "en-US", ...options });
  window.chart.setScales({ priceScale: 2, priceDecimals: 2, quantityScale: 0 });
  return true;
};
await loadLazyParts();
document.documentElement.dataset.ready = "";
