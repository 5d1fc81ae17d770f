// The user's chosen studies, stored, and each study's text: its value, since when it has data, and
// the missing parts.

import { read, remember } from "../../base/storage.js";
import { t } from "../../text/texts.js";
import { duration } from "../../text/words.js";
import { h, setAttribute, setText } from "../../ui/dom.js";
import { menu } from "./menus.js";

/** @typedef {import("../model/core.js").Studies} Studies */
/** @typedef {import("../model/core.js").Reading} Reading */
/** @typedef {import("../model/render-model.js").Labels} Labels */
/** @typedef {{text: string, value: string}} Said */

const KEY = "chart.studies";
const LENGTHS = [5, 9, 20, 50, 100, 200];
const USUAL = 20;
/** Lengths of an exponential average beyond which a close weighs less than 1 in 2,000. */
const SETTLED = 4;
/** The most candles requested for a day's VWAP. */
const MOST_OF_DAY = 5000;
const DAY = 86_400_000;
/** @type {Readonly<Studies>} */
const NONE = { moving: 0, exponential: 0, weighted: false, profile: false };

// Parses "ma20 ema9 vwap profile"; other words are omitted.
/** @param {string | null} text */
function studiesOf(text) {
  const chosen = { ...NONE };
  for (const word of (text ?? "").slice(0, 100).split(" ")) {
    const [, name, digits] = /^(ma|ema|vwap|profile)(\d*)$/.exec(word) ?? [];
    const length = LENGTHS.includes(Number(digits)) ? Number(digits) : 0;
    if (name === "ma") chosen.moving = length;
    if (name === "ema") chosen.exponential = length;
    if (name === "vwap") chosen.weighted = true;
    if (name === "profile") chosen.profile = true;
  }
  return chosen;
}

/** @param {Studies} studies */
const textOf = ({ moving, exponential, weighted, profile }) => [
  moving && `ma${moving}`, exponential && `ema${exponential}`, weighted && "vwap",
  profile && "profile",
].filter(Boolean).join(" ");

/**
 * From when on candles are needed for studies from `left` on: a moving average needs its length, an
 * exponential one enough for the rest to weigh little, VWAP its day.
 * @param {Studies} studies
 * @param {{left: number, interval: number}} view
 * @param {number} offset ms of the page's time zone ahead of UTC
 */
export function neededSince({ moving, exponential, weighted }, { left, interval }, offset) {
  const candles = Math.max(moving, SETTLED * exponential);
  const local = left + offset;
  const day = weighted && interval < DAY ? Math.floor(local / DAY) * DAY - offset : left;
  return Math.min(left - candles * interval, Math.max(day, left - MOST_OF_DAY * interval));
}

/** The menu in the bar: the choice is stored for all charts. */
export class StudyMenu {
  chosen = studiesOf(read(KEY));
  #act;

  /** @param {(studies: Studies) => unknown} act */
  constructor(act) {
    this.#act = act;
    const rows = [
      this.#average(t("Moving average"), "moving"),
      this.#average(t("Exponential average"), "exponential"),
      this.#row("VWAP", "weighted"), this.#row(t("Volume profile"), "profile"),
    ];
    this.element = menu(t("Studies"), [h("span", {}, t("Studies"))],
      h("fieldset", {}, h("legend", {}, t("Studies")), ...rows));
  }

  /** @param {string} text @param {"weighted" | "profile"} key */
  #row(text, key) {
    const input = h("input", { type: "checkbox" });
    input.checked = this.chosen[key];
    input.addEventListener("change", () => this.#choose({ [key]: input.checked }));
    return h("label.option", {}, input, h("span", {}, text));
  }

  /** @param {string} text @param {"moving" | "exponential"} key */
  #average(text, key) {
    const input = h("input", { type: "checkbox" });
    const length = h("select", { "aria-label": t("{study}, candles", { study: text }) },
      ...LENGTHS.map((value) => h("option", { value }, String(value))));
    length.value = String(this.chosen[key] || USUAL);
    input.checked = this.chosen[key] > 0;
    const choose = () => this.#choose({ [key]: input.checked ? Number(length.value) : 0 });
    input.addEventListener("change", choose);
    length.addEventListener("change", () => {
      input.checked = true;
      choose();
    });
    return h("div.option", {}, h("label", {}, input, h("span", {}, text)), length);
  }

  /** @param {Partial<Studies>} change */
  #choose(change) {
    this.chosen = { ...this.chosen, ...change };
    remember(KEY, textOf(this.chosen));
    this.#act(this.chosen);
  }
}

