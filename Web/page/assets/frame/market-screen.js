// One instrument: headline, chart, order book and recent trades. Tabs on small pages, side by side
// on large ones. Beside the rail, own orders are under the chart, and the book shares a narrow
// column with the trades.

import { AlertBell } from "../alerts/bell.js";
import { pathOf, symbolOf } from "../base/route.js";
import { BookPanel } from "../book/book.js";
import { ChartPanel } from "../chart/panel.js";
import { isNamed, venueOf } from "../markets/market.js";
import { StarButton } from "../markets/star-button.js";
import { t } from "../text/texts.js";
import { originText, sentences } from "../text/words.js";
import { TradesPanel } from "../trades/trades.js";
import { h, oneStop, setAttribute, setText } from "../ui/dom.js";
import { lazyPart, loadLazyParts } from "../ui/lazy.js";
import { Screen } from "../ui/screen.js";
import { Dock } from "./dock.js";
import { Splitter } from "./frame.js";
import { Headline } from "./headline.js";

/** @typedef {import("../base/route.js").Tab} Tab */
/** @typedef {ChartPanel | BookPanel | TradesPanel} AnyPanel */

/** @type {[key: Tab, label: string, panel: new (page: Page, symbol: string) => AnyPanel][]} */
export const TABS = [
  ["chart", t("Chart"), ChartPanel], ["book", t("Book"), BookPanel],
  ["trades", t("Trades"), TradesPanel],
];

/** @type {{[kind: string]: string}} why a kind has no ticket */
const UNTRADED = {
  perpetual: t("No paper orders: funding is not simulated."),
  contract: t("No paper orders: this is traded in contracts."),
};

