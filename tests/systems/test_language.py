"""In a made-up language, no English is left in the rules' texts of any game: every text is a message.

Its words have no Latin letters, and neither do names in the rosters. So each lower-case Latin letter is English that
was not marked, or a code, which the game's row in CODES allows.
"""

import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from rosters.core import appraisals, diff, messages
from rosters.core.edits import replace_fields
from rosters.core.play import Side, toggle_box
from rosters.registry import SYSTEMS
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.six_mm import tables as six_mm
from tests import strategies
from tests.support import FIXTURES, FOLDERS, appraise, read, roster

ROOT = Path(__file__).parents[2]

CODES = {"mini-combat": {*CAPABILITIES, "c"}, "6mm": set(), "msc": set(), "vsgmr": set(), "urutsk": set()}
"""Codes that the rulebook itself writes with lower-case letters."""

UNTRANSLATED = {
    "mini-combat": "differences",
    "6mm": "differences",
    "msc": "differences",
    "vsgmr": "differences",
    "urutsk": "",
}
"""Kinds of texts that still fail, to be removed by whoever translates them."""

# system: elements with findings that random rosters seldom have
RARE = {
    "mini-combat": [
        {"kind": "infantry", "save": 1, "capabilities": capabilities}
        for capabilities in (
            [{"code": "Sub"}, {"code": "Amph"}, {"code": "Se"}],
            [{"code": "Den", "denies": "Den"}, {"code": "Den"}],
            [{"code": "Den", "denies": "OS"}],
            [{"code": "Sk"}, {"code": "Fly"}, {"code": "WB"}],
            [{"code": "IF"}, {"code": "T", "count": 0}, {"code": "MW", "count": 0}],
            [{"code": "OS", "turns": 3}, {"code": "Feot"}],
            [{"code": "Sc"}, {"code": "Tel"}, {"code": "LFA"}, {"code": "RdFA"}, {"code": "LM"}, {"code": "RdM"}],
            [{"code": "FA"}, {"code": "Cone"}, {"code": "5c"}],
            [{"code": "Org"}],
        )
    ],
    "6mm": [
        {"type": "ART"},
        {"type": "TNK", "armour": "light", "transport": "soft"},
        {"type": "TNK", "armour": "light", "duplicates": [{"type": "SKI/F", "transport": "soft"}]},
    ],
    "msc": [],
    "vsgmr": [
        {"kind": "hero", "traits": ["independent", "independent"]},
        {"kind": "mook", "traits": ["sniper"], "commander": True},
        {"kind": "vehicle", "traits": ["support"], "powers": {"super-skill": "superior", "super-blast": "major"}},
    ],
    "urutsk": [],
}


@cache
def rosters(system):
    """Sample rosters, odd ones, and damaged ones, without Latin letters in what users wrote."""
    samples = [json.loads(path.read_text()) for path in sorted((FIXTURES / "armies" / system).glob("*.json"))]
    kept, occurring = [], set()

    @settings(
        max_examples=400,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategies.documents(system))
    def keep(data):
        """Keep some rosters, and each with a new finding."""
        codes = {finding.code for finding in appraise(data).findings}
        if len(kept) < SAMPLES or codes - occurring:
            kept.append(data)
            occurring.update(codes)

    keep()
    data = [*samples, roster(system, RARE[system]), *kept]
    documents = [read(without_latin(document, source(system))) for document in data]
    return [*documents, *(damaged(document, system) for document in documents[:SAMPLES])]


SAMPLES = 8


def damaged(document, system):
    """The roster with all boxes of each first model marked."""
    terms, play = appraisals.terms_of(document), SYSTEMS[system].play

    def damage(element):
        for track in play.tracks(element, terms) if element.quantity else ():
            for box in range(len(track.boxes)) if track.kind == "names" else [len(track.boxes) - 1][: len(track.boxes)]:
                element = toggle_box(element, 0, track, box)
        return element

    formations = [replace_fields(f, elements=tuple(map(damage, f.elements))) for f in document.formations]
    return replace_fields(document, formations=tuple(formations))


@cache
def source(system):
    """The code and the reference lists of a game, in which its codes are quoted."""
    files = [*(ROOT / "rosters" / "systems" / FOLDERS[system]).glob("*.py"), FIXTURES / f"{system}.json"]
    return "".join(path.read_text() for path in files if path.exists())


USERS = {"name", "notes", "custom", "protection"}
LISTED = {"type": {*six_mm.TYPES, *six_mm.PURCHASES}, "quality": {*six_mm.QUALITY}}
"""Codes of keys that hold any text: random ones may be a word of the source, as hypothesis draws from its constants."""


