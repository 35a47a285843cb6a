"""The sheets' faces, those of the web pages, and fallback fonts of this machine for other glyphs.

Latin, Greek and Cyrillic are drawn by ReportLab; a line that has other scripts is shaped (`shaping`). A character
without a glyph in any font is shown as the family's empty box.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache, lru_cache, partial
from itertools import chain, groupby
from pathlib import Path
from types import ModuleType

import fontpkg_fira_sans
import fontpkg_fira_sans_condensed
import fontpkg_heebo
import fontpkg_ibm_plex_sans_arabic
import fontpkg_noto_sans_devanagari
import fontpkg_noto_sans_thai
import fontpkg_zilla_slab
from fontTools.ttLib import TTFont as FontTables
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from rosters.core.cache import cached
from rosters.core.messages import translate
from rosters.pdf.shaping import COMPLEX, GlyphFont, ShapedLine, glyph_font, shape_line

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
SCRIPTS = (
    (fontpkg_ibm_plex_sans_arabic, "IBMPlexSansArabic-Regular.ttf", "IBMPlexSansArabic-SemiBold.ttf"),
    (fontpkg_heebo, "Heebo[wght].ttf", "Heebo[wght].ttf"),
    (fontpkg_noto_sans_thai, "NotoSansThai[wdth,wght].ttf", "NotoSansThai[wdth,wght].ttf"),
    (fontpkg_noto_sans_devanagari, "NotoSansDevanagari[wdth,wght].ttf", "NotoSansDevanagari[wdth,wght].ttf"),
)
"""The fonts of scripts that are shaped, regular and bold. Plex has letters whole where Noto's dots are glyphs of their
own, of which readers of a PDF make letters of their own.
"""
NARROW_WIDTH, BOLD_WEIGHT = 85, 600
ASCENT, DESCENT, CAP_HEIGHT = 0.935, 0.265, 0.689
"""Heights of the family in ems: of the tallest glyph, the depth of the deepest, and of a capital letter."""

NOT_ASCII = re.compile(r"[^\x00-\x7f]")
"""Every face has the printable characters of ASCII."""

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

FORMATS = "\u200c\u200d\u200e\u200f"
"""Invisible characters that join letters or keep them apart, and those that have a direction."""
VARIATIONS = "\ufe0e\ufe0f"
"""Ask for a sign as text or as a colored picture, which no face here has."""

Run = tuple[str, str]
"""A font's name, and the text to set in it."""


@cache
def face(name: str) -> TTFont:
    """One of the faces, registered when it is first used."""
    path = _path(*FACES[name])
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


@lru_cache(maxsize=4096)  # 2 µs a character, which is most of `_runs`
def _font_for(character: str, name: str) -> str | None:
    """The font in which ReportLab draws a character, None if there is none."""
    faces = (face(each) for each in (name, SUBSTITUTES.get(name, name)))
    fallbacks = (font for path in _fallback_paths() if (font := _fallback_font(path)))
    fonts = chain(faces, fallbacks)
    return next((font.fontName for font in fonts if ord(character) in font.face.charToGlyph), None)


@lru_cache(maxsize=4096)  # 4 µs a character
def _glyph_font_for(character: str, name: str) -> GlyphFont:
    """The font in which a character is shaped: the face, that of a script, a fallback, or else the face."""
    bold = name in (BOLD, NARROW_BOLD, NAME)
    axes = {"wght": BOLD_WEIGHT if bold else 400}
    if name in (NARROW, NARROW_BOLD):
        axes["wdth"] = NARROW_WIDTH
    own = (_path(*FACES[each]) for each in (name, SUBSTITUTES.get(name, name)))
    paths = chain(
        own, (_path(package, files[bold]) for package, *files in SCRIPTS), filter(_fallback_font, _fallback_paths())
    )
    fonts = (glyph_font(path, tuple(axes.items())) for path in paths)
    return next((font for font in fonts if ord(character) in font.characters), glyph_font(_path(*FACES[name])))


def plain_glyph_font() -> GlyphFont:
    """The face of running text, by its glyphs."""
    return _glyph_font_for("x", REGULAR)


def _path(package: ModuleType, file: str) -> Path:
    return Path(package.ROOT) / "files" / file


def runs(text: str, name: str = REGULAR) -> tuple[Run, ...] | ShapedLine:
    """``text``, translated, as runs in the face of that name, or where it lacks a character in another font; a line
    that needs shaping, or characters that no font has, as its glyphs.
    """
    return _runs(translate(text), name)


@cached(8 << 20)  # 12 µs for each text that is drawn or measured
def _runs(text: str, name: str) -> tuple[Run, ...] | ShapedLine:
    text = unicodedata.normalize("NFC", text)
    plain = "".join(_drawable(character) for character in text)
    by_font = [(font, "".join(part)) for font, part in groupby(plain, key=lambda character: _font_for(character, name))]
    if COMPLEX.search(text) or any(font is None for font, _ in by_font):
        formatted = "".join(_drawable(character, formats=True) for character in text)
        return shape_line(formatted, partial(_glyph_font_for, name=name), {"lnum": True})
    return tuple((font, part) for font, part in by_font if font)


def _drawable(character: str, *, formats: bool = False) -> str:
    """Line ends and other controls as a space; invisible marks as nothing, or as they are as ``formats`` of shaping."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    if formats and character in FORMATS:
        return character
    return "" if kind == "Cf" or character in VARIATIONS else character


def missing(text: str) -> str:
    """The characters of ``text`` for which no font of this machine has a glyph, each once; they print as boxes."""
    others = {*NOT_ASCII.findall(unicodedata.normalize("NFC", text))}
    visible = {character for character in others if _drawable(character).strip()}
    return "".join(sorted(character for character in visible if not _has_glyph(character)))


def _has_glyph(character: str) -> bool:
    return _font_for(character, REGULAR) is not None or ord(character) in _glyph_font_for(character, REGULAR).characters


def ems(text: str, name: str = REGULAR, spacing: float = 0) -> float:
    """The width of ``text``, translated, in ems, with ``spacing`` as `drawing.draw_text` adds it."""
    return _ems(translate(text), name, spacing)


@cached(16 << 20)  # 6 to 9 % of a print
def _ems(text: str, name: str, spacing: float) -> float:
    line = _runs(text, name)
    if isinstance(line, ShapedLine):
        return line.ems
    return float(sum(pdfmetrics.stringWidth(part, font, 1) + spacing * len(part) for font, part in line))
