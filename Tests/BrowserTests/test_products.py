"""PD1, PD3, PD6, PD7, PD8: the product chooser and the product."""

import re

import pytest
from playwright.sync_api import expect

from live import Tap
from watching import wait_until


def test_a_product_is_chosen_from_the_list(open_page):
    page = open_page("/products")
    expect(page.locator(".product-rows > li")).to_have_count(6)
    page.locator(".product-rows a", has_text="Germany 30").click()
    expect(page).to_have_url(re.compile("/product/sb26493$"))
    expect(page.locator("h1")).to_have_text("Germany 30")


def test_a_product_is_chosen_by_any_identifier(open_page):
    page = open_page("/products")
    page.get_by_label("Product identifier").fill(" sb26496 ")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile("/product/sb26496$"))
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\$[\d,]+\.\d\d"))


def test_what_is_no_identifier_is_explained_beside_the_field(open_page):
    page = open_page("/products")
    for text in ("", "two words", 'quote"', "sb.26493", "sb26493/.."):
        page.get_by_label("Product identifier").fill("sb2")
        expect(page.locator(".field-error")).to_be_empty()
        page.get_by_label("Product identifier").fill(text)
        page.get_by_role("button", name="Show", exact=True).click()
        expect(page.locator(".field-error")).not_to_be_empty()
        expect(page).to_have_url(re.compile("/products$"))


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "nl-NL"])
def test_price_close_and_percent_are_written_as_the_readers_locale_does(open_page, locale):
    page = open_page("/product/sb26493", locale=locale)
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\d"))
    expect(page.locator(".percent")).to_have_text(re.compile(r"%"))
    expect(page.locator(".facts dd").first).to_have_text(re.compile(r"\d"))
    shown = page.evaluate("""() => ({
      price: document.querySelector(".price.big .number").textContent,
      percent: document.querySelector(".percent").textContent,
      closing: document.querySelector(".facts dd").textContent,
    })""")
    state = page.wire.states["product/sb26493"]
    values = {key: sorted(page.wire.values["product/sb26493", key]) for key in ("price", "percent", "closing")}
    written = page.evaluate(
        """([locale, values, { currency, decimals }]) => {
          const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
          const money = new Intl.NumberFormat(locale, { style: "currency", currency, ...places });
          const percent = new Intl.NumberFormat(locale, { style: "percent", signDisplay: "exceptZero",
            minimumFractionDigits: 2, maximumFractionDigits: 2 });
          // The page writes a minus sign, not a hyphen.
          const minus = (text) => text.replace("-", "\u2212");
          return {
            price: values.price.map((text) => minus(money.format(text))),
            closing: values.closing.map((text) => minus(money.format(text))),
            percent: values.percent.map((text) => minus(percent.format(text + "e-2"))),
          };
        }""", [locale, values, {"currency": state["currency"], "decimals": state["decimals"]}])
    for key, text in shown.items():
        assert text in written[key], key


def test_the_percent_is_the_difference_to_the_previous_close(glance):
    page = glance("/product/sb26493")
    expect(page.locator(".percent")).to_have_text(re.compile(r"%"))
    state = wait_until(page, lambda: page.wire.states["product/sb26493"].keys() >= {"price", "closing", "percent"}
                       and page.wire.states["product/sb26493"])
    price, closing = float(state["price"]), float(state["closing"])
    assert abs(float(state["percent"]) - (price - closing) / closing * 100) < 0.006


def test_price_and_percent_are_live(glance):
    page = glance("/product/sb26493")
    page.wait_for_selector(".price.big.flash")
    text = page.locator(".price.big .number").text_content()
    page.wait_for_function("(text) => document.querySelector('.price.big .number').textContent !== text", arg=text)


def test_a_product_that_does_not_exist_fails_with_a_message_and_a_way_on(open_page):
    page = open_page("/product/sb00000")
    expect(page.locator(".pane-notice h3")).to_have_text("This product can't be shown")
    expect(page.locator(".pane-notice p")).to_have_text(re.compile(r"\w+ \w+ \w+"))
    expect(page.locator(".pane-notice button")).to_have_text(re.compile("Retry|Choose a product"))


def failing(code, message, can_retry):
    """Changes the product's messages into a failure."""
    failure = {"code": code, "canRetry": can_retry}
    if message:
        failure["message"] = message

    def change(message):
        for item in message.get("topics", []):
            if item["topic"].startswith("product/"):
                item.pop("patch", None)
                item["snapshot"] = {"id": "sb26493", "phase": "failed", "failure": failure}
        return message
    return change


def test_a_failed_product_can_be_asked_for_again(open_page):
    taps = []

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = failing("TRADING_002", "BUX reports an unexpected error.", True)

    page = open_page("/product/sb26493", setup=setup)
    expect(page.locator(".pane-notice p")).to_have_text("BUX reports an unexpected error. (TRADING_002)")
    # While the failure is shown: a later server message would remove the button.
    page.get_by_role("button", name="Retry").click()
    wait_until(page, lambda: {"do": "product.retry", "id": "sb26493"} in taps[0].from_page)


@pytest.mark.parametrize("code, words", [
    ("AUTH_007", "BUX does not accept the access token."), ("AUTH_008", "The access token for BUX has expired."),
])
def test_each_refusal_is_told_in_the_servers_words_without_a_useless_retry(open_page, code, words):
    def setup(page):
        Tap(page).change = failing(code, words, False)

    page = open_page("/product/sb26493", setup=setup)
    expect(page.locator(".pane-notice p")).to_have_text(f"{words} ({code})")
    expect(page.locator(".pane-notice button")).to_have_text("Choose a product")
