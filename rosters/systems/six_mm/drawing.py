"""The counter of a stand: its type as a symbol, its strength, its quality, and whether a general leads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rosters.core.messages import _
from rosters.core.play import Panel
from rosters.drawing import diagrams as d
from rosters.drawing import symbols
from rosters.drawing.counter import NUMERAL, counter, label, numeral, pips, stars, symbol_box, track
from rosters.drawing.figure import HORSE
from rosters.drawing.plots import Plot, gauge
from rosters.drawing.primitives import (
    LINE,
    SOLID,
    THIN,
    Circle,
    Paint,
    Picture,
    Rect,
    Shapes,
    path,
    placed,
    star,
)
from rosters.systems.six_mm.play import stat_line, tracks, weapon_range
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


# ---------------------------------------------------------------- a stand seen from above

ABOVE = 45, 34
"""The field of a stand without its rear margin: the rulebook's base in mm (1.1)."""
WEAPONS: Mapping[str, str] = {
    "INF/A": "M-1.9-2.6H1.9",
    "MSK": "M1-1V-5",
    "PKE": "M1-1V-9",
    "ARC": "M-2-2.2Q0-5 2-2.2",
    "WBD": "M1.4-1L2.6-4",
    "SKI/F": "M.9-1V-4.4",
    "SKI/S": "M0-1.6V-6M-1.6-4.2L0-6L1.6-4.2",
    "CAV/A": "M1.6-1V-8",
}
"""What a figure carries in front of it."""
HORSE_ABOVE = "M0-4.6C1.9-4 1.8-1.4 1.7.6C1.7 2.6 1 3.8 0 3.8C-1 3.8-1.7 2.6-1.7.6C-1.8-1.4-1.9-4 0-4.6Z"
OPEN_ORDER = ("SKI/F", "SKI/M", "SKI/S")
MOUNTED = ("CAV/A", "CAV/U", "SKI/M")
COATS: Mapping[str, Paint] = {
    "poor": Paint(fill="paper", stroke="ink", weight="thin"),
    "good": Paint(fill="tile", stroke="ink"),
    "elite": SOLID,
}
"""How the figures of a quality are painted; others are light."""


def stand_from_above(element: Element, terms: ArmyTerms) -> Picture:
    """A stand from above, its front at the top: a figure for each point of strength, in the order of its type.

    Lines from the corners bound the 45 degrees to each side into which it shoots.
    """
    strength = element_facts(element, terms).get("strength", 0)
    shapes = {"TNK": _tanks, "ART": _battery, "AIR": _aircraft}.get(element.type, _figures)(element, strength)
    shoots = element.type != "AIR" and weapon_range(element).parts
    arcs = (path("M0 0L10 10M45 0L35 10", THIN),) if shoots else ()
    front = path("M22.5 .8L24.7 4H20.3Z", SOLID)
    general = stars(int(element.general is not None), 40, 28.6, 3.6, hollow=element.general == "inferior")
    return Picture("stand", *ABOVE, 0.5, (*arcs, front, *shapes, *general))


def _coat(element: Element) -> Paint:
    return COATS.get(element.quality, Paint(fill="box", stroke="ink"))


