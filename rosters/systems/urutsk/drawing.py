"""The counter of a figure: a round base with a bust, its weapon, and its scores.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rosters.core.amounts import with_minus_sign
from rosters.core.messages import _
from rosters.core.play import Panel
from rosters.drawing import diagrams as d
from rosters.drawing.counter import counter, label
from rosters.drawing.figure import base, bust
from rosters.drawing.plots import LABEL, WIDTH, Plot
from rosters.drawing.primitives import THIN, Paint, Picture, Rect, Shape, Shapes, Text, path, placed, star
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import Element, FigureTerms

RIFLE = path("M9.3 20.4L7.2 8.8")
"""Over the shoulder, of figures who fire more than single shots."""
WEAPONS = {"single": (), "autofire": (RIFLE,), "burst": (RIFLE, star(7.1, 8.4, 2.4, points=7, inner=0.5))}


def counter_of(element: Element, terms: FigureTerms, large: bool = False, points: str = "") -> Picture:
    """Ranged over Close over Fate; a star commands, and a figure in poor condition is hollow.

    A large counter has the weapon ability too.
    """
    ability = label(f"W{with_minus_sign(str(element.weapon_ability))}", y=28.6) if large else ()
    return counter((base(_bust(element), large), _scores(element), ability), large)


def figure_of(element: Element | None, *, behind: bool = False) -> Picture:
    """The figure alone on its base, its star on the front only; an empty base for None."""
    return Picture("figure", 32, 32, 1, base(_bust(element, behind=behind) if element else (), large=False))


def _bust(element: Element, *, behind: bool = False) -> Shapes:
    pack = (Rect(12.4, 20, 7.2, 6.6, 1, Paint("tile", "ink", "thin")),) if behind else ()
    figure = bust(hollow=element.poor_condition, hat=True, star=element.command and not behind)
    return (*figure, *pack, *WEAPONS[element.fire])


def _scores(element: Element) -> Shapes:
    rows = [with_minus_sign(str(score)) for score in (element.ranged, element.close, element.fate)]
    paints = (Paint(fill="ink"), Paint(fill="ink"), Paint(fill="alert"))
    size = min(9.6, 20 / max(map(len, rows)))
    numbers = (
        Text(37.4, 10.3 + 9.3 * at, text, size, paint=paint)
        for at, (text, paint) in enumerate(zip(rows, paints, strict=True))
    )
    return (path("M32.4 11.9H42.4M32.4 21.2H42.4", THIN), *numbers)


PLOT = _("Range bands")
D6 = range(1, 7)
MISS, HIT, EXPLODES = Paint(stroke="ink", weight="hair"), Paint("tile", "ink", "thin"), Paint("ink", "ink", "thin")


NAMES, CELL, ROW = 76.0, (31.0, 22.0), 18.0
"""The width of the names of ranges, the size of a result, and the height of the faces above them."""


def plot_of(element: Element, terms: FigureTerms) -> Plot:
    """The modified result of each face of the die in each range band, without cover: a miss, hit points, or more."""
    height, shapes, rows = CELL[1], [*_heads()], []
    for number, (_code, name, penalty) in enumerate(tables.RANGES):
        modifier, top = element.ranged - penalty, ROW + height * number
        last_miss = tables.last_miss(element.fire, element.poor_condition) - modifier
        misses, explodes = max(0, min(6, last_miss)), tables.lowest_exploding(element.fire, modifier)
        shapes += (
            Text(0, top + height / 2 + 4, name, min(LABEL, (NAMES - 22) / (0.5 * len(name))), "start"),
            Text(NAMES - 3, top + height / 2 + 4, _penalty(penalty), LABEL, "end"),
            *_band(element, modifier, top),
            Text(WIDTH, top + height / 2 + 4, _("{hits} in 6").format(hits=6 - misses), LABEL, "end"),
        )
        rows.append((name, _penalty(penalty), _faces(1, misses), _faces(explodes or 7, 6)))
    text = _("Hit points without cover. Those with a plus explode: roll the die again and add the new roll.")
    heads = (_("Range"), _("Modifier"), _("Misses on"), _("Explodes on"))
    size = ROW + height * len(tables.RANGES)
    return Plot(Picture("plot", WIDTH, size, 1, tuple(shapes)), Panel(PLOT, tuple(rows), heads, text))


def _heads() -> Iterator[Shape]:
    """The faces of the die, over their columns."""
    for face in D6:
        yield Text(NAMES + CELL[0] * (face - 0.5), LABEL, str(face), LABEL)
    yield Text(WIDTH, LABEL, _("Hits"), LABEL, "end")


def _band(element: Element, modifier: int, top: float) -> Iterator[Shape]:
    """A cell for each face, with its modified result where it hits."""
    width, height = CELL
    for face in D6:
        points, left = face + modifier, NAMES + width * (face - 1)
        missed = points <= tables.last_miss(element.fire, element.poor_condition)
        paint = MISS if missed else EXPLODES if points >= tables.FIRE[element.fire].explodes else HIT
        yield Rect(left + 1, top + 1, width - 2, height - 2, 2, paint)
        text = "–" if missed else f"{points}+" if paint is EXPLODES else str(points)
        color = Paint(fill="box" if paint is EXPLODES else "ink")
        yield Text(left + width / 2, top + height / 2 + 4, text, min(LABEL, 48 / len(text)), paint=color)


def _penalty(penalty: int) -> str:
    return with_minus_sign(str(-penalty))


def _faces(first: int, last: int) -> str:
    return "–" if first > last else str(first) if first == last else f"{first}–{last}"


# ---------------------------------------------------------------- diagrams of words of play

_BANDS = 4


def _marked(number: int) -> Shapes:
    """The bands of a weapon's range, one of them marked."""
    left, width = 14, 11
    bands = (
        Rect(left + width * each, 18, width, 12, 0, d.ZONE if each == number else d.GHOST) for each in range(_BANDS)
    )
    return (*bands, *d.figure(8, 24), *d.enemy(left + width * number + 5.5, 24))


