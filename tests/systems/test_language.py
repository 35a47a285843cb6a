"""In a made-up language, no English is left in the rules' texts of any game: every text is a message.

Its words have no Latin letters, and neither do names in the rosters. So each lower-case Latin letter is English that
was not marked, or a code, which the game's row in CODES allows.
"""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from rosters.core import appraisals, diff, edits, messages
from rosters.core.appraisals import RosterState
from rosters.core.play import model_key, set_box, with_damage
from rosters.core.redaction import HIDDEN_ERROR, SECRET, SECRET_IN_POINTS
from rosters.registry import SYSTEMS
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.six_mm import tables as six_mm
from rosters.systems.urutsk.play import STATES
from rosters.systems.vsgmr import rules as vsgmr
from tests import strategies
from tests.notation import ELEMENTS
from tests.support import FIXTURES, FOLDERS, appraise, read, roster_data, sample_data

ROOT = Path(__file__).parents[2]

CODES = {"mini-combat": {*CAPABILITIES, "c"}, "6mm": set(), "msc": set(), "vsgmr": set(), "urutsk": {*STATES}}
"""Codes that the rulebook itself or a document writes with lower-case letters."""

RARE = {  # elements with findings that random rosters seldom have
    "mini-combat": """kind=infantry save=1 Sub Amph Se, kind=infantry Sk Fly WB, kind=infantry OS Feot,
        Sc Tel LFA RdFA LM RdM, kind=infantry FA Cone 5c, kind=infantry Org, Den,
        morale=7 Den:Den Den:OS, IF T:0 MW:0, MA MA, own:-99* own:-100""",
    "6mm": """ART, AIR, TNK, TNK light soft, TNK light + SKI/F soft, TNK light torsion,
        WBD competent agreed=2 torsion guided post_1906 off_board, ARC inferior elite agreed=-9, INF/A agreed=99,
        MSK animal elephant""",
    "msc": "9 9 -5 F F F F F F X RR, 0 0 0, 1 1 0 F",
    "vsgmr": """hero independent independent super-armor:minor, mook sniper commander, troop commander,
        vehicle support super-skill:superior super-blast:major,
        hero automatic_fire, cavalry commander no-such-trait, titan armor=scale, troop armor=scale,
        hero flies nowhere:minor heavy, hero x20""",
}
RARE = {system: [*map(ELEMENTS[system], map(str.strip, texts.split(",")))] for system, texts in RARE.items()}


@cache
def rosters(system):
    """Sample rosters, odd ones, and damaged ones, without Latin letters in what users wrote."""
    samples = [sample_data(system, path.stem) for path in sorted((FIXTURES / "armies" / system).glob("*.json"))]
    kept, occurring = [], set()

    @settings(max_examples=80, phases=[Phase.generate])
    @given(strategies.documents(system))
    def keep(data):
        """Keep some rosters, and each with a new finding."""
        codes = {finding.code for finding in appraise(data).findings}
        if len(kept) < SAMPLES or codes - occurring:
            kept.append(data)
            occurring.update(codes)

    keep()
    large = {"scenario": "basic"} if system == "vsgmr" else {}  # which suggests fewer points
    data = [*samples, roster_data(system, RARE.get(system, []), **large), *kept]
    documents = [read(without_latin(document, source(system))) for document in data]
    return [*documents, *(damaged(document, system) for document in documents[:SAMPLES])]


SAMPLES = 8
COPIES_ONLY = [HIDDEN_ERROR, SECRET, SECRET_IN_POINTS]


def damaged(document, system):
    """The roster with all boxes of each first model marked."""
    terms, play = appraisals.terms_of(document), SYSTEMS[system].play

    def damage(element):
        mark = {}
        for track in play.tracks(element, terms) if element.quantity else ():
            for box in range(len(track.boxes)):
                mark = set_box(mark, track, box, True)
        return mark

    document = edits.with_ids(document)
    elements = document.elements
    return with_damage(document, {model_key(element.id, 0): damage(element) for element in elements})


@cache
def source(system):
    """The code and the reference lists of a game, in which its codes are quoted."""
    files = [*(ROOT / "rosters" / "systems" / FOLDERS[system]).glob("*.py"), FIXTURES / f"{system}.json"]
    return "".join(path.read_text() for path in files if path.exists())


USERS = {"name", "notes", "custom", "protection"}
LISTED = {
    **{key: {*CAPABILITIES} for key in ("code", "denies")},
    "type": {*six_mm.TYPES, *six_mm.PURCHASES},
    "quality": {*six_mm.QUALITY},
    "traits": {*vsgmr.TRAITS, *vsgmr.ALIASES},
    "power": {power for power, _tier in vsgmr.POWERS},
}
"""Codes of keys that hold any text: random ones may be a word of the source, as hypothesis draws from its constants."""


def without_latin(value, codes, key=""):
    if isinstance(value, dict):
        return {
            without_latin(k, codes, "power") if key == "powers" else k: without_latin(v, codes, k)
            for k, v in value.items()
        }
    if isinstance(value, list):
        return [without_latin(v, codes, key) for v in value]
    quoted = isinstance(value, str) and (value in LISTED[key] if key in LISTED else f'"{value}"' in codes)
    known = key not in USERS and (quoted or key in ("system", "format", "id", "crest"))
    return value if known or not isinstance(value, str) else re.sub(r"[A-Za-z]", "Ω", value)


