"""6MM: prices, findings, house rules, facts and invalid documents, worked by hand from the rulebook's tables."""

import re
from fractions import Fraction

import pytest

from rosters.core.documents import write
from rosters.core.rulebook import Terms
from rosters.systems.six_mm import play, rules
from rosters.systems.six_mm.rules import FINDINGS, Options, Profile, price
from tests.notation import profile, rows, stand
from tests.support import FIRST, FIXTURES, appraise, finding_codes, read, roster_data, sample_data


def receipt(text, **options):
    return price(Profile.model_validate(stand(text)), Terms(Options(**options), None, None))


STANDS = rows("""
    INF/A = 7 | INF/U = 6 | PKE = 6 | MSK = 6 | WBD = 5 | ARC = 5 | CAV/A = 6 | CAV/U = 5 | SKI/F = 4 | SKI/M = 4
    SKI/S = 5  # strength 4, and 1 more for being more effective
    WORKS = 2 | TRANSPORT = 1
    INF/A soft = 8 | INF/U soft = 7 | PKE soft = 7 | MSK soft = 7 | WBD soft = 6 | ARC soft = 6
    TNK light = 5 | TNK medium = 6 | TNK heavy = 7 | TNK super-heavy = 8
    MSK poor = 4 | MSK good = 8 | MSK elite = 9  # poor: exactly the least
    ART torsion = 3 | ART smoothbore = 5 | ART rifled-muzzle-loader = 6  # torsion: only strength is at least 4
    ART breech-loader-79 = 7 | ART breech-loader-130 = 8
    AIR unarmed = 4 | AIR fighter = 5 | AIR fighter-bomber = 6 | AIR bomber = 7 | AIR jet-fighter-bomber = 8
    AIR attack-helicopter = 9 | SKI/F post_1906 = 6 | SKI/S post_1906 = 7 | CAV/A superior = 7 | PKE elephant = 5
    MSK agreed=1 = 7 = needs-agreement | MSK agreed=-1 = 5 = needs-agreement
    SKI/F poor = 4 = raised-to-minimum | SKI/M poor inferior = 4 = raised-to-minimum  # 2 and 3, raised to 4
    TNK super-heavy elite superior = 12 | INF/A agreed=8 = 15 = agreed-range needs-agreement  # exactly the most
    INF/A agreed=1000000 = 15 = agreed-range cut-to-maximum needs-agreement
    INF/A agreed=-1000000 = 4 = agreed-range needs-agreement raised-to-minimum
    TNK medium breech-loader-79 = 9  # the rulebook's worked example
    TNK heavy breech-loader-130 = 11 | TNK light smoothbore = 6 | ART torsion animal = 3 | ART torsion none = 2
    ART smoothbore animal = 5 | ART smoothbore soft = 6 | ART smoothbore horse = 5
    ART breech-loader-heavy off_board = 9 | ART breech-loader-130 off_board = 8
    ART breech-loader-130 good soft = 11 | SKI/F guided = 5 | SKI/S guided soft = 7 | SKI/S post_1906 guided soft = 9
    msk = 0 = unknown-type | PIKEMEN torsion agreed=9 quality=? elephant bomber = 0 = unknown-type
    TNK = 5 = tank-needs-armour | TNK torsion light = 5 = torsion-only-art
    MSK post_1906 = 6 = post-1906-only-skirmishers | SKI/M post_1906 = 4 = post-1906-only-skirmishers
    CAV/A elephant = 6 = elephant-only-pikes | MSK torsion = 6 = gun-only-art-tnk torsion-only-art
    ART = 4 = art-needs-gun | MSK guided = 6 = guided-only-skirmishers
    ART smoothbore guided = 5 = guided-only-skirmishers | SKI/M guided = 4 = guided-only-skirmishers
    MSK bomber = 6 = ordnance-only-air | CAV/A soft = 6 = soft-transport-not-allowed
    CAV/U soft = 5 = soft-transport-not-allowed | SKI/M soft = 4 = soft-transport-not-allowed
    TNK light soft = 5 = soft-transport-not-allowed | MSK none = 6 = transport-state-only-art
    MSK animal = 6 = transport-state-only-art | MSK super-heavy = 6 = armour-only-tnk | AIR = 4 = ordnance-not-set
    MSK quality=Good = 6 = unknown-quality | MSK agreed=2 = 8 = agreed-range needs-agreement
    ART breech-loader-79 off_board = 7 = off-board-needs-heavy-gun
    ART off_board = 4 = art-needs-gun off-board-needs-heavy-gun
    TNK heavy breech-loader-130 off_board = 11 = off-board-needs-heavy-gun

    SKI/F + TNK light = 9/2  # the average of alternates: the rulebook's worked example
    MSK + SKI/F x2 = 7  # opens into two SKI/F: (6 + 8) / 2
    INF/A + ARC + WBD = 17/3 | MSK elite + SKI/F = 13/2  # 7, 5, 5; an alternate inherits nothing: 9 and 4
    MSK + SKI/F competent = 11/2  # a general in an alternate adds strength: 6 and 5
    MSK elite + SKI/F poor = 13/2 = raised-to-minimum  # 2, raised to 4
    MSK + WORKS = 3 = unknown-type | MSK + TRANSPORT torsion = 3 = unknown-type  # purchases are no alternates
    MSK + X + Y = 2 = unknown-type unknown-type | HORSE + MSK = 3 = unknown-type
    MSK + SKI/F x0 = 3 | SKI/F soft + SKI/S = 5 | SKI/F soft + TNK light = 5 = two-transports
    TNK light + SKI/F soft = 5 = two-transports
    MSK + ARC torsion quality=? = 11/2 = gun-only-art-tnk torsion-only-art unknown-quality
""")

