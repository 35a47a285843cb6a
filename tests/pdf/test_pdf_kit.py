"""The PDF kit: fonts for every script, words that fit, pages that hold everything."""

import io

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.pdf import fonts, layout
from rosters.pdf import text as kit
from rosters.pdf.blocks import Column, Drawing, Heading, NoteLines, Stack, TableHead, TextLine, table
from rosters.pdf.canvas import Style
from rosters.pdf.layout import Part
from rosters.pdf.pages import Metadata, render
from rosters.pdf.sections import PAPERS, Grid, Group, Header, Section
from tests.paper import texts
from tests.support import missing

STYLE = Style()
HEADER = Header("Łódź", "A game", "2026-11-21", "http://localhost/s/abc", ("too many points",))
WILD = "Łódź Übermacht Ωμέγα Живот ﬁ ẞ ộ"


def pdf(*pieces, style=STYLE, paper="a4", header=HEADER, most=0):
    made = layout.pages([Part(header, pieces)], PAPERS[paper], style, most)
    return render(made, style, Metadata("A title"))


def section(*blocks, **more):
    return Section("Sheet", [Group(list(blocks))], **more)


@given(
    st.text(min_size=1, max_size=200),
    st.floats(20, 400),
    st.floats(5, 30),
    st.integers(1, 4),
    st.sampled_from(sorted(fonts.FACES)),
)
def test_words_never_leave_their_width_or_their_lines(text, width, size, lines, face):
    made = kit.fit_text(text, width, size, lines, face)
    assert len(made.lines) <= lines
    widest = max((fonts.ems(line, face) * made.size for line in made.lines), default=0)
    alone = max(fonts.ems(kit.ELLIPSIS, face), *(fonts.ems(c, face) for c in text)) * made.size
    assert widest <= max(width + 0.01, alone)
    assert made.size >= size * (0.5 if lines == 1 else 0.7) - 1e-9


@given(st.text(alphabet="abc déż  Ω", max_size=300), st.floats(30, 300))
def test_wrapping_loses_no_letter(text, width):
    assert "".join("".join(kit.wrap(text, width, 9)).split()) == "".join(text.split())


def test_a_name_is_set_in_one_face_shrinks_first_then_wraps_but_not_before_a_unit_then_ends_with_an_ellipsis():
    for face in (fonts.REGULAR, fonts.NARROW_BOLD):
        assert [fonts.runs(name, face) for name in WILD.split()] == [((face, name),) for name in WILD.split()]
    assert fonts.runs("a\nb\u200bc\u200dd")[0][1] == "a bcd"
    name, size = "Wellington's heavy brigade", 10
    natural = fonts.ems(name) * size
    assert kit.fit_text(name, natural, size) == ((name,), size)
    shrunk = kit.fit_text(name, natural * 0.8, size)
    assert (shrunk.lines, shrunk.size) == ((name,), pytest.approx(8))
    wrapped = kit.fit_text(name, natural * 0.6, size, lines=2)
    assert (len(wrapped.lines), " ".join(wrapped.lines), wrapped.size) == (2, name, size)
    short = kit.fit_text(name, natural * 0.2, size)
    assert (short.lines[0][-1], short.size) == (kit.ELLIPSIS, max(size * kit.MIN_SCALE, kit.MIN_SIZE))
    narrow = fonts.ems("Cover −15") * 9
    assert [*kit.wrap("Cover −15\xa0% more", narrow, 9)] == ["Cover", "−15\xa0%", "more"]
    assert [*kit.wrap("−15\xa0% more", fonts.ems("more") * 9, 9)] == ["−15", "%", "more"]


def test_a_table_continues_over_pages_with_its_heads_repeated_and_ends_on_two_of_one_height():
    columns = (Column("Name", 2), Column("Number", 1))
    rows = table(columns, [(f"Row {number}", str(number)) for number in range(1000)])
    head = Stack((Heading("The table"), TableHead(columns)))
    pages = texts(pdf(Section("Sheet", [Group(rows, head, "The table")])))
    assert len(pages) > 10
    assert all("The table" in page and "Number" in page for page in pages)
    before, last = (page.count("Row ") for page in pages[-2:])
    assert 0.8 * before < last <= before
    lines = [f"{line} " for page in pages for line in page.split("\n")]
    assert all(any(line.startswith(f"Row {number} ") for line in lines) for number in (0, 999))


