"""The counter of an element: its kind as a symbol, power over armor, its move, and whether it commands or scouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

from rosters.core.messages import _, join
from rosters.core.play import Panel
from rosters.drawing import symbols
from rosters.drawing.counter import chevrons, counter, fraction, label, stars, symbol_box
from rosters.drawing.plots import LABEL, WIDTH, Plot
from rosters.drawing.primitives import Circle, Paint, Picture, Rect, Shape, Shapes, Text, path, placed, polygon
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


PLOT = _("Range and move, to scale")
ARC = (27.0, 25.0)
"""The width left of the ruler, in which the fire arc is, and its radius."""
LEFT, RIGHT, TOP, BOTTOM = 72.0, 284.0, 18.0, 44.0
"""The strip of ground to scale."""
REACH, PATH = Paint("tile", "ink", "thin"), Paint(stroke="ink", weight="bold", dashed=True)


def plot_of(element: Element, terms: RosterTerms) -> Plot:
    """To scale: how far an element can fire and move; beside it from above, its front upwards, its fire arc."""
    stats = element.stats
    degrees = min((arc for code, arc in FIRE_ARC_DEGREES.items() if code in element.codes), default=360)
    fires = stats.range if stats.to_hit < 7 else 0
    reach = _("{n}\u00a0cm").format(n=number_text(fires)) if fires > 0 else _("melee")
    rows = (
        (STATS["movement"], _("{n}\u00a0cm").format(n=number_text(stats.movement))),
        (STATS["range"], _("no attack") if stats.to_hit == 7 else reach),
        *(((_("Fire arc"), f"{degrees}°"),) if fires > 0 else ()),
    )
    shapes = (*_fire_arc(degrees if fires > 0 else 0), *_strip(max(fires, 0), max(stats.movement, 0)))
    return Plot(Picture("plot", WIDTH, BOTTOM + LABEL + 10, 1, shapes), Panel(PLOT, rows))


def _fire_arc(degrees: int) -> Iterator[Shape]:
    """The directions in which the element can fire."""
    x, radius = ARC
    y = radius + 4
    yield Circle(x, y, radius, Paint("box", "ink", "hair"))
    if degrees == 360:
        yield Circle(x, y, radius, REACH)
    elif degrees:
        dx, dy = radius * sin(radians(degrees / 2)), radius * cos(radians(degrees / 2))
        arc = f"A{radius:.2f} {radius:.2f} 0 {int(degrees > 180)} 1 {x + dx:.2f} {y - dy:.2f}"
        yield path(f"M{x:.2f} {y:.2f}L{x - dx:.2f} {y - dy:.2f}{arc}Z", REACH)
    yield polygon(((x - 4, y + 4), (x, y - 6), (x + 4, y + 4)))
    yield Text(x, BOTTOM + LABEL + 9, f"{degrees}°" if degrees else "–", LABEL)


def _strip(fire: int, move: int) -> Iterator[Shape]:
    """The ground ahead, with a ruler in cm, how far the element fires and moves, and what the lines mean."""
    farthest, middle = max(fire, move, 1), (TOP + BOTTOM) / 2
    step = next(n for n in (10**digits * first for digits in range(1000) for first in (1, 2, 5)) if n * 5 >= farthest)
    unit = (RIGHT - LEFT) / farthest
    yield Rect(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, paint=Paint("box", "ink", "hair"))
    if fire:
        yield Rect(LEFT, TOP, unit * fire, BOTTOM - TOP, paint=REACH)
    if move:
        yield path(f"M{LEFT} {middle}H{LEFT + unit * move:.2f}", PATH)
        yield path(f"M{LEFT + unit * move:.2f} {middle - 8}v16", Paint(stroke="ink", weight="bold"))
    for number in range(0, farthest + 1, step):
        at, words = LEFT + unit * number, number_text(number)
        yield path(f"M{at:.2f} {BOTTOM}v4")
        yield Text(at, BOTTOM + LABEL + 5, words, min(LABEL, 80 / len(words)))
    yield path(f"M{LEFT} 8h20", PATH)
    yield Text(LEFT + 24, 12, STATS["movement"], LABEL, "start")
    yield path(f"M{LEFT + 96} 4h20v9h-20Z", REACH)
    yield Text(LEFT + 120, 12, STATS["range"], LABEL, "start")
