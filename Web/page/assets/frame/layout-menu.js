// The menu of layouts: take one, keep the sizes on show under a name, copy an address that has
// them.

import { cleanName } from "../base/names.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { LONGEST_NAME } from "./frame.js";

/** @typedef {import("./frame.js").Frame} Frame */

export class LayoutMenu {
  #frame;
  #rows = h("div.layout-rows");
  #name = h("input.field", { type: "text", maxlength: String(LONGEST_NAME), placeholder: t("Name"),
    "aria-label": t("Name of the layout"), autocomplete: "off", spellcheck: "false" });
  #said = h("p.layout-said", { role: "status" });
  #word = h("span.layout-name");
  #sheet;

  /** @param {Frame} frame */
  constructor(frame) {
    this.#frame = frame;
    const keep = h("form.field-line", {}, this.#name,
      h("button.button.small", { type: "submit" }, t("Keep")));
    keep.addEventListener("submit", (event) => this.#keep(event));
    const copy = h("button.button.small", { type: "button" }, t("Copy a link to this layout"));
    copy.addEventListener("click", () => void this.#copy());
    this.#sheet = h("div.sheet.layout-menu",
      { id: "layout-menu", popover: "auto", role: "dialog", "aria-label": t("Layouts") },
      h("h2", {}, t("Layouts")), this.#rows, keep, copy, this.#said);
    document.body.append(this.#sheet);
    this.element = h("button.layout-button", {
      type: "button", popovertarget: "layout-menu", "aria-label": t("Layouts"), title: t("Layouts"),
    }, icon("layout"), this.#word);
    this.#sheet.addEventListener("toggle", () => {
      setText(this.#said, "");
      setAttribute(this.element, "aria-expanded", String(this.#sheet.matches(":popover-open")));
    });
    frame.observe(() => this.#draw());
    this.#draw();
  }

  #draw() {
    setText(this.#word, this.#frame.name);
    this.#rows.replaceChildren(this.#row("", t("Usual")),
      ...this.#frame.names.map((name) => this.#row(name, name)));
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  #row(name, label) {
    const isChosen = name !== "" && name === this.#frame.name;
    const take = h("button.layout-take",
      { type: "button", "aria-pressed": String(isChosen) }, label);
    take.addEventListener("click", () => {
      this.#frame.take(name);
      this.#sheet.hidePopover();
    });
    if (name === "") return h("div.layout-row", {}, take);
    const remove = h("button.icon-button",
      { type: "button", "aria-label": t("Delete {name}", { name }) },
      icon("close"));
    remove.addEventListener("click", () => this.#frame.forget(name));
    return h("div.layout-row", {}, take, remove);
  }

  /** @param {Event} event */
  #keep(event) {
    event.preventDefault();
    if (cleanName(this.#name.value) === "") return setText(this.#said, t("A layout needs a name."));
    if (!this.#frame.keep(this.#name.value)) {
      return setText(this.#said, t("There are 20 layouts. Delete one first."));
    }
    this.#name.value = "";
    setText(this.#said, t("Kept as “{name}” on this device.",
      { name: this.#frame.name }));
  }

  async #copy() {
    const link = new URL(location.href);
    link.searchParams.set("layout", this.#frame.shared);
    try {
      await navigator.clipboard.writeText(String(link));
      setText(this.#said, t("Copied."));
    } catch {
      // Without the right to the clipboard the address bar has the link.
      history.replaceState(history.state, "", link);
      setText(this.#said, t("The address of this page is the link now."));
    }
  }
}
