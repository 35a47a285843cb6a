"""Pasting a list: a preview shows how each line is parsed, and one button adds all elements."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from django.forms import Form
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import RosterState, terms_of
from rosters.core.documents import AnyDocument, Formation, new_id
from rosters.core.lines import ParsedLine, Span
from rosters.core.lists import (
    ParsedFormation,
    ParsedList,
    element_line,
    list_error,
    parse_list,
    replace_line,
    total_error,
)
from rosters.core.messages import _, translate
from rosters.drawing.svg import Symbol
from rosters.exports import csv
from rosters.registry import SYSTEMS, System
from rosters.store.access import Visitor
from rosters.store.elements import Design, designs_of
from rosters.store.state import compute_state
from rosters.web import roster_page
from rosters.web.builder.forms import PasteForm, default_name
from rosters.web.builder.line_preview import (
    TextSpan,
    completed,
    corrected,
    errors_of,
    like_of,
    missing_type_text,
    name_check,
    text_spans,
)
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited


class PastedLine(NamedTuple):
    """A line as the preview shows it: its element with its price, or what is wrong with it."""

    number: int
    text_spans: tuple[TextSpan, ...]
    element: Any
    counter: Symbol | None
    description: str
    points: str
    problem: str
    severity: str
    remark: str
    error: str
    """What the rules check says is wrong with its element, which can be added all the same."""
    choices: tuple[tuple[str, str], ...]
    """What it may mean: the line with its clear one, as `with_chosen_lines` takes them, and what distinguishes it."""


@lru_cache(maxsize=1_000)  # many lines of a list may be like the same few
def _line_of(system: str, name: str, profile: str) -> str:
    """The line of one element of a design; "" if there is none."""
    element = SYSTEMS[system].rules.Element.model_validate({"name": name, **json.loads(profile)})
    return element_line(SYSTEMS[system].grammar, element)


def choices_of(line: ParsedLine, system: System, designs: list[Design]) -> Iterator[tuple[str, str]]:
    """The clear lines that a line may mean, each with what distinguishes it."""
    total = f" = {format_amount(line.total)}" if line.total is not None else ""
    if not line.bare:
        for parse in line.parses:
            if clear := element_line(system.grammar, parse.element):
                yield f"{line.text}\t{clear}{total}", translate(parse.label) or clear
    for _word, other in (each for error in line.errors for each in corrected(line.text, error)):
        yield f"{line.text}\t{other}", other
    for design in like_of(system, line, designs) if line.bare or not line.parses else ():
        if clear := _line_of(system.slug, design.name, json.dumps(design.profile)):
            yield f"{line.text}\t{line.quantity} {clear}{total}", design.name
    for label, word in (each for error in line.errors for each in error.missing):
        yield f"{line.text}\t{completed(line.text, word)}", translate(label)


def with_chosen_lines(data: QueryDict) -> QueryDict:
    """What was sent; in its list each line for which one of its meanings was chosen is the clear one."""
    if "meant" not in data:
        return data
    data, text = data.copy(), data.get("text", "")
    for choice in data.getlist("meant"):
        line, tab, clear = choice.rpartition("\t")
        text = replace_line(text, line, clear) if tab and line else text
    data["text"] = text
    return data


def problem_of(line: ParsedLine, system: System) -> str:
    """Why a line is not exactly one element; "" if it is."""
    if line.errors:
        return " ".join(translate(each.message) for each in line.errors)
    if line.bare or not line.parses:
        return missing_type_text(system)
    if line.element is None and len(line.parses) == 1:
        return gettext("Choose it if this is what you mean, or put the name in quotation marks.")
    return gettext("This can be read in several ways: choose one.") if line.element is None else ""


class Pasted(NamedTuple):
    """A list parsed for a document: formations, each with its lines and their elements, and the edit that adds
    them.
    """

    formations: list[tuple[Formation[Any], list[tuple[int, ParsedLine, Any]]]]
    edit: edits.Edit
    parsed: ParsedList
    title: str = ""
    """The name that the roster gets: the title of the list, if it has only that of a new roster."""

    @property
    def error(self) -> str:
        """A Message if the list is too long."""
        return self.parsed.error

    @property
    def elements(self) -> list[Any]:
        """The elements of the valid lines."""
        return [element for formation, _lines in self.formations for element in formation.elements]

    @property
    def rest(self) -> list[str]:
        """The other lines."""
        return [line.text for _formation, lines in self.formations for _n, line, element in lines if not element]


def parse_pasted(document: AnyDocument, text: str) -> Pasted:
    """Parse a list for a document. A formation without a name gets a number; the lines of a single one without a name
    are added to the only formation of the document. A list of others replaces the blank one of a new roster.
    """
    system, present = SYSTEMS[document.system], document.formations
    first = f"{system.rules.WORDS.formation} 1"
    blank = [each for each in present if each == Formation[Any](id=each.id, name=first)] if len(present) == 1 else []
    terms = terms_of(document)

    def price(element: Any) -> Amount | None:
        receipt = system.rules.price(element, terms)
        return receipt.unit_points if receipt else None

    parsed = parse_list(system.slug, system.grammar, csv.entries_in(text) or text, price)
    named = bool(parsed.title) and document.name == default_name(system)
    listed = _untitled(parsed) if named else parsed.formations
    into_present = len(present) == len(listed) == 1 and not listed[0].name
    formations = []
    for number, formation in enumerate(listed, len(present) - len(blank) + 1):
        lines = [(n, line, edits.with_id(line.element) if line.element else None) for n, line in formation.lines]
        name = present[0].name if into_present else formation.name or f"{system.rules.WORDS.formation} {number}"
        elements = tuple(element for _n, _line, element in lines if element)
        formations.append((Formation[Any](id=new_id(), name=name[:120], elements=elements), lines))
    added = [formation for formation, _lines in formations]
    adding = [edits.add_elements(str(present[0].id), added[0].elements)] if into_present else []
    if not adding:
        adding = [edits.add_formation(formation) for formation in added]
        adding += [edits.delete_formation(str(each.id)) for each in blank if added]
    naming = [edits.settings(name=parsed.title[:120])] if named else []
    return Pasted(formations, edits.compose_edits([*naming, *adding]), parsed, parsed.title if named else "")


def _untitled(parsed: ParsedList) -> list[ParsedFormation]:
    """The formations of a list whose title names the roster: the first one does not need it too."""
    formations = [each._replace(name="") if each.name == parsed.title else each for each in parsed.formations[:1]]
    return [*(each for each in formations if each.name or each.lines), *parsed.formations[1:]]


@rate_limited("BULK_CHANGES_A_MINUTE", "POST")
@roster_view(EDIT, "GET", "POST")
def paste(ctx: RosterContext) -> HttpResponse:
    """Paste a list; POST shows how it is parsed. With ``save`` it adds the list in one change if all lines are valid,
    with ``understood`` the lines that are; the others stay in the form to be corrected.
    """
    form = PasteForm(ctx.post_data and with_chosen_lines(ctx.post_data))
    if not form.is_valid():
        return ctx.render("builder/paste.html", {"form": form}, status=422 if form.errors else 200)
    pasted = parse_pasted(ctx.document, form.cleaned_data["text"])
    adds = form.cleaned_data["understood"] or (form.cleaned_data["save"] and not pasted.rest)
    if pasted.elements and adds and not pasted.error:
        summary = _("Added {elements}").format(elements=ctx.count_elements(pasted.elements))
        ctx.apply(pasted.edit, summary, form)
        if not form.errors and not pasted.rest:
            return ctx.redirect()
        if not form.errors:  # what was not added stays, with what is wrong with each line
            ctx, form = ctx.refreshed(), PasteForm({"text": "\n".join(pasted.rest)})
            form.is_valid()
            pasted = parse_pasted(ctx.document, form.cleaned_data["text"])
    context = preview_of(ctx.document, pasted, form, ctx.visitor, ctx.state)
    status = 422 if form.errors or context["problems"] else 200
    return ctx.render("builder/paste.html", {"form": form, **context}, status=status)


def preview_of(
    document: AnyDocument, pasted: Pasted, form: Form, visitor: Visitor, before: RosterState | None = None
) -> dict[str, Any]:
    """How each line is parsed, for the page; nothing is saved. What is too much is an error of the form's text."""
    if pasted.error:
        form.add_error("text", translate(pasted.error))
    try:
        state = compute_state(pasted.edit(document), before)
    except edits.LimitExceeded as error:
        form.add_error("text", translate(error.faults[0].message))
        state = before or compute_state(document)
    designs = designs_of(document.system, visitor) if pasted.rest else []
    known = {each.element.id: each for each in state.appraised_elements}
    formations = [
        (formation, [_shown(state, known, designs, line) for line in lines]) for formation, lines in pasted.formations
    ]
    lines = [line for _formation, lines in formations for line in lines]
    remark = list_error(pasted.parsed, [known[each.id].priced.points for each in pasted.elements if each.id in known])
    return {
        "formations": formations,
        "counters": {line.counter.id: line.counter for line in lines if line.counter}.values(),
        "ready": bool(pasted.elements) and not form.has_error("text"),
        "problems": bool(pasted.error or pasted.rest),
        "understood": len(pasted.elements),
        "wrong": len([line for line in lines if line.error]),
        "lines": len(lines),
        "total": roster_page.points(state.appraisal.points),
        "title": pasted.title,
        "remark": translate(remark) if remark else "",
        "same_total": pasted.parsed.total is not None and not remark,
    }


