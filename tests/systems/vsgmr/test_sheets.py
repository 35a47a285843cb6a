"""VSGMR on paper: rolls worked by hand from the rulebook, cards, list, set-up and strips read back from the PDF."""

import json
from fractions import Fraction as F
from itertools import pairwise

import pypdfium2
import pytest

from rosters.core.appraisals import terms_of
from rosters.pdf.layout import frame
from rosters.systems.vsgmr import sheets, tables
from rosters.systems.vsgmr.rules import TRAITS
from tests.paper import blank_pdf, drawn, fields, pdf_of, reader, texts
from tests.support import FIXTURES, read, roster

BOSS = {"name": "Boss", "kind": "hero", "commander": True}
MM = 72 / 25.4
PAPERS = ("a4", "letter", "a5")


def figure(kind="troop", *traits, **more):
    return {"kind": kind, "traits": [*traits], **more}


def element(profile):
    return read(roster("vsgmr", [profile])).formations[0].elements[0]


def rolled(profile):
    """Die and target of every roll, by its name."""
    document = read(roster("vsgmr", [profile]))
    made = tables.rolls(document.formations[0].elements[0], terms_of(document))
    return {roll.name: (roll.die, roll.target) for roll in made}


def notes(profile):
    document = read(roster("vsgmr", [profile]))
    made = tables.rolls(document.formations[0].elements[0], terms_of(document))
    return {roll.name: roll.note for roll in made}


DISTANCE, COVER, HAND, LIGHT, HEAVY, SKILL = (label for label, _, _ in tables.ROLLS)
BUILDING = tables.BUILDING_ROLL.name


def made(data, **settings):
    return drawn(data, **settings)


def reader_of(data, **settings):
    return reader(pdf_of(data, **settings))


def text_of(data, **settings):
    return "\n".join(texts(pdf_of(data, **settings)))


def army(slug):
    return json.loads((FIXTURES / "armies" / "vsgmr" / f"{slug}.json").read_text())


# ---------------------------------------------------------------- rolls (sections II, IV to VI, XII)


def test_each_kind_rolls_with_its_own_bonus_and_only_guys_use_skills():
    rows = [
        ("mook", {DISTANCE: (6, 6), COVER: (6, 7), HAND: (6, 5), LIGHT: (6, 7), SKILL: (6, 5)}),
        ("troop", {DISTANCE: (6, 5), COVER: (6, 6), HAND: (6, 4), LIGHT: (6, 6), SKILL: (6, 4)}),
        ("hero", {DISTANCE: (6, 4), COVER: (6, 5), HAND: (6, 3), LIGHT: (6, 6), SKILL: (6, 3)}),
        ("cavalry", {DISTANCE: (6, 5), COVER: (6, 6), HAND: (6, 4), LIGHT: (6, 6)}),
        ("vehicle", {DISTANCE: (6, 4), COVER: (6, 5), HAND: (6, 3), LIGHT: (6, 5)}),
    ]
    for kind, expected in rows:
        assert rolled(figure(kind, distance=True, armor="light")) == {**expected, BUILDING: (6, 3)}


def test_armor_rolls_follow_the_armor_that_a_figure_really_has():
    rows = [
        (figure("mook", armor="heavy"), {HEAVY: (6, 5)}),
        (figure("troop", armor="heavy"), {HEAVY: (6, 4)}),
        (figure("hero", commander=True), {HEAVY: (6, 4)}),
        (figure("troop", commander=True), {}),
        (figure("troop"), {}),
        (figure("cavalry"), {LIGHT: (6, 6)}),
        (figure("vehicle", armor="heavy"), {HEAVY: (6, 3)}),
        (figure("troop", "tough", armor="light"), {LIGHT: (6, 5)}),
        (figure("hero", "tough"), {}),
        (figure("vehicle", "tough"), {LIGHT: (6, 4)}),
        (figure("hero", "tough", armor="heavy", powers={"super-armor": "minor"}), {HEAVY: (8, 3)}),
        (figure("mook", armor="light", powers={"super-armor": "superior"}), {LIGHT: (12, 7)}),
        (figure("hero", powers={"super-armor": "major"}), {}),
    ]
    for profile, armor in rows:
        found = rolled(profile)
        assert {name: found[name] for name in (LIGHT, HEAVY) if name in found} == armor


