"""The printed sheets of 6MM, read back: numbers, bars and boxes, and the fields that a player fills in."""

import re
from functools import partial
from importlib import import_module

import numpy
import pytest

from rosters.pdf.job import PrintOptions
from rosters.systems.six_mm.dice import totals
from rosters.systems.six_mm.drawing import stand_from_above, stand_upright
from rosters.systems.six_mm.play import weapon_range
from rosters.systems.six_mm.rules import Element
from rosters.systems.six_mm.sheets.stand import army_stands
from rosters.web.printing import service as printing
from tests import paper, support
from tests.notation import stand
from tests.paper import fields, pdf_text, texts
from tests.support import missing, read, roster_data

record = import_module("rosters.systems.six_mm.sheets.record")
TENTHS = 10 / (72 / 25.4)
"""The scale of a picture with ten pixels to the millimeter."""


def army(*elements, **root):
    return roster_data("6mm", [*elements], **root)


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


def test_below_a_box_is_what_the_stand_itself_adds_to_the_die():
    """Half the strength, rounded up (a fighting TNK a quarter), the gun (of a TNK 1 less), and what its type adds."""
    known = {
        ("TNK medium breech-loader-79", 6): (("shoot", "+5"), ("fight", "+2")),  # 3 + 3 - 1; 6 / 4
        ("SKI/S", 8): (("shoot", "+5"), ("fight", "+2")),  # 4 + 3 - 2; 4 - 2
        ("SKI/F post_1906", 8): (("shoot", "+4"), ("fight", "+3")),  # 4 + 2 - 2; 4 + 1 - 2
        ("SKI/M superior", 1): (("shoot", "−1"), ("fight", "0")),  # 1 - 2; 1 + 1 - 2
        ("INF/A", 7): (("fight", "+6"),),  # 4 + 2
        ("PKE", 6): (("fight", "+5"),),
        ("ART torsion", 4): (("shoot", "+2"), ("fight", "+2")),
        ("AIR fighter-bomber", 4): (("strafe", "+4"), ("bomb", "+6")),
        ("AIR unarmed", 4): (),
    }
    for (text, left), rows in known.items():
        element = Element.model_validate({"name": "", "quantity": 1, **stand(text)})
        found = totals(element, bool(weapon_range(element).parts), left)
        assert tuple((words, adds[0]) for words, adds in found) == rows, text


def test_stands_are_in_sets_of_three_each_with_a_box_on_one_page_and_army_morale_is_printed_once():
    text = text_of(army({"name": "Line", "type": "MSK", "quantity": 16}, {"name": "Guns", "type": "ART"}), "record")
    assert re.search(r"SET 6 2 of 3 .*Line 16 .*Guns", text)
    assert "SET 7" not in text
    assert "122.5 rounded" in text_of(support.sample_data("6mm", "monty"), "roster")
    document = support.sample_data("6mm", "monty")
    assert [name for name in fields_of(document, "record") if ".done" in name] == [f"set{n}.done" for n in range(1, 6)]
    pages = texts(pdf_of(document, "record", paper="a5"))
    assert ["ARMY MORALE" in page for page in pages].count(True) == 1
    together = [{number for number, page in enumerate(pages) if f"half-tracks {n}" in page} for n in (1, 2, 3)]
    assert together == [{0}] * 3
    copies = [printing.copy_of(read(document))] * 2
    for sheets, panels in (((), 0), (("reference",), 2)):  # without a record: of the briefing and of the reference
        battle = pdf_text(printing.battle_print(copies, PrintOptions(sheets=sheets)).pdf())
        assert battle.count("Army morale (7.1)") == panels


def test_a_block_has_type_quality_move_range_rout_equipment_and_alternates():
    guns = text_of(army(stand("ART good breech-loader-130 soft", name="The 88s")), "record")
    parts = ("ART, good", "MOVE 4 by hand 1", "RANGE 9", "limbered", "breech-loader, 80–130 mm, soft transport")
    assert missing(parts, guns) == []
    alternates = "TNK light breech-loader-79 + TNK light breech-loader-79 x2"
    squad = text_of(army(stand(f"SKI/F post_1906 + {alternates}", name="Squad")), "record")
    assert missing(("after 1906, own TNK", "or TNK, light armor", "or 2 × TNK"), squad) == []
    assert "own TNK" in text_of(army(stand(f"SKI/F post_1906 + {alternates}")), "cards")
    many = army(stand("MSK + " + " + ".join(["SKI/F"] * 9), name="Dragoons", notes="Once for all."), {"type": "MSK"})
    # four in the block, the others among the notes, and the choice of their rifles once
    record = text_of(many, "record")
    assert record.count("SKI/F") + record.count("Skirmishers on foot") == 10
    notes = army({"name": "Line", "type": "MSK", "quantity": 9, "notes": "Once for all.", "agreed": 1})
    words = text_of(notes, "record")
    assert [words.count(each) for each in ("Once for all.", "9 stands have a special trait")] == [1, 1]


