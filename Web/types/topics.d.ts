// The states of all topics, written from the server's encoders by TopicTypesTests. To
// regenerate it: UPDATE_TOPIC_TYPES=1 swift test --filter TopicTypesTests. Only for the
// type check: nothing of this folder is served.

declare namespace Topic {
  interface AlertFiring {
    alert: string;
    at: number;
    blindSince?: number;
    direction?: "down" | "up";
    kind: "book" | "change" | "price" | "spread" | "volume";
    level?: string;
    number: number;
    price?: string;
    symbol: string;
    time: number;
    trade?: string;
    value?: string;
    venue: string;
    window?: number;
  }

  interface Alerts {
    blind: BlindTime[];
    firings: AlertFiring[];
    problem?: Sentence;
    rows: PriceAlert[];
  }

  interface Asset {
    askRows: AssetLevel[];
    base: string;
    best?: AssetQuote;
    bidRows: AssetLevel[];
    markets: AssetMarket[];
    quote: string;
    spreads: AssetSpread[];
    step?: string;
    steps: string[];
  }

  interface AssetLevel {
    parts: AssetPart[];
    price: string;
    share: number;
    size: string;
  }

  interface AssetMarket {
    address?: string;
    ask?: string;
    askSize?: string;
    basisPoints?: string;
    bid?: string;
    bidSize?: string;
    counted: boolean;
    freshness: Freshness;
    known: false | true;
    last?: string;
    percent?: string;
    symbol: string;
    venue: string;
    volume?: string;
  }

  interface AssetQuote {
    ask: string;
    at?: number;
    basisPoints?: string;
    bid: string;
    count: number;
  }

  interface BlindTime {
    since: number;
    symbol: string;
    until?: number;
    venue: string;
  }

  interface Books {
    acceptsPair?: string;
    instruments: Instrument[];
  }

  interface BreakableVenue {
    kinds: string[];
    running: RunningFault[];
  }

  interface Checksum {
    at: number;
    kind: "crc32";
    priceDigits: number;
    rows: number;
    sizeDigits: number;
    value: number;
  }

  interface Conversion {
    currencies: ConvertedCurrency[];
    currency: string;
    decimals: number;
    total?: ConvertedTotal;
  }

  interface ConversionLeg {
    freshness: Freshness;
    from: string;
    price?: string;
    symbol: string;
    to: string;
  }

  interface ConvertedCost {
    realised?: string;
    unrealised?: string;
  }

  interface ConvertedCurrency {
    currency: string;
    equity?: string;
    legs: ConversionLeg[];
    standing: "converted" | "noPrice" | "noRoute" | "noValue" | "searching" | "tooLarge";
  }

  interface ConvertedTotal {
    average: ConvertedCost;
    equity?: string;
    fees?: string;
    fifo: ConvertedCost;
    highEquity?: string;
    lowEquity?: string;
  }

  interface CurrencyTotal {
    cash?: string;
    decimals: number;
    equity?: string;
    highEquity?: string;
    lowEquity?: string;
    value?: string;
  }

  interface Exchange {
    ask?: string;
    askSize?: string;
    bid?: string;
    bidSize?: string;
    changes: number;
    currency: string;
    decimals: number;
    direction: "down" | "unchanged" | "up";
    freshness: Freshness;
    price?: string;
    priceStep: string;
    quantityStep: string;
    symbol: string;
  }

  interface Exit {
    fee?: string;
    levels: Amount[];
  }

  interface Faults {
    order: string[];
    venues: { [key: string]: BreakableVenue };
  }

  interface Feed {
    connection: "connected" | "connecting" | "disconnected";
    currency: string;
    decimals: number;
    freshness: Freshness;
    order: string[];
    rows: { [key: string]: FeedRow };
    running: boolean;
  }

  interface FeedRow {
    changes: number;
    direction: "down" | "unchanged" | "up";
    name: string;
    price?: string;
  }

  interface Figures {
    ask?: string;
    askSize?: string;
    at?: number;
    bid?: string;
    bidSize?: string;
    change?: string;
    changes?: number;
    count?: number;
    direction?: "down" | "unchanged" | "up";
    freshness: Freshness;
    high?: string;
    known?: false;
    low?: string;
    percent?: string;
    price?: string;
    since?: number;
    symbol: string;
    venue: string;
    volume?: string;
    vwap?: string;
  }

