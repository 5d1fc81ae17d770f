// The page's storage on this device. If it is blocked or full, values last as long as the page.

const PREFIX = "livetape.";

/**
 * The stored value of a key; null if there is no value or no storage.
 * @param {string} key
 * @param {"localStorage" | "sessionStorage"} area permanent, or until the tab closes
 */
export function read(key, area = "localStorage") {
  try {
    return globalThis[area].getItem(PREFIX + key);
  } catch {
    return null;
  }
}

// Stores a text under a key.
/** @param {string} key @param {string} value @param {"localStorage" | "sessionStorage"} area */
export function remember(key, value, area = "localStorage") {
  try {
    globalThis[area].setItem(PREFIX + key, value);
  } catch {
    // The value lasts as long as the page.
  }
}

// The stored value if it is one of `allowed`; otherwise the first of them.
/** @param {string} key @param {string[]} allowed */
export function recall(key, allowed) {
  const value = read(key);
  return value !== null && allowed.includes(value) ? value : allowed[0];
}
