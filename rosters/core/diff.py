"""The differences between two rosters of one game: as sentences, and as rows side by side.

Profiles are compared as data, so that nothing here depends on a game. Points are read from the appraisals;
if either side has none, they are left out.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeVar

from rosters.core.amounts import Amount, format_amount, format_change, format_exact, to_amount, with_minus_sign
from rosters.core.appraisals import (
    AppraisedElement,
    Facts,
    PricedElement,
    PricedFormation,
    RosterState,
    Rulebook,
    edition_label,
    house_rules_in_force,
    option_label,
    terms_of,
)
from rosters.core.documents import Element, Formation, dumps, profile_of
from rosters.core.findings import path_to
from rosters.core.messages import Message, _, join, join_names

MAX_NAMED = 12
"""The most items that a sentence lists as added or removed; it counts the others."""
MAX_QUOTE = 60
"""The most characters of a text that a sentence quotes."""

T = TypeVar("T")
Kind = Literal["element", "fact", "total"]
Pair = tuple[T | None, T | None]
"""The same item before and after. None before: it was added. None after: it was removed."""


class Change(NamedTuple):
    """One change: its position in the later document ("" is the roster, or a removed part), and a sentence."""

    where: str
    text: str


class DiffCell(NamedTuple):
    """One side of a row: description, models and points. None: not applicable."""

    description: str = ""
    quantity: int | None = None
    points: Amount | None = None


ABSENT = DiffCell()
"""The side that lacks the element."""


class ComparedRow(NamedTuple):
    """A row of a comparison: a named element, fact or total, of a formation or of the roster ("").

    Its cells are a function, because a page shows few rows of many, and describing an element takes longest.
    """

    kind: Kind
    formation: str
    element: str
    differs: bool
    cells: Callable[[], tuple[DiffCell, DiffCell]]


def changes(before: RosterState, after: RosterState, rules: Rulebook) -> tuple[Change, ...]:
    """Every change from ``before`` to ``after``: of the roster, then by formation, then the total.

    Both belong to the system of ``rules``. Formations and elements match by id, else by name (elements within the
    same formation). The time of the last change is ignored.
    """
    return tuple(Comparison(before, after, rules).changes())


# ---------------------------------------------------------------- matching


class PlacedFormation(NamedTuple):
    """A formation with its index and price."""

    number: int
    formation: Formation[Any]
    priced: PricedFormation

    @property
    def where(self) -> str:
        return path_to(self.number)


class PlacedElement(NamedTuple):
    """An element with its index and price; ``former_formation`` is the earlier index of its formation, None if new."""

    group: PlacedFormation
    number: int
    former_formation: int | None
    element: Element
    priced: PricedElement
    appraised: AppraisedElement | None = None
    """None where the roster's elements are not appraised one by one: describing them takes longest."""

    @property
    def where(self) -> str:
        return path_to(self.group.number, self.number)


class FormationDiff(NamedTuple):
    """A formation before and after, and the elements that are or were in it; a moved one is listed at its new place."""

    before: PlacedFormation | None
    after: PlacedFormation | None
    elements: list[Pair[PlacedElement]]


def _match_sides(before: RosterState, after: RosterState) -> list[FormationDiff]:
    """Match the formations and elements of both sides; in the later order, then the removed ones."""
    groups = _match(_groups(before), _groups(after), lambda g: g.formation.id, lambda g: g.formation.name)
    parts = [FormationDiff(old, new, []) for old, new in groups]
    then = {part.before.number: part for part in parts if part.before}
    now = {part.after.number: part for part in parts if part.after}
    former_formations = {part.after.number: part.before.number for part in parts if part.before and part.after}
    pairs = _match(
        _placed_elements(before, {number: number for number in then}),
        _placed_elements(after, former_formations),
        lambda placed: placed.element.id,
        lambda placed: None if placed.former_formation is None else (placed.former_formation, placed.element.name),
    )
    for old, new in pairs:
        if new:
            now[new.group.number].elements.append((old, new))
        elif old:
            then[old.group.number].elements.append((old, new))
    return parts


def _groups(side: RosterState) -> list[PlacedFormation]:
    pairs = zip(side.document.formations, side.appraisal.formations, strict=True)
    return [PlacedFormation(index, formation, priced) for index, (formation, priced) in enumerate(pairs)]


