"""The printed sheets of 6MM, read back: what stands on them, where bars and boxes are, what a player fills in."""

import json
import re
from itertools import pairwise

import pypdfium2
import pytest

from rosters import registry
from rosters.pdf.job import Settings
from rosters.systems.six_mm import sheets
from rosters.web.printing import service as printing
from tests import paper
from tests.paper import fields, reader, texts, told
from tests.support import FIXTURES, read, roster

PX = 10 / (72 / 25.4)
"""Ten pixels a millimetre, as pypdfium2 scales."""


def army(*elements, **root):
    return roster("6mm", [*elements], **root)


def published(name):
    return json.loads((FIXTURES / "armies" / "6mm" / f"{name}.json").read_text())


def pdf_of(document, *wanted, **settings):
    return paper.pdf_of(document, sheets=wanted, **settings)


def text_of(document, *wanted, **settings):
    return told(pdf_of(document, *wanted, **settings))


def fields_of(document, *wanted, **settings):
    return fields(pdf_of(document, *wanted, fillable=True, **settings))


def job_of(document, **settings):
    return printing.job(printing.copy_of(read(document)), Settings(**settings))


def blank(**settings):
    return paper.blank_pdf("6mm", **settings)


def picture(pdf, page=0):
    """A page in grey, ten pixels a millimetre."""
    return pypdfium2.PdfDocument(pdf)[page].render(scale=PX).to_pil().convert("L")


def lines(dark):
    """The middles of runs of dark pixels, in millimetres."""
    starts = [place for place, (a, b) in enumerate(pairwise([False, *dark, False])) if b and not a]
    ends = [place for place, (a, b) in enumerate(pairwise([False, *dark, False])) if a and not b]
    return [(start + end - 1) / 20 for start, end in zip(starts, ends, strict=True)]


def row(image, y, below=128):
    """Which pixels of a row are darker, from the left."""
    return [value < below for value in image.crop((0, y, image.width, y + 1)).tobytes()]


def column(image, x, below=128):
    return [value < below for value in image.crop((x, 0, x + 1, image.height)).tobytes()]


# ---------------------------------------------------------------- the pack


def test_a_pack_is_roster_record_and_reference_and_cards_are_printed_on_request():
    system, document = registry.SYSTEMS["6mm"], army({"type": "MSK"})
    assert [sheet.code for sheet in printing.pack(job_of(document), system)] == ["roster", "record", "reference"]
    assert list(printing.sheets_of(system)) == ["roster", "record", "cards", "reference"]


def test_the_record_of_a_published_army_is_one_page():
    for name in ["rommel", "napoleon", "monty", "boudicca", "suetonius", "wellington"]:
        assert len(reader(pdf_of(published(name), "record")).pages) == 1


# ---------------------------------------------------------------- stands


def test_a_stand_is_told_with_type_strength_rout_range_move_and_transport():
    guns = {"name": "The 88s", "type": "ART", "quality": "good", "gun": "breech-loader-130", "transport": "soft"}
    text = text_of(army(guns), "record")
    assert "The 88s breech-loader, 80 to 130 mm ART 6 2 9 4 soft motor" in text


def test_the_bar_stands_where_a_stand_falls_below_half():
    """Strength 8 routs at 3, so the bar comes after five boxes; 7 at 3, after four; 6 at 2, after four."""
    for agreed, strength, bar in [(1, 8, 5), (0, 7, 4), (-1, 6, 4)]:
        job = job_of(army({"type": "INF/A", "agreed": agreed}))
        [stand] = sheets.stands(job, 0, 10)
        [(_, boxes)] = stand.losses.rows
        assert (len(boxes.marked), boxes.breaks_at) == (strength, bar)


def test_each_model_of_a_merged_entry_has_its_own_row_of_boxes():
    fields = fields_of(army({"name": "Line", "type": "MSK", "quantity": 3}), "record")
    boxes = [name for name in fields if ".strength." in name]
    assert sorted(boxes) == sorted(f"f0.e0.m{model}.strength.{box}" for model in range(3) for box in range(6))


def test_unmerged_each_model_has_its_name_and_its_choices():
    document = army({"name": "Line", "type": "MSK", "quantity": 2})
    text = text_of(document, "record", merge=False)
    assert "Line 1" in text
    assert "Line 2" in text
    fields = fields_of(document, "record", merge=False)
    assert {"f0.e0.m0.range.1", "f0.e0.m1.range.1"} <= {*fields}


