"""Play: damage tracks, alerts and reference panels, as every rulebook declares them.

A system's ``play.py`` declares the tracks of an element; sheets print them and the play page toggles them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, cast

from pydantic import ValidationError

from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import RosterState, terms_of
from rosters.core.documents import AnyDocument, Element, Formation, write_element
from rosters.core.messages import Message, _, join, join_names
from rosters.core.odds import DieRoll
from rosters.core.rulebook import Terms, count_points
from rosters.core.values import Mark

MAX_BOXES = 60
"""The most boxes of a track; its label shows the full number."""

Kind = Literal["count", "names", "flag"]


class Track(NamedTuple):
    """A row of damage boxes of one model.

    ``label`` is a Message; ``key`` is the key of the mark that stores the damage. A ``count`` stores how many are
    marked, from the first; ``names`` stores the labels of the marked ones; a ``flag`` has one box. ``boxes`` has a
    label for each box, "" for a plain one. At ``breaks_at`` marked boxes the model routs or is destroyed; None: nothing
    happens; ``broken`` says what it does then. ``captions`` are Messages to show in place of the labels. The model of a
    ``fatal`` track is destroyed when all its boxes are marked, that of a track with a ``fatal_box`` when that one is. A
    ``rare`` track is not needed each turn: the play page folds it. What is set ``aside`` is no damage and stands beside
    the boxes: a count that each tap raises, or a flag that a model beyond its bar may have. A change of a track removes
    the mark with the key that it ``clears``.
    """

    key: str
    label: str
    boxes: tuple[str, ...]
    kind: Kind
    breaks_at: int | None = None
    captions: tuple[str, ...] = ()
    fatal: bool = False
    rare: bool = False
    broken: str = ""
    fatal_box: str = ""
    aside: bool = False
    clears: str = ""

    @property
    def bar(self) -> int | None:
        """The number of boxes before the bar; None if it would be after the last box, where it adds nothing."""
        return self.breaks_at if self.breaks_at != len(self.boxes) else None

    @property
    def can_destroy(self) -> bool:
        """Whether its damage can destroy the model."""
        return bool(self.boxes and (self.fatal or self.fatal_box))

    def destroys(self, marked: Sequence[bool]) -> bool:
        """Whether these marked boxes destroy the model."""
        fatal = [on for box, on in zip(self.boxes, marked, strict=True) if self.fatal or box == self.fatal_box]
        return self.can_destroy and all(fatal)


class Stat(NamedTuple):
    """A stat of an element as players read it during play: its short heading, its value, and its full name.

    ``by_scale`` is the value in each of the rulebook's ``SCALES``, () if it is the same in all. ``roll`` is that for
    a number that a die must show, None for other stats.
    """

    head: str
    value: str
    name: str = ""
    by_scale: tuple[str, ...] = ()
    roll: DieRoll | None = None


class StatTable(NamedTuple):
    """Stats by distance: what their heads are, what their values are, and a remark on these, all Messages."""

    heads: str
    values: str
    note: str
    stats: tuple[Stat, ...]


class StatLine(NamedTuple):
    """The stats of an element, everything without a number in words, and what depends on the distance."""

    stats: tuple[Stat, ...]
    text: str = ""
    table: StatTable | None = None


class Gauge(NamedTuple):
    """The losses of a roster ("") or a formation: its position, a Message, and how many of ``total`` are lost.

    ``effect`` says what happens at the losses in ``steps``, each of them with a Message or "". ``ahead`` names what
    more losses bring, the next step (if there are several) and the last, as Messages.
    """

    where: str
    label: str
    lost: int
    total: int
    effect: str
    steps: tuple[tuple[int, str], ...]
    ahead: tuple[str, ...] = ()

    @property
    def to_go(self) -> list[tuple[int, str]]:
        """The further losses that bring the next step and the last one, each with its Message of ``ahead``."""
        left = [step - self.lost for step, _text in self.steps if step > self.lost]
        ends = left[:1] + left[1:][-1:]
        return [*zip(ends, self.ahead[-len(ends) :], strict=False)] if ends else []


class Losses(NamedTuple):
    """How many of all models are destroyed."""

    lost: int
    total: int


class Alert(NamedTuple):
    """A consequence of damage to announce: its position ("" is the roster) and a Message.

    It stays. A ``tally`` counts: it is announced once, as each further loss changes it. An ``event`` is done at once,
    such as taking a model off the table, and does not stay. A ``roll`` of a die stays until the player has rolled:
    ``key`` tells it from others at its position, as further losses change its text, but ask for no other roll.
    """

    where: str
    text: str
    kind: Literal["", "tally", "event", "roll"] = ""
    key: str = ""


class Panel(NamedTuple):
    """A table of the reference panel: a title, rows of cells under ``heads`` (none: plain pairs), and a remark.

    All are Messages, but for names that users gave and bare numbers. ``by_scale`` is the panel in each further one of
    the rulebook's ``SCALES``, () if it is the same in all.
    """

    title: str
    rows: tuple[tuple[str, ...], ...] = ()
    heads: tuple[str, ...] = ()
    text: str = ""
    by_scale: tuple[Panel, ...] = ()


class Zone(NamedTuple):
    """A rectangle of the table by its lower left corner, in the plan's units: where the rosters of ``seats`` set up.

    ``label`` is a Message with a place for their names, "" for the usual one; ``agreed``: the rules leave it open.
    ``other`` says who sets up where no roster does.
    """

    x: float
    y: float
    width: float
    height: float
    seats: tuple[int, ...] = ()
    label: str = ""
    agreed: bool = False
    other: str = ""


class Spot(NamedTuple):
    """A place on the table: its center, its radius and its label."""

    x: float
    y: float
    radius: float
    label: str = ""


class Arrow(NamedTuple):
    """A distance up the table with what it is."""

    x: float
    low: float
    high: float
    label: str


class TablePlan(NamedTuple):
    """The table of a battle from above, and its turns. Lengths in a unit of the game's own; y upwards.

    ``step`` is the side of a field of the grid, ``scale`` a length to measure by and its name (0 is one on which the
    players agree), ``lost`` what the sides count, ``score`` a remark about it, ``turn`` the sequence of a turn.
    The battle ends after ``last_turn``, 0: the rules have no such turn.
    ``terrain`` has the kinds of drawing/terrain.py that the game knows, each with its name and effect; ``building`` is
    the one that the scenario is about: its left, its lower edge, its width and its height.
    """

    width: float
    height: float
    step: float
    scale: tuple[float, str]
    caption: str
    turn: Panel
    lost: str
    zones: tuple[Zone, ...] = ()
    spots: tuple[Spot, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    building: tuple[float, float, float, float] | None = None
    hexes: bool = False
    numbered: bool = False
    turns: int = 15
    last_turn: int = 0
    turns_label: str = _("Turns")
    turns_text: str = ""
    score: str = ""
    terrain: Mapping[str, str] = {}


def edge_zones(
    table: tuple[float, float], depth: float, seats: int, inset: float = 0, *, agreed: bool = False
) -> tuple[Zone, ...]:
    """A zone along an edge of the table for each of up to four rosters: the near one, the opposite one, left, right."""
    width, height = table
    long, high = width - 2 * inset, height - 2 * inset
    zones = (
        Zone(inset, inset, long, depth, (0,), agreed=agreed),
        Zone(inset, height - inset - depth, long, depth, (1,), agreed=agreed),
        Zone(inset, inset + depth, depth, high - 2 * depth, (2,), agreed=agreed),
        Zone(width - inset - depth, inset + depth, depth, high - 2 * depth, (3,), agreed=agreed),
    )
    return zones[:seats]


class KeyFigure(NamedTuple):
    """A number by which rosters of one game compare; ``label`` is a Message."""

    label: str
    value: Amount | None


class Match(NamedTuple):
    """Whether the rosters are balanced as their rulebook defines it; None if that is not known.

    ``sentences`` compare them. ``missing`` lists for each side what it lacks or may still add, in points or figures,
    and each side without a player. All are Messages.
    """

    matched: bool | None
    sentences: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Play(Protocol):
    """The interface of every ``systems/<x>/play.py``. Each function is pure and raises nothing.

    ``SCALES`` are the names of the scales in which distances are given, the usual one first; () if there is one only.
    """

    SCALES: Sequence[str]

    def stat_line(self, element: Any, terms: Terms[Any]) -> StatLine: ...
    def gauges(self, document: Any, terms: Terms[Any]) -> Iterable[Gauge]: ...
    def tracks(self, element: Any, terms: Terms[Any]) -> Sequence[Track]: ...
    def alerts(self, document: Any, terms: Terms[Any]) -> Iterable[Alert]: ...
    def panels(self, document: Any, terms: Terms[Any]) -> Iterable[Panel]: ...
    def figures(self, document: Any, terms: Terms[Any]) -> Iterable[KeyFigure]: ...
    def match(self, sides: Sequence[RosterState]) -> Match: ...
    def briefing(self, sides: Sequence[RosterState]) -> Iterable[Panel]: ...
    def plan(self, sides: Sequence[RosterState]) -> TablePlan: ...


def all_or_unknown(parts: Iterable[bool | None]) -> bool | None:
    """False if any part is False, else None if any is None, else True."""
    values = [*parts]
    return False if False in values else None if None in values else True


def missing_points(
    rows: Sequence[tuple[str, Amount]], allowed: int, count: Callable[[Any], Message] = count_points
) -> Iterator[Message]:
    """A sentence for each roster that is more than ``allowed`` below the highest: the gap, and what would make it even.

    ``count`` writes an amount with its unit.
    """
    highest = max((amount for _, amount in rows), default=0)
    for name, amount in rows:
        gap = highest - amount
        if gap > allowed > 0:
            more = format_amount(gap - allowed)
            yield _("{name} lacks {gap}: {more} more would make it even.").format(name=name, gap=count(gap), more=more)
        elif gap > allowed:
            yield _("{name} lacks {gap}.").format(name=name, gap=count(gap))


def roster_names(sides: Sequence[RosterState]) -> tuple[str, ...]:
    """The name of each roster; numbered if it is empty or not unique."""
    names = [side.document.name.strip() for side in sides]
    unnamed = _("Roster {number}")
    return tuple(
        unnamed.format(number=number) if not name else f"{name} ({number})" if names.count(name) > 1 else name
        for number, name in enumerate(names, 1)
    )


def agreed_scenario(sides: Sequence[RosterState], usual: str, assumed: str) -> tuple[str, str]:
    """The scenario of a battle, and a sentence about what is assumed if the rosters do not agree, or "".

    ``usual`` is played if no roster names a scenario; ``assumed`` is the sentence about it.
    """
    named = [(name, side.document.scenario) for name, side in zip(roster_names(sides), sides, strict=True)]
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


def count_track(key: str, label: str, number: int, breaks_at: int | None = None, *, fatal: bool = False) -> Track:
    """A track of ``number`` plain boxes, limited to 0 to MAX_BOXES."""
    return Track(key, label, ("",) * max(0, min(number, MAX_BOXES)), "count", breaks_at, fatal=fatal)


def models_of(label: str, elements: Iterable[Element]) -> KeyFigure:
    """How many models these elements have."""
    return KeyFigure(label, sum(element.quantity for element in elements))


def sum_of(elements: Iterable[Element], value: Callable[[Any], int]) -> int:
    """The sum of a score over all models of these elements; a score below 0 adds nothing."""
    return sum(max(0, value(element)) * element.quantity for element in elements)


def count_destroyed(element: Element, tracks: Sequence[Track]) -> int:
    """How many models of an element are destroyed."""
    marks = element.marks[: element.quantity]
    return sum(any(track.destroys(marked_boxes(track, mark)) for track in tracks) for mark in marks)


def count_losses(state: RosterState, damage: Damage, rules: Play) -> Losses | None:
    """The models that this damage destroys, of all that the rules count; None for an empty roster."""
    document = with_damage(state.document, damage)
    terms = terms_of(document)
    damaged = (element for element in document.elements if element.marks)
    lost = sum(count_destroyed(element, rules.tracks(element, terms)) for element in damaged)
    return Losses(lost, state.appraisal.quantity) if state.appraisal.quantity else None


def marked_boxes(track: Track, mark: Mark | None) -> tuple[bool, ...]:
    """Which boxes of a track are marked; none for a model without damage."""
    return _marked(track, getattr(mark, track.key) if mark else None)


def marked_in(mark: Mapping[str, Any], track: Track) -> tuple[bool, ...]:
    """The same for a mark as data."""
    return _marked(track, mark.get(track.key))


def _marked(track: Track, value: Any) -> tuple[bool, ...]:
    if track.kind == "names":
        return tuple(name in (value or ()) for name in track.boxes)
    marked = min(int(value or 0), len(track.boxes))
    return (True,) * marked + (False,) * (len(track.boxes) - marked)


def damage_lines(element: Element, tracks: Sequence[Track]) -> Iterator[Message]:
    """The losses of each damaged model of an element in words, after its number if there are several models."""
    for number, mark in enumerate(element.marks, 1):
        marked = ((track, marked_boxes(track, mark)) for track in tracks if not track.aside or track.kind == "flag")
        damage = join(_damage(track, boxes) for track, boxes in marked if any(boxes))
        if damage:
            several = element.quantity > 1
            yield _("No. {number}: {damage}").format(number=number, damage=damage) if several else damage


def _damage(track: Track, marked: tuple[bool, ...]) -> str:
    if track.kind == "flag":
        return track.label
    if track.kind == "names":
        names = join_names(name for name, lost in zip(track.captions or track.boxes, marked, strict=True) if lost)
        return _("{track}: lost {names}").format(track=track.label, names=names)
    return _("{track}: {left} of {number} left").format(track=track.label, left=marked.count(False), number=len(marked))


def set_box(mark: Mapping[str, Any], track: Track, box: int, marked: bool) -> dict[str, Any]:
    """A mark, as data, after a box of a track is marked or cleared.

    In a ``count`` track the boxes before a marked one are marked, and those after a cleared one are cleared. Raises
    IndexError if the box does not exist.
    """
    if not 0 <= box < len(track.boxes):
        raise IndexError(f"no box {box}")
    now, value = mark.get(track.key), cast(Any, marked)
    if track.kind == "count":
        value = max(now or 0, box + 1) if marked else min(now or 0, box)
    elif track.kind == "names":
        value = [name for name in now or () if name != track.boxes[box]] + [track.boxes[box]] * marked
    rest = {key: other for key, other in mark.items() if key not in (track.key, track.clears)}
    return {**rest, track.key: value} if value else rest


# ---------------------------------------------------------------- damage, apart from its document

Damage = Mapping[str, Mapping[str, Any]]
"""The mark of each damaged model, as data, by `model_key`."""


def model_key(element: str, model: int) -> str:
    """A model, by the id of its element and its number from 0."""
    return f"{element} {model}"


def damage_in(document: AnyDocument) -> dict[str, dict[str, Any]]:
    """The damage in a document with ids."""
    return {
        model_key(str(element.id), model): mark
        for formation in document.formations
        for element in formation.elements
        if element.marks
        for model, mark in enumerate(write_element(element).get("marks", ()))
        if mark
    }


def count_models(formation: Formation[Any]) -> int:
    """The models of a formation, each of which has damage of its own."""
    return sum(element.quantity for element in formation.elements)


def with_damage(document: AnyDocument, damage: Damage) -> AnyDocument:
    """The document with this damage instead of its own. Damage of missing models or boxes is left out."""
    marks: dict[str | None, dict[int, Mapping[str, Any]]] = {}
    for key, mark in damage.items():
        uid, _, model = key.rpartition(" ")
        marks.setdefault(uid, {})[int(model)] = mark
    formations = []
    for formation in document.formations:
        elements = formation.elements
        if any(element.marks or element.id in marks for element in elements):
            damaged = tuple(_with_marks(element, marks.get(element.id, {})) for element in elements)
            formations.append(formation.replace(elements=damaged))
        else:
            formations.append(formation)
    return document.replace(formations=tuple(formations))


def without_damage(document: AnyDocument) -> AnyDocument:
    """The document with every element undamaged."""
    damaged = any(element.marks for element in document.elements)
    return with_damage(document, {}) if damaged else document


def _with_marks(element: Element, marks: Mapping[int, Mapping[str, Any]]) -> Element:
    last = max((model for model in marks if model < element.quantity), default=-1)
    if last < 0:
        return element.replace(marks=()) if element.marks else element
    data = {**write_element(element), "marks": [marks.get(model, {}) for model in range(last + 1)]}
    try:
        return type(element).model_validate(data)
    except ValidationError:  # a profile that takes no damage (any more)
        return element.replace(marks=())
