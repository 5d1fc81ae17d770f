"""The ticket in use: a double click, a moving market, a held button, a keyboard, a clipboard."""

import pytest
from playwright.sync_api import expect

from live import Tap
from ordering import again, double_click, fill, offers, order, place, review, settled, side, switch
from watching import wait_until

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}
SIZES = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "360"])

# The main button's place inside the ticket.
PLACE = """() => {
  const ticket = document.querySelector(".ticket").getBoundingClientRect();
  const box = [...document.querySelectorAll(".ticket [data-main]")].find((button) => button.checkVisibility({ visibilityProperty: true }))
    .getBoundingClientRect();
  return [box.left - ticket.left, box.top - ticket.top, box.width, box.height].map(Math.round);
}"""


def placed(page):
    return [message["order"] for message in page.wire.sent if message.get("do") == "order.place"]


def foreseen(page):
    """Waits until the preview is loaded."""
    expect(page.locator(".ticket-form .preview:not([data-empty])")).to_be_visible()
    expect(page.locator(".ticket-form .ticket-go")).to_be_enabled()


# Presses


@SIZES
@pytest.mark.parametrize("reviews", [True, False], ids=["review", "no review"])
def test_a_double_click_on_place_does_nothing_beyond_the_order(trade, viewport, reviews):
    page = trade(viewport=viewport)
    if not reviews:
        switch(page, "Review before placing")
    before = page.evaluate("JSON.stringify(localStorage)")
    fill(page, "500")
    foreseen(page)
    if reviews:
        review(page)
    double_click(page.locator(f".ticket-{'review' if reviews else 'form'} .ticket-go"))
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")
    settled(page)
    expect(page.locator(".ticket-outcome")).to_be_visible()
    assert page.url.endswith("/exchange")
    # The same order may be resent under its name when a response is late.
    assert len({sent["clientId"] for sent in placed(page)}) == 1
    assert page.evaluate("JSON.stringify(localStorage)") == before


@SIZES
def test_a_double_click_on_review_is_no_word_on_what_was_not_read(look, viewport):
    page = look(viewport=viewport)
    fill(page, "5")
    foreseen(page)
    double_click(page.locator(".ticket-form .ticket-go"))
    settled(page)
    expect(page.locator(".ticket-review")).to_be_visible()
    assert placed(page) == []


@pytest.mark.thorough
@SIZES
@pytest.mark.parametrize("price", [None, "44.00"], ids=["market", "limit"])
def test_the_main_button_has_one_place_in_all_phases(trade, viewport, price):
    page = trade(viewport=viewport)
    fill(page, "500", price)
    foreseen(page)
    form = page.evaluate(PLACE)
    review(page)
    assert page.evaluate(PLACE) == form
    page.locator(".ticket-review .ticket-go").click()
    expect(page.locator(".ticket-outcome[data-state=placed]")).to_be_visible()
    assert page.evaluate(PLACE) == form
    again(page)
    assert page.evaluate(PLACE) == form


def test_no_part_of_the_ticket_is_ever_seen_with_what_it_showed_before(trade):
    page = trade()
    fill(page, "5")
    foreseen(page)
    seen = page.evaluate("""() => {
      const inSight = (selector) => [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true })).map((element) => element.textContent);
      document.querySelector(".ticket-form .ticket-go").click();
      const review = inSight(".ticket .review-title, .ticket-action button");
      document.querySelector(".ticket-review .ticket-go").click();
      return [review, inSight(".ticket .review-title, .ticket-action button, .outcome-line .status")];
    }""")
    # The order is pending: there is nothing to press before the response.
    assert seen == [["Buy 5 TROAD at market", "Place buy order", "Back"], ["Buy 5 TROAD at market", "SENT"]]
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")
    again(page)


@SIZES
def test_the_market_moves_no_button(trade, exchange, viewport):
    page = trade(viewport=viewport)
    fill(page, "500")
    foreseen(page)
    box = page.locator(".ticket-form .ticket-go").bounding_box()
    for quantity, said in ((900, ""), (1, "499 will be cancelled: only 1 available"), (0, "All 500 will be cancelled")):
        exchange.feed.offer(ask=("45.20", quantity))
        left = page.locator(".ticket-form .preview-left")
        expect(left).to_contain_text(said) if said else expect(left).to_be_hidden()
        assert page.locator(".ticket-form .ticket-go").bounding_box() == box
    exchange.feed.offer(ask=("45.10", 60))
    offers(page, "$45.01", "$45.10")
    review(page)
    box = page.locator(".ticket-review .ticket-go").bounding_box()
    exchange.feed.offer(ask=("46.10", 60))
    expect(page.locator(".ticket-review .drift")).to_contain_text("worse)")
    assert page.locator(".ticket-review .ticket-go").bounding_box() == box


