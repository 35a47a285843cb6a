"""The measures of print: every sheet of every sample and of hostile rosters, each held to the same limits.

Smallest text 7 points, smallest box 4.5 mm, no font that is not embedded, the last page of a roster or a reference at
least 40 % used. Prints a line for each print; exits with 1 if a limit is not held.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from ctypes import c_float
from pathlib import Path
from typing import Any, NamedTuple

import django
import numpy
import pypdfium2
from pypdf import PdfReader

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

LEAST_TEXT, LEAST_BOX, LEAST_USE = 6.95, 4.49, 0.4
CELL = 5 / 25.4 * 72
"""The cells of a page, any mark in which uses it, in points."""
FLOWING = ("roster", "reference")
"""The sheets whose last page is to be used."""
NAMES = {"long": "W" * 24 + " " + "Longest " * 4, "right-to-left": "لواء الفرسان الأول", "CJK": "第一騎兵旅団"}
MM = 72 / 25.4


class Measures(NamedTuple):
    """A print's pages, its smallest text in points, its smallest box in mm, the use of its last page, its faults."""

    pages: int
    text: float
    box: float
    used: float
    faults: tuple[str, ...]


def measure(pdf: bytes, *, flowing: bool = False) -> Measures:
    """The measures of a PDF; of a ``flowing`` one the use of its last page counts."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        sizes = [size for page in document for size in text_sizes(page)]
        used = use_of(document[len(document) - 1])
        pages = len(document)
    boxes = list(box_sides(pdf))
    faults = [f"not embedded: {name}" for name in sorted(set(unembedded(pdf)))]
    text, box = min(sizes, default=99.0), min(boxes, default=99.0)
    if text < LEAST_TEXT:
        faults.append(f"text of {text:.1f} pt")
    if box < LEAST_BOX:
        faults.append(f"box of {box:.1f} mm")
    if flowing and pages > 1 and used < LEAST_USE:
        faults.append(f"last page {used:.0%} used")
    return Measures(pages, text, box, used, tuple(faults))


def text_sizes(page: Any) -> Iterator[float]:
    """The size of each text object of a page as it is printed, in points."""
    for item in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], max_depth=8):
        value = c_float()
        pypdfium2.raw.FPDFTextObj_GetFontSize(item.raw, value)
        matrix = item.get_matrix()
        scale = (matrix.c**2 + matrix.d**2) ** 0.5
        container = getattr(item, "container", None)
        while container is not None:
            outer = container.get_matrix()
            scale *= (outer.c**2 + outer.d**2) ** 0.5
            container = getattr(container, "container", None)
        yield value.value * scale


def use_of(page: Any) -> float:
    """The share of the cells of a page, without its margins and footer, that any mark touches."""
    image = page.render(scale=1, grayscale=True).to_numpy().reshape(round(page.get_height() + 0.49), -1)
    inner = image[int(9 * MM) : -int(15 * MM), int(9 * MM) : -int(9 * MM)]
    rows, columns = int(inner.shape[0] // CELL), int(inner.shape[1] // CELL)
    cells = [
        inner[int(r * CELL) : int((r + 1) * CELL), int(c * CELL) : int((c + 1) * CELL)].min() < 240
        for r in range(rows)
        for c in range(columns)
    ]
    return float(numpy.mean(cells))


def box_sides(pdf: bytes) -> Iterator[float]:
    """The shorter side of each check box of a fillable PDF, in millimeters."""
    for page in PdfReader(io.BytesIO(pdf)).pages:
        for note in page.get("/Annots", ()):
            field = note.get_object()
            kind = field.get("/FT") or field.get("/Parent", {}).get("/FT")
            if kind == "/Btn":
                left, low, right, high = map(float, field["/Rect"])
                yield min(right - left, high - low) / MM


def unembedded(pdf: bytes) -> Iterator[str]:
    """The names of fonts that a PDF uses without holding them."""
    reader = PdfReader(io.BytesIO(pdf))
    for number in range(1, len(reader.xref[0]) + 1):
        item = reader.get_object(number)
        font = isinstance(item, dict) and item.get("/Type") == "/Font"
        if font and not {"/FontDescriptor", "/DescendantFonts"} & item.keys():
            yield str(item.get("/BaseFont"))


def hostile(slug: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rosters that are hard to print, made from the first sample of a game."""
    path = sorted(Path("fixtures/armies", slug).glob("*.json"))[0]
    for title, name in NAMES.items():
        data = json.loads(path.read_text())
        data["name"] = name
        for formation in data["formations"]:
            formation["name"] = name
            for element in formation["elements"]:
                element["name"] = name
        yield title, data
    data = json.loads(path.read_text())
    elements = [element for formation in data["formations"] for element in formation["elements"]]
    data["formations"] = [{**data["formations"][0], "elements": [elements[n % len(elements)] for n in range(60)]}]
    yield "60 elements", data
    data = json.loads(path.read_text())
    data["formations"][0]["elements"][0]["quantity"] = 99
    yield "quantity 99", data
    data = json.loads(path.read_text())
    data["notes"] = data["formations"][0]["notes"] = data["formations"][0]["elements"][0]["notes"] = (
        "A long note. " * 230
    )
    yield "3,000 characters", data
    yield "empty", {**json.loads(path.read_text()), "formations": []}


def prints() -> Iterator[tuple[str, bytes, bool]]:
    """Each print to measure: its title, its PDF, and whether its last page is to be used."""
    from rosters import registry
    from rosters.pdf.job import PrintOptions
    from rosters.web.printing import service

    for slug, system in registry.SYSTEMS.items():
        samples = [
            (path.stem, json.loads(path.read_text())) for path in sorted(Path("fixtures/armies", slug).glob("*"))
        ]
        for title, data in (*samples, *hostile(slug)):
            copy = service.copy_of(registry.read({**data, "format": "armybuilder-roster", "version": 1}))
            for code in service.sheets_of(system):
                options = PrintOptions(sheets=(code,), fillable=True)
                made = service.roster_print([copy], options)
                if made.pages:
                    yield f"{slug}, {title}, {code}", made.pdf(), code in FLOWING


def main() -> None:
    django.setup()
    wrong = 0
    for title, pdf, flowing in prints():
        found = measure(pdf, flowing=flowing)
        wrong += bool(found.faults)
        faults = "; ".join(found.faults) or "held"
        print(f"{title}: {found.pages} pages, {found.text:.1f} pt, {found.box:.1f} mm, {found.used:.0%}: {faults}")
    print(f"{wrong} prints do not hold a measure.")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
