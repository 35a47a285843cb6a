"""Lines of text in scripts whose letters join, stack or run from right to left: which glyphs, and where.

A line is cut into runs of one direction by the Unicode bidirectional algorithm, those into runs of one font, and these
are shaped by HarfBuzz. Lengths in thousandths of an em.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category, combining, mirrored

import uharfbuzz as hb
from bidi import algorithm
from bidi.mirror import MIRRORED

from rosters.core.messages import _

COMPLEX = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0590-\u109f\u1100-\u11ff\u135d-\u135f\u1700-\u18af\u1900-\u1cff\u1dc0-\u1dff"
    "\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ua800-\uabff\ufb1d-\ufdff\ufe20-\ufe2f\ufe70-\ufefc"
    "\U00010800-\U00011fff\U0001e800-\U0001efff]"
)
"""What needs shaping: combining marks, scripts from right to left, those of South and South-East Asia, and jamo."""
UNKNOWN = "\ufffd"
"""What the empty box stands for."""


MAX_RUNS = 12_000
"""The most runs of glyphs for one print. A long roster in Arabic or Hindi needs fewer; text that changes script with
each letter would take minutes."""


class TooLarge(Exception):
    """The limits refuse to print this."""


_shaped: ContextVar[list[int] | None] = ContextVar("shaped", default=None)


@contextmanager
def limited() -> Iterator[None]:
    """Raise TooLarge as soon as more than MAX_RUNS runs are shaped within."""
    token = _shaped.set([0])
    try:
        yield
    finally:
        _shaped.reset(token)


class GlyphFont:
    """A TrueType font, cut to one weight and width if its file has many."""

    def __init__(self, path: Path, axes: Mapping[str, float]) -> None:
        face = hb.Face(hb.Blob.from_file_path(str(path)))
        if face.axis_infos:
            pins = hb.SubsetInput()
            pins.keep_everything()
            for axis in face.axis_infos:
                pins.pin_axis_location(face, axis.tag, axes.get(axis.tag, axis.default_value))
            face = pins.subset(face)
        self.face, self.font = face, hb.Font(face)
        self.characters = frozenset(face.unicodes)
        self.name = "".join(filter(str.isalnum, path.stem))
        self.em = 1000 / face.upem
        """Thousandths of an em in a unit of the font."""

    def advance(self, glyph: int) -> float:
        """The width of a glyph in thousandths of an em."""
        return float(self.font.get_glyph_h_advance(glyph) * self.em)


@cache
def glyph_font(path: Path, axes: tuple[tuple[str, float], ...] = ()) -> GlyphFont:
    """The font of a file at a place on its axes, as ``("wght", 600)``."""
    return GlyphFont(path, dict(axes))


class GlyphRun(NamedTuple):
    """Glyphs of one font from left to right, as a document shows them.

    Readers of PDFs take glyphs from the right to be in visual order and turn the letters that each one stands for;
    but not what is noted as the text of a run, which stands for all glyphs of another one: their order may differ.
    """

    font: GlyphFont
    advance: float
    """The width of the run."""
    levels: tuple[tuple[float, str], ...]
    """The glyphs at one height above the baseline, as the operand of a PDF's TJ operator."""
    texts: tuple[tuple[int, str], ...]
    """The text that each glyph begins."""
    text: str
    """The text of the whole run; "" if it is read from the right."""


class ShapedLine(NamedTuple):
    """A line as runs from left to right."""

    runs: tuple[GlyphRun, ...]

    @property
    def ems(self) -> float:
        return sum(run.advance for run in self.runs) / 1000


def shape_line(text: str, font_for: Callable[[str], GlyphFont], features: Mapping[str, bool]) -> ShapedLine:
    """A line in the font that ``font_for`` has for each character, else an empty box. Raises TooLarge."""
    runs = (
        _shape(part, font, backward, features)
        for part, backward in directed_runs(text)
        for font, part in _by_font(part, font_for, backward)
    )
    line = ShapedLine(tuple(runs))
    if shaped := _shaped.get():
        shaped[0] += len(line.runs)
        if shaped[0] > MAX_RUNS:
            raise TooLarge(_("Its text changes the script too often. Shorten the notes, or choose fewer formations."))
    return line


def _by_font(text: str, font_for: Callable[[str], GlyphFont], backward: bool) -> Sequence[tuple[GlyphFont, str]]:
    """Parts of a run with their fonts, from left to right. Marks and punctuation take that of the letters before them,
    or else of those after them.
    """
    current = next((font_for(character) for character in text if category(character)[0] in "LN"), None)
    chosen = list[GlyphFont]()
    for character in text:
        kind = category(character)
        same = kind == "Cf" or (kind[0] not in "LN" and current and ord(character) in current.characters)
        current = current if current and same else font_for(character)
        chosen.append(current)
    pairs = groupby(zip(chosen, text, strict=True), key=lambda pair: pair[0])
    parts = [(font, "".join(character for _, character in group)) for font, group in pairs]
    return parts[::-1] if backward else parts


