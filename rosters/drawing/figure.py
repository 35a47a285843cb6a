"""Single figures: a round base with a bust, a horse, a car, an aircraft or a creature on it."""

from __future__ import annotations

from rosters.drawing.primitives import LINE, SOLID, Circle, Paint, Shapes, path, placed
from rosters.drawing.primitives import star as star_of

CENTER, BASE = 16.0, 12.6
HORSE: Shapes = (
    path(
        "M9.6 27C9.4 21.6 12 19.2 14.4 16.6L11.6 18.1C10.3 18.8 8.7 18.2 8.3 16.8"
        "C8.1 16 8.3 15.4 8.8 14.8L13.8 9L14.2 5.4L16.6 8C21.6 9.4 24.4 14 24.2 19.6"
        "C24.1 22.4 23.4 25 22.4 27"
        "C20.6 28.1 18.4 28.6 16 28.6C13.6 28.6 11.4 28.1 9.6 27Z",
        SOLID,
    ),
    Circle(14.3, 11.7, 0.7, Paint(fill="box")),
    path("M19.4 11.6C21.2 13.8 21.8 16.6 21.2 19.4", Paint(stroke="box", weight="thin")),
)
CAR: Shapes = (
    path("M5.8 20.6V16.9L9.8 15.7L12.3 11.3H19.4L22.4 15.6L26.2 16.8V20.6Z", SOLID),
    path("M11.8 15.4L13.5 12.8H15.4V15.4ZM16.7 15.4V12.8H18.6L20.4 15.4Z", Paint(fill="box")),
    *(Circle(x, 20.8, 2.7, Paint("ink", "box", "line")) for x in (11, 21)),
)

AIRCRAFT: Shapes = (
    path(
        "M16 4.4C17.3 4.4 17.9 6.4 18 8.8L18.1 12L27.4 17.8V20L18.1 17.4L17.6 23.4L20.8 25.6V27.3L16 26.2"
        "L11.2 27.3V25.6L14.4 23.4L13.9 17.4L4.6 20V17.8L13.9 12L14 8.8C14.1 6.4 14.7 4.4 16 4.4Z",
        SOLID,
    ),
    path("M14.9 9.6H17.1L16.8 7.4H15.2Z", Paint(fill="box")),
)
BEAST: Shapes = (
    path(
        "M4.4 24.4C4.8 18.4 9.4 16.6 16 16.6C22.6 16.6 27.2 18.4 27.6 24.4C24.6 27.4 20.4 28.6 16 28.6"
        "C11.6 28.6 7.4 27.4 4.4 24.4Z",
        SOLID,
    ),
    *(
        path(
            f"M{16 - s * 3.6} 10.8C{16 - s * 7.4} 10.2 {16 - s * 8.6} 7 {16 - s * 7.6} 3.9"
            f"C{16 - s * 6.2} 6.4 {16 - s * 4} 6.8 {16 - s * 1.4} 8.2Z",
            SOLID,
        )
        for s in (-1, 1)
    ),
    path(
        "M11 12.6C11 9.2 13 7.6 16 7.6C19 7.6 21 9.2 21 12.6C21 16.6 18.4 20 16 20C13.6 20 11 16.6 11 12.6Z",
        Paint("ink", "box", "thin"),
    ),
    *(path(f"M{16 - s * 3.4} 11.4L{16 - s * 1} 13.2L{16 - s * 3} 13.8Z", Paint(fill="box")) for s in (-1, 1)),
)


def base(figure: Shapes, large: bool, double: bool = False) -> Shapes:
    """A figure on its round base, with a double ring for a figure of double size; a large counter has words below."""
    ring = Paint(stroke="ink", weight="ring")
    second = (Circle(CENTER, CENTER, BASE - 2, Paint(stroke="ink", weight="thin")),) if double else ()
    disc = (Circle(CENTER, CENTER, BASE, Paint(fill="box")), *second, *figure, Circle(CENTER, CENTER, BASE, ring))
    return placed(disc, 1.2, -0.1, 0.86) if large else disc


def bust(*, hollow: bool = False, lapels: bool = False, star: bool = False, hat: bool = False) -> Shapes:
    """Head and shoulders, outlined or solid, with a hat, lapels or a star."""
    paint = LINE if hollow else SOLID
    body = path(
        "M7.2 25C7.4 20.4 10.6 18.4 16 18.4C21.4 18.4 24.6 20.4 24.8 25C22.6 27.4 19.5 28.6 16 28.6"
        "C12.5 28.6 9.4 27.4 7.2 25Z",
        paint,
    )
    on = Paint(fill="ink" if hollow else "box")
    return (
        Circle(16, 12.2, 4.1, paint),
        body,
        *((path("M11.6 11.2C11.6 4.8 20.4 4.8 20.4 11.2Z", SOLID), path("M9 11.4H23", LINE)) if hat else ()),
        *((path("M12.2 18.5L16 23.6L19.8 18.5", Paint(stroke="box")),) if lapels else ()),
        *((star_of(16, 23.4, 3, paint=on),) if star else ()),
    )
