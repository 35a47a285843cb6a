"""The sheets of Mini Combat: units up to their morale test, cards, and templates and rulers measured on the picture."""

from math import cos, radians, sin

import numpy
import pytest
from PIL import Image

from rosters.pdf.canvas import MM
from rosters.pdf.fonts import ems
from rosters.pdf.job import Settings
from rosters.pdf.layout import MARGIN
from rosters.registry import SYSTEMS
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.mini_combat.tables import SHORT
from rosters.web.printing import service as printing
from tests.paper import blank_pdf, drawn, fields, pdf_of, picture, printed, reader, runs, told
from tests.support import read, roster

SYSTEM = "mini-combat"
PAPERS = ("a4", "letter", "a5")
TENTHS = 10 / MM
"""The scale of a picture with ten pixels to the millimetre."""

SQUAD = {"name": "Rifle squad", "kind": "infantry", "movement": 10, "to_hit": 4, "range": 25, "power": 3, "armor": 1}
SQUAD |= {"morale": 4}
"""20 points: (2 + 5 + 3 + 1) x 3 x 3 / 5 = 19.8"""
LEADER = {**SQUAD, "name": "Headquarters", "save": 6, "morale": 3, "command": True}
"""29 points: (2 + 5 + 1 + 3 + 1) x 4 x 3 / 5 = 28.8"""
PLATOON = [{**SQUAD, "quantity": 5}, LEADER]


def having(*written, **more):
    """A squad with capabilities, by code or as objects."""
    return {**SQUAD, "capabilities": [{"code": item} if isinstance(item, str) else item for item in written], **more}


def pdf(*units, named="Test", sheet="units", **settings):
    return pdf_of(roster(SYSTEM, *units, name=named), sheets=(sheet,), **settings)


def told_of(*units, **how):
    return told(pdf(*units, **how))


def packed(*units, **settings):
    """The codes of the sheets in the game's own pack."""
    made = printing.job(printing.copy_of(read(roster(SYSTEM, *units))), Settings(**settings))
    return [sheet.code for sheet in printing.pack(made, SYSTEMS[SYSTEM])]


# ---------------------------------------------------------------- the pack


def test_a_pack_has_all_that_the_table_needs_but_dice_and_figures():
    assert packed(PLATOON) == ["roster", "units", "ruler", "reference"]


def test_a_pack_has_templates_where_an_element_that_is_printed_uses_one():
    for code in ("Cone", "5c", "10c", "Bmb"):
        assert packed([having(code)]) == ["roster", "units", "templates", "ruler", "reference"]
    assert "templates" not in packed(PLATOON, [having("5c")], formations=(0,))


def test_a_battle_prints_templates_and_ruler_once():
    forces = [roster(SYSTEM, [having("10c")], name=name) for name in ("Red", "Blue")]
    made = printed(*forces, draw=printing.battle_print)
    titles = [page.title for page in made.pages]
    assert titles.count("Templates") == titles.count("Ruler") == 1
    assert titles.count("Units") == 2


# ---------------------------------------------------------------- unit sheets


def test_stats_stand_in_the_order_of_the_rulebook():
    """Movement, to hit, range, save, power, armor, morale, and what one costs; letters where paper is narrow."""
    page = told_of(PLATOON)
    for words in (
        "Movement To hit Range Save Power Armor Morale",
        "Rifle squad × 5 10 4+ 25 – 3 1 4+ 20",
        "129 points",
    ):
        assert words in page
    assert "M TH R S P A Mo" in told_of(PLATOON, paper="a5")


def test_a_stat_that_is_none_is_a_dash_and_an_odd_one_stands_as_written():
    rows = [
        ({"to_hit": 0}, "10 auto 25 – 3 1 4+"),
        ({"to_hit": None}, "10 – 25 – 3 1 4+"),
        ({"to_hit": 7, "save": 7}, "10 – 25 – 3 1 4+"),
        ({"morale": None}, "10 4+ 25 – 3 1 –"),
        ({"to_hit": 9, "save": -2, "morale": 7}, "10 9+ 25 -2+ 3 1 7+"),
    ]
    for stats, words in rows:
        assert words in told_of([{**SQUAD, **stats}])


def test_a_unit_says_when_it_tests_and_on_what():
    assert "Morale test at 3 of 6 lost. Roll 3+ while Headquarters stands, else roll 4+." in told_of(PLATOON)
    assert "Morale test at" not in told_of([SQUAD])