def _ranks(number: int, across: int, step: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Where figures are: in ranks around the middle, the last centered."""
    ranks = -(-number // across)
    for place in range(number):
        rank, file = divmod(place, across)
        here = min(across, number - rank * across)
        yield 22.5 + (file - (here - 1) / 2) * step[0], 19 + (rank - (ranks - 1) / 2) * step[1]


def _figures(element: Element, number: int) -> Shapes:
    """Foot and horse: close order in ranks, open order and warbands spread."""
    mounted, spread = element.type in MOUNTED, element.type in OPEN_ORDER
    horse = (path(HORSE_ABOVE, _coat(element)),) if mounted else ()
    body = (*horse, Circle(0, 0, 1.1, SOLID)) if mounted else (Circle(0, 0, 1.9, _coat(element)),)
    weapon = WEAPONS.get(element.type)
    figure = (*((path(weapon, LINE),) if weapon else ()), *body)
    step = (9.5 if spread else 5.2 if mounted else 4.8), (10.5 if mounted else 9.0 if spread else 6.4)
    across = 4 if spread else max(3, -(-number // 2))
    if element.type == "PKE" and element.elephant:
        figure = (
            path("M0-7C3-6.4 3.6-3 3.4 1C3.2 4.6 1.8 6 0 6C-1.8 6-3.2 4.6-3.4 1C-3.6-3-3-6.4 0-7Z", _coat(element)),
        )
        step, across = (9.0, 14.0), 4
    shift = 1.3 if element.type == "WBD" else 0
    places = enumerate(_ranks(number, across, step))
    return tuple(shape for at, (x, y) in places for shape in placed(figure, x, y + shift * (-1) ** at))


def _tanks(element: Element, strength: int) -> Shapes:
    """A vehicle for each three points of strength: broader with more armor, its barrel longer with a larger gun."""
    width = 6.4 + 0.7 * WHEELS[element.armour or "light"]
    bars = BARS.get(element.gun)
    barrel = (path(f"M0-2V-{8 + 1.4 * bars:.1f}", Paint(stroke="ink", weight="bold")),) if bars is not None else ()
    tracks = (Rect(-width / 2 - 1, -6, 1.8, 12, 0.6, SOLID), Rect(width / 2 - 0.8, -6, 1.8, 12, 0.6, SOLID))
    hull = (Rect(-width / 2, -5.4, width, 10.8, 1, _coat(element)), Circle(0, 0, 2.6, Paint(fill="box", stroke="ink")))
    vehicle = (*tracks, *hull, *barrel)
    places = _ranks(max(1, -(-strength // 3)), 3, (13.0, 14.0))
    return tuple(shape for x, y in places for shape in placed(vehicle, x, y + 2))


def _battery(element: Element, strength: int) -> Shapes:
    """A gun, its barrel longer with its class, and a gunner for each point of strength."""
    length = 6 + 2.0 * (BARS.get(element.gun) or 0)
    gun = (
        Rect(-1.1, -length, 2.2, length + 3, 0.8, _coat(element)),
        Rect(-5.2, -3.4, 1.5, 6.8, 0.5, SOLID),
        Rect(3.7, -3.4, 1.5, 6.8, 0.5, SOLID),
        path("M-4.4 0H4.4M-.8 3L-2.4 8.4M.8 3L2.4 8.4"),
    )
    crew = (Circle(x, y + 7.2, 1.6, _coat(element)) for x, y in _ranks(strength, 8, (5.0, 0)))
    return (*placed(gun, 22.5, 17), *crew)


def _aircraft(element: Element, strength: int) -> Shapes:
    """An aircraft, its wings longer with its strength; a helicopter with its rotor."""
    if element.ordnance == "attack-helicopter":
        rotor = path(f"M-{5 + strength} -3L{5 + strength} 7M{5 + strength} -3L-{5 + strength} 7", THIN)
        return placed((path("M0-7C3-6 3 4 1 6V14H-1V6C-3 4-3-6 0-7Z", _coat(element)), rotor), 22.5, 15)
    span = 9 + strength
    plane = f"M0-9C1.6-7 1.8-4 1.8-2L{span} 2V4.6L1.8 3.4L1.2 10L4.6 12V13.6H-4.6V12L-1.2 10L-1.8 3.4L-{span} 4.6V2"
    plane += "L-1.8-2C-1.8-4-1.6-7 0-9Z"
    return placed((path(plane, _coat(element)),), 22.5, 16)


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
    "agreed": (*d.own(18, 24), *d.text(42, 24, "±1", 15)),
    "post_1906": (*placed(symbols.SUPPORT, 4, 14, 1.2), *d.text(48, 24, "+2", 14)),
    "soft": (*placed(symbols.LORRY, 2, 16, 1.3), *d.move((38, 25), (59, 25))),
    "animal": (*placed(HORSE, 0, 5, 1.1), *d.move((34, 24), (58, 24))),
    "none": (*placed(symbols.LORRY, 18, 16, 1.2), *d.crossed(33, 25, 12)),
    "horse": (
        *placed(HORSE, -4, 8, 1),
        *placed(symbols.gun(0), 26, 8, 1),
        *d.move((44, 20), (60, 20)),
        *d.text(40, 38, "−1", 9),
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
    "shooting": (*d.sector(16, 24, 30, 90), *d.own(16, 24), *d.shot((22, 23), (31, 19)), *d.enemy(36, 16)),
    "close-combat": (*d.enemy(30, 24), *d.own(16, 24), *d.own(44, 24), *d.own(30, 39), *d.move((30, 12), (30, 3))),
}
"""Scenes for the terms of the rulebook on the help pages."""