HOUSE_RULES = rows("""
    tank_gun_reduced = TNK medium breech-loader-79 = 8 | tank_gun_reduced = TNK medium smoothbore = 6
    tank_gun_reduced = TNK medium torsion = 6 | tank_gun_reduced = TNK medium = 6
    tank_gun_reduced = ART breech-loader-79 = 7 | tank_gun_reduced = SKI/F + TNK light breech-loader-79 = 11/2
    animal_is_no_transport = ART smoothbore animal = 4 | animal_is_no_transport = ART smoothbore = 5
    animal_is_no_transport = ART smoothbore none = 4 | animal_is_no_transport = ART smoothbore soft = 6
    animal_is_no_transport = MSK animal = 6 | torsion_factor=1 = ART torsion = 4
    torsion_factor=1 = ART torsion none = 3 | torsion_factor=1 = TNK light torsion = 5
    torsion_factor=1 = ART smoothbore = 5
""")
RECEIPTS = rows("""
    SKI/S good post_1906 superior agreed=-1 guided = +4 +2 +2 +1 -1 +1 +1
    SKI/S poor = +4 -2 +2 +1  # the limit comes before the extras
    MSK + SKI/F x2 good = +6 +4 +2 +6 -9  # 6; two stands of 6 each; the average of 18 is 9
""")


def test_a_stand_has_the_points_findings_and_receipt_of_the_tables_and_house_rules():
    for text, points, *found in STANDS:
        assert (text, receipt(text).unit_points) == (text, Fraction(points))
        codes = finding_codes(roster_data("6mm", [stand(text)]), FIRST)
        assert (text, codes) == (text, sorted(" ".join(found).split()))
    wrong = [row for row in HOUSE_RULES if receipt(row[1], **profile([row[0]], {})).unit_points != Fraction(row[2])]
    wrong += [row for row in RECEIPTS if " ".join(step.change for step in receipt(row[0]).steps) != row[1]]
    assert wrong == []


