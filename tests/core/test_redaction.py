"""What others get of a roster: nothing that its owner hides, and a true legality."""

import itertools
import json
import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rosters.core import appraisals, documents
from rosters.core.findings import SHARED_FINDINGS
from rosters.core.redaction import HIDDEN_ERROR, SECRET_IN_POINTS, Hidden, redact, redact_appraisal
from rosters.core.redaction import SECRET as SECRET_NOTE
from tests.strategies import SYSTEMS, any_documents
from tests.support import FIRST, parts_of, read, roster_data, rules

EVERYTHING = Hidden(points=True, notes=True, secrets=True)
HIDINGS = [Hidden(*flags) for flags in itertools.product([False, True], repeat=3)]
NEUTRAL = {HIDDEN_ERROR.code, SECRET_NOTE.code}
ANYTHING = (any_documents(), st.sampled_from(HIDINGS))


def appraised(document):
    return appraisals.appraise(document, rules(document.system))


def copy_of(data, hidden):
    whole = read(data)
    return redact(whole, hidden), redact_appraisal(whole, appraised(whole), hidden, rules(whole.system))


def text_of(copy):
    document, appraisal = copy
    return json.dumps([documents.write(document), appraisals.to_json(appraisal)], ensure_ascii=False)


def declared(system):
    """Every finding and fact of a system by its code."""
    return {**SHARED_FINDINGS, **rules(system).FINDINGS, **rules(system).FACTS}


def telling_points(system):
    return {code for code, what in declared(system).items() if what.reveals_points}


def lines_of(data):
    return [element for formation in data["formations"] for element in formation.get("elements", ())]


@settings(max_examples=30)
@given(*ANYTHING)
def test_a_copy_is_a_document_without_secret_flags_and_legal_exactly_if_the_roster_is(data, hidden):
    """What the copy says is true of what it shows, apart from points: counts tell nothing of the secret elements."""
    whole, (document, appraisal) = read(data), copy_of(data, hidden)
    before, alone = appraised(whole), appraised(document)
    assert read(documents.write(document)) == redact(document, hidden) == document
    assert all(not element.secret for element in document.elements)
    assert len(document.elements) == sum(not (hidden.secrets and element.secret) for element in whole.elements)
    assert [len(f.elements) for f in document.formations] == [len(f.elements) for f in appraisal.formations]
    assert [f.id for f in document.formations] == [f.id for f in whole.formations]
    assert (appraisal.legal, appraisal.quantity) == (before.legal, alone.quantity)
    tell = telling_points(whole.system)
    assert {finding for finding in appraisal.findings if finding.code not in tell | NEUTRAL} <= {*alone.findings}
    for shown, by_itself in ((appraisal, alone), *zip(appraisal.formations, alone.formations, strict=True)):
        facts = {name: fact for name, fact in by_itself.facts.items() if not hidden.points or name not in tell}
        assert shown.facts == facts
    if not hidden.points:
        of_elements = [[f for f in found.findings if "/elements/" in f.where] for found in (appraisal, alone)]
        assert of_elements[0] == of_elements[1]
        assert (appraisal.points, appraisal.exact, appraisal.budget) == (before.points, before.exact, before.budget)
        assert [f.points for f in appraisal.formations] == [f.points for f in before.formations]
    if hidden == Hidden():
        for element in lines_of(data):
            element.pop("secret", None)
        assert (document, appraisal) == (read(data), before)


@given(any_documents(), st.booleans(), st.booleans(), st.integers(1, 10**6))
def test_hidden_points_are_nowhere_and_leave_no_trace_of_the_budget(data, notes, secrets, budget):
    """Apart from whether the roster is legal."""
    document, copy = copy_of(data, Hidden(True, notes, secrets))
    assert document.budget is copy.points is copy.exact is copy.budget is None
    for formation in copy.formations:
        assert formation.points is formation.exact is None
        assert all(line.unit_points is line.points is line.receipt is None for line in formation.elements)
    facts = {name for part in parts_of(copy) for name in part.facts}
    assert telling_points(document.system).isdisjoint(facts | {finding.code for finding in copy.findings})
    assume(data["system"] != "urutsk")
    (one, first), (other, second) = (copy_of({**data, "budget": limit}, EVERYTHING) for limit in (budget, None))
    assert one == other
    assert [f for f in first.findings if f != HIDDEN_ERROR] == [f for f in second.findings if f != HIDDEN_ERROR]


