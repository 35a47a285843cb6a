"""Scripts that run from right to left or whose letters join: glyphs, order, copying, fallbacks; and form fields."""

import base64
import io
import re
import subprocess
import sys
from pathlib import Path
from unicodedata import category

import fontpkg_heebo
import fontpkg_ibm_plex_sans_arabic
import numpy
import pypdf
import pypdfium2
import pytest
import uharfbuzz as hb
from bidi import get_display
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from rosters.pdf import fonts, layout, shaping
from rosters.pdf import text as kit
from rosters.pdf.blocks import Drawing, TextLine
from rosters.pdf.canvas import Style
from rosters.pdf.job import PrintOptions
from rosters.pdf.layout import Part
from rosters.pdf.pages import Metadata, render
from rosters.pdf.sections import PAPERS, Group, Header, Section
from rosters.pdf.shaping import directed_runs
from rosters.web.printing import service as printing
from tests.paper import ink, picture
from tests.support import read, roster_data

ARABIC, HEBREW, LATIN = "IBMPlexSansArabic-Regular.ttf", "Heebo[wght].ttf", "FiraSans-Regular.ttf"
NAMES = {  # a name, and its runs from left to right: what is read in one direction in one font
    "جيش الصحراء": ["< جيش الصحراء"],
    "مُحَمَّد": ["< مُحَمَّد"],
    "צבא המדבר": ["< צבא המדבר"],
    "שָׁלוֹם": ["< שָׁלוֹם"],
    "Desert جيش": ["> Desert ", "< جيش"],
    "جيش Alpha": ["> Alpha", "< جيش "],
    "גדוד 7": ["> 7", "< גדוד "],
    "גדוד 7 (א)": ["<  (א)", "> 7", "< גדוד "],
    "Army (גדוד) 3": ["> Army (", "< גדוד", "> ) 3"],
    "جيش (Alpha)": ["< )", "> Alpha", "< جيش ("],
    "فوج ١٢": ["> ١٢", "< فوج "],
    "צבא, كتيبة": ["< كتيبة", "< צבא, "],
}


def pdf(*blocks, name="", **more):
    header = Header(name, "Rules")
    made = layout.pages([Part(header, [Section("Sheet", [Group(blocks)], **more)])], PAPERS["a4"], Style())
    return render(made, Style(), Metadata("A title"))


def font_file(file):
    package = {ARABIC: fontpkg_ibm_plex_sans_arabic, HEBREW: fontpkg_heebo}.get(file)
    path = Path(package.ROOT) / "files" / file if package else fonts._path(*fonts.FACES[fonts.REGULAR])
    return path.read_bytes()


def shaped_by_harfbuzz(text, file, direction):
    """The glyphs of a text in a font of a file, as HarfBuzz has them, at its regular weight."""
    font, buffer = hb.Font(hb.Face(font_file(file))), hb.Buffer()
    if "[" in file:
        font.set_variations({"wght": 400})
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = {"<": "rtl", ">": "ltr"}[direction]
    hb.shape(font, buffer, {})
    return [info.codepoint for info in buffer.glyph_infos]


def file_of(text):
    """The font that has the letters of a run."""
    letter = next((each for each in text if category(each)[0] in "LN" and not each.isascii()), "")
    return ARABIC if "\u0600" <= letter <= "\u06ff" else HEBREW if letter else LATIN


@pytest.mark.parametrize("name", NAMES)
def test_glyphs_and_their_order_are_those_of_harfbuzz_on_the_runs_in_visual_order(name):
    shown = "".join(level for run in fonts.runs(name).runs for _, level in run.levels)
    drawn = [int(number, 16) for part in re.findall("<(.+?)>", shown) for number in re.findall("....", part)]
    expected = []
    for number, run in enumerate(NAMES[name]):
        direction, text = run[0], run[2:]
        before = NAMES[name][number + 1][2:] if number + 1 < len(NAMES[name]) else ""
        expected += shaped_by_harfbuzz(text, file_of(text if text.strip(" ()") else before), direction)
    assert drawn == expected


