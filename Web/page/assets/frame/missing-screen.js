// An address that leads nowhere.

import { t } from "../text/texts.js";
import { shortened } from "../text/words.js";
import { Pane } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";

export class MissingScreen extends Screen {
  /**
   * The name of the route is the path that was asked for.
   * @param {Page} page
   * @param {import("../base/route.js").Route} route
   * @param {string} title
   */
  constructor(page, { name: path }, title) {
    super(page);
    this.pane = new Pane({ kind: "missing", title });
    this.element = this.pane.element;
    this.pane.line.remove();
    this.pane.say({
      title: t("There is nothing here"),
      text: t("{path} leads nowhere. Perhaps the link is mistyped.", { path: shortened(path) }),
      action: { label: t("See all symbols"), run: () => page.router.go({ screen: "feed" }) },
    });
  }
}
