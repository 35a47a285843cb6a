"""The appraisal of a roster: its shape as JSON, its totals, and what no order of its lines can change."""

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rosters import registry
from rosters.core import amounts, appraisals
from rosters.core.amounts import format_exact
from rosters.core.appraisal_schema import AppraisalJson
from rosters.core.documents import write
from rosters.core.messages import _
from rosters.core.receipts import Receipt, Step, points_by_kind, waterfall
from rosters.core.shares import points_shares
from rosters.web import roster_page
from tests.notation import stand
from tests.strategies import SYSTEMS, documents
from tests.support import FIXTURES, appraise, finding_places, parts_of, read, roster_data, rules, without_ids

SHAPE = TypeAdapter(AppraisalJson)
AMOUNT = re.compile(r"-?\d+(\.\d+|/\d+)?")
CHANGE = re.compile(r"[+-]\d+(\.\d+|/\d+)?|×-?\d+(\.\d+|/\d+)?")

IN_FORCE = [  # a system, its house rules, and those of them that are in force
    ("mini-combat", {"star": "none"}, {"star": "none"}),
    ("mini-combat", {"sum_floor": 20, "naval": True}, {"sum_floor": 20, "naval": True}),
    ("mini-combat", {"no_attack_factor": 1, "immobile_is_limited": True, "rounding": "none"}, ...),
    ("mini-combat", {"star": "recommended", "sum_floor": None, "naval": False, "rounding": "element"}, {}),
    ("6mm", {"tank_gun_reduced": True, "animal_is_no_transport": True, "torsion_factor": 1}, ...),
    *(("msc", {"max_engine": 6}, ...), ("msc", {"max_engine": 5}, {})),
]
SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}  # 15 BP
MOOK = {"kind": "mook"}  # half a point
SHOWN = [  # an amount, and how it is shown
    *((None, ""), (0, "0"), (Fraction(9, 2), "4.5"), (Fraction(1, 8), "0.125"), (Fraction(1, 3), "0.33")),
    *((Fraction(2, 3), "0.67"), (Fraction(-1, 3), "−0.33"), (Fraction(1, 300), "0.00"), (Fraction(299, 300), "1.00")),
    *((999, "999"), (1000, "1,000"), (-123, "−123"), (Fraction(-2468035, 2), "−1,234,017.5")),
    *((10**399, "1" + ",000" * 133), (Fraction(10**399, 3), ",".join(["333"] * 133) + ".33")),
]


def to_json(data):
    """The appraisal of a document as a reader of the JSON gets it."""
    return json.loads(json.dumps(appraisals.to_json(appraise(data)), allow_nan=False))


def check_amounts(found):
    """Every amount is exact, every receipt ends at its price, and formations are the sums of their elements."""
    assert AMOUNT.fullmatch(found["exact"])
    for formation in found["formations"]:
        assert Fraction(formation["exact"]) == sum(Fraction(element["points"]) for element in formation["elements"])
        for element in formation["elements"]:
            assert Fraction(element["points"]) == Fraction(element["each"]) * element["quantity"]
            assert element["receipt"][-1]["subtotal"] == element["each"]
            for step in element["receipt"]:
                assert step["label"]
                assert CHANGE.fullmatch(step["change"])
                assert AMOUNT.fullmatch(step["subtotal"])


def check_no_amounts(found):
    assert {item[key] for item in (found, *found["formations"]) for key in ("points", "exact")} == {None}
    lines = [(e["each"], e["points"], e["receipt"]) for f in found["formations"] for e in f["elements"]]
    assert lines == [(None, None, [])] * len(lines)


@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_is_read_appraises_to_the_shape_of_the_json_and_can_be_shown(system):

    @settings(max_examples=25)
    @given(documents(system))
    def check(data):
        document, appraisal = read(data), appraise(data)
        assert registry.total_points(document) == appraisal.points
        found = to_json(data)
        SHAPE.validate_python(found, strict=True)
        check_no_amounts(found) if system == "urutsk" else check_amounts(found)
        assert found["legal"] == all(each["severity"] != "error" for each in found["findings"])
        assert found["quantity"] >= 0
        assert [f["name"] for f in found["formations"]] == [f["name"] for f in data["formations"]]
        assert {each["where"] for each in found["findings"]} <= finding_places(document)
        assert all(each["message"] for each in found["findings"])
        assert {name for part in parts_of(appraisal) for name in part.facts} <= rules(system).FACTS.keys()
        terms = appraisals.terms_of(document)
        for formation, priced in zip(document.formations, appraisal.formations, strict=True):
            assert all(isinstance(rules(system).describe(element, terms), str) for element in formation.elements)
            shown = [amounts.format_amount(line.unit_points) for line in priced.elements]
            assert [each for each in shown if not re.fullmatch(r"(−?\d{1,3}(,\d{3})*(\.\d+)?)?", each)] == []
        left = roster_page.budget_of(appraisal)
        assert left is None or (0 <= left.share <= 100 and 0 <= left.limit_at <= 100)
        parts = points_shares(document, appraisal, registry.SYSTEMS[system].grid.category)
        assert len(parts) <= 5
        assert sum(part.width for part in parts) <= 100.1

    check()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_order_of_formations_and_elements_changes_no_total_and_no_finding(system):
    @given(documents(system), st.randoms(use_true_random=False))
    def check(data, random):
        shuffled = [{**f, "elements": [*f.get("elements", ())]} for f in data["formations"]]
        random.shuffle(shuffled)
        for formation in shuffled:
            random.shuffle(formation["elements"])
        assert summary(appraise({**data, "formations": shuffled})) == summary(appraise(data))

    check()


