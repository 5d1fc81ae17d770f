"""Positions as a table; and an open order, amended in its row. The screens that show them mount the parts."""

import re

import pytest
from playwright.sync_api import expect

from ordering import order

pytestmark = pytest.mark.thorough

MOUNT = """async ([state, dimmed]) => {
  const { PositionsTable } = await import("/assets/positions/table.js");
  const { moneyOf } = await import("/assets/orders/words.js");
  document.querySelector("#mounted")?.remove();
  const host = document.body.appendChild(document.createElement("div"));
  host.id = "mounted";
  const table = new PositionsTable();
  host.append(table.element);
  const freshness = { state: dimmed ? "stale" : "live", origin: "venue", quiet: dimmed, dimmed, confirmedAt: dimmed ? 1000 : undefined };
  table.render({ state, freshness, market: undefined, format: moneyOf({ currency: "USD", decimals: 2 }), now: 13_000 });
}"""

TOPIC = """() => new Promise((done) => {
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
  socket.onopen = () => socket.send(JSON.stringify({ open: ["positions"] }));
  socket.onmessage = ({ data }) => {
    const topic = JSON.parse(data).topics?.find(({ topic }) => topic === "positions");
    if (topic?.snapshot) done(topic.snapshot);
  };
})"""

# The amend form alone, without the page: its requests are recorded.
AMEND = """async () => {
  const { AmendForm } = await import("/assets/orders/amend-form.js");
  const { moneyOf } = await import("/assets/orders/words.js");
  const host = document.body.appendChild(document.createElement("div"));
  window.asked = [];
  window.came = undefined;
  window.ended = 0;
  const trading = {
    ticket: { readNumber: (text) => (/^[0-9.]+$/.test(text) ? text : ""), writeNumber: (text) => text },
    amend: (id, change) => (asked.push([id, change]), window.came = { state: "waiting" }),
    crossing: () => null,
    isAmending: () => came?.state === "waiting", amendment: () => came, forgetAmendment: () => (window.came = undefined),
  };
  const form = new AmendForm("17", trading, () => (window.ended += 1));
  host.append(form.element);
  const order = { side: "buy", quantity: "20", limit: "45", type: "limit" };
  window.draw = (open = true) => form.render({ order: open ? order : undefined, format: moneyOf({ currency: "USD" }), isKnown: true });
  draw();
}"""


def test_what_is_owned_stands_beside_what_it_would_bring(trade, exchange):
    page = trade()
    order(page, "50")
    exchange.feed.offer(ask=("45.20", 60))
    state = page.evaluate(TOPIC)
    assert (state["quantity"], state["cash"], state["out"]) == ("50", "-2255", ["45.01", "17"])
    page.evaluate(MOUNT, [state, False])
    mounted = page.locator("#mounted")
    expect(mounted.locator("[data-kind=unrealised]").last).to_have_text("−$4.50")
    expect(mounted.locator("[data-kind=unrealised]").last).to_have_attribute("data-direction", "down")
    expect(mounted.locator(".positions-note")).to_have_text(
        "Only 17 of 50 can be sold in the visible book; the rest is valued at $45.01.")
    expect(mounted.locator("tr", has_text="Equity USD")).to_contain_text("−$4.50")
    minutes = [[1000, "-4.5", False], [61_000, "-2", False]]
    page.evaluate(MOUNT, [{**state, "line": minutes, "equity": "-9"}, False])
    expect(mounted.locator(".equity-words")).to_contain_text("lowest −$9.00, highest −$2.00.")
    mounted.get_by_role("button", name="FIFO").click()
    expect(mounted.locator("th[data-kind=cost]")).to_have_text("FIFO cost")
    page.evaluate(MOUNT, [state, True])
    expect(mounted.locator("[data-kind=unrealised]").last).to_have_attribute("data-dimmed", "")
    expect(mounted.locator(".positions-note")).to_contain_text("Prices: Stale · 12 s ago.")


