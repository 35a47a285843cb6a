"""The edits of the builder, each as a pure function from document to document.

An edit raises ElementNotFound if its formation or element is no longer there, LimitExceeded if the result
would break a limit of the format, and EditConflict if the edited value has been changed since it was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from operator import is_
from typing import Any, Protocol, TypeVar

from rosters.core.crests import crest_of
from rosters.core.documents import (
    AnyDocument,
    Element,
    Formation,
    InvalidDocument,
    check_limits_of_edit,
    new_id,
)
from rosters.core.findings import path_to
from rosters.core.values import FrozenModel

Edit = Callable[[AnyDocument], AnyDocument]
AnyFormation = Formation[Any]
ValueT = TypeVar("ValueT", bound=FrozenModel)


class Identified(Protocol):
    """A formation or an element."""

    @property
    def id(self) -> str | None: ...


ItemT = TypeVar("ItemT", bound=Identified)
MAX_NAME = 120


class ElementNotFound(LookupError):
    """The formation or element that an edit names is not in the roster (any more)."""


class EditConflict(Exception):
    """The edited value has been changed since it was read."""


class LimitExceeded(InvalidDocument):
    """The result would exceed limits of a document, which ``faults`` list."""


def compose_edits(several: Iterable[Edit]) -> Edit:
    """Several edits as one."""
    steps = [*several]
    return lambda document: reduce(lambda result, edit: edit(result), steps, document)


# ---------------------------------------------------------------- lookup


def find_formation(document: AnyDocument, uid: str) -> AnyFormation:
    """The formation with this id. Raises ElementNotFound."""
    for formation in document.formations:
        if formation.id == uid:
            return formation
    raise ElementNotFound(f"formation {uid}")


def find_element(document: AnyDocument, uid: str) -> tuple[AnyFormation, Element]:
    """The element with this id, and its formation. Raises ElementNotFound."""
    for formation in document.formations:
        for element in formation.elements:
            if element.id == uid:
                return formation, element
    raise ElementNotFound(f"element {uid}")


def _find(document: AnyDocument, uid: str | None) -> Element:
    """The element with this id. Raises ElementNotFound."""
    element: Element | None = document.elements_by_id.get(uid)
    if element is None:
        raise ElementNotFound(f"element {uid}")
    return element


def position_of(document: AnyDocument, element: Element) -> str:
    """The position of this very object, such as "formations/0/elements/1". Raises ElementNotFound."""
    for f, formation in enumerate(document.formations):
        for e, each in enumerate(formation.elements):
            if each is element:
                return path_to(f, e)
    raise ElementNotFound(f"element {element.id}")


# ---------------------------------------------------------------- concurrent edits


def if_unchanged(before: Any, find: Callable[[AnyDocument], Any], edit: Edit) -> Edit:
    """``edit``, provided that ``find`` still returns what it returned ``before``. Raises EditConflict otherwise."""

    def checked(document: AnyDocument) -> AnyDocument:
        if find(document) != before:
            raise EditConflict
        return edit(document)

    return checked


# ---------------------------------------------------------------- ids


def with_id(element: Element) -> Element:
    """The element, with a new id if it has none."""
    return element if element.id else element.replace(id=new_id())


def with_ids(document: AnyDocument) -> AnyDocument:
    """``document`` with an id for every formation and element that has none."""
    if None not in document.elements_by_id and all(formation.id for formation in document.formations):
        return document

    def with_ids_in(formation: AnyFormation) -> AnyFormation:
        new = _elements(formation, map(with_id, formation.elements))
        return new if new.id else new.replace(id=new_id())

    return _each_formation(document, with_ids_in)


def copy_element(element: Element) -> Element:
    """A copy with a new id and without damage."""
    return element.replace(id=new_id(), marks=())


def copy_formation(formation: AnyFormation) -> AnyFormation:
    """A copy of a formation and all its elements, with new ids."""
    return _elements(formation, map(copy_element, formation.elements)).replace(id=new_id())


def copy_roster(document: AnyDocument, name: str) -> AnyDocument:
    """A copy of a roster with another name and the same crest."""
    return _each_formation(document, copy_formation).replace(name=name, crest=crest_of(document), changed=None)


def numbered_name(name: str, taken: Collection[str]) -> str:
    """The name of a copy, with the next free number if it is taken: "Red Squadron (2)" beside "Red Squadron"."""
    if name not in taken:
        return name
    plain = re.sub(r" \(\d+\)$", "", name)
    numbered = (f"{plain[: MAX_NAME - len(end)].rstrip()}{end}" for end in (f" ({number})" for number in count(2)))
    return next(each for each in numbered if each not in taken)


def with_new_ids(document: AnyDocument) -> AnyDocument:
    """The same roster, damage included, with new ids: for imports."""

    def with_new_ids_in(formation: AnyFormation) -> AnyFormation:
        elements = (e.replace(id=new_id()) for e in formation.elements)
        return _elements(formation, elements).replace(id=new_id())

    return _each_formation(document, with_new_ids_in).replace(changed=None)


# ---------------------------------------------------------------- the roster


def settings(**fields: Any) -> Edit:
    """Replace root fields: name, budget, scenario, side, options, notes, crest."""
    return _within_limits(lambda document: document.replace(**fields))


def replace_with(other: AnyDocument) -> Edit:
    """Replace the document by ``other``, an incoming document to which limits apply."""
    return _within_limits(lambda document: other)


def restore(stored: AnyDocument) -> Edit:
    """Replace the document by a stored one, to which no limits apply."""
    return lambda document: stored


def preserve_secret_flags(edit: Edit, secret_in: Callable[[AnyDocument, AnyDocument], frozenset[str]]) -> Edit:
    """Wrap the edit of a user who may not change which elements are secret: each keeps its mark, restored ones too.
    ``secret_in`` returns the ids of the elements of the new document that are secret in the old one, or were when they
    were deleted.
    """

    def limited(document: AnyDocument) -> AnyDocument:
        after = edit(document)
        present, secret = {e.id for e in document.elements}, secret_in(document, after)

        def as_marked(element: Element) -> Element:
            mark = element.id in secret or (element.secret and element.id not in present)
            return element if element.secret == mark else element.replace(secret=mark)

        return _each_formation(after, lambda f: _elements(f, map(as_marked, f.elements)))

    return limited


# ---------------------------------------------------------------- formations


def add_formation(formation: AnyFormation) -> Edit:
    """Append a formation."""
    return _within_limits(lambda document: document.replace(formations=(*document.formations, formation)))


def update_formation(uid: str, **fields: Any) -> Edit:
    """Replace fields of a formation: name, notes."""

    def edit(document: AnyDocument) -> AnyDocument:
        find_formation(document, uid)
        return _each_formation(document, lambda f: f.replace(**fields) if f.id == uid else f)

    return _within_limits(edit)


def place_formation(uid: str, before: str = "") -> Edit:
    """Move a formation before another one, or to the end."""

    def edit(document: AnyDocument) -> AnyDocument:
        moved = find_formation(document, uid)
        formations = _inserted((f for f in document.formations if f is not moved), [moved], before)
        return document.replace(formations=formations)

    return edit


def delete_formation(uid: str) -> Edit:
    """Remove a formation with its elements."""

    def edit(document: AnyDocument) -> AnyDocument:
        deleted = find_formation(document, uid)
        return document.replace(formations=tuple(f for f in document.formations if f is not deleted))

    return edit


def duplicate_formation(uid: str) -> Edit:
    """Insert a copy of a formation after it."""

    def edit(document: AnyDocument) -> AnyDocument:
        original = find_formation(document, uid)
        return document.replace(formations=_after(document.formations, original, copy_formation(original)))

    return _within_limits(edit)


def split_formation(uid: str, groups: Sequence[Collection[str]]) -> Edit:
    """Move each group of a formation's elements, by their ids, into a new formation after it, named after the first."""

    def edit(document: AnyDocument) -> AnyDocument:
        original, moved = find_formation(document, uid), {uid for group in groups for uid in group}
        new = []
        for number, group in enumerate(groups, 2):
            elements = [element for element in original.elements if element.id in group]
            name = next((element.name for element in elements if element.name), f"{original.name[:110]} {number}")
            new.append(_elements(original, elements).replace(id=new_id(), name=name, notes=""))
        rest = _elements(original, (e for e in original.elements if e.id not in moved))
        place = _index(document.formations, original)
        formations = (*document.formations[:place], rest, *new, *document.formations[place + 1 :])
        return document.replace(formations=formations)

    return _within_limits(edit)