CHOICES = {"ARC": 2, "MSK": 2, "SKI/M": 0, "TNK heavy": 3, "AIR unarmed": 2, "ART smoothbore": 3}
CHOICES |= {"ART smoothbore none": 0}
"""Boxes for a range or move to select: longbow, rifles; tanks and artillery three moves, aircraft two."""


def test_each_model_has_its_own_boxes_and_choices_and_those_alike_share_a_block_by_choice():
    document = army({"name": "Line", "type": "MSK", "quantity": 3})
    boxes = [name for name in fields_of(document, "record") if ".strength." in name]
    assert sorted(boxes) == sorted(f"f0.e0.m{model}.strength.{box}" for model in range(3) for box in range(6))
    chosen = [name for name in fields_of(document, "record") if ".range." in name]
    assert chosen == ["f0.e0.m0.range.0", "f0.e0.m0.range.1"]  # once for all of a kind
    found = fields_of(army(stand("SKI/F + TNK light")), "record")
    expected = [f"f0.e0.m0.state.0.0.strength.{box}" for box in range(5)]
    assert [name for name in found if ".state.0.0.strength." in name] == expected
    for name in ("rommel", "boudicca"):
        document, one = support.sample_data("6mm", name), {"alike": "one"}
        assert len(texts(pdf_of(document, "record", choices=one))) == 1
        each, shared = ({*fields_of(document, "record", choices=choices)} for choices in ({}, one))
        assert {field for field in each if ".done" not in field} == shared


def test_open_ranges_and_moves_aircraft_field_works_and_transport_have_their_boxes():
    def count(document, pattern):
        return len([name for name in fields_of(document, "record") if re.search(pattern, name)])

    for text, number in CHOICES.items():
        assert count(army(stand(text)), r"\.(range|move)\.\d$") == number
    for other, number in (("WBD", 0), ("ART torsion", 0), ("ART smoothbore", 2), ("MSK", 4)):  # slings before firearms
        assert count(army(stand("SKI/F"), stand(other)), r"\.range\.\d$") == number
    document = army(stand("AIR bomber"), stand("WORKS x7", name="Redoubt"), stand("TRANSPORT x2", name="Trucks"))
    assert [count(document, rf"^f0\.e\d\.m\d\.{key}\.") for key in ("load", "away", "used")] == [2, 5, 9]
    assert missing(("Redoubt", "7 squares", "Trucks", "2 vehicles"), text_of(document, "record")) == []


def test_bars_are_after_exactly_the_boxes_at_which_a_stand_routs_and_an_army_tests_morale():
    """Strength 8 routs at 3, so the bar comes after five boxes; 7 at 3, after four; 6 at 2, after four."""
    for agreed, strength, bar in [(1, 8, 5), (0, 7, 4), (-1, 6, 4)]:
        [one] = army_stands(job_of(army({"type": "INF/A", "agreed": agreed})))
        assert (len(one.marked), one.track.breaks_at) == (strength, bar)
    # 15 boxes share 192 mm; just below them only bars are dark.
    page, step = paper.picture(pdf_of(army({"type": "CAV/U", "quantity": 15}), "record"), scale=TENTHS), 192 / 15
    expected = [9 + lost * step - 0.35 for lost in (2, 3, 5, 6, 8, 9)]
    found = [lines(row < 128) for row in page[2000:-100]]
    assert any(places == pytest.approx(expected, abs=0.5) for places in found if len(places) == len(expected))


