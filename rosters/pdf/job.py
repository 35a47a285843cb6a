"""A print job: one roster, its appraisal, and the print options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import Field, PrivateAttr

from rosters.core import play
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import (
    Appraisal,
    AppraisedFormations,
    Facts,
    PricedElement,
    PricedFormation,
    Rulebook,
    merge_elements,
)
from rosters.core.documents import AnyDocument, Element, write_element
from rosters.core.findings import Finding
from rosters.core.messages import _, join
from rosters.core.play import Play, Track
from rosters.core.rulebook import Terms, Words
from rosters.core.values import FrozenModel, JsonList, Mark
from rosters.drawing.primitives import Picture
from rosters.pdf.canvas import BODY_SIZE, Style
from rosters.pdf.sections import Grid, Header, Section

LARGE_BODY_SIZE = 14.0
"""The size of running text in large print, in points."""
MIN_SCALE = 7.6 / BODY_SIZE
"""How far print shrinks to fit on a number of pages."""


class PrintOptions(FrozenModel):
    """Print options, stored with the roster."""

    paper: Literal["a4", "letter", "a5", "half-letter"] = Field("a4", title=_("Paper"))
    sheets: JsonList[str] = Field((), title=_("Sheets"))
    """Codes of sheets; empty is the pack of the game."""
    formations: JsonList[int] = ()
    """Positions of formations from 0; empty is all of them."""
    points: bool = Field(True, title=_("Show points"))
    receipts: bool = Field(
        False, title=_("How this is priced"), description=_("The steps of each price; uses more pages.")
    )
    merge: bool = Field(
        True,
        title=_("Combine identical entries"),
        description=_("One entry for all, with a box for each; uses fewer pages."),
    )
    marks: bool = Field(False, title=_("Damage from play"), description=_("Boxes marked in play are filled in."))
    large: bool = Field(False, title=_("Large text (14 pt)"), description=_("Uses more pages."))
    colour: bool = Field(True, title=_("Print in color"))
    fillable: bool = Field(False, title=_("Fillable"), description=_("PDF form fields, to play from a tablet."))
    fit: int = Field(0, ge=0, title=_("Maximum pages"), description=_("Text shrinks slightly to fit."))
    choices: dict[str, str] = {}
    """The answers to a system's own questions, such as the size of counters."""

    _scale: float = PrivateAttr(1.0)

    @property
    def half(self) -> bool:
        """Whether the paper is half a sheet."""
        return self.paper in ("a5", "half-letter")

    @property
    def style(self) -> Style:
        return Style((LARGE_BODY_SIZE if self.large else BODY_SIZE) * self._scale, self.colour, self.fillable)

    @property
    def scale(self) -> float:
        """The size of print, relative to normal print."""
        return self._scale

    def with_scale(self, scale: float) -> PrintOptions:
        """The same options for smaller print."""
        options = self.model_copy()
        options._scale = scale
        return options


class Choice(NamedTuple):
    """A question of one system's sheets: its label, its answers by code, the default first, and the codes of the
    sheets that it changes (all if there are none).
    """

    label: str
    answers: Mapping[str, str]
    sheets: tuple[str, ...] = ()


class PrintedModel(NamedTuple):
    """One model: the prefix of its form fields' names, and its damage."""

    path: str
    mark: Mark | None
    name: str
    """The element's name, numbered where there are several."""


class PrintedElement(NamedTuple):
    """Elements that are printed as one: equal ones merged, or a single model. ``models`` are built on demand."""

    element: Element
    priced: PricedElement
    description: str
    sources: tuple[tuple[int, int, Element], ...]
    """Formation's and element's position, and the element, of each element that was merged."""
    only: int | None = None
    """The index of the model, if models are printed one by one."""

    @property
    def quantity(self) -> int:
        return 1 if self.only is not None else self.priced.quantity

    @property
    def name(self) -> str:
        if self.only is None or self.element.quantity == 1:
            return self.element.display_name
        return join((self.element.display_name, str(self.only + 1)), " ")

    @property
    def path(self) -> str:
        """The path of the first element."""
        formation, element, _ = self.sources[0]
        return f"f{formation}.e{element}"

    @property
    def models(self) -> Iterator[PrintedModel]:
        for f, e, element in self.sources:
            numbers = range(element.quantity) if self.only is None else (self.only,)
            for number in numbers:
                mark = element.marks[number] if number < len(element.marks) else None
                name = element.display_name
                if element.quantity > 1:
                    name = join((name, str(number + 1)), " ")
                yield PrintedModel(f"f{f}.e{e}.m{number}", mark, name)


def counters(draw: Callable[..., Picture]) -> Callable[..., Picture]:
    """A system's ``counter_of(element, terms, large=..., points=...)``, which draws each element of a job once.

    The key has the whole element, because some counters show the name.
    """
    pictures: dict[tuple[str, bool, str], Picture] = {}

    def counter(element: Element, terms: Terms[Any], *, large: bool, points: str) -> Picture:
        key = element.json_text, large, points
        if key not in pictures:
            pictures[key] = draw(element, terms, large=large, points=points)
        return pictures[key]

    return counter


