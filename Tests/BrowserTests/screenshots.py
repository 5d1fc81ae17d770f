"""Renders every screen at three widths in light and dark: screenshots.py OUTPUT_DIR

Uses the server of LIVETAPE_ADDRESS, or starts one as the tests do. Files: SCREEN-WIDTH-THEME.png.
"""

import os
import pathlib
import sys

from playwright.sync_api import sync_playwright

from browsers import launch
from servers import Server

SCREENS = {
    "tracker": ("/feed", ".feed-rows .arrow:not(:empty)"),
    "symbol": ("/symbol/AAPL", ".price.big .arrow:not(:empty)"),
    "stocks": ("/stocks", ".stock-rows .arrow:not(:empty)"),
    "products": ("/products", ".product-rows > li"),
    "product": ("/product/sb26493", ".price.big .arrow:not(:empty)"),
    "markets": ("/markets/all", ".market-row[data-state=live]"),
    "book": ("/book/XBTUSD", ".level:not([data-empty])"),
    "trades": ("/trades/XBTUSD", ".trade"),
    "kraken-book": ("/book/BTC%2FUSD", ".level:not([data-empty])"),
    "kraken-trades": ("/trades/BTC%2FUSD", ".trade"),
    "chart": ("/chart/XBTUSD", ".chart-canvas"),
    "exchange": ("/exchange", ".price.big .arrow:not(:empty)"),
    "ticket": ("/exchange", ".ticket-form"),
    "orders": ("/orders", ".order"),
    "connections": ("/feed", ".feed-rows .arrow:not(:empty)"),
}
# Small charts of data that the page itself has received: opened first and captured last, when there is a line.
SEEN = {"symbol", "product"}
# The orders in the screenshots: fills, a cancelled rest, open orders.
ORDERS = """async () => {
  const socket = new WebSocket(`ws://${location.host}/live`);
  const heard = () => new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
  await new Promise((resolve) => (socket.onopen = resolve));
  const orders = [["market", "buy", "20"], ["limit", "sell", "900", "0.01"], ["limit", "buy", "150", "1.25"],
    ["market", "sell", "5000"], ["limit", "buy", "8", "0.50"], ["market", "buy", "100000"]];
  for (const [at, [type, side, quantity, price]] of orders.entries()) {
    socket.send(JSON.stringify({ do: "order.place", order: { clientId: `shot-${at}`, type, side, quantity, price } }));
    await heard();
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  socket.send(JSON.stringify({ do: "order.cancel", id: "5" }));
  await heard();
  socket.close();
}"""
SIZES = {360: 760, 820: 1180, 1440: 900}
# Long enough for lines and the tape to show a moving market.
LOOK_MILLISECONDS = int(os.environ.get("LOOK_MILLISECONDS", "6000"))
PATIENCE_MILLISECONDS = 120_000


# The lines of the market list load one after the other; waits for the visible ones.
LINES = """() => [...document.querySelectorAll(".market-row:not([hidden]) .spark")].slice(0, 20)
  .every((line) => !line.checkVisibility() || line.getAttribute("aria-label") !== "No line yet")"""


def open_screen(context, address, name):
    path, ready = SCREENS[name]
    page = context.new_page()
    page.goto(address + path)
    page.wait_for_selector(ready, state="attached")
    return page


def shoot(browser, address, directory, width):
    """All screens of one width, one after the other: many at once would slow each other down."""
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]}, locale="en-US", reduced_motion="no-preference",
        has_touch=width == 360, is_mobile=width == 360)
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    seen = {name: open_screen(context, address, name) for name in SCREENS if name in SEEN}
    for name in [*(name for name in SCREENS if name not in SEEN), *seen]:
        page = seen.get(name) or open_screen(context, address, name)
        page.wait_for_timeout(LOOK_MILLISECONDS)
        if name == "markets":
            page.wait_for_function(LINES)
        if name == "connections":
            page.locator(".chip").click()
        if name == "ticket":
            # Where there is no room beside the chart, it is a sheet.
            buy = page.locator(".trade-buy")
            if buy.is_visible():
                buy.click()
            page.get_by_label("Quantity", exact=True).fill("100")
            page.locator(".ticket-form .preview-left, .ticket-form .preview-facts").first.wait_for()
            page.locator(".ticket").scroll_into_view_if_needed()
        if name == "orders":
            page.locator(".order-line").first.click()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            # Until colour transitions have ended.
            page.wait_for_timeout(400)
            page.screenshot(path=directory / f"{name}-{width}-{theme}.png")
        page.close()
    context.close()


def main(directory):
    server = None if os.environ.get("LIVETAPE_ADDRESS") else Server()
    address = os.environ.get("LIVETAPE_ADDRESS") or server.address
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright.chromium)
            if server:
                # A newly started server has no history yet; a running one stays unchanged.
                page = browser.new_page()
                page.goto(f"{address}/orders")
                page.evaluate(ORDERS)
                page.close()
            for width in SIZES:
                shoot(browser, address.rstrip("/"), directory, width)
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
