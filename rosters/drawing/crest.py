"""Crests: a shield of two tinctures with a division or an ordinary and charges, computed from a seed of 8 hex digits.

The field is 40 x 50. One tincture is a color, the other a metal, and nothing lies on its own kind: the heralds' rule,
which keeps crests legible from afar. Nothing is cut off by a mask: what lies on the shield is clipped when it is
computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rosters.core.crests import fnv1a
from rosters.drawing.charges import CHARGES
from rosters.drawing.primitives import (
    Circle,
    Paint,
    Path,
    Picture,
    Point,
    Role,
    Shapes,
    path,
    placed,
    polygon,
    repainted,
)

WIDTH, HEIGHT, PEN = 40, 50, 2.4
COLORS: tuple[Role, ...] = ("azure", "gules", "vert", "sable", "purpure", "tawny")
METALS: tuple[Role, ...] = ("argent", "or", "pearl")
SHIELD = "M1.5 1.5H38.5V23C38.5 35 31 43 20 48.5C9 43 1.5 35 1.5 23Z"
INNER = "M7 7H33V23C33 31.4 28 37.6 20 42.3C12 37.6 7 31.4 7 23Z"
"""Within a bordure."""

DIVISIONS = (
    "M20 0H40V50H20Z",
    "M0 23H40V50H0Z",
    "M0 0H40L0 45Z",
    "M0 50L20 19L40 50Z",
    "M20 0H40V23H20ZM0 23H20V50H0Z",
    "M20 23L0 0H20ZM20 23L40 0V23ZM20 23L40 46V50H20ZM20 23L0 46V23Z",
    "M0 10.5H40V19.5H0ZM0 28.5H40V37.5H0Z",
    "M8.5 0H16.2V50H8.5ZM23.8 0H31.5V50H23.8Z",
)
"""Party per pale, per fess, per bend, per chevron, quarterly, gyronny, barry, paly: the parts in metal."""


class Ordinary(NamedTuple):
    """A broad stripe or shape on a plain shield, and the places of charges: x, y, radius, and whether on it."""

    shape: str
    charges: tuple[tuple[float, float, float, bool], ...]


ORDINARIES = (
    Ordinary("", ((20, 22.5, 13, False),)),
    Ordinary("M0 0H40V15H0Z", ((20, 29.5, 10.5, False),)),
    Ordinary("M0 18H40V31H0Z", ((10.5, 10, 5.6, False), (29.5, 10, 5.6, False), (20, 38.2, 5.2, False))),
    Ordinary("M13 0H27V50H13Z", ((20, 22, 6.4, True),)),
    Ordinary("M0-2L-8 8L36 52L48 42Z", ((28.5, 13, 7, False), (10.6, 32, 5.6, False))),
    Ordinary(
        "M0 38L20 18.5L40 38V27L20 7.5L0 27Z", ((8.8, 11, 5.2, False), (31.2, 11, 5.2, False), (20, 34.6, 6.8, False))
    ),
    Ordinary(
        "M15 0H25V17.5H40V27.5H25V50H15V27.5H0V17.5H15Z",
        tuple((x, y, 4.6, False) for x in (8.4, 31.6) for y in (9.6, 33.6)),
    ),
    Ordinary(
        "M-4 0L16 23L-4 46V56L20 28.5L44 56V46L24 23L44 0V-10L20 17.5L-4-10Z",
        ((20, 7.4, 4.8, False), (20, 39.4, 4.6, False), (7.4, 22.6, 4.6, False), (32.6, 22.6, 4.6, False)),
    ),
    Ordinary("BORDURE", ((20, 22, 10.2, False),)),
    Ordinary("M3 0H37L20 40Z", ((20, 12.4, 7.4, True),)),
)
"""Plain, chief, fess, pale, bend, chevron, cross, saltire, bordure, pile."""


def _choices(seed: str) -> Iterator[int]:
    """Numbers of 32 bits from a seed, by xorshift."""
    number = fnv1a(seed) or 1
    while True:
        number ^= number << 13 & 0xFFFFFFFF
        number ^= number >> 17
        number ^= number << 5 & 0xFFFFFFFF
        yield number


@lru_cache(maxsize=1024)  # 5 % of a print page, 1 % of a print
def crest(seed: str) -> Picture:
    """The crest of a seed."""
    choices = _choices(seed)
    next(choices)
    color, metal = COLORS[next(choices) % len(COLORS)], METALS[next(choices) % len(METALS)]
    charge = CHARGES[next(choices) % len(CHARGES)]
    if next(choices) % 5 < 2:
        field = _parted(DIVISIONS[next(choices) % len(DIVISIONS)], charge, color, metal)
    else:
        ordinary = ORDINARIES[next(choices) % len(ORDINARIES)]
        tinctures = (metal, color) if next(choices) % 3 == 0 else (color, metal)
        field = _plain(ordinary, charge, *tinctures)
    return Picture("crest", WIDTH, HEIGHT, PEN, (*field, path(SHIELD, Paint(stroke="line"))))


def _parted(division: str, charge: Shapes, color: Role, metal: Role) -> Shapes:
    """A field of both tinctures, and a charge on a roundel with a rim, which keeps it apart from either."""
    roundel = (Circle(20, 22.5, 12.4, Paint(fill=color)), Circle(20, 22.5, 10.9, Paint(fill=metal)))
    return (
        path(SHIELD, Paint(fill=color)),
        *_on_shield(division, metal),
        *roundel,
        *_charge(charge, 20, 22.5, 7.8, color, metal),
    )


def _plain(ordinary: Ordinary, charge: Shapes, field: Role, other: Role) -> Shapes:
    """A field of one tincture with an ordinary of the other; charges on either have the tincture that it has not."""
    charges = (
        _charge(charge, x, y, radius, *((field, other) if inside else (other, field)))
        for x, y, radius, inside in ordinary.charges
    )
    if ordinary.shape == "BORDURE":
        ground: Shapes = (path(SHIELD, Paint(fill=other)), path(INNER, Paint(fill=field)))
    else:
        ground = (path(SHIELD, Paint(fill=field)), *_on_shield(ordinary.shape, other))
    return (*ground, *(shape for shapes in charges for shape in shapes))


def _charge(charge: Shapes, x: float, y: float, radius: float, tincture: Role, ground: Role) -> Shapes:
    """A charge: ink on a box, in a circle of radius 10."""
    return repainted(placed(charge, x, y, radius / 10), {"ink": tincture, "box": ground})


# ---------------------------------------------------------------- clipping


def _edge(parts: int = 10) -> tuple[Point, ...]:
    """The shield as a convex polygon, clockwise; its outline covers what the corners miss."""
    right = [
        (_bezier(t, 38.5, 38.5, 31, 20), _bezier(t, 23, 35, 43, 48.5)) for t in (at / parts for at in range(parts + 1))
    ]
    return ((1.5, 1.5), (38.5, 1.5), *right, *((40 - x, y) for x, y in reversed(right[:-1])))


def _bezier(t: float, a: float, b: float, c: float, d: float) -> float:
    s = 1 - t
    return s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d


EDGE = _edge()


def _on_shield(shape: str, tincture: Role) -> Iterator[Path]:
    """The part of polygons that lies on the shield."""
    outlines: list[list[Point]] = []
    for segment in path(shape).segments if shape else ():
        if segment.command == "M":
            outlines.append([])
        outlines[-1] += segment.points
    for outline in outlines:
        if clipped := _clipped(outline):
            yield polygon(clipped, Paint(fill=tincture))


def _clipped(outline: list[Point]) -> list[Point]:
    """A polygon within the shield, by Sutherland and Hodgman: cut along one edge after another."""
    for (ax, ay), (bx, by) in zip(EDGE, (*EDGE[1:], EDGE[0]), strict=True):
        side = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in outline]
        clipped: list[Point] = []
        for at, (x, y) in enumerate(outline):
            before, now = side[at - 1], side[at]
            if before * now < 0:
                share = before / (before - now)
                px, py = outline[at - 1]
                clipped.append((px + share * (x - px), py + share * (y - py)))
            if now >= 0:
                clipped.append((x, y))
        outline = clipped
    return outline
