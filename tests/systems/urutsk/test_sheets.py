"""The sheets of URUTSK minis, read back from their PDFs."""

import re

from rosters.pdf.canvas import MM
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import Element
from rosters.systems.urutsk.sheets.texts import to_hit
from tests.paper import blank_pdf, fields, ink, pages_of, pdf_of, pdf_text, reader
from tests.support import missing, roster_data, sample_data

FIGURE = {"ranged": 2, "close": 1, "weapon_ability": 4, "fate": 3}

GARRISON = sample_data("urutsk", "ferry-crossing-garrison")


def pdf(*figures, sheet="record", **settings):
    data = roster_data("urutsk", [*figures]) if figures else GARRISON
    return pdf_of(data, sheets=(sheet,), **settings)


def test_a_profile_has_the_faces_that_hit_and_explode_at_each_range():
    """D6 + Ranged - 0 to 4: 2 hits, 6 explodes, 5 of autofire; in poor condition 3 hits with autofire."""
    for figure, faces in [  # by range: hits and explodes
        (FIGURE, [("1+", "4+"), ("1+", "5+"), ("2+", "6"), ("3+", "–"), ("4+", "–")]),
        (FIGURE | {"ranged": 0, "fire": "autofire"}, [("2+", "5+"), ("3+", "6"), ("4+", "–"), ("5+", "–"), ("6", "–")]),
        (
            FIGURE | {"ranged": 0, "fire": "autofire", "poor_condition": True},
            [("3+", "5+"), ("4+", "6"), ("5+", "–"), ("6", "–"), ("–", "–")],
        ),
    ]:
        assert [needed[1:] for needed in to_hit(Element(name="", **figure))] == faces


def test_a_record_has_names_weapons_and_scores_lost_fate_in_black_and_odd_fate_beside_the_boxes():
    words = pdf_text(pdf())
    parts = ("Landing Picket 10 figures, 1 ", "River Levy 16 figures, 1 ", "Riflemen × 6", "partial cover")
    assert missing((*parts, "modified 2"), words) == []
    scores = {"ranged": 11, "close": 12, "weapon_ability": 13, "fate": 14}
    assert missing(("11 12 13",), pdf_text(pdf(scores))) == []
    assert len([name for name in fields(pdf(scores, fillable=True)) if ".fate." in name]) == 14
    dead = FIGURE | {"fate": 60, "marks": [{"fate": 60}]}
    box = (9 * 1.22 * 0.82 * 2) ** 2
    assert ink(pdf(dead, marks=True)) - ink(pdf(dead)) > 60 * box * 0.6
    odd = [{"fate": 75, "marks": [{"fate": 80}]}, {"fate": 2, "marks": [{"fate": 5}]}]
    assert missing(("first 60 of 75, 80 lost", "5 lost"), pdf_text(pdf(*odd, marks=True))) == []
    assert "80 lost" not in pdf_text(pdf(*odd))
    assert not [name for name in fields(pdf({"fate": -1}, {"fate": 0}, fillable=True)) if ".fate." in name]


def test_no_sheet_has_points_other_than_hit_points_and_the_tables_are_a_page_of_the_rulebooks_numbers():
    for sheet in ("record", "cards", "tables", "roster"):
        words = pdf_text(pdf(sheet=sheet, receipts=True)).lower()
        assert "point" not in re.sub(r"hit points|incoming points|no points|point-blank", "", words)
    for sheet, paper in (("record", "a4"), ("tables", "a4"), ("tables", "letter")):
        assert len(pages_of(GARRISON, sheets=(sheet,), paper=paper).pages) == 1
    for sheet in ("record", "cards"):
        assert "Absent" not in pdf_text(pdf({"quantity": 0, "name": "Absent"}, FIGURE, sheet=sheet))
    assert "Weapon of Point-blank" in pdf_text(blank_pdf("urutsk")), "the ranges are written in by hand"
    numbers = ["Point-blank Short Medium Long Extreme Penalty 0 −1 −2 −3 −4", "12 hit points", "Within 10 yards"]
    results = ("1 2 Dead", "3 4 5 Immobile", "6 Unconscious", "1 Staggered", "2 3 4 5 Stunned", "6 Unaffected")
    every = (tables.CLEAN_MISS, tables.CHARGE, tables.CHARGERS, tables.RECEIVERS, tables.FATE)
    names = [name for rows in every for name, *_rest in rows]
    assert missing([*numbers, *results, *names], " ".join(pdf_text(pdf_of(GARRISON, sheets=("tables",))).split())) == []


def test_equal_figures_share_a_profile_or_a_card_unless_each_is_printed_alone_and_boxes_are_on_both():
    rifles = FIGURE | {"quantity": 3, "name": "Rifle"}
    assert pdf_text(pdf(rifles)).count("Single shots") == 1
    alone = pdf_text(pdf(rifles, merge=False))
    assert alone.count("Single shots") == 3
    assert missing(("Rifle 1", "Rifle 2", "Rifle 3"), alone) == []
    rifles = FIGURE | {"quantity": 6, "name": "Rifle"}
    for merge, number, name in ((True, 2, "Rifle 4–6"), (False, 6, "Rifle 6")):
        words = pdf_text(pdf(rifles, sheet="cards", choices={"card-backs": "none"}, merge=merge))
        assert (words.count("Single shots"), name in words) == (number, True)
    cards, record = (fields(pdf(sheet=sheet, fillable=True)) for sheet in ("cards", "record"))
    assert {name for name in cards if name[0] == "f"} == {name for name in record if name[0] == "f"}


def test_a_card_has_notes_and_much_fate_fits_in_boxes_or_has_a_line():
    for fate, boxes in ((18, 18), (60, 0)):
        crowded = FIGURE | {"fate": fate, "protection": "mail " * 500}
        made = pdf(crowded, sheet="cards", fillable=True)
        assert len([name for name in fields(made) if ".fate." in name]) == boxes
        bottoms = [float(note.get_object()["/Rect"][1]) for note in reader(made).pages[0]["/Annots"]]
        assert max(bottoms) - min(bottoms) < 32 * MM
    assert "60" in pdf_text(pdf(crowded, sheet="cards"))
    assert "Scout" in pdf_text(pdf(FIGURE | {"notes": "Scout"}, sheet="cards"))
