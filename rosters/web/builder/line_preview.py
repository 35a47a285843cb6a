"""The preview of a line of quick add: its parses with their prices, or its errors."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

from django.utils.translation import gettext
from rapidfuzz.distance import OSA

from rosters.core import edits
from rosters.core.amounts import format_amount
from rosters.core.appraisals import AppraisedElement, RosterState, finding_type, terms_of
from rosters.core.documents import AnyDocument, Element, Formation, new_id, profile_of
from rosters.core.findings import Problem
from rosters.core.grammar import MIN_PREFIX, LineError, fold
from rosters.core.lines import Parse, ParsedLine, Span, amount_of, misspelled, parse_line
from rosters.core.lists import heading_of
from rosters.core.messages import Message, _, translate
from rosters.drawing.svg import Symbol
from rosters.registry import System
from rosters.store.access import Visitor
from rosters.store.elements import Design, designs_like, designs_of, elements_named, names_beginning
from rosters.store.state import compute_state
from rosters.web import roster_page
from rosters.web.builder.forms import LineForm
from rosters.web.context import RosterContext


class LineContext(Protocol):
    """What a line is parsed for: a roster in the builder or another document, and whose elements it may copy."""

    @property
    def system(self) -> System: ...
    @property
    def document(self) -> AnyDocument: ...
    @property
    def state(self) -> RosterState: ...
    @property
    def visitor(self) -> Visitor: ...


class TextSpan(NamedTuple):
    """A part of the line: its text, the kind of its meaning ("" if it has none), and that in words."""

    text: str
    kind: str
    label: str = ""


class PricedParse(NamedTuple):
    """A parse of the line as it is shown: its element with its price and its counter, and the parts of the line."""

    label: str
    element: Element
    description: str
    unit_points: str
    points: str
    budget: roster_page.Budget | None
    """What would be left of the points limit."""
    counter: Symbol
    text_spans: tuple[TextSpan, ...]
    errors: tuple[str, ...]
    """The errors of the element: one with errors is added by the button Add anyway."""
    remark: str
    """What is unusual in it."""
    note: str
    is_usual: bool

    @property
    def sprite(self) -> list[Symbol]:
        """The SVG symbol that the counter refers to; the page may not have it yet."""
        return [self.counter]


def text_spans(text: str, spans: tuple[Span, ...]) -> tuple[TextSpan, ...]:
    """The line in parts, with their meaning in a parse."""
    parts, end = [], 0
    for span in spans:
        parts += [TextSpan(text[end : span.start], ""), TextSpan(text[span.start : span.end], span.kind, span.label)]
        end = span.end
    return tuple(part for part in (*parts, TextSpan(text[end:], "")) if part.text)


def target_of(ctx: LineContext, uid: str) -> Formation[Any]:
    """The formation that a line is added to: the last one if it is not there, a new one in an empty roster."""
    formations = ctx.document.formations
    if not formations:
        return Formation[Any](id=new_id(), name=f"{ctx.system.rules.WORDS.formation} 1")
    return next((each for each in formations if each.id == uid), formations[-1])


def addition(ctx: LineContext, formation: Formation[Any], element: Element) -> edits.Edit:
    """The edit that adds an element to a formation, which may be new."""
    if formation in ctx.document.formations:
        return edits.add_elements(str(formation.id), [element])
    return edits.add_formation(formation.replace(elements=(element,)))


def priced(ctx: LineContext, formation: Formation[Any], line: ParsedLine) -> list[PricedParse]:
    """The parses of a line with their prices in this roster, those without errors first, and of these the usual one.
    Raises LimitExceeded.
    """
    usual = usual_of(ctx.system, line.parses)
    parses = (_priced(ctx, formation, line, parse, parse is usual) for parse in line.parses)
    return sorted(parses, key=lambda each: (bool(each.errors), not each.is_usual))


def _priced(ctx: LineContext, formation: Formation[Any], line: ParsedLine, parse: Parse, is_usual: bool) -> PricedParse:
    element = edits.with_id(parse.element)
    state, appraised = _appraised(ctx, formation, element)
    each, label = format_amount(appraised.priced.unit_points), translate(parse.label)
    guesses = parse.guesses if len(line.parses) == 1 else ()  # others are labeled
    notes = [f"“{line.text[guess.start : guess.end]}” = {translate(guess.label)}" for guess in guesses]
    if usual := ctx.system.grammar.usual(element):
        other = format_amount(_appraised(ctx, formation, usual[1])[1].priced.unit_points)
        notes += [translate(usual[0]).format(each=each, other=other)] if other != each else []
    return PricedParse(
        "" if label in translate(appraised.description) or label == translate(element.display_name) else label,
        element,
        appraised.description,
        each,
        format_amount(appraised.priced.points),
        roster_page.budget_of(state.appraisal),
        roster_page.counter_of(ctx.system, appraised, terms_of(state.document), each),
        text_spans(line.text, parse.spans),
        errors_of(ctx.system, appraised.problems),
        " · ".join(
            map(translate, filter(None, (name_check(ctx.system, line, parse), ctx.system.grammar.remark(element))))
        ),
        " · ".join(notes),
        is_usual,
    )


def _appraised(ctx: LineContext, formation: Formation[Any], element: Element) -> tuple[RosterState, AppraisedElement]:
    """The roster with an element, and that element with its price."""
    state = compute_state(addition(ctx, formation, element)(ctx.document), ctx.state)
    return state, next(each for each in state.appraised_elements if each.element.id == element.id)


def errors_of(system: System, problems: Iterable[Problem]) -> tuple[str, ...]:
    """The messages of those problems of an element that are errors."""
    return tuple(
        translate(each.message) for each in problems if finding_type(system.rules, each.code).severity == "error"
    )


def copies_of(ctx: LineContext, line: ParsedLine) -> tuple[Parse, ...]:
    """Copies of elements in samples and the visitor's own rosters whose name the line is."""
    copies = elements_named(ctx.system.slug, [line.words], ctx.visitor).get(line.words, [])
    span = Span(0, len(line.text), "name", _("Name"))
    return tuple(
        Parse(
            copy.element.replace(quantity=line.quantity),
            _("copy from {roster}").format(roster=copy.roster),
            (span,),
        )
        for copy in copies
    )


