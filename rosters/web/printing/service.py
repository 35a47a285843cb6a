"""Printing: the sheets of a roster and their PDF. The same input, fonts and URL give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from django.conf import settings

from rosters import registry
from rosters.core.amounts import format_amount
from rosters.core.appraisals import RosterState, terms_of
from rosters.core.crests import crest_of
from rosters.core.documents import AnyDocument, text_of
from rosters.core.findings import findings_by_position
from rosters.core.messages import _, translate
from rosters.core.redaction import Hidden
from rosters.drawing.crest import crest
from rosters.drawing.diagrams import cropped
from rosters.drawing.primitives import Picture
from rosters.exports import listing
from rosters.pdf import battle_sheet, fonts, layout
from rosters.pdf.job import MIN_SCALE, Job, PrintOptions, Sheet, SheetContent, counters
from rosters.pdf.layout import Part
from rosters.pdf.pages import Metadata, render
from rosters.pdf.roster_sheet import REFERENCE
from rosters.pdf.sections import PAPERS, Header, Page
from rosters.pdf.shaping import limited
from rosters.registry import System
from rosters.store.state import compute_state, redacted_state


class Limits(NamedTuple):
    """The most pages of one PDF, and of one with form fields, which take longest to draw. 0: any number."""

    pages: int = 0
    fillable: int = 0


NO_LIMITS = Limits()


def printing_limits() -> Limits:
    """The most pages of one PDF, by the site's settings."""
    return Limits(settings.MOST_PAGES, settings.MOST_FILLABLE_PAGES)


class UnknownSheet(Exception):
    """A sheet that the system does not have."""

    def __init__(self, code: str, system: System) -> None:
        super().__init__(f"{code!r} is no sheet of {system.name}; there are {', '.join(sheets_of(system))}.")


class PrintLayout(NamedTuple):
    """Pages, laid out and counted, and how to draw them."""

    pages: list[Page]
    options: PrintOptions
    metadata: Metadata

    @limited()
    def pdf(self, first: int = 0, last: int | None = None) -> bytes:
        """The PDF of all pages, or of some, numbered from 0 as slices are. Raises shaping.TooLarge."""
        return render(self.pages, self.options.style, self.metadata, first=first, last=last)


def sheets_of(system: System) -> Mapping[str, Sheet]:
    """The sheets of a system by code, in the order in which a pack prints them."""
    return {sheet.code: sheet for sheet in system.sheets.SHEETS}


class PrintableRoster(NamedTuple):
    """A roster to print: its document and appraisal, redacted or not, and the URL for its QR code ("" for none)."""

    state: RosterState
    url: str = ""

    @property
    def system(self) -> System:
        return registry.SYSTEMS[self.state.document.system]


def copy_of(document: AnyDocument, url: str = "") -> PrintableRoster:
    """A document, appraised for printing."""
    return PrintableRoster(compute_state(document), url)


def missing_characters(copies: Iterable[PrintableRoster]) -> str:
    """The characters in rosters for which this server has no font; they print as boxes."""
    return fonts.missing("".join(text_of(copy.state.document) for copy in copies))


def without_points(copy: PrintableRoster) -> PrintableRoster:
    """The opponent's copy: points are redacted from document and appraisal."""
    return copy._replace(state=redacted_state(copy.state, Hidden(points=True)))


def job(copy: PrintableRoster, options: PrintOptions, *, blank: bool = False) -> Job:
    """Everything that the sheets of one roster need; a roster without elements prints the blank forms."""
    if not options.points:
        copy = without_points(copy)
    document, system = copy.state.document, copy.system
    return Job(
        document,
        copy.state.appraisal,
        copy.state.appraised,
        terms_of(document),
        system.rules,
        listing.scenario(document, system),
        system.play,
        counters(system.drawing.counter_of),
        options,
        _header(copy, options, blank),
        findings_by_position(copy.state.appraisal.findings),
        blank or not any(formation.elements for formation in document.formations),
        diagrams_of(system),
    )


def _header(copy: PrintableRoster, options: PrintOptions, blank: bool) -> Header:
    document, appraisal, system = copy.state.document, copy.state.appraisal, copy.system
    if blank:
        return Header("", system.name, source=system.details.rulebook)
    findings = appraisal.findings if appraisal.quantity else ()  # an empty roster is in progress
    errors = (translate(finding.message).rstrip(".") for finding in findings if finding.severity == "error")
    words, badges = system.rules.WORDS, [(system.rules.WORDS.elements, str(appraisal.quantity))]
    if words.has_points and appraisal.points is not None and options.points:
        badges.append((words.points_heading, format_amount(appraisal.points)))
    return Header(
        document.name,
        system.name,
        (document.changed or "")[:10],
        copy.url,
        tuple(dict.fromkeys(errors)),
        crest=crest(crest_of(document)),
        badges=tuple(badges),
        source=system.details.rulebook,
    )


def sheets_to_print(job: Job, system: System) -> list[Sheet]:
    """The sheets to print: those that the options name, in their order, else the game's own pack.

    Raises UnknownSheet.
    """
    known = sheets_of(system)
    for code in job.options.sheets:
        if code not in known:
            raise UnknownSheet(code, system)
    if job.options.sheets:
        return [known[code] for code in dict.fromkeys(job.options.sheets)]
    return [sheet for sheet in known.values() if sheet.pack(job)]


def _content(job: Job, sheets: Sequence[Sheet], *, beside: Sequence[Sheet] = ()) -> SheetContent:
    """What the sheets draw; ``beside`` are others of the same print."""
    job = job._replace(printed_panels=job.printed_panels | _panels_of((*sheets, *beside)))
    return chain.from_iterable(sheet.draw(job) for sheet in sheets)


