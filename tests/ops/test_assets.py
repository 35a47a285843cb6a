"""Assets: small faces with the characters that their rules name, made when something changed; legible colors."""

import re
from itertools import product
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from rosters.ops import assets
from tests.drawing.test_drawing import tokens

FACE = r'font-family:"([\w ]+)";font-weight:(\d+);.+?url\("\.\./fonts/([\w-]+\.woff2)"\).+?unicode-range:([^;}]+)'


def test_the_five_latin_faces_are_small_and_every_file_has_what_its_rule_says():
    """So that nothing is fetched in vain: the rule of each file names all of its characters, and others name none."""
    rules = re.findall(FACE, (assets.ASSETS / "css" / "app.css").read_text(), re.S)
    latin = [file for *_face, file, _range in rules if file.endswith("-latin.woff2")]
    assert len(latin) == 5
    assert sum((assets.ASSETS / "fonts" / file).stat().st_size for file in latin) <= 110_000
    assert {file for *_face, file, _range in rules} == {path.name for path in (assets.ASSETS / "fonts").iterdir()}
    for *_face, file, ranges in rules:
        font = TTFont(assets.ASSETS / "fonts" / file)
        assert {*font.getBestCmap()} <= {*assets.characters_of(ranges)}, file
        features = {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord}
        assert file not in latin or "tnum" in features, "figures of one width"
        assert not file.startswith("Zilla") or "lnum" in features, "its own figures are old-style"
    ranges = [{*assets.characters_of(each)} for each in assets.SCRIPTS.values()]
    assert sum(map(len, ranges)) == len(set.union(*ranges)), "no character belongs to two files"
    assert {*map(ord, "aZ09é½×÷−–—…“”’·≥→€\u00a0")} <= ranges[0]


def test_assets_are_made_again_when_a_style_sheet_or_a_version_changes_and_only_then(tmp_path, monkeypatch):
    monkeypatch.setattr(assets, "FACES", assets.FACES[:1])
    monkeypatch.setattr(assets, "SCRIPTS", {"latin": "U+0041-0060, U+0061-007A"})
    assert assets.make(tmp_path)
    made = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert not assets.make(tmp_path)
    monkeypatch.setattr(assets, "version", lambda name: "another")
    assert assets.make(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == made, "the same from the same sources"
    monkeypatch.setattr(assets, "STYLES", ("drawings", "tokens"))
    assert assets.make(tmp_path)


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


GROUNDS = ("paper", "card", "well")
SIDES = ("blue", "red", "ochre", "violet")
TEXT = [
    *product(("ink", "soft", "act", "ok", "ochre", "red", "blue", "violet"), GROUNDS),
    *((f"{side}-ink", f"{side}-{ground}") for side in SIDES for ground in ("tile", "box", "soft")),
    *product(("alert",), ("blue-tile", "red-tile", "blue-box", "red-box")),
    *((name, f"{name}-soft") for name in ("act", *SIDES)),
    *product(("ink",), ("act-soft", "ochre-soft", "blue-soft", "red-soft", "m-land")),
    *product(("soft",), ("act-soft", "ochre-soft", "blue-soft", "red-soft")),
    ("on-act", "act"),
]
"""Text, or the numerals and lines of a counter, and what they lie on."""
TINCTURES = product(("azure", "gules", "vert", "sable", "purpure", "tawny"), ("argent", "or", "pearl"))
SHAPES = [*TINCTURES, *product((*SIDES, "soft", "act", "edge"), GROUNDS)]
"""Borders and shapes that mean something: fields of forms and buttons, sides, what is on a crest."""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (SHAPES, 3)], ids=["text", "shapes"])
def test_tokens_that_lie_on_each_other_have_enough_contrast(theme, pairs, least):
    colors = tokens(theme)
    poor = {pair: ratio for pair in pairs if (ratio := contrast(*(colors[name] for name in pair))) < least}
    assert poor == {}


def test_pages_have_no_colors_but_those_of_tokens():
    styles = {name: Path("static/css", f"{name}.css").read_text() for name in assets.STYLES if name != "tokens"}
    literal = r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\("
    assert [(name, color) for name, style in styles.items() for color in re.findall(literal, style)] == []
