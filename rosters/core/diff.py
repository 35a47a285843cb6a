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
from rosters.core.messages import _, join, join_names
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
    order = _("{formations} in another order").format(formations=rules.WORDS.formations)
    return (
        *(Change("", text) for text in _roster_changes(before, after, phrasing)),
        *(change for part in parts for change in _part_changes(part, phrasing)),
        *_order_change([part.groups for part in parts], Change("", order)),
        *(Change("", text) for text in _total_change(before, after, phrasing)),
    )


def _named(name: str) -> str:
    return name if name.strip() else _("(no name)")


def _from_to(before: Amount, after: Amount) -> str:
    """Two different amounts, exact if two decimals would make them look the same."""
    old, new = format_amount(before), format_amount(after)
    if old == new:
        old, new = format_exact(before), format_exact(after)
    return _to(old, new)


def _to(old: str, new: str) -> str:
    return _("{old} to {new}").format(old=old, new=new)


def _points_suffix(points: Amount | None, phrasing: Phrasing) -> str:
    """ "26 points", or nothing."""
    return "" if points is None or not phrasing.priced else phrasing.rules.WORDS.count_points(points)


# ---------------------------------------------------------------- the roster


def _roster_changes(before: Side, after: Side, phrasing: Phrasing) -> Iterator[str]:
    old, new = before.document, after.document
    if old.name != new.name:
        yield _("Name {old} to {new}").format(old=_named(old.name), new=_named(new.name))
    if phrasing.priced and old.budget != new.budget:
        yield _("Points limit {old} to {new}").format(old=_budget(old.budget), new=_budget(new.budget))
    if (old.scenario, old.side) != (new.scenario, new.side):
        scenarios = [_scenario(side, phrasing.rules) for side in (before, after)]
        yield _("Scenario {old} to {new}").format(old=scenarios[0], new=scenarios[1])
    yield from _house_rules(before, after)
    if old.notes != new.notes:
        yield _("Notes of the roster changed")
    if before.appraisal.edition != after.appraisal.edition:
        yield _("Rules {old} to {new}").format(old=before.appraisal.edition, new=after.appraisal.edition)


def _budget(budget: int | float | None) -> str:
    return _("none") if budget is None else format_exact(to_amount(budget))


def _scenario(side: Side, rules: Rulebook) -> str:
    """The names of the scenario and of the side in it."""
    scenario = rules.SCENARIOS.get(side.document.scenario or "")
    if scenario is None:
        return _("none")
    played = scenario.sides.get(side.document.side or "", "")
    return join([scenario.name, played]) if played else scenario.name


def _house_rules(before: Side, after: Side) -> Iterator[str]:
    old, new = before.document.options, after.document.options
    for rule, field in type(new).model_fields.items():
        was, now = getattr(old, rule), getattr(new, rule)
        if was != now:
            yield _("House rule {rule}: {old} to {new}").format(
                rule=field.title or rule, old=_option(old, rule, was), new=_option(new, rule, now)
            )


def _option(options: Any, rule: str, value: Any) -> str:
    return _("none") if value is None else option_label(type(options), rule, value)


def _total_change(before: Side, after: Side, phrasing: Phrasing) -> Iterator[str]:
    was, now = before.appraisal, after.appraisal
    turned = was.legal != now.legal
    if phrasing.priced and was.points is not None and now.points is not None and was.points != now.points:
        total = (
            _("Total {change} {points}")
            if not turned
            else (_("Total {change} {points}, now legal") if now.legal else _("Total {change} {points}, now not legal"))
        )
        yield total.format(change=_from_to(was.points, now.points), points=phrasing.rules.WORDS.points)
    elif turned:
        yield _("Now legal") if now.legal else _("Now not legal")


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
        yield from _order_change(
            stayed, Change(where, _("{name} in another order").format(name=_named(new.formation.name)))
        )


def _order_change(pairs: Sequence[Pair[Any]], change: Change) -> Iterator[Change]:
    """``change``, if the items on both sides are in another order."""
    places = [pair.before.number for pair in pairs if pair.before is not None and pair.after is not None]
    if any(one > other for one, other in pairwise(places)):
        yield change


