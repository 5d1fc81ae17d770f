// The lists to choose from: all markets, the stars, and a person's own.

import { pathOf } from "../base/route.js";
import { t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { viewBadge } from "../ui/view-only.js";
import { listName } from "./own-lists.js";

/** @typedef {import("./own-lists.js").List} List */

/** The tab of all markets, in the address. */
export const ALL = "all";

export class ListTabs {
  #links = h("div.segments");
  /** @type {KeyedList<string, Tab>} */
  #tabs = new KeyedList(this.#links, (id) => new Tab(id));
  #more = h("button.icon-button", { type: "button", "aria-haspopup": "menu", "data-changes": true,
    "aria-label": t("Rename or delete the list"), title: t("Rename or delete the list") },
    icon("more"));
  #chosen = "";

  /**
   * @param {object} acts
   * @param {() => void} acts.create
   * @param {(opener: HTMLElement) => void} acts.more
   */
  constructor({ create, more }) {
    const add = h("button.icon-button.add-list", {
      type: "button", onclick: create, "data-changes": true,
      "aria-label": t("New list"), title: t("New list"),
    }, icon("plus"));
    this.#more.addEventListener("click", () => more(this.#more));
    this.element = h("nav.list-tabs", { "aria-label": t("Lists of markets") },
      this.#links, this.#more, add, viewBadge());
  }

  /**
   * @param {List[]} lists
   * @param {string} chosen
   * @param {boolean} isOwn whether the person made the chosen one
   */
  show(lists, chosen, isOwn) {
    /** @type {{[id: string]: string}} */
    const names = { [ALL]: t("All") };
    for (const list of lists) names[list.id] = listName(list);
    this.#tabs.arrange(Object.keys(names));
    for (const [id, tab] of this.#tabs.rows) tab.show(names[id], id === chosen);
    setAttribute(this.#more, "hidden", !isOwn);
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    this.#tabs.rows.get(chosen)?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

class Tab {
  /** @param {string} id */
  constructor(id) {
    const href = pathOf({ screen: "markets", name: id });
    this.element = h("a.segment", { href, "data-go": "replace", "data-list": id, dir: "auto" });
  }

  /**
   * @param {string} name
   * @param {boolean} isChosen
   */
  show(name, isChosen) {
    setText(this.element, name);
    setAttribute(this.element, "aria-current", isChosen ? "true" : null);
  }
}