def _shown(
    state: RosterState, known: dict[Any, Any], designs: list[Design], entry: tuple[int, ParsedLine, Any]
) -> PastedLine:
    number, line, element = entry
    system, terms = SYSTEMS[state.document.system], terms_of(state.document)
    appraised = known.get(element.id) if element else None
    points = appraised.priced.points if appraised else None
    remarks = [total_error(line, appraised.priced.unit_points if appraised else None)]
    for guess in line.parses[0].guesses if element else ():
        text = line.text[guess.start : guess.end]
        remarks.append(_("Check: “{text}” is read as {word}.").format(text=text, word=guess.label))
    remarks += [name_check(system, line, line.parses[0])] if element else []
    wrong = tuple(Span(error.start, error.end, "word", error.message) for error in line.errors[:1])
    return PastedLine(
        number,
        text_spans(line.text, wrong),
        element,
        roster_page.counter_of(system, appraised, terms, format_amount(appraised.priced.unit_points))
        if appraised
        else None,
        appraised.description if appraised else "",
        format_amount(points) if points is not None else "",
        problem_of(line, system),
        "warning" if line.parses and not line.bare else "error",
        " ".join(translate(remark) for remark in remarks if remark),
        " ".join(errors_of(system, appraised.problems)) if appraised else "",
        () if element else tuple(choices_of(line, system, designs)),
    )
