// The search box: one field over all symbols, products, instruments and screens.

import { h, setAttribute } from "../dom.js";
import { icon } from "../icons.js";
import { forget, invalidate } from "../scheduler.js";

const MAXIMUM_RESULTS = 12;
/** Name, screen, and other words that people look for it by. */
const SCREENS = [
  ["Price tracker", "feed", "symbols"], ["Watch list", "stocks", "shares"], ["Products", "products", ""],
  ["Exchange", "exchange", "trade buy sell ticket"], ["Order history", "orders", "orders receipts fills"],
];

export class QuickJump {
  #input = h("input.field", {
    type: "text", role: "combobox", placeholder: "Symbol, product or instrument", autocomplete: "off",
    spellcheck: "false", "aria-label": "Search", "aria-controls": "jump-results", "aria-expanded": "true",
  });
  #results = h("ul.results", { id: "jump-results", role: "listbox", "aria-label": "Results" });
  #handles = [];
  #shown = [];
  #at = 0;
  #render = () => this.#draw();

  constructor(context) {
    this.context = context;
    const close = h("button.icon-button", { type: "button", "aria-label": "Close search", onclick: () => this.dialog.close() }, icon("close"));
    this.dialog = h("dialog.sheet.jump", { "aria-label": "Search" }, h("div.jump-head", {}, this.#input, close), this.#results);
    document.body.append(this.dialog);
    this.#input.addEventListener("input", () => {
      this.#at = 0;
      invalidate(this.#render);
    });
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("close", () => this.#closed());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  /** Opens the box; the lists it searches are asked for only while it is open. */
  show() {
    if (this.dialog.open) return;
    this.#handles = ["feed", "stocks", "products", "books", "exchange"].map((name) => this.context.link.topics.open(name, this.#render));
    this.#input.value = "";
    this.#at = 0;
    this.dialog.showModal();
    this.#input.focus();
  }

  #closed() {
    for (const handle of this.#handles.splice(0)) handle.close();
    forget(this.#render);
  }

  #everything(words) {
    const [feed, stocks, products, books, exchange] = this.#handles.map((handle) => handle.entry.state);
    const venues = this.context.status.state?.venues ?? {};
    const venueOf = (key) => venues[key]?.name ?? key;
    return [
      ...(books?.instruments ?? []).map((b) => ({ code: b.symbol, name: b.name, kind: venueOf(b.venue), route: { screen: "market", name: b.symbol } })),
      ...(exchange?.symbol ? [{ code: exchange.symbol, name: venueOf("exchange"), kind: "Exchange", route: { screen: "exchange" } }] : []),
      ...Object.entries(feed?.rows ?? {}).map(([code, row]) => ({ code, name: row.name, kind: "Symbol", route: { screen: "symbol", name: code } })),
      ...(products?.choices ?? []).map((p) => ({ code: p.id, name: p.name, kind: "Product", route: { screen: "product", name: p.id } })),
      ...(stocks?.rows ?? []).map((s) => ({ code: s.isin, name: s.name, kind: "Watch list", route: { screen: "stocks" }, row: s.isin })),
      ...SCREENS.map(([name, screen, also]) => ({ code: "", name, also, kind: "Screen", route: { screen } })),
      ...(books?.acceptsPair ? pairs(words, venueOf(books.acceptsPair)) : []),
    ];
  }

  #draw() {
    if (!this.dialog.open) return;
    const words = this.#input.value.trim().toLowerCase();
    const found = this.#everything(words).map((item) => ({ ...item, rank: rank(item, words) }))
      .filter((item) => item.rank < 9).sort((a, b) => a.rank - b.rank).slice(0, MAXIMUM_RESULTS);
    const key = (items) => items.map((item) => item.kind + item.code + item.name).join("\n");
    if (key(found) !== key(this.#shown) || this.#results.childElementCount === 0) {
      this.#shown = found;
      this.#results.replaceChildren(...(found.length > 0 ? found.map((item, at) => this.#option(item, at))
        : [h("li.no-result", {}, "Nothing has that name.")]));
    }
    this.#mark();
  }

  #option(item, at) {
    const option = h("li.result", { role: "option", id: `jump-${at}` },
      h("span.result-name", {}, item.name ?? item.code), h("span.result-code", {}, item.code), h("span.result-kind", {}, item.kind));
    option.addEventListener("click", () => this.#go(item));
    return option;
  }

  #mark() {
    this.#at = Math.max(0, Math.min(this.#at, this.#shown.length - 1));
    this.#shown.forEach((_, at) => setAttribute(this.#results.children[at], "aria-selected", String(at === this.#at)));
    setAttribute(this.#input, "aria-activedescendant", this.#shown.length > 0 ? `jump-${this.#at}` : null);
    this.#results.children[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    // A key may be quicker than the frame that draws what was typed before it.
    this.#draw();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.#at += step;
      this.#mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.#shown[this.#at]) this.#go(this.#shown[this.#at]);
    }
  }

  #go(item) {
    this.dialog.close();
    this.context.router.go(item.route);
    if (item.row) this.context.reveal(item.row);
  }
}

/** Any pair of currencies may be had at a venue: it is offered last, and its screen says if it is not. */
function pairs(words, venue) {
  if (!/^[a-z0-9.]{1,16}\/[a-z0-9.]{1,16}$/.test(words)) return [];
  const code = words.toUpperCase();
  return [{ code, name: `${code} at ${venue}`, kind: "Any pair", route: { screen: "market", name: code } }];
}

/** 0 is best; 9 is no match. */
function rank({ code, name, also = "" }, words) {
  if (words === "") return 5;
  const [c, n] = [code.toLowerCase(), (name ?? "").toLowerCase()];
  if (c === words) return 0;
  if (c.startsWith(words)) return 1;
  if (n.startsWith(words)) return 2;
  if (`${n} ${also}`.split(/[\s/]+/).some((part) => part.startsWith(words))) return 3;
  return n.includes(words) || c.includes(words) ? 4 : 9;
}
