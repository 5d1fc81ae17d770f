// Screens and parts of screens that the first view of a market doesn't need. The built page has
// them in a separate file, which ui/lazy.js loads.

export { AmendForm } from "../orders/amend-form.js";
export { CrossingDialog } from "../orders/crossing-dialog.js";
export { makeDockTables } from "./dock-tables.js";
export { makeHelp } from "./help.js";
export { FaultPanel } from "../faults/panel.js";
export { LatencyPanel } from "../latency/ladder.js";
export { ExchangeScreen } from "./exchange-screen.js";
export { MarketsScreen } from "../markets/screen.js";
export { OrdersScreen } from "../orders/screen.js";
export { ProductScreen } from "../stocks/product.js";
export { ProductsScreen } from "../stocks/products.js";
export { StocksScreen } from "../stocks/stocks.js";
export { SymbolScreen } from "../stocks/symbol.js";
