"""6MM: prices, findings, house rules, facts and invalid documents, worked by hand from the rulebook's tables."""

import re
from fractions import Fraction

from rosters.core.documents import write
from rosters.core.rulebook import Terms
from rosters.systems.six_mm import play, rules
from rosters.systems.six_mm.rules import FINDINGS, Options, Profile, price
from tests.support import appraise, codes, read, refused, roster

HERE = "formations/0/elements/0"


def terms(**options):
    return Terms(Options(**options), None, None)


def points(profile, **options):
    return price(Profile.model_validate(profile), terms(**options)).each


def stand(type_, **profile):
    return {"type": type_, **profile}


def element_codes(profile):
    return codes(roster("6mm", [profile]), HERE)


# ---------------------------------------------------------------- tables


def each(type_, key, points):
    """A stand of the type for each value of one key, with its points."""
    return [(stand(type_, **{key: value}), number) for value, number in points.items()]


FOOT = {"INF/A": 7, "INF/U": 6, "PKE": 6, "MSK": 6, "WBD": 5, "ARC": 5}
OTHERS = {"CAV/A": 6, "CAV/U": 5, "SKI/F": 4, "SKI/M": 4, "SKI/S": 5, "WORKS": 2, "TRANSPORT": 1}
"""SKI/S has strength 4, and costs 1 more for being more effective."""
GUNS = {"torsion": 3, "smoothbore": 5, "rifled-muzzle-loader": 6, "breech-loader-79": 7, "breech-loader-130": 8}
ORDNANCE = {"unarmed": 4, "fighter": 5, "fighter-bomber": 6, "bomber": 7, "jet-fighter-bomber": 8}

