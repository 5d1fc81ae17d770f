#!/usr/bin/env python3
"""Writes the iOS apps' string catalogue from the page's texts; test_texts.py fails if it is out of date."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/BrowserTests"))

import swift_sentences  # noqa: E402
from page_texts import LANGUAGES, catalogue  # noqa: E402

FILE = ROOT / "Apps/Texts/Localizable.xcstrings"
# What the apps link; a key is a literal of these.
LINKED = ("Apps/", "Sources/Core/", "Sources/Market/", "Sources/Trading/", "Sources/Venues/", "Sources/Screens/AppState/")


def contents():
    """A line for each key. "manual": Xcode neither adds nor removes it."""
    texts = {language: catalogue(language) for language in LANGUAGES}
    keys = {one.key for path, source in swift_sentences.sources().items() if path.startswith(LINKED)
            for one in swift_sentences.literals(source)}
    lines = [f" {written(key)}: {written(entry(key, texts))}" for key in sorted(keys & set(texts["de"]))]
    strings = ",\n".join(lines)
    return f'{{"sourceLanguage": "en", "version": "1.0", "strings": {{\n{strings}\n}}}}\n'


def entry(key, texts):
    units = {language: {"stringUnit": {"state": "translated", "value": texts[language][key]}} for language in texts}
    return {"extractionState": "manual", "localizations": units}


def written(value):
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    FILE.write_text(contents())
