"""The sheets' faces, those of the web pages, and fallback fonts of this machine for other glyphs.

A character without a glyph in any of them is shown as the family's empty box.
"""

from __future__ import annotations

import os
import unicodedata
from functools import cache, lru_cache
from itertools import chain, groupby
from pathlib import Path

import fontpkg_fira_sans
import fontpkg_fira_sans_condensed
import fontpkg_zilla_slab
from fontTools.ttLib import TTFont as FontTables
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from rosters.core.cache import cached
from rosters.core.messages import translate

REGULAR, BOLD, NARROW, NARROW_BOLD, NAME = (
    "Sheet",
    "Sheet-Bold",
    "Sheet-Narrow",
    "Sheet-Narrow-Bold",
    "Sheet-Name",
)
FACES = {
    REGULAR: (fontpkg_fira_sans, "FiraSans-Regular.ttf"),
    BOLD: (fontpkg_fira_sans, "FiraSans-SemiBold.ttf"),
    NARROW: (fontpkg_fira_sans_condensed, "FiraSansCondensed-Regular.ttf"),
    NARROW_BOLD: (fontpkg_fira_sans_condensed, "FiraSansCondensed-SemiBold.ttf"),
    NAME: (fontpkg_zilla_slab, "ZillaSlab-SemiBold.ttf"),
}
"""Running text and its bold; tables and stats and their bold; names and large numbers."""
SUBSTITUTES = {NARROW: REGULAR, NARROW_BOLD: BOLD, NAME: BOLD}
"""The face whose glyphs are used where a face has none: Zilla Slab knows Latin alone."""
ASCENT, DESCENT, CAP_HEIGHT = 0.935, 0.265, 0.689
"""Of the family, in ems: the tallest glyph, the deepest, and a capital letter."""

FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "C:/Windows/Fonts",
)
FALLBACK_FILES = (
    "DejaVuSans.ttf",
    "wqy-microhei.ttc",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "wqy-zenhei.ttc",
    "uming.ttc",
    "fonts-japanese-gothic.ttf",
    "ipag.ttf",
    "msyh.ttc",
    "Arial Unicode.ttf",
)
"""File names of fallback fonts, in this order. Those of the environment variable SHEET_FONTS (paths) precede them."""

Run = tuple[str, str]
"""A font's name, and the text to set in it."""


@cache
def face(name: str) -> TTFont:
    """One of the faces, registered when it is first used."""
    package, file = FACES[name]
    path = Path(package.ROOT) / "files" / file
    font = _register(name, path)
    if name == NAME:
        _use_lining_figures(font, path)
    return font


def _use_lining_figures(font: TTFont, path: Path) -> None:
    """Put a face's lining figures in the place of its old-style ones: ReportLab knows no OpenType features."""
    tables = FontTables(path)
    substitutions = tables["GSUB"].table
    lookups = {
        number
        for record in substitutions.FeatureList.FeatureRecord
        if record.FeatureTag == "lnum"
        for number in record.Feature.LookupListIndex
    }
    glyphs, metrics = tables.getBestCmap(), tables["hmtx"]
    em = tables["head"].unitsPerEm
    for subtable in (each for number in lookups for each in substitutions.LookupList.Lookup[number].SubTable):
        mapping = getattr(getattr(subtable, "ExtSubTable", subtable), "mapping", {})
        for code in map(ord, "0123456789"):
            if lining := mapping.get(glyphs[code]):
                font.face.charToGlyph[code] = tables.getGlyphID(lining)
                font.face.charWidths[code] = round(metrics[lining][0] * 1000 / em)


def _register(name: str, path: Path) -> TTFont:
    font = TTFont(name, str(path))
    pdfmetrics.registerFont(font)
    return font


@lru_cache(maxsize=1)
def _fallback_paths() -> tuple[Path, ...]:
    """The paths of the fallback fonts on this machine."""
    named = [Path(path) for path in os.environ.get("SHEET_FONTS", "").split(os.pathsep) if path]
    fonts = (path for folder in FONT_FOLDERS for path in Path(folder).rglob("*.tt?"))
    paths = {path.name: path for path in fonts if path.name in FALLBACK_FILES}
    return (*named, *(paths[name] for name in FALLBACK_FILES if name in paths))


@cache
def _fallback_font(path: Path) -> TTFont | None:
    """A fallback font, loaded when a text needs it; None if it cannot be used."""
    try:
        return _register(f"Sheet-{path.stem}", path)
    except (TTFError, OSError):
        return None


@lru_cache(maxsize=4096)
def _font_for(character: str, name: str) -> str:
    faces = (face(each) for each in (name, SUBSTITUTES.get(name, name)))
    fallbacks = (font for path in _fallback_paths() if (font := _fallback_font(path)))
    fonts = chain(faces, fallbacks)
    return next((font.fontName for font in fonts if ord(character) in font.face.charToGlyph), name)


def runs(text: str, name: str = REGULAR) -> tuple[Run, ...]:
    """``text``, translated, as runs in the face of that name, or where it lacks a character in another font."""
    return _runs(translate(text), name)


@cached(8 << 20)
def _runs(text: str, name: str) -> tuple[Run, ...]:
    plain = "".join(_drawable(character) for character in unicodedata.normalize("NFC", text))
    by_font = groupby(plain, key=lambda character: _font_for(character, name))
    return tuple((font, "".join(characters)) for font, characters in by_font)


def _drawable(character: str) -> str:
    """Line ends and other controls as a space, invisible marks as nothing."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    return "" if kind == "Cf" else character


def ems(text: str, name: str = REGULAR) -> float:
    """The width of ``text``, translated, in ems."""
    return _ems(translate(text), name)


@cached(16 << 20)
def _ems(text: str, name: str) -> float:
    return float(sum(pdfmetrics.stringWidth(part, font, 1) for font, part in _runs(text, name)))
