// The faults of a simulated venue: names, strengths, durations, and the text that the server
// parses.

import { number } from "../text/format.js";
import { t } from "../text/texts.js";

/** @typedef {[value: string, label: string]} Choice */
/**
 * @typedef {object} Kind
 * @property {string} name the server's name
 * @property {string} label
 * @property {Choice[]} strengths empty if there is no choice
 * @property {boolean} lasts whether it has a duration
 */

const ONCE = t("once");

/** @type {Choice[]} */
const CHANCES = [["", ONCE], ...["0.1", "1", "5", "20", "100"].map(
  (share) => /** @type {Choice} */ ([`=${share}%`, `${number(share)} %`]))];
/** @type {Choice[]} */
const DELAYS = [["=300ms", "300 ms"], ["=1s", "1 s"], ["=3s", "3 s"], ["=10s", "10 s"]];
/** @type {Choice[]} */
const GAPS = ["1", "5", "50"].map((count) =>
  [`=${count}`, t("{count} in a row", { count })]);
/** @type {Choice[]} */
const STATUSES = [["=503", "503"], ["=429", "429"], ["=401", "401"]];
/** @type {Choice[]} */
const CODES = [["=1001", "1001"], ["=1012", "1012"], ["=1008", "1008"]];
/** @type {Choice[]} */
const JUMPS = [["=+90s", "+90 s"], ["=-90s", "−90 s"], ["=+3600s", "+1 h"]];
/** @type {Choice[]} */
const RATES = ["1000", "10000", "50000"].map((rate) => [`=${rate}/s`, `${number(rate)}/s`]);

/** @type {Kind[]} */
export const KINDS = [
  { name: "drop", label: t("Lose messages"), strengths: CHANCES, lasts: true },
  { name: "gap", label: t("Gap"), strengths: GAPS, lasts: false },
  { name: "duplicate", label: t("Send twice"), strengths: CHANCES, lasts: true },
  { name: "reorder", label: t("Swap the order"), strengths: CHANCES, lasts: true },
  { name: "delay", label: t("Delay"), strengths: DELAYS, lasts: true },
  { name: "truncate", label: t("Cut messages short"), strengths: CHANCES, lasts: true },
  { name: "corrupt", label: t("Corrupt bytes"), strengths: CHANCES, lasts: true },
  { name: "checksum", label: t("Wrong checksum"), strengths: CHANCES, lasts: true },
  { name: "stall", label: t("Stall"), strengths: [], lasts: true },
  { name: "half-open", label: t("Half-open connection"), strengths: [], lasts: true },
  { name: "refuse", label: t("Refuse connections"), strengths: STATUSES, lasts: true },
  { name: "close", label: t("Close with a code"), strengths: CODES, lasts: false },
  { name: "cut", label: t("Cut the connection"), strengths: [], lasts: false },
  { name: "clock", label: t("Clock jump"), strengths: JUMPS, lasts: true },
  { name: "flood", label: t("Flood"), strengths: RATES, lasts: true },
];

/** @type {Choice[]} */
export const TIMES = [
  ...["2", "5", "10", "30"].map((seconds) =>
    /** @type {Choice} */ ([` for ${seconds}s`, `${seconds} s`])),
  ["", t("until cleared")],
];

// The durations of a fault of this strength; empty if it happens once.
/** @param {Kind} kind @param {string} strength */
export function timesOf(kind, strength) {
  if (!kind.lasts || (kind.strengths === CHANCES && strength === "")) return [];
  // A flood always ends.
  return kind.name === "flood" ? TIMES.slice(0, -1) : TIMES;
}

// The text for the server. Refusals apply to new connections, so the current one is closed first.
/** @param {Kind} kind @param {string} strength @param {string} time */
export const specOf = ({ name }, strength, time) =>
  `${name === "refuse" ? "cut, " : ""}${name}${strength}${time}`;

// A fault in words, from the server's text: "Lose messages 2 %".
/** @param {string} text */
export function faultWords(text) {
  const [, name, strength = "", place = ""] = /^([a-z-]+)=?([^@ ]*)(@\d+)?/.exec(text) ?? [];
  const kind = KINDS.find((known) => known.name === name);
  const strong = kind?.strengths.find(([value]) => value === `=${strength}`)?.[1] ?? strength;
  return [kind?.label ?? text, strong, place].filter(Boolean).join(" ");
}
