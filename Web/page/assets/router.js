// Paths ⇄ screens. Every path is a deep link; going somewhere inside never loads the page again.

const INSTRUMENT_TABS = new Set(["chart", "book", "trades"]);
const LISTS = new Set(["feed", "stocks", "products"]);

/** The route of a path: `{screen, name}`, and `tab` for an instrument. */
export function routeOf(path) {
  const [first = "", ...rest] = path.split("/").filter(Boolean);
  let name = rest.join("/");
  try {
    name = decodeURIComponent(name);
  } catch {
    // A stray "%": taken as it stands.
  }
  if (INSTRUMENT_TABS.has(first) && name) return { screen: "market", name, tab: first };
  if ((first === "symbol" || first === "product") && name) return { screen: first, name };
  if (first === "exchange" || first === "orders") return { screen: first, name: "" };
  return { screen: LISTS.has(first) ? first : "feed", name: "" };
}

/** The path of a route. */
export function pathOf({ screen, name = "", tab = "book" }) {
  if (screen === "feed") return "/";
  if (screen === "market") return `/${tab}/${encodeURIComponent(name)}`;
  return name ? `/${screen}/${encodeURIComponent(name)}` : `/${screen}`;
}

const PARENTS = { symbol: "feed", product: "products", orders: "exchange" };

export class Router {
  route = routeOf(location.pathname);
  #steps = history.state?.steps ?? 0;
  #changed;

  /** `changed(route)` is called after each change. */
  constructor(changed) {
    this.#changed = changed;
    history.replaceState({ steps: this.#steps }, "");
    addEventListener("popstate", (event) => {
      this.#steps = event.state?.steps ?? 0;
      this.#arrive();
    });
    document.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Goes to a route; `replace` for tabs, which are not steps to go back through. */
  go(route, { replace = false } = {}) {
    const path = pathOf(route);
    if (path === location.pathname) return;
    if (replace) {
      history.replaceState({ steps: this.#steps }, "", path);
    } else {
      this.#steps += 1;
      history.pushState({ steps: this.#steps }, "", path);
    }
    this.#arrive();
  }

  /** Back to where the person came from, or to the screen above after a deep link. */
  back() {
    if (this.#steps > 0) history.back();
    else if (PARENTS[this.route.screen]) {
      this.go({ screen: PARENTS[this.route.screen] }, { replace: true });
    }
  }

  #arrive() {
    this.route = routeOf(location.pathname);
    this.#changed(this.route);
  }

  #clicked(event) {
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const anchor = event.target.closest?.("a[data-go]");
    if (!anchor || !plain || event.defaultPrevented) return;
    event.preventDefault();
    this.go(routeOf(new URL(anchor.href).pathname), { replace: anchor.dataset.go === "replace" });
  }
}
