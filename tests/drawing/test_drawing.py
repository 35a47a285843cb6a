"""Pictures: paths, counters of every element, crests by the heralds' rule, and the same on the web and in PDF."""

import base64
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy
import pypdfium2
import pytest
from fontpkg_fira_sans_condensed import ROOT as FONT
from hypothesis import given
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from rosters.core.appraisals import terms_of
from rosters.core.crests import seed_from
from rosters.drawing import crest, diagrams, plots, primitives, svg, terrain
from rosters.pdf import drawing as paper
from rosters.registry import SYSTEMS
from rosters.systems.msc import drawing as msc
from rosters.systems.msc.drawing import COMPLETE_SIZE
from tests.notation import ELEMENTS
from tests.strategies import any_documents
from tests.support import read, roster_data

STYLES = Path("static/css")


def counters(document, large=False):
    """The counter of each element of a document."""
    draw = SYSTEMS[document.system].drawing.counter_of
    return [draw(each, terms_of(document), large, "4.5") for each in document.elements]


def counter(system, large=False, **profile):
    return counters(read(roster_data(system, [profile])), large)[0]


def assert_inside(picture):
    left, top, right, bottom = primitives.bounds(picture.shapes)
    assert min(left, top) >= 0
    assert right <= picture.width
    assert bottom <= picture.height


PATHS = {
    **{"M1 1h2v2z": "M1 1L3 1L3 3Z", "m1 1 2 0 0 2Z": "M1 1L3 1L3 3Z", "M-1-.5L.5.5": "M-1 -0.5 L0.5 0.5"},
    **{"M1 1zl2 2": "M1 1ZL3 3", "M0 0q3 3 6 0": "M0 0C2 2 4 2 6 0", "M2 2c0 1 1 2 2 2": "M2 2C2 3 3 4 4 4"},
}


def test_a_path_is_read_in_any_notation_of_svg_an_arc_follows_its_circle_and_a_turn_keeps_rectangles():
    for text, same in PATHS.items():
        points = [[round(n, 9) for p in s.points for n in p] for s in primitives.path(text).segments]
        assert points == [[n for p in s.points for n in p] for s in primitives.path(same).segments], text
    for flags, box in (("0 1", (0, -5, 10, 0)), ("0 0", (0, 0, 10, 5)), ("1 1", (0, -5, 10, 0))):  # as half a disc
        arc = primitives.path(f"M0 0A5 5 0 {flags} 10 0")
        assert primitives.bounds([arc]) == pytest.approx(box, abs=0.01), flags
    shapes = primitives.placed([primitives.Rect(-1, -8, 2, 4), primitives.path("M0 0V-9")], 10, 20, 2, turns=1)
    assert [primitives.bounds([shape]) for shape in shapes] == [(18, 18, 26, 22), (10, 20, 28, 20)]


@given(any_documents())
def test_an_odd_element_has_a_counter_inside_its_field_too(data):
    for large in (False, True):
        for picture in counters(read(data), large):
            assert_inside(picture)
            numbers = [each.text for each in picture.shapes if isinstance(each, primitives.Text)]
            assert large or not re.search(r"-\d", " ".join(map(str, numbers)))  # a minus sign, no hyphen
            text = re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", svg.svg(picture))
            assert "style" not in {key for each in ElementTree.fromstring(text).iter() for key in each.attrib}


