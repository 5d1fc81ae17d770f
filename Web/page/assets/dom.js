// Small helpers over the DOM. Data only ever becomes text or attributes, never markup.

/** An element: `h("p.muted", {title: "…"}, "text", child)`; `on…` keys are listeners. */
export function h(kind, properties = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else setAttribute(element, key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Writes text only when it differs: nothing is laid out for a value that stayed. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets, changes or (for null, undefined and false) removes an attribute. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Rows by key: made once, moved when the order changes, removed when their key is gone. */
export class KeyedList {
  rows = new Map();
  #container;
  #create;
  #keys = [];

  /** `create(key)` returns a row with an `element`. */
  constructor(container, create) {
    this.#container = container;
    this.#create = create;
  }

  /** Makes the rows of `keys`, in that order. Says whether anything moved. */
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
      if (row.element === next) next = next.nextSibling;
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
