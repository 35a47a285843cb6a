"""Helpers of many tests: rosters as data, their appraisals and findings, and the headers of responses."""

import json
import re
from functools import cache
from html import unescape
from importlib import import_module
from pathlib import Path

import pytest

from rosters.core import appraisals, documents
from rosters.core.appraisals import RosterState, terms_of
from rosters.core.messages import Message
from rosters.registry import SYSTEMS, read

FIXTURES = Path(__file__).parent.parent / "fixtures"

FOLDERS = {"mini-combat": "mini_combat", "6mm": "six_mm", "msc": "msc", "vsgmr": "vsgmr", "urutsk": "urutsk"}
FIRST = "formations/0/elements/0"
"""The position of the first element."""


@cache
def rules(system):
    return import_module(f"rosters.systems.{FOLDERS[system]}.rules")


def types(system):
    return {system: SYSTEMS[system].document_class}


def roster_data(system, *formations, **root):
    """A roster document as data: each formation a list of element dicts."""
    return {
        "format": "armybuilder-roster",
        "version": 1,
        "system": system,
        "name": "Test",
        "formations": [
            {
                "name": f"Formation {number}",
                "elements": [{"name": f"Element {index}", **element} for index, element in enumerate(elements, 1)],
            }
            for number, elements in enumerate(formations, 1)
        ],
        **root,
    }


def appraise(data):
    """The appraisal of a document given as data."""
    return appraisals.appraise(read(data), rules(data["system"]))


def side_of(data):
    """The side of a battle that plays a roster given as data."""
    return RosterState(read(data), appraise(data))


def side(system, *formations, **root):
    return side_of(roster_data(system, *formations, **root))


def alerts(system, *formations, **root):
    """The alerts of a roster of these formations."""
    document = read(roster_data(system, *formations, **root))
    return [*SYSTEMS[system].play.alerts(document, terms_of(document))]


def panels(system, *formations, **root):
    """The reference panels of a roster of these formations, by title."""
    document = read(roster_data(system, *formations, **root))
    return {panel.title: panel for panel in SYSTEMS[system].play.panels(document, terms_of(document))}


def briefing(*sides):
    """The panels before a battle, by title."""
    return {panel.title: panel for panel in SYSTEMS[sides[0].document.system].play.briefing(sides)}


def sample_data(system, slug):
    """A sample roster as data."""
    return json.loads((FIXTURES / "armies" / system / f"{slug}.json").read_text(encoding="utf-8"))


def finding_codes(data, where=None):
    """Finding codes of a document, sorted; only those at one place, if it is given."""
    found = appraise(data).findings
    return sorted(finding.code for finding in found if where is None or finding.where == where)


def invalid_paths(data):
    """The path of each fault of an invalid document, once; the data stay as they were."""
    before = repr(data)
    with pytest.raises(documents.InvalidDocument) as caught:
        read(data)
    faults = caught.value.faults
    assert (repr(data), {type(fault.message) for fault in faults}) == (before, {Message})
    assert len({fault.path for fault in faults}) == len(faults)
    return sorted(fault.path for fault in faults)


def missing(parts, text):
    """Those of the parts that a text does not have."""
    return [part for part in parts if part not in text]


def without_ids(document):
    """A document as data, without any id."""
    data = documents.write(document)
    for item in [item for formation in data["formations"] for item in (formation, *formation["elements"])]:
        item.pop("id", None)
    return data


def finding_places(document):
    """Every place that a finding can name: the roster, its formations and their elements."""
    formations = {f"formations/{f}": formation for f, formation in enumerate(document.formations)}
    return {"", *formations, *(f"{at}/elements/{e}" for at, f in formations.items() for e in range(len(f.elements)))}


def parts_of(appraisal):
    """An appraisal, its formations and its elements."""
    return appraisal, *appraisal.formations, *(line for f in appraisal.formations for line in f.elements)


def resubmitted_form(response):
    """The URL of the form of an error page, which submits a request again, and its fields with their values."""
    html = response.content.decode()
    form = re.search(r'<form method="post" action="([^"]*)">(.*?)</form>', html, re.DOTALL)
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form[2])
    sent = {}
    for name, value in fields:
        sent.setdefault(unescape(name), []).append(unescape(value))
    del sent["csrfmiddlewaretoken"]
    return unescape(form[1]), sent


HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
CLOSED = ["default-src 'none'", "base-uri 'none'", "form-action", "frame-ancestors 'none'"]
WEAK = ["unsafe-inline", "unsafe-eval", "http:", "https:", "*", "blob:"]
"""What would allow foreign scripts or styles."""


def assert_secure_headers(response):
    """Assert that a response has every security header, and a policy that allows no foreign script or style."""
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
    policy = response.headers.get("Content-Security-Policy", "")
    is_page = response.headers.get("Content-Type", "text/html").startswith("text/html")
    needed = [*CLOSED, "script-src 'self'", "style-src 'self'"] if is_page else [*CLOSED[1:], "script-src 'none'"]
    assert ([part for part in needed if part not in policy], [part for part in WEAK if part in policy]) == ([], [])
    assert "camera=()" in response.headers.get("Permissions-Policy", "")
    assert re.fullmatch(r"[0-9a-f]{16}", response.headers.get("X-Request-ID", ""))