def summary(appraisal):
    findings = Counter(each.code for each in appraisal.findings)
    receipts = Counter((e.name, e.quantity, e.receipt) for f in appraisal.formations for e in f.elements)
    return appraisal.points, appraisal.exact, appraisal.quantity, appraisal.legal, appraisal.facts, findings, receipts


def test_ids_notes_secrets_and_marks_change_nothing_and_nothing_is_worth_nothing():
    plain = roster_data("msc", [{"quantity": 2, **SHIP}])
    noted = roster_data(
        "msc", [{"quantity": 2, **SHIP, "id": "a", "notes": "n", "secret": True, "marks": [{"engine": 3}]}]
    )
    assert to_json({**noted, "notes": "x", "changed": "2026-11-21"}) == to_json(plain)
    found = to_json({**roster_data("msc"), "budget": 0})
    assert (found["points"], found["exact"], found["quantity"], found["legal"]) == (0, "0", 0, True)
    assert Receipt(()).unit_points == 0
    assert Receipt((Step("One", "+1", 1), Step("Half", "×0.5", Fraction(1, 2)))).unit_points == Fraction(1, 2)


@pytest.mark.parametrize(("system", "options", "listed"), IN_FORCE)
def test_each_house_rule_in_force_is_listed_and_is_a_note_on_the_roster(system, options, listed):
    found = to_json(roster_data(system, options=options))
    notes = [each for each in found["findings"] if each["code"] == "house-rule"]
    assert {rule["rule"]: rule["value"] for rule in found["house_rules"]} == (options if listed is ... else listed)
    assert [(note["severity"], note["where"]) for note in notes] == [("note", "")] * len(found["house_rules"])
    assert all(rule["text"] in note["message"] for rule, note in zip(found["house_rules"], notes, strict=True))


def test_more_points_than_the_budget_are_an_error_and_what_is_left_is_shown_with_the_share_that_is_used():
    for element, worth, within, less in ((SHIP, 15, (15, None), (14.9, 0, -1)), (MOOK, 0.5, (0.5,), (0.4, 0))):
        for budget in (*within, *less):
            found = to_json(roster_data("msc" if element is SHIP else "vsgmr", [element], budget=budget))
            assert (found["points"], found["budget"]) == (worth, budget)
            over = [(each["severity"], each["where"]) for each in found["findings"] if each["code"] == "over-budget"]
            assert over == [("error", "")] * (budget in less)
    lefts = {15: ("0", False, 100, 100), 30: ("15", False, 50, 100), 16: ("1", False, 93, 100)}
    for budget, left in {**lefts, 10: ("5", True, 100, 66), 0: ("15", True, 100, 0)}.items():
        assert roster_page.budget_of(appraise(roster_data("msc", [SHIP], budget=budget))) == (str(budget), *left)
    own = [{"custom": "Own", "percent": 1_000_000, "separate": True}] * 140  # beyond every float
    element = {"movement": 10, "to_hit": 3, "power": 3, "capabilities": own}
    for options in ({}, {"rounding": "none"}):
        found = appraise(roster_data("mini-combat", [element], options=options, budget=1000))
        assert found.points > 10**500
        assert (roster_page.budget_of(found).share, roster_page.budget_of(found).over) == (100, True)
        assert [(each.left, each.width) for each in shares("mini-combat", [element], budget=9)] == [(0, 100)]


def shares(system, *formations, **root):
    data = roster_data(system, *formations, **root)
    return points_shares(read(data), appraise(data), registry.SYSTEMS[system].grid.category)


