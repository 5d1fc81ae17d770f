// Browser types that TypeScript 4.8 lacks, and types that many modules share.
// Only for the type check: nothing of this folder is served.

/** The element that `h("input.field")` makes. */
type ElementOf<Kind extends string> = Kind extends `${infer Tag}.${string}`
  ? NamedElement<Tag>
  : NamedElement<Kind>;
type NamedElement<Tag extends string> = Tag extends keyof HTMLElementTagNameMap
  ? HTMLElementTagNameMap[Tag]
  : HTMLElement;

type AttributeValue = string | number | boolean | null | undefined;
type Properties = { [name: string]: AttributeValue | ((event: any) => unknown) };
type Child = Node | string | null | undefined;

/**
 * A sentence of the server or the ticket: its English key, or the key and what is inserted for
 * `{0}`, `{1}`, …: texts, and sentences, which are translated in turn.
 */
type Sentence = string | SentenceParts;
type SentenceParts = [key: string, ...parts: (string | SentenceParts)[]];

/** Ends what was begun. */
type Release = () => unknown;
/** Writes exact digits for the reader. */
type Format = (digits: string | undefined) => string;

// Types that many modules name.
type Route = import("../page/assets/base/route.js").Route;
type Link = import("../page/assets/link/link.js").Link;
type Entry<T = unknown> = import("../page/assets/link/topics.js").Entry<T>;
type Handle<T = unknown> = import("../page/assets/link/topics.js").Handle<T>;
type Picture = import("../page/assets/chart/model/core.js").Picture;
type CoreChart = import("../page/assets/chart/model/core.js").CoreChart;
type Style = import("../page/assets/chart/model/intervals.js").Style;
type Trading = import("../page/assets/orders/trading.js").Trading;
type OwnRows = import("../page/assets/orders/own-orders.js").OwnRows;
type Market = import("../page/assets/markets/market.js").Market;
type TicketCore = import("../page/assets/orders/ticket-core.js").TicketCore;
type PriceLabels = import("../page/assets/chart/model/labels.js").PriceLabels;
type Colours = import("../page/assets/chart/model/style.js").Colours;
type RenderModel = import("../page/assets/chart/model/render-model.js").RenderModel;

/** What screens need of the page. */
interface Page {
  link: Link;
  status: Entry<Topic.Status>;
  router: import("../page/assets/frame/router.js").Router;
  /** Prices seen so far, by topic. */
  series: import("../page/assets/stocks/series.js").SeriesStore;
  trading: Trading;
  alerts: import("../page/assets/alerts/alerts.js").Alerts;
  proofs: import("../page/assets/book/proof.js").BookProofs;
  /** Whether screens are side by side. */
  isWide: () => boolean;
  /** Whether all views of an instrument are shown at once. */
  isRoomy: () => boolean;
  /** Sizes of the parts of the screen. */
  frame: import("../page/assets/frame/frame.js").Frame;
  /** The browser tab's title. */
  title: import("../page/assets/frame/shell.js").PageTitle;
  /** The lines of 24 hours. */
  sparks: import("../page/assets/markets/spark.js").Sparks;
  /** Opens the search; `choose` receives a market's name instead of opening it. */
  search: (choose?: (name: string) => void) => void;
  /** Points at a row of a list. */
  reveal: (row: string) => void;
}

/** Parts whose code loads later. */
type LazyParts = typeof import("../page/assets/frame/lazy.js");

/** The market of an order ticket: the exchange's stock, or a venue's market. */
interface TicketMarket {
  symbol: string;
  currency: string;
  decimals: number;
  changes: number;
  priceStep?: string;
  quantityStep?: string;
  price?: string;
  bid?: string;
  bidSize?: string;
  ask?: string;
  askSize?: string;
}

/** What every table of the dock is drawn from. */
interface DockView {
  orders: import("../page/assets/orders/own-orders.js").ShownOrders;
  market: Topic.Exchange | undefined;
  format: Format;
  now: number;
  /** Whether the orders are confirmed by the server. */
  isKnown: boolean;
  positions: Topic.Positions | undefined;
  /** Of the exchange's price. */
  freshness: Seen;
}
interface DockTable {
  element: HTMLElement;
  render(view: DockView): void;
}

/** A state that has freshness, as `believe` shows it. */
interface Seen {
  state: Topic.Freshness["state"] | "stopped";
  origin: Topic.Freshness["origin"];
  lateAfter?: number;
  confirmedAt?: number;
  /** No arrow, no flash. */
  quiet: boolean;
  /** Not to be taken for true now. */
  dimmed: boolean;
}

/** What stands in place of a pane's body. */
interface PaneNotice {
  title: string;
  text: string;
  action?: { label: string; run: () => unknown };
}

interface ArrayLikeSearch<T> {
  findLast(matches: (value: T, index: number) => unknown): T | undefined;
}
interface Array<T> extends ArrayLikeSearch<T> {}
interface MapConstructor {
  groupBy<K, T>(items: Iterable<T>, key: (item: T, index: number) => K): Map<K, T[]>;
}
interface Window {
  /** The socket that first-paint.js opened, until link/link.js takes it over. */
  firstSocket?: WebSocket;
  firstTicket?: Promise<Response>;
}
interface FocusOptions {
  focusVisible?: boolean;
}
interface HTMLElement {
  showPopover(): void;
  hidePopover(): void;
}
interface OffscreenCanvasRenderingContext2D extends CanvasRenderingContext2D {}
interface OffscreenCanvas extends EventTarget {
  width: number;
  height: number;
  getContext(
    kind: "2d",
    settings?: CanvasRenderingContext2DSettings,
  ): OffscreenCanvasRenderingContext2D | null;
}
declare var OffscreenCanvas: {
  new (width: number, height: number): OffscreenCanvas;
};
interface HTMLCanvasElement {
  transferControlToOffscreen(): OffscreenCanvas & Transferable;
}
interface CanvasPath {
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
}
/** `globalThis` in the chart's worker. */
interface WorkerScope {
  onmessage: ((event: MessageEvent) => unknown) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}
