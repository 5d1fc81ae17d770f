// The frame of every pane: a bar with a title, a line that says how fresh it is, a body that
// scrolls, and a notice that takes the body's place when there is nothing true to show.

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
   * `kind` is its class; `back` a path and a word for the way out of a details pane.
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

  /** A body without anything to focus can be scrolled by keys all the same. */
  reachByKeyboard() {
    for (const [name, value] of [["tabindex", "0"], ["role", "group"],
      ["aria-label", this.heading.textContent ?? ""]]) {
      setAttribute(this.body, name, value);
    }
  }

  // Shows `{title, text, action: {label, run}}` in place of the body; null brings the body back.
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

// Grey shapes where values will stand; the same size, so that nothing jumps.
/** @param {number} rows */
export const skeleton = (rows, kind = "row") =>
  h("div.skeletons", { "aria-hidden": "true" },
    ...Array.from({ length: rows }, () => h(`div.skeleton.skeleton-${kind}`)));