DIFFERENT = {
    "6mm": """INF/A, INF/U, MSK, PKE, WBD, ARC, CAV/A, CAV/U, SKI/F, SKI/M, SKI/S, AIR, WORKS, TRANSPORT, TNK light,
        TNK medium, TNK heavy, TNK super-heavy, ART torsion, ART smoothbore, ART rifled-muzzle-loader,
        ART breech-loader-79, ART breech-loader-130, ART breech-loader-heavy, MSK poor, MSK good, MSK elite,
        MSK competent, MSK inferior, AIR fighter-bomber, AIR bomber, AIR attack-helicopter, PKE elephant,
        MSK agreed=1""",
    "mini-combat": """kind=infantry, kind=cavalry, kind=vehicle, kind=mecha, kind=creature, kind=ship,
        kind=aircraft, kind=structure, kind=other, kind=vehicle armor=1, kind=vehicle armor=2, kind=vehicle armor=4,
        kind=vehicle armor=7, movement=10, movement=20, movement=30, movement=40, IF kind=vehicle,
        Sc kind=vehicle, power=1, command""",
    "msc": """0 1 0, 1 1 0, 2 1 0, 3 1 0, 4 1 0, 5 1 0, 0 0 0, 0 2 0, 0 3 0, 0 4 0, 0 5 0, 0 0 1, 0 0 2, 0 0 3,
        0 0 4, 0 0 5, 0 0 0 F, 0 0 0 FL, 0 0 0 FR, 0 0 0 RL, 0 0 0 RR, 0 0 0 R, 0 0 0 F F""",
    "vsgmr": """mook, troop, hero, cavalry, vehicle, troop light, troop heavy, troop super-fight:minor,
        troop super-fight:major, troop super-fight:superior, troop distance, troop distance automatic_fire,
        troop commander, troop flight, cavalry large""",
    "urutsk": """fire=single, fire=autofire, fire=burst, ranged=3, close=3, fate=3, poor_condition, command""",
}
DIFFERENT = {
    system: [ELEMENTS[system](" ".join(text.split())) for text in texts.split(",")]
    for system, texts in DIFFERENT.items()
}


@pytest.mark.parametrize("system", DIFFERENT)
def test_what_the_rulebook_distinguishes_looks_different_even_when_small(system):
    pictures = [svg.svg(counter(system, **profile)) for profile in DIFFERENT[system]]
    same = [(DIFFERENT[system][pictures.index(each)], DIFFERENT[system][at]) for at, each in enumerate(pictures)]
    assert [pair for pair in same if pair[0] is not pair[1]] == []


@pytest.mark.parametrize("slug", SYSTEMS)
def test_each_term_of_help_without_a_counter_has_a_diagram_of_its_own_inside_its_field(slug):
    scenes = SYSTEMS[slug].drawing.DIAGRAMS
    assert {*scenes} == {term.code for term in SYSTEMS[slug].help.terms() if term.profile is None}
    assert len({*scenes.values()}) == len(scenes)
    for scene in scenes.values():
        assert_inside(diagrams.diagram(scene))


def test_the_plan_of_a_ship_has_its_plates_and_nozzles_whether_it_is_edited_or_damaged():
    profile = read(roster_data("msc", [ELEMENTS["msc"]("2 5 3 F RL")])).formations[0].elements[0]
    plan, damage = msc.plan_of(profile), msc.damage_plan(profile)
    assert_inside(plan)
    labels = [
        [str(each.text) for each in one.shapes if isinstance(each, primitives.Text)] for one in (plan, damage.picture)
    ]
    assert labels == [[*"1234512"], [*"12345", "F", "RL", *"12"]]


