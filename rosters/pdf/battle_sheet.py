"""The cover of a battle: the sides, the table from above with their counters, turns, losses, and the briefing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil, sqrt
from typing import NamedTuple
from zlib import crc32

from rosters.core.appraisals import RosterState
from rosters.core.messages import _, join
from rosters.core.play import TablePlan, Zone, roster_names
from rosters.drawing.counter import FRACTION_BAR
from rosters.drawing.primitives import Picture, Text
from rosters.drawing.terrain import LAYOUTS, Terrain, building, swatch, terrain
from rosters.pdf.blocks import Drawing, Space
from rosters.pdf.canvas import BOX, HAIR, LINE, MM, THICK, Block, Pen, Style, legible
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Choice, Job
from rosters.pdf.panels import panel_group
from rosters.pdf.sections import COLUMN_GAP, SECTION_GAP, Group, Section, frame
from rosters.pdf.text import LEADING, fill_text, fit_one_or_two, fit_text

COVER = 34 * MM
MIN_PLAN, TEXTS = 105 * MM, 48 * MM
"""The least height of the table if all of the briefing is below it, and the least of what is there otherwise."""
EDGE, NUMBERS = 1.8 * MM, 4 * MM
"""The breadth of the frame around the table, and of the numbers beside it."""
TILE_RATIO = 32 / 46
STRIP = 5 * MM
"""The height of the label of a zone above or below its counters."""
LABELED, LOWEST, BELOW = 40 * MM, 11 * MM, 20 * MM
"""Zones that are narrower or lower have no label; lower than the last they have it beside their counters."""
BESIDE = 0.3
"""The width of a label beside counters, as a share of that of the zone."""
HEAD = 1.4 * MM
"""Half the breadth of the head of an arrow."""
MAX_BOXES = 60
CHOICES: Mapping[str, Choice] = {
    "terrain": Choice(
        _("Battle terrain"),
        {
            "rosters": _("Layout for these rosters"),
            **{str(n): _("Layout {n}").format(n=n) for n in range(1, len(LAYOUTS) + 1)},
            "none": _("Empty, to draw in"),
        },
        ("battle",),
    )
}
SWATCH, KEY_SIZE = (7 * MM, 4.4 * MM), 8.0
"""The size of the pictures in the key of terrain, and of its words."""
KEY_LINE, KEY_GAP = 5.4, 1.6 * MM
WRITTEN = 16 * MM
"""The line for a length that the players agree on."""


TEXT_COLUMNS = 2


@contextmanager
def seated(pen: Pen, seat: int) -> Iterator[None]:
    """Draw in the colors of a side."""
    before, pen.number = pen.number, seat
    yield
    pen.number = before


def battle(jobs: Sequence[Job], *, turn: bool = True) -> Iterator[Section]:
    """The cover of a battle, then what else its briefing says, and the ``turn``."""
    states = [RosterState(job.document, job.appraisal, job.appraised) for job in jobs]
    first = jobs[0]
    plan, names = first.play.plan(states), roster_names(states)
    panels = (*first.play.briefing(states), *((plan.turn,) if turn else ()))
    texts = [panel_group(panel) for panel in panels if panel.title not in first.printed_panels]
    width, available = frame(first.options.paper, bare=True)
    below = [_turns(plan, names, first.style), Space(0.5), *_losses(jobs, names, plan), _victory(names, width)]
    column = (width - (TEXT_COLUMNS - 1) * COLUMN_GAP) / TEXT_COLUMNS
    heights = [_height(group, first.style, column) for group in texts]
    available -= COVER + sum(block.height(first.style, width) for block in below)
    height = available - _in_two_columns(heights) - 12 * MM
    if height < min(MIN_PLAN, available * 0.6):  # the briefing continues on the next page, so that the table is large
        some = max(TEXTS, heights[0] + 2 * SECTION_GAP)
        height = available - some if some <= available - MIN_PLAN else available
    table = table_of(jobs, plan, max(height, available * 0.4))
    masthead = _Masthead(tuple(jobs), names)
    yield Section(_("Battle"), [Group([table, *below])], masthead=masthead)
    yield Section(_("Battle"), texts, columns=TEXT_COLUMNS)


def table_of(jobs: Sequence[Job], plan: TablePlan, available: float) -> Block:
    """The table with the counters of these rosters in their zones, as large as its height and width allow."""
    names = roster_names([RosterState(job.document, job.appraisal, job.appraised) for job in jobs])
    counters = tuple(tuple(_counters(job)) for job in jobs)
    return _Table(plan, tuple(names), counters, _terrain_of(plan, names, jobs[0]), available)


def _terrain_of(plan: TablePlan, names: Sequence[str], job: Job) -> tuple[int, Terrain] | None:
    """The layout that is chosen, by its number from 1, else one by the names of the rosters; None to sketch on.

    It leaves the zones of the sides and the places of the scenario free.
    """
    choice = job.choice("terrain", "rosters")
    if job.blank or not plan.terrain or choice == "none":
        return None
    number = int(choice) if choice.isdigit() else crc32("\n".join(names).encode()) % len(LAYOUTS) + 1
    boxes = [(zone.x, zone.y, zone.x + zone.width, zone.y + zone.height) for zone in plan.zones]
    boxes += [(s.x - s.radius, s.y - s.radius, s.x + s.radius, s.y + s.radius) for s in plan.spots]
    clear = [
        (left / plan.step, (plan.height - high) / plan.step, right / plan.step, (plan.height - low) / plan.step)
        for left, low, right, high in boxes
    ]
    fields = round(plan.width / plan.step), round(plan.height / plan.step)
    return number, terrain(number - 1, fields, plan.terrain, clear)


def _in_two_columns(heights: Sequence[float]) -> float:
    """The least height of two columns that hold these heights in order."""
    return min(max(sum(heights[:n]), sum(heights[n:])) for n in range(len(heights) + 1))


def _height(group: Group, style: Style, width: float) -> float:
    head = group.head.height(style, width) if group.head else 0
    return head + sum(block.height(style, width) for block in group.blocks)


def _counters(job: Job) -> Iterator[tuple[Picture, int]]:
    """The counter of each element, and how many there are."""
    for formation in job.document.formations:
        for element in formation.elements:
            if element.quantity:
                yield job.counter(element, large=False), element.quantity


# ---------------------------------------------------------------- the sides


class _Masthead(NamedTuple):
    """Crest, name and total of each side, below the edge of a map."""

    jobs: tuple[Job, ...]
    names: tuple[str, ...]

    def height(self, style: Style, width: float) -> float:
        return COVER

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.zebra(x, top - 1.5 * MM, width)
        share = width / len(self.jobs)
        two = len(self.jobs) == 2
        for seat, (job, name) in enumerate(zip(self.jobs, self.names, strict=True)):
            with seated(pen, seat):
                self._draw_side(pen, x + seat * share, top, share, job, name, right=two and seat == 1)
        if two:
            pen.text(x + width / 2, top - 29 * MM, _("against"), 12, face=NAME, align="centre", ink="soft")

    def _draw_side(self, pen: Pen, x: float, top: float, width: float, job: Job, name: str, *, right: bool) -> None:
        crest = min(20.8 * MM, width * 0.28)
        if job.header.crest:
            pen.picture(job.header.crest, x + (width - crest if right else 0), top - 4 * MM, crest)
        available = width - crest - 6 * MM
        left = x + (2 * MM if right else crest + 4 * MM)
        align = "right" if right else "left"
        edge = left + available if right else left
        text = fill_text(name, available, 8 * MM, 19, NAME)
        for number, line in enumerate(reversed(text.lines)):
            at = top - 11 * MM + number * text.size * LEADING
            pen.text(edge, at, line, text.size, face=NAME, align=align)
        about = join(filter(None, (job.words.count_elements(job.appraisal.quantity), job.scenario)), " · ")
        facts = fit_one_or_two(about, available, 9, NARROW)
        high = top - 12.6 * MM + (len(facts.lines) - 1) * 0.6 * MM
        pen.lines(left, high, facts, available, face=NARROW, align=align, ink="soft")
        total, unit = job.amount(job.appraisal.points), job.points
        if not total:
            total, unit = str(job.appraisal.quantity), job.words.nouns.elements
        pen.text(edge, top - 27.5 * MM, total, 30, face=NAME, align=align, ink="side")
        beyond = (ems(total, NAME) * 30 + 1.6 * MM) * (-1 if right else 1)
        pen.text(edge + beyond, top - 27.5 * MM, unit, 9, face=NARROW, align=align, ink="soft")


# ---------------------------------------------------------------- the table


ARTICLES = ("a ", "an ", "the ")


def _initial(name: str) -> str:
    """The first letter of a name, without its article."""
    article = next((each for each in ARTICLES if name.lower().startswith(each)), "")
    return name[len(article) :][:1].upper()


class _Table(NamedTuple):
    """The table from above, to scale, with the zones of the sides and their counters."""

    plan: TablePlan
    names: tuple[str, ...]
    counters: tuple[tuple[tuple[Picture, int], ...], ...]
    terrain: tuple[int, Terrain] | None
    available: float

    def _scale(self, style: Style, width: float) -> float:
        """The length of a unit in points."""
        by_width = (width - 2 * (EDGE + NUMBERS)) / self.plan.width
        return min(by_width, (self.available - self._around(style, width)) / self.plan.height)

    def _around(self, style: Style, width: float) -> float:
        """The height of all but the table."""
        rows = sum(1 for _row in self._key_rows(style, width))
        return 2 * EDGE + NUMBERS + 6 * style.unit + (rows * KEY_LINE * style.unit + KEY_GAP if rows else 0)

    def height(self, style: Style, width: float) -> float:
        return self.plan.height * self._scale(style, width) + self._around(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, plan, size = self._scale(pen.style, width), self.plan, pen.style.sized(8.5)
        map_width, map_height = plan.width * unit, plan.height * unit
        left, bottom = x + (width - map_width) / 2, top - EDGE - map_height
        for zone in (zone for zone in plan.zones if zone.seats):
            with seated(pen, zone.seats[0]):
                pen.shade(left + zone.x * unit, bottom + zone.y * unit, zone.width * unit, zone.height * unit)
        if self.terrain:
            pen.picture(self.terrain[1].picture(plan.step * unit), left, bottom + map_height, map_width)
        self._draw_grid(pen, left, bottom, unit)
        if plan.building:
            x_in, low, wide, high = (length * unit for length in plan.building)
            pen.picture(building(wide, high), left + x_in, bottom + low + high, wide)
        for spot in plan.spots:
            place = left + spot.x * unit, bottom + spot.y * unit
            pen.circle(*place, spot.radius * unit, line=LINE, fill=0, ink="ink")
            pen.text(place[0], place[1] - 2.5, spot.label, 7.5, face=NARROW_BOLD, align="centre")
        for zone in plan.zones:
            self._draw_zone(pen, zone, left, bottom, unit)
        for arrow in plan.arrows:
            edges = (zone.x + zone.width for zone in plan.zones if zone.x + zone.width <= arrow.x)
            available = 2 * min(arrow.x - max(edges, default=0), plan.width - arrow.x) * unit
            _draw_arrow(pen, left + arrow.x * unit, bottom + arrow.low * unit, bottom + arrow.high * unit)
            _draw_plate(
                pen, left + arrow.x * unit, bottom + (arrow.low + arrow.high) / 2 * unit, available, arrow.label
            )
        _map_edge(pen, left, bottom, map_width, map_height, plan.step * unit)
        y = bottom - EDGE - NUMBERS - 2.2 * pen.style.unit
        beside = ems(plan.scale[1], NARROW) * pen.style.sized(8) + (plan.scale[0] * unit or WRITTEN) + 4 * MM
        caption, start, end = self._caption(), left, left + map_width
        if ems(caption, NARROW) * size > map_width - beside:
            start, end = x, x + width
        pen.fit(start, y, caption, end - beside - start, size, face=NARROW, ink="soft")
        self._draw_scale(pen, end, y, unit)
        if self.terrain:
            self._draw_key(pen, x, y - KEY_GAP, width)

    def _caption(self) -> str:
        if not self.plan.terrain:
            return self.plan.caption
        remark = _("Sketch the terrain.")
        if self.terrain:
            remark = _("Terrain: layout {n} of {total}, or your own.").format(n=self.terrain[0], total=len(LAYOUTS))
        return join((self.plan.caption, remark), " ")

    def _key_rows(self, style: Style, width: float) -> Iterator[list[tuple[str, float]]]:
        """The kinds of terrain with the width that each one's words take, in rows."""
        available, row, size = width, list[tuple[str, float]](), style.sized(KEY_SIZE)
        for kind in self.terrain[1].kinds if self.terrain else ():
            words = min(ems(self.plan.terrain[kind], NARROW) * size, width - SWATCH[0] - KEY_GAP)
            needed = words + SWATCH[0] + 3 * KEY_GAP
            if row and needed > available + 2 * KEY_GAP:
                yield row
                available, row = width, []
            available -= needed
            row.append((kind, words))
        if row:
            yield row

    def _draw_key(self, pen: Pen, x: float, top: float, width: float) -> None:
        """Draw each kind of terrain with its name and effect."""
        size, unit = pen.style.sized(KEY_SIZE), pen.style.unit
        for row in self._key_rows(pen.style, width):
            left = x
            for kind, words in row:
                pen.picture(swatch(kind, *SWATCH), left, top - 0.5 * unit, SWATCH[0])
                left += SWATCH[0] + KEY_GAP
                pen.fit(left, top - 3.6 * unit, self.plan.terrain[kind], words + 0.1, size, face=NARROW)
                left += words + 2 * KEY_GAP
            top -= KEY_LINE * unit

    def _draw_scale(self, pen: Pen, right: float, y: float, unit: float) -> None:
        """Draw a length to measure by, with its name; without a length, a line to write it on."""
        length, text = self.plan.scale
        size = pen.style.sized(8)
        long = length * unit if length else WRITTEN
        if not length:
            pen.line(right - long, y, right, y, HAIR)
            pen.field("scale", right - long, y, long, 4.4 * MM, tooltip=text)
            pen.text(right - long - 1.5 * MM, y, text, size, face=NARROW, align="right", ink="soft")
            return
        pen.line(right - long, y + 1, right, y + 1, 1.4)
        for part in (0, 0.5, 1):
            pen.line(right - part * long, y + 1, right - part * long, y + 3.4, LINE)
        pen.text(right - long - 1.5 * MM, y, text, size, face=NARROW, align="right", ink="soft")

    def _draw_grid(self, pen: Pen, left: float, bottom: float, unit: float) -> None:
        plan, step = self.plan, self.plan.step
        if plan.hexes:
            _draw_hexes(pen, left, bottom, plan.width * unit, plan.height * unit, unit)
            return
        columns, rows = round(plan.width / step), round(plan.height / step)
        for number in range(1, columns):
            at = left + number * step * unit
            pen.line(at, bottom, at, bottom + plan.height * unit, HAIR * 0.7, ink="line")
        for number in range(1, rows):
            at = bottom + number * step * unit
            pen.line(left, at, left + plan.width * unit, at, HAIR * 0.7, ink="line")
        if not plan.numbered:
            return
        for number in range(columns):
            letter = chr(ord("A") + number % 26)
            at = left + (number + 0.5) * step * unit
            pen.text(at, bottom - EDGE - 3.2 * MM, letter, 7, face=NARROW, align="centre", ink="soft")
        for number in range(rows):
            at = bottom + plan.height * unit - (number + 0.5) * step * unit - 2.4
            pen.text(left - EDGE - 1 * MM, at, str(number + 1), 7, face=NARROW, align="right", ink="soft")

    def _draw_zone(self, pen: Pen, zone: Zone, left: float, bottom: float, unit: float) -> None:
        """Draw the frame of a zone, its label, and the counters of those who set up in it."""
        x, y = left + zone.x * unit, bottom + zone.y * unit
        width, height = zone.width * unit, zone.height * unit
        label = self._label(zone)
        if not zone.seats:
            pen.rect(x, y, width, height, line=LINE, ink="soft", dash=(4, 3))
            if label:
                _draw_plate(pen, x + width / 2, y + height / 2, width - 4 * MM, label)
            return
        with seated(pen, zone.seats[0]):
            pen.rect(x, y, width, height, line=THICK, ink="side", dash=(3, 2) if zone.agreed else ())
            if pen.seat.double and not zone.agreed:
                pen.rect(x + 0.9 * MM, y + 0.9 * MM, width - 1.8 * MM, height - 1.8 * MM, line=HAIR, ink="side")
        size, low = pen.style.sized(8.5), y + 1 * MM
        counters = x + 2 * MM, low, width - 4 * MM, height - 3 * MM
        if width > LABELED and height > LOWEST:
            if height < BELOW:  # beside the counters
                available = width * BESIDE
                text = fill_text(label, available - 2 * MM, height - 4 * MM, size, NARROW_BOLD)
                high = text.height + 2.4 * MM
                place = x + 2 * MM, y + (height - high) / 2, available, high
                counters = x + available + 3 * MM, low, width - available - 5 * MM, height - 2 * MM
            else:
                available = min(ems(label, NARROW_BOLD) * size + 6 * MM, width - 4 * MM)
                text = fit_text(label, available - 2 * MM, size, 1, NARROW_BOLD)
                above, strip, counters = self._above(zone, x, y, unit, STRIP * size / 8.5)
                place = x + (width - available) / 2, above, available, strip
            with seated(pen, zone.seats[0]):
                pen.rect(*place, fill=0, ink="side", radius=0.6 * MM)
                pen.lines(
                    place[0], place[1] + (place[3] + text.height) / 2, text, available, align="centre",
                    face=NARROW_BOLD, ink="deep",
                )  # fmt: skip
        self._draw_counters(pen, zone.seats, *counters)

    def _label(self, zone: Zone) -> str:
        """Who sets up in a zone."""
        names = join((self.names[each] for each in zone.seats), ", ") or zone.other
        if zone.label:
            return zone.label.format(names=names)
        return _("{names} set up here").format(names=names) if zone.seats else names

    def _above(
        self, zone: Zone, x: float, y: float, unit: float, strip: float
    ) -> tuple[float, float, tuple[float, float, float, float]]:
        """Where the label of a high zone begins and how high it is, and the place of the counters: on the side of the
        label that is nearer to the middle of the table, or on the other side of the building.
        """
        width, height = zone.width * unit, zone.height * unit
        if (fort := self.plan.building) and zone.y < fort[1] < zone.y + zone.height:
            margin, low = (fort[1] - zone.y) * unit, (fort[1] + fort[3] - zone.y) * unit
            strip = min(strip, margin - 1 * MM)
            return y + (margin - strip) / 2, strip, (x + 2 * MM, y + low, width - 4 * MM, height - low)
        lower = zone.y * 2 < self.plan.height
        low = y + 1 * MM + (strip + 1 * MM if lower else 0)
        label = y + (1.3 * MM if lower else height - strip - 1.3 * MM)
        return label, strip, (x + 2 * MM, low, width - 4 * MM, height - strip - 3 * MM)

    def _draw_counters(self, pen: Pen, seats: Sequence[int], x: float, y: float, width: float, height: float) -> None:
        """Draw the counters of these sides in rows, every model's if they are legible, else one of each element."""
        models = [(seat, picture, 1) for seat in seats for picture, n in self.counters[seat] for _each in range(n)]
        kinds = [(seat, picture, n) for seat in seats for picture, n in self.counters[seat]]
        min_tile = max((legible(picture) for _seat, picture, _n in kinds), default=0.0)
        every = _tile(len(models), width, height, 0) >= max(MIN_TILE, min_tile)
        shown, below = (models, 0.0) if every else (kinds, max((QUANTITY for *_kind, n in kinds if n > 1), default=0.0))
        tile = max(_tile(len(shown), width, height, below, min_tile), MIN_TILE)
        per_row, row_count = _per_row(tile, width), _row_count(tile, height, below)
        step, shown = tile * TILE_RATIO + TILE_GAP + below, shown[: per_row * row_count]
        rows = ceil(len(shown) / per_row)
        for number, (seat, picture, quantity) in enumerate(shown):
            row, column = divmod(number, per_row)
            in_row = min(per_row, len(shown) - row * per_row)
            left = x + (width - in_row * (tile + TILE_GAP)) / 2 + column * (tile + TILE_GAP)
            top = y + (height + rows * step) / 2 - row * step
            with seated(pen, seat):
                pen.picture(picture if tile >= min_tile else without_words(picture), left, top, tile)
            if quantity > 1:
                low = top - step + TILE_GAP + 1
                pen.text(left + tile / 2, low, f"×{quantity}", 7, face=NARROW_BOLD, align="centre")


