// Exact decimal arithmetic on digit strings: no sum is computed in binary floating point.

const MAXIMUM_LENGTH = 40;
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?$/;

// The number as `{units, scale}`: units × 10^-scale. Null for anything but plain digits.
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

// Back to digits, with `scale` decimals.
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

// Negative, 0 or positive, as for a sort; NaN if either is not a number.
/** @param {unknown} a @param {unknown} b */
export function compare(a, b) {
  const both = aligned(a, b);
  if (!both) return NaN;
  return both.left < both.right ? -1 : both.left > both.right ? 1 : 0;
}

// The change from `from` to `to` in percent, as digits with two decimals; undefined if it can't be
// computed.
/** @param {string | undefined} from @param {string | undefined} to */
export function percentChange(from, to) {
  const both = aligned(from, to);
  if (!both || both.left <= 0n) return undefined;
  const { left, right } = both;
  // Rounds half away from zero.
  const twice = (right - left) * 20_000n / left;
  return written({ units: (twice + (twice < 0n ? -1n : 1n)) / 2n, scale: 2 });
}

// The sum as digits; entries that are not numbers are skipped.
/** @param {Iterable<unknown>} texts */
export function sum(texts) {
  let total = { units: 0n, scale: 0 };
  for (const text of texts) {
    const both = aligned(written(total), text);
    if (both) total = { units: both.left + both.right, scale: both.scale };
  }
  return written(total);
}
