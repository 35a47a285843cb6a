"""Fairness reports of a battle, requested by a button; their progress, and the log of one simulated battle."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from rosters import registry
from rosters.balance import worth
from rosters.balance.forces import percents_of_share
from rosters.balance.report import BLOCK, MAX_CHANCE, planned_trials, with_change, with_quantity
from rosters.core.amounts import Amount, format_amount, to_amount, with_minus_sign
from rosters.core.appraisals import headcount, terms_of
from rosters.core.documents import AnyDocument
from rosters.core.grid import DASH
from rosters.core.messages import Message, translate
from rosters.core.odds import SIDES, Side, other
from rosters.core.simulation import SIDE_NAMES, numbers_of
from rosters.core.variants import Change
from rosters.drawing.svg import Symbol
from rosters.models import Force, Report, ReportState, Roster
from rosters.registry import System
from rosters.store import reports
from rosters.store.reports import ReportError
from rosters.web.battles import service as battles
from rosters.web.battles.forces import ForceView, force_views_of, state_for_all
from rosters.web.battles.forms import ReplayForm
from rosters.web.battles.page import battle_page
from rosters.web.context import BattleContext, battle_view
from rosters.web.http.permissions import READ, browser_key_hash
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.roster_page import counter_of

Documents = Mapping[Side, AnyDocument]
SHOWN = 12
"""Variants that the page shows before the rest, most effective first."""
OUTCOMES: Mapping[str, Side | None] = {"win": "a", "draw": None, "lose": "b"}
"""How a battle ends for the first roster, and who wins then."""
EVENING = 3
"""Variants that come nearest to half of the battles."""
MIN_ROUNDED = 10
"""The points from which an estimate is rounded to a whole number."""
MOVES = frozenset(("distance", "squares", "speed"))
"""Values of the events of a replay that are moves."""


@rate_limited("REPORTS_A_MINUTE")
@battle_view(READ, "POST")
def create(ctx: BattleContext) -> HttpResponse:
    """Request the report of the first two rosters that this visitor sees, and go to its page."""
    visible = [each for each in force_views_of(ctx) if each.locked is not None][:2]
    if len(visible) < 2:
        return battle_page(ctx, error=_("A report needs two rosters that you can see."), status=422)
    forces, documents = [each.force for each in visible], [state_for_all(each, ctx.battle).document for each in visible]
    try:
        report = reports.request_report(ctx.battle, forces, documents, battles.requester_of(ctx.request))
    except ReportError as error:
        return battle_page(ctx, error=str(error), status=422)
    return redirect("battle-report", ctx.battle.token, report.token)


@battle_view(READ, "GET")
def report(ctx: BattleContext, report: str) -> HttpResponse:
    """Show a report, its progress, or how to compute it again if it was removed."""
    visible = _report_of(ctx, report)
    row = visible.report
    context = _common(ctx, row) | {"may_stop": _may_stop(ctx, visible), "most": reports.MAX_REPORTS}
    if row.state != ReportState.REMOVED:
        planned = planned_trials(*reports.documents_of(row), registry.SYSTEMS[row.system].varied)
        context |= reports.progress_of(row, planned)
    if row.state == ReportState.DONE:
        context |= _result(row)
    return render(ctx.request, "battles/report.html", context)


@battle_view(READ, "POST")
def stop(ctx: BattleContext, report: str) -> HttpResponse:
    """Stop the work on a report, if this visitor may."""
    visible = _report_of(ctx, report)
    if _may_stop(ctx, visible):
        reports.stop(visible.report)
    else:
        messages.error(ctx.request, _("Only who requested this report, or plays in the battle, can stop it."))
    return redirect("battle-report", ctx.battle.token, visible.report.token)


@rate_limited("REPORTS_A_MINUTE")
@battle_view(READ, "POST")
def again(ctx: BattleContext, report: str) -> HttpResponse:
    """Compute a removed report again, from the versions of the rosters that it was of."""
    visible = _report_of(ctx, report)
    row = visible.report
    documents = [
        battles.locked_force(force, ctx.battle, complete=False).state.document for force in _forces_then(visible)
    ]
    if row.state == ReportState.REMOVED:
        try:
            reports.request_again(row, documents, battles.requester_of(ctx.request))
        except ReportError as error:
            return battle_page(ctx, error=str(error), status=422)
    return redirect("battle-report", ctx.battle.token, row.token)


@rate_limited("COMPARISONS_A_MINUTE")
@battle_view(READ, "GET")
def replay(ctx: BattleContext, report: str) -> HttpResponse:
    """Show one simulated battle of a report die by die."""
    row = _report_of(ctx, report).report
    if row.state != ReportState.DONE:
        raise Http404("This report has no battles yet.")
    last = row.result["battles"]
    number = cleaned_query(ReplayForm(ctx.request.GET, last=last))["battle"]
    numbers = {"previous": number - 1, "number": number, "next": number + 1, "last": last, "of": f"{last:,}"}
    context = _common(ctx, row) | numbers
    boards = {side: Board(document, side) for side, document in zip(SIDES, reports.documents_of(row), strict=True)}
    context["turns"] = _turns(reports.replay(row, number - 1), boards)
    context["counters"] = {line.counter for board in boards.values() for line in board.lines}
    return render(ctx.request, "battles/replay.html", context)


class ReplayLine(NamedTuple):
    """An element: its counter, its name, how many of its models are left, and how many were lost in the turn."""

    counter: Symbol
    name: str
    left: int
    lost: int = 0


class Board:
    """The elements of a side that take part, with their models left at the end of each turn."""

    def __init__(self, document: AnyDocument, side: Side) -> None:
        system, terms = registry.SYSTEMS[document.system], terms_of(document)
        every = (each for formation in registry.appraise_elements(document) for each in formation.elements)
        elements = [each for each in every if system.battle.takes_part(each.element)]
        self.models = [*numbers_of(side, (each.element.quantity for each in elements))]
        self.lines = [
            ReplayLine(counter_of(system, each, terms, ""), str(each.element.display_name), each.element.quantity)
            for each in elements
        ]

    def after(self, in_play: set[int]) -> list[ReplayLine]:
        """The lines at the end of a turn, in which these combatants are left."""
        left = [len(in_play.intersection(models)) for models in self.models]
        pairs = zip(self.lines, left, strict=True)
        self.lines = [line._replace(left=number, lost=line.left - number) for line, number in pairs]
        return self.lines


class ReplayTurn(NamedTuple):
    """A turn of a replay: its events, each with its classes, and both sides at its end."""

    heading: Message
    events: list[tuple[str, Message]]
    sides: dict[Side, list[ReplayLine]]


def _turns(events: Iterable[Message], boards: Mapping[Side, Board]) -> list[ReplayTurn]:
    """The events of a replay by turn; the result is the last heading."""
    turns: list[ReplayTurn] = []
    in_play: set[int] = set()
    for event in events:
        if "in_play" in event.values:
            in_play |= {int(number) for number in str(event.values["in_play"]).split()}
        elif "turn" in event.values or "round" in event.values:
            if in_play:
                turns[-1].sides.update((side, board.after(in_play)) for side, board in boards.items())
            turns, in_play = [*turns, ReplayTurn(event, [], {})], set()
        else:
            turns[-1].events.append((_classes_of(event), event))
    return turns


def _classes_of(event: Message) -> str:
    """Whose event it is ("a"), and whether it is no more than a move: "a move"."""
    parts = [event, *(value for value in event.values.values() if isinstance(value, Message))]
    names = [part.values["side"] for part in parts if "side" in part.values]
    sides = [side for name in names for side in SIDES if SIDE_NAMES[side] == name]
    return " ".join(sides[:1] + ["move"] * (not MOVES.isdisjoint(event.values)))


class VisibleReport(NamedTuple):
    """A report that a visitor may see, with both forces of its battle."""

    report: Report
    forces: Sequence[ForceView]


def _report_of(ctx: BattleContext, token: str) -> VisibleReport:
    """A report that this visitor may see: both rosters, of which nothing has been hidden since. Raises Http404."""
    row: Report = get_object_or_404(ctx.battle.reports.select_related("a", "b", "browser"), token=token)
    visible = {each.roster.pk: each for each in force_views_of(ctx) if each.locked is not None}
    sides = [visible[pk] for pk in (row.a_id, row.b_id) if pk in visible]
    if len(sides) < len(SIDES) or not reports.is_still_visible(row):
        raise Http404("This report is of rosters that are hidden, or have left the battle.")
    return VisibleReport(row, sides)


def _may_stop(ctx: BattleContext, visible: VisibleReport) -> bool:
    """Whether this visitor requested the report, or may change the battle or one of its rosters."""
    browser = visible.report.browser
    requested = browser is not None and browser.key_hash == browser_key_hash(ctx.request)
    return requested or ctx.editable or any(each.editable for each in visible.forces)


def _forces_then(visible: VisibleReport) -> Iterator[Force]:
    """Both forces at the versions that the report is of."""
    row = visible.report
    for each, revision in zip(visible.forces, (row.a_revision, row.b_revision), strict=True):
        force = copy(each.force)
        force.revision = revision or force.revision
        yield force


def _common(ctx: BattleContext, row: Report) -> dict[str, Any]:
    system = battles.system_of(ctx.battle)
    return {"battle": ctx.battle, "report": row, "system": system, "a": row.a, "b": row.b}


# ---------------------------------------------------------------- the result in words


class Outcome(NamedTuple):
    """How battles end, with its percentage and its part of the bar.

    A roster's ``percent`` counts half of the draws, as everywhere on the page: those of both add up to 100.
    """

    key: str
    roster: Roster | None
    percent: int
    start: float
    width: float
    left: str = ""
    """The mean of the points, or figures, that this roster has left."""
    total: str = ""


class VariantRow(NamedTuple):
    """What one change does: the side that it should help, or "", A's score with it, in percent, and the difference."""

    side: str
    kind: str
    name: str
    helped: str
    percent: int
    difference: int

    @property
    def shown(self) -> str:
        return with_minus_sign(f"{self.difference:+d}") if self.difference else "0"

    @property
    def gains(self) -> str:
        """The side that the change helps."""
        return "a" if self.difference > 0 else "b"

    @property
    def is_reversed(self) -> bool:
        """Whether the change helps the other side than it should, beyond chance."""
        return self.helped not in ("", self.gains) and abs(self.difference) > 100 * MAX_CHANCE

    @property
    def start(self) -> int:
        """Where the bar from the battle as it is to this score begins, in percent."""
        return min(self.percent, self.percent - self.difference)

    @property
    def width(self) -> int:
        return abs(self.difference)