  interface Freshness {
    confirmedAt?: number;
    lateAfter?: number;
    origin: "custom" | "replay" | "simulated" | "venue";
    state:
      | "closed"
      | "disconnected"
      | "late"
      | "live"
      | "queued"
      | "resyncing"
      | "stale"
      | "waiting";
  }

  interface History {
    problem?: Sentence;
    revision: number;
    status: "failed" | "loading" | "none" | "ready";
  }

  interface Instrument {
    address?: string;
    base: string;
    kind: "contract" | "perpetual" | "spot";
    name: string;
    quote: string;
    symbol: string;
    unit: "base" | "contracts";
    venue: string;
  }

  interface KnownBook {
    askLevels: number;
    asks: BookRow[];
    base: string;
    basisPoints?: string;
    bidLevels: number;
    bidShare?: number;
    bids: BookRow[];
    doubt?: Sentence;
    freshness: Freshness;
    group: number;
    groups: PriceGroup[];
    known: true;
    priceDecimals?: number;
    proof: Proof;
    quote: string;
    resyncs: number;
    sequence: number;
    spread?: string;
    status: "resyncing" | "synced" | "waiting";
    symbol: string;
    unit: "base" | "contracts";
    venue: string;
    witnesses?: Witnesses;
  }

  interface KnownChart {
    freshness: Freshness;
    history: History;
    known: true;
    priceDecimals?: number;
    priceScale: number;
    quantityScale: number;
    symbol: string;
    ticks: Tick[];
    venue: string;
  }

  interface KnownSymbol {
    changes: number;
    currency: string;
    decimals: number;
    description: string;
    direction: "down" | "unchanged" | "up";
    freshness: Freshness;
    known: true;
    name: string;
    price?: string;
    symbol: string;
  }

  interface KnownTrades {
    base: string;
    freshness: Freshness;
    known: true;
    priceDecimals?: number;
    quote: string;
    sizeSteps: string[];
    symbol: string;
    trades: Trade[];
    unit: "base" | "contracts";
  }

  interface Latency {
    venues: { [key: string]: VenueLatency };
  }

  interface LatencyFigures {
    count: number;
    latest: number;
    max: number;
    "p50": number;
    "p90": number;
    "p99": number;
    rung: "bus" | "decoded" | "painted" | "reader" | "received" | "sent" | "socket" | "state";
    span: "lastMinute" | "sinceStart";
    within?: number;
  }

  interface Ledger {
    events: number;
    head: string;
    intact: boolean;
  }

  interface Link {
    kind: "bracket" | "oco";
    order: string;
  }

  interface ListedStock {
    currency: string;
    decimals: number;
    isin: string;
    name: string;
  }

  interface Lists {
    lists: MarketList[];
    problem?: Sentence;
  }

  interface Market {
    address?: string;
    id: string;
    kind: "contract" | "made" | "perpetual" | "product" | "share" | "spot" | "stock" | "token";
    name: string;
    open: boolean;
    quote?: string;
    symbol: string;
    venue: string;
  }

  interface MarketList {
    id: string;
    members: string[];
    name: string;
  }

  interface Markets {
    freshness: Freshness;
    rows: Market[];
  }

  interface OpenOrders {
    loaded: boolean;
    order: string[];
    orders: { [key: string]: Order };
  }

  interface Order {
    amendments?: number;
    arrived?: string;
    average?: string;
    cancelled: string;
    changedAt: number;
    clientId: string;
    currency?: string;
    expires?: number;
    fees?: string;
    filled: string;
    fills: Fill[];
    latency?: string;
    levels: Amount[];
    limit?: string;
    link?: Link;
    open: string;
    pending?: "amending" | "cancelling";
    placedAt: number;
    possible?: string;
    postOnly?: boolean;
    protection?: string;
    quantity: string;
    reason?: Sentence;
    reduceOnly?: boolean;
    side: "buy" | "sell";
    slippage?: string;
    status: "CANCELLED" | "FILLED" | "PARTIALLY FILLED" | "PENDING" | "REJECTED";
    submitted?: string;
    symbol: string;
    timeInForce?: "fok" | "gtc" | "ioc";
    trigger?: Trigger;
    type: "limit" | "market";
    wouldHaveFilled?: Amount;
  }

