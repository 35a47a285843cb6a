"""Laws of the sheets of all five games: nothing is cut off, ink is saved, sizes hold, points stay hidden."""

import re
from itertools import chain

import pytest

from rosters.pdf.canvas import MM
from rosters.pdf.layout import PAPERS, TooManyPages
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.registry import SYSTEMS
from tests.paper import blank_pdf, clear_margins, darkness, drawn, fields, pdf_of, picture, printed, reader, runs, told
from tests.support import roster

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
    return tuple(sheet.code for sheet in SYSTEMS[slug].sheets.SHEETS if sheet not in (ROSTER, REFERENCE))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("slug", SYSTEMS)
def test_nothing_is_cut_off_and_no_field_is_off_the_paper(slug, paper):
    data = roster(slug, [LONG | ODD[slug], plain(slug, name="Ж" * 120, notes="short")], name=WIDE)
    data["formations"][0] |= {"name": WIDE, "notes": "Hold the bridge."}
    for large in (False, True):
        pdf = pdf_of(data, sheets=sheets_of(slug), paper=paper, large=large, fillable=large)
        pages = reader(pdf).pages
        assert all(clear_margins(pdf, page) and darkness(pdf, page) < 0.15 for page in range(min(6, len(pages))))
        notes = [(page, note.get_object()["/Rect"]) for page in pages for note in page.get("/Annots", [])]
        assert bool(notes) is large
        for page, (left, low, right, high) in notes:
            assert 0 < left < right < page.mediabox.width
            assert 0 < low < high < page.mediabox.height
        words = told(pdf).replace(" ", "")
        assert words.count(WIDE) >= (4 if slug == "mini-combat" else 0)
        assert slug not in ("mini-combat", "msc", "urutsk") or str(LIMIT) in words


@pytest.mark.parametrize("slug", SYSTEMS)
def test_more_models_than_paper_are_rejected_before_they_are_printed(slug):
    horde = [plain(slug, name=f"Horde {number}", quantity=10_000) for number in range(300)]
    for sheet in OWN[slug][:2]:
        with pytest.raises(TooManyPages):
            printed(roster(slug, horde), sheets=(sheet,), most=5, merge=False)


def titles(outline):
    return list(chain.from_iterable(titles(each) if isinstance(each, list) else [each.title] for each in outline))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_formation_has_a_bookmark_and_can_be_printed_alone(slug):
    data = roster(slug, [plain(slug, name="First")], [plain(slug, name="Second")])
    bookmarks = {*titles(reader(pdf_of(data, sheets=OWN[slug][:1])).outline)}
    assert slug == "msc" or {"Formation 1", "Formation 2"} <= bookmarks
    words = told(pdf_of(data, sheets=OWN[slug], formations=(1,)))
    assert ("Second" in words, "First" in words) == (True, False)


POINTS = {  # an element, and a pattern of its points
    "mini-combat": (
        {"power": 333, "movement": 10, "range": 25, "to_hit": 4, "morale": 4, "armor": 1},
        r"\b614\b|points",
    ),
    "6mm": ({"type": "INF/A", "quality": "elite"}, "points"),
    "vsgmr": ({"kind": "hero", "commander": True, "traits": ["flight"]}, "4 each|20 points"),
}


@pytest.mark.parametrize("slug", POINTS)
def test_hidden_points_appear_on_no_sheet(slug):
    element, shown = POINTS[slug]
    for sheet in OWN[slug]:
        data = roster(slug, [{**element, "quantity": 5}])
        assert re.search(shown, told(pdf_of(data, sheets=(sheet,))))
        assert not re.search(shown, told(pdf_of(data, sheets=(sheet,), points=False)))
        names = fields(blank_pdf(slug, sheets=(sheet,), points=False, fillable=True))
        assert not any(name.endswith((".each", "points")) for name in names)


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_blank_sheet_is_a_page_of_fields(slug):
    for sheet in OWN[slug][:1] if slug == "msc" else OWN[slug]:
        for paper, large in (("a4", False), ("a5", True)):
            pdf = blank_pdf(slug, sheets=(sheet,), paper=paper, large=large, fillable=True)
            assert len(reader(pdf).pages) == 1 or slug not in ("mini-combat", "urutsk")
            assert fields(pdf)
            assert clear_margins(pdf, 0)


@pytest.mark.parametrize("slug", ["mini-combat", "vsgmr", "urutsk"])
def test_a_card_is_63_by_88_millimetres_on_every_paper(slug):
    for paper in PAPERS:
        image = picture(pdf_of(roster(slug, [plain(slug, name="One")]), sheets=("cards",), paper=paper), scale=SCALE)
        across, down = runs(image, 600, 660), runs(image.T, 850, 910)
        assert {abs(length - 630) <= 5 for length in across} == {abs(length - 880) <= 5 for length in down} == {True}


@pytest.mark.parametrize("slug", CARDS)
def test_a_page_has_as_many_cards_as_the_paper_holds(slug):
    for paper, number in (("a4", 9), ("letter", 9), ("a5", 4)):
        for more in (0, 1):
            cards = [plain(slug, name=f"Card {each}") for each in range(number + more)]
            assert len(drawn(roster(slug, cards), sheets=("cards",), paper=paper).pages) == 1 + more
