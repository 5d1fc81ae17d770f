// Quantities to take with one press: shares of what is offered at the best price, and that of the
// order before. They keep their places, whether they can be pressed or not.

import { number } from "../text/format.js";
import { t } from "../text/texts.js";
import { h, setAttribute, setText } from "../ui/dom.js";

const SHARES = [25, 50, 100];

export class TicketPresets {
  #shares;
  #last = h("button.preset", { type: "button" });

  /** @param {import("../orders/ticket-core.js").TicketCore} core */
  constructor(core) {
    this.#shares = SHARES.map((percent) => {
      const button = h("button.preset", { type: "button" }, `${number(String(percent))} %`);
      button.addEventListener("click", () => core.act("share", percent));
      return button;
    });
    this.#last.addEventListener("click", () => core.act("last"));
    this.element = h("div.presets", { role: "group", "aria-label": t("Quantities") },
      ...this.#shares, this.#last);
  }

  /** @param {TicketView} view */
  show({ shares, last, side }) {
    this.#shares.forEach((button, at) => {
      const share = shares[at];
      const quantity = share?.quantity;
      const part = { share: number(String(SHARES[at])) };
      const what = side === "buy" ? t("{share} % of what is offered at the best price", part)
        : t("{share} % of what is wanted at the best price", part);
      const text = quantity ? `${number(quantity)}: ${what}` : `${what}: ${t("not known")}`;
      setAttribute(button, "disabled", !quantity);
      setAttribute(button, "title", text);
      setAttribute(button, "aria-label", text);
    });
    setAttribute(this.#last, "disabled", last === "");
    setText(this.#last, t("Last {quantity}", { quantity: last === "" ? "–" : number(last) }));
    setAttribute(this.#last, "aria-label", last === "" ? t("No quantity before")
      : t("Last quantity, {quantity}", { quantity: number(last) }));
  }
}