def test_marks_fill_boxes_of_the_record_when_they_are_wanted():
    document = army({"type": "WBD", "quantity": 2, "marks": [{"strength": 2}]})
    marked = [name for name, field in fields_of(document, "record", marks=True).items() if field.get("/V") == "/Yes"]
    assert marked == ["f0.e0.m0.strength.0", "f0.e0.m0.strength.1"]
    assert not any(field.get("/V") == "/Yes" for field in fields_of(document, "record").values())


def test_other_states_stand_below_with_type_strength_range_and_move():
    squad = {
        "name": "Squad",
        "type": "SKI/F",
        "post_1906": True,
        "duplicates": [{"type": "TNK", "armour": "light", "gun": "breech-loader-79"}],
    }
    text = text_of(army(squad), "record")
    assert "own TNK" in text
    assert "or: light armour, breech-loader to 79 mm TNK 5 4 slow 3" in text


def test_what_the_profile_leaves_open_is_to_be_ticked():
    rows = [
        ({"type": "ARC"}, ["longbow 2"]),
        ({"type": "MSK"}, ["rifles 2"]),
        ({"type": "TNK", "armour": "heavy"}, ["slow 3", "medium 4", "fast 6"]),
        ({"type": "AIR", "ordnance": "unarmed"}, ["rotary 2 to 10", "fixed wing 8 to 24"]),
        ({"type": "ART", "gun": "smoothbore"}, ["motor 4", "animals 2", "by hand 1"]),
    ]
    for profile, words in rows:
        document = army(profile)
        assert all(word in text_of(document, "record") for word in words)
        ticks = [name for name in fields_of(document, "record") if re.search(r"\.(range|move)\.\d$", name)]
        assert len(ticks) == max(2, len(words))


def test_what_the_profile_decides_is_not_to_be_ticked():
    for profile in [{"type": "SKI/M"}, {"type": "ART", "gun": "smoothbore", "transport": "none"}]:
        assert not any(re.search(r"\.(range|move)\.\d$", name) for name in fields_of(army(profile), "record"))


def test_an_aircraft_has_boxes_for_its_loads_and_for_the_turns_it_is_away():
    fields = fields_of(army({"type": "AIR", "ordnance": "bomber"}), "record")
    assert len([name for name in fields if name.startswith("f0.e0.m0.load.")]) == 2
    assert len([name for name in fields if name.startswith("f0.e0.m0.away.")]) == 5


def test_field_works_and_transport_are_lines_with_a_box_for_each_square_and_vehicle():
    document = army(
        {"name": "Redoubt", "type": "WORKS", "quantity": 7}, {"name": "Lorries", "type": "TRANSPORT", "quantity": 2}
    )
    text, fields = text_of(document, "record"), fields_of(document, "record")
    assert "Redoubt 7 squares" in text
    assert "Lorries 2 vehicles" in text
    assert len([name for name in fields if name.startswith("f0.e0.m") and name.endswith(".used.0")]) == 7
    assert len([name for name in fields if name.startswith("f0.e1.m") and name.endswith(".used.0")]) == 2


def test_an_unknown_type_is_printed_as_written():
    text = text_of(army({"name": "Odd", "type": "ZEPPELIN"}), "record", "cards")
    assert "ZEPPELIN" in text
    assert "Not in the rulebook" in text


# ---------------------------------------------------------------- morale and generals


def test_fifteen_stands_roll_at_two_three_five_six_eight_and_nine_lost():
    job = job_of(published("napoleon"))
    assert {lost: die for lost, (_, die) in sheets.thresholds(job).items()} == {2: 1, 3: 2, 5: 3, 6: 4, 8: 5, 9: 6}
    text = text_of(published("napoleon"), "record")
    assert re.search(r"10 % 1 .*20 % 1–2 .*30 % 1–3 .*40 % 1–4 .*50 % 1–5 .*60 % always", text)


def test_the_morale_track_has_a_box_for_each_loss_until_the_army_retreats():
    fields = fields_of(published("napoleon"), "record")
    assert [name for name in fields if name.startswith("army.lost.")] == [f"army.lost.{n}" for n in range(9)]


