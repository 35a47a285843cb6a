"""The sheets of VSGMR: rolls and moves worked by hand from the rulebook; cards, list, set-up and strips as printed."""

from itertools import pairwise

import pytest

from rosters.core.rulebook import Terms
from rosters.pdf import cards
from rosters.pdf.canvas import MM
from rosters.pdf.sections import PAPERS
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.rules import TRAITS, Options
from rosters.systems.vsgmr.sheets import measures
from rosters.systems.vsgmr.sheets.figures import inches
from tests.notation import figure, rows
from tests.paper import fields, pages_of, pdf_of, pdf_text, picture, runs, texts
from tests.support import missing, read, roster_data, sample_data
from tools.paper import MIN_TEXT, measure

TERMS = Terms(Options(), None, None)


def element(text):
    return read(roster_data("vsgmr", [figure(text)])).formations[0].elements[0]


def rolled(text):
    """Every roll by its code: die and target."""
    return {roll.code: f"{roll.die}/{roll.target}" for roll in tables.rolls(element(text), TERMS)}


KINDS = rows("""  # distance, in cover, hand to hand, light armor, skill
    mook = 6 7 5 7 5 | troop = 5 6 4 6 4 | hero = 4 5 3 6 3 | cavalry = 5 6 4 6 - | vehicle = 4 5 3 5 -
""")
ROLLS = rows("""  # the figure, and some of its rolls, - for those that it has not
    mook heavy = heavy=6/5 light=- | troop heavy = heavy=6/4 | hero commander = heavy=6/4
    troop commander = light=- heavy=- | cavalry = light=6/6 heavy=- | vehicle heavy = heavy=6/3
    troop tough light = light=6/5 | hero tough super-armor:major = light=- heavy=- | vehicle tough = light=6/4
    hero tough heavy super-armor:minor = heavy=8/3 | mook light super-armor:superior = light=12/7
    troop combat-master = hand-to-hand=6/3 | hero weapon-master combat-master = hand-to-hand=6/2
    vehicle combat-master support support=hand-to-hand = hand-to-hand=6/1
    hero sharpshooter distance = distance=6/3 cover=6/4 hand-to-hand=6/3
    mook sharpshooter distance = distance=6/5 cover=6/6 | troop support support=skill = skill=6/3 hand-to-hand=6/4
    troop support support=distance distance = distance=6/4 cover=6/5 | troop support=skill = skill=6/4
    hero support support=armor light = light=6/5 skill=6/3 | hero super-skill:major = skill=10/3
    hero distance super-blast:superior = distance=12/4 cover=12/5 | troop super-fight:minor = hand-to-hand=8/4
    troop super-fight:grand = hand-to-hand=6/4 | hero disable = disable=6/4 | troop disable = disable=6/4
    vehicle disable = disable=6/4 | troop summon recruit = summon=6/5 recruit=6/5
    mook disable summon recruit = disable=6/5 summon=6/6 recruit=6/6 | troop = disable=- distance=- cover=-
    vehicle super-skill:minor = skill=- | blob distance = distance=6/5 cover=6/6 hand-to-hand=6/4 skill=- building=6/3
""")
MOVES = rows("""  # the figure; move, half, range and initiative by ruler and by paper (sections II, VI and X)
    mook = 6 3 None 0 = 17/2 4 None 0 | cavalry = 9 9/2 None 0 = 11 17/2 None 0
    vehicle distance = 12 6 12 0 = 15 17/2 11 0 | hero sniper distance = 6 3 24 0 = 17/2 4 22 0
    hero sniper = 6 3 None 0 = 17/2 4 None 0 | hero super-move:minor = 9 3 None 1 = 25/2 4 None 1
    hero super-move:major = 12 3 None 2 = 17 4 None 2
    cavalry super-move:superior = 45/2 9/2 None 3 = 61/2 17/2 None 3
""")


def test_each_kind_rolls_with_its_own_bonus_that_armor_traits_and_powers_change_and_moves_by_ruler_or_paper():
    for kind, targets in KINDS:
        pairs = zip(("distance", "cover", "hand-to-hand", "light", "skill"), targets.split(), strict=True)
        expected = {code: f"6/{least}" for code, least in pairs if least != "-"}
        assert rolled(f"{kind} distance light") == {**expected, "building": "6/3"}
    for text, expected in ROLLS:
        found, pairs = rolled(text), [pair.split("=") for pair in expected.split()]
        assert [[code, found.get(code, "-")] for code, _roll in pairs] == pairs, text
    for text, expected in (("hero automatic_fire distance", {"distance", "cover"}), ("hero automatic_fire", set())):
        assert {roll.code for roll in tables.rolls(element(text), TERMS) if roll.dice == 2} == expected
    for text, *distances in MOVES:
        found = [tables.pace(element(text), paper=paper) for paper in (False, True)]
        assert [" ".join(map(str, numbers)) for numbers in found] == distances, text
    for (_, *words), numbers in zip(tables.PAPER_MEASURES, tables.PAPER_INCHES.values(), strict=True):
        shown = [text.split(", ")[-1].removesuffix(" inches") for text in words if text != "–"]
        assert shown == [inches(number) for number in numbers if number is not None]


