"""Scripts that run inside the page and record what happens there."""

import os
import time

# The longest wait for anything. It only ends a hang: a wait that is met costs nothing. Beside other work, a page
# of a slow machine was seen to take 4 s for each task.
PATIENCE_SECONDS = int(os.environ.get("LIVETAPE_PATIENCE", "180"))

# Whether elements kept a class as long as they should: window.spans[name] counts those that lost it "early", "right" or
# "late", by timers set at the moment the class was seen. All timers of a page are late together, and fire in the order
# in which they are due, so a slow machine doesn't matter.
CLASS_SPANS = """([name, least, most]) => {
  const seen = { early: 0, right: 0, late: 0 };
  (window.spans ??= {})[name] = seen;
  const running = new Map();
  const begin = (element) => {
    const span = { isOver: false };
    running.set(element, span);
    setTimeout(() => { span.isOver = true; }, least);
    setTimeout(() => {
      if (running.get(element) !== span) return;
      running.delete(element);
      if (element.isConnected) seen.late += 1;
    }, most);
  };
  const end = (element) => {
    const span = running.get(element);
    if (!span) return;
    running.delete(element);
    seen[span.isOver ? "right" : "early"] += 1;
  };
  const take = ({ type, target, addedNodes, oldValue }) => {
    // A row that arrives with the class has no attribute change to see.
    for (const node of addedNodes) if (node.classList?.contains(name)) begin(node);
    if (type !== "attributes") return;
    const had = (oldValue ?? "").split(" ").includes(name);
    if (!target.classList.contains(name)) had && end(target);
    // Another change of the class, as of a price that flashes again, starts it again.
    else if (oldValue !== target.className) begin(target);
  };
  new MutationObserver((records) => records.forEach(take)).observe(document.body,
    { subtree: true, childList: true, attributes: true, attributeFilter: ["class"], attributeOldValue: true });
}"""

# Digits of the texts of a selector, as numbers, in the order of the page.
NUMBERS = """(selector) => [...document.querySelectorAll(selector)]
  .map((element) => Number(element.textContent.replace(/[^0-9.]/g, "")))"""


def numbers(page, selector):
    """The numbers that a selector's elements show, in order."""
    return page.evaluate(NUMBERS, selector)


def follow(page, path):
    """Follows a link to a path of the same page."""
    page.evaluate("""(path) => {
      const link = document.createElement("a");
      link.href = path;
      link.dataset.go = "";
      document.body.append(link);
      link.click();
      link.remove();
    }""", path)


def wait_until(page, true, seconds=PATIENCE_SECONDS):
    """Repeats a condition until it holds and returns its result."""
    waited, since = 0, time.monotonic()
    while not (answer := true()):
        now = time.monotonic()
        # A machine that was suspended for minutes has waited for no more than one turn.
        waited, since = waited + min(now - since, 5), now
        assert waited < seconds, "what was waited for did not happen"
        # Page messages are received meanwhile, also when it has no frames.
        page.wait_for_timeout(20)
    return answer


def is_sorted(selector, sign):
    """A page function: the numbers are there and sorted; `sign` -1 for highest first."""
    return f"""() => {{
      const shown = ({NUMBERS})({selector!r});
      return shown.length > 1 && shown.every((n, at) => at === 0 || {sign} * (n - shown[at - 1]) >= 0);
    }}"""


def choose_market(page, symbol):
    """Opens another market from the name of the present one."""
    page.locator(".market .chooser").click()
    page.get_by_role("combobox", name="Search").fill(symbol)
    page.keyboard.press("Enter")