# Holds all frames back from now on; draw() releases them.
HOLD_FRAMES = """() => {
  const [real, held] = [window.requestAnimationFrame, []];
  window.requestAnimationFrame = (draw) => held.push(draw);
  window.draw = () => {
    window.requestAnimationFrame = real;
    held.splice(0).forEach((draw) => real(draw));
  };
}"""
# Whether a press on an element is accepted, in a second from now.
PRESS_LATER = """(element) => new Promise((done) => setTimeout(() => {
  element.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  done(element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 })));
}, 1000))"""


def test_a_press_on_what_was_not_drawn_yet_is_not_heard_however_long_that_takes(look):
    page = look()
    fill(page, "5")
    expect(page.locator(".ticket-form .ticket-go")).to_be_enabled()
    page.evaluate(HOLD_FRAMES)
    page.locator(".ticket-form .ticket-go").evaluate("(button) => button.click()")
    # Not by a locator: these wait until presses count, which starts only after drawing.
    assert page.evaluate(f"({PRESS_LATER})(document.querySelector('.ticket-review .ticket-go'))") is False
    assert placed(page) == []
    page.evaluate("draw()")
    settled(page)
    expect(page.locator(".ticket-review")).to_be_visible()


def test_a_press_counts_by_when_it_was_made_not_by_when_the_page_got_to_it(trade):
    page = trade()
    fill(page, "5")
    foreseen(page)
    page.evaluate("""() => {
      const options = { bubbles: true, cancelable: true, composed: true };
      window.early = [new PointerEvent("pointerdown", options), new PointerEvent("pointerup", options),
        new MouseEvent("click", { ...options, detail: 1 })];
      document.querySelector(".ticket-form .ticket-go").click();
    }""")
    # The page accepts presses again; this press was made before that.
    expect(page.locator(".ticket-review")).to_be_visible()
    settled(page)
    expect(page.locator(".ticket-review .ticket-go")).to_be_enabled()
    page.evaluate("early.forEach((event) => document.querySelector('.ticket-review .ticket-go').dispatchEvent(event))")
    expect(page.locator(".ticket-review")).to_be_visible()
    assert placed(page) == []
    page.locator(".ticket-review .ticket-go").click()
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")


def test_the_keyboard_is_heard_at_once(look):
    page = look()
    fill(page, "5")
    foreseen(page)
    phases = page.evaluate("""() => {
      const phase = () => document.querySelector(".ticket").dataset.phase;
      document.querySelector(".ticket-form .ticket-go").click();
      const first = phase();
      document.querySelector(".ticket-review .button:not(.ticket-go)").click();
      return [first, phase()];
    }""")
    assert phases == ["review", "form"]


def test_the_switches_are_out_of_reach_of_the_ticket(look):
    page = look()
    expect(page.locator(".ticket [role=switch]")).to_have_count(0)
    fill(page, "5")
    expect(page.locator(".ticket-form .ticket-go")).to_have_text("Review buy order")
    switch(page, "Review before placing")
    expect(page.locator(".ticket-form .ticket-go")).to_have_text("Place buy order")


@pytest.mark.thorough
@SIZES
@pytest.mark.parametrize("kind", ["Market", "Limit"])
def test_ticket_and_button_have_one_height_in_all_phases(trade, viewport, kind):
    page = trade(viewport=viewport)

    def height():
        return round(page.locator(".ticket").bounding_box()["height"])

    fill(page, "500", None if kind == "Market" else "44.00")
    foreseen(page)
    form, button = height(), page.evaluate(PLACE)
    side(page, "Limit" if kind == "Market" else "Market")
    assert (height(), page.evaluate(PLACE)) == (form, button)
    side(page, kind)
    foreseen(page)
    review(page)
    assert height() == form
    page.locator(".ticket-review .ticket-go").click()
    expect(page.locator(".ticket-outcome[data-state=placed]")).to_be_visible()
    assert height() == form


# The price limit of a market order


