// The frame around the screens: status on the left, navigation, search and display menu.

import { pathOf } from "../base/route.js";
import { bothClocks, clockText } from "../text/format.js";
import { t } from "../text/texts.js";
import { byId, h, icon, oneStop, setAttribute, setText } from "../ui/dom.js";
import { withPart } from "../ui/lazy.js";
import { viewBadge } from "../ui/view-only.js";
import { entryOf, PLACES } from "./screens.js";

// The browser tab's title: the current instrument's price while it is reliable, else the name of
// the screen.
export class PageTitle {
  #name = "";
  #quote = "";

  // Sets the screen's name and clears the last price.
  /** @param {string} name */
  show(name) {
    this.#name = name;
    this.#draw();
  }

  // The current instrument's price; "" while it is not reliable.
  /** @param {string} text */
  quote(text) {
    if (text === this.#quote) return;
    this.#quote = text;
    this.#draw();
  }

  #draw() {
    document.title = `${this.#quote || this.#name} · Livetape`;
  }
}

export class Shell {
  /** @type {[import("./screens.js").Place, ...HTMLAnchorElement[]][]} */
  #links = PLACES.map(([place]) => [place]);
  #clock = h("time.clock");
  #now;

  /**
   * @param {object} page
   * @param {import("./status.js").StatusChip} page.chip
   * @param {import("./frame.js").Frame} page.frame
   * @param {() => number} page.now the server's clock
   * @param {() => void} page.search opens the search
   * @param {() => void} page.help opens the help
   */
  constructor({ chip, frame, now, search, help }) {
    this.#now = now;
    setText(byId("skip-main"), t("Skip to main content"));
    setText(byId("skip-ticket"), t("Skip to the ticket"));
    setAttribute(byId("bottom"), "aria-label", t("Screens"));
    const tools = oneStop(h("div.tools", {}, tool("search", t("Search ( / )"), () => search()),
      layouts(frame), this.#clock,
      menuButton("display-menu", t("Display"), t("Display and trading"), [icon("display")],
        "fillDisplayMenu", (fill, menu) => fill(menu)),
      tool("help", t("Help ( ? )"), help)), ":scope > button, :scope > * > button");
    const home = { href: "/", "data-go": "", "aria-label": t("Livetape home") };
    byId("top").append(
      h("a.brand", home, mark(), h("span", {}, "Livetape")),
      chip.element, viewBadge(),
      oneStop(h("nav.places", { "aria-label": t("Screens") }, ...this.#makeLinks()), "a"),
      tools);
    byId("bottom").append(...this.#makeLinks());
  }

  // Marks the current place; each place links to the last route shown there.
  /** @param {Route} route @param {(place: import("./screens.js").Place) => Route} routeTo */
  show(route, routeTo) {
    const { place } = entryOf(route.screen);
    for (const [name, ...links] of this.#links) {
      for (const link of links) {
        setAttribute(link, "aria-current", name === place ? "page" : null);
        setAttribute(link, "href", pathOf(routeTo(name)));
      }
    }
  }

  /** Draws the page's clock, in the zone of all its times. */
  render() {
    const now = this.#now();
    setText(this.#clock, clockText(now));
    setAttribute(this.#clock, "title", bothClocks(now));
  }

  #makeLinks() {
    return PLACES.map(([place, label, sign], at) => {
      const link = h("a.place", { "data-go": "", "data-place": place }, icon(sign),
        h("span", {}, label));
      this.#links[at].push(link);
      return link;
    });
  }
}

/** @param {import("./frame.js").Frame} frame */
function layouts(frame) {
  const name = h("span.layout-name");
  const draw = () => setText(name, frame.name);
  frame.observe(draw);
  draw();
  const button = menuButton("layout-menu", t("Layouts"), t("Layouts"), [icon("layout"), name],
    "LayoutMenu", (LayoutMenu, menu) => new LayoutMenu(menu, frame));
  button.className = "layout-button";
  return button;
}

/**
 * A button and its menu, which a lazy part fills when it first opens.
 * @template {keyof LazyParts} Name
 * @param {string} id
 * @param {string} name
 * @param {string} title of the button
 * @param {Node[]} face the button's content
 * @param {Name} part
 * @param {(part: LazyParts[Name], menu: HTMLElement) => unknown} fill
 */
function menuButton(id, name, title, face, part, fill) {
  const menu = h(`div.sheet.${id}`, { id, popover: "auto", role: "dialog", "aria-label": name });
  document.body.append(menu);
  const button = h("button.icon-button",
    { type: "button", popovertarget: id, "aria-label": title, title }, ...face);
  menu.addEventListener("toggle",
    () => menu.firstChild ?? withPart(part, (made) => menu.firstChild ?? fill(made, menu)));
  menu.addEventListener("toggle",
    () => setAttribute(button, "aria-expanded", String(menu.matches(":popover-open"))));
  return button;
}

function mark() {
  const image = document.createElement("img");
  image.src = "/assets/favicon.svg";
  image.alt = "";
  image.width = image.height = 28;
  return image;
}

/** @param {string} name @param {string} label @param {() => void} act */
function tool(name, label, act) {
  return h("button.icon-button", {
    type: "button", "aria-label": label, title: label, "data-tool": name, onclick: act,
  }, icon(name));
}