def _result(row: Report) -> dict[str, Any]:
    """A finished report as its page shows it."""
    system, result = registry.SYSTEMS[row.system], row.result
    documents: Documents = dict(zip(SIDES, reports.documents_of(row), strict=True))
    score = percents_of_share(result["win"]["share"] + result["draw"]["share"] / 2, result["battles"])
    base = score["won"]
    rows = sorted(_variant_rows(system, documents, result["variants"], base), key=lambda each: -abs(each.difference))
    outcomes = [*_outcomes(row, documents, base)]
    return {
        "outcomes": outcomes,
        "is_even": result["handicap"] is None,
        "leader": max((outcomes[0], outcomes[-1]), key=lambda each: each.percent),
        "turns": round(result["turns"], 1),
        "handicap": result["handicap"] and _handicap(row, documents, result["handicap"]),
        "mainstays": [*_mainstays(rows, base)],
        "evening": result["handicap"] and _evening(rows, result["handicap"]["side"]),
        "reversed": {row.kind for row in rows if row.is_reversed},
        "base": base,
        "margin": score["margin"],
        "each": BLOCK,
        "chance": round(100 * MAX_CHANCE),
        "variants": rows[:SHOWN],
        "more_variants": rows[SHOWN:],
        "battles": f"{result['battles']:,}",
        "policy": result.get("policy"),
        "readings": worth.readings_of(worth.measurements_of(system)),
        "unit": system.rules.WORDS.points if system.rules.WORDS.has_points else system.rules.WORDS.nouns.elements,
    }


