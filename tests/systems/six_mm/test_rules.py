"""6MM: prices, findings, house rules, facts and refusals, worked by hand from the rulebook's tables."""

from collections import Counter
from fractions import Fraction

from rosters.core.documents import write
from rosters.core.rulebook import Terms
from rosters.systems.six_mm import play, rules, tables
from rosters.systems.six_mm.rules import FINDINGS, Options, Profile, describe, price
from tests.support import appraise, codes, read, refused, roster

HERE = "formations/0/elements/0"


def terms(**options):
    return Terms(Options(**options), None, None)


def points(profile, **options):
    return price(Profile.model_validate(profile), terms(**options)).each


def stand(type_, **profile):
    return {"type": type_, **profile}


def element_codes(profile, **root):
    return codes(roster("6mm", [profile], **root), HERE)


GENERAL = stand("INF/A", general="competent", quantity=3)

# ---------------------------------------------------------------- tables

BASE = [
    (stand("INF/A"), 7),
    (stand("INF/U"), 6),
    (stand("PKE"), 6),
    (stand("MSK"), 6),
    (stand("WBD"), 5),
    (stand("ARC"), 5),
    (stand("CAV/A"), 6),
    (stand("CAV/U"), 5),
    (stand("SKI/F"), 4),
    (stand("SKI/M"), 4),
    (stand("SKI/S"), 5),  # strength 4, and 1 for being more effective
    (stand("AIR", ordnance="unarmed"), 4),
    (stand("TNK", armour="light"), 5),
    (stand("TNK", armour="medium"), 6),
    (stand("TNK", armour="heavy"), 7),
    (stand("TNK", armour="super-heavy"), 8),
    (stand("WORKS"), 2),
    (stand("TRANSPORT"), 1),
]
STRENGTH = [
    (stand("MSK", quality="poor"), 4),
    (stand("MSK", quality="average"), 6),
    (stand("MSK", quality="good"), 8),
    (stand("MSK", quality="elite"), 9),
    (stand("SKI/F", post_1906=True), 6),
    (stand("SKI/S", post_1906=True), 7),
    (stand("CAV/A", general="superior"), 7),
    (stand("CAV/A", general="inferior"), 7),
    (stand("PKE", elephant=True), 5),
    (stand("MSK", agreed=1), 7),
    (stand("MSK", agreed=-1), 5),
    (stand("SKI/F", quality="poor"), 4),  # 2, raised to 4
    (stand("SKI/M", quality="poor", general="inferior"), 4),  # 3, raised to 4
    (stand("WBD", quality="poor"), 4),  # 3, raised to 4
    (stand("TNK", armour="super-heavy", quality="elite", general="superior", agreed=1), 13),
    (stand("TNK", armour="super-heavy", quality="elite", general="superior", agreed=3), 15),
    (stand("TNK", armour="super-heavy", quality="elite", general="superior", agreed=4), 15),  # 16
    (stand("INF/A", agreed=1_000_000), 15),
    (stand("INF/A", agreed=-1_000_000), 4),
]
EXTRAS = [
    (stand("TNK", armour="medium", gun="breech-loader-79"), 9),  # the rulebook's worked example
    (stand("TNK", armour="heavy", gun="breech-loader-130"), 11),
    (stand("ART", gun="torsion", transport="animal"), 3),  # below 4: only strength is limited
    (stand("ART", gun="torsion", transport="none"), 2),
    (stand("ART", gun="torsion"), 3),
    (stand("ART", gun="smoothbore", transport="animal"), 5),
    (stand("ART", gun="smoothbore", transport="none"), 4),
    (stand("ART", gun="smoothbore", transport="soft"), 6),
    (stand("ART", gun="smoothbore"), 5),
    (stand("ART", gun="rifled-muzzle-loader"), 6),
    (stand("ART", gun="breech-loader-79"), 7),
    (stand("ART", gun="breech-loader-130"), 8),
    (stand("ART", gun="breech-loader-heavy", off_board=True), 9),
    (stand("ART", gun="smoothbore", horse=True), 5),
    (stand("ART", gun="breech-loader-130", quality="good", transport="soft"), 11),
    (stand("SKI/F", guided=True), 5),
    (stand("SKI/S", guided=True, transport="soft"), 7),
    (stand("MSK", transport="soft"), 7),
    (stand("AIR", ordnance="fighter"), 5),
    (stand("AIR", ordnance="fighter-bomber"), 6),
    (stand("AIR", ordnance="bomber"), 7),
    (stand("AIR", ordnance="jet-fighter-bomber"), 8),
    (stand("AIR", ordnance="attack-helicopter"), 9),
]
NOT_PRICED = [
    (stand("PIKEMEN", quality="elite", general="superior"), 0),
    (stand(""), 0),
    (stand("msk"), 0),
    (stand("MSK", quality="heroic"), 6),
    (stand("TNK"), 5),
    (stand("TNK", gun="torsion", armour="light"), 5),
    (stand("MSK", post_1906=True), 6),
    (stand("SKI/M", post_1906=True), 4),
    (stand("CAV/A", elephant=True), 6),
    (stand("MSK", gun="breech-loader-heavy"), 6),
    (stand("MSK", gun="torsion"), 6),
    (stand("ART"), 4),
    (stand("MSK", guided=True), 6),
    (stand("MSK", ordnance="bomber"), 6),
    (stand("CAV/U", transport="soft"), 5),
    (stand("MSK", transport="none"), 6),
    (stand("MSK", transport="animal"), 6),
    (stand("MSK", armour="super-heavy"), 6),
    (stand("AIR"), 4),
]
AVERAGES = [
    # SKI/F 4 in a TNK 5: the rulebook's worked example
    (stand("SKI/F", duplicates=[stand("TNK", armour="light")]), Fraction(9, 2)),
    # MSK 6 that opens into two SKI/F of 4: (6 + 8) / 2
    (stand("MSK", duplicates=[stand("SKI/F", quantity=2)]), 7),
    # 7, 5 and 5: 17/3
    (stand("INF/A", duplicates=[stand("ARC"), stand("WBD")]), Fraction(17, 3)),
    # a state inherits nothing: elite MSK 9 and plain SKI/F 4
    (stand("MSK", quality="elite", duplicates=[stand("SKI/F")]), Fraction(13, 2)),
    # a general in a state adds strength: 6 and 5
    (stand("MSK", duplicates=[stand("SKI/F", general="competent")]), Fraction(11, 2)),
    # each state is limited on its own: 9 and (2, raised to) 4
    (stand("MSK", quality="elite", duplicates=[stand("SKI/F", quality="poor")]), Fraction(13, 2)),
    # unknown states are worth 0, purchases are no states
    (stand("MSK", duplicates=[stand("HORSE")]), 3),
    (stand("MSK", duplicates=[stand("WORKS")]), 3),
    (stand("MSK", duplicates=[stand("TRANSPORT", agreed=1)]), 3),
    (stand("HORSE", duplicates=[stand("MSK")]), 3),
    # a state without stands adds nothing to the sum
    (stand("MSK", duplicates=[stand("SKI/F", quantity=0)]), 3),
]

