"""The army record: a block for each stand in sets of three, generals, rounds, and the army-morale track."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rosters.core.messages import _, join, ngettext
from rosters.drawing.primitives import SOLID, Picture, star
from rosters.pdf.blocks import (
    MIN_BOX,
    BlankLine,
    Block,
    Boxes,
    Column,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    fill_in_cell,
    measured_once,
    text_lines,
)
from rosters.pdf.canvas import HAIR, MM, RADIUS, THICK, TINT, Align, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.layout import Area, Group, Section, frame
from rosters.pdf.roster_sheet import frame_width
from rosters.pdf.text import FittedText
from rosters.systems.six_mm.play import EACH_THRESHOLD, before_firearms, move, retreat_scores
from rosters.systems.six_mm.rules import SET, Stats, signed, times
from rosters.systems.six_mm.sheets.block import ALIKE, BETWEEN, AlikeBlock, BlankBlock, StandBlock
from rosters.systems.six_mm.sheets.stand import (
    Figures,
    Stand,
    army_stands,
    chunks,
    equipment,
    least,
    most_alternates,
    move_and_range,
    unit,
)
from rosters.systems.six_mm.tables import GENERALS, PURCHASES, Reach

SIZES = (0.85, 0.9, 0.95, 1.0)
"""The sizes of print, as multiples of the usual one, of which the largest is taken that needs the fewest pages."""
WIDE = 170.0
"""Pages at least so wide, in mm, have a set of stands in a row; on others they are one below another."""
GUTTER, BRACKET = 12.6, 9.8
"""What is left of the stands of a set, and where its bracket is, in mm."""
ROUNDS = 18
BLANK_SETS, BLANK_LOSSES = 5, 30
LONG = 255 * MM
"""Shorter frames have a blank set less."""
MAX_TRACKED = 240
"""With more losses than this until an army retreats, a table replaces the box for each."""
FEW, MAX_LOSSES = 20, 30
"""Armies of at most so many stands have a box for each on the morale track, larger ones until they retreat."""
USED_TOGETHER = 60
"""Boxes of a purchase that stay on one page."""


def record(job: Job) -> Iterator[Section]:
    """The army in play: the boxes of every stand, its generals, its morale."""
    purchased = any(job.document.formations[number].elements for number, _f, _p in job.formations())
    if job.blank or not purchased:
        yield Section(_("Army record"), _blank_record(job), whole=True)
        return
    foot = Section(_("Army record"), _foot(job), whole=True)
    steps = thresholds(job)
    reminder = MoraleReminder(tuple(steps.items())) if steps else None
    yield Section(_("Army record"), _record(job), whole=True, fills=SIZES, foot=foot, reminder=reminder)


def _across(job: Job) -> int:
    """The stands in a row: all of a set, or one on narrow pages."""
    return SET if frame_width(job) >= WIDE * unit(job.style) else 1


def _record(job: Job) -> Iterator[Group]:
    """Sets, purchases and notes."""
    yield Group(_choices(job))
    yield from _alike(job) if shares_blocks(job) else _sets(job)
    yield Group(_purchases(job))
    yield from _notes(job)


def _foot(job: Job) -> Iterator[Group]:
    """Generals and army morale, once: a track, or a table for large armies."""
    yield Group((Command(job, _generals(job)),), None, _("Generals"))
    where = thresholds(job)
    if 0 < max(where, default=0) <= MAX_TRACKED:
        yield Group((Space(0.2), MoraleTrack(job.appraisal.quantity, _lost(job), tuple(where.items()))))
    else:
        yield Group(_morale_table(job), Heading(_("Army morale"), "", 1.15), _("Army morale"))


# ---------------------------------------------------------------- choices

Choice = tuple[str, Figures]
"""A kind of stand, and its move or range with boxes for what the army leaves open."""


def _choices(job: Job) -> Iterator[Block]:
    """What is chosen once for each kind of stand before play: the speed of tanks, rifles, longbows."""
    found: list[Choice] = []
    firearms = not before_firearms(job.document)
    alternates: dict[tuple[str, Reach], list[tuple[int, Stats, str]]] = {}
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            element, model = entry.element, next(iter(entry.models), None)
            if model is None or element.type in PURCHASES:  # type: ignore[attr-defined]
                continue
            path = model.path
            found += _open(element, path, times(entry.quantity, element.shown_name), firearms)  # type: ignore[arg-type]
            for place, stats in enumerate(element.duplicates):  # type: ignore[attr-defined]
                known = alternates.setdefault((join((stats.type, *equipment(stats))), move(stats)), [])
                known.append((stats.quantity * entry.quantity, stats, f"{path}.state.{place}"))
    for (words, _reach), known in alternates.items():
        _quantity, stats, path = known[0]
        found += _open(stats, path, times(sum(each[0] for each in known), words), firearms)
    across = 2 if frame_width(job) >= WIDE * unit(job.style) else 1
    if found:
        yield from (ChoiceRow(row, across) for row in chunks(found, across))
        yield Space(0.2)


def _open(stats: Stats, path: str, name: str, firearms: bool) -> Iterator[Choice]:
    figures = move_and_range(stats, path, name, choices=True, firearms=firearms)
    yield from ((name, each) for each in (figures.move, figures.range) if each.reach.choices)


class ChoiceRow(NamedTuple):
    """Kinds of stands side by side, each with the boxes of its choice."""

    choices: tuple[Choice, ...]
    across: int

    def height(self, style: Style, width: float) -> float:
        return 6.2 * unit(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, room = unit(pen.style), width / self.across
        for name, figures in self.choices:
            placed = [*figures._replace(reach=_only_choices(figures.reach)).placed(pen.style, room)]
            _figure, start, wide, text = placed[-1]
            boxes = start + wide + _text_width(text) + 2 * mm
            words = _("{stands}, choose {what}:").format(stands=name, what=figures.label)
            pen.fit(x, top - 4.2 * mm, words, room - boxes - 3 * mm, least(8.5, pen.style), face=NARROW_BOLD)
            left = min(ems(words, NARROW_BOLD) * least(8.5, pen.style), room - boxes - 3 * mm) + 2 * mm
            for number, (figure, start, wide, text) in enumerate(placed):
                place = Area(x + left + start, top - 0.6 * mm, wide, 5 * mm)
                figures.draw_choice(pen, number, figure, place, text)
            x += room


def _text_width(text: FittedText) -> float:
    return max((ems(line, NARROW) * text.size for line in text.lines), default=0.0)


def _only_choices(reach: Reach) -> Reach:
    return reach._replace(parts=reach.parts[: reach.choices])


# ---------------------------------------------------------------- sets of stands


def _sets(job: Job) -> Iterator[Group]:
    """The sets in rows, with a bookmark for each command where it begins."""
    across = _across(job)
    titles = {number: formation.name or job.words.formation for number, formation, _priced in job.formations()}
    known: set[int] = set()
    for number, stands in enumerate(chunks(army_stands(job), SET), start=1):
        begun = [at for at in dict.fromkeys(_formation_of(stand) for stand in stands) if at not in known]
        known.update(begun)
        blocks = tuple(StandBlock(stand) for stand in stands)
        first, *others = [titles[at] for at in begun] or [""]
        yield Group(_set_rows(number, blocks, across), None, first)
        yield from (Group((Space(0),), None, title) for title in others)


def shares_blocks(job: Job) -> bool:
    """Whether stands that are alike share a block, by the choice for this sheet."""
    return job.choice("alike", "each") == "one" and job.options.merge


def _alike(job: Job) -> Iterator[Group]:
    """The stands of each line of the army in a block of their own, with a bookmark for each command."""
    titles = {number: formation.name or job.words.formation for number, formation, _priced in job.formations()}
    begun: set[int] = set()
    for _path, stands in groupby(army_stands(job), key=lambda stand: stand.entry.path):
        for some in chunks(stands, ALIKE):
            at = _formation_of(some[0])
            yield Group((AlikeBlock(some),), None, "" if at in begun else titles[at])
            begun.add(at)


def _formation_of(stand: Stand) -> int:
    return stand.entry.sources[0][0]


def _set_rows(number: int, blocks: tuple[Block, ...], across: int) -> Iterator[SetRow]:
    rows = [*chunks(blocks, across)]
    for place, row in enumerate(rows):
        yield SetRow(number, row, across, place == 0, place == len(rows) - 1)


@dataclass(frozen=True)
class SetRow:
    """Some stands of a set in a row, to the right of its bracket: all of them, or one of those below another."""

    number: int
    blocks: tuple[Block, ...]
    across: int
    first: bool
    last: bool

    def _width(self, style: Style, width: float) -> float:
        """The width of a block."""
        mm = unit(style)
        return (width - GUTTER * mm - (self.across - 1) * BETWEEN * mm) / self.across

    @measured_once
    def height(self, style: Style, width: float) -> float:
        wide = self._width(style, width)
        return max(block.height(style, wide) for block in self._level(style, wide)) + BETWEEN * unit(style)

    @measured_once
    def _level(self, style: Style, wide: float) -> list[Block]:
        """The blocks, their numbers at one height."""
        stands = [block for block in self.blocks if isinstance(block, StandBlock)]
        return [block.beside(stands, style, wide) if isinstance(block, StandBlock) else block for block in self.blocks]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, wide = unit(pen.style), self._width(pen.style, width)
        tall = self.height(pen.style, width) - BETWEEN * mm
        self._draw_bracket(pen, x, top, tall)
        for place, block in enumerate(self._level(pen.style, wide)):
            left = x + GUTTER * mm + place * (wide + BETWEEN * mm)
            pen.draw_cached(("frame", wide, tall), left, top, lambda: pen.frame(0, -tall, wide, tall))
            block.draw(pen, left, top, wide)

    def _draw_bracket(self, pen: Pen, x: float, top: float, tall: float) -> None:
        mm = unit(pen.style)
        edge, tick = x + BRACKET * mm + 0.4 * mm, 1.6 * mm
        low = top - tall - (0 if self.last else BETWEEN * mm)
        points = [(edge, top), (edge, low)]
        if self.first:
            points.insert(0, (edge + tick, top))
        if self.last:
            points.append((edge + tick, low))
        pen.outline(points, line=THICK, ink="ink", closed=False)
        if not self.first:
            room, size = (BRACKET - 0.6) * mm, least(9, pen.style)
            pen.fit(x, top - 3.4 * mm, str(self.number), room, size, face=NAME, align="centre", ink="soft")
        else:
            pen.label(
                x + BRACKET * mm / 2 - 0.3 * mm, top - 2.6 * mm, _("Set"), align="centre", size=least(7, pen.style)
            )
            pen.fit(
                x,
                top - 9.2 * mm,
                str(self.number),
                (BRACKET - 0.6) * mm,
                least(17, pen.style),
                face=NAME,
                align="centre",
            )
            if self.across == SET and len(self.blocks) < SET:
                words = _("{n} of {set}").format(n=len(self.blocks), set=SET)
                pen.fit(
                    x,
                    top - 12.4 * mm,
                    words,
                    (BRACKET - 0.6) * mm,
                    least(7, pen.style),
                    face=NARROW,
                    align="centre",
                    ink="soft",
                )
            self._draw_done(pen, x, top)

    def _draw_done(self, pen: Pen, x: float, top: float) -> None:
        """The box of a set that has taken its turn in this round."""
        mm, room = unit(pen.style), (BRACKET - 0.6) * unit(pen.style)
        side, low = 6 * mm, top - 20.4 * mm
        tooltip = _("Set {set}: turn taken in this round").format(set=self.number)
        pen.box(x + (room - side) / 2, low, side, name=f"set{self.number}.done", tooltip=tooltip)
        pen.fit(x, low - 2.6 * mm, _("done"), room, least(7, pen.style), face=NARROW, align="centre", ink="soft")


# ---------------------------------------------------------------- purchases and notes


def _purchases(job: Job) -> Iterator[Block]:
    """Field works and shared transport: a counter, and a box for each."""
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            if entry.element.type in PURCHASES:  # type: ignore[attr-defined]
                paths = chunks((model.path for model in entry.models), USED_TOGETHER)
                yield from (Purchase(job, entry, chunk) for chunk in paths)


class Purchase(NamedTuple):
    """What is bought without a stand, with a box for each to mark when it is used."""

    job: Job
    entry: PrintedElement
    paths: tuple[str, ...]

    @property
    def _words(self) -> tuple[str, str]:
        code, n = self.entry.element.type, self.entry.quantity  # type: ignore[attr-defined]
        text = {
            "WORKS": ngettext("{n} square, double cover", "{n} squares, double cover", n),
            "TRANSPORT": ngettext("{n} vehicle for ART or foot", "{n} vehicles for ART or foot", n),
        }[code]
        return self.entry.name.strip() or PURCHASES[code].name, text.format(n=n)

    def _boxes(self) -> Boxes:
        name, _text = self._words
        n = len(self.paths)
        tooltip = tuple(
            _("{stand}: used {number} of {total}").format(stand=name, number=number + 1, total=n) for number in range(n)
        )
        return Boxes((False,) * n, names=tuple(f"{path}.used.0" for path in self.paths), tooltip=tooltip)

    def height(self, style: Style, width: float) -> float:
        return max(self._boxes().height(style, width - 62 * unit(style)) + 2 * unit(style), 13 * unit(style))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, (name, text) = unit(pen.style), self._words
        pen.picture(self.job.counter(self.entry.element, large=False), x, top - 1 * mm, 14 * mm)
        pen.fit(x + 16 * mm, top - 5 * mm, name, 44 * mm, least(11.5, pen.style), face=NAME)
        pen.fit(x + 16 * mm, top - 9 * mm, text, 44 * mm, least(8.5, pen.style), face=NARROW, ink="soft")
        self._boxes().draw(pen, x + 62 * mm, top - 2 * mm, width - 62 * mm)


def _notes(job: Job) -> Iterator[Group]:
    """The notes of stands, once for each line of the army, and alternates beyond those that are drawn."""
    blocks: list[Block] = []
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            element = entry.element
            more = element.duplicates[most_alternates(job.style) :] if element.type not in PURCHASES else ()  # type: ignore[attr-defined]
            words = [element.notes] if element.notes.strip() else []
            if more:
                forms = entry.description.split(" / ")[-len(more) :]
                words.append(_("Also or: {stands}.").format(stands=join(forms, "; ")))
            for text in words:
                full = _("{stand}: {text}").format(stand=element.shown_name, text=text)
                blocks += text_lines(full, job.style, frame_width(job), 0.93)
    if blocks:
        yield Group(blocks, Label(_("Notes")), _("Notes"))


class Label(NamedTuple):
    """The label over what follows."""

    words: str

    def height(self, style: Style, width: float) -> float:
        return 4 * unit(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.label(x, top - 2.6 * unit(pen.style), self.words, size=least(7, pen.style))


# ---------------------------------------------------------------- generals and rounds


class General(NamedTuple):
    """A general: name, what it is worth, whether its stand is lost, and the name of its field."""

    name: str
    rating: str
    lost: bool
    field: str


def _generals(job: Job) -> tuple[General, ...]:
    return tuple(
        General(
            stand.name,
            _("{rating}: initiative {change}").format(
                rating=GENERALS[stand.element.general].name, change=signed(GENERALS[stand.element.general].value)
            ),
            stand.lost,
            f"{stand.model.path}.general.0",
        )
        for stand in army_stands(job)
        if stand.element.general
    )


STAR = Picture("star", 10, 10, 1, (star(5, 5.4, 4.6, paint=SOLID),))


ADDED = _(
    "Under a box: what the stand then adds to the die; to it come target, facing, charge and chosen rifles "
    "(+2 to shoot), see tables 7 to 10. Tinted: it routs, and rallies on 5 or 6."
)
ADDED_EARLY = _(
    "Under a box: what the stand then adds to the die; to it come target, facing and charge, see tables 7 to 10. "
    "Tinted: it routs, and rallies on 5 or 6."
)
ADDED_TO_BLANK = _(
    "Under a box: half of the strength, which is added to the die with gun, type and target (tables 7 to 10). "
    "Below half of its first strength a stand routs; it rallies on 5 or 6."
)


DONE = _("“Done”: a counter when a set has acted, cleared each round; any three stands can be a set.")


class Command(NamedTuple):
    """The generals and the command distance, and beside them the rounds."""

    job: Job
    generals: tuple[General, ...]

    def _half(self, style: Style, width: float) -> float:
        """The width of the generals: half of a wide page."""
        return width * 0.38 if width >= 150 * unit(style) else width

    def _left(self, style: Style) -> float:
        return (5.2 + 6 * max(len(self.generals), 1) + 7) * unit(style)

    def _rounds(self, style: Style, width: float) -> tuple[int, float, float]:
        """Boxes of rounds in a line, their side, and the height of all."""
        mm, half = unit(style), self._half(style, width)
        room = width - half - 4 * mm if half < width else width
        side = max(MIN_BOX * max(1.0, style.body / 9), min(5.4 * mm, room / ROUNDS - 0.4 * mm))
        across = max(1, int((room + 0.4 * mm) // (side + 0.4 * mm)))
        return across, side, 5.2 * mm + -(-ROUNDS // across) * (side + 0.6 * mm)

    def _legend(self) -> Stack:
        added = ADDED_EARLY if before_firearms(self.job.document) else ADDED
        texts = (
            added if self.generals or not self.job.blank else ADDED_TO_BLANK,
            "" if shares_blocks(self.job) else DONE,
            self._alternates(),
            self._to_agree(),
        )
        return Stack(tuple(Paragraph(text, 0.84, NARROW, "soft") for text in texts if text))

    def _alternates(self) -> str:
        """How stands and their alternates share losses, where the army has any."""
        if not any(stand.element.duplicates for stand in army_stands(self.job)):
            return ""
        return _(
            "A loss counts for the stand and for its alternate: mark it in both rows (our reading; the rulebook does "
            "not say). Motorized foot fight dismounted, their TNK with a quarter of its strength."
        )

    def _to_agree(self) -> str:
        """What the players agree on before play, said once for all stands."""
        findings = self.job.appraisal.findings
        if not any(finding.code == "needs-agreement" for finding in findings):
            return ""
        n = sum(stand.element.agreed != 0 for stand in army_stands(self.job))
        return ngettext(
            "{n} stand has a special trait: agree on it with your opponent.",
            "{n} stands have a special trait: agree on it with your opponent.",
            n,
        ).format(n=n)

    def _heights(self, style: Style, width: float) -> tuple[float, float]:
        """Heights of the generals, and of the rounds and the legend."""
        half = self._half(style, width)
        room = width - half - 4 * unit(style) if half < width else width
        return self._left(style), self._rounds(style, width)[2] + self._legend().height(style, room)

    def height(self, style: Style, width: float) -> float:
        left, right = self._heights(style, width)
        return (max(left, right) if self._half(style, width) < width else left + right) + 2.5 * unit(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, style, half = unit(pen.style), pen.style, self._half(pen.style, width)
        pen.line(x, top - 1 * mm, x + width, top - 1 * mm, HAIR, ink="line")
        top -= 2 * mm
        self._draw_generals(pen, x, top, half)
        left, room = x, width
        if half < width:
            left, room = x + half + 4 * mm, width - half - 4 * mm
        else:
            top -= self._left(style)
        self._draw_rounds(pen, left, top, width)
        self._legend().draw(pen, left, top - self._rounds(style, width)[2], room)

    def _draw_generals(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = unit(pen.style), least(10, pen.style)
        side = MIN_BOX * max(1.0, pen.style.body / 9)
        pen.label(x, top - 2.6 * mm, _("Generals"), size=least(7, pen.style))
        for number, general in enumerate(self.generals):
            baseline = top - (8.6 + 6 * number) * mm
            lost = width - 14 * mm
            pen.picture(STAR, x, baseline + 3.3 * mm, 4.4 * mm)
            pen.fit(x + 5.8 * mm, baseline, join((general.name, general.rating)), lost - 7 * mm, size, face=NARROW_BOLD)
            tooltip = _("{stand}: general lost").format(stand=general.name)
            pen.box(x + lost, baseline - 0.9 * mm, side, marked=general.lost, name=general.field, tooltip=tooltip)
            pen.fit(
                x + lost + side + 1 * mm,
                baseline,
                _("lost"),
                14 * mm - side - 1 * mm,
                least(8, pen.style),
                face=NARROW,
                ink="soft",
            )
        if not self.generals:
            pen.line(x, top - 9.4 * mm, x + width, top - 9.4 * mm, HAIR)
            pen.field("general.c0", x, top - 9.2 * mm, width, 4.6 * mm, tooltip=_("General"))
        self._draw_distance(pen, x, top - (8.6 + 6 * max(len(self.generals), 1)) * mm, width)

    def _draw_distance(self, pen: Pen, x: float, baseline: float, width: float) -> None:
        mm, size = unit(pen.style), least(8, pen.style)
        side = MIN_BOX * max(1.0, pen.style.body / 9)
        pen.text(x, baseline, _("Command distance"), size, face=NARROW, ink="soft")
        x += ems(_("Command distance"), NARROW) * size + 2 * mm
        for squares, words in ((2, _("2")), (4, _("4, with radio"))):
            tooltip = join((_("Command distance"), words), ": ")
            pen.box(x, baseline - 0.9 * mm, side, name=f"command.{squares}", tooltip=tooltip)
            pen.text(x + side + 1 * mm, baseline, words, size, face=NARROW, ink="soft")
            x += side + 4 * mm + ems(words, NARROW) * size

    def _draw_rounds(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, (across, side, _tall) = unit(pen.style), self._rounds(pen.style, width)
        pen.label(x, top - 2.6 * mm, _("Rounds: initiative, then sets in turn"), size=least(7, pen.style))
        for number in range(ROUNDS):
            row, place = divmod(number, across)
            pen.box(
                x + place * (side + 0.4 * mm), top - 5.2 * mm - side - row * (side + 0.6 * mm), side,
                name=f"round.{number}", label=str(number + 1), tooltip=_("Round {round}").format(round=number + 1),
            )  # fmt: skip


# ---------------------------------------------------------------- army morale


def thresholds(job: Job) -> Mapping[int, tuple[int, int]]:
    """By stands lost, the share of the army in percent, and the highest die on which it retreats.

    Where several shares are the same number of stands, the worst of them.
    """
    return {lost: (percent, die) for percent, lost, die in job.appraisal.facts.get("army_morale", ())}


def _lost(job: Job) -> int:
    """The stands of the army that the printed marks leave without strength."""
    everything = job._replace(options=job.options.model_copy(update={"formations": ()}))
    return sum(stand.lost for stand in army_stands(everything)) if job.options.marks else 0


class MoraleTrack(NamedTuple):
    """A box for each stand that the army can lose, with bars where it rolls whether it retreats."""

    stands: int
    lost: int
    steps: tuple[tuple[int, tuple[int, int]], ...]

    @property
    def _last(self) -> int:
        return self.stands if self.stands <= MAX_LOSSES else max(lost for lost, _step in self.steps)

    def _row(self, style: Style, width: float) -> tuple[int, float]:
        """The boxes in a row, and the step from one to the next."""
        mm, rows = unit(style), 1
        step = (7.6 if self.stands <= FEW else 5.2) * mm  # thresholds of few stands are close together
        while -(-self._last // rows) * step > width:
            rows += 1
        across = -(-self._last // rows)
        return across, min(width / across, 16 * mm)

    def height(self, style: Style, width: float) -> float:
        head = 4.2 * unit(style) + (0 if self._beside(style, width) else least(8, style) * 1.3)
        return head + -(-self._last // self._row(style, width)[0]) * 15.4 * unit(style)

    def _beside(self, style: Style, width: float) -> bool:
        """Whether the rule has room beside the head."""
        taken = Pen.label_width(_("Army morale: stands lost"), least(7, style)) + 4 * unit(style)
        return bool(ems(EACH_THRESHOLD, NARROW) * least(8, style) <= width - taken)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, (across, step) = unit(pen.style), self._row(pen.style, width)
        size = least(8, pen.style)
        pen.label(x, top - 2.6 * mm, _("Army morale: stands lost"), size=least(7, pen.style))
        if self._beside(pen.style, width):
            pen.text(x + width, top - 2.6 * mm, EACH_THRESHOLD, size, face=NARROW, align="right", ink="soft")
        else:
            top -= size * 1.3
            pen.fit(x, top - 2.6 * mm, EACH_THRESHOLD, width, size, face=NARROW, ink="soft")
        steps = dict(self.steps)
        retreat = max(steps)
        for number in range(1, self._last + 1):
            row, place = divmod(number - 1, across)
            left, low = x + place * step, top - (4.2 + row * 15.4 + 6.6) * mm
            self._box(pen, number, left, low, step)
            if number in steps:
                room = step * (number - max((each for each in steps if each < number), default=0)) - 2.8 * mm
                room = min(room, left + step - x)
                beside = number == retreat and number < self._last and _least_width(steps[number]) > room
                self._bar(pen, steps[number], left + step, low, 0 if beside else room)

    def _box(self, pen: Pen, number: int, left: float, low: float, step: float) -> None:
        mm, size = unit(pen.style), least(10, pen.style)
        wide, tall = step - 0.7 * mm, 6.6 * mm
        marked = number <= self.lost
        filled = marked and not pen.style.fillable
        pen.rect(
            left, low, wide, tall, fill=1 if filled else TINT if number >= max(dict(self.steps)) else 0, radius=RADIUS
        )
        if not filled:
            baseline = low + tall / 2 - size * 0.345
            pen.fit(left, baseline, str(number), wide, size, face=NARROW_BOLD, align="centre", ink="soft")
        tooltip = _("Army morale: stand {number} of {total} lost").format(number=number, total=self.stands)
        pen.check(f"army.lost.{number - 1}", left, low, wide, tall, marked, tooltip)

    @staticmethod
    def _bar(pen: Pen, step: tuple[int, int], right: float, low: float, room: float) -> None:
        """The bar after a box; left of it the share lost and the scores that retreat, without room right of it."""
        mm, (percent, die) = unit(pen.style), step
        edge = right - 0.35 * mm
        pen.line(edge, low + 7.4 * mm, edge, low - 6.6 * mm, 1.0 * mm)
        align: Align = "right" if room else "left"
        place = edge + (-1 if room else 1) * mm
        pen.text(place, low - 2.7 * mm, f"{percent}\xa0%", least(7, pen.style), face=NARROW, align=align, ink="soft")
        scores = retreat_scores(die)
        size = max(7.0, min(least(12, pen.style), (room or 16 * mm) / ems(scores, NAME)))
        pen.runs(place, low - 6.5 * mm, scores, size, face=NAME, align=align)


class MoraleReminder(NamedTuple):
    """When the army rolls and on which scores it retreats, for pages of the record that do not have its track."""

    steps: tuple[tuple[int, tuple[int, int]], ...]

    def height(self, style: Style, width: float) -> float:
        return 9.5 * unit(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = unit(pen.style), least(8, pen.style)
        label, baseline = _("Army retreats on"), top - 7.4 * mm
        pen.line(x, top - 2.2 * mm, x + width, top - 2.2 * mm, THICK)
        pen.label(x, baseline, label, size=least(7, pen.style))
        start = Pen.label_width(label, least(7, pen.style)) + 4 * mm
        room = (width - start) / len(self.steps)
        for place, (lost, (_percent, die)) in enumerate(self.steps):
            left, words, scores = x + start + place * room, _("{n} lost:").format(n=lost), retreat_scores(die)
            pen.fit(left, baseline, words, room / 2, size, face=NARROW, ink="soft")
            left += min(ems(words, NARROW) * size, room / 2) + 1.2 * mm
            pen.fit(left, baseline, scores, x + start + (place + 1) * room - left, least(12, pen.style), face=NAME)


def _least_width(step: tuple[int, int]) -> float:
    """The width of the scores that retreat, as small as they are printed."""
    return ems(retreat_scores(step[1]), NAME) * 7


def _morale_table(job: Job) -> Iterator[Block]:
    """The thresholds in rows; the stands are fields to fill in where the army has none."""
    columns = (
        Column(_("Share lost"), 3, face=NARROW_BOLD),
        Column(_("Stands"), 4),
        Column(_("Retreats on a D6 of"), 5),
        Column(_("Rolled"), 2),
    )
    known = {row[2]: str(row[1]) for row in job.appraisal.facts.get("army_morale", ())}
    yield Paragraph(EACH_THRESHOLD, 0.9)
    yield TableHead(columns)
    for die in range(1, 7):
        number = known.get(die) or fill_in_cell(f"army.stands.{die}")
        rolled = Boxes((False,), names=(f"army.rolled.{die}",)).cell()
        yield Row(columns, (f"{10 * die}\xa0%", number, retreat_scores(die), rolled), min_lines=1.4)
    if known:
        yield BlankLine(_("Stands lost so far:"), "army.lost")


# ---------------------------------------------------------------- blank


def _blank_record(job: Job) -> Iterator[Group]:
    across = _across(job)
    short = frame(job.options.paper)[1] < LONG
    sets = BLANK_SETS - short if across == SET else 2
    for number in range(sets):
        blocks = tuple(BlankBlock(number * SET + place, bool(job.points)) for place in range(SET))
        yield Group(_set_rows(number + 1, blocks, across))
    yield Group((Command(job, ()), Space(0.6), BlankMorale()))


class BlankMorale(NamedTuple):
    """The army-morale track without bars, and fields for the stands at which the army rolls."""

    losses: int = BLANK_LOSSES

    def height(self, style: Style, width: float) -> float:
        return (20.5 if width >= WIDE * unit(style) else 30) * unit(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = unit(pen.style), least(8, pen.style)
        wide = width >= WIDE * mm
        pen.label(x, top - 2.6 * mm, _("Army morale: stands lost"), size=least(7, pen.style))
        across = self.losses if wide else self.losses // 2
        step = width / across
        for number in range(self.losses):
            row, place = divmod(number, across)
            left, low, side = x + place * step, top - (10.4 + 6.6 * row) * mm, step - 0.5 * mm
            pen.rect(left, low, side, 6 * mm, fill=0, radius=RADIUS)
            pen.fit(left, low + 1.9 * mm, str(number + 1), side, size, face=NARROW, align="centre", ink="soft")
            tooltip = _("Army morale: stand {number} of {total} lost").format(number=number + 1, total=self.losses)
            pen.check(f"army.lost.{number}", left, low, side, 6 * mm, tooltip=tooltip)
        self._steps(pen, x, top - (15.6 if wide else 22.2) * mm, width)

    @staticmethod
    def _steps(pen: Pen, x: float, baseline: float, width: float) -> None:
        """The stands lost at which the army rolls, to fill in, and the scores on which it retreats."""
        mm, size, room = unit(pen.style), least(8, pen.style), width / 6
        for die in range(1, 7):
            left = x + (die - 1) * room
            share = f"{10 * die}\xa0%"
            pen.text(left, baseline, share, size, face=NARROW, ink="soft")
            start = ems(share, NARROW) * size + 1 * mm
            scores = retreat_scores(die)
            end = room - 2 * mm - ems(scores, NAME) * least(11, pen.style)
            pen.line(left + start, baseline - 1, left + end - 1 * mm, baseline - 1, HAIR)
            pen.field(
                f"army.stands.{die}", left + start, baseline - 1, end - start - 1 * mm, 4.6 * mm,
                tooltip=_("Stands at {share} of the army").format(share=share),
            )  # fmt: skip
            pen.text(left + end, baseline, scores, least(11, pen.style), face=NAME)
        pen.fit(x, baseline - 4.4 * mm, EACH_THRESHOLD, width, size, face=NARROW, ink="soft")