def test_traits_and_powers_change_the_roll_that_they_are_for():
    rows = [
        (figure("troop", "combat-master"), {HAND: (6, 3)}),
        (figure("hero", "combat-master"), {HAND: (6, 2)}),
        (figure("hero", "weapon-master", commander=True), {HAND: (6, 2)}),
        (figure("hero", "combat-master", "combat-master"), {HAND: (6, 2)}),
        (figure("vehicle", "combat-master", "support", support="hand-to-hand"), {HAND: (6, 1)}),
        (figure("hero", "sharpshooter", distance=True), {DISTANCE: (6, 3), COVER: (6, 4), HAND: (6, 3)}),
        (figure("mook", "sharpshooter", distance=True), {DISTANCE: (6, 5), COVER: (6, 6)}),
        (figure("troop", "sharpshooter"), {HAND: (6, 4)}),
        (figure("troop", "support", support="skill"), {SKILL: (6, 3), HAND: (6, 4)}),
        (figure("troop", "support", support="distance", distance=True), {DISTANCE: (6, 4), COVER: (6, 5)}),
        (figure("troop", support="skill"), {SKILL: (6, 4)}),
        (figure("hero", "support", support="armor", armor="light"), {LIGHT: (6, 5), SKILL: (6, 3)}),
        (figure("hero", powers={"super-skill": "major"}), {SKILL: (10, 3)}),
        (figure("hero", distance=True, powers={"super-blast": "superior"}), {DISTANCE: (12, 4), COVER: (12, 5)}),
        (figure("troop", powers={"super-fight": "minor"}), {HAND: (8, 4)}),
        (figure("troop", powers={"super-fight": "grand"}), {HAND: (6, 4)}),
    ]
    for profile, expected in rows:
        found = rolled(profile)
        assert {name: found[name] for name in expected} == expected
        if not profile.get("distance"):
            assert DISTANCE not in found
            assert COVER not in found


def test_a_vehicle_has_no_skill_roll_even_with_super_skill():
    assert SKILL not in rolled(figure("vehicle", powers={"super-skill": "minor"}))


def test_automatic_fire_rolls_two_dice_for_distance_attacks_alone():
    document = read(roster("vsgmr", [figure("hero", distance=True, automatic_fire=True)]))
    found = tables.rolls(document.formations[0].elements[0], terms_of(document))
    assert {roll.name: roll.dice for roll in found} == {DISTANCE: 2, COVER: 2, HAND: 1, SKILL: 1, BUILDING: 1}
    without = tables.rolls(element(figure("hero", automatic_fire=True)), terms_of(document))
    assert all(roll.dice == 1 for roll in without)


def test_disable_summon_and_recruit_have_rolls_of_their_own():
    for kind, disable, summon in [("hero", 4, 5), ("troop", 4, 5), ("mook", 5, 6)]:
        found = rolled(figure(kind, "disable", "summon", "recruit"))
        assert (found["Disable"], found["Summon"], found["Recruit"]) == ((6, disable), (6, summon), (6, summon))
        assert "Disable" not in rolled(figure(kind))


def test_a_roll_tells_what_went_into_it():
    told = notes(figure("hero", "sharpshooter", distance=True, automatic_fire=True, powers={"super-blast": "minor"}))
    assert told[DISTANCE] == "hero +1, Sharpshooter +1, best of 2, knockback on 8+"
    assert told[SKILL] == "hero +1"
    assert notes(figure("mook", armor="light"))[LIGHT] == "mook −1, only with a friend’s Support"
    assert notes(figure("mook", armor="heavy"))[HEAVY] == "mook −1"
    assert notes(figure("troop"))[HAND] == ""