ANIMALS = stand("ART", gun="smoothbore", transport="animal")
HOUSE_RULES = [
    ({}, stand("TNK", armour="medium", gun="breech-loader-79"), 9),
    ({"tank_gun_reduced": True}, stand("TNK", armour="medium", gun="breech-loader-79"), 8),
    ({"tank_gun_reduced": True}, stand("TNK", armour="medium", gun="smoothbore"), 6),
    ({"tank_gun_reduced": True}, stand("TNK", armour="medium", gun="torsion"), 6),
    ({"tank_gun_reduced": True}, stand("TNK", armour="medium"), 6),
    ({"tank_gun_reduced": True}, stand("ART", gun="breech-loader-79"), 7),
    ({}, ANIMALS, 5),
    ({"animal_is_no_transport": True}, ANIMALS, 4),
    ({"animal_is_no_transport": True}, stand("ART", gun="smoothbore"), 5),
    ({"animal_is_no_transport": True}, stand("ART", gun="smoothbore", transport="none"), 4),
    ({"animal_is_no_transport": True}, stand("ART", gun="smoothbore", transport="soft"), 6),
    ({"animal_is_no_transport": True}, stand("MSK", transport="animal"), 6),
    ({}, stand("ART", gun="torsion"), 3),
    ({"torsion_factor": 0}, stand("ART", gun="torsion"), 3),
    ({"torsion_factor": 1}, stand("ART", gun="torsion"), 4),
    ({"torsion_factor": 1}, stand("ART", gun="torsion", transport="none"), 3),
    ({"torsion_factor": 1}, stand("TNK", armour="light", gun="torsion"), 5),
    ({"torsion_factor": 1}, stand("MSK", gun="torsion"), 6),
    ({"torsion_factor": 1}, stand("ART", gun="smoothbore"), 5),
    (
        {"tank_gun_reduced": True},
        stand("SKI/F", duplicates=[stand("TNK", armour="light", gun="breech-loader-79")]),
        Fraction(11, 2),  # 4 and 5 + 2
    ),
]


