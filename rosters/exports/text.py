"""A roster as text for a chat or an e-mail: plain, as Markdown, and in one line.

User text cannot change the structure: names stay on one line, and Markdown is escaped. At the end is a list from
which quick add and imports restore the roster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal, AppraisedFormations
from rosters.core.documents import AnyDocument
from rosters.core.lists import list_lines
from rosters.core.messages import _, translate
from rosters.exports.listing import (
    Game,
    ListedElement,
    ListedFormation,
    budget,
    groups,
    name_or,
    reasons,
    scenario,
    single_line,
)

# ---------------------------------------------------------------- shared by all formats

ENTRIES = _("Entries")
"""The title of the list at the end, which quick add and the import page read."""


def _title(document: AnyDocument, game: Game) -> str:
    return name_or(document.name, game.name)


def _points(appraisal: Appraisal, game: Game, short: bool = False) -> str:
    """ "28 of 30 points", if ``short`` "28/30 points"; "" without points."""
    if appraisal.points is None:
        return ""
    values = {"points": format_amount(appraisal.points), "noun": game.rules.WORDS.points}
    if (limit := budget(appraisal)) is not None:
        text = _("{points}/{limit} {noun}") if short else _("{points} of {limit} {noun}")
        return translate(text.format(**values, limit=format_amount(limit)))
    return translate(_("{points} {noun}").format(**values))


def _heading(group: ListedFormation, game: Game) -> str:
    """ "Warband: 28 points"; the name alone without points."""
    name, noun = name_or(group.formation.name, game.rules.WORDS.formation), game.rules.WORDS.points
    if group.points is None:
        return name
    return translate(_("{name}: {points} {noun}").format(name=name, points=format_amount(group.points), noun=noun))


def _models(item: ListedElement, game: Game) -> str:
    """ "3x Guard"."""
    return f"{item.element.quantity}x {name_or(item.element.name, game.rules.WORDS.element)}"


# ---------------------------------------------------------------- plain


def plain_text(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: Game) -> str:
    """The roster as plain text; ends with a line break."""
    blocks = [
        [*_plain_head(document, appraisal, game)],
        *([*_plain_group(group, game)] for group in groups(document, appraisal, appraised)),
        *_plain_section(_("House rules"), [f"- {single_line(rule.text)}" for rule in appraisal.house_rules]),
        *_plain_section(_("Notes"), [*_lines(document.notes)]),
        *_plain_section(ENTRIES, [*list_lines(game.grammar, document)]),
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _plain_head(document: AnyDocument, appraisal: Appraisal, game: Game) -> Iterator[str]:
    yield _title(document, game)
    yield " · ".join(part for part in (game.name, translate(scenario(document, game))) if part)
    if points := _points(appraisal, game):
        yield points
    yield translate(_("Legal") if appraisal.legal else _("Not legal:"))
    yield from (f"- {reason}" for reason in reasons(document, appraisal))


def _plain_group(group: ListedFormation, game: Game) -> Iterator[str]:
    yield _heading(group, game)
    yield from (f"  {line}" for line in _lines(group.formation.notes))
    for item in group.items:
        yield f"{_models(item, game)} {format_amount(item.points)}".rstrip()
        yield from (f"  {line}" for line in (single_line(item.description), *_lines(item.element.notes)) if line)


def _plain_section(title: str, lines: list[str]) -> list[list[str]]:
    return [[translate(title), *lines]] if lines else []


def _lines(notes: str) -> Iterator[str]:
    """The non-empty lines of a note."""
    return (line for line in map(single_line, notes.splitlines()) if line)


# ---------------------------------------------------------------- Markdown

_SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#+\-.!|~&$:@=^]")
BREAK = "  \n"
"""A line break inside a paragraph."""


def escape_markdown(text: str) -> str:
    """Text on one line, with the special characters of Markdown escaped."""
    return _SPECIAL.sub(r"\\\g<0>", single_line(text))


def markdown(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: Game) -> str:
    """The roster as Markdown; ends with a line break."""
    blocks = [
        *_markdown_head(document, appraisal, game),
        *(block for group in groups(document, appraisal, appraised) for block in _markdown_group(group, game)),
        *_markdown_section(_("House rules"), _list(rule.text for rule in appraisal.house_rules)),
        *_markdown_section(_("Notes"), _paragraph(document.notes)),
        *_markdown_section(ENTRIES, _code(list_lines(game.grammar, document))),
    ]
    return "\n\n".join(blocks) + "\n"


def _markdown_head(document: AnyDocument, appraisal: Appraisal, game: Game) -> Iterator[str]:
    points = _points(appraisal, game)
    verdict = translate(_("legal")) if appraisal.legal else f"**{translate(_('not legal'))}**"
    parts = [
        escape_markdown(game.name),
        escape_markdown(scenario(document, game)),
        f"**{escape_markdown(points)}**" if points else "",
        verdict,
    ]
    yield f"# {escape_markdown(_title(document, game))}"
    yield " · ".join(part for part in parts if part)
    if not appraisal.legal:
        yield f"{translate(_('Not legal:'))}\n\n{_list(reasons(document, appraisal))}"


def _markdown_group(group: ListedFormation, game: Game) -> Iterator[str]:
    yield f"## {escape_markdown(_heading(group, game))}"
    if notes := _paragraph(group.formation.notes):
        yield notes
    if group.items:
        yield "\n".join(_markdown_item(item, game) for item in group.items)


def _markdown_item(item: ListedElement, game: Game) -> str:
    first = f"- **{escape_markdown(_models(item, game))}** {escape_markdown(format_amount(item.points))}".rstrip()
    rest = [escape_markdown(item.description), *map(escape_markdown, _lines(item.element.notes))]
    return f"{BREAK}  ".join([first, *(line for line in rest if line)])


def _markdown_section(title: str, body: str) -> list[str]:
    return [f"## {translate(title)}", body] if body else []


def _list(texts: Iterator[str] | list[str]) -> str:
    return "\n".join(f"- {escape_markdown(text)}" for text in texts)


def _paragraph(notes: str) -> str:
    return BREAK.join(map(escape_markdown, _lines(notes)))


def _code(lines: Iterable[str]) -> str:
    """A fenced block, in which nothing is escaped; the fence is longer than any other."""
    text = "\n".join(lines)
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}\n{text}\n{fence}"


# ---------------------------------------------------------------- one line


def one_line(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: Game) -> str:
    """The roster on one line of any length: name, game, points, legality, then the elements of each formation."""
    verdict = translate(_("legal") if appraisal.legal else _("not legal"))
    formations = [_summary(group, game) for group in groups(document, appraisal, appraised)]
    parts = [
        _title(document, game),
        game.name,
        _points(appraisal, game, True),
        verdict,
        *formations,
    ]
    return " · ".join(part for part in parts if part)


def _summary(group: ListedFormation, game: Game) -> str:
    """ "Warband: Thane, 3 Guards"."""
    name = name_or(group.formation.name, game.rules.WORDS.formation)
    elements = [count_noun(name_or(i.element.name, game.rules.WORDS.element), i.element.quantity) for i in group.items]
    return f"{name}: {', '.join(elements)}" if elements else name


_REGULAR_PLURAL = re.compile(r"[A-Z]?[a-z]+(?<![osxyz])(?<!ch|sh|lf)(?<!men)", re.ASCII)
"""A single word whose plural most likely adds an s; any other name is left as it is."""


def count_noun(name: str, quantity: int) -> str:
    """ "Thane", "3 Guards", "2 Panzer IV", "0 Guard"."""
    if quantity == 1:
        return name
    return f"{quantity} {name}{'s' if quantity and _REGULAR_PLURAL.fullmatch(name) else ''}"
