// Numbers as the reader writes them, to digits with a point and back. What could mean two things
// is not guessed.

import { locales } from "./format.js";

let known = null;
addEventListener("languagechange", () => (known = null));

/** The decimal sign of the reader's locale, its sign between thousands, and its digits. */
function signs() {
  if (known) return known;
  const parts = new Intl.NumberFormat(locales()).formatToParts(1234567.8);
  const find = (type) => parts.find((part) => part.type === type)?.value ?? "";
  const digits = [...new Intl.NumberFormat(locales(), { useGrouping: false }).format(9876543210)].reverse();
  known = { decimal: find("decimal") || ".", group: find("group"), digits };
  return known;
}

/** What was typed, with a point and ASCII digits; `isDoubtful` when a sign could mean two things. */
export function readTyped(typed) {
  const { decimal, group, digits } = signs();
  let text = typed.replace(/[\s\u00a0\u202f\u2009]/gu, "");
  text = [...text].map((sign) => (digits.indexOf(sign) >= 0 ? String(digits.indexOf(sign)) : sign)).join("");
  text = text.replace("\u2212", "-");
  if (decimal === ".") return { text, isDoubtful: false };
  const isGrouped = group === "." && /^[+-]?\d{1,3}(\.\d{3})+$/.test(text);
  const hasBoth = text.includes(decimal) && text.includes(".");
  if (isGrouped || hasBoth) return { text, isDoubtful: true };
  const isOnce = text.indexOf(decimal) === text.lastIndexOf(decimal);
  return { text: isOnce ? text.replace(decimal, ".") : text, isDoubtful: !isOnce };
}

/** Digits with a point, as the reader would type them. */
export const asTyped = (text) => text.replace(".", signs().decimal);

/**
 * What is wrong with a typed number on the face of it, as a sentence; "" when nothing is. Limits,
 * lots and ticks are the server's to judge.
 */
export function faultOf(name, typed, example) {
  const { text, isDoubtful } = readTyped(typed);
  if (text === "") return `Enter a ${name}.`;
  if (isDoubtful) {
    return `Write the ${name} without separators between thousands, such as ${asTyped(example)}; `
      + `“${typed.slice(0, 24)}” could mean either.`;
  }
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) || text.includes(",")) return "";
  return `The ${name} must be a number in plain digits, such as ${asTyped(example)}; “${typed.slice(0, 24)}” is not.`;
}
