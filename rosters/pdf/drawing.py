"""Draws lines of text, and the pictures of `rosters.drawing` in the colors of a side or in black and white."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfgen.canvas import FILL_NON_ZERO, Canvas

from rosters.core.messages import translate
from rosters.drawing.primitives import DASH, WEIGHTS, Circle, Paint, Path, Picture, Rect, Role, Segment, Shape, Text
from rosters.pdf import fonts
from rosters.pdf.glyphs import embed, pdf_text
from rosters.pdf.shaping import ShapedLine

Palette = Mapping[Role, Color]

TINCTURES: Palette = {
    "line": HexColor("#1b201d"),
    "azure": HexColor("#1f4f86"),
    "gules": HexColor("#9c2f20"),
    "vert": HexColor("#2b6241"),
    "sable": HexColor("#262b2e"),
    "purpure": HexColor("#5a3a70"),
    "tawny": HexColor("#8a4f14"),
    "argent": HexColor("#f7f0dc"),
    "or": HexColor("#e0b34a"),
    "pearl": HexColor("#dfe4e4"),
    "water": HexColor("#d3e3ed"),
    "wood": HexColor("#dee6d0"),
    "contour": HexColor("#8a8f70"),
    "road": HexColor("#b06a4c"),
    "town": HexColor("#4a423a"),
}


def _side(tile: str, ink: str, box: str, alert: str) -> Palette:
    return {
        "tile": HexColor(tile),
        "ink": HexColor(ink),
        "box": HexColor(box),
        "alert": HexColor(alert),
        "paper": white,
        **TINCTURES,
    }


BLUE = _side("#b4cde6", "#11304f", "#f8fbff", "#9c1f0c")
RED = _side("#ecb9a8", "#571508", "#fffaf7", "#9c1f0c")
"""As in static/css/tokens.css, light."""
PAPER = (
    _side("#dbe6f1", "#11304f", "#ffffff", "#9c1f0c"),
    _side("#f5dfd7", "#571508", "#ffffff", "#9c1f0c"),
    _side("#f5e7c4", "#402a00", "#ffffff", "#845600"),
    _side("#e7def2", "#2e1748", "#ffffff", "#5e3c86"),
)
"""The palettes on paper by seat, with pale tiles, which take little ink."""
PLAIN: Palette = {
    **dict.fromkeys(
        ("ink", "alert", "line", "azure", "gules", "vert", "sable", "purpure", "tawny", "road", "town"), black
    ),
    **dict.fromkeys(("box", "paper", "argent", "or", "pearl"), white),
    **dict.fromkeys(("tile", "water", "wood"), Color(0.93, 0.93, 0.93)),
    "contour": Color(0.5, 0.5, 0.5),
}
"""Black and white: a crest stays legible, since no color lies on a color."""


def draw(canvas: Canvas, picture: Picture, x: float, top: float, width: float, palette: Palette) -> None:
    """Draw a picture of this width, its top left corner at (x, top)."""
    scale = width / picture.width
    canvas.saveState()
    canvas.transform(scale, 0, 0, -scale, x, top)
    canvas.setLineJoin(1)
    for shape in picture.shapes:
        _set_paint(canvas, shape.paint, picture.pen, palette)
        _draw(canvas, shape)
    canvas.restoreState()


def _set_paint(canvas: Canvas, paint: Paint, pen: float, palette: Palette) -> None:
    if paint.fill != "none":
        canvas.setFillColor(palette[paint.fill])
    if paint.stroke != "none":
        canvas.setStrokeColor(palette[paint.stroke])
        canvas.setLineWidth(pen * WEIGHTS[paint.weight])
        canvas.setDash(*(DASH if paint.dashed else ()))


def _draw(canvas: Canvas, shape: Shape) -> None:
    how = {"stroke": int(shape.paint.stroke != "none"), "fill": int(shape.paint.fill != "none")}
    if isinstance(shape, Path):
        canvas._code.append(_outline(shape.segments))
        canvas._strokeAndFill(**how, fillMode=FILL_NON_ZERO)
    elif isinstance(shape, Rect):
        canvas.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius, **how)
    elif isinstance(shape, Circle):
        canvas._code.append(_circle(shape.x, shape.y, shape.radius))
        canvas._strokeAndFill(**how)
    else:
        _write(canvas, shape)


STEPS = {"M": "%.3f %.3f m", "L": "%.3f %.3f l", "C": "%.3f %.3f %.3f %.3f %.3f %.3f c", "Z": "h"}


def _outline(segments: Sequence[Segment]) -> str:
    """The steps of a path as PDFs write them; all numbers are written at once, since most of a picture are paths."""
    numbers = [number for _command, points in segments for point in points for number in point]
    return " ".join([STEPS[command] for command, _points in segments]) % tuple(numbers)


QUARTER = 0.5523
"""How far the controls of a quarter of a circle are from its ends, as a share of the radius."""


def _circle(x: float, y: float, radius: float) -> str:
    """A circle as four curves."""
    pull, left, low, right, high = QUARTER * radius, x - radius, y - radius, x + radius, y + radius
    return (
        f"{right:.3f} {y:.3f} m "
        f"{right:.3f} {y + pull:.3f} {x + pull:.3f} {high:.3f} {x:.3f} {high:.3f} c "
        f"{x - pull:.3f} {high:.3f} {left:.3f} {y + pull:.3f} {left:.3f} {y:.3f} c "
        f"{left:.3f} {y - pull:.3f} {x - pull:.3f} {low:.3f} {x:.3f} {low:.3f} c "
        f"{x + pull:.3f} {low:.3f} {right:.3f} {y - pull:.3f} {right:.3f} {y:.3f} c h"
    )


def _write(canvas: Canvas, text: Text) -> None:
    """A line of text, upright in a field whose y points down."""
    x = -fonts.ems(text.text, fonts.NARROW_BOLD) * text.size * {"start": 0, "middle": 0.5, "end": 1}[text.align]
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, text.x, text.y)
    draw_text(canvas, x, 0, text.text, fonts.NARROW_BOLD, text.size)
    canvas.restoreState()


# ---------------------------------------------------------------- text


def draw_text(canvas: Canvas, x: float, y: float, text: str, name: str, size: float, spacing: float = 0) -> None:
    """Draw ``text``, translated, in one line on its baseline; ``spacing`` follows each letter that is not shaped."""
    known, key = _known.setdefault(canvas._doc, {}), (translate(text), name, size, spacing)
    line = known.get(key)
    if line is None:
        line = known[key] = _line(canvas, *key)
    if isinstance(line, ShapedLine):
        _draw_shaped(canvas, line, x, y, size)
        return
    for start, shown in line:
        canvas._code.append(f"BT {x + start:.3f} {y:.3f} Td {shown} ET")


def _draw_shaped(canvas: Canvas, line: ShapedLine, x: float, y: float, size: float) -> None:
    """Draw a shaped line on its baseline."""
    code = [f"BT 1 0 0 1 {x:.3f} {y:.3f} Tm"]
    for run in line.runs:
        font = embed(canvas._doc, run.font)
        for number, text in run.texts:
            font.texts.setdefault(number, text)
        levels = [f"{rise * size / 1000:.3f} Ts {shown} TJ" for rise, shown in run.levels]
        shown = [f"/{font.name} {size:.3f} Tf", *levels, "0 Ts"]
        if run.text:
            shown = [f"/Span<</ActualText{pdf_text(run.text)}>>BDC", *shown, "EMC"]
        code += shown
    canvas._code.append(" ".join([*code, "ET"]))


Line = ShapedLine | tuple[tuple[float, str], ...]
"""A line of text as the operators of a PDF, with where each begins."""
_known: WeakKeyDictionary[PDFDocument, dict[tuple[str, str, float, float], Line]] = WeakKeyDictionary()


def _line(canvas: Canvas, text: str, name: str, size: float, spacing: float) -> Line:
    """A line of text in the codes of a document.

    `Canvas.drawString` finds these anew for each of many numbers and labels, which takes most of the time of a page.
    """
    parts_by_font = fonts.runs(text, name)
    if isinstance(parts_by_font, ShapedLine):
        return parts_by_font
    space, none = (f"{fp_str(spacing)} Tc ", " 0 Tc") if spacing else ("", "")
    line, start, following = [], 0.0, 0.0
    for font, part in parts_by_font:
        start += following
        shown = (f"{name} {fp_str(size)} Tf ({codes}) Tj" for name, codes in _in_subsets(canvas, font, part))
        line.append((start, f"{space}{' '.join(shown)}{none}"))
        following = pdfmetrics.stringWidth(part, font, size) + spacing * len(part) if len(parts_by_font) > 1 else 0.0
    return tuple(line)


ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in r"\()"})


def _in_subsets(canvas: Canvas, font: str, text: str) -> Iterator[tuple[str, str]]:
    """Text as the codes of a font's subsets, with their names. ASCII is in the first as it is."""
    used, document = pdfmetrics.getFont(font), canvas._doc
    if text.isascii():
        yield used.getSubsetInternalName(0, document), text.translate(ESCAPED)
        return
    for subset, codes in used.splitString(text, document):
        yield used.getSubsetInternalName(subset, document), canvas._escape(codes)
