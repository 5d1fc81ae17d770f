// Stands for a screen whose code is on its way, and says so when it can't be had: the server may
// have become another version, whose page has other files.

import { t } from "../text/texts.js";
import { loadLazyParts, NOT_SENT } from "../ui/lazy.js";
import { Pane, skeleton } from "../ui/pane.js";
import { Screen } from "../ui/screen.js";

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
