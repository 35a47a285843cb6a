"""What sheets are made of: papers, sections and grids of blocks, and the pages on which these are laid out.

Lengths in points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from rosters.core.messages import _
from rosters.drawing.primitives import Picture
from rosters.pdf.canvas import MM, Block, Pen, Style


class Paper(NamedTuple):
    """A size of paper, upright."""

    name: str
    width: float
    height: float


PAPERS: Mapping[str, Paper] = {
    "a4": Paper("A4", 210 * MM, 297 * MM),
    "letter": Paper(_("Letter"), 215.9 * MM, 279.4 * MM),
    "a5": Paper(_("Half sheet (A5)"), 148 * MM, 210 * MM),
    "half-letter": Paper(_("Half sheet (half Letter)"), 139.7 * MM, 215.9 * MM),
}
MARGIN = 9 * MM
CUT_MARGIN = 6.35 * MM
"""The margin of sheets to cut: a quarter of an inch, which home printers leave."""
CUT_FOOT = 7 * MM
"""Where the footer of a sheet to cut is written, from the lower edge."""
CREST = 12.4 * MM, 15.5 * MM
"""Width and height of the crest in a masthead."""
MASTHEAD, STRIP, FOOTER = 19.5 * MM, 9 * MM, 5.5 * MM
"""Heights of the masthead of a first page, of that of the pages after it, and of the footer, each with its gap."""
ILLEGAL = 3.6 * MM
"""More height for the reasons why a roster is not legal."""
COLUMN_GAP = 5 * MM
SECTION_GAP = 4 * MM
FILLING = (0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3)
"""The sizes of print, as multiples of the usual one, of tables that fill their pages."""


class Header(NamedTuple):
    """What a roster's pages say of it; an ``address`` of "" leaves out the QR code.

    ``badges`` are labels with numbers; ``seat`` is the side, from 0; ``prefix`` makes the names of form fields unique
    when one PDF has several rosters.
    """

    name: str
    game: str
    changed: str = ""
    address: str = ""
    illegal: tuple[str, ...] = ()
    prefix: str = ""
    crest: Picture | None = None
    badges: tuple[tuple[str, str], ...] = ()
    source: str = ""
    """Title and author of the rulebook."""
    seat: int = 0


class Group(NamedTuple):
    """Blocks that follow one another; ``head``, or one as high for a group ``continued``, is at the top of each column.

    A group that ``continues`` the one before it has its head only there.
    """

    blocks: Iterable[Block]
    head: Block | None = None
    bookmark: str = ""
    continues: bool = False
    continued: Block | None = None


class Section(NamedTuple):
    """Groups in columns. A section follows another on its page; ``new_page`` begins one; one to ``keep_together``
    does unless all of it fits below the other.

    ``bare`` pages have no masthead: their blocks name the roster themselves. A section with a ``masthead`` begins a
    page with it instead of the usual one. Its ``head`` is above its columns. ``note`` is at the foot of its pages.
    A section that ``fills`` its pages is printed in the largest of these sizes that takes the fewest pages. ``rest``
    is what is printed in the height that nothing else takes of its last page. ``foot`` is printed after it, or on the
    page before it if that takes a page less; pages without it have the ``reminder`` at their foot.
    """

    title: str
    groups: Iterable[Group]
    columns: int = 1
    landscape: bool = False
    new_page: bool = False
    bare: bool = False
    note: str = ""
    masthead: Block | None = None
    head: Block | None = None
    fills: Sequence[float] = ()
    keep_together: bool = False
    rest: Callable[[float], Block] | None = None
    foot: Section | None = None
    reminder: Block | None = None


class Grid(NamedTuple):
    """Blocks of one fixed size, as many on a page as fit: cards, counters, records. Its pages have no masthead.

    ``cell`` is width and height in points; ``share`` instead divides a page into columns and rows. A
    ``bookmark`` of a block refers to its page. Grids to ``cut`` use all that printers reach, have their footer in the
    margin, and say how many places of the last page are free.

    ``spare`` are printed on the places of the last page that are left; ``then``, a grid of another size, begins in the
    rows that are left.

    After each page of `TwoSided` blocks is one of their backs, if the paper is turned over one of its edges.
    ``marks`` draws what to cut along, for the places that are used, over each page.
    """

    title: str
    blocks: Iterable[tuple[str, Block]]
    cell: tuple[float, float] = (0.0, 0.0)
    share: tuple[int, int] = (1, 1)
    gap: float = 0.0
    cut: bool = False
    note: str = ""
    turn: Literal["", "long", "short"] = ""
    marks: Callable[[Pen, Page, Sequence[PlacedBlock]], None] | None = None
    spare: Iterable[Block] = ()
    then: Grid | None = None


class PlacedBlock(NamedTuple):
    """A block at its place on a page."""

    block: Block
    x: float
    top: float
    width: float
    scale: float = 1.0
    style: Style | None = None
    """The style of a block that is not in that of the print."""


class Page(NamedTuple):
    """A page with its blocks laid out; ``top`` is its masthead's height, ``full`` whether that is the large one."""

    width: float
    height: float
    header: Header
    title: str
    top: float
    full: bool
    blocks: list[PlacedBlock]
    bookmarks: list[tuple[str, int]]
    """Titles with their levels, from 0."""
    cut: bool = False
    note: str = ""
    foot: float = MARGIN
    """Where the footer is written, from the lower edge; 0: up the left side."""
    marks: Callable[[Pen, Page, Sequence[PlacedBlock]], None] | None = None
    masthead: Block | None = None
    under: float = 0.0
    """The height of what is at the foot of the page, above the footer."""

    @property
    def area(self) -> Area:
        """What its margins, its masthead and its footer leave."""
        margin, foot = (CUT_MARGIN, 0.0) if self.cut else (MARGIN, FOOTER)
        height = self.height - 2 * margin - self.top - foot - self.under
        return Area(margin, self.height - margin - self.top, self.width - 2 * margin, height)


class Area(NamedTuple):
    """A rectangle for blocks: left, top, width and height."""

    x: float
    top: float
    width: float
    height: float

    def columns(self, number: int, gap: float = COLUMN_GAP) -> Iterator[Area]:
        """Columns side by side, of one width."""
        width = (self.width - gap * (number - 1)) / number
        return (self._replace(x=self.x + column * (width + gap), width=width) for column in range(number))


def frame(paper: str, *, landscape: bool = False, bare: bool = False) -> tuple[float, float]:
    """Width and height of a page without its margins, its masthead (``bare`` pages have none) and its footer."""
    area = empty_page(PAPERS[paper], Header("", ""), landscape=landscape, top=0 if bare else STRIP).area
    return area.width, area.height


def empty_page(
    paper: Paper, header: Header, *, landscape: bool = False, top: float = 0, full: bool = False, cut: bool = False
) -> Page:
    """A page without blocks, whose masthead has the height ``top``."""
    width, height = (paper.height, paper.width) if landscape else (paper.width, paper.height)
    return Page(width, height, header, "", top, full, [], [], cut)