def test_the_test_goes_by_the_best_morale_that_is_left():
    rows = [
        ((4, 4, 4), "2 of 3 lost. Roll 4+."),
        ((None, None), "1 of 2 lost. Fearless: it holds without a roll."),
        ((7, 7), "1 of 2 lost. No D6 reaches its morale: it fails."),
        ((None, 4), "Hold without a roll while M0 stands, else roll 4+."),
        ((7, 2), "Roll 2+ while M1 stands, else fail."),
        ((3, 4, 3), "Roll 3+ while M0 or M2 stands, else roll 4+."),
        ((5, 4, 3, 2), "2 of 4 lost. Roll 2+ at first, then the best morale left."),
    ]
    for morales, words in rows:
        unit = [{**SQUAD, "name": f"M{number}", "morale": morale} for number, morale in enumerate(morales)]
        assert words in told_of(unit)


def test_with_marks_the_test_goes_by_who_still_stands():
    dead = {**LEADER, "marks": [{"out": True}]}
    assert "Roll 4+." in told_of([{**SQUAD, "quantity": 5}, dead], marks=True)
    assert "while Headquarters stands" in told_of([{**SQUAD, "quantity": 5}, dead])


def test_with_marks_a_destroyed_unit_is_said_to_be():
    gone = {**SQUAD, "quantity": 2, "marks": [{"out": True}] * 2}
    assert "All are lost: the unit is destroyed." in told_of([gone], marks=True)


def bars(image):
    """Where upright lines stand alone in some row of the part of a picture, in pixels from its left."""
    found = set()
    for row in image:
        dark = [x for x, value in enumerate(row) if value < 128]
        if dark and dark[-1] - dark[0] <= 8:
            found.add((dark[0] + dark[-1]) / 2)
    return found


@pytest.mark.parametrize(("models", "test"), [(2, 1), (5, 3), (6, 3), (9, 5)])
def test_a_bar_stands_after_the_box_that_brings_the_morale_test(models, test):
    image = picture(pdf([{**SQUAD, "kind": "other", "quantity": models}]), scale=TENTHS)
    side = 9 * 1.22 * 0.82
    left = MARGIN + ems("Lost  ", True) * 9 * 0.82
    edge = left + ((test - 1) * 1.18 + 1.09 + (0.5 if test > 5 else 0)) * side
    window = image[:, int((edge - side / 2) * TENTHS) : int((edge + side / 2) * TENTHS)]
    assert any(abs(bar - side / 2 * TENTHS) <= 3 for bar in bars(window[300:600]))


def test_a_box_for_each_element_and_one_for_each_loss():
    wanted = {f"f0.e0.m{model}.out.0" for model in range(5)} | {"f0.e1.m0.out.0"}
    assert set(fields(pdf(PLATOON, fillable=True))) == wanted | {f"f0.lost.{loss}" for loss in range(6)}


def ticked(found):
    return {name for name, field in found.items() if field.get("/V") not in (None, "/Off")}


def test_boxes_are_ticked_on_a_sheet_with_marks_and_open_on_a_fresh_one():
    hurt = [{**SQUAD, "quantity": 5, "marks": [{}, {"out": True}, {}, {"out": True}]}, LEADER]
    assert ticked(fields(pdf(hurt, fillable=True))) == set()
    with_marks = {"f0.e0.m1.out.0", "f0.e0.m3.out.0", "f0.lost.0", "f0.lost.1"}
    assert ticked(fields(pdf(hurt, fillable=True, marks=True))) == with_marks


def test_equal_elements_have_one_row_or_one_each():
    page = told_of([SQUAD, SQUAD, LEADER])
    assert "Rifle squad × 2" in page
    single = told_of([{**SQUAD, "quantity": 2}, LEADER], merge=False)
    assert "Rifle squad 1" in single
    assert "Rifle squad 2" in single


def test_what_a_kind_has_for_nothing_is_told():
    page = told_of([LEADER], [{**SQUAD, "kind": "vehicle"}])
    assert "Infantry. Same armor from every side." in page
    assert "Command: a target only while it is the closest element of its unit." in page
    assert "Vehicle. Stays out of woods and buildings. Double move on roads." in page


# ---------------------------------------------------------------- capabilities


def test_every_capability_of_the_rulebook_has_its_short_words():
    codes = set(CAPABILITIES) - {"Fly", "Sk"}
    assert set(SHORT) == codes | {"flying", "jump", "skimmer", "ethereal"}


