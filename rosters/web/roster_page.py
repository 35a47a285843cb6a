"""View models: the values on the pages of a roster, from its document and appraisal. No points are computed here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote_plus
from weakref import WeakKeyDictionary

from django.core.paginator import Page, Paginator
from django.utils.translation import get_language

from rosters import registry
from rosters.core.amounts import Amount, format_amount, format_exact, to_amount
from rosters.core.appraisals import (
    Appraisal,
    AppraisedElement,
    Facts,
    PricedElement,
    RosterState,
    terms_of,
    with_to_do,
)
from rosters.core.cache import MemoryCache
from rosters.core.crests import crest_of
from rosters.core.documents import AnyDocument, Element, profile_key
from rosters.core.findings import SEVERITIES, Finding, findings_by_position, path_to
from rosters.core.grid import GridCell, GridColumn
from rosters.core.messages import Message, _, join_names, ngettext, translate
from rosters.core.play import KeyFigure, Panel, StatLine, damage_lines, roster_names
from rosters.core.receipts import Bar, Step, format_operation, waterfall
from rosters.core.shares import PointsShare, points_shares
from rosters.drawing import plots
from rosters.drawing.svg import Symbol, svg, symbol
from rosters.drawing.track import track
from rosters.registry import System

ValueT = TypeVar("ValueT")

ROWS_PER_PAGE = 100
"""Rows of a roster on one page, up to a quarter more on the last; no known roster needs a second page."""
FINDINGS_PER_PAGE = 100
LINKS_PER_FINDING = 20
MAX_EQUAL_COUNTERS = 12
"""With more equal models than this the order of battle has one counter for all of them."""
MAX_COUNTERS = 60
"""With more models than this in a formation each of its rows has one counter."""
NO_QUERY: Mapping[str, Any] = MappingProxyType({})


class ReceiptStep(NamedTuple):
    """A step of a receipt as shown."""

    label: str
    change: str
    subtotal: str
    exact: str
    bar: Bar


class Points(NamedTuple):
    """An amount as exact text, for the attribute data-points, and for display."""

    exact: str
    shown: str


class Budget(NamedTuple):
    """The points limit, what is left of it or ``over`` it, and the share used in percent.

    ``limit_at`` is where the limit is on a bar of all points, in percent.
    """

    limit: str
    left: str
    over: bool
    share: int
    limit_at: int = 100


class PlacedFinding(NamedTuple):
    """A finding with the name of its element or formation, and a link to that on the roster's page."""

    code: str
    severity: str
    where: str
    message: str
    about: str
    link: str


class FixButton(NamedTuple):
    """A button that fixes a finding: the key of the fix, its label, and how it changes the points, or nothing."""

    key: str
    label: str
    points: str


class FindingGroup(NamedTuple):
    """Equal findings as one, with all their places. Hashable, so that the template's part can be cached."""

    code: str
    severity: str
    message: str
    places: tuple[PlacedFinding, ...]
    fixes: tuple[FixButton, ...] = ()

    @property
    def shown(self) -> tuple[PlacedFinding, ...]:
        """The places that get a link, the first few; the roster itself gets none."""
        return tuple(place for place in self.places[:LINKS_PER_FINDING] if place.about or place.link)

    @property
    def more(self) -> int:
        """The number of places that are not linked to."""
        return max(0, len(self.places) - LINKS_PER_FINDING)

    @property
    def other_fixes(self) -> int:
        """The number of fixes that are folded: all but the best three."""
        return max(0, len(self.fixes) - 3)


class FindingCount(NamedTuple):
    """The number of findings of the worst severity, for display beside the verdict."""

    severity: str
    number: int
    text: Message


