// The core's words and thresholds for the page, written by PageVocabularyTests. To rewrite
// them: UPDATE_VOCABULARY=1 swift test --filter PageVocabularyTests.

/** What each state of freshness is called, how severe it is, and how its values are drawn. */
export const FRESHNESS = {
  waiting: { word: "Waiting", severity: 5, showsMovement: false, isDimmed: true },
  queued: {
    word: "Waiting: too many streams open",
    severity: 5,
    showsMovement: false,
    isDimmed: true,
  },
  live: { word: "Live", severity: 0, showsMovement: true, isDimmed: false },
  late: { word: "Late", severity: 2, showsMovement: true, isDimmed: false },
  stale: { word: "Stale", severity: 3, showsMovement: false, isDimmed: true },
  resyncing: { word: "Resyncing", severity: 4, showsMovement: false, isDimmed: true },
  disconnected: { word: "Disconnected", severity: 6, showsMovement: false, isDimmed: true },
  closed: { word: "Market closed", severity: 1, showsMovement: false, isDimmed: false },
};

/** Silence that makes a late value stale, in silences that make it late. */
export const STALE_FACTOR = 4;

/** The badge of values that no real venue sent, and what it means. */
export const ORIGINS = {
  venue: { badge: null, explanation: null },
  simulated: {
    badge: "Simulated",
    explanation: "Made by Livetape's own simulator: not a real market",
  },
  replay: { badge: "Replay", explanation: null },
  custom: {
    badge: "Custom address",
    explanation: "From an address that was given, not the venue's public one",
  },
};

/** What each phase of a connection is called, and what it counts as. */
export const PHASES = {
  idle: { word: "Not started", indicator: "disconnected", isOutage: false },
  connecting: { word: "Connecting", indicator: "connecting", isOutage: true },
  handshaking: { word: "Securing connection", indicator: "connecting", isOutage: true },
  awaitingReady: { word: "Waiting for the venue", indicator: "connecting", isOutage: true },
  subscribing: { word: "Subscribing", indicator: "connected", isOutage: false },
  live: { word: "Connected", indicator: "connected", isOutage: false },
  stale: { word: "No data", indicator: "disconnected", isOutage: true },
  backingOff: { word: "Disconnected", indicator: "disconnected", isOutage: true },
  stopped: { word: "Stopped", indicator: "disconnected", isOutage: false },
  refused: { word: "Refused", indicator: "disconnected", isOutage: true },
};

/** The units that ages are told in: each below so many seconds, the last without a bound. */
export const AGES = [
  { below: 120, seconds: 1, word: "s" },
  { below: 7200, seconds: 60, word: "min" },
  { below: 172800, seconds: 3600, word: "h" },
  { below: null, seconds: 86400, word: "days" },
];

/** What the sides of an order are called. */
export const SIDES = { buy: "Buy", sell: "Sell" };

/** The venues. */
export const VENUES = {
  bitmex: { name: "BitMEX" },
  kraken: { name: "Kraken" },
  coinbase: { name: "Coinbase" },
  okx: { name: "OKX" },
  bybit: { name: "Bybit" },
  "bybit-linear": { name: "Bybit perpetuals" },
  binance: { name: "Binance" },
  isin: { name: "Stock Price Stream" },
  bux: { name: "BUX" },
  echo: { name: "Price Tracker Echo" },
  exchange: { name: "Two Roads Exchange" },
};

/** Whether an order of a status can still be filled or cancelled. */
export const ORDER_STATUSES = {
  PENDING: { isOpen: true },
  "PARTIALLY FILLED": { isOpen: true },
  FILLED: { isOpen: false },
  CANCELLED: { isOpen: false },
  REJECTED: { isOpen: false },
};