def test_cards_and_list_have_names_points_moves_dice_targets_and_a_box_for_each_model():
    card = pdf_text(pdf_of(sample_data("vsgmr", "justice-team"), sheets=["cards"], formations=[0]))
    line = pdf_text(pdf_of(sample_data("vsgmr", "star-soldiers"), sheets=["list"]))
    found = ("Super-Guy", "18 points", "half 3 inches", "cover 5+, knockback on 8+", "Flight, Inspiration", "range 11")
    assert missing((*found, TRAITS["cause-fear"].text, "Super-Fight (superior)", tables.KNOCKBACK), card) == []
    assert missing(("Captain", "Heavy Weapons Specialist", "8", "10", "12", "14"), line) == []
    odd = roster_data("vsgmr", [figure("blob odd laser:mega")])
    for sheet in ("cards", "list"):
        assert "odd, laser (mega)" in pdf_text(pdf_of(odd, sheets=[sheet]))
    guards = roster_data("vsgmr", [figure("troop x3", name="Guard")])
    assert [*fields(pdf_of(guards, sheets=["cards"], fillable=True))] == [f"f0.e0.m{n}.out.0" for n in range(3)]
    steed = roster_data("vsgmr", [figure("hero inspiration"), figure("cavalry")])
    states = [name.partition(".m0.")[2] for name in fields(pdf_of(steed, sheets=["cards"], fillable=True))]
    counted = {state: sum(name.startswith(state) for name in states) for state in ("inspiration", "disabled", "aboard")}
    assert counted == {"inspiration": 5, "disabled": 10, "aboard": 1}
    words = texts(pdf_of(guards, sheets=["cards"], merge=False))
    assert [line for line in words[0].splitlines() if line.startswith("Guard")] == ["Guard 1", "Guard 2", "Guard 3"]


def test_each_back_is_behind_its_face_however_the_paper_is_turned():
    """A long edge of upright paper keeps the rows; a short one keeps the columns, and turns the backs around."""
    five = roster_data("vsgmr", [figure("troop", name=f"Guard {letter}") for letter in "ABCDE"])
    for turn, size in (("long", "upright"), ("short", "upright"), ("long", "landscape"), ("short", "tall")):
        faces, backs = pages_of(five, sheets=["cards"], choices={"card-backs": turn, "card-size": size}).pages[:2]
        across = (turn == "long") == (faces.width < faces.height)
        for face, back in zip(faces.blocks, backs.blocks, strict=True):
            tall = face.block.height(None, face.width)
            mirrored = (
                (faces.width - face.x - face.width, face.top) if across else (face.x, faces.height - face.top + tall)
            )
            assert (back.x, back.top) == pytest.approx(mirrored)
    for backs, pages in (("fold", 2), ("none", 1)):
        assert len(pages_of(five, sheets=["cards"], choices={"card-backs": backs}).pages) == pages


@pytest.mark.parametrize("size", cards.SIZES)
def test_no_text_of_a_card_is_below_seven_points(size):
    every = figure(f"hero {' '.join(TRAITS)} distance", name="W" * 60, notes="word " * 600, armor="light")
    data = roster_data("vsgmr", [every, figure("mook x99 distance", name="Mook")], name="W" * 60)
    made = pdf_of(data, sheets=["cards", "list", "setup"], choices={"card-size": size})
    assert measure(made).text >= MIN_TEXT


@pytest.mark.parametrize("sheet", ["cards", "list"])
def test_more_than_thirty_figures_continue_on_another_card_or_row(sheet):
    data = roster_data("vsgmr", [figure("troop x45", name="Zombie")])
    assert missing(("1–30 of 45", "31–45 of 45"), pdf_text(pdf_of(data, sheets=[sheet]))) == []
    assert len(fields(pdf_of(data, sheets=[sheet], fillable=True))) == 45


