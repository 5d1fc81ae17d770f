// A small menu beside its opener. Esc, a press elsewhere or a choice closes it.

import { h, setAttribute } from "../ui/dom.js";

/**
 * A menu item: `checked` makes it a toggle, null is a divider.
 * @typedef {{label: string, run: () => unknown, checked?: boolean, disabled?: boolean} | null} Item
 */

const GAP_PIXELS = 4;

export class Menu {
  #element = h("div.sheet.menu", { popover: "auto", role: "menu" });
  /** @type {HTMLElement | null} */
  #opener = null;

  constructor() {
    document.body.append(this.#element);
    this.#element.addEventListener("keydown", (event) => this.#key(event));
    this.#element.addEventListener("toggle", () => {
      if (!this.isOpen) this.#closed();
    });
  }

  get isOpen() {
    return this.#element.matches(":popover-open");
  }

  /**
   * Opens it under `opener`, to which focus returns.
   * @param {HTMLElement} opener
   * @param {string} label
   * @param {Item[]} items
   * @param {{x: number, y: number}} [point] where to open it, if not at the opener
   */
  show(opener, label, items, point) {
    this.hide();
    this.#opener = opener;
    setAttribute(this.#element, "aria-label", label);
    this.#element.replaceChildren(...items.map((item) => this.#line(item)));
    this.#element.showPopover();
    this.#place(opener.getBoundingClientRect(), point);
    this.#lines()[0]?.focus();
  }

  hide() {
    if (this.isOpen) this.#element.hidePopover();
  }

  dispose() {
    this.#element.remove();
  }

  #closed() {
    if (document.activeElement === document.body) this.#opener?.focus({ preventScroll: true });
  }

  /** @param {Item} item */
  #line(item) {
    if (!item) return h("div.menu-rule", { role: "separator" });
    const { label, run, checked, disabled } = item;
    const isChoice = checked !== undefined;
    return h("button.menu-item", {
      type: "button", tabindex: "-1", role: isChoice ? "menuitemcheckbox" : "menuitem",
      "aria-checked": isChoice ? String(checked) : null, disabled,
      onclick: () => {
        this.hide();
        run();
      },
    }, label);
  }

  #lines() {
    return [...this.#element.querySelectorAll("button")].filter((line) => !line.disabled);
  }

  /** @param {DOMRect} box @param {{x: number, y: number}} [point] */
  #place(box, point) {
    const { offsetWidth: width, offsetHeight: height } = this.#element;
    const left = point ? point.x : box.right - width;
    const under = (point ? point.y : box.bottom) + GAP_PIXELS;
    const above = (point ? point.y : box.top) - GAP_PIXELS - height;
    const top = under + height <= innerHeight ? under : Math.max(GAP_PIXELS, above);
    this.#element.style.left =
      `${Math.max(GAP_PIXELS, Math.min(left, innerWidth - width - GAP_PIXELS))}px`;
    this.#element.style.top = `${top}px`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const lines = this.#lines();
    const at = lines.findIndex((line) => line === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      lines.at(next % lines.length)?.focus();
    } else if (event.key === "Tab") {
      this.hide();
    }
  }
}
