"""The differences between two rosters of one game: as sentences, and as rows side by side.

PURE. Profiles are compared as data, so that nothing here depends on a game. Points are read from the appraisals;
if either side has none, they are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from rosters.core.amounts import Amount, format_amount, format_change, format_exact, to_amount
from rosters.core.appraisals import (
    Facts,
    PricedElement,
    PricedFormation,
    Rulebook,
    house_rules_in_force,
    option_label,
    terms_of,
)
from rosters.core.documents import Element, Formation, dumps, profile_of
from rosters.core.messages import join_names
from rosters.core.play import Side

MAX_NAMED = 12
"""The most items that a sentence lists as added or removed; it counts the others."""
LONGEST_QUOTE = 60
"""The most characters of a text that a sentence quotes."""

T = TypeVar("T")
Kind = Literal["element", "fact", "total"]
Names = Mapping[str, str]
"""The rulebook's names by code."""


class Change(NamedTuple):
    """One change: its position in the later document ("" is the roster, or a removed part), and a sentence without
    its full stop.
    """

    where: str
    text: str


class Cell(NamedTuple):
    """One side of a row: description, models and points. None: not applicable."""

    description: str = ""
    quantity: int | None = None
    points: Amount | None = None


ABSENT = Cell()
"""The side that lacks the element."""


class ComparedRow(NamedTuple):
    """A row of a comparison: a named element, fact or total, of a formation or of the roster ("")."""

    kind: Kind
    formation: str
    element: str
    left: Cell
    right: Cell
    differs: bool


# ---------------------------------------------------------------- matching


class Group(NamedTuple):
    """A formation with its index and price."""

    number: int
    formation: Formation[Any]
    priced: PricedFormation

    @property
    def where(self) -> str:
        return f"formations/{self.number}"


class Line(NamedTuple):
    """An element with its index and price. ``home`` is the index of its formation before, None for a new formation."""

    group: Group
    number: int
    home: int | None
    element: Element
    priced: PricedElement

    @property
    def where(self) -> str:
        return f"{self.group.where}/elements/{self.number}"


class Pair(NamedTuple, Generic[T]):
    """The same item before and after. None before: it was added. None after: it was removed."""

    before: T | None
    after: T | None


class FormationDiff(NamedTuple):
    """A formation before and after, and the elements that are or were in it; a moved one is listed at its new place."""

    groups: Pair[Group]
    lines: list[Pair[Line]]


def _match_sides(before: Side, after: Side) -> list[FormationDiff]:
    """Match the formations and elements of both sides; in the later order, then the removed ones."""
    groups = _match(_groups(before), _groups(after), _formation_id, _formation_name)
    parts = [FormationDiff(pair, []) for pair in groups]
    then = {part.groups.before.number: part for part in parts if part.groups.before}
    now = {part.groups.after.number: part for part in parts if part.groups.after}
    homes = {pair.after.number: pair.before.number for pair in groups if pair.before and pair.after}
    old, new = _lines(before, {number: number for number in then}), _lines(after, homes)
    for lines in _match(old, new, _element_id, _home_and_name):
        if lines.after:
            now[lines.after.group.number].lines.append(lines)
        elif lines.before:
            then[lines.before.group.number].lines.append(lines)
    return parts


def _groups(side: Side) -> list[Group]:
    pairs = zip(side.document.formations, side.appraisal.formations, strict=True)
    return [Group(index, formation, priced) for index, (formation, priced) in enumerate(pairs)]


def _lines(side: Side, homes: Mapping[int, int]) -> list[Line]:
    return [
        Line(group, index, homes.get(group.number), element, priced)
        for group in _groups(side)
        for index, (element, priced) in enumerate(zip(group.formation.elements, group.priced.elements, strict=True))
    ]


def _formation_id(group: Group) -> Hashable:
    return group.formation.id


def _formation_name(group: Group) -> Hashable:
    return group.formation.name


def _element_id(line: Line) -> Hashable:
    return line.element.id


def _home_and_name(line: Line) -> Hashable:
    return None if line.home is None else (line.home, line.element.name)


