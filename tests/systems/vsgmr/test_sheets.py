"""The sheets of VSGMR: rolls and moves worked by hand from the rulebook; cards, list, set-up and strips as printed."""

from fractions import Fraction as F
from itertools import pairwise

import pytest

from rosters.core.rulebook import Terms
from rosters.pdf.canvas import MM
from rosters.pdf.layout import PAPERS, frame
from rosters.systems.vsgmr import sheets, tables
from rosters.systems.vsgmr.rules import TRAITS, Options
from tests.paper import drawn, fields, pdf_of, picture, runs, texts, told
from tests.support import army, missing, read, roster

BOSS = {"name": "Boss", "kind": "hero", "commander": True}
TERMS = Terms(Options(), None, None)


def figure(kind="troop", *traits, **more):
    return {"kind": kind, "traits": [*traits], **more}


def element(profile):
    return read(roster("vsgmr", [profile])).formations[0].elements[0]


def rolled(profile):
    """Die and target of every roll by its code."""
    return {roll.code: (roll.die, roll.target) for roll in tables.rolls(element(profile), TERMS)}


KINDS = {  # distance, in cover, hand to hand, light armor, skill
    "mook": (6, 7, 5, 7, 5),
    "troop": (5, 6, 4, 6, 4),
    "hero": (4, 5, 3, 6, 3),
    "cavalry": (5, 6, 4, 6, None),
    "vehicle": (4, 5, 3, 5, None),
}
HAND, SHOT = "hand-to-hand", {"distance": True}
NO_ARMOR = {"light": None, "heavy": None}
ROLLS = [  # the figure, and some of its rolls, None for those that it has not
    (figure("mook", armor="heavy"), {"heavy": (6, 5), "light": None}),
    *((figure("troop", armor="heavy"), {"heavy": (6, 4)}), (figure("hero", commander=True), {"heavy": (6, 4)})),
    *((figure("troop", commander=True), NO_ARMOR), (figure("cavalry"), {"light": (6, 6), "heavy": None})),
    (figure("vehicle", armor="heavy"), {"heavy": (6, 3)}),
    (figure("troop", "tough", armor="light"), {"light": (6, 5)}),
    (figure("hero", "tough", powers={"super-armor": "major"}), NO_ARMOR),
    (figure("vehicle", "tough"), {"light": (6, 4)}),
    (figure("hero", "tough", armor="heavy", powers={"super-armor": "minor"}), {"heavy": (8, 3)}),
    (figure("mook", armor="light", powers={"super-armor": "superior"}), {"light": (12, 7)}),
    (figure("troop", "combat-master"), {HAND: (6, 3)}),
    (figure("hero", "weapon-master", "combat-master"), {HAND: (6, 2)}),
    (figure("vehicle", "combat-master", "support", support=HAND), {HAND: (6, 1)}),
    (figure("hero", "sharpshooter", **SHOT), {"distance": (6, 3), "cover": (6, 4), HAND: (6, 3)}),
    (figure("mook", "sharpshooter", **SHOT), {"distance": (6, 5), "cover": (6, 6)}),
    (figure("troop", "support", support="skill"), {"skill": (6, 3), HAND: (6, 4)}),
    (figure("troop", "support", support="distance", **SHOT), {"distance": (6, 4), "cover": (6, 5)}),
    (figure("troop", support="skill"), {"skill": (6, 4)}),
    (figure("hero", "support", support="armor", armor="light"), {"light": (6, 5), "skill": (6, 3)}),
    (figure("hero", powers={"super-skill": "major"}), {"skill": (10, 3)}),
    (figure("hero", **SHOT, powers={"super-blast": "superior"}), {"distance": (12, 4), "cover": (12, 5)}),
    (figure("troop", powers={"super-fight": "minor"}), {HAND: (8, 4)}),
    (figure("troop", powers={"super-fight": "grand"}), {HAND: (6, 4)}),
    *((figure(kind, "disable"), {"disable": (6, 4)}) for kind in ("hero", "troop", "vehicle")),
    (figure("troop", "summon", "recruit"), {"summon": (6, 5), "recruit": (6, 5)}),
    (figure("mook", "disable", "summon", "recruit"), {"disable": (6, 5), "summon": (6, 6), "recruit": (6, 6)}),
    (figure("troop"), {"disable": None, "distance": None, "cover": None}),
    (figure("vehicle", powers={"super-skill": "minor"}), {"skill": None}),
    (figure("blob", **SHOT), {"distance": (6, 5), "cover": (6, 6), HAND: (6, 4), "skill": None, "building": (6, 3)}),
]
MOVES = [  # the figure; move, half, range and initiative by ruler and by paper (sections II, VI and X)
    (figure("mook"), (6, 3, None, 0), (F(17, 2), 4, None, 0)),
    (figure("cavalry"), (9, F(9, 2), None, 0), (11, F(17, 2), None, 0)),
    (figure("vehicle", distance=True), (12, 6, 12, 0), (15, F(17, 2), 11, 0)),
    (figure("hero", "sniper", distance=True), (6, 3, 24, 0), (F(17, 2), 4, 22, 0)),
    (figure("hero", "sniper"), (6, 3, None, 0), (F(17, 2), 4, None, 0)),
    (figure("hero", powers={"super-move": "minor"}), (9, 3, None, 1), (F(25, 2), 4, None, 1)),
    (figure("hero", powers={"super-move": "major"}), (12, 3, None, 2), (17, 4, None, 2)),
    (figure("cavalry", powers={"super-move": "superior"}), (F(45, 2), F(9, 2), None, 3), (F(61, 2), F(17, 2), None, 3)),
]


