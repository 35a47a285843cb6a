"""The sheets of Minimal Space Combat: the rulebook's three ships as Ship Turn Records, and the other sheets."""

import re

import pytest

from rosters.pdf.canvas import MM, Style
from rosters.systems.msc import sheets
from tests.paper import blank_pdf, fields, pdf_of, pdf_text, picture, reader, texts
from tests.support import missing, roster

BOOK = [
    {"name": "Ship 1", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    {"name": "Ship 2", "engine": 2, "shield": 4, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    {"name": "Ship 3", "engine": 4, "shield": 4, "to_hit": 5, "weapons": ["F"]},
]
DAMAGED = {**BOOK[0], "marks": [{"engine": 1, "shield": 2, "weapons": ["F"]}]}
SCALE = 4.0
MARGIN, HEADER = 6.35 * MM, 13 * MM
WIDTH = 595.2756 - 2 * MARGIN
"""Of an A4 page."""


def pdf(*ships, sheet="records", options=None, scenario=None, **settings):
    data = roster("msc", [*ships], options=options or {}, **({"scenario": scenario} if scenario else {}))
    return pdf_of(data, **{"sheets": (sheet,), **settings})


def filled(data, engine_ovals=5, diagram=False):
    """Per track, the boxes of the first record of an A4 page whose ovals are black on the picture."""
    form = sheets.TurnRecord(engine_ovals, diagram, Style(), WIDTH)
    image, (wide, tall) = picture(data, 0, SCALE), (side * form.unit for side in form.oval_size)
    found = {"engine": [], "shield": [], "weapons": []}
    for oval in form.ovals():
        x, down = MARGIN + oval.x + wide / 2, MARGIN + HEADER - oval.y - tall / 2
        if image[int(down * SCALE), int(x * SCALE)] < 128:
            found[oval.track].append(oval.box)
    return tuple(found.values())


def beyond(number):
    return [*range(number, 5)]


@pytest.mark.parametrize("diagram", [False, True])
@pytest.mark.parametrize("ship", BOOK, ids=lambda ship: ship["name"])
def test_the_ovals_of_a_ship_are_filled_where_nothing_was_bought(ship, diagram):
    choices = {"weapons": "diagram"} if diagram else {}
    missing = [side for side in ("F", "FL", "FR", "RL", "RR") if side not in ship["weapons"]]
    expected = (beyond(ship["engine"]), beyond(ship["shield"]), missing)
    assert filled(pdf(ship, choices=choices), diagram=diagram) == expected


def test_ovals_are_also_filled_by_damage_if_it_is_printed_and_six_are_drawn_with_the_house_rule():
    assert filled(pdf(DAMAGED, marks=True)) == (beyond(2), beyond(1), ["F", "RL", "RR"])
    assert filled(pdf(DAMAGED)) == (beyond(3), beyond(3), ["RL", "RR"])
    ship = {"shield": 5, "weapons": ["F", "FL", "FR", "RL", "RR"]}
    for engine, missing_ovals in ((6, []), (5, [5])):
        data = pdf({**ship, "engine": engine}, options={"max_engine": 6})
        assert filled(data, engine_ovals=6) == (missing_ovals, [], [])


def test_a_record_has_every_field_of_the_rulebook():
    labels = ("Ship Turn Record", "Ship Name:", "Unit #", "ENGINE:", "SHIELD:", "TO-HIT:", "Weapons:")
    for ship in BOOK:
        page = pdf_text(pdf(ship))
        assert missing([*labels, "F:", "FL:", "FR:", "RL:", "RR:", ship["name"]], page) == []
        assert page.count("Turn Speed Move") == 2
        assert set(range(1, 31)) <= {int(word) for word in page.split() if word.isdigit()}


def test_a_quantity_of_five_gives_five_numbered_records_two_per_page():
    fleet = roster("msc", [{"name": "Lone", "engine": 1, "shield": 1}], [{"name": "Viper", "quantity": 5, "shield": 1}])
    pages = texts(pdf_of(fleet, sheets=("records",)))
    assert len(pages) == 3
    named = re.findall(r"^(?:Lone|Viper).*", "\n".join(pages), re.MULTILINE)
    assert named == ["Lone 1", "Viper 1 2", "Viper 2 3", "Viper 3 4", "Viper 4 5", "Viper 5 6"], "name and unit"


def test_compact_records_put_at_least_twelve_ships_on_a_page():
    for paper in ["a4", "letter", "a5"]:
        data = pdf({**BOOK[0], "name": "Viper", "quantity": 12}, sheet="compact", paper=paper)
        assert len(texts(data)) == 1
        assert all(f"Viper {number}" in pdf_text(data) for number in range(1, 13))


def test_the_fleet_control_sheet_lists_fifteen_ships_per_page_with_totals_and_dice():
    """16 ships: offensive 16 × (2 × 2 + 3) = 112, dice 16; defensive 16 × 3 = 48, dice 16; speed 4."""
    ship = {"name": "Viper", "quantity": 16, "engine": 4, "shield": 3, "to_hit": 3, "weapons": ["F", "FL"]}
    pages = texts(pdf(ship, sheet="fleets", scenario="strategic"))
    assert ["Viper 15" in pages[0], "Viper 16" in pages[1], len(pages)] == [True, True, 2]
    for page in pages:
        assert re.search(r"BP 112: \D*16 · \D* 48: \D*16 · \D*4$", " ".join(page.split()), re.MULTILINE)
        assert re.search(r"Viper 1\d? 7 3 4", " ".join(page.split()))
    hidden = pdf_text(pdf(ship, sheet="fleets", scenario="strategic", points=False))
    assert "112" not in hidden


def test_the_other_sheets_are_printed():
    page = pdf_text(pdf(sheet="production"))
    heads = ("Turn", "Prod. BPs", "Spent BPs", "Running Total", "Systems Captured")
    assert missing([*heads, *(f" {turn} " for turn in range(1, 16))], f"{page} ") == []
    rows = ("1 3L2 3L2 3R2 3R2", "3 4L1 2L3 2R3 4R1", "4 1L4 2R3 2L3 1R4", "2 2L2 3R1 3L1 2R2", "3 3L 1L2 1R2 3R")
    assert missing(rows, pdf_text(pdf(sheet="solo"))) == []


def test_the_hex_map_is_landscape_and_numbered_and_has_fewer_hexes_where_they_are_larger():
    numbers = []
    for across in ("12", "25"):
        data = pdf(sheet="map", choices={"hexes": across})
        numbers.append(len(re.findall(r"\b\d{4}\b", pdf_text(data))))
        assert "0101" in pdf_text(data)
        width, height = reader(data).pages[0].mediabox[2:]
        assert width > height
    assert numbers[0] > 3 * numbers[1] > 0


def test_counters_have_the_chosen_size():
    image = picture(pdf({"name": "A", "shield": 1}, sheet="counters", choices={"counters": "30"}), 0, SCALE) < 128
    left, row = MARGIN * SCALE, image[int((MARGIN + HEADER + 15 * MM) * SCALE)]
    right = max(x for x in range(len(row)) if row[x] and abs(x - left) > 3)
    assert abs((right - left) / SCALE / MM - 30) < 0.5


@pytest.mark.parametrize(("sheet", "turns"), [("records", 30), ("compact", 10)])
def test_fillable_records_have_a_box_for_each_open_oval_and_a_field_for_each_turn(sheet, turns):
    assert {name.removeprefix("f0.e0.m0.") for name in fields(pdf(BOOK[0], sheet=sheet, fillable=True))} == {
        *(f"engine.{box}" for box in range(3)),
        *(f"shield.{box}" for box in range(3)),
        *("weapons.F", "weapons.FL", "weapons.FR"),
        *(f"{track}.{turn}" for track in ("speed", "move") for turn in range(1, turns + 1)),
    }


def test_blank_records_are_open_forms():
    assert filled(blank_pdf("msc", sheets=("records",), fillable=True)) == ([], [], [])


def test_odd_ships_lose_nothing_on_paper():
    odd = {"name": "W" * 120, "engine": 9, "shield": -4, "to_hit": 1000000, "weapons": ["R", "F", "F", "bow"]}
    for sheet, parts in (("records", (": 9", "4", "1000000", "R F bow")), ("compact", ("1000000", "R F bow"))):
        assert missing(parts, pdf_text(pdf(odd, sheet=sheet))) == []