export class MarketScreen extends Screen {
  /** @type {Map<Tab, AnyPanel>} */
  #panels = new Map();
  /** @type {Map<Tab, HTMLAnchorElement>} */
  #tabs = new Map();
  #chooser;
  #name = h("span.market-name");
  #badge = h("span.badge", { hidden: true });
  #all = h("a.all-markets", { href: pathOf({ screen: "markets", name: "all" }), "data-go": "" },
    t("All markets"));
  #asset = h("a.all-venues", { "data-go": "", hidden: true }, t("All venues"));
  #star;
  #lead;
  #identity;
  /** Reserves the headline's height until the venue is available. */
  #head = h("div.market-head");
  /** @type {Headline | null} */
  #headline = null;
  /** @type {Dock | null} */
  #dock = null;
  /** @type {import("./market-ticket.js").MarketTicket | null} */
  #ticket = null;
  /** @type {Entry<Topic.Markets> | null} */
  #markets = null;
  /** @type {Topic.Markets | undefined} */
  #listing;
  /** @type {Topic.Market | undefined} */
  #listed;
  #splitters;
  #bar;
  /** Why there is no ticket, in its place. */
  #untraded = h("p.no-ticket", { hidden: true });
  #list = h("div.tabs", { role: "tablist", "aria-label": t("Views of the instrument") });

  /** @param {Page} page @param {Route} route */
  constructor(page, { name, tab = "book" }) {
    super(page);
    const symbol = symbolOf(name);
    this.name = name;
    this.symbol = symbol;
    this.tab = tab;
    this.#star = new StarButton(page.link);
    this.#chooser = h("button.chooser", {
      type: "button", "aria-haspopup": "dialog",
      "aria-label": t("{symbol}, choose another market", { symbol }),
      onclick: () => page.search(),
    }, symbol);
    this.#lead = h("div.pane-lead", {}, this.#star.element, this.#chooser, this.#all, this.#asset);
    this.#identity = h("div.market-identity", {}, this.#lead, this.#name, this.#badge);
    this.whenGone(() => this.#star.dispose());
    const heading = h("h1.unseen", { id: "market-title" }, symbol);
    for (const [key, label] of TABS) {
      const link = h("a.tab", { role: "tab", id: `tab-${key}`, "data-go": "replace",
        href: pathOf({ screen: "market", name, tab: key }),
        "aria-controls": `panel-${key}` }, label);
      this.#tabs.set(key, link);
      this.#list.append(link);
    }
    this.#list.addEventListener("keydown", (event) => this.#walkTabs(event));
    this.#splitters = [new Splitter(page.frame, "side"), new Splitter(page.frame, "tape"),
      new Splitter(page.frame, "dock")];
    this.area = h("div.market-area", {}, ...this.#splitters.map(({ element }) => element));
    this.#bar = h("header.pane-bar", {}, this.#identity, this.#head);
    this.element = h("section.pane.market", { "aria-labelledby": "market-title" }, heading,
      this.#bar, this.#list, this.area, this.#untraded);
    this.books = this.open("books");
    this.whenGone(() => this.#panels.forEach((panel) => panel.dispose()));
    this.whenGone(() => [this.#headline, this.#dock].forEach((part) => part?.dispose()));
    this.whenGone(() => this.#splitters.forEach((splitter) => splitter.dispose()));
    this.show(tab);
  }

  // Brings a tab to the front; with enough room, all panels are visible.
  /** @param {Tab} tab */
  show(tab) {
    this.tab = tab;
    const wide = this.page.isRoomy();
    setAttribute(this.element, "data-all", wide);
    this.#showDock(this.page.isWide());
    // Beside the chart the tabs switch the right column.
    if (this.page.isWide()) this.area.prepend(this.#list);
    else this.area.before(this.#list);
    setAttribute(this.element, "data-tab", tab);
    for (const [key, , Panel] of TABS) {
      const wanted = wide || key === tab;
      const panel = this.#panels.get(key);
      if (wanted && !panel) this.#mount(key, new Panel(this.page, this.name));
      else if (!wanted && panel) this.#unmount(key, panel);
    }
    const chosen = this.page.isWide() && tab === "chart" ? "book" : tab;
    for (const [key, link] of this.#tabs) {
      setAttribute(link, "aria-selected", String(key === chosen));
      setAttribute(link, "tabindex", key === chosen ? "0" : "-1");
    }
    for (const [key, panel] of this.#panels) {
      setAttribute(panel.element, "role", wide ? "region" : "tabpanel");
      setAttribute(panel.element, "aria-labelledby", wide ? null : `tab-${key}`);
      setAttribute(panel.element, "aria-label", wide ? panel.title : null);
    }
    this.refresh();
  }

  /** @param {boolean} isWanted */
  #showDock(isWanted) {
    if (isWanted === (this.#dock !== null)) return;
    this.#dock?.dispose();
    this.#dock?.element.remove();
    this.#dock = isWanted ? new Dock(this.page, () => this.#ordersName(),
      () => this.#ticket?.orderShown) : null;
    if (this.#dock) this.area.append(this.#dock.element);
    (this.#dock ?? this).element.append(this.#untraded);
  }

  // The market's name as in its orders.
  #ordersName() {
    const venue = venueOf(this.books.state, this.name);
    return venue && `${venue}:${this.symbol}`;
  }

  // Focuses a panel: the keys 1, 2 and 3 when the panels are side by side.
  /** @param {Tab} tab */
  focusPanel(tab) {
    if (this.#panels.get(tab)?.element.offsetParent === null) {
      this.page.router.go({ screen: "market", name: this.name, tab }, { replace: true });
    }
    this.#panels.get(tab)?.element.focus({ focusVisible: true });
  }

  render() {
    const instruments = this.books.state?.instruments ?? [];
    const venues = this.page.status.state?.venues ?? {};
    const own = instruments.find((instrument) => isNamed(instrument, this.name));
    const isOffered = this.books.state === undefined || own !== undefined;
    const isUnknown = !isOffered && [...this.#panels.values()].some((panel) => panel.isMissing);
    const venue = isUnknown ? undefined : venueOf(this.books.state, this.name);
    const origin = originText(venue === undefined ? undefined : venues[venue]?.origin);
    const name = venue && (own?.name ?? this.#listedName(venue));
    this.#star.show(venue ? `${venue}/${this.symbol}` : "");
    setText(this.#name, venue ? `${name} · ${venues[venue]?.name ?? venue}` : "");
    setAttribute(this.area, "data-unknown", isUnknown);
    this.#headline ??= this.#findHeadline(own);
    setAttribute(this.#head, "hidden", isUnknown);
    setAttribute(this.#identity, "data-unknown", isUnknown);
    this.#linkAsset(instruments, own);
    // Contracts have no paper orders, and with a shared ledger no market has.
    const isSpot = this.books.state !== undefined && (own?.kind ?? "spot") === "spot";
    const reason = (own && UNTRADED[own.kind]) ?? this.#ticket?.obstacle;
    setAttribute(this.element, "data-contracts", reason !== undefined);
    setText(this.#untraded, reason ?? "");
    setAttribute(this.#untraded, "hidden", reason === undefined);
    this.#showTicket(isUnknown || !isSpot ? undefined : venue);
    setText(this.#badge, origin);
    setAttribute(this.#badge, "hidden", origin === "");
  }

  /** The market's prices and state in sentences. */
  summary() {
    return sentences([this.symbol, this.#name.textContent, ...this.#headline?.spoken() ?? [],
      ...this.#ticket?.spoken() ?? []]);
  }

  /** Goes back one step, or closes the ticket; false if there is no step to undo. */
  escape() {
    return this.#ticket?.escape() === true;
  }

  // Adds the ticket, after the market's first view.
  /** @param {string | undefined} venue */
  #showTicket(venue) {
    if (!this.#ticket && venue !== undefined) {
      const MarketTicket = lazyPart("MarketTicket");
      if (!MarketTicket) {
        loadLazyParts().then(this.refresh, () => {});
        return;
      }
      this.#ticket = new MarketTicket(this, venue, this.symbol);
      this.element.append(this.#ticket.sheet);
      this.#head.append(this.#ticket.facts);
    }
    if (!this.#ticket) return;
    const place = this.page.isWide() ? this.#bar : this.element;
    if (this.#ticket.bar.parentElement !== place) place.append(this.#ticket.bar);
    this.#ticket.sheet.style.setProperty("--ticket-top", `${this.area.offsetTop}px`);
    const [chart, book] = [this.#panels.get("chart"), this.#panels.get("book")];
    this.#ticket.render(chart instanceof ChartPanel ? chart.chart : null);
    if (book instanceof BookPanel) book.desk = this.#ticket;
    setAttribute(this.element, "data-trading", this.#ticket.isOpen);
  }

  // Links to the same asset at the other venues that list it.
  /** @param {Topic.Instrument[]} instruments @param {Topic.Instrument | undefined} own */
  #linkAsset(instruments, own) {
    const isSame = (/** @type {Topic.Instrument} */ { base, quote, kind }) =>
      kind === "spot" && base === own?.base && quote === own.quote;
    const isElsewhere = own?.kind === "spot" && instruments.filter(isSame).length > 1;
    setAttribute(this.#asset, "hidden", !isElsewhere);
    if (isElsewhere) {
      setAttribute(this.#asset, "href",
        pathOf({ screen: "asset", name: `${own.base}/${own.quote}` }));
    }
  }

  // The name of a market outside the catalogue, from the venue's listing; its symbol until then.
  /** @param {string} venue */
  #listedName(venue) {
    this.#markets ??= this.open("markets");
    const { state } = this.#markets;
    if (state !== this.#listing) {
      this.#listing = state;
      this.#listed = state?.rows.find((row) => row.venue === venue && row.symbol === this.symbol);
    }
    return this.#listed?.name ?? this.symbol.replace(/[/-]/, " / ");
  }

  // Creates the headline once the venue and the instruments, which give the unit, are available.
  /** @param {Topic.Instrument | undefined} own */
  #findHeadline(own) {
    const venue = venueOf(this.books.state, this.name);
    if (venue === undefined || !this.books.state) return null;
    // A symbol without a separator doesn't tell its base currency.
    const [base, quote] = this.symbol.split(/[/-]/);
    const unit = own?.unit === "contracts" ? "contracts" : own?.base ?? (quote ? base : "");
    const headline = new Headline(this.page, { venue, symbol: this.symbol, unit });
    this.#head.append(headline.element);
    const bell = new AlertBell(this.page, { venue, symbol: this.symbol });
    this.whenGone(() => bell.dispose());
    this.#chooser.after(bell.element);
    oneStop(this.#lead, ".bell, .all-markets, .all-venues");
    this.#identity.append(headline.note.element);
    return headline;
  }

  /** @param {Tab} key @param {AnyPanel} panel */
  #mount(key, panel) {
    setAttribute(panel.element, "id", `panel-${key}`);
    setAttribute(panel.element, "tabindex", "-1");
    panel.attend = this.refresh;
    this.#panels.set(key, panel);
    // Keep the order of the tabs, whichever panel was added first.
    const later = TABS.slice(TABS.findIndex(([tab]) => tab === key) + 1);
    const next = later.map(([tab]) => this.#panels.get(tab)).find(Boolean);
    this.area.insertBefore(panel.element, next?.element ?? this.#splitters[0].element);
  }

  /** @param {Tab} key @param {AnyPanel} panel */
  #unmount(key, panel) {
    this.#panels.delete(key);
    panel.dispose();
    panel.element.remove();
  }

  /** @param {KeyboardEvent} event */
  #walkTabs(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const keys = TABS.map(([key]) => key)
      .filter((key) => this.#tabs.get(key)?.offsetParent);
    const next = keys[(keys.indexOf(this.tab) + step + keys.length) % keys.length];
    this.page.router.go({ screen: "market", name: this.name, tab: next }, { replace: true });
    this.#tabs.get(next)?.focus();
  }
}