def shift_formation(uid: str, by: int) -> Edit:
    """Move a formation up (-1) or down (+1), at most to the end."""

    def edit(document: AnyDocument) -> AnyDocument:
        return document.replace(formations=_shifted(document.formations, find_formation(document, uid), by))

    return edit


# ---------------------------------------------------------------- elements


def add_elements(formation_uid: str, elements: Iterable[Element]) -> Edit:
    """Append elements to a formation."""

    def edit(document: AnyDocument) -> AnyDocument:
        target = find_formation(document, formation_uid)
        return _swap(document, target, _elements(target, (*target.elements, *elements)))

    return _within_limits(edit)


def replace_element(element: Element) -> Edit:
    """Replace the element that has the same id."""

    def edit(document: AnyDocument) -> AnyDocument:
        formation, old = find_element(document, str(element.id))
        return _swap(
            document,
            formation,
            _elements(formation, (element if e is old else e for e in formation.elements)),
        )

    return _within_limits(edit)


def replace_elements(elements: Sequence[Element], expected: Sequence[Element] = ()) -> Edit:
    """Replace the elements that have the same ids. Raises EditConflict if one is no longer as ``expected``."""
    new: dict[str | None, Element] = {element.id: element for element in elements}

    def edit(document: AnyDocument) -> AnyDocument:
        for element in elements:
            _find(document, element.id)
        if any(_find(document, before.id) != before for before in expected):
            raise EditConflict
        return _with_elements(document, new)

    return _within_limits(edit)