def _outcomes(row: Report, documents: Documents, base: int) -> Iterator[Outcome]:
    start, rosters = 0.0, {"a": row.a, "b": row.b}
    percents = {"win": base, "draw": round(100 * row.result["draw"]["share"]), "lose": 100 - base}
    for key, side in OUTCOMES.items():
        width = 100 * row.result[key]["share"]
        left = _points_left(row, documents[side], side) if side else ()
        yield Outcome(key, rosters[side] if side else None, percents[key], start, width, *left)
        start += width


def _points_left(row: Report, document: AnyDocument, side: Side) -> tuple[str, ...]:
    """The mean of the points that are left to a side and its total, in figures without points; nothing if hidden."""
    total = registry.total_points(document)
    if total is None:
        total = headcount(registry.SYSTEMS[document.system].rules, document.elements)
    elif {"a": row.a, "b": row.b}[side].hide_points:
        return ()
    return format_amount(round(row.result[f"{side}_left"])), format_amount(total)


def _mainstays(rows: Sequence[VariantRow], base: int) -> Iterator[dict[str, Any]]:
    """For each side the model whose absence costs it most, with its score with and without it in percent."""
    for side, sign in (("a", 1), ("b", -1)):
        fewer = [each for each in rows if each.side == side and each.kind == "fewer" and each.difference * sign < 0]
        if fewer:
            row = min(fewer, key=lambda each: each.difference * sign)
            without, score = (each if side == "a" else 100 - each for each in (row.percent, base))
            yield {"side": side, "name": row.name, "without": without, "score": score}