def _placed_elements(side: RosterState, former_formations: Mapping[int, int]) -> list[PlacedElement]:
    return [
        PlacedElement(group, index, former_formations.get(group.number), element, priced, appraised)
        for group in _groups(side)
        for index, (element, priced, appraised) in enumerate(
            zip(
                group.formation.elements,
                group.priced.elements,
                side.appraised[group.number].elements if side.appraised else [None] * len(group.formation.elements),
                strict=True,
            )
        )
    ]


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
    pairs: list[Pair[T]] = [(before[partners[i]] if i in partners else None, item) for i, item in enumerate(after)]
    taken = set(partners.values())
    return [*pairs, *((item, None) for i, item in enumerate(before) if i not in taken)]


def _reordered(pairs: Iterable[Pair[PlacedFormation] | Pair[PlacedElement]]) -> bool:
    """Whether the items on both sides are in another order."""
    return any(one > other for one, other in pairwise(old.number for old, new in pairs if old and new))


# ---------------------------------------------------------------- the comparison


def _named(name: str) -> str:
    return name if name.strip() else _("(no name)")


def _amounts(before: Amount, after: Amount) -> dict[str, str]:
    """Two different amounts as ``old`` and ``new``, exact if they are equal to two decimals."""
    write = format_exact if format_amount(before) == format_amount(after) else format_amount
    return {"old": with_minus_sign(write(before)), "new": with_minus_sign(write(after))}