PLOTS = {  # rows of the table; filled: how many hexes, faces and the like are shaded, and how many are solid
    # an average MSK has 6, good 8: below half is 3
    "6mm: MSK good": ([("Strength", "8"), ("Routs at", "3")], 8, 0),
    "mini-combat: rifle LFA movement=10": ([("Range", "40 cm"), ("Fire arc", "90°")], 2, 0),
    "mini-combat: rifle 5c": ([("Template", "5 cm")], 2, 0),
    "mini-combat: range=0 movement=5 to_hit=4": ([("Movement", "5 cm"), ("Range", "melee")], 0, 0),
    # rings 1 to 6 have 1 + 3 + 3 + 5 + 5 + 7 hexes in an arc and on its borders; all arcs meet in the ship's own hex
    "msc: 3 3 3 F": ([("3", "1–5", "1–4", "1–3", "1–2")], 25, 0),
    # rings 2, 4 and 6 have a hex on the border of two arcs
    "msc: 3 3 3 F FL": ([("Modifier", "+2", "+1", "+0", "−1")], 46, 4),
    # 5+, in cover 6+, hand to hand 4+, skill 4+, a hero has 1 more: 3 + 2 + 4 + 4 faces
    "vsgmr: hero distance": ([("Distance attack", "4+", "Hero +1"), ("Hand to hand attack", "3+", "Hero +1")], 13, 0),
    # results of 1 or less miss (0 to 4 faces), of 6 or more explode (5 and 6, then 6): 30 - 10 - 3 are hits
    "urutsk: ranged=1": ([("Point-blank", "0", "–", "5–6"), ("Extreme", "−4", "1–4", "–")], 17, 3),
}


@pytest.mark.parametrize("text", PLOTS)
def test_a_plot_and_its_table_show_the_numbers_of_the_rules(text):
    rows, shaded, solid = PLOTS[text]
    system, _colon, words = text.partition(": ")
    document = read(roster_data(system, [ELEMENTS[system](words)]))
    plot = SYSTEMS[system].drawing.plot_of(document.formations[0].elements[0], terms_of(document))
    assert {*rows} <= {tuple(str(cell).replace("\xa0", " ") for cell in row) for row in plot.table.rows}
    legend = int(system in ("mini-combat", "msc"))  # the box that says Range, the bow of the ship
    shapes = [shape for picture in (plot.picture, *plot.row_pictures) if picture for shape in picture.shapes]
    assert sum(map(pieces, shapes)) == shaded + legend
    marks = [each for each in shapes if isinstance(each, primitives.Rect | primitives.Circle)]
    turrets = len(words.split()) - 3 if system == "msc" else 0
    doubles = [each for each in plot.picture.shapes if each.paint == COMPLETE_SIZE] if system == "msc" else []
    inner = sum(segment.command == "Z" for each in doubles for segment in each.segments)
    assert sum(each.paint.fill == "ink" for each in marks) - turrets + inner == solid


def pieces(shape):
    """How many shaded areas a shape has."""
    if shape.paint.fill != "tile":
        return 0
    return sum(each.command == "Z" for each in shape.segments) if isinstance(shape, primitives.Path) else 1


def test_a_bar_is_behind_the_box_that_makes_a_stand_rout_and_an_armys_losses_numbered_where_it_tests_morale():
    """MSK, strength 6: it routs at 2, so the bar stands behind the fourth of six boxes."""
    shapes = counter("6mm", large=True, type="MSK").shapes
    boxes = [each for each in shapes if isinstance(each, primitives.Rect) and each.y > 24]
    bar = next(each for each in shapes if each.paint.stroke == "alert")
    assert len(boxes) == 6
    assert boxes[3].x + boxes[3].width < primitives.bounds([bar])[0] < boxes[4].x
    # Of 15 stands: 10 to 60 %, rounded up.
    document = read(roster_data("6mm", [{"type": "MSK", "quantity": 15}]))
    plot = plots.losses(*SYSTEMS["6mm"].play.gauges(document, terms_of(document)))
    assert [each.text for each in plot.picture.shapes if isinstance(each, primitives.Text)] == [*"235689"]
    assert [row[0] for row in plot.table.rows] == [*"235689"]


SEEDS = [seed_from(f"Roster {number}") for number in range(1000)]


def test_a_thousand_crests_have_metals_colors_and_charges_well_within_their_place_and_nearly_all_differ():
    for seed in SEEDS:
        *shapes, shield = crest.crest(seed).shapes
        assert {each.paint.fill in crest.COLORS for each in shapes} == {True, False}, seed
        assert {each.paint.fill for each in shapes} <= {*crest.COLORS, *crest.METALS}, seed
        assert_inside(crest.crest(seed))
        assert shield.paint == primitives.Paint(stroke="line")
    assert len({svg.svg(crest.crest(seed)) for seed in SEEDS}) > 900
    assert len(crest.CHARGES) == 24
    for charge in crest.CHARGES:
        assert max(map(abs, primitives.bounds(charge))) < 12


