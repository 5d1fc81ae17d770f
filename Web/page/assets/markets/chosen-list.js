// Which list is watched in the rail, and how a person's choice is kept.

import { read, remember } from "../base/storage.js";
import { STARS } from "./own-lists.js";

const KEY = "watch.list";

/** What no list is called: the markets that the server reads all the time. */
export const READ = "";

/**
 * The list to show: the chosen one while there is such a list, else the stars, else what the server
 * reads.
 * @param {import("./own-lists.js").OwnLists} lists
 */
export function chosenList(lists) {
  const chosen = read(KEY);
  if (chosen === READ || (chosen !== null && lists.get(chosen))) return chosen;
  return lists.get(STARS)?.members.length ? STARS : READ;
}

/** @param {string} list */
export const chooseList = (list) => remember(KEY, list);