class Comparison:
    """Two rosters of one game, matched. Points are compared only if both sides have them."""

    def __init__(self, before: RosterState, after: RosterState, rules: Rulebook) -> None:
        self.before, self.after, self.rules = before, after, rules
        self.parts = _match_sides(before, after)
        self.priced = before.appraisal.points is not None and after.appraisal.points is not None
        self.same_terms = terms_of(before.document) == terms_of(after.document)
        self.names = {entry.code: entry.name for entry in rules.glossary()}

    @property
    def is_related(self) -> bool:
        """Whether most elements are on both sides, as in a copy that was changed."""
        pairs = [pair for part in self.parts for pair in part.elements]
        return 2 * sum(old is not None and new is not None for old, new in pairs) > len(pairs)

    # sentences

    def changes(self) -> Iterator[Change]:
        """All differences as sentences: of the roster, its formations, their order, and the totals."""
        yield from (Change("", text) for text in self._roster_changes())
        for part in self.parts:
            yield from self._formation_changes(part)
        if _reordered(part[:2] for part in self.parts):
            yield Change("", _("{formations} in another order").format(formations=self.rules.WORDS.formations))
        yield from (Change("", text) for text in self._total_changes())

    def _roster_changes(self) -> Iterator[str]:
        """The differences of the rosters themselves: a line for each field of the document that pages show."""
        old, new = self.before.document, self.after.document
        if old.name != new.name:
            yield _("Name {old} to {new}").format(old=_named(old.name), new=_named(new.name))
        if self.priced and old.budget != new.budget:
            yield _("Points limit {old} to {new}").format(old=_limit(self.before), new=_limit(self.after))
        if (old.scenario, old.side) != (new.scenario, new.side):
            was, now = map(self._scenario, (self.before, self.after))
            yield _("Scenario {old} to {new}").format(old=was, new=now)
        for rule, field in type(new.options).model_fields.items():
            was, now = (option_label(type(new.options), rule, getattr(each.options, rule)) for each in (old, new))
            if getattr(old.options, rule) != getattr(new.options, rule):
                yield _("House rule {rule}: {old} to {new}").format(rule=field.title or rule, old=was, new=now)
        if old.notes != new.notes:
            yield _("Notes of the roster changed")
        if old.crest != new.crest:
            yield _("Crest changed")
        if self.before.appraisal.edition != self.after.appraisal.edition:
            was, now = (edition_label(each.appraisal.edition) for each in (self.before, self.after))
            yield _("Rules {old} to {new}").format(old=was, new=now)

    def _scenario(self, side: RosterState) -> str:
        """The names of the scenario and of the side in it."""
        scenario = self.rules.SCENARIOS.get(side.document.scenario or "")
        if scenario is None:
            return _("none")
        played = scenario.sides.get(side.document.side or "")
        return join([scenario.name, played]) if played else scenario.name

    def _total_changes(self) -> Iterator[str]:
        was, now = self.before.appraisal, self.after.appraisal
        if was.points is not None and now.points is not None and was.points != now.points:
            points = self.rules.WORDS.points
            yield _("Total {old} to {new} {points}").format(**_amounts(was.points, now.points), points=points)
        if was.legal != now.legal:
            yield _("Now legal") if now.legal else _("Now not legal")

    def _formation_changes(self, part: FormationDiff) -> Iterator[Change]:
        """The changes of a formation, then of each of its elements, then of their order."""
        where = part.after.where if part.after else ""
        yield from (Change(where, text) for text in self._own_changes(part.before, part.after))
        for before, after in part.elements:
            place = after.where if after else ""
            yield from (Change(place, text) for text in self._element_changes(before, after))
        pairs = [
            (old, new) for old, new in part.elements if old and new and old.former_formation == new.former_formation
        ]
        if part.before and part.after and _reordered(pairs):
            yield Change(where, _("{name} in another order").format(name=_named(part.after.formation.name)))

    def _own_changes(self, old: PlacedFormation | None, new: PlacedFormation | None) -> Iterator[str]:
        """The sentences about a formation itself."""
        noun = self.rules.WORDS.nouns.formation
        if old and new:
            was, now, name = old.formation, new.formation, _named(new.formation.name)
            if was.name != now.name:
                yield _("Renamed {noun} {old} to {new}").format(noun=noun, old=_named(was.name), new=name)
            if was.notes != now.notes:
                yield _("Notes of {noun} {name} changed").format(noun=noun, name=name)
        elif group := new or old:
            text = _("Added: {noun} {name}") if new else _("Removed: {noun} {name}")
            yield text.format(noun=noun, name=_named(group.formation.name))

    def _element_changes(self, old: PlacedElement | None, new: PlacedElement | None) -> Iterator[str]:
        if old and new:
            yield from self._changes_of_one(old, new)
        elif only := new or old:
            name, quantity = _named(only.element.name), only.element.quantity
            element = name if quantity == 1 else join([str(quantity), name], " ")
            if self.priced and only.priced.points is not None:
                element = join([element, self.rules.WORDS.count_points(only.priced.points)])
            yield (_("Added: {element}") if new else _("Removed: {element}")).format(element=element)

    def _changes_of_one(self, old: PlacedElement, new: PlacedElement) -> Iterator[str]:
        """The sentences about an element on both sides."""
        if self._is_unchanged(old, new):
            return
        was, now, name = old.element, new.element, _named(new.element.name)
        if was.name != now.name:
            yield _("Renamed {old} to {new}").format(old=_named(was.name), new=name)
        if old.former_formation != new.former_formation:
            yield _("Moved {name} to {formation}").format(name=name, formation=_named(new.group.formation.name))
        yield from self._priced_changes(old, new)
        if was.notes != now.notes:
            yield _("Notes of {name} changed").format(name=name)
        if was.secret != now.secret:
            yield (_("{name} is now secret") if now.secret else _("{name} is no longer secret")).format(name=name)

    def _priced_changes(self, old: PlacedElement, new: PlacedElement) -> list[str]:
        """The sentences about profile and quantity; a change of points is appended to the last of them."""
        was, now, name = old.element, new.element, _named(new.element.name)
        sentences = [*self._profile_change(name, was, now)]
        if was.quantity != now.quantity:
            change = with_minus_sign(format_change(now.quantity - was.quantity))
            text = _("{change} {name}, now {quantity}")
            sentences.append(text.format(change=change, name=name, quantity=now.quantity))
        before, after = old.priced.points, new.priced.points
        if not self.priced or before is None or after is None or before == after:
            return sentences
        points = _("{old} to {new} {points}").format(**_amounts(before, after), points=self.rules.WORDS.points)
        if not sentences:
            return [_("{name}: {changes}").format(name=name, changes=points)]
        return [*sentences[:-1], join([sentences[-1], points], "; ")]

    def _profile_change(self, name: str, was: Element, now: Element) -> Iterator[str]:
        """One sentence on all that changed about a profile: "Thane gained Tough and lost Stealth; Armor 1 to 2"."""
        if profile_of(was) == profile_of(now):
            return
        fields = FieldDiffs(self.rules.LABELS, self.names)
        old, new = ({**e.model_dump(mode="json", exclude={*Element.model_fields}), **profile_of(e)} for e in (was, now))
        for key in new:
            fields.compare(key, old[key], new[key])
        gained, lost, values = _listed(fields.gained), _listed(fields.lost), join(fields.values)
        if gained or lost:
            both = _("{name} gained {gained} and lost {lost}")
            text = both if gained and lost else _("{name} gained {gained}") if gained else _("{name} lost {lost}")
            yield join([text.format(name=name, gained=gained, lost=lost), *([values] if values else [])], "; ")
        elif values:
            yield _("{name}: {changes}").format(name=name, changes=values)

    # side by side

    def rows(self) -> Iterator[ComparedRow]:
        """Both row by row: elements, facts and total of each formation, then the roster's facts and totals."""
        for old, new, elements in self.parts:
            group = new or old
            formation = _named(group.formation.name) if group else ""
            yield from (self._element_row(formation, *pair) for pair in elements)
            yield from self._fact_rows(formation, *(each.priced.facts if each else {} for each in (old, new)))
            if self.priced:
                totals = (DiffCell(points=each.priced.points) if each else ABSENT for each in (old, new))
                yield _row("total", formation, _("Total"), *totals)
        before, after = self.before.appraisal, self.after.appraisal
        yield from self._fact_rows("", before.facts, after.facts)
        yield self._total_row(_("Scenario"), self._scenario)
        yield self._total_row(_("House rules"), _rules_in_force)
        if self.priced:
            yield self._total_row(_("Points limit"), _limit)
        yield self._total_row(_("Rules check"), lambda side: side.appraisal.state)
        totals = (DiffCell("", each.quantity, each.points if self.priced else None) for each in (before, after))
        yield _row("total", "", _("Total"), *totals)

    def _element_row(self, formation: str, old: PlacedElement | None, new: PlacedElement | None) -> ComparedRow:
        """The row of an element, with its former name if that differs."""
        same = bool(old and new and self.same_terms and self._is_unchanged(old, new))

        def cells() -> tuple[DiffCell, DiffCell]:
            left = self._cell(old, self.before) if old else ABSENT
            return left, left if same else self._cell(new, self.after) if new else ABSENT

        was, name = (_named(each.element.name) if each else "" for each in (old, new))
        if was and name and was != name:
            name = _("{new} (was {old})").format(new=name, old=was)
        differs = not same and (operator.ne(*cells()) or any(True for _change in self._element_changes(old, new)))
        return ComparedRow("element", formation, name or was, differs, cells)

    def _is_unchanged(self, old: PlacedElement, new: PlacedElement) -> bool:
        """Whether an element, its formation and its points are the same on both sides; its description may differ."""
        was, now = old.element, new.element
        points = not self.priced or old.priced.points == new.priced.points
        same = was is now or (was.id == now.id and was == now)  # the ids first: comparing profiles takes longest
        return points and old.former_formation == new.former_formation and same

    def _cell(self, placed: PlacedElement, side: RosterState) -> DiffCell:
        element, appraised = placed.element, placed.appraised
        text = appraised.description if appraised else self.rules.describe(element, terms_of(side.document))
        return DiffCell(text, element.quantity, placed.priced.points if self.priced else None)

    def _fact_rows(self, formation: str, old: Facts, new: Facts) -> Iterator[ComparedRow]:
        """Facts with a single value; tables are left to the sheets."""
        for name in dict.fromkeys([*new, *old]):
            values = [facts.get(name, "") for facts in (old, new)]
            if not any(isinstance(value, list | tuple | dict) for value in values):
                label = self.rules.FACTS[name].label if name in self.rules.FACTS else name
                cells = (DiffCell(value if isinstance(value, str) else str(value)) for value in values)
                yield _row("fact", formation, label, *cells)

    def _total_row(self, name: str, describe: Callable[[RosterState], str]) -> ComparedRow:
        return _row("total", "", name, DiffCell(describe(self.before)), DiffCell(describe(self.after)))


