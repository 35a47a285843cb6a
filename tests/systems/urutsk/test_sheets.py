"""The sheets of URUTSK minis, read back from their PDFs; numbers by hand from the rulebook's section in RULES.md."""

import json
import re
from functools import cache

import pypdfium2

from rosters import registry
from rosters.pdf.job import Settings
from rosters.systems.urutsk import sheets, tables
from rosters.web.printing import service as printing
from tests.paper import blank_pdf, drawn, fields, pdf_of, reader, texts, told
from tests.support import FIXTURES, roster

MM = 72 / 25.4
SYSTEM = registry.SYSTEMS["urutsk"]
PAPERS = ["a4", "letter", "a5"]
FIGURE = {"ranged": 2, "close": 1, "weapon_ability": 4, "fate": 3}


def made(data, **settings):
    return drawn(data, **settings)


def printed(data, **settings):
    return pdf_of(data, **settings)


def blank(**settings):
    return blank_pdf("urutsk", **settings)


def checks(pdf):
    """Names of all form fields and whether they are checked."""
    return {name: field.get("/V") == "/Yes" for name, field in fields(pdf).items()}


def pixels(data, scale, **settings):
    """The first page in grey, as rows of bytes, and its width."""
    picture = pypdfium2.PdfDocument(made(data, **settings).pdf())[0].render(scale=scale).to_pil().convert("L")
    return picture.tobytes(), picture.width, picture.height


@cache
def garrison():
    return json.loads((FIXTURES / "armies" / "urutsk" / "ferry-crossing-garrison.json").read_text())


# ---------------------------------------------------------------- the pack


def test_the_pack_is_roster_record_and_tables():
    copy = printing.copy_of(registry.read(garrison()))
    pack = [sheet.code for sheet in printing.pack(printing.job(copy, Settings()), SYSTEM)]
    assert pack == ["roster", "record", "tables"]


def test_tables_are_printed_once_for_a_whole_battle():
    copies = [printing.copy_of(registry.read(garrison())) for _ in range(2)]
    pages = printing.battle_print(copies, Settings(sheets=("record", "tables"))).pages
    assert [page.title for page in pages].count("Tables") == 1
    assert [page.title for page in pages].count("Detachment sheet") == 2


def test_no_sheet_speaks_of_points_other_than_hit_points():
    for code in ["record", "cards", "tables", "roster"]:
        words = told(printed(garrison(), sheets=(code,), receipts=True))
        assert "point" not in re.sub(
            r"hit points|own points|[Rr]olled points|More points", "", words.replace("Point-", "")
        )


# ---------------------------------------------------------------- the detachment sheet


def test_the_garrison_fits_on_one_page_of_a4():
    assert len(made(garrison(), sheets=("record",)).pages) == 1


def test_a_record_says_who_how_many_and_how_they_fire():
    words = told(printed(garrison(), sheets=("record",)))
    for wanted in (
        "Landing Picket 10 figures, 1 command-capable",
        "River Levy 16 figures, 1 command-capable",
        "Riflemen ×6",
        "Riflemen 6",
        "sandbags, partial cover",
        "Autofire or volley: again on 4+ 5+ 6 – – by range",
        "by range; poor condition: modified 2 misses",
    ):
        assert wanted in words
    assert words.count("COMMAND") == 2


def test_scores_stand_in_the_order_ranged_close_weapon_ability_fate():
    data = roster("urutsk", [{"ranged": 11, "close": 12, "weapon_ability": 13, "fate": 14}])
    assert "Ranged 11 Close 12 Weapon ability 13 Fate 14" in told(printed(data, sheets=("record",)))


def test_every_box_of_a_figure_is_a_field():
    names = checks(printed(roster("urutsk", [FIGURE | {"quantity": 2}]), sheets=("record",), fillable=True))
    for model in ("f0.e0.m0", "f0.e0.m1"):
        assert {name.removeprefix(f"{model}.") for name in names if name.startswith(model)} == {
            *("fate.0", "fate.1", "fate.2"),
            *("lost.0", "lost.1", "lost.2", "lost.3"),
            *("out.0", "spare.0", "uncommanded.0", "injured.0", "immobile.0", "unconscious.0", "dead.0"),
        }
    assert {f"minute1.round.{number}" for number in range(10)} | {"minute1.command.0"} <= set(names)


def test_lost_fate_is_marked_when_marks_are_wanted_and_only_then():
    data = roster("urutsk", [FIGURE | {"quantity": 2, "marks": [{}, {"fate": 2}]}])
    with_marks = checks(printed(data, sheets=("record",), fillable=True, marks=True))
    assert [name for name, checked in sorted(with_marks.items()) if checked] == ["f0.e0.m1.fate.0", "f0.e0.m1.fate.1"]
    assert not any(checks(printed(data, sheets=("record",), fillable=True)).values())


def test_marks_fill_boxes_on_paper_too():
    data = roster("urutsk", [FIGURE | {"fate": 60, "marks": [{"fate": 60}]}])
    dark = [sum(pixel < 60 for pixel in pixels(data, 2, sheets=("record",), marks=marks)[0]) for marks in (False, True)]
    box = (9 * 1.22 * 0.82 * 2) ** 2
    assert dark[1] - dark[0] > 60 * box * 0.6