WARNINGS = (
    "needs-agreement ordnance-not-set two-transports raised-to-minimum cut-to-maximum several-generals last-set-short"
)
HALF = "INF/A competent, MSK, SKI/F + TNK light"  # 8 + 6 + 4.5: counts as 19, yet is within a limit of 18.5
ARMIES = rows(f"""
    = no-general | INF/A competent x0 = no-general | MSK x3 = no-general
    MSK x3 + SKI/F superior = no-general  # a general in an alternate adds strength but is not counted
    INF/A competent, MSK x2 = | INF/A competent x2, MSK = several-generals | INF/A competent, MSK x3 = last-set-short
    INF/A competent, WORKS x2 = last-set-short | INF/A competent, MSK x2, WORKS, TRANSPORT =
    INF/A competent, MSK x2, WORKS = = 22 | INF/A competent, MSK x2, WORKS = over-budget = 21  # 8 + 12 + 2
    {HALF} = = 18.5 | {HALF} = = 19 | {HALF} = over-budget = 18 | {HALF} = over-budget = 18.4
""")


def stands(text):
    return [stand(each) for each in text.split(", ") if each]


def test_an_army_has_one_general_sets_of_three_and_a_points_limit():
    for text, expected, *budget in ARMIES:
        limit = {"budget": float(*budget)} if budget else {}
        assert finding_codes(roster_data("6mm", stands(text), **limit), "") == expected.split(), (text, limit)
    found = {code for row in STANDS for code in "".join(row[2:]).split()} | {row[1] for row in ARMIES}
    assert {*FINDINGS} == found - {"over-budget", ""}
    assert {code: kind.severity for code, kind in FINDINGS.items()} == {
        code: "warning" if code in WARNINGS.split() else "error" for code in FINDINGS
    }
    for number, more, surplus in [(22, 2, 1), (23, 1, 2), (1, 2, 1)]:
        found = appraise(roster_data("6mm", [stand("MSK", quantity=number)])).findings
        (message,) = (finding.message for finding in found if finding.code == "last-set-short")
        assert message.values == {"n": number, "more": more, "surplus": surplus}


FACTS = rows("""
    MSK good = 8 3 | INF/A agreed=10 = 15 7 | CAV/U + SKI/F = 5 2
    ART breech-loader-heavy soft = 4 1  # points are no strength
""")


def test_only_the_total_of_the_army_is_rounded_and_its_facts_are_when_it_routs_and_tests_morale():
    appraisal = appraise(roster_data("6mm", stands(HALF)))
    assert (appraisal.points, appraisal.exact, appraisal.formations[0].points) == (19, Fraction(37, 2), Fraction(37, 2))
    assert appraise(roster_data("6mm", stands(HALF), stands(HALF)[2:])).points == 23
    for text, expected in FACTS:
        facts = appraise(roster_data("6mm", [stand(text)])).formations[0].elements[0].facts
        assert f"{facts['strength']} {facts['routs_at']}" == expected
    appraisal = appraise(roster_data("6mm", [stand("MSK x10")], [stand("MSK x5"), stand("WORKS")]))
    assert appraisal.quantity == 15
    assert appraisal.facts == {"army_morale": [[10, 2, 1], [20, 3, 2], [30, 5, 3], [40, 6, 4], [50, 8, 5], [60, 9, 6]]}


NUMBERS = rows("""
    INF/A = = 2 | WBD = = 2 3 | ARC = 1 2 = 2 = 2 0  # charging 3; longbow 2, to be selected
    MSK soft = 1 2 = 2 4 = 2 0 | SKI/F = 1 2 = 3 = 2 0 | SKI/F post_1906 = 2 = 3  # rifles 2, carried 4
    SKI/M = 1 = 4 5  # charging 5
    SKI/S guided = 3 4 2 = 3 | CAV/A = = 4 | CAV/U = = 4 5  # AT 4, AA 2
    ART smoothbore horse animal = 3 = 3 1 | ART smoothbore horse = 3 = 3 1  # by hand 1
    ART breech-loader-heavy off_board none = 12 10 = 1 | ART torsion animal = 2 = 2 1
    ART rifled-muzzle-loader soft = 6 = 4 1 | ART = = 2 4 1 = 0 3 | TNK breech-loader-130 = 6 = 3 4 6 = 0 3
    TNK torsion = = 3 4 6 = 0 3 | AIR bomber = = 8 24 | AIR fighter = = 8 24
    AIR fighter-bomber = 2 = 8 24 | AIR attack-helicopter = 3 2 = 2 10 | AIR = = 2 10 8 24 = 0 2
    HORSE = =
""")