def _row(kind: Kind, formation: str, name: str, left: DiffCell, right: DiffCell) -> ComparedRow:
    return ComparedRow(kind, formation, name, left != right, lambda: (left, right))


def _limit(side: RosterState) -> str:
    return _("none") if side.document.budget is None else format_amount(to_amount(side.document.budget))


def _rules_in_force(side: RosterState) -> str:
    return join((rule.text for rule in house_rules_in_force(side.document.options)), "; ") or _("none")


# ---------------------------------------------------------------- profiles


class FieldDiffs:
    """The differences of two profiles in words: items gained and lost, and changed values."""

    def __init__(self, labels: Mapping[str, str], names: Mapping[str, str]) -> None:
        self.labels, self.names = labels, names
        self.gained: list[str] = []
        self.lost: list[str] = []
        self.values: list[str] = []

    def compare(self, key: str, old: Any, new: Any) -> None:
        """Add the differences of one field."""
        if old == new:
            return
        if isinstance(new, bool):
            (self.gained if new else self.lost).append(self.labels[key])
        elif isinstance(new, list):
            self._compare_lists(key, old, new)
        elif isinstance(new, dict):
            self._compare_maps(key, old, new)
        else:
            texts = self._value_text(key, old), self._value_text(key, new)
            self._add_value(_("{what} {old} to {new}"), self.labels[key], *texts)

    def _compare_lists(self, key: str, old: list[Any], new: list[Any]) -> None:
        """Items added and removed; two with the same head (a capability in another variant) are one changed item."""
        lost, gained = _surplus(old, new), _surplus(new, old)
        if not lost and not gained:
            self.values.append(_("{name} in another order").format(name=self.labels[key]))
        for before, after in _match(lost, gained, lambda item: _head(item) if isinstance(item, dict) else None):
            if before is None:
                self.gained.append(self._item(key, after))
            elif after is None:
                self.lost.append(self._item(key, before))
            else:
                what = self._value_text(*_head(after))
                self._add_value(_("{old} to {new}"), what, self._item(key, before), self._item(key, after))

    def _compare_maps(self, key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Codes added, removed, and those with another value."""
        before, after = (
            {
                code: self._with_details(self._value_text(key, code), [self._value_text(key, value)])
                for code, value in each.items()
            }
            for each in (old, new)
        )
        self.gained += [text for code, text in after.items() if code not in old]
        self.lost += [text for code, text in before.items() if code not in new]
        both = [code for code in old if code in new and old[code] != new[code]]
        self.values += [_("{old} to {new}").format(old=before[code], new=after[code]) for code in both]

    def _add_value(self, template: Message, what: str, old: str, new: str) -> None:
        """Add a change of a value, without the values if they are too long or look the same."""
        if old == new or max(len(old), len(new)) > MAX_QUOTE:
            template = _("{what} changed")
        self.values.append(template.format(what=what, old=old, new=new))

    def _value_text(self, key: str, value: Any) -> str:
        if value is None or value == "":
            return _("none")
        return self._name(key, value) or str(value)

    def _name(self, key: str, value: Any) -> str | None:
        return self.labels.get(f"{key}-{value}") or self.names.get(value)

    def _item(self, key: str, item: Any) -> str:
        """An item with its details, "Transport (Number 4)"; a code without a name adds the label of its list."""
        if not isinstance(item, dict):
            return self._name(key, item) or self._with_details(self._value_text(key, item), [self.labels[key]])
        head, name = _head(item)
        details = [
            self.labels[k] if value is True else join([self.labels[k], self._value_text(k, value)], " ")
            for k, value in item.items()
            if k != head
        ]
        return self._with_details(self._value_text(head, name), details)

    def _with_details(self, item: str, details: Sequence[str]) -> str:
        return _("{item} ({details})").format(item=item, details=join(details)) if details else item


def _head(item: Mapping[str, Any]) -> tuple[str, str]:
    """The key and value that identify an item of a list: its first text (code, type or name)."""
    return next(((key, value) for key, value in item.items() if isinstance(value, str)), ("", ""))


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


def _listed(texts: Sequence[str]) -> str:
    """A list for a sentence: equal names are counted, and at most MAX_NAMED are listed."""
    counted = [text if times == 1 else join([text, f"×{times}"], " ") for text, times in Counter(texts).items()]
    more = len(counted) - MAX_NAMED
    return join_names([*counted[:MAX_NAMED], _("{n} more").format(n=more)] if more > 0 else counted)