  interface OrderCounts {
    CANCELLED: number;
    FILLED: number;
    "PARTIALLY FILLED": number;
    PENDING: number;
    REJECTED: number;
  }

  interface Orders {
    counts: OrderCounts;
    failure?: Sentence;
    fillCount: number;
    filledCount: number;
    knownUntil?: number;
    ledger?: Ledger;
    loaded: boolean;
    openCount: number;
    order: string[];
    orders: { [key: string]: Order };
    skippedTicks: number;
    total: number;
  }

  interface PositionCost {
    cost?: string;
    middle?: string;
    realised: string;
    unrealised?: string;
  }

  interface Positions {
    average: PositionCost;
    cash: string;
    currency: string;
    decimals: number;
    equity?: string;
    exit?: Exit;
    fees?: string;
    fifo: PositionCost;
    line: EquityPoint[];
    loaded: boolean;
    note?: Sentence;
    out?: Amount;
    possible?: Possible;
    quantity?: string;
    rows?: { [key: string]: Positions };
    symbol: string;
    totals?: { [key: string]: CurrencyTotal };
    value?: string;
  }

  interface Possible {
    high: string;
    highEquity?: string;
    low: string;
    lowEquity?: string;
  }

  interface PriceAlert {
    again: boolean;
    armed: boolean;
    createdAt: number;
    firedAt?: number;
    id: string;
    kind: "book" | "change" | "price" | "spread" | "volume";
    level?: string;
    pause?: number;
    side?: "above" | "at" | "below";
    symbol: string;
    undelivered?: Undelivered;
    venue: string;
    window?: number;
  }

  interface Product {
    changes?: number;
    closing?: string;
    currency?: string;
    decimals?: number;
    direction?: "down" | "unchanged" | "up";
    failure?: ProductFailure;
    freshness: Freshness;
    id: string;
    market?: "closed" | "open";
    name?: string;
    percent?: string;
    phase: "failed" | "loading" | "shown";
    price?: string;
    symbol?: string;
  }

  interface ProductChoice {
    id: string;
    name: string;
  }

  interface ProductFailure {
    canRetry: boolean;
    code: string;
    message: Sentence;
  }

  interface Products {
    choices: ProductChoice[];
  }

  interface Proof {
    checksum?: Checksum;
    hash: number[];
    unbroken?: Unbroken;
  }

  interface RunningFault {
    fault: string;
    until?: number;
  }

  interface Status {
    order: string[];
    venues: { [key: string]: Venue };
    worst: "connected" | "connecting" | "disconnected";
  }

  interface Stock {
    changes: number;
    direction: "down" | "unchanged" | "up";
    freshness: Freshness;
    isin: string;
    price?: string;
  }

  interface Stocks {
    rows: ListedStock[];
  }

  interface Survey {
    rows: { [key: string]: SurveyedMarket };
  }

  interface SurveyedMarket {
    at: number;
    high?: string;
    low?: string;
    percent?: string;
    price?: string;
    since?: number;
    volume?: string;
    vwap?: string;
  }

  interface Ticket {
    ask?: string;
    askSize?: string;
    bid?: string;
    bidSize?: string;
    changes: number;
    currency: string;
    decimals: number;
    freshness: Freshness;
    obstacle?: Sentence;
    priceStep?: string;
    quantityStep?: string;
    symbol: string;
  }

  interface Trigger {
    at?: number;
    beyond?: string;
    kind: "stop" | "takeProfit";
    late?: boolean;
    met?: string;
    missedFrom: number;
    missedTo: number;
    number?: number;
    price: string;
    trail?: string;
    trailPercent?: string;
  }

  interface Truth {
    day?: TruthDay;
    spans: TruthSpan[];
  }

  interface TruthDay {
    begins: number;
    blind: number;
    closed: number;
    countedTo: number;
    late: number;
    live: number;
    proven: number;
    resyncing: number;
    resyncs: number;
    unwatched: number;
  }

  interface Unbroken {
    at: number;
    messages: number;
  }