def test_a_stand_is_worth_what_the_tables_say():
    for profile, expected in BASE + STRENGTH + EXTRAS + NOT_PRICED + AVERAGES:
        assert points(profile) == expected


def test_a_house_rule_changes_what_it_names_and_nothing_else():
    for options, profile, expected in HOUSE_RULES:
        assert points(profile, **options) == expected


# ---------------------------------------------------------------- receipts


def test_a_receipt_names_every_term_in_order():
    profile = Profile.model_validate(
        stand("SKI/S", quality="good", post_1906=True, general="superior", agreed=-1, guided=True)
    )
    assert [(step.change, step.subtotal) for step in price(profile, terms()).steps] == [
        ("+4", 4),
        ("+2", 6),
        ("+2", 8),
        ("+1", 9),
        ("-1", 8),
        ("+1", 9),
        ("+1", 10),
    ]


def test_a_limit_of_strength_is_a_step_before_the_extras():
    steps = price(Profile.model_validate(stand("SKI/S", quality="poor")), terms()).steps
    assert [(step.change, step.subtotal) for step in steps] == [("+4", 4), ("-2", 2), ("+2", 4), ("+1", 5)]
    assert "raised to 4" in steps[2].label


def test_a_receipt_of_states_explains_each_and_ends_at_the_average():
    profile = Profile.model_validate(stand("MSK", duplicates=[stand("SKI/F", quantity=2, quality="good")]))
    steps = price(profile, terms()).steps
    assert [(step.change, step.subtotal) for step in steps] == [
        ("+6", 6),
        ("+4", 10),
        ("+2", 12),
        ("+6", 18),
        ("-9", 9),
    ]
    assert [step.label.partition(":")[0] for step in steps] == ["State 1", *(["State 2"] * 3), "Average of 2 states"]


# ---------------------------------------------------------------- findings of a stand

