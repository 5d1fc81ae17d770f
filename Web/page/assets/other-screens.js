// @ts-check
// Asks once for the code of the screens that a first look at a market does without.

import { t } from "./texts.js";

/** @typedef {typeof import("./screens/others.js")} OtherScreens */

export const NOT_SENT =
  t("The server did not send this part of the page. Perhaps it has become a new version.");

/** @type {OtherScreens | null} */
let here = null;
/** @type {Promise<OtherScreens> | null} */
let asked = null;

/**
 * The class of one of these screens; null while its code has not come.
 * @template {keyof OtherScreens} Name
 * @param {Name} name
 * @returns {OtherScreens[Name] | null}
 */
export const otherScreen = (name) => here?.[name] ?? null;

/** Asks for the code unless that was done; throws when it can't be had. */
export async function loadOtherScreens() {
  asked ??= import("./screens/others.js");
  try {
    here = await asked;
  } catch (error) {
    // Who wants it once more asks once more.
    asked = null;
    throw error;
  }
}