def delete_elements(uids: Iterable[str]) -> Edit:
    """Remove elements. Raises ElementNotFound for the first that is missing."""
    removed = set(uids)

    def edit(document: AnyDocument) -> AnyDocument:
        for uid in removed:
            _find(document, uid)
        return _each_formation(document, lambda f: _elements(f, (e for e in f.elements if e.id not in removed)))

    return edit


def duplicate_element(uid: str) -> Edit:
    """Insert a copy of an element after it."""

    def edit(document: AnyDocument) -> AnyDocument:
        formation, original = find_element(document, uid)
        copies = _after(formation.elements, original, copy_element(original))
        return _swap(document, formation, _elements(formation, copies))

    return _within_limits(edit)


@dataclass(frozen=True)
class Split:
    """The edit of `split_element`: the ids of the element and of the new one, to which the writer copies damage."""

    element: str
    new: str

    def __call__(self, document: AnyDocument) -> AnyDocument:
        return _within_limits(self._split)(document)

    def _split(self, document: AnyDocument) -> AnyDocument:
        formation, original = find_element(document, self.element)
        if original.quantity < 2:
            return document
        rest = original.quantity - 1
        one = original.replace(id=self.new, quantity=1, marks=original.marks[rest:])
        remaining = original.replace(quantity=rest, marks=original.marks[:rest])
        swapped = tuple(remaining if e is original else e for e in formation.elements)
        return _swap(document, formation, _elements(formation, _after(swapped, remaining, one)))


def split_element(uid: str) -> Edit:
    """Split the last model of an element off into a new element after it.

    Damage stays with its models. An element with a quantity below 2 is not changed.
    """
    return Split(uid, new_id())


def set_quantities(quantities: Mapping[str, int], expected: Mapping[str, int] | None = None) -> Edit:
    """Set the quantities of elements (0 to 10,000) by id; the damage of removed models is dropped.

    Raises EditConflict if a quantity is neither the ``expected`` one nor the new one.
    """

    def edit(document: AnyDocument) -> AnyDocument:
        new: dict[str | None, Element] = {}
        for uid, quantity in quantities.items():
            element = _find(document, uid)
            if expected and element.quantity not in (expected[uid], quantity):
                raise EditConflict
            if element.quantity != quantity:
                new[uid] = element.replace(quantity=quantity, marks=element.marks[:quantity])
        return _with_elements(document, new)

    return edit


