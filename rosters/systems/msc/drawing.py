"""The counter of a ship: its hull from ENGINE and SHIELD, a barrel for each weapon, a dot for each point of TO-HIT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import atan2, copysign, cos, degrees, hypot, pi, radians, sin, sqrt
from typing import Literal, NamedTuple

from rosters.core.amounts import with_minus_sign
from rosters.core.cache import cached
from rosters.core.messages import _, join, join_names
from rosters.drawing import diagrams as d
from rosters.drawing.counter import SMALL_PEN, counter, label
from rosters.drawing.plots import LABEL, Plot
from rosters.drawing.primitives import (
    SOLID,
    Circle,
    Paint,
    Path,
    PhraseKind,
    Picture,
    Point,
    Rect,
    Role,
    Shape,
    Shapes,
    Text,
    bounds,
    path,
    placed,
    polygon,
    repainted,
    star,
)
from rosters.systems.msc.play import range_panel, weapons_of
from rosters.systems.msc.rules import REAR, SIDES, Element, FleetTerms, Profile
from rosters.systems.msc.tables import RANGE_MODIFIERS, SIDE_NAMES

ANGLES: Mapping[str, int] = {"F": -90, "FR": -30, "RR": 30, "R": 90, "RL": 150, "FL": 210}
"""The bearing of each side in degrees, the bow upwards."""
MAX_DRAWN = 6
"""The most of each stat that the picture shows."""
STERN = 29.0
BOW = ((0, 0), (0.16, 0.22), (0.36, 0.43), (0.62, 0.68), (0.84, 0.87))
"""The ogive of the bow: shares of its length and of its breadth."""


class Hull(NamedTuple):
    """The outline of a ship, its bow upwards and at negative y, around the origin; lengths in units of the model."""

    nose: float
    beam: float
    shoulder: float
    hip: float
    right: tuple[Point, ...]
    """The starboard side, from bow to stern."""


def hull(profile: Profile) -> Hull:
    """A hull long by ENGINE and broad by SHIELD, wider where guns are; its stern flares into the drives."""
    engine, shield = _capped(profile.engine), _capped(profile.shield)
    sides = {*profile.weapons}
    nose, beam = 31 + 1.5 * engine, 5.4 + 1.25 * shield
    stern = max(5, 3.4 * engine)
    shoulder = beam * (1.06 if sides & {"FL", "FR"} else 0.9)
    hip = max(beam * (1.18 if sides & {"RL", "RR"} else 0.94), stern * 0.7)
    bow = tuple((1.3 + (shoulder - 1.3) * breadth, -nose + (nose - 13.5) * length) for length, breadth in BOW)
    waist = beam * 0.88
    aft = ((waist, -3.5), (waist, 4 if stern > beam else 9), (hip, 14), (max(hip, stern * 0.86), 20))
    block = ((max(stern, hip * 0.82), 25), (stern, STERN))
    return Hull(nose, beam, shoulder, hip, (*bow, (shoulder, -12), (shoulder, -6.5), *aft, *block))


def _capped(stat: int) -> int:
    return min(max(stat, 0), MAX_DRAWN)


def outline(shape: Hull, paint: Paint, grow: float = 0) -> Path:
    """The outline, or a contour so far outside it."""
    right = [
        (x + grow * (x / hypot(x, y) + 0.5), y + grow * y / hypot(x, y)) if grow else (x, y) for x, y in shape.right
    ]
    return polygon((*right, *((-x, y) for x, y in reversed(right))), paint)


def guns(profile: Profile, shape: Hull, weight: PhraseKind = "ring") -> Iterator[Shapes]:
    """A turret for each weapon, its barrel along the bearing of its side; two weapons on a side are side by side."""
    for side, number in Counter(profile.weapons).items():
        if side in ANGLES:
            angle = ANGLES[side] * pi / 180
            dx, dy = cos(angle), sin(angle)
            x, y = _mount(side, shape)
            length = 10 if side == "F" else 9
            for each in range(min(number, 2)):
                aside = 2.4 * (each - (min(number, 2) - 1) / 2)
                start = f"M{x - dy * aside:.2f} {y + dx * aside:.2f}"
                yield (path(f"{start}l{dx * length:.2f} {dy * length:.2f}", Paint(stroke="ink", weight=weight)),)
            yield (Circle(x, y, 2.5),)


def _mount(side: str, shape: Hull) -> Point:
    left = -1 if side.endswith("L") else 1
    if side in ("F", "R"):
        return 0, 5 - shape.nose if side == "F" else STERN - 2
    front = side.startswith("F")
    return left * ((shape.shoulder if front else shape.hip) - 0.4), -10.4 if front else 17


def drives(profile: Profile) -> Path:
    """A nozzle for each point of ENGINE."""
    engine = _capped(profile.engine)
    return path(
        "".join(f"M{6.6 * (each - (engine - 1) / 2) - 2:.1f} 28.6h4l1.1 4.6h-6.2z" for each in range(engine)), SOLID
    )


def ship(profile: Profile, large: bool) -> Shapes:
    """The ship, its bow upwards: dark with light ribs when small, light with dark ones when large."""
    shape, shield = hull(profile), _capped(profile.shield)
    body = Paint("box", "ink") if large else SOLID
    detail: Role = "ink" if large else "tile"
    first = 2 - (shield - 1) * 2.7
    ribs = "".join(
        f"M{-shape.beam * 0.55:.2f} {first + 5.4 * each:.2f}h{shape.beam * 1.1:.2f}" for each in range(shield)
    )
    thin = Paint(stroke=detail, weight="thin" if not large else "line")
    return (
        *((drives(profile),) if profile.engine > 0 else ()),
        *(part for gun in guns(profile, shape, "bold" if large else "ring") for part in gun),
        outline(shape, body),
        *((path(ribs, thin),) if shield else ()),
        path(f"M0 {8 - shape.nose:.2f}l1.7 7.5h-3.4z", Paint(fill=detail)),
    )


PLAN_WIDTH, PLAN_HEIGHT = 120, 104


def plan_of(profile: Profile) -> Picture:
    """The ship alone, large, its bow upwards, with its shield as plates and contours, and no turrets on its guns."""
    spots = tuple(spot for spot in _spots(profile, hull(profile)) if spot.track != "weapons")
    shapes = placed(_from_above(profile, spots), PLAN_WIDTH / 2, PLAN_HEIGHT / 2 + 4)
    return Picture("plan", PLAN_WIDTH, PLAN_HEIGHT, 0.6, shapes)


class Spot(NamedTuple):
    """A part of a ship that is marked when it is lost: a plate of SHIELD, a nozzle of ENGINE or a turret.

    ``box`` is that of its track: a number from 0, or a side. By its center, in the units of its plan.
    """

    track: Literal["engine", "shield", "weapons"]
    box: int | str
    x: float
    y: float

    @property
    def label(self) -> str:
        return str(self.box + 1) if isinstance(self.box, int) else self.box

    @property
    def corners(self) -> tuple[Point, ...]:
        """The outline of a plate, a hexagon; none of the others, which are circles."""
        if self.track != "shield":
            return ()
        return tuple((self.x + PLATE * cos(n * pi / 3), self.y + PLATE * sin(n * pi / 3)) for n in range(6))


class DamagePlan(NamedTuple):
    """A ship from above, its bow upwards, with the spots to mark."""

    picture: Picture
    spots: tuple[Spot, ...]


PLATE, RING = 4.0, 2.9
"""The radius of a plate to its corners, of a turret and of a nozzle."""
PITCH = 7.1
"""The distance of the centers of two plates."""


def damage_plan(profile: Profile) -> DamagePlan:
    """The ship with as many plates, nozzles and turrets as it has; what was not bought is not drawn."""
    spots = tuple(_spots(profile, hull(profile)))
    shapes = _from_above(profile, spots)
    left, top, right, bottom = bounds(shapes)
    width = 2 * max(-left, right) + 1
    x, y = width / 2, 0.5 - top
    picture = Picture("plan", width, bottom - top + 1, 0.42, placed(shapes, x, y))
    return DamagePlan(picture, tuple(spot._replace(x=spot.x + x, y=spot.y + y) for spot in spots))


def _from_above(profile: Profile, spots: Sequence[Spot]) -> Shapes:
    """The ship, its bow upwards, around the origin, with these spots numbered or named."""
    shape, shield = hull(profile), _capped(profile.shield)
    contours = (
        outline(shape, Paint("box" if each == shield else "none", "contour", "thin"), 0.4 + 1.05 * each)
        for each in range(shield, 0, -1)
    )
    return (
        *contours,
        *_drives(profile),
        *_barrels(profile, shape),
        outline(shape, Paint("tile", "ink", "ring")),
        _seams(profile, shape),
        *_exhausts(profile),
        *(_spot_shape(spot) for spot in spots),
        *(Text(spot.x, spot.y + 1.05, spot.label, 2.9) for spot in spots),
    )


def _spots(profile: Profile, shape: Hull) -> Iterator[Spot]:
    """The plates of SHIELD down the hull, the highest at the bow; turrets; the nozzles of ENGINE."""
    shield, engine = _capped(profile.shield), _capped(profile.engine)
    for each in range(shield):
        yield Spot("shield", each, 0, 1 + PITCH * ((shield - 1) / 2 - each))
    for side in SIDES:
        if side in profile.weapons:
            yield Spot("weapons", side, *_mount(side, shape))
    for each in range(engine):
        yield Spot("engine", each, 6.6 * (each - (engine - 1) / 2), 36.4)


def _spot_shape(spot: Spot) -> Shape:
    paint = Paint("box", "ink")
    return polygon(spot.corners, paint) if spot.corners else Circle(spot.x, spot.y, RING, paint)


def _drives(profile: Profile) -> Shapes:
    """The drives in outline, on the color of the tile."""
    if profile.engine <= 0:
        return ()
    solid = drives(profile)
    return (*repainted((solid,), {"ink": "tile"}), solid._replace(paint=Paint(stroke="ink", weight="line")))


def _barrels(profile: Profile, shape: Hull) -> Iterator[Path]:
    """Two barrels for each weapon, along the bearing of its side."""
    for side in profile.weapons:
        if side in ANGLES:
            angle = ANGLES[side] * pi / 180
            dx, dy, (x, y) = cos(angle), sin(angle), _mount(side, shape)
            length = 10.5 if side in ("F", REAR) else 8.9
            for aside in (-0.85, 0.85):
                start = f"M{x - dy * aside:.2f} {y + dx * aside:.2f}"
                yield path(f"{start}l{dx * length:.2f} {dy * length:.2f}", Paint(stroke="ink", weight="bold"))


def _seams(profile: Profile, shape: Hull) -> Path:
    """Hairlines on the hull, along it and from its edges to its middle."""
    waist, stern = shape.beam * 0.88, shape.right[-1][0]
    lines = (
        ((waist, 3), (5, 3)), ((shape.shoulder, -7.5), (4.6, -5)), ((shape.shoulder, -12), (4.6, -16)),
        ((shape.hip, 12.5), (4.6, 10)), ((shape.hip, 21.5), (4.6, 24)), ((stern, STERN), (3, 25.5)),
    )  # fmt: skip
    sides = "".join(
        f"M{side * x1:.2f} {y1:.2f}L{side * x2:.2f} {y2:.2f}" for side in (1, -1) for (x1, y1), (x2, y2) in lines
    )
    keel = f"M0 {(11 if 'F' in profile.weapons else 4) - shape.nose:.2f}V{STERN:.2f}"
    return path(sides + keel, Paint(stroke="contour", weight="thin"))


def _exhausts(profile: Profile) -> Iterator[Path]:
    engine = _capped(profile.engine)
    lines = (
        f"M{6.6 * (each - (engine - 1) / 2) + aside:.2f} 40v{length}"
        for each in range(engine)
        for aside, length in ((-1.3, 1.6), (0, 2.8), (1.3, 1.6))
    )
    if engine:
        yield path("".join(lines), Paint(stroke="contour"))


FLEET = Picture("fleet", 20, 20, 1, (star(10, 10.6, 9.5),))
SYSTEM = Picture(
    "system", 28, 20, 1.6, (Circle(14, 10, 7.6), path("M1 14.2L27 5.8"), path("M7.8 12L20.2 8", Paint(stroke="tile")))
)
"""The signs of a fleet and of a star system in the strategic game."""


def silhouette_of(profile: Profile, turns: int = 0) -> Picture:
    """The ship alone, as on a small counter, its bow upwards or turned by quarters clockwise."""
    shapes = placed(ship(profile, large=False), turns=turns)
    left, top, right, bottom = bounds(shapes)
    size = right - left + 2, bottom - top + 2
    return Picture("silhouette", *size, SMALL_PEN / 0.47, placed(shapes, 1 - left, 1 - top))


def counter_of(element: Element, terms: FleetTerms, large: bool = False, points: str = "") -> Picture:
    """The ship with its bow to the right; a large counter has its shield as contours, its name, points and stats."""
    sailing = _sailing(
        Profile.model_construct(engine=element.engine, shield=element.shield, weapons=element.weapons), large
    )
    dots = tuple(Circle(42.2 - 2.9 * each, 28.2, 1.05) for each in range(_capped(element.to_hit)))
    if not large:
        return counter((sailing, dots), large)
    stats = "/".join(with_minus_sign(str(stat)) for stat in (element.engine, element.shield, element.to_hit))
    texts = (*label(element.name, room=31), Text(42, 28.6, stats, min(4.1, 66 / len(stats)), "end"))
    return counter((sailing, texts, (Text(42, 7.6, points, 6, "end"),) if points else ()), large)


@cached(8 << 20)  # 4 % of the sheets of 35 ships
def _sailing(design: Profile, large: bool) -> Shapes:
    """The ship of a counter; ships of one design are many."""
    shield = range(1, _capped(design.shield) + 1)
    contours = (outline(hull(design), Paint(stroke="ink", weight="hair"), 0.8 + 1.35 * each) for each in shield)
    model = (*(contours if large else ()), *ship(design, large))
    return placed(model, 20.8, 17.4 if large else 16, 0.39 if large else 0.47, turns=1)


PLOT = _("Firing arcs and ranges")
ROSE, STEP = 270.0, 20.0
"""The size of the rose, and the distance of two hexes in it."""
HALF_ARC = 30
"""Degrees to each side of a bearing, so that a hex on the border of two arcs is in both (rule 7)."""
EMPTY, ONE_SIDE = Paint("box", "ink", "hair"), Paint("tile", "ink", "hair")
COMPLETE_SIZE = Paint("box", "ink", "line")


def plot_of(element: Element, terms: FleetTerms) -> Plot:
    """The hexes to which a ship can fire, its bow upwards, with a hex in it where two sides can, and range rings."""
    sides = weapons_of(element)
    names = [join((SIDE_NAMES[side], f"({side})"), " ") for side in sides]
    text = _("It has no weapons.")
    if names:
        text = _("It fires to: {sides}. A hex on the border of two arcs is in both.").format(sides=join_names(names))
    table = range_panel([element.to_hit] if names else [])._replace(title=PLOT, text=text)
    model = placed(ship(element, large=False), 0, 0.4, 0.24)
    return Plot(Picture("plot", ROSE, ROSE, 1, placed((*_rose(sides), *model), ROSE / 2, ROSE / 2)), table)


ROSE_FIELD = 232.0, 296.0


@cached(8 << 20)  # 5 ms
def rose_of(sides: tuple[str, ...], size: float) -> Picture:
    """The hexes to which weapons on these sides can fire, and around them the names of all six sides."""
    x, y = ROSE_FIELD[0] / 2, ROSE_FIELD[1] / 2
    return Picture("rose", *ROSE_FIELD, 1, placed((*_rose(sides, size), *_side_names(size)), x, y))


def _side_names(size: float) -> Iterator[Text]:
    width = ROSE_FIELD[0]
    for side, angle in ANGLES.items():
        if side in ("F", REAR):
            yield Text(0, -13 * STEP / 2 - 3 if side == "F" else 13 * STEP / 2 + 2 + size * 0.7, side, size)
        else:
            right, lower = cos(angle * pi / 180) > 0, sin(angle * pi / 180) > 0
            y = 3.5 * STEP + 3 + size * 0.7 if lower else -3.5 * STEP - 4
            yield Text((1 if right else -1) * width / 2, y, side, size, "end" if right else "start")


def _rose(sides: Sequence[str], size: float = LABEL) -> Iterator[Shape]:
    hexes = {(q, r): _sides_bearing(sides, q, r) for q, r in _hexes()}
    for paint, bears in ((EMPTY, False), (ONE_SIDE, True)):
        outlines = "".join(_hexagon(q, r) for (q, r), number in hexes.items() if (number > 0) is bears)
        if outlines:
            yield path(outlines, paint)
    double = "".join(_hexagon(q, r, 0.55) for (q, r), number in hexes.items() if number > 1)
    if double:
        yield path(double, COMPLETE_SIZE)
    yield from _rings(size)


def _hexes() -> Iterator[tuple[int, int]]:
    """The hexes in range, by axial coordinates: r counts along the column, from the bow to the stern."""
    farthest = RANGE_MODIFIERS[-1][0]
    for q in range(-farthest, farthest + 1):
        for r in range(-farthest, farthest + 1):
            if _distance(q, r) <= farthest:
                yield q, r


def _distance(q: int, r: int) -> int:
    return max(abs(q), abs(r), abs(q + r))


def _center(q: int, r: int) -> Point:
    """The center of a hex in a rose around the origin."""
    return STEP * sqrt(3) / 2 * q, STEP * (r + q / 2)


def _corner(q: int, r: int, number: int, share: float = 1) -> Point:
    (x, y), angle = _center(q, r), number * pi / 3
    return x + share * STEP / sqrt(3) * cos(angle), y + share * STEP / sqrt(3) * sin(angle)


def _hexagon(q: int, r: int, share: float = 1) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (_corner(q, r, number, share) for number in range(6))) + "Z"


def _sides_bearing(sides: Sequence[str], q: int, r: int) -> int:
    """How many armed sides can fire at a hex; in the ship's own hex every side can."""
    if not _distance(q, r):
        return len(sides)
    x, y = _center(q, r)
    bearing = degrees(atan2(y, x))
    return sum(abs((bearing - ANGLES[side] + 540) % 360 - 180) <= HALF_ARC + 0.01 for side in sides)