def test_a_section_shares_a_page_if_all_of_it_fits_and_what_is_too_large_is_made_smaller_or_refused():
    tall = Stack(tuple(TextLine(f"line {number}") for number in range(200)))
    assert [missing(("line 0", "line 199"), page) for page in texts(pdf(section(tall)))] == [[]]
    endless = (TextLine("x") for _ in range(5000))
    with pytest.raises(layout.TooManyPages, match="more than 7 pages"):
        pdf(Section("Sheet", [Group(endless)]), most=7)
    for lines, pages, rest in ((33, 1, False), (45, 2, True)):
        whole = Section("Second", [Group([TextLine(f"line {number}") for number in range(lines)])], keep_together=True)
        cover = Section("First", [Group([TextLine("cover")] * 25)], rest=NoteLines)
        first, *others = texts(pdf(cover, whole))
        assert ("NOTES" in first, "line 0" in first, len(others) + 1) == (rest, not rest, pages)
    for lines, places in ((20, [False, True]), (50, [True, False]), (90, [False, False, True])):
        body = [Group([TextLine(f"line {number}") for number in range(lines)])]
        foot = Section("Foot", [Group([TextLine("foot")] * 25)], keep_together=True)
        cover = Section("First", [Group([TextLine("cover")] * 25)])
        pages = texts(pdf(cover, Section("Second", body, keep_together=True, foot=foot)))
        assert ["foot" in page for page in pages] == places


def test_a_pdf_has_its_metadata_and_bookmarks_and_names_no_font_that_is_not_in_it():
    group = Group([TextLine(WILD), TextLine("\u05e9\u05dc\u05d5\u05dd"), Heading("bold")], bookmark="Vanguard")
    card = Grid("Cards", [("", Stack((TextLine("a"),)))], cell=(100, 150), cut=True)
    for style in (STYLE, Style(fillable=True), Style(colour=False)):
        made = layout.pages([Part(HEADER, [Section("Sheet", [group]), card])], PAPERS["a4"], style)
        reader = pypdf.PdfReader(io.BytesIO(render(made, style, Metadata("A title"))))
        assert (reader.metadata.title, reader.metadata.author) == ("A title", "Armybuilder")
        (sheet, (bookmark,), _cards), root = reader.outline, reader.trailer["/Root"]
        assert (sheet.title, bookmark.title) == ("Sheet", "Vanguard")
        assert (root["/Lang"], root["/ViewerPreferences"]["/PrintScaling"]) == ("en", "/None")
        every = [each for number in range(1, reader.trailer["/Size"]) if (each := _font_at(reader, number))]
        assert every
        assert all("/FontFile2" in font["/FontDescriptor"] for font in every)
        assert reader.pages[1]["/TrimBox"][2] - reader.pages[1]["/TrimBox"][0] == pytest.approx(100, abs=0.01)
    second = pypdf.PdfReader(io.BytesIO(render(made, STYLE, Metadata("A title"), first=1)))
    assert second.page_labels == ["2"]


def _font_at(reader, number):
    """The object of this number, if it is a font that draws."""
    found = reader.get_object(number)
    return (
        found if isinstance(found, dict) and found.get("/Type") == "/Font" and found["/Subtype"] != "/Type0" else None
    )


def test_a_drawing_that_repeats_sets_its_own_color_and_width():
    """What is written once for a whole page is not known where the drawing is referred to from another one."""

    def paint(pen, x, top, width):
        pen.line(0, 0, 9, 9, 1)
        pen.draw_cached("line", x, top, lambda: pen.line(0, 0, 9, 9, 1))

    page = pypdf.PdfReader(io.BytesIO(pdf(section(Drawing(9, paint))))).pages[0]
    drawn = [form.get_object().get_data() for form in page["/Resources"]["/XObject"].values()]
    assert any(b"1.000 w" in code and b" RG" in code and b"9.000 l S" in code for code in drawn)
