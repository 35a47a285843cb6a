"""URUTSK minis: figures of primitive to modern battles, recorded and counted; the rules have no points.

PURE. Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from rosters.core import values
from rosters.core.amounts import Amount
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, Meaning, Problem, error, warning
from rosters.core.messages import _, ngettext
from rosters.core.receipts import Totals
from rosters.core.reference import Entry
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Integer, Loss, Many, Notes

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

FIRES = {"single": "single shots", "autofire": "autofire or volley", "burst": "burst effect"}
"""How a weapon fires, in words."""


class Profile(values.Profile):
    """A figure. The text gives scores no limits; negative ones and Fate below 1 come back as findings."""

    ranged: Integer = 0
    close: Integer = 0
    weapon_ability: Integer = 0
    fate: Integer = 1
    fire: Literal["single", "autofire", "burst"] = "single"
    poor_condition: bool = False
    command: bool = False
    protection: Notes = ""


class Options(values.Options):
    """URUTSK has no house rules here."""


class Mark(values.Mark):
    """The Fate that one figure has lost."""

    fate: Loss = 0


class Element(BaseElement, Profile):
    """A figure of a roster, or several equal ones."""

    marks: Many[Mark] = ()


FigureTerms = Terms[Options]

FINDINGS: Mapping[str, Meaning] = {
    "negative-score": error("Ranged, Close and weapon ability are 0 or more.", tells_points=False),
    "fate-below-one": error(
        "A figure has at least 1 Fate; any hit compared with less would make no sense.", tells_points=False
    ),
    "no-command-figure": warning(
        "Nobody in the force is command-capable, so every figure is out of command at the first check.",
        tells_points=False,
    ),
}

FACTS: Mapping[str, Fact] = {}

SCENARIOS: Mapping[str, Scenario] = {}
SIZES = (Size("Any size: the rules have no points", None),)

# ---------------------------------------------------------------- price


def price(profile: Profile, terms: FigureTerms) -> None:
    """None: the rules have no points, and none are invented."""
    return None


def headcount(element: Element) -> int:
    """Figures that the element stands for."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: FigureTerms) -> Totals:
    """No points anywhere."""
    return Totals(None, None, None)


# ---------------------------------------------------------------- legality


def check_element(element: Element, terms: FigureTerms) -> Iterator[Problem]:
    """Findings about one figure: its scores."""
    for score, value in (
        ("Ranged", element.ranged),
        ("Close", element.close),
        ("Weapon ability", element.weapon_ability),
    ):
        if value < 0:
            yield Problem("negative-score", f"{score} is {value}; it cannot be below 0.")
    if element.fate < 1:
        yield Problem("fate-below-one", f"Fate is {element.fate}; it cannot be below 1.")


def check_formation(formation: Formation[Element], terms: FigureTerms) -> Iterable[Problem]:
    """The rules ask nothing of a single detachment."""
    return ()


def check_roster(document: Document[Element, Options], totals: Totals, terms: FigureTerms) -> Iterator[Problem]:
    """Findings about the whole force: somebody has to command it."""
    figures = (figure for formation in document.formations for figure in formation.elements)
    if not any(figure.command and figure.quantity > 0 for figure in figures):
        yield Problem("no-command-figure", "No figure is command-capable.")


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: FigureTerms) -> Mapping[str, Any]:
    return {}


def formation_facts(formation: Formation[Element], terms: FigureTerms) -> Mapping[str, Any]:
    return {}


def roster_facts(document: Document[Element, Options], terms: FigureTerms) -> Mapping[str, Any]:
    return {}


def describe(profile: Profile, terms: FigureTerms) -> str:
    """The figure in one line, as a player would say it."""
    parts = [
        f"Ranged {profile.ranged}",
        f"Close {profile.close}",
        f"Fate {profile.fate}",
        f"weapon ability {profile.weapon_ability}",
        FIRES[profile.fire] + (", poor condition" if profile.poor_condition else ""),
        "commands" if profile.command else "",
        profile.protection,
    ]
    return ", ".join(part for part in parts if part)


def glossary() -> Iterator[Entry]:
    """The rulebook has no reference list."""
    yield from ()