def test_each_page_of_the_record_has_army_morale_once_in_a_track_until_a_table_replaces_it(monkeypatch):
    for name in ["napoleon", "suetonius"]:
        cover, page = texts(pdf_of(support.sample_data("6mm", name), "roster", "record"))
        assert ["ARMY MORALE: STANDS LOST" in each and "SET" in each for each in (cover, page)] == [False, True]
    morale = ("ARMY RETREATS ON", "ARMY MORALE: STANDS LOST")
    for name, shown in [("rommel", morale), ("wellington", morale), ("boudicca", morale[1:])]:
        pages = texts(pdf_of(support.sample_data("6mm", name), "record"))
        assert [[words for words in morale if words in page] for page in pages] == [[words] for words in shown]
    # 60 % of 40 stands are 24 boxes, here the most; of 50 there is a table: 10 % are 5, on a 1.
    monkeypatch.setattr(record, "MAX_TRACKED", 24)
    assert record.thresholds(job_of(army({"type": "MSK", "quantity": 2}))) == {1: (50, 5), 2: (60, 6)}  # the worst
    assert "army.lost.23" in fields_of(army({"type": "MSK", "quantity": 40}), "record")
    assert "army.lost.29" in fields_of(army({"type": "MSK", "quantity": 30}), "record")  # all of a small army
    large = army({"type": "WORKS"}, {"type": "MSK", "quantity": 50})
    assert "army.lost.0" not in fields_of(large, "record")
    assert re.search(r"10 % 5 1 20 % 10 1–2 .* 60 % 30 always", text_of(large, "record", fillable=True))


def test_a_card_has_a_face_to_play_from_a_back_with_rules_and_a_line_of_boxes_for_each_of_identical_stands():
    for rating, die in [("superior", "+1"), ("competent", "0"), ("inferior", "−1")]:
        document = army({"name": "Ney", "type": "CAV/U", "general": rating})
        assert f"Ney, {rating}: initiative {die}" in text_of(document, "record")
        assert {"f0.e0.m0.general.0", "command.2", "command.4"} <= {*fields_of(document, "record")}
        assert f"Initiative {die} " in text_of(document, "cards")
    element = {"name": "Greys", "type": "CAV/U", "quality": "good", "notes": "On  the\nleft."}
    face, back = texts(pdf_of(army(element | {"duplicates": [{"type": "SKI/F"}], "general": None}), "cards"))
    assert missing(("Greys", "CAV/U, good", "routs at 3", "points"), " ".join(face.split())) == []
    words = ("Unarmored cavalry", "or SKI/F", "strength 4, move 3", "On the left.")
    assert missing(words, " ".join(back.split())) == []
    assert "Ghost" in text_of(army({"name": "Ghost", "type": ""}), "cards"), "without any strength"
    line = army({"name": "Line", "type": "MSK", "quantity": 6})
    for merge, names in ((True, ("Line 1–3", "Line 4–6")), (False, ("Line 1", "Line 6"))):
        assert missing(names, text_of(line, "cards", merge=merge)) == []
        found = [name for name in fields_of(line, "cards", merge=merge) if ".strength." in name]
        assert sorted(found) == sorted(f"f0.e0.m{model}.strength.{box}" for model in range(6) for box in range(6))


def test_a_label_is_as_large_as_the_base_and_a_stand_has_a_figure_for_each_point_of_strength():
    for size in ("", "30"):
        options = {"choices": {"stand": size}} if size else {}
        pdf = pdf_of(army({"name": "Greys", "type": "CAV/U", "quality": "poor", "quantity": 2}), "labels", **options)
        side = 10 * int(size or 45)
        assert {abs(run - side) < 6 for run in paper.runs(paper.picture(pdf, scale=TENTHS), 170, 900)} == {True}
        text = pdf_text(pdf)
        assert [text.count(name) for name in ("Greys 1", "Greys 2", "CAV/U, strength 4")] == [2, 2, 4]
    terms = job_of(army({"type": "MSK"})).terms

    def more(draw, stats, **better):
        """How many more shapes it has than without these stats."""
        with_them, without = (Element(name="", quantity=1, **each) for each in (stats | better, stats))
        return len(draw(with_them, terms).shapes) - len(draw(without, terms).shapes)

    upright_behind = partial(stand_upright, behind=True)
    for draw, figure in ((stand_from_above, 2), (stand_upright, 4), (upright_behind, 4)):
        # A man has a body and a musket, and where he stands upright a head, and a belt or a pack.
        assert more(draw, {"type": "MSK"}, quality="good") == 2 * figure  # two strength
        assert more(draw, {"type": "ART", "gun": "smoothbore"}, agreed=1) == figure - 1  # a gunner has no musket
        assert more(draw, {"type": "TNK", "armour": "light"}, armour="heavy") > 0  # 5 strength: two tanks, 7: three
        assert draw(Element(name="", quantity=1, type=""), terms).shapes
