"""The ships to print, and the parts that records of several kinds have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count, groupby
from typing import NamedTuple, cast

from rosters.core.appraisals import PricedElement
from rosters.core.cache import cached
from rosters.core.messages import _, join
from rosters.drawing.primitives import Picture
from rosters.pdf.canvas import Pen
from rosters.pdf.job import Job
from rosters.systems.msc.drawing import silhouette_of
from rosters.systems.msc.rules import ENGINE, MAX_STAT, SHIELD, SIDES, Element, Mark, Profile
from rosters.systems.msc.tables import RANGES

TURNS = 30
STATS = {"engine": ENGINE, "shield": SHIELD}
"""The stats that are lost point by point."""
HEX_SIZE = "15"
"""The usual hexes, in mm."""

TOOLTIPS = {
    "weapons": _("{ship}: weapon {n}"),
    "speed": _("{ship}: SPEED of turn {n}"),
    "move": _("{ship}: move of turn {n}"),
}


class Design(NamedTuple):
    """What the pictures of a ship depend on, as a value to cache by."""

    engine: int
    shield: int
    weapons: tuple[str, ...]

    @property
    def profile(self) -> Profile:
        return Profile(**self._asdict())


@cached(8 << 20)  # a quarter of the sheets of 35 ships, 40 % of their counters
def silhouette(design: Design, turns: int = 0) -> Picture:
    """The ship alone, its bow upwards or turned by quarters clockwise."""
    return silhouette_of(design.profile, turns)


class PrintedShip(NamedTuple):
    """One ship to print; ``element`` is None on a blank form. ``path`` is the prefix of its form fields."""

    element: Element | None = None
    name: str = ""
    unit: int = 0
    path: str = ""
    mark: Mark | None = None
    fleet: str = ""
    priced: PricedElement | None = None
    errors: tuple[str, ...] = ()
    formation: int = 0
    entry: str = ""
    """The path of its entry, which identical ships share."""
    last: int = 0
    """The number of the last one where several ships are printed as one."""

    @property
    def number(self) -> str:
        """The number in the roster, or the first and last of several: "3–14"."""
        several = f"{self.unit}–{self.last}"
        return several if self.last and len(several) <= MAX_NUMBER else str(self.unit or "")

    def design(self, max_engine: int) -> Design:
        """What its drawings depend on; a ship that has everything on a blank form."""
        ship = self.element
        if ship is None:
            return Design(max_engine, MAX_STAT, SIDES)
        return Design(ship.engine, ship.shield, ship.weapons)

    def is_lost(self, track: str, box: int | str) -> bool:
        """Whether a point of a stat, counted from 0, or the weapon of a side is lost to damage."""
        if self.element is None or self.mark is None:
            return False
        if track == "weapons":
            return box in self.mark.weapons
        return bool(int(box) >= getattr(self.element, track) - getattr(self.mark, track))

    @property
    def destroyed(self) -> bool:
        return self.element is not None and self.element.shield > 0 and self.is_lost("shield", 0)

    @property
    def other_weapons(self) -> str:
        """The weapons without a place on a record: in the rear, on unknown sides, or a second one on a side."""
        weapons = list(self.element.weapons) if self.element else []
        for side in SIDES:
            if side in weapons:
                weapons.remove(side)
        return " ".join(weapons)

    def tooltip(self, track: str, box: int | str) -> str:
        """What is read out for a field of a fillable sheet, such as "Old Rampart: ENGINE 1 of 2"."""
        name = self.name or _("Ship")
        if track in STATS:
            total = getattr(self.element, track) if self.element else 0
            text = _("{ship}: {stat} {n} of {total}") if total else _("{ship}: {stat} {n}")
            return text.format(ship=name, stat=STATS[track], n=int(box) + 1, total=total)
        return TOOLTIPS[track].format(ship=name, n=box)


def ships(job: Job, blanks: int) -> Iterator[PrintedShip]:
    """Every ship to print, numbered through the roster; ``blanks`` empty ones if there is none."""
    printed = _ships(job)
    first = next(printed, None)
    if first is None:
        return (PrintedShip(path=f"blank{number}") for number in range(blanks))
    return chain((first,), printed)


MAX_NUMBER = 4
"""The longest number that a record has room for."""


def ships_with_record(job: Job, blanks: int) -> Iterator[PrintedShip]:
    """The ships that have a record: all of them, or by choice one for the undamaged ships of an entry."""
    printed = ships(job, blanks)
    if job.choice("alike", "each") == "each":
        yield from printed
        return
    for _key, group in groupby(printed, lambda ship: (ship.entry, ship.mark not in (None, Mark()) and ship.unit)):
        first, *others = group
        if others and first.element:
            name = _("{ship} × {n}").format(ship=first.element.display_name, n=1 + len(others))
            yield first._replace(name=name, last=others[-1].unit)
        else:
            yield from (first, *others)


def _ships(job: Job) -> Iterator[PrintedShip]:
    units = count(1)
    chosen = {number for number, _formation, _priced in job.formations()}
    for f, fleet in enumerate(job.document.formations):
        for entry in job.entries(f):
            errors = tuple(
                finding.message
                for _f, e, _element in entry.sources[:1]
                for finding in job.findings(f"formations/{f}/elements/{e}")
                if finding.severity == "error"
            )
            element = cast(Element, entry.element)
            for model in entry.models:
                unit = next(units)
                if f in chosen:
                    mark = cast(Mark | None, model.mark) if job.options.marks else None
                    yield PrintedShip(
                        element, model.name, unit, model.path, mark, fleet.name, entry.priced, errors, f, entry.path
                    )


def points_of(job: Job, ship: PrintedShip) -> str:
    """The points of a ship with their word, "" where none are printed."""
    each = ship.priced and ship.priced.unit_points
    return job.words.count_points(each) if job.points and each is not None else ""


def rolls_needed(ship: PrintedShip) -> Iterator[tuple[str, str]]:
    """Each range in hexes with the highest roll that hits: "" on a blank form."""
    for hexes, modifier in RANGES:
        if ship.element is None:
            yield hexes, ""
        elif not ship.element.weapons:
            yield hexes, "–"
        else:
            score = ship.element.to_hit + modifier
            yield hexes, _("any") if score >= 6 else str(score) if score > 0 else "–"


def odd_values(ship: PrintedShip, max_value: int) -> str:
    """What a drawing cannot show: ENGINE and SHIELD out of range, and weapons without a place."""
    if ship.element is None:
        return ""
    stats = (
        join((name, str(getattr(ship.element, track))), " ")
        for track, name in STATS.items()
        if not 0 <= getattr(ship.element, track) <= max_value
    )
    other = ship.other_weapons and _("Other weapons: {sides}").format(sides=ship.other_weapons)
    return join(filter(None, (*stats, other)), " · ")


def turn_fields(pen: Pen, ship: PrintedShip, places: Iterable[tuple[str, int, float, float, float, float]]) -> None:
    """The text fields of the turns: track, turn, lower left corner, width and height."""
    if pen.style.fillable:
        for track, turn, x, y, width, height in places:
            pen.field(f"{ship.path}.{track}.{turn}", x, y, width, height, tooltip=ship.tooltip(track, turn))


def draw_silhouette(
    pen: Pen, ship: PrintedShip, x: float, y: float, available: tuple[float, float], turns: int = 1
) -> None:
    """The ship in the middle of a space, as large as it fits, its bow to the right."""
    if ship.element is None:
        return
    design = ship.design(0)

    def draw() -> None:
        picture = silhouette(design, turns)
        scale = min(available[0] / picture.width, available[1] / picture.height, MAX_SCALE * max(available))
        width, height = scale * picture.width, scale * picture.height
        pen.picture(picture, -width / 2, height / 2, width)

    pen.draw_cached(("silhouette", design, available, turns), x, y, draw)


MAX_SCALE = 1 / 78
"""The scale of a ship in a space of a length, so that short ships are drawn smaller than long ones."""
