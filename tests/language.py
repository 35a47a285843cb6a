"""A made-up language: whatever is marked for translation is shown in Cyrillic letters, so what stays Latin is not."""

import re
from contextlib import contextmanager
from html.parser import HTMLParser
from string import ascii_letters

from django.utils import translation

from rosters.core import messages

LETTERS = str.maketrans(ascii_letters, "абвгдежзийклмнопрстуфхцчшщАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩ")
KEPT = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w+\}|<[^>]*>|&\w+;")
"""Places for values and markup, which a translator keeps as they are."""
SHOWN = {"alt", "aria-label", "content", "placeholder", "title", "value"}
"""Attributes that people read: the value of a button alone, the content of a description for chats alone."""
NO_PROSE = [
    (r"(\w+ )?\w+…$", "a name at the end of a summary that is cut off"),
    (r"https?://\S+|\S+@\S+|\{\".*\}", "addresses, JSON"),
    (r"\b(Armybuilder|BattleScribe|Markdown|CSV)\b|\.\w{2,4}\b", "names of programs and formats, endings of files"),
    (r"\b[A-Z][A-Z0-9/]*s?\b", "codes of the rules and abbreviations: BP, SKI/S, PDF"),
    (r"\b[a-z]+(?:[-_][a-z0-9]+)+\b", "codes of findings and house rules, as the API has them"),
]
"""What may stay Latin on any page, and why."""


def foreign(text):
    """A text as the made-up language has it."""
    parts = re.split(f"({KEPT.pattern})", text)
    return "".join(part if number % 2 else part.translate(LETTERS) for number, part in enumerate(parts))


def foreign_number(one, many, number):
    return foreign(one if number == 1 else many)


@contextmanager
def tooltip():
    """Django and the rules speak the made-up language meanwhile."""
    functions = {
        "gettext": foreign,
        "ngettext": foreign_number,
        "pgettext": lambda context, text: foreign(text),
        "get_language": lambda: "xx",  # parts of pages are kept by language
        "npgettext": lambda context, *forms: foreign_number(*forms),
    }
    before = {name: getattr(translation._trans, name) for name in functions}
    vars(translation._trans).update(functions)
    messages.install(messages.Translator(foreign, foreign_number))
    try:
        yield
    finally:
        messages.install(None)
        vars(translation._trans).update(before)


def latin(text, names=None):
    """The Latin words of a text, apart from the pattern of ``names`` that somebody typed and from what may stay."""
    text = names.sub(" ", text) if names else text
    for pattern, _reason in NO_PROSE:
        text = re.sub(pattern, " ", text)
    return re.findall(r"[A-Za-z]{2,}", text)


def any_of(names):
    """A pattern of names as whole words; none of them is a part of a code such as "empty-unit"."""
    longest_first = sorted({*filter(None, names)}, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])") if longest_first else None


class PageText(HTMLParser):
    """The texts that a page shows, attributes among them."""

    def __init__(self, html):
        super().__init__()
        self.texts, self.silent = [], 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.silent += tag in ("script", "style", "svg", "code", "kbd")
        values = dict(attributes)
        for name in SHOWN if values.get("type") in ("submit", "button") else SHOWN - {"value"}:
            about = values.get("property", values.get("name", ""))
            if values.get(name) and (tag != "meta" or about.endswith(("title", "description", "alt"))):
                self.texts.append(values[name])

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style", "svg", "code", "kbd")

    def handle_data(self, data):
        if data.strip() and not self.silent:
            self.texts.append(" ".join(data.split()))


def english_on(html, names=()):
    """Each text of a page that holds English, with the words."""
    pattern = any_of(names)
    found = ((text, latin(text, pattern)) for text in PageText(html).texts)
    return [f"{text!r}: {' '.join(words)}" for text, words in found if words]
