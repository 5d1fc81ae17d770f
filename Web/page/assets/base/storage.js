// What this device remembers for the page. Storage may be forbidden or full: what could not be
// kept lasts as long as the page.

const PREFIX = "livetape.";

/**
 * What was remembered under a key; null where there is nothing, or no storage.
 * @param {string} key
 * @param {"localStorage" | "sessionStorage"} area for good, or until the tab is closed
 */
export function read(key, area = "localStorage") {
  try {
    return globalThis[area].getItem(PREFIX + key);
  } catch {
    return null;
  }
}

// Remembers a text under a key.
/** @param {string} key @param {string} value @param {"localStorage" | "sessionStorage"} area */
export function remember(key, value, area = "localStorage") {
  try {
    globalThis[area].setItem(PREFIX + key, value);
  } catch {
    // It lasts as long as the page.
  }
}

// What was remembered, if it is one of `allowed`; else the first of them.
/** @param {string} key @param {string[]} allowed */
export function recall(key, allowed) {
  const value = read(key);
  return value !== null && allowed.includes(value) ? value : allowed[0];
}
