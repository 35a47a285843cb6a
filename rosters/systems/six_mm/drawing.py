"""The counter of a stand: its type as a symbol, its strength, its quality, and whether a general leads it."""

from __future__ import annotations

from collections.abc import Mapping

from rosters.core.messages import _
from rosters.core.play import Panel
from rosters.drawing import diagrams as d
from rosters.drawing import symbols
from rosters.drawing.counter import NUMERAL, counter, label, numeral, pips, stars, symbol_box, track
from rosters.drawing.figure import HORSE
from rosters.drawing.plots import Plot, gauge
from rosters.drawing.primitives import Circle, Picture, Rect, Shapes, path, placed, star
from rosters.systems.six_mm.play import stat_line, tracks
from rosters.systems.six_mm.rules import ArmyTerms, Element, element_facts
from rosters.systems.six_mm.tables import LOADS, PURCHASES

SYMBOLS: Mapping[str, Shapes] = {
    "INF/A": symbols.CROSS + symbols.OVAL,
    "INF/U": symbols.CROSS,
    "MSK": symbols.CROSS + symbols.UPRIGHT,
    "PKE": symbols.PIKES,
    "WBD": symbols.CHEVRONS,
    "ARC": symbols.BOW,
    "CAV/A": symbols.SLASH + symbols.OVAL,
    "CAV/U": symbols.SLASH,
    "SKI/F": symbols.SMALL_CROSS,
    "SKI/M": symbols.SMALL_SLASH,
    "SKI/S": symbols.SUPPORT,
    "WORKS": symbols.RAMPART,
    "TRANSPORT": symbols.LORRY,
}
WHEELS = {"light": 2, "medium": 3, "heavy": 4, "super-heavy": 5}
BARS: Mapping[str | None, int | None] = {
    "smoothbore": None,
    "rifled-muzzle-loader": 0,
    "breech-loader-79": 1,
    "breech-loader-130": 2,
    "breech-loader-heavy": 3,
}
"""Bars across the barrel of a gun; none without a barrel."""
PIPS = {"poor": 1, "average": 1, "good": 2, "elite": 3}


def counter_of(element: Element, terms: ArmyTerms, large: bool = False, points: str = "") -> Picture:
    """The counter of a stand, or of a purchase without one; of a stand with alternates, its first form."""
    if element.type in PURCHASES:
        box = symbol_box(SYMBOLS[element.type], large, x=11)
        return counter((box, label(element.type) if large else ()), large)
    strength = element_facts(element, terms).get("strength")
    general = element.general is not None
    return counter(
        (
            symbol_box(
                _symbol(element), large, dashed=element.type.startswith("SKI/"), reverse=element.quality == "elite"
            ),
            numeral("?" if strength is None else str(strength), low=general),
            pips(PIPS.get(element.quality, 1), large, hollow=element.quality == "poor"),
            stars(int(general), NUMERAL, 8, 4.6, hollow=element.general == "inferior"),
            _large_marks(element, terms) if large else (),
        ),
        large,
    )


def _large_marks(element: Element, terms: ArmyTerms) -> Shapes:
    facts = element_facts(element, terms)
    room = 27 if element.general else 38  # the numeral of a general is lower
    boxes = track(facts["strength"], facts["strength"] - facts["routs_at"], room) if facts else ()
    return label(element.type) + boxes


def _symbol(element: Element) -> Shapes:
    if element.type == "TNK":
        return symbols.OVAL + symbols.wheels(WHEELS[element.armour or "light"])
    if element.type == "ART":
        return symbols.ENGINE if element.gun == "torsion" else symbols.gun(BARS.get(element.gun))
    if element.type == "AIR":
        bombs = (Circle(x, 8, 1.4) for x in (7.2, 16.8)[: LOADS.get(element.ordnance or "", 0)])
        return symbols.ROTOR if element.ordnance == "attack-helicopter" else (*symbols.LOOP, *bombs)
    if element.type == "PKE" and element.elephant:
        return symbols.ELEPHANT
    return SYMBOLS.get(element.type, ())


PLOT = _("Strength and rout")


def plot_of(element: Element, terms: ArmyTerms) -> Plot | None:
    """The strength of a stand with a bar where it routs; None for a purchase, which has none."""
    for strength in tracks(element, terms):
        breaks = () if strength.breaks_at is None else (strength.breaks_at,)
        stats = ((stat.name or stat.head, stat.value) for stat in stat_line(element, terms).stats[1:])
        return Plot(gauge(0, len(strength.boxes), breaks), Panel(PLOT, tuple(stats)))
    return None


# ---------------------------------------------------------------- diagrams of equipment and words of play

_TRACK = d.boxes(6, 20, 7, bar=4)
DIAGRAMS: Mapping[str, Shapes] = {
    "agreed": (*d.own(18, 24), *d.words(42, 24, "±1", 15)),
    "post_1906": (*placed(symbols.SUPPORT, 4, 14, 1.2), *d.words(48, 24, "+2", 14)),
    "soft": (*placed(symbols.LORRY, 2, 16, 1.3), *d.move((38, 25), (59, 25))),
    "animal": (*placed(HORSE, 0, 5, 1.1), *d.move((34, 24), (58, 24))),
    "none": (*placed(symbols.LORRY, 18, 16, 1.2), *d.crossed(33, 25, 12)),
    "horse": (
        *placed(HORSE, -4, 8, 1),
        *placed(symbols.gun(0), 26, 8, 1),
        *d.move((44, 20), (60, 20)),
        *d.words(40, 38, "−1", 9),
    ),
    "off_board": (Rect(20, 0, 44, 48, paint=d.ZONE), *d.own(9, 38), *d.lob(10, 54, 34, 10), *d.enemy(54, 38)),
    "guided": (*d.own(9, 26), path("M15 26q4-7 8 0q4 7 8 0q4-7 8 0q3 5 6 0", d.DASHED), *d.enemy(53, 24)),
    "strength": _TRACK,
    "army-morale": (*d.boxes(11, 10, 6, 3, 3), *d.roll(32, 35, "1–2")),
    "command-distance": (*d.area(32, 24, 20, d.ZONE_EDGE), star(32, 24, 6), *d.own(20, 18), *d.own(43, 33)),
    "set": (Rect(8, 14, 48, 20, 3, d.ZONE_EDGE), *d.row(d.own(18, 24), 3, 14)),
    "charge": (*d.own(10, 24), *d.move((16, 24), (42, 24)), *d.enemy(49, 24)),
    "recoil": (*d.enemy(12, 24), *d.own(46, 24), *d.own(26, 24, d.GHOST), *d.move((28, 36), (48, 36))),
    "save": (*d.own(46, 30), *placed(symbols.LIGHT, 34, 30, 2), *d.shot((6, 30), (24, 30)), *d.roll(46, 13, "5+")),
}
"""Scenes for the terms of the rulebook on the help pages."""