def _match(before: Sequence[T], after: Sequence[T], *keys: Callable[[T], Hashable]) -> list[Pair[T]]:
    """Pair items with equal keys: by the first key, then the rest by the next, in order. None never matches."""
    partners: dict[int, int] = {}
    for key in keys:
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        taken = set(partners.values())
        for index, item in enumerate(before):
            if index not in taken and key(item) is not None:
                waiting[key(item)].append(index)
        for index, item in enumerate(after):
            if index not in partners and waiting.get(key(item)):
                partners[index] = waiting[key(item)].popleft()
    pairs = [Pair(before[partners[i]] if i in partners else None, item) for i, item in enumerate(after)]
    taken = set(partners.values())
    return [*pairs, *(Pair(item, None) for i, item in enumerate(before) if i not in taken)]


# ---------------------------------------------------------------- sentences


class Phrasing(NamedTuple):
    """The context of all sentences: the rulebook, its names of codes, and whether both sides have points."""

    rules: Rulebook
    names: Names
    priced: bool


def _phrasing(before: Side, after: Side, rules: Rulebook) -> Phrasing:
    priced = before.appraisal.points is not None and after.appraisal.points is not None
    return Phrasing(rules, {entry.code: entry.name for entry in rules.glossary()}, priced)


def changes(before: Side, after: Side, rules: Rulebook) -> tuple[Change, ...]:
    """Every change from ``before`` to ``after``: of the roster, then by formation, then the total.

    Both belong to the system of ``rules``. Formations and elements match by id, else by name (elements within the
    same formation). The time of the last change is ignored.
    """
    phrasing, parts = _phrasing(before, after, rules), _match_sides(before, after)
    return (
        *(Change("", text) for text in _roster_changes(before, after, phrasing)),
        *(change for part in parts for change in _part_changes(part, phrasing)),
        *_order_change([part.groups for part in parts], Change("", f"{rules.WORDS.formations} in another order")),
        *(Change("", text) for text in _total_change(before, after, phrasing)),
    )


def _named(name: str) -> str:
    return name if name.strip() else "(no name)"


def _from_to(before: Amount, after: Amount) -> str:
    """Two different amounts, exact if two decimals would make them look the same."""
    old, new = format_amount(before), format_amount(after)
    return f"{old} to {new}" if old != new else f"{format_exact(before)} to {format_exact(after)}"


def _points_suffix(points: Amount | None, phrasing: Phrasing) -> str:
    """ ", 26 points", or nothing."""
    if points is None or not phrasing.priced:
        return ""
    word = phrasing.rules.WORDS.points
    return f", {format_amount(points)} {word.removesuffix('s') if points == 1 else word}"


# ---------------------------------------------------------------- the roster


def _roster_changes(before: Side, after: Side, phrasing: Phrasing) -> Iterator[str]:
    old, new = before.document, after.document
    if old.name != new.name:
        yield f"Name {_named(old.name)} to {_named(new.name)}"
    if phrasing.priced and old.budget != new.budget:
        yield f"Budget {_budget(old.budget)} to {_budget(new.budget)}"
    if (old.scenario, old.side) != (new.scenario, new.side):
        yield f"Scenario {_scenario(before, phrasing.rules)} to {_scenario(after, phrasing.rules)}"
    yield from _house_rules(before, after)
    if old.notes != new.notes:
        yield "Notes of the roster changed"
    if before.appraisal.edition != after.appraisal.edition:
        yield f"Rules {before.appraisal.edition} to {after.appraisal.edition}"


def _budget(budget: int | float | None) -> str:
    return "none" if budget is None else format_exact(to_amount(budget))


def _scenario(side: Side, rules: Rulebook) -> str:
    """The names of the scenario and of the side in it."""
    scenario = rules.SCENARIOS.get(side.document.scenario or "")
    if scenario is None:
        return "none"
    played = scenario.sides.get(side.document.side or "", "")
    return f"{scenario.name}, {played}" if played else scenario.name


def _house_rules(before: Side, after: Side) -> Iterator[str]:
    old, new = before.document.options, after.document.options
    for rule, field in type(new).model_fields.items():
        was, now = getattr(old, rule), getattr(new, rule)
        if was != now:
            words = f"{_option(old, rule, was)} to {_option(new, rule, now)}"
            yield f"House rule {field.title or rule}: {words}"


def _option(options: Any, rule: str, value: Any) -> str:
    return "none" if value is None else option_label(type(options), rule, value)


