"""The registry of the five systems: reading their documents, appraising their rosters, explaining their codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote_plus

from rosters.core import appraisals, documents
from rosters.core.amounts import Amount
from rosters.core.appraisals import Appraisal, AppraisedFormations, Rulebook
from rosters.core.documents import AnyDocument
from rosters.core.messages import _, join
from rosters.core.rulebook import Size, Terms

if TYPE_CHECKING:  # the interfaces of the systems' files
    from rosters.core.fixes import Fixes
    from rosters.core.forces import ForceRule
    from rosters.core.grammar import Grammar
    from rosters.core.grid import ElementGrid
    from rosters.core.help import Help
    from rosters.core.odds import Odds
    from rosters.core.play import Play
    from rosters.core.simulation import Battles
    from rosters.core.variants import VariedFields
    from rosters.exports.characteristics import Characteristics


class GameDetails(NamedTuple):
    """What a game is played with, as its rulebook says; ``rulebook`` is its title and its author.

    ``time`` is our estimate for a game of the usual size. ``source`` is where the rulebook can be read, "" if only a
    search finds it. ``size`` is the index of the usual one of the rules' SIZES, with which a roster starts.
    """

    figures: str
    table: str
    dice: str
    time: str
    rulebook: str
    source: str = ""
    size: int = 0


class System:
    """One rulebook: its slug in addresses and documents, its name, its purpose, its folder, and its details."""

    def __init__(self, slug: str, name: str, purpose: str, folder: str, details: GameDetails) -> None:
        self.slug, self.name, self.purpose, self.folder, self.details = slug, name, purpose, folder, details

    @cached_property
    def rules(self) -> Rulebook:
        return cast(Rulebook, self._module("rules"))

    @property
    def rulebook_url(self) -> str:
        """Where the rulebook can be read, or a search of the web for it."""
        title, _parenthesis, _remark = self.details.rulebook.partition(" (")
        words = quote_plus(f"{title.replace(',', '')} free wargame rules")
        return self.details.source or f"https://duckduckgo.com/?q={words}"

    @property
    def usual_size(self) -> Size:
        """The size with which a roster starts."""
        return self.rules.SIZES[self.details.size]

    @cached_property
    def forms(self) -> ModuleType:
        """The module with this system's ``ElementForm``."""
        return self._module("forms")

    @cached_property
    def play(self) -> Play:
        """Damage tracks, alerts and reference panels."""
        return cast("Play", self._module("play"))

    @cached_property
    def sheets(self) -> ModuleType:
        """The module with this system's ``SHEETS`` and ``CHOICES``."""
        return self._module("sheets")

    @cached_property
    def characteristics_of(self) -> Callable[[Any, Terms[Any]], Characteristics]:
        """A function from an element and its terms to its characteristics in files of other programs."""
        return cast("Callable[[Any, Terms[Any]], Characteristics]", self._module("characteristics").characteristics_of)

    @cached_property
    def drawing(self) -> ModuleType:
        """The module with this system's ``counter_of``, the picture of an element."""
        return self._module("drawing")

    @cached_property
    def grid(self) -> ElementGrid:
        """The columns of a roster's table."""
        return cast("ElementGrid", self._module("grid"))

    @cached_property
    def fixes(self) -> Fixes:
        """The fixes of findings."""
        return cast("Fixes", self._module("fixes"))

    @cached_property
    def help(self) -> Help:
        """The terms of the rulebook."""
        return cast("Help", self._module("help"))

    @cached_property
    def odds(self) -> Odds:
        """One round of the game as probabilities."""
        return cast("Odds", self._module("odds"))

    @cached_property
    def battle(self) -> Battles:
        """Many battles at once; importing it imports NumPy."""
        return cast("Battles", self._module("battle"))

    @cached_property
    def varied(self) -> VariedFields:
        """The fields that a fairness report varies."""
        return cast("VariedFields", self._module("variants").VARIED_FIELDS)

    @cached_property
    def force_rules(self) -> Sequence[ForceRule]:
        """The rules for a roster as a whole, for the search of forces."""
        return cast("Sequence[ForceRule]", self._module("forces").RULES)

    @cached_property
    def grammar(self) -> Grammar:
        """The words of quick add."""
        return cast("Grammar", self._module("lines").GRAMMAR)

    @cached_property
    def document_class(self) -> type[AnyDocument]:
        """The Document class of this system."""
        return documents.document_type(self.slug, self.rules)

    def _module(self, name: str) -> ModuleType:
        return import_module(f"rosters.systems.{self.folder}.{name}")