FINE = [
    *(profile for profile, _ in BASE),
    stand("SKI/F", post_1906=True, guided=True, transport="soft"),
    stand("SKI/S", post_1906=True, guided=True, transport="soft"),
    *(stand(type_, transport="soft") for type_ in ("INF/A", "INF/U", "PKE", "MSK", "WBD", "ARC")),
    stand("PKE", elephant=True),
    *(stand("ART", gun="smoothbore", transport=way) for way in ("soft", "animal", "none")),
    stand("ART", gun="torsion"),
    stand("ART", gun="breech-loader-130", off_board=True),
    stand("ART", gun="breech-loader-heavy", off_board=True),
    stand("TNK", armour="light", gun="smoothbore"),
    stand("MSK", quality="poor"),  # exactly 4
    stand("MSK", general="superior"),
    stand("MSK", duplicates=[stand("SKI/F", quantity=2)]),
    stand("SKI/F", duplicates=[stand("TNK", armour="light")]),
    stand("SKI/F", transport="soft", duplicates=[stand("SKI/S")]),
]
FOUND = {
    "a type that the book does not have": [
        (stand("PIKEMEN"), ["unknown-type"]),
        (stand("PIKEMEN", gun="torsion", agreed=9, quality="?", elephant=True, ordnance="bomber"), ["unknown-type"]),
        (stand("MSK", duplicates=[stand("WORKS")]), ["unknown-type"]),
        (stand("MSK", duplicates=[stand("TRANSPORT", gun="torsion")]), ["unknown-type"]),
        (stand("MSK", duplicates=[stand("X"), stand("Y")]), ["unknown-type", "unknown-type"]),
    ],
    "quality and agreed peculiarities": [
        (stand("MSK", quality="heroic"), ["unknown-quality"]),
        (stand("MSK", quality="Good"), ["unknown-quality"]),
        (stand("MSK", agreed=1), ["needs-agreement"]),
        (stand("MSK", agreed=-1), ["needs-agreement"]),
        (stand("MSK", agreed=2), ["agreed-range", "needs-agreement"]),
        (stand("MSK", agreed=-2), ["agreed-range", "needs-agreement"]),
    ],
    "what only some types gain": [
        (stand("MSK", post_1906=True), ["post-1906-only-skirmishers"]),
        (stand("SKI/M", post_1906=True), ["post-1906-only-skirmishers"]),
        (stand("CAV/A", elephant=True), ["elephant-only-pikes"]),
        (stand("SKI/M", guided=True), ["guided-only-skirmishers"]),
        (stand("MSK", ordnance="unarmed"), ["ordnance-only-air"]),
        (stand("AIR"), ["ordnance-not-set"]),
    ],
    "guns and armour": [
        (stand("MSK", gun="smoothbore"), ["gun-only-art-tnk"]),
        (stand("MSK", gun="torsion"), ["gun-only-art-tnk", "torsion-only-art"]),
        (stand("TNK", armour="light", gun="torsion"), ["torsion-only-art"]),
        (stand("ART"), ["art-needs-gun"]),
        (stand("TNK"), ["tank-needs-armour"]),
        (stand("MSK", armour="light"), ["armour-only-tnk"]),
        (stand("ART", gun="breech-loader-79", off_board=True), ["off-board-needs-heavy-gun"]),
        (stand("ART", off_board=True), ["art-needs-gun", "off-board-needs-heavy-gun"]),
        (stand("TNK", armour="heavy", gun="breech-loader-130", off_board=True), ["off-board-needs-heavy-gun"]),
    ],
    "transport": [
        *((stand(t, transport="soft"), ["soft-transport-not-allowed"]) for t in ("SKI/M", "CAV/A", "CAV/U")),
        (stand("TNK", armour="light", transport="soft"), ["soft-transport-not-allowed"]),
        (stand("MSK", transport="animal"), ["transport-state-only-art"]),
        (stand("MSK", transport="none"), ["transport-state-only-art"]),
        (stand("SKI/F", transport="soft", duplicates=[stand("TNK", armour="light")]), ["two-transports"]),
        (stand("TNK", armour="light", duplicates=[stand("SKI/F", transport="soft")]), ["two-transports"]),
    ],
    "limits of strength": [
        (stand("SKI/F", quality="poor"), ["raised-to-minimum"]),
        (stand("INF/A", agreed=9), ["agreed-range", "cut-to-maximum", "needs-agreement"]),
        (stand("INF/A", agreed=8), ["agreed-range", "needs-agreement"]),  # exactly 15
    ],
}


def test_what_the_rules_allow_is_not_commented():
    for profile in FINE:
        assert element_codes(profile) == []


def test_what_the_rules_do_not_allow_is_found():
    for profile, expected in [case for cases in FOUND.values() for case in cases]:
        assert element_codes(profile) == expected


def test_findings_of_a_state_belong_to_the_element_and_name_the_state():
    data = roster("6mm", [stand("MSK", duplicates=[stand("SKI/F"), stand("MSK", gun="torsion", quality="?")])])
    found = [finding for finding in appraise(data).findings if finding.where == HERE]
    assert sorted(f.code for f in found) == ["gun-only-art-tnk", "torsion-only-art", "unknown-quality"]
    assert all(f.message.startswith("State 3: ") for f in found)


ERRORS = [
    "unknown-type",
    "unknown-quality",
    "agreed-range",
    "post-1906-only-skirmishers",
    "elephant-only-pikes",
    "gun-only-art-tnk",
    "art-needs-gun",
    "torsion-only-art",
    "guided-only-skirmishers",
    "ordnance-only-air",
    "soft-transport-not-allowed",
    "transport-state-only-art",
    "tank-needs-armour",
    "armour-only-tnk",
    "off-board-needs-heavy-gun",
    "no-general",
]
WARNINGS = [
    "needs-agreement",
    "ordnance-not-set",
    "two-transports",
    "raised-to-minimum",
    "cut-to-maximum",
    "several-generals",
    "last-set-short",
]


