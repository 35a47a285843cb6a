"""Laws of the sheets of all five games: nothing is cut off, ink is saved, sizes hold, points stay hidden."""

import re
from itertools import chain

import pytest

from rosters.pdf.canvas import MM
from rosters.pdf.job import PrintOptions
from rosters.pdf.layout import TooManyPages
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.pdf.sections import PAPERS
from rosters.registry import SYSTEMS
from rosters.web.printing import service as printing
from tests import paper
from tests.notation import ELEMENTS, rows
from tests.paper import blank_pdf, clear_margins, fields, pages_of, pdf_of, pdf_text, printed, reader
from tests.support import missing, read, roster_data
from tools.paper import MIN_BOX, MIN_TEXT, measure

OWN = {  # the sheets that hold the elements of a roster
    "mini-combat": ("units", "cards"),
    "6mm": ("record", "cards"),
    "msc": ("records", "compact", "fleets"),
    "vsgmr": ("cards", "list"),
    "urutsk": ("record", "cards"),
}
CARDS = [slug for slug, sheets in OWN.items() if "cards" in sheets]
WIDE = "W" * 120
LIMIT = 1_000_000
LONG = {"name": WIDE, "notes": "long note " * 900}
ODD = {  # elements as long as a document may hold
    "mini-combat": {
        **dict.fromkeys(("movement", "range", "power", "armor"), LIMIT),
        **{"quantity": 59, "morale": 4, "capabilities": [{"code": "10c"}, *[{"custom": WIDE, "percent": 1}] * 3]},
    },
    "6mm": {
        **{"type": "SKI/F", "guided": True, "transport": "soft", "quantity": 12, "general": "superior"},
        "duplicates": [{"type": "TNK", "armour": "super-heavy", "gun": "breech-loader-heavy"}] * 9,
    },
    "msc": {"engine": 9, "shield": -4, "to_hit": LIMIT, "weapons": ["R", "F", "F", "bow"], "quantity": 3},
    "vsgmr": {"kind": "hero", "traits": ["y" * 60, *(f"t{number}" for number in range(200))], "quantity": 31},
    "urutsk": {
        **{"quantity": 2, "ranged": LIMIT, "close": -LIMIT, "weapon_ability": -999_999, "fate": LIMIT},
        **{"command": True, "protection": "W" * 400},
    },
}
SCALE = 10 / MM
"""Ten pixels a millimetre."""


def plain(slug, **more):
    """A valid element of the system."""
    return {"type": "MSK", **more} if slug == "6mm" else {"kind": "troop", **more} if slug == "vsgmr" else more


def sheets_of(slug):
    """The codes of the system's own sheets."""
    return tuple(sheet.code for sheet in SYSTEMS[slug].sheets.SHEETS if sheet.code not in (ROSTER.code, REFERENCE.code))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_nothing_is_cut_off_and_no_field_is_off_the_paper(slug):
    """On the narrowest whole sheet, and in large print with fields on the narrowest half sheet."""
    data = roster_data(slug, [LONG | ODD[slug], plain(slug, name="Ж" * 120, notes="short")], name=WIDE)
    data["formations"][0] |= {"name": WIDE, "notes": "Hold the bridge."}
    for size, large in (("a4", False), ("half-letter", True)):
        pdf = pdf_of(data, sheets=sheets_of(slug), paper=size, large=large, fillable=large)
        pages = reader(pdf).pages
        assert all(clear_margins(pdf, page) and paper.darkness(pdf, page) < 0.15 for page in range(min(6, len(pages))))
        notes = [(page, note.get_object()["/Rect"]) for page in pages for note in page.get("/Annots", [])]
        assert bool(notes) is large
        for page, (left, low, right, high) in notes:
            assert 0 < left < right < page.mediabox.width
            assert 0 < low < high < page.mediabox.height
        words = pdf_text(pdf).replace(" ", "")
        assert words.count(WIDE) >= (4 if slug == "mini-combat" else 0)
        assert slug not in ("mini-combat", "msc", "urutsk") or str(LIMIT) in words


