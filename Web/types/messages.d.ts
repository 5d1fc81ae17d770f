// Messages between page and server other than topics; docs/page-protocol.md describes them.
// Only for the type check: nothing of this folder is served.

declare namespace Wire {
  type Side = "buy" | "sell";
  type Field = "quantity" | "price" | "trigger" | "profit";

  /** An order as the page sends it. */
  interface Ticket {
    clientId: string;
    /** A venue's market, "kraken:BTC/USD"; absent for the exchange's stock. */
    instrument?: string;
    type: "market" | "limit";
    side: Side;
    quantity: string;
    price?: string;
    protection?: string;
    /** The order waits for a trade at this price or beyond it; one of both at most. */
    stop?: string;
    takeProfit?: string;
    /** A stop that follows the best price at this distance, or at this percentage. */
    trail?: string;
    trailPercent?: string;
    /** The stop of a limit order's alternative. */
    oco?: string;
    /** The exits of what the order fills. */
    bracketStop?: string;
    bracketProfit?: string;
    timeInForce?: "gtc" | "ioc" | "fok";
    postOnly?: boolean;
    reduceOnly?: boolean;
    /** Milliseconds since 1970. */
    expires?: number;
  }

  /** What is to become of an order that waits. */
  interface Amendment {
    clientId: string;
    quantity?: string;
    price?: string;
    trigger?: string;
  }

  /** What the server could not do. */
  interface Problem {
    code: string;
    message: Sentence;
    topic?: string;
  }

  /** One element of a frame's `topics`, as it should be. */
  interface Item {
    topic: string;
    seq: number;
    snapshot?: unknown;
    document?: string;
    patch?: unknown;
  }

  type AlertTerms = { price: string }
    | { kind: "change" | "spread" | "volume" | "book"; level?: string; window?: number };
  type Action =
    | { do: "feed.start" | "feed.stop" }
    | { do: "venue.retry"; venue: string }
    | { do: "fault.inject"; venue: string; faults: string }
    | { do: "fault.clear"; venue: string }
    | { do: "product.retry"; id: string }
    | { do: "order.place"; order: Ticket; resent?: boolean }
    | { do: "order.amend"; id: string; order: Amendment }
    | { do: "order.cancel" | "orders.cancelAll"; id: string }
    | { do: "order.preview"; ask: number; order: Ticket }
    | { do: "list.add"; list: string; member: string; before?: string }
    | { do: "list.remove"; list: string; member: string }
    | { do: "list.create"; name: string }
    | { do: "list.rename"; list: string; name: string }
    | { do: "list.delete"; list: string }
    | ({ do: "alert.add"; market: string; again: boolean; pause?: number } & AlertTerms)
    | ({ do: "alert.edit"; id: string; again: boolean; pause?: number } & AlertTerms)
    | { do: "alert.remove" | "alert.arm"; id: string };
  type Request = Action | { open?: string[]; close?: string[] } | { ping: number }
    | { frameMilliseconds: number }
    | { documents: true }
    | { measured: number[][]; within: number };

  /** Start, open, high, low, close, volume, count: what the venue says of a candle. */
  type VenueRow = [
    start: number, open: number, high: number, low: number, close: number, volume: number,
    count: number,
  ];
  type HistoryStatus = "none" | "loading" | "ready" | "failed";

  /** What `chart/VENUE/SYMBOL` says of the past: with another revision it is asked for again. */
  interface HistoryState {
    revision: number;
    status: HistoryStatus;
    problem?: Sentence;
  }

  /** `/history/VENUE/SYMBOL` as the page keeps it: its candles are flat, ten numbers each. */
  interface History {
    interval: number;
    priceScale: number;
    quantityScale: number;
    lastArrival?: number;
    seenSince?: number;
    revision?: number;
    status?: HistoryStatus;
    problem?: Sentence;
    hasOlder?: boolean;
    mismatches?: number;
    contradicted?: VenueRow[];
    candles: Float64Array | number[][];
    gaps: [start: number, end: number][];
  }

  /** `/history/orders?before=ID`. */
  interface OlderOrders {
    order: string[];
    orders: { [id: string]: Topic.Order };
  }
}
