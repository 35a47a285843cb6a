"""Printed sheets for tests: drawn from documents given as data, read back as text, and looked at as pictures."""

import io
from contextlib import closing

import pypdf
import pypdfium2

from rosters import printing
from rosters.registry import SYSTEMS
from rosters.sheetkit.job import Settings
from rosters.sheetkit.pen import MM
from tests.support import read, reference

SCALE = 2.0
"""Pixels of a picture for each point of paper."""


def printed(*data, address="", draw=printing.roster_print, most=500, **settings):
    """The pages of rosters."""
    copies = [printing.copy_of(read(each), reference(), address) for each in data]
    return draw(copies, Settings(**settings), printing.Limits(most))


def blank(system, **settings):
    return printing.blank_print(SYSTEMS[system], Settings(**settings), reference())


def texts(pdf):
    """What each page says, line by line, whether it can be seen or not."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]


def told(pdf):
    """What all pages say, as one line."""
    return " ".join(" ".join(texts(pdf)).split())


def reader(pdf):
    return pypdf.PdfReader(io.BytesIO(pdf))


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