def _total_change(before: Side, after: Side, phrasing: Phrasing) -> Iterator[str]:
    was, now = before.appraisal, after.appraisal
    legal = "now legal" if now.legal else "now not legal"
    turned = was.legal != now.legal
    if phrasing.priced and was.points is not None and now.points is not None and was.points != now.points:
        total = f"Total {_from_to(was.points, now.points)} {phrasing.rules.WORDS.points}"
        yield f"{total}, {legal}" if turned else total
    elif turned:
        yield legal.capitalize()


# ---------------------------------------------------------------- formations and elements


def _part_changes(part: FormationDiff, phrasing: Phrasing) -> Iterator[Change]:
    """The changes of a formation, then of each of its elements, then of their order."""
    old, new = part.groups
    where = new.where if new else ""
    yield from (Change(where, text) for text in _group_changes(old, new, phrasing))
    for lines in part.lines:
        where_line = lines.after.where if lines.after else ""
        yield from (Change(where_line, text) for text in _line_changes(lines, phrasing))
    if old and new:
        stayed = [lines for lines in part.lines if all(line and line.home == old.number for line in lines)]
        yield from _order_change(stayed, Change(where, f"{_named(new.formation.name)} in another order"))


def _order_change(pairs: Sequence[Pair[Any]], change: Change) -> Iterator[Change]:
    """``change``, if the items on both sides are in another order."""
    places = [pair.before.number for pair in pairs if pair.before is not None and pair.after is not None]
    if any(one > other for one, other in pairwise(places)):
        yield change


def _group_changes(old: Group | None, new: Group | None, phrasing: Phrasing) -> Iterator[str]:
    word = phrasing.rules.WORDS.formation.lower()
    if old is None and new is not None:
        yield f"New: {word} {_named(new.formation.name)}"
    elif new is None and old is not None:
        yield f"Gone: {word} {_named(old.formation.name)}"
    elif old is not None and new is not None:
        if old.formation.name != new.formation.name:
            yield f"Renamed {word} {_named(old.formation.name)} to {_named(new.formation.name)}"
        if old.formation.notes != new.formation.notes:
            yield f"Notes of {word} {_named(new.formation.name)} changed"


def _line_changes(lines: Pair[Line], phrasing: Phrasing) -> Iterator[str]:
    old, new = lines
    if new is not None and old is not None:
        yield from _single_element_changes(old, new, phrasing)
    elif new is not None:
        yield f"New: {_counted(new)}{_points_suffix(new.priced.points, phrasing)}"
    elif old is not None:
        yield f"Gone: {_counted(old)}{_points_suffix(old.priced.points, phrasing)}"


def _counted(line: Line) -> str:
    name, quantity = _named(line.element.name), line.element.quantity
    return name if quantity == 1 else f"{quantity} {name}"


def _single_element_changes(old: Line, new: Line, phrasing: Phrasing) -> Iterator[str]:
    """The sentences about an element on both sides. A change of points is appended to the last of them."""
    was, now = old.element, new.element
    name = _named(now.name)
    if was.name != now.name:
        yield f"Renamed {_named(was.name)} to {name}"
    if old.home != new.home:
        yield f"Moved {name} to {_named(new.group.formation.name)}"
    sentences = [*_profile_change(name, was, now, phrasing.names), *_quantity_change(name, was, now)]
    points = _points_change(old.priced.points, new.priced.points, phrasing)
    if points and sentences:
        text = sentences[-1].removeprefix(name)
        sentences[-1] += f"{'; ' if ': ' in text or '; ' in text else ': '}{points}"
    elif points:
        sentences = [f"{name}: {points}"]
    yield from sentences
    yield from _private_changes(name, was, now)


def _quantity_change(name: str, was: Element, now: Element) -> Iterator[str]:
    if was.quantity != now.quantity:
        yield f"{format_change(now.quantity - was.quantity)} {name}, now {now.quantity}"


def _points_change(was: Amount | None, now: Amount | None, phrasing: Phrasing) -> str:
    if not phrasing.priced or was is None or now is None or was == now:
        return ""
    return f"{_from_to(was, now)} {phrasing.rules.WORDS.points}"


def _private_changes(name: str, was: Element, now: Element) -> Iterator[str]:
    if was.notes != now.notes:
        yield f"Notes of {name} changed"
    if was.secret != now.secret:
        yield f"{name} is now secret" if now.secret else f"{name} is no longer secret"
    if was.marks != now.marks:
        yield f"Marks of {name} changed"


# ---------------------------------------------------------------- profiles