def test_every_finding_has_its_severity():
    assert {code: meaning.severity for code, meaning in FINDINGS.items()} == {
        **dict.fromkeys(ERRORS, "error"),
        **dict.fromkeys(WARNINGS, "warning"),
    }


# ---------------------------------------------------------------- findings of an army

ARMIES = [
    ([], {}, ["no-general"]),
    ([GENERAL | {"quantity": 0}], {}, ["no-general"]),
    ([stand("MSK", quantity=3)], {}, ["no-general"]),
    # a general in a state adds strength but is not counted
    ([stand("MSK", quantity=3, duplicates=[stand("SKI/F", general="superior")])], {}, ["no-general"]),
    ([GENERAL | {"quantity": 1}, stand("MSK", quantity=2)], {}, []),
    ([GENERAL], {}, ["several-generals"]),
    ([GENERAL | {"quantity": 1}, stand("MSK", quantity=3)], {}, ["last-set-short"]),
    ([GENERAL | {"quantity": 1}, stand("WORKS", quantity=2)], {}, ["last-set-short"]),
    ([GENERAL | {"quantity": 1}, stand("MSK", quantity=2), stand("WORKS"), stand("TRANSPORT")], {}, []),
    # 8 + 12 + 2 is 22
    ([GENERAL | {"quantity": 1}, stand("MSK", quantity=2), stand("WORKS")], {"budget": 22}, []),
    ([GENERAL | {"quantity": 1}, stand("MSK", quantity=2), stand("WORKS")], {"budget": 21}, ["over-budget"]),
]


def test_an_army_has_one_general_whole_sets_and_a_budget():
    for elements, root, expected in ARMIES:
        assert codes(roster("6mm", elements, **root), "") == expected


HALF = [
    GENERAL | {"quantity": 1},  # 8
    stand("MSK", quantity=1),  # 6
    stand("SKI/F", duplicates=[stand("TNK", armour="light")]),  # 4.5
]


def test_the_budget_is_held_against_the_exact_total():
    """18.5 counts as 19, yet fits a budget of 18.5."""
    for budget, expected in [(18.5, []), (19, []), (18, ["over-budget"]), (18.4, ["over-budget"])]:
        assert codes(roster("6mm", HALF, budget=budget), "") == expected


def test_only_the_total_of_the_army_is_rounded_and_a_half_goes_up():
    appraisal = appraise(roster("6mm", HALF, HALF[2:]))
    assert (appraisal.points, appraisal.exact) == (23, 23)
    appraisal = appraise(roster("6mm", HALF))
    assert (appraisal.points, appraisal.exact) == (19, Fraction(37, 2))
    assert appraisal.formations[0].points == Fraction(37, 2)


# ---------------------------------------------------------------- facts and words

FACTS = [
    (stand("INF/A", quality="good"), 9, 4),
    (stand("MSK", quality="good"), 8, 3),
    (stand("ART", gun="breech-loader-heavy", transport="soft"), 4, 1),  # points are no strength
    (stand("SKI/F", quality="poor"), 4, 1),
    (stand("INF/A", agreed=10), 15, 7),
    (stand("CAV/U", duplicates=[stand("SKI/F")]), 5, 2),
]


def test_a_stand_routs_below_half_its_strength():
    for profile, strength, routs_at in FACTS:
        appraisal = appraise(roster("6mm", [profile]))
        assert appraisal.formations[0].elements[0].facts == {"strength": strength, "routs_at": routs_at}


def test_army_morale_of_fifteen_stands():
    appraisal = appraise(roster("6mm", [stand("MSK", quantity=10)], [stand("MSK", quantity=5), stand("WORKS")]))
    assert appraisal.quantity == 15
    assert appraisal.facts == {"army_morale": [[10, 2, 1], [20, 3, 2], [30, 5, 3], [40, 6, 4], [50, 8, 5], [60, 9, 6]]}