STANDS = [  # a stand, its points, its findings
    *((stand(code), points) for code, points in (FOOT | OTHERS).items()),
    *((stand(code, transport="soft"), points + 1) for code, points in FOOT.items()),
    *each("TNK", "armour", {"light": 5, "medium": 6, "heavy": 7, "super-heavy": 8}),
    *each("MSK", "quality", {"poor": 4, "good": 8, "elite": 9}),  # poor: exactly 4
    *each("ART", "gun", GUNS),  # torsion: below 4, as only strength is limited
    *each("AIR", "ordnance", {**ORDNANCE, "attack-helicopter": 9}),
    *((stand("SKI/F", post_1906=True), 6), (stand("SKI/S", post_1906=True), 7)),
    *((stand("CAV/A", general="superior"), 7), (stand("PKE", elephant=True), 5)),
    *((stand("MSK", agreed=1), 7, "needs-agreement"), (stand("MSK", agreed=-1), 5, "needs-agreement")),
    (stand("SKI/F", quality="poor"), 4, "raised-to-minimum"),  # 2, raised to 4
    (stand("SKI/M", quality="poor", general="inferior"), 4, "raised-to-minimum"),  # 3, raised to 4
    (stand("TNK", armour="super-heavy", quality="elite", general="superior"), 12),
    (stand("INF/A", agreed=8), 15, "agreed-range", "needs-agreement"),  # exactly 15
    (stand("INF/A", agreed=1_000_000), 15, "agreed-range", "cut-to-maximum", "needs-agreement"),
    (stand("INF/A", agreed=-1_000_000), 4, "agreed-range", "needs-agreement", "raised-to-minimum"),
    (stand("TNK", armour="medium", gun="breech-loader-79"), 9),  # the rulebook's worked example
    *((stand("TNK", armour="heavy", gun="breech-loader-130"), 11), (stand("TNK", armour="light", gun="smoothbore"), 6)),
    *((stand("ART", gun="torsion", transport="animal"), 3), (stand("ART", gun="torsion", transport="none"), 2)),
    *((stand("ART", gun="smoothbore", transport="animal"), 5), (stand("ART", gun="smoothbore", transport="soft"), 6)),
    *((stand("ART", gun="smoothbore", horse=True), 5), (stand("ART", gun="breech-loader-heavy", off_board=True), 9)),
    (stand("ART", gun="breech-loader-130", off_board=True), 8),
    *((stand("ART", gun="breech-loader-130", quality="good", transport="soft"), 11), (stand("SKI/F", guided=True), 5)),
    (stand("SKI/S", guided=True, transport="soft"), 7),
    *((stand("SKI/S", post_1906=True, guided=True, transport="soft"), 9), (stand(""), 0, "unknown-type")),
    (stand("msk"), 0, "unknown-type"),
    (stand("PIKEMEN", gun="torsion", agreed=9, quality="?", elephant=True, ordnance="bomber"), 0, "unknown-type"),
    *((stand("TNK"), 5, "tank-needs-armour"), (stand("TNK", gun="torsion", armour="light"), 5, "torsion-only-art")),
    (stand("MSK", post_1906=True), 6, "post-1906-only-skirmishers"),
    (stand("SKI/M", post_1906=True), 4, "post-1906-only-skirmishers"),
    (stand("CAV/A", elephant=True), 6, "elephant-only-pikes"),
    *((stand("MSK", gun="torsion"), 6, "gun-only-art-tnk", "torsion-only-art"), (stand("ART"), 4, "art-needs-gun")),
    (stand("MSK", guided=True), 6, "guided-only-skirmishers"),
    (stand("SKI/M", guided=True), 4, "guided-only-skirmishers"),
    (stand("MSK", ordnance="bomber"), 6, "ordnance-only-air"),
    *(
        (stand(code, transport="soft"), OTHERS[code], "soft-transport-not-allowed")
        for code in ("CAV/A", "CAV/U", "SKI/M")
    ),
    (stand("TNK", armour="light", transport="soft"), 5, "soft-transport-not-allowed"),
    *((stand("MSK", transport=state), 6, "transport-state-only-art") for state in ("none", "animal")),
    *((stand("MSK", armour="super-heavy"), 6, "armour-only-tnk"), (stand("AIR"), 4, "ordnance-not-set")),
    (stand("MSK", quality="Good"), 6, "unknown-quality"),
    (stand("MSK", agreed=2), 8, "agreed-range", "needs-agreement"),
    (stand("ART", gun="breech-loader-79", off_board=True), 7, "off-board-needs-heavy-gun"),
    (stand("ART", off_board=True), 4, "art-needs-gun", "off-board-needs-heavy-gun"),
    (stand("TNK", armour="heavy", gun="breech-loader-130", off_board=True), 11, "off-board-needs-heavy-gun"),
]

ALTERNATES = [  # a stand, its alternates, the average of their points, its findings
    (stand("SKI/F"), [stand("TNK", armour="light")], "9/2"),  # the rulebook's worked example
    (stand("MSK"), [stand("SKI/F", quantity=2)], "7"),  # opens into two SKI/F: (6 + 8) / 2
    (stand("INF/A"), [stand("ARC"), stand("WBD")], "17/3"),  # 7, 5 and 5
    (stand("MSK", quality="elite"), [stand("SKI/F")], "13/2"),  # an alternate inherits nothing: 9 and 4
    (stand("MSK"), [stand("SKI/F", general="competent")], "11/2"),  # a general in an alternate adds strength: 6 and 5
    (stand("MSK", quality="elite"), [stand("SKI/F", quality="poor")], "13/2", "raised-to-minimum"),  # 2, raised to 4
    (stand("MSK"), [stand("WORKS")], "3", "unknown-type"),  # purchases are no alternates
    (stand("MSK"), [stand("TRANSPORT", gun="torsion")], "3", "unknown-type"),
    (stand("MSK"), [stand("X"), stand("Y")], "2", "unknown-type", "unknown-type"),
    (stand("HORSE"), [stand("MSK")], "3", "unknown-type"),
    (stand("MSK"), [stand("SKI/F", quantity=0)], "3"),  # an alternate without stands adds nothing
    (stand("SKI/F", transport="soft"), [stand("SKI/S")], "5"),
    (stand("SKI/F", transport="soft"), [stand("TNK", armour="light")], "5", "two-transports"),
    (stand("TNK", armour="light"), [stand("SKI/F", transport="soft")], "5", "two-transports"),
    (
        stand("MSK"),
        [stand("ARC", gun="torsion", quality="?")],
        "11/2",
        "gun-only-art-tnk",
        "torsion-only-art",
        "unknown-quality",
    ),
]
STANDS += [(first | {"duplicates": more}, Fraction(points), *found) for first, more, points, *found in ALTERNATES]

