// An address that leads nowhere.

import { t } from "../text/texts.js";
import { shortened } from "../text/words.js";
import { loadLazyParts, NOT_SENT } from "../ui/lazy.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";

// Stands for a screen whose code is on its way, and says so when it can't be had: the server may
// have become another version, whose page has other files.
export class ComingScreen extends Screen {
  /**
   * @param {Page} page
   * @param {string} title of the screen that comes
   * @param {() => void} here called when its code is there, unless this screen has gone
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

// The address without a path, until the server has said which market it begins with.
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
  // The name of the route is the path that was asked for.
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
