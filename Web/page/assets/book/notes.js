// At the foot of a book, beside its proof: how many of the venue's streams agree on the prices, and
// which ones differ.

import { number } from "../text/format.js";
import { plural, sentence, t } from "../text/texts.js";
import { preciseAge } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";

// At the foot of a book: the proof of its rows, the proof's age, and the price grouping.
/** Text that changes more often is unreadable. */
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
   * `proof` is what this page verified; without it nothing is claimed.
   * @param {Topic.KnownBook} book
   * @param {import("../link/topics.js").Proof | undefined} proof
   * @param {{dimmed: boolean, now: number, venue: string, refused: number}} seen
   */
  update({ proof: said, group, doubt }, proof, { dimmed, now, venue, refused }) {
    const by = dimmed ? "" : proof ?? "";
    const why = by === "" ? refusedText(refused) || sentence(doubt) : "";
    const unbroken = by === "server" ? said.unbroken : undefined;
    const kind = `${by} ${venue} ${group} ${refused} ${why} ${unbroken !== undefined}`;
    if (kind === this.#kind && performance.now() - this.#saidAt < WORDS_EVERY_MILLISECONDS) return;
    [this.#kind, this.#saidAt] = [kind, performance.now()];
    setText(this.#words, by === "" ? why
      : unbroken ? t("unbroken · {age}", { age: preciseAge(now - unbroken.at) })
        : by === "server" ? t("server hash matches")
          : t("verified {age}", { age: preciseAge(now - (said.checksum?.at ?? now)) }));
    setText(this.#rest, by === "venue" ? ` · ${t("rows 11–20 by server hash")}`
      : unbroken ? ` · ${t("{count} messages since the snapshot",
        { count: number(String(unbroken.messages)) })}` : "");
    setAttribute(this.element, "data-by", by || null);
    setAttribute(this.element, "data-silent", by === "" && why === "");
    setAttribute(this.element, "title", by === "" ? null
      : [titleOf(by, venue, group, unbroken !== undefined), refusedText(refused)]
        .filter(Boolean).join(" "));
  }
}

/** @param {string} by @param {string} venue @param {number} group @param {boolean} isUnbroken */
function titleOf(by, venue, group, isUnbroken) {
  if (isUnbroken) {
    return [
      t("{venue} numbers its messages: none is missing since the snapshot.", { venue }),
      t("All rows: checked against the server’s own hash."),
    ].join(" ");
  }
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

/** @type {{[witness: string]: string}} */
const NAMES = {
  book: t("book"), top25: t("best 25 levels"), quote: t("quote"), ticker: t("ticker"),
  trades: t("trades"),
};
const KINDS = { bid: t("Best bid"), ask: t("Best ask"), last: t("Last price") };

export class WitnessNote {
  element = h("span.witnesses", { hidden: true });

  // Empty without two streams to compare, and for an invalid book.
  /** @param {Topic.Witnesses | undefined} witnesses @param {boolean} dimmed */
  update(witnesses, dimmed) {
    setAttribute(this.element, "hidden", !witnesses || dimmed);
    if (!witnesses || dimmed) return;
    const { of, dissents } = witnesses;
    const [agreeing, count] = [of.length - dissents.length, of.length];
    setText(this.element, dissents.length === 0 ? t("{agreeing} of {count} sources agree",
      { agreeing, count })
      : `${t("{agreeing} of {count}", { agreeing, count })}: ${dissentText(dissents[0])}`);
    setAttribute(this.element, "data-dissent", dissents.length > 0);
    setAttribute(this.element, "title",
      [t("Compared: {names}.", { names: of.map((name) => NAMES[name] ?? name).join(", ") }),
        ...dissents.map(explain)].join("\n"));
  }
}

// "ticker says 44,120.5".
/** @param {Topic.Dissent} dissent */
export function dissentText([witness, , said]) {
  const name = NAMES[witness];
  return said === null ? t("{witness} says no price", { witness: name })
    : t("{witness} says {price}", { witness: name, price: number(said) });
}

/** @param {Topic.Dissent} dissent */
const explain = ([witness, kind, said, shown]) => t(
  "{price} by {witness}: {said}, shown: {shown}", {
    price: KINDS[kind], witness: NAMES[witness], said: said === null ? "–" : number(said),
    shown: shown === null ? "–" : number(shown),
  });
