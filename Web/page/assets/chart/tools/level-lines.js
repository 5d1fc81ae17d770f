// Where a line at a price and its tag stand, as the core placed them: that of a waiting order, that
// of an alert.

import { setAttribute } from "../../ui/dom.js";
import { STRIDE } from "../model/core.js";

/** @typedef {import("../model/core.js").Marks} Marks */
/**
 * `rule` is the line, `price` stands at the axis, `leader` joins both where they are apart, `tag`
 * stands where the price does.
 * @typedef {object} LevelParts
 * @property {HTMLElement} element
 * @property {HTMLElement} rule
 * @property {HTMLElement} leader
 * @property {HTMLElement} price
 * @property {HTMLElement} [tag]
 */

/**
 * Puts lines where the picture has them, in its order.
 * @param {LevelParts[]} lines
 * @param {Marks} marks
 * @param {Float32Array} floats
 * @param {import("../model/render-model.js").Frame} frame
 */
export function placeLevels(lines, marks, floats, { ratio, axis, plotWidth, plotHeight }) {
  const [width, height] = [plotWidth / ratio, plotHeight / ratio];
  lines.forEach(({ element, rule, leader, price, tag }, index) => {
    const isDrawn = index < marks.count;
    setAttribute(element, "hidden", !isDrawn);
    if (!isDrawn) return;
    const at = marks.at / 4 + index * (STRIDE.order / 4);
    const [y, tagY] = [floats[at] / ratio, floats[at + 1] / ratio];
    const side = y < 0 ? "above" : y > height ? "below" : "";
    setAttribute(element, "data-beyond", side || null);
    rule.style.transform = `translateY(${Math.round(y)}px)`;
    rule.style.width = `${width}px`;
    price.style.transform = `translateY(${Math.round(tagY)}px) translateY(-50%)`;
    price.style.minWidth = `${axis.right - 3}px`;
    if (tag) tag.style.transform = price.style.transform;
    const [from, to] = [Math.min(y, tagY), Math.max(y, tagY)];
    const isAside = side === "" && to - from > 3;
    setAttribute(leader, "hidden", !isAside);
    if (!isAside) return;
    leader.style.transform = `translate(${width - 1}px, ${Math.round(from)}px)`;
    leader.style.height = `${Math.round(to - from)}px`;
  });
}
