"""Writes pictures as inline SVG: colors and weights are classes, which static/css defines."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from rosters.core.crests import fnv1a
from rosters.core.messages import translate
from rosters.drawing.primitives import Circle, Paint, Path, Picture, Rect, Segment, Shape, Text


def svg(picture: Picture, classes: str = "") -> str:
    """The picture as an SVG element, hidden from screen readers, for which there is text beside it.

    ``classes`` are more classes of the element, such as ``red``.
    """
    names = f"drawing {picture.kind} {classes}".strip()
    return f'<svg class="{escape(names)}" viewBox="{_view(picture)}" aria-hidden="true">{_shapes(picture)}</svg>'


class Symbol(NamedTuple):
    """A picture as an SVG symbol for a page that shows it many times; ``width`` is that of its view box."""

    id: str
    symbol: str
    width: float


def symbol(picture: Picture) -> Symbol:
    """The picture as a symbol; equal pictures have the same id."""
    shapes = _shapes(picture)
    name = f"{picture.kind.split()[0]}-{fnv1a(shapes):08x}"
    markup = f'<symbol class="drawing" id="{name}" viewBox="{_view(picture)}">{shapes}</symbol>'
    return Symbol(name, markup, picture.width)


def _view(picture: Picture) -> str:
    return f"0 0 {number(picture.width)} {number(picture.height)}"


def _shapes(picture: Picture) -> str:
    return "".join(_WRITERS[type(shape)](shape) for shape in picture.shapes)


def number(value: float) -> str:
    """A coordinate to a hundredth, as short as it can be."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _class(paint: Paint) -> str:
    names = [f"f-{paint.fill}"] if paint.fill != "none" else []
    if paint.stroke != "none":
        names += [f"s-{paint.stroke}", *([paint.weight] if paint.weight != "line" else [])]
        names += ["dash"] if paint.dashed else []
    return f' class="{" ".join(names)}"'


def _path(shape: Path) -> str:
    return f'<path{_class(shape.paint)} d="{_data(shape.segments)}"/>'


@lru_cache(maxsize=1024)  # 3 % of a fixed version
def _data(segments: tuple[Segment, ...]) -> str:
    """The shortest notation: horizontal and vertical lines have one number."""
    parts, here = [], (0.0, 0.0)
    for command, points in segments:
        if command == "L" and number(points[0][1]) == number(here[1]):
            parts.append(f"H{number(points[0][0])}")
        elif command == "L" and number(points[0][0]) == number(here[0]):
            parts.append(f"V{number(points[0][1])}")
        else:
            parts.append(command + _joined([value for point in points for value in point]))
        here = points[-1] if points else here
    return "".join(parts)


def _joined(values: list[float]) -> str:
    """Numbers with a space between them, where no minus sign separates them already."""
    return "".join(
        f" {each}" if at and not each.startswith("-") else each for at, each in enumerate(map(number, values))
    )


def _rect(shape: Rect) -> str:
    radius = f' rx="{number(shape.radius)}"' if shape.radius else ""
    place = f'x="{number(shape.x)}" y="{number(shape.y)}"'
    size = f'width="{number(shape.width)}" height="{number(shape.height)}"'
    return f"<rect{_class(shape.paint)} {place} {size}{radius}/>"


def _circle(shape: Circle) -> str:
    place = f'cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.radius)}"'
    return f"<circle{_class(shape.paint)} {place}/>"


def _text(shape: Text) -> str:
    align = f' text-anchor="{shape.align}"' if shape.align != "middle" else ""  # the style sheet centers
    place = f'x="{number(shape.x)}" y="{number(shape.y)}" font-size="{number(shape.size)}"'
    return f"<text{_class(shape.paint)} {place}{align}>{escape(translate(shape.text))}</text>"


_WRITERS: dict[type[Shape], Callable[[Any], str]] = {Path: _path, Rect: _rect, Circle: _circle, Text: _text}
