// The base of all screens: topics that close with the screen, one render per frame, and an
// explanation while there is no data.

import { symbolOf } from "../base/route.js";
import { forget, invalidate, tick } from "../base/scheduler.js";
import { inSentence, sentence, t } from "../text/texts.js";
import { freshnessText, shortened, wordOf } from "../text/words.js";
import { h } from "./dom.js";
import { believe } from "./freshness.js";
import { Pane } from "./pane.js";

const PATIENCE_MILLISECONDS = 1000;

export class Screen {
  /** @type {Release[]} */
  #releases = [];
  #ended = false;
  /** Requests a render in the next frame. */
  refresh = () => {
    if (!this.#ended) this.render();
  };

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.link = page.link;
    this.#releases.push(this.link.observe(this.refresh));
    tick(this.refresh);
    invalidate(this.refresh);
  }

  /** Whether the screen is closed; late results are then ignored. */
  get isGone() {
    return this.#ended;
  }

  // Opens a topic until the screen closes; returns its entry.
  /** @template {keyof Topic.ByName & string} N @param {N} name */
  open(name) {
    const handle = this.link.topics.open(name, this.refresh);
    this.#releases.push(handle.close);
    return handle.entry;
  }

  // Runs `release` when the screen closes.
  /** @param {Release} release */
  whenGone(release) {
    this.#releases.push(release);
  }

  // The freshness to show for a topic.
  /** @param {Entry} entry @param {Topic.Freshness} [given] */
  believe(entry, given) {
    return believe(this.link, entry, given);
  }

  /** Draws the changes. */
  render() {}

  /** The market and its state in a few sentences; "" if the screen has none. */
  summary() {
    return "";
  }

  /** Goes back one step in the screen; false if there is no step to undo. */
  escape() {
    return false;
  }

  /** Focuses the screen's own search; false if it has none. */
  find() {
    return false;
  }

  // Moves through rows that are not all in the page; false if the screen has none.
  /** @param {number} _step */
  step(_step) {
    return false;
  }

  // Shows another route in place; false if that requires a new screen.
  /** @param {Route} _route */
  takes(_route) {
    return false;
  }

  /** Closes the screen's topics. */
  dispose() {
    this.#ended = true;
    for (const release of this.#releases.splice(0)) release();
    forget(this.refresh);
  }

  // Whether the server reports the topic's subject as unknown.
  /** @param {Entry<{known?: boolean}>} entry */
  isUnknown(entry) {
    return entry.refused || entry.state?.known === false;
  }

  // Null while a skeleton is appropriate: the topic has a state, or opened under a second ago.
  // After that, the reason for the missing data, and what the user can do.
  /** @param {Entry} entry @param {string} what @returns {PaneNotice | null} */
  whyNothing(entry, what) {
    if (entry.state !== undefined) return null;
    if (entry.refused) {
      return { title: t("Not found"),
        text: t("Perhaps the link is mistyped.") };
    }
    if (entry.isQueued && this.link.state === "connected") {
      return { title: wordOf("queued"),
        text: t("{what} will open when you close others.", { what }) };
    }
    if (performance.now() - entry.openedAt < PATIENCE_MILLISECONDS
      && this.link.state !== "disconnected") {
      return null;
    }
    if (this.link.state !== "connected") {
      return {
        title: t("No connection to Livetape"),
        text: t("{what} will appear as soon as the server answers. Trying again by itself.",
          { what }),
        action: { label: t("Try now"), run: () => this.link.retryNow() },
      };
    }
    return {
      title: t("Still loading"),
      text: t("The server has not sent {what} so far.", { what: inSentence(what) }),
      action: { label: t("Retry"), run: () => this.link.topics.reopen(entry) },
    };
  }

  // The text under a missing price: the venue's own reason if it has one.
  /** @param {string} venue */
  venueReason(venue) {
    const known = this.page.status.state?.venues[venue];
    if (!known || known.connected) return t("Waiting for the first price");
    return sentence(known.reason) || t("{venue} is not connected", { venue: known.name ?? venue });
  }
}

// The base of an instrument's three views: a freshness line, a fixed head, and one scrolling part
// below it.
export class Panel extends Screen {
  /** @param {Page} page @param {string} name @param {{kind: string, title: string}} face */
  constructor(page, name, { kind, title }) {
    super(page);
    this.name = name;
    this.symbol = symbolOf(name);
    this.title = title;
    this.pane = new Pane({ kind: `panel.${kind}`, title, level: 2 });
    this.element = this.pane.element;
    this.element.removeAttribute("aria-labelledby");
    this.pane.line.prepend(h("span.panel-title", { "aria-hidden": "true" }, title));
    this.pane.body.classList.add("scroller");
  }

  /** Called when the instrument is unknown; the screen then hides the other panels. */
  attend = () => {};

  /** Whether the server reports the instrument as unknown. */
  get isMissing() {
    return false;
  }

  /**
   * The state if it can be drawn; otherwise the pane shows the reason.
   * @template {Topic.Book | Topic.Trades} S
   * @param {Entry<S>} entry
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

  // The notice for an instrument that does not exist.
  /** @returns {PaneNotice} */
  unknown() {
    this.attend();
    return {
      title: t("Unknown instrument: {symbol}", { symbol: shortened(this.symbol) }),
      text: t("Choose another one in the list above, or search."),
      action: { label: t("Search"), run: () => this.page.search() },
    };
  }
}
