// The position in the stock shown and its exit value now, in the headline.

import { compare } from "../base/decimal.js";
import { money, number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

const ARROWS = ["↓ ", "", "↑ +"];

export class OwnedFacts {
  #quantity = h("dd");
  #label = h("dt");
  #unrealised = h("dd");
  element = h("dl.day-facts.owned", { hidden: true },
    h("div.day-fact", {}, h("dt", {}, t("Position")), this.#quantity),
    h("div.day-fact", {}, this.#label, this.#unrealised));

  // `freshness` is that of the exit price.
  /** @param {Topic.Positions | undefined} state @param {Seen} freshness @param {Format} format */
  render(state, freshness, format) {
    const isFlat = !state?.loaded
      || compare(state.quantity ?? "0", "0") === 0 && state.possible === undefined;
    setAttribute(this.element, "hidden", isFlat);
    if (isFlat || !state) return;
    const { possible } = state;
    const certain = number(state.quantity ?? "0");
    setText(this.#quantity, possible
      ? t("{certain} ({low} to {high} possible)",
        { certain, low: number(possible.low), high: number(possible.high) }) : certain);
    const { unrealised } = state.average;
    setText(this.#label, state.out
      ? t("Unrealised P&L at {price}", { price: format(state.out[0]) }) : t("Unrealised"));
    const sign = unrealised === undefined ? 0 : compare(unrealised, "0");
    const arrow = freshness.dimmed ? "" : ARROWS[sign + 1];
    setText(this.#unrealised, arrow + money(unrealised, state.currency, state.decimals));
    setAttribute(this.#unrealised, "data-direction", ["down", null, "up"][sign + 1]);
    setAttribute(this.element, "data-dimmed", freshness.dimmed);
  }
}