def test_the_morale_bars_stand_after_exactly_those_boxes():
    """Along a line just below the boxes only bars are dark: 2.4 ems apart, and 0.7 more after each fifth box."""
    page, em = picture(pdf_of(published("napoleon"), "record")), 9 * 25.4 / 72
    first = 6.35 + (5.8 + 2 + 0.2) * em
    expected = [first + ((lost - 1) * 2.4 + (lost - 1) // 5 * 0.7) * em for lost in (2, 3, 5, 6, 8, 9)]
    found = [lines(row(page, y)) for y in range(400, page.height - 100)]
    assert any(places == pytest.approx(expected, abs=0.5) for places in found if len(places) == len(expected))


def test_shares_of_a_tiny_army_that_fall_together_show_the_worst():
    job = job_of(army({"type": "MSK", "quantity": 2}))
    assert sheets.thresholds(job) == {1: (50, 5), 2: (60, 6)}


def test_marked_losses_are_counted_on_the_morale_track():
    document = army({"type": "WBD", "quantity": 10, "marks": [{"strength": 5}, {"strength": 4}, {"strength": 9}]})
    fields = fields_of(document, "record", marks=True)
    marked = [name for name, field in fields.items() if name.startswith("army.lost") and field.get("/V") == "/Yes"]
    assert marked == ["army.lost.0", "army.lost.1"]


def test_a_huge_army_has_its_thresholds_in_a_table():
    text = text_of(army(*({"type": "WORKS"},), {"type": "MSK", "quantity": 1000}), "record")
    assert re.search(r"10 % 100 1 20 % 200 1–2 .* 60 % 600 always", text)


def test_a_general_is_listed_with_what_it_adds_to_initiative():
    for rating, die in [("superior", "+1"), ("competent", "0"), ("inferior", "−1")]:
        document = army({"name": "Ney", "type": "CAV/U", "general": rating})
        assert f"Ney Formation 1 {rating.capitalize()} {die}" in text_of(document, "record")
        assert "f0.e0.m0.general.0" in fields_of(document, "record")


def test_the_command_distance_is_to_be_ticked():
    assert {"command.2", "command.4"} <= {*fields_of(army({"type": "MSK"}), "record")}


# ---------------------------------------------------------------- cards


def test_a_card_is_63_by_88_millimetres():
    page = picture(pdf_of(army({"type": "CAV/A", "quantity": 4}), "cards", merge=False))
    across = lines(row(page, 800, 200))
    assert [b - a for a, b in pairwise(across)] == pytest.approx([63, 63, 63], abs=0.5)
    down = lines(column(page, int((across[0] + 2.65) * 10), 200)[200:])
    assert down[1] - down[0] == pytest.approx(88, abs=0.5)


def test_a_card_has_name_type_strength_range_move_and_points():
    text = text_of(army({"name": "Greys", "type": "CAV/U", "quality": "good"}), "cards")
    for words in ("Greys", "CAV/U", "Strength 7 routs at 3", "Move 4, charging 5", "7 points"):
        assert words in text


def test_cards_of_many_models_say_which_models_they_hold():
    text = text_of(army({"name": "Line", "type": "MSK", "quantity": 8}), "cards")
    assert "Line, 1 to 6" in text
    assert "Line, 7 to 8" in text
    text = text_of(army({"name": "Line", "type": "MSK", "quantity": 7}), "cards")
    assert "Line, 7 MSK" in text
    assert "7 to 7" not in text


# ---------------------------------------------------------------- whatever the user wrote


# ---------------------------------------------------------------- blank


def test_a_blank_record_has_lines_for_stands_and_open_boxes():
    names = {*fields(blank(sheets=("record",), fillable=True))}
    assert {"blank0.c0", "blank14.c7", "general.c0", "army.stands.1", "army.lost.29", "command"} <= names
    assert len([name for name in names if name.startswith("blank0.strength.")]) == 15


def test_a_blank_record_is_one_page():
    for size in ["a4", "letter"]:
        assert len(texts(blank(sheets=("record",), paper=size))) == 1


def test_blank_cards_fill_a_page():
    pages = texts(blank(sheets=("cards",)))
    assert len(pages) == 1
    assert pages[0].count("Transport:") == 9