def test_each_kind_rolls_with_its_own_bonus_and_only_guys_use_skills():
    codes = ("distance", "cover", HAND, "light", "skill")
    for kind, bonuses in KINDS.items():
        expected = {code: (6, least) for code, least in zip(codes, bonuses, strict=True) if least}
        assert rolled(figure(kind, distance=True, armor="light")) == {**expected, "building": (6, 3)}


def test_armor_traits_and_powers_change_the_rolls_that_they_are_for():
    found = [{code: rolled(profile).get(code) for code in expected} for profile, expected in ROLLS]
    assert found == [expected for _, expected in ROLLS]


def test_automatic_fire_rolls_two_dice_for_distance_attacks_alone():
    for distance, expected in ((True, {"distance", "cover"}), (False, set())):
        found = tables.rolls(element(figure("hero", distance=distance, automatic_fire=True)), TERMS)
        assert {roll.code for roll in found if roll.dice == 2} == expected


def test_moves_by_ruler_and_by_paper():
    for profile, ruler, paper in MOVES:
        assert tables.pace(element(profile)) == ruler
        assert tables.pace(element(profile), paper=True) == paper
    for (_, *words), numbers in zip(tables.PAPER_MEASURES, tables.PAPER_INCHES.values(), strict=True):
        shown = [text.split(", ")[-1].removesuffix(" inches") for text in words if text != "–"]
        assert shown == [sheets.inches(number) for number in numbers if number is not None]


def test_cards_and_list_have_names_points_moves_dice_targets_and_unknown_codes():
    card = told(pdf_of(army("vsgmr", "justice-team"), sheets=["cards"], formations=[0]))
    line = told(pdf_of(army("vsgmr", "star-soldiers"), sheets=["list"]))
    dice = ("Super-Guy", "18 points", "Move 6 · Half 3 · Range 12", "d6", "d8", "d10", "d12", "Flight.")
    assert missing(dice, card) == []
    assert missing(("Captain", "Heavy Weapons Specialist", "d8", "6 · 3 · 12", "10", "12", "14"), line) == []
    odd = roster("vsgmr", [figure("blob", "odd", powers={"laser": "mega"})])
    for sheet in ("cards", "list"):
        assert "odd, laser (mega)" in told(pdf_of(odd, sheets=[sheet]))


def test_each_model_has_a_box_and_a_card_if_it_is_printed_alone():
    guards = roster("vsgmr", [figure(name="Guard", quantity=3)])
    assert [*fields(pdf_of(guards, sheets=["cards"], fillable=True))] == [f"f0.e0.m{n}.out.0" for n in range(3)]
    words = texts(pdf_of(guards, sheets=["cards"], merge=False))
    assert [line for line in words[0].splitlines() if line.startswith("Guard")] == ["Guard 1", "Guard 2", "Guard 3"]


@pytest.mark.parametrize("sheet", ["cards", "list"])
def test_more_than_thirty_figures_continue_on_another_card_or_row(sheet):
    data = roster("vsgmr", [figure(name="Zombie", quantity=45)])
    assert missing(("1–30 of 45", "31–45 of 45"), told(pdf_of(data, sheets=[sheet]))) == []
    assert len(fields(pdf_of(data, sheets=[sheet], fillable=True))) == 45


