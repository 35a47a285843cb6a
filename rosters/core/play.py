"""Play: damage tracks, alerts and reference panels, as every rulebook declares them.

PURE. A system's ``play.py`` declares the tracks of an element; sheets print them and the play page toggles them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import Appraisal
from rosters.core.documents import AnyDocument, Element, write_element
from rosters.core.messages import Message, _, join_names
from rosters.core.rulebook import Terms, count_points
from rosters.core.values import Mark

MAX_BOXES = 60
"""The most boxes of a track; its label shows the full number."""

Kind = Literal["count", "names", "flag"]
ElementT = TypeVar("ElementT", bound=Element)


class Track(NamedTuple):
    """A row of damage boxes of one model.

    ``label`` is a Message; ``key`` is the key of the mark that stores the damage. A ``count`` stores how many are
    marked, from the first; ``names`` stores the labels of the marked ones; a ``flag`` has one box. ``boxes`` has a
    label for each box, "" for a plain one. At ``breaks_at`` marked boxes the model routs or is destroyed; None: nothing
    happens.
    """

    key: str
    label: str
    boxes: tuple[str, ...]
    kind: Kind
    breaks_at: int | None = None

    @property
    def bar(self) -> int | None:
        """The number of boxes before the bar; None if it would be after the last box, where it adds nothing."""
        return self.breaks_at if self.breaks_at != len(self.boxes) else None


class Alert(NamedTuple):
    """A consequence of damage to announce: its position ("" is the roster) and a Message."""

    where: str
    text: str


class Panel(NamedTuple):
    """A table of the reference panel: a title, rows of cells under ``heads`` (none: plain pairs), and a remark.

    All are Messages, but for names that users gave and bare numbers.
    """

    title: str
    rows: tuple[tuple[str, ...], ...] = ()
    heads: tuple[str, ...] = ()
    text: str = ""


class AppraisedRoster(NamedTuple):
    """A document and its appraisal: a roster in a battle, or one of two versions that are compared."""

    document: AnyDocument
    appraisal: Appraisal


class Match(NamedTuple):
    """Whether the rosters are balanced as their rulebook defines it; None if that is not known.

    ``sentences`` compare them. ``missing`` lists for each side what it lacks or may still add, in points or figures,
    and each side without a player. All are Messages.
    """

    matched: bool | None
    sentences: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Play(Protocol):
    """What every ``systems/<x>/play.py`` offers. Each function is pure and raises nothing."""

    def tracks(self, element: Any, terms: Terms[Any]) -> Sequence[Track]: ...
    def alerts(self, document: Any, terms: Terms[Any]) -> Iterable[Alert]: ...
    def panels(self, document: Any, terms: Terms[Any]) -> Iterable[Panel]: ...
    def match(self, sides: Sequence[AppraisedRoster]) -> Match: ...
    def briefing(self, sides: Sequence[AppraisedRoster]) -> Iterable[Panel]: ...


def all_agree(parts: Iterable[bool | None]) -> bool | None:
    """False if any part is False, else None if any is None, else True."""
    values = [*parts]
    return False if False in values else None if None in values else True


def missing_points(
    rows: Sequence[tuple[str, Amount]], allowed: int, count: Callable[[Any], Message] = count_points
) -> Iterator[Message]:
    """A sentence for each roster that is more than ``allowed`` below the highest: the gap, and what would match.

    ``count`` writes an amount with its unit.
    """
    highest = max((amount for _, amount in rows), default=0)
    for name, amount in rows:
        gap = highest - amount
        if gap > allowed > 0:
            more = format_amount(gap - allowed)
            yield _("{name} lacks {gap}; {more} more would match.").format(name=name, gap=count(gap), more=more)
        elif gap > allowed:
            yield _("{name} lacks {gap}.").format(name=name, gap=count(gap))


def names_of(sides: Sequence[AppraisedRoster]) -> tuple[str, ...]:
    """The name of each roster; numbered if it is empty or not unique."""
    names = [side.document.name.strip() for side in sides]
    unnamed = _("Roster {number}")
    return tuple(
        unnamed.format(number=number) if not name else f"{name} ({number})" if names.count(name) > 1 else name
        for number, name in enumerate(names, 1)
    )


def agreed_scenario(sides: Sequence[AppraisedRoster], usual: str, assumed: str) -> tuple[str, str]:
    """The scenario of a battle, and a sentence about what is assumed if the rosters do not agree, or "".

    ``usual`` is played if no roster names a scenario; ``assumed`` is the sentence about it.
    """
    named = [(name, side.document.scenario) for name, side in zip(names_of(sides), sides, strict=True)]
    chosen = [(name, slug) for name, slug in named if slug]
    if not chosen:
        return usual, assumed
    first, slug = chosen[0]
    if {other for _, other in chosen} != {slug}:
        return slug, _("The rosters name different scenarios; that of {roster} is assumed.").format(roster=first)
    if len(chosen) < len(named):
        others = join_names(name for name, other in named if not other)
        return slug, _("Also assumed for rosters without a scenario: {rosters}.").format(rosters=others)
    return slug, ""


def count_track(key: str, label: str, number: int, breaks_at: int | None = None) -> Track:
    """A track of ``number`` plain boxes, limited to 0 to MAX_BOXES."""
    return Track(key, label, ("",) * max(0, min(number, MAX_BOXES)), "count", breaks_at)


def marked_boxes(track: Track, mark: Mark | None) -> tuple[bool, ...]:
    """Which boxes of a track are marked; none for a model without damage."""
    value = getattr(mark, track.key) if mark else None
    if track.kind == "names":
        return tuple(name in (value or ()) for name in track.boxes)
    return tuple(number < int(value or 0) for number in range(len(track.boxes)))


def marks_of(element: Element) -> Iterator[Mark | None]:
    """The mark of each model in order, None for a model without damage."""
    for model in range(element.quantity):
        yield element.marks[model] if model < len(element.marks) else None


def toggle_box(element: ElementT, model: int, track: Track, box: int) -> ElementT:
    """The element after a box is toggled.

    In a ``count`` track, every box up to the toggled one is marked; toggling the last marked box clears it.
    Raises IndexError if the model or the box does not exist.
    """
    if not (0 <= model < element.quantity and 0 <= box < len(track.boxes)):
        raise IndexError(f"no box {box} of model {model}")
    data = write_element(element)
    marks = [*data.get("marks", []), *({} for _ in range(model + 1))][: max(len(data.get("marks", [])), model + 1)]
    marks[model] = _with_value(marks[model], track, _value(track, marks[model].get(track.key), box))
    while marks and not marks[-1]:
        marks.pop()
    return type(element).model_validate({**data, "marks": marks})


def _value(track: Track, now: Any, box: int) -> Any:
    if track.kind == "flag":
        return not now
    if track.kind == "count":
        return box if now == box + 1 else box + 1
    name = track.boxes[box]
    return [other for other in now or () if other != name] if name in (now or ()) else [*(now or ()), name]


def _with_value(mark: Mapping[str, Any], track: Track, value: Any) -> dict[str, Any]:
    rest = {key: other for key, other in mark.items() if key != track.key}
    return {**rest, track.key: value} if value else rest


def reset_damage(element: ElementT) -> ElementT:
    """The element without damage."""
    data = write_element(element)
    data.pop("marks", None)
    return type(element).model_validate(data)
