// Parts of the page whose code loads after the first screen, provided by frame/screens.js.

import { t } from "../text/texts.js";
import { toast } from "./toast.js";

export const NOT_SENT = t("Livetape was updated. Reload to continue.");

/** @type {() => Promise<LazyParts>} */
let fetchParts;
/** @type {LazyParts | null} */
let parts = null;
/** @type {Promise<LazyParts> | null} */
let loading = null;

/** @param {() => Promise<LazyParts>} fetch imports the module of these parts */
export function provideLazyParts(fetch) {
  fetchParts = fetch;
}

// A lazy part; null until its code has loaded.
/** @template {keyof LazyParts} Name @param {Name} name @returns {LazyParts[Name] | null} */
export const lazyPart = (name) => parts?.[name] ?? null;

/** Loads the parts once; rejects on failure. */
export async function loadLazyParts() {
  loading ??= fetchParts();
  try {
    parts = await loading;
  } catch (error) {
    // The next call retries.
    loading = null;
    throw error;
  }
}

// Runs `use` with a part: at once if its code has loaded.
/**
 * @template {keyof LazyParts} Name
 * @param {Name} name
 * @param {(part: LazyParts[Name]) => void} use
 */
export function withPart(name, use) {
  if (parts) use(parts[name]);
  else loadLazyParts().then(() => withPart(name, use), () => toast(NOT_SENT, true));
}
