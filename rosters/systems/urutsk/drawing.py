"""The counter of a figure: a round base with a bust, its weapon, and its scores.

PURE. Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from rosters.drawing.counter import counter, label
from rosters.drawing.figure import base, bust
from rosters.drawing.primitives import THIN, Paint, Picture, Shapes, Text, path, star
from rosters.systems.urutsk.rules import Element, FigureTerms

RIFLE = path("M9.3 20.4L7.2 8.8")
"""Over the shoulder, of figures who fire more than single shots."""
WEAPONS = {"single": (), "autofire": (RIFLE,), "burst": (RIFLE, star(7.1, 8.4, 2.4, points=7, inner=0.5))}


def counter_of(element: Element, terms: FigureTerms, large: bool = False, points: str = "") -> Picture:
    """Ranged over Close over Fate; a star commands, and a figure in poor condition is hollow.

    A large counter has the weapon ability too.
    """
    figure = bust(hollow=element.poor_condition, hat=True, star=element.command) + WEAPONS[element.fire]
    ability = label(f"W{element.weapon_ability}", y=28.6) if large else ()
    return counter((base(figure, large), _scores(element), ability), large)


def _scores(element: Element) -> Shapes:
    rows = (str(element.ranged), str(element.close), str(element.fate))
    paints = (Paint(fill="ink"), Paint(fill="ink"), Paint(fill="alert"))
    size = min(9.6, 20 / max(map(len, rows)))
    numbers = (
        Text(37.4, 10.3 + 9.3 * at, words, size, paint=paint)
        for at, (words, paint) in enumerate(zip(rows, paints, strict=True))
    )
    return (path("M32.4 11.9H42.4M32.4 21.2H42.4", THIN), *numbers)
