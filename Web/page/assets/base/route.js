// The current location in the page, and its path.

/** @typedef {"chart" | "book" | "trades"} Tab */

// A screen of the table in screens.js, by its slug; `name` is its symbol, product or instrument (""
// if the screen needs none; comma-separated charts), `tab` the view of an instrument.
/** @typedef {{screen: string, name: string, tab?: Tab}} Route */

/** The most charts side by side. */
export const MOST_CHARTS = 4;

// The symbol of a market's name: "BTC-USD" of "coinbase:BTC-USD".
/** @param {string} name */
export const symbolOf = (name) => name.slice(name.indexOf(":") + 1);

// The path of a route.
/** @param {{screen: string, name?: string, tab?: Tab}} route */
export function pathOf({ screen, name = "", tab = "book" }) {
  if (screen === "home") return "/";
  // Two leading slashes would make it another server's address.
  if (screen === "missing") return `/${name.replace(/^[/\\]+/, "")}`;
  if (screen === "market") return `/${tab}/${partOf(name)}`;
  if (screen === "charts") {
    return ["/charts", ...name.split(",").filter(Boolean).map(partOf)].join("/");
  }
  return name ? `/${screen}/${encodeURIComponent(name)}` : `/${screen}`;
}

// A market's name as a part of a path: ":" and "@" stay readable.
/** @param {string} name */
const partOf = (name) =>
  encodeURIComponent(name).replaceAll("%3A", ":").replaceAll("%40", "@");
