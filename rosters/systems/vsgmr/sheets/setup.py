"""The set-up of a scenario: the table from above, what to count, and the scales."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from rosters.core.appraisals import RosterState
from rosters.core.messages import Message, _, join
from rosters.core.play import MAX_BOXES
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import (
    BlankLine,
    Block,
    Boxes,
    Column,
    Drawing,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    fill_in_cell,
)
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, THICK, Pen
from rosters.pdf.fonts import BOLD, NARROW, REGULAR
from rosters.pdf.job import Job
from rosters.pdf.layout import ILLEGAL, MASTHEAD, STRIP, Group, Section, frame
from rosters.pdf.text import fit_text
from rosters.systems.vsgmr import play, tables
from rosters.systems.vsgmr.drawing import figure_picture
from rosters.systems.vsgmr.play import ENTRIES, FIVE_ROUNDS, ROUNDS
from rosters.systems.vsgmr.rules import SCENARIOS

TABLE = (72.0, 48.0)
"""The table of the rulebook in inches (section I)."""
COUNT_POINTS = ("basic", "spawning")
"""The scenarios that are won by the points of defeated enemies."""
HITS, MAX_HITS = 2, 5
"""The hits that destroy the fortress if one player assaults it, and the number of its boxes, for more players."""
PAIRS = (Column("", 2.4, face=BOLD), Column("", 9))


PLAN_WIDTHS, MIN_PLAN = (0.98, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.54, 0.48), 92 * MM
"""The width of the drawn table as a share of the page's, and its least width for text of 9 points."""


def set_up(job: Job) -> Iterator[Section]:
    """The scenario of the roster: set-up, victory, end and what to count; and the table of scales.

    The drawn table is as wide as all of it fits on a page, or else the scenario without the scales.
    """
    width, height = frame(job.options.paper)
    room = height - MASTHEAD + STRIP - (ILLEGAL if job.header.illegal else 0)
    before, slug, role, after = _blank_set_up(job) if job.blank else _set_up(job)
    scales = _scales()
    least = 0.0 if job.blank else MIN_PLAN * job.style.body / 9
    shares = [share for share in PLAN_WIDTHS if share * width >= least] or PLAN_WIDTHS[:1]
    pages = [
        Stack((*before, Space(0.6), _table_drawing(slug, role, job, share * width), Space(0.6), *after))
        for share in shares
    ]
    for others in (scales.height(job.style, width), 0.0):
        if fits := next((page for page in pages if page.height(job.style, width) + others <= room), None):
            yield Section(_("Set-up"), [Group([fits]), Group([scales])])
            return
    yield Section(_("Set-up"), [Group(pages[-1].blocks), Group([scales])])


Parts = tuple[tuple[Block, ...], str, str, tuple[Block, ...]]
"""What is above the drawn table, its scenario and the role of the roster in it, and what is below."""


def _set_up(job: Job) -> Parts:
    sides = [RosterState(job.document, job.appraisal)]
    slug = job.document.scenario or play.BASIC
    scenario, role = SCENARIOS[slug], play.roles_of(sides, slug)[0]
    side = scenario.sides.get(role, "")
    assumed = role and job.document.side != role
    title = play.scenario_title(slug)
    remark = _("This roster names no scenario, so the basic game is assumed.")
    text = scenario.text if job.document.scenario else join((scenario.text, remark), " ")
    before = (Heading(title, _("{side} (assumed)").format(side=side) if assumed else side), Paragraph(text))
    goals = [(_("Victory"), text) for _name, text in play.goals(sides, slug, [role])]
    end = (_("End"), tables.SCENARIO_SETUP[slug].ends)
    rows = (*play.table_rows(slug), *play.roster_rows(sides[0], role), *goals, end)
    pairs = (Row(PAIRS, row, 0.95, lines=30) for row in rows)
    return before, slug, role, (*_tracks(slug, role, job.appraisal.quantity), Space(0.3), *pairs)


