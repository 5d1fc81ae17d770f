// DOM helpers. Data only ever becomes text or attributes, never markup.

/**
 * Creates an element: `h("p.muted", {title: "…"}, "text", child)`; `on…` keys add listeners.
 * @template {string} K
 * @param {K} kind
 * @param {Properties} properties
 * @param {...Child} children
 */
export function h(kind, properties = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else setAttribute(element, key, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return /** @type {ElementOf<K>} */ (element);
}

// An element of index.html.
/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

// Writes text only if it differs, to avoid needless layout.
/** @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Sets an attribute; null, undefined and false remove it.
/** @param {Element} element @param {string} name @param {AttributeValue} value */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** @typedef {{element: HTMLElement, dispose?: () => void}} Row */

// Rows by key: created once, moved when the order changes, removed with their key.
/** @template K @template {Row} R */
export class KeyedList {
  /** @type {Map<K, R>} */
  rows = new Map();
  #container;
  #create;
  /** @type {K[]} */
  #keys = [];

  // `create(key)` returns a row with an `element`.
  /** @param {HTMLElement} container @param {(key: K) => R} create */
  constructor(container, create) {
    this.#container = container;
    this.#create = create;
  }

  // Creates and orders the rows of `keys`. Returns whether anything moved.
  /** @param {readonly K[]} keys */
  arrange(keys) {
    if (keys.length === this.#keys.length && keys.every((key, at) => key === this.#keys[at])) {
      return false;
    }
    const wanted = new Set(keys);
    for (const [key, row] of this.rows) {
      if (wanted.has(key)) continue;
      row.dispose?.();
      row.element.remove();
      this.rows.delete(key);
    }
    let next = this.#container.firstChild;
    for (const key of wanted) {
      let row = this.rows.get(key);
      if (!row) {
        row = this.#create(key);
        this.rows.set(key, row);
      }
      if (next && row.element === next) next = next.nextSibling;
      else this.#container.insertBefore(row.element, next);
    }
    this.#keys = [...wanted];
    return true;
  }

  dispose() {
    for (const row of this.rows.values()) row.dispose?.();
    this.rows.clear();
  }
}

// The page's line icons, as paths on a 24 × 24 grid.
/** @type {{[name: string]: string}} */
const PATHS = {
  feed: "M3 13h4l3-8 4 14 3-8h4",
  stocks: "M4 6h16M4 12h16M4 18h10",
  products: "M4 4h7l9 9-7 7-9-9zM8.2 8.2h.01",
  market: "M4 5h7M4 9.5h5M4 14h6M4 18.5h3M20 5h-4M20 9.5h-6M20 14h-3M20 18.5h-7",
  exchange: "M7 4v14M3.5 14.5 7 18l3.5-3.5M17 20V6M13.5 9.5 17 6l3.5 3.5",
  orders: "M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6",
  rail: "M4 5h16v14H4zM9 5v14",
  layout: "M4 5h16v14H4zM14 5v14M4 13.5h10",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20",
  display: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
  help: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1v.4M12 17.6v.01"
    + "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  back: "M14.5 5.5 8 12l6.5 6.5",
  close: "M6 6l12 12M18 6 6 18",
  markets: "M4 5h16M4 10h16M4 15h9M4 20h6M17.5 13.5v7M14 17h7",
  erase: "M9 5.5h11v13H9L3 12zM12 9.5l5 5M17 9.5l-5 5",
  star: "M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  plus: "M12 5v14M5 12h14",
  bell: "M6 17.5V11a6 6 0 0 1 12 0v6.5M4 17.5h16M10 20.5h4M12 5V3.5",
  edit: "M4.5 19.5l1-4.5L15.5 5l3.5 3.5L9 18.5zM13 7.5l3.5 3.5",
  centre: "M12 3v5M12 16v5M3 12h5M16 12h5M12 12h.01",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
};

const NAMESPACE = "http://www.w3.org/2000/svg";

// An icon, hidden from screen readers; the control around it has the name.
/** @param {string} name one of PATHS, or a path */
export function icon(name) {
  const image = document.createElementNS(NAMESPACE, "svg");
  image.setAttribute("viewBox", "0 0 24 24");
  image.setAttribute("class", "icon");
  image.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", PATHS[name] ?? name);
  image.append(path);
  return image;
}

// A table's column headings for screen readers, where the visible ones are not part of the table;
// `kinds` are classes that hide a heading together with its column.
/** @param {string[]} headings @param {string[]} [kinds] */
export const spokenHeads = (headings, kinds = []) => h("div.unseen", { role: "row" },
  ...headings.map((heading, at) =>
    h(kinds[at] ? `span.${kinds[at]}` : "span", { role: "columnheader" }, heading)));

// Makes a group a single tab stop; the arrow keys move between its controls. The first one is
// never hidden.
/** @template {HTMLElement} E @param {E} group @param {string} [controls] a selector @returns {E} */
export function oneStop(group, controls = "button") {
  /** @returns {NodeListOf<HTMLElement>} */
  const found = () => group.querySelectorAll(controls);
  const all = () => [...found()];
  const stop = (/** @type {Element | null} */ chosen) =>
    all().forEach((button) => setAttribute(button, "tabindex", button === chosen ? "0" : "-1"));
  stop(all()[0] ?? null);
  group.addEventListener("focusin", ({ target }) =>
    target instanceof Element && target.matches(controls) && stop(target));
  group.addEventListener("keydown", (event) => {
    const [back, on] = group.matches(":popover-open") ? ["ArrowUp", "ArrowDown"]
      : ["ArrowLeft", "ArrowRight"];
    const step = event.key === on ? 1 : event.key === back ? -1 : 0;
    const shown = all().filter((control) =>
      control.offsetParent !== null && !control.matches(":disabled"));
    const at = shown.findIndex((control) => control === document.activeElement);
    if (step === 0 || at < 0) return;
    event.preventDefault();
    shown[(at + step + shown.length) % shown.length].focus({ focusVisible: true });
  });
  return group;
}