def test_equal_figures_share_one_block_unless_each_is_wanted_alone():
    data = roster("urutsk", [FIGURE | {"quantity": 3, "name": "Rifle"}])
    assert told(printed(data, sheets=("record",))).count("Weapon ability") == 1
    alone = told(printed(data, sheets=("record",), merge=False))
    assert alone.count("Weapon ability") == 3
    assert all(f"Rifle {number}" in alone for number in (1, 2, 3))


def test_fate_beyond_the_boxes_and_losses_beyond_fate_are_told():
    data = roster("urutsk", [{"fate": 75, "marks": [{"fate": 80}]}, {"fate": 2, "marks": [{"fate": 5}]}])
    words = told(printed(data, sheets=("record",), marks=True))
    assert "first 60 of 75, 80 lost" in words
    assert "5 lost" in words
    assert "80 lost" not in told(printed(data, sheets=("record",)))


def test_a_figure_without_fate_has_no_box_of_it():
    data = roster("urutsk", [{"fate": -1}, {"fate": 0}])
    assert not [name for name in checks(printed(data, sheets=("record",), fillable=True)) if ".fate." in name]


def test_nobody_of_a_kind_takes_no_row():
    words = told(printed(roster("urutsk", [{"quantity": 0, "name": "Absent"}, FIGURE]), sheets=("record", "cards")))
    assert "Absent" not in words


def test_long_cover_and_armor_is_printed_to_its_end():
    data = roster("urutsk", [FIGURE | {"protection": "stones and " * 900 + "LASTWORD"}])
    pdf = printed(data, sheets=("record",), paper="a5")
    assert "LASTWORD" in told(pdf)
    assert len(texts(pdf)) > 1


# ---------------------------------------------------------------- every paper


# ---------------------------------------------------------------- the tables


def test_the_tables_fit_on_one_page():
    for paper in ["a4", "letter"]:
        assert len(made(garrison(), sheets=("tables",), paper=paper).pages) == 1


def test_the_tables_hold_the_numbers_of_the_rulebook():
    words = told(printed(garrison(), sheets=("tables",)))
    for wanted in ("Point-blank 0", "Short −1", "Medium −2", "Long −3", "Extreme −4"):
        assert wanted in words
    for title in ("Ranged fire", "A clean miss, D6", "Melee", "Mass charge", "Hits against Fate", "Incapacitated, D6"):
        assert title in words
    for rows in (tables.CLEAN_MISS, tables.CHARGE, tables.SHOCK, tables.INCAPACITATED, tables.FATE):
        assert all(" ".join(name.split()) in words for name, _ in rows)
    for wanted in ("1 to 2 Dead", "3 to 5 Immobile", "2 to 5 Stunned", "12 hit points", "Within 10 yards"):
        assert wanted in words


def test_scores_are_read_from_texts_that_name_nothing_else():
    assert sheets.scores_in("6 rolls again") == {6}
    assert sheets.scores_in("4, 5 and 6") == {4, 5, 6}
    assert sheets.scores_in("One lower, but never below 4") == set()


def test_readied_weapons_roll_again_one_lower_but_never_below_four():
    assert sheets.readied(frozenset({6})) == {5, 6}
    assert sheets.readied(frozenset({5, 6})) == {4, 5, 6}
    assert sheets.readied(frozenset({4, 5, 6})) == {4, 5, 6}


def test_the_charge_is_shown_by_rings_for_five_cases():
    assert sum(bool(sheets.scores_in(words)) for _, words in tables.CHARGE) == 5


# ---------------------------------------------------------------- cards


def test_a_card_holds_three_riflemen_and_the_rest_stand_on_the_next():
    data = roster("urutsk", [FIGURE | {"quantity": 6, "name": "Rifle"}])
    assert told(printed(data, sheets=("cards",))).count("Rifle ×6") == 2
    assert told(printed(data, sheets=("cards",), merge=False)).count("Weapon ability") == 6


def test_every_box_is_on_the_cards_too():
    on_cards, on_record = (
        {name for name in checks(printed(garrison(), sheets=(code,), fillable=True)) if name.startswith("f")}
        for code in ("cards", "record")
    )
    assert on_cards == on_record


def test_sixty_fate_fit_on_a_card_in_large_print():
    data = roster("urutsk", [FIGURE | {"fate": 60, "protection": "mail " * 500}])
    (page,) = reader(printed(data, sheets=("cards",), large=True, fillable=True)).pages
    bottoms = [float(note.get_object()["/Rect"][1]) for note in page["/Annots"]]
    assert max(bottoms) - min(bottoms) < 88 * MM


# ---------------------------------------------------------------- blank forms


def test_a_blank_form_has_its_fields():
    wanted = ("name", "protection", "ranged", "close", "weapon_ability", "fate", "single.0", "autofire.0", "burst.0")
    for code, first in (("record", "blank0"), ("cards", "card0")):
        names = set(checks(blank(sheets=(code,), fillable=True)))
        assert {f"{first}.{name}" for name in (*wanted, "poor.0", "command.0", "m0.fate.9", "m0.dead.0")} <= names


def test_the_blank_pack_has_the_record_but_no_tables():
    words = told(blank())
    assert "Cover and armor" in words
    assert "Mass charge" not in words
