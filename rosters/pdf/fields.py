"""The form of a fillable sheet. ReportLab's fields know no script but Latin and are slow, so these are written here.

All fields share one embedded face with Latin, Greek and Cyrillic, and all boxes share one cross. The names of fields
are paths, "f0.e1.dead.0", whose parts are written once.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Literal, NamedTuple

from reportlab.pdfbase.pdfdoc import PDFDocument, PDFName
from reportlab.pdfgen.canvas import Canvas

from rosters.pdf import fonts
from rosters.pdf.glyphs import EmbeddedFont, add_object, add_stream, embed, pdf_text

CHARACTERS = (range(0x20, 0x7F), range(0xA0, 0x180), range(0x370, 0x460), range(0x1E00, 0x1F00), range(0x2010, 0x2027))
SIGNS = "€−×"
"""What can be typed in the embedded face: Latin, Greek and Cyrillic. For others a reader takes its own."""
CROSS = b"1.1 w 1 J 2 2 m 8 8 l 2 8 m 8 2 l S"
"""The cross of a box that is 10 wide; readers scale it to the box."""
LINES_FROM = 2.4
"""A text field that is so many times as high as its letters takes several lines."""

USUAL = 9.0
"""The size of letters of a field that does not say its own."""

Kind = Literal["Btn", "Tx"]


class Rectangle(NamedTuple):
    """A place on a page, from the lower left to the upper right corner."""

    left: float
    low: float
    right: float
    high: float


class _Node:
    """A part of the names of fields, with the numbers of the fields and parts in it."""

    def __init__(self, document: PDFDocument, parent: int) -> None:
        self.number, self.object = add_object(document)
        self.parent, self.kids = parent, list[int]()


class Form:
    """The fields of a document, written when it is complete."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.document = canvas, canvas._doc
        self.names: set[str] = set()
        self.tooltip: Counter[str] = Counter()
        self.nodes: dict[str, _Node] = {"": _Node(self.document, 0)}
        self.font = _typing_face(self.document)
        cross, empty = (
            add_stream(self.document, code, "/Type/XObject/Subtype/Form/BBox[0 0 10 10]") for code in (CROSS, b"")
        )
        states = f"<</N<</Yes {cross} 0 R/Off {empty} 0 R>>>>".encode()
        self.states, _ = add_object(self.document, states)
        self.document.Catalog.AcroForm = self.nodes[""].object
        self.document.delayedFonts.append(self)

    def check(self, name: str, tooltip: str, place: Rectangle, marked: bool) -> None:
        """A box to mark. Names are unique: a second field of a name is left out, and its tooltip is numbered."""
        state = "Yes" if marked else "Off"
        self._add(name, tooltip, place, "Btn", f"/AP {self.states} 0 R/AS/{state}" + ("/V/Yes" if marked else ""))

    def text(self, name: str, tooltip: str, place: Rectangle, size: float) -> None:
        """A field to type in, of several lines where it is high enough."""
        lines = "/Ff 4096" if place.high - place.low > LINES_FROM * size else ""
        own = "" if size == USUAL else f"/DA({self._appearance(size)})"
        self._add(name, tooltip, place, "Tx", own + lines)

    def _appearance(self, size: float) -> str:
        return f"/{self.font.name} {size:.3g} Tf 0 g"

    def _add(self, name: str, tooltip: str, place: Rectangle, kind: Kind, more: str) -> None:
        if name in self.names:
            return
        self.names.add(name)
        self.tooltip[tooltip] += 1
        if (times := self.tooltip[tooltip]) > 1:
            tooltip = f"{tooltip} ({times})"
        path, _, own = name.rpartition(".")
        parent = self._node(path)
        upper = f"/Parent {parent.number} 0 R" if path else ""
        rectangle = f"{place.left:.2f} {place.low:.2f} {place.right:.2f} {place.high:.2f}"
        number, _widget = add_object(
            self.document,
            f"<</Subtype/Widget/F 4{upper}/T({own})/TU{pdf_text(tooltip)}/Rect[{rectangle}]/FT/{kind}{more}>>".encode(),
        )
        parent.kids.append(number)
        self.canvas._annotationrefs.append(number)

    def _node(self, path: str) -> _Node:
        if path not in self.nodes:
            parent = self._node(path.rpartition(".")[0])
            self.nodes[path] = node = _Node(self.document, parent.number)
            parent.kids.append(node.number)
        return self.nodes[path]

    def addObjects(self, document: PDFDocument) -> None:
        """Write the parts of names, and the form itself; the document calls this when it is complete."""
        for path, node in self.nodes.items():
            kids = " ".join(f"{kid} 0 R" for kid in node.kids)
            upper = f"/Parent {node.parent} 0 R" if "." in path else ""
            own = path.rpartition(".")[2] + "_" * (path in self.names)  # a field of the same name is beside it
            node.object.content = f"<</T({own}){upper}/Kids[{kids}]>>".encode()
        kids = " ".join(f"{kid} 0 R" for kid in self.nodes[""].kids)
        face = f"<</Font<</{self.font.name} {self.font.number} 0 R>>>>"
        self.nodes[""].object.content = f"<</Fields[{kids}]/DR{face}/DA({self._appearance(USUAL)})>>".encode()


def _typing_face(document: PDFDocument) -> EmbeddedFont:
    """The face of what is typed, with all its letters."""
    face = embed(document, fonts.plain_glyph_font())
    for code in chain(*CHARACTERS, map(ord, SIGNS)):
        if glyph := face.font.font.get_nominal_glyph(code):
            face.texts.setdefault(glyph, chr(code))
    return face


def order_fields(document: PDFDocument) -> None:
    """Let the tabulator key go through the fields of all pages in the order of drawing, which is that of reading."""
    for page in document.Pages.pages:
        if page.Annots:
            page.__Defaults__ = {**page.__Defaults__, "Tabs": PDFName("S")}
