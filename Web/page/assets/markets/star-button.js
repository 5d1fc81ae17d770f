// The star of the instrument shown: whether it is in the list of starred markets.

import { t } from "../text/texts.js";
import { h, icon, setAttribute } from "../ui/dom.js";
import { OwnLists, STARS } from "./own-lists.js";

export class StarButton {
  #lists;
  #id = "";

  /** @param {Link} link */
  constructor(link) {
    this.#lists = new OwnLists(link, () => this.#draw());
    this.element = h("button.icon-button.star-button",
      { type: "button", hidden: true, "data-changes": true }, icon("star"));
    this.element.addEventListener("click", () => this.#lists.toggle(STARS, this.#id));
  }

  // Sets its market: "VENUE/SYMBOL"; "" while that is unavailable.
  /** @param {string} id */
  show(id) {
    this.#id = id;
    this.#draw();
  }

  dispose() {
    this.#lists.dispose();
  }

  #draw() {
    const isStarred = this.#lists.has(STARS, this.#id);
    setAttribute(this.element, "hidden", this.#id === "" || !this.#lists.isKnown);
    setAttribute(this.element, "aria-pressed", String(isStarred));
    const symbol = this.#id.slice(this.#id.indexOf("/") + 1);
    const label = isStarred ? t("Remove {symbol} from favourites", { symbol })
      : t("Add {symbol} to favourites", { symbol });
    for (const name of ["aria-label", "title"]) setAttribute(this.element, name, label);
  }
}
