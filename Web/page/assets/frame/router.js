// Paths ⇄ screens. Every path is a deep link; navigation inside the page never reloads it.

import { pathOf } from "../base/route.js";
import { entryOf, routeOf } from "./screens.js";

/** @typedef {Omit<Route, "name"> & {name?: string}} Destination */

export class Router {
  route = routeOf(location.pathname);
  #steps = history.state?.steps ?? 0;
  /** @type {(route: Route) => void} */
  #changed;

  /** @param {(route: Route) => void} changed called after each change */
  constructor(changed) {
    this.#changed = changed;
    const path = pathOf(this.route) + location.search + location.hash;
    history.replaceState({ steps: this.#steps }, "", path);
    addEventListener("popstate", (event) => {
      this.#steps = event.state?.steps ?? 0;
      this.#arrive();
    });
    document.addEventListener("click", (event) => this.#clicked(event));
  }

  // Goes to a route; `replace` for tabs, which add no history entry.
  /** @param {Destination} route */
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

  /** Goes back in the history, or to the parent screen after a deep link. */
  back() {
    const { parent } = entryOf(this.route.screen);
    if (this.#steps > 0) history.back();
    else if (parent) this.go({ screen: parent }, { replace: true });
  }

  #arrive() {
    this.route = routeOf(location.pathname);
    this.#changed(this.route);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    const anchor = event.target instanceof Element && event.target.closest("a[data-go]");
    if (!(anchor instanceof HTMLAnchorElement) || event.button !== 0 || isModified) return;
    if (event.defaultPrevented) return;
    event.preventDefault();
    const replace = anchor.dataset.go === "replace";
    this.go(routeOf(new URL(anchor.href).pathname), { replace });
  }
}
