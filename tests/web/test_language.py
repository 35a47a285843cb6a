"""Pages in a made-up language: no English is left on them but what somebody typed."""

import json
import re
from contextlib import contextmanager
from html.parser import HTMLParser
from string import ascii_letters

import pytest
from django.utils import translation

from rosters import registry
from rosters.core import documents, messages
from rosters.core.appraisals import edition_label
from rosters.models import Roster
from rosters.store import access, shelf
from tests.people import Person, add_element, document_of, element_ids, reload, url_of

PUBLIC = ["/", "/books/", "/import", "/check", "/battle/new", "/mine/", "/mine/bin", "/shelf/", "/nothing"]
PUBLIC += ["/s/nothing"]
PUBLIC += [f"/account/{path}/" for path in ("login", "signup", "inactive", "confirm-email", "confirm-email/none")]
PUBLIC += [f"/account/password/reset/{path}" for path in ("", "done/", "key/done/", "key/1-none/")]
ACCOUNT = ["", "email/", "password/change/", "reauthenticate/", "logout/", "delete", "tokens", "sessions"]
ACCOUNT += ["2fa/", "2fa/totp/activate/"]


def typed(value):
    """Every name and note in a document: what people typed."""
    if isinstance(value, dict):
        yield from (value[key] for key in ("name", "notes") if value.get(key))
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from typed(part)


def assert_translated(person, *addresses, names=()):
    """Every one of these pages is in the made-up language."""
    samples = [each for text in Roster.objects.values_list("document", flat=True) for each in typed(json.loads(text))]
    names = [*names, *samples, "Newcomers", "Added Newcomer"]  # of `add_element`
    for system in registry.SYSTEMS.values():
        names += [system.name, edition_label(system.rules.EDITION), system.grammar.example]
        names += [term.code for term in system.help.terms()]
    person.get("/mine/")  # it shows what was said before, in English
    with tooltip():
        pages = {address: person.get(address).content.decode() for address in addresses}
    assert [address for address, page in pages.items() if '<header class="site">' not in page] == [], "it is allauth's"
    english = {address: english_on(page, names) for address, page in pages.items()}
    said = [f"{address} {text}" for address, texts in english.items() for text in texts]
    if said:
        pytest.fail("\n".join(said), pytrace=False)


def test_the_public_pages(stranger):
    assert_translated(stranger, *PUBLIC)


def test_the_pages_of_an_account(owner):
    owner.sign_up()
    owner.confirm_password()
    assert_translated(owner, *(f"/account/{path}" for path in ACCOUNT), names=["anna@example.com"])


@pytest.fixture(params=["mini-combat/second-world-war", "msc/book-squadron"])
def one(owner, request):
    """A roster that is over its limit and has an empty formation and a history."""
    one = owner.copy_sample(request.param)
    owner.post_to(one, "formation/add")
    add_element(one)
    owner.post_to(one, "undo")
    owner.post_to(one, "redo")
    return reload(one)


ROSTER = [f"/r/{{token}}/{part}" for part in ("", "?receipt=all", "settings", "add", "marks", "sharing", "history")]
ROSTER += ["/r/{token}/element?id={e}", "/r/{token}/element?in={formation}", "/r/{token}/formation?id={formation}"]
ROSTER += [f"/s/{{token}}/{part}" for part in ("r1", "print", "print?paper=NONE", "history", "compare")]
ROSTER += ["/s/{token}?receipt=all&since=1", "/s/{token}/compare?from=r1&with={token}", "/battle/new?roster={token}"]
ROSTER += ["/new/{system}", "/explain/", "/explain/{system}", "/explain/{system}/findings", "/mine/"]
ROSTER += ["/r/{token}/marks/reference", "/books/?system={system}"]


def test_the_pages_of_a_roster(owner, one):
    document = document_of(one)
    parts = {"token": one.token, "system": one.system, "formation": document.formations[0].id}
    pages = [page.format(**parts, e=element_ids(one)[0][0]) for page in ROSTER]
    own = shelf.create(owner.browser)
    shelf.add_models(own, shelf.required_models([document]).values())
    pages += [f"/shelf/{own.token}/{page}" for page in ("", f"rosters?roster={one.token}", "link", "delete")]
    links = [link.name for link in access.links_of(one)]
    assert_translated(owner, *pages, names=[*typed(documents.write(document)), *links])


def test_the_page_of_a_battle(owner, friend, one):
    battle = owner.create_battle(one)
    theirs = friend.create_opponent(battle)
    add_element(one)
    written = [documents.write(document_of(each)) for each in (one, theirs)]
    names = [reload(battle).name, *(name for document in written for name in typed(document))]
    for person in (owner, friend, Person()):
        assert_translated(person, url_of(battle), names=names)


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
    found = ((text, latin(text, pattern)) for text in PageText(html).texts if re.search("[A-Za-z]{2}", text))
    return [f"{text!r}: {' '.join(words)}" for text, words in found if words]
