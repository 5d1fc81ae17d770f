// @ts-check
// The frame around the screens: status at the left, the ways through the app, search and display.

import { displayMenu } from "./components/display-menu.js";
import { byId, h, setAttribute } from "./dom.js";
import { icon } from "./icons.js";
import { pathOf } from "./route.js";
import { placeOf, PLACES } from "./screens.js";

/** Where market, lists and details stand side by side, all but these is one place. */
const APART = new Set(["markets", "exchange", "missing"]);

export class Shell {
  /** @type {HTMLAnchorElement[]} */
  #links = [];
  #isWide;

  /**
   * @param {object} page
   * @param {import("./components/status.js").StatusChip} page.chip
   * @param {() => boolean} page.isWide whether screens stand side by side
   * @param {() => void} page.search opens the search
   * @param {() => void} page.help opens the help
   */
  constructor({ chip, isWide, search, help }) {
    this.#isWide = isWide;
    const tools = h("div.tools", {}, tool("search", "Search ( / )", search), displayMenu(),
      tool("help", "Help ( ? )", help));
    const home = { href: "/", "data-go": "", "aria-label": "Livetape, to the price tracker" };
    byId("top").append(
      h("a.brand", home, mark(), h("span", {}, "Livetape")),
      chip.element,
      h("nav.places", { "aria-label": "Screens" }, ...this.#makeLinks()),
      tools);
    byId("bottom").append(...this.#makeLinks());
  }

  /**
   * Marks where the person is; the market's link leads to the instrument seen last, and nowhere
   * while none is known.
   * @param {import("./route.js").Route} route
   * @param {string} instrument
   */
  show(route, instrument) {
    const own = placeOf(route.screen);
    const place = this.#isWide() && !APART.has(own) ? "market" : own;
    const market = instrument ? pathOf({ screen: "market", name: instrument }) : null;
    for (const link of this.#links) {
      setAttribute(link, "aria-current", link.dataset.place === place ? "page" : null);
      if (link.dataset.place === "market") setAttribute(link, "href", market);
    }
  }

  #makeLinks() {
    const links = PLACES.map(([screen, label]) => h("a.place", {
      href: screen === "market" ? null : pathOf({ screen }), "data-go": "", "data-place": screen,
    }, icon(screen), h("span", {}, label)));
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

/**
 * @param {string} name
 * @param {string} label
 * @param {() => void} act
 */
function tool(name, label, act) {
  return h("button.icon-button", {
    type: "button", "aria-label": label, title: label, "data-tool": name, onclick: act,
  }, icon(name));
}
