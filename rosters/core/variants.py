"""Variants of an element: one stat more or less, one ability removed. A fairness report fights with each of them.

Every ``systems/<x>/variants.py`` has the ``VARIED_FIELDS`` of its game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rosters.core.documents import Element
from rosters.core.values import MAX_INTEGER


class VariedFields(NamedTuple):
    """The fields of an element that are varied.

    ``steps``: numbers, and by how much; ``targets``: those that are better if lower; ``ranges``: the least and
    the highest that the rules allow, 0 and any unless it is listed; ``ordered``: the values of an option from worst to
    best; ``removed``: options, and lists of codes, that an element can do without.
    """

    steps: Mapping[str, int]
    targets: Sequence[str] = ()
    ranges: Mapping[str, tuple[int, int]] = {}
    ordered: Mapping[str, Sequence[str | None]] = {}
    removed: Sequence[str] = ()


class Change(NamedTuple):
    """A change of every element of a side that has the field: one step up or down, or a code removed."""

    field: str
    step: int = 0
    code: str | None = None

    def apply_to(self, element: Any, varied: VariedFields) -> Any:
        """The element with this change; the same object if it has nothing to change."""
        value = getattr(element, self.field)
        changed = self._stepped(value, varied) if self.step else self._removed(value, element)
        return element if changed == value else element.replace(**{self.field: changed})

    def _stepped(self, value: Any, varied: VariedFields) -> Any:
        if self.field in varied.steps:
            minimum, maximum = varied.ranges.get(self.field, (0, MAX_INTEGER))
            return value if value is None else min(max(value + self.step, min(value, minimum)), max(value, maximum))
        values = varied.ordered[self.field]
        place = values.index(value) + self.step if value in values else -1
        return values[place] if 0 <= place < len(values) else value

    def _removed(self, value: Any, element: Any) -> Any:
        if isinstance(value, dict):
            return {code: tier for code, tier in value.items() if code != self.code}
        if isinstance(value, tuple):
            return tuple(each for each in value if code_of(each) != self.code)
        return type(element).model_fields[self.field].default


def code_of(entry: Any) -> str | None:
    """The code of an entry in a list of abilities, which is the code itself or has one."""
    return entry if isinstance(entry, str) else entry.code


def changes_of(elements: Sequence[Element], varied: VariedFields) -> Iterator[Change]:
    """Each change that alters one of these elements, in the order of the fields."""
    for field, step in varied.steps.items():
        yield from _effective(elements, varied, Change(field, step), Change(field, -step))
    for field in varied.ordered:
        yield from _effective(elements, varied, Change(field, 1), Change(field, -1))
    for field in varied.removed:
        yield from _effective(elements, varied, *(Change(field, code=code) for code in _codes(elements, field)))


def _effective(elements: Sequence[Element], varied: VariedFields, *changes: Change) -> Iterator[Change]:
    return (each for each in changes if any(each.apply_to(element, varied) is not element for element in elements))


def _codes(elements: Sequence[Any], field: str) -> Sequence[str | None]:
    """The codes that a field has in these elements, each once; None for a field that is no list."""
    values = [getattr(element, field) for element in elements]
    if not all(isinstance(value, tuple | dict) for value in values):
        return [None]
    return [*dict.fromkeys(code for value in values for code in map(code_of, value) if code)]
