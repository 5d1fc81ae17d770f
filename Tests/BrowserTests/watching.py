"""Scripts that run inside the page and write down what happens there."""

import time

# How long each element kept a class: window.kept[name] is a list of milliseconds.
CLASS_TIMES = """(name) => {
  window.kept = window.kept ?? {};
  window.kept[name] = [];
  const since = new Map();
  new MutationObserver((records) => {
    for (const { target } of records) {
      const has = target.classList.contains(name);
      if (has && !since.has(target)) since.set(target, performance.now());
      if (!has && since.has(target)) {
        window.kept[name].push(performance.now() - since.get(target));
        since.delete(target);
      }
    }
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] });
  // A row that arrives with the class has no attribute change to see.
  new MutationObserver((records) => {
    for (const record of records) for (const node of record.addedNodes) {
      if (node.classList?.contains(name)) since.set(node, performance.now());
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""

# Digits of the texts of a selector, as numbers, in the order of the page.
NUMBERS = """(selector) => [...document.querySelectorAll(selector)]
  .map((element) => Number(element.textContent.replace(/[^0-9.]/g, "")))"""


def numbers(page, selector):
    """The numbers that a selector's elements show, in order."""
    return page.evaluate(NUMBERS, selector)


def wait_until(page, true, seconds=10):
    """Looks once a frame until something that this side of the wire knows is so."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        page.evaluate("() => new Promise(requestAnimationFrame)")


def is_sorted(selector, sign):
    """A page function: the numbers are there and sorted; `sign` -1 for highest first."""
    return f"""() => {{
      const shown = ({NUMBERS})({selector!r});
      return shown.length > 1 && shown.every((n, at) => at === 0 || {sign} * (n - shown[at - 1]) >= 0);
    }}"""