def _tracks(slug: str, role: str, quantity: int) -> Iterator[Block]:
    """Boxes for what the scenario counts."""
    if slug in FIVE_ROUNDS:
        yield _track(_("Rounds"), "rounds", ROUNDS)
    if slug in COUNT_POINTS:
        label = _("Points defeated")
        yield Row(PAIRS, (label, fill_in_cell("setup.defeated", label)), 0.95, min_lines=2)
    if slug == "escape" and quantity:
        needed = play.to_escape(quantity)
        label = _("Across ({needed} of {total} win)").format(needed=needed, total=quantity)
        yield _track(label, "across", min(needed, MAX_BOXES))
    if slug == "fortress-assault":
        label = _("Hits on the building (destroyed at the bar; one hit later for each further assaulter)")
        yield _track(label, "hits", MAX_HITS, HITS)
    if role == "spawner" and quantity > 1:
        label = _("Entered, of {n} waiting").format(n=quantity - 1)
        yield _track(label, "waiting", min(quantity - 1, MAX_BOXES))


def _track(label: str, name: str, number: int, breaks_at: int | None = None) -> Block:
    names = tuple(f"setup.{name}.{place}" for place in range(number))
    labels = tuple(str(place + 1) for place in range(number))
    tooltip = tuple(join((label, place), " ") for place in labels)
    boxes = Boxes(
        (False,) * number, breaks_at, names, size=1.5 if number <= ROUNDS else 1.0, labels=labels, tooltip=tooltip
    )
    return Row(PAIRS, (label, boxes.cell()), 0.95, lines=3)


def _scales() -> Stack:
    heads = (
        (_("Figures"), 2.3),
        (_("Examples"), 5),
        (_("A space"), 2.6),
        (_("Move unit"), 1.4),
        (_("Short range"), 1.4),
        (_("Long range"), 1.4),
    )
    columns = tuple(
        Column(head, share, "left" if n < 3 else "centre", face=BOLD if n == 0 else REGULAR)
        for n, (head, share) in enumerate(heads)
    )
    own = tuple(column._replace(face=BOLD) for column in columns)
    rows = [
        Row(
            own if scale.move == tables.MOVES["troop"].inches else columns,
            tuple(cell if isinstance(cell, str) else str(cell) for cell in scale),
            0.92,
        )
        for scale in tables.SCALES
    ]
    title = Heading(_("Scales"), _("in spaces"), 1.1)
    return Stack((Space(0.8), title, Paragraph(tables.SCALES_TEXT, 0.92), Space(0.2), TableHead(columns), *rows))


def _blank_set_up(job: Job) -> Parts:
    labels = {
        "scenario": _("Scenario"),
        "side": _("Side"),
        "commander": _("Commander"),
        "enemy": _("Opponent"),
        "how-we-win": _("Victory"),
    }
    lines = (BlankLine(label, f"setup.{name}") for name, label in labels.items())
    return (Heading(_("Set-up")), *lines), "", "", (_track(_("Rounds"), "rounds", ROUNDS),)


# ---------------------------------------------------------------- the table from above


