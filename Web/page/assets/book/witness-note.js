// At the foot of a book, beside its proof: how many of the venue's streams say the same prices, and
// who says something else.

import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

/** @type {{[witness: string]: string}} */
const NAMES = {
  book: t("book"), top25: t("best 25 levels"), quote: t("quote"), ticker: t("ticker"),
  trades: t("trades"),
};
const KINDS = { bid: t("Best bid"), ask: t("Best ask"), last: t("Last price") };

export class WitnessNote {
  element = h("span.witnesses", { hidden: true });

  /**
   * Without two streams to compare, and of a book that can't be believed, nothing is said.
   * @param {Topic.Witnesses | undefined} witnesses
   * @param {boolean} dimmed
   */
  update(witnesses, dimmed) {
    setAttribute(this.element, "hidden", !witnesses || dimmed);
    if (!witnesses || dimmed) return;
    const { of, dissents } = witnesses;
    const [agreeing, count] = [of.length - dissents.length, of.length];
    setText(this.element, dissents.length === 0 ? t("{agreeing} of {count} agree",
      { agreeing, count })
      : `${t("{agreeing} of {count}", { agreeing, count })}: ${dissentText(dissents[0])}`);
    setAttribute(this.element, "data-dissent", dissents.length > 0);
    setAttribute(this.element, "title",
      [t("Compared: {names}.", { names: of.map((name) => NAMES[name] ?? name).join(", ") }),
        ...dissents.map(explain)].join("\n"));
  }
}

/**
 * "ticker says 44,120.5".
 * @param {Topic.Dissent} dissent
 */
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