ARCS = 72.0
"""The side of the picture of arcs."""
KITE = ((-HALF_ARC, cos(pi / 6)), (0, 1.0), (HALF_ARC, cos(pi / 6)))
"""The corners of an arc: the turn from the bearing of its side, and the share of the farthest distance."""


@cached(1 << 20)  # 3 % of the sheets of 35 ships
def arcs_of(sides: tuple[str, ...]) -> Picture:
    """The arcs into which weapons on these sides fire, the bow upwards, with a line round each step of the range."""
    radius, unit = ARCS / 2, ARCS / (2 * RANGE_MODIFIERS[-1][0] + 1)
    kites = (
        polygon(((0, 0), *(_at(radius * share, angle + turn) for turn, share in KITE)), ONE_SIDE if bears else EMPTY)
        for bears, angle in sorted((side in sides, angle) for side, angle in ANGLES.items())
    )
    rings = (
        polygon([_at((hexes + 0.5) * unit, angle) for angle in ANGLES.values()], Paint(stroke="ink", weight="ring"))
        for hexes, _modifier in RANGE_MODIFIERS[1:]
    )
    return Picture("arcs", ARCS, ARCS, 0.7, placed((*kites, *rings), radius, radius))


def _at(distance: float, angle: float) -> Point:
    return distance * cos(radians(angle)), distance * sin(radians(angle))


