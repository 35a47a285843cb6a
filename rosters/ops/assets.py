"""Builds the assets that browsers load: the faces as WOFF2, split by script, one style sheet and one script.

Runs without Django, for the wheel's build: ``python -m rosters.ops.assets`` or ``manage.py assets``. They are rebuilt
only if a package's version, a file that goes into them or this file has changed; the faces, which take long, only for
their packages or this file.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
ASSETS = ROOT / "build" / "assets"
STYLES = (
    *("tokens", "reset", "base", "header", "panels", "buttons", "drawings", "counters", "crests", "plots", "tables"),
    *("forms", "toolbar"),
    *("grid", "grid-actions", "grid-touch", "completions", "builder"),
    *("editor", "editor-stats", "editor-abilities", "editor-price", "editor-games", "editor-panel"),
    *("printing", "play", "play-wide", "history", "battles", "odds", "shelf", "sharing"),
    *("home", "browse", "start", "accounts"),
    *("help", "worth", "print"),
)
"""The files of static/css in the style sheet, in this order."""
PAGE_SCRIPTS = (
    "requests",
    "swaps",
    "page",
    "grid",
    "selection",
    "following",
    "opened",
    "drag",
    "quick",
    "editor",
    "panel",
    "unsent",
)
"""The files of static/js in the script of every page, in this order."""
FACE_PACKAGES = ("fontpkg-zilla-slab", "fontpkg-fira-sans", "fontpkg-fira-sans-condensed", "fonttools", "brotli")
FEATURES = ["ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "pnum", "tnum"]


class Face(NamedTuple):
    """A typeface of the pages: its family, weight, package and file."""

    family: str
    weight: int
    package: str
    file: str


FACES = (
    Face("Zilla Slab", 600, "fontpkg_zilla_slab", "ZillaSlab-SemiBold"),
    Face("Fira Sans", 400, "fontpkg_fira_sans", "FiraSans-Regular"),
    Face("Fira Sans", 600, "fontpkg_fira_sans", "FiraSans-SemiBold"),
    Face("Fira Sans Condensed", 400, "fontpkg_fira_sans_condensed", "FiraSansCondensed-Regular"),
    Face("Fira Sans Condensed", 600, "fontpkg_fira_sans_condensed", "FiraSansCondensed-SemiBold"),
)
SCRIPTS: Mapping[str, str] = {
    "latin": "U+0000-00FF, U+0131, U+0152-0153, U+02C6, U+02DA, U+02DC, U+2000-2069, U+2074, U+20AC, U+2122, "
    "U+2190-2193, U+2212, U+2260, U+2264-2265, U+FFFD",
    "latin-extended": "U+0100-0130, U+0132-0151, U+0154-02C5, U+02C7-02D9, U+02DB, U+02DD-02FF, U+0300-0304, "
    "U+0306-036F, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0, U+2113, U+A720-A7FF",
    "greek": "U+0370-03FF, U+1F00-1FFF",
    "cyrillic": "U+0305, U+0400-052F, U+1C80-1C8F, U+2116, U+2DE0-2DFF, U+A640-A69F",
}
"""The characters of each file: a browser fetches the files that a page has characters of."""
MIN_LETTERS = 20
"""A face with fewer letters of a script, such as the signs of mathematics in Greek, leaves it to the next family."""

_SCRIPT_WASTE = re.compile(r"^ *//.*\n|^ +|^\n", re.MULTILINE)
"""Lines of comments, indents, empty lines: no template literal spans lines."""
_STYLE_WASTE = re.compile(r"/\*.*?\*/\n?|^ +|(?<=[{};,])\n+|(?<=[a-z]:) | (?=\{)|;(?=\s*\})", re.DOTALL | re.MULTILINE)
"""Comments, and spaces and signs that mean nothing: a sixth of the style sheet, and 1 kB of it compressed."""


def make(target: Path = ASSETS) -> bool:
    """Make the assets; False if they are up to date."""
    stamp, before = target / "digest", ["", ""]
    if stamp.exists():
        before = stamp.read_text().split()
    styles, scripts = _sources("css", STYLES), _sources("js", PAGE_SCRIPTS)
    digests = [_digest(FACE_PACKAGES), _digest((), *styles, *scripts)]
    if before == digests:
        stamp.touch()  # for make, which compares times
        return False
    faces = target / "css" / "faces.css"
    if before[0] != digests[0]:
        shutil.rmtree(target, ignore_errors=True)
        for folder in ("fonts", "css", "js"):
            (target / folder).mkdir(parents=True)
        faces.write_text(_make_faces(target / "fonts"), encoding="utf-8")
    sheet = "".join(path.read_text(encoding="utf-8") for path in (faces, *styles))
    (target / "css" / "app.css").write_text(_STYLE_WASTE.sub("", sheet), encoding="utf-8")
    script = "".join(path.read_text(encoding="utf-8") for path in scripts)
    (target / "js" / "app.js").write_text(_SCRIPT_WASTE.sub("", script), encoding="utf-8")
    stamp.write_text("\n".join(digests))
    return True


def _sources(kind: str, names: Iterable[str]) -> list[Path]:
    return [ROOT / "static" / kind / f"{name}.{kind}" for name in names]


def _make_faces(folder: Path) -> str:
    """Write the files of all faces. Returns their rules."""
    with ProcessPoolExecutor() as processes:
        jobs = [(face, script, folder) for face in FACES for script in SCRIPTS]
        return "".join(processes.map(_subset, *zip(*jobs, strict=True)))


def _digest(packages: Iterable[str], *files: Path) -> str:
    parts = [*(f"{name} {version(name)}".encode() for name in packages)]
    parts += [path.read_bytes() for path in (Path(__file__), *files)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _subset(face: Face, script: str, folder: Path) -> str:
    """Write the characters of a script in a face as WOFF2. Returns its @font-face rule, or "" if there are none."""
    from fontTools import subset  # noqa: PLC0415 - of an extra that a server does not need

    options = subset.Options(flavor="woff2", layout_features=FEATURES, name_IDs=[0, 1, 2, 13, 14], notdef_outline=True)
    options.hinting = False  # a third of the bytes; screens and their rasterizers need none today
    options.recalc_timestamp = False  # the same bytes from the same sources
    font = subset.load_font(str(Path(import_module(face.package).ROOT) / "files" / f"{face.file}.ttf"), options)
    characters = {*characters_of(SCRIPTS[script])} & {*font.getBestCmap()}
    if sum(chr(each).isalpha() for each in characters) < MIN_LETTERS:
        return ""
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    name = f"{face.file}-{script}.woff2"
    subset.save_font(font, str(folder / name), options)
    return (
        f'@font-face {{\n  font-family: "{face.family}";\n  font-weight: {face.weight};\n  font-display: swap;\n'
        f'  src: url("../fonts/{name}") format("woff2");\n  unicode-range: {SCRIPTS[script]};\n}}\n'
    )


def characters_of(ranges: str) -> Iterator[int]:
    """The characters of a ``unicode-range``."""
    for each in ranges.replace("U+", "").split(", "):
        first, _, last = each.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


if __name__ == "__main__":
    make()