class Summary(NamedTuple):
    """What a page says of a roster before its table: the points, the verdict, and the worst of its findings."""

    total: Points
    budget: Budget | None
    quantity: int
    legal: bool
    findings: FindingCount | None
    shares: tuple[PointsShare, ...] = ()
    unrounded: str = ""
    """The sum of the formations' points where the rules round it, else ""."""

    @property
    def is_over(self) -> bool:
        """Whether it has more points than its limit."""
        return self.budget is not None and self.budget.over

    @property
    def stage(self) -> str:
        """What comes next: "begin", "build", or "share" when it is legal and at most a tenth of its limit is left."""
        if not self.quantity:
            return "begin"
        return "share" if self.legal and (not self.budget or self.budget.share >= 90) else "build"


class Cell(NamedTuple):
    """What a row shows in a column: a text, which may stand for a picture or be a link; the value of its form field."""

    text: str
    value: str = ""
    picture: Symbol | None = None
    """A track of boxes, of which the text says the same in words."""
    link: str = ""
    """How a chance is computed."""
    level: int = 0
    """That of the color of a chance."""
    title: str = ""


class PlotView(NamedTuple):
    """A plot as SVG, and the same as a table, whose rows may have pictures of their own."""

    svg: str
    table: Panel
    row_pictures: tuple[str, ...]

    def rows(self) -> Iterable[tuple[str, tuple[Any, ...]]]:
        """Each row of the table with its picture, "" if it has none."""
        pictures = self.row_pictures or [""] * len(self.table.rows)
        return zip(pictures, self.table.rows, strict=True)


class KeyFigureCell(NamedTuple):
    """A figure of one roster as shown, its bar's share in percent, and whether it is the highest of different ones."""

    shown: str
    share: int
    highest: bool


class KeyFigureRow(NamedTuple):
    """A figure of several rosters, in their order."""

    label: str
    cells: tuple[KeyFigureCell, ...]


class ElementRow(NamedTuple):
    """The row of an element. Hashable, so that the rendered row can be cached."""

    id: str
    name: str
    display_name: str
    notes: str
    quantity: int
    description: str
    cells: tuple[tuple[GridColumn, Cell], ...]
    unit_points: str
    points: str
    exact: str
    findings: tuple[Finding, ...]
    receipt: tuple[ReceiptStep, ...]
    plot: PlotView | None
    secret: bool
    counter: Symbol
    damage: tuple[str, ...]
    """The damage of its models in words, if the document has any."""
    owned: tuple[int, int, int] | None = None
    """How many of its models the visitor owns, the whole roster needs, and are painted; None without a shelf."""
    same_receipt: tuple[tuple[str, str], ...] = ()
    """Id and name of the other elements of the page that this row's receipt stands for."""
    receipt_at: str = ""
    """The id of the element whose row has the receipt, if this one's is equal."""


class FormationView(NamedTuple):
    """A formation with those of its rows that are on this page. Hashable, as rows are."""

    id: str
    name: str
    notes: str
    quantity: int
    """Its elements as the rules count them."""
    points: Points
    facts: tuple[tuple[str, str | int], ...]
    track: Symbol | None
    """A box for each of its elements, with a bar where losses matter."""
    findings: tuple[Finding, ...]
    rows: tuple[ElementRow, ...]
    continued: bool
    """Whether its first rows are on an earlier page."""

    @property
    def order_of_battle(self) -> list[tuple[ElementRow, range]]:
        """Its rows in the order of battle: with a counter for each model, with one where there are too many to see."""
        few = self.quantity <= MAX_COUNTERS
        return [(row, range(row.quantity if few and row.quantity <= MAX_EQUAL_COUNTERS else 1)) for row in self.rows]