@pytest.mark.browser
def test_a_browser_draws_names_alike_from_the_same_font_files(browser):
    page = browser.new_page(device_scale_factor=4, viewport={"width": 300, "height": 200})
    for name, file in (("جيش الصحراء", ARABIC), ("שָׁלוֹם", HEBREW)):
        source = f"data:font/ttf;base64,{base64.b64encode(font_file(file)).decode()}"
        page.set_content(f"""<style>@font-face {{ font-family: same; src: url({source}) }}
            p {{ font: 40px/2 same; text-rendering: geometricPrecision }}</style><p dir="rtl">{name}""")
        page.evaluate("document.fonts.ready")
        shown = Image.open(io.BytesIO(page.locator("p").screenshot())).convert("L")
        made = pdf(Drawing(200, lambda pen, x, top, _, name=name: pen.runs(x, top - 60, name, 40)), bare=True)
        drawn = picture(made, scale=4)[:1000]  # without the footer
        ours, theirs = (inked(image) for image in (drawn, numpy.asarray(shown)))
        assert numpy.allclose(ours.shape, theirs.shape, rtol=0.02)
        height, width = numpy.minimum(ours.shape, theirs.shape)
        assert (ours[:height, :width] != theirs[:height, :width]).mean() < 0.03
    page.close()


def inked(image):
    """The dark pixels of a picture without its margins."""
    dark = image < 128
    rows, columns = (numpy.flatnonzero(dark.any(axis=axis)) for axis in (1, 0))
    return dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@given(st.text(alphabet="abאבجد12٣٤ ()[].,+-#%!/", min_size=1, max_size=14))
def test_the_order_of_letters_is_that_of_another_implementation(text):
    runs = [part[::-1] if backward else part for part, backward in directed_runs(text)]
    assert "".join(runs) == get_display(text)


def test_copying_gives_the_text_and_two_processes_the_same_bytes():
    names = ["جيش الصحراء", "צבא המדבר", "सेना क्षत्रिय", "กองพลที่ ๑", "Te\u0323st", "Ωμέγα"]
    made = pdf(*map(TextLine, names), name=names[0])
    page = pypdfium2.PdfDocument(made)[0].get_textpage()
    assert [name for name in names if page.search(fonts.unicodedata.normalize("NFC", name)).get_next() is None] == []
    code = f"""import sys, django; django.setup()
from tests.pdf.test_scripts import *
[fonts.ems(name) for name in {names[::-1]}]
sys.stdout.buffer.write(pdf(*map(TextLine, {names}), name={names[0]!r}))"""
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert other.stdout == made


def test_a_line_never_ends_within_a_letter_and_keeps_the_direction_of_its_text():
    for text in ("กำลังที่น้ำ" * 20, "क्षत्रि" * 20, "مُحَمَّد" * 20):
        lines = [*kit.wrap(text, 60, 9), kit.truncate(text, 60, 9)]
        assert len(lines) > 3
        assert not [line for line in lines if category(line.strip("\u200f")[0])[0] == "M"]
        assert max(map(fonts.ems, lines)) * 9 <= 60.01
    lines = list(kit.wrap("جيش " + "Alpha Beta Gamma " * 5, 80, 9))
    assert [[*directed_runs(line)][-1][1] for line in lines] == [True] * len(lines)


@pytest.fixture
def fallback(monkeypatch, tmp_path):
    """A machine whose only other font has one glyph: a full square for the dragon 龍."""
    pen = TTGlyphPen(None)
    for step, point in enumerate([(0, 0), (0, 1000), (1000, 1000), (1000, 0)]):
        (pen.lineTo if step else pen.moveTo)(point)
    pen.closePath()
    square, build = pen.glyph(), FontBuilder(1000)
    build.setupGlyphOrder([".notdef", "dragon"])
    build.setupCharacterMap({ord("龍"): "dragon"})
    build.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "dragon": square})
    build.setupHorizontalMetrics({".notdef": (500, 0), "dragon": (1000, 0)})
    build.setupHorizontalHeader(ascent=900, descent=-100)
    build.setupNameTable({"familyName": "Square", "styleName": "Regular", "psName": "Square-Regular"})
    build.setupOS2()
    build.setupPost()
    build.save(path := tmp_path / "square.ttf")
    yield from paths_of(monkeypatch, path)


@pytest.fixture
def no_fallback(monkeypatch):
    """A machine without any other font."""
    yield from paths_of(monkeypatch)


def paths_of(monkeypatch, *paths):
    monkeypatch.setattr(fonts, "_fallback_paths", lambda: paths)
    caches = (fonts._font_for, fonts._glyph_font_for, fonts._runs, fonts._ems)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.usefixtures("fallback")
