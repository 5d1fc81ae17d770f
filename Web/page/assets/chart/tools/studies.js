// The user's chosen studies, stored, and each study's text: its value, since when it has data, and
// the missing parts.

import { read, remember } from "../../base/storage.js";
import { t } from "../../text/texts.js";
import { duration } from "../../text/words.js";
import { h, setAttribute, setText } from "../../ui/dom.js";
import { PANES } from "../model/core.js";
import { shareOf } from "../model/render-model.js";
import { menu } from "./menus.js";

/** @typedef {import("../model/core.js").Studies} Studies */
/** @typedef {keyof Studies} Key */
/** @typedef {import("../model/render-model.js").Labels} Labels */
/** @typedef {{text: string, value: string}} Said */

const KEY = "chart.studies";
/** Lengths of an exponential average beyond which a close weighs less than 1 in 2,000. */
const SETTLED = 4;
/** Wilder's averages forget half as fast. */
const SETTLED_WILDER = 2 * SETTLED;
/** The most candles requested for a day's VWAP. */
const MOST_OF_DAY = 5000;
const DAY = 86_400_000;
const LENGTHS = ["5", "9", "20", "50", "100", "200"];

/**
 * The studies in the order of the menu and the legend: the word that stores it and its sign, its
 * name, and its settings, the usual one first named by `usual`.
 * @type {{key: Key, word: string, sign: string, name: string, settings: string[], usual: string}[]}
 */
const STUDIES = [
  { key: "moving", word: "ma", sign: "MA", name: t("Moving average"),
    settings: LENGTHS, usual: "20" },
  { key: "exponential", word: "ema", sign: "EMA", name: t("Exponential average"),
    settings: LENGTHS, usual: "20" },
  { key: "bands", word: "bb", sign: "BB", name: t("Bollinger Bands"),
    settings: ["10/1.5", "20/2", "20/2.5", "50/2.5"], usual: "20/2" },
  { key: "weighted", word: "vwap", sign: "VWAP", name: "VWAP", settings: [], usual: "1" },
  { key: "profile", word: "profile", sign: t("Most traded"), name: t("Volume profile"),
    settings: [], usual: "1" },
  { key: "strength", word: "rsi", sign: "RSI", name: t("Relative strength"),
    settings: ["7", "9", "14", "21"], usual: "14" },
  { key: "convergence", word: "macd", sign: "MACD", name: "MACD",
    settings: ["12/26/9", "5/35/5", "6/13/5"], usual: "12/26/9" },
  { key: "range", word: "atr", sign: "ATR", name: t("Average true range"),
    settings: ["7", "14", "20", "50"], usual: "14" },
];
/** @type {Readonly<Studies>} */
const NONE = { moving: "", exponential: "", bands: "", weighted: "", profile: "", strength: "",
  convergence: "", range: "" };

// Parses "ma20 ema9 bb20/2 vwap profile"; other words are omitted.
/** @param {string | null} text */
function studiesOf(text) {
  const chosen = { ...NONE };
  for (const word of (text ?? "").slice(0, 200).split(" ")) {
    for (const { key, word: name, settings, usual } of STUDIES) {
      if (settings.length === 0 && word === name) chosen[key] = usual;
      const setting = word.slice(name.length);
      if (word.startsWith(name) && settings.includes(setting)) chosen[key] = setting;
    }
  }
  return chosen;
}

/** @param {Studies} studies */
const textOf = (studies) => STUDIES.filter(({ key }) => studies[key] !== "")
  .map(({ key, word, settings }) => word + (settings.length > 0 ? studies[key] : "")).join(" ");

/** @param {Key} study */
const isInPane = (study) => PANES.some((pane) => pane === study);

// "BB 20 · 2" of "20/2".
/** @param {(typeof STUDIES)[number]} study @param {Studies} studies */
const titleOf = ({ key, sign, settings }, studies) =>
  (settings.length > 0 ? `${sign} ${studies[key].replaceAll("/", " · ")}` : sign);

/**
 * From when on candles are needed for studies from `left` on: averages over a window need their
 * length, those that fade enough for the rest to weigh little, VWAP its day.
 * @param {Studies} studies
 * @param {{left: number, interval: number}} view
 * @param {number} offset ms of the page's time zone ahead of UTC
 */
export function neededSince(studies, { left, interval }, offset) {
  const lengths = (/** @type {Key} */ key) => studies[key].split("/").map(Number);
  const [, slow = 0, signal = 0] = lengths("convergence");
  const candles = Math.max(lengths("moving")[0], lengths("bands")[0],
    SETTLED * lengths("exponential")[0], SETTLED * (slow + signal),
    SETTLED_WILDER * lengths("strength")[0], SETTLED_WILDER * lengths("range")[0]);
  const local = left + offset;
  const day = studies.weighted && interval < DAY
    ? Math.floor(local / DAY) * DAY - offset : left;
  return Math.min(left - candles * interval, Math.max(day, left - MOST_OF_DAY * interval));
}

