// Actions on a row: by press, by keys, and by its menu.

import { t } from "../text/texts.js";
import { VIEW_ONLY } from "../ui/view-only.js";
import { ALL } from "./lists.js";
import { hasTrades } from "./market.js";
import { listName, STARS } from "./own-lists.js";

/** @typedef {import("./menu.js").Item} Item */

const LONG_PRESS_MILLISECONDS = 550;
const STILL_PIXELS = 8;

/**
 * The list around the rows.
 * @typedef {object} List
 * @property {import("./virtual-rows.js").VirtualRows<Market, import("./row.js").MarketRow>} rows
 * @property {import("./own-lists.js").OwnLists} lists
 * @property {import("./menu.js").Menu} menu
 * @property {() => string} chosen the list shown
 * @property {() => boolean} isByHand whether rows are in the list's own order
 * @property {(market: Market) => void} open shows the instrument
 * @property {(market: Market, point: {x: number, y: number}) => void} alert opens its alerts
 * @property {(market: Market) => void} addToNew adds it to a new list
 * @property {(text: string) => void} say announces to a screen reader
 */

export class RowActs {
  #list;
  /** @type {{x: number, y: number, timer: number} | null} */
  #press = null;
  /** What opens when a long press ends. */
  #held = /** @type {(() => void) | null} */ (null);
  /** Whether the click that ends a long press is pending. */
  #isSpent = false;