def test_a_card_names_who_can_be_aboard_and_traits_whose_texts_do_not_fit():
    every = figure(f"hero {' '.join(TRAITS)}", name="All", notes="word " * 2000)
    words = pdf_text(pdf_of(roster_data("vsgmr", [every]), sheets=["cards"]))
    assert missing((TRAITS["area-effect-attack"].text, TRAITS["summon"].name), words) == []
    assert TRAITS["summon"].text not in words
    assert words.count("word") < 200

    carriers = {"vehicle": tables.MOVES["vehicle"].carries, "cavalry large": tables.LARGE_CARRIES}
    for text, aboard in {**carriers, "vehicle independent": "", "troop large": ""}.items():
        words = pdf_text(pdf_of(roster_data("vsgmr", [figure(text)]), sheets=["cards"]))
        assert ("carries" in words) is bool(aboard)
        assert aboard in words


SETUPS = rows("""  # scenario, side, texts of the set-up
    = = Basic game, Rounds | escape = = Escape, 7 of 13 | transport = = Transport, Object
    spawning = spawner = Spawning, 12 waiting, Zombie Horde: one figure, Infiltrators
    ambush = target = Zombie Horde: in the open, Ambushers: | fortress-assault = = Assaulter (assumed), Defenders:
""")


def test_strips_are_in_one_piece_if_the_paper_is_long_enough_and_else_in_two():
    """Printable along the long edge: 284 mm of A4, 267 mm of Letter, 197 mm of a half sheet."""
    expected = {"a4": [1, 1, 2, 1], "letter": [1, 2, 2, 2], "a5": [2, 2, 2, 2]}
    for paper, counts in expected.items():
        room = measures.longest_strip(paper)
        found = [measures.pieces(strip, room) for strip in measures.STRIPS]
        assert [len(pieces) for pieces in found] == counts
        for strip, pieces in zip(measures.STRIPS, found, strict=True):
            assert (pieces[0].start, pieces[-1].end) == (0, strip.inches)
            assert all(one.end == two.start for one, two in pairwise(pieces))
            lengths = [float(piece.end - piece.start) * 72 for piece in pieces]
            assert max(*(length + measures.TAB for length in lengths[:-1]), lengths[-1], 0) <= room


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("paper", PAPERS)
def test_strips_are_at_true_scale(paper, large):
    """The outline of every piece, measured on the rendered page: its lower edge is a line of that length."""
    data = roster_data("vsgmr", [figure("hero commander")])
    settings = {"sheets": ["strips"], "paper": paper, "large": large}
    job, pdf, scale, found = pages_of(data, **settings), pdf_of(data, **settings), 5, []
    for number, page in enumerate(job.pages):
        image = picture(pdf, number, scale)
        for placed in page.blocks:
            if isinstance(placed.block, measures.Drawing):
                tall = measures.STRIP_HEIGHT * MM * (14 / 9 if large else 1)
                middle = int((page.height - placed.top + tall) * scale)
                found.append(max(runs(image[middle - 3 : middle + 4], 0, 10_000, 150)) / scale / 72)
    room = measures.longest_strip(paper)
    expected = [float(piece.end - piece.start) for strip in measures.STRIPS for piece in measures.pieces(strip, room)]
    assert found[: len(expected)] == pytest.approx(expected, abs=0.5 / 25.4)
    assert all(any(abs(long - each) < 0.5 / 25.4 for each in expected) for long in found)
    words = pdf_text(pdf)
    assert missing(("8½", "half 4", "11", "half 8½", "15"), words) == []
    assert ("A4" in words) is (paper != "letter")


def test_the_set_up_is_that_of_the_scenario_and_side_and_standees_of_mounts_begin_below_those_of_guys():
    for scenario, side, expected in SETUPS:
        data = sample_data("vsgmr", "zombie-horde") | {"scenario": scenario or None, "side": side or None}
        assert [len(pages_of(data, sheets=["setup"], paper=paper).pages) for paper in ("a4", "letter")] == [1, 1]
        words = pdf_text(pdf_of(data, sheets=["setup"]))
        assert missing((*expected.split(", "), "Patient Zero", "12 20 50", "6 10 25", "1 2 5"), words) == []
    roster = sample_data("vsgmr", "zombie-horde") | {"scenario": "fortress-assault", "side": "assaulter"}
    assert missing(("Fortress assault, Assaulter",), pdf_text(pdf_of(roster, sheets=["roster"]))) == []
    data = roster_data("vsgmr", [figure("hero commander"), figure("vehicle")])
    [page] = texts(pdf_of(data, sheets=["standees"]))
    assert page.count("glue") == 4
    assert "Free: 6 small, 3 large" in page  # of 7 across 198 mm by 25, of 4 by 40
