// Between the sides: the last price, as in the headline, and the spread. At the foot: bid versus
// ask size, or a level's explanation.

import { number } from "../text/format.js";
import { plural, t } from "../text/texts.js";
import { freshnessText } from "../text/words.js";
import { h, setAttribute, setText } from "../ui/dom.js";
import { Price } from "../ui/price.js";
import { ProofNote, WitnessNote } from "./notes.js";

/** @typedef {Entry<Topic.Figures>} Figures */

export class Middle {
  #last = new Price("span.price");
  #spread = h("span.spread");
  #points = h("span.spread-points");

  constructor() {
    this.#last.element.classList.add("book-last");
    this.element = h("div.book-mid", {}, this.#last.element,
      h("span.spreads", {}, this.#spread, this.#points));
  }

  // An invalid book has no spread: its place shows the book's state.
  /** @param {Topic.KnownBook} book @param {Seen} freshness @param {number} now */
  updateSpread({ spread, basisPoints, priceDecimals }, freshness, now) {
    const { dimmed, state } = freshness;
    const size = spread === undefined ? "–" : number(spread, priceDecimals);
    setText(this.#spread,
      dimmed ? freshnessText(freshness, now) : t("Spread {spread}", { spread: size }));
    setText(this.#points,
      dimmed || basisPoints === undefined ? "" : ` · ${number(basisPoints)} ${t("bp")}`);
    setAttribute(this.#spread, "data-state", dimmed ? state : null);
    setAttribute(this.element, "data-dimmed", dimmed);
  }

  /** @param {Figures | undefined} entry @param {Seen | undefined} freshness */
  updateLast(entry, freshness) {
    const state = entry?.state;
    setAttribute(this.#last.element, "hidden", state?.price === undefined);
    if (!entry || !state || !freshness || state.price === undefined) return;
    this.#last.update({
      text: number(state.price), direction: state.direction, changes: state.changes,
      generation: entry.generation, ...freshness,
    });
  }

  dispose() {
    this.#last.dispose();
  }
}

export class Foot {
  proof = new ProofNote();
  #witnesses = new WitnessNote();
  #vouchers = h("div.vouchers", {}, this.proof.element, this.#witnesses.element);
  #bids = h("span.share.share-bids");
  #asks = h("span.share.share-asks");
  #bar = h("span.share-bar", { "aria-hidden": "true" });
  #balance = h("div.balance", {}, this.#bids, this.#bar, this.#asks);
  #reach = h("span.reach");
  #cost = h("span.reach-cost");
  #level = h("div.reach-lines", { hidden: true }, this.#reach, this.#cost);

  constructor() {
    this.element = h("div.book-foot", {}, this.#balance, this.#vouchers, this.#level);
  }

  /** @param {Topic.KnownBook} book @param {boolean} dimmed */
  update({ bidShare, bidLevels, askLevels, resyncs, witnesses }, dimmed) {
    this.#witnesses.update(witnesses, dimmed);
    setAttribute(this.#balance, "data-known", bidShare !== undefined);
    setAttribute(this.element, "data-dimmed", dimmed);
    const again = resyncs > 0 ? ` · ${plural(resyncs, "{count} resync", "{count} resyncs")}` : "";
    const [bids, asks] = [bidLevels, askLevels].map((count) => number(String(count)));
    setAttribute(this.#balance, "title",
      t("Share of visible size. {bids} bid and {asks} ask levels loaded.", { bids, asks })
        + again);
    if (bidShare === undefined) return;
    const share = Math.round(bidShare / 10);
    setText(this.#bids, t("{share}% bids", { share }));
    setText(this.#asks, t("{share}% asks", { share: 100 - share }));
    this.#bar.style.setProperty("--share", `${share}%`);
  }

  // Shows a level's explanation instead of the balance; null restores the balance.
  /** @param {string[] | null} lines */
  say(lines) {
    setAttribute(this.#level, "hidden", lines === null);
    setAttribute(this.#balance, "hidden", lines !== null);
    setAttribute(this.#vouchers, "hidden", lines !== null);
    setText(this.#reach, lines?.[0] ?? "");
    setText(this.#cost, lines?.slice(1).filter(Boolean).join(" · ") ?? "");
  }
}
