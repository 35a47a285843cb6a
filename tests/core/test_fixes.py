"""The fixes of findings, each does what its label says and no harm; what remaining points buy; small changes."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import registry
from rosters.core import documents, edits, fixes
from rosters.core.suggestions import best_purchase
from rosters.core.variants import changes_of
from rosters.registry import SYSTEMS
from rosters.store.state import compute_state
from tests.notation import ELEMENTS, rows
from tests.strategies import documents as any_of
from tests.support import roster_data

HERO, INFANTRY = {"kind": "hero"}, {"kind": "infantry", "to_hit": 4, "range": 20, "morale": 3}
GENERAL, ONE, NONE = {"general": "competent"}, {"quantity": 1}, {"capabilities": []}
CHOSEN, DROPPED = {"commander": True}, {"commander": False}
MOUNTS = [{"kind": "cavalry", "commander": True, "quantity": n} for n in (0, 1)]
STANDS = [{"type": "MSK"}, {"type": "CAV/U", "quality": "good", "quantity": 2}]
TWO_GENERALS = [{"type": "MSK", **GENERAL, "quantity": 2}]
ORGANISED = INFANTRY | {"capabilities": [{"code": "Org"}]}
SHIP_OF_12 = {"engine": 3, "shield": 2, "to_hit": 3, "weapons": ["F", "FL"]}  # 3 + 2 + 3 + 2 × 2
OVER_5 = [{"engine": 1, "shield": 1, "quantity": 3}, {"shield": 3}]
AGREED = {"type": "MSK", "agreed": 1, "general": "competent", "quantity": 3}

TABLE = [  # system, elements of the one formation, code, label, what changes: elements or root fields
    ("6mm", STANDS, "no-general", "Make Element 2 the general", [{}, ONE, ONE | GENERAL]),
    ("6mm", [AGREED, {"type": "PKE"}], "last-set-short", None, [{}, {"quantity": 3}]),
    ("6mm", [AGREED, {"type": "PKE"}], "last-set-short", "Remove Element 2", [{}]),
    ("6mm", [AGREED], "needs-agreement", "Mark as agreed", {"options": {"traits_agreed": True}}),
    ("6mm", [AGREED], "needs-agreement", "Remove the special trait", [{"agreed": 0}]),
    ("6mm", [AGREED | {"agreed": 3}], "agreed-range", "Reduce the special trait to 1", [{"agreed": 1}]),
    ("6mm", TWO_GENERALS, "several-generals", "Keep Element 1 as the only general", [ONE | {"general": None}, ONE]),
    ("6mm", [{"type": "TNK", **GENERAL}], "tank-needs-armour", "Choose heavy", [{"armour": "heavy"}]),
    ("msc", [{"shield": 3, "weapons": ["F", "F"]}], "two-weapons-on-a-side", None, [{"weapons": ["F", "FL"]}]),
    ("msc", [{"name": "Vixen"}] * 2, "duplicate-ship-name", None, [{"name": "Vixen 1"}, {"name": "Vixen 2"}]),
    ("msc", [{"quantity": 0}], "empty-fleet", None, [ONE]),
    ("msc", [{"name": ""}] * 2, "duplicate-ship-name", None, [{"name": "1"}, {"name": "2"}]),
    ("msc", [{"engine": 5, "shield": 5}], "over-budget", "Raise the limit to 10", {"budget": 10}),
    ("msc", OVER_5, "over-budget", None, [{"quantity": 1}, {"quantity": 1}]),
    ("msc", [SHIP_OF_12], "strategic-size", "Set SHIELD to 5 (15 BP)", [{"shield": 5}]),
    ("msc", [SHIP_OF_12], "strategic-size", "Set ENGINE to 1 (10 BP)", [{"engine": 1}]),
    ("vsgmr", [HERO, {"kind": "mook"}], "no-commander", None, [{"commander": True}, {}]),
    ("vsgmr", [HERO | CHOSEN] * 2, "several-commanders", "Keep Element 2 as the only commander", [DROPPED, CHOSEN]),
    ("vsgmr", [HERO | {"name": ""}], "no-commander", "Make Hero the commander", [{"commander": True}]),
    ("vsgmr", [*MOUNTS, HERO], "commander-must-be-guy", "Remove the mark as commander", [DROPPED, CHOSEN, {}]),
    ("urutsk", [{"name": ""}], "no-command-figure", "Make Unnamed figure command-capable", [{"command": True}]),
    ("vsgmr", [HERO | {"traits": ["tough", "tough"]}], "duplicate-trait", None, [{"traits": ["tough"]}]),
    ("urutsk", [{"fate": 0}], "fate-below-one", "Set Fate to 1", [{"fate": 1}]),
    ("mini-combat", [INFANTRY | {"capabilities": [{"code": "FA"}]}], "full-armor-free", None, [{"capabilities": []}]),
    ("mini-combat", [ORGANISED, INFANTRY], "partly-organised", "Remove Organized", [NONE, NONE]),
    ("mini-combat", [{**INFANTRY, "morale": 7}], "morale-costs-zero", None, [{"morale": 6}]),
    ("mini-combat", [{**INFANTRY, "save": 9}], "save-range", "Set it to 6+", [{"save": 6}]),
    ("mini-combat", [{**INFANTRY, "to_hit": 9}], "to-hit-range", "Make it unable to attack", [{"to_hit": None}]),
]


def offered(document):
    """Every fix of every finding of a document: the finding's code, the label, the edit."""
    state, system = compute_state(document), SYSTEMS[document.system]
    for code, where in {(finding.code, finding.where): None for finding in state.appraisal.findings}:
        each = fixes.fixes_of(state, system.rules, system.fixes.FIXES, code, where)
        yield from ((code, where, label, offer) for label, offer in each.items())


