"""The catalogues of the page's texts against what its modules say; needs no browser."""

import re

import pytest

from page_texts import LANGUAGES, ROOT, catalogue, placeholders, wanted


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