def _evening(rows: Sequence[VariantRow], weaker: Side) -> Sequence[VariantRow]:
    """The variants that come nearest to half of the battles, of those that should help the weaker side and do."""
    helpful = (row for row in rows if row.helped == row.gains == weaker and row.difference)
    return sorted(helpful, key=lambda each: abs(each.percent - 50))[:EVENING]


def _variant_rows(
    system: System, documents: Documents, variants: list[dict[str, Any]], base: int
) -> Iterator[VariantRow]:
    """The variants, each by its difference, which the same dice make more exact than its own score."""
    for variant in variants:
        score = min(max(base + round(100 * variant["difference"]), 0), 100)
        side = variant.get("side", "")
        change = Change(*(variant[key] for key in Change._fields)) if variant["kind"] == "stat" else None
        is_better = change is not None and _is_better(system, documents[side], change)
        helped = side if is_better or not side else other(side)
        yield VariantRow(side, variant["kind"], _name_of(system, documents, variant), helped, score, score - base)


def _is_better(system: System, document: AnyDocument, change: Change) -> bool:
    """Whether a stat gets better, or an ability is removed that is a drawback, so that the points rise."""
    if change.step:
        return (change.step < 0) is (change.field in system.varied.targets)
    before, after = map(registry.total_points, (document, with_change(document, change, system.varied)))
    return before is not None and after is not None and after > before


def _name_of(system: System, documents: Documents, variant: dict[str, Any]) -> str:
    """A variant in words."""
    if variant["kind"] == "policy":
        return _("Both sides played as “%(policy)s”") % {"policy": variant["policy"]}
    if variant["kind"] == "exchanged":
        return _("Sides exchanged")
    if variant["kind"] == "fewer":
        return _without_one(documents[variant["side"]], variant["place"])
    field, labels = variant["field"], system.rules.LABELS
    label = translate(labels.get(field, field))
    if variant["step"]:
        return f"{label} {_step(system, documents[variant['side']], Change(field, variant['step'], variant['code']))}"
    code = variant["code"]
    terms = {term.code: term.name for term in system.help.terms()}
    return _("Without %(name)s") % {"name": translate(terms.get(code, code)) if code else label}