MAX_SUGGESTED = 2
"""Names that are suggested while a line is typed."""


def suggestions_of(ctx: LineContext, text: str) -> list[tuple[str, str, str]]:
    """Words that are meant by a misspelled one, and names of known elements that a line begins, each with its roster;
    and the line with it.
    """
    line = parse_line(ctx.system.grammar, text)
    words: list[tuple[str, str, str]] = []
    if error := misspelling_of(ctx.system, line):
        label = gettext("instead of %(word)s") % {"word": text[error.start : error.end]}
        words = [(word, label, other) for word, other in corrected(text, error)]
    if len(line.words) < MIN_PREFIX or not text.endswith(line.words):
        return words
    names = names_beginning(ctx.system.slug, line.words, ctx.visitor, MAX_SUGGESTED)
    return [*words, *((name, of, text.removesuffix(line.words) + name) for name, of in names.items())]


def misspelling_of(system: System, line: ParsedLine) -> LineError | None:
    """The word of a line that may be misspelled. What is capitalized in a line that can be read is its name."""
    error = misspelled(system.grammar, line)
    return None if error and line.parses and line.text[error.start].isupper() else error


def number_named(line: ParsedLine, parse: Parse) -> str:
    """The number, or price, that is read as the name; "" if none is."""
    names = (line.text[span.start : span.end] for span in parse.spans if span.kind == "name")
    return next((name for name in names if amount_of(fold(name)) is not None), "")