  /** @param {HTMLElement} room @param {List} list */
  constructor(room, list) {
    this.#list = list;
    room.addEventListener("click", (event) => this.#clicked(event));
    room.addEventListener("keydown", (event) => this.#key(event));
    room.addEventListener("focusin", (event) => this.#viewOf(event)?.describe());
    room.addEventListener("contextmenu", (event) => this.#asked(event));
    room.addEventListener("pointerdown", (event) => this.#down(event));
    room.addEventListener("pointermove", (event) => this.#moved(event));
    room.addEventListener("pointercancel", () => this.#up());
    room.addEventListener("pointerup", () => {
      const open = this.#held;
      this.#up();
      // Only after the finger lifts: its release would close the menu again.
      if (open) setTimeout(open);
    });
  }

  // Moves the focused row, or another, by a number of places.
  /** @param {Market} market @param {number} step */
  move(market, step) {
    const { rows, lists } = this.#list;
    const at = rows.placeOf(market.id);
    const to = Math.max(0, Math.min(rows.items.length - 1, at + step));
    // The gap after a later place is one further on.
    if (at < 0 || to === at) return;
    if (lists.move(this.#list.chosen(), market.id, to > at ? to + 1 : to)) {
      this.#list.say(t("{name}: place {place} of {count}",
        { name: market.name, place: to + 1, count: rows.items.length }));
    }
  }

  /** @param {Event} event */
  #viewOf({ target }) {
    const row = target instanceof Element ? target.closest("[data-row]") : null;
    return this.#list.rows.views.get(row?.getAttribute("data-row") ?? "");
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = event.target instanceof Element ? event.target : null;
    const market = this.#viewOf(event)?.market;
    if (this.#isSpent) {
      this.#isSpent = false;
      event.preventDefault();
      return;
    }
    if (!target || !market) return;
    const act = target.closest("[data-act]");
    if (act instanceof HTMLElement) {
      if (act.dataset.act === "star") this.#list.lists.toggle(STARS, market.id);
      else if (act.dataset.act === "menu") this.#menu(act, market);
      return;
    }
    // The browser handles a modified click on a link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.#list.open(market);
  }

  /** @param {MouseEvent} event */
  #asked(event) {
    const view = this.#viewOf(event);
    // A link keeps the browser's context menu.
    const isLink = event.target instanceof Element && event.target.closest("a");
    if (!view?.market || (isLink && this.#press === null)) return;
    event.preventDefault();
    this.#up();
    this.#menu(view.element, view.market, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#isSpent = false;
    const view = this.#viewOf(event);
    const isControl = event.target instanceof Element && event.target.closest("[data-act]");
    if (event.pointerType === "mouse" || !view?.market || isControl) return;
    const { clientX: x, clientY: y } = event;
    const { market, element } = view;
    const timer = setTimeout(() => {
      this.#isSpent = true;
      this.#held = () => this.#menu(element, market, { x, y });
    }, LONG_PRESS_MILLISECONDS);
    this.#press = { x, y, timer };
  }

  /** @param {PointerEvent} event */
  #moved({ clientX, clientY }) {
    const press = this.#press;
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > STILL_PIXELS) this.#up();
  }

  #up() {
    clearTimeout(this.#press?.timer);
    [this.#press, this.#held] = [null, null];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { rows } = this.#list;
    const market = rows.current;
    if (!market || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isDone = event.altKey ? step !== undefined && this.#moveByKey(market, step)
      : this.#walk(event, rows.placeOf(market.id)) || this.#act(event, market);
    if (isDone) event.preventDefault();
  }

  /** @param {Market} market @param {number} step */
  #moveByKey(market, step) {
    if (this.#list.isByHand()) this.move(market, step);
    else this.#list.say(t("Rows can be moved in a list that is not sorted or searched."));
    return true;
  }

  /** @param {KeyboardEvent} event @param {number} at */
  #walk({ key }, at) {
    const { rows } = this.#list;
    /** @type {{[key: string]: number}} */
    const places = {
      ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, PageDown: at + rows.page,
      PageUp: at - rows.page, Home: 0, End: rows.items.length - 1,
    };
    if (places[key] === undefined) return false;
    rows.focus(places[key]);
    return true;
  }

  /** @param {KeyboardEvent} event @param {Market} market */
  #act({ key, shiftKey, target }, market) {
    const element = this.#list.rows.views.get(market.id)?.element;
    if (!element) return false;
    if (key === "ArrowRight" || key === "ArrowLeft") {
      return this.#walkControls(element, key === "ArrowRight" ? 1 : -1);
    }
    if (key === "s") this.#list.lists.toggle(STARS, market.id);
    else if (key === "m" || key === "ContextMenu" || (key === "F10" && shiftKey)) {
      this.#menu(element, market);
    } else if (key === "Enter" && target === element) this.#list.open(market);
    else return false;
    return true;
  }

  // From the row to its controls, and back.
  /** @param {HTMLElement} row @param {number} step */
  #walkControls(row, step) {
    const controls = [row, ...row.querySelectorAll("button")]
      .filter((control) => control.offsetParent !== null);
    const at = controls.findIndex((control) => control === document.activeElement);
    const next = controls[Math.max(0, Math.min(controls.length - 1, at + step))];
    next?.focus({ focusVisible: true });
    return true;
  }

  /** @param {HTMLElement} opener @param {Market} market @param {{x: number, y: number}} [point] */
  #menu(opener, market, point) {
    const { left, bottom } = opener.getBoundingClientRect();
    const items = this.#items(market, point ?? { x: left, y: bottom });
    this.#list.menu.show(opener, market.name, items, point);
  }

  /**
   * @param {Market} market
   * @param {{x: number, y: number}} point where an item's popup opens
   * @returns {Item[]}
   */
  #items(market, point) {
    const { lists, rows, open, alert, addToNew, chosen, isByHand } = this.#list;
    const show = { label: t("Open", {}, "do"), run: () => open(market) };
    if (lists.viewsOnly) return [show, null, { label: VIEW_ONLY, disabled: true, run: () => {} }];
    const choices = lists.all.map((list) => ({
      label: listName(list), checked: lists.has(list.id, market.id),
      run: () => lists.toggle(list.id, market.id),
    }));
    const at = rows.placeOf(market.id);
    const last = rows.items.length - 1;
    const moves = chosen() === ALL || !isByHand() ? [] : [
      null,
      { label: t("Move up"), disabled: at <= 0, run: () => this.move(market, -1) },
      { label: t("Move down"), disabled: at >= last, run: () => this.move(market, 1) },
      { label: t("Move to the top"), disabled: at <= 0, run: () => this.move(market, -at) },
    ];
    return [
      show,
      { label: t("Price alert…"), disabled: !hasTrades(market),
        run: () => alert(market, point) },
      null, ...choices,
      { label: t("New list…"), run: () => addToNew(market) }, ...moves,
    ];
  }
}
