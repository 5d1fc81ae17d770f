// The product chooser: a few listed products, and a field for any identifier.

import { pathOf } from "../base/route.js";
import { t } from "../text/texts.js";
import { h, icon, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";

const IDENTIFIER = /^[A-Za-z0-9_-]{1,48}$/;

export class ProductsScreen extends Screen {
  #input = h("input.field", {
    id: "product-id", name: "id", placeholder: "sb26493", autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false", maxlength: "64", "aria-describedby": "product-error",
  });
  #error = h("p.field-error", { id: "product-error", role: "alert" });
  #rows = h("ul.rows.product-rows");
  #skeleton = skeleton(6);
  /** @type {KeyedList<string, ProductRow>} */
  #list = new KeyedList(this.#rows, (id) => new ProductRow(id));

  /** @param {Page} page @param {Route} _route @param {string} title */
  constructor(page, _route, title) {
    super(page);
    this.pane = new Pane({ kind: "products", title });
    this.element = this.pane.element;
    this.pane.line.remove();
    const form = h("form.product-form", { novalidate: true },
      h("label", { for: "product-id" }, t("Product identifier")),
      h("div.field-line", {}, this.#input,
        h("button.button.primary", { type: "submit" }, t("Show"))),
      this.#error);
    form.addEventListener("submit", (event) => this.#submit(event));
    this.#input.addEventListener("input", () => this.#complain(""));
    this.pane.body.append(form, this.#skeleton, this.#rows);
    this.products = this.open("products");
  }

  render() {
    // The field works without the list: the notice must not replace it.
    const state = this.products.state;
    if (!state) return;
    this.#skeleton.remove();
    const names = new Map(state.choices.map((choice) => [choice.id, choice.name]));
    this.#list.arrange([...names.keys()]);
    for (const [id, row] of this.#list.rows) row.describe(names.get(id) ?? "");
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const id = this.#input.value.trim();
    if (id === "") return this.#complain(t("Type a product identifier, for example sb26493."));
    if (!IDENTIFIER.test(id)) {
      return this.#complain(t("An identifier has letters, digits, “-” and “_” only."));
    }
    this.page.router.go({ screen: "product", name: id });
  }

  /** @param {string} text */
  #complain(text) {
    setText(this.#error, text);
    setAttribute(this.#input, "aria-invalid", text !== "" ? "true" : null);
    if (text) this.#input.focus();
  }
}

class ProductRow {
  #name = h("span.row-title");

  /** @param {string} id */
  constructor(id) {
    const link = h("a.row",
      { href: pathOf({ screen: "product", name: id }), "data-go": "", "data-row": id },
      h("span.row-main", {}, this.#name, h("span.row-sub", {}, id)), icon("back"));
    this.element = h("li", { "data-product": id }, link);
  }

  /** @param {string} name */
  describe(name) {
    setText(this.#name, name);
  }
}