def name_check(system: System, line: ParsedLine, parse: Parse) -> Message | None:
    """The remark on a name that is a number, or has what may be a misspelled word of the game."""
    if number := number_named(line, parse):
        return _("Check: “{text}” is read as a name.").format(text=number)
    error = misspelling_of(system, line) if parse.spans[1:] else None  # a copy has the span of its name alone
    text = line.text[error.start : error.end] if error else ""
    if error is None or text not in parse.element.name:
        return None
    message = _("Check: “{text}” is read as a name. Did you mean {word}?")
    return message.format(text=text, word=error.near[0].label)


def _is_typing_error(system: System, line: ParsedLine) -> bool:
    """Whether the name is a number or begins, in small letters, with a word that is one letter from one of the game."""
    if any(number_named(line, each) for each in line.parses):
        return True
    error = misspelling_of(system, line)
    text = line.text[error.start : error.end] if error else ""
    if error is None or not text.islower() or not any(each.element.name.startswith(text) for each in line.parses):
        return False
    return any(OSA.distance(text, fold(each.text), score_cutoff=1) <= 1 for each in error.near)


def _to_correct(system: System, line: ParsedLine) -> list[LineError]:
    """The errors of a line, and where they suggest no other word the one that may be misspelled, as in a name."""
    error = None if any(each.near for each in line.errors) else misspelling_of(system, line)
    return [*line.errors, *([error] if error else [])]


def corrected(text: str, error: LineError) -> list[tuple[str, str]]:
    """The words that are near to a misspelled one of a line, each with the line that has it instead."""
    return [(translate(label), f"{text[: error.start]}{word}{text[error.end :]}") for label, word in error.near]


def like_of(system: System, line: ParsedLine, designs: list[Design]) -> list[Design]:
    """The designs to add instead of a line that has no stats: they have what it says, such as its type."""
    profile = profile_of(line.parses[0].element) if line.parses else None
    return designs_like(designs, line.words, profile)


def missing_type_text(system: System) -> str:
    """What to write instead of a name that no known element has."""
    return gettext("This is only a name. Add what it is, such as “%(example)s”.") % {"example": system.grammar.example}


def without_parses(text: str, *errors: Any) -> dict[str, Any]:
    """The preview of a line without parses, with the messages of its errors."""
    return {"line": text, "parses": [], "errors": [{"message": error} for error in errors], "chips": [], "wrong": []}


def with_choices(ctx: LineContext, formation: Formation[Any], line: ParsedLine) -> ParsedLine:
    """A line with one parse that lacks a choice, such as the gun of artillery: a parse for each, and that one last."""
    if len(line.parses) != 1 or line.bare:
        return line
    parse, fixers = line.parses[0], ctx.system.fixes.FIXES
    state, appraised = _appraised(ctx, formation, edits.with_id(parse.element))
    for problem in appraised.problems:
        if finding_type(ctx.system.rules, problem.code).severity == "error" and problem.code in fixers:
            changes = (fix.change for fix in fixers[problem.code](state.document, parse.element))
            choices = [parse._replace(element=each) for each in changes if isinstance(each, Element)]
            if len(choices) > 1:
                return line._replace(parses=(*choices, parse))
    return line


def _name_only(ctx: LineContext, target: Formation[Any], line: ParsedLine) -> dict[str, Any]:
    """The preview of a name that no known element has: in a roster, the form of a new one asks for its stats."""
    error = misspelled(ctx.system.grammar, line)
    corrections = _corrections(ctx, line, *([error] if error else []))
    if not isinstance(ctx, RosterContext) or target not in ctx.document.formations or not line.parses:
        return without_parses(line.text, missing_type_text(ctx.system)) | corrections
    query = {"in": target.id, "line": line.text.strip()}
    return {**without_parses(line.text), "new": urlencode(query), "name": line.words, **corrections}


_COUNT = re.compile(r"\s*(?:[x×*]?\s*\d+\s*[x×*]?(?=\s))?\s*")


def completed(text: str, word: str) -> str:
    """A line with a word that it lacks, before its name: behind it the word would be part of that, as "Swiss pikes"."""
    end = match.end() if (match := _COUNT.match(text)) else 0
    return f"{text[:end]}{word} {text[end:]}"


