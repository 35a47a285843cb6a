"""Pasting a list: a preview shows how each line is read, and one button adds all elements."""

from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.amounts import format_amount
from rosters.core.documents import Formation, new_id
from rosters.core.lines import ParsedLine
from rosters.core.lists import ReadList, read_list, wrong_total
from rosters.core.messages import _, translate
from rosters.store.state import compute_state
from rosters.web.builder.actions import count_elements
from rosters.web.builder.elements import with_id
from rosters.web.builder.forms import PasteForm
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT


class PastedLine(NamedTuple):
    """A line as the preview shows it: its element with its price, or what is wrong with it."""

    number: int
    text: str
    element: Any
    description: str
    points: str
    problem: str
    remark: str


def problem_of(line: ParsedLine, example: str) -> str:
    """Why a line is not exactly one element; "" if it is. ``example`` is a line that is."""
    if line.errors:
        return " ".join(translate(error.message) for error in line.errors)
    if line.bare or not line.readings:
        return gettext("This is only a name. Add what it is, such as “%(example)s”.") % {"example": example}
    if line.element is None:
        readings = "; ".join(translate(reading.label) for reading in line.readings)
        return gettext("This can be read in several ways: %(readings)s.") % {"readings": readings}
    return ""


Pasted = list[tuple[Formation[Any], list[tuple[int, ParsedLine, Any]]]]
"""Formations, each with its lines and their elements."""


def into_present(ctx: RosterContext, read: ReadList) -> bool:
    """Whether the lines are added to the only formation of the roster: those of one formation without a name."""
    return len(ctx.document.formations) == 1 and len(read.formations) == 1 and not read.formations[0].name


def edit_of(ctx: RosterContext, read: ReadList, formations: list[Formation[Any]]) -> edits.Edit:
    """The edit that adds what is read."""
    if into_present(ctx, read):
        return edits.add_elements(str(ctx.document.formations[0].id), formations[0].elements)
    return edits.in_turn(map(edits.add_formation, formations))


def formations_of(ctx: RosterContext, read: ReadList) -> Pasted:
    """The formations to add, each with its lines and their elements; one without a name gets a number."""
    formations = []
    for number, formation in enumerate(read.formations, len(ctx.document.formations) + 1):
        lines = [(n, line, with_id(line.element) if line.element else None) for n, line in formation.lines]
        present = into_present(ctx, read)
        number_name = f"{ctx.system.rules.WORDS.formation} {number}"
        name = ctx.document.formations[0].name if present else formation.name or number_name
        elements = tuple(element for _n, _line, element in lines if element)
        formations.append((Formation[Any](id=new_id(), name=name[:120], elements=elements), lines))
    return formations


@roster_view(EDIT, "GET", "POST")
def paste(ctx: RosterContext) -> HttpResponse:
    """Paste a list; POST shows how it is read. With ``save`` it adds the list in one change if all of it is understood,
    with ``understood`` the lines that are; the others stay in the form to be corrected.
    """
    form = PasteForm(ctx.post_data)
    if not form.is_valid():
        return ctx.render("builder/paste.html", {"form": form}, status=422 if form.errors else 200)
    read = read_list(ctx.system.slug, ctx.system.grammar, form.cleaned_data["text"])
    formations = formations_of(ctx, read)
    edit = edit_of(ctx, read, [formation for formation, _lines in formations])
    elements = [element for formation, _lines in formations for element in formation.elements]
    rest = [line.text for _formation, lines in formations for _n, line, element in lines if not element]
    adds = form.cleaned_data["understood"] or (form.cleaned_data["save"] and not rest)
    if elements and adds and not read.error:
        summary = _("Added {elements}").format(elements=count_elements(ctx, elements))
        ctx.apply(edit, summary, form=form)
        if not form.errors and not rest:
            return ctx.redirect()
        if not form.errors:  # what was not added stays, with what is wrong with each line
            ctx, form = ctx.reread(), PasteForm({"text": "\n".join(rest)})
            form.is_valid()
    return _preview(ctx, form)


def _preview(ctx: RosterContext, form: PasteForm) -> HttpResponse:
    """How each line is read; nothing is saved."""
    read = read_list(ctx.system.slug, ctx.system.grammar, form.cleaned_data["text"])
    formations = formations_of(ctx, read)
    edit = edit_of(ctx, read, [formation for formation, _lines in formations])
    elements = [element for formation, _lines in formations for element in formation.elements]
    problems = bool(read.error) or any(not element for _f, lines in formations for _n, _line, element in lines)
    if read.error:
        form.add_error("text", translate(read.error))
    try:
        state = compute_state(edit(ctx.document), ctx.state)
    except edits.LimitExceeded as error:
        form.add_error("text", translate(error.faults[0].message))
        state = ctx.state
    known = {line.element.id: line for lines in state.lines for line in lines}
    example = ctx.system.grammar.example
    shown = [(formation, [_shown(known, example, *line) for line in lines]) for formation, lines in formations]
    ready = bool(elements) and not form.errors
    context = {"form": form, "formations": shown, "ready": ready, "problems": problems, "understood": len(elements)}
    return ctx.render("builder/paste.html", context, status=422 if form.errors or problems else 200)


def _shown(known: dict[Any, Any], example: str, number: int, line: ParsedLine, element: Any) -> PastedLine:
    appraised = known.get(element.id) if element else None
    points = appraised.priced.points if appraised else None
    remark = wrong_total(line, points)
    return PastedLine(
        number,
        line.text,
        element,
        appraised.description if appraised else "",
        format_amount(points) if points is not None else "",
        problem_of(line, example),
        translate(remark) if remark else "",
    )
