"""Measurements inside the page: contrast, overflow, touch target sizes. Each returns its findings."""

import time

from watching import PATIENCE_SECONDS

# Every visible text against its composited backgrounds, including the bar of a book row.
CONTRAST = r"""() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.replace(/^color\(srgb/, "").match(/[\d.e-]+/g).map(Number);
    // What color-mix makes is written from 0 to 1.
    const scale = text.startsWith("color(srgb") ? 255 : 1;
    return { r: r * scale, g: g * scale, b: b * scale, a };
  };
  const over = (top, under) => ({
    r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
    b: top.b * top.a + under.b * (1 - top.a), a: 1,
  });
  const linear = (value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const groundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      // The bars of a row of the book are one colour each, the upper one first.
      const bars = at.classList.contains("level")
        ? getComputedStyle(at).backgroundImage.split("linear-gradient").slice(1).map((bar) => bar.match(/(?:rgba?|color)\([^)]*\)/)[0]) : [];
      for (const bar of bars) layers.push(parse(bar));
      layers.push(parse(getComputedStyle(at).backgroundColor));
    }
    return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
  };
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.nodeValue.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".unseen, noscript, option, script") || element.matches(":disabled")) continue;
    const ground = groundOf(element);
    const ink = over(parse(getComputedStyle(element).color), ground);
    const [low, high] = [light(ground), light(ink)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) wrong.push(`${element.className || element.tagName}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(wrong)];
}"""

# Elements that reach beyond the right edge, are cut off without an ellipsis, or can be scrolled sideways.
OVERFLOWING = r"""() => {
  const wrong = [];
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".unseen, .skip, svg")) continue;
    // The strip of tabs is scrolled sideways where it does not fit.
    if (element.closest(".dock-tabs")) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 1 && box.right > innerWidth + 0.5) wrong.push(`${element.className}: to ${box.right}`);
    const style = getComputedStyle(element);
    const cut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
    if (cut && style.overflowX !== "visible" && style.textOverflow !== "ellipsis") wrong.push(`${element.className}: scrolls`);
    if (cut && style.display === "grid" && style.overflowX === "visible" && element.matches(".level, .trade, .book-heads"))
      wrong.push(`${element.className}: its cells are wider than the row`);
  }
  for (const cell of document.querySelectorAll(".level > :is(.size, .level-price, .level-total), .trade > span")) {
    if (cell.scrollWidth > cell.clientWidth + 1) wrong.push(`${cell.className}: text wider than its cell`);
  }
  return [...new Set(wrong)];
}"""

# Cut numbers: every visible text with a digit is whole, or entirely hidden. A list that scrolls may end in the middle
# of a row. Names may end in an ellipsis, numbers may not.
CUT_NUMBERS = r"""() => {
  const wrong = [];
  const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
  const isName = (text) => (text.match(/\p{L}{3,}/gu) ?? []).length > 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [node, element] = [walker.currentNode, walker.currentNode.parentElement];
    if (!/\p{Nd}/u.test(node.nodeValue) || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".unseen, .skip, noscript, option, script, style, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let { left, right, top, bottom } = range.getBoundingClientRect();
    if (right - left < 1) continue;
    const slack = (bottom - top) / 4;
    let problem = "";
    for (let at = element; at && at !== document.body && problem === ""; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.clipPath !== "none") { problem = "hidden"; break; }
      if (style.overflowX === "visible" && style.overflowY === "visible") {
        if (style.position === "fixed") break;
        continue;
      }
      const outer = at.getBoundingClientRect();
      const [x, y] = [outer.left + at.clientLeft, outer.top + at.clientTop];
      const box = { left: x, right: x + at.clientWidth, top: y, bottom: y + at.clientHeight };
      if (right <= box.left + 1 || left >= box.right - 1 || bottom <= box.top + slack || top >= box.bottom - slack) {
        problem = "hidden";
        break;
      }
      if (scrolls(style.overflowX)) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      else if (left < box.left - 1 || right > box.right + 1) {
        problem = style.textOverflow === "ellipsis" && isName(node.nodeValue) ? "hidden"
          : `cut by ${at.className || at.tagName} (${Math.round(left)}–${Math.round(right)} of ${Math.round(box.left)}–${Math.round(box.right)})`;
      }
      if (scrolls(style.overflowY)) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      else if (top < box.top - slack || bottom > box.bottom + slack) problem ||= `cut in height by ${at.className || at.tagName}`;
      if (style.position === "fixed") break;
    }
    if (problem === "" && (left < -1 || right > innerWidth + 1)) problem = "cut by the window";
    if (problem !== "" && problem !== "hidden") wrong.push(`${element.className || element.tagName} ${JSON.stringify(node.nodeValue)}: ${problem}`);
  }
  return [...new Set(wrong)];
}"""

# Texts of the book that another element covers.
COVERED = r"""() => [...document.querySelectorAll(".level > .size, .level > .level-price")].filter((cell) => {
  const box = cell.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return top && top.closest(".level") === cell.parentElement && top !== cell;
}).map((cell) => cell.textContent)"""

# Controls with a touch area lower or narrower than 44 px: a point 21 px from the middle still hits them.
SMALL_TARGETS = r"""() => {
  const wrong = [];
  const controls = "a[href], button, select, input:not([type=radio])";
  // What lies under an open sheet is pressed once it is closed.
  const sheet = document.querySelector(".ticket-sheet:not([hidden])");
  for (const element of document.querySelectorAll(controls)) {
    if (sheet && element.closest("main") && !sheet.contains(element)) continue;
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".skip, dialog, [popover]")) continue;
    element.scrollIntoView({ block: "center" });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (const [dx, dy] of [[0, 0], [0, -21], [0, 21], [-21, 0], [21, 0]]) {
      const hit = document.elementFromPoint(x + dx, y + dy)?.closest(controls);
      if (hit !== element) wrong.push(`${element.className || element.tagName} ${element.textContent} ${dx} ${dy}: ${hit?.className}`);
    }
  }
  return [...new Set(wrong)];
}"""


def nothing(page, measure):
    """Waits until a measurement has no findings; after new numbers a layout may take a few frames to settle."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (wrong := page.evaluate(measure)) and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert wrong == [], wrong