def without_latin(value, codes, key=""):
    if isinstance(value, dict):
        return {without_latin(k, codes) if key == "powers" else k: without_latin(v, codes, k) for k, v in value.items()}
    if isinstance(value, list):
        return [without_latin(v, codes, key) for v in value]
    quoted = isinstance(value, str) and (value in LISTED[key] if key in LISTED else f'"{value}"' in codes)
    known = key not in USERS and (quoted or key in ("system", "format", "id"))
    return value if known or not isinstance(value, str) else re.sub(r"[A-Za-z]", "Ω", value)


@cache
def sides(system):
    rules = SYSTEMS[system].rules
    return [Side(document, appraisals.appraise(document, rules)) for document in rosters(system)]


# ---------------------------------------------------------------- the texts, by kind


def words(system):
    labels = system.rules.WORDS
    yield from (labels[:6], labels.nouns, labels.count_elements(2), labels.count_points(3))
    yield from (size.label for size in system.rules.SIZES)
    for scenario in system.rules.SCENARIOS.values():
        yield from (scenario.name, scenario.text, scenario.sides)
    yield from (system.purpose,)


def glossary(system):
    return ((entry.name, entry.text) for entry in system.rules.glossary())


def house_rules(system):
    for name, field in system.rules.Options.model_fields.items():
        yield from (field.title or name, field.description or "", (field.json_schema_extra or {}).get("words", {}))
    yield from (rule.text for side in sides(system.slug) for rule in side.appraisal.house_rules)


def meanings(system):
    yield from (meaning.text for meaning in appraisals.meanings(system.rules).values())
    yield from (fact.text for fact in system.rules.FACTS.values())


def findings(system):
    return (finding.message for side in sides(system.slug) for finding in side.appraisal.findings)


def elements(system):
    """Every element with the terms of its roster and its price."""
    for document, appraisal in sides(system.slug):
        for formation, priced in zip(document.formations, appraisal.formations, strict=True):
            for pair in zip(formation.elements, priced.elements, strict=True):
                yield *pair, appraisals.terms_of(document)


def receipts(system):
    return (
        step.label for _, priced, _ in elements(system) for step in (priced.receipt.steps if priced.receipt else ())
    )


def descriptions(system):
    return (system.rules.describe(element, terms) for element, _, terms in elements(system))


def tracks(system):
    return (
        (track.label, track.boxes)
        for element, _, terms in elements(system)
        for track in system.play.tracks(element, terms)
    )


def alerts(system):
    for document in rosters(system.slug):
        yield from (alert.text for alert in system.play.alerts(document, appraisals.terms_of(document)))


def panels(system):
    for document in rosters(system.slug):
        yield from (panel[:] for panel in system.play.panels(document, appraisals.terms_of(document)))


def battles(system):
    every = sides(system.slug)
    for group in [[], *([side] for side in every), *map(list, pairwise(every)), every[:3]]:
        yield from system.play.match(group)[1:]
        yield from (panel[:] for panel in system.play.briefing(group))


def differences(system):
    for before, after in pairwise(sides(system.slug)):
        yield from (change.text for change in diff.changes(before, after, system.rules))
        for row in diff.side_by_side(before, after, system.rules):
            yield from (row.formation, row.element, row.left.description, row.right.description)


KINDS = (
    words,
    glossary,
    house_rules,
    meanings,
    findings,
    receipts,
    descriptions,
    tracks,
    alerts,
    panels,
    battles,
    differences,
)


def flat(texts):
    """Every text in nested tuples, lists, and values of mappings."""
    for text in texts:
        if isinstance(text, str):
            yield text
        elif text is not None:
            yield from flat(text.values() if isinstance(text, dict) else text)


def made_up(text):
    return re.sub(r"\{\w+\}|[^\W\d_]", lambda part: part[0] if part[0][0] == "{" else "ж", text)


@pytest.fixture
def made_up_language(monkeypatch):
    translator = messages.Translator(made_up, lambda one, many, n: made_up(one if n == 1 else many))
    monkeypatch.setattr(messages, "_translator", translator)


def case(system, kind):
    marks = [pytest.mark.xfail(strict=True)] if kind.__name__ in UNTRANSLATED[system].split() else []
    return pytest.param(system, kind, marks=marks, id=f"{system}-{kind.__name__}")


@pytest.mark.parametrize(("system", "kind"), [case(system, kind) for system in SYSTEMS for kind in KINDS])
def test_a_made_up_language_leaves_no_english(system, kind, made_up_language):
    english = set()
    for text in flat(kind(SYSTEMS[system])):
        left = {*re.findall(r"[A-Za-z]*[a-z][A-Za-z]*", messages.translate(text))} - CODES[system]
        if left:
            english.add(f"{text}  [{' '.join(sorted(left)[:5])}]")
    assert sorted(english)[:25] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_finding_occurs_in_these_rosters(system):
    occurring = {finding.code for side in sides(system) for finding in side.appraisal.findings}
    assert {*appraisals.meanings(SYSTEMS[system].rules)} - occurring == set()