class FieldDiff(NamedTuple):
    """Added and removed items of a profile, and changed values, as text."""

    gained: Sequence[str] = ()
    lost: Sequence[str] = ()
    values: Sequence[str] = ()


def _profile_change(name: str, was: Element, now: Element, names: Names) -> Iterator[str]:
    """One sentence on all that changed about a profile: "Thane gained Tough and lost Stealth; movement 10 to 12"."""
    if profile_of(was) == profile_of(now):
        return
    old, new = _whole_profile(was), _whole_profile(now)
    turns = [_field_diff(field.replace("_", " "), old[field], new[field], names) for field in new]
    verbs = [
        f"{verb} {_listed([thing for things in found for thing in things])}"
        for verb, found in (("gained", [turn.gained for turn in turns]), ("lost", [turn.lost for turn in turns]))
        if any(found)
    ]
    values = ", ".join(value for turn in turns for value in turn.values)
    if verbs:
        yield "; ".join([f"{name} {' and '.join(verbs)}", *([values] if values else [])])
    elif values:
        yield f"{name}: {values}"


def _whole_profile(element: Element) -> dict[str, Any]:
    """Every field of the profile as JSON data; what lies within lists only where it is not default."""
    whole: dict[str, Any] = element.model_dump(mode="json", exclude=set(Element.model_fields))
    return {**whole, **profile_of(element)}


def _listed(things: Sequence[str]) -> str:
    """Things in a sentence, equal ones counted, at most so many named."""
    counted = [thing if times == 1 else f"{thing} ×{times}" for thing, times in Counter(things).items()]
    more = len(counted) - MAX_NAMED
    return join_names([*counted[:MAX_NAMED], f"{more} more"] if more > 0 else counted)


def _field_diff(label: str, old: Any, new: Any, names: Names) -> FieldDiff:
    """What became of one field of a profile."""
    if old == new:
        return FieldDiff()
    if isinstance(old, bool) and isinstance(new, bool):
        return FieldDiff(gained=[label]) if new else FieldDiff(lost=[label])
    if isinstance(old, list) and isinstance(new, list):
        return _list_diff(label, old, new, names)
    if isinstance(old, dict) and isinstance(new, dict):
        return _map_diff(old, new, names)
    return FieldDiff(values=[_changed_to(label, f"{label} {_word(old, names)}", _word(new, names))])


def _changed_to(what: str, old: str, new: str) -> str:
    """ "movement 10 to 12", or "protection changed" if the texts are too long or look the same."""
    alike = old in (new, f"{what} {new}")
    return f"{what} changed" if alike or max(len(old), len(new)) > LONGEST_QUOTE else f"{old} to {new}"


def _word(value: Any, names: Names) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return names.get(value, value) if isinstance(value, str) else str(value)


def _list_diff(label: str, old: list[Any], new: list[Any], names: Names) -> FieldDiff:
    """Items added and removed; two with the same head (a capability in another variant) are one changed item."""
    lost, gained = _surplus(old, new), _surplus(new, old)
    if not lost and not gained:
        return FieldDiff(values=[f"{label} in another order"])
    pairs = _match(lost, gained, lambda item: _head(item) if isinstance(item, dict) else None)
    return FieldDiff(
        [_item(label, new, names) for old, new in pairs if old is None],
        [_item(label, old, names) for old, new in pairs if new is None],
        [
            _changed_to(_word(_head(old)[1], names), _item(label, old, names), _item(label, new, names))
            for old, new in pairs
            if old is not None and new is not None
        ],
    )


