"""The printed sheets of 6MM, read back: numbers, bars and boxes, and the fields that a player fills in."""

import re
from itertools import pairwise

import numpy
import pytest

from rosters.pdf.job import PrintOptions
from rosters.systems.six_mm import sheets
from rosters.web.printing import service as printing
from tests import paper, support
from tests.notation import stand
from tests.paper import fields, pdf_text, texts
from tests.support import missing, read, roster

TENTHS = 10 / (72 / 25.4)
"""The scale of a picture with ten pixels to the millimeter."""


def army(*elements, **root):
    return roster("6mm", [*elements], **root)


def pdf_of(document, *sheets, **options):
    return paper.pdf_of(document, sheets=sheets, **options)


def text_of(document, *sheets, **options):
    return pdf_text(pdf_of(document, *sheets, **options))


def fields_of(document, *sheets, **options):
    return fields(pdf_of(document, *sheets, fillable=True, **options))


def job_of(document, **options):
    return printing.job(printing.copy_of(read(document)), PrintOptions(**options))


def lines(dark):
    """The middles of runs of dark pixels, in millimetres, ten pixels each."""
    edges = numpy.diff(numpy.pad(dark.astype(numpy.int8), 1))
    return ((numpy.nonzero(edges > 0)[0] + numpy.nonzero(edges < 0)[0] - 1) / 20).tolist()


def test_the_record_of_a_published_army_is_one_page():
    for name in ["rommel", "napoleon", "monty", "boudicca", "suetonius", "wellington"]:
        assert len(texts(pdf_of(support.army("6mm", name), "record"))) == 1


def test_the_bar_is_where_a_stand_falls_below_half():
    """Strength 8 routs at 3, so the bar comes after five boxes; 7 at 3, after four; 6 at 2, after four."""
    for agreed, strength, bar in [(1, 8, 5), (0, 7, 4), (-1, 6, 4)]:
        [cell] = sheets.stands(job_of(army({"type": "INF/A", "agreed": agreed})), 0, 10)
        [(_, boxes)] = cell.losses.rows
        assert (len(boxes.marked), boxes.breaks_at) == (strength, bar)


def test_a_row_of_the_record_has_type_strength_rout_range_move_and_transport():
    assert "ART 6 2 9 4 motor" in text_of(army(stand("ART good breech-loader-130 soft", name="The 88s")), "record")
    guns = "TNK light breech-loader-79 + TNK light breech-loader-79 x2"
    squad = army(stand(f"SKI/F post_1906 + {guns}", name="Squad"))
    for sheet in ("record", "cards"):
        assert "own TNK" in text_of(squad, sheet)
    for paper_size, row in [("a4", "TNK 5 4 slow"), ("a5", "TNK strength 5 Range 4 Move slow")]:
        assert row in text_of(squad, "record", paper=paper_size)


def test_each_model_has_its_own_row_of_boxes_and_its_own_choices_if_it_is_printed_alone():
    document = army({"name": "Line", "type": "MSK", "quantity": 3})
    boxes = [name for name in fields_of(document, "record") if ".strength." in name]
    assert sorted(boxes) == sorted(f"f0.e0.m{model}.strength.{box}" for model in range(3) for box in range(6))
    assert {f"f0.e0.m{model}.range.1" for model in range(3)} <= {*fields_of(document, "record", merge=False)}


CHOICES = {
    "ARC": 2,
    "MSK": 2,
    "SKI/M": 0,
    "TNK heavy": 3,
    "AIR unarmed": 2,
    "ART smoothbore": 3,
    "ART smoothbore none": 0,
}
"""Boxes for a range or move to select: longbow, rifles; tanks and artillery three moves, aircraft two."""


def test_open_ranges_and_moves_aircraft_field_works_and_transport_have_their_boxes():
    def count(document, pattern):
        return len([name for name in fields_of(document, "record") if re.search(pattern, name)])

    for text, number in CHOICES.items():
        assert count(army(stand(text)), r"\.(range|move)\.\d$") == number
    document = army(stand("AIR bomber"), stand("WORKS x7", name="Redoubt"), stand("TRANSPORT x2", name="Trucks"))
    assert [count(document, rf"^f0\.e\d\.m\d\.{key}\.") for key in ("load", "away", "used")] == [2, 5, 9]
    assert re.search(r"Redoubt 7 .* Trucks 2 ", text_of(document, "record"))


def test_the_morale_bars_are_after_exactly_those_boxes():
    """Along a line just below the boxes only bars are dark: 2.4 ems apart, and 0.7 more after each fifth box."""
    page, em = paper.picture(pdf_of(support.army("6mm", "napoleon"), "record"), scale=TENTHS), 9 * 25.4 / 72
    first = 6.35 + (5.8 + 2 + 0.2) * em
    expected = [first + ((lost - 1) * 2.4 + (lost - 1) // 5 * 0.7) * em for lost in (2, 3, 5, 6, 8, 9)]
    found = [lines(row < 128) for row in page[400:-100]]
    assert any(places == pytest.approx(expected, abs=0.5) for places in found if len(places) == len(expected))


def test_the_morale_track_grows_with_the_army_until_a_table_replaces_it(monkeypatch):
    """60 % of 40 stands are 24 boxes, here the most; of 100 there is a table: 10 % are 10, on a 1."""
    monkeypatch.setattr(sheets, "MAX_TRACKED", 24)
    assert sheets.thresholds(job_of(army({"type": "MSK", "quantity": 2}))) == {1: (50, 5), 2: (60, 6)}  # the worst
    assert "army.lost.23" in fields_of(army({"type": "MSK", "quantity": 40}), "record")
    large = army({"type": "WORKS"}, {"type": "MSK", "quantity": 100})
    assert "army.lost.0" not in fields_of(large, "record")
    assert re.search(r"10 % 10 1 20 % 20 1–2 .* 60 % 60 always", text_of(large, "record"))


def test_a_general_is_listed_with_what_it_adds_to_initiative():
    for rating, die in [("superior", "+1"), ("competent", "0"), ("inferior", "−1")]:
        document = army({"name": "Ney", "type": "CAV/U", "general": rating})
        assert re.search(rf"Ney Formation 1 {rating} {re.escape(die)}", text_of(document, "record"), re.IGNORECASE)
        assert {"f0.e0.m0.general.0", "command.2", "command.4"} <= {*fields_of(document, "record")}
        assert re.search(rf"Initiative {re.escape(die)} ", text_of(document, "cards"))


def test_a_card_is_63_by_88_millimetres():
    page = paper.picture(pdf_of(army({"type": "CAV/A", "quantity": 4}), "cards", merge=False), scale=TENTHS)
    across = lines(page[800] < 200)
    assert [b - a for a, b in pairwise(across)] == pytest.approx([63, 63, 63], abs=0.5)
    down = lines(page[200:, int((across[0] + 2.65) * 10)] < 200)
    assert down[1] - down[0] == pytest.approx(88, abs=0.5)


def test_a_card_has_name_type_strength_range_move_notes_and_points_and_the_numbers_of_its_models():
    text = text_of(army({"name": "Greys", "type": "CAV/U", "quality": "good", "notes": "On  the\nleft."}), "cards")
    assert re.search(r"Greys CAV/U .* 7 .* 3 .* 4, .* On the left\. Formation 1 7 points", text)
    for quantity, last in [(8, "7–8"), (7, "7")]:
        text = text_of(army({"name": "Line", "type": "MSK", "quantity": quantity}), "cards")
        assert missing(("Line, 1–6 ", f"Line, {last} "), text) == []
