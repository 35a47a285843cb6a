"""The sheets of Mini Combat: unit sheets and cards; templates and rulers measured on the picture."""

from itertools import pairwise
from math import cos, radians, sin

import numpy
import pytest
from PIL import Image

from rosters.pdf.canvas import MM
from rosters.pdf.fonts import BOLD, ems
from rosters.systems.mini_combat.rules import CAPABILITIES, Element, Modifier
from rosters.systems.mini_combat.sheets.texts import ability_text, morale_text, stat_texts
from rosters.systems.mini_combat.tables import SHORT
from tests.notation import capability, rows, unit
from tests.paper import blank_pdf, field_places, fields, pdf_of, pdf_text, picture, reader, runs
from tests.support import missing, roster_data, sample_data

SYSTEM = "mini-combat"
HALF = ("a5", "half-letter")
TENTHS = 10 / MM
"""The scale of a picture with ten pixels to the millimeter."""

SQUAD = unit("kind=infantry movement=10 to_hit=4 range=25 power=3 armor=1 morale=4", name="Rifle squad")
"""20 points: (2 + 5 + 3 + 1) x 3 x 3 / 5 = 19.8"""
LEADER = {**SQUAD, "name": "Headquarters", "save": 6, "morale": 3, "command": True}
"""29 points: (2 + 5 + 1 + 3 + 1) x 4 x 3 / 5 = 28.8"""
PLATOON = [{**SQUAD, "quantity": 5}, LEADER]


def pdf(*units, named="Test", sheet="units", **settings):
    return pdf_of(roster_data(SYSTEM, *units, name=named), sheets=(sheet,), **settings)


def text_of(*units, **how):
    return pdf_text(pdf(*units, **how))


STATS = rows("""  # changed stats; to hit, range and save; morale: missing ones are dashes, odd ones as written
    to_hit=0 = auto 25 – = 4+ | to_hit=None = – 25 – = 4+ | morale=None = 4+ 25 – = – | to_hit=7 save=7 = – 25 – = 4+
    to_hit=9 save=-2 morale=7 = 9+ 25 −2+ = 7+
""")


def test_a_strip_has_name_points_rolls_the_stats_of_the_leader_that_differ_and_the_best_morale_left():
    page = text_of(PLATOON)
    words = ("Test", "129 points", "5 × Rifle squad and Headquarters", "move 10", "range 25", "To hit", "4+")
    assert missing(words, page) == []
    rolls = page[page.index("TO HIT") :]
    assert missing(("– 6+", "4+ 3+"), rolls) == [], "save and morale of the leader stand beside the squads'"
    other = text_of([{**SQUAD, "quantity": 5}, {**LEADER, "range": 40}])
    assert missing(("range 25", "range 40"), other) == [], "another reach makes a strip of its own"
    for changed, attack, morale in STATS:
        assert " ".join(stat_texts(Element(**SQUAD | unit(changed)))) == f"10 {attack} 3 1 {morale}"

    def text(*morales):
        return morale_text(Element(name=f"M{number}", morale=morale) for number, morale in enumerate(morales))

    words = ["M0", "M1", "M2", "2+", "3+", "4+"]
    for morales, shown in [((4, 4, 4), "4+"), ((None, 4), "M0 4+"), ((7, 2), "M1 2+"), ((3, 4, 3), "M0 M2 3+ 4+")]:
        assert [word for word in words if word in text(*morales)] == shown.split()
    assert len({text(), text(None, None), text(7, 7)}) == 3
    assert "Morale test at 3 of 6" in text_of(PLATOON)
    assert "Morale test at" not in text_of([SQUAD])
    dead = [{**SQUAD, "quantity": 5}, {**LEADER, "marks": [{"out": True}]}]
    assert ["while Headquarters" in text_of(dead, marks=marks) for marks in (True, False)] == [False, True]


@pytest.mark.parametrize(("models", "test"), [(2, 1), (5, 3), (9, 5)])
def test_a_bar_is_after_the_box_that_brings_the_morale_test(models, test):
    """In pixels of a tenth of a millimeter: the only dark line between two boxes that is higher than both."""
    printed = pdf([{**SQUAD, "kind": "other", "quantity": models}], fillable=True)
    image, barred = picture(printed, scale=TENTHS), []
    boxes = [[side * TENTHS for side in place] for place in field_places(printed).values()]
    for number, (one, two) in enumerate(pairwise(boxes), start=1):
        between = image[len(image) - int(one[3]) - 15 : len(image) - int(one[1]) + 15, int(one[2]) : int(two[0]) + 1]
        barred += [number] if runs(between.T, int(1.2 * (one[3] - one[1])), 80, 128) else []
    assert barred == [test]


