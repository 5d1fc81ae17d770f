// The tabs of the lists, and dialogs to name or delete a list.

import { cleanName } from "../base/names.js";
import { pathOf } from "../base/route.js";
import { t } from "../text/texts.js";
import { h, icon, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { viewBadge } from "../ui/view-only.js";
import { listName, LONGEST_NAME } from "./own-lists.js";

/** @typedef {import("./own-lists.js").List} List */

// The lists to choose from: all markets, the stars, and the user's own.
/** The address of the tab of all markets. */
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
   * @param {boolean} isOwn whether the chosen one is the user's own
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

  /** @param {string} name @param {boolean} isChosen */
  show(name, isChosen) {
    setText(this.element, name);
    setAttribute(this.element, "aria-current", isChosen ? "true" : null);
  }
}

/**
 * A dialog: with a `value` it takes a name, without one it confirms.
 * @typedef {object} Question
 * @property {string} title
 * @property {string} [text]
 * @property {string} [value]
 * @property {string} yes
 * @property {(name: string) => string} [problem] why a name is invalid; "" if valid
 * @property {(name: string) => unknown} run
 */

export class ListDialog {
  #title = h("h2");
  #text = h("p.muted");
  #input = h("input.field", {
    name: "name", autocomplete: "off", spellcheck: "false", maxlength: LONGEST_NAME,
    "aria-label": t("Name of the list"), "aria-describedby": "list-error",
  });
  #error = h("p.field-error", { id: "list-error", role: "alert" });
  #yes = h("button.button.primary", { type: "submit" });
  #no = h("button.button", { type: "button" }, t("Cancel", {}, "dialog"));
  #form = h("form", { novalidate: true }, this.#title, this.#text, this.#input, this.#error,
    h("div.dialog-buttons", {}, this.#no, this.#yes));
  #dialog = h("dialog.sheet.list-dialog", {}, this.#form);
  /** @type {Question | null} */
  #question = null;

  constructor() {
    document.body.append(this.#dialog);
    this.#no.addEventListener("click", () => this.#dialog.close());
    this.#form.addEventListener("submit", (event) => this.#answer(event));
    this.#input.addEventListener("input", () => this.#complain(""));
    this.#dialog.addEventListener("click",
      (event) => event.target === this.#dialog && this.#dialog.close());
  }

  /** @param {Question} question */
  ask(question) {
    this.#question = question;
    const { title, text = "", value, yes } = question;
    const isName = value !== undefined;
    setAttribute(this.#dialog, "aria-label", title);
    setText(this.#title, title);
    setText(this.#text, text);
    setText(this.#yes, yes);
    setAttribute(this.#text, "hidden", text === "");
    setAttribute(this.#input, "hidden", !isName);
    setAttribute(this.#error, "hidden", !isName);
    this.#input.value = value ?? "";
    this.#complain("");
    this.#dialog.showModal();
    if (isName) this.#input.select();
    else this.#no.focus();
  }

  dispose() {
    this.#dialog.remove();
  }

  /** @param {SubmitEvent} event */
  #answer(event) {
    event.preventDefault();
    const question = this.#question;
    if (!question) return;
    const name = cleanName(this.#input.value);
    const problem = question.value === undefined ? "" : nameProblem(name, question);
    if (problem) return this.#complain(problem);
    this.#dialog.close();
    question.run(name);
  }

  /** @param {string} text */
  #complain(text) {
    setText(this.#error, text);
    setAttribute(this.#input, "aria-invalid", text ? "true" : null);
  }
}

/** @param {string} name @param {Question} question */
const nameProblem = (name, { problem }) =>
  (name === "" ? t("Type a name for the list.") : problem?.(name) ?? "");