def shift_element(uid: str, by: int) -> Edit:
    """Move an element up (-1) or down (+1) in its formation; past its end it moves to the next one."""

    def edit(document: AnyDocument) -> AnyDocument:
        formation, element = find_element(document, uid)
        moved = _shifted(formation.elements, element, by)
        if moved != formation.elements:
            return _swap(document, formation, _elements(formation, moved))
        place = document.formations.index(formation) + by
        if not 0 <= place < len(document.formations):
            return document
        target = document.formations[place]
        return _move(document, [element], target, str(target.elements[0].id) if by > 0 and target.elements else "")

    return edit


def move_elements(uids: Sequence[str], formation_uid: str, before: str = "") -> Edit:
    """Move elements into a formation, before one of its elements or to its end, in the order of the roster."""

    def edit(document: AnyDocument) -> AnyDocument:
        selected = {find_element(document, uid)[1].id for uid in uids}
        moving = [e for e in document.elements if e.id in selected]
        return _move(document, moving, find_formation(document, formation_uid), before)

    return edit


# ---------------------------------------------------------------- helpers


def _move(document: AnyDocument, moving: Sequence[Element], target: AnyFormation, before: str) -> AnyDocument:
    ids = {element.id for element in moving}

    def moved(formation: AnyFormation) -> AnyFormation:
        rest = (element for element in formation.elements if element.id not in ids)
        return _elements(formation, _inserted(rest, moving, before) if formation.id == target.id else rest)

    return _each_formation(document, moved)


def _inserted(items: Iterable[ItemT], new: Sequence[ItemT], before: str) -> tuple[ItemT, ...]:
    """``items`` with ``new`` before the one with the id ``before``, or at the end if there is none."""
    rest = [*items]
    place = next((index for index, item in enumerate(rest) if item.id == before), len(rest))
    return (*rest[:place], *new, *rest[place:])


def _each_formation(document: AnyDocument, edit: Callable[[AnyFormation], AnyFormation]) -> AnyDocument:
    return document.replace(formations=tuple(map(edit, document.formations)))


def _elements(formation: AnyFormation, elements: Iterable[Element]) -> AnyFormation:
    """The formation with these elements; itself if these are its own, because values are cached on it."""
    new = tuple(elements)
    same = len(new) == len(formation.elements) and all(map(is_, new, formation.elements))
    return formation if same else formation.replace(elements=new)


def _with_elements(document: AnyDocument, new: Mapping[str | None, Element]) -> AnyDocument:
    """The document with new elements in place of those with their ids."""
    return _each_formation(document, lambda f: _elements(f, (new.get(e.id, e) for e in f.elements)))


def _swap(document: AnyDocument, old: AnyFormation, new: AnyFormation) -> AnyDocument:
    return _each_formation(document, lambda formation: new if formation is old else formation)


def _after(items: Sequence[ItemT], place: ItemT, new: ItemT) -> tuple[ItemT, ...]:
    index = _index(items, place) + 1
    return (*items[:index], new, *items[index:])


def _shifted(items: Sequence[ItemT], item: ItemT, by: int) -> tuple[ItemT, ...]:
    index = _index(items, item)
    rest = [*items[:index], *items[index + 1 :]]
    place = min(max(index + by, 0), len(rest))
    return (*rest[:place], item, *rest[place:])


def _index(items: Sequence[ItemT], item: ItemT) -> int:
    """By identity: two formations may be equal."""
    return next(index for index, each in enumerate(items) if each is item)


def _within_limits(edit: Edit) -> Edit:
    """Wrap an edit that may add something. Raises LimitExceeded if its result exceeds a limit."""

    def limited(document: AnyDocument) -> AnyDocument:
        after = edit(document)
        if faults := [*check_limits_of_edit(after, document)]:
            raise LimitExceeded(faults)
        return after

    return limited
