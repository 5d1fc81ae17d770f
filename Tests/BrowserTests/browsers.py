"""Finds and starts the Chromium that tests, pictures and measures use."""

import os
import shutil

# The headless shell is the same engine without a browser's windows, at half of the processor time.
NAMES = ("chromium-headless-shell", "chromium")


def executable():
    """The path of the browser: CHROMIUM if set, else the first that is installed."""
    if named := os.environ.get("CHROMIUM"):
        return named
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        raise FileNotFoundError(f"none of {', '.join(NAMES)} is installed")
    return found


def launch(browser_type, *arguments):
    """A running browser; `arguments` are further flags of Chromium. LIVETAPE_VISIBLE=1 shows its window."""
    if os.environ.get("LIVETAPE_VISIBLE"):
        return browser_type.launch(executable_path=shutil.which("chromium") or executable(), headless=False,
                                   slow_mo=300, args=["--no-sandbox", *arguments])
    return browser_type.launch(executable_path=executable(), args=["--no-sandbox", *arguments])


def close(context):
    """Closes it; a request that one of its routes still serves doesn't fail the next test."""
    # One that a test has closed is no longer among the browser's.
    if context not in context.browser.contexts:
        return
    for routed in [context, *context.pages]:
        routed.unroute_all(behavior="ignoreErrors")
    context.close()