class RosterPage(NamedTuple):
    """A roster as its pages need it."""

    system: System
    document: AnyDocument
    appraisal: Appraisal
    formations: list[FormationView]
    findings: tuple[PlacedFinding, ...]
    budget: Budget | None
    page: Page[tuple[int, int]]
    """The page that is shown of all rows, which are named by the indexes of formation and element."""
    findings_page: Page[FindingGroup]
    more_columns: tuple[GridColumn, ...] = ()
    """Columns after those that the game declares."""

    @property
    def words(self) -> Any:
        """The system's own labels; without points (`Words.has_points`) where the owner hides them."""
        words = self.system.rules.WORDS
        return words if self.appraisal.points is not None else words._replace(points="")

    @property
    def total(self) -> Points:
        """The roster's points."""
        return points(self.appraisal.points)

    @property
    def crest(self) -> str:
        """The seed of the roster's crest."""
        return crest_of(self.document)

    @property
    def columns(self) -> tuple[GridColumn, ...]:
        """The columns between an element's name and its points."""
        return (*self.system.grid.COLUMNS, *self.more_columns)

    @property
    def builder_colspan(self) -> int:
        """The number of columns before the points in the builder's table."""
        return self.shared_colspan + 1

    @property
    def shared_colspan(self) -> int:
        """The number of columns before the points in a shared page's table."""
        return len(self.columns) + (4 if self.words.has_points else 3)

    @property
    def counters(self) -> Iterable[Symbol]:
        """The counters and tracks of the rows on this page, each once."""
        rows = [row for formation in self.formations for row in formation.rows]
        cells = (cell.picture for row in rows for _column, cell in row.cells)
        tracks = filter(None, (*(each.track for each in self.formations), *cells))
        return {picture.id: picture for picture in (*(row.counter for row in rows), *tracks)}.values()

    @property
    def plots(self) -> list[PlotView]:
        """The gauges of the roster: losses until an effect."""
        gauges = self.system.play.gauges(self.document, terms_of(self.document)) if self.appraisal.quantity else ()
        return [_plot_view(plots.losses(gauge)) for gauge in gauges if not gauge.where]

    @property
    def summary(self) -> Summary:
        """The roster in a line."""
        worst = count_worst(list(self.findings_page.paginator.object_list))
        shares = points_shares(self.document, self.appraisal, self.system.grid.category)
        exact, points = self.appraisal.exact, self.appraisal.points
        unrounded = "" if exact == points else format_amount(exact)
        return Summary(self.total, self.budget, self.appraisal.quantity, self.appraisal.legal, worst, shares, unrounded)

    @property
    def scenario(self) -> str:
        """Scenario and side in words."""
        scenario = self.system.rules.SCENARIOS.get(self.document.scenario or "")
        return scenario.side_label(self.document.side) if scenario else ""


def build_page(state: RosterState, query: Mapping[str, Any] = NO_QUERY, *, in_builder: bool = False) -> RosterPage:
    """The page of a roster, as a query asks (``RosterQuery``).

    ``receipt`` holds ids of elements, or "all", whose receipts to show; ``page`` and ``findings`` are numbers of pages,
    and the page of the element or formation ``at`` is shown where there is no number.
    """
    document, appraisal = state.document, state.appraisal
    shown = findings_for_owner(appraisal) if in_builder else appraisal.findings
    placed = findings(document, shown)
    page = page_of_rows(document, query)
    receipts: frozenset[str] = query.get("receipt", frozenset())
    formations = _formations(state, shown, page, receipts)
    return RosterPage(
        registry.SYSTEMS[document.system],
        document,
        appraisal,
        _merge_receipts(formations) if "all" in receipts else formations,
        placed,
        budget_of(appraisal),
        page,
        Paginator(group_findings(placed), FINDINGS_PER_PAGE).get_page(query.get("findings")),
    )


