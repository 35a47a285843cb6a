"""The pen: draws on one PDF in the style of its options. Lengths in points, y upwards, angles in degrees."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import cos, radians, sin
from threading import Lock
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase.pdfdoc import PDFDocument, PDFObjectReference
from reportlab.pdfgen.canvas import Canvas

from rosters.core.messages import translate
from rosters.drawing.primitives import Picture, Text
from rosters.pdf import drawing, fonts
from rosters.pdf.fields import Form, Rectangle
from rosters.pdf.fonts import BOLD, NARROW, REGULAR
from rosters.pdf.glyphs import RawObject
from rosters.pdf.text import LEADING, MIN_SIZE, FittedText, fit_text
from rosters.pdf.writer import PackedDocument, compress

MM = 72 / 25.4
"""Points in a millimeter."""
BODY_SIZE = 9.0
"""The size of running text in normal print, in points."""
HAIR, LINE, THICK = 0.2 * MM, 0.3 * MM, 0.6 * MM
"""Widths of lines."""
PALE, TINT, STRONG = 0.1, 0.2, 0.44
"""Shares of a side's color in a ground: under heads and zebra rows, in a field, in what must stand out."""
BOX = 5 * MM
"""The usual side of a box to mark; no box is under 4.5 mm."""
RADIUS = 0.4 * MM
MAP_EDGE = 1.8 * MM
"""The breadth of the edge around a map."""

Align = Literal["left", "centre", "right"]
Ink = Literal["ink", "soft", "side", "deep", "line", "white"]
"""What is written or drawn: text, text of less weight, a side's color and its darker one, a ruled line."""


class Seat(NamedTuple):
    """The colors of a side: of its frames, of its text, and those of its pictures. ``double`` frames have two lines."""

    side: Color
    deep: Color
    pictures: drawing.Palette
    double: bool = False


SEATS = (
    Seat(HexColor("#22578c"), HexColor("#11304f"), drawing.PAPER[0]),
    Seat(HexColor("#a5321f"), HexColor("#571508"), drawing.PAPER[1], double=True),
    Seat(HexColor("#845600"), HexColor("#402a00"), drawing.PAPER[2]),
    Seat(HexColor("#5e3c86"), HexColor("#2e1748"), drawing.PAPER[3], double=True),
)
"""The sides by seat, as in static/css/tokens.css."""
PLAIN_SEATS = tuple(Seat(black, black, drawing.PLAIN, seat.double) for seat in SEATS)
INKS = {"ink": HexColor("#1b201d"), "soft": HexColor("#595e54"), "line": HexColor("#b9b6ab"), "white": white}
ROUND = 0.4472
"""How far the controls of a rounded corner are from it, as a share of its radius."""
LABEL_SPACING = 0.07
"""The space between the capitals of a label, in ems."""


class Style(NamedTuple):
    """How to draw: the size of running text in points, in color or black and white, with form fields or not."""

    body: float = BODY_SIZE
    colour: bool = True
    fillable: bool = False

    @property
    def scale(self) -> float:
        """The size of print, as a multiple of normal print."""
        return self.body / BODY_SIZE

    @property
    def enlargement(self) -> float:
        """`scale`, but 1 in smaller print: for boxes and rows, which are as small as they may be in normal print."""
        return max(self.scale, 1.0)

    @property
    def unit(self) -> float:
        """A millimeter of normal print in points; in large print more."""
        return MM * self.scale

    def sized(self, size: float) -> float:
        """A size of text in normal print as it is in this style, `MIN_SIZE` at least."""
        return max(size * self.scale, MIN_SIZE)

    def font_size(self, share: float) -> float:
        """A size of text as a share of that of running text, `MIN_SIZE` at least."""
        return max(self.body * share, MIN_SIZE)

    @property
    def small(self) -> float:
        return self.font_size(0.84)

    @property
    def large(self) -> float:
        return self.body * 1.35

    @property
    def line(self) -> float:
        """From one line of running text to the next."""
        return self.body * LEADING


@lru_cache(maxsize=256)  # 6 % of a print: a color that is the same object is not written again
def _tint(side: Color, share: float) -> Color:
    return Color(*(1 - (1 - part) * share for part in (side.red, side.green, side.blue)))


_one_at_a_time = Lock()
"""ReportLab reads the faces, which all documents share, from a position that it stores in them."""


