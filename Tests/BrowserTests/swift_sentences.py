"""The string literals of the Swift sources as keys of the page's catalogues, and those that are sentences for users.

A literal is a sentence if the compiler reads it as a `Sentence`. Without a compiler this is decided by its place: in the
body or initial value of a declaration of that type, or in an argument or a value that takes one (`PLACES`).
"""

import functools
import re

from page_texts import ROOT

# What precedes an expression whose literals are sentences.
PLACES = re.compile(
    r"userMessage: |sentence: |(?:Drift|Change)Words\(\s*text: |\bRefusal\(|\.unconfirmed\(|\.announce\(|\bfailed\("
    r"|OrdersUnavailable\(|Sentence\(joining: |\bnotSent\(|\brefusal\(code, |\bdone\(|(?<!let )(?<!var )\b(?:obstacle|remainder|bound|words) =\s"
    r"|closure:\s|\.init\(\s*(?=\")|return \(Value\(\), |\btell\(")
# What precedes another literal there: the code of an error, the name of a member.
OTHER = re.compile(r"(?:code: |\.text\(|\.flag\()$")
# A declaration of the type.
DECLARATION = re.compile(r"(?::|->) Sentence\??\s*(?P<opening>\{|=(?!=))|\(String, Sentence, Bool\) =")
# Sentences of another kind: not for users, or not on the page.
FOREIGN = {
    "Sources/Core/WireJSON/Sentence+JSON.swift", "Sources/Core/MarketModel/Sentence.swift",
    "Sources/Server/livetape", "Sources/Venues/VenueSimulator", "Sources/Server/LivetapeServer/ScriptAPI",
    "Sources/Market/HistoryStore", "Sources/Market/MarketHistory",
    "Sources/Server/LivetapeServer/Operations", "Sources/Market/SocketTransport", "Sources/Cluster/MessageBus",
}
# Literals of the apps that users never see, or that are the same in every language.
NOT_TEXTS = re.compile(
    r"^(Livetape|VWAP|Storing orders|the keychain answered \{0\}|ordersWithout(Review|Latency)|http://.*|d?MMM.*|HH:mm.*|en_US_POSIX"
    r"|\{0\} (ms|steps|fault)|(\{0\})? bp|bar \{0\} \{1\}|ticket reason|size question)$")

SIGNS = re.compile(r'[/#"()]')


class Literal:
    """A literal: its place, its key, the places of the literals inside its interpolations."""

    def __init__(self, begin, end, key):
        self.begin, self.end, self.key = begin, end, key


def literals(source):
    """Each string literal outside of comments, those inside of interpolations included."""
    found = []
    _scan(source, 0, found, None)
    return found


def _scan(source, at, found, closing):
    """Reads code until the parenthesis that ends an interpolation, or the end; returns where to continue."""
    depth = 0
    while found_sign := SIGNS.search(source, at):
        at = found_sign.start()
        sign = source[at]
        if source.startswith("//", at):
            at = source.find("\n", at)
            if at < 0:
                return len(source)
        elif source.startswith("/*", at):
            at = source.index("*/", at) + 2
        elif sign == "#" and (raw := re.compile(r'(#+)"').match(source, at)):
            at = source.index('"' + raw[1], raw.end()) + 1 + len(raw[1])
        elif sign == '"':
            at = _literal(source, at, found)
        else:
            depth += (sign == "(") - (sign == ")")
            at += 1
            if closing and depth < 0:
                return at
    return len(source)


def _literal(source, begin, found):
    mark = '"""' if source.startswith('"""', begin) else '"'
    at, parts, count = begin + len(mark), [], 0
    while not source.startswith(mark, at):
        if source[at] != "\\":
            parts.append(source[at])
            at += 1
        elif source[at + 1] == "(":
            parts.append(f"{{{count}}}")
            count += 1
            at = _scan(source, at + 2, found, ")")
        elif source[at + 1] == "u":
            end = source.index("}", at)
            parts.append(chr(int(source[at + 3:end], 16)))
            at = end + 1
        elif source[at + 1] == "\n":
            parts.append("\\\n")
            at += 2
        else:
            parts.append({"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(source[at + 1], source[at + 1]))
            at += 2
    text = "".join(parts)
    if mark == '"""':
        lines = text.split("\n")
        indent = len(lines[-1])
        text = "\n".join(line[indent:] for line in lines[1:-1]).replace("\\\n", "")
    found.append(Literal(begin, at + len(mark), text))
    return at + len(mark)


def _end(source, at, strings):
    """The end of the expression or block that begins at a place."""
    skip = {one.begin: one.end for one in strings}
    depth, start, is_call = 0, at, source[at] == "{" or source[at - 1] == "("
    while at < len(source):
        if at in skip:
            at = skip[at]
            continue
        sign = source[at]
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or depth == 0 and sign == "}" and source[start] == "{":
            return at
        if depth == 0 and sign == "," and not is_call:
            return at
        if depth == 0 and sign == "\n" and not is_call and not re.match(
                r'\s*(?:[?:+.]|"|\?\?|\})', source[at:]) and not re.search(r"[=(?:,{]\s*$", source[start - 2:at]):
            return at
        at += 1
    return at


@functools.cache
def sources():
    """The Swift files of the shipped programs, with their text."""
    folders = [ROOT / "Sources", *(ROOT / "Apps" / name for name in ["PhoneApp", "PhoneStores", "StocksApp"])]
    # The titles of Xcode's previews are for developers.
    files = [path for folder in folders for path in sorted(folder.rglob("*.swift")) if path.name != "Previews.swift"]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in files}


@functools.cache
def app_texts():
    """The literals of the apps' views that look like texts, with their first place."""
    found = {}
    for path, source in sources().items():
        if path.startswith("Apps/"):
            for one in literals(source):
                words = re.sub(r"\{\w+\}", "", one.key)
                if is_text(one.key) and re.search(r"[A-Z ]", words) and not NOT_TEXTS.match(one.key):
                    found.setdefault(one.key, f"{path}:{source.count(chr(10), 0, one.begin) + 1}")
    return found


@functools.cache
def keys():
    """Every literal of the sources as a key, with its first place."""
    found = {}
    for path, source in sources().items():
        for one in literals(source):
            found.setdefault(one.key, f"{path}:{source.count(chr(10), 0, one.begin) + 1}")
    return found


@functools.cache
def sentences():
    """The keys of sentences that can reach the page, with their first place."""
    found = {}
    for path, source in sources().items():
        if any(path.startswith(foreign) for foreign in FOREIGN):
            continue
        if "Sentence" not in source and not PLACES.search(source):
            continue
        outer = []
        for one in sorted(literals(source), key=lambda one: one.begin):
            if not outer or outer[-1].end <= one.begin:
                outer.append(one)
        spans = []
        for match in DECLARATION.finditer(source):
            start = match.end() - 1 if match["opening"] == "{" else match.end()
            spans.append((start, _end(source, start, outer)))
        spans += [(match.end(), _end(source, match.end(), outer)) for match in PLACES.finditer(source)]
        for begin, end in spans:
            for one in outer:
                if begin <= one.begin < end and not OTHER.search(source, 0, one.begin):
                    found.setdefault(one.key, f"{path}:{source.count(chr(10), 0, one.begin) + 1}")
    return {key: where for key, where in found.items() if is_text(key)}


def is_text(key):
    """Whether there is something to translate: letters besides the arguments, and no code."""
    return not re.match(r"[A-Z]+_", key) and bool(re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", key)))
