"""The pen: draws on one PDF in the style of its options. Lengths in points, y upwards, angles in degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Literal, NamedTuple

from reportlab.lib.colors import Color, black, white
from reportlab.pdfgen.canvas import Canvas

from rosters.pdf import fonts
from rosters.pdf.text import LEADING, FittedText, fit_text

MM = 72 / 25.4
"""Points in a millimetre."""
HAIR, LINE, THICK = 0.4, 0.7, 1.2
"""Widths of lines."""
PALE, SOFT = 0.93, 0.45
"""Light grey to lay under, and grey to write in; 0 is black."""
ACCENT, ACCENT_PALE = Color(0.09, 0.25, 0.45), Color(0.90, 0.94, 0.98)

Align = Literal["left", "centre", "right"]


class Style(NamedTuple):
    """How to draw: the size of running text in points, in colour or black and white, with form fields or not."""

    body: float = 9.0
    colour: bool = False
    fillable: bool = False

    @property
    def small(self) -> float:
        return self.body * 0.82

    @property
    def large(self) -> float:
        return self.body * 1.35

    @property
    def line(self) -> float:
        """From one line of running text to the next."""
        return self.body * LEADING


_one_at_a_time = Lock()
"""ReportLab reads the faces, which all documents share, from a position that it stores in them."""


def save_canvas(canvas: Canvas) -> None:
    """Write the document, with the parts of its faces that it uses."""
    with _one_at_a_time:
        canvas.save()


class Pen:
    """Draws on a canvas; repeated parts are PDF form XObjects, which keep large files small."""

    def __init__(self, canvas: Canvas, style: Style) -> None:
        self.canvas, self.style, self.prefix = canvas, style, ""
        self._forms: dict[str, str] = {}
        self._fields: set[str] = set()

    # ------------------------------------------------------------ words

    def text(self, x: float, y: float, words: str, size: float = 0, **how: Any) -> None:
        """One line on its baseline. ``how``: bold, align, grey (0 is black), accent."""
        self.runs(x, y, words, size or self.style.body, **how)

    def runs(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        bold: bool = False,
        align: Align = "left",
        grey: float = 0.0,
        accent: bool = False,
    ) -> None:
        if align != "left":
            x -= fonts.ems(words, bold) * size * (0.5 if align == "centre" else 1)
        self._ink(grey, accent)
        for number, (font, part) in enumerate(parts := fonts.runs(words, bold)):
            self.canvas.setFont(font, size)
            self.canvas.drawString(x, y, part)
            if number + 1 < len(parts):
                x += self.canvas.stringWidth(part, font, size)

    def lines(self, x: float, top: float, text: FittedText, width: float = 0, **how: Any) -> None:
        """Fitted lines below ``top``; ``width`` is needed to centre or align right."""
        align = how.get("align", "left")
        x += {"left": 0.0, "centre": width / 2, "right": width}[align]
        for number, line in enumerate(text.lines):
            self.runs(x, top - text.size * (fonts.ASCENT + number * LEADING), line, text.size, **how)

    def fit(self, x: float, y: float, words: str, width: float, size: float = 0, **how: Any) -> None:
        """One line on its baseline, shrunk or shortened to ``width``."""
        text = fit_text(words, width, size or self.style.body, bold=how.get("bold", False))
        if how.get("align") == "centre":
            x += width / 2
        if how.get("align") == "right":
            x += width
        self.runs(x, y, text.lines[0] if text.lines else "", text.size, **how)

    def _ink(self, grey: float, accent: bool) -> None:
        if accent and self.style.colour:
            self.canvas.setFillColor(ACCENT)
        else:
            self.canvas.setFillGray(grey)

    # ------------------------------------------------------------ shapes

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = LINE, dash: Sequence[float] = ()) -> None:
        self.canvas.setStrokeGray(0)
        self.canvas.setLineWidth(width)
        if dash:
            self.canvas.setDash(*dash)
        self.canvas.line(x1, y1, x2, y2)
        if dash:
            self.canvas.setDash()

    def rect(
        self, x: float, y: float, width: float, height: float, *, line: float = LINE, filled: bool = False
    ) -> None:
        """A rectangle by its lower left corner; ``line`` 0 draws no outline."""
        self._shape(line, filled)
        self.canvas.rect(x, y, width, height, stroke=int(line > 0), fill=int(filled))

    def shade(self, x: float, y: float, width: float, height: float) -> None:
        """A light ground under a heading."""
        self.canvas.setFillColor(ACCENT_PALE) if self.style.colour else self.canvas.setFillGray(PALE)
        self.canvas.rect(x, y, width, height, stroke=0, fill=1)

    def round_rect(self, x: float, y: float, width: float, height: float, radius: float, line: float = LINE) -> None:
        self._shape(line, False)
        self.canvas.roundRect(x, y, width, height, radius, stroke=1, fill=0)

    def oval(
        self, x: float, y: float, width: float, height: float, *, filled: bool = False, line: float = LINE
    ) -> None:
        """An ellipse in the rectangle with this lower left corner."""
        self._shape(line, filled)
        self.canvas.ellipse(x, y, x + width, y + height, stroke=1, fill=int(filled))

    def circle(self, x: float, y: float, radius: float, *, line: float = LINE, filled: bool = False) -> None:
        self._shape(line, filled)
        self.canvas.circle(x, y, radius, stroke=1, fill=int(filled))

    def outline(self, points: Sequence[tuple[float, float]], *, line: float = LINE, filled: bool = False) -> None:
        """A closed outline through these points."""
        self._shape(line, filled)
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
        self.canvas.drawPath(path, stroke=int(line > 0), fill=int(filled))

    def _shape(self, line: float, filled: bool) -> None:
        self.canvas.setStrokeColor(black)
        self.canvas.setLineWidth(line)
        self.canvas.setFillColor(black if filled else white)

    # ------------------------------------------------------------ boxes to mark

    def box(self, x: float, y: float, size: float, *, marked: bool = False, name: str = "") -> None:
        """A damage box by its lower left corner; ``name`` is that of its check box in a fillable sheet."""
        self.rect(x, y, size, size, filled=marked and not (name and self.style.fillable))
        self.check(name, x, y, size, size, marked)

    def check(self, name: str, x: float, y: float, width: float, height: float, marked: bool = False) -> None:
        """A form field over the outline of a box, if the sheet is fillable."""
        name = name and self.prefix + name
        if name and self._new_field(name):
            side = min(width, height)
            self.canvas.acroForm.checkbox(
                name=name,
                tooltip=name,
                x=x + (width - side) / 2,
                y=y + (height - side) / 2,
                size=side,
                checked=marked,
                buttonStyle="cross",
                borderWidth=0,
                fillColor=None,
                borderColor=None,
                textColor=black,
                forceBorder=False,
                relative=True,
            )

    def field(self, name: str, x: float, y: float, width: float, height: float, size: float = 0) -> None:
        """A text field where the sheet is fillable."""
        name = name and self.prefix + name
        if name and self._new_field(name):
            self.canvas.acroForm.textfield(
                name=name,
                tooltip=name,
                x=x,
                y=y,
                width=width,
                height=height,
                fontSize=size or min(self.style.body, height * 0.75),
                borderWidth=0,
                fillColor=None,
                borderColor=None,
                forceBorder=False,
                relative=True,
            )

    def _new_field(self, name: str) -> bool:
        if not self.style.fillable or name in self._fields:
            return False
        self._fields.add(name)
        return True

    # ------------------------------------------------------------ repeated and rotated drawings

    def draw_cached(self, key: str, x: float, y: float, draw: Callable[[], None]) -> None:
        """Draw at (x, y) what ``draw`` draws at the origin; once for each ``key``, then as a reference to it."""
        name = self._forms.get(key)
        if name is None:
            name = self._forms[key] = f"form{len(self._forms)}"
            self.canvas.beginForm(name, -1000, -1000, 3000, 3000)
            draw()
            self.canvas.endForm()
        self.canvas.saveState()
        self.canvas.translate(x, y)
        self.canvas.doForm(name)
        self.canvas.restoreState()

    @contextmanager
    def transformed(self, x: float, y: float, *, rotation: float = 0, scale: float = 1) -> Iterator[None]:
        """Draw with the origin at (x, y), rotated anticlockwise and scaled."""
        self.canvas.saveState()
        self.canvas.translate(x, y)
        if rotation:
            self.canvas.rotate(rotation)
        if scale != 1:
            self.canvas.scale(scale, scale)
        yield
        self.canvas.restoreState()