def _corrections(ctx: LineContext, line: ParsedLine, *errors: LineError) -> dict[str, Any]:
    """The line in parts, with its first error, and what may be pressed to correct it: rows of words, each with the line
    that has it. What is like no word of the game may be a name, and right as it is. A line that reads well needs no
    designs.
    """
    system, text = ctx.system, line.text
    lacks = line.words and (line.lacks_stats or not line.parses)
    designs = like_of(system, line, designs_of(system.slug, ctx.visitor)) if lacks else []
    spans = tuple(
        Span(error.start, error.end, "name", "name wrong" if error.missing and not error.near else "wrong")
        for error in errors[:1]
    )
    near = [each for error in errors for each in corrected(text, error)]
    types = [(translate(label), completed(text, word)) for error in errors for label, word in error.missing]
    rows = [
        (gettext("Did you mean:"), near),
        (gettext("Or add:"), [(each.name, f"{line.quantity} {each.name}") for each in designs]),
        (gettext("Add a type:") if system.grammar.required else gettext("Add:"), types),
    ]
    wrong = [part._replace(kind=part.kind and part.label) for part in text_spans(text, spans)]
    return {"chips": [row for row in rows if row[1]], "wrong": wrong}


def usual_of(system: System, parses: tuple[Parse, ...]) -> Parse | None:
    """Of parses that differ in nothing but their type, the one of the usual type."""
    key, common = system.grammar.required, system.grammar.common_types
    usual = [each for each in parses if common and getattr(each.element, key) in common]
    if len(usual) != 1 or len({each.element.replace(id=None, **{key: common[0]}) for each in parses}) != 1:
        return None
    return usual[0]


def preview_of(ctx: LineContext, form: LineForm) -> dict[str, Any]:
    """The preview of a line: its parses, or its errors and what is expected there."""
    text = form.cleaned_data["line"]
    if "line" in form.errors:
        return without_parses(text, *form.errors["line"])
    if heading_of(text.strip()) is not None:
        return without_parses(text)
    line = parse_line(ctx.system.grammar, text)
    if line.quantity < 1:
        return without_parses(text, gettext("The quantity must be at least 1."))
    target, copies = target_of(ctx, form.cleaned_data["in"]), copies_of(ctx, line)
    is_name = line.lacks_stats if isinstance(ctx, RosterContext) else line.bare
    is_one_copy = is_name and len(copies) == 1
    is_typing_error = not is_one_copy and _is_typing_error(ctx.system, line)
    needs_choice = is_typing_error or (not is_one_copy and (bool(copies) or line.element is None))
    if is_name and not copies:
        return _name_only(ctx, target, line)
    line = line._replace(parses=(*copies, *(() if is_name else line.parses)), lacks_stats=False)
    try:
        parses = priced(ctx, target, line if copies else with_choices(ctx, target, line))
    except edits.LimitExceeded as error:
        return without_parses(text, error.faults[0].message)
    return {
        "line": text,
        "parses": parses,
        "needs_choice": needs_choice or len(parses) > 1,
        # the first, which Enter adds
        "is_selected": len(parses) > 1
        and not is_typing_error
        and (parses[0].is_usual or [not each.errors for each in parses].count(True) == 1),
        "invalid": any(each.errors for each in parses),
        "errors": line.errors,
        **_corrections(ctx, line, *_to_correct(ctx.system, line)),
    }


def chosen_element(preview: dict[str, Any], form: LineForm) -> Element | None:
    """The element to add: of the selected parse, or of the only one without errors; None where there is something to
    choose first, or an error that is accepted neither by selecting its parse nor ``anyway``.
    """
    number, parses = form.cleaned_data["parse"], preview["parses"]
    anyway = form.cleaned_data["anyway"] or number is not None  # it was shown with its errors
    if number is None and not preview.get("is_selected") and (preview.get("needs_choice") or len(parses) != 1):
        return None
    chosen = next(iter(parses[number or 0 :]), None)
    return chosen.element if chosen and (anyway or not chosen.errors) else None
