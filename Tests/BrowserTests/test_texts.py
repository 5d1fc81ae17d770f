"""The catalogues of the page's texts against its modules; needs no browser."""

import importlib.util
import re

import pytest

import swift_sentences
from page_texts import LANGUAGES, ROOT, catalogue, keys, modules, placeholders, strings, wanted

# Not shown to users, or the same in every language: the file and the reason.
NOT_TEXTS = {
    "first-paint.js": "runs before any catalogue could be there",
    "text/texts.js": "names each language in itself",
    "text/vocabulary.js": "looked up word by word where it is written",
}
SAME_EVERYWHERE = re.compile(
    r"^(Livetape|VWAP(, 24 h)?|FIFO|GTC|IOC|FOK|UTC|CSV|JSON|Esc|Enter|Home End|Alt ↑ Alt ↓|↑ ↓ or j k|s m|b or s"
    r"|\0 · Livetape)$")
# Names of attributes in a list of them, and an example of what to type.
SAMPLES = {"title", "aria-label", "sb26493"}
# What the search finds a screen by, besides its name.
SEARCH_WORDS = {
    "all list stars groups", "trade buy sell ticket", "orders receipts fills", "watch list shares isin", "watch certificates bux", "tracker feed symbols", "grid multi compare linked",
    "price alarm bell", "position profit loss", "display theme language colours zone sound", "keys shortcuts",
    "indicators average rsi macd", "line shape measure text", "screenshot"}
TECHNICAL = re.compile(
    r"^[\w\0]*[-/.:#=?&][^ ]*$"  # names, addresses, topics, selectors
    r"|[\[{}\]>]|^\(|^[.:]|px|^[Mm][\d.]|\dpx|^\s*$|translate|scale|calc\(|var\("  # styles, media queries, shapes
    r"|^application/|^https?:|^cubic-bezier|; ?q=")
# Keys, classes and members by their names.
NAMES = re.compile(
    r"^(Arrow|Page|Home|End|Enter|Escape|Tab|Delete|Backspace|Shift|[A-Za-z]+[A-Z]\w*|[A-Z ]+|Arrow.* Home .*)$")
# The value of such an attribute, or a child of an element, is spoken or shown, whatever its form.
HEARD = re.compile(r'(aria-label|aria-roledescription|aria-valuetext|title|placeholder)("?:|",)\s*$'
                   r'|\bh\("[\w.-]+",\s*\{[^{}]*\},\s*$')
# An exception's message, a line of the console, or the left and right of a comparison.
UNSEEN = re.compile(r"(Error\(|answer\(\{ problem:|console\.\w+\(|[!=]== |case |import\(|from |\?\. ?\[|import )\s*$")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_page_and_every_sentence_of_the_core_has_its_translation(language):
    texts = catalogue(language)
    wanted_texts = swift_sentences.sentences() | swift_sentences.app_texts() | wanted()
    assert {key: where for key, where in wanted_texts.items() if key not in texts} == {}, "no translation"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_left_over(language):
    known = set(wanted()) | set(swift_sentences.keys())
    assert sorted(set(catalogue(language)) - known) == [], "neither a module nor a Swift source has it"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_has_what_is_put_in(language):
    other = {key: text for key, text in catalogue(language).items() if placeholders(key) != placeholders(text)}
    assert other == {}


def test_the_languages_say_the_same_things_in_the_same_order():
    german, dutch = (list(catalogue(language)) for language in LANGUAGES)
    assert german == dutch


def test_the_catalogue_of_the_iphone_has_these_texts():
    place = importlib.util.spec_from_file_location("script", ROOT / "scripts/make-string-catalogue.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    assert module.FILE.read_text() == module.contents(), "run scripts/make-string-catalogue.py"


def test_a_text_of_the_apps_with_arguments_is_a_sentence():
    # SwiftUI would look up another key than the tables have.
    keyed = re.compile(r'\b(?:Text|Button|Label|Section|Toggle|Picker|TextField|ProgressView|navigationTitle'
                       r'|accessibility(?:Label|Value|Hint)|confirmationDialog|searchable)\(\s*"[^"\n]*\\\(')
    found = {path: keyed.findall(source) for path, source in swift_sentences.sources().items()
             if path.startswith("Apps/") and keyed.search(source)}
    assert found == {}


def test_a_sentence_is_found_wherever_it_is_written():
    # One of each place that `swift_sentences` looks at.
    found = swift_sentences.sentences()
    samples = {
        "{0} rejects this location or address (status {1}).", "OKX limits requests. The {0} order book follows later.",
        "No prices of {0} have arrived yet.", "Best ask", "Won’t fill above {0}; the rest is cancelled.",
        "This server doesn't read {0}.", "Changes last until the server ends.", "too many alerts wait for delivery",
        "The order service does not respond, so nothing was ordered.", "{0} could not be asked.",
        "The {0} that were kept can't be understood.", "a trade at {0} or {1}", "records of what was right",
        "Unusually large: {0}. Your usual size in this market is {1}. Place it anyway?"}
    assert samples - set(found) == set()


def test_a_literal_is_read_as_its_key():
    source = r'''
      // "no literal"
      let a: Sentence = "one \(two("three \(4)")) \u{2019}\"\\ \(five) {ago}"
      let b = """
        first \(x), \
        second
        third
        """  /* "none" */
      let c = #"raw \(text)"#
    '''
    keys = [one.key for one in swift_sentences.literals(source)]
    assert keys == ["three {0}", "one {0} ’\"\\ {1} {ago}", "first {0}, second\nthird"]


def test_no_style_depends_on_a_word():
    styles = sorted((ROOT / "Web/page/assets").rglob("*.css"))
    worded = {path.name: found for path in styles
              if (found := re.findall(r"\[(?:aria-label|title|placeholder|alt)\b[^\]]*\]", path.read_text()))}
    assert styles and worded == {}, "in another language it would not apply"


def is_text(text):
    """Whether it looks like user-facing text: a capital and letters after it, or words with spaces."""
    return bool(re.search(r"[A-Z][a-z]|[a-z’,] [a-z]", text)) and not (
        TECHNICAL.search(text) or NAMES.match(text) or SAME_EVERYWHERE.match(text) or text in SEARCH_WORDS)


def test_no_module_says_something_past_the_catalogue():
    past = []
    for path, source in modules().items():
        if path in NOT_TEXTS:
            continue
        known = keys(source)
        for begin, text in strings(source):
            before = source[max(0, begin - 60):begin]
            is_said = is_text(text) or (HEARD.search(before) and re.search(r"[A-Za-z]{2}", text)
                                       and text not in SAMPLES
                                       and not SAME_EVERYWHERE.match(text))
            if begin in known or not is_said or UNSEEN.search(before):
                continue
            past.append(f"{path}:{source.count(chr(10), 0, begin) + 1}: {text}")
    assert past == []