def titles(outline):
    return list(chain.from_iterable(titles(each) if isinstance(each, list) else [each.title] for each in outline))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_formation_has_a_bookmark_and_can_be_printed_alone_and_too_many_models_are_rejected(slug):
    horde = [plain(slug, name=f"Horde {number}", quantity=10_000) for number in range(300)]
    for sheet in OWN[slug][:2]:
        with pytest.raises(TooManyPages):
            printed(roster_data(slug, horde), sheets=(sheet,), most=5, merge=False)
    data = roster_data(slug, [plain(slug, name="First")], [plain(slug, name="Second")])
    bookmarks = {*titles(reader(pdf_of(data, sheets=OWN[slug][:1])).outline)}
    assert slug == "msc" or {"Formation 1", "Formation 2"} <= bookmarks
    words = pdf_text(pdf_of(data, sheets=OWN[slug], formations=(1,)))
    assert ("Second" in words, "First" in words) == (True, False)


POINTS = {  # an element, and a pattern of its points
    "mini-combat": (ELEMENTS["mini-combat"]("rifle power=333 movement=10 range=25 morale=4"), r"\b614\b|points"),
    "6mm": ({"type": "INF/A", "quality": "elite"}, "points|POINTS"),
    "vsgmr": ({"kind": "hero", "commander": True, "traits": ["flight"]}, "4 each|20 points"),
}


@pytest.mark.parametrize("slug", POINTS)
def test_hidden_points_appear_on_no_sheet(slug):
    element, shown = POINTS[slug]
    for sheet in (*OWN[slug], "roster"):
        data = roster_data(slug, [{**element, "quantity": 5}])
        assert re.search(shown, pdf_text(pdf_of(data, sheets=(sheet,))))
        assert not re.search(shown, pdf_text(pdf_of(data, sheets=(sheet,), points=False)))
        names = fields(blank_pdf(slug, sheets=(sheet,), points=False, fillable=True))
        assert not any(name.endswith((".each", "points")) for name in names)


CUT_CARDS = {"card-backs": "none", "card-cut": "lines"}
"""Cards on one side of the paper."""
STATS = "name ranged close weapon_ability m0.fate.4 m0.lost.3 m0.uncommanded.0 m0.dead.0"
BLANK = {  # system, sheet: some fields of a blank one on A4
    "mini-combat": {
        "units": "blank0.name blank0.lost.14 blank0.to_hit blank0.morale blank0.capabilities",
        "cards": "card0.to_hit card8.morale card0.m9.out.0",
    },
    "6mm": {
        "record": "blank0.name blank0.strength.14 blank11.range general.c0 army.stands.1 army.lost.29 command.4",
        "cards": "card0.transport card8.transport",
    },
    "msc": {"records": "blank0.name blank1.engine.4 blank1.weapons.RR blank1.move.30"},
    "vsgmr": {
        "cards": "blank0.name blank0.kind.hero blank0.die.0 blank0.target.4 blank0.out.9 blank0.points blank8.name",
        "list": "list.r0.out.0 list.r0.name list.r0.half list.r0.hand-to-hand.target",
        "setup": "setup.scenario",
    },
    "urutsk": {
        "record": " ".join(f"blank0.{name}" for name in STATS.split()),
        "cards": " ".join(f"card0.{name}" for name in STATS.split()),
    },
}


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_blank_sheet_is_a_page_of_fields(slug):
    for sheet, names in BLANK[slug].items():
        empty = pdf_of(roster_data(slug), sheets=(sheet,), fillable=True, choices=CUT_CARDS)
        assert missing([name for name in names.split() if name.startswith(("blank0", "card0"))], fields(empty)) == []
        for size, large in (("a4", False), ("letter", False), ("a5", True)):
            pdf = blank_pdf(slug, sheets=(sheet,), paper=size, large=large, fillable=True, choices=CUT_CARDS)
            first, *others = reader(pdf).pages
            assert not others or (size == "a5" and slug not in ("mini-combat", "urutsk"))
            assert missing(names.split(), fields(pdf) if size == "a4" else names) == []
            assert (bool(first["/Annots"]), clear_margins(pdf, 0)) == (True, True)


