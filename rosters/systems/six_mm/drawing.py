"""The counter of a stand: its type as a symbol, its strength, its quality, and whether a general leads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

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
    Shape,
    Shapes,
    bounds,
    path,
    placed,
    polygon,
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
    ranks = ceil(number / across)
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
    across = 4 if spread else max(3, ceil(number / 2))
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
    places = _ranks(max(1, ceil(strength / 3)), 3, (13.0, 14.0))
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


# ---------------------------------------------------------------- a stand from the front and from behind

UPRIGHT = 45, 30
"""The field of a stand that stands up: its base in mm, and its height."""
RANK, LARGEST = 7.4, 1.7
"""The distance of two ranks, and the largest scale of figures."""
SOLDIER = "M-1.9-7.2C-1.9-8-1-8 0-8C1-8 1.9-8 1.9-7.2L1.4-3.4V0H.4V-3.2H-.4V0H-1.4V-3.4Z"
HORSE_UPRIGHT = "M0-7.4C2.3-7.4 2.5-4.4 1.7-3V0H.8V-2.8H-.8V0H-1.7V-3C-2.5-4.4-2.3-7.4 0-7.4Z"
HORSE_HEAD = "M0-9.9L1-9.2L.7-6C.4-5.3-.4-5.3-.7-6L-1-9.2Z"
ELEPHANT_UPRIGHT = "M0-12.6C4-12.6 5-9 4.5-4V0H2.3V-3H-2.3V0H-4.5V-4C-5-9-4-12.6 0-12.6Z"
CARRIED: Mapping[str, str] = {
    "INF/A": "M-2.6-3.9L3-7.3",
    "INF/U": "M-2.6-3.9L3-7.3",
    "MSK": "M2.3-3V-12.4",
    "PKE": "M2.4 0V-18.6",
    "ARC": "M2.5-10.6Q5-6.6 2.5-2.6V-10.6",
    "WBD": "M1.8-5.4L3.9-10.2",
    "SKI/F": "M2.3-2V-9.6",
    "SKI/S": "M1.6-6.4L4.4-10M2.4-7.4V-4.4",
    "CAV/A": "M2.8-3V-18.6",
    "CAV/U": "M2-10.6L3.9-15",
    "SKI/M": "M2-9L3.4-14",
}
"""What a figure carries, from the front."""


def stand_upright(element: Element, terms: ArmyTerms, *, behind: bool = False) -> Picture:
    """The figures of a stand as they stand on its base, one for each point of strength; packs, tails and engines are
    seen from ``behind``.
    """
    strength = element_facts(element, terms).get("strength", 0)
    figure, number, (across, step) = _upright(element, strength, behind=behind)
    group: list[Shape] = []
    for start in reversed(range(0, number, across)):  # the rear rank first, half a step aside
        here, rank = min(across, number - start), start // across
        first = (rank % 2 * (here == across) - here + 1) * step / 2
        group += (shape for file in range(here) for shape in placed(figure, first + file * step, -RANK * rank))
    general = stars(int(element.general is not None), 41, 4.2, 3.6, hollow=element.general == "inferior")
    shapes = (path("M1 29H44", THIN), *_filling(group, 36 if general else 43), *general)
    return Picture("upright", *UPRIGHT, 0.5, shapes)


def _filling(group: Sequence[Shape], room: float) -> Shapes:
    """The figures on the ground, as large as the field allows."""
    if not group:
        return ()
    left, top, right, low = bounds(group)
    scale = min(LARGEST, (room - 1) / (right - left), (UPRIGHT[1] - 2) / (low - top))
    return placed(group, 1 + room / 2 - scale * (left + right) / 2, UPRIGHT[1] - 1 - scale * low, scale)


def _upright(element: Element, strength: int, *, behind: bool) -> tuple[Shapes, int, tuple[int, float]]:
    """A figure around its foot, how many there are, and how many are in a rank with the step between them."""
    coat = _coat(element)
    if element.type == "TNK":
        return _tank_upright(element, behind=behind), max(1, ceil(strength / 3)), (3, 13.6)
    if element.type == "ART":
        gun, crew = _gun_upright(element, behind=behind), _soldier(element, behind=behind)
        places = (x for at in range(strength) for x in [(8 + 4.4 * (at // 2)) * (-1) ** at])
        return (*(shape for x in places for shape in placed(crew, x)), *gun), 1, (1, 0)
    if element.type == "AIR":
        return _aircraft_upright(element, strength), 1, (1, 0)
    if element.type == "PKE" and element.elephant:
        trunk = "M0-6C.8-4 .2-2.4.8-1" if not behind else "M0-8V-4.6"
        ears = tuple(Circle(x, -9.2, 1.9, coat) for x in (-3.4, 3.4)) if not behind else ()
        rider = placed(_soldier(element, behind=behind), 0, -9.4, 0.8)
        return (*rider, path(ELEPHANT_UPRIGHT, coat), *ears, path(trunk)), strength, (4, 10.4)
    figure = _rider(element, behind=behind) if element.type in MOUNTED else _soldier(element, behind=behind)
    across = 4 if element.type in OPEN_ORDER else max(3, ceil(strength / 2))
    return figure, strength, (across, min(9.6 if element.type in OPEN_ORDER else 5.8, 40 / (across + 0.5)))


def _soldier(element: Element, *, behind: bool) -> Shapes:
    """A figure on foot, with a belt, or a pack from behind; warbands have shields."""
    carried = CARRIED.get(element.type, "")
    held: Shapes = (path(carried),) if carried else ()
    detail: Shapes = (Rect(-1.2, -7.2, 2.4, 2.8, 0.4, SOLID),) if behind else (path("M-1.5-7.3L1.3-4", THIN),)
    shield: Shapes = (Circle(-1.1, -5.3, 1.7, Paint("box", "ink")),) if element.type == "WBD" and not behind else ()
    return (*held, path(SOLDIER, _coat(element)), *detail, *shield, Circle(0, -9.4, 1.25, SOLID))


def _rider(element: Element, *, behind: bool) -> Shapes:
    """A figure on its horse, whose head is in front of it, and whose tail is seen from behind."""
    body = (path("M-1.9-12C-1.9-13-1-13 0-13C1-13 1.9-13 1.9-12L1.5-7H-1.5Z", _coat(element)), Circle(0, -14.3, 1.25))
    horse, carried = path(HORSE_UPRIGHT, _coat(element)), path(CARRIED[element.type])
    end = path("M0-7C1-5.4.6-3 0-1.8", LINE) if behind else path(HORSE_HEAD, Paint("box", "ink", "thin"))
    return (carried, *body, horse, end)


def _tank_upright(element: Element, *, behind: bool) -> Shapes:
    """A vehicle, broader with more armor, the muzzle of its gun larger with its class, or the grille of its engine."""
    half, bars = 3.2 + 0.35 * WHEELS[element.armour or "light"], BARS.get(element.gun)
    tracks = tuple(Rect(x - 0.9, -5, 1.8, 5, 0.5, SOLID) for x in (-half, half))
    corners = ((half + 0.4, -3), (half + 0.4, -6), (half - 0.8, -7.4), (2.9, -7.4), (2.1, -10.6))
    hull = polygon((*corners, *((-x, y) for x, y in reversed(corners))), _coat(element))
    deck = path(f"M{1 - half:.2f}-7.4H{half - 1:.2f}", THIN)
    grille = placed((deck,), 0, 1.6) + placed((deck,), 0, 2.8)
    muzzle = (Circle(0, -8.9, 0.8 + 0.25 * bars, SOLID),) if bars is not None else ()
    return (*tracks, hull, deck, *(grille if behind else muzzle))


def _gun_upright(element: Element, *, behind: bool) -> Shapes:
    """A gun between its wheels, its muzzle larger with its class; from behind its trail."""
    wheels = tuple(Rect(x - 0.8, -7.4, 1.6, 7.4, 0.6, SOLID) for x in (-4, 4))
    bore = 1.4 + 0.25 * (BARS.get(element.gun) or 0)
    trail = (path("M-.9-4L-2.2 0M.9-4L2.2 0"),) if behind else (Circle(0, -5, bore * 0.5, SOLID),)
    return (*wheels, path("M-3.2-4H3.2"), Circle(0, -5, bore, _coat(element)), *trail)


def _aircraft_upright(element: Element, strength: int) -> Shapes:
    """An aircraft, its wings longer with its strength; a helicopter with its rotor."""
    body = (Circle(0, -13, 2.6, _coat(element)), Circle(0, -13, 0.9, SOLID))
    if element.ordnance == "attack-helicopter":
        return (path(f"M0-13V-18M{-7 - strength}-18H{7 + strength}M-3-8.6H3M-2-11L-3-8.6M2-11L3-8.6"), *body)
    wings = path(f"M{-9 - strength}-14.4L0-12L{9 + strength}-14.4L0-13.6Z", _coat(element))
    bombs = (Circle(x, -10.8, 0.9, SOLID) for x in (-5, 5)[: LOADS.get(element.ordnance or "", 0)])
    return (path("M0-13V-19M-4-17.6H4"), wings, *bombs, *body)


PLOT = _("Strength and rout")


def plot_of(element: Element, terms: ArmyTerms) -> Plot | None:
    """The strength of a stand with a bar where it routs; None for a purchase, which has none."""
    for strength in tracks(element, terms):
        breaks = () if strength.breaks_at is None else (strength.breaks_at,)
        stats = ((stat.name or stat.head, stat.value) for stat in stat_line(element, terms).stats)
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