@given(any_documents())
def test_notes_and_secret_elements_are_on_no_copy_that_hides_them(data):
    """Each note, name and id here is a text of its own. Notes that are not hidden are there."""
    marks = (f"§{number}§" for number in itertools.count())
    lines = lines_of(data)
    for item in (data, *data["formations"], *lines):
        item["notes"] = next(marks)
    secret = [line for line in lines if line.get("secret")]
    for line in secret:
        line["name"], line["id"] = next(marks), next(marks)
    open_notes = {item["notes"] for item in (data, *data["formations"], *lines) if item not in secret}
    hidden_texts = {line[key] for line in secret for key in ("name", "id", "notes")}
    for points, notes in itertools.product((True, False), repeat=2):
        found = {*re.findall("§[0-9]+§", text_of(copy_of(data, Hidden(points, notes, secrets=True))))}
        assert found.isdisjoint(open_notes | hidden_texts if notes else hidden_texts)
        assert notes or open_notes <= found


SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}  # 15 BP
BARE, NOVA, SECRET = {**SHIP, "shield": 0}, {**SHIP, "name": "Nova"}, {"secret": True}
HEAVY = {"movement": 10, "to_hit": 4, "range": 20, "power": 3, "armor": 3, "morale": 4}
NO_HITS = {**HEAVY, "to_hit": None}
THANE, TROOP = {"kind": "hero", "commander": True}, {"kind": "troop"}
STAFF, CAVALRY = {"type": "CAV/U", "general": "superior"}, {"type": "CAV/U", "quantity": 4, "secret": True}
GENERALS, FACTOR = {**STAFF, "quantity": 3}, {"options": {"torsion_factor": 1}}
SECRETS, POINTS = Hidden(secrets=True), Hidden(points=True)
SOME, FAULT, TWINS = "something-secret", "hidden", "duplicate-ship-name"
COPIES = [  # what is tried, a system, its elements, keys of the root, what is hidden, the findings of the copy in order
    ("a secret third", "msc", [NOVA, NOVA, SHIP | SECRET], {}, SECRETS, [SOME, TWINS]),
    ("one moves up", "msc", [SHIP | SECRET, BARE | {"engine": 6}], {}, SECRETS, [SOME, "engine-range", "no-shield"]),
    ("another error", "msc", [BARE | {"to_hit": 4, "engine": 5}, BARE | SECRET], {}, EVERYTHING, ["no-shield"]),
    ("over a budget", "vsgmr", [THANE, {"kind": "hero"} | SECRET], {"budget": 3}, SECRETS, [SOME, "over-budget"]),
    ("nothing is a price", "mini-combat", [NO_HITS, NO_HITS | {"morale": 7}], {}, POINTS, ["mixed-unit"]),
    ("house rules", "6mm", [GENERALS, CAVALRY], FACTOR, EVERYTHING, ["several-generals", "house-rule"]),
    ("one name, shown and secret", "msc", [NOVA, NOVA | SECRET], {}, SECRETS, [SOME]),
    ("both shown", "msc", [NOVA, NOVA | SECRET], {}, POINTS, [TWINS]),
    ("the only error is secret", "msc", [SHIP, BARE | SECRET], {}, EVERYTHING, [FAULT]),
    ("sizes tell points", "msc", [SHIP | {"weapons": ["F"]}], {}, POINTS, []),
    ("a size is not legal", "msc", [SHIP | {"weapons": ["F"]}], {"scenario": "strategic"}, POINTS, [FAULT]),
    ("over a hidden budget", "vsgmr", [THANE], {"budget": 1}, POINTS, [FAULT]),
    ("a secret commander", "vsgmr", [TROOP, THANE | SECRET], {}, SECRETS, [SOME]),
    ("a suggestion tells points", "vsgmr", [THANE], {"scenario": "basic"}, POINTS, []),
    ("a secret unit is not empty", "mini-combat", [HEAVY | SECRET], {}, SECRETS, [SOME]),
    ("sets of three", "6mm", [STAFF, CAVALRY], {}, SECRETS, [SOME]),
]
OF_THE_FIRST = {"engine-range": FIRST, "no-shield": FIRST, "mixed-unit": "formations/0"}


