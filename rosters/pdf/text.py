"""Fits text into a width: shrinks, then wraps, then truncates it with an ellipsis. Measures only; `Pen` draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from rosters.core.cache import cached
from rosters.core.messages import translate
from rosters.pdf.fonts import REGULAR, ems
from rosters.pdf.shaping import COMPLEX, cluster_start, with_direction

ELLIPSIS = "…"
LEADING = 1.22
"""The distance from one line to the next, in ems."""
MIN_SCALE, MIN_LINE_SCALE = 0.7, 0.5
"""The smallest scales to which text shrinks before it is truncated: on several lines, and on one."""
MIN_SIZE = 7.0
"""No text shrinks below this size, in points."""

WORD = re.compile(r"(?:\S|\xa0)+")
"""What a line does not end within: a no-break space keeps a number and its unit together."""

MAX_CHARACTERS = 500
"""The most characters that fit on any line: longer text is cut before it is measured, which would be slow."""


class FittedText(NamedTuple):
    """Lines of text, and the size in points at which they fit."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * LEADING

    def width(self, face: str) -> float:
        """The width of the longest line in a face."""
        return max((ems(line, face) * self.size for line in self.lines), default=0.0)


def fit_text(text: str, width: float, size: float, lines: int = 1, face: str = REGULAR) -> FittedText:
    """``text``, translated, within ``width`` points, on at most so many lines, at ``size`` or at least 70 % of it (50 %
    on one line) and 7 points; no word broken if that avoids it.
    """
    return _fit(translate(text), width, size, lines, face)


def fit_one_or_two(text: str, width: float, size: float, face: str = REGULAR) -> FittedText:
    """``text``, translated, on one line at ``size`` or at least 70 % of it, or on two smaller ones."""
    one = fit_text(text, width, size, face=face)
    is_complete = one.lines == (translate(text),) and one.size >= size * MIN_SCALE
    return one if is_complete else fit_text(text, width, size * 0.8, 2, face)


@cached(8 << 20)  # 11 % of a print
def _fit(text: str, width: float, size: float, lines: int, face: str) -> FittedText:
    """`fit_text` of a translated text: as it is, else wrapped, else wrapped at the smallest size, else cut off."""
    natural = ems(text, face) * size if len(text) <= MAX_CHARACTERS else float("inf")
    if natural <= width:
        return FittedText((text,), size)
    small = max(size * (MIN_SCALE if lines > 1 else MIN_LINE_SCALE), min(size, MIN_SIZE))
    if natural * small <= width * size and lines == 1:
        return FittedText((text,), size * width / natural)
    longest = max((ems(word, face) for word in WORD.findall(text)), default=0) if len(text) <= MAX_CHARACTERS else 0
    if width / size < longest <= width / small:
        size = width / longest  # at which the longest word is not broken
    wrapped = tuple(islice(wrap(text, width, size, face), lines + 1))
    if len(wrapped) <= lines:
        return FittedText(wrapped, size)
    wrapped = tuple(islice(wrap(text, width, small, face), lines + 9))  # more than fit on the last line once joined
    if len(wrapped) > lines:
        rest = " ".join(wrapped[lines - 1 : lines + 9])
        wrapped = (*wrapped[: lines - 1], truncate(rest, width, small, face))
    return FittedText(wrapped, small)


def truncate(text: str, width: float, size: float, face: str = REGULAR) -> str:
    """As much of the text as fits, and an ellipsis."""
    end = _fitting(text, 0, width / size, lambda start: ems(start + ELLIPSIS, face))
    return text[: cluster_start(text, end)].rstrip() + ELLIPSIS


def wrap(text: str, width: float, size: float, face: str = REGULAR) -> Iterator[str]:
    """The text, translated, in lines no wider than ``width``, broken at spaces, and within a word only
    where it is wider than a line. All lines are read in the direction of the text.
    """
    shown, available = translate(text), width / size
    return iter(_all_lines(shown, available, face)) if len(shown) <= MAX_CHARACTERS else _lines(shown, available, face)


@cached(4 << 20)  # 18 % of a print of Mini Combat
def _all_lines(text: str, available: float, face: str) -> tuple[str, ...]:
    return tuple(_lines(text, available, face))


def _lines(text: str, available: float, face: str) -> Iterator[str]:
    lines = _broken(text, available, face)
    return (with_direction(line, text) for line in lines) if COMPLEX.search(text) else lines


def _broken(text: str, available: float, face: str) -> Iterator[str]:
    """The lines of a text in the order of its characters; ``available`` is their width in ems."""
    words = _words(text, available, face)
    line = " ".join(words)
    if len(line) <= MAX_CHARACTERS and ems(line, face) <= available:  # the usual case: the line fits
        words = []
    else:
        line = ""
    used, space = 0.0, ems(" ", face)
    for word in words:
        own = ems(word, face) if len(word) <= MAX_CHARACTERS else available + 1
        if line and used + space + own <= available:
            line, used = f"{line} {word}", used + space + own
            continue
        if line:
            yield line
        line = word
        while line and (len(line) > MAX_CHARACTERS or ems(line, face) > available):
            head = _longest_prefix(line, available, face)
            yield head
            line = line[len(head) :]
        used = ems(line, face)
    if line:
        yield line


def _words(text: str, available: float, face: str) -> Sequence[str]:
    """The words of a text; no-break spaces part those that are wider than a line."""
    words = WORD.findall(text)
    if "\xa0" not in text:
        return words
    wide = (len(word) > MAX_CHARACTERS or ems(word, face) > available for word in words)
    return [part for word, split in zip(words, wide, strict=True) for part in (word.split() if split else (word,))]


def _longest_prefix(word: str, available: float, face: str) -> str:
    """The longest beginning of a word that fits, of one letter with its marks at least."""
    fitting = _fitting(word, 1, available, lambda start: ems(start, face))
    end = cluster_start(word, fitting)
    while not end:
        fitting += 1
        end = cluster_start(word, fitting)
    return word[:end]


def _fitting(text: str, low: int, available: float, measure: Callable[[str], float]) -> int:
    """How many characters of a text fit: ``low`` at least. Few starts are measured, since shaping each takes long."""
    high = min(len(text), MAX_CHARACTERS)
    middle, tries = high, 0
    while low < high:
        width = measure(text[:middle])
        low, high = (middle, high) if width <= available else (low, middle - 1)
        tries += 1
        guess = int(middle * available / width) if width and tries < 6 else (low + high + 1) // 2
        middle = min(max(guess, low + 1), high)
    return low


@cached(1 << 20)  # 4 % of the cards of Mini Combat
def fill_text(text: str, width: float, height: float, size: float, face: str) -> FittedText:
    """Words, translated, as large as they fit in a width and a height, no word broken if a smaller size avoids it."""
    while True:
        lines = max(1, int(height / (size * LEADING) + 0.25))
        fits = all(ems(word, face) * size <= width for word in WORD.findall(translate(text)))
        fitted = fit_text(text, width, size, lines, face)
        if size <= MIN_SIZE or (fits and (lines == 1 or fitted.size == size) and not _is_cut(fitted, text)):
            return fitted
        size = max(MIN_SIZE, size - 0.5)


def _is_cut(fitted: FittedText, text: str) -> bool:
    return "".join("".join(fitted.lines).split()) != "".join(translate(text).split())