REDUCED, HAND_DRAWN, FACTOR = {"tank_gun_reduced": True}, {"animal_is_no_transport": True}, {"torsion_factor": 1}
HOUSE_RULES = [
    (REDUCED, stand("TNK", armour="medium", gun="breech-loader-79"), 8),
    *((REDUCED, stand("TNK", armour="medium", gun=gun), 6) for gun in ("smoothbore", "torsion", None)),
    (REDUCED, stand("ART", gun="breech-loader-79"), 7),
    (REDUCED, stand("SKI/F", duplicates=[stand("TNK", armour="light", gun="breech-loader-79")]), Fraction(11, 2)),
    (HAND_DRAWN, stand("ART", gun="smoothbore", transport="animal"), 4),
    (HAND_DRAWN, stand("ART", gun="smoothbore"), 5),
    (HAND_DRAWN, stand("ART", gun="smoothbore", transport="none"), 4),
    (HAND_DRAWN, stand("ART", gun="smoothbore", transport="soft"), 6),
    *((HAND_DRAWN, stand("MSK", transport="animal"), 6), (FACTOR, stand("ART", gun="torsion"), 4)),
    (FACTOR, stand("ART", gun="torsion", transport="none"), 3),
    *((FACTOR, stand("TNK", armour="light", gun="torsion"), 5), (FACTOR, stand("ART", gun="smoothbore"), 5)),
]


def test_a_stand_has_the_points_and_findings_of_the_tables():
    wrong = [row for row in STANDS if (points(row[0]), element_codes(row[0])) != (row[1], [*row[2:]])]
    assert wrong == []


def test_a_house_rule_changes_what_it_names_and_nothing_else():
    assert [row for row in HOUSE_RULES if points(row[1], **row[0]) != row[2]] == []


RECEIPTS = [  # changes, step by step
    (
        stand("SKI/S", quality="good", post_1906=True, general="superior", agreed=-1, guided=True),
        ["+4", "+2", "+2", "+1", "-1", "+1", "+1"],
    ),
    (stand("SKI/S", quality="poor"), ["+4", "-2", "+2", "+1"]),  # the limit comes before the extras
    # 6; two stands of 6 each; the average of 18 is 9
    (stand("MSK", duplicates=[stand("SKI/F", quantity=2, quality="good")]), ["+6", "+4", "+2", "+6", "-9"]),
]


def test_a_receipt_has_a_step_for_each_term_in_order():
    for profile, changes in RECEIPTS:
        assert [step.change for step in price(Profile.model_validate(profile), terms()).steps] == changes


WARNINGS = (
    "needs-agreement ordnance-not-set two-transports raised-to-minimum cut-to-maximum several-generals last-set-short"
)


def test_every_finding_has_its_severity_and_occurs():
    assert {code for code, meaning in FINDINGS.items() if meaning.severity == "warning"} == {*WARNINGS.split()}
    assert {meaning.severity for meaning in FINDINGS.values()} == {"warning", "error"}
    found = {code for row in STANDS for code in row[2:]} | {code for row in ARMIES for code in row[2]}
    assert {*FINDINGS} == found - {"over-budget"}


# ---------------------------------------------------------------- findings and totals of an army