def test_a_market_order_is_protected_unless_its_person_takes_that_away(trade, exchange):
    page = trade()
    fill(page, "100")
    bound = page.get_by_label("Max price", exact=True)
    expect(bound).to_have_value("45.33")
    expect(page.locator(".ticket-form .preview-bound")).to_have_text("Won’t fill above $45.33; the rest is cancelled.")
    side(page, "Sell")
    expect(page.get_by_label("Min price", exact=True)).to_have_value("44.78")
    side(page, "Buy")
    bound.fill("45.05")
    left = page.locator(".ticket-form .preview-left")
    expect(left).to_contain_text("no asks at $45.05 or lower; best ask $45.10")
    exchange.feed.offer(ask=("45.04", 38))
    expect(left).to_have_text("62 will be cancelled: only 38 available at $45.05 or better.")
    place(page)
    expect(page.locator(".outcome-texts")).to_contain_text("62 cancelled: only 38 offered within $45.05.")
    again(page)
    expect(bound).to_have_value("45.27")
    bound.fill("")
    page.get_by_label("Quantity", exact=True).fill("1")
    foreseen(page)
    expect(page.locator(".ticket-form .preview-bound")).to_be_hidden()


@pytest.mark.thorough
def test_the_receipt_says_what_became_of_what_was_reviewed(trade, exchange):
    page = trade()
    fill(page, "5")
    foreseen(page)
    review(page)
    exchange.feed.offer(ask=("45.12", 60))
    expect(page.locator(".drift").first).to_contain_text("worse)")
    page.locator(".ticket-review .ticket-go").click()
    change = page.locator(".ticket-outcome .drift")
    expect(change).to_have_text("Filled 5 at $45.12 (reviewed: 5 at $45.10), $0.02 worse.")
    expect(change).to_have_attribute("data-kind", "worse")


def test_an_order_that_can_not_rest_is_cancelled_where_it_is_not_filled(trade):
    page = trade()
    fill(page, "100", "45.10")
    page.get_by_label("Time in force").select_option("fok")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("Fill or kill: all 100 will be cancelled; only 60 available")
    place(page)
    expect(page.locator(".outcome-texts")).to_contain_text("all or nothing")
    expect(page.locator(".open-order, .open-rows li")).to_have_count(0)


# Filling in with few presses


@pytest.mark.thorough
def test_shares_of_what_is_offered_and_the_wheel_fill_the_quantity(look):
    page = look()
    quantity = page.get_by_label("Quantity", exact=True)
    for name, value in (("25%", "15"), ("50%", "30"), ("100%", "60")):
        page.locator(".preset", has_text=name).click()
        expect(quantity).to_have_value(value)
    quantity.hover()
    page.mouse.wheel(0, -100)
    expect(quantity).to_have_value("60")
    quantity.focus()
    # The earlier wheel event has scrolled the page.
    quantity.hover()
    page.mouse.wheel(0, -100)
    expect(quantity).to_have_value("62")


@pytest.mark.thorough
def test_the_last_order_is_repeated_with_one_press(trade):
    page = trade()
    order(page, "7", "46.00", word="Sell")
    again(page)
    side(page, "Buy")
    page.get_by_role("button", name="Repeat: Sell 7 TROAD at $46.00 or better").click()
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("7")
    expect(page.get_by_label("Limit price")).to_have_value("46.00")
    expect(page.locator(".choice[data-value=sell]")).to_have_attribute("aria-pressed", "true")


# The next order