def _group_changes(old: Group | None, new: Group | None, phrasing: Phrasing) -> Iterator[str]:
    word = phrasing.rules.WORDS.nouns.formation
    if old is None and new is not None:
        yield _("Added: {noun} {name}").format(noun=word, name=_named(new.formation.name))
    elif new is None and old is not None:
        yield _("Removed: {noun} {name}").format(noun=word, name=_named(old.formation.name))
    elif old is not None and new is not None:
        if old.formation.name != new.formation.name:
            yield _("Renamed {noun} {old} to {new}").format(
                noun=word, old=_named(old.formation.name), new=_named(new.formation.name)
            )
        if old.formation.notes != new.formation.notes:
            yield _("Notes of {noun} {name} changed").format(noun=word, name=_named(new.formation.name))


def _line_changes(lines: Pair[Line], phrasing: Phrasing) -> Iterator[str]:
    old, new = lines
    if new is not None and old is not None:
        yield from _single_element_changes(old, new, phrasing)
    elif new is not None:
        yield _("Added: {element}").format(element=_counted(new, phrasing))
    elif old is not None:
        yield _("Removed: {element}").format(element=_counted(old, phrasing))


def _counted(line: Line, phrasing: Phrasing) -> str:
    """ "3 Thanes, 26 points"."""
    name, quantity = _named(line.element.name), line.element.quantity
    counted = name if quantity == 1 else join([str(quantity), name], " ")
    points = _points_suffix(line.priced.points, phrasing)
    return join([counted, points]) if points else counted


def _single_element_changes(old: Line, new: Line, phrasing: Phrasing) -> Iterator[str]:
    """The sentences about an element on both sides. A change of points is appended to the last of them."""
    was, now = old.element, new.element
    name = _named(now.name)
    if was.name != now.name:
        yield _("Renamed {old} to {new}").format(old=_named(was.name), new=name)
    if old.home != new.home:
        yield _("Moved {name} to {formation}").format(name=name, formation=_named(new.group.formation.name))
    sentences = [*_profile_change(name, was, now, phrasing.names), *_quantity_change(name, was, now)]
    points = _points_change(old.priced.points, new.priced.points, phrasing)
    if points and sentences:
        text = sentences[-1].removeprefix(name)
        sentences[-1] = join([sentences[-1], points], "; " if ": " in text or "; " in text else ": ")
    elif points:
        sentences = [join([name, points], ": ")]
    yield from sentences
    yield from _private_changes(name, was, now)


def _quantity_change(name: str, was: Element, now: Element) -> Iterator[str]:
    if was.quantity != now.quantity:
        change = format_change(now.quantity - was.quantity).replace("-", "\N{MINUS SIGN}")
        yield _("{change} {name}, now {quantity}").format(change=change, name=name, quantity=now.quantity)


def _points_change(was: Amount | None, now: Amount | None, phrasing: Phrasing) -> str:
    if not phrasing.priced or was is None or now is None or was == now:
        return ""
    return join([_from_to(was, now), phrasing.rules.WORDS.points], " ")


def _private_changes(name: str, was: Element, now: Element) -> Iterator[str]:
    if was.notes != now.notes:
        yield _("Notes of {name} changed").format(name=name)
    if was.secret != now.secret:
        yield (_("{name} is now secret") if now.secret else _("{name} is no longer secret")).format(name=name)
    if was.marks != now.marks:
        yield _("Damage of {name} changed").format(name=name)


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
    gained = _listed([item for turn in turns for item in turn.gained])
    lost = _listed([item for turn in turns for item in turn.lost])
    values = [value for turn in turns for value in turn.values]
    if gained or lost:
        sentence = (
            _("{name} gained {gained} and lost {lost}")
            if gained and lost
            else (_("{name} gained {gained}") if gained else _("{name} lost {lost}"))
        )
        sentence = sentence.format(name=name, gained=gained, lost=lost)
        yield join([sentence, join(values)], "; ") if values else sentence
    elif values:
        yield join([name, join(values)], ": ")


def _whole_profile(element: Element) -> dict[str, Any]:
    """Every field of the profile as JSON data; what lies within lists only where it is not default."""
    whole: dict[str, Any] = element.model_dump(mode="json", exclude=set(Element.model_fields))
    return {**whole, **profile_of(element)}


def _listed(things: Sequence[str]) -> str:
    """Things in a sentence, equal ones counted, at most so many named."""
    counted = [thing if times == 1 else join([thing, f"×{times}"], " ") for thing, times in Counter(things).items()]
    more = len(counted) - MAX_NAMED
    return join_names([*counted[:MAX_NAMED], _("{n} more").format(n=more)] if more > 0 else counted)


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
    return FieldDiff(values=[_changed_to(label, join([label, _word(old, names)], " "), _word(new, names))])


