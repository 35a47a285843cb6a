"""The values on the pages of a roster, from its document and appraisal. Nothing is computed here."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from rosters import registry
from rosters.core.amounts import Amount, format_amount, format_exact, to_amount, with_minus_sign
from rosters.core.appraisals import Appraisal, Facts, Line, PricedElement, PricedFormation
from rosters.core.documents import AnyDocument, Element, Formation
from rosters.core.findings import Finding
from rosters.registry import System
from rosters.store.state import RosterState

SEVERITIES = ("error", "warning", "note")


class Step(NamedTuple):
    """A step of a receipt as shown."""

    label: str
    change: str
    subtotal: str
    exact: str


class Points(NamedTuple):
    """An amount exactly, for data-points, and as shown."""

    exact: str
    shown: str


class Budget(NamedTuple):
    """The points limit, what is left of it or ``over`` it, and the share used in percent."""

    limit: str
    left: str
    over: bool
    share: int


class PlacedFinding(NamedTuple):
    """A finding with the name and the anchor of what it is about."""

    code: str
    severity: str
    where: str
    message: str
    about: str
    anchor: str


class Row(NamedTuple):
    """An element as its row shows it. A value, so that its rendered row can be cached."""

    id: str
    name: str
    notes: str
    quantity: int
    line: str
    each: str
    points: str
    exact: str
    findings: tuple[Finding, ...]
    receipt: tuple[Step, ...]
    secret: bool


class Section(NamedTuple):
    """A formation as its pages show it. A value, as a row is."""

    id: str
    name: str
    notes: str
    points: Points
    facts: tuple[tuple[str, str | int], ...]
    findings: tuple[Finding, ...]
    rows: tuple[Row, ...]


class RosterPage(NamedTuple):
    """A roster as its pages need it."""

    system: System
    document: AnyDocument
    appraisal: Appraisal
    formations: list[Section]
    findings: tuple[PlacedFinding, ...]
    budget: Budget | None

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
    def scenario(self) -> str:
        """Scenario and side in words."""
        scenario = self.system.rules.SCENARIOS.get(self.document.scenario or "")
        return scenario.side_label(self.document.side) if scenario else ""


def roster_page(state: RosterState, receipts: frozenset[str] = frozenset()) -> RosterPage:
    """The page of a roster; ``receipts`` are the ids of elements whose receipts to show, or "all"."""
    document, appraisal = state.document, state.appraisal
    return RosterPage(
        registry.SYSTEMS[document.system],
        document,
        appraisal,
        _formations(state, receipts),
        findings(document, appraisal.findings),
        budget_of(appraisal),
    )


def _formations(state: RosterState, receipts: frozenset[str]) -> list[Section]:
    document, appraisal = state.document, state.appraisal
    by_place: dict[str, list[Finding]] = {}
    for finding in appraisal.findings:
        by_place.setdefault(finding.where, []).append(finding)

    def row(where: str, line: Line, priced: PricedElement) -> Row:
        element = line.element
        shows_receipt = element.id in receipts or "all" in receipts
        return Row(
            str(element.id),
            element.name,
            element.notes,
            element.quantity,
            line.description,
            format_amount(priced.each),
            format_amount(priced.points),
            "" if priced.points is None else format_exact(priced.points),
            tuple(by_place.get(where, ())),
            receipt(priced) if shows_receipt else (),
            element.secret,
        )

    def section(f: int, formation: Formation[Element], priced: PricedFormation) -> Section:
        where, lines = f"formations/{f}", zip(state.lines[f], priced.elements, strict=True)
        return Section(
            str(formation.id),
            formation.name,
            formation.notes,
            points(priced.points),
            facts(priced.facts, registry.SYSTEMS[document.system]),
            tuple(by_place.get(where, ())),
            tuple(row(f"{where}/elements/{e}", line, price) for e, (line, price) in enumerate(lines)),
        )

    pairs = zip(document.formations, appraisal.formations, strict=True)
    return [section(f, formation, priced) for f, (formation, priced) in enumerate(pairs)]


def receipt(priced: PricedElement) -> tuple[Step, ...]:
    """The steps of an element's receipt, as shown."""
    steps = priced.receipt.steps if priced.receipt else ()
    return tuple(
        Step(step.label, with_minus_sign(step.change), format_amount(step.subtotal), format_exact(step.subtotal))
        for step in steps
    )


def findings(document: AnyDocument, all_findings: Iterable[Finding]) -> tuple[PlacedFinding, ...]:
    """Findings, errors first, each with the name and the anchor of what it is about."""
    placed = (PlacedFinding(*finding, *_about(document, finding.where)) for finding in all_findings)
    return tuple(sorted(placed, key=lambda finding: SEVERITIES.index(finding.severity)))


def _about(document: AnyDocument, where: str) -> tuple[str, str]:
    _, *numbers = where.split("/")
    if not numbers:
        return "", ""
    formation = document.formations[int(numbers[0])]
    if len(numbers) == 1:
        return formation.name, f"f-{formation.id}"
    element = formation.elements[int(numbers[2])]
    return element.name, f"e-{element.id}"


def facts(values: Facts, system: System) -> tuple[tuple[str, str | int], ...]:
    """Facts as pairs of labels and values; tables are for sheets. An old revision may have one without a label."""
    declared = system.rules.FACTS
    return tuple(
        (declared[name].label if name in declared else name, value)
        for name, value in values.items()
        if not isinstance(value, list | dict)
    )


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
    return Budget(format_amount(budget), format_amount(-left if left < 0 else left), left < 0, share)
