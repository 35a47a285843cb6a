"""Signs of markers: what has happened to a model, each in a field of 24 x 24."""

from __future__ import annotations

from rosters.drawing.primitives import LINE, SOLID, Circle, Paint, Picture, Rect, Shapes, path, placed, star

SIZE = 24
BOLD = Paint(stroke="ink", weight="bold")
SLASH: Shapes = (path("M4 20L20 4", BOLD),)

CHECK: Shapes = (path("M4 13L10 19L20 5", BOLD),)
FLAG: Shapes = (path("M6.5 22V2.5", BOLD), path("M6.5 3.5L20 7.8L6.5 12Z", SOLID))
PAUSE: Shapes = (Rect(6.4, 4, 4, 16, 1, SOLID), Rect(13.6, 4, 4, 16, 1, SOLID))
BURST: Shapes = (star(12, 12, 10, points=9, inner=0.52, paint=LINE), Circle(12, 12, 2.4))
CARTRIDGE: Shapes = (path("M8.6 21.5V9.6C8.6 6.4 10.6 3.8 12 2.5C13.4 3.8 15.4 6.4 15.4 9.6V21.5ZM8.6 18.6H15.4"),)
SPENT: Shapes = (*CARTRIDGE, *SLASH)
EYE: Shapes = (path("M2.5 12Q12 2.5 21.5 12Q12 21.5 2.5 12Z"), Circle(12, 12, 3.2))
PARACHUTE: Shapes = (
    path("M2.5 11.5A9.5 9.5 0 0 1 21.5 11.5Z", Paint("tile", "ink")),
    path("M2.5 11.5L12 20.5L21.5 11.5M8.8 11.5L12 20.5L15.2 11.5"),
    Circle(12, 21, 1.9),
)
RETREAT: Shapes = (path("M19 3.5V13.5H5.5M11 8L5.5 13.5L11 19", BOLD),)
CARRIAGE: Shapes = (
    Circle(9, 14.6, 6.4, LINE),
    path("M9 8.2V21M2.6 14.6H15.4"),
    path("M9 14.6L22 8M3 9.6L9 14.6", BOLD),
)
GENERAL: Shapes = (star(12, 12.6, 10.4),)
NO_COMMAND: Shapes = (star(12, 12.6, 9.6, paint=LINE), *SLASH)
HOURGLASS: Shapes = (
    path("M7 3H17M7 21H17", BOLD),
    path("M8 3.5H16C16 9 12.6 10 12.6 12C12.6 14 16 15 16 20.5M8 20.5C8 15 11.4 14 11.4 12C11.4 10 8 9 8 3.5"),
    path("M9.2 20C9.8 17 11 16.4 12 15.6C13 16.4 14.2 17 14.8 20Z", SOLID),
)
TWO_HOURGLASSES: Shapes = (*placed(HOURGLASS, -5.4, 0), *placed(HOURGLASS, 5.4, 0))
CROSS: Shapes = (path("M9 3.5H15V9H20.5V15H15V20.5H9V15H3.5V9H9Z", SOLID),)
LOCK: Shapes = (Rect(5, 10.5, 14, 10.5, 1.6, SOLID), path("M8 10.5V7.6A4 4 0 0 1 16 7.6V10.5", BOLD))
ASLEEP: Shapes = (path("M4 4H12.5L4 13H12.5", BOLD), path("M14 14.5H20.5L14 21H20.5"))
ALARM: Shapes = (path("M10 3H14L13 14.5H11Z", SOLID), Circle(12, 19.4, 2))
CRATE: Shapes = (Rect(3.5, 5, 17, 14.5, 0.6, Paint("tile", "ink")), path("M3.5 5L20.5 19.5M20.5 5L3.5 19.5"))
TARGET: Shapes = (Circle(12, 12, 8, LINE), Circle(12, 12, 2.6), path("M12 1V7M12 17V23M1 12H7M17 12H23"))


def sign(shapes: Shapes) -> Picture:
    """A sign in its field."""
    return Picture("sign", SIZE, SIZE, 1.5, shapes)