def test_capabilities_are_spelled_out_in_short():
    rows = [
        ("IF", "Indirect fire (IF): needs no sight; -1 to hit the unseen"),
        ({"code": "T", "count": 4}, "Transport (T4): carries 4;"),
        ({"code": "MW", "count": 3}, "Multiple weapons (MW3): 3 rolls to hit."),
        ({"code": "Drp", "scatters": True}, "acts from the next turn on; scatters: D12"),
        ({"code": "Heal", "on": 4}, "works on 4+."),
        ({"code": "Fly", "form": "jump"}, "Jump (Fly jump): ignores terrain as it moves"),
        ({"code": "Sk"}, "Skimmer (Sk): ignores terrain"),
        ({"code": "Den", "denies": "St"}, "no use of Stealth within ____ cm: agree how far beyond 25 cm (50 cm"),
        ({"code": "Den", "denies": "Tel"}, "the enemy has no use of Teleport or burrow within 25 cm."),
        ({"code": "Den", "denies": "Ch"}, "Deny Charge (Den Ch): the enemy has no use of Charge."),
        ({"code": "Den"}, "Deny capability (Den ?): stops one capability of the enemy."),
        ({"code": "Zap"}, "Zap: not in the rulebook; agree on it or leave it out."),
        ({"custom": "Smoke", "percent": 10}, "Smoke: own rule, as agreed before the game."),
    ]
    for capability, words in rows:
        for sheet in ("units", "cards"):
            assert words in told_of([having(capability)], sheet=sheet)


def test_on_request_they_stand_in_full():
    for sheet in ["units", "cards"]:
        whole = CAPABILITIES["IF"].text
        assert whole not in told_of([having("IF")], sheet=sheet)
        assert whole in told_of([having("IF")], sheet=sheet, choices={"capabilities": "full"})


def test_a_card_without_room_for_all_the_words_has_the_short_ones():
    codes = ("10c", "IF", "MoF", "Feot", "LFA", "LM", "Drp")
    page = told_of([having(*codes)], sheet="cards", choices={"capabilities": "full"})
    assert SHORT["Feot"] in page
    assert CAPABILITIES["Feot"].text not in page


def test_two_hundred_capabilities_all_stand_on_the_unit_sheet():
    own = [{"custom": f"Own rule {number}.", "percent": 1} for number in range(200)]
    page = told_of([having(*own)])
    assert all(f"Own rule {number}." in page for number in range(200))


# ---------------------------------------------------------------- points


# ---------------------------------------------------------------- whatever somebody wrote


WIDE = "W" * 120


def test_long_notes_go_on_over_pages_of_the_unit_sheet():
    notes = " ".join(f"word{number}" for number in range(1200))
    pages = told_of([{**SQUAD, "notes": notes}], paper="a5")
    assert all(f"word{number}" in pages for number in (0, 600, 1199))


def test_a_large_unit_has_a_line_for_its_losses_and_boxes_all_the_same():
    found = fields(pdf([{**SQUAD, "quantity": 130}], fillable=True))
    assert "f0.lost" in found
    assert {name for name in found if ".out." in name} == {f"f0.e0.m{model}.out.0" for model in range(130)}
    assert "Morale test at 65 of 130 lost" in told_of([{**SQUAD, "quantity": 130}])


def test_an_empty_unit_and_an_element_of_none_are_printed():
    assert "No elements." in told_of([])
    assert "Rifle squad × 0" in told_of([{**SQUAD, "quantity": 0}])
    assert "0 elements." in told_of([{**SQUAD, "quantity": 0}], sheet="cards")


# ---------------------------------------------------------------- cards


def test_a_card_has_the_stats_the_unit_and_a_box_for_each_element():
    page = told_of(PLATOON, sheet="cards")
    head = (
        "Rifle squad 20 points Formation 1 Movement 10 To hit 4+ Range 25 Save – Power 3 Armor 1 Morale 4+ Elements 5"
    )
    assert head in page
    assert "The unit tests morale at 3 of 6 lost." in page
    found = fields(pdf(PLATOON, sheet="cards", fillable=True))
    assert set(found) == {f"f0.e0.m{model}.out.0" for model in range(5)} | {"f0.e1.m0.out.0"}


def test_a_card_of_very_many_leaves_the_ticking_to_the_unit_sheet():
    assert "31 elements: tick them on the unit sheet." in told_of([{**SQUAD, "quantity": 31}], sheet="cards")