@pytest.mark.parametrize(("system", "shown", "root", "hidden", "expected"), [row[1:] for row in COPIES])
def test_the_findings_of_a_copy(system, shown, root, hidden, expected):
    found = copy_of(roster_data(system, shown, **root), hidden)[1].findings
    assert [(f.code, f.where) for f in found] == [(code, OF_THE_FIRST.get(code, "")) for code in expected]


def test_a_note_says_that_the_points_count_something_secret_and_what_hides_nothing_is_the_same_object():
    """The models are those shown; where there are no points, the note says nothing of them."""
    fleet = copy_of(roster_data("msc", [SHIP, SHIP | SECRET | {"quantity": 4}]), SECRETS)[1]
    assert (fleet.points, fleet.quantity, fleet.findings[0]) == (75, 1, SECRET_IN_POINTS)
    assert [(f.points, len(f.elements)) for f in fleet.formations] == [(75, 1)]
    assert fleet.formations[0].facts["offensive"] == 9
    figures = copy_of(roster_data("urutsk", [{"command": True}, SECRET]), SECRETS)[1]
    assert (figures.quantity, figures.findings) == (1, (SECRET_NOTE,))
    one, other = (
        copy_of(roster_data("msc", [SHIP | {"id": "a"}, *more]), EVERYTHING) for more in ([], [SHIP | SECRET])
    )
    assert text_of(one) == text_of(other)
    works = {"type": "WORKS", "quantity": 5, "secret": True}  # a purchase without models takes none away
    assert copy_of(roster_data("6mm", [GENERALS, works]), SECRETS)[1].quantity == 3
    # So that what was computed for it need not be computed again.
    whole = read(roster_data("msc", [SHIP, SHIP | SECRET, SHIP | {"notes": "n"}]))
    first, second, third = whole.formations[0].elements
    copy = redact(whole, EVERYTHING).formations[0].elements
    assert (copy[0] is first, len(copy)) == (True, 2)
    uncovered = second.replace(secret=False)
    assert redact(whole, Hidden()).formations[0].elements == (first, uncovered, third)


REVEALING = {  # by system: findings and facts that others do not get where points are hidden
    "mini-combat": "modifier-sum morale-costs-zero no-attack-costs-zero",
    "msc": "attack_dice defensive offensive over over-25 save_dice size strategic-size unspent unusual-size",
    "vsgmr": "below-suggested-budget over-suggested-budget",
}
OPEN_FACTS = {  # facts that they do get; a new one belongs into one of these lists
    "mini-combat": "morale_test_at transport_capacity",
    "6mm": "army_morale routs_at strength",
    "msc": "speed",
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_reveals_points_is_declared(system):
    assert telling_points(system) == {"over-budget", *REVEALING.get(system, "").split()}
    assert rules(system).FACTS.keys() - telling_points(system) == {*OPEN_FACTS.get(system, "").split()}


@given(any_documents())
@example(roster_data("msc", [], budget=90) | {"formations": [{"name": "0 points", "elements": []}]})
@example(roster_data("vsgmr", [{"kind": "0 points"}]))
def test_no_finding_left_on_a_copy_without_points_states_any(data):
    """A finding that states points is never declared open. What the players call things is theirs to say."""
    document, appraisal = copy_of(data, EVERYTHING)
    names = [each.name for each in (*document.formations, *document.elements) if each.name]
    messages = [f.message for f in appraisal.findings if f.code != "house-rule" and not f.code.startswith("unknown-")]
    theirs = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)")
    states = re.compile(r"\d (more )?(points|BP)\b|\b(price|costs?) 0\b|nothing is left")
    assert [message for message in messages if states.search(theirs.sub("", message))] == []
