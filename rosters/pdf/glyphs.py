"""Fonts that a document uses by glyph: for shaped text and for form fields. ReportLab's own know characters alone."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import pairwise
from struct import unpack_from
from weakref import WeakKeyDictionary

import uharfbuzz as hb
from reportlab.pdfbase.pdfdoc import PDFDocument, PDFObject

from rosters.pdf.shaping import GlyphFont
from rosters.pdf.writer import compress

SUBSET_FLAGS = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NOTDEF_OUTLINE
UNUSED_TABLES = {int.from_bytes(tag, "big") for tag in (b"GSUB", b"GPOS", b"GDEF", b"name", b"post", b"OS/2", b"cmap")}
"""What readers of a PDF do not need: the glyphs are chosen, and named by their numbers."""
CMAP = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /ToUnicode def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
{} endcmap CMapName currentdict /CMap defineresource pop end end"""
"""The text of glyphs, as the PDF reference (9.10.3) has it."""


class RawObject(PDFObject):  # type: ignore[misc]  # ReportLab ships no types
    """An object whose bytes are written as they are: ReportLab's are slow where there are thousands."""

    __RefOnly__ = 1

    def __init__(self, content: bytes = b"") -> None:
        self.content = content

    def format(self, document: PDFDocument) -> bytes:
        return self.content


def add_object(document: PDFDocument, content: bytes = b"") -> tuple[int, RawObject]:
    """Add an object, whose content may follow later; its number, and the object."""
    raw = RawObject(content)
    document.Reference(raw)
    return document.objectcounter, raw


def add_stream(document: PDFDocument, data: bytes, more: str = "") -> int:
    """Add compressed bytes, with ``more`` keys in their dictionary; return the number of the object."""
    packed = compress(data)
    head = f"<</Length {len(packed)}/Filter/FlateDecode{more}>>stream\n".encode()
    return add_object(document, head + packed + b"\nendstream")[0]


BYTE_ORDER = "\ufeff"


def pdf_text(text: str) -> str:
    """A text as PDFs write them."""
    if text.isascii() and text.isprintable():
        return "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"
    return f"<{(BYTE_ORDER + text).encode('utf-16-be').hex()}>"


class EmbeddedFont:
    """The glyphs of a font that one document uses, each with its text; written when the document is complete."""

    def __init__(self, document: PDFDocument, font: GlyphFont, number: int) -> None:
        self.font, self.name, self.texts = font, f"S{number}", dict[int, str]()
        self.number, self._object = add_object(document)
        document.idToObject["BasicFonts"].dict[self.name] = self._object
        document.delayedFonts.append(self)

    def addObjects(self, document: PDFDocument) -> None:
        """Write the font; the document calls this."""
        subset = hb.SubsetInput()
        subset.flags = SUBSET_FLAGS
        subset.sets(hb.SubsetInputSets.GLYPH_INDEX).update({0, *self.texts})
        subset.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(UNUSED_TABLES)
        data = subset.subset(self.font.face).blob.data
        file = add_stream(document, data, f"/Length1 {len(data)}")
        text = add_stream(document, CMAP.format("\n".join(self._text_lines())).encode())
        tag = "".join(chr(65 + zlib.crc32(data) // 26**place % 26) for place in range(6))
        name, descriptor = f"{tag}+{self.font.name}", self._descriptor(file, f"{tag}+{self.font.name}")
        widths = "".join(f"{glyph}[{self.font.advance(glyph):.5g}]" for glyph in sorted(self.texts))
        self._object.content = (
            f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/ToUnicode {text} 0 R/DescendantFonts["
            f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{name}/CIDToGIDMap/Identity/FontDescriptor {descriptor}"
            f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/W[{widths}]>>]>>"
        ).encode()

    def _descriptor(self, file: int, name: str) -> str:
        extents = self.font.font.get_font_extents("ltr")
        corners = unpack_from(">4h", self.font.face.reference_table("head").data, 36)
        ascent, descent, *box = (
            round(length * self.font.em) for length in (extents.ascender, extents.descender, *corners)
        )
        return (
            f"<</Type/FontDescriptor/FontName/{name}/Flags 4/FontBBox[{' '.join(map(str, box))}]/ItalicAngle 0"
            f"/Ascent {ascent}/Descent {descent}/CapHeight {ascent}/StemV 80/FontFile2 {file} 0 R>>"
        )

    def _text_lines(self) -> Iterator[str]:
        texts = sorted((glyph, text) for glyph, text in self.texts.items() if text)
        known = [f"<{glyph:04X}> <{text.encode('utf-16-be').hex()}>" for glyph, text in texts]
        for start, end in pairwise([*range(0, len(known), 100), len(known)]):
            yield "\n".join([f"{end - start} beginbfchar", *known[start:end], "endbfchar"])


_embedded: WeakKeyDictionary[PDFDocument, dict[GlyphFont, EmbeddedFont]] = WeakKeyDictionary()


def embed(document: PDFDocument, font: GlyphFont) -> EmbeddedFont:
    """The font in this document, by which its glyphs are drawn."""
    fonts = _embedded.setdefault(document, {})
    if font not in fonts:
        fonts[font] = EmbeddedFont(document, font, len(fonts))
    return fonts[font]