class SheetCanvas(Canvas):  # type: ignore[misc]  # ReportLab ships no types
    """A canvas for many small drawings: it writes a shape at once, to a thousandth of a point, colors and widths only
    where they change, and forms as bytes.
    """

    _fillColorObj: Any
    _strokeColorObj: Any
    _lineDash: tuple[float, ...] | None
    _lineWidth: float | None

    def __init__(self, *arguments: Any, **how: Any) -> None:
        super().__init__(*arguments, pageCompression=0, **how)  # the document compresses
        self._doc.__class__ = PackedDocument  # a canvas makes its document itself

    def init_graphics_state(self) -> None:
        """Begin a page or a form, which has the width of lines of wherever it is drawn."""
        super().init_graphics_state()
        self._lineWidth = None

    def push_state_stack(self) -> None:
        """Keep what drawings change and what is asked for, a fraction of ReportLab's state."""
        self.state_stack.append(
            (self._currentMatrix, self._fillColorObj, self._strokeColorObj, self._lineWidth, self._lineDash)
        )

    def pop_state_stack(self) -> None:
        """Take up again what was kept."""
        (self._currentMatrix, self._fillColorObj, self._strokeColorObj, self._lineWidth, self._lineDash) = (
            self.state_stack.pop()
        )

    def transform(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        m, n, o, p, q, r = self._currentMatrix
        self._currentMatrix = (
            m * a + o * b, n * a + p * b, m * c + o * d, n * c + p * d, m * e + o * f + q, n * e + p * f + r
        )  # fmt: skip
        self._code.append(f"{a:.6f} {b:.6f} {c:.6f} {d:.6f} {e:.3f} {f:.3f} cm")

    def setFillColor(self, color: Color) -> None:
        if color is not self._fillColorObj:
            self._fillColorObj = color
            self._code.append(f"{color.red:.3f} {color.green:.3f} {color.blue:.3f} rg")

    def setStrokeColor(self, color: Color) -> None:
        if color is not self._strokeColorObj:
            self._strokeColorObj = color
            self._code.append(f"{color.red:.3f} {color.green:.3f} {color.blue:.3f} RG")

    def setLineWidth(self, width: float) -> None:
        if width != self._lineWidth:
            self._lineWidth = width
            self._code.append(f"{width:.3f} w")

    def setDash(self, *lengths: float) -> None:
        """Draw lines with dashes and gaps of these lengths from now on; without any, whole lines."""
        if lengths != self._lineDash:
            self._lineDash = lengths
            self._code.append(f"[{fp_str(*lengths)}] 0 d")

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._code.append(f"{x1:.3f} {y1:.3f} m {x2:.3f} {y2:.3f} l S")

    def rect(self, x: float, y: float, width: float, height: float, stroke: int = 1, fill: int = 0) -> None:
        self._code.append(f"{x:.3f} {y:.3f} {width:.3f} {height:.3f} re")
        self._strokeAndFill(stroke, fill)

    def roundRect(
        self, x: float, y: float, width: float, height: float, radius: float, stroke: int = 1, fill: int = 0
    ) -> None:
        right, high, pull = x + width, y + height, radius * ROUND
        self._code.append(
            f"{x + radius:.3f} {y:.3f} m {right - radius:.3f} {y:.3f} l "
            f"{right - pull:.3f} {y:.3f} {right:.3f} {y + pull:.3f} {right:.3f} {y + radius:.3f} c "
            f"{right:.3f} {high - radius:.3f} l "
            f"{right:.3f} {high - pull:.3f} {right - pull:.3f} {high:.3f} {right - radius:.3f} {high:.3f} c "
            f"{x + radius:.3f} {high:.3f} l "
            f"{x + pull:.3f} {high:.3f} {x:.3f} {high - pull:.3f} {x:.3f} {high - radius:.3f} c "
            f"{x:.3f} {y + radius:.3f} l "
            f"{x:.3f} {y + pull:.3f} {x + pull:.3f} {y:.3f} {x + radius:.3f} {y:.3f} c h"
        )
        self._strokeAndFill(stroke, fill)

    def end_form(self) -> int:
        """End what was drawn since `beginForm`; its number, for `draw_form`."""
        form = _Form(self._code, self._formsinuse, self._formData[1:])
        self._doc.inObject = None
        self._doc.Reference(form)
        self._restartAccumulators()
        self.pop_state_stack()
        return int(self._doc.objectcounter)

    def draw_form(self, number: int, x: float, y: float) -> None:
        """Draw a form with its origin at (x, y)."""
        self._code.append(f"q 1 0 0 1 {x:.3f} {y:.3f} cm /X{number} Do Q")
        self._formsinuse.append(number)

    def _setXObjects(self, page: Any) -> None:
        """Name the forms that a page draws; ReportLab calls this."""
        page.XObjects = RawObject(_named(self._formsinuse)) if self._formsinuse else None

    def _setAnnotations(self, page: Any) -> None:
        """Name the form fields of a page, by their numbers; ReportLab calls this."""
        fields = " ".join([f"{number} 0 R" for number in self._annotationrefs])
        page.Annots = RawObject(f"[{fields}]".encode()) if fields else None


def _named(forms: Iterable[int]) -> bytes:
    """The names by which forms are drawn."""
    return f"<<{''.join([f'/X{number} {number} 0 R' for number in dict.fromkeys(forms)])}>>".encode()


class _Form(RawObject):
    """A drawing that pages and other forms refer to."""

    def __init__(self, code: Sequence[str], forms: Iterable[int], box: Sequence[float]) -> None:
        self.code, self.forms, self.box = compress("\n".join(code).encode("latin-1")), _named(forms), fp_str(*box)

    def format(self, document: PDFDocument) -> bytes:
        fonts = PDFObjectReference("BasicFonts").format(document)
        head = b"<</Type/XObject/Subtype/Form/BBox[%b]/Resources<</Font %b/XObject%b>>/Length %d/Filter/FlateDecode>>"
        return b"%bstream\n%b\nendstream" % (
            head % (self.box.encode(), fonts, self.forms, len(self.code)),
            self.code,
        )


def save_canvas(canvas: Canvas) -> None:
    """Write the document, with the parts of its faces that it uses."""
    with _one_at_a_time:
        canvas.save()


class Pen:
    """Draws on a canvas; repeated parts are PDF form XObjects, which keep large files small."""

    def __init__(self, canvas: SheetCanvas, style: Style) -> None:
        self.canvas, self.style, self.prefix, self.number = canvas, style, "", 0
        self._forms: dict[tuple[Hashable, int], int] = {}
        self._fields: Form | None = None

    # ------------------------------------------------------------ colors

    @property
    def seat(self) -> Seat:
        """The side of the page: by its number, or black where the sheet has no color."""
        if not self.style.colour:
            return PLAIN_SEATS[self.number % len(SEATS)]
        return SEATS[self.number % len(SEATS)]

    def color(self, ink: Ink) -> Color:
        return INKS.get(ink) or getattr(self.seat, ink)

    def tint(self, share: float) -> Color:
        """So much of the side's color, the rest white."""
        return _tint(self.seat.side, share)

    def set_ink(self, ink: Ink) -> None:
        self.canvas.setFillColor(self.color(ink))

    # ------------------------------------------------------------ words

    def text(self, x: float, y: float, text: str, size: float = 0, **how: Any) -> None:
        """One line on its baseline. ``how``: face, align, ink."""
        self.runs(x, y, text, size or self.style.body, **how)

    def runs(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        face: str = REGULAR,
        align: Align = "left",
        ink: Ink = "ink",
    ) -> None:
        if align != "left":
            x -= fonts.ems(text, face) * size * (0.5 if align == "centre" else 1)
        self.set_ink(ink)
        drawing.draw_text(self.canvas, x, y, text, face, size)

    def lines(self, x: float, top: float, text: FittedText, width: float = 0, **how: Any) -> None:
        """Fitted lines below ``top``; ``width`` is needed to center or align right."""
        align = how.get("align", "left")
        x += {"left": 0.0, "centre": width / 2, "right": width}[align]
        for number, line in enumerate(text.lines):
            self.runs(x, top - text.size * (fonts.ASCENT + number * LEADING), line, text.size, **how)

    def fit(self, x: float, y: float, text: str, width: float, size: float = 0, **how: Any) -> None:
        """One line on its baseline, shrunk or shortened to ``width``."""
        fitted = fit_text(text, width, size or self.style.body, face=how.get("face", REGULAR))
        if how.get("align") == "centre":
            x += width / 2
        if how.get("align") == "right":
            x += width
        self.runs(x, y, fitted.lines[0] if fitted.lines else "", fitted.size, **how)

    def label(
        self, x: float, y: float, text: str, *, align: Align = "left", ink: Ink = "deep", size: float = 7
    ) -> None:
        """A head in spaced capitals, in one line on its baseline."""
        if align != "left":
            x -= self.label_width(text, size) * (0.5 if align == "centre" else 1)
        self.set_ink(ink)
        drawing.draw_text(self.canvas, x, y, translate(text).upper(), BOLD, size, size * LABEL_SPACING)

    @staticmethod
    def label_width(text: str, size: float) -> float:
        return fonts.ems(translate(text).upper(), BOLD, LABEL_SPACING) * size

    # ------------------------------------------------------------ shapes

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        width: float = LINE,
        dash: Sequence[float] = (),
        ink: Ink = "ink",
    ) -> None:
        self.canvas.setStrokeColor(self.color(ink))
        self.canvas.setLineWidth(width)
        if dash:
            self.canvas.setDash(*dash)
        self.canvas.line(x1, y1, x2, y2)
        if dash:
            self.canvas.setDash()

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        line: float = LINE,
        fill: float | None = None,
        ink: Ink = "deep",
        radius: float = 0,
        dash: Sequence[float] = (),
    ) -> None:
        """A rectangle by its lower left corner. ``line`` 0 draws no outline; ``fill`` is a share of the color."""
        self._shape(line, fill, ink, dash)
        how = {"stroke": int(line > 0), "fill": int(fill is not None)}
        if radius:
            self.canvas.roundRect(x, y, width, height, radius, **how)
        else:
            self.canvas.rect(x, y, width, height, **how)
        if dash:
            self.canvas.setDash()

    def shade(self, x: float, y: float, width: float, height: float, share: float = PALE) -> None:
        """A light ground under a heading or a row."""
        self.rect(x, y, width, height, line=0, fill=share)

    def frame(self, x: float, y: float, width: float, height: float, radius: float = 1.2 * MM) -> None:
        """The frame of a side by its lower left corner: blue has one line, red has two."""
        self.rect(x, y, width, height, line=0.45 * MM, ink="side", radius=radius)
        if self.seat.double:
            inset, inner = 0.75 * MM, max(radius - 0.5 * MM, 0.3 * MM)
            self.rect(x + inset, y + inset, width - 2 * inset, height - 2 * inset, line=HAIR, ink="side", radius=inner)

    def oval(
        self, x: float, y: float, width: float, height: float, *, fill: float | None = None, line: float = LINE
    ) -> None:
        """An ellipse in the rectangle with this lower left corner."""
        self._shape(line, fill)
        self.canvas.ellipse(x, y, x + width, y + height, stroke=1, fill=int(fill is not None))

    def circle(
        self, x: float, y: float, radius: float, *, line: float = LINE, fill: float | None = None, ink: Ink = "deep"
    ) -> None:
        self._shape(line, fill, ink)
        self.canvas.circle(x, y, radius, stroke=int(line > 0), fill=int(fill is not None))

    def outline(
        self,
        points: Sequence[tuple[float, float]],
        *,
        line: float = LINE,
        fill: float | None = None,
        ink: Ink = "deep",
        closed: bool = True,
    ) -> None:
        """An outline through these points."""
        self._shape(line, fill, ink)
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if closed:
            path.close()
        self.canvas.drawPath(path, stroke=int(line > 0), fill=int(fill is not None))

    def _shape(self, line: float, fill: float | None, ink: Ink = "deep", dash: Sequence[float] = ()) -> None:
        self.canvas.setStrokeColor(self.color(ink))
        self.canvas.setLineWidth(line)
        if dash:
            self.canvas.setDash(*dash)
        if fill is not None:
            self.canvas.setFillColor(self.color(ink) if fill == 1 else self.tint(fill))

    def zebra(self, x: float, y: float, width: float, height: float = 1.5 * MM, step: float = 6 * MM) -> None:
        """The edge of a map, which is the product's sign, by its lower left corner."""
        fields = max(2, round(width / step))
        self.rect(x, y, width, height, line=0.18 * MM, ink="ink")
        for number in range(0, fields, 2):
            self.rect(x + number * width / fields, y, width / fields, height, line=0, fill=1, ink="ink")

    def zebra_frame(
        self, x: float, y: float, width: float, height: float, columns: int, rows: int, sides: str = "NESW"
    ) -> None:
        """The edge of a map around a rectangle by its lower left corner: a field for each field of the map.

        ``sides`` are those that have an edge: N (top), E, S, W.
        """
        edge = MAP_EDGE
        for corner, left, low in (
            ("NW", x - edge, y + height),
            ("NE", x + width, y + height),
            ("SW", x - edge, y - edge),
            ("SE", x + width, y - edge),
        ):
            if {*corner} <= {*sides}:
                self.rect(left, low, edge, edge, line=0.18 * MM, ink="ink")
        bars = {
            "N": (x, y + height, width, edge, columns),
            "S": (x, y - edge, width, edge, columns),
            "W": (x - edge, y, edge, height, rows),
            "E": (x + width, y, edge, height, rows),
        }
        for side, (left, low, bar_width, bar_height, fields) in bars.items():
            if side in sides:
                self.rect(left, low, bar_width, bar_height, line=0.18 * MM, ink="ink")
                for number in range(side in "SE", fields, 2):
                    start = number / fields
                    if side in "NS":
                        field = left + start * bar_width, low, bar_width / fields, bar_height
                    else:
                        field = left, low + start * bar_height, bar_width, bar_height / fields
                    self.rect(*field, line=0, fill=1, ink="ink")

    def picture(self, picture: Picture, x: float, top: float, width: float, *, tile: float | None = None) -> None:
        """A picture of this width, its top left corner at (x, top), in the colors of the side; once in the file.

        ``tile`` is a share of the side's color for its grounds, which are otherwise those of the web.
        """
        height = width * picture.height / picture.width
        palette = self.seat.pictures
        if tile is not None:
            palette = {**palette, "tile": self.tint(tile), "box": white, "contour": self.tint(STRONG)}

        def draw() -> None:
            drawing.draw(self.canvas, picture, 0, height, width, palette)

        self.draw_cached((picture, width, tile), x, top - height, draw)

    # ------------------------------------------------------------ boxes to mark

    def box(
        self,
        x: float,
        y: float,
        size: float = BOX,
        *,
        marked: bool = False,
        name: str = "",
        tooltip: str = "",
        label: str = "",
        fill: float = 0,
    ) -> None:
        """A box to mark, by its lower left corner, with a small label in it.

        ``name`` and ``tooltip`` are those of its check box in a fillable sheet: ``tooltip`` is read out, such as
        "Old Rampart: ENGINE 1 of 2".
        """
        crossed = marked and not (name and self.style.fillable)
        self.rect(x, y, size, size, fill=1 if crossed else fill, radius=RADIUS)
        if label and not crossed:
            self.fit(x, y + size / 2 - 2.5, label, size, 7, face=NARROW, align="centre", ink="soft")
        self.check(name, x, y, size, size, marked, tooltip)

    def check(
        self, name: str, x: float, y: float, width: float, height: float, marked: bool = False, tooltip: str = ""
    ) -> None:
        """A form field over the outline of a box, if the sheet is fillable; ``tooltip`` is read out for it."""
        if name and self.style.fillable:
            side = min(width, height)
            left, low = x + (width - side) / 2, y + (height - side) / 2
            self._form().check(*self._named(name, tooltip), self._place(left, low, side, side), marked)

    def field(
        self, name: str, x: float, y: float, width: float, height: float, size: float = 0, tooltip: str = ""
    ) -> None:
        """A text field where the sheet is fillable."""
        if name and self.style.fillable:
            size = size or min(self.style.body, height * 0.75)
            self._form().text(*self._named(name, tooltip), self._place(x, y, width, height), size)

    def _form(self) -> Form:
        self._fields = self._fields or Form(self.canvas)
        return self._fields

    def _named(self, name: str, tooltip: str) -> tuple[str, str]:
        return self.prefix + name, translate(tooltip)

    def _place(self, x: float, y: float, width: float, height: float) -> Rectangle:
        return Rectangle(*self.canvas.absolutePosition(x, y), *self.canvas.absolutePosition(x + width, y + height))

    # ------------------------------------------------------------ repeated and rotated drawings

    def draw_cached(self, key: Hashable, x: float, y: float, draw: Callable[[], None]) -> None:
        """Draw at (x, y) what ``draw`` draws at the origin; once for each ``key``, then as a reference to it."""
        form = self._forms.get((key, self.number))
        if form is None:
            self.canvas.beginForm("", -1000, -1000, 3000, 3000)
            draw()
            form = self._forms[key, self.number] = self.canvas.end_form()
        self.canvas.draw_form(form, x, y)

    @contextmanager
    def transformed(self, x: float, y: float, *, rotation: float = 0, scale: float = 1) -> Iterator[None]:
        """Draw with the origin at (x, y), rotated anticlockwise and scaled."""
        self.canvas.saveState()
        cosine, sine = scale * cos(radians(rotation)), scale * sin(radians(rotation))
        self.canvas.transform(cosine, sine, -sine, cosine, x, y)
        yield
        self.canvas.restoreState()


def legible(picture: Picture) -> float:
    """The width from which on the text of a picture is legible."""
    sizes = [shape.size for shape in picture.shapes if isinstance(shape, Text)]
    return MIN_SIZE * picture.width / min(sizes) if sizes else 0.0


class Block(Protocol):
    """A piece of a page."""

    def height(self, style: Style, width: float) -> float: ...
    def draw(self, pen: Pen, x: float, top: float, width: float) -> None: ...


@runtime_checkable
class TwoSided(Block, Protocol):
    """A block with another on the back of its paper, of the same size."""

    @property
    def back(self) -> Block: ...
