"""The strings of the page's modules, and which of them are keys of its texts; needs no browser."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSETS = ROOT / "Web/page/assets"
LANGUAGES = ("de", "nl")
# What may precede a slash that begins a regular expression, not a division.
BEFORE_PATTERN = re.compile(r"(?:[(,=:\[!&|?{};+]|\breturn|\bof|^)\s*$")


def catalogue(language):
    return json.loads((ASSETS / f"text/{language}.json").read_text())


def modules():
    """Each module's path below the assets, and its text."""
    return {str(path.relative_to(ASSETS)): path.read_text() for path in sorted(ASSETS.rglob("*.js"))}


def strings(source):
    """Each string and template of a module: (start, text with `\0` for interpolated values)."""
    found, at, nested = [], 0, []
    while at < len(source):
        sign, two = source[at], source[at:at + 2]
        if two == "//":
            at = source.find("\n", at)
            if at < 0:
                break
        elif two == "/*":
            at = source.index("*/", at) + 2
        elif sign == "/" and BEFORE_PATTERN.search(source[max(0, at - 80):at]):
            at = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/").match(source, at).end()
        elif sign in "\"'":
            end = re.compile(rf"{sign}(?:[^{sign}\\\n]|\\.)*{sign}").match(source, at).end()
            found.append((at, plain(source[at + 1:end - 1])))
            at = end
        elif sign == "`":
            nested.append([at, "", 0])
            at = piece(source, at + 1, nested, found)
        elif nested and sign == "{":
            nested[-1][2] += 1
            at += 1
        elif nested and sign == "}":
            nested[-1][2] -= 1
            at += 1
            if nested[-1][2] < 0:
                nested[-1][2] = 0
                at = piece(source, at, nested, found)
        else:
            at += 1
    return sorted(found)


def piece(source, at, nested, found):
    """Reads a template until its end or an interpolation; returns where to continue."""
    part = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.S).match(source, at)
    nested[-1][1] += plain(part[0])
    if source[part.end()] == "`":
        begin, text, _ = nested.pop()
        found.append((begin, text))
        return part.end() + 1
    nested[-1][1] += "\0"
    return part.end() + 2


def plain(text):
    return re.sub(r"\\u([0-9a-f]{4})|\\(.)", lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)


def keys(source):
    """The keys that a module uses: of t(…), with its sense, and both of plural(…)."""
    texts = dict(strings(source))
    called = {}
    for begin, text in texts.items():
        before = source[max(0, begin - 40):begin]
        if re.search(r"(?<![\w.#])t\(\s*$", before):
            called[begin] = text + sense(source, begin)
    for call in re.finditer(r"(?<![\w.#])plural\(", source):
        if source[:call.start()].endswith("function "):
            continue
        inside = sorted(begin for begin in texts if begin > call.end())
        called.update({begin: texts[begin] for begin in inside[:2]})
    return called


def sense(source, begin):
    found = re.compile(r'"(?:[^"\\]|\\.)*",\s*\{\},\s*"(\w+)"').match(source, begin)
    return f"|{found[1]}" if found else ""


def vocabulary():
    """The words from the core that the page looks up individually."""
    source = (ASSETS / "text/vocabulary.js").read_text()
    words = {json.loads(text) for text in re.findall(r'(?:word|badge|explanation):\s*("[^"]*")', source)}
    sides = re.search(r"SIDES = \{(.*?)\}", source)[1]
    return words | {f"{word}|side" for word in re.findall(r'"([^"]*)"', sides)}


def wanted():
    """Each key with its first use."""
    found = {word: "text/vocabulary.js" for word in vocabulary()}
    for path, source in modules().items():
        for begin, key in keys(source).items():
            found.setdefault(key, f"{path}:{source.count(chr(10), 0, begin) + 1}")
    return found


def placeholders(text):
    return sorted(set(re.findall(r"\{(\w+)\}", text)))
