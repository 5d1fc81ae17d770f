// Placeholder screens: for code that is loading, the bare address and unknown paths.

import { t } from "../text/texts.js";
import { shortened } from "../text/words.js";
import { loadLazyParts, NOT_SENT } from "../ui/lazy.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";

// Shown while a screen's code loads, or with an error if it fails to load: after a server update
// the page's files may have other names.
export class ComingScreen extends Screen {
  /**
   * @param {Page} page
   * @param {string} title of the screen being loaded
   * @param {() => void} here called once its code has loaded, unless this screen has closed
   */
  constructor(page, title, here) {
    super(page);
    this.pane = new Pane({ kind: "coming", title });
    this.element = this.pane.element;
    this.pane.body.append(skeleton(6));
    loadLazyParts().then(() => { if (!this.isGone) here(); }, () => this.pane.say({
      title: t("{screen} could not be loaded", { screen: title }),
      text: NOT_SENT,
      action: { label: t("Reload"), run: () => location.reload() },
    }));
  }
}

// The bare address, until the server has sent the first market.
export class HomeScreen extends Screen {
  /** @param {Page} page @param {Route} _route @param {string} title */
  constructor(page, _route, title) {
    super(page);
    this.pane = new Pane({ kind: "home", title });
    this.element = this.pane.element;
    this.pane.line.remove();
    this.pane.body.append(skeleton(6));
    this.books = this.open("books");
  }

  render() {
    this.pane.say(this.whyNothing(this.books, t("The market")));
  }
}

export class MissingScreen extends Screen {
  // The route's name is the requested path.
  /** @param {Page} page @param {Route} route @param {string} title */
  constructor(page, { name: path }, title) {
    super(page);
    this.pane = new Pane({ kind: "missing", title });
    this.element = this.pane.element;
    this.pane.line.remove();
    this.pane.say({
      title: t("There is nothing here"),
      text: t("Page not found: {path}. Check the address.", { path: shortened(path) }),
      action: { label: t("All markets"), run: () => page.router.go({ screen: "markets" }) },
    });
  }
}