class Plan(NamedTuple):
    """A table seen from above: its lower left corner, the length of an inch in points, and the figures to set up."""

    pen: Pen
    x: float
    y: float
    inch: float
    figures: Sequence[Picture] = ()

    def _place(self, left: float, bottom: float, width: float, height: float) -> tuple[float, float, float, float]:
        return self.x + left * self.inch, self.y + bottom * self.inch, width * self.inch, height * self.inch

    def zone(self, left: float, bottom: float, width: float, height: float, label: str, own: bool = False) -> None:
        """Where figures start: those of this roster in its frame, with their pictures; other sides are dashed."""
        place = self._place(left, bottom, width, height)
        if own:
            self.pen.shade(*place)
            self.pen.frame(*place)
        else:
            self.pen.rect(*place, line=LINE, ink="soft", dash=(4, 3), radius=1.2 * MM)
        pictures = self.figures if own and label else ()
        up = 0.84 if pictures else 0.5
        self.text(
            left + width / 2, bottom + height * up, label, width - 1, face=BOLD if own else REGULAR, plate=not own
        )
        if pictures:
            self._line_up(pictures, left, bottom, width, height)

    def _line_up(self, pictures: Sequence[Picture], left: float, bottom: float, width: float, height: float) -> None:
        """Draw the figures in a row, as many as fit."""
        size = min(height * 0.62, max(width * 0.94 / len(pictures), 2.6))
        shown = pictures[: int(width * 0.94 / size + 0.01)]
        start = left + width / 2 - len(shown) * size / 2
        for number, picture in enumerate(shown):
            x, y, side, _height = self._place(start + number * size, bottom + height * 0.05, size, size)
            self.pen.picture(picture, x + side * 0.04, y + side * 0.95, side * 0.92)

    def text(self, x: float, y: float, label: str, width: float, *, face: str = REGULAR, plate: bool = True) -> None:
        """Text centered on a point, on up to three lines, on a white ground where the squares are."""
        text = fit_text(label, width * self.inch, self.pen.style.small, 3, face)
        left, top = self.x + (x - width / 2) * self.inch, self.y + y * self.inch + text.height / 2
        broad = text.width(face) + 2 * MM
        if plate and text.lines:
            middle = left + width * self.inch / 2
            self.pen.rect(middle - broad / 2, top - text.height, broad, text.height, line=0, fill=0)
        self.pen.lines(left, top, text, width * self.inch, align="centre", face=face)

    def arrow(self, x: float, bottom: float, top: float, *, both: bool = False) -> None:
        """An arrow up the table, or one with two heads."""
        at, low, side, height = self._place(x, bottom, 0.8, top - bottom)
        self.pen.line(at, low, at, low + height)
        for tip, way in ((low + height, -2 * side), *(((low, 2 * side),) if both else ())):
            self.pen.line(at - side, tip + way, at, tip)
            self.pen.line(at + side, tip + way, at, tip)

    def spot(self, x: float, y: float, radius: float) -> None:
        self.pen.circle(self.x + x * self.inch, self.y + y * self.inch, radius * self.inch, fill=0)

    def block(
        self, left: float, bottom: float, width: float, height: float, *, own: bool = False, line: float = LINE
    ) -> None:
        """A building, a piece of terrain, or a zone."""
        self.pen.rect(*self._place(left, bottom, width, height), line=line, fill=PALE if own else 0)


EDGE = 1.7 * MM
"""The width of the edge of the map."""
SQUARE = tables.MOVES["troop"].inches