DIAGRAMS: Mapping[str, Shapes] = {
    "weapon-ability": (*d.figure(9, 30), *d.shot((15, 30), (46, 30)), *d.enemy(54, 30), *d.roll(32, 13, "+R")),
    "poor-condition": (*d.figure(20, 24, d.GHOST), *d.text(44, 24, "−1", 15)),
    "burst-area": (
        *d.area(42, 24, 15),
        *d.figure(8, 24),
        *d.shot((14, 24), (28, 24)),
        *d.enemy(37, 19),
        *d.enemy(47, 28),
    ),
    "point-blank": (*d.figure(24, 28), *d.shot((29, 28), (36, 28)), *d.enemy(42, 28)),
    **{code: _marked(number) for number, code in enumerate(("short", "medium", "long", "extreme"))},
    "exploding-die": (*d.roll(16, 24, "6"), *d.text(32, 24, "+", 14), *d.roll(48, 24, "3")),
    "clean-miss": (*d.figure(9, 32), *d.shot((15, 30), (56, 12)), *d.enemy(54, 36), *d.roll(24, 13, "1")),
    "group-fire": (
        *(shape for y in (10, 24, 38) for shape in (*d.figure(10, y), *d.shot((15, y), (46, 24)))),
        *d.enemy(54, 24),
    ),
    "injured": (*placed(bust(), 2, 6, 1), *d.crossed(46, 24, 5), *d.boxes(36, 34, 3, 1)),
    "incapacitated": (*placed(bust(hollow=True), 16, 5, 1.1), *d.crossed(33, 25, 14)),
    "shock": (star(32, 24, 19, 10, 0.6, Paint(stroke="alert")), *d.figure(32, 24)),
    "parry": (
        *d.figure(16, 24),
        path("M26 12V36", Paint(stroke="ink", weight="bold")),
        *d.shot((50, 24), (30, 24)),
        *d.enemy(56, 24),
    ),
    "riposte": (*d.figure(12, 24), *d.enemy(52, 24), *d.shot((46, 17), (18, 17)), *d.move((18, 32), (46, 32))),
    "mass-charge": tuple(
        shape for y in (10, 24, 38) for shape in (*d.figure(9, y), *d.move((14, y), (42, y)), *d.enemy(50, y))
    ),
    "out-of-command": (
        *d.area(18, 24, 15, d.ZONE_EDGE),
        star(18, 24, 6),
        *d.figure(44, 18, d.GHOST),
        *d.figure(54, 30, d.GHOST),
    ),
    "detachment": (Rect(6, 8, 52, 32, 3, d.ZONE_EDGE), star(16, 24, 6), *d.row(d.figure(30, 24), 3, 10)),
}
"""Scenes for the terms of the rulebook on the help pages."""
