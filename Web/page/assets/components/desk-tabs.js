// @ts-check
// The way between the ticket and the history of orders, where there is room for one of them.

import { h } from "../dom.js";
import { pathOf } from "../route.js";

/**
 * The two links; `here` is "exchange" or "orders".
 * @param {"exchange" | "orders"} here
 */
export function deskTabs(here) {
  const links = [["exchange", "Trade"], ["orders", "Orders"]].map(([screen, label]) =>
    h("a.segment", {
      href: pathOf({ screen }), "data-go": "replace",
      "aria-current": screen === here ? "page" : null,
    }, label));
  return h("nav.segments.desk-tabs", { "aria-label": "Exchange" }, ...links);
}