def _table_drawing(slug: str, role: str, job: Job, table_width: float) -> Drawing:
    """The table of a scenario in squares of a move unit, or an empty one to sketch on."""
    inch = table_width / TABLE[0]
    figures = () if job.blank else tuple(islice(_pictures(job), MAX_PICTURES))

    def paint(pen: Pen, x: float, top: float, width: float) -> None:
        table_height = TABLE[1] * inch
        left, bottom = x + (width - table_width) / 2, top - EDGE - table_height
        for number in range(1, int(TABLE[0]) // SQUARE):
            at = left + number * SQUARE * inch
            pen.line(at, bottom, at, bottom + table_height, HAIR, ink="line")
        for number in range(1, int(TABLE[1]) // SQUARE):
            at = bottom + number * SQUARE * inch
            pen.line(left, at, left + table_width, at, HAIR, ink="line")
        if slug:
            SCENES[slug](Plan(pen, left, bottom, inch, figures), role)
        _draw_edge(pen, left, bottom, table_width, table_height)
        below = _("6 by 4 feet, in squares of {n} inches, a move unit of guys; sketch the terrain").format(n=SQUARE)
        size = pen.style.small
        pen.fit(left, bottom - EDGE - size * 1.3, below, table_width, size, face=NARROW, ink="soft")

    return Drawing(TABLE[1] * inch + 2 * EDGE + job.style.small * 1.6, paint)


def _draw_edge(pen: Pen, left: float, bottom: float, width: float, height: float) -> None:
    """Draw the edge of the map around a table, a field of it for each square."""
    step = SQUARE * width / TABLE[0]
    for low in (bottom - EDGE, bottom + height):
        pen.zebra(left, low, width, EDGE, step)
    for x in (left - EDGE, left + width):
        with pen.transformed(x + EDGE, bottom, rotation=90):
            pen.zebra(0, 0, height, EDGE, step)


MAX_PICTURES = 40


def _pictures(job: Job) -> Iterator[Picture]:
    """A picture for each figure to print."""
    for _number, formation, _priced in job.formations():
        for element in formation.elements:
            yield from (figure_picture(element, small=True) for _figure in range(min(element.quantity, MAX_PICTURES)))


def _label(role: str, own: str, position: str) -> Message:
    """The label of a zone: whose it is, and the position of the figures."""
    text = _("{side} (this roster): {position}") if role == own else _("{side}: {position}")
    return text.format(side=tables.SIDE_NAMES[role], position=position)


def _edges(plan: Plan, own: str) -> None:
    """Rosters along opposite sides of the table."""
    plan.zone(0, 0, 72, 8, _("This roster, along one side"), own=True)
    plan.zone(0, 40, 72, 8, _("Another roster"))
    plan.arrow(12, 8.5, 39.5, both=True)
    plan.text(21.5, 24, _("at least 2 move units from figures of other players"), 17)


def _escape(plan: Plan, own: str) -> None:
    _edges(plan, own)
    plan.arrow(60, 8.5, 47.5, both=True)
    plan.text(49.5, 24, _("each roster to the opposite edge, with more than half of its original figures"), 17)


def _transport(plan: Plan, own: str) -> None:
    _edges(plan, own)
    plan.spot(36, 24, 2)
    plan.text(43, 24, _("Object"), 8, face=BOLD)
    plan.arrow(60, 8.5, 39.5, both=True)
    plan.text(53, 24, _("and back"), 10)


def _spawning(plan: Plan, own: str) -> None:
    infiltrators = _label("infiltrator", own, _("all figures"))
    spawners = _label("spawner", own, _("one figure, the others by die roll"))
    plan.zone(0, 0, 72, 8, infiltrators, own == "infiltrator")
    plan.zone(0, 40, 72, 8, spawners, own == "spawner")
    for x, y, radius, label in ENTRIES:
        plan.spot(x, y, radius)
        plan.text(x, y, label, 4, face=BOLD, plate=False)
    plan.text(36, 24, _("5: a side of the spawner’s choice. 6: no figure enters."), 30)


def _ambush(plan: Plan, own: str) -> None:
    targets = _label("target", own, _("in the open, each within 1 move unit of another"))
    plan.zone(20, 17, 32, 14, targets, own == "target")
    for x, y in ((6, 8), (8, 36), (60, 6), (61, 37), (4, 22), (62, 22), (34, 4)):
        plan.block(x, y, 6, 3.2, own=own == "ambusher")
    ambushers = _label("ambusher", own, _("behind terrain and buildings, covered as much as possible"))
    plan.text(36, 40, ambushers, 34, face=BOLD if own == "ambusher" else REGULAR)


def _fortress(plan: Plan, own: str) -> None:
    plan.zone(23, 15, 26, 18, "", own == "defender")
    plan.block(28, 19, 16, 10, line=THICK)
    plan.text(36, 24, _("Building"), 14, face=BOLD)
    defenders = _label("defender", own, _("within half a move unit"))
    plan.text(36, 31, defenders, 25, face=BOLD if own == "defender" else REGULAR, plate=own != "defender")
    assaulters = _label("assaulter", own, _("2 move units away from the building, on any side"))
    plan.zone(0, 0, 72, 5, assaulters, own == "assaulter")
    plan.arrow(36, 5.5, 18.6, both=True)
    plan.text(42.5, 10, _("2 move units"), 11)


SCENES: Mapping[str, Callable[[Plan, str], None]] = {
    "basic": _edges,
    "escape": _escape,
    "transport": _transport,
    "spawning": _spawning,
    "ambush": _ambush,
    "fortress-assault": _fortress,
}
"""The drawing of each scenario (section VIII). The spawner sits at the upper edge."""
