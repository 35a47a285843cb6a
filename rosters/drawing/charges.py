"""Charges of crests: each in a circle of radius 10 around the origin, in ink, with details in box."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from rosters.drawing.primitives import SOLID, Circle, Paint, Path, Segment, Shapes, path, star

CUT = Paint(fill="box")
"""Cuts the color of the ground out of a charge."""


def _around(number: int, shape: str) -> Path:
    """A path that begins at the top, repeated around the origin."""
    angles = (each * 2 * pi / number for each in range(number))
    return Path(tuple(segment for angle in angles for segment in _rotated(path(shape), angle)), SOLID)


def _rotated(shape: Path, angle: float) -> Iterator[Segment]:
    for command, points in shape.segments:
        rotated = ((x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in points)
        yield Segment(command, tuple(rotated))


_RING = (
    "M-10.2 4.8C-11.2 2.8-7.6-.2-5.8-1.2L-5.2.6C-6.4 1.4-7.8 2.6-7.5 3.2C-7 4.2-2.6 3 1.4.8C5.2-1.3 8-3.6 7.5-4.6"
    "C7.2-5.2 5.6-4.9 4.4-4.5L3.2-6C5.4-6.8 9.2-7.4 10.2-5.4C11.4-3 7.2.2 2.4 2.8C-2.6 5.4-9 7.2-10.2 4.8Z"
)

CHARGES: tuple[Shapes, ...] = (
    # mullet
    (star(0, 0.6, 10.4, inner=0.4),),
    # crescent
    (path("M4.6-8.9A10 10 0 1 0 4.6 8.9A7.4 7.4 0 1 1 4.6-8.9Z", SOLID),),
    # sun in splendor
    (star(0, 0, 10, points=12, inner=0.66), Circle(0, 0, 4.9, CUT), Circle(0, 0, 3.8)),
    # tower
    (
        path("M-7.4 10V8.2H-6V-2.4H-7.6V-9.4H-4.6V-7H-1.6V-9.4H1.6V-7H4.6V-9.4H7.6V-2.4H6V8.2H7.4V10Z", SOLID),
        path("M-2.3 10V4.6A2.3 2.3 0 0 1 2.3 4.6V10ZM-1-3.4H1V.4H-1Z", CUT),
    ),
    # sword
    (path("M0-10.8L2.4-7.8V2.6H6.6V5.6H2V7.4A2.3 2.3 0 1 1-2 7.4V5.6H-6.6V2.6H-2.4V-7.8Z", SOLID),),
    # thunderbolt
    (path("M2.4-10.4L-7 1.6H-1.2L-3.6 10.4L7.2-3.2H1.2L5.4-10.4Z", SOLID),),
    # hammer
    (path("M-8-9.4H5.4L8.4-6.6V-2.4H1.9V10H-1.9V-2.4H-8Z", SOLID),),
    # anchor
    (
        path(
            "M0-10.4A2.9 2.9 0 0 1 1.5-5V-3.6H5.2V-.8H1.5V6.4C4 6 5.4 4.6 5.9 2.9L3.9 3.7L7-.8L9.8 4.1"
            "L7.8 3.2C7 7 4 9.8 0 10.4C-4 9.8-7 7-7.8 3.2L-9.8 4.1L-7-.8L-3.9 3.7L-5.9 2.9"
            "C-5.4 4.6-4 6-1.5 6.4V-.8H-5.2V-3.6H-1.5V-5A2.9 2.9 0 0 1 0-10.4Z",
            SOLID,
        ),
        Circle(0, -7.5, 1.3, CUT),
    ),
    # fleur-de-lis
    (
        path(
            "M0-10.6C3-7.4 3.9-4.6 2.2-.4C2.6-4 5-5.8 7.2-4.8C9.8-3.6 9.8.4 6.8 1.8C6.9.4 6.2-.6 5-.4"
            "C3.8-.2 3.2.8 3 2.2H4.4V4.4H2.2C2.4 6.6 3.2 8.4 4.6 9.8H-4.6C-3.2 8.4-2.4 6.6-2.2 4.4H-4.4"
            "V2.2H-3C-3.2.8-3.8-.2-5-.4C-6.2-.6-6.9.4-6.8 1.8C-9.8.4-9.8-3.6-7.2-4.8C-5-5.8-2.6-4-2.2-.4"
            "C-3.9-4.6-3-7.4 0-10.6Z",
            SOLID,
        ),
    ),
    # mascle
    (path("M0-10.4L7.6 0L0 10.4L-7.6 0Z", SOLID), path("M0-4.8L3.5 0L0 4.8L-3.5 0Z", CUT)),
    # cross paty
    (
        path(
            "M-1.9-1.9C-2.2-5-3.4-7.2-5-9.4H5C3.4-7.2 2.2-5 1.9-1.9C5-2.2 7.2-3.4 9.4-5V5"
            "C7.2 3.4 5 2.2 1.9 1.9C2.2 5 3.4 7.2 5 9.4H-5C-3.4 7.2-2.2 5-1.9 1.9C-5 2.2-7.2 3.4-9.4 5V-5"
            "C-7.2-3.4-5-2.2-1.9-1.9Z",
            SOLID,
        ),
    ),
    # eagle displayed
    (
        path(
            "M.2-10.2C1.8-10.2 2.8-9.2 2.8-7.9L4.4-7.2L2.6-6.4C2.4-5.4 2-4.8 1.9-4.2C4-4.6 5-6.4 5.4-9.4"
            "L6.6-7L7.6-9.6L8.4-6.6L10-8.4C10.6-2.8 8.6 1 4.4 2.2L6.6 5.4L4.4 5L4.6 7L2.6 5.6L3.4 9.6"
            "L1.6 8.4L0 10.6L-1.6 8.4L-3.4 9.6L-2.6 5.6L-4.6 7L-4.4 5L-6.6 5.4L-4.4 2.2"
            "C-8.6 1-10.6-2.8-10-8.4L-8.4-6.6L-7.6-9.6L-6.6-7L-5.4-9.4C-5-6.4-4-4.6-1.9-4.2"
            "C-2-5-2.6-6.4-2.6-7.6C-2.6-9.2-1.4-10.2.2-10.2Z",
            SOLID,
        ),
        Circle(0.6, -8, 0.6, CUT),
    ),
    # key
    (
        Circle(0, -5.8, 4.8),
        Circle(0, -5.8, 2, CUT),
        path("M-1.6-2H1.6V10.4H-1.6ZM1 2.4H6.2V5.2H4.6V7.2H6.2V10H1Z", SOLID),
    ),
    # battle-axe
    (
        path(
            "M-1.2-10.4H1.2V-8.8C3.6-9 6-9.8 8-11C9.4-6.6 9.4-2.4 8 2C6 .8 3.6 0 1.2-.2V10.6H-1.2V-1.2"
            "L-5.6-4.5L-1.2-7.8Z",
            SOLID,
        ),
    ),
    # crown
    (
        path("M-8.6-5.4L-5 .4L-2.7-7.6L0 .2L2.7-7.6L5 .4L8.6-5.4L7.4 4.4H-7.4ZM-7.4 5.6H7.4V8.4H-7.4Z", SOLID),
        *(Circle(x, y, 1.5) for x, y in ((-8.6, -6.2), (-2.7, -8.6), (2.7, -8.6), (8.6, -6.2))),
    ),
    # pheon
    (
        path("M0 10.6L-8.4-9.4L-1.7-4.6V-10H1.7V-4.6L8.4-9.4Z", SOLID),
        path("M0 4.2L-3.3-3.2L-1.2-1.8H1.2L3.3-3.2Z", CUT),
    ),
    # cinquefoil
    (
        _around(5, "M0-1C-5.6-2.4-5.4-10.4 0-9C5.4-10.4 5.6-2.4 0-1Z"),
        Circle(0, 0, 3.4),
        Circle(0, 0, 1.9, CUT),
    ),
    # pine tree
    (path("M0-10.6L4.2-5H2.3L6.2.2H3.7L8 5.8H1.5V10.2H-1.5V5.8H-8L-3.7.2H-6.2L-2.3-5H-4.2Z", SOLID),),
    # horseshoe
    (
        path(
            "M-7.6 9.6H-3.4C-5.2 5.6-5.2 2-4.4-1C-3.6-4-1.9-5.4 0-5.4C1.9-5.4 3.6-4 4.4-1"
            "C5.2 2 5.2 5.6 3.4 9.6H7.6C9.4 5 9.4 .2 8.2-3.4C6.8-7.6 3.6-10 0-10C-3.6-10-6.8-7.6-8.2-3.4"
            "C-9.4 .2-9.4 5-7.6 9.6Z",
            SOLID,
        ),
        *(Circle(x, y, 0.75, CUT) for x, y in ((-6.9, 4.4), (6.9, 4.4), (-6.5, -1.6), (6.5, -1.6), (0, -7.8))),
    ),
    # flame
    (
        path(
            "M.8-10.6C1.4-6.6 7.4-4 7.4 2.6C7.4 7.2 4.2 10.2 0 10.2C-4.2 10.2-7.4 7.2-7.4 3"
            "C-7.4 0-5.8-2-5-4.8C-4-4-3.4-2.8-3.2-1.6C-.8-3.8.4-7 .8-10.6Z",
            SOLID,
        ),
        path("M.4 8.6C-1.9 8.6-3.3 7.2-3.3 5.2C-3.3 3-1 2 -.2-1C2 .6 3.9 2.8 3.9 5.2C3.9 7.2 2.6 8.6.4 8.6Z", CUT),
    ),
    # ringed planet
    (Circle(0, 0, 6.2), path(_RING, Paint(fill="box", stroke="box", weight="thin")), path(_RING, SOLID)),
    # cogwheel
    (
        _around(8, "M0 0L-2.9-7L-1.8-10.2H1.8L2.9-7Z"),
        Circle(0, 0, 7.7),
        Circle(0, 0, 3.6, CUT),
    ),
    # trefoil
    (
        *(Circle(x, y, 4.4) for x, y in ((0, -5.6), (-4.9, 1), (4.9, 1))),
        path("M0-3L1.2 3C1.5 6 2.4 8 4.2 10H-4.2C-2.4 8-1.5 6-1.2 3Z", SOLID),
        Circle(0, -1.2, 2.4),
    ),
    # lymphad: a ship under sail
    (
        path("M-9.8 3.6H-6.4L-5.4 4.8H5.4L6.4 3.6H9.8C9 7.4 6.6 9.8 3 9.8H-3C-6.6 9.8-9 7.4-9.8 3.6Z", SOLID),
        path("M-.9-10.6H.9V5H-.9Z", SOLID),
        path("M-6.6-7.6H6.6C5.4-4.6 5.4-1 6.6 2.2H-6.6C-5.4-1-5.4-4.6-6.6-7.6Z", SOLID),
        path("M.9-10.8L5.4-9.6L.9-8.4Z", SOLID),
    ),
)
