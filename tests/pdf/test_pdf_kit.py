"""The PDF kit: fonts for every script, words that fit, pages that hold everything."""

import io

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.pdf import fonts, layout
from rosters.pdf import text as kit
from rosters.pdf.blocks import Column, Heading, Stack, TableHead, TextLine, table
from rosters.pdf.canvas import Style
from rosters.pdf.layout import PAPERS, Group, Header, Metadata, Part, Section
from tests.paper import ink, texts
from tests.strategies import PATIENT
from tests.support import missing

STYLE = Style()
HEADER = Header("Łódź", "Rules (reading 1)", "2026-11-21", "http://localhost/s/abc", ("too many points",))
WILD = "Łódź Übermacht Ωμέγα Живот ﬁ ẞ ộ"


def pdf(*pieces, style=STYLE, paper="a4", header=HEADER, most=0):
    made = layout.pages([Part(header, pieces)], PAPERS[paper], style, most)
    return layout.render(made, style, Metadata("A title"))


def section(*blocks, **more):
    return Section("Sheet", [Group(list(blocks))], **more)


def test_latin_greek_and_cyrillic_are_set_in_one_face_without_line_ends_and_invisible_marks():
    for bold, face in ((False, fonts.REGULAR), (True, fonts.BOLD)):
        assert [fonts.runs(name, bold) for name in WILD.split()] == [((face, name),) for name in WILD.split()]
    assert fonts.runs("a\nb\u200bc\u200dd")[0][1] == "a bcd"


@pytest.fixture
def no_other_fonts(monkeypatch):
    """A machine that has the family alone."""
    monkeypatch.setattr(fonts, "_fallback_paths", lambda: ())
    caches = (fonts._font_for, fonts._runs)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.usefixtures("no_other_fonts")
def test_a_character_that_no_font_has_is_drawn_as_something_visible():
    unknown, empty = (ink(pdf(section(TextLine(word)), header=Header("", ""))) for word in ("龍龍龍", "   "))
    assert unknown > empty + 50


@PATIENT
@given(st.text(min_size=1, max_size=200), st.floats(20, 400), st.floats(5, 30), st.integers(1, 4), st.booleans())
def test_words_never_leave_their_width_or_their_lines(text, width, size, lines, bold):
    made = kit.fit_text(text, width, size, lines, bold)
    assert len(made.lines) <= lines
    widest = max((fonts.ems(line, bold) * made.size for line in made.lines), default=0)
    alone = max(fonts.ems(kit.ELLIPSIS, bold), *(fonts.ems(c, bold) for c in text)) * made.size
    assert widest <= max(width + 0.01, alone)
    assert made.size >= size * kit.MIN_SCALE - 1e-9


def test_a_long_name_shrinks_first_then_wraps_then_ends_with_an_ellipsis():
    name, size = "Wellington's heavy brigade", 10
    natural = fonts.ems(name) * size
    assert kit.fit_text(name, natural, size) == ((name,), size)
    shrunk = kit.fit_text(name, natural * 0.8, size)
    assert (shrunk.lines, shrunk.size) == ((name,), pytest.approx(8))
    wrapped = kit.fit_text(name, natural * 0.6, size, lines=2)
    assert (len(wrapped.lines), " ".join(wrapped.lines), wrapped.size) == (2, name, size)
    short = kit.fit_text(name, natural * 0.2, size)
    assert (short.lines[0][-1], short.size) == (kit.ELLIPSIS, size * kit.MIN_SCALE)


@given(st.text(alphabet="abc déż  Ω", max_size=300), st.floats(30, 300))
def test_wrapping_loses_no_letter(text, width):
    assert "".join("".join(kit.wrap(text, width, 9)).split()) == "".join(text.split())


def test_a_table_continues_over_pages_with_its_heads_repeated():
    columns = (Column("Name", 2), Column("Number", 1))
    rows = table(columns, [(f"Row {number}", str(number)) for number in range(1000)])
    head = Stack((Heading("The table"), TableHead(columns)))
    pages = texts(pdf(Section("Sheet", [Group(rows, head, "The table")])))
    assert len(pages) > 10
    assert all("The table" in page and "Number" in page for page in pages)
    lines = [f"{line} " for page in pages for line in page.split("\n")]
    assert all(any(line.startswith(f"Row {number} ") for line in lines) for number in (0, 999))


def test_what_is_too_large_is_made_smaller_or_refused_before_anything_is_drawn():
    tall = Stack(tuple(TextLine(f"line {number}") for number in range(200)))
    assert [missing(("line 0", "line 199"), page) for page in texts(pdf(section(tall)))] == [[]]
    endless = (TextLine("x") for _ in iter(int, 1))
    with pytest.raises(layout.TooManyPages, match="more than 7 pages"):
        pdf(Section("Sheet", [Group(endless)]), most=7)


def test_title_author_and_bookmarks_are_there_and_fonts_are_embedded():
    group = Group([TextLine(WILD), Heading("bold")], bookmark="Vanguard")
    reader = pypdf.PdfReader(io.BytesIO(pdf(Section("Sheet", [group]))))
    assert (reader.metadata.title, reader.metadata.author) == ("A title", "Armybuilder")
    sheet, (bookmark,) = reader.outline
    assert (sheet.title, bookmark.title) == ("Sheet", "Vanguard")
    own = [font.get_object() for font in fonts_of(reader.pages[0]["/Resources"])]
    own = [font for font in own if "Fira" in font["/BaseFont"]]
    assert own
    assert all("/FontFile2" in font["/FontDescriptor"].get_object() for font in own)


def fonts_of(resources):
    resources = resources.get_object()
    yield from resources.get("/Font", {}).values()
    for form in resources.get("/XObject", {}).values():
        if "/Resources" in form.get_object():
            yield from fonts_of(form.get_object()["/Resources"])
