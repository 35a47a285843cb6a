"""Printed sheets for tests: drawn from documents given as data, read back as text, and looked at as pictures."""

import io
import json
from contextlib import closing
from functools import lru_cache

import numpy
import pypdf
import pypdfium2

from rosters.pdf.canvas import MM
from rosters.pdf.job import Settings
from rosters.registry import SYSTEMS
from rosters.web.printing import service as printing
from tests.support import read

SCALE = 2.0
"""Pixels of a picture for each point of paper."""


def printed(*data, address="", draw=printing.roster_print, most=500, **settings):
    """The pages of rosters, drawn anew."""
    copies = [printing.copy_of(read(each), address) for each in data]
    return draw(copies, Settings(**settings), printing.Limits(most))


def drawn(*data, draw=printing.roster_print, **settings):
    """The pages of rosters, drawn once a session for all tests that ask for the same."""
    return _drawn(draw, json.dumps(data), tuple((name, frozen(value)) for name, value in sorted(settings.items())))


def pdf_of(*data, draw=printing.roster_print, **settings):
    """The bytes of these pages, rendered once a session."""
    return _rendered(draw, json.dumps(data), tuple((name, frozen(value)) for name, value in sorted(settings.items())))


def frozen(value):
    """A setting as a key of the pages that were drawn: sheets and formations as tuples, choices as pairs."""
    if isinstance(value, dict):
        return ("choices", tuple(value.items()))
    return tuple(value) if isinstance(value, list) else value


def thawed(value):
    return dict(value[1]) if isinstance(value, tuple) and value[:1] == ("choices",) else value


@lru_cache(maxsize=256)
def _drawn(draw, data, settings):
    return printed(*json.loads(data), draw=draw, **{name: thawed(value) for name, value in settings})


@lru_cache(maxsize=256)
def _rendered(draw, data, settings):
    return _drawn(draw, data, settings).pdf()


def blank(system, **settings):
    return printing.blank_print(SYSTEMS[system], Settings(**settings))


def blank_pdf(system, **settings):
    """The bytes of blank sheets, rendered once a session."""
    return _blank(system, tuple((name, frozen(value)) for name, value in sorted(settings.items())))


@lru_cache(maxsize=64)
def _blank(system, settings):
    return blank(system, **{name: thawed(value) for name, value in settings}).pdf()


def texts(pdf):
    """What each page says, line by line, whether it can be seen or not."""
    return [*_texts(pdf)]


@lru_cache(maxsize=256)
def _texts(pdf):
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]


def told(pdf):
    """What all pages say, as one line."""
    return " ".join(" ".join(texts(pdf)).split())


def reader(pdf):
    return pypdf.PdfReader(io.BytesIO(pdf))


@lru_cache(maxsize=64)
def fields(pdf):
    """The form fields of a fillable PDF by name."""
    return reader(pdf).get_fields() or {}


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