def test_each_element_has_a_box_equal_ones_one_row_or_one_each_and_none_is_left_out():
    boxes = {f"f0.e0.m{model}.out.0" for model in range(5)} | {"f0.e1.m0.out.0"}
    assert {*fields(pdf(PLATOON, fillable=True))} == boxes, "a loss is ticked once"
    assert {*fields(pdf(PLATOON, sheet="cards", fillable=True))} == boxes
    names = {*fields(pdf([{**SQUAD, "quantity": 130}], fillable=True))}
    assert names == {"f0.e0.lost"}
    assert "2 × Rifle squad" in text_of([SQUAD, SQUAD, LEADER])
    single = text_of([{**SQUAD, "quantity": 2}, LEADER], merge=False)
    assert missing(("Rifle squad 1", "Rifle squad 2"), single) == []
    assert missing(("Rifle squad", "No elements"), text_of([{**SQUAD, "quantity": 0}])) == []
    own = [f"Own rule {number}." for number in range(200)]
    assert missing(own, text_of([{**SQUAD, "capabilities": [{"custom": rule, "percent": 1} for rule in own]}])) == []


def test_a_line_of_the_roster_and_a_card_have_the_stats_and_the_short_text_of_an_ability_its_variant():
    for word, part in (("T:4", "4"), ("MW:3", "3"), ("Drp:scatters", "D12"), ("Heal:4", "4+"), ("Den:St", "Stealth")):
        assert part in ability_text(Modifier(**capability(word)), full=False), word
    assert set(SHORT) == set(CAPABILITIES) - {"Fly", "Sk"} | {"flying", "jump", "skimmer", "ethereal"}
    page = text_of(PLATOON, sheet="roster")
    assert missing(("Move Hit Range Save Power Armor Morale", "Rifle squad 10 4+ 25 – 3 1 4+"), page) == []
    assert "Rifle squad 10 4+ 25 – 3 1 4+" not in text_of(PLATOON, sheet="roster", paper="a5", large=True), "no room"
    assert len(reader(pdf_of(sample_data(SYSTEM, "second-world-war"), sheets=("roster",))).pages) == 1
    page = text_of(PLATOON, sheet="cards")
    face = page[: page.index("Headquarters")]
    stats = "Move 10|To hit 4+|Range 25|Save –|Power 3|Armor 1|5 elements".replace(" ", "|").split("|")
    assert missing(["Rifle squad", "Formation 1", *stats], face) == []
    assert "3 of 6" in page


@pytest.mark.parametrize("sheet", ["units", "cards"])
def test_abilities_are_printed_in_short_or_on_request_in_full(sheet):
    own = {"card-rest": "none"}
    short, full = text_of([SQUAD | unit("IC")], sheet=sheet, choices=own), CAPABILITIES["IC"].text
    assert (SHORT["IC"] in short, full in short) == (True, False)
    in_full = {"sheet": sheet, "choices": {"capabilities": "full"}}
    assert full in text_of([SQUAD | unit("IC")], **in_full)
    odd = text_of([SQUAD | unit("Zap own:10")], sheet=sheet)
    assert missing(("Zap", "Own"), odd) == []
    crowded = text_of([SQUAD | unit("10c IF MoF Feot LFA LM Drp")], **in_full)
    texts = CAPABILITIES["10c"].text, CAPABILITIES["Drp"].text  # a card has no room for the last ones
    assert [text in crowded for text in texts] == [True, sheet != "cards"]


def place_of(made, words):
    """The start of a text on the first page, in points from the lower left corner."""
    found = []

    def visit(text, cm, tm, font, size):
        if text.strip() == words:
            found.append((tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]))

    reader(made).pages[0].extract_text(visitor_text=visit)
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
    return (x + ems(words, BOLD) * size / 2) * TENTHS, image.shape[0] - y * TENTHS + below * 10


@pytest.mark.parametrize(("paper", "large"), [("a4", False), ("letter", True), ("a5", False)])
def test_the_templates_and_the_ruler_beside_them_are_at_true_scale(paper, large):
    made = pdf([SQUAD | unit("Cone")], sheet="templates", paper=paper, large=large)
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
    assert "actual size" in pdf_text(blank_pdf(SYSTEM, sheets=("templates", "ruler")))
    assert large or pdf_text(made).count("10 × 3 cm") == (1 if paper in HALF else 2)  # a set for each player
    found = runs(image, 950, 1050, 128)
    assert found
    assert all(abs(length - 1000) <= 5 for length in found)


@pytest.mark.parametrize(("paper", "large"), [("a4", True), ("letter", False), ("half-letter", True)])
def test_the_ruler_is_twenty_centimetres_long(paper, large):
    """On a half sheet it lies aslant: the picture is turned back before it is measured."""
    image = picture(pdf([SQUAD], sheet="ruler", paper=paper, large=large), scale=TENTHS)
    found = []
    for angle in range(14, 24) if paper in HALF else (0,):
        turned = Image.fromarray(image).rotate(-angle, Image.Resampling.BILINEAR, fillcolor=255)
        found += runs(numpy.asarray(turned), 1950, 2050, 128)
    assert found
    assert all(abs(length - 2000) <= 5 for length in found)
