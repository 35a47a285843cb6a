"""URUTSK minis: figures of primitive to modern battles. The rules have no points.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from rosters.core import values
from rosters.core.amounts import Amount, with_minus_sign
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, FindingType, Problem, error, warning
from rosters.core.messages import Message, _, join, ngettext
from rosters.core.receipts import Totals
from rosters.core.reference import GlossaryEntry
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, Integer, JsonList, Loss, Notes
from rosters.systems.urutsk.tables import FIRE

EDITION = "Old URUTSK minis combat rules, Kyrinn S. Eis, 1998 (reading 2)"
WORDS = Words(
    formation=_("Detachment"),
    formations=_("Detachments"),
    element=_("Figure"),
    elements=_("Figures"),
    points="",
    points_heading="",
    nouns=Nouns(_("detachment"), _("detachments"), _("figure"), _("figures")),
    count_elements=lambda n: ngettext("{n} figure", "{n} figures", n).format(n=n),
)
FORMULA = ""


class Profile(values.Profile):
    """The scores of a figure. The rulebook gives no limits; negative scores and Fate below 1 are findings."""

    ranged: Integer = 0
    close: Integer = 0
    weapon_ability: Integer = 0
    fate: Integer = 1
    fire: Literal["single", "autofire", "burst"] = "single"
    poor_condition: bool = False
    command: bool = False
    protection: Notes = ""


class Options(values.Options):
    """Empty: there are no house rules."""


class Mark(values.Mark):
    """The damage of one figure: Fate and rounds lost, and what its record says of ammunition, command and wounds."""

    fate: Loss = 0
    rounds: Loss = 0
    states: JsonList[Code] = ()


class Element(BaseElement, Profile):
    """A figure, or several equal figures."""

    unnamed = _("Unnamed figure")
    marks: JsonList[Mark] = ()


FigureTerms = Terms[Options]

FINDINGS: Mapping[str, FindingType] = {
    "negative-score": error(
        _("Ranged, Close and weapon ability are 0 or more."),
        _("A score is what a figure adds to its die, and an unskilled one adds 0."),
        reveals_points=False,
    ),
    "fate-below-one": error(
        _("A figure has at least 1 Fate."),
        _(
            "Hits below Fate are absorbed, hits equal to Fate injure, more incapacitate. With 0 the figure would "
            "be injured from the start."
        ),
        reveals_points=False,
    ),
    "no-command-figure": warning(
        _("Without a command-capable figure all figures are out of command at the first command check."),
        _(
            "Figures have to be within 10 yards of a command-capable one when a command check is due. Out of "
            "command, the referee moves them."
        ),
        _("Mass Melee"),
        reveals_points=False,
    ),
}

LABELS: Mapping[str, str] = {
    "ranged": _("Ranged"),
    "close": _("Close"),
    "weapon_ability": _("Weapon ability"),
    "fate": _("Fate"),
    "fire": _("Fire"),
    **{f"fire-{code}": fire.lower for code, fire in FIRE.items()},
    "poor_condition": _("Poor condition"),
    "command": _("Command-capable"),
    "protection": _("Cover and armor"),
}

FACTS: Mapping[str, Fact] = {}

SCENARIOS: Mapping[str, Scenario] = {}
SIZES = (Size(_("Any size (the rules have no points)"), None),)

# ---------------------------------------------------------------- price


def price(profile: Profile, terms: FigureTerms) -> None:
    """None: the rules have no points."""
    return None


def headcount(element: Element) -> int:
    """The number of figures of an element."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: FigureTerms) -> Totals:
    """No totals: the rules have no points."""
    return Totals(None, None, None)


# ---------------------------------------------------------------- legality


def check_element(element: Element, terms: FigureTerms) -> Iterator[Problem]:
    """Findings about the scores of one figure."""
    for score, value in (
        (_("Ranged"), element.ranged),
        (_("Close"), element.close),
        (_("Weapon ability"), element.weapon_ability),
    ):
        if value < 0:
            text = _("{score} is {value}. It must be 0 or more.")
            yield Problem("negative-score", text.format(score=score, value=with_minus_sign(str(value))))
    if element.fate < 1:
        yield Problem(
            "fate-below-one",
            _("Fate is {value}. It must be 1 or more.").format(value=with_minus_sign(str(element.fate))),
        )


def check_formation(formation: Formation[Element], terms: FigureTerms) -> Iterable[Problem]:
    """Nothing: the rules do not limit a detachment."""
    return ()


def check_roster(document: Document[Element, Options], totals: Totals, terms: FigureTerms) -> Iterator[Problem]:
    """Findings about the roster: it needs a commander."""
    figures = document.elements
    if not any(figure.command and figure.quantity > 0 for figure in figures):
        yield Problem("no-command-figure", _("No figure is command-capable."))


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: FigureTerms) -> Mapping[str, Any]:
    return {}


def formation_facts(formation: Formation[Element], terms: FigureTerms) -> Mapping[str, Any]:
    return {}


def roster_facts(document: Document[Element, Options], terms: FigureTerms) -> Mapping[str, Any]:
    return {}


def describe(profile: Profile, terms: FigureTerms) -> Message:
    """The figure in one line."""
    scores = _("Ranged {ranged}, Close {close}, Fate {fate}, weapon ability {weapon_ability}").format(
        **{name: with_minus_sign(str(getattr(profile, name))) for name in ("ranged", "close", "fate", "weapon_ability")}
    )
    parts = [
        scores,
        FIRE[profile.fire].lower,
        _("poor condition") if profile.poor_condition else "",
        _("command-capable") if profile.command else "",
        profile.protection,
    ]
    return join(part for part in parts if part)


def glossary() -> Iterator[GlossaryEntry]:
    """Nothing: the rulebook has no reference lists."""
    yield from ()
