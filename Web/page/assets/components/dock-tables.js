// @ts-check
// The tables of the dock that a first look at a market does without.

import { DockAlerts } from "../alerts/dock-alerts.js";
import { DockFills } from "./dock-fills.js";
import { DockHistory } from "./dock-history.js";
import { PositionsTable } from "./positions-table.js";

/** @typedef {import("./dock.js").Table} Table */

/**
 * One of each, by the tab that it stands under; `dispose()` ends what they follow.
 * @param {import("../screens/screen.js").Page} page
 * @returns {{tables: {[tab in import("./dock.js").LateTab]: Table}, dispose: () => void}}
 */
export function makeDockTables(page) {
  const alerts = new DockAlerts(page);
  const tables = {
    positions: positionsTable(), fills: new DockFills(), history: new DockHistory(page.trading),
    alerts,
  };
  return { tables, dispose: () => alerts.dispose() };
}

/** @returns {Table} */
function positionsTable() {
  const table = new PositionsTable();
  return {
    element: table.element,
    render: ({ positions, freshness, market, format, now }) =>
      table.render({ state: positions, freshness, market, format, now }),
  };
}
