// The head of the rail: the selector of its list, and the fold button.

import { chooseList, chosenList, listName, OwnLists, READ } from "../markets/own-lists.js";
import { t } from "../text/texts.js";
import { h, icon, setAttribute } from "../ui/dom.js";
import { SCREENS } from "./screens.js";

/** Prefix of a screen's name; no list name starts with it. */
const SCREEN = "screen:";

export class Rail {
  #choice = h("select.chooser.rail-choice", { "aria-label": t("List in the rail") });
  #fold;
  #page;
  #lists;
  #changed;
  #screen = "";
  #offered = "";

  // `changed()` is called when another watchlist is selected.
  /** @param {Page} page @param {() => void} changed */
  constructor(page, changed) {
    this.#page = page;
    this.#changed = changed;
    this.#lists = new OwnLists(page.link, () => this.#draw());
    this.#fold = h("button.icon-button.rail-fold", { type: "button" }, icon("rail"));
    this.#fold.addEventListener("click", () => page.frame.fold());
    this.#choice.addEventListener("change", () => this.#choose(this.#choice.value));
    this.element = h("header.rail-head", {}, this.#choice, this.#fold);
    page.frame.observe(() => this.#draw());
    this.#draw();
  }

  // Shows the current list in the selector.
  /** @param {string} screen */
  show(screen) {
    this.#screen = screen;
    this.#draw();
  }

  /** @param {string} value */
  #choose(value) {
    if (value.startsWith(SCREEN)) {
      return this.#page.router.go({ screen: value.slice(SCREEN.length) });
    }
    chooseList(value);
    this.#changed();
  }

  #draw() {
    const { isFolded } = this.#page.frame;
    const label = isFolded ? t("Widen the list") : t("Narrow the list");
    for (const name of ["aria-label", "title"]) setAttribute(this.#fold, name, label);
    setAttribute(this.#fold, "aria-expanded", String(!isFolded));
    const lists = this.#lists.all.map((list) => [list.id, listName(list)]);
    const key = JSON.stringify(lists);
    if (key !== this.#offered) {
      this.#offered = key;
      const own = lists.map(([value, name]) => h("option", { value }, name));
      const screens = SCREENS.filter(({ slot, label: name }) => slot === "list" && name)
        .map(({ screen, title }) => h("option", { value: SCREEN + screen }, title));
      this.#choice.replaceChildren(
        h("optgroup", { label: t("Lists") }, h("option", { value: READ }, t("Majors")), ...own),
        h("optgroup", { label: t("Feeds") }, ...screens));
    }
    const value = this.#screen === "watch" ? chosenList(this.#lists) : SCREEN + this.#screen;
    if (this.#choice.value !== value) this.#choice.value = value;
  }
}
