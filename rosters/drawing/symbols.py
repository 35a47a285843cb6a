"""Symbols of kinds of elements, each in a field of 24 x 16, and badges of their equipment."""

from __future__ import annotations

from rosters.drawing.primitives import LINE, SOLID, THIN, Circle, Paint, Rect, Shapes, path

WIDTH, HEIGHT = 24, 16

CROSS: Shapes = (path("M0 0L24 16M24 0L0 16"),)
SLASH: Shapes = (path("M0 16L24 0"),)
SMALL_CROSS: Shapes = (path("M5 3.3L19 12.7M19 3.3L5 12.7"),)
SMALL_SLASH: Shapes = (path("M5 12.7L19 3.3"),)
UPRIGHT: Shapes = (path("M12 0V16"),)
OVAL: Shapes = (Rect(3.6, 3.2, 16.8, 9.6, 4.8),)
PIKES: Shapes = (
    path("".join(f"M{x} 16V5.4" for x in (3.6, 7.8, 12, 16.2, 20.4)), LINE),
    path("".join(f"M{x - 1.4} 6.2L{x} 1L{x + 1.4} 6.2Z" for x in (3.6, 7.8, 12, 16.2, 20.4)), SOLID),
)
ELEPHANT: Shapes = (
    path("M7.6 3.9V.9H9V1.9H10.4V.9H11.8V1.9H13.2V3.9Z", SOLID),
    path(
        "M4.2 16V9.4C4.2 6.3 6.4 4.7 9.4 4.7H14C14.8 3.7 16.3 3.2 17.6 3.6C20 4.3 20.7 6.4 20.8 8.9"
        "C20.9 11 21.1 12.5 22.8 12.7V14.3C20.2 14.6 19 13 18.9 10.6L18.8 9.8C18.3 10.4 17.6 10.8 16.9 10.9"
        "V16H13.7V12.6H8.6V16Z",
        SOLID,
    ),
    path("M14.7 4.6C13.6 6.6 14 9 15.9 9.4", Paint(stroke="box", weight="thin")),
)
CHEVRONS: Shapes = (path("M3 9.6L12 2.2L21 9.6M3 15.2L12 7.8L21 15.2"),)
BOW: Shapes = (
    path("M3.8 11Q12 -4 20.2 11"),
    path("M3.8 11H20.2", THIN),
    path("M12 15V4"),
    path("M10.2 5.4L12 .8L13.8 5.4Z", SOLID),
)
LOOP: Shapes = (
    path("M12 8C8.6 1.3 3.4 1.9 3.4 8C3.4 14.1 8.6 14.7 12 8C15.4 1.3 20.6 1.9 20.6 8C20.6 14.1 15.4 14.7 12 8Z"),
)
ROTOR: Shapes = (path("M3.4 3.2V12.8L20.6 3.2V12.8Z"),)
MORTAR: Shapes = (Circle(12, 12.4, 2.3), path("M12 11V2.4M8.8 5.8L12 2L15.2 5.8"))
SUPPORT: Shapes = (path("M12 13.2V3M9 6.4L12 2.8L15 6.4M8 13.2H16"),)
WALKER: Shapes = (
    Rect(10.3, 0.9, 3.4, 2.9, 0.6, SOLID),
    path("M6.6 4.6H17.4L15.6 9.8H8.4Z", SOLID),
    path("M6.9 5.3L4.3 8.2V12.2M17.1 5.3L19.7 8.2V12.2M10 9.6L8 12.4L9 15.4H6.6M14 9.6L16 12.4L15 15.4H17.4"),
)
PAW: Shapes = (
    path(
        "M12 7.9C14.7 7.9 17.2 10.5 17.2 12.8C17.2 14.6 15.5 15 14 14.6C12.7 14.2 11.3 14.2 10 14.6"
        "C8.5 15 6.8 14.6 6.8 12.8C6.8 10.5 9.3 7.9 12 7.9Z",
        SOLID,
    ),
    *(Circle(x, y, r) for x, y, r in ((6, 7.9, 1.7), (9.6, 4.1, 1.9), (14.4, 4.1, 1.9), (18, 7.9, 1.7))),
)
VESSEL: Shapes = (
    path("M1.4 9.8H22.6L19.8 14.4H4.4Z", SOLID),
    path("M6.6 10V6.8H9.2V4.4H13.4V6.8H15.8V10Z", SOLID),
    path("M11.3 4.6V1M16 8.4L20.6 6.8"),
)
KEEP: Shapes = (
    path("M4.4 16V3H7.4V6H10.5V3H13.5V6H16.6V3H19.6V16"),
    path("M10.2 16V12.4A1.8 1.8 0 0 1 13.8 12.4V16Z", SOLID),
)
LOZENGE: Shapes = (path("M12 2L20 8L12 14L4 8Z"), Circle(12, 8, 1.7))
RAMPART: Shapes = (path("M1.5 11.5L6.75 5L12 11.5L17.25 5L22.5 11.5"), path("M1.5 14H22.5", THIN))
LORRY: Shapes = (
    path("M2.6 11.6V3.4H14V11.6ZM14.9 11.6V5.4H18.6L21.4 8.6V11.6Z", SOLID),
    *(Circle(x, 12.2, 2.1, Paint(fill="ink", stroke="box", weight="thin")) for x in (6.8, 17.6)),
)


def wheels(number: int) -> Shapes:
    """A row of wheels inside the oval."""
    return tuple(Circle(12 + 3.2 * (each - (number - 1) / 2), 8, 1.35) for each in range(number))


def gun(bars: int | None) -> Shapes:
    """A ball; with ``bars``, a barrel with so many bars across."""
    if bars is None:
        return (Circle(12, 8, 3.7),)
    slats = "".join(f"M9.6 {1.9 + 2.2 * bar}H14.4" for bar in range(bars))
    return Circle(12, 11.2, 3.1), path(f"M12 9V.8{slats}")


ENGINE: Shapes = (Circle(12, 8, 3.8, LINE), Circle(12, 8, 1.2))
"""A torsion engine."""

# ---------------------------------------------------------------- badges, within 5 of the origin

_SHIELD = "M-3.5-4H3.5V-.2Q3.5 3 0 4.6Q-3.5 3-3.5-.2Z"
LIGHT: Shapes = (path(_SHIELD),)
HEAVY: Shapes = (path(_SHIELD, Paint(fill="ink", stroke="ink", weight="thin")),)
AIM: Shapes = (
    Circle(0, 0, 3.3, LINE),
    Circle(0, 0, 0.9),
    path("M0-5.3V-2M0 5.3V2M-5.3 0H-2M5.3 0H2", LINE),
)
"""Cross hairs: attacks at a distance, with whatever weapon of whatever age."""
BURST: Shapes = (
    path("".join(f"M-4.6 {y - 1}H2Q4.6 {y - 1} 4.6 {y}Q4.6 {y + 1} 2 {y + 1}H-4.6Z" for y in (-3.1, 0, 3.1)), SOLID),
)
"""Three bullets: automatic fire."""
WINGS: Shapes = (
    path("M0 3.4C1.6 3.3 4.6 2.3 5-3.8C3.8-2 1.4-1.9 0 .6ZM0 3.4C-1.6 3.3-4.6 2.3-5-3.8C-3.8-2-1.4-1.9 0 .6Z", SOLID),
)
