// The frame around the screens: status at the left, the ways through the app, search and display.

import { displayMenu } from "./components/display-menu.js";
import { StatusChip } from "./components/status.js";
import { h, setAttribute } from "./dom.js";
import { icon } from "./icons.js";
import { pathOf } from "./router.js";

const PLACES = [["feed", "Tracker"], ["stocks", "Stocks"], ["products", "Products"], ["market", "Market"], ["exchange", "Exchange"]];
const PLACE_OF = { symbol: "feed", product: "products", orders: "exchange" };
/** Where the market and the lists stand side by side, all of that is one place. */
const DESKS = new Set(["market", "exchange"]);

export class Shell {
  #links = [];
  #wide;

  constructor(context, { search, help }) {
    this.#wide = context.wide;
    const chip = new StatusChip(context);
    context.chip = chip;
    const top = document.getElementById("top");
    top.append(
      h("a.brand", { href: "/", "data-go": "", "aria-label": "Livetape, to the price tracker" }, mark(), h("span", {}, "Livetape")),
      chip.element,
      h("nav.places", { "aria-label": "Screens" }, ...this.#makeLinks()),
      h("div.tools", {}, tool("search", "Search ( / )", search), displayMenu(), tool("help", "Help ( ? )", help)));
    document.getElementById("bottom").append(...this.#makeLinks());
  }

  /** Marks where the person is; the market's link leads to the instrument seen last. */
  show(route, instrument) {
    const own = PLACE_OF[route.screen] ?? route.screen;
    const place = this.#wide() && !DESKS.has(own) && own !== "missing" ? "market" : own;
    for (const link of this.#links) {
      setAttribute(link, "aria-current", link.dataset.place === place ? "page" : null);
      if (link.dataset.place === "market") setAttribute(link, "href", pathOf({ screen: "market", name: instrument }));
    }
  }

  #makeLinks() {
    const links = PLACES.map(([place, label]) => h("a.place", {
      href: pathOf({ screen: place, name: place === "market" ? "XBTUSD" : "" }), "data-go": "", "data-place": place,
    }, icon(place), h("span", {}, label)));
    this.#links.push(...links);
    return links;
  }
}

function mark() {
  const image = document.createElement("img");
  image.src = "/assets/favicon.svg";
  image.alt = "";
  image.width = image.height = 28;
  return image;
}

function tool(name, label, act) {
  const button = h("button.icon-button", { type: "button", "aria-label": label, title: label, "data-tool": name }, icon(name));
  button.addEventListener("click", act);
  return button;
}