def counted(document):
    return Counter(finding.code for finding in registry.appraise(document).findings)


def exact(document):
    return registry.appraise(document).exact or 0


@pytest.mark.parametrize("system", SYSTEMS)
@given(st.data())
def test_a_fix_lowers_the_count_of_its_finding_and_adds_no_error(system, data):
    document = edits.with_ids(registry.read(data.draw(any_of(system))))
    before = counted(document)
    for code, _where, label, offer in offered(document):
        fixed = registry.read(documents.write(offer.edit(document)))
        after = counted(fixed)
        assert after[code] < before[code], label
        assert offer.points in (0, exact(fixed) - exact(document)), label
        errors = {finding.code for finding in registry.appraise(fixed).findings if finding.severity == "error"}
        assert not errors - {*before, "over-budget"}, label  # a general costs a point, the limit is the player's


@pytest.mark.parametrize(("system", "elements", "code", "label", "changes"), TABLE)
def test_fixes_by_hand(system, elements, code, label, changes):
    root = {"over-budget": {"budget": 5}, "strategic-size": {"scenario": "strategic"}}.get(code, {})
    document = edits.with_ids(registry.read(roster_data(system, elements, **root)))
    fix = next(offer for each, _where, text, offer in offered(document) if each == code and label in (None, text))
    fixed = fix.edit(document)
    if isinstance(changes, dict):
        assert documents.write(fixed).items() >= changes.items()
        return
    found = [each.model_dump(mode="json") for each in fixed.elements]
    assert [{key: each[key] for key in change} for each, change in zip(found, changes, strict=True)] == changes


FITS = [  # the points left, the price of one of each element, what uses most of them
    (52, {"A": 10, "B": 25, "C": 60}, ("A", 5)),
    (52, {"A": 10, "B": 26}, ("B", 2)),
    (7, {"A": Fraction(1, 2), "B": 2}, ("A", 14)),
    (10, {"A": 10}, ("A", 1)),
    (9, {"A": 10, "B": 0, "C": -3}, None),
]


def test_what_is_left_buys_most_of_one_element():
    assert [best_purchase(left, prices.items()) for left, prices, _ in FITS] == [fit for *_, fit in FITS]


STEPS = rows("""  # an element at the ends of what the rules allow, and the steps that are left
    msc = 5 1 0 = engine-1 shield+1 to_hit+1 | msc = 6 5 -1 = engine-1 shield-1 to_hit+1
    mini-combat = movement=3 to_hit=0 save=1 morale=7
        = movement+5 movement-5 to_hit+1 range+5 save+1 power+1 armor+1 morale-1
    urutsk = ranged=1 = ranged+1 ranged-1 close+1 weapon_ability+1 fate+1
""")


def test_variants_stay_within_the_rules():
    for slug, words, steps in STEPS:
        elements = registry.read(roster_data(slug, [ELEMENTS[slug](words)])).elements
        changes = changes_of(elements, SYSTEMS[slug].varied)
        assert " ".join(f"{each.field}{each.step:+}" for each in changes if each.step) == steps
