"""Dice by their outlines: a square, an octahedron, a kite and a pentagon look different at any size."""

from __future__ import annotations

from rosters.drawing.primitives import Paint, Role, Shapes, Text, path

OUTLINES = {
    6: "M-3.2-3.9H3.2A.7.7 0 0 1 3.9-3.2V3.2A.7.7 0 0 1 3.2 3.9H-3.2A.7.7 0 0 1-3.9 3.2V-3.2A.7.7 0 0 1-3.2-3.9Z",
    8: "M0-4.8L4.3 0L0 4.8L-4.3 0Z",
    10: "M0-4.8L4.5-1.2V1.2L0 4.8L-4.5 1.2V-1.2Z",
    12: "M0-4.6L4.5-1.4L2.8 3.9H-2.8L-4.5-1.4Z",
}
FACETS = {8: ("M-4.3 0H4.3",), 10: ("M0-4.8L-2.3 1.2H2.3ZM-4.5 1.2H-2.3M4.5 1.2H2.3",)}
"""Edges inside the outline, for a die without a number."""


def die(sides: int, text: str = "", filled: bool = False) -> Shapes:
    """A die around the origin, with a number on it or with its edges; a ``filled`` one is dark."""
    shape: Role = "box" if filled else "ink"
    outline = path(OUTLINES[sides], Paint("ink" if filled else "none", "ink", "thin" if text or filled else "line"))
    if text:
        return outline, Text(0, 1.6, text, 4.4, paint=Paint(fill=shape))
    return outline, *(path(edges, Paint(stroke=shape, weight="hair")) for edges in FACETS.get(sides, ()))
