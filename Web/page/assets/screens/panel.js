// What the three views of an instrument share: a line that says how fresh they are, a fixed head,
// and one part below it that scrolls.

import { Pane } from "../components/pane.js";
import { h } from "../dom.js";
import { freshnessText, shortened } from "../words.js";
import { Screen } from "./screen.js";

export class Panel extends Screen {
  /** `topic` may be missing when a view opens its topics itself. */
  constructor(context, symbol, { kind, title, topic }) {
    super(context);
    this.symbol = symbol;
    this.title = title;
    this.pane = new Pane({ kind: `panel.${kind}`, title, level: 2 });
    this.element = this.pane.element;
    this.element.removeAttribute("aria-labelledby");
    this.pane.line.prepend(h("span.panel-title", { "aria-hidden": "true" }, title));
    this.pane.body.classList.add("scroller");
    if (topic) this.entry = this.open(`${topic}/${symbol}`);
  }

  /** The state when there is one to draw; otherwise the pane says why not. */
  known(what) {
    const state = this.entry.state;
    const freshness = this.believe(this.entry);
    const now = this.link.now();
    this.pane.note.update(freshness, now, state ? freshnessText(freshness, now) : "Loading");
    if (this.isUnknown(this.entry)) {
      this.pane.say(this.unknown());
      return null;
    }
    this.pane.say(this.whyNothing(this.entry, what));
    return state ? { state, freshness, now } : null;
  }

  /** What to say of an instrument that does not exist. */
  unknown() {
    return {
      title: `There is no instrument ${shortened(this.symbol)}`,
      text: "Choose another one in the list above, or search.",
      action: { label: "Search", run: () => this.context.search() },
    };
  }
}