def test_a_card_is_63_by_88_millimetres_on_every_paper():
    for slug, size in zip(("mini-combat", "vsgmr", "urutsk", "vsgmr"), PAPERS, strict=True):
        choices = {**CUT_CARDS, "card-rest": "none"}
        pdf = pdf_of(roster_data(slug, [plain(slug, name="One")]), sheets=("cards",), paper=size, choices=choices)
        image = paper.picture(pdf, scale=SCALE)
        across, down = paper.runs(image, 600, 660), paper.runs(image.T, 850, 910)
        assert {abs(length - 630) <= 5 for length in across} == {abs(length - 880) <= 5 for length in down} == {True}


@pytest.mark.parametrize("slug", CARDS)
def test_a_page_has_as_many_cards_as_the_paper_holds(slug):
    for size, number in (("a4", 9), ("letter", 9), ("a5", 4)):
        for more in (0, 1):
            cards = [plain(slug, name=f"Card {each}") for each in range(number + more)]
            pages = pages_of(roster_data(slug, cards), sheets=("cards",), paper=size, choices=CUT_CARDS).pages
            assert len(pages) == 1 + more
            assert len(pages[-1].blocks) > 1  # cards, or one of them and rules of play


PACKS = rows("""  # a system, its elements, formations apart by /, its scenario, print options, the sheets of its pack
    mini-combat = line = = = roster units ruler reference
    mini-combat = line / Cone = = = roster units templates ruler reference
    mini-combat = line / 5c = = = roster units templates ruler reference
    mini-combat = line / 10c = = = roster units templates ruler reference
    mini-combat = line / Bmb = = = roster units templates ruler reference
    mini-combat = line / Bmb = = first = roster units ruler reference | 6mm = MSK = = = roster record reference
    msc = 3 3 3 x12 = = = records counters map reference
    msc = 3 3 3 x13 = = = roster compact counters map reference
    msc = 3 3 3 = strategic = = roster records fleets production counters map reference
    vsgmr = 18 figures = = = roster cards setup strips reference
    vsgmr = 19 figures = = = roster list setup strips reference
    vsgmr = troop x19 = = = roster cards setup strips reference
    vsgmr = troop x19 = = alone = roster list setup strips reference | urutsk = fate=2 = = = roster record tables
""")
SETTINGS = {"": {}, "first": {"formations": (0,)}, "alone": {"merge": False}}
GUARDS = {f"{n} figures": [{"kind": "troop", "name": f"Guard {each}"} for each in range(n)] for n in (18, 19)}


def test_a_pack_has_the_sheets_that_its_roster_needs_and_a_battle_the_shared_ones_once():
    shared = {"mini-combat 10c": ("Blast templates", "Ruler and arcs", "Reference"), "urutsk fate=2": ("Tables",)}
    shared["vsgmr troop"] = ("Reference", "Figure cards")
    for example, names in shared.items():
        slug, text = example.split()
        element = ELEMENTS[slug](text)
        both = printed(
            *(roster_data(slug, [element], name=name) for name in ("Red", "Blue")), draw=printing.battle_print
        )
        marks = [title for page in both.pages for title, level in page.bookmarks if level == 0]
        assert [marks.count(name) for name in (*names, "Battle", "Roster")] == [*[1] * len(names), 2, 2]
    for slug, texts, scenario, options, sheets in PACKS:
        formations = [GUARDS.get(text) or [ELEMENTS[slug](text)] for text in texts.split(" / ")]
        data = read(roster_data(slug, *formations, **({"scenario": scenario} if scenario else {})))
        job = printing.job(printing.copy_of(data), PrintOptions(**SETTINGS[options]))
        assert {sheet.code for sheet in printing.sheets_to_print(job, SYSTEMS[slug])} == {*sheets.split()}, texts


