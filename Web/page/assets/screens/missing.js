// @ts-check
// An address that leads nowhere.

import { Pane } from "../components/pane.js";
import { t } from "../texts.js";
import { shortened } from "../words.js";
import { Screen } from "./screen.js";

export class MissingScreen extends Screen {
  /**
   * The name of the route is the path that was asked for.
   * @param {import("./screen.js").Page} page
   * @param {import("../route.js").Route} route
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
