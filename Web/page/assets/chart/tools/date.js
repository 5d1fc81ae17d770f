// Go to a date: the menu that takes it, and the search for it through candles loaded on demand.

import { t } from "../../text/texts.js";
import { h, icon, setAttribute } from "../../ui/dom.js";
import { closeMenus, menu } from "./menus.js";

const CALENDAR = "M5 6h14v14H5zM5 10h14M9 3.5v4M15 3.5v4";
const MINUTE = 60_000;
/** The most times that older candles are requested for one date. */
const MOST_PAGES = 40;

export class DateMenu {
  /** The button and its menu. */
  element;
  #input = h("input.field", { type: "datetime-local", "aria-label": t("Date and time"),
    required: "" });
  /** The time to show; null once it is shown. */
  #wanted = /** @type {number | null} */ (null);
  #pages = 0;
  /** The oldest candle when older ones were requested last. */
  #oldest = NaN;
  #host;

  /**
   * `show` brings a candle into view; `say` shows a text for a moment.
   * @param {{scene: import("../model/scene.js").Scene, show: (index: number) => unknown,
   *   say: (text: string) => unknown}} host
   */
  constructor(host) {
    this.#host = host;
    const form = h("form.chart-date", {}, this.#input,
      h("button.button.small", { type: "submit" }, t("Go")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go();
    });
    this.element = menu(t("Go to date"), [icon(CALENDAR)], form);
    this.element.querySelector("[popover]")?.addEventListener("toggle", () => this.#begin());
  }

  /** Opens the menu, inside the tools menu if the tools are in one. */
  open() {
    const button = this.element.querySelector("button");
    const tools = this.element.parentElement?.closest("[popover]");
    const isHidden = button?.getClientRects().length === 0;
    if (isHidden) /** @type {any} */ (tools)?.showPopover();
    button?.click();
    return true;
  }

  /** Stops the search for a date. */
  cancel() {
    this.#wanted = null;
  }

  // The selectable range, and the time at the middle of the picture.
  #begin() {
    const { picture, now } = this.#host.scene;
    if (!picture) return;
    setAttribute(this.#input, "max", this.#text(now ?? picture.right));
    this.#input.value ||= this.#text((picture.left + picture.right) / 2);
    this.#input.focus();
  }

  #go() {
    const local = Date.parse(`${this.#input.value}Z`);
    if (Number.isNaN(local)) return;
    const { time } = this.#host.scene.labels;
    this.#wanted = local - time.offset(local - time.offset(local));
    this.#pages = MOST_PAGES;
    this.#oldest = NaN;
    closeMenus(this.element);
    this.#host.scene.refresh();
  }

  // Continues towards the date; once per picture. `isWhole`: no older candles can be loaded.
  /** @param {Picture} picture @param {boolean} isWhole */
  seek({ oldest, count, drawnCount }, isWhole) {
    const { core } = this.#host.scene;
    const wanted = this.#wanted;
    if (wanted === null || !core || count === 0) return;
    if (wanted < oldest && !isWhole && (oldest === this.#oldest || this.#pages > 0)) {
      if (oldest !== this.#oldest) {
        this.#pages -= 1;
        this.#oldest = oldest;
        this.#host.scene.moved(() => core.showOldest());
      }
      return;
    }
    this.#wanted = null;
    this.#host.show(core.indexAt(wanted, drawnCount));
    if (wanted < oldest) {
      this.#host.say(t("The oldest candle is of {time}.",
        { time: this.#host.scene.labels.time.candle(oldest, MINUTE) }));
    }
  }

  /** @param {number} time */
  #text(time) {
    const local = Math.floor(time) + this.#host.scene.labels.time.offset(time);
    return new Date(local).toISOString().slice(0, 16);
  }
}
