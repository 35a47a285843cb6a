"""The roster sheet and the reference panel, which are alike in every game."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.amounts import format_amount, format_exact, to_amount, with_minus_sign
from rosters.core.findings import Finding
from rosters.core.messages import _, join
from rosters.core.play import Panel
from rosters.pdf.blocks import (
    BlankLine,
    Block,
    Column,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    fill_in_cell,
    text_lines,
)
from rosters.pdf.fonts import NARROW, NARROW_BOLD
from rosters.pdf.job import Job, PrintedElement, Sheet
from rosters.pdf.layout import Group, Section, frame

SEVERITIES = {
    "error": _("Not legal: {message}"),
    "warning": _("Warning: {message}"),
    "note": _("Note: {message}"),
}


def frame_width(job: Job) -> float:
    """The width of a page's frame in points, upright and in one column."""
    return frame(job.options.paper)[0]


# ---------------------------------------------------------------- the roster sheet


def roster_list(job: Job) -> Iterator[Section]:
    """Formations and elements with points, findings, house rules and notes."""
    yield Section(_("Roster"), _formation_groups(job))


def _formation_groups(job: Job) -> Iterator[Group]:
    yield Group(list(_summary(job)))
    if job.blank:
        yield from _blank_groups(job)
        return
    for number, formation, priced in job.formations():
        title = formation.name or job.words.formation
        points = job.words.count_points(priced.points) if job.points and priced.points is not None else ""
        head = Stack((Space(0.6), Heading(title, points, 1.15), TableHead(_columns(job))))
        yield Group(_formation_rows(job, number, formation.notes), head, title)
    notes = list(text_lines(job.document.notes, job.style, frame_width(job)))
    if notes:
        yield Group(notes, Stack((Space(0.6), Heading(_("Notes"), "", 1.15))), _("Notes"))


def _columns(job: Job) -> tuple[Column, ...]:
    point_columns = (
        (Column(_("each"), 1.3, "right"), Column(job.points, 1.5, "right", face=NARROW_BOLD)) if job.points else ()
    )
    element = job.words.element
    return (
        Column(_("No."), 1.0, "right"),
        Column(element, 4.2, face=NARROW_BOLD),
        Column(_("Description"), 9),
        *point_columns,
    )


def _formation_rows(job: Job, number: int, notes: str) -> Iterator[Block]:
    yield from text_lines(notes, job.style, frame_width(job), 0.9, ink="soft")
    columns = _columns(job)
    for entry in job.merged(number):
        amounts = (job.amount(entry.priced.each), job.amount(entry.priced.points)) if job.points else ()
        yield Row(columns, (str(entry.quantity), entry.name, entry.description, *amounts), lines=12)
        yield from _below(job, entry)


def _below(job: Job, entry: PrintedElement) -> Iterator[Block]:
    """The receipt, the notes and the findings of an entry, below its row."""
    width = frame_width(job)
    if job.options.receipts and job.points and entry.priced.receipt:
        steps = join(
            (
                _("{step} {change} = {subtotal}").format(
                    step=label, change=with_minus_sign(change), subtotal=with_minus_sign(format_exact(subtotal))
                )
                for label, change, subtotal in entry.priced.receipt.steps
            ),
            "; ",
        )
        yield from text_lines(_("Receipt: {steps}").format(steps=steps), job.style, width, 0.82, ink="soft")
    yield from text_lines(entry.element.notes, job.style, width, 0.9, ink="soft")
    for f, e, _element in entry.sources[:1]:
        for finding in job.findings(f"formations/{f}/elements/{e}"):
            yield from _finding(job, finding)


def _finding(job: Job, finding: Finding) -> Iterator[Block]:
    yield from text_lines(
        SEVERITIES[finding.severity].format(message=finding.message), job.style, frame_width(job), 0.82
    )


def _summary(job: Job) -> Iterator[Block]:
    """Points and points limit, scenario, findings about the roster, house rules."""
    if job.blank:
        yield BlankLine(_("{formation} or player").format(formation=job.words.formation), "name")
        return
    yield Heading(job.document.name or _("Roster"), _total(job))
    legality = _("legal") if job.appraisal.legal else _("not legal")
    facts = (job.words.count_elements(job.appraisal.quantity), job.scenario, legality)
    yield Paragraph(join(filter(None, facts), " · "))
    for finding in job.findings(""):
        if finding.code != "house-rule":
            yield from _finding(job, finding)
    for number, formation, _priced in job.formations():
        for finding in job.findings(f"formations/{number}"):
            message = _("{formation}: {message}").format(formation=formation.name, message=finding.message)
            yield from _finding(job, finding._replace(message=message))
    for rule in job.appraisal.house_rules:
        yield Paragraph(_("{rule}.").format(rule=rule.text), 0.9, lead=_("House rule."))


def _total(job: Job) -> str:
    if not job.points or job.appraisal.points is None:
        return ""
    total, budget = job.appraisal.points, job.appraisal.budget
    if budget is None:
        return job.words.count_points(total)
    limit = job.words.count_points(to_amount(budget))
    return _("{total} of {limit}").format(total=format_amount(total), limit=limit)


def _blank_groups(job: Job) -> Iterator[Group]:
    """Enough empty rows to fill the page."""
    columns = _columns(job)
    width, height = frame(job.options.paper)
    head = Stack((Space(0.6), TableHead(columns)))
    rows: list[Block] = []
    room = height - head.height(job.style, width) - BlankLine().height(job.style, width)
    row_height = Row(columns, (fill_in_cell(),) * len(columns), min_lines=1.7).height(job.style, width)
    for number in range(int(room // row_height)):
        cells = tuple(fill_in_cell(f"r{number}.c{column}") for column in range(len(columns)))
        rows.append(Row(columns, cells, min_lines=1.7))
    yield Group(rows, head)


ROSTER = Sheet(
    "roster",
    _("Roster"),
    _("Formations and elements with points, findings and house rules; receipts if selected."),
    roster_list,
)

# ---------------------------------------------------------------- the reference panel


def panel_group(panel: Panel) -> Group:
    """A panel as a group: its heading, its remark, its rows."""
    wide = max((len(row) for row in panel.rows), default=0)
    columns = _panel_columns(panel, wide)
    head: list[Block] = [Space(0.4), Heading(panel.title, "", 1.1)]
    head += [Paragraph(panel.text, 0.92)] if panel.text else []
    head += [TableHead(columns)] if panel.heads else []
    rows = [Row(columns, (*row, *("",) * (wide - len(row))), 0.92, lines=30) for row in panel.rows]
    return Group(rows, Stack(tuple(head)))


def _panel_columns(panel: Panel, wide: int) -> tuple[Column, ...]:
    """Columns whose widths follow the lengths of their cells, limited to 60 characters."""
    heads = (*panel.heads, *("",) * (wide - len(panel.heads)))
    cells = [(*row, *("",) * (wide - len(row))) for row in panel.rows]
    lengths = [max(len(head), *(min(len(row[n]), 60) for row in cells)) for n, head in enumerate(heads)]
    return tuple(
        Column(head, max(length, 4) ** 0.75, face=NARROW_BOLD if n == 0 else NARROW)
        for n, (head, length) in enumerate(zip(heads, lengths, strict=True))
    )


def panels(job: Job) -> Iterator[Section]:
    """The rules in use, in our words."""
    yield Section(_("Reference"), (panel_group(panel) for panel in job.play.panels(job.document, job.terms)), columns=2)


REFERENCE = Sheet(
    "reference",
    _("Reference panel"),
    _("The rules that this roster uses, and the tables of play."),
    panels,
    shared=True,
)
