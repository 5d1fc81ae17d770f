// What states are called on screen. One place, so that the same state has the same words everywhere.

/** A length of time in words: "4 s", "2 min", "3 h". */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

const FRESHNESS = {
  waiting: "Waiting",
  live: "Live",
  late: "Late",
  stale: "Stale",
  resyncing: "Resyncing",
  disconnected: "Disconnected",
  closed: "Market closed",
};

/** "Stale · 12 s ago". */
export function freshnessText(freshness, now) {
  const word = FRESHNESS[freshness.state] ?? "Unknown";
  if (!freshness.confirmedAt) return word;
  return `${word} · ${duration(now - freshness.confirmedAt)} ago`;
}

/** The badge for values that do not come from a real venue; empty for those that do. */
export function originText(origin) {
  if (origin === "simulated") return "Simulated";
  return origin === "replay" ? "Replay" : "";
}

const PHASES = {
  idle: "Not started",
  connecting: "Connecting",
  handshaking: "Shaking hands",
  awaitingReady: "Waiting for its greeting",
  subscribing: "Subscribing",
  live: "Connected",
  stale: "Silent",
  backingOff: "Disconnected",
  stopped: "Stopped",
  refused: "Refused",
};

/** A venue's phase for people. */
export const phaseText = (phase) => PHASES[phase] ?? "Unknown";

const TRYING = new Set(["connecting", "handshaking", "awaitingReady"]);

/** One of the three words of the status chip for a venue. */
export function connectionWord(venue) {
  if (venue.connected) return "connected";
  return TRYING.has(venue.phase) ? "connecting" : "disconnected";
}

/** Whether a venue that is not connected means an outage: one that nobody started does not. */
export const isOutage = (venue) =>
  !venue.connected && venue.phase !== "idle" && venue.phase !== "stopped";

const DIRECTIONS = { up: "up", down: "down" };

/** For sentences that are read aloud: ", up". */
export const directionWord = (direction) =>
  DIRECTIONS[direction] ? `, ${DIRECTIONS[direction]}` : "";

const FAILURES = {
  TRADING_002: "BUX reports an unexpected error.",
  AUTH_007: "BUX does not accept the access token.",
  AUTH_008: "The access token for BUX has expired.",
  AUTH_009: "The access token for BUX is missing.",
  AUTH_014: "This access token has no permission for the product.",
  RTF_002: "The price feed of BUX needs an access token.",
};

/** Why a product failed, in the server's words or, where it has none, in ours. */
export const failureText = (failure) =>
  failure?.message || FAILURES[failure?.code] || "The product could not be loaded.";
