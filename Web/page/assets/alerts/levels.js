// The price levels of a market's alerts, for the chart and the book.
/** @typedef {{id: string, level: string, isArmed: boolean, again: boolean}} AlertLevel */

/**
 * A market's pending alerts at a price, as exact digits.
 * @param {Topic.Alerts | undefined} state of topic `alerts`
 * @param {string} venue
 * @param {string} symbol
 * @returns {AlertLevel[]}
 */
export const alertLevels = (state, venue, symbol) => (state?.rows ?? [])
  .filter((row) => row.kind === "price" && row.venue === venue && row.symbol === symbol
    && (row.armed || row.again))
  .map(({ id, level = "", armed, again }) => ({ id, level, isArmed: armed, again }));
