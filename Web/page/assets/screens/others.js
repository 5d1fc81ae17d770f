// @ts-check
// The screens that a first look at a market does without, and parts of others. Their code is a file
// of its own in the built page; other-screens.js asks for it.

export { AmendForm } from "../components/amend-form.js";
export { CrossingDialog } from "../components/crossing-dialog.js";
export { makeDockTables } from "../components/dock-tables.js";
export { makeHelp } from "../components/help.js";
export { FaultPanel } from "../faults/panel.js";
export { LatencyPanel } from "../latency/ladder.js";
export { ExchangeScreen } from "./exchange.js";
export { MarketsScreen } from "./markets.js";
export { OrdersScreen } from "./orders.js";
export { ProductScreen } from "./product.js";
export { ProductsScreen } from "./products.js";
export { StocksScreen } from "./stocks.js";
export { SymbolScreen } from "./symbol.js";
