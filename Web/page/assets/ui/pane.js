// The frame of every pane: a title bar, a freshness line, a scrolling body, and a notice that
// replaces the body when there is no valid data.

import { t } from "../text/texts.js";
import { h, icon, setAttribute, setText } from "./dom.js";
import { FreshnessNote } from "./freshness.js";

let count = 0;

export class Pane {
  note = new FreshnessNote();
  #noticeTitle = h("h3", { "aria-level": 2 });
  #noticeText = h("p");
  #noticeAction = h("button.button", { type: "button" });
  /** @type {() => void} */
  #act = () => {};

  /**
   * `kind` is the pane's class; `back` the path and label of a details pane's way out.
   * @param {{kind: string, title: string, level?: number, back?: {href: string, word: string}
   *   | null}} face
   */
  constructor({ kind, title, level = 1, back = null }) {
    count += 1;
    this.heading = h(`h${level}.pane-title`, { id: `pane-${count}` }, title);
    this.lead = h("div.pane-lead");
    if (back) {
      this.lead.append(
        h("a.back", { href: back.href, "data-go": "",
          "aria-label": t("Back to {place}", { place: back.word }) },
        icon("back"), h("span", {}, back.word)));
    }
    this.tail = h("div.pane-tail");
    this.bar = h("header.pane-bar", {}, this.lead, this.heading, this.tail);
    this.line = h("div.pane-line", {}, this.note.element);
    this.body = h("div.pane-body");
    this.notice = h("div.pane-notice", { hidden: true },
      this.#noticeTitle, this.#noticeText, this.#noticeAction);
    this.#noticeAction.addEventListener("click", () => this.#act());
    this.element = h(`section.pane.${kind}`, { "aria-labelledby": `pane-${count}` },
      this.bar, this.line, this.body, this.notice);
  }

  /** Lets the keyboard scroll a body that has no focusable element. */
  reachByKeyboard() {
    for (const [name, value] of [["tabindex", "0"], ["role", "group"],
      ["aria-label", this.heading.textContent ?? ""]]) {
      setAttribute(this.body, name, value);
    }
  }

  // Replaces the body with `{title, text, action: {label, run}}`; null restores it.
  /** @param {PaneNotice | null} notice */
  say(notice) {
    setAttribute(this.notice, "hidden", notice === null);
    setAttribute(this.body, "hidden", notice !== null);
    if (!notice) return;
    setText(this.#noticeTitle, notice.title);
    setText(this.#noticeText, notice.text);
    setAttribute(this.#noticeAction, "hidden", !notice.action);
    if (!notice.action) return;
    setText(this.#noticeAction, notice.action.label);
    this.#act = notice.action.run;
  }
}

// Grey placeholders of the same size as the values, so that nothing jumps.
/** @param {number} rows */
export const skeleton = (rows, kind = "row") =>
  h("div.skeletons", { "aria-hidden": "true" },
    ...Array.from({ length: rows }, () => h(`div.skeleton.skeleton-${kind}`)));