# ---------------------------------------------------------------- true scale


def place_of(made, words, page=0):
    """The middle of the baseline of a text, in points from the lower left corner."""
    found = []

    def visit(text, cm, tm, font, size):
        if text.strip() == words:
            x, y = tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]
            found.append((x, y))

    reader(made).pages[page].extract_text(visitor_text=visit)
    return found[0]


def reach(image, centre, angle, least, most):
    """How many tenths of a millimetre from a point, in pixels, the first dark one lies that way."""
    x, y = centre
    for step in range(int(least), int(most)):
        across, down = x + step * cos(radians(angle)), y - step * sin(radians(angle))
        if image[round(down), round(across)] < 128:
            return step
    raise AssertionError("nothing is there")


def centre_of(made, image, words, below, size):
    """The pixel so many mm below a text that stands in the middle."""
    x, y = place_of(made, words)
    return (x + ems(words, True) * size / 2) * TENTHS, image.shape[0] - y * TENTHS + below * 10


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("large", [False, True])
def test_the_templates_and_the_ruler_beside_them_are_at_true_scale(paper, large):
    made = pdf([having("Cone")], sheet="templates", paper=paper, large=large)
    image = picture(made, scale=TENTHS)
    for words, tenths in (("10 cm", 1000), ("5 cm", 500)):
        centre = centre_of(made, image, words, 4, 10.8)
        for angle in (15, 45, 75, 105, 135, 165):
            across = sum(reach(image, centre, turn, tenths * 0.42, tenths * 0.6) for turn in (angle, angle + 180))
            assert abs(across - tenths) <= 5
    x, y = centre_of(made, image, "Cone", 2, 10)
    wide = reach(image, (x, y), 0, 100, 200) + reach(image, (x, y), 180, 100, 200)
    tip = next(step for step in range(830, 900) if image[round(y + step), round(x) - 8 : round(x) + 9].min() > 128)
    assert abs(wide - 300) <= 5
    assert abs(reach(image, (x, y), 90, 100, 200) + tip - 1000) <= 5
    assert len(reader(made).pages) == 1
    found = runs(image, 950, 1050, 128)
    assert found
    assert all(abs(length - 1000) <= 5 for length in found)


def test_each_player_has_a_set_where_the_paper_holds_two():
    for paper, sets in [("a4", 2), ("letter", 2), ("a5", 1)]:
        assert told_of([having("Cone")], sheet="templates", paper=paper).count("10 × 3 cm") == sets


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("large", [False, True])
def test_the_ruler_is_twenty_centimetres_long(paper, large):
    """On a half sheet it lies aslant: the picture is turned back before it is measured."""
    image = picture(pdf([SQUAD], sheet="ruler", paper=paper, large=large), scale=TENTHS)
    found = []
    for angle in range(14, 24) if paper == "a5" else (0,):
        turned = Image.fromarray(image).rotate(-angle, Image.Resampling.BILINEAR, fillcolor=255)
        found += runs(numpy.asarray(turned), 1950, 2050, 128)
    assert found
    assert all(abs(length - 2000) <= 5 for length in found)


def test_what_must_be_at_true_scale_is_never_scaled():
    for paper in PAPERS:
        wanted = ("templates", "ruler", "cards")
        made = drawn(roster(SYSTEM, [having("Cone")]), sheets=wanted, paper=paper, large=True)
        assert {put.scale for page in made.pages for put in page.puts} == {1.0}


# ---------------------------------------------------------------- blank sheets


def test_blank_sheets_have_their_fields():
    names = set(fields(blank_pdf(SYSTEM, sheets=("units",), fillable=True)))
    assert {"blank0.name", "blank0.lost.19", "blank0.e0.name", "blank0.e1.mo", "blank0.e1.m9.out.0"} <= names
    assert {"blank0.e0.capabilities", "blank0.e0.m", "blank0.e0.th"} <= names
    for paper, number in (("a4", 9), ("letter", 9), ("a5", 4)):
        names = set(fields(blank_pdf(SYSTEM, sheets=("cards",), paper=paper, fillable=True)))
        assert sum(name.endswith(".name") for name in names) == number
        assert {"card0.to_hit", "card0.morale", "card0.capabilities.0", "card0.m9.out.0"} <= names
    assert "actual size" in told(blank_pdf(SYSTEM, sheets=("templates", "ruler")))