  interface Undelivered {
    count: number;
    reason: Sentence;
  }

  interface UnknownBook {
    known: false;
    symbol: string;
  }

  interface UnknownSymbol {
    known: false;
    symbol: string;
  }

  interface UnknownTrades {
    known: false;
    symbol: string;
  }

  interface Venue {
    connected: boolean;
    delayMilliseconds?: number;
    dissenting?: VenueDissent[];
    lastMessage?: number;
    name: string;
    nextAttempt?: number;
    origin: "custom" | "replay" | "simulated" | "venue";
    phase:
      | "awaitingReady"
      | "backingOff"
      | "connecting"
      | "handshaking"
      | "idle"
      | "live"
      | "refused"
      | "stale"
      | "stopped"
      | "subscribing";
    reason?: Sentence;
    reconnects: number;
    rejected: number;
    resyncs: number;
    roundTripMicroseconds?: number;
    since?: number;
    skipped?: number;
  }

  interface VenueClock {
    driftPerBillion?: number;
    driftWithin?: number;
    method: "fastest" | "pings";
    offset: number;
    steps: number;
    within: number;
  }

  interface VenueLatency {
    clock?: VenueClock;
    readerClock?: VenueClock;
    rungs: LatencyFigures[];
  }

  interface Witnesses {
    dissents: Dissent[];
    of: string[];
  }

  type Amount = [
    price: string,
    quantity: string,
  ];

  type AssetPart = [
    market: number,
    size: string,
    share: number,
  ];

  type AssetSpread = [
    time: number,
    basisPoints: string,
  ];

  type BookRow = [
    price: string,
    size: string,
    inBase: null | string,
    share: number,
    part: number,
    total: string,
    cost: null | string,
    average: null | string,
  ];

  type Dissent = [
    witness: "book" | "quote" | "ticker" | "top25" | "trades",
    kind: "ask" | "bid" | "last",
    said: null | string,
    shown: null | string,
  ];

  type EquityPoint = [
    time: number,
    equity: string,
    isFill: boolean,
  ];

  type Fill = [
    time: number,
    price: string,
    quantity: string,
    fee: string,
    isMaker: boolean,
    evidence: Sentence,
  ];

  type PriceGroup = [
    ticks: number,
    step: string,
  ];

  type Tick = [
    arrival: number,
    time: number,
    price: number,
    quantity: number,
  ];

  type Trade = [
    arrival: number,
    price: string,
    size: string,
    inBase: null | string,
    side: "buy" | "none" | "sell",
    time: number,
    count: number,
    from: null | string,
    share: number,
  ];

  type TruthSpan = [
    since: number,
    kind: "blind" | "closed" | "late" | "live" | "proven" | "resyncing" | "unwatched",
    cause: Sentence | null,
  ];

  type VenueDissent = [
    symbol: string,
    witness: "book" | "quote" | "ticker" | "top25" | "trades",
    kind: "ask" | "bid" | "last",
    said: null | string,
    shown: null | string,
  ];

  type Book = KnownBook | UnknownBook;

  type Chart = KnownChart;

  type Symbol = KnownSymbol | UnknownSymbol;

  type Trades = KnownTrades | UnknownTrades;

  /** The state of a topic, by its name. */
  interface ByName {
    status: Status;
    feed: Feed;
    [name: `symbol/${string}`]: Symbol;
    stocks: Stocks;
    [name: `stock/${string}`]: Stock;
    products: Products;
    [name: `product/${string}`]: Product;
    markets: Markets;
    survey: Survey;
    lists: Lists;
    alerts: Alerts;
    faults: Faults;
    latency: Latency;
    books: Books;
    [name: `book/${string}`]: Book;
    [name: `asset/${string}/${string}`]: Asset;
    [name: `truth/${string}/${string}`]: Truth;
    [name: `trades/${string}`]: Trades;
    exchange: Exchange;
    [name: `ticket/${string}/${string}`]: Ticket;
    orders: Orders;
    openOrders: OpenOrders;
    [name: `conversion/${string}`]: Conversion;
    positions: Positions;
    [name: `chart/${string}/${string}`]: Chart;
    [name: `figures/${string}/${string}`]: Figures;
  }
}
