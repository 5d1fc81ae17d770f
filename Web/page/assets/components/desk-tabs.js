// The way between the ticket and the history of orders, where there is room for one of them.

import { h } from "../dom.js";
import { pathOf } from "../router.js";

/** The two links; `here` is "exchange" or "orders". */
export function deskTabs(here) {
  return h("nav.segments.desk-tabs", { "aria-label": "Exchange" }, ...[["exchange", "Trade"], ["orders", "Orders"]].map(([screen, label]) =>
    h("a.segment", { href: pathOf({ screen }), "data-go": "replace", "aria-current": screen === here ? "page" : null }, label)));
}