/** The menu in the bar: the choice is stored for all charts. */
export class StudyMenu {
  chosen = studiesOf(read(KEY));
  #act;

  /** @param {() => unknown} act */
  constructor(act) {
    this.#act = act;
    this.element = menu(t("Studies"), [h("span", {}, t("Studies"))],
      h("fieldset", {}, h("legend", {}, t("Studies")),
        ...STUDIES.map((study) => this.#row(study))));
  }

  /** The titles of those in panes, from the top. */
  get titles() {
    return STUDIES.filter(({ key }) => isInPane(key) && this.chosen[key] !== "")
      .map((study) => titleOf(study, this.chosen));
  }

  /** @param {(typeof STUDIES)[number]} study */
  #row({ key, name, settings, usual }) {
    const input = h("input", { type: "checkbox" });
    input.checked = this.chosen[key] !== "";
    const setting = h("select", { "aria-label": t("{study}, candles", { study: name }) },
      ...settings.map((value) => h("option", { value }, value.replaceAll("/", " · "))));
    setting.value = this.chosen[key] || usual;
    const choose = () => {
      const value = settings.length > 0 ? setting.value : usual;
      this.chosen = { ...this.chosen, [key]: input.checked ? value : "" };
      remember(KEY, textOf(this.chosen));
      this.#act();
    };
    input.addEventListener("change", choose);
    if (settings.length === 0) return h("label.option", {}, input, h("span", {}, name));
    setting.addEventListener("change", () => {
      input.checked = true;
      choose();
    });
    return h("div.option", {}, h("label", {}, input, h("span", {}, name)), setting);
  }
}

/** The studies in the legend, each with its line's sign. */
export class StudyWords {
  #parts = STUDIES.map((study) => {
    const [name, value, rest] = [h("i"), h("strong"), h("span")];
    const element = h(`span.legend-study.of-${study.key}`, { hidden: true }, name, value, rest);
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
      const said = studies[study.key] === "" ? null
        : study.key === "profile" ? profileWords(core, interval, labels)
          : studyWords(core, study.key, index, interval, labels);
      setAttribute(element, "hidden", !said);
      if (!said) continue;
      setText(name, titleOf(study, studies));
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

/** The core's readings of a study: several lines share its sign. */
const READINGS = /** @type {const} */ ({
  moving: ["moving"], exponential: ["exponential"], weighted: ["weighted"],
  bands: ["lower", "middle", "upper"], strength: ["strength"],
  convergence: ["convergence", "signal"], range: ["trueRange"],
});

/**
 * @param {CoreChart} core
 * @param {Exclude<Key, "profile">} study
 * @param {number} index
 * @param {number} interval
 * @param {Labels} labels
 * @returns {Said | null}
 */
function studyWords(core, study, index, interval, labels) {
  const readings = READINGS[study].map((name) => core.study(name, index));
  const last = readings[readings.length - 1];
  if (!last) return null;
  const { since, candles, needed, blind, blindCount, missing } = last;
  const moment = (/** @type {number} */ time) => momentOf(time, since ?? time, interval, labels);
  const begun = since === null ? "" : t("since {time}", { time: moment(since) });
  const shown = (/** @type {bigint} */ value) => (study === "strength" ? shareOf(value)
    : isInPane(study) ? labels.price.finer(value) : labels.price.text(value));
  const value = readings.map((reading) => (reading?.value == null ? "–" : shown(reading.value)))
    .join(" · ");
  if (last.value === null) {
    const found = study === "weighted" ? t("no volume")
      : t("{count} of {whole} candles", { count: candles, whole: needed });
    return { value: readings.every((reading) => reading?.value == null) ? "–" : value,
      text: `${found} ${begun}` };
  }
  const stretches = blind.map(([from, to]) => `${moment(from)}–${moment(to)}`).join(", ");
  const more = blindCount > blind.length
    ? ` ${t("and {count} more", { count: blindCount - blind.length })}` : "";
  const unseen = missing >= 1000 ? duration(missing) : "";
  const without = [stretches && stretches + more, unseen].filter(Boolean).join(", ");
  // The name of an average over a window already gives its length.
  const words = [study === "moving" || study === "bands" ? "" : begun,
    without && t("without {times}", { times: without })];
  return { value, text: words.filter(Boolean).join(", ") };
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