@pytest.mark.thorough
def test_a_new_order_keeps_side_and_kind_and_offers_the_last_quantity(trade):
    page = trade()
    order(page, "1200", "46.00", word="Sell")
    again(page)
    quantity = page.get_by_label("Quantity", exact=True)
    expect(quantity).to_have_value("")
    expect(page.locator(".choice[data-value=sell]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".choice[data-value=limit]")).to_have_attribute("aria-pressed", "true")
    settled(page)
    page.get_by_role("button", name="Last quantity, 1,200").click()
    expect(quantity).to_have_value("1200")


@pytest.mark.thorough
def test_after_a_fill_the_form_takes_the_next_order_above_the_receipt(trade):
    page = trade()
    order(page, "5")
    quantity, outcome = page.get_by_label("Quantity", exact=True), page.locator(".ticket-receipt > .ticket-outcome")
    expect(outcome.locator(".status")).to_have_text("FILLED")
    expect(outcome).to_contain_text("5 of 5 at $45.10")
    expect(quantity).to_be_focused()
    expect(quantity).to_have_value("")
    go = page.locator(".ticket-form .ticket-go").bounding_box()
    assert outcome.bounding_box()["y"] >= go["y"] + go["height"]
    settled(page)
    quantity.fill("3")
    foreseen(page)
    assert page.locator(".ticket-form .ticket-go").bounding_box() == go
    place(page)
    expect(outcome).to_contain_text("3 of 3")


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1366, 768), (1440, 780), (1536, 730)])
@pytest.mark.parametrize("kind", ["Market", "Limit"])
def test_the_whole_ticket_is_within_560_pixels_and_its_button_in_sight(look, size, kind):
    page = look(viewport={"width": size[0], "height": size[1]})
    side(page, kind)
    page.get_by_label("Quantity", exact=True).fill("900")
    column, go = page.locator(".exchange-side").bounding_box(), page.locator(".ticket-form .ticket-go").bounding_box()
    ticket = page.locator(".ticket").bounding_box()
    assert go["y"] + go["height"] <= column["y"] + column["height"]
    assert ticket["y"] + ticket["height"] - column["y"] <= 560
    for name in ("Quantity", "Limit price" if kind == "Limit" else "Max price"):
        assert page.get_by_label(name, exact=True).bounding_box()["height"] == 36


def test_a_held_step_button_goes_on_until_it_is_released(look):
    page = look()
    quantity = page.get_by_label("Quantity", exact=True)
    page.get_by_role("button", name="Increase quantity").hover()
    page.mouse.down()
    page.wait_for_function("() => Number(document.querySelector('[name=quantity]').value) >= 5")
    page.mouse.up()
    released = quantity.input_value()
    page.get_by_role("button", name="Increase quantity").click()
    expect(quantity).to_have_value(str(int(released) + 1))


def test_a_held_step_button_ends_with_the_windows_focus(look):
    page = look()
    page.get_by_role("button", name="Increase quantity").hover()
    page.mouse.down()
    page.wait_for_function("() => Number(document.querySelector('[name=quantity]').value) >= 3")
    page.evaluate("""() => {
      window.dispatchEvent(new Event("blur"));
      window.left = document.querySelector("[name=quantity]").value;
      setTimeout(() => { window.isLater = true; }, 500);
    }""")
    page.wait_for_function("() => window.isLater")
    assert page.evaluate("document.querySelector('[name=quantity]').value === left")
    page.mouse.up()


def test_a_step_button_listens_to_the_window_only_while_it_is_held(look):
    page = look()
    tools = page.context.new_cdp_session(page)

    def listeners():
        window = tools.send("Runtime.evaluate", {"expression": "window"})["result"]["objectId"]
        found = tools.send("DOMDebugger.getEventListeners", {"objectId": window})["listeners"]
        return sum(listener["type"] == "blur" for listener in found)

    at_rest = listeners()
    page.get_by_role("button", name="Increase quantity").hover()
    page.mouse.down()
    assert listeners() == at_rest + 1
    page.mouse.up()
    assert listeners() == at_rest


@pytest.mark.thorough
def test_two_tabs_place_orders_by_the_same_rule(look):
    page = look()
    other = page.context.new_page()
    other.goto(page.url)
    go = other.locator(".ticket-form .ticket-go")
    expect(go).to_have_text("Review buy order")
    switch(page, "Review before placing")
    expect(go).to_have_text("Place buy order")


# Typing and pasting


PASTE = """(field, text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  field.focus();
  if (field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })))
    document.execCommand("insertText", false, text);
}"""


# TicketModelTests covers what the ticket does with the signs.
@pytest.mark.parametrize(("locale", "currency", "signs"), [
    ("en-US", "USD", [".", ",", "0123456789", "$", "USD"]), ("de-DE", "EUR", [",", ".", "0123456789", "€", "EUR"]),
    ("fr-FR", "", [",", "\u202f", "0123456789"]),
    ("en-CA", "USD", [".", ",", "0123456789", "US$", "$", "USD"]), ("en-US", "no currency", [".", ",", "0123456789"]),
    ("ar-EG", "", ["٫", "٬", "٠١٢٣٤٥٦٧٨٩"]),
])
def test_the_signs_of_numbers_are_those_of_the_readers_locale(open_page, locale, currency, signs):
    page = open_page("/products", locale=locale)
    assert page.evaluate("""async (currency) => (await import("/assets/text/format.js")).numberSigns(currency)""", currency) == signs


