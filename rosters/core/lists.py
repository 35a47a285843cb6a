"""A roster as a list of lines, as in our text exports and in lists that players paste. An exported list begins with
the game and the roster's name, then has its points limit, scenario and house rules:

    [6mm] Napoleon's French
    limit: 120
    # Army
    6 MSK +1 Line infantry

Only this part of a text is parsed. A text without such a list is parsed from its first line on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple
from unicodedata import category

from rosters.core.amounts import Amount, format_amount
from rosters.core.documents import AnyDocument, Element
from rosters.core.grammar import Grammar, IndescribableElement, fold, quote, spelled, tokenize
from rosters.core.lines import ParsedLine, amount_of, parse_line, write_line
from rosters.core.messages import Message, _

MAX_LINES = 500
"""The most elements of a list, and the most headings."""
MAX_PARTS = 50
"""The most elements on one line."""
MAX_BYTES = 65_536
"""The most bytes of a list as UTF-8."""

# ---------------------------------------------------------------- parsing


class NumberedLine(NamedTuple):
    """A line of a list with its number in the text, from 1 on."""

    number: int
    line: ParsedLine


class ParsedFormation(NamedTuple):
    """A formation of a list; its name is "" if only an empty line begins it."""

    name: str
    lines: tuple[NumberedLine, ...]


class ParsedList(NamedTuple):
    """A parsed list. ``root`` is what it says about the roster itself, as document data; ``error`` is a Message
    if the list is too long, and "" otherwise. ``comments`` are the comment lines by number; a text export has one for
    each element that no line can describe. ``total`` is the points at its end, None if there are none or others before.
    ``title`` is its name: of an export, or the first line, which is also the first formation's.
    """

    root: Mapping[str, Any]
    formations: tuple[ParsedFormation, ...]
    error: str = ""
    comments: tuple[tuple[int, str], ...] = ()
    total: Amount | None = None
    title: str = ""


FARTHEST = Fraction(3, 2)
"""How many times its points a number may be that is taken for a wrong price, or its points the number."""
Price = Callable[[Element], Amount | None]
"""The points of each model of an element; None in a game without points."""


_BULLETS = re.compile(r"(?:[\s*•·]|[-–—](?![\d.]))*")
_ROOT = re.compile(r"(limit|scenario|side|rule):\s*(.*)")
_SEPARATOR = re.compile(r"[,;]\s+(?=\d+\s*[x×]?\s+\S)")
"""Separates elements on one line, as in a chat: "6 msk Line, 2 art sm Guns"."""
_ENDING = re.compile(r"(.*\S)\s+\d[\d.,]*")
"""A line that ends with a number alone."""
_QUANTITY = re.compile(r"[x×]?\d+\s*[x×]?\s")
_SUM = re.compile(r"(?:total|sum)\b[\s:=]*(\d[\d.,]*)\s*(?:p|pts?|points?|bp)?\.?", re.IGNORECASE)
"""The points at the end of a list, or of a part of it."""
_HEADED = re.compile(r"(.*\S)\s*\(\d[\d.,]*\s*(?:points?|pts|bp),[^()]*\)", re.IGNORECASE)
"""A heading with its sums, "Dwarves (28 points, 5 figures)"."""
_PRICE = re.compile(r"[-–—]\s*\d[\d.,]*\s*points?\b", re.IGNORECASE)
_NOTE = re.compile(r"\s*\(Note:\s*([^()]*)\)")
COUNT_HEADS = ("qty", "quantity", "number", "numbers", "no", "no.", "count")
NAME_HEADS = ("name", "element", "unit", "ship", "figure", "")
PRICE_HEADS = ("points", "pts", "cost", "value", "bp")
"""Headings of a table of stats."""
_FENCE = "```"
_COMMENT = "//"


def system_of(text: str, systems: Iterable[str]) -> str | None:
    """The game of the last exported list in a text; None if there is none."""
    slugs = re.findall(rf"^\[({'|'.join(map(re.escape, systems))})\]", text, re.MULTILINE)
    return slugs[-1] if slugs else None


def _find_start(lines: Sequence[str], system: str) -> int | None:
    """The index of the last line that begins an exported list."""
    starts = (index for index in reversed(range(len(lines))) if lines[index].startswith(f"[{system}]"))
    return next(starts, None)


def parse_list(system: str, grammar: Grammar, text: str, price: Price | None = None) -> ParsedList:
    """Parse a list; each line is parsed independently of the others. With ``price``, a number at the end of a line that
    is its price is no part of the name; exports write no prices.
    """
    lines = re.split(r"\r\n|\r|\n", text)
    start = _find_start(lines, system)
    is_export, first = start is not None, 0 if start is None else start + 1
    if is_export:
        end = next((n for n in range(first, len(lines)) if lines[n].startswith(_FENCE)), len(lines))
        lines = lines[:end]
    if sum(len(line.encode("utf-8", "replace")) + 1 for line in lines[first:]) > MAX_BYTES:
        return ParsedList({}, (), _("The list is longer than {most} bytes.").format(most=f"{MAX_BYTES:,}"))
    root, first = _read_head(system, lines, first) if is_export else ({}, 0)
    body = [(number, _BULLETS.sub("", line, count=1).rstrip()) for number, line in enumerate(lines[first:], first + 1)]
    title = root.get("name", "")
    if not is_export:
        body = [*_rows(grammar, [*_joined_lines(body)])]
    if not is_export and (line := _title_of(grammar, [line for _number, line in body if line])):
        title = line
        body = [(number, f"# {each}" if each == line else each) for number, each in body]
    comments = tuple((number, line) for number, line in body if line.startswith(_COMMENT))
    total = _total_of([line for _number, line in body if line])
    body = [(number, line) for number, line in body if not line.startswith(_COMMENT) and not _SUM.fullmatch(line)]
    kinds = Counter(heading_of(line) is None for _number, line in body if line)
    if max(kinds.values(), default=0) > MAX_LINES:
        return ParsedList(root, (), _("The list has more than {most} lines.").format(most=MAX_LINES))
    formations = _formations(grammar, body, None if is_export else price)
    return ParsedList(root, (*formations,), comments=comments, total=total, title=title)


def _joined_lines(body: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines; of a list with the points at the end of its lines, "Thane: Commander — 4 points", those that a page
    has wrapped are whole again.
    """
    is_priced = sum(bool(_PRICE.search(line)) for _number, line in body) > 1
    unfinished: tuple[int, str] | None = None
    for at, text in body:
        continues = unfinished and text and heading_of(text) is None
        number, line = (unfinished[0], f"{unfinished[1]} {text}") if unfinished and continues else (at, text)
        if unfinished and not continues:
            yield unfinished
        is_complete = line.count("(") == line.count(")") and (_PRICE.search(line) or ": " not in line)
        unfinished = (number, line) if is_priced and line and heading_of(line) is None and not is_complete else None
        if not unfinished:
            yield number, line
    if unfinished:
        yield unfinished


