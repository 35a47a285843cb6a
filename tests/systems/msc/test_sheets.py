"""The sheets of Minimal Space Combat: the book's three ships as Ship Turn Records, field by field, and the rest."""

import re

import pytest

from rosters.systems.msc import sheets
from tests.paper import blank_pdf, fields, pdf_of, picture, reader, texts, told
from tests.support import roster

BOOK = [
    {"name": "Ship 1", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    {"name": "Ship 2", "engine": 2, "shield": 4, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    {"name": "Ship 3", "engine": 4, "shield": 4, "to_hit": 5, "weapons": ["F"]},
]
SIDES = ("F", "FL", "FR", "RL", "RR")
SCALE = 4.0


def pdf(*ships, **settings):
    return pdf_of(roster("msc", [*ships]), **{"sheets": ("records",), **settings})


def full_ovals(data, number, **how):
    """Which ovals of the record in the upper half of page ``number`` are full, measured on the picture."""
    form = sheets.Form(*how["form"])
    image, top = picture(data, number, SCALE), how["top"]

    def is_full(place):
        left, down = place
        x = (how["left"] + left + sheets.OVAL[0] * form.unit / 2) * SCALE
        y = (top + down - sheets.OVAL[1] * form.unit / 2) * SCALE
        return bool(image[int(y), int(x)] < 128)

    stats = [[is_full(form.stat(row, n)) for n in range(form.ovals if row == 0 else 5)] for row in (0, 1)]
    return stats, [is_full(form.weapon(place)) for place in range(5)]


def place(paper_height=841.89, ovals=5, diagram=False):
    """Where the first record of an A4 page stands."""
    margin, strip = 6.35 * sheets.MM, 13 * sheets.MM
    width = 595.2756 - 2 * margin
    return {"form": (width, sheets.MM, ovals, diagram), "left": margin, "top": margin + strip}


@pytest.mark.parametrize("diagram", [False, True])
@pytest.mark.parametrize("ship", BOOK, ids=lambda ship: ship["name"])
def test_the_ovals_of_a_book_ship_are_full_where_nothing_was_bought(ship, diagram):
    choices = {"weapons": "diagram"} if diagram else {}
    (engine, shield), weapons = full_ovals(pdf(ship, choices=choices), 0, **place(diagram=diagram))
    assert engine == [n >= ship["engine"] for n in range(5)]
    assert shield == [n >= ship["shield"] for n in range(5)]
    assert weapons == [side not in ship["weapons"] for side in SIDES]


def test_the_record_of_a_book_ship_has_every_field_of_the_form():
    for ship in BOOK:
        page = " ".join(texts(pdf(ship))[0].split())
        for label in ("Ship Turn Record", "Ship Name:", "Unit #", "ENGINE:", "SHIELD:", "TO-HIT:", "Weapons:"):
            assert label in page
        assert page.count("Turn Speed Move") == 2
        assert all(f"{side}:" in page for side in SIDES)
        turns = [int(word) for word in page.split() if word.isdigit()]
        assert set(range(1, 31)) <= set(turns)
        assert ship["name"] in page


def test_to_hit_and_unit_are_written():
    said = texts(pdf(*BOOK))
    assert len(said) == 2
    assert said[0].split("\n").count("3") >= 2  # TO-HIT of both ships, beside turn 3
    assert "Ship 3" in said[1]


def test_damage_fills_ovals_beyond_what_was_not_bought():
    hurt = {**BOOK[0], "marks": [{"engine": 1, "shield": 2, "weapons": ["F"]}]}
    (engine, shield), weapons = full_ovals(pdf(hurt, marks=True), 0, **place())
    assert engine == [False, False, True, True, True]
    assert shield == [False, True, True, True, True]
    assert weapons == [True, False, False, True, True]


def test_a_fresh_record_shows_no_damage():
    hurt = {**BOOK[0], "marks": [{"engine": 1, "shield": 2, "weapons": ["F"]}]}
    (engine, shield), weapons = full_ovals(pdf(hurt), 0, **place())
    assert (engine.count(True), shield.count(True), weapons.count(True)) == (2, 2, 2)


def test_six_engines_draw_six_ovals():
    ship = {"engine": 6, "shield": 3, "to_hit": 3, "weapons": ["F"]}
    data = pdf_of(roster("msc", [ship], options={"max_engine": 6}), sheets=("records",))
    (engine, _), _ = full_ovals(data, 0, **place(ovals=6))
    assert engine == [False] * 6


def test_a_quantity_of_five_gives_five_numbered_records():
    fleet = roster("msc", [{"name": "Lone", "engine": 1, "shield": 1}], [{"name": "Viper", "quantity": 5, "shield": 1}])
    said = texts(pdf_of(fleet, sheets=("records",)))
    assert len(said) == 3  # six ships, two a page
    words = "\n".join(said)
    assert words.count("Unit #") == 6
    named = re.findall(r"^(?:Lone|Viper).*", words, re.MULTILINE)
    assert named == ["Lone 1", "Viper 1 2", "Viper 2 3", "Viper 3 4", "Viper 4 5", "Viper 5 6"], "name and unit"


def test_compact_records_put_at_least_twelve_ships_on_a_page():
    for paper in ["a4", "letter", "a5"]:
        fleet = roster("msc", [{"name": "Viper", "quantity": 12, "engine": 3, "shield": 3, "to_hit": 3}])
        data = pdf_of(fleet, sheets=("compact",), paper=paper)
        assert len(texts(data)) == 1
        page = told(data)
        assert all(f"Viper {number}" in page for number in range(1, 13))


def test_the_fleet_control_sheet_lists_fifteen_ships_a_page_with_totals_and_dice():
    ship = {"name": "Viper", "quantity": 16, "engine": 4, "shield": 3, "to_hit": 3, "weapons": ["F", "FL"]}
    said = texts(pdf_of(roster("msc", [ship], scenario="strategic"), sheets=("fleets",)))
    assert len(said) == 2
    assert "Viper 15" in said[0]
    assert "Viper 16" in said[1]
    # 16 ships: offensive 16 * (2 * 2 + 3) = 112, dice 16; defensive 16 * 3 = 48, dice 16; speed 4
    for page in said:
        line = " ".join(page.split())
        assert "Off. BP 112: 16 attack dice" in line
        assert "Def. BP 48: 16 save dice" in line
        assert "Fleet speed 4" in line


def test_the_production_control_sheet_has_turns_one_to_fifteen():
    page = told(pdf_of(roster("msc", []), sheets=("production",)))
    for head in ("Turn", "Prod. BPs", "Spent BPs", "Running Total", "Systems Captured"):
        assert head in page
    assert all(f" {turn} " in f"{page} " for turn in range(1, 16))


def test_the_solo_tables_are_printed_as_published():
    page = told(pdf_of(roster("msc", []), sheets=("solo",)))
    for row in ("1 3L2 3L2 3R2 3R2", "3 4L1 2L3 2R3 4R1", "4 1L4 2R3 2L3 1R4", "2 2L2 3R1 3L1 2R2", "3 3L 1L2 1R2 3R"):
        assert row in page
    assert "5 nearest middle" in page
    assert "6 furthest furthest" in page


def test_the_hex_map_is_numbered_and_its_hexes_have_the_chosen_size():
    for across in ("12", "25"):
        data = pdf_of(roster("msc", []), sheets=("map",), choices={"hexes": across})
        page = told(data)
        assert "0101" in page
        assert "0202" in page
        width, height = reader(data).pages[0].mediabox[2:]
        assert width > height


def test_counters_have_the_chosen_size():
    data = pdf_of(roster("msc", [{"name": "A", "shield": 1}]), sheets=("counters",), choices={"counters": "30"})
    image = picture(data, 0, SCALE) < 128
    left, top = (6.35 * sheets.MM * SCALE, 19.35 * sheets.MM * SCALE)
    row = image[int(top + 15 * sheets.MM * SCALE)]
    edges = [x for x in range(len(row)) if row[x] and abs(x - left) > 3]
    far = max(edges)
    assert abs((far - left) / SCALE / sheets.MM - 30) < 0.5


def test_fillable_records_have_a_box_for_each_open_oval_and_a_field_for_each_turn():
    found = fields(pdf(BOOK[0], fillable=True))
    ovals = {name for name in found if ".speed." not in name and ".move." not in name}
    assert ovals == {
        *(f"f0.e0.m0.engine.{n}" for n in range(3)),
        *(f"f0.e0.m0.shield.{n}" for n in range(3)),
        *(f"f0.e0.m0.weapons.{side}" for side in ("F", "FL", "FR")),
    }
    turns = {name for name in found if ".speed." in name or ".move." in name}
    assert turns == {f"f0.e0.m0.{what}.{turn}" for what in ("speed", "move") for turn in range(1, 31)}


def test_blank_records_are_open_forms():
    data = blank_pdf("msc", sheets=("records",))
    (engine, shield), weapons = full_ovals(data, 0, **place())
    assert not any([*engine, *shield, *weapons])
    assert "Ship Name:" in told(data)


def test_odd_ships_lose_nothing_on_paper():
    odd = {"name": "W" * 120, "engine": 9, "shield": -4, "to_hit": 1000000, "weapons": ["R", "F", "F", "bow"]}
    said = told(pdf(odd))
    assert "as written: 9" in said
    assert "as written: -4" in said
    assert "1000000" in said
    assert "Also weapons: R F bow" in said