def _shape(text: str, font: GlyphFont, backward: bool, features: Mapping[str, bool]) -> GlyphRun:
    buffer = hb.Buffer()
    buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
    buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction, buffer.language = "rtl" if backward else "ltr", "en"  # otherwise the language of the process
    if not buffer.script:
        buffer.script = "Latn"  # digits alone: a font's features belong to its scripts
    hb.shape(font.font, buffer, dict(features))
    starts = sorted({info.cluster for info in buffer.glyph_infos})
    parts = {start: text[start:end] for start, end in pairwise([*starts, len(text)])}
    if backward:
        parts = {start: MIRRORED.get(part, part[::-1]) for start, part in parts.items()}
    texts = dict[int, str]()
    for info in buffer.glyph_infos:
        part = parts.pop(info.cluster, "")
        texts.setdefault(info.codepoint, part if info.codepoint else UNKNOWN)
    advance = sum(at.x_advance for at in buffer.glyph_positions) * font.em
    return GlyphRun(font, advance, (*_levels(buffer, font),), (*texts.items(),), "" if backward else text)


def _levels(buffer: hb.Buffer, font: GlyphFont) -> Iterator[tuple[float, str]]:
    """The glyphs at one height are one array: their numbers, and between them the ways that the widths leave out."""
    glyphs = zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    for rise, level in groupby(glyphs, key=lambda glyph: glyph[1].y_offset):
        shown = ""
        for info, at in level:
            back = font.font.get_glyph_h_advance(info.codepoint) - at.x_advance + at.x_offset
            shown += f"{_way(-at.x_offset * font.em)}{info.codepoint:04X}{_way(back * font.em)}"
        yield rise * font.em, f"[<{shown}>]".replace("<>", "")


def _way(back: float) -> str:
    return f">{back:.5g}<" if back else ""


# ---------------------------------------------------------------- where lines may end

VIRAMA = 9
"""The combining class of the marks that join two letters to one."""
FROM_LEFT, FROM_RIGHT = "\u200e", "\u200f"
"""Invisible marks that have a direction."""


def cluster_start(text: str, place: int) -> int:
    """The last place up to this one where a line may end: not before a mark, nor where letters are joined to one."""
    while 0 < place < len(text) and _is_joined(text[place - 1], text[place]):
        place -= 1
    return place


def _is_joined(before: str, after: str) -> bool:
    return not after.isascii() and (
        category(after)[0] == "M" or category(after) == "Cf" or before == "\u200d" or combining(before) == VIRAMA
    )


def with_direction(line: str, text: str) -> str:
    """A line of ``text``, with a mark if it would not be read in the direction of the whole."""
    if (backward := algorithm.get_base_level(text)) == algorithm.get_base_level(line):
        return line
    return (FROM_RIGHT if backward else FROM_LEFT) + line


# ---------------------------------------------------------------- directions


def directed_runs(text: str) -> Iterator[tuple[str, bool]]:
    """The runs of a line from left to right, each as it is read, and whether it is read from the right.

    python-bidi's fast function returns the text in visual order, without levels; its steps in Python have these, but
    not brackets (rule N0 of Unicode's annex 9), which are resolved here.
    """
    steps = algorithm.get_empty_storage()
    steps["base_level"] = algorithm.get_base_level(text)
    steps["base_dir"] = "LR"[steps["base_level"]]
    algorithm.get_embedding_levels(text, steps)
    for number, character in enumerate(steps["chars"]):
        character["place"] = number
        character["type"] = character["type"] or "L"  # what Python's Unicode does not know yet
    algorithm.explicit_embed_and_overrides(steps)
    algorithm.resolve_weak_types(steps)
    _resolve_brackets(steps["chars"], steps["base_dir"])
    algorithm.resolve_neutral_types(steps, False)
    algorithm.resolve_implicit_levels(steps, False)
    algorithm.reorder_resolved_levels(steps, False)
    for level, group in groupby(steps["chars"], key=lambda character: character["level"]):
        yield "".join(each["ch"] for each in sorted(group, key=lambda each: each["place"])), level % 2 == 1


def _resolve_brackets(characters: Sequence[dict[str, Any]], base: str) -> None:
    """Give the two brackets of a pair one direction: the line's if the pair encloses such text, else that of the text
    in them if it continues what precedes them.
    """
    strong = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
    directions = [strong.get(character["type"], "") for character in characters]
    for start, end in _bracket_pairs(characters):
        inside = {*directions[start + 1 : end]} - {""}
        if inside:
            before = next(filter(None, reversed(directions[:start])), base)
            direction = base if base in inside else before
            for place in (start, end):
                directions[place] = characters[place]["type"] = direction


def _bracket_pairs(characters: Sequence[dict[str, Any]]) -> Sequence[tuple[int, int]]:
    pairs, opened = [], list[tuple[str, int]]()
    for place, character in enumerate(characters):
        sign = character["ch"]
        if character["type"] != "ON" or not mirrored(sign):
            continue
        if category(sign) == "Ps":
            opened.append((MIRRORED.get(sign, ""), place))
        elif category(sign) == "Pe" and sign in (closing := [each for each, _ in opened]):
            number = len(closing) - 1 - closing[::-1].index(sign)
            pairs.append((opened[number][1], place))
            del opened[number:]
    return sorted(pairs)
