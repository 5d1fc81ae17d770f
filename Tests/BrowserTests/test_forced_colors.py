"""Forced colours, as in Windows' high contrast: selected and drawn elements stay distinguishable."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.thorough

DESKTOP = {"width": 1440, "height": 900}
# The painted background and text colour of an element.
LOOK = "(element) => { const { backgroundColor, color } = getComputedStyle(element); return `${backgroundColor} ${color}`; }"
# How the pixels of a canvas divide into its most frequent colour and the others.
SHARES = """() => {
  const canvas = document.querySelector(".chart-canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return Math.max(...counts.values()) / pixels.length;
}"""


@pytest.fixture(params=["light", "dark"])
def forced(request, open_page):
    """Opens pages in forced colours of both kinds."""
    return lambda path, **options: open_page(
        path, **{"viewport": DESKTOP, "forced_colors": "active", "color_scheme": request.param, **options})


def differ(page, first, second):
    expect(page.locator(first).first).to_be_visible()
    expect(page.locator(second).first).to_be_visible()
    chosen, other = (page.locator(selector).first.evaluate(LOOK) for selector in (first, second))
    assert chosen != other, (first, second, chosen)


def test_what_is_chosen_differs_from_what_is_not(forced):
    page = forced("/book/XBTUSD")
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    differ(page, ".chart [aria-label=Style] .segment[aria-pressed=true]", ".chart [aria-label=Style] .segment[aria-pressed=false]")
    differ(page, ".book .segment[aria-pressed=true]", ".book .segment[aria-pressed=false]")
    differ(page, ".watch-row[aria-current]", ".watch-row:not([aria-current])")
    differ(page, ".dock-tab[aria-selected=true]", ".dock-tab[aria-selected=false]")
    differ(page, ".places [data-place=trade]", ".places [data-place=orders]")
    page = forced("/exchange")
    differ(page, ".ticket .choice[aria-pressed=true]", ".ticket .choice[aria-pressed=false]")
    page = forced("/book/XBTUSD", viewport={"width": 390, "height": 844})
    differ(page, ".tab[aria-selected=true]", ".tab[aria-selected=false]")
    differ(page, ".bottom .place[aria-current]", ".bottom .place:not([aria-current])")


def test_the_count_of_the_chosen_tab_and_the_edge_of_sell_and_buy_are_seen(forced):
    page = forced("/exchange")
    chosen = page.locator(".dock-tab[aria-selected=true]")
    color = "(element) => getComputedStyle(element).color"
    assert chosen.locator(".count").evaluate(color) == chosen.evaluate(color)
    page = forced("/book/BTC/USD", viewport={"width": 390, "height": 844})
    expect(page.locator(".trade-side").first).to_have_css("border-top-width", "1px")


def test_bars_and_dots_are_seen(forced):
    page = forced("/book/XBTUSD")
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    # The dot of a pending state is a hollow ring.
    page.wait_for_function("""() => {
      const ground = getComputedStyle(document.body).backgroundColor;
      const row = getComputedStyle(document.querySelector(".level:not([data-empty])"));
      const bars = row.backgroundImage.match(/rgba?\\([^)]*\\)/g) ?? [];
      return document.querySelector(".chip").dataset.state === "connected"
        && bars.length === 4 && bars.every((bar) => bar !== ground)
        && row.backgroundSize.split(", ").every((size) => parseFloat(size) > 0)
        && getComputedStyle(document.querySelector(".chip .dot")).backgroundColor !== ground;
    }""")
    heights = page.locator(".level").first.evaluate(
        "(e) => getComputedStyle(e).backgroundSize.split(', ').map((size) => size.split(' ')[1])")
    assert heights == ["3px", "1px"], "under the number, not behind it"


def test_the_chart_is_more_than_a_block(forced):
    page = forced("/chart/XBTUSD")
    expect(page.locator(".chart-legend b").first).not_to_be_empty()
    page.wait_for_function(f"() => {{ const share = ({SHARES})(); return share > 0.5 && share < 0.995; }}")
    ink, ground = page.locator(".chart-surface").evaluate("""async (surface) => {
      const { readColours } = await import("/assets/chart/model/style.js");
      const colours = readColours(surface);
      return [[colours.up, colours.down, colours.ink, colours.line], [colours.ground, colours["up-body"], colours["on-price"]]];
    }""")
    assert not set(ink) & set(ground)


def test_the_figures_of_the_chosen_row_are_written_in_its_colour(forced):
    page = forced("/book/XBTUSD", viewport={"width": 1440, "height": 900})
    row = page.locator(".watch-row[aria-current] .number").first
    expect(row).to_have_text(re.compile(r"\d"))
    page.wait_for_function("""() => {
      const row = document.querySelector(".watch-row[aria-current]");
      const texts = [...row.querySelectorAll("span")].filter((part) => part.textContent && part.checkVisibility());
      const probe = document.body.appendChild(Object.assign(document.createElement("i"),
        { style: "forced-color-adjust: none; color: SelectedItemText" }));
      const { color } = getComputedStyle(probe);
      probe.remove();
      return texts.length > 2 && texts.every((part) => getComputedStyle(part).color === color);
    }""")
