// "Inject a fault": breaks a simulated venue on purpose, lists its faults, and clears them.

import { sentence, t } from "../text/texts.js";
import { h, KeyedList, setAttribute, setText } from "../ui/dom.js";
import { faultWords, KINDS, specOf, timesOf } from "./kinds.js";

/** @typedef {Topic.RunningFault} Running */

/** The sections of all venues that can be broken. */
export class FaultPanel {
  /** @type {Map<string, Section>} */
  #sections = new Map();
  /** @type {Handle<Topic.Faults> | null} */
  #topic = null;
  #link;
  #refresh;
  /** The venue of the last request: a rejection is shown there. */
  #asked = "";

  /** @param {Link} link @param {() => unknown} refresh draws the list of venues again */
  constructor(link, refresh) {
    this.#link = link;
    this.#refresh = refresh;
    link.hear("error", ({ code, message }) => {
      if (code === "bad_fault") this.#sections.get(this.#asked)?.say(sentence(message));
    });
  }

  /** Follows the faults while the panel is open. */
  watch() {
    this.#topic ??= this.#link.topics.open("faults", this.#refresh);
  }

  rest() {
    this.#topic?.close();
    this.#topic = null;
  }

  // Draws a venue's section in its place; nothing if it can't be broken.
  /** @param {string} venue @param {string} name @param {HTMLElement} place */
  render(venue, name, place) {
    const state = this.#topic?.entry.state?.venues?.[venue];
    let section = this.#sections.get(venue);
    if (!section && state) {
      section = new Section(name, state.kinds, {
        inject: (faults) => this.#do(venue, { do: "fault.inject", venue, faults }),
        clear: () => this.#do(venue, { do: "fault.clear", venue }),
      });
      this.#sections.set(venue, section);
      place.append(section.element);
    }
    const running = state?.running ?? [];
    section?.update(running, this.#link.now(), this.#link.viewsOnly);
    // View-only users see injected faults too.
    if (section) setAttribute(section.element, "data-changes", running.length === 0);
  }

  /** @param {string} venue @param {Wire.Action} action */
  #do(venue, action) {
    this.#asked = venue;
    this.#sections.get(venue)?.say("");
    this.#link.do(action);
  }
}

class Section {
  #kind = h("select.field");
  #strength = h("select.field");
  #time = h("select.field");
  #strengthLabel = labelled(t("Strength"), this.#strength);
  #timeLabel = labelled(t("Duration"), this.#time);
  #said = h("p.field-error", { role: "status" });
  #rows = h("ul.faults-running");
  #clear = h("button.button.small",
    { type: "button", hidden: true, "data-changes": true }, t("Clear"));
  #title = h("span");
  #count = h("span.faults-count");
  /** @type {KeyedList<string, FaultRow>} */
  #list = new KeyedList(this.#rows, () => new FaultRow());
  #kinds;

  /**
   * @param {string} name the venue's
   * @param {string[]} kinds
   * @param {{inject: (faults: string) => unknown, clear: () => unknown}} acts
   */
  constructor(name, kinds, { inject, clear }) {
    this.#kinds = KINDS.filter((kind) => kinds.includes(kind.name));
    fill(this.#kind, this.#kinds.map((kind) => [kind.name, kind.label]));
    this.#kind.value = "stall";
    this.#kind.addEventListener("change", () => this.#chosen());
    this.#strength.addEventListener("change", () => this.#timed());
    this.#chosen();
    const form = h("form.faults-form",
      { "aria-label": t("Inject a fault into {name}", { name }), "data-changes": true },
      labelled(t("Fault"), this.#kind), this.#strengthLabel, this.#timeLabel,
      h("button.button.small", { type: "submit" }, t("Inject")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      inject(specOf(this.#chosenKind, this.#strength.value, this.#time.value));
    });
    setAttribute(this.#rows, "aria-label", t("Running at {name}", { name }));
    this.#clear.addEventListener("click", () => {
      clear();
      this.#kind.focus();
    });
    this.element = h("details.venue-more.venue-break", {},
      h("summary", {}, this.#title, this.#count), form, this.#said, this.#rows, this.#clear);
  }

  get #chosenKind() {
    return this.#kinds.find(({ name }) => name === this.#kind.value) ?? KINDS[0];
  }

  #chosen() {
    const { strengths } = this.#chosenKind;
    fill(this.#strength, strengths);
    if (strengths.length > 0) this.#strength.selectedIndex = Math.min(1, strengths.length - 1);
    setAttribute(this.#strengthLabel, "hidden", strengths.length === 0);
    this.#timed();
  }

  #timed() {
    const before = this.#time.options.length > 0 ? this.#time.value : null;
    const times = timesOf(this.#chosenKind, this.#strength.value);
    fill(this.#time, times);
    const kept = times.findIndex(([value]) => value === before);
    if (times.length > 0) this.#time.selectedIndex = kept < 0 ? 1 : kept;
    setAttribute(this.#timeLabel, "hidden", times.length === 0);
  }

  /** @param {string} sentence */
  say(sentence) {
    setText(this.#said, sentence);
  }

  /** @param {Running[]} running @param {number} now @param {boolean} viewsOnly */
  update(running, now, viewsOnly) {
    setText(this.#title, viewsOnly ? t("Fault injected") : t("Inject a fault"));
    // Equal faults may run side by side: each has its own key.
    this.#list.arrange(running.map(({ fault, until = 0 }, at) => `${at} ${fault} ${until}`));
    [...this.#list.rows.values()].forEach((row, at) => row.update(running[at], now));
    // A fault may end while its button has the focus.
    if (running.length === 0 && document.activeElement === this.#clear) this.#kind.focus();
    setAttribute(this.#clear, "hidden", running.length === 0);
    setText(this.#count, running.length === 0 ? ""
      : ` · ${t("{count} running", { count: running.length })}`);
  }
}

class FaultRow {
  #what = h("span");
  #left = h("span.fault-left");
  element = h("li", {}, this.#what, this.#left);

  /** @param {Running} running @param {number} now */
  update({ fault, until }, now) {
    setText(this.#what, faultWords(fault));
    setText(this.#left, until === undefined ? t("until cleared")
      : t("{wait} s left", { wait: Math.max(0, Math.ceil((until - now) / 1000)) }));
  }
}

/** @param {string} text @param {HTMLElement} control */
const labelled = (text, control) => h("label.faults-choice", {}, h("span", {}, text), control);

/** @param {HTMLSelectElement} select @param {[value: string, label: string][]} choices */
function fill(select, choices) {
  select.replaceChildren(...choices.map(([value, label]) => h("option", { value }, label)));
}
