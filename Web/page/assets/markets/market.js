// A row of the market list: the words for its kind, its currencies, and the screen that it opens.

import { t } from "../text/texts.js";

/** @typedef {Omit<Topic.Market, "kind"> & {kind: Topic.Market["kind"] | "unlisted"}} Market */

// The names of tokens and perpetuals include their kind: "Apple, tokenised share / US dollar".
/** @type {{[kind: string]: string}} */
const KINDS = {
  spot: "", token: "", contract: t("Contract"), share: t("Share"), product: t("Product"),
  perpetual: "", stock: t("Stock"), made: t("Demo symbol"),
};

/** The kind of a row that no venue lists. */
export const UNLISTED = "unlisted";

// An instrument's kind in words; "" for a currency pair.
/** @param {Market} market */
export const kindText = ({ kind }) => KINDS[kind] ?? "";

// Whether a market's trades are received, so that an alert can fire.
/** @param {Market} market */
export const hasTrades = ({ kind }) =>
  ["spot", "token", "contract", "perpetual", "stock"].includes(kind);

// The units of a market's quantities and prices: "BTC" and "USD"; "" if unavailable.
/** @param {Market} market */
export function unitsOf({ symbol, kind, quote }) {
  const [base, second] = symbol.split(/[/-]/);
  const quantity = kind === "contract" ? "contracts" : second ? base : "";
  return { quantity, price: quote ?? second ?? "" };
}

/**
 * The screen that shows a market; `row` is the row to highlight there.
 * @param {Pick<Market, "venue" | "symbol" | "address">} market
 * @returns {{route: {screen: string, name?: string}, row?: string}}
 */
export function placeOf({ venue, symbol, address = symbol }) {
  switch (venue) {
    case "isin": return { route: { screen: "stocks" }, row: symbol };
    case "bux": return { route: { screen: "product", name: symbol } };
    case "echo": return { route: { screen: "symbol", name: symbol } };
    case "exchange": return { route: { screen: "exchange" } };
    default: return { route: { screen: "market", name: address } };
  }
}

// A market's turnover in its figures' window, in whole US dollars at the last prices of their
// currencies; undefined if a price or a contract's size is unavailable.
/**
 * @param {Market} market
 * @param {import("./order.js").Values} values
 * @param {(currency: string) => string | undefined} dollarsOf the price of a currency
 */
export function turnoverOf(market, { volume, vwap, price }, dollarsOf) {
  // An XBTUSD contract is one US dollar; no topic has the other contracts' multipliers.
  if (market.kind === "contract") return market.symbol === "XBTUSD" ? volume : undefined;
  const { quantity, price: currency } = unitsOf(market);
  const rate = currency === "USD" ? "1" : dollarsOf(currency);
  const dollars = Number(volume) * Number(vwap ?? price) * Number(rate);
  return quantity === "" || !Number.isFinite(dollars) ? undefined : dollars.toFixed(0);
}

// The row of a list member that no venue lists (any more).
/** @param {string} id @returns {Market} */
export function unlisted(id) {
  const [venue, ...rest] = id.split("/");
  const symbol = rest.join("/");
  const address = `${venue}:${symbol}`;
  return { id, venue, symbol, address, name: symbol, kind: UNLISTED, open: false };
}

// The venue in a market's name: its prefix, that of a catalogue instrument, or, for other pairs,
// the venue that lists pairs. Its topics report whether the venue lists the pair.
/** @param {Topic.Books | undefined} books @param {string} name */
export const venueOf = (books, name) =>
  (name.includes(":") ? name.slice(0, name.indexOf(":")) : undefined)
    ?? books?.instruments.find((instrument) => nameOf(instrument) === name)?.venue
    ?? (name.includes("/") ? books?.acceptsPair : undefined);

// A market's name: its symbol, if that is unambiguous.
/** @param {{symbol: string, address?: string}} market */
export const nameOf = ({ symbol, address = symbol }) => address;

// Whether a short or long name means this market.
/** @param {{venue: string, symbol: string, address?: string}} market @param {string} name */
export const isNamed = (market, name) =>
  nameOf(market) === name || `${market.venue}:${market.symbol}` === name;
