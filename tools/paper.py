"""The measures of print: every sheet of every sample and of hostile rosters, each held to the same limits.

Smallest text 7 points, smallest box 4.5 mm, every font embedded, every field spoken under a name of its own and in the
order of drawing, no word broken inside, the last page of a sheet that flows at least 40 % used, and a picture on every
record, card and counter that changes with the profile. Prints a line for each print; exits with 1 if a limit is not
held. With names of games (6mm, msc), measures the sheets of these alone.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from ctypes import c_float
from pathlib import Path
from typing import Any, NamedTuple

import django
import numpy
import pypdfium2
from pypdf import PdfReader
from pypdf.generic import ContentStream, DictionaryObject

from rosters.pdf import text

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

MIN_TEXT, MIN_BOX, MIN_USE = 6.95, 4.49, 0.4
LONGEST_WORD = 20
"""Letters of the longest word that is never broken; longer ones are, where a line does not hold them."""
CELL = 5 / 25.4 * 72
"""The cells of a page, any mark in which uses it, in points."""
FLOWING = ("roster", "reference", "units", "record", "records", "list", "fleets")
"""The sheets whose last page is to be used."""
DRAWN = ("roster", "units", "record", "records", "compact", "list", "cards", "counters", "labels", "standees")
"""The sheets with a picture of each element."""
NAMES = {
    "long": "W" * 24 + " " + "Longest " * 4,
    "right-to-left": "لواء الفرسان الأول",
    "CJK": "第一騎兵旅団",
}
PAPERS: tuple[Mapping[str, Any], ...] = (
    {"paper": "letter"},
    {"paper": "a5"},
    {"paper": "half-letter"},
    {"large": True},
    {"colour": False},
    {"marks": True},
    {"choices": {"alike": "one"}},
)
"""The options in which the first sample of each game is printed again."""
BATTLES: tuple[Mapping[str, Any], ...] = ({}, {"paper": "half-letter"})
"""The options in which the first two samples of each game are printed for one battle."""
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
        faults = [f"broken word: {word}" for word in sorted({*broken_words(document)})]
    reader = PdfReader(io.BytesIO(pdf))
    boxes = list(box_sides(reader))
    faults += [f"not embedded: {name}" for name in sorted({*unembedded(reader)})]
    faults += unnamed(reader)
    size, box = min(sizes, default=99.0), min(boxes, default=99.0)
    if size < MIN_TEXT:
        faults.append(f"text of {size:.1f} pt")
    if box < MIN_BOX:
        faults.append(f"box of {box:.1f} mm")
    if flowing and pages > 1 and used < MIN_USE:
        faults.append(f"last page {used:.0%} used")
    return Measures(pages, size, box, used, tuple(faults))


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


def box_sides(reader: PdfReader) -> Iterator[float]:
    """The shorter side of each check box of a fillable PDF, in millimeters."""
    for field in fields_of(reader):
        kind = field.get("/FT") or field.get("/Parent", {}).get("/FT")
        if kind == "/Btn":
            left, low, right, high = map(float, field["/Rect"])
            yield min(right - left, high - low) / MM


def fields_of(reader: PdfReader) -> Iterator[DictionaryObject]:
    """The form fields of all pages, in the order of drawing."""
    for page in reader.pages:
        yield from (note.get_object() for note in page.get("/Annots", ()))


def unnamed(reader: PdfReader) -> list[str]:
    """What a screen reader would miss: fields that are not spoken, or alike, and their order."""
    tooltip = Counter(str(field.get("/TU", "")) for field in fields_of(reader))
    faults = [f"{tooltip['']} fields without a name"] if tooltip[""] else []
    faults += [f"{times} fields named {name}" for name, times in tooltip.items() if name and times > 1]
    faults += ["no tab order"] if any("/Annots" in page and page.get("/Tabs") != "/S" for page in reader.pages) else []
    return faults if reader.root_object.get("/Lang") else [*faults, "no language"]


def unembedded(reader: PdfReader) -> Iterator[str]:
    """The names of fonts that a PDF uses without holding them."""
    for number in range(1, reader.trailer["/Size"]):
        item = reader.get_object(number)
        font = isinstance(item, dict) and item.get("/Type") == "/Font"
        if font and not {"/FontDescriptor", "/DescendantFonts"} & item.keys():
            yield str(item.get("/BaseFont"))


# ---------------------------------------------------------------- words

BREAKS: set[tuple[str, str]] = set()
"""The words that were broken while text was fitted: what was kept on the line, and the rest."""


def record_breaks() -> None:
    """Note each word that is broken from now on; a text that is then fitted in another way is not printed so."""
    prefix, remainders = text._longest_prefix, set()

    def recorded(word: str, room: float, face: str) -> str:
        head = prefix(word, room, face)
        rest = word[len(head) :]
        if word in remainders or len(word) > LONGEST_WORD:
            remainders.add(rest)
        elif word.isascii() and head[-1].isalpha() and rest[:1].isalpha():
            BREAKS.add((head, rest))
        return head

    text._longest_prefix = recorded


def broken_words(document: Any) -> Iterator[str]:
    """The words of a PDF that end on the next line."""
    words = [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document] if BREAKS else []
    for head, rest in BREAKS:
        lines = f"{head}\n{rest}"
        if any(f"\n{lines}" in f"\n{page}" or f" {lines}" in page for page in words):
            yield head + rest


# ---------------------------------------------------------------- pictures


def drawn_lines(pdf: bytes) -> Counter[bytes]:
    """What a PDF draws besides text and rectangles: how often each outline is drawn."""
    reader = PdfReader(io.BytesIO(pdf))
    outlines: Counter[bytes] = Counter()
    for number in range(1, reader.trailer["/Size"]):
        item = reader.get_object(number)
        if isinstance(item, ContentStream) or (hasattr(item, "get_data") and item.get("/Subtype") != "/Image"):
            outlines.update(_outlines(item.get_data()))
    return outlines


def _outlines(code: bytes) -> Iterator[bytes]:
    """The outlines of a content stream that have a slanted line or a curve."""
    lines = []
    for line in code.splitlines():
        if line.endswith((b" m", b" l", b" c", b" h")) or line == b"h":
            lines.append(line)
        elif lines:
            yield b" ".join(lines)
            lines = []


def variations(system: Any, data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A roster with each number of its first element one higher, and each yes or no turned, where that is allowed."""
    element = data["formations"][0]["elements"][0]
    whole = system.rules.Element.model_validate(element)
    for name, value in whole:
        if isinstance(value, int) and name not in ("quantity", "marks"):
            changed = {**element, name: (not value) if isinstance(value, bool) else value + 1}
            yield name, _with_elements(data, [changed])


