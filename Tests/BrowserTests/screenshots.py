"""Renders every screen at three widths in light and dark: screenshots.py OUTPUT_DIR

Uses the server of LIVETAPE_ADDRESS, or starts one as the tests do. Files: SCREEN-WIDTH-THEME.png.
"""

import os
import pathlib
import sys

from playwright.sync_api import sync_playwright

from servers import Server

SCREENS = {
    "tracker": ("/", ".feed-rows .arrow:not(:empty)"),
    "symbol": ("/symbol/AAPL", ".price.big .arrow:not(:empty)"),
    "stocks": ("/stocks", ".stock-rows .arrow:not(:empty)"),
    "products": ("/products", ".product-rows > li"),
    "product": ("/product/sb26493", ".price.big .arrow:not(:empty)"),
    "book": ("/book/XBTUSD", ".level:not([data-empty])"),
    "trades": ("/trades/XBTUSD", ".trade"),
    "chart": ("/chart/XBTUSD", ".chart-canvas"),
    "exchange": ("/exchange", ".price.big .arrow:not(:empty)"),
    "connections": ("/", ".feed-rows .arrow:not(:empty)"),
}
SIZES = {360: 760, 820: 1180, 1440: 900}
# Long enough for lines and the tape to show a market that moves.
LOOK_MILLISECONDS = int(os.environ.get("LOOK_MILLISECONDS", "12000"))


def shoot(browser, address, directory, width, theme):
    """All screens of one size and theme, looked at together so that all have time to fill."""
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]}, color_scheme=theme, locale="en-US",
        reduced_motion="no-preference")
    pages = {}
    for name, (path, ready) in SCREENS.items():
        pages[name] = context.new_page()
        pages[name].goto(address + path)
        pages[name].wait_for_selector(ready, state="attached")
    pages["tracker"].wait_for_timeout(LOOK_MILLISECONDS)
    for name, page in pages.items():
        page.bring_to_front()
        if name == "connections":
            page.locator(".chip").click()
        page.wait_for_timeout(400)
        page.screenshot(path=directory / f"{name}-{width}-{theme}.png")
    context.close()


def main(directory):
    server = None if os.environ.get("LIVETAPE_ADDRESS") else Server()
    address = os.environ.get("LIVETAPE_ADDRESS") or server.address
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
            for width in SIZES:
                for theme in ("light", "dark"):
                    shoot(browser, address.rstrip("/"), directory, width, theme)
            browser.close()
    finally:
        if server:
            server.stop()
    print(f"{len(SCREENS) * len(SIZES) * 2} screenshots in {directory}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: screenshots.py OUTPUT_DIR", file=sys.stderr)
        sys.exit(2)
    main(pathlib.Path(sys.argv[1]))