/** The studies in the legend, each with its line's sign. */
export class StudyWords {
  #parts = /** @type {const} */ (["moving", "exponential", "weighted", "profile"]).map((study) => {
    const [name, value, rest] = [h("i"), h("strong"), h("span")];
    const element = h(`span.legend-study.of-${study}`, { hidden: true }, name, value, rest);
    return { study, element, name, value, rest };
  });
  elements = this.#parts.map(({ element }) => element);

  /**
   * At a drawn candle.
   * @param {CoreChart} core
   * @param {Studies} studies
   * @param {{index: number, interval: number}} at
   * @param {Labels} labels
   */
  update(core, studies, { index, interval }, labels) {
    for (const { study, element, name, value, rest } of this.#parts) {
      const said = study === "profile" ? profileWords(core, interval, labels)
        : studyWords(core.study(study, index), study, studies, interval, labels);
      setAttribute(element, "hidden", !said);
      if (!said) continue;
      setText(name, NAMES[study](studies));
      setText(value, said.value);
      setText(rest, said.text);
    }
  }

  /** The same as a sentence; empty without studies. */
  get sentence() {
    return this.#parts.filter(({ element }) => !element.hidden)
      .map(({ name, value, rest }) => [name, value, rest].map((part) => part.textContent)
        .filter(Boolean).join(" ")).join(", ");
  }
}

// Omits the seconds of whole minutes.
/** @param {number} time @param {number} start @param {number} interval @param {Labels} labels */
const momentOf = (time, start, interval, labels) =>
  labels.time.since(time, start, time % 60_000 === 0 ? Infinity : interval);

/** @type {{[study: string]: (studies: Studies) => string}} */
const NAMES = {
  moving: ({ moving }) => `MA ${moving}`, exponential: ({ exponential }) => `EMA ${exponential}`,
  weighted: () => "VWAP", profile: () => t("Most traded"),
};

/**
 * @param {Reading | null} reading
 * @param {"moving" | "exponential" | "weighted"} study
 * @param {Studies} studies
 * @param {number} interval
 * @param {Labels} labels
 * @returns {Said | null}
 */
function studyWords(reading, study, studies, interval, labels) {
  if (!reading) return null;
  const { value, since, candles, blind, blindCount, missing } = reading;
  const moment = (/** @type {number} */ time) => momentOf(time, since ?? time, interval, labels);
  const begun = since === null ? "" : t("since {time}", { time: moment(since) });
  if (value === null) {
    const found = study === "weighted" ? t("no volume")
      : t("{count} of {whole} candles", { count: candles, whole: studies[study] });
    return { value: "–", text: `${found} ${begun}` };
  }
  const stretches = blind.map(([from, to]) => `${moment(from)}–${moment(to)}`).join(", ");
  const more = blindCount > blind.length
    ? ` ${t("and {count} more", { count: blindCount - blind.length })}` : "";
  const unseen = missing >= 1000 ? duration(missing) : "";
  const without = [stretches && stretches + more, unseen].filter(Boolean).join(", ");
  // A moving average's name already gives its length.
  const words = [study === "moving" ? "" : begun,
    without && t("without {times}", { times: without })];
  return { value: labels.price.text(value), text: words.filter(Boolean).join(", ") };
}

/**
 * @param {CoreChart} core
 * @param {number} interval
 * @param {Labels} labels
 * @returns {Said | null}
 */
function profileWords(core, interval, labels) {
  const profile = core.profile();
  if (!profile) return null;
  const { since, until, low, high } = profile;
  const moment = (/** @type {number} */ time) => momentOf(time, since, interval, labels);
  return {
    value: `${labels.price.text(low)}–${labels.price.text(high)}`,
    text: t("of {since}–{until}", { since: moment(since), until: moment(until) }),
  };
}
