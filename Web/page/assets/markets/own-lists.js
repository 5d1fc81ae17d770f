// The user's own lists, as the server stores them, and the actions on them. Failures are shown as
// text; no action counts as done before the server confirms it.

import { read, remember } from "../base/storage.js";
import { sentence, t } from "../text/texts.js";
import { AWAY, VIEW_ONLY } from "../ui/view-only.js";

/** @typedef {Topic.MarketList} List */

export const STARS = "stars";

// A list's name: the user's own, except for the stars.
/** @param {Pick<List, "id" | "name">} list */
export const listName = ({ id, name }) => (id === STARS ? t("Favourites") : name);
export const LONGEST_NAME = 40;

export class OwnLists {
  /** The last failure; "" after a later success. */
  complaint = "";
  #link;
  #refresh;
  /** @type {Handle<Topic.Lists>} */
  #topic;
  /** A requested list that does not exist yet, and what to do once it does. */
  #awaited = /** @type {{name: string, then: (list: List) => void} | null} */ (null);
  #release;

  // `refresh` runs when a list or the complaint changes.
  /** @param {Link} link @param {() => void} refresh */
  constructor(link, refresh) {
    this.#link = link;
    this.#refresh = refresh;
    this.#topic = link.topics.open("lists", () => this.#changed());
    this.#release = link.hear("error", ({ code, message }) => {
      if (code === "bad_list") this.#complain(sentence(message));
    });
  }

  dispose() {
    this.#topic.close();
    this.#release();
  }

  /** Whether the user has view-only access. */
  get viewsOnly() {
    return this.#link.viewsOnly;
  }

  /** Whether the lists are loaded. */
  get isKnown() {
    return this.#topic.entry.state !== undefined;
  }

  /** @returns {List[]} */
  get all() {
    return this.#topic.entry.state?.lists ?? [];
  }

  /** The server's problem with the lists as a whole. */
  get problem() {
    return sentence(this.#topic.entry.state?.problem);
  }

  /** @param {string} id */
  get(id) {
    return this.all.find((list) => list.id === id);
  }

  /** @param {string} list @param {string} member */
  has(list, member) {
    return this.get(list)?.members.includes(member) ?? false;
  }

  // Adds or removes a member.
  /** @param {string} list @param {string} member */
  toggle(list, member) {
    const isMember = this.has(list, member);
    return this.#do({ do: isMember ? "list.remove" : "list.add", list, member });
  }

  // Moves a member within the list: gap 0 is before the first, the length is after the last.
  /** @param {string} list @param {string} member @param {number} gap */
  move(list, member, gap) {
    const members = this.get(list)?.members ?? [];
    const at = members.indexOf(member);
    if (at < 0 || gap === at || gap === at + 1) return false;
    const before = members[gap];
    return this.#do({ do: "list.add", list, member, ...(before ? { before } : {}) });
  }

  // Makes a list; `then` receives it once it exists.
  /** @param {string} name @param {(list: List) => void} then */
  create(name, then) {
    if (this.#do({ do: "list.create", name })) this.#awaited = { name, then };
  }

  /** @param {string} list @param {string} name */
  rename(list, name) {
    return this.#do({ do: "list.rename", list, name });
  }

  /** @param {string} list */
  delete(list) {
    return this.#do({ do: "list.delete", list });
  }

  /** Clears the failure, after the user has read it. */
  forgive() {
    this.complaint = "";
    this.#refresh();
  }

  /** @param {Wire.Action} action */
  #do(action) {
    this.#awaited = null;
    const isSent = this.#link.do(action);
    this.#complain(isSent ? "" : this.#link.viewsOnly ? VIEW_ONLY : AWAY);
    return isSent;
  }

  /** @param {string} text */
  #complain(text) {
    this.complaint = text;
    if (text) this.#awaited = null;
    this.#refresh();
  }

  #changed() {
    const awaited = this.#awaited;
    const made = awaited && this.all.find(({ name }) => name === awaited.name);
    if (made) {
      this.#awaited = null;
      awaited.then(made);
    }
    this.#refresh();
  }
}

// The list that the sidebar shows, and how that choice is stored.
const KEY = "watch.list";

/** An id that no list has: the markets that the server always reads. */
export const READ = "";

// The list to show: the chosen one while it exists, else the stars, else the markets that the
// server reads.
/** @param {OwnLists} lists */
export function chosenList(lists) {
  const chosen = read(KEY);
  if (chosen === READ || (chosen !== null && lists.get(chosen))) return chosen;
  return READ;
}

/** @param {string} list */
export const chooseList = (list) => remember(KEY, list);
