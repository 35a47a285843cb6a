"""What a browser sends for a form, parsed from its HTML."""

import json
from functools import lru_cache
from html.parser import HTMLParser

from crispy_forms.utils import render_crispy_form
from django.http import QueryDict

from rosters import registry
from rosters.core import documents
from rosters.core.rulebook import Terms


def system_form(slug, profile=None, data=None, **head):
    """The element form of a system; ``profile`` is document data, None for a new element."""
    system = registry.SYSTEMS[slug]
    terms = Terms(system.rules.Options(**head.pop("options", {})), None, None)
    element = None if profile is None else element_of(slug, profile)
    return system.forms.ElementForm(data, rules=system.rules, terms=terms, element=element)


def element_of(slug, profile):
    return registry.SYSTEMS[slug].rules.Element.model_validate({"name": "One", **profile})


def without_defaults(slug, profile):
    """The profile as the document writes it, without what is default."""
    return documents.profile_of(element_of(slug, profile))


def save_form(slug, profile, **changes):
    """The profile, as document data, after opening an element's form, changing these fields, and saving."""
    data = opened(slug, json.dumps(profile)).copy()
    for name, value in changes.items():
        data.setlist(name, value if isinstance(value, list) else [] if value is None else [value])
    form = system_form(slug, profile, data)
    assert form.is_valid(), form.errors
    return documents.profile_of(form.element)


@lru_cache(maxsize=64)
def opened(slug, profile):
    """What a browser sends for the form of a profile, given as JSON, that nobody has touched."""
    return parse_form(system_form(slug, json.loads(profile))).form_data()


def parse_form(form):
    """The form as a browser parses it."""
    parser = FormParser()
    parser.feed(render_crispy_form(form))
    parser.close()
    return parser


class FormParser(HTMLParser):
    """Collects the controls of a form, and what a browser would send for them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.pairs, self.inputs, self.labels, self.text = [], [], set(), ""
        self._select = self._textarea = None
        self._in_label = False

    def form_data(self):
        data = QueryDict(mutable=True)
        for name, value in self.pairs:
            data.appendlist(name, value)
        return data

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag in ("input", "select", "textarea"):
            self.inputs.append(found)
        if tag == "label":
            self._in_label = True
            self.labels.add(found.get("for"))
        if tag == "input" and self._in_label:
            self.labels.add(found.get("id"))
        is_checked = found.get("type") not in ("checkbox", "radio") or "checked" in found
        if tag == "input" and "name" in found and is_checked:
            self.pairs.append((found["name"], one_line(found.get("value", "on" if "checked" in found else ""))))
        if tag == "select":
            self._select = (found["name"], [])
        if tag == "option":
            self._select[1].append(found)
        if tag == "textarea":
            self._textarea = (found["name"], [])

    def handle_data(self, data):
        if self._textarea:
            self._textarea[1].append(data)
        self.text += data

    def handle_endtag(self, tag):
        if tag == "label":
            self._in_label = False
        if tag == "select":
            name, options = self._select
            picked = next((option for option in options if "selected" in option), options[0])
            self.pairs.append((name, picked["value"]))
            self._select = None
        if tag == "textarea":
            name, parts = self._textarea
            self.pairs.append((name, many_lines("".join(parts))))
            self._textarea = None


def one_line(value):
    """A text input holds no line ends."""
    return value.replace("\r", "").replace("\n", "")


def many_lines(text):
    """A textarea drops its first line end, and sends each of the others as a pair."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\n")
    return text.replace("\n", "\r\n")