SYSTEMS: Mapping[str, System] = {
    system.slug: system
    for system in (
        System(
            "mini-combat",
            "Mini Combat",
            _("Massed battles in any age, with elements of your own design."),
            "mini_combat",
            GameDetails(
                _("2–10 mm"),
                _("120 × 180 cm"),
                _("two six-sided"),
                _("2 hours"),
                _("Mini Combat, with Appendix B (author not named)"),
            ),
        ),
        System(
            "6mm",
            "6MM",
            _("Whole battles on a grid, from phalanx to tank company, by strength points."),
            "six_mm",
            GameDetails(
                _("6 mm, on 45 mm bases"),
                _("grid of 50 mm squares"),
                _("six-sided"),
                _("2–3 hours"),
                _("6MM, by Gary Mitchell and STaB"),
            ),
        ),
        System(
            "msc",
            "Minimal Space Combat",
            _("Ships from build points, in squadrons or in a war between systems."),
            "msc",
            GameDetails(
                _("ship counters"),
                _("blank hex map"),
                _("six-sided"),
                _("1 hour"),
                _("Minimal Space Combat, by Timothy Swenson"),
                "https://www.grognard.com/download/games/board/msc.txt",
                size=1,
            ),
        ),
        System(
            "vsgmr",
            "VSGMR",
            _("Quick fights with any figures you own, heroes and super powers included."),
            "vsgmr",
            GameDetails(
                _("any figures of one size"),
                _("120 × 180 cm"),
                _("six-sided; more for super powers"),
                _("1 hour"),
                _("Very Simple Generic Miniatures Rules, by Domino Writing"),
                "http://dominowriting.com/games/tabletop-gaming-3/vsgmr/",
            ),
        ),
        System(
            "urutsk",
            "URUTSK minis",
            _("Gritty skirmishes without points, primitive to modern."),
            "urutsk",
            GameDetails(
                _("any figures"),
                _("any table"),
                _("six-sided"),
                _("1 hour"),
                _("Old URUTSK minis combat rules, by Kyrinn S. Eis"),
                "http://thegrandtapestry.blogspot.com/2010_09_02_archive.html",
            ),
        ),
    )
}


def document_types() -> Mapping[str, type[AnyDocument]]:
    """The Document class of each system, as `documents.read` expects."""
    return {slug: system.document_class for slug, system in SYSTEMS.items()}


def read(data: Any, *, limited: bool = False, before: AnyDocument | None = None) -> AnyDocument:
    """Read a roster from parsed JSON, within ``documents.LIMITS`` or those of ``before`` if it comes in (``limited``).

    Raises documents.InvalidDocument with all errors.
    """
    stored = documents.write(before) if before else None
    return documents.read(data, document_types(), limited=limited, before=stored)


def appraise_elements(document: AnyDocument, known: AppraisedFormations | None = None) -> AppraisedFormations:
    """Appraise each element by its system's rules. Equal ones in ``known`` are reused."""
    return appraisals.appraise_elements(document, SYSTEMS[document.system].rules, known)


def appraise(document: AnyDocument, appraised: AppraisedFormations | None = None) -> Appraisal:
    """Appraise a roster by its system's rules."""
    return appraisals.appraise(document, SYSTEMS[document.system].rules, appraised)


def total_points(document: AnyDocument) -> Amount | None:
    """The points of a roster by its system's rules; None in a game without points."""
    return appraisals.total_points(document, SYSTEMS[document.system].rules)


class Explanation(NamedTuple):
    """One code of a system and its explanation. ``kind`` is "rule", "house rule" or a finding's severity.

    A finding has no name.
    """

    code: str
    name: str
    kind: str
    text: str
    example: str = ""


def explanations(system: System) -> list[Explanation]:
    """Every explanation of a system for ``explain`` and the help pages: rules, house rules, findings."""
    rules = system.rules
    glossary = [Explanation(term.code, term.name, "rule", term.text) for term in system.help.terms()]
    options = [
        Explanation(
            name, field.title or name, "house rule", field.description or "", system.help.EXAMPLES.get(name, "")
        )
        for name, field in rules.Options.model_fields.items()
    ]
    findings = [
        Explanation(code, "", kind.severity, join((kind.text, kind.why), " "))
        for code, kind in appraisals.finding_types(rules).items()
    ]
    return glossary + options + findings
