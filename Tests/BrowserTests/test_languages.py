"""The page in German and in Dutch: no English is left, nothing is cut off, and trading works."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from ordering import settled
from page_texts import catalogue
from test_access import SCREENS, run

pytestmark = pytest.mark.thorough

NARROW = {"width": 360, "height": 740}
LOCALES = {"de": "de-DE", "nl": "nl-NL"}
# All visible or spoken text, including spoken attributes, except text marked as English.
SAID = """() => {
  const said = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement } = walker.currentNode;
    if (!parentElement.closest("noscript, [lang=en]")) said.push(walker.currentNode.textContent.trim());
  }
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name));
  }
  return { language: document.documentElement.lang, said: [...new Set(said)].filter(Boolean) };
}"""
WIDER = """() => [document.documentElement.scrollWidth, innerWidth]"""


def english(language):
    """The catalogue's texts as patterns, without those that are words of the language, too, such as "of" in Dutch."""
    texts = catalogue(language)
    own = {word for text in texts.values() for word in words_of(text)}
    keys = sorted({key.split("|")[0] for key in texts})
    return re.compile("|".join(re.sub(r"\\\{\w+\\\}", ".+", re.escape(key)) for key in keys if words_of(key) - own))


def words_of(text):
    return set(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{\w+\}", " ", text).lower()))


def said(page):
    return page.evaluate(SAID)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("size", ["360", "1440"])
def test_no_screen_has_a_word_of_another_language(open_page, language, size):
    page = open_page("/feed", viewport=NARROW if size == "360" else DESKTOP, locale=LOCALES[language])
    origin, words = page.url.removesuffix("/feed"), english(language)
    found = {}
    for path, shown in SCREENS.items():
        if page.url != origin + path:
            page.goto(origin + path)
        expect(page.locator(shown).first).to_be_visible()
        whole = said(page)
        assert whole["language"] == language
        found[path] = [text for text in whole["said"] if words.fullmatch(text)]
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", LOCALES)
def test_the_narrowest_phone_never_scrolls_sideways(open_page, language):
    page = open_page("/feed", viewport=NARROW, locale=LOCALES[language])
    origin, wide = page.url.removesuffix("/feed"), {}
    for path, shown in SCREENS.items():
        if page.url != origin + path:
            page.goto(origin + path)
        expect(page.locator(shown).first).to_be_visible()
        width, room = page.evaluate(WIDER)
        if width > room:
            wide[path] = width
    assert wide == {}


@pytest.mark.parametrize("width", [320, 360, 820, 1440])
def test_the_intervals_of_a_chart_are_buttons_or_a_list_in_every_language(open_page, width):
    page = open_page("/chart/BTC%2FUSD", viewport={"width": width, "height": 800}, locale=LOCALES["de"])
    expect(page.locator(".chart-bar:visible").first).to_be_visible()
    shown = page.evaluate("""() => [...document.querySelectorAll(".chart-bar :is(.chart-interval, .chart-intervals)")]
      .map((control) => control.checkVisibility())""")
    assert sorted(shown) == [False, True]


def place_in_german(page, quantity, kind="Market", price=None):
    settled(page)
    page.locator(".choice", has_text=kind).click()
    if price is not None:
        page.get_by_label("Limitkurs").fill(price)
    page.get_by_label("Menge", exact=True).fill(quantity)
    settled(page)
    page.get_by_role("button", name="Kauforder prüfen").click()
    expect(page.locator(".ticket-review")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Kauforder erteilen").click()
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", re.compile("placed|rejected"))


def german(trade):
    """The exchange in German, at rest: the English helper waits for US number format."""
    page = trade(path="/orders", locale="de-DE")
    page.goto(page.url.replace("/orders", "/exchange"))
    expect(page.locator(".side[data-value=buy] .side-price")).to_have_text("45,10\u00a0$")
    return page


def test_an_order_is_placed_in_german_and_what_came_of_it_is_told_in_german(trade):
    page = german(trade)
    place_in_german(page, "100")
    expect(page.locator(".ticket-outcome h3")).to_have_text("Kauf 100 TROAD zum Marktkurs")
    expect(page.locator(".outcome-texts")).to_have_text(
        "60 von 100 TROAD gekauft zu 45,10\u00a0$; 40 storniert: nur 60 bis 45,33\u00a0$ angeboten.")
    settled(page)
    following = page.get_by_role("button", name="Neue Order")
    if following.is_visible():
        following.click()
    expect(page.locator(".ticket-form")).to_be_visible()
    place_in_german(page, "10", kind="Limit", price="44,00")
    row = page.locator(".open-order").first
    expect(row).to_contain_text("Kauf")
    row.get_by_role("button", name="stornieren").click()
    expect(page.locator(".receipt, .ticket-outcome").first).to_contain_text("Order storniert: Kauf 10 von 10 TROAD zu 44,00\u00a0$.")


def test_a_fault_names_its_field_in_german(look):
    page = german(look)
    page.get_by_label("Menge", exact=True).fill("1000001")
    expect(page.locator(".field-error[data-for=quantity]")).to_have_text(
        "Eine Order geht höchstens über 1.000.000; 1.000.001 ist mehr.")
    page.get_by_label("Menge", exact=True).fill("x")
    expect(page.locator(".field-error[data-for=quantity]")).to_have_text(
        "Menge: bitte eine Zahl aus einfachen Ziffern, zum Beispiel 100; „x“ ist keine.")


def test_the_language_is_the_persons_choice_and_is_kept(open_page):
    page = open_page("/stocks")
    assert said(page)["language"] == "en"
    page.get_by_role("button", name="Display and trading").click()
    page.get_by_label("Nederlands").click()
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.get_by_role("link", name="Volgen")).to_be_visible()
    # Numbers follow the language.
    expect(page.locator(".stock-rows .number").first).to_have_text(re.compile(r"\d,\d\d"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    page.get_by_role("button", name="Weergave en handelen").click()
    page.get_by_label("Als de browser").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".stock-rows .number").first).to_have_text(re.compile(r"\d\.\d\d"))


def test_english_asks_for_no_words(open_page):
    asked = []
    page = open_page("/chart/XBTUSD", setup=lambda page: page.on("request", lambda request: asked.append(request.url)))
    expect(page.locator(".chart-legend").first).to_contain_text(re.compile(r"\d"))
    assert [url for url in asked if url.endswith(".json")] == []


def test_words_that_do_not_come_leave_the_page_in_english(open_page):
    page = open_page("/stocks", locale="de-DE",
                     setup=lambda page: page.route("**/*.json", lambda route: route.abort()))
    expect(page.get_by_role("heading", name="Stocks")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_first_language_of_the_browser_that_is_known_is_taken(open_page):
    languages = """Object.defineProperty(navigator, "languages", { get: () => ["fr-CH", "de-CH", "en"] })"""
    page = open_page("/stocks", setup=lambda page: page.add_init_script(languages))
    assert said(page)["language"] == "de"


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("path", ["/exchange", "/markets/all"])
def test_axe_finds_nothing_in_another_language(open_page, language, path):
    page = open_page(path, viewport=NARROW if language == "nl" else DESKTOP, locale=LOCALES[language])
    expect(page.locator(SCREENS[path]).first).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    assert run(page) == []


# Sentences of the server and the ticket's core, with figures as they send them.
SENTENCES = [
    (["{0} unchanged since review {ago}: {1}, quantity {2} → {3}.", ["Best ask"], "{$45.71}", ["{0}", "{37}"],
      ["{0}", "{0}"]], "Bester Brief unverändert seit Prüfung {ago}: {$45.71}, Menge {37} → {0}."),
    (["Fill or kill: {0} will be cancelled; {1}.", ["all {0}", "{33}"],
      ["only {0} available at {1} or better", "{12}", "{$45.1}"]],
     "Fill or Kill: alle {33} verfallen; nur {12} zu {$45.1} oder besser verfügbar."),
    (["nothing offered within {0}; the best offer was {1}", "{$45.1}", "{$46}"],
     "nichts bis {$45.1} angeboten; das beste Angebot war {$46}"),
    (["Order rejected. {0}", ["A market order needs live prices: {0}. A limit order can wait for them.",
                              ["the latest one is stale"]]],
     "Order abgelehnt. Eine Market-Order braucht Live-Kurse: der letzte ist veraltet. Eine Limit-Order kann darauf warten."),
    (["Order open: {0} {1} at {2} or better; {3}.", ["buy"], "{10} TROAD", ["{0}", "{$44}"],
      ["the best offer was {0} {1}", "{$45.1}", "{at}"]],
     "Order offen: Kauf {10} TROAD zu {$44} oder besser; das beste Angebot war {at} {$45.1}."),
    (["Order waiting: {0} after {1}.", ["{0} {1} at the market", ["sell"], "{5} TROAD"],
      ["a bid at {0} or {1}", "{$40}", ["lower"]]],
     "Order wartet auf einen Geldkurs von {$40} oder tiefer: Verkauf {5} TROAD zum Marktkurs."),
    (["{0} {1} of {2} at {3}; {4} cancelled: {5}.", ["Sold"], "{6}", "{10} TROAD", ["{0}", "{$45}"], "{4}",
      ["as you asked"]], "{6} von {10} TROAD verkauft zu {$45}; {4} storniert: auf Ihren Wunsch."),
    ("Sent; waiting for the answer. The connection is gone. It will be asked for under the same name, so it can’t become "
     "two orders.", "Gesendet; wartet auf die Antwort. Die Verbindung ist weg. Sie wird unter demselben Namen erfragt und "
                    "kann so nicht zu zwei Orders werden."),
    (["{0} has been silent for {1} s. Reconnecting.", "Kraken", "12"], "Kraken schweigt seit 12 s. Neue Verbindung."),
    # Only arguments that are sentences are translated, and nothing without a key.
    (["{0} is restarting.", "Loading orders…"], "Loading orders… startet seinen Dienst neu."),
    (["{0}", "Loading orders…"], "Loading orders…"),
    ("A sentence that is not known.", "A sentence that is not known."),
    (["constructor {0}, {1}", ["constructor"]], "constructor constructor, {1}"),
    ("", ""),
]


def test_sentences_of_the_server_are_translated_by_key_and_arguments(open_page):
    page = open_page("/stocks", locale="de-DE")
    written = page.evaluate("""async (sentences) => {
      const { sentence } = await import("/assets/text/texts.js");
      return sentences.map(sentence);
    }""", [value for value, _ in SENTENCES])
    assert written == [german for _, german in SENTENCES]


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("width", [820, 1440, 1920])
def test_what_stands_below_a_book_ends_within_its_pane(open_page, language, width):
    page = open_page("/book/BTC%2FUSD", viewport={"width": width, "height": 1080}, locale=LOCALES[language])
    expect(page.locator(".balance[data-known]")).to_be_visible()
    expect(page.locator(".witnesses")).not_to_be_empty()
    outside = page.evaluate("""() => {
      const { right } = document.querySelector(".book-foot").getBoundingClientRect();
      return [...document.querySelectorAll(".balance > *, .vouchers > *")]
        .filter((part) => part.getBoundingClientRect().right > right).map((part) => part.textContent);
    }""")
    assert outside == []


@pytest.mark.parametrize("locale", ["ar-EG", "hi-IN", "fr-FR"])
def test_an_english_page_writes_english_dates_whatever_the_browser_speaks(open_page, locale):
    page = open_page("/chart/BTC%2FUSD", locale=locale, timezone_id="UTC")
    month = datetime.datetime.now(datetime.UTC).strftime("%b")
    expect(page.locator(".chart-legend")).to_contain_text(month)
    texts = page.evaluate("""() => [document.body.innerText, ...[...document.querySelectorAll("[title], [aria-valuetext]")]
        .map((element) => `${element.title} ${element.ariaValueText ?? ""}`)].join(" ")""")
    assert re.findall("[\u0620-\u064a\u0904-\u0939]+", texts) == []