def _changed_to(what: str, old: str, new: str) -> str:
    """ "movement 10 to 12", or "protection changed" if the texts are too long or look the same."""
    alike = old in (new, f"{what} {new}")
    return _("{what} changed").format(what=what) if alike or max(len(old), len(new)) > LONGEST_QUOTE else _to(old, new)


def _word(value: Any, names: Names) -> str:
    if value is None or value == "":
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return names.get(value, value) if isinstance(value, str) else str(value)


def _list_diff(label: str, old: list[Any], new: list[Any], names: Names) -> FieldDiff:
    """Items added and removed; two with the same head (a capability in another variant) are one changed item."""
    lost, gained = _surplus(old, new), _surplus(new, old)
    if not lost and not gained:
        return FieldDiff(values=[_("{name} in another order").format(name=label)])
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
        return _word(item, names) if item in names else _with_details(_word(item, names), [label])
    head, name = _head(item)
    details = [_detail(key.replace("_", " "), value, names) for key, value in item.items() if key != head]
    return _with_details(_word(name, names), details) if details else _word(name, names)


def _with_details(item: str, details: Sequence[str]) -> str:
    return _("{item} ({details})").format(item=item, details=join(details))


def _detail(label: str, value: Any, names: Names) -> str:
    return label if value is True else join([label, _word(value, names)], " ")


def _map_diff(old: Mapping[str, Any], new: Mapping[str, Any], names: Names) -> FieldDiff:
    """Keys added, removed, and those with another value."""

    def each(key: str, value: Any) -> str:
        return names.get(f"{key}-{value}") or join([names.get(key, key), _word(value, names)], " ")

    return FieldDiff(
        [each(key, value) for key, value in new.items() if key not in old],
        [each(key, value) for key, value in old.items() if key not in new],
        [_to(each(key, old[key]), each(key, new[key])) for key in old if key in new and old[key] != new[key]],
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
        differs = left != right or any(True for _change in _line_changes(lines, phrasing))
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
    renamed = bool(old and new and old != new)
    return _("{new} (was {old})").format(new=new, old=old) if renamed else new or old


def _group_name(groups: Pair[Group]) -> str:
    group = groups.after or groups.before
    return _named(group.formation.name) if group else ""


def _group_rows(formation: str, groups: Pair[Group], phrasing: Phrasing) -> Iterator[ComparedRow]:
    yield from _fact_rows(formation, phrasing.rules, *(group.priced.facts if group else {} for group in groups))
    if phrasing.priced:
        yield _row("total", formation, _("Total"), *(Cell(points=g.priced.points) if g else ABSENT for g in groups))


def _fact_rows(formation: str, rules: Rulebook, old: Facts, new: Facts) -> Iterator[ComparedRow]:
    """Facts with a single value; tables are left to the sheets."""
    for name in dict.fromkeys([*new, *old]):
        cells = [Cell(str(facts[name])) if name in facts else ABSENT for facts in (old, new)]
        if not any(isinstance(facts.get(name), list | tuple | dict) for facts in (old, new)):
            yield _row("fact", formation, rules.FACTS[name].label if name in rules.FACTS else name, *cells)


def _row(kind: Kind, formation: str, name: str, left: Cell, right: Cell) -> ComparedRow:
    return ComparedRow(kind, formation, name, left, right, left != right)


def _roster_rows(before: Side, after: Side, phrasing: Phrasing) -> Iterator[ComparedRow]:
    sides = (before, after)
    yield from _fact_rows("", phrasing.rules, before.appraisal.facts, after.appraisal.facts)
    yield _row("total", "", _("Scenario"), *(Cell(_scenario(side, phrasing.rules)) for side in sides))
    yield _row("total", "", _("House rules"), *(Cell(_rules_in_force(side)) for side in sides))
    if phrasing.priced:
        yield _row("total", "", _("Points limit"), *(Cell(_budget(side.document.budget)) for side in sides))
    yield _row("total", "", _("Legal"), *(Cell(_("yes") if side.appraisal.legal else _("no")) for side in sides))
    totals = [Cell("", s.appraisal.quantity, s.appraisal.points if phrasing.priced else None) for s in sides]
    yield _row("total", "", _("Total"), *totals)


def _rules_in_force(side: Side) -> str:
    return join((rule.text for rule in house_rules_in_force(side.document.options)), "; ") or _("none")
