// An address that leads nowhere.

import { Pane } from "../components/pane.js";
import { shortened } from "../words.js";
import { Screen } from "./screen.js";

export class MissingScreen extends Screen {
  title = "Not found";

  /** `path` is what was asked for. */
  constructor(context, path) {
    super(context);
    this.pane = new Pane({ kind: "missing", title: this.title });
    this.element = this.pane.element;
    this.pane.line.remove();
    this.pane.say({
      title: "There is nothing here",
      text: `${shortened(path)} leads nowhere. Perhaps the link is mistyped.`,
      action: { label: "See all symbols", run: () => context.router.go({ screen: "feed" }) },
    });
  }
}