@cache
def sides(system):
    rules = SYSTEMS[system].rules
    return [RosterState(document, appraisals.appraise(document, rules)) for document in rosters(system)]


def texts(system):
    """Every text of the rules, or a tuple, list or mapping of texts, each with its kind."""
    rules, play = system.rules, system.play
    yield "words", [rules.WORDS[:6], rules.WORDS.nouns, rules.WORDS.count_elements(2), rules.WORDS.count_points(3)]
    yield "words", [system.purpose, [size.label for size in rules.SIZES]]
    yield "words", [(scenario.name, scenario.text, scenario.sides) for scenario in rules.SCENARIOS.values()]
    yield "glossary", [(entry.name, entry.text) for entry in rules.glossary()]
    yield "help", [(term.name, term.text, term.group, term.price, term.example) for term in system.help.terms()]
    for name, field in rules.Options.model_fields.items():
        yield "house rules", [field.title or name, field.description, (field.json_schema_extra or {}).get("words", {})]
    yield "meanings", [kind.text for kind in appraisals.finding_types(rules).values()]
    yield "findings", [finding.message for finding in COPIES_ONLY]
    yield "labels", [rules.LABELS, *(fact.label for fact in rules.FACTS.values())]
    yield "meanings", [fact.text for fact in rules.FACTS.values()]
    for document, appraisal, _lines in sides(system.slug):
        terms = appraisals.terms_of(document)
        yield "house rules", [rule.text for rule in appraisal.house_rules]
        yield "findings", [finding.message for finding in appraisal.findings]
        yield "alerts", [alert.text for alert in play.alerts(document, terms)]
        yield "panels", [panel[:] for panel in play.panels(document, terms)]
        for element in document.elements:
            yield "descriptions", rules.describe(element, terms)
            yield "tracks", [(track.label, track.boxes) for track in play.tracks(element, terms)]
        receipts = [line.receipt for unit in appraisal.formations for line in unit.elements if line.receipt]
        yield "receipts", [step.label for receipt in receipts for step in receipt.steps]
    every = sides(system.slug)
    for group in [[], *([side] for side in every), *map(list, pairwise(every)), every[:3]]:
        yield "battles", play.match(group)[1:]
        yield "battles", [panel[:] for panel in play.briefing(group)]
    for before, after in pairwise(every):
        yield "differences", [change.text for change in diff.changes(before, after, rules)]
        for row in diff.Comparison(before, after, rules).rows():
            yield "differences", (row.formation, row.element, *(cell.description for cell in row.cells()))


def flat(value):
    """Every text in nested tuples, lists, and values of mappings."""
    if isinstance(value, str):
        yield value
    elif value is not None:
        for each in value.values() if isinstance(value, dict) else value:
            yield from flat(each)


def made_up(text):
    return re.sub(r"\{\w+\}|[^\W\d_]", lambda part: part[0] if part[0][0] == "{" else "ж", text)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_made_up_language_leaves_no_english_in_any_finding_or_text(system, monkeypatch):
    translator = messages.Translator(made_up, lambda one, many, n: made_up(one if n == 1 else many))
    monkeypatch.setattr(messages, "_translator", translator)
    english = set()
    every = {(kind, text, type(text)) for kind, value in texts(SYSTEMS[system]) for text in flat(value)}
    for kind, text, _type in every:  # a message equals its English text
        translated = re.sub(r"(?<=\d)e(?=-?\d)", "", messages.translate(text))  # the exponents of numbers
        left = {*re.findall(r"[A-Za-z]*[a-z][A-Za-z]*", translated)} - CODES[system]
        if left:
            english.add(f"{kind}: {text}  [{' '.join(sorted(left)[:5])}]")
    assert sorted(english)[:25] == []
    occurring = {finding.code for side in sides(system) for finding in side.appraisal.findings}
    assert {*appraisals.finding_types(SYSTEMS[system].rules)} - occurring == {finding.code for finding in COPIES_ONLY}


NEGATIVE = {
    "mini-combat": {"movement": -5, "to_hit": -1, "save": -2, "power": -3},
    "6mm": {"type": "MSK", "agreed": -9},
    "msc": {"engine": -2, "shield": -1, "to_hit": -3},
    "urutsk": {"ranged": -1, "close": -2, "weapon_ability": -3, "fate": -4},
}


@pytest.mark.parametrize("slug", NEGATIVE)
def test_negative_numbers_have_a_minus_sign(slug):
    document = read(roster_data(slug, [NEGATIVE[slug]]))
    (element,), appraisal = document.elements, appraise(roster_data(slug, [NEGATIVE[slug]]))
    receipt = appraisal.formations[0].elements[0].receipt
    texts = [SYSTEMS[slug].rules.describe(element, appraisals.terms_of(document))]
    texts += [finding.message for finding in appraisal.findings]
    texts += [step.label for step in receipt.steps] if receipt else []
    assert [text for text in texts if re.search(r"-\d", text)] == []
    assert any("−" in text for text in texts)
