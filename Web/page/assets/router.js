// Paths ⇄ screens. Every path is a deep link; going somewhere inside never loads the page again.

const INSTRUMENT_TABS = new Set(["chart", "book", "trades"]);
const SINGLE = new Set(["feed", "stocks", "products", "exchange", "orders"]);

/**
 * The route of a path: `{screen, name}`, and `tab` for an instrument. Symbols are written in any
 * case; what leads nowhere is the screen "missing", with the path as its name.
 */
export function routeOf(path) {
  const [first = "feed", ...names] = path.split("/").filter(Boolean).map(decoded);
  const kind = first.toLowerCase();
  if (names.length === 0 && SINGLE.has(kind)) return { screen: kind, name: "" };
  // "/book/BTC/USD" as a person types it, beside "/book/BTC%2FUSD" as the page writes it.
  if (INSTRUMENT_TABS.has(kind) && (names.length === 1 || names.length === 2)) {
    return { screen: "market", name: names.join("/").toUpperCase(), tab: kind };
  }
  if (kind === "symbol" && names.length === 1) return { screen: "symbol", name: names[0].toUpperCase() };
  if (kind === "product" && names.length === 1) return { screen: "product", name: names[0] };
  return { screen: "missing", name: path };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray "%": taken as it stands.
    return part;
  }
}

/** The path of a route. */
export function pathOf({ screen, name = "", tab = "book" }) {
  if (screen === "feed") return "/";
  // With two slashes it would be the address of another server.
  if (screen === "missing") return `/${name.replace(/^[/\\]+/, "")}`;
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
    history.replaceState({ steps: this.#steps }, "", pathOf(this.route) + location.search + location.hash);
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
