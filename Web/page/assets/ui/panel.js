// What the three views of an instrument share: a line that says how fresh they are, a fixed head,
// and one part below it that scrolls.

import { t } from "../text/texts.js";
import { freshnessText, shortened } from "../text/words.js";
import { h } from "./dom.js";
import { Pane } from "./pane.js";
import { Screen } from "./screen.js";

export class Panel extends Screen {
  /**
   * @param {Page} page
   * @param {string} symbol
   * @param {{kind: string, title: string}} face
   */
  constructor(page, symbol, { kind, title }) {
    super(page);
    this.symbol = symbol;
    this.title = title;
    this.pane = new Pane({ kind: `panel.${kind}`, title, level: 2 });
    this.element = this.pane.element;
    this.element.removeAttribute("aria-labelledby");
    this.pane.line.prepend(h("span.panel-title", { "aria-hidden": "true" }, title));
    this.pane.body.classList.add("scroller");
  }

  /** Called when the panel shows that the instrument is unknown; the screen hides the others. */
  attend = () => {};

  /** Whether the server says that there is no such instrument. */
  get isMissing() {
    return false;
  }

  /**
   * The state when there is one to draw; otherwise the pane says why not.
   * @template {Topic.Book | Topic.Trades} S
   * @param {import("../link/topics.js").Entry<S>} entry
   * @param {string} what
   * @returns {{state: Extract<S, {known: true}>, freshness: Seen, now: number} | null}
   */
  known(entry, what) {
    const { state } = entry;
    const freshness = this.believe(entry);
    const now = this.link.now();
    this.pane.note.update(freshness, now, state ? freshnessText(freshness, now) : t("Loading"));
    if (this.isUnknown(entry)) {
      this.pane.say(this.unknown());
      return null;
    }
    this.pane.say(this.whyNothing(entry, what));
    if (!state?.known) return null;
    return { state: /** @type {Extract<S, {known: true}>} */ (state), freshness, now };
  }

  /**
   * What to say of an instrument that does not exist.
   * @returns {PaneNotice}
   */
  unknown() {
    this.attend();
    return {
      title: t("There is no instrument {symbol}", { symbol: shortened(this.symbol) }),
      text: t("Choose another one in the list above, or search."),
      action: { label: t("Search"), run: () => this.page.search() },
    };
  }
}
