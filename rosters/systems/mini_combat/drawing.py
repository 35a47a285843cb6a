"""The counter of an element: its kind as a symbol, power over armor, its move, and whether it commands or scouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

from rosters.core.messages import _, join
from rosters.core.play import Panel
from rosters.drawing import diagrams as d
from rosters.drawing import symbols
from rosters.drawing.counter import chevrons, counter, fraction, label, stars, symbol_box
from rosters.drawing.figure import bust
from rosters.drawing.plots import LABEL, WIDTH, Plot
from rosters.drawing.primitives import Circle, Paint, Picture, Rect, Shape, Shapes, Text, path, placed, polygon, star
from rosters.drawing.symbols import HEAVY, LIGHT, LORRY, WINGS, wheels
from rosters.systems.mini_combat.rules import Element, RosterTerms, number_text
from rosters.systems.mini_combat.tables import FIRE_ARC_DEGREES, KINDS, STAT_LETTERS, STATS, TEMPLATE_CM

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
CHEVRON_CM, MAX_CHEVRONS = 10, 4
HEAVIER = (0, 2, 4, 7)
"""The armor from which a vehicle has a wheel more: two at least, five at most."""


def counter_of(element: Element, terms: RosterTerms, large: bool = False, points: str = "") -> Picture:
    """The counter of an element."""
    codes = element.codes
    move = min(max(element.movement // CHEVRON_CM, 0), MAX_CHEVRONS)
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
    to_hit = _("auto") if stats.to_hit == 0 else f"{stats.to_hit}+" if stats.to_hit < 7 else "–"
    line = join(
        (
            join((letters["to_hit"], to_hit), "" if stats.to_hit else "\xa0"),
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
TABLE, TICKS = 120, 6
"""The ground that the strip shows, in cm, and the parts of its ruler; farther ranges and moves double the ground."""
REACH, PATH = Paint("tile", "ink", "thin"), Paint(stroke="ink", weight="bold", dashed=True)
TEMPLATE = Paint("box", "alert", "ring")


def plot_of(element: Element, terms: RosterTerms) -> Plot:
    """On one scale for all: how far an element can fire and move, and its template; beside it, from above, its front
    upwards, its fire arc.
    """
    stats = element.stats
    degrees, fires = _fire_degrees(element), stats.range if stats.to_hit < 7 else 0
    reach = _("{n}\u00a0cm").format(n=number_text(fires)) if fires > 0 else _("melee")
    template = max((TEMPLATE_CM.get(code, 0) for code in element.codes), default=0) if stats.to_hit < 7 else 0
    rows = (
        (STATS["movement"], _("{n}\u00a0cm").format(n=number_text(stats.movement))),
        (STATS["range"], _("no attack") if stats.to_hit == 7 else reach),
        *(((_("Fire arc"), f"{degrees}°"),) if degrees else ()),
        *(((_("Template"), _("{n}\u00a0cm").format(n=template)),) if template else ()),
    )
    shapes = (*_fire_arc(degrees), *_strip(max(fires, 0), max(stats.movement, 0), template))
    return Plot(Picture("plot", WIDTH, BOTTOM + LABEL + 10, 1, shapes), Panel(PLOT, rows))


def fire_arc_of(element: Element) -> Picture | None:
    """The directions in which an element can fire, alone, its front upwards; None without fire."""
    degrees = _fire_degrees(element)
    if not degrees:
        return None
    shapes = placed(_fire_arc(degrees), 1 - ARC[0] + ARC[1], -3)
    return Picture("fire arc", 2 * ARC[1] + 2, BOTTOM + LABEL + 7, 1, shapes)


def _fire_degrees(element: Element) -> int:
    """The width of the fire arc; 0 without fire."""
    if element.stats.to_hit >= 7 or element.stats.range <= 0:
        return 0
    return min((arc for code, arc in FIRE_ARC_DEGREES.items() if code in element.codes), default=360)


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


def _strip(fire: int, move: int, template: int) -> Iterator[Shape]:
    """The ground ahead, with a ruler in cm, how far the element fires and moves, and its template at its full range."""
    ground, middle = TABLE, (TOP + BOTTOM) / 2
    while ground < max(fire, move):
        ground *= 2
    unit = (RIGHT - LEFT) / ground
    yield Rect(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, paint=Paint("box", "ink", "hair"))
    if fire:
        yield Rect(LEFT, TOP, unit * fire, BOTTOM - TOP, paint=REACH)
    if move:
        yield path(f"M{LEFT} {middle}H{LEFT + unit * move:.2f}", PATH)
        yield path(f"M{LEFT + unit * move:.2f} {middle - 8}v16", Paint(stroke="ink", weight="bold"))
    if template:
        yield Circle(LEFT + unit * fire, middle, unit * template / 2, TEMPLATE)
    for number in range(TICKS + 1):
        at, text = LEFT + (RIGHT - LEFT) / TICKS * number, number_text(ground // TICKS * number)
        yield path(f"M{at:.2f} {BOTTOM}v4")
        yield Text(at, BOTTOM + LABEL + 5, text, min(LABEL, 60 / len(text)))
    yield from _legend(template)


def _legend(template: int) -> Iterator[Shape]:
    """What the lines of the strip mean."""
    yield path(f"M{LEFT} 8h20", PATH)
    yield Text(LEFT + 24, 12, STATS["movement"], LABEL, "start")
    yield path(f"M{LEFT + 84} 4h20v9h-20Z", REACH)
    yield Text(LEFT + 108, 12, STATS["range"], LABEL, "start")
    if template:
        yield Circle(LEFT + 154, 8.5, 4.5, TEMPLATE)
        yield Text(LEFT + 163, 12, _("{n}\u00a0cm").format(n=template), LABEL, "start")


# ---------------------------------------------------------------- diagrams of stats, abilities and words of play

_PAIR = (*d.own(12, 26), *d.enemy(54, 26))
_SHOT = (*_PAIR, *d.shot((18, 26), (48, 26)))
_MELEE = (*d.own(27, 28), *d.enemy(37, 28))
_HILL = (*d.hill(32, 42, 34, 20), *d.own(8, 38), *d.enemy(56, 38))
_HELP = (*d.area(30, 24, 22, d.ZONE_EDGE), *d.own(15, 24), *d.move((21, 24), (30, 24)))
_SCATTER = (*d.own(44, 30), *d.area(44, 30, 11, d.GHOST._replace(fill="none")))


def _turns(*fires: bool) -> Shapes:
    """Turns one after another, with a shot in some of them."""
    places = [(8 + 13 * number, fire) for number, fire in enumerate(fires)]
    frames = tuple(Rect(x, 28, 10, 10, 0.6, Paint("tile" if fire else "box", "ink")) for x, fire in places)
    shots = tuple(shape for x, fire in places if fire for shape in d.shot((x + 5, 28), (x + 5, 9)))
    return (*frames, *shots)


def _maneuver(degrees: int) -> Shapes:
    return (*d.own(22, 20), *d.turn(22, 20, 15, degrees), *d.text(48, 38, f"{degrees}°"))


def _covered(degrees: int) -> Shapes:
    return (*d.sector(30, 24, 21, degrees), *d.own(30, 24), *d.text(53, 40, f"{degrees}°", 9))


DIAGRAMS: Mapping[str, Shapes] = {
    "M": (*d.own(10, 22), *d.move((16, 22), (54, 22)), *d.ruler(10, 54, 34, 4)),
    "TH": (*_SHOT, *d.roll(32, 13, "4+")),
    "R": (*_SHOT, *d.ruler(12, 54, 38, 6)),
    "S": (*d.shot((12, 26), (27, 26)), *placed(LIGHT, 34, 26, 2.2), *d.roll(53, 26, "6+")),
    "P": (*_PAIR, *d.text(32, 26, "P > A", 11), *d.crossed(54, 26)),
    "A": (*_PAIR, *d.text(32, 26, "P ≤ A", 11), *placed(HEAVY, 54, 38, 1.4)),
    "Mo": (*d.boxes(8, 12, 5, 3, 3), *d.roll(50, 34, "3+"), *d.own(18, 34), *d.own(31, 34)),
    "MA": (*_MELEE, *d.text(32, 13, "×2", 13)),
    "SS": (*_SHOT, *d.text(32, 15, "×2", 13)),
    "MoF": (
        *d.own(10, 13),
        *d.move((17, 13), (48, 13)),
        *d.own(10, 36),
        *d.shot((17, 36), (48, 36)),
        *d.enemy(55, 36),
        path("M8 24.5H56", Paint(stroke="line", weight="hair")),
    ),
    "Cone": (
        path("M16 24L46 15A9.5 9.5 0 0 1 46 33Z", d.ZONE),
        *d.own(11, 24),
        *d.enemy(38, 25),
        *d.enemy(48, 20),
        *d.own(47, 29),
    ),
    "5c": (*d.area(44, 22, 9), *d.enemy(41, 20), *d.enemy(47, 25), *d.own(9, 38), *d.shot((14, 36), (34, 26))),
    "10c": (
        *d.area(42, 24, 18),
        *d.enemy(36, 17),
        *d.enemy(48, 16),
        *d.enemy(38, 31),
        *d.own(50, 29),
        *d.own(8, 40),
        *d.shot((13, 38), (24, 32)),
    ),
    "Bmb": (*d.area(32, 24, 19), star(32, 24, 15, 9, 0.55, Paint(stroke="alert")), *d.text(32, 24, "−2", 12)),
    "IF": (*_HILL, *d.lob(8, 56, 34, 10)),
    "Rec": (*_HILL, *d.own(32, 19), *d.lob(8, 56, 34, 9), path("M37 20L54 35", d.LINE)),
    "Fly": (*d.hill(34, 42, 34, 18), *placed(WINGS, 12, 16, 1.9), *d.move((22, 14), (56, 14))),
    "Sk": (*d.wood(22, 26), *d.water(36, 46), *d.own(8, 26), *d.move((14, 26), (57, 26))),
    "Sc": (*d.area(42, 26, 13, d.ZONE_EDGE), *d.own(40, 26, d.GHOST), *d.enemy(57, 9), Rect(0, 0, 18, 48, 0, d.ZONE)),
    "Feot": _turns(True, False, True, False),
    "Drp": (*_SCATTER, path("M36 19A8 8 0 0 1 52 19ZM36 19L44 27L52 19", d.LINE), *d.move((44, 2), (44, 9))),
    "Tel": (*_SCATTER, *d.own(10, 30, d.GHOST), path("M16 30L22 24L26 33L31 30", d.DASHED)),
    "RdM": _maneuver(180),
    "RsM": _maneuver(90),
    "LM": _maneuver(45),
    "RdFA": _covered(270),
    "RsFA": _covered(180),
    "LFA": _covered(90),
    "IC": (*d.wood(48, 26), *_SHOT, *placed(LIGHT, 48, 11, 1.3), *d.crossed(48, 11, 4)),
    "Sub": (
        *d.water(0, 64, 16),
        path("M0 16q4-4 8 0q4 4 8 0q4-4 8 0q4 4 8 0q4-4 8 0q4 4 8 0q4-4 8 0q4 4 8 0", d.LINE),
        *d.own(22, 32),
        *d.move((28, 32), (50, 32)),
    ),
    "OS": (*_turns(True, False, False, False), *d.crossed(26, 33, 3), *d.crossed(39, 33, 3), *d.crossed(52, 33, 3)),
    "WB": (*d.water(0, 42), *d.own(12, 24), *d.move((18, 24), (40, 24)), *d.crossed(53, 24)),
    "Amph": (*d.water(24, 42), *d.own(10, 24), *d.move((16, 24), (56, 24))),
    "T": (
        Rect(8, 10, 36, 22, 2, d.ZONE),
        *d.own(18, 21),
        *d.own(32, 21),
        *placed(wheels(3), 2, 17.6, 2),
        *d.move((46, 21), (59, 21)),
    ),
    "FA": (
        Rect(24, 17, 16, 14, 1, Paint("tile", "ink", "bold")),
        *d.shot((58, 24), (43, 24)),
        *d.shot((6, 24), (21, 24)),
        *d.shot((32, 2), (32, 14)),
        *d.shot((32, 46), (32, 34)),
    ),
    "Org": (*d.row(d.own(12, 20), 3, 9.6), *d.row(d.own(12, 27), 3, 9.6), *d.move((40, 23.5), (57, 23.5))),
    "Ch": (*d.own(10, 28), *d.move((16, 28), (40, 28)), *d.enemy(47, 28), *d.text(47, 13, "+1", 11)),
    "Den": (*d.own(10, 26), *d.enemy(46, 26), Circle(46, 26, 12, d.ALERT), path("M37.5 34.5L54.5 17.5", d.ALERT)),
    "Ins": (*d.wall(34), *d.own(14, 24, d.GHOST), *d.move((20, 24), (54, 24))),
    "Heal": (*_HELP, *placed(bust(), 28, 9, 0.9)),
    "Rep": (*_HELP, *placed(LORRY, 30, 17, 0.9)),
    "Se": (
        Circle(32, 24, 15, Paint("tile", "ink", "bold")),
        *d.own(32, 24),
        *(Circle(x, y, 1.6, d.ENEMY) for x, y in ((8, 12), (12, 36), (54, 10), (57, 32), (5, 24))),
    ),
    "St": (
        *d.area(22, 24, 18, d.ZONE_EDGE),
        *d.own(22, 20),
        *d.text(22, 33, "25", 9),
        *d.enemy(56, 24),
        path("M50 24H42", d.DASHED),
        *d.crossed(45, 24, 3),
    ),
    "MW": (*d.own(10, 24), *(shape for y in (10, 24, 38) for shape in (*d.shot((16, 24), (44, y)), *d.enemy(52, y)))),
    "target": (
        *d.own(10, 34),
        *d.shot((15, 31), (42, 19)),
        *d.enemy(48, 16),
        Circle(48, 16, 8, d.LINE),
        *d.enemy(54, 38),
    ),
    "hit-roll": (*_SHOT, *d.roll(32, 12, "4+"), *d.text(32, 39, "+1", 9)),
    "save-roll": (*d.own(46, 28), *placed(LIGHT, 34, 28, 2), *d.shot((6, 28), (24, 28)), *d.roll(46, 12, "5+")),
    "damage": (*_SHOT, *d.crossed(54, 26)),
    "coherency": (*d.row(d.own(11, 22), 4, 14), *d.ruler(15.5, 20.5, 32, 1), *d.ruler(29.5, 34.5, 32, 1)),
    "morale-test": (*d.boxes(14, 10, 5, 3, 3), *d.roll(32, 35, "3+")),
    "unit": (Rect(8, 10, 48, 28, 3, d.ZONE_EDGE), *d.row(d.own(18, 19), 3, 14), *d.row(d.own(25, 30), 2, 14)),
    "rear": (
        path("M30 6A18 18 0 0 0 30 42Z", d.ZONE),
        *d.own(30, 24),
        *d.move((36, 24), (50, 24)),
        *d.text(20, 24, "+1", 9),
    ),
}
"""Scenes for the terms of the rulebook on the help pages."""
