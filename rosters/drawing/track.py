"""A track of boxes on one line, with a bar after those that may be lost before something happens."""

from __future__ import annotations

from rosters.drawing.primitives import Paint, Picture, Rect

STEP, HEIGHT = 11, 18
MAX_BOXES = 30
"""The most boxes of a picture; more cannot be counted by eye."""
BOX, BAR = Paint(fill="box", stroke="ink"), Paint(fill="alert")


def track(boxes: int, breaks: int) -> Picture:
    """The track; its bar comes after box number ``breaks``."""
    number = min(boxes, MAX_BOXES)
    bar = 4 if 0 < breaks < number else 0
    places = (1 + STEP * box + (bar if box >= breaks else 0) for box in range(number))
    shapes = [Rect(place, 3, STEP - 4, HEIGHT - 6, 1, BOX) for place in places]
    if bar:
        shapes.append(Rect(STEP * breaks - 0.5, 0, 2, HEIGHT, 0, BAR))
    return Picture("track", STEP * number + bar, HEIGHT, 1, tuple(shapes))