def test_an_unknown_kind_rolls_without_bonus():
    assert rolled(figure("blob", distance=True)) == {DISTANCE: (6, 5), COVER: (6, 6), HAND: (6, 4), BUILDING: (6, 3)}


# ---------------------------------------------------------------- moves (sections II, VI and X)


def test_moves_by_ruler_and_by_paper():
    rows = [
        (figure("mook"), (6, 3, None, 0), (F(17, 2), 4, None, 0)),
        (figure("cavalry"), (9, F(9, 2), None, 0), (11, F(17, 2), None, 0)),
        (figure("vehicle", distance=True), (12, 6, 12, 0), (15, F(17, 2), 11, 0)),
        (figure("hero", "sniper", distance=True), (6, 3, 24, 0), (F(17, 2), 4, 22, 0)),
        (figure("hero", "sniper"), (6, 3, None, 0), (F(17, 2), 4, None, 0)),
        (figure("hero", powers={"super-move": "minor"}), (9, 3, None, 1), (F(25, 2), 4, None, 1)),
        (figure("hero", powers={"super-move": "major"}), (12, 3, None, 2), (17, 4, None, 2)),
        (
            figure("cavalry", powers={"super-move": "superior"}),
            (F(45, 2), F(9, 2), None, 3),
            (F(61, 2), F(17, 2), None, 3),
        ),
    ]
    for profile, ruler, paper in rows:
        assert tables.pace(element(profile)) == ruler
        assert tables.pace(element(profile), paper=True) == paper


def test_the_paper_measures_in_words_and_in_numbers_agree():
    whole = {"8 1/2": F(17, 2), "4": F(4), "11": F(11), "15": F(15)}
    for (_, move, half), numbers in zip(tables.PAPER_MEASURES, tables.PAPER_INCHES.values(), strict=True):
        told = [words.split(", ")[1].removesuffix(" inches") for words in (move, half) if words]
        assert [whole[each] for each in told] == [number for number in numbers if number is not None]


# ---------------------------------------------------------------- cards


def test_a_card_shows_name_kind_points_moves_dice_and_targets():
    words = text_of(army("justice-team"), sheets=["cards"], formations=[0])
    for expected in (
        "Super-Guy",
        "Hero, commander",
        "18 points",
        "Move 6 · Half 3 · Range 12 inches",
        "Heavy armor saves",
    ):
        assert expected in words
    for die in ("d6", "d8", "d10", "d12"):
        assert die in words
    assert "Counted above:" in words
    assert "Flight." in words


def test_a_merged_card_has_a_box_for_each_model_and_fills_those_that_are_out():
    guards = figure(name="Guard", quantity=3, marks=[{"out": True}, {}, {"out": True}])
    fields = reader_of(roster("vsgmr", [guards]), sheets=["cards"], fillable=True, marks=True).get_fields()
    assert [*fields] == ["f0.e0.m0.out.0", "f0.e0.m1.out.0", "f0.e0.m2.out.0"]
    assert [field["/V"] != "/Off" for field in fields.values()] == [True, False, True]
    fresh = reader_of(roster("vsgmr", [guards]), sheets=["cards"], fillable=True).get_fields()
    assert all(field["/V"] == "/Off" for field in fresh.values())


def test_single_cards_are_numbered():
    words = text_of(roster("vsgmr", [figure(name="Guard", quantity=3)]), sheets=["cards"], merge=False)
    assert [line for line in words.splitlines() if line.startswith("Guard")] == ["Guard 1", "Guard 2", "Guard 3"]


def test_more_than_thirty_figures_go_on_on_another_card():
    data = roster("vsgmr", [figure(name="Zombie", quantity=45)])
    words = text_of(data, sheets=["cards"])
    assert "1–30 of 45" in words
    assert "31–45 of 45" in words
    assert len(reader_of(data, sheets=["cards"], fillable=True).get_fields()) == 45