def test_four_large_cards_fit_on_a_page():
    five = roster("vsgmr", [figure(name=f"Guard {letter}") for letter in "ABCDE"])
    for paper in ("a4", "letter"):
        pages = drawn(five, sheets=["cards"], paper=paper, large=True).pages
        assert [len(page.blocks) for page in pages] == [4, 1]
        assert pages[0].blocks[0].width == pytest.approx(63 * MM * sheets.LARGE_CARD)


def test_traits_are_only_named_if_their_texts_do_not_fit():
    every = figure("hero", *(code for code in TRAITS if code != "independent"), name="All", notes="word " * 2000)
    words = told(pdf_of(roster("vsgmr", [every]), sheets=["cards"]))
    assert missing((TRAITS["area-effect-attack"].text, TRAITS["summon"].name), words) == []
    assert TRAITS["summon"].text not in words
    assert words.count("word") < 200


ABOARD = [
    *((figure("vehicle"), tables.MOVES["vehicle"].carries), (figure("cavalry", large=True), tables.LARGE_CARRIES)),
    *((figure("vehicle", "independent"), ""), (figure("troop", large=True), "")),
]


def test_a_card_names_who_can_be_aboard():
    for profile, aboard in ABOARD:
        words = told(pdf_of(roster("vsgmr", [profile]), sheets=["cards"]))
        assert ("carries" in words) is bool(aboard)
        assert aboard in words


SETUPS = [  # scenario, side, texts of the set-up
    *((None, None, ["Basic game", "Rounds"]), ("escape", None, ["Escape", "7 of 13"])),
    *(("transport", None, ["Transport", "Object"]), ("spawning", "spawner", ["12 waiting", "Spawners (this roster)"])),
    ("ambush", "target", ["Targets (this roster)", "Ambushers:"]),
    ("fortress-assault", None, ["Assaulter (assumed)", "Defenders:"]),
]


def test_the_set_up_is_that_of_the_scenario_and_side():
    for scenario, side, expected in SETUPS:
        words = told(pdf_of(army("vsgmr", "zombie-horde") | {"scenario": scenario, "side": side}, sheets=["setup"]))
        assert missing((*expected, "Patient Zero", "12 20 50", "6 10 25", "1 2 5"), words) == []
    roster = army("vsgmr", "zombie-horde") | {"scenario": "fortress-assault", "side": "assaulter"}
    assert missing(("Fortress assault, Assaulter",), told(pdf_of(roster, sheets=["roster"]))) == []


def test_strips_are_in_one_piece_if_the_paper_is_long_enough_and_else_in_two():
    """Printable along the long edge: 284 mm of A4, 267 mm of Letter, 197 mm of a half sheet."""
    expected = {"a4": [1, 1, 2, 1], "letter": [1, 2, 2, 2], "a5": [2, 2, 2, 2]}
    for paper, counts in expected.items():
        room = frame(paper, landscape=True)[0]
        strips = [sheets.pieces(strip, room) for strip in sheets.STRIPS]
        assert [len(pieces) for pieces in strips] == counts
        for strip, pieces in zip(sheets.STRIPS, strips, strict=True):
            assert (pieces[0].start, pieces[-1].end) == (0, strip.inches)
            assert all(one.end == two.start for one, two in pairwise(pieces))
            lengths = [float(piece.end - piece.start) * 72 for piece in pieces]
            assert max(*(length + sheets.TAB for length in lengths[:-1]), lengths[-1], 0) <= room


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("paper", PAPERS)
def test_strips_are_at_true_scale(paper, large):
    """The outline of every piece, measured on the rendered page: its lower edge is a line of that length."""
    data, settings = roster("vsgmr", [BOSS]), {"sheets": ["strips"], "paper": paper, "large": large}
    job, pdf, scale, found = drawn(data, **settings), pdf_of(data, **settings), 5, []
    for number, page in enumerate(job.pages):
        image = picture(pdf, number, scale)
        for placed in page.blocks:
            if isinstance(placed.block, sheets.Drawing):
                tall = sheets.STRIP_HEIGHT * MM * (14 / 9 if large else 1)
                middle = int((page.height - placed.top + tall) * scale)
                found.append(max(runs(image[middle - 3 : middle + 4], 0, 10_000, 150)) / scale / 72)
    room = frame(paper, landscape=True)[0]
    expected = [float(piece.end - piece.start) for strip in sheets.STRIPS for piece in sheets.pieces(strip, room)]
    assert found == pytest.approx(expected, abs=0.5 / 25.4)
    words = told(pdf)
    assert missing(("8½", "half 4", "11", "half 8½", "15"), words) == []
    assert ("A4" in words) is (paper != "letter")