def tokens(theme="light"):
    """The custom properties of the style sheet, by name."""
    light, dark = (STYLES / "tokens.css").read_text().split("@media")
    return dict(re.findall(r"--([\w-]+): (#\w+);", light if theme == "light" else light + dark))


def test_paper_has_the_light_colors_of_the_web():
    colors = tokens()
    for side, palette in {"blue": paper.BLUE, "red": paper.RED}.items():
        roles = {role: f"{side}-{role}" for role in ("tile", "ink", "box")} | {"line": "ink", "alert": "alert"}
        roles |= {role: role for role in (*crest.COLORS, *crest.METALS)}
        assert {role: palette[role].hexval()[2:] for role in roles} == {r: colors[n][1:] for r, n in roles.items()}


@pytest.mark.browser
def test_the_web_and_the_pdf_draw_the_same_picture(browser):
    """Five counters and a crest, eight pixels a unit: on average no pixel differs by more than a hundredth."""
    pictures = [counter(system, True, **DIFFERENT[system][2]) for system in DIFFERENT] + [crest.crest("00c0ffee")]
    font = base64.b64encode((FONT / "files" / "FiraSansCondensed-SemiBold.ttf").read_bytes()).decode()
    face = (
        f"@font-face {{ font-family: 'Fira Sans Condensed'; font-weight: 600; src: url(data:font/ttf;base64,{font}) }}"
    )
    style = face + "".join((STYLES / f"{name}.css").read_text() for name in ("tokens", "drawings", "counters"))
    size = "body { margin: 0 } svg.drawing { width: 368px !important; height: auto !important }"
    page = browser.new_page(viewport={"width": 368, "height": 256})
    for picture in pictures:
        page.set_content(f"<style>{style}{size}</style>{svg.svg(picture)}")
        page.evaluate("document.fonts.ready")
        web = Image.open(io.BytesIO(page.locator("svg").screenshot())).convert("RGB")
        pdf = io.BytesIO()
        canvas = Canvas(pdf, (picture.width, picture.height))
        paper.draw(canvas, picture, 0, picture.height, picture.width, paper.BLUE)
        canvas.save()
        printed = pypdfium2.PdfDocument(pdf.getvalue())[0].render(scale=368 / picture.width).to_pil()
        pixels = [numpy.asarray(each.convert("L").resize(web.size), float) for each in (web, printed)]
        assert abs(pixels[0] - pixels[1]).mean() < 2.55, picture.kind
    page.close()


@pytest.mark.parametrize("fields", [(24, 18), (18, 12), (12, 8)])
def test_a_layout_of_terrain_is_the_same_from_both_sides_and_keeps_what_is_to_be_clear(fields):
    columns, rows = fields
    near = (0, rows - rows // 4, columns, rows)
    for number in range(len(terrain.LAYOUTS)):
        table = terrain.terrain(number, fields, {*terrain.DRAW, "river", "road"})
        turned = {f._replace(x=columns - f.x - f.width, y=rows - f.y - f.height) for f in table.features}
        assert turned == {*table.features}
        squares = [(f.x + dx, f.y + dy) for f in table.features for dx, dy in numpy.ndindex(f.width, f.height)]
        assert len(squares) == len({*squares}) >= 4, "each feature has fields of its own"
        assert_inside(table.picture(20))
        cleared = terrain.terrain(number, fields, {"wood", "hill", "rough"}, [near])
        assert cleared.features
        assert {*cleared.kinds} <= {"wood", "hill", "rough"}
        assert all(each.y + each.height <= near[1] for each in cleared.features)