def test_a_large_card_is_larger_and_four_stand_on_a_page():
    five = [figure(name=f"Guard {letter}") for letter in "ABCDE"]
    for paper in ("a4", "letter"):
        pages = made(roster("vsgmr", five), sheets=["cards"], paper=paper, large=True).pages
        assert [len(page.puts) for page in pages] == [4, 1]
        assert pages[0].puts[0].width == pytest.approx(63 * MM * sheets.LARGE_CARD)
        assert pages[0].puts[0].scale == 1


def test_what_the_rulebook_does_not_know_stands_on_the_card_as_written():
    words = text_of(roster("vsgmr", [figure("blob", "odd", powers={"laser": "mega"})]), sheets=["cards"])
    assert "Not in the rulebook." in words
    assert "odd, laser (mega)" in words
    assert "Move not known" in words


def test_many_traits_are_named_where_their_texts_do_not_fit():
    every = figure("hero", *(code for code in TRAITS if code != "independent"), name="All", notes="word " * 2000)
    words = text_of(roster("vsgmr", [every]), sheets=["cards"])
    assert "Look up:" in words
    assert words.count("word") < 200


# ---------------------------------------------------------------- the list


def test_the_list_has_a_row_a_figure_with_boxes_dice_and_points():
    data = army("star-soldiers")
    words = text_of(data, sheets=["list"])
    for expected in ("Captain", "Lieutenant", "Heavy Weapons Specialist", "d8", "6 · 3 · 12", "10", "12", "14"):
        assert expected in words
    assert "Buildings save on d6, 3+" in words
    assert [*reader_of(data, sheets=["list"], fillable=True).get_fields()] == [f"f0.e{e}.m0.out.0" for e in range(3)]


def test_ten_thousand_figures_are_listed_in_rows_of_thirty():
    data = roster("vsgmr", [figure(name="Zombie", quantity=10_000)])
    last = texts(pdf_of(data, sheets=["list"]))[-1]
    assert "9991–10000 of 10000" in " ".join(last.split())


@pytest.mark.parametrize(("traits", "aboard"), [([], True), (["independent"], False)])
def test_only_what_needs_somebody_aboard_carries_them_on_its_card(traits, aboard):
    words = text_of(roster("vsgmr", [figure(kind="vehicle", traits=traits)]), sheets=["cards"])
    assert (tables.MOVES["vehicle"].carries in " ".join(words.split())) is aboard


# ---------------------------------------------------------------- set-up


def test_the_set_up_tells_the_scenario_of_this_roster():
    rows = [
        (None, None, ["Scenario: Basic game", "names no scenario", "Rounds"]),
        (
            "escape",
            None,
            ["Scenario: Escape", "Across, 7 of 13 win", "That is 7 of 13 figures.", "edge opposite its own"],
        ),
        ("transport", None, ["Scenario: Transport", "Object"]),
        ("spawning", "spawner", ["Spawner", "Brought on, of 12 waiting", "Spawners (this force)"]),
        ("ambush", "target", ["Targets (this force)", "Defeat every ambusher figure."]),
        ("fortress-assault", None, ["Assaulter (assumed)", "Hits on the building", "Building"]),
    ]
    for scenario, side, expected in rows:
        data = {**army("zombie-horde"), "scenario": scenario, "side": side}
        words = " ".join(text_of(data, sheets=["setup"]).split())
        for text in (*expected, "Show the others Patient Zero.", "25 to 32 mm", "300 mm"):
            assert text in words


def test_the_scale_table_is_that_of_the_rulebook():
    words = text_of(roster("vsgmr", [BOSS]), sheets=["setup"]).split("Scales")[1]
    for numbers in ("12 20 50", "6 10 25", "3 8 15", "2 5 10", "2 3 8", "1 2 5"):
        assert numbers in " ".join(words.split())


# ---------------------------------------------------------------- strips