def test_an_amendment_asks_for_what_differs_and_says_what_is_wrong(look):
    page = look()
    page.evaluate(AMEND)
    form = page.get_by_role("form", name="Amend order 17: Buy")
    form.get_by_label("Quantity").fill("x")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("status")).to_have_text("The quantity must be a number in plain digits.")
    form.get_by_label("Quantity").fill("12")
    form.get_by_role("button", name="Save").click()
    assert page.evaluate("asked") == [["17", {"quantity": "12"}]]
    page.evaluate("draw()")
    expect(form.get_by_role("button", name="Saving…")).to_be_disabled()
    page.evaluate("""() => {
      window.came = { state: "refused", message: "{15} are filled already.", field: "quantity" };
      draw();
    }""")
    expect(form.get_by_role("status")).to_have_text("15 are filled already.")
    expect(form.get_by_label("Quantity")).to_have_attribute("aria-invalid", "true")
    # The fault is gone once its field is edited.
    form.get_by_label("Quantity").fill("16")
    expect(form.get_by_role("status")).to_be_empty()
    expect(form.get_by_label("Quantity")).not_to_have_attribute("aria-invalid", "true")
    form.get_by_role("button", name="Save").click()
    page.evaluate("() => { window.came = { state: 'done' }; draw(); }")
    assert page.evaluate("[asked.length, ended]") == [2, 1]
    page.evaluate("draw(false)")
    expect(form.get_by_role("status")).to_have_text("Too late to amend: the order is no longer open.")


CONVERSION = {
    "currency": "EUR", "decimals": 2,
    "total": {"equity": "372.8", "lowEquity": "-843.82", "highEquity": "372.8", "fees": "1", "average": {"realised": "0", "unrealised": "72.8"},
              "fifo": {"realised": "5", "unrealised": "67.8"}},
    "currencies": [
        {"currency": "EUR", "standing": "converted", "equity": "300", "legs": []},
        {"currency": "USD", "standing": "converted", "equity": "72.8", "legs": [
            {"from": "USD", "to": "EUR", "symbol": "kraken:EUR/USD", "price": "1.0832", "freshness": {"state": "live", "origin": "venue"}}]},
        {"currency": "XYZ", "standing": "noRoute", "legs": []},
    ],
}

# The part alone: the topics that it opens are recorded, and all have the same state.
CONVERT = """async (state) => {
  const { Conversion } = await import("/assets/positions/conversion.js");
  const entry = { state, confirmed: true };
  window.opened = [];
  window.late = (freshness) => { state.currencies[1].legs[0].freshness = freshness; shown.render(); };
  const open = (name) => (opened.push(name), { entry, close: () => opened.push(`not ${name}`) });
  const link = { observe: () => () => {}, trusted: true, silence: 0, now: () => 13_000, topics: { open } };
  window.shown = new Conversion({ link });
  document.body.append(shown.element);
  shown.show(["EUR", "USD", "XYZ"], "average", false);
}"""


def test_positions_add_up_in_the_chosen_currency(look):
    page = look()
    page.evaluate(CONVERT, CONVERSION)
    part = page.locator(".conversion")
    choice = part.get_by_role("combobox", name="Total in")
    expect(choice.locator("option")).to_have_text(["Each currency", "BTC", "EUR", "USD", "XYZ"])
    expect(part.locator("dl")).to_be_hidden()
    assert page.evaluate("opened") == []
    choice.select_option("EUR")
    assert page.evaluate("opened") == ["conversion/EUR"]
    expect(part.locator("dd")).to_have_text(["€372.80", "+€72.80", "€0.00", "€1.00"])
    expect(part.locator(".position-range")).to_have_text("−€843.82 to €372.80 possible")
    expect(part.locator("[role=status]")).to_have_text("Not in the total: XYZ (no market converts it).")
    route = part.locator("li")
    expect(route).to_have_text("USD → EUR by EUR/USD · Kraken at 1.0832, Live.")
    page.evaluate("late({ state: 'stale', origin: 'venue', confirmedAt: 1000 })")
    expect(route).to_have_text("USD → EUR by EUR/USD · Kraken at 1.0832, Stale · 12 s ago.")
    expect(part.locator("dl")).to_have_attribute("data-dimmed", "")
    page.evaluate("shown.show(['EUR', 'USD', 'XYZ'], 'fifo', false)")
    expect(part.locator("dd[data-kind=realised]")).to_have_text("+€5.00")
    # Of one market there is no total, and none is followed.
    page.evaluate("shown.show(null, 'average', false); shown.render()")
    expect(part).to_be_hidden()
    assert page.evaluate("opened") == ["conversion/EUR", "not conversion/EUR"]
    page.reload()
    page.evaluate(CONVERT, CONVERSION)
    assert page.evaluate("opened") == ["conversion/EUR"]