DESCRIBED = [
    (stand("MSK", quality="good"), "MSK, good"),
    (stand("TNK", armour="medium", gun="breech-loader-79"), "TNK medium · breech-loader to 79 mm"),
    (stand("MSK", duplicates=[stand("SKI/F", quantity=2)]), "MSK / 2 × SKI/F"),
    (
        stand("SKI/F", post_1906=True, general="competent", transport="soft"),
        "SKI/F, after 1906, competent general · soft transport",
    ),
    (stand("WORKS"), "Field works, a square"),
]


def test_a_stand_is_described_in_a_line():
    for profile, expected in DESCRIBED:
        assert describe(Profile.model_validate(profile), terms()) == expected


def test_the_glossary_explains_every_word_once():
    entries = list(rules.glossary())
    assert {entry.code for entry in entries} == {*tables.TYPES, *tables.GUNS, *tables.ORDNANCE, "WORKS", "TRANSPORT"}
    assert max(Counter(entry.code for entry in entries).values()) == 1


RANGES_AND_MOVES = [
    (stand("INF/A"), "", "2"),
    (stand("WBD"), "", "2, charging 3"),
    (stand("MSK", transport="soft"), "1, rifles 2", "2, carried 4"),
    (stand("SKI/S", guided=True), "3, guided AT 4, AA 2", "3"),
    (stand("CAV/U"), "", "4, charging 5"),
    (stand("ART", gun="smoothbore", horse=True, transport="animal"), "3", "3"),
    (
        stand("ART", gun="breech-loader-heavy", off_board=True, transport="none"),
        "12, from off the board 10 onto it",
        "1",
    ),
    (stand("ART"), "", "motor 4, animals 2, by hand 1"),
    (stand("TNK", gun="breech-loader-130"), "6", "slow 3, medium 4, fast 6"),
    (stand("AIR", ordnance="bomber"), "what it flies over, rockets 2", "8 to 24"),
    (stand("AIR", ordnance="attack-helicopter"), "what it flies over, rockets 2", "2 to 10"),
    (stand("HORSE"), "", ""),
]


def test_ranges_and_moves_follow_tables_4_and_6():
    for profile, squares, moves in RANGES_AND_MOVES:
        stats = Profile.model_validate(profile)
        assert (play.weapon_range(stats), play.move(stats)) == (squares, moves)


# ---------------------------------------------------------------- what is refused

REFUSED = [
    ({}, ["type"]),
    (stand(["WORKS"]), ["type"]),
    (stand("MSK", quality=None, agreed=True), ["agreed", "quality"]),
    (stand("MSK", general="average", armour="thick", gun="bow"), ["armour", "general", "gun"]),
    (
        stand("MSK", movement=3, transport="cart", ordnance="x", guided=1),
        ["guided", "movement", "ordnance", "transport"],
    ),
    (stand("MSK", marks=[{"out": True}]), ["marks/0/out"]),
    (stand("MSK", duplicates=["SKI/F"]), ["duplicates/0"]),
    (stand("MSK", duplicates=[stand("SKI/F", quantity=-1)]), ["duplicates/0/quantity"]),
    (stand("MSK", duplicates=[stand("SKI/F", name="A", marks=[])]), ["duplicates/0/marks", "duplicates/0/name"]),
    (
        stand("MSK", agreed="1", duplicates=[stand("SKI/F"), stand("SKI/F", duplicates=[{}], agreed="1")]),
        ["agreed", "duplicates/1/agreed", "duplicates/1/duplicates"],
    ),
    (stand("WORKS", quality="average"), ["quality"]),
    (stand("TRANSPORT", marks=[], transport="soft", armour=None), ["armour", "marks", "transport"]),
    (stand("WORKS", duplicates=[{"foo": 1}], foo=1, quantity=-1), ["duplicates", "foo", "quantity"]),
]


def test_what_cannot_be_read_is_refused_at_its_own_path():
    for profile, paths in REFUSED:
        assert refused(roster("6mm", [profile])) == [f"{HERE}/{path}" for path in paths]


def test_a_purchase_may_have_a_name_a_quantity_notes_and_be_secret():
    for type_ in ["WORKS", "TRANSPORT"]:
        data = roster("6mm", [{"id": "w1", "type": type_, "quantity": 4, "notes": "On the hill.", "secret": True}])
        element = read(data).formations[0].elements[0]
        assert rules.headcount(element) == 0
        assert write(read(data))["formations"][0]["elements"] == [data["formations"][0]["elements"][0]]