GENERAL = stand("INF/A", general="competent")  # 8 points
HALF = [GENERAL, stand("MSK"), stand("SKI/F", duplicates=[stand("TNK", armour="light")])]  # 8 + 6 + 4.5
ARMIES = [
    *(([], {}, ["no-general"]), ([GENERAL | {"quantity": 0}], {}, ["no-general"])),
    ([stand("MSK", quantity=3)], {}, ["no-general"]),
    # a general in an alternate stand adds strength but is not counted
    ([stand("MSK", quantity=3, duplicates=[stand("SKI/F", general="superior")])], {}, ["no-general"]),
    ([GENERAL, stand("MSK", quantity=2)], {}, []),
    ([GENERAL | {"quantity": 2}, stand("MSK")], {}, ["several-generals"]),
    ([GENERAL, stand("MSK", quantity=3)], {}, ["last-set-short"]),
    ([GENERAL, stand("WORKS", quantity=2)], {}, ["last-set-short"]),
    ([GENERAL, stand("MSK", quantity=2), stand("WORKS"), stand("TRANSPORT")], {}, []),
    # 8 + 12 + 2 is 22
    ([GENERAL, stand("MSK", quantity=2), stand("WORKS")], {"budget": 22}, []),
    ([GENERAL, stand("MSK", quantity=2), stand("WORKS")], {"budget": 21}, ["over-budget"]),
    # 18.5 counts as 19, yet is within a limit of 18.5
    *((HALF, {"budget": budget}, []) for budget in (18.5, 19)),
    *((HALF, {"budget": budget}, ["over-budget"]) for budget in (18, 18.4)),
]


def test_an_army_has_one_general_sets_of_three_and_a_points_limit():
    assert [row for row in ARMIES if codes(roster("6mm", row[0], **row[1]), "") != row[2]] == []


def test_stands_short_of_a_set_are_counted():
    for stands, more, surplus in [(22, 2, 1), (23, 1, 2), (1, 2, 1)]:
        found = appraise(roster("6mm", [stand("MSK", quantity=stands)])).findings
        (message,) = (finding.message for finding in found if finding.code == "last-set-short")
        assert message.values == {"n": stands, "more": more, "surplus": surplus}


def test_only_the_total_of_the_army_is_rounded_and_a_half_goes_up():
    appraisal = appraise(roster("6mm", HALF))
    assert (appraisal.points, appraisal.exact, appraisal.formations[0].points) == (19, Fraction(37, 2), Fraction(37, 2))
    assert appraise(roster("6mm", HALF, HALF[2:])).points == 23


# ---------------------------------------------------------------- facts, ranges and moves

FACTS = [  # strength, and the strength at which it routs
    (stand("MSK", quality="good"), 8, 3),
    (stand("ART", gun="breech-loader-heavy", transport="soft"), 4, 1),  # points are no strength
    *((stand("INF/A", agreed=10), 15, 7), (stand("CAV/U", duplicates=[stand("SKI/F")]), 5, 2)),
]


def test_a_stand_routs_below_half_its_strength():
    for profile, strength, routs_at in FACTS:
        appraisal = appraise(roster("6mm", [profile]))
        assert appraisal.formations[0].elements[0].facts == {"strength": strength, "routs_at": routs_at}


def test_army_morale_of_fifteen_stands():
    appraisal = appraise(roster("6mm", [stand("MSK", quantity=10)], [stand("MSK", quantity=5), stand("WORKS")]))
    assert appraisal.quantity == 15
    assert appraisal.facts == {"army_morale": [[10, 2, 1], [20, 3, 2], [30, 5, 3], [40, 6, 4], [50, 8, 5], [60, 9, 6]]}


