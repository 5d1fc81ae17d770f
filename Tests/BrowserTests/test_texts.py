"""The catalogues of the page's texts against its modules; needs no browser."""

import re

import pytest

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
    "all list stars groups", "trade buy sell ticket", "orders receipts fills", "watch list shares isin", "watch certificates bux", "tracker feed symbols",
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
def test_every_text_of_the_page_has_its_translation_and_none_is_left_over(language):
    texts = catalogue(language)["texts"]
    assert {key: where for key, where in wanted().items() if key not in texts} == {}, "no translation"
    assert sorted(set(texts) - set(wanted())) == [], "nobody says this"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["texts", "told"])
def test_every_translation_has_what_is_put_in(language, part):
    other = {key: text for key, text in catalogue(language)[part].items() if placeholders(key) != placeholders(text)}
    assert other == {}


@pytest.mark.parametrize("part", ["texts", "told"])
def test_the_languages_say_the_same_things_in_the_same_order(part):
    german, dutch = (list(catalogue(language)[part]) for language in LANGUAGES)
    assert german == dutch


def test_no_style_depends_on_a_word():
    styles = sorted((ROOT / "Web/page/assets").rglob("*.css"))
    worded = {path.name: found for path in styles
              if (found := re.findall(r"\[(?:aria-label|title|placeholder|alt)\b[^\]]*\]", path.read_text()))}
    assert styles and worded == {}, "in another language it would not apply"


def test_what_the_server_and_the_core_are_heard_to_say_is_what_they_say():
    said = "\n".join(path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift")))
    literals = re.findall(r'"(?:[^"\\\n]|\\.)*"', said) + re.findall(r'[?:] "([^"\n]*)"', said)
    words = set(re.findall(r"[A-Za-z’']+", "\n".join(literals)))
    strange = {}
    for key in catalogue("de")["told"]:
        unknown = [word for word in re.findall(r"[A-Za-z’']+", re.sub(r"\{\w+\}", " ", key)) if word not in words]
        if unknown:
            strange[key] = unknown
    assert strange == {}


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