def test_ranges_and_moves_follow_tables_4_and_6():
    """All numbers of a range and of a move, and how many alternatives of each the player selects from."""
    for text, squares, moves, *choices in NUMBERS:
        reaches = [function(Profile.model_validate(stand(text))) for function in (play.weapon_range, play.move)]
        numbers = [" ".join(re.findall(r"\d+", reach.text)) for reach in reaches]
        assert [text, *numbers] == [text, squares, moves]
        assert [f"{reaches[0].choices} {reaches[1].choices}"] == (choices or ["0 0"]), text


@pytest.mark.parametrize("type_", ["WORKS", "TRANSPORT"])
def test_a_purchase_may_have_a_name_a_quantity_notes_and_be_secret(type_):
    data = roster_data("6mm", [stand(f"{type_} x4 secret id=w1 notes=Hill")])
    assert rules.headcount(read(data).formations[0].elements[0]) == 0
    assert write(read(data))["formations"][0]["elements"] == data["formations"][0]["elements"]


PUBLISHED = {  # stands, exact total, points, and each line: quantity, type, points of one stand
    "suetonius": (15, "101", 101, "7 INF/A 8, 3 WBD 7, 1 ARC 5, 2 CAV/U 5, 1 CAV/U 6, 1 ART 3"),
    # the book prints 100
    "boudicca": (21, "104", 104, "10 WBD 5, 2 CAV/U 5, 1 CAV/U 6, 2 CAV/U 5, 4 SKI/F 4, 2 SKI/M 6"),
    "napoleon": (15, "104", 104, "6 MSK 7, 2 MSK 10, 2 CAV/U 7, 1 CAV/A 7, 1 SKI/M 7, 2 ART 4, 1 SKI/M 6"),
    # the book prints 103
    "wellington": (
        *(20, "134", 134),
        "6 MSK 8, 6 MSK 6, 1 MSK 10, 1 SKI/F 8, 1 CAV/U 5, 1 CAV/A 6, 1 SKI/M 7, 2 ART 4, 1 SKI/M 6",
    ),
    # SKI/S is (9 + 5) / 2 in both; the book prints 6.5, and 120 for Monty
    "rommel": (15, "239/2", 120, "5 SKI/F 13/2, 1 SKI/S 7, 5 TNK 9, 1 SKI/F 7, 1 AIR 6, 2 ART 11"),
    "monty": (15, "245/2", 123, "5 SKI/F 13/2, 1 SKI/S 7, 5 TNK 9, 1 SKI/F 10, 1 AIR 6, 2 ART 11"),
}


def test_a_published_army_has_its_lines_and_totals():
    assert {path.stem for path in (FIXTURES / "armies" / "6mm").glob("*.json")} == {*PUBLISHED, "wellington-reserve"}
    for slug, (number, exact, points, lines) in PUBLISHED.items():
        data = sample_data("6mm", slug)
        appraisal = appraise(data)
        pairs = zip(data["formations"], appraisal.formations, strict=True)
        elements = [pair for ours, theirs in pairs for pair in zip(ours["elements"], theirs.elements, strict=True)]
        assert ", ".join(f"{line.quantity} {stand['type']} {line.unit_points}" for stand, line in elements) == lines
        assert (appraisal.quantity, appraisal.exact, appraisal.points) == (number, Fraction(exact), points)
    reserve, whole = sample_data("6mm", "wellington-reserve"), sample_data("6mm", "wellington")
    whole["formations"][0]["elements"][1]["quantity"] = 1
    assert (appraise(reserve).quantity, reserve["formations"]) == (15, whole["formations"])
