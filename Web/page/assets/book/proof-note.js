// At the foot of a book: who vouches for the rows, how old that proof is, and which rows are whose.

import { plural, t, told } from "../text/texts.js";
import { preciseAge } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";

/** A number that changes more often can't be read. */
const WORDS_EVERY_MILLISECONDS = 250;

export class ProofNote {
  #saidAt = -Infinity;
  #kind = "";
  #words = h("span.proof-words");
  #rest = h("span");

  constructor() {
    this.element = h("div.proof", {}, this.#words, this.#rest);
  }

  /**
   * `proof` is what this page has computed itself; without it nothing is claimed.
   * @param {Topic.KnownBook} book
   * @param {import("../link/topics.js").Proof | undefined} proof
   * @param {{dimmed: boolean, now: number, venue: string, refused: number}} seen
   */
  update({ proof: said, group, doubt }, proof, { dimmed, now, venue, refused }) {
    const by = dimmed ? "" : proof ?? "";
    const why = by === "" ? refusedText(refused) || told(doubt) : "";
    const kind = `${by} ${venue} ${group} ${refused} ${why}`;
    if (kind === this.#kind && performance.now() - this.#saidAt < WORDS_EVERY_MILLISECONDS) return;
    [this.#kind, this.#saidAt] = [kind, performance.now()];
    setText(this.#words, by === "" ? why
      : by === "server" ? t("checked against the server’s own hash")
        : t("proven · {age}", { age: preciseAge(now - (said.checksum?.at ?? now)) }));
    setText(this.#rest, by === "venue" ? ` · ${t("rows 11 to 20: server’s hash")}` : "");
    setAttribute(this.element, "data-by", by || null);
    setAttribute(this.element, "data-silent", by === "" && why === "");
    setAttribute(this.element, "title", by === "" ? null
      : [titleOf(by, venue, group), refusedText(refused)].filter(Boolean).join(" "));
  }
}

/**
 * @param {string} by
 * @param {string} venue
 * @param {number} group
 */
function titleOf(by, venue, group) {
  if (by === "server") {
    return `${t("All rows: checked against the server’s own hash.")} ${group > 1
      ? t("Grouped rows have no checksum of the venue: that is of single prices.")
      : t("{venue} sends no checksum.", { venue })}`;
  }
  return [
    t("Rows 1 to 10 of each side: {venue}’s checksum, computed again from these rows.", { venue }),
    t("Rows 11 to 20, sums and averages: the server’s own hash."),
  ].join(" ");
}

/** @param {number} count */
const refusedText = (count) => (count === 0 ? ""
  : plural(count, "{count} book refused on this page today.",
    "{count} books refused on this page today."));
