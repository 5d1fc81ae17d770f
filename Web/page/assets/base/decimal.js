// Exact arithmetic on numbers that are written as digits: no sum passes through a binary fraction.

const MAXIMUM_LENGTH = 40;
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?$/;

// The number as `{units, scale}`: units × 10^-scale. Null for anything that is not plain digits.
/** @param {unknown} text @returns {{units: bigint, scale: number} | null} */
export function decimal(text) {
  if (typeof text !== "string" || text.length > MAXIMUM_LENGTH) return null;
  const found = PATTERN.exec(text.trim());
  if (!found) return null;
  const [, sign, whole, fraction = ""] = found;
  if (whole + fraction === "") return null;
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, scale: fraction.length };
}

// Digits again, with as many decimals as the scale has.
/** @param {{units: bigint, scale: number}} value */
export function written({ units, scale }) {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - scale)}`;
}

/** @param {unknown} a @param {unknown} b */
function aligned(a, b) {
  const [left, right] = [decimal(a), decimal(b)];
  if (!left || !right) return null;
  const scale = Math.max(left.scale, right.scale);
  const at = (/** @type {{units: bigint, scale: number}} */ value) =>
    value.units * 10n ** BigInt(scale - value.scale);
  return { left: at(left), right: at(right), scale };
}

// Below 0, 0 or above 0, as for a sort; NaN when one of them is no number.
/** @param {unknown} a @param {unknown} b */
export function compare(a, b) {
  const both = aligned(a, b);
  if (!both) return NaN;
  return both.left < both.right ? -1 : both.left > both.right ? 1 : 0;
}

// How far `to` is from `from` in percent, as digits with two decimals; undefined where there is no
// such share.
/** @param {string | undefined} from @param {string | undefined} to */
export function percentChange(from, to) {
  const both = aligned(from, to);
  if (!both || both.left <= 0n) return undefined;
  const { left, right } = both;
  // Rounded half away from zero, as people round.
  const twice = (right - left) * 20_000n / left;
  return written({ units: (twice + (twice < 0n ? -1n : 1n)) / 2n, scale: 2 });
}

// The sum as digits; what is no number is left out.
/** @param {Iterable<unknown>} texts */
export function sum(texts) {
  let total = { units: 0n, scale: 0 };
  for (const text of texts) {
    const both = aligned(written(total), text);
    if (both) total = { units: both.left + both.right, scale: both.scale };
  }
  return written(total);
}
