"""The counter of an element: its kind as a symbol, power over armor, its move, and whether it commands or scouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

from rosters.core.messages import _, join
from rosters.core.play import Panel
from rosters.drawing import symbols
from rosters.drawing.counter import chevrons, counter, fraction, label, stars, symbol_box
from rosters.drawing.plots import LABEL, WIDTH, Plot
from rosters.drawing.primitives import Circle, Paint, Picture, Shape, Shapes, Text, path, placed, polygon
from rosters.systems.mini_combat.rules import Element, RosterTerms, number_text
from rosters.systems.mini_combat.tables import FIRE_ARC_DEGREES, KINDS, STAT_LETTERS, STATS

SYMBOLS: Mapping[str, Shapes] = {
    "infantry": symbols.CROSS,
    "cavalry": symbols.SLASH,
    "mecha": symbols.WALKER,
    "creature": symbols.PAW,
    "ship": symbols.VESSEL,
    "aircraft": symbols.LOOP,
    "structure": symbols.KEEP,
    "other": symbols.LOZENGE,
}
INDIRECT, SCOUT = "IF", "Sc"
CHEVRON_CM, MOST_CHEVRONS = 10, 4
HEAVIER = (0, 2, 4, 7)
"""The armor from which a vehicle has a wheel more: two at least, five at most."""


def counter_of(element: Element, terms: RosterTerms, large: bool = False, points: str = "") -> Picture:
    """The counter of an element."""
    codes = element.codes
    move = min(max(element.movement // CHEVRON_CM, 0), MOST_CHEVRONS)
    marks = _large_marks(element) if large else (*stars(int(element.command), 7.6, 26.2, 3.1), *chevrons(move))
    return counter(
        (
            symbol_box(_symbol(element, INDIRECT in codes), large, dashed=SCOUT in codes),
            fraction(number_text(element.power), number_text(element.armor)),
            marks,
        ),
        large,
    )


def _symbol(element: Element, indirect: bool) -> Shapes:
    if element.kind == "vehicle":
        if indirect:
            return symbols.OVAL + placed(symbols.MORTAR, 5.4, 3.4, 0.55)
        armor = element.armor
        wheels = min(1 + sum(armor >= least for least in (0, *HEAVIER[1:])) + (armor < 0), 5)
        return symbols.OVAL + symbols.wheels(wheels)
    if indirect and element.kind in ("infantry", "cavalry", "other"):
        return symbols.MORTAR
    return SYMBOLS[element.kind]


def _large_marks(element: Element) -> Shapes:
    letters = dict(zip(("movement", "to_hit", "range"), STAT_LETTERS, strict=False))
    stats = element.stats
    line = join(
        (
            f"{letters['to_hit']}{stats.to_hit}+" if stats.to_hit < 7 else f"{letters['to_hit']}–",
            f"{letters['range']}{number_text(stats.range)}",
            f"{letters['movement']}{number_text(stats.movement)}",
        ),
        " ",
    )
    return (
        *label(KINDS[element.kind]),
        Text(4, 28.4, line, min(4.1, 58 / len(line)), "start"),
        *stars(int(element.command), 25, 5, 2.5),
    )


PLOT = _("Range and move")
RADIUS = 128.0
"""Of the longer of range and move, in the plot."""
REACH, PATH = Paint("tile", "ink", "thin"), Paint(stroke="ink", weight="bold", dashed=True)


def plot_of(element: Element, terms: RosterTerms) -> Plot:
    """From above and to scale: where an element can fire, its front upwards, and how far it can move."""
    stats = element.stats
    degrees = min((arc for code, arc in FIRE_ARC_DEGREES.items() if code in element.codes), default=360)
    fires = stats.range if stats.to_hit < 7 else 0
    reach = _("{n}\u00a0cm").format(n=number_text(fires)) if fires > 0 else _("melee")
    rows = (
        (STATS["movement"], _("{n}\u00a0cm").format(n=number_text(stats.movement))),
        (STATS["range"], _("no attack") if stats.to_hit == 7 else reach),
        *(((_("Fire arc"), f"{degrees}°"),) if fires > 0 else ()),
    )
    farthest = max(fires, stats.movement, 1)
    fire, move = (RADIUS * max(distance, 0) / farthest for distance in (fires, stats.movement))
    x, y = WIDTH / 2, max(fire, move, 8) + 4
    bottom = y + max(move, -fire * cos(radians(degrees / 2)), 8) + 8
    shapes = (
        *_sector(x, y, fire, degrees),
        *((Circle(x, y, move, PATH),) if move else ()),
        polygon(((x - 4, y + 4), (x, y - 6), (x + 4, y + 4))),
        *_ruler(x, bottom, farthest),
    )
    return Plot(Picture("plot", WIDTH, bottom + LABEL + 10, 1, shapes), Panel(PLOT, rows))


def _sector(x: float, y: float, radius: float, degrees: int) -> Iterator[Shape]:
    """The part of a circle that lies ahead."""
    if degrees == 360 and radius:
        yield Circle(x, y, radius, REACH)
    elif radius:
        dx, dy = radius * sin(radians(degrees / 2)), radius * cos(radians(degrees / 2))
        arc = f"A{radius:.2f} {radius:.2f} 0 {int(degrees > 180)} 1 {x + dx:.2f} {y - dy:.2f}"
        yield path(f"M{x:.2f} {y:.2f}L{x - dx:.2f} {y - dy:.2f}{arc}Z", REACH)


def _ruler(x: float, y: float, farthest: int) -> Iterator[Shape]:
    """A ruler in cm from the element to what is farthest, and what the lines mean."""
    step = next(n for n in (10**digits * first for digits in range(1000) for first in (1, 2, 5)) if n * 5 >= farthest)
    yield path(f"M{x:.2f} {y:.2f}H{x + RADIUS:.2f}")
    for number in range(0, farthest + 1, step):
        yield path(f"M{x + RADIUS * number / farthest:.2f} {y:.2f}v4")
    last = number_text(farthest // step * step)
    at = x + RADIUS * (farthest // step * step) / farthest
    yield Text(x, y + LABEL + 5, "0", LABEL)
    yield Text(at, y + LABEL + 5, _("{n}\u00a0cm").format(n=last), min(LABEL, 80 / len(last)))
    yield path(f"M4 {y:.2f}h24", PATH)
    yield Text(32, y + 4, STATS["movement"], LABEL, "start")
    yield path(f"M4 {y + 9:.2f}h24v9h-24Z", REACH)
    yield Text(32, y + LABEL + 6, STATS["range"], LABEL, "start")