def _panels_of(sheets: Iterable[Sheet]) -> frozenset[str]:
    """The titles of the panels that these sheets have."""
    return frozenset().union(*(sheet.panels for sheet in sheets))


@cache  # 5 ms, of which a small print takes 40
def diagrams_of(system: System) -> Mapping[str, Picture]:
    """The diagrams of the terms of a game by their names and codes."""
    pictures = {code: cropped(shapes) for code, shapes in system.drawing.DIAGRAMS.items()}
    return pictures | {term.name: pictures[term.code] for term in system.help.terms() if term.code in pictures}


def roster_print(copies: Sequence[PrintableRoster], options: PrintOptions, limits: Limits = NO_LIMITS) -> PrintLayout:
    """The sheets of rosters, one after another.

    Raises UnknownSheet, or shaping.TooLarge beyond the pages of ``limits`` or those that the options allow.
    """

    def parts(options: PrintOptions) -> Iterator[Part]:
        for number, copy in enumerate(copies):
            each = job(copy, options)
            header = each.header._replace(prefix=f"p{number + 1}." if len(copies) > 1 else "")
            yield Part(header, _content(each, sheets_to_print(each, copy.system)))

    title = ", ".join(copy.state.document.name or copy.system.name for copy in copies)
    return _lay_out(parts, options, Metadata(title, subject=copies[0].state.appraisal.edition), limits)


def blank_print(system: System, options: PrintOptions, limits: Limits = NO_LIMITS) -> PrintLayout:
    """A system's blank sheets, to fill in by hand: all of its own, or those that the options name."""
    empty = {"format": "armybuilder-roster", "version": 1, "system": system.slug, "name": "", "formations": []}
    copy = copy_of(registry.read(empty))
    own = [sheet for sheet in sheets_of(system).values() if sheet.fill_in or not sheet.shared]

    def parts(options: PrintOptions) -> Iterator[Part]:
        each = job(copy, options, blank=True)
        yield Part(each.header, _content(each, sheets_to_print(each, system) if options.sheets else own))

    title = translate(_("{game}, blank sheets").format(game=system.name))
    return _lay_out(parts, options, Metadata(title, subject=copy.state.appraisal.edition), limits)


class NotOneGame(Exception):
    """Rosters of different games in one battle."""

    def __init__(self) -> None:
        super().__init__(_("All rosters of a battle must be for one game."))


def battle_print(copies: Sequence[PrintableRoster], options: PrintOptions, limits: Limits = NO_LIMITS) -> PrintLayout:
    """Rosters of one game for one battle: its cover, what all need once, and each force's own sheets.

    Raises NotOneGame, UnknownSheet or shaping.TooLarge.
    """
    if len({copy.state.document.system for copy in copies}) != 1:
        raise NotOneGame
    copies = copies if options.points else [without_points(copy) for copy in copies]
    system = copies[0].system
    title, *others = (copy.state.document.name or system.name for copy in copies)
    for other in others:
        title = translate(_("{a} against {b}").format(a=title, b=other))
    header = Header(title, system.name, source=system.details.rulebook)
    together = copy_of(_together([copy.state.document for copy in copies]))

    def parts(options: PrintOptions) -> Iterator[Part]:
        jobs = [job(copy, options) for copy in copies]
        briefing = system.play.briefing([copy.state for copy in copies])
        both = job(together, options)._replace(printed_panels=frozenset(panel.title for panel in briefing))
        shared = [sheet for sheet in sheets_to_print(both, system) if sheet.shared]
        beside = _own_sheets(both, system)
        sides = [each._replace(printed_panels=_panels_of((*shared, *beside))) for each in jobs]
        cover = battle_sheet.battle(sides, turn=all(sheet.code != REFERENCE.code for sheet in shared))
        yield Part(header, chain(cover, _content(both, shared, beside=beside)))
        cut: list[Part] = []
        for number, each in enumerate(jobs, start=1):
            own, sheets = each.header._replace(prefix=f"p{number}.", seat=number - 1), _own_sheets(each, system)
            yield Part(own, _content(each, [sheet for sheet in sheets if not sheet.cut_out]))
            cut.append(Part(own, _content(each, [sheet for sheet in sheets if sheet.cut_out])))
        yield Part(header, layout.shared_grids(cut))

    return _lay_out(parts, options, Metadata(title, subject=together.state.appraisal.edition), limits)


def _own_sheets(each: Job, system: System) -> list[Sheet]:
    """The sheets that each force of a battle has for itself; those that others cover only if they were selected."""
    own = (sheet for sheet in sheets_to_print(each, system) if not sheet.shared)
    return [sheet for sheet in own if each.options.sheets or not sheet.on_cover]


def _together(documents: Sequence[AnyDocument]) -> AnyDocument:
    """One document with the formations of all, for the reference panel."""
    formations = tuple(formation for document in documents for formation in document.formations)
    return documents[0].replace(formations=formations, changed=None)


SIZES = tuple(1 - (1 - MIN_SCALE) * step / 6 for step in range(7))
"""The scales of print that are tried to fit on a number of pages."""


@limited()
def _lay_out(
    parts: Callable[[PrintOptions], Iterable[Part]], options: PrintOptions, metadata: Metadata, limits: Limits
) -> PrintLayout:
    """The pages in the largest print in which they fit. Raises shaping.TooLarge."""
    page_limits = [limit for limit in (limits.pages, limits.fillable if options.fillable else 0) if limit]
    for scale in SIZES if options.fit else (options.scale,):
        scaled = options.with_scale(scale)
        pages = layout.pages(parts(scaled), PAPERS[options.paper], scaled.style, min(page_limits, default=0))
        if not options.fit or len(pages) <= options.fit:
            return PrintLayout(pages, scaled, metadata)
    raise layout.DoesNotFit(options.fit, len(pages))