def test_strips_are_whole_where_the_paper_is_long_enough_and_else_in_two_pieces():
    """Printable along the long edge: 284 mm of A4, 267 mm of Letter, 197 mm of a half sheet."""
    counts = {
        paper: [len(sheets.pieces(strip, frame(paper, landscape=True)[0])) for strip in sheets.STRIPS]
        for paper in PAPERS
    }
    assert counts == {"a4": [1, 1, 2, 1], "letter": [1, 2, 2, 2], "a5": [2, 2, 2, 2]}


def test_the_pieces_of_a_strip_follow_one_another_and_fit_with_their_tabs():
    for paper in PAPERS:
        room = frame(paper, landscape=True)[0]
        for strip in sheets.STRIPS:
            made_of = sheets.pieces(strip, room)
            assert (made_of[0].start, made_of[-1].end) == (0, strip.inches)
            assert all(one.end == two.start for one, two in pairwise(made_of))
            assert all(float(one.end - one.start) * 72 + sheets.TAB <= room for one in made_of[:-1])
            assert float(made_of[-1].end - made_of[-1].start) * 72 <= room


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("paper", PAPERS)
def test_strips_are_at_true_scale(paper, large):
    """The outline of every piece, measured on the rendered page: its lower edge is a line of that length."""
    printed = made(roster("vsgmr", [BOSS]), sheets=["strips"], paper=paper, large=large)
    document, scale, found = pypdfium2.PdfDocument(printed.pdf()), 5, []
    for number, page in enumerate(printed.pages):
        image = document[number].render(scale=scale).to_pil().convert("L")
        for put in page.puts:
            if isinstance(put.block, sheets.Drawing):
                tall = sheets.STRIP_HEIGHT * MM * (14 / 9 if large else 1)
                middle = int((page.height - put.top + tall) * scale)
                found.append(max(_longest(image, y) for y in range(middle - 3, middle + 4)) / scale / 72)
    room = frame(paper, landscape=True)[0]
    wanted = [float(piece.end - piece.start) for strip in sheets.STRIPS for piece in sheets.pieces(strip, room)]
    assert found == pytest.approx(wanted, abs=0.5 / 25.4)


def _longest(image, y):
    """The longest dark run of pixels in a row."""
    best = run = 0
    for x in range(image.width):
        run = run + 1 if image.getpixel((x, y)) < 150 else 0
        best = max(best, run)
    return best


def test_strips_name_their_measures_and_half_moves():
    words = text_of(roster("vsgmr", [BOSS]), sheets=["strips"], paper="letter")
    for expected in (
        "move 8½ inches",
        "half 4",
        "move 11 inches",
        "half 8½",
        "move 15 inches",
        "range 11 inches",
        "glue",
    ):
        assert expected in words
    assert "A4" not in words
    assert "A4" in text_of(roster("vsgmr", [BOSS]), sheets=["strips"], paper="a4")


# ---------------------------------------------------------------- all of them


def titles(data, **settings):
    return list(dict.fromkeys(page.title for page in made(data, **settings).pages))


def test_a_small_force_packs_cards_and_a_large_one_the_list():
    small = titles(army("undead"))
    assert small == ["Roster", "Figure cards", "Set-up", "Paper measures", "Reference"]
    large = titles(roster("vsgmr", [figure(name=f"Guard {number}") for number in range(19)]))
    assert large == ["Roster", "Figure list", "Set-up", "Paper measures", "Reference"]
    assert "Figure list" in titles(roster("vsgmr", [figure(quantity=19)]), merge=False)


def test_blank_sheets_can_be_filled_in():
    for paper in PAPERS:
        names = fields(blank_pdf("vsgmr", sheets=("cards", "list", "setup"), paper=paper, fillable=True)).keys()
        assert {"blank0.name", "blank0.kind.hero", "blank0.die.0", "blank0.target.4", "blank0.out.9"} <= names
        assert {"list.r0.out.0", "list.r0.name", "list.r0.hand-to-hand.target", "setup.scenario"} <= names
        assert "blank0.points" in names
        assert ("blank8.name" in names) == (paper != "a5")
