// How the reader's locale writes numbers, for the ticket.

import { locales } from "./format.js";

/** @type {Map<string, string[]>} */
const known = new Map();
addEventListener("languagechange", () => known.clear());

/**
 * Decimal sign, sign between thousands, digits from 0 to 9, and the ways in which a currency
 * (ISO 4217) is written beside a number. The same array until the locale changes.
 * @param {string | undefined} currency
 * @returns {string[]}
 */
export function numberSigns(currency) {
  const key = currency ?? "";
  const signs = known.get(key) ?? written(key);
  known.set(key, signs);
  return signs;
}

/** @param {string} currency */
function written(currency) {
  const parts = new Intl.NumberFormat(locales()).formatToParts(1234567.8);
  const find = (/** @type {string} */ type) =>
    parts.find((part) => part.type === type)?.value ?? "";
  const digits = new Intl.NumberFormat(locales(), { useGrouping: false }).format(9876543210);
  return [find("decimal") || ".", find("group"), [...digits].reverse().join(""),
    ...currencySigns(currency)];
}

/** @param {string} currency */
function currencySigns(currency) {
  try {
    const signs = ["symbol", "narrowSymbol", "code"].map((currencyDisplay) =>
      new Intl.NumberFormat(locales(), { style: "currency", currency, currencyDisplay })
        .formatToParts(0).find(({ type }) => type === "currency")?.value ?? "");
    return [...new Set(signs)].filter(Boolean);
  } catch {
    return [];
  }
}
