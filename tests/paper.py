"""Printed sheets for tests: made from documents given as data, read back as text, and looked at as pictures."""

import io
from contextlib import closing
from functools import lru_cache, wraps

import numpy
import pypdf
import pypdfium2

from rosters.pdf.canvas import MM
from rosters.pdf.job import PrintOptions
from rosters.registry import SYSTEMS
from rosters.web.printing import service as printing
from tests.support import read

SCALE = 2.0
"""Pixels of a picture for each point of paper."""


def once(make):
    """Cache the newest 256 results of a function by the text of its arguments."""
    results = {}

    @wraps(make)
    def cached(*args, **options):
        key = repr(args), repr(sorted(options.items()))
        if key not in results:
            results[key] = make(*args, **options)
        if len(results) > 256:
            del results[next(iter(results))]
        return results[key]

    return cached


def printed(*data, address="", draw=printing.roster_print, most=500, **options):
    """The pages of rosters, laid out anew."""
    copies = [printing.copy_of(read(each), address) for each in data]
    return draw(copies, PrintOptions(**options), printing.Limits(most))


pages_of = once(printed)


@once
def pdf_of(*data, **options):
    """The bytes of the pages of rosters."""
    return pages_of(*data, **options).pdf()


def blank(system, **options):
    return printing.blank_print(SYSTEMS[system], PrintOptions(**options))


@once
def blank_pdf(system, **options):
    """The bytes of blank sheets."""
    return blank(system, **options).pdf()


@lru_cache(maxsize=256)
def texts(pdf):
    """The text of each page, line by line, visible or not."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]


def pdf_text(pdf):
    """The text of all pages as one line."""
    return " ".join(" ".join(texts(pdf)).split())


def reader(pdf):
    return pypdf.PdfReader(io.BytesIO(pdf))


@lru_cache(maxsize=64)
def fields(pdf):
    """The form fields of a fillable PDF by name."""
    return {name: field for name, field in (reader(pdf).get_fields() or {}).items() if "/FT" in field}


def field_places(pdf, page=0):
    """The rectangle of each form field of a page, by its full name."""
    places = {}
    for note in reader(pdf).pages[page].get("/Annots", ()):
        part = note.get_object()
        place, names = part["/Rect"], [part["/T"]]
        while "/Parent" in part:
            part = part["/Parent"].get_object()
            names.insert(0, part["/T"])
        places[".".join(names)] = tuple(float(side) for side in place)
    return places


@lru_cache(maxsize=16)
def picture(pdf, page=0, scale=SCALE):
    """A page in grey: rows of pixels, 0 is black."""
    image = pypdfium2.PdfDocument(pdf)[page].render(scale=scale, grayscale=True).to_numpy()
    return image.reshape(image.shape[0], image.shape[1])


def clear_margins(pdf, page, margin=6.0):
    """Whether the outer millimetres of a page are white."""
    image = picture(pdf, page, 1.0)
    edge = int(margin * MM)
    strips = (image[:edge], image[-edge:], image[:, :edge], image[:, -edge:])
    return all(bool((strip > 250).all()) for strip in strips)


def ink(pdf, page=0, scale=SCALE):
    """Dark pixels of a page."""
    return int((picture(pdf, page, scale) < 128).sum())


def darkness(pdf, page=0):
    """The share of a page that is dark."""
    image = picture(pdf, page, 1.0)
    return float((image < 128).mean())


def runs(image, least, most, below=200):
    """Lengths of the dark runs in the rows of a picture, those between these bounds."""
    edges = numpy.diff(numpy.pad((image < below).astype(numpy.int8), ((0, 0), (1, 1))), axis=1)
    lengths = numpy.nonzero(edges < 0)[1] - numpy.nonzero(edges > 0)[1]
    return [int(length) for length in lengths if least <= length <= most]
