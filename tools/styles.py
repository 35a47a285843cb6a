"""Writes the style sheets of static/css in one format; with --check, lists what differs, names without use or value."""

import re
import sys
from pathlib import Path

import cssbeautifier

ROOT = Path(__file__).parent.parent
SHEETS = sorted(ROOT.glob("static/css/*.css"))
USERS = ("templates/**/*.html", "rosters/**/*.py", "static/js/*.js")


def formatted(source: str) -> str:
    """A style sheet with one declaration a line and an empty line between rules."""
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.space_around_combinator = True
    options.end_with_newline = True
    return str(cssbeautifier.beautify(source, options))


def unused(source: str, words: set[str]) -> list[str]:
    """The classes of a style sheet that no template or code writes, not even with a variable after a hyphen."""
    selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", source, flags=re.DOTALL)
    classes = sorted({*re.findall(r"\.(-?[a-z_][\w-]*)", selectors)})
    return [name for name in classes if name not in words and f"{name.rpartition('-')[0] or name}-{{" not in words]


def unset(source: str, words: set[str]) -> list[str]:
    """The custom properties that a style sheet reads without another value and that nothing sets."""
    return [name for name in sorted({*re.findall(r"var\((--[\w-]+)\)", source)}) if name not in words]


def main(check: bool) -> None:
    """Write the sheets, or exit with what is wrong with them."""
    users = " ".join(path.read_text(encoding="utf-8") for pattern in USERS for path in ROOT.glob(pattern))
    words = {*re.findall(r"[\w-]+", users), *re.findall(r"[\w-]+-\{", users)}
    words |= {name for sheet in SHEETS for name in re.findall(r"(--[\w-]+):", sheet.read_text(encoding="utf-8"))}
    faults = []
    for sheet in SHEETS:
        source = sheet.read_text(encoding="utf-8")
        if not check:
            sheet.write_text(formatted(source), encoding="utf-8")
        elif source != formatted(source):
            faults.append(f"{sheet.relative_to(ROOT)} is not formatted: make format")
        faults += [f"{sheet.relative_to(ROOT)}: nothing has the class {name}" for name in unused(source, words)]
        faults += [f"{sheet.relative_to(ROOT)}: nothing sets {name}" for name in unset(source, words)]
    if check and faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main("--check" in sys.argv)
