"""The sheets' fonts: one family for Latin, Greek and Cyrillic, and fallback fonts of this machine for other glyphs.

A character without a glyph in any of them is shown as the family's empty box.
"""

from __future__ import annotations

import os
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

import fontpkg_fira_sans
import fontpkg_fira_sans_condensed
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from rosters.core.cache import cached
from rosters.core.messages import translate

REGULAR, BOLD, CONDENSED = "Sheet", "Sheet-Bold", "Sheet-Condensed"
FACES = {
    REGULAR: (fontpkg_fira_sans, "FiraSans-Regular.ttf"),
    BOLD: (fontpkg_fira_sans, "FiraSans-SemiBold.ttf"),
    CONDENSED: (fontpkg_fira_sans_condensed, "FiraSansCondensed-SemiBold.ttf"),
}
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
    """One face of the family, registered when it is first used."""
    package, file = FACES[name]
    return _register(name, Path(package.ROOT) / "files" / file)


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
def _font_for(character: str, bold: bool) -> str:
    family = BOLD if bold else REGULAR
    if ord(character) in face(family).face.charToGlyph:
        return family
    fonts = (font for path in _fallback_paths() if (font := _fallback_font(path)))
    return next((font.fontName for font in fonts if ord(character) in font.face.charToGlyph), family)


def runs(text: str, bold: bool = False) -> tuple[Run, ...]:
    """``text``, translated, as runs, each in a font that has its characters."""
    return _runs(translate(text), bold)


@cached(8 << 20)
def _runs(text: str, bold: bool) -> tuple[Run, ...]:
    plain = "".join(_drawable(character) for character in unicodedata.normalize("NFC", text))
    by_font = groupby(plain, key=lambda character: _font_for(character, bold))
    return tuple((font, "".join(characters)) for font, characters in by_font)


def _drawable(character: str) -> str:
    """Line ends and other controls as a space, invisible marks as nothing."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    return "" if kind == "Cf" else character


def condensed_runs(text: str) -> tuple[Run, ...]:
    """``text``, translated, in the condensed face if that has all its characters, else as `runs` in bold."""
    plain = translate(text)
    glyphs = face(CONDENSED).face.charToGlyph
    return ((CONDENSED, plain),) if all(ord(each) in glyphs for each in plain) else runs(plain, bold=True)


def ems(text: str, bold: bool = False) -> float:
    """The width of ``text``, translated, in ems."""
    return _ems(translate(text), bold)


@cached(16 << 20)
def _ems(text: str, bold: bool) -> float:
    return float(sum(pdfmetrics.stringWidth(part, font, 1) for font, part in _runs(text, bold)))
