"""The sheets of Minimal Space Combat: the rulebook's three ships as records, and the other sheets."""

import re

import pytest

from rosters.drawing.primitives import Circle
from rosters.pdf.canvas import MM
from rosters.systems.msc import drawing, rules
from tests.paper import blank_pdf, field_places, fields, pages_of, pdf_of, pdf_text, picture, reader, runs, texts
from tests.support import missing, read, roster_data

BOOK = [
    {"name": "Ship 1", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    {"name": "Ship 2", "engine": 2, "shield": 4, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    {"name": "Ship 3", "engine": 4, "shield": 4, "to_hit": 5, "weapons": ["F"]},
]
DAMAGED = {**BOOK[0], "marks": [{"engine": 1, "shield": 2, "weapons": ["F"]}]}
FULL = {"shield": 5, "weapons": ["F", "FL", "FR", "RL", "RR"]}
SCALE = 4.0
BOOKS = {"weapons": "row"}
"""The choice of the rulebook's own record."""


def pdf(*ships, sheet="records", options=None, scenario=None, **settings):
    data = roster_data("msc", [*ships], options=options or {}, **({"scenario": scenario} if scenario else {}))
    return pdf_of(data, **{"sheets": (sheet,), **settings})


def parts_of(ship):
    """The names of the boxes of a ship: what was bought."""
    stats = {f"{track}.{box}" for track in ("engine", "shield") for box in range(ship[track])}
    return stats | {f"weapons.{side}" for side in ship["weapons"]}


def filled(data, form):
    """The boxes of the first record that are dark at the place of their check box in the fillable ``form``."""
    image, found = picture(data, 0, SCALE), set()
    bottom = image.shape[0]
    for name, (left, low, right, high) in field_places(form).items():
        place = name.partition(".")[2].removeprefix("e0.m0.")
        if name.startswith(("f0.e0.m0.", "blank0.")) and place.startswith(("engine", "shield", "weapons")):
            x, y = (left + right) / 2 + 3, (low + high) / 2 + 3
            if image[int(bottom - y * SCALE), int(x * SCALE)] < 128:
                found.add(place)
    return found


@pytest.mark.parametrize("ship", BOOK, ids=lambda ship: ship["name"])
def test_the_ovals_of_the_rulebooks_record_are_filled_where_nothing_was_bought(ship):
    form = blank_pdf("msc", sheets=("records",), choices=BOOKS, fillable=True)
    everything = parts_of({**FULL, "engine": 5})
    assert filled(pdf(ship, choices=BOOKS), form) == everything - parts_of(ship)


@pytest.mark.parametrize("sheet", ["records", "compact"])
def test_damage_fills_the_highest_boxes_if_it_is_printed(sheet):
    form = pdf(DAMAGED, sheet=sheet, fillable=True)
    assert filled(pdf(DAMAGED, sheet=sheet, marks=True), form) == {"engine.2", "shield.1", "shield.2", "weapons.F"}
    assert filled(pdf(DAMAGED, sheet=sheet), form) == set()


def test_a_record_has_every_field_of_the_rulebook_the_rolls_that_hit_and_a_plan_that_grows_with_the_ship():
    for ship in BOOK:
        profile = rules.Profile(**{key: ship[key] for key in ("engine", "shield", "to_hit", "weapons")})
        plan = drawing.damage_plan(profile)
        assert {f"{spot.track}.{spot.box}" for spot in plan.spots} == parts_of(ship)
        for stat, side in (("shield", "width"), ("engine", "height")):
            more = drawing.damage_plan(profile.replace(**{stat: 5})).picture
            assert getattr(more, side) > getattr(plan.picture, side)
    labels = ("SHIP TURN RECORD", "Ship Name:", "Unit #", "ENGINE:", "SHIELD:", "TO-HIT:", "Weapons:")
    for ship in BOOK:
        page = pdf_text(pdf(ship, choices=BOOKS))
        assert missing([*labels, "F:", "FL:", "FR:", "RL:", "RR:", ship["name"]], page) == []
        assert page.count("Turn Speed Move") == 2
        drawn = pdf_text(pdf(ship))
        stats = [f"{rules.STATS[key]} {ship[key]}" for key in ("engine", "shield", "to_hit")]
        assert missing([ship["name"], "UNIT", "BP", "TO-HIT", "15 BP", *stats, *ship["weapons"]], drawn) == []
        for words in (page, drawn):
            assert set(range(1, 31)) <= {int(word) for word in words.split() if word.isdigit()}
        score = ship["to_hit"]
        rolls = " ".join("any" if roll > 5 else str(roll) for roll in (score + 2, score + 1, score, score - 1))
        assert " ".join(re.findall(r"range \S+ (\d|any)", drawn)) == rolls


def test_a_quantity_of_five_gives_five_numbered_records_two_per_page_and_notes_take_what_is_left():
    fleet = roster_data(
        "msc", [{"name": "Lone", "engine": 1, "shield": 1}], [{"name": "Viper", "quantity": 5, "shield": 1}]
    )
    for paper in ("a4", "letter"):
        for choices in ({}, BOOKS):
            pages = texts(pdf_of(fleet, sheets=("records",), paper=paper, choices=choices))
            assert len(pages) == 3
            assert ["Viper 5" in page for page in pages] == [False, False, True]
    three = roster_data("msc", [{"name": "Viper", "quantity": 3, "shield": 1}])
    assert ["NOTES" in page for page in texts(pdf_of(three, sheets=("records",)))] == [False, True]


def test_compact_records_put_eight_ships_on_a_page_with_room_for_a_pencil_in_every_box_and_row():
    for ship in ({**FULL, "engine": 5}, BOOK[0]):
        for paper in ("a4", "letter"):
            for sheet, row in (("records", 6.9), ("compact", 4.9)):
                places = field_places(pdf(ship, sheet=sheet, paper=paper, fillable=True))
                for name, (left, low, right, high) in places.items():
                    least = row if ".speed." in name or ".move." in name else 4.5
                    assert (high - low) / MM >= least, name
                    assert (right - left) / MM >= min(least, 4.5), name
    for paper, number in (("a4", 8), ("letter", 8), ("a5", 3), ("half-letter", 3)):
        data = pdf({**BOOK[0], "name": "Viper", "quantity": number}, sheet="compact", paper=paper)
        assert len(texts(data)) == 1
        assert all(f"Viper {each}" in pdf_text(data) for each in range(1, number + 1))


def test_fleets_share_a_page_on_which_each_row_shows_the_dice_of_the_ships_down_to_it():
    """Offensive 7 and defensive 3 a ship: a die more of each with every row; the speed is that of the slowest."""
    ship = {"engine": 4, "shield": 3, "to_hit": 3, "weapons": ["F", "FL"]}
    data = roster_data("msc", [{**ship, "name": "Viper", "quantity": 3}], [{**ship, "name": "Snail", "engine": 1}])
    pages = texts(pdf_of(data, sheets=("fleets",)))
    assert len(pages) == 1
    words = " ".join(pages[0].split())
    for name, numbers in (("Viper 1", "1 1 4"), ("Viper 3", "3 3 4"), ("Snail", "1 1 1")):
        engine = 1 if name == "Snail" else 4
        assert re.search(rf"{name} 7 3 {engine} {numbers}", words)
    hidden = " ".join(pdf_text(pdf_of(data, sheets=("fleets",), points=False)).split())
    assert "Viper 3 4 4" in hidden
    assert "Viper 3 7" not in hidden
    fleet = read(roster_data("msc", BOOK)).formations[0]
    facts = rules.formation_facts(fleet, None)
    last = [*rules.stairs(fleet.elements)][-1]
    assert last == (facts["speed"], facts["attack_dice"], facts["save_dice"])


def test_a_long_fleet_is_continued_and_the_books_own_sheet_lists_fifteen_ships_per_page_with_totals_and_dice():
    short, long = (pdf_text(pdf({"name": "A", "quantity": n, "shield": 1}, sheet="fleets")) for n in (10, 60))
    assert ["continued" in words for words in (short, long)] == [False, True]
    blank = blank_pdf("msc", sheets=("fleets",), fillable=True)
    assert len(reader(blank).pages) == 1
    assert {"blank0.r0.c3", "blank3.r13.c5"} <= {*fields(blank)}
    # 16 ships: offensive 16 × (2 × 2 + 3) = 112, dice 16; defensive 16 × 3 = 48, dice 16; speed 4.
    ship = {"name": "Viper", "quantity": 16, "engine": 4, "shield": 3, "to_hit": 3, "weapons": ["F", "FL"]}
    choices = {"fleets": "book"}
    pages = texts(pdf(ship, sheet="fleets", choices=choices))
    assert ["Viper 15" in pages[0], "Viper 16" in pages[1], len(pages)] == [True, True, 2]
    for page in pages:
        assert re.search(r"fleet 112 16 48 16 4\b", " ".join(page.split()))
        assert re.search(r"Viper 1\d? 7 3 4", " ".join(page.split()))
    assert "112" not in pdf_text(pdf(ship, sheet="fleets", choices=choices, points=False))


def test_the_other_sheets_are_printed_and_each_page_of_the_order_chart_names_its_turns():
    page = pdf_text(pdf(sheet="production"))
    heads = ("Turn", "Prod. BPs", "Spent BPs", "Running Total", "Systems Captured")
    assert missing([*heads, *(f" {turn} " for turn in range(1, 16))], f"{page} ") == []
    rows = ("1 3L2 3L2 3R2 3R2", "3 4L1 2L3 2R3 4R1", "4 1L4 2R3 2L3 1R4", "2 2L2 3R1 3L1 2R2", "3 3L 1L2 1R2 3R")
    assert missing(rows, pdf_text(pdf(sheet="solo"))) == []
    for order, steps in {"3L2": 5, "L": 0, "2R": 2}.items():
        assert sum(isinstance(shape, Circle) for shape in drawing.order_picture(order).shapes) == steps, order
    names = fields(pdf(BOOK[0], sheet="orders", fillable=True))
    assert {f"f0.e0.m0.{track}.{turn}" for track in ("speed", "move") for turn in range(1, 13)} <= {*names}
    pages = texts(pdf({"name": "Viper", "quantity": 30, "shield": 1}, sheet="orders"))
    assert [len(re.findall(r"Viper \d+", page)) for page in pages] == [15, 15]
    assert [missing([f"T{turn}" for turn in range(1, 14)], page) for page in pages] == [[], []]


@pytest.mark.parametrize("across", ["12", "30"])
def test_tokens_have_the_size_of_the_hexes(across):
    image = picture(pdf({"name": "A", "shield": 1}, sheet="counters", choices={"counters": across}), 0, SCALE)
    flat = int(float(across) / 3**0.5 * MM * SCALE)  # the length of an edge
    tops = sorted({row for row in range(image.shape[0]) if runs(image[row : row + 1], flat - 4, flat + 4)})
    assert any(abs((low - high) / SCALE / MM - float(across)) < 0.3 for high in tops for low in tops)


def test_the_hex_map_goes_on_over_several_pages_and_tokens_follow_the_fleets_with_backs_of_their_own():
    numbers = {}
    for across, spread in (("12", "1x1"), ("25", "1x1"), ("25", "2x2")):
        data = pdf(sheet="map", choices={"hexes": across, "spread": spread})
        numbers[across, spread] = re.findall(r"\b\d{4}\b", pdf_text(data))
        assert "0101" in numbers[across, spread]
        width, height = reader(data).pages[0].mediabox[2:]
        assert width > height
    one, four = numbers["25", "1x1"], numbers["25", "2x2"]
    assert len(numbers["12", "1x1"]) > 3 * len(one)
    column = 2 * int(max(one)[:2]) - 1
    row = 2 * max(int(number[2:]) for number in one if number.startswith("02")) - 1
    assert max(four)[:2] == f"{column:02}"
    assert len({*four}) == column * (row + 1), "each column has half a hex at its top or at its bottom"
    data = roster_data("msc", [BOOK[0], BOOK[1]], scenario="strategic")
    ship = {"name": "Warden class", "quantity": 2, "shield": 1}
    fleets = {"name": "First Line", "elements": [ship]}, {"name": "Outriders", "elements": [ship]}
    named = pdf_text(pdf_of({**data, "formations": [*fleets]}, sheets=("counters",)))
    assert missing(["Warden 1", "Warden 2", "First Line", "Outriders"], named) == []
    assert len(pages_of(data, sheets=("fleets", "counters")).pages) == 1
    words = pdf_text(pdf_of(data, sheets=("counters",)))
    assert missing(["FLEET", "SYSTEM", "home", "ours", "free"], words) == []
    faces, backs = texts(pdf_of(data, sheets=("counters",), choices={"backs": "destroyed"}))
    free = 12 * 14  # of 17 rows the first is used, and the last 4 are for fleets
    assert (faces.count("destroyed"), backs.count("destroyed")) == (0, 2 + free)


@pytest.mark.parametrize("sheet", ["records", "compact"])
def test_fillable_records_have_a_box_for_each_part_and_a_field_for_each_turn(sheet):
    cells = {f"{track}.{turn}" for track in ("speed", "move") for turn in range(1, 31)}
    for choices in ({}, BOOKS) if sheet == "records" else ({},):
        found = fields(pdf(BOOK[0], sheet=sheet, fillable=True, choices=choices))
        assert {name.removeprefix("f0.e0.m0.") for name in found} == parts_of(BOOK[0]) | cells
        assert found["f0.e0.m0.engine.0"]["/TU"] == "Ship 1: ENGINE 1 of 3"


def test_ships_alike_and_undamaged_share_a_record_by_choice_and_a_house_rule_gives_six_nozzles():
    for most in (5, 6):
        names = fields(pdf(options={"max_engine": most}, fillable=True))
        assert (f"blank0.engine.{most - 1}" in names, f"blank0.engine.{most}" in names) == (True, False)
    viper = {"name": "Viper", "quantity": 5, "shield": 2, "marks": [{}, {"shield": 1}]}
    fleet = roster_data("msc", [viper, {"name": "Lone", "shield": 1}])
    for marks, titles in ((True, ["Viper 1", "Viper 2", "Viper × 3", "Lone"]), (False, ["Viper × 5", "Lone"])):
        data = pdf_of(fleet, sheets=("records",), choices={"alike": "one"}, marks=marks)
        assert missing(titles, pdf_text(data)) == []
        assert len(texts(data)) == -(-len(titles) // 2)
    for sheet, choices in (("records", BOOKS), ("compact", {})):
        words = pdf_text(pdf_of(fleet, sheets=(sheet,), choices={**choices, "alike": "one"}))
        assert missing(["Viper × 5", "1–5"], words) == []