FOOT, GUNS = stand("MSK x2"), stand("ART smoothbore")  # 2 × 6, 4 + 1


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("6mm", [FOOT, GUNS, stand("SKI/F general=competent"), stand("ARC x2")]), "Foot 22, Artillery 5, Command 5"),
        (("6mm", [FOOT], [GUNS]), "Formation 1 12, Formation 2 5"),
        (("6mm", [FOOT], *[[GUNS]] * 5), "Foot 12, Artillery 25"),
        (("msc", *[[SHIP]] * 6), "Formation 1 15, Formation 2 15, Formation 3 15, Formation 4 15, Others 30"),
        (("urutsk", [{}]), ""),
    ],
)
def test_the_bar_of_points_is_by_formation_or_by_category_and_as_long_as_the_limit(parts, expected):
    system, *formations = parts
    found = shares(system, *formations)
    assert ", ".join(f"{each.name} {amounts.format_amount(each.points)}" for each in found) == expected
    worth = sum(float(each.points) for each in found)
    for budget, used in ((None, 100), (2 * worth, 50), (worth / 2, 100)) if worth else ():
        placed = shares(system, *formations, budget=budget)
        widths = [float(each.points) / worth * used for each in found]
        assert [each.width for each in placed] == pytest.approx(widths, abs=0.01)
        assert [each.left for each in placed] == pytest.approx([0, *accumulate(widths[:-1])], abs=0.01)


def test_amounts_are_shown_exactly_or_to_two_decimals_and_steps_drawn_as_bars_and_added_up_by_their_words():
    assert [(amount, amounts.format_amount(amount)) for amount, _ in SHOWN] == SHOWN
    for one, two, difference in ((15, 30, 15), (30, 15, -15), (None, 15, None)):
        assert appraisals.points_difference(one, two) == difference
    steps = (Step("Stats", "+10", 10), Step("Size", "×2", 20), Step("Free", "+0", 20), Step("Models", "×1/4", 5))
    bars = [(0, 50, "add"), (50, 50, "add"), (100, 0, "add"), (25, 75, "cut"), (0, 25, "total")]
    assert [*waterfall(Receipt(steps))] == bars
    one = Receipt((Step(_("Engine {n}").format(n=3), "+3", 3), Step("Hull", "+0", 3), Step("Guns", "+2", 5)))
    two = Receipt((Step(_("Engine {n}").format(n=1), "+1", 1), Step("Old", "×1/2", Fraction(1, 2))))
    assert points_by_kind([(one, 2), (two, 3)]) == {"Engine": 2 * 3 + 3 * 1, "Guns": 4, "Old": -3}


PUBLISHED = {  # army: the points that its rulebook prints, and the figures where it counts them
    **{"6mm/suetonius": (101,), "6mm/boudicca": (100,), "6mm/napoleon": (104,), "6mm/wellington": (103,)},
    **{"6mm/rommel": (120,), "6mm/monty": (120,)},
    **{"vsgmr/medieval-infantry": (23, 10), "vsgmr/dwarves": (28, 5), "vsgmr/elves": (25, 7), "vsgmr/orcs": (24, 7)},
    **{"vsgmr/undead": (25, 9), "vsgmr/fantasy-adventurers": (27, 5), "vsgmr/wild-west-bandit-gang": (22, 8)},
    **{"vsgmr/zombie-horde": (20, 13), "vsgmr/horror-film-survivors": (19, 4), "vsgmr/modern-infantry": (24, 5)},
    **{"vsgmr/justice-team": (42, 3), "vsgmr/mightiest-heroes": (38, 3), "vsgmr/star-soldiers": (36, 3)},
    "vsgmr/bug-aliens": (37, 8),
}
ARMIES = {
    f"{path.parent.name}/{path.stem}": json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FIXTURES.glob("armies/*/*.json"))
}
PRINTED_LINES = {"6mm/rommel": [(1, Fraction(13, 2))]}
"""Elements of the first formation, and what the book prints for a stand, where the total hides that it differs."""


def test_an_army_is_legal_has_no_ids_and_is_worth_what_is_printed_or_is_among_the_errata():
    """So that each copy gets its own."""
    assert [slug for slug, data in ARMIES.items() if data["system"] != slug.split("/", maxsplit=1)[0]] == []
    assert [slug for slug, data in ARMIES.items() if not appraise(data).legal] == []
    assert [slug for slug, data in ARMIES.items() if write(read(data)) != without_ids(read(data))] == []
    # Each number that departs from the book stands there once, with its reason, and nothing else does.
    differing = []
    for slug, printed in PUBLISHED.items():
        found = appraise(ARMIES[slug])
        numbers = zip(printed, (found.points, found.quantity), ("points", "figures"), strict=False)
        differing += [(slug, f"{book} {unit}", f"{ours} {unit}") for book, ours, unit in numbers if book != ours]
        lines = [(book, found.formations[0].elements[e].unit_points) for e, book in PRINTED_LINES.get(slug, ())]
        differing += [
            (slug, f"{format_exact(p)} points a stand", f"{format_exact(o)} points a stand") for p, o in lines if p != o
        ]
    errata = json.loads((FIXTURES / "errata.json").read_text(encoding="utf-8"))
    assert sorted((e["army"], e["printed"], e["ours"]) for e in errata) == sorted(differing)
    assert all({*entry} == {"army", "printed", "ours", "reason"} and entry["reason"] for entry in errata)
