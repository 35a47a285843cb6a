"""The sheets of VSGMR: figure cards, the same as a list, the set-up of the scenario, and paper measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from rosters.core.messages import _
from rosters.pdf import battle_sheet
from rosters.pdf.cards import CHOICES as CARD_CHOICES
from rosters.pdf.job import Choice, Job, Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.pdf.standees import CHOICES as STANDEE_CHOICES
from rosters.systems.vsgmr.play import scenario_title
from rosters.systems.vsgmr.rules import SCENARIOS
from rosters.systems.vsgmr.sheets.cards import figure_cards
from rosters.systems.vsgmr.sheets.figures import MAX_BOXES_PER_CARD
from rosters.systems.vsgmr.sheets.listing import LIST_PANELS, figure_list
from rosters.systems.vsgmr.sheets.markers import MARKERS
from rosters.systems.vsgmr.sheets.measures import paper_measures
from rosters.systems.vsgmr.sheets.setup import set_up
from rosters.systems.vsgmr.sheets.standees import standees
from rosters.systems.vsgmr.tables import SCALES_TITLE

MAX_CARDS = 18
"""With more cards than this, the default pack has the list instead."""

CHOICES: Mapping[str, Choice] = {
    **CARD_CHOICES,
    **STANDEE_CHOICES,
    "terrain": battle_sheet.CHOICES["terrain"]._replace(label=_("Terrain"), sheets=("battle", "setup")),
}


def _has_few(job: Job) -> bool:
    """Whether the figures need few cards, without laying out any."""
    boxes = MAX_BOXES_PER_CARD if job.options.merge else 1
    quantities: Iterator[int] = (
        element.quantity for _n, formation, _p in job.formations() for element in formation.elements
    )
    return sum(ceil(quantity / boxes) for quantity in quantities) <= MAX_CARDS


SHEETS = (
    ROSTER,
    Sheet(
        "setup",
        _("Set-up"),
        _("The scenario from above, boxes for what to count, and the scales."),
        set_up,
        on_cover=True,
        panels=frozenset({SCALES_TITLE, *map(scenario_title, SCENARIOS)}),
    ),
    Sheet(
        "list",
        _("Figure list"),
        _("All figures in one table, with the rules for their rolls. For large rosters."),
        figure_list,
        lambda job: not _has_few(job),
        panels=LIST_PANELS,
    ),
    REFERENCE,
    Sheet(
        "cards",
        _("Figure cards"),
        _("A card for each figure: picture, rolls, traits."),
        figure_cards,
        _has_few,
        cut_out=True,
    ),
    Sheet(
        "standees", _("Standees"), _("Figures to cut out and fold. They replace models."), standees, never, cut_out=True
    ),
    Sheet(
        "strips",
        _("Paper measures"),
        _("The paper measures of the rulebook as strips to cut out, at true scale."),
        paper_measures,
        shared=True,
    ),
    MARKERS,
)