def _with_elements(data: Mapping[str, Any], elements: list[Any]) -> dict[str, Any]:
    """The roster with these elements alone."""
    return {**data, "formations": [{**data["formations"][0], "elements": elements}]}


def unmoved(system: Any, data: Mapping[str, Any]) -> Iterator[str]:
    """The sheets of pictures on which none changes, whatever number of the first element does."""
    first = data["formations"][0]["elements"][0]
    for code in (code for code in DRAWN if code in sheets_of(system)):
        plain = drawn_lines(printed(_with_elements(data, [first]), sheets=(code,)))
        if all(drawn_lines(printed(each, sheets=(code,))) == plain for _name, each in variations(system, data)):
            yield code


# ---------------------------------------------------------------- rosters


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
    data = json.loads(path.read_text())
    yield "all abilities", _with_elements(data, [{**data["formations"][0]["elements"][0], **all_abilities(slug)}])
    yield "empty", {**json.loads(path.read_text()), "formations": []}


def all_abilities(slug: str) -> dict[str, Any]:
    """Everything that an element of a game can have at once."""
    from rosters.registry import SYSTEMS

    rules = SYSTEMS[slug].rules
    found: dict[str, Any] = {}
    if hasattr(rules, "CAPABILITIES"):
        found["capabilities"] = [{"code": code} for code in rules.CAPABILITIES if code != "Den"]
    if hasattr(rules, "TRAITS"):
        found = {"traits": [*rules.TRAITS], "powers": dict([*rules.POWERS])}
    if hasattr(rules, "SIDES"):
        found["weapons"] = [*rules.SIDES]
    return found