def test_a_font_of_the_machine_draws_what_the_faces_lack_alone_and_beside_shaped_text():
    assert fonts.missing("龍 Dragon") == ""
    squares, alone = (ink(pdf(TextLine(name))) for name in ("龍" * 9, ""))
    assert squares > alone + 9 * 14 * 14
    assert ink(pdf(TextLine("龍 צבא"))) > ink(pdf(TextLine("צבא"))) + 14 * 14


@pytest.mark.usefixtures("no_fallback")
def test_a_character_that_no_font_has_is_named_drawn_as_a_box_and_copied():
    assert fonts.missing("龍の Łódź צבא 龍\u200d\n") == "の龍"
    unknown, empty = (pdf(TextLine(word)) for word in ("龍龍龍", "   "))
    assert ink(unknown) > ink(empty) + 50
    assert "龍龍龍" in pypdfium2.PdfDocument(unknown)[0].get_textpage().get_text_range()


def form(more=0):
    """Two boxes, one of them marked, a line and a high field."""

    def paint(pen, x, top, width):
        pen.box(x, top - 20, 15, marked=True, name="f0.e0.engine.0", tooltip="Old Rampart: ENGINE 1 of 2")
        pen.box(x + 30, top - 20, 15, name="f0.e0.engine.1", tooltip="Engine 2")
        pen.field("f0.e0.name", x, top - 60, 200, 20, tooltip="Käpitän (Ω)")
        pen.field("f0.e0.notes", x, top - 160, 200, 90, tooltip="Engine 2")
        pen.field("f0.e0.name", x, top - 190, 200, 20)
        for turn in range(more):
            pen.field(f"f0.e0.m{turn // 30}.move.{turn}", x + turn, top, 9, 9, tooltip=f"Ship: move of turn {turn}")

    style = Style(fillable=True)
    sheet = Section("Sheet", [Group([Drawing(200, paint)])])
    made = layout.pages([Part(Header("A form", ""), [sheet])], PAPERS["a4"], style)
    return render(made, style, Metadata("A title"))


def test_fields_are_in_the_order_of_reading_and_what_is_typed_into_them_is_read_back_and_drawn():
    reader = pypdf.PdfReader(io.BytesIO(form()))
    (page,) = reader.pages
    widgets = [each.get_object() for each in page["/Annots"]]
    tooltip = ["Old Rampart: ENGINE 1 of 2", "Engine 2", "Käpitän (Ω)", "Engine 2 (2)"]
    assert ([widget["/TU"] for widget in widgets], page["/Tabs"]) == (tooltip, "/S")
    found = reader.get_fields()
    names = ["f0.e0.engine.0", "f0.e0.engine.1", "f0.e0.name", "f0.e0.notes"]
    assert [name for name in names if name not in found] == []
    assert [found[name].get("/V") for name in names[:2]] == ["/Yes", None]
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(form()))
    writer.update_page_form_field_values(None, {"f0.e0.engine.1": "/Yes", "f0.e0.name": "Łódź Ωμέγα"}, False)
    writer.write(out := io.BytesIO())
    values = pypdf.PdfReader(out).get_fields()
    assert (values["f0.e0.engine.1"]["/V"], values["f0.e0.name"]["/V"]) == ("/Yes", "Łódź Ωμέγα")
    assert boxes_inked(out.getvalue()) == [True, True]
    assert boxes_inked(form()) == [True, False]
    assert len(form(more=1000)) - len(form()) < 40 * 1000


def boxes_inked(data):
    """Whether there is ink in the middle of the two boxes, as a browser shows a form."""
    document = pypdfium2.PdfDocument(data)
    document.init_forms()
    image = document[0].render(scale=2, grayscale=True, may_draw_forms=True).to_numpy()
    places = [each.get_object()["/Rect"] for each in pypdf.PdfReader(io.BytesIO(data)).pages[0]["/Annots"]][:2]
    height = image.shape[0]
    middles = [(height - float(low + high), float(left + right)) for left, low, right, high in places]
    return [bool((image[int(y) - 6 : int(y) + 6, int(x) - 6 : int(x) + 6] < 128).any()) for y, x in middles]


def test_text_that_changes_its_script_with_each_letter_is_refused(monkeypatch):
    """Each letter is shaped alone, which takes minutes for the notes of a large roster."""
    monkeypatch.setattr(shaping, "MAX_RUNS", 1000)
    copy = printing.copy_of(read(roster_data("msc", [{"notes": "\u0e01\u05d0" * 600}])))
    with pytest.raises(shaping.TooLarge):
        printing.roster_print([copy], PrintOptions(sheets=("roster",)))
