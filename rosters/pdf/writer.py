"""Writes a complete document as a file. ReportLab writes each object at length; here all that are no streams are
compressed in object streams with a cross-reference stream (PDF 1.5), which matters where there are thousands of fields.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import count, takewhile
from struct import pack

from reportlab.pdfbase.pdfdoc import PDFDocument

HEADER = b"%PDF-1.5\n%\x93\x8c\x8b\x9e\n"
"""The version, and bytes beyond ASCII, by which other programs know that the file is not text."""
MAX_PACKED = 100
"""The most objects of an object stream: readers decode all of it to read one."""

Entry = tuple[int, int, int]
"""Of an object by itself: 1, where it begins, 0. Of a packed one: 2, the number of its stream, its place in it."""


def compress(data: bytes) -> bytes:
    """Data for a stream; the next levels take half as long again for 2 % fewer bytes."""
    return zlib.compress(data, 4)


class _Deflate:
    """The filter of ReportLab's own streams."""

    pdfname = "FlateDecode"

    @staticmethod
    def encode(text: str | bytes) -> bytes:
        return compress(text.encode() if isinstance(text, str) else text)


class _File:
    """The parts of a file, and where each object is."""

    def __init__(self) -> None:
        self.parts, self.size = [HEADER], len(HEADER)
        self.entries: dict[int, Entry] = {0: (0, 0, 0xFFFF)}

    def add(self, number: int, content: bytes) -> None:
        self.entries[number] = 1, self.size, 0
        self.parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, content))
        self.size += len(self.parts[-1])

    def add_stream(self, number: int, more: str, data: bytes) -> None:
        packed = compress(data)
        head = f"<<{more}/Filter/FlateDecode/Length {len(packed)}>>stream\n"
        self.add(number, head.encode() + packed + b"\nendstream")

    def add_packed(self, number: int, objects: Sequence[tuple[int, bytes]]) -> None:
        """Add an object stream with these objects by their numbers."""
        places, start = [], 0
        for place, (each, content) in enumerate(objects):
            self.entries[each] = 2, number, place
            places.append(f"{each} {start}")
            start += len(content) + 1
        head = " ".join(places).encode() + b"\n"
        data = head + b"\n".join(content for _each, content in objects)
        self.add_stream(number, f"/Type/ObjStm/N {len(objects)}/First {len(head)}", data)

    def end(self, number: int, trailer: str) -> bytes:
        """The whole file with its cross-reference stream, which has the trailer's keys."""
        start = self.size
        self.entries[number] = 1, start, 0
        table = b"".join(pack(">BIH", *self.entries[each]) for each in range(number + 1))
        self.add_stream(number, f"/Type/XRef/Size {number + 1}/W[1 4 2]{trailer}", table)
        return b"".join((*self.parts, b"startxref\n%d\n%%%%EOF\n" % start))


class PackedDocument(PDFDocument):  # type: ignore[misc]  # ReportLab ships no types
    """A document that is written with object streams."""

    defaultStreamFilters = (_Deflate,)

    def format(self) -> bytes:
        """The file, when the document is complete."""
        file, small, ids = _File(), list[tuple[int, bytes]](), self.numberToId
        for number in takewhile(ids.__contains__, count(1)):  # to format an object may add others
            content = self.idToObject[ids[number]].format(self).rstrip(b"\n")
            if content.endswith(b"endstream"):
                file.add(number, content)
            else:
                small.append((number, content))
        following = count(len(ids) + 1)
        for start in range(0, len(small), MAX_PACKED):
            file.add_packed(next(following), small[start : start + MAX_PACKED])
        root, info = (self.Reference(each).format(self).decode() for each in (self.Catalog, self.info))
        digest = self.signature.hexdigest()
        return file.end(next(following), f"/Root {root}/Info {info}/ID[<{digest}><{digest}>]")
