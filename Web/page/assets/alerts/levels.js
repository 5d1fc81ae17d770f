// The levels of a market's alerts, for what draws prices: the chart, a book.

/** @typedef {{id: string, level: string, isArmed: boolean, again: boolean}} AlertLevel */

/**
 * The alerts of a market that still wait, as exact digits.
 * @param {Topic.Alerts | undefined} state of topic `alerts`
 * @param {string} venue
 * @param {string} symbol
 * @returns {AlertLevel[]}
 */
export const alertLevels = (state, venue, symbol) => (state?.rows ?? [])
  .filter((row) => row.venue === venue && row.symbol === symbol && (row.armed || row.again))
  .map(({ id, level, armed, again }) => ({ id, level, isArmed: armed, again }));