NUMBERS = [  # all numbers of its range and of its move, and how many alternatives the player selects from
    (stand("INF/A"), [], [2], (0, 0)),
    (stand("WBD"), [], [2, 3], (0, 0)),  # charging 3
    (stand("ARC"), [1, 2], [2], (2, 0)),  # longbow 2
    (stand("MSK", transport="soft"), [1, 2], [2, 4], (2, 0)),  # rifles 2; carried 4
    (stand("SKI/F"), [1, 2], [3], (2, 0)),
    (stand("SKI/M"), [1], [4, 5], (0, 0)),  # charging 5
    (stand("SKI/S", guided=True), [3, 4, 2], [3], (0, 0)),  # AT 4, AA 2
    *((stand("CAV/A"), [], [4], (0, 0)), (stand("CAV/U"), [], [4, 5], (0, 0))),
    (stand("ART", gun="smoothbore", horse=True, transport="animal"), [3], [3], (0, 0)),
    (stand("ART", gun="smoothbore", horse=True), [3], [3], (0, 0)),
    (stand("ART", gun="breech-loader-heavy", off_board=True, transport="none"), [12, 10], [1], (0, 0)),
    (stand("ART", gun="torsion", transport="animal"), [2], [2], (0, 0)),
    (stand("ART", gun="rifled-muzzle-loader", transport="soft"), [6], [4], (0, 0)),
    (stand("ART"), [], [4, 2, 1], (0, 3)),  # motor, animals, by hand
    (stand("TNK", gun="breech-loader-130"), [6], [3, 4, 6], (0, 3)),  # slow, medium, fast
    *((stand("TNK", gun="torsion"), [], [3, 4, 6], (0, 3)), (stand("AIR", ordnance="bomber"), [2], [8, 24], (0, 0))),
    *((stand("AIR", ordnance="attack-helicopter"), [2], [2, 10], (0, 0)), (stand("AIR"), [], [2, 10, 8, 24], (0, 2))),
    (stand("HORSE"), [], [], (0, 0)),
]


def test_ranges_and_moves_follow_tables_4_and_6():
    for profile, squares, moves, choices in NUMBERS:
        reaches = [function(Profile.model_validate(profile)) for function in (play.weapon_range, play.move)]
        numbers = [[int(number) for number in re.findall(r"\d+", reach.text)] for reach in reaches]
        assert (profile, *numbers, tuple(reach.choices for reach in reaches)) == (profile, squares, moves, choices)


# ---------------------------------------------------------------- invalid documents

INVALID = [  # beyond those in the tests of documents
    *((stand(["WORKS"]), ["type"]), (stand("MSK", quality=None, agreed=True), ["agreed", "quality"])),
    (stand("MSK", general="average", transport="cart", ordnance="x"), ["general", "ordnance", "transport"]),
    *((stand("MSK", marks=[{"out": True}]), ["marks/0/out"]), (stand("MSK", duplicates=["SKI/F"]), ["duplicates/0"])),
    (
        stand("MSK", agreed="1", duplicates=[stand("SKI/F"), stand("SKI/F", duplicates=[{}], agreed="1")]),
        ["agreed", "duplicates/1/agreed", "duplicates/1/duplicates"],
    ),
    (stand("TRANSPORT", marks=[], transport="soft", armour=None), ["armour", "marks", "transport"]),
    (stand("WORKS", duplicates=[{"foo": 1}], foo=1, quantity=-1), ["duplicates", "foo", "quantity"]),
]


def test_each_fault_of_a_stand_is_reported_at_its_own_path():
    for profile, paths in INVALID:
        assert refused(roster("6mm", [profile])) == [f"{HERE}/{path}" for path in paths]


def test_a_purchase_may_have_a_name_a_quantity_notes_and_be_secret():
    for type_ in ["WORKS", "TRANSPORT"]:
        data = roster("6mm", [{"id": "w1", "type": type_, "quantity": 4, "notes": "On the hill.", "secret": True}])
        element = read(data).formations[0].elements[0]
        assert rules.headcount(element) == 0
        assert write(read(data))["formations"][0]["elements"] == [data["formations"][0]["elements"][0]]
