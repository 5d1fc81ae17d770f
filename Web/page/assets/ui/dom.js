// Small helpers over the DOM. Data only ever becomes text or attributes, never markup.

/**
 * An element: `h("p.muted", {title: "…"}, "text", child)`; `on…` keys are listeners.
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

/**
 * An element that index.html has.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

/**
 * Writes text only when it differs: nothing is laid out for a value that stayed.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets, changes or (for null, undefined and false) removes an attribute.
 * @param {Element} element
 * @param {string} name
 * @param {AttributeValue} value
 */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** @typedef {{element: HTMLElement, dispose?: () => void}} Row */

/**
 * Rows by key: made once, moved when the order changes, removed when their key is gone.
 * @template K
 * @template {Row} R
 */
export class KeyedList {
  /** @type {Map<K, R>} */
  rows = new Map();
  #container;
  #create;
  /** @type {K[]} */
  #keys = [];

  /**
   * `create(key)` returns a row with an `element`.
   * @param {HTMLElement} container
   * @param {(key: K) => R} create
   */
  constructor(container, create) {
    this.#container = container;
    this.#create = create;
  }

  /**
   * Makes the rows of `keys`, in that order. Says whether anything moved.
   * @param {readonly K[]} keys
   */
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
