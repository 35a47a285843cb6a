"""The sheets of URUTSK minis: the detachment sheet, the dice tables, and cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import NamedTuple

from rosters.play import Panel
from rosters.rulekit import Mark
from rosters.sheetkit.blocks import (
    GAP,
    Blank,
    Block,
    Boxes,
    Cell,
    Column,
    Heading,
    Heads,
    Prose,
    Row,
    Space,
    Stack,
    prose,
    written,
)
from rosters.sheetkit.fonts import ASCENT, ems
from rosters.sheetkit.force import REFERENCE, ROSTER, frame_width, panel_group
from rosters.sheetkit.job import Choice, Entry, Job, Model, Sheet, never
from rosters.sheetkit.layout import Grid, Group, Section, frame
from rosters.sheetkit.pen import HAIR, LINE, MM, SOFT, Pen, Style
from rosters.sheetkit.words import LEADING, Fitted, fitted, wrap
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import FIRES, WORDS, Element

WIDE = 52
"""From this width on, in ems of running text, a figure's boxes stand in one row under column heads."""
BESIDE = 34
"""From this width on, in ems, the scores stand beside the name."""
NAME = 12.5
"""The width of a figure's name before its boxes, in ems."""
SCORE = 4.5
"""The width of a score, in ems."""
SPARE_FATE = 10
"""Boxes of Fate on a blank form."""
MOST_LINES = 4
"""Of cover and armor beside the scores; more of it runs below."""
MINUTES, ROUNDS = 4, 10
"""Minutes on a record, and rounds in each."""
CARD = (63 * MM, 88 * MM)
CARD_EDGE = 2.6 * MM

CHOICES: dict[str, Choice] = {}

SCORES = (("ranged", "Ranged"), ("close", "Close"), ("weapon_ability", "Weapon ability"), ("fate", "Fate"))


class Tick(NamedTuple):
    """Something that may befall a figure: its field, its head, words beside its boxes, its width in ems."""

    key: str
    head: str
    words: str
    wide: float = 0.0
    boxes: int = 1


TICKS = (
    Tick("lost", "Rounds lost", "rounds lost", 5.7, 4),
    Tick("out", "Ammo out", "ammo out", 3.7),
    Tick("spare", "Spare ammo", "spare ammo", 3.7),
    Tick("uncommanded", "Out of command", "out of command", 5.0),
    Tick("injured", "Injured", "injured", 4.4),
    Tick("immobile", "Immobile", "immobile", 5.0),
    Tick("unconscious", "Unconscious", "unconscious", 6.2),
    Tick("dead", "Dead", "dead", 3.2),
)
FIRE_TICKS = (
    *(Tick(fire, "", words) for fire, words in FIRES.items()),
    Tick("poor", "", "poor condition"),
    Tick("command", "", "command-capable"),
)


# ---------------------------------------------------------------- boxes with words


class Ticks(NamedTuple):
    """Boxes with words beside them, as many in a line as fit."""

    ticks: tuple[Tick, ...]
    path: str = ""

    def _places(self, style: Style, width: float) -> Iterator[tuple[Tick, float, int]]:
        """Each box's distance from the left, and its line."""
        x, line = 0.0, 0
        for tick in self.ticks:
            wide = _boxes_width(style, tick.boxes) + ems(tick.words) * style.small
            if x and x + wide > width:
                x, line = 0.0, line + 1
            yield tick, x, line
            x += wide + style.body * 1.1

    def height(self, style: Style, width: float) -> float:
        return (max(line for _, _, line in self._places(style, width)) + 1) * style.line * 1.12

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        for tick, left, line in self._places(style, width):
            down = top - line * style.line * 1.12
            beside = _boxes_width(style, tick.boxes)
            _open_boxes(tick, self.path).draw(pen, x + left, down, beside)
            room = width - left - beside
            pen.fit(x + left + beside, down - style.line * 0.78, tick.words, room, style.small)


def _boxes_width(style: Style, boxes: int) -> float:
    """Of so many boxes in a row and a gap, in points."""
    return style.line * 0.82 * 1.18 * boxes + style.body * 0.25


def _open_boxes(tick: Tick, path: str) -> Boxes:
    return Boxes((False,) * tick.boxes, names=tuple(f"{path}.{tick.key}.{box}" for box in range(tick.boxes)))