def _step(system: System, document: AnyDocument, change: Change) -> str:
    """What a stat becomes; where the elements differ, whether it is better and by how much."""
    pairs = ((each, change.apply_to(each, system.varied)) for each in document.elements if each.quantity)
    by_values = {tuple(getattr(each, change.field) for each in pair): pair for pair in pairs if pair[0] is not pair[1]}
    unit = next((column.unit for column in system.grid.COLUMNS if column.field == change.field), "")
    if len(by_values) == 1:
        old, new = (_stat_text(system, document, each, change.field) for pair in by_values.values() for each in pair)
        return f"{old} → {new}{unit if new != DASH else ''}"
    text = _("better by %(step)s") if _is_better(system, document, change) else _("worse by %(step)s")
    return text % {"step": f"{abs(change.step)}{unit}"}


def _stat_text(system: System, document: AnyDocument, element: Any, field: str) -> str:
    """A stat as the roster's table has it, or its name."""
    cells = zip(system.grid.COLUMNS, system.grid.cells(element, terms_of(document)), strict=True)
    name = system.rules.LABELS.get(f"{field}-{getattr(element, field)}", DASH)
    return translate(next((cell.text for column, cell in cells if column.field == field), "") or name)


def _without_one(document: AnyDocument, place: int) -> str:
    """A line of a roster with one model less, in words."""
    quantity, name = [*document.elements][place].quantity, _element_name(document, place)
    if quantity == 1:
        return _("Without %(name)s") % {"name": name}
    return _("With %(left)s instead of %(all)s %(name)s") % {"left": quantity - 1, "all": quantity, "name": name}


def _element_name(document: AnyDocument, place: int) -> str:
    element = [*document.elements][place]
    return element.name or _("element without a name")


def _handicap(row: Report, documents: Documents, handicap: dict[str, Any]) -> dict[str, Any]:
    """What makes it even: points unless the roster hides or has none, and the models of a line that are nearest, with
    their price; with the interval, of the points if there are any, which reports of earlier releases do not have.
    """
    side, place, models = handicap["side"], handicap["place"], handicap["models"]
    document, roster = documents[side], row.a if side == "a" else row.b
    known = [] if models is None else [models, *handicap.get("interval", ())]
    counts = [to_amount(round(each, 1)) for each in known]
    amounts = [None if roster.hide_points else _points_of(document, place, each) for each in known]
    points = [amount for amount in amounts if amount is not None]
    whole = max(round(models or 0), 1)
    price = _points_of(document, place, whole)
    count = registry.SYSTEMS[row.system].rules.WORDS.count_points
    return {
        "roster": roster.name,
        "name": _element_name(document, place),
        "models": None if models is None else whole,
        "is_part": models is not None and round(models) == 0,
        "points": count(_about(points[0])) if points else None,
        "price": None if price is None else count(price),
        "interval": [format_amount(_about(each)) for each in (points or counts)[1:]],
    }


def _about(amount: Amount) -> Amount:
    """An estimate without digits that mean nothing."""
    return round(amount) if amount >= MIN_ROUNDED else amount


def _points_of(document: AnyDocument, place: int, models: float) -> Amount | None:
    """The points of that many more models of a line, between whole numbers in proportion."""
    quantity, full = [*document.elements][place].quantity, int(models)
    base, below, above = (
        registry.total_points(with_quantity(document, place, quantity + added)) for added in (0, full, full + 1)
    )
    if base is None or below is None or above is None:
        return None
    return to_amount(round(float(below - base) + (models - full) * float(above - below), 1))