def _rows(grammar: Grammar, body: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines; of a table with tabs, its row of headings is left out, the line before that is the name of a
    formation, and a number under the name of a stat is that stat.
    """
    heads: list[str] = []
    pending: tuple[int, str] | None = None
    first = next((number for number, line in body if line), 0)
    for index, (number, line) in enumerate(body):
        cells = [cell.strip() for cell in line.split("\t")]
        following = next((text for _number, text in body[index + 1 :] if text), "")
        if len(cells) > 1 and "\t" in following and not any(map(str.isdigit, line)):
            heads = [spelled(cell) for cell in cells]
            heads = ["", *heads] if following.count("\t") == len(heads) else heads
            is_title = pending is None or pending[0] == first
            if pending and not is_title and heading_of(pending[1]) is None and "\t" not in pending[1]:
                pending = pending[0], f"# {pending[1]}"
            continue
        if not line and pending and following.count("\t") and not any(map(str.isdigit, following)):
            continue  # between a name and the table
        if pending:
            yield pending
        heads = heads if len(cells) > 1 else []
        pending = number, _row(grammar, heads, cells) or line
    if pending:
        yield pending


def _row(grammar: Grammar, heads: Sequence[str], cells: Sequence[str]) -> str:
    """The row of a table as a line, "" if no heading is the name of a stat."""
    stats = {fold(code): word for word in grammar.words if word.is_stat for code in (*word.codes, *word.names)}
    if not any(head in stats for head in heads):
        return ""
    row = {head: cell for head, cell in zip(heads, cells, strict=False) if cell}
    count = [row.pop(head) for head in COUNT_HEADS if head in row]
    name = [quote(row.pop(head)) for head in NAME_HEADS if head in row][:1]
    price = [f"= {row.pop(head)}" for head in PRICE_HEADS if head in row][:1]
    words = (f"{stats[head].main_spelling}{cell}" if head in stats else cell for head, cell in row.items())
    return " ".join((*count, *name, *words, *price))


def _read_head(system: str, lines: Sequence[str], first: int) -> tuple[dict[str, Any], int]:
    """What an exported list says of the roster itself, and the index of the line after that; ``first`` is that of the
    line after its name.
    """
    name = _unquoted(lines[first - 1].removeprefix(f"[{system}]").strip())
    root = {"name": name} if name else {}
    while first < len(lines) and (match := _ROOT.fullmatch(lines[first].strip())):
        _add_to_root(root, match[1], match[2])
        first += 1
    return root, first


def _total_of(lines: Sequence[str]) -> Amount | None:
    """The points at the end of a list, unless parts of it have their own."""
    *before, last = map(_SUM.fullmatch, lines or [""])
    return amount_of(last[1].rstrip(".,")) if last and not any(before) else None


def _title_of(grammar: Grammar, lines: Sequence[str]) -> str:
    """The first line of a list if it is nothing but a name and the next one is an element or a heading, else ""."""
    line, following, *_rest = *lines[:2], "", ""
    if not following or heading_of(line) is not None or line.startswith(_COMMENT) or _QUANTITY.match(line):
        return ""
    first = parse_line(grammar, line, pasted=True)
    is_name = first.bare or (bool(first.errors) and all(error.missing for error in first.errors))
    if not is_name or heading_of(following) is not None:
        return line if is_name else ""
    second = parse_line(grammar, following, pasted=True)
    return line if second.parses and not second.bare else ""


def replace_line(text: str, line: str, other: str) -> str:
    """A list with another line, or part of one, in place of a line; bullets stay."""
    words = r"\s+".join(map(re.escape, line.split()))  # a page may have wrapped it
    return re.sub(rf"(?<![^\s,;*•·]){words}(?=[^\S\r\n]*(?:[\r\n,;]|$))", lambda _match: other, text)


def _formations(grammar: Grammar, body: Sequence[tuple[int, str]], price: Price | None) -> Iterator[ParsedFormation]:
    """The formations of a list: a heading begins one, an empty heading ends one.

    Of a list that is one line alone, parts that are elements of their own are lines of their own.
    """
    alone = sum(bool(line) for _number, line in body) == 1
    prices = _prices_in(grammar, [line for _number, line in body if heading_of(line) is None], price) if price else None
    name: str | None = None
    rows: list[NumberedLine] = []
    for number, line in body:
        heading = heading_of(line)
        if heading is None:
            parsed = _noted(grammar, grammar.update_line(line), prices)
            parts = _parts(grammar, parsed, prices) if alone else []
            rows += [NumberedLine(number, each) for each in parts or [parsed]]
            continue
        if rows or (line and name is not None):
            yield ParsedFormation(name or "", tuple(rows))
            name, rows = None, []
        name = heading if line else name
    if rows or name is not None:
        yield ParsedFormation(name or "", tuple(rows))


def _noted(grammar: Grammar, line: str, prices: _Prices | None) -> ParsedLine:
    """A line; of one with a note in brackets, "(Note: for armor rolls)", the element has it."""
    note = _NOTE.search(line)
    parsed = _parse(grammar, _NOTE.sub("", line), prices) if note else None
    if not note or not parsed or not parsed.element:
        return _parse(grammar, line, prices)
    return parsed._replace(parses=(parsed.parses[0]._replace(element=parsed.element.replace(notes=note[1])),))


class _Prices(NamedTuple):
    """How a pasted list gives its prices: whether its lines usually end with them as a number alone, and whether lines
    begin with their quantities. ``of`` is the points of each model.
    """

    of: Price
    usual: bool = False
    after_quantities: bool = False


def _prices_in(grammar: Grammar, lines: Sequence[str], price: Price) -> _Prices:
    """How these lines give their prices. Numbers that tell elements of one name apart, "Squad 1", are none."""
    endings = {match[0]: match[1] for line in lines if (match := _ENDING.fullmatch(line))}
    distinct = len(endings) == len({*endings.values()})
    near = (_is_near(parse_line(grammar, line, pasted=True, priced=True), price) for line in endings)
    usual = distinct and len(endings) > len({*lines}) / 2 and sum(near) > len(endings) / 2
    return _Prices(price, usual and len(endings) > 1, any(map(_QUANTITY.match, lines)))


def _is_near(line: ParsedLine, price: Price) -> bool:
    """Whether the number at the end of a line may be meant as its price, that of each model or of all."""
    prices = [each for each in (price(parse.element) for parse in line.parses) if each is not None]
    sums = [points for each in prices for points in (each, each * line.quantity)]
    return line.total is not None and any(
        each <= line.total * FARTHEST and line.total <= each * FARTHEST for each in sums
    )


def _parse(grammar: Grammar, text: str, prices: _Prices | None) -> ParsedLine:
    """A line; a number alone at its end is its price if it is that or near it, if other lines have theirs there, if it
    stands in a column of its own, or if the name would be only that.
    """
    line = parse_line(grammar, text, pasted=True)
    if prices is None or line.total is not None or not text[-1:].isdecimal():
        return line
    priced = parse_line(grammar, text, pasted=True, priced=True)
    is_price = prices.usual or "\t" in text or any(each.element.name.isdecimal() for each in line.parses)
    if priced.total is None or (priced.quantity != line.quantity and not prices.after_quantities):
        return line
    has_points = any(prices.of(each.element) is not None for each in priced.parses)
    return priced if (is_price and has_points) or _is_near(priced, prices.of) else line


def _parts(grammar: Grammar, line: ParsedLine, prices: _Prices | None) -> list[ParsedLine]:
    """The parts of a list on one line; none if the line is an element."""
    parts = [] if line.element else _SEPARATOR.split(line.text, MAX_PARTS)
    return [_parse(grammar, part, prices) for part in parts] if len(parts) > 1 else []


def heading_of(line: str) -> str | None:
    """The name of the formation that a stripped line begins, "" for an empty line; None for an element."""
    if line.startswith("#"):
        return _unquoted(line.lstrip("#").strip())
    if headed := _HEADED.fullmatch(line):
        return _unquoted(headed[1])
    return _unquoted(line.removesuffix(":").strip()) if line.endswith(":") or not line else None


def _unquoted(text: str) -> str:
    """A name without its quotation marks, which allow any first and last character."""
    tokens = tokenize(text) if text.startswith('"') else []
    return tokens[0].argument.text if len(tokens) == 1 and tokens[0].argument else text


def _add_to_root(root: dict[str, Any], key: str, value: str) -> None:
    if key == "rule":
        name, _equals, text = (part.strip() for part in value.partition("="))
        root.setdefault("options", {})[name] = _value(text)
    elif key == "limit":
        root["budget"] = _value(value)
    else:
        root[key] = value


def _value(text: str) -> str | int | float | bool:
    """A number, true or false; any other text as it is."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return {"true": True, "false": False}.get(text, text)


def total_error(line: ParsedLine, each: Amount | None) -> Message | None:
    """The message if the points at the end of a line are neither those of ``each`` model nor of all; None if so."""
    if line.total is None or each is None or line.total in (each, each * line.quantity):
        return None
    several = _("You wrote {total}; it is {each} each, {points} in all.")
    message = several if line.quantity != 1 else _("You wrote {total}; it is {each}.")
    points = format_amount(each * line.quantity)
    return message.format(total=format_amount(line.total), each=format_amount(each), points=points)


def list_error(parsed: ParsedList, prices: Iterable[Amount | None]) -> Message | None:
    """The message if the points at the end of a list are not those of its elements together; None if they are.

    A game without points has no prices to compare.
    """
    priced = [each for each in prices if each is not None]
    points = sum(priced)
    if parsed.total is None or not priced or parsed.total == points:
        return None
    message = _("Your list says {total}; read so far: {points}.")
    return message.format(total=format_amount(parsed.total), points=format_amount(points))


# ---------------------------------------------------------------- writing


def list_lines(grammar: Grammar, document: AnyDocument) -> Iterator[str]:
    """The lines of a list that reads back to a roster, but for ids, notes, secrets, marks and crest.

    An element that no line describes is a comment.
    """
    yield f"[{document.system}] {_name(document.name)}"
    head = {"limit": document.budget, "scenario": document.scenario, "side": document.side}
    yield from (f"{key}: {value}" for key, value in head.items() if value is not None)
    options = document.options.model_dump(mode="json", exclude_defaults=True)
    yield from (f"rule: {name} = {str(value).lower()}" for name, value in options.items())
    for formation in document.formations:
        yield f"# {_name(formation.name)}"
        yield from (
            element_line(grammar, element) or f"{_COMMENT} {_name(element.name)}" for element in formation.elements
        )


def _name(name: str) -> str:
    """A name on one line, in quotation marks if it would not come back without them."""
    line = "".join(" " if category(character) in ("Cc", "Zl", "Zp") else character for character in name)
    plain = line == line.strip() and line[:1] not in ("", "#", '"')
    return line if plain else quote(line)


def element_line(grammar: Grammar, element: Element) -> str:
    """The line of an element; "" if there is none."""
    try:
        return write_line(grammar, element)
    except IndescribableElement:
        return ""