def test_a_battle_shows_who_sets_up_where_its_briefing_and_the_terrain_or_room_to_sketch_it():
    for slug, text in COVERS.items():
        rosters = [roster_data(slug, [ELEMENTS[slug](text)], name=name) for name in ("Red", "Blue", "Green")]
        states = [printing.copy_of(read(each)).state for each in rosters]
        words = pdf_text(pdf_of(*rosters, draw=printing.battle_print))
        panels = [*SYSTEMS[slug].play.briefing(states), SYSTEMS[slug].play.plan(states).turn]
        said = {word for panel in panels for row in panel.rows for cell in row for word in cell.split()}
        assert missing({*said, "Red", "Blue", "Green", "lost" if slug != "vsgmr" else "defeated"}, words) == []
        zones = SYSTEMS[slug].play.plan(states).zones
        assert {seat for zone in zones for seat in zone.seats} == {0, 1, 2}
    for slug, text in COVERS.items():
        sides = [roster_data(slug, [ELEMENTS[slug](text)], name=name) for name in ("Red", "Blue")]
        known = SYSTEMS[slug].play.plan([printing.copy_of(read(each)).state for each in sides]).terrain
        own, second, none = (
            pdf_text(pdf_of(*sides, draw=printing.battle_print, sheets=("roster",), choices=choices))
            for choices in ({}, {"terrain": "2"}, {"terrain": "none"})
        )
        assert ("of 6, or your own" in own, "layout 2 of 6" in second) == (bool(known), bool(known))
        assert "Sketch the terrain" in none or not known  # MSC has none
        assert [each for each in known.values() if each in none] == []
        assert missing({known[kind] for kind in ("wood", "road") if known}, second) == []


COVERS = {"6mm": "MSK x15", "mini-combat": "line x20", "msc": "3 3 3 x4", "vsgmr": "troop x9", "urutsk": "fate=2"}


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_cover_holds_the_measures(slug):
    data = roster_data(slug, [ELEMENTS[slug](COVERS[slug])], name=WIDE)
    many = roster_data(slug, [{**ELEMENTS[slug](COVERS[slug]), "quantity": 60, "name": WIDE}])
    for each, options in ((data, {"fit": 1}), (many, {}), (many, {"paper": "a5"})):
        found = measure(pdf_of(each, sheets=("roster",), fillable=True, **options), flowing=True)
        assert (found.box >= MIN_BOX, found.text >= MIN_TEXT, found.pages) == (True, True, 1), found


def test_sheets_print_in_the_order_of_the_options_and_shrink_to_fit_or_say_how_many_pages_they_need():
    guards = roster_data("vsgmr", [{"kind": "hero", "name": f"Guard {n}", "notes": "Stands. " * 12} for n in range(27)])
    marks = [page.bookmarks[0][0] for page in printed(guards, sheets=("reference", "roster")).pages]
    assert (marks[0], marks[-1] != "Reference") == ("Reference", True)
    free = printed(guards, sheets=("roster",))
    fitted = printed(guards, sheets=("roster",), fit=1)
    assert (len(free.pages), len(fitted.pages)) == (2, 1)
    assert 7.6 <= fitted.options.style.body < free.options.style.body
    found = measure(fitted.pdf(), flowing=True)
    assert (found.box >= MIN_BOX, found.text >= MIN_TEXT) == (True, True)
    with pytest.raises(TooManyPages, match="at least"):
        printed(guards, sheets=("roster", "cards"), fit=1)


OUT = {"out": True}
HURT = " ".join(["m1.strength.0", "army.lost.0", *(f"m0.strength.{box}" for box in range(5))])
MARKED = [  # a system, its sheet, an element with damage, and its boxes that are filled if damage is printed
    ("mini-combat", "units", {"quantity": 5, "marks": [{}, OUT, {}, OUT]}, "m1.out.0 m3.out.0"),
    ("6mm", "record", {"type": "WBD", "quantity": 2, "marks": [{"strength": 9}, {"strength": 1}]}, HURT),
    ("vsgmr", "cards", {"kind": "troop", "quantity": 3, "marks": [OUT, {}, OUT]}, "m0.out.0 m2.out.0"),
    ("urutsk", "record", {"fate": 3, "quantity": 2, "marks": [{}, {"fate": 2}]}, "m1.fate.0 m1.fate.1"),
]


def test_boxes_are_filled_by_damage_if_it_is_printed_and_only_then():
    for slug, sheet, element, boxes in MARKED:
        for marks, filled in ((True, sorted(boxes.split())), (False, [])):
            found = fields(pdf_of(roster_data(slug, [element]), sheets=(sheet,), fillable=True, marks=marks))
            marked = [name for name, field in found.items() if field.get("/V") == "/Yes"]
            assert sorted(name.removeprefix("f0.").removeprefix("e0.") for name in marked) == filled