class Job(NamedTuple):
    """One roster to print: its document, with its appraisal and appraised elements."""

    document: AnyDocument
    appraisal: Appraisal
    appraised: AppraisedFormations
    terms: Terms[Any]
    rules: Rulebook
    scenario: str
    """The names of the scenario and of the side in it; "" for none."""
    play: Play
    counter_of: Callable[..., Picture]
    """The picture of an element, from `counters`."""
    options: PrintOptions
    header: Header
    findings_by_position: Mapping[str, Sequence[Finding]]
    """Findings by their position, errors first."""
    blank: bool = False
    diagrams: Mapping[str, Picture] = {}
    """The diagrams of the game's terms, by their codes and names."""
    printed_panels: frozenset[str] = frozenset()
    """The titles of the panels that other sheets of the print have."""

    @property
    def words(self) -> Words:
        return self.rules.WORDS

    @property
    def style(self) -> Style:
        return self.options.style

    @property
    def points(self) -> str:
        """The word for points, "" where none are printed."""
        return self.words.points if self.options.points and self.appraisal.points is not None else ""

    def choice(self, code: str, default: str) -> str:
        return self.options.choices.get(code, default)

    def formations(self) -> Iterator[tuple[int, Any, PricedFormation]]:
        """The formations to print, with their positions."""
        pairs = zip(self.document.formations, self.appraisal.formations, strict=True)
        for number, (formation, priced) in enumerate(pairs):
            if not self.options.formations or number in self.options.formations:
                yield number, formation, priced

    def entries(self, number: int) -> Iterator[PrintedElement]:
        """The entries of a formation: equal elements merged, or every model by itself, by the options."""
        merged = self.merged(number)
        return merged if self.options.merge else (single for entry in merged for single in _single_models(entry))

    def merged(self, number: int) -> Iterator[PrintedElement]:
        """The elements of a formation, those of equal name, notes and profile as one."""
        formation, priced = self.document.formations[number], self.appraisal.formations[number]
        entries: dict[Any, PrintedElement] = {}
        for e, (element, price) in enumerate(zip(formation.elements, priced.elements, strict=True)):
            key = _merge_key(element) if self.options.merge else e
            source = (number, e, element)
            if key in entries:
                was = entries[key]
                priced_both = merge_elements((was.priced, price))
                entries[key] = was._replace(priced=priced_both, sources=(*was.sources, source))
            else:
                entries[key] = PrintedElement(element, price, self.appraised[number].elements[e].description, (source,))
        return iter(entries.values())

    def tracks(self, element: Element) -> tuple[Track, ...]:
        return tuple(self.play.tracks(element, self.terms))

    def marked(self, track: Track, mark: Mark | None) -> tuple[bool, ...]:
        """Which boxes are marked in print: none unless damage is printed."""
        return play.marked_boxes(track, mark if self.options.marks else None)

    def counter(self, element: Element, *, large: bool = True, points: str = "") -> Picture:
        """The picture of an element, as on the pages of the web."""
        return self.counter_of(element, self.terms, large=large, points=points)

    def facts(self, values: Facts) -> Iterator[tuple[str, str]]:
        """The facts of a formation or a roster that pages show, except those of 0: their labels and values."""
        for name, value in values.items():
            fact = self.rules.FACTS.get(name)
            if value and fact and not isinstance(value, list | dict) and fact.scenario in ("", self.document.scenario):
                yield fact.label, str(value)

    def name_at(self, numbers: Sequence[int]) -> str:
        """The name of the formation, or of the element, at these positions; "" for the roster."""
        if not numbers:
            return ""
        formation = self.document.formations[numbers[0]]
        if len(numbers) == 1:
            return str(formation.name or self.words.formation)
        return str(formation.elements[numbers[1]].name.strip() or self.words.element)

    def findings(self, where: str) -> Sequence[Finding]:
        """The findings at a place, errors first."""
        return self.findings_by_position.get(where, ())

    def amount(self, amount: Amount | None) -> str:
        """Points as printed, "" where none are."""
        return format_amount(amount) if self.points else ""


def _merge_key(element: Element) -> str:
    data = write_element(element)
    return repr({key: value for key, value in data.items() if key not in ("id", "quantity", "marks")})


def _single_models(entry: PrintedElement) -> Iterator[PrintedElement]:
    for f, e, element in entry.sources:
        for number in range(element.quantity):
            yield entry._replace(element=element, sources=((f, e, element),), only=number)


SheetContent = Iterable[Section | Grid]


class Sheet(NamedTuple):
    """A kind of sheet: its code, name and purpose; the function that returns its sections; and whether a roster's pack
    has it.

    ``shared`` sheets are printed once for all rosters of a battle; what is ``on_cover`` is not printed again.
    Sheets to ``cut_out`` share pages in a battle. The reference leaves out ``panels`` (titles) that other sheets have.
    The blank sheets of a game are those that are not shared, or to ``fill_in``.
    """

    code: str
    name: str
    text: str
    draw: Callable[[Job], SheetContent]
    pack: Callable[[Job], bool] = lambda job: True
    shared: bool = False
    on_cover: bool = False
    cut_out: bool = False
    fill_in: bool = False
    panels: frozenset[str] = frozenset()


def never(job: Job) -> bool:
    """For sheets that are printed on request alone."""
    return False