@pytest.mark.thorough
@pytest.mark.parametrize(("locale", "typed", "read"), [
    ("en-US", "1,000", "1000"), ("en-IN", "1,00,000", "100000"), ("fr-FR", "1 000", "1000"), ("it-CH", "1’000", "1000"),
])
def test_a_quantity_is_read_as_the_page_itself_writes_it(look, locale, typed, read):
    page = look(locale=locale, path="/orders")
    page.goto(page.url.replace("/orders", "/exchange"))
    page.get_by_label("Quantity", exact=True).fill(typed)
    wait_until(page, lambda: [m["order"]["quantity"] for m in page.wire.sent if m.get("do") == "order.preview"] == [read])


def test_two_pasted_lines_are_no_number(look):
    page = look()
    quantity = page.get_by_label("Quantity", exact=True)
    quantity.evaluate(PASTE, "1\n2")
    expect(quantity).to_have_value("1 2")
    expect(page.locator(".field-error[data-for=quantity]")).to_contain_text("is ambiguous")
    quantity.fill("")
    quantity.evaluate(PASTE, "12\n")
    expect(quantity).to_have_value("12")


def test_two_lines_pasted_before_the_core_is_there_are_no_number_either(look):
    page = look(setup=lambda page: page.route("**/ticket*.wasm", lambda route: route.abort()))
    quantity = page.get_by_label("Quantity", exact=True)
    quantity.evaluate(PASTE, " 1\r\n2\n")
    expect(quantity).to_have_value("1 2")


@pytest.mark.thorough
def test_a_price_copied_from_the_page_is_a_price(trade):
    page = trade()
    fill(page, "10", "€44.10")
    expect(page.locator(".field-error[data-for=price]")).to_contain_text("must be a number")
    fill(page, "10", "$44.10")
    expect(page.locator(".ticket-form .preview-left")).to_have_text("All 10 will rest at $44.10.")
    review(page)
    page.locator(".ticket-review .ticket-go").click()
    wait_until(page, lambda: placed(page))
    assert placed(page)[0]["price"] == "44.10"
    again(page)
    fill(page, "$10")
    expect(page.locator(".field-error[data-for=quantity]")).to_contain_text("must be a number")


# Navigation to the ticket


def test_a_link_leads_past_everything_to_the_ticket(look, desktop):
    page = look(viewport=desktop)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the ticket")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Quantity", exact=True)).to_be_focused()
    assert page.url.endswith("/exchange")
    page.get_by_role("link", name="Markets", exact=True).click()
    expect(page.get_by_role("link", name="Skip to the ticket")).to_have_count(0)


def before_the_market_is_known(open_page, viewport):
    """The exchange before the server has sent any data, and a function that lets it send."""
    taps = []

    def mute(page):
        taps.append(Tap(page))
        taps[0].mute = True

    def speak():
        taps[0].mute = False
        taps[0].cut()

    page = open_page("/exchange", viewport=viewport, ready=False, setup=mute)
    expect(page.locator("#ticket")).to_be_attached()
    expect(page.locator("#ticket")).to_be_hidden()
    return page, speak


def test_that_link_leads_to_a_ticket_that_can_not_be_seen_yet(open_page, desktop):
    page, speak = before_the_market_is_known(open_page, desktop)
    page.locator("#skip-ticket").press("Enter")
    speak()
    expect(page.get_by_label("Quantity", exact=True)).to_be_focused()


def test_a_trading_key_waits_for_a_ticket_that_can_not_be_seen_yet(open_page, desktop):
    page, speak = before_the_market_is_known(open_page, desktop)
    switch(page, "Trading keys B and S")
    page.keyboard.press("s")
    speak()
    expect(page.get_by_label("Quantity", exact=True)).to_be_focused()
    expect(page.locator(".choice[data-value=sell]")).to_have_attribute("aria-pressed", "true")


def test_the_rail_is_one_stop_of_the_tab_key(look, desktop):
    page = look(viewport=desktop)
    rows = page.locator(".watch-rows a")
    expect(rows.nth(2)).to_be_visible()
    expect(page.locator(".watch-rows a:not([tabindex='-1'])")).to_have_count(1)
    page.locator(".watch-rows a:not([tabindex='-1'])").focus()
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".watch-rows a:focus")).to_have_attribute("tabindex", "0")
    expect(page.locator(".watch-rows a:not([tabindex='-1'])")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator(".watch-rows :focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".watch-rows a:focus")).to_have_count(1)