def page_of_rows(document: AnyDocument, query: Mapping[str, Any]) -> Page[tuple[int, int]]:
    """The page of rows that a query asks for. A formation without elements counts as a row."""
    rows = _rows(document)
    paginator = Paginator(rows, ROWS_PER_PAGE, orphans=ROWS_PER_PAGE // 4)
    number = query.get("page")
    if paginator.num_pages > 1 and not number:
        targets = {query.get("at"), *query.get("receipt", ())} - {None, ""}
        matches = (n for n, row in enumerate(rows) if not targets.isdisjoint(_ids(document, *row)))
        number = min((next(matches, 0) if targets else 0) // ROWS_PER_PAGE + 1, paginator.num_pages)
    return paginator.get_page(number)


def _ids(document: AnyDocument, f: int, e: int) -> tuple[str | None, ...]:
    """The ids of a row: its formation's if it is the first row, and its element's."""
    formation = document.formations[f]
    return (formation.id if e == 0 else None, *(each.id for each in formation.elements[e : e + 1]))


def figures_of(states: Sequence[RosterState]) -> Iterator[KeyFigureRow]:
    """Points, models and what matters in the game, of rosters side by side; nothing that all lack or one hides."""
    for figures in zip(*map(_figures, states), strict=True):
        values = [figure.value for figure in figures if figure.value is not None]
        if len(values) == len(figures) and any(values):
            highest = max(values)
            cells = (KeyFigureCell(format_amount(v), _share(v, highest), v == highest > min(values)) for v in values)
            yield KeyFigureRow(figures[0].label, tuple(cells))


def _share(value: Amount, highest: Amount) -> int:
    """Percent of the longest bar of its row; at least 1 for what is more than nothing."""
    return max(round(100 * value / highest), 1) if value > 0 else 0


def _figures(state: RosterState) -> Iterator[KeyFigure]:
    system, appraisal = registry.SYSTEMS[state.document.system], state.appraisal
    words = system.rules.WORDS
    if words.has_points:
        yield KeyFigure(words.points_heading, appraisal.points)
    yield KeyFigure(words.elements, appraisal.quantity)
    yield from system.play.figures(state.document, terms_of(state.document))


def link_to(kind: str, uid: str, document: AnyDocument) -> str:
    """The query and the fragment that lead from a page of a roster to an element ("e") or a formation ("f") of it."""
    return _link(kind, uid, len(_rows(document)))


def _link(kind: str, uid: str, rows: int) -> str:
    query = f"?at={quote_plus(uid)}" if rows > ROWS_PER_PAGE else ""
    return f"{query}#{kind}-{uid}"


def _rows(document: AnyDocument) -> list[tuple[int, int]]:
    """The indexes of formation and element of each row."""
    return [(f, e) for f, each in enumerate(document.formations) for e in range(len(each.elements) or 1)]


def _formations(
    state: RosterState, shown: Iterable[Finding], page: Page[tuple[int, int]], receipts: frozenset[str]
) -> list[FormationView]:
    system, terms = registry.SYSTEMS[state.document.system], terms_of(state.document)
    by_place = findings_by_position(shown)

    def row(where: str, element: Element, appraised: AppraisedElement, priced: PricedElement) -> ElementRow:
        return ElementRow(
            id=str(element.id),
            name=element.name,
            display_name=element.display_name,
            notes=element.notes,
            quantity=element.quantity,
            description=appraised.description,
            cells=_cells(system, appraised, terms),
            unit_points=format_amount(priced.unit_points),
            points=format_amount(priced.points),
            exact="" if priced.points is None else format_exact(priced.points),
            findings=tuple(by_place.get(where, ())),
            receipt=receipt(priced) if receipts & {element.id, "all"} else (),
            plot=plot_of(system, appraised.element, terms) if element.id in receipts else None,
            secret=element.secret,
            counter=counter_of(system, appraised, terms, format_amount(priced.unit_points)),
            damage=tuple(damage_lines(element, system.play.tracks(element, terms))) if element.marks else (),
        )

    def section(f: int, numbers: list[int]) -> FormationView:
        formation, appraised, priced = state.document.formations[f], state.appraised[f], state.appraisal.formations[f]
        every = [*zip(formation.elements, appraised.elements, priced.elements, strict=True)]
        rows = tuple(row(f"{path_to(f)}/elements/{e}", *every[e]) for e in numbers if every)
        placed = by_place.get(path_to(f), ()) if state.appraisal.quantity else ()
        return _formation(state, f, rows, placed, is_continued=numbers[0] > 0)

    return [section(f, [e for _f, e in places]) for f, places in groupby(page, key=itemgetter(0))]


def _formation(
    state: RosterState, f: int, rows: tuple[ElementRow, ...], placed: Iterable[Finding], *, is_continued: bool
) -> FormationView:
    system, headcount = registry.SYSTEMS[state.document.system], state.appraised[f].headcount
    formation, priced = state.document.formations[f], state.appraisal.formations[f]
    return FormationView(
        id=str(formation.id),
        name=formation.name,
        notes=formation.notes,
        quantity=headcount,
        points=points(priced.points),
        facts=facts(priced.facts, system, state.document.scenario),
        track=_losses(headcount, priced.facts, system),
        findings=tuple(placed),
        rows=rows,
        continued=is_continued,
    )


def _merge_receipts(formations: list[FormationView]) -> list[FormationView]:
    """The formations with each of several equal receipts once, at the first element that has it."""
    equal: dict[tuple[ReceiptStep, ...], list[ElementRow]] = {}
    for row in (row for formation in formations for row in formation.rows if row.receipt):
        equal.setdefault(row.receipt, []).append(row)

    def merged(row: ElementRow) -> ElementRow:
        first, *others = equal.get(row.receipt, [row])
        if row is first:
            return row._replace(same_receipt=tuple((each.id, each.display_name) for each in others))
        return row._replace(receipt=(), receipt_at=first.id)

    return [formation._replace(rows=tuple(merged(row) for row in formation.rows)) for formation in formations]


def _cached_by_element(
    compute: Callable[[System, AppraisedElement, Any], ValueT],
) -> Callable[[System, AppraisedElement, Any], ValueT]:
    """Cache what depends on an appraised element and its terms alone, as long as a cached state has that element."""
    values: WeakKeyDictionary[AppraisedElement, ValueT] = WeakKeyDictionary()

    @wraps(compute)
    def cached(system: System, appraised: AppraisedElement, terms: Any) -> ValueT:
        value = values.get(appraised)
        if value is None:
            value = values[appraised] = compute(system, appraised, terms)
        return value

    return cached


@_cached_by_element
def _cells(system: System, appraised: AppraisedElement, terms: Any) -> tuple[tuple[GridColumn, Cell], ...]:
    cells = (
        Cell(cell.text, cell.value, title=cell.title)
        if isinstance(cell, GridCell)
        else Cell(cell.text, picture=symbol(track(cell.boxes, cell.breaks)))
        for cell in system.grid.cells(appraised.element, terms)
    )
    return tuple(zip(system.grid.COLUMNS, cells, strict=True))


@_cached_by_element
def stats_of(system: System, appraised: AppraisedElement, terms: Any) -> StatLine:
    """What the stat card of an element shows."""
    return system.play.stat_line(appraised.element, terms)


def illegal_names(states: Sequence[RosterState]) -> str:
    """The rosters that break a rule, by name, "" if there are none; an empty one is in progress."""
    named = zip(roster_names(states), (state.appraisal for state in states), strict=True)
    return translate(join_names(name for name, each in named if each.quantity > 0 and not each.legal))


def is_built(states: Sequence[RosterState]) -> bool:
    """Whether each roster has elements."""
    return all(state.appraisal.quantity for state in states)


def is_close(states: Sequence[RosterState]) -> bool:
    """Whether their points differ by at most 5 % of the largest; also where points are hidden or there are none."""
    points = [state.appraisal.points for state in states]
    known = [amount for amount in points if amount is not None]
    return len(known) < max(len(points), 2) or 20 * (max(known) - min(known)) <= max(known)


def damage_tracks(system: System, element: Element, terms: Any) -> list[tuple[str, int, str]]:
    """The tracks of boxes that a model loses one by one: label, number of boxes, and picture as SVG."""
    tracks = (each for each in system.play.tracks(element, terms) if each.kind == "count" and not each.aside)
    return [(each.label, len(each.boxes), svg(track(len(each.boxes), each.bar or 0))) for each in tracks]


_counters = MemoryCache[tuple[Any, ...], Symbol](8 << 20)
"""Counters by game, profile, terms, price and words: equal elements share one. Half of a fixed version's time."""
COUNTER_BYTES = 4096
"""A counter and its key with a profile's objects: estimated from above, as measuring takes longer than drawing."""
_counters_by_element: WeakKeyDictionary[AppraisedElement, tuple[str, Symbol]] = WeakKeyDictionary()
"""The counters of elements in cached states, which saves making their keys, a fifth of the builder; with points, which
others may not see.
"""


def counter_of(system: System, appraised: AppraisedElement, terms: Any, points: str) -> Symbol:
    """The counter of an element, with the points of one model as shown, "" if they are not."""
    known, counter = _counters_by_element.get(appraised, ("", None))
    if counter is None or known != points:
        counter = _counter(system, appraised.element, terms, points)
        _counters_by_element[appraised] = (points, counter)
    return counter


_plots = MemoryCache[tuple[Any, ...], PlotView](8 << 20)
"""Plots by game, profile, terms and language: 7 % of a form."""
PLOT_BYTES = 16384
"""A plot and its key: estimated from above, as for counters."""


def plot_of(system: System, element: Element, terms: Any) -> PlotView | None:
    """What an element can do, as a plot; None for an element without one."""
    key = (system.slug, profile_key(element), terms, get_language())
    view = _plots.get(key)
    if view is None and (plot := system.drawing.plot_of(element, terms)):
        view = _plot_view(plot)
        _plots.set(key, view, PLOT_BYTES)
    return view


def _plot_view(plot: plots.Plot) -> PlotView:
    picture = svg(plot.picture) if plot.picture else ""
    return PlotView(picture, plot.table, tuple(map(svg, plot.row_pictures)))


class Counters(NamedTuple):
    """The counter of an element in both sizes."""

    large: Symbol
    small: Symbol


def large_and_small_counter(system: System, element: Element, terms: Any, each: Amount | None) -> Counters:
    """The counter of an element in both sizes: the small one has fewer words, which are read at its size."""
    points = "" if each is None else format_amount(each)
    return Counters(*(_counter(system, element, terms, points, large=large) for large in (True, False)))


def strip_counter(system: System, element: Element, terms: Any) -> Symbol:
    """The counter of an element in a list of rosters, without its points."""
    return _counter(system, element, terms, "")


def distinct_counters(counters: Iterable[Symbol]) -> list[Symbol]:
    """Each counter once."""
    return [*{counter.id: counter for counter in counters}.values()]


def _counter(system: System, element: Element, terms: Any, points: str, *, large: bool = False) -> Symbol:
    words = (element.name, get_language()) if large else None  # a large one shows its name
    key = (system.slug, profile_key(element), terms, points, words)
    counter = _counters.get(key)
    if counter is None:
        counter = symbol(system.drawing.counter_of(element, terms, large=large, points=points))
        _counters.set(key, counter, COUNTER_BYTES * (3 if large else 1))
    return counter


def receipt(priced: PricedElement) -> tuple[ReceiptStep, ...]:
    """The steps of an element's receipt, as shown."""
    if priced.receipt is None:
        return ()
    steps = (*priced.receipt.steps, Step(_("Total"), "", priced.receipt.unit_points))
    return tuple(
        ReceiptStep(label, format_operation(change), format_amount(subtotal), format_exact(subtotal), bar)
        for (label, change, subtotal), bar in zip(steps, waterfall(priced.receipt), strict=True)
    )


def findings(document: AnyDocument, all_findings: Iterable[Finding]) -> tuple[PlacedFinding, ...]:
    """Findings, errors first, each with the name of its element or formation and a link to that."""
    rows = len(_rows(document))
    placed = (PlacedFinding(*finding, *_about(document, finding.where, rows)) for finding in all_findings)
    return tuple(sorted(placed, key=lambda finding: SEVERITIES.index(finding.severity)))


def findings_for_owner(appraisal: Appraisal) -> tuple[Finding, ...]:
    """The findings of a roster, with what it lacks to do: most of that it lacks from its first line on."""
    return tuple(with_to_do(appraisal.findings, registry.SYSTEMS[appraisal.system].rules))


def group_findings(placed: Iterable[PlacedFinding]) -> tuple[FindingGroup, ...]:
    """Findings, those with the same text as one, and those of a kind one after the other, in the order of the first."""
    kinds: dict[tuple[str, str], dict[str, list[PlacedFinding]]] = {}
    for finding in placed:
        kinds.setdefault((finding.code, finding.severity), {}).setdefault(finding.message, []).append(finding)
    return tuple(
        FindingGroup(*kind, message, tuple(places))
        for kind, messages in kinds.items()
        for message, places in messages.items()
    )


def count_worst(groups: Sequence[FindingGroup]) -> FindingCount | None:
    """The number of findings of the first severity, of groups with errors first."""
    if not groups:
        return None
    severity = groups[0].severity
    number = len([group for group in groups if group.severity == severity])
    texts = {
        "error": ngettext("{n} error", "{n} errors", number),
        "to-do": ngettext("{n} to do", "{n} to do", number),
        "warning": ngettext("{n} warning", "{n} warnings", number),
        "note": ngettext("{n} note", "{n} notes", number),
    }
    return FindingCount(severity, number, texts[severity].format(n=number))


def _about(document: AnyDocument, where: str, rows: int) -> tuple[str, str]:
    _, *numbers = where.split("/")
    if not numbers:
        return "", ""
    formation = document.formations[int(numbers[0])]
    if len(numbers) == 1:
        return formation.name, _link("f", str(formation.id), rows)
    element = formation.elements[int(numbers[2])]
    return translate(element.display_name), _link("e", str(element.id), rows)


def facts(values: Facts, system: System, scenario: str | None) -> tuple[tuple[str, str | int], ...]:
    """Facts as pairs of labels and values; tables are for sheets. An old revision may have one without a label."""
    declared = system.rules.FACTS
    return tuple(
        (declared[name].label if name in declared else name, value)
        for name, value in values.items()
        if not isinstance(value, list | dict) and (name not in declared or declared[name].scenario in ("", scenario))
    )


def _losses(elements: int, values: Facts, system: System) -> Symbol | None:
    """The boxes of a formation's elements, if a number of losses matters and they are few enough for a line."""
    counted = (name for name, fact in system.rules.FACTS.items() if fact.counts_losses)
    at = next((values[name] for name in counted if values.get(name)), 0)
    return symbol(track(elements, at)) if at and 1 < elements <= MAX_EQUAL_COUNTERS else None


def points(amount: Amount | None) -> Points:
    """An amount exactly, and as shown."""
    return Points("" if amount is None else format_exact(amount), format_amount(amount))


def budget_of(appraisal: Appraisal) -> Budget | None:
    """The budget of a roster; None without a limit, and where points are hidden."""
    if appraisal.budget is None or appraisal.points is None:
        return None
    budget = to_amount(appraisal.budget)
    left = budget - appraisal.points
    share = min(100, max(0, int(Fraction(100 * appraisal.points) / budget))) if budget > 0 else 100
    limit_at = max(0, int(Fraction(100 * budget) / appraisal.points)) if left < 0 < appraisal.points else 100
    return Budget(format_amount(budget), format_amount(-left if left < 0 else left), left < 0, share, limit_at)