def read(data: Mapping[str, Any]) -> Any:
    """The document of a roster."""
    from rosters import registry

    return registry.read({**data, "format": "armybuilder-roster", "version": 1})


def marked(data: Mapping[str, Any]) -> dict[str, Any]:
    """The roster with damage: half of the boxes of its models, and all boxes of every second one."""
    from rosters.core.appraisals import terms_of
    from rosters.core.play import set_box
    from rosters.registry import SYSTEMS

    document, data = read(data), json.loads(json.dumps(data))
    for formation, written in zip(document.formations, data["formations"], strict=True):
        for element, row in zip(formation.elements, written["elements"], strict=True):
            row["marks"] = [{} for _model in range(element.quantity)]
            for track in SYSTEMS[data["system"]].play.tracks(element, terms_of(document)):
                for number, mark in enumerate(row["marks"]):
                    for box in range(len(track.boxes) if number % 2 else len(track.boxes) // 2):
                        mark.update(set_box(mark, track, box, True))
    return data


def sheets_of(system: Any) -> Any:
    from rosters.web.printing import service

    return service.sheets_of(system)


def printed(data: Mapping[str, Any], **options: Any) -> bytes:
    """The PDF of a roster; empty if its sheet has no page."""
    from rosters.pdf.job import PrintOptions
    from rosters.web.printing import service

    copy = service.copy_of(read(marked(data) if options.get("marks") else data))
    made = service.roster_print([copy], PrintOptions(**options))
    return made.pdf() if made.pages else b""


def prints(systems: Mapping[str, Any]) -> Iterator[tuple[str, bytes, bool]]:
    """Each print to measure: its title, its PDF, and whether its last page is to be used."""
    from rosters.pdf.job import PrintOptions
    from rosters.web.printing import service

    for slug, system in systems.items():
        samples = [
            (path.stem, json.loads(path.read_text())) for path in sorted(Path("fixtures/armies", slug).glob("*"))
        ]
        again = [(", ".join(f"{name} {value}" for name, value in each.items()), each) for each in PAPERS]
        rosters = [(title, data, {}) for title, data in (*samples, *hostile(slug))]
        rosters += [(f"{samples[0][0]} ({name})", samples[0][1], options) for name, options in again]
        for title, data, options in rosters:
            for code in sheets_of(system):
                if pdf := printed(data, sheets=(code,), fillable=True, **options):
                    yield f"{slug}, {title}, {code}", pdf, code in FLOWING
        sides = [service.copy_of(read(data)) for _title, data in (samples * 2)[:2]]
        for options in BATTLES:
            paper = options.get("paper", "a4")
            yield f"{slug}, battle, {paper}", service.battle_print(sides, PrintOptions(**options)).pdf(), False
        for code, sheet in sheets_of(system).items():
            blank = service.blank_print(system, PrintOptions(sheets=(code,), fillable=True))
            if blank.pages and not sheet.shared:
                yield f"{slug}, blank, {code}", blank.pdf(), False


def main() -> None:
    from rosters.registry import SYSTEMS

    django.setup()
    record_breaks()
    systems = {slug: system for slug, system in SYSTEMS.items() if slug in (sys.argv[1:] or SYSTEMS)}
    wrong = 0
    for title, pdf, flowing in prints(systems):
        found = measure(pdf, flowing=flowing)
        wrong += bool(found.faults)
        faults = "; ".join(found.faults) or "held"
        print(f"{title}: {found.pages} pages, {found.text:.1f} pt, {found.box:.1f} mm, {found.used:.0%}: {faults}")
    for slug, system in systems.items():
        sample = json.loads(sorted(Path("fixtures/armies", slug).glob("*.json"))[0].read_text())
        for code in unmoved(system, sample):
            wrong += 1
            print(f"{slug}, {code}: no picture changes with a number")
    print(f"{wrong} prints do not hold a measure.")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
