// Screens and parts of screens that a market's first view doesn't need, with their styles. The
// built page has them in a separate file, which ui/lazy.js loads.

import { DockAlerts } from "../alerts/dock-alerts.js";
import { DockFills, DockHistory } from "../orders/tables.js";
import { Conversion } from "../positions/conversion.js";
import { PositionsTable } from "../positions/table.js";
import { h } from "../ui/dom.js";

export { announceFirings } from "../alerts/firings.js";
export { AlertSheet } from "../alerts/sheet.js";
export { AmendForm } from "../orders/amend-form.js";
export { CrossingDialog } from "../orders/crossing-dialog.js";
export { CommandTable } from "./commands.js";
export { makeHelp } from "./help.js";
export { fillDisplayMenu, LayoutMenu } from "./menus.js";
export { DepthChart } from "../book/depth.js";
export { PriceLadder } from "../book/price-ladder.js";
export { Painter as ChartPainter } from "../chart/paint/painter.js";
export { OverlayTools } from "../chart/tools/overlay-tools.js";
export { TruthStrip } from "../book/truth-strip.js";
export { QuickJump } from "./quick-jump.js";
export { FaultPanel } from "../faults/panel.js";
export { LatencyPanel } from "../latency/ladder.js";
export { ExchangeScreen } from "./exchange-screen.js";
export { ChartsScreen } from "../chart/grid.js";
export { AssetScreen } from "../markets/asset.js";
export { MarketsScreen } from "../markets/screen.js";
export { MarketTicket } from "./market-ticket.js";
export { OrdersScreen } from "../orders/screen.js";
export { VenueCard } from "./venue-card.js";
export { FeedScreen } from "../stocks/feed.js";
export { ProductScreen, SymbolScreen } from "../stocks/details.js";
export { ProductsScreen } from "../stocks/products.js";
export { StocksScreen } from "../stocks/stocks.js";

/**
 * The dock's lazy tables by tab; `dispose()` stops their subscriptions.
 * @param {Page} page
 * @returns {{tables: {[tab in import("./dock.js").LateTab]: DockTable}, dispose: () => void}}
 */
export function makeDockTables(page) {
  const alerts = new DockAlerts(page);
  const conversion = new Conversion(page);
  const positions = new PositionsTable(conversion, page.trading);
  const tables = {
    positions: positionsTable(positions), fills: new DockFills(),
    history: new DockHistory(page.trading), alerts,
  };
  return { tables,
    dispose: () => [alerts, conversion, positions].forEach((part) => part.dispose()) };
}

/** @param {PositionsTable} table @returns {DockTable} */
function positionsTable(table) {
  return {
    element: table.element,
    render: ({ positions, orders, freshness, market, format, now }) =>
      table.render({ state: positions, scope: orders.market, freshness, market, format, now }),
  };
}

const STYLES = [
  new URL("../chart/grid.css", import.meta.url), new URL("../faults/faults.css", import.meta.url),
  new URL("../latency/latency.css", import.meta.url),
  new URL("../positions/positions.css", import.meta.url),
];
// Before anything of this module is shown. A missing style keeps no screen away.
await Promise.all(STYLES.map(({ href }) => new Promise((resolve) => {
  document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
})));
