"""Writes docs/worth.md and a picture for each game from fixtures/worth.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rosters.balance import worth
from rosters.balance.worth import GameWorth, Group, Row, Study
from rosters.drawing import worth as plots
from rosters.drawing.primitives import Picture, Shape, Text, placed
from rosters.drawing.svg import svg
from rosters.registry import SYSTEMS

DOCS = Path(__file__).parents[2] / "docs"
KINDS = ("bargains", "poor purchases")
WIDTH, COLUMNS, NAMES, SIZE = 720.0, 3, 250.0, 12.0
STYLE = """\
<style>text{font-family:"Fira Sans Condensed","Arial Narrow",sans-serif;font-weight:600;text-anchor:middle}\
text[text-anchor=start]{text-anchor:start}text[text-anchor=end]{text-anchor:end}svg{background:#fffdf7;fill:none}.f-ink{fill:#11304f}\
.s-ink{stroke:#11304f}.f-tile{fill:#b4cde6}.f-box{fill:#f8fbff}.s-line{stroke:#8b8a80}.hair{stroke-width:.36}\
.thin{stroke-width:.62}.bold{stroke-width:1.7}.dash{stroke-dasharray:3.2 2.1}@media(prefers-color-scheme:dark)\
{svg{background:#1d211b}.f-ink{fill:#e4f0fc}.s-ink{stroke:#e4f0fc}.f-tile{fill:#2e4d6e}.f-box{fill:#142230}}</style>"""


def write() -> None:
    """Write the document and its pictures."""
    data = worth.measurements()
    for game in data.games:
        (DOCS / f"worth-{game.system}.svg").write_text(picture(game), encoding="utf-8")
    lines = ["# What the points miss", "", worth.INTRODUCTION, "", worth.BY_ODDS, "", worth.LEFT_OUT, ""]
    lines += [f"Seed {data.seed}; a match is {data.battles:,} battles. `make worth` measures everything again.", ""]
    for game in data.games:
        lines += _game(game)
    (DOCS / "worth.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _game(game: GameWorth) -> Iterator[str]:
    system = SYSTEMS[game.system]
    yield from (f"## {system.name}", "")
    yield from (f"- **{each.question}** {each.text}" for each in worth.answers(game))
    yield from (f"- {sentence}" for _match, sentence in worth.matches(game))
    for study, bargains, poor in worth.extremes(game):
        yield from (
            f"- {study.title}, {kind}: {_earned(rows)}."
            for kind, rows in zip(KINDS, (bargains, poor), strict=True)
            if rows
        )
    yield from ("", f"{worth.unmeasured(game)} Readings: {game.readings}.", "")
    yield from (f"![Price and worth in {system.name}](worth-{game.system}.svg)", "")
    for study in game.studies:
        yield from (f"### {system.name}: {study.title}", "", worth.method(system, study), "")
        yield from ("| | price × | worth × (95 %) | earns × | by odds × |", "|---|---|---|---|---|")
        for row in study.rows:
            texts = (row.label, row.price_text, row.worth_text, row.earned_text, row.exact_text)
            yield f"| {' | '.join(texts)} |"
        yield ""


def _earned(rows: Sequence[Row]) -> str:
    return "; ".join(f"{row.label} (earns {row.earned_text} × its price)" for row in rows)


def picture(game: GameWorth) -> str:
    """All plots of a game."""
    key = "Squares: price. Dots: worth, with the 95 % interval. 1 is the plain element."
    shapes: list[Shape] = [Text(10, 18, key, SIZE, "start")]
    top = 18.0
    for study in game.studies:
        shapes.append(Text(10, top + 22, study.title, 16, "start"))
        top = _study(study, top + 34, shapes)
    markup = svg(Picture("plot", WIDTH, top + 6, 1, tuple(shapes)))
    head, rest = markup.split(">", 1)
    size = f'xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0f}" height="{top + 6:.0f}"'
    return f"{head.replace('<svg', f'<svg {size}', 1)}>{STYLE}{rest}\n"


def _study(study: Study, top: float, shapes: list[Shape]) -> float:
    """Draw a study from ``top`` on; returns where it ends."""
    doublings = plots.span(row.point for row in study.rows)
    stats = [group for group in study.groups if group.stat]
    width, height = plots.CURVE
    for number, group in enumerate(stats):
        x, y = 10 + number % COLUMNS * (width + 4), top + number // COLUMNS * (height + 24)
        drawn = plots.curve([row.point for row in group.rows], group.values, doublings)
        shapes += (Text(x + 24, y + 12, group.title, SIZE, "start"), *placed(drawn.shapes, x, y + 16))
    top += -(-len(stats) // COLUMNS) * (height + 24)
    for group in study.groups:
        if not group.stat:
            top = _strips(group, doublings, top, shapes)
    return top


def _strips(group: Group, doublings: tuple[int, int], top: float, shapes: list[Shape]) -> float:
    shapes += (Text(10, top + 14, group.title, SIZE, "start"),)
    shapes += placed(plots.axis(doublings).shapes, NAMES, top)
    top += 18
    for row in group.rows:
        numbers = f"{row.price_text} → {row.worth_text}" if row.price is not None else row.worth_text
        shapes += (
            Text(18, top + 15, row.label, SIZE, "start"),
            *placed(plots.strip(row.point, doublings).shapes, NAMES, top),
            Text(NAMES + plots.STRIP[0] + 12, top + 15, numbers, SIZE, "start"),
        )
        top += plots.STRIP[1]
    return top + 8