MIN_TILE, MAX_TILE, TILE_GAP = 5.6 * MM, 12 * MM, 0.6 * MM
QUANTITY = 7.4
"""The height of a quantity below its counter."""


def _per_row(tile: float, width: float) -> int:
    """How many counters of this size fit side by side."""
    return max(int((width + TILE_GAP + 0.01) // (tile + TILE_GAP)), 1)


def _row_count(tile: float, height: float, below: float) -> int:
    """How many rows of counters fit, with so much below each."""
    return max(int((height + TILE_GAP + 0.01) // (tile * TILE_RATIO + TILE_GAP + below)), 1)


def _tile(number: int, width: float, height: float, below: float, min_tile: float = 0.0) -> float:
    """The largest width of so many counters in a rectangle, with so much below each; what is below may reach out of it
    where counters would be smaller than ``min_tile`` otherwise.
    """
    tile = min(MAX_TILE, max((height - below) / TILE_RATIO, min(min_tile, height / TILE_RATIO), MIN_TILE))
    while number and tile > MIN_TILE / 2 and _per_row(tile, width) * _row_count(tile, height, below) < number:
        tile -= 0.2 * MM
    return tile


def without_words(picture: Picture) -> Picture:
    """The picture without its words and numbers, where they would be too small, and without a bar between numbers."""
    shapes = (shape for shape in picture.shapes if not isinstance(shape, Text) and shape != FRACTION_BAR)
    return picture._replace(shapes=tuple(shapes))


def _draw_plate(pen: Pen, x: float, y: float, width: float, label: str) -> None:
    """Draw words around a point of the table, on white."""
    text = fit_text(label, width, pen.style.sized(8.5), 3, NARROW_BOLD)
    broad = text.width(NARROW_BOLD) + 2 * MM
    pen.rect(x - broad / 2, y - text.height / 2 - 0.5 * MM, broad, text.height + 1 * MM, line=0, fill=0)
    pen.lines(x - width / 2, y + text.height / 2, text, width, align="centre", face=NARROW_BOLD, ink="soft")


def _draw_arrow(pen: Pen, x: float, low: float, high: float) -> None:
    """Draw an arrow up the table with two heads."""
    pen.line(x, low, x, high, LINE)
    for tip, back in ((low, 2 * HEAD), (high, -2 * HEAD)):
        pen.line(x - HEAD, tip + back, x, tip, LINE)
        pen.line(x + HEAD, tip + back, x, tip, LINE)


def _map_edge(pen: Pen, x: float, y: float, width: float, height: float, step: float) -> None:
    """The edge of a map around the table; one field of it is one of the grid."""
    pen.zebra(x - EDGE, y + height, width + 2 * EDGE, EDGE, step)
    pen.zebra(x - EDGE, y - EDGE, width + 2 * EDGE, EDGE, step)
    for left in (x - EDGE, x + width):
        pen.rect(left, y, EDGE, height, line=0.18 * MM, ink="ink")
        fields = max(round(height / step), 1)
        for number in range(0, fields, 2):
            pen.rect(left, y + number * height / fields, EDGE, height / fields, line=0, fill=1, ink="ink")
    pen.rect(x, y, width, height, ink="ink", line=LINE)


def _draw_hexes(pen: Pen, x: float, y: float, width: float, height: float, hex_size: float) -> None:
    """Draw hexes whose flat sides are ``hex_size`` apart, as far as whole ones fit."""
    side = hex_size / sqrt(3)
    columns, rows = int((width - side / 2) // (1.5 * side)), int((height - hex_size / 2) // hex_size)
    left, top = x + (width - (columns * 1.5 + 0.5) * side) / 2, y + height - (height - (rows + 0.5) * hex_size) / 2
    corners = ((0.5, 0), (1.5, 0), (2, 0.5), (1.5, 1), (0.5, 1), (0, 0.5))

    def draw() -> None:
        pen.outline([(a * side, -b * hex_size) for a, b in corners], line=HAIR * 0.8, ink="line")

    for column in range(columns):
        for row in range(rows):
            drop = (row + 0.5 * (column % 2)) * hex_size
            pen.draw_cached(("hex", hex_size), left + column * 1.5 * side, top - drop, draw)


# ---------------------------------------------------------------- turns, losses, victory


def _turns(plan: TablePlan, names: Sequence[str], style: Style) -> Block:
    """A box for each turn, halved for the sides."""
    height = 14 * MM

    def paint(pen: Pen, x: float, top: float, width: float) -> None:
        pen.label(x, top - 3.2 * MM, plan.turns_label)
        pen.fit(
            x + width * 0.3, top - 3.2 * MM, plan.turns_text, width * 0.7, 8, face=NARROW, align="right", ink="soft"
        )
        count = plan.turns
        step = (width + 0.8 * MM) / count
        box_width, y = step - 0.8 * MM, top - height + 0.4 * MM
        for turn in range(count):
            left = x + turn * step
            part = box_width / len(names)
            for seat, name in enumerate(names):
                with seated(pen, seat):
                    pen.shade(left + seat * part, y, part, BOX)
                    pen.check(f"turn{turn + 1}.{seat}", left + seat * part, y, part, BOX, tooltip=f"{name}: {turn + 1}")
                    middle = left + (seat + 0.5) * part
                    pen.text(middle, y + 1.4 * MM, _initial(name), 7, face=NARROW_BOLD, align="centre", ink="side")
                    if seat:
                        pen.line(left + seat * part, y, left + seat * part, y + BOX, HAIR)
            pen.text(
                left + box_width / 2,
                y + BOX + 1.1 * MM,
                str(turn + 1),
                8.5,
                face=NARROW_BOLD,
                align="centre",
                ink="soft",
            )
            pen.rect(left, y, box_width, BOX + 4.2 * MM, ink="ink", radius=0.5 * MM)

    return Drawing(height, paint)


ROOMY = 70 * MM
"""Frames of at least this width have what their boxes mean beside their title, others below the boxes."""


class _Losses(NamedTuple):
    """What a side has lost, box by box, and when that matters."""

    seat: int
    title: str
    number: int
    steps: tuple[tuple[int, str], ...]
    effect: str
    points: str

    def _size(self, width: float) -> tuple[float, int]:
        """The side of a box, and how many are in a row."""
        inner = width - 6 * MM
        size = max(min(7 * MM, inner / max(self.number, 1) - 0.5 * MM), BOX)
        return size, int((inner + 0.5 * MM) // (size + 0.5 * MM))

    def _line(self, size: float) -> float:
        return size + (4 * MM if self.steps else 0.8 * MM)

    def height(self, style: Style, width: float) -> float:
        size, per_row = self._size(width)
        foot = 5.4 * MM if self.effect or self.points else 1 * MM
        return 7 * MM + ceil(self.number / per_row) * self._line(size) + foot

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        with seated(pen, self.seat):
            available = width - 6 * MM
            if self.steps and available >= ROOMY:  # what is below the boxes
                taken = min(ems(self.effect, NARROW) * 8, available * 0.4)
                pen.fit(
                    x + 3 * MM + available - taken, top - 4.6 * MM, self.effect, taken, 8,
                    face=NARROW, align="right", ink="soft",
                )  # fmt: skip
                available -= taken + 2 * MM
            pen.fit(x + 3 * MM, top - 4.6 * MM, self.title, available, 9, face=NARROW_BOLD, ink="deep")
            self._draw_boxes(pen, x + 3 * MM, top - 6.4 * MM, width)

    def _draw_boxes(self, pen: Pen, x: float, top: float, width: float) -> None:
        (size, per_row), steps = self._size(width), dict(self.steps)
        for box in range(self.number):
            row, column = divmod(box, per_row)
            left, y = x + column * (size + 0.5 * MM), top - row * self._line(size) - size
            tooltip = _("{title} {number}").format(title=self.title, number=box + 1)
            pen.box(left, y, size, name=f"lost{self.seat}.{box}", tooltip=tooltip, label=str(box + 1))
            if box + 1 in steps:
                text = steps[box + 1]
                font_size = 7.5 if ems(text, NARROW) * 7.5 <= size else 7
                pen.text(left + size / 2, y - 3 * MM, text, font_size, face=NARROW, align="centre", ink="deep")

    def draw_foot(self, pen: Pen, x: float, y: float, width: float) -> None:
        """Draw what happens, and a line for the points scored."""
        if not self.steps or width < ROOMY:
            pen.fit(x, y, self.effect, width * 0.6, 8, face=NARROW, ink="soft")
        if self.points:
            at, text = x + width * 0.82, _("{points} scored").format(points=self.points)
            pen.text(at, y, text, 8, face=NARROW, align="right", ink="soft")
            pen.line(at + 1 * MM, y - 0.6, x + width, y - 0.6, HAIR)
            pen.field(f"lost{self.seat}.scored", at + 1 * MM, y - 1, width * 0.18 - 1 * MM, 4.4 * MM, tooltip=text)


def _losses_of(job: Job, seat: int, name: str, plan: TablePlan) -> _Losses:
    gauge = next((gauge for gauge in job.play.gauges(job.document, job.terms) if not gauge.where), None)
    number, effect = job.appraisal.quantity, plan.score
    steps: tuple[tuple[int, str], ...] = ()
    if gauge and len(gauge.steps) > 1:
        number, steps, effect = max(lost for lost, _text in gauge.steps), gauge.steps, gauge.effect
    elif gauge:
        effect = join((gauge.effect, *(str(lost) for lost, _text in gauge.steps)), " ")
    title = _("{name}: {lost}").format(name=name, lost=plan.lost)
    return _Losses(seat, title, min(number, MAX_BOXES), steps, effect, job.points)


class _Beside(NamedTuple):
    """The losses of two sides in frames of one height beside each other."""

    pair: tuple[_Losses, ...]

    def height(self, style: Style, width: float) -> float:
        return max(each.height(style, (width - 3 * MM) / 2) for each in self.pair) + 2.4 * MM

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        half, height = (width - 3 * MM) / 2, self.height(pen.style, width) - 2.4 * MM
        for number, each in enumerate(self.pair):
            left = x + number * (half + 3 * MM)
            with seated(pen, each.seat):
                pen.frame(left, top - height, half, height)
                each.draw_foot(pen, left + 3 * MM, top - height + 2.6 * MM, half - 6 * MM)
            each.draw(pen, left, top, half)


def _losses(jobs: Sequence[Job], names: Sequence[str], plan: TablePlan) -> Iterator[Block]:
    sides = [_losses_of(job, seat, name, plan) for seat, (job, name) in enumerate(zip(jobs, names, strict=True))]
    for start in range(0, len(sides), 2):
        yield _Beside(tuple(sides[start : start + 2]))


WIDE = 150 * MM


def _victory(names: Sequence[str], width: float) -> Block:
    """A box for the victory of each side and for a draw, and a line for the place and the day."""

    texts, size = [*names, _("Drawn")], 5.4 * MM

    def paint(pen: Pen, x: float, top: float, width: float) -> None:
        wide = width >= WIDE
        share, y = width * (0.72 if wide else 1) / len(texts), top - 10 * MM
        pen.label(x, top - 3 * MM, _("Victory"))
        for number, text in enumerate(texts):
            left = x + number * share
            with seated(pen, number if number < len(names) else 0):
                tooltip = _("Victory: {name}").format(name=text) if number < len(names) else text
                pen.box(left, y, size, name=f"victory{number}", tooltip=tooltip)
            pen.fit(left + size + 1.6 * MM, y + 1.6 * MM, text, share - size - 3 * MM, 9, face=NARROW_BOLD)
        left = x + (width * 0.73 if wide else 0)
        y -= 0 if wide else 7.4 * MM
        label = _("Place, day")
        pen.text(left, y + 1.6 * MM, label, 8.5, face=NARROW, ink="soft")
        start = left + ems(label, NARROW) * 8.5 + 1.5 * MM
        pen.line(start, y + 1 * MM, x + width, y + 1 * MM, HAIR)
        pen.field("place", start, y + 1 * MM, x + width - start, 4.4 * MM, tooltip=label)

    return Drawing((11.6 if width >= WIDE else 19) * MM, paint)
