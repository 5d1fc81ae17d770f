// The tables of the dock that a first look at a market does without.

import { DockAlerts } from "../alerts/dock-alerts.js";
import { DockFills } from "../orders/fills-table.js";
import { DockHistory } from "../orders/history-table.js";
import { PositionsTable } from "../positions/table.js";

/**
 * One of each, by the tab that it stands under; `dispose()` ends what they follow.
 * @param {Page} page
 * @returns {{tables: {[tab in import("./dock.js").LateTab]: DockTable}, dispose: () => void}}
 */
export function makeDockTables(page) {
  const alerts = new DockAlerts(page);
  const tables = {
    positions: positionsTable(), fills: new DockFills(), history: new DockHistory(page.trading),
    alerts,
  };
  return { tables, dispose: () => alerts.dispose() };
}

/** @returns {DockTable} */
function positionsTable() {
  const table = new PositionsTable();
  return {
    element: table.element,
    render: ({ positions, freshness, market, format, now }) =>
      table.render({ state: positions, freshness, market, format, now }),
  };
}