# ---------------------------------------------------------------- a figure's boxes


def _columns(style: Style, width: float) -> tuple[Column, ...]:
    """Of the boxes of figures, their shares in points: with little width only name and Fate."""
    if width < WIDE * style.body:
        return Column(WORDS.element, 0.36 * width), Column("Fate", 0.64 * width)
    ticks = tuple(Column(tick.head, tick.wide * style.body, "centre") for tick in TICKS)
    rest = width - NAME * style.body - sum(column.share for column in ticks)
    return Column(WORDS.element, NAME * style.body), Column("Fate", rest), *ticks


class FigureRow(NamedTuple):
    """One figure's boxes: Fate, rounds lost, ammunition, command, wounds. ``named``: the name's width in points."""

    name: str
    fate: tuple[bool, ...]
    path: str
    remark: str = ""
    named: float | None = None

    def _spans(self, style: Style, width: float) -> tuple[float, ...]:
        """The widths of name, Fate and, in a wide row, each tick."""
        if self.named is not None:
            return self.named, width - self.named
        return tuple(column.share for column in _columns(style, width))

    def _name(self, style: Style, span: float) -> Fitted:
        return fitted(self.name, max(span - GAP, 1), style.body * 0.95, 2) if self.name else Fitted((), style.body)

    def _first(self, style: Style, spans: Sequence[float]) -> float:
        """The height of name and Fate."""
        fate = self._boxes().height(style, spans[1] - GAP) + (style.line if self.remark else 0)
        return max(fate, self._name(style, spans[0]).height)

    def height(self, style: Style, width: float) -> float:
        spans = self._spans(style, width)
        below = 0.0 if len(spans) > 2 else Ticks(TICKS).height(style, width - _indent(spans))
        return self._first(style, spans) + below + style.body * 0.4

    def _boxes(self) -> Boxes:
        return Boxes(self.fate, names=tuple(f"{self.path}.fate.{box}" for box in range(len(self.fate))))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, height = pen.style, self.height(pen.style, width)
        spans = self._spans(style, width)
        inner = top - style.body * 0.2
        if style.fillable:
            self._draw_boxes(pen, x, inner, width)
        else:
            marked = f"{len(self.fate)}-{sum(self.fate)}-{int(bool(self.remark))}"
            key = f"figure-{round(width)}-{round(spans[0])}-{round(style.body * 100)}-{marked}"
            pen.stamp(key, x, inner, lambda: self._draw_boxes(pen, 0, 0, width))
        pen.lines(x, inner, self._name(style, spans[0]))
        if self.remark:
            bottom = inner - self._boxes().height(style, spans[1] - GAP) - style.small
            pen.fit(x + spans[0], bottom, self.remark, spans[1] - GAP, style.small)
        pen.line(x, top - height, x + width, top - height, HAIR)

    def _draw_boxes(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        spans = self._spans(style, width)
        self._boxes().draw(pen, x + spans[0], top, spans[1] - GAP)
        if len(spans) == 2:
            indent = _indent(spans)
            Ticks(TICKS, self.path).draw(pen, x + indent, top - self._first(style, spans), width - indent)
            return
        left = x + spans[0] + spans[1]
        for tick, span in zip(TICKS, spans[2:], strict=True):
            wide = _boxes_width(style, tick.boxes)
            middle = left + (span - GAP - wide + style.body * 0.25 + style.line * 0.15) / 2
            _open_boxes(tick, self.path).draw(pen, middle, top, wide)
            left += span


def _indent(spans: Sequence[float]) -> float:
    """Where the second line of a narrow row begins: below Fate, where that leaves enough room."""
    return spans[0] if spans[0] < 0.2 * sum(spans) else 0.0


def _figure_row(job: Job, entry: Entry, model: Model, name: str, named: float | None = None) -> FigureRow:
    """The row of one model."""
    track = job.tracks(entry.element)[0]
    return FigureRow(name, job.marked(track, model.mark), model.path, _remark(job, entry, model.mark), named)


def _remark(job: Job, entry: Entry, mark: Mark | None) -> str:
    """What the boxes cannot tell: Fate beyond those drawn, and more of it lost than there was."""
    element: Element = entry.element  # type: ignore[assignment]
    drawn = len(job.tracks(element)[0].boxes)
    lost = int(getattr(mark, "fate", 0)) if job.settings.marks else 0
    parts = [f"first {drawn} of {element.fate}"] if element.fate > drawn else []
    parts += [f"{lost} lost"] if lost > drawn else []
    return ", ".join(parts)


# ---------------------------------------------------------------- a figure's profile


class Profile(NamedTuple):
    """Name, number, command, weapon and scores of equal figures; ``element`` None leaves all open to fill in."""

    element: Element | None = None
    name: str = ""
    quantity: int = 1
    texts: tuple[str, ...] = ()
    path: str = ""

    def _room(self, style: Style, width: float) -> float:
        """What is left for the name and the texts."""
        return width - (4 * SCORE + 1) * style.body if width >= BESIDE * style.body else width

    def _lines(self, style: Style, width: float) -> list[str]:
        room = self._room(style, width)
        return [line for text in self.texts for line in wrap(text, room, style.small)]

    def _left(self, style: Style, width: float) -> float:
        """The height of name and texts."""
        return style.body * 1.55 + len(self._lines(style, width)) * style.small * LEADING

    def height(self, style: Style, width: float) -> float:
        scores = style.body * 2.35
        left = self._left(style, width)
        both = max(left, scores) if self._room(style, width) < width else left + scores
        return both + style.body * 0.55

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, room = pen.style, self._room(pen.style, width)
        inner = top - style.body * 0.3
        self._draw_name(pen, x, inner - style.body * 1.1, room)
        lines = Fitted(tuple(self._lines(style, width)), style.small)
        pen.lines(x, inner - style.body * 1.5, lines, grey=0.25)
        if room < width:
            _draw_scores(pen, x + room + style.body, inner, 4 * SCORE * style.body, self)
        else:
            _draw_scores(pen, x, inner - self._left(style, width), width, self)

    def _draw_name(self, pen: Pen, x: float, baseline: float, room: float) -> None:
        """The name, how many, and whether they command."""
        size = pen.style.body * 1.15
        aside = f"×{self.quantity}" if self.quantity != 1 else ""
        badge = _badge_width(pen.style) if self.element and self.element.command else 0.0
        beside = (ems(aside, True) * size + size * 0.4 if aside else 0.0) + badge
        text = fitted(self.name, room - beside, size, bold=True)
        words = text.lines[0] if text.lines else ""
        pen.runs(x, baseline, words, text.size, bold=True)
        after = x + ems(words, True) * text.size + size * 0.4
        pen.text(after, baseline, aside, size)
        if badge:
            _badge(pen, after + (ems(aside, True) * size + size * 0.4 if aside else 0.0), baseline)


BADGE = "COMMAND"


def _badge_width(style: Style) -> float:
    return ems(BADGE, True) * style.body * 0.66 + style.body * 1.3


def _badge(pen: Pen, x: float, baseline: float) -> None:
    """The mark of command-capable figures."""
    body = pen.style.body
    wide = ems(BADGE, True) * body * 0.66
    pen.round_rect(x, baseline - body * 0.2, wide + body * 0.7, body * 0.95, body * 0.3)
    pen.text(x + body * 0.35, baseline + body * 0.03, BADGE, body * 0.66, bold=True)


def _draw_scores(pen: Pen, x: float, top: float, width: float, profile: Profile) -> None:
    """Four cells, each with a label over a number."""
    body, wide = pen.style.body, width / len(SCORES)
    for number, (key, label) in enumerate(SCORES):
        left = x + number * wide
        pen.fit(left + 1, top - body * 0.65, label, wide - 4, body * 0.64, align="centre")
        pen.rect(left + 1, top - body * 2.2, wide - 4, body * 1.4, line=HAIR)
        if profile.element is None:
            pen.field(f"{profile.path}.{key}", left + 1, top - body * 2.2, wide - 4, body * 1.4)
        else:
            value = str(getattr(profile.element, key))
            pen.fit(left + 2, top - body * 1.93, value, wide - 6, body * 1.2, bold=True, align="centre")


def weapon_words(element: Element) -> str:
    """How the weapon fires, which scores roll again, and its condition."""
    again = tables.ROLLS_AGAIN[element.fire][1]
    poor = "; poor condition: a 2 may miss" if element.poor_condition else ""
    return f"{FIRES[element.fire].capitalize()}: {again} {'rolls' if len(again) == 1 else 'roll'} again{poor}"


# ---------------------------------------------------------------- the detachment sheet


def record(job: Job) -> Iterator[Section]:
    """The detachment sheet: the clock, then a block for each entry with a row for each figure."""
    groups = _blank_groups(job) if job.blank else _detachments(job)
    yield Section("Detachment sheet", chain([Group([Clock(MINUTES)])], groups))


def _detachments(job: Job) -> Iterator[Group]:
    heads = Heads(_columns(job.style, frame_width(job)))
    for number, formation, _ in job.formations():
        title = formation.name or WORDS.formation
        head = Stack((Space(0.5), Heading(title, _strength(formation.elements), 1.2, rule=False), heads))
        yield Group(_entries(job, number), head, title)


def _strength(elements: Iterable[Element]) -> str:
    """How many figures, and how many of them command."""
    figures = sum(element.quantity for element in elements)
    commanders = sum(element.quantity for element in elements if element.command)
    noun = WORDS.element if figures == 1 else WORDS.elements
    return f"{figures} {noun.lower()}, {commanders or 'none'} command-capable"


def _entries(job: Job, number: int) -> Iterator[Block]:
    for entry in job.entries(number):
        if entry.quantity:
            yield from _entry(job, entry)


def _entry(job: Job, entry: Entry) -> Iterator[Block]:
    """The profile with the first figure, and the others; long texts run between them."""
    profile, below = _profile(job, entry)
    rows = (_figure_row(job, entry, model, _row_name(entry, model)) for model in entry.models)
    if below:
        yield profile
        yield from prose(below, job.style, frame_width(job), 0.82, grey=0.25)
        yield from rows
    else:
        yield Stack((profile, next(rows)))
        yield from rows


def _row_name(entry: Entry, model: Model) -> str:
    """A figure's name before its boxes, where the profile above stands for several."""
    return model.name if entry.quantity > 1 else ""


def _profile(job: Job, entry: Entry) -> tuple[Profile, str]:
    """The profile of an entry, and what cover and armor it has no room for."""
    element: Element = entry.element  # type: ignore[assignment]
    weapon, protection = weapon_words(element), element.protection.strip()
    made = Profile(element, entry.name, entry.quantity, (weapon, protection) if protection else (weapon,))
    if len(protection) > 1000 or len(made._lines(job.style, frame_width(job))) > MOST_LINES:
        return made._replace(texts=(weapon,)), protection
    return made, ""


class Clock(NamedTuple):
    """Minutes of ten rounds, each with a box for its command check."""

    minutes: int

    def _across(self, style: Style, width: float) -> int:
        return max(1, int(width // (30 * style.body)))

    def height(self, style: Style, width: float) -> float:
        return -(-self.minutes // self._across(style, width)) * style.line * 1.3 + style.body * 0.6

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, across = pen.style, self._across(pen.style, width)
        for minute in range(self.minutes):
            left = x + minute % across * width / across
            down = top - style.body * 0.4 - minute // across * style.line * 1.3
            self._draw_minute(pen, left, down, width / across, minute + 1)

    def _draw_minute(self, pen: Pen, x: float, top: float, width: float, minute: int) -> None:
        style, name = pen.style, f"minute{minute}"
        pen.text(x, top - style.line * 0.78, f"Minute {minute}", bold=True)
        rounds = Boxes((False,) * ROUNDS, names=tuple(f"{name}.round.{number}" for number in range(ROUNDS)))
        start = x + style.body * 4.4
        rounds.draw(pen, start, top, width)
        beside = start + _boxes_width(style, ROUNDS) + style.body * 1.5
        Ticks((Tick("command", "", "command check"),), name).draw(pen, beside, top, x + width - beside)


# ---------------------------------------------------------------- blank forms


def _blank_groups(job: Job) -> Iterator[Group]:
    """One page of figures to fill in."""
    width, tall = frame(job.settings.paper)
    head = Stack((Blank(WORDS.formation, "detachment"), Space(0.3), Heads(_columns(job.style, width))))
    figures = _blank_figure(job, 0)
    room = tall - Clock(MINUTES).height(job.style, width) - head.height(job.style, width)
    number = max(1, int(room // figures.height(job.style, width)))
    yield Group([_blank_figure(job, figure) for figure in range(number)], head, WORDS.formation)


def _blank_figure(job: Job, number: int) -> Stack:
    path = f"blank{number}"
    return Stack(
        (
            BlankProfile(Profile(path=path)),
            Ticks(FIRE_TICKS, path),
            Blank("Cover and armor", f"{path}.protection", 0.82),
            FigureRow("", (False,) * SPARE_FATE, path),
        )
    )


class BlankProfile(NamedTuple):
    """A profile to fill in: a line for the name, open scores."""

    profile: Profile

    def height(self, style: Style, width: float) -> float:
        return self.profile.height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        self.profile.draw(pen, x, top, width)
        style, room = pen.style, self.profile._room(pen.style, width)
        baseline = top - style.body * 1.5
        label = f"{WORDS.element} "
        start = ems(label) * style.body
        pen.text(x, baseline, label)
        pen.line(x + start, baseline - 1.5, x + room, baseline - 1.5, HAIR)
        pen.field(f"{self.profile.path}.name", x + start, baseline - 1, room - start, style.body * 1.3)


# ---------------------------------------------------------------- cards


class Card(NamedTuple):
    """A card of 63 × 88 mm: a profile and as many figures as it has room for, set smaller where one is too much."""

    profile: Profile
    rows: tuple[FigureRow, ...]

    def height(self, style: Style, width: float) -> float:
        return CARD[1]

    def _body(self, style: Style) -> Style:
        """The largest text, in steps of a tenth, at which everything fits."""
        sizes = [style._replace(body=style.body * tenths / 10) for tenths in range(10, 2, -1)]
        return next((size for size in sizes if self._tall(size) <= CARD[1] - 2 * CARD_EDGE), sizes[-1])

    def _tall(self, style: Style) -> float:
        return sum(block.height(style, CARD_WIDTH) for block in (self.profile, *self.rows))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.rect(x, top - CARD[1], *CARD, line=HAIR)
        with _set_in(pen, self._body(pen.style)):
            down = top - CARD_EDGE
            for block in (self.profile, *self.rows):
                block.draw(pen, x + CARD_EDGE, down, CARD_WIDTH)
                down -= block.height(pen.style, CARD_WIDTH)


CARD_WIDTH = CARD[0] - 2 * CARD_EDGE


@contextmanager
def _set_in(pen: Pen, style: Style) -> Iterator[None]:
    """Draw in another style for a while."""
    before, pen.style = pen.style, style
    yield
    pen.style = before


def cards(job: Job) -> Iterator[Grid]:
    """Cards to cut out: equal figures share one as long as there is room."""
    made = _blank_cards(job) if job.blank else _cards(job)
    yield Grid("Cards", made, cell=CARD)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number, formation, _ in job.formations():
        for entry in job.entries(number):
            models = enumerate(entry.models, start=1)
            profile = _card_profile(job, entry)
            first = next(models, None)
            while first:
                room = _rows_of_a_card(job, profile, _card_row(job, entry, *first))
                rows = [_card_row(job, entry, *pair) for pair in (first, *islice(models, room - 1))]
                yield formation.name or WORDS.formation, Card(profile, tuple(rows))
                first = next(models, None)


def _card_profile(job: Job, entry: Entry) -> Profile:
    element: Element = entry.element  # type: ignore[assignment]
    small = job.style.small
    weapon = tuple(wrap(weapon_words(element), CARD_WIDTH, small))
    cover = fitted(" ".join(element.protection.split()), CARD_WIDTH, small, 3).lines if element.protection else ()
    return Profile(element, entry.name, entry.quantity, (*weapon, *cover))


def _card_row(job: Job, entry: Entry, number: int, model: Model) -> FigureRow:
    return _figure_row(job, entry, model, str(number) if entry.quantity > 1 else "", 2 * job.style.body)


def _rows_of_a_card(job: Job, profile: Profile, row: FigureRow) -> int:
    """How many figures of this kind a card has room for: at least one."""
    room = CARD[1] - 2 * CARD_EDGE - profile.height(job.style, CARD_WIDTH)
    return max(1, int(room // row.height(job.style, CARD_WIDTH)))


def _blank_cards(job: Job) -> Iterator[tuple[str, Block]]:
    for number in range(9):
        yield "", BlankCard(f"card{number}")


class BlankCard(NamedTuple):
    """A card to fill in."""

    path: str

    def height(self, style: Style, width: float) -> float:
        return CARD[1]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.rect(x, top - CARD[1], *CARD, line=HAIR)
        blocks = (
            BlankProfile(Profile(path=self.path)),
            Ticks(FIRE_TICKS, self.path),
            Blank("Cover", f"{self.path}.protection", 0.82),
            FigureRow("", (False,) * SPARE_FATE, self.path, named=0.0),
        )
        tall = sum(block.height(pen.style, CARD_WIDTH) for block in blocks)
        shrunk = min(1.0, (CARD[1] - 2 * CARD_EDGE) / tall)
        with _set_in(pen, pen.style._replace(body=pen.style.body * shrunk)):
            Stack(blocks).draw(pen, x + CARD_EDGE, top - CARD_EDGE, CARD_WIDTH)


# ---------------------------------------------------------------- the tables


def dice_tables(job: Job) -> Iterator[Section]:
    """Ranges, shooting, melee, charges and wounds on one page."""
    yield Section("Tables", _table_groups(), columns=2)


def _table_groups() -> Iterator[Group]:
    yield _ranges()
    yield _rows("Ranged fire", tables.RANGED)
    yield _again("Scores that roll again", [(name, _scores(text)) for name, text in tables.ROLLS_AGAIN.values()])
    yield _rows("Bursts", tables.BURST[:3])
    yield _rows("Group fire", tables.GROUP)
    yield _rows("A clean miss, D6", tables.CLEAN_MISS)
    yield _rows("Melee", tables.MELEE)
    yield _charge()
    yield _rows("Hits against Fate", tables.FATE)
    yield _rows("Incapacitated, D6", tables.INCAPACITATED)
    yield _rows("Shock, D6", tables.SHOCK)


def _rows(title: str, rows: tables.Rows) -> Group:
    return panel_group(Panel(title, rows))


WEAPONS = 3
"""Weapons whose ranges can be written in."""


def _ranges() -> Group:
    columns = (
        Column("Range", 2.4, bold=True),
        Column("Off the die", 1.8, "centre", bold=True),
        *(Column("", 2, "centre") for _ in range(WEAPONS)),
    )
    text = "Write in weapons, and how many yards each range of theirs reaches: the rules leave that to you."
    rows = [
        Row(columns, (name, f"-{off}" if off else "0", *_to_write(name.lower())), least=1.4)
        for name, off in tables.RANGES.items()
    ]
    weapons = Row(columns, ("Weapon", "", *_to_write("weapon")), least=1.4)
    return Group([weapons, *rows], Stack((Space(0.4), Heading("Range", "", 1.1), Prose(text, 0.92), Heads(columns))))


def _to_write(row: str) -> Iterator[Cell]:
    return (written(f"ranges.{row}.{weapon}") for weapon in range(WEAPONS))


def _scores(text: str) -> frozenset[int]:
    """The scores of a die that a text names."""
    return frozenset(int(character) for character in text if character.isdigit())


def _again(title: str, rows: Iterable[tuple[str, frozenset[int]]], text: str = "") -> Group:
    columns = (Column("", 1, bold=True), Column("", 1.1))
    head = Stack((Space(0.4), Heading(title, "", 1.1), Prose(text or "Those in a ring.", 0.92)))
    return Group([Row(columns, (name, _dice(scores)), 0.92) for name, scores in rows], head)


def _dice(again: frozenset[int]) -> Cell:
    """The scores of a die in a row, a ring around those that roll again."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size, step = pen.style.body, width / 6
        for score in range(1, 7):
            middle = x + (score - 0.5) * step
            ringed = score in again
            pen.text(
                middle, top - size * 0.98, str(score), size, bold=ringed, align="centre", grey=0 if ringed else SOFT
            )
            if ringed:
                pen.circle(middle, top - size * 0.63, size * 0.58)

    return Cell(lambda style, width: style.body * 1.3, paint)


def _charge() -> Group:
    return _rows("Mass charge", tables.CHARGE)


# ---------------------------------------------------------------- the list

SHEETS = (
    ROSTER,
    Sheet("record", "Detachment sheet", "Fate, ammunition, command and wounds of every figure.", record),
    Sheet("tables", "Tables", "Ranges, shooting, melee, charges and wounds on one page.", dice_tables, shared=True),
    Sheet("cards", "Cards", "Cards of 63 × 88 mm, to cut out.", cards, never),
    REFERENCE,
)