def _surplus(items: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """The items that are not in ``others``, in order; duplicates count one by one."""
    available = Counter(map(dumps, others))
    surplus = []
    for item in items:
        if available[dumps(item)]:
            available[dumps(item)] -= 1
        else:
            surplus.append(item)
    return surplus


def _head(item: Mapping[str, Any]) -> tuple[str, str]:
    """The key and value that identify an item of a list: its first text (code, type or name)."""
    return next(((key, value) for key, value in item.items() if isinstance(value, str)), ("", ""))


def _item(label: str, item: Any, names: Names) -> str:
    """An item with its details, "Transport (count 4)"; a code without a name adds the label of its list."""
    if not isinstance(item, dict):
        return _word(item, names) if item in names else f"{_word(item, names)} ({label})"
    head, name = _head(item)
    details = [_detail(key.replace("_", " "), value, names) for key, value in item.items() if key != head]
    return f"{_word(name, names)} ({', '.join(details)})" if details else _word(name, names)


def _detail(label: str, value: Any, names: Names) -> str:
    return label if value is True else f"{label} {_word(value, names)}"


def _map_diff(old: Mapping[str, Any], new: Mapping[str, Any], names: Names) -> FieldDiff:
    """Keys added, removed, and those with another value."""

    def each(key: str, value: Any) -> str:
        return names.get(f"{key}-{value}") or f"{names.get(key, key)} {_word(value, names)}"

    return FieldDiff(
        [each(key, value) for key, value in new.items() if key not in old],
        [each(key, value) for key, value in old.items() if key not in new],
        [f"{each(key, old[key])} to {each(key, new[key])}" for key in old if key in new and old[key] != new[key]],
    )


# ---------------------------------------------------------------- side by side


def side_by_side(before: Side, after: Side, rules: Rulebook) -> tuple[ComparedRow, ...]:
    """Both rosters row by row: the elements, facts and total of each formation, then the roster's facts and totals."""
    phrasing, parts = _phrasing(before, after, rules), _match_sides(before, after)

    def cell(line: Line | None, side: Side) -> Cell:
        if line is None:
            return ABSENT
        words = rules.describe(line.element, terms_of(side.document))
        return Cell(words, line.element.quantity, line.priced.points if phrasing.priced else None)

    def row(formation: str, lines: Pair[Line]) -> ComparedRow:
        left, right = cell(lines.before, before), cell(lines.after, after)
        differs = left != right or any(True for _ in _line_changes(lines, phrasing))
        return ComparedRow("element", formation, _both_names(lines), left, right, differs)

    rows: list[ComparedRow] = []
    for part in parts:
        formation = _group_name(part.groups)
        rows += [row(formation, lines) for lines in part.lines]
        rows += _group_rows(formation, part.groups, phrasing)
    return (*rows, *_roster_rows(before, after, phrasing))


def _both_names(lines: Pair[Line]) -> str:
    """The element's name, with its former name if that differs."""
    old, new = [_named(line.element.name) if line else "" for line in lines]
    return f"{new} (was {old})" if old and new and old != new else new or old


def _group_name(groups: Pair[Group]) -> str:
    group = groups.after or groups.before
    return _named(group.formation.name) if group else ""


def _group_rows(formation: str, groups: Pair[Group], phrasing: Phrasing) -> Iterator[ComparedRow]:
    yield from _fact_rows(formation, *(group.priced.facts if group else {} for group in groups))
    if phrasing.priced:
        yield _row("total", formation, "Total", *(Cell(points=g.priced.points) if g else ABSENT for g in groups))


def _fact_rows(formation: str, old: Facts, new: Facts) -> Iterator[ComparedRow]:
    """Facts with a single value; tables are left to the sheets."""
    for name in dict.fromkeys([*new, *old]):
        cells = [Cell(str(facts[name])) if name in facts else ABSENT for facts in (old, new)]
        if not any(isinstance(facts.get(name), list | tuple | dict) for facts in (old, new)):
            yield _row("fact", formation, name.replace("_", " "), *cells)


def _row(kind: Kind, formation: str, name: str, left: Cell, right: Cell) -> ComparedRow:
    return ComparedRow(kind, formation, name, left, right, left != right)


def _roster_rows(before: Side, after: Side, phrasing: Phrasing) -> Iterator[ComparedRow]:
    sides = (before, after)
    yield from _fact_rows("", before.appraisal.facts, after.appraisal.facts)
    yield _row("total", "", "Scenario", *(Cell(_scenario(side, phrasing.rules)) for side in sides))
    yield _row("total", "", "House rules", *(Cell(_rules_in_force(side)) for side in sides))
    if phrasing.priced:
        yield _row("total", "", "Budget", *(Cell(_budget(side.document.budget)) for side in sides))
    yield _row("total", "", "Legal", *(Cell("yes" if side.appraisal.legal else "no") for side in sides))
    totals = [Cell("", s.appraisal.quantity, s.appraisal.points if phrasing.priced else None) for s in sides]
    yield _row("total", "", "Total", *totals)


def _rules_in_force(side: Side) -> str:
    return "; ".join(rule.text for rule in house_rules_in_force(side.document.options)) or "none"
