// RFC 7396 merge patches, so that the server sends only what changed.
// The result shares every untouched part with the old state: `===` tells what changed.

const MAXIMUM_DEPTH = 16;

/** @type {(value: unknown) => value is {[key: string]: unknown}} */
const isObject = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * The target with the patch applied; neither is modified. Throws on absurd nesting.
 * @param {unknown} target
 * @param {unknown} patch
 * @returns {unknown}
 */
export function mergePatch(target, patch, depth = 0) {
  if (!isObject(patch)) return patch;
  if (depth >= MAXIMUM_DEPTH) throw new RangeError("patch: nested too deeply");
  // No prototype: a key named "__proto__" is a key like any other.
  const result = Object.assign(Object.create(null), isObject(target) ? target : null);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) delete result[key];
    else result[key] = mergePatch(result[key], patch[key], depth + 1);
  }
  return result;
}
