// What a row of the market list is: its kind in words, its currencies, and the screen behind it.

import { t } from "../text/texts.js";

/** @typedef {Omit<Topic.Market, "kind"> & {kind: Topic.Market["kind"] | "unlisted"}} Market */

// A token's own name says what it is: "Apple, tokenised share / US dollar".
/** @type {{[kind: string]: string}} */
const KINDS = {
  spot: "", token: "", contract: t("Contract"), share: t("Share"), product: t("Product"),
  stock: t("Stock"), made: t("Demo symbol"),
};

/** The kind of a row that no venue lists. */
export const UNLISTED = "unlisted";

// What an instrument is, where that is not a matter of course; "" for a currency pair.
/** @param {Market} market */
export const kindText = ({ kind }) => KINDS[kind] ?? "";

// Whether a market's trades are seen, so that an alert can fire on one.
/** @param {Market} market */
export const hasTrades = ({ kind }) => ["spot", "token", "contract", "stock"].includes(kind);

// What quantities and prices of a market count: "BTC" and "USD"; "" where that is not known.
/** @param {Market} market */
export function unitsOf({ symbol, kind, quote }) {
  const [base, second] = symbol.split(/[/-]/);
  const quantity = kind === "contract" ? "contracts" : second ? base : "";
  return { quantity, price: quote ?? second ?? "" };
}

/**
 * The screen that shows a market; `row` is a row to point at there.
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

// What a market turned over in the window of its figures, in whole US dollars at the last prices of
// their currencies; undefined where a price or the size of a contract is not known.
/**
 * @param {Market} market
 * @param {import("./order.js").Values} values
 * @param {(currency: string) => string | undefined} dollarsOf the price of a currency
 */
export function turnoverOf(market, { volume, vwap, price }, dollarsOf) {
  // A contract of XBTUSD is one US dollar; others have multipliers that no topic names.
  if (market.kind === "contract") return market.symbol === "XBTUSD" ? volume : undefined;
  const { quantity, price: currency } = unitsOf(market);
  const rate = currency === "USD" ? "1" : dollarsOf(currency);
  const dollars = Number(volume) * Number(vwap ?? price) * Number(rate);
  return quantity === "" || !Number.isFinite(dollars) ? undefined : dollars.toFixed(0);
}

// The row of a list's member that no venue lists (any more).
/** @param {string} id @returns {Market} */
export function unlisted(id) {
  const [venue, ...rest] = id.split("/");
  const symbol = rest.join("/");
  const address = `${venue}:${symbol}`;
  return { id, venue, symbol, address, name: symbol, kind: UNLISTED, open: false };
}

// The venue of a market's name: the one it starts with, that of an instrument of the catalogue, or,
// for any other pair, the venue that lists pairs. Whether the venue lists the pair, its topics say.
/** @param {Topic.Books | undefined} books @param {string} name */
export const venueOf = (books, name) =>
  (name.includes(":") ? name.slice(0, name.indexOf(":")) : undefined)
    ?? books?.instruments.find((instrument) => nameOf(instrument) === name)?.venue
    ?? (name.includes("/") ? books?.acceptsPair : undefined);

// The name of a market: its symbol, where that alone means it.
/** @param {{symbol: string, address?: string}} market */
export const nameOf = ({ symbol, address = symbol }) => address;

// Whether a name, short or long, means this market.
/** @param {{venue: string, symbol: string, address?: string}} market @param {string} name */
export const isNamed = (market, name) =>
  nameOf(market) === name || `${market.venue}:${market.symbol}` === name;
