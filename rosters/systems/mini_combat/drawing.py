"""The counter of an element: its kind as a symbol, power over armor, its move, and whether it commands or scouts.

PURE. Rulebook: Mini Combat, with Appendix B (author not named).
"""

from __future__ import annotations

from collections.abc import Mapping

from rosters.core.messages import join
from rosters.drawing import symbols
from rosters.drawing.counter import chevrons, counter, fraction, label, stars, symbol_box
from rosters.drawing.primitives import Picture, Shapes, Text, placed
from rosters.systems.mini_combat.rules import Element, RosterTerms, number_text
from rosters.systems.mini_combat.tables import KINDS, STAT_LETTERS

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
        inside = placed(symbols.MORTAR, 5.4, 3.4, 0.55) if indirect else symbols.wheels(_wheels(element.armor))
        return symbols.OVAL + inside
    if indirect and element.kind in ("infantry", "cavalry", "other"):
        return symbols.MORTAR
    return SYMBOLS[element.kind]


def _wheels(armor: int) -> int:
    return min(1 + sum(armor >= least for least in (0, *HEAVIER[1:])) + (armor < 0), 5)


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