def side_spot(side: str, width: float) -> Point:
    """The middle of a square of this width at the outside of the arc of a side, from the middle of the arcs."""
    x, y = _at(ARCS / 2, ANGLES[side])
    return (x + copysign(width * 0.6, x), y) if side not in ("F", REAR) else (0, y + copysign(width * 0.6, y))


EDGES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The neighbor of a hex beyond each of its edges, from the one between corners 0 and 1 on."""


def _rings(size: float) -> Iterator[Shape]:
    """A line round the hexes of each modifier, with the modifier inside it, ahead of the ship."""
    nearest = 0
    for farthest, modifier in RANGE_MODIFIERS:
        line = "".join(
            "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*_corner(q, r, edge), *_corner(q, r, edge + 1))
            for q, r in _hexes()
            if _distance(q, r) == farthest
            for edge, (dq, dr) in enumerate(EDGES)
            if _distance(q + dq, r + dr) > farthest
        )
        yield path(line, Paint(stroke="ink", weight="ring"))
        if farthest:
            _x, y = _center(0, -nearest)
            yield Text(0, y + size * 0.36, with_minus_sign(f"{modifier:+}") if modifier else "0", size)
        nearest = farthest + 1


# ---------------------------------------------------------------- diagrams of words of play

_SHIP = polygon(((8, 18), (18, 24), (8, 30), (11, 24)))
_ROW = d.hexagons((12, 24), (24.2, 24), (36.4, 24), (48.6, 24))
_FOE = d.enemy(48.6, 24)
DIAGRAMS: Mapping[str, Shapes] = {
    "TO-HIT": (*_ROW, _SHIP, *_FOE, *d.roll(32, 9, "1–3")),
    "SPEED": (*_ROW, _SHIP, *d.move((19, 24), (50, 24))),
    "orders": (
        *d.hexagons((10, 34), (22.2, 34), (34.4, 34), (40.5, 23.4)),
        *placed((_SHIP,), -3, 10),
        *d.move((17, 34), (34.4, 34), (40.5, 23.4)),
        *d.text(20, 11, "2L1", 11),
    ),
    "arc": (*d.sector(13, 24, 42, 60), *d.hexagons((13, 24)), _SHIP),
    "line-of-sight": (*_ROW, _SHIP, *placed((_SHIP,), 24.4), *_FOE, path("M18 24H42", d.DASHED), *d.crossed(36, 24, 4)),
    "range": (*_ROW, _SHIP, *_FOE, *d.ruler(12, 48.6, 40, 3)),
    "damage": (
        *d.boxes(4, 20, 4, 2),
        *(part for n, roll in enumerate(("1–4", "5", "6")) for part in d.roll(48, 9 + 15 * n, roll)),
    ),
    "fleet": (
        Rect(6, 6, 52, 36, 3, d.ZONE_EDGE),
        *placed((_SHIP,), 4, -9),
        *placed((_SHIP,), 4, 9),
        *placed((_SHIP,), 28),
    ),
    "attack-dice": (_SHIP, *d.roll(32, 24, "5+"), *d.enemy(54, 24), *d.crossed(54, 24)),
    "save-dice": (*placed((_SHIP,), 28), Circle(40, 24, 10, d.LINE), *d.roll(14, 24, "5+")),
    "fleet-speed": (
        *d.hexagons((12, 14), (24.2, 14), (36.4, 14)),
        *placed((_SHIP,), 0, -10),
        *placed((_SHIP,), 0, 12),
        *d.move((19, 14), (40, 14)),
    ),
    "system": (
        *d.hexagons((32, 24), radius=19),
        star(32, 24, 9, 8, 0.5, Paint("tile", "ink")),
        *d.text(53, 10, "+1", 10),
    ),
}
"""Scenes for the terms of the rulebook on the help pages."""


# ---------------------------------------------------------------- move orders

ORDER = 26.0, 26.0
"""The size of the picture of a move order."""
HEX_STEP = 9.0, 25.0
"""The largest distance of two hexes in it, and the length of all steps and turns of an order."""


def order_picture(order: str) -> Picture:
    """The way of a ship by a move order such as "3L2", from its ring to its arrow; it starts upwards."""
    heading, points = 0, [(0.0, 0.0)]
    speed = sum(int(sign) if sign.isdigit() else 1 for sign in order)
    step = min(HEX_STEP[0], HEX_STEP[1] / max(speed, 1))
    for sign in order:
        heading += {"L": -60, "R": 60}.get(sign, 0)
        for _hex in range(int(sign) if sign.isdigit() else 0):
            x, y = points[-1]
            points.append((x + step * sin(radians(heading)), y - step * cos(radians(heading))))
    across, down = (min(each) + max(each) for each in zip(*points, strict=True))
    points = [(x + (ORDER[0] - across) / 2, y + (ORDER[1] - down) / 2) for x, y in points]
    tip = [(0.0, -3.6), (2.6, 2.6), (-2.6, 2.6)]
    turned = [
        (
            points[-1][0] + x * cos(radians(heading)) - y * sin(radians(heading)),
            points[-1][1] + x * sin(radians(heading)) + y * cos(radians(heading)),
        )
        for x, y in tip
    ]
    shapes: Shapes = (
        path("M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)),
        *(Circle(x, y, 0.9) for x, y in points[1:-1]),
        *([Circle(*points[0], 1.7, Paint("box", "ink"))] if len(points) > 1 else []),
        polygon(turned),
    )
    return Picture("order", *ORDER, 0.9, shapes)
