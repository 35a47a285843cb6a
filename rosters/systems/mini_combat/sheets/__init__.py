"""The sheets of Mini Combat: unit sheets, element cards, standees, and templates and a ruler at true scale."""

from functools import partial

from rosters.core.messages import Message, _, join
from rosters.pdf import battle_sheet
from rosters.pdf import cards as card_kit
from rosters.pdf import standees as standee_kit
from rosters.pdf.job import Choice, Job, Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, Stats, roster_list
from rosters.systems.mini_combat.play import MORALE_BY_UNIT
from rosters.systems.mini_combat.rules import Element, listed
from rosters.systems.mini_combat.sheets.cards import cards
from rosters.systems.mini_combat.sheets.markers import MARKERS
from rosters.systems.mini_combat.sheets.standees import standees
from rosters.systems.mini_combat.sheets.templates import ruler, templates
from rosters.systems.mini_combat.sheets.texts import stat_texts
from rosters.systems.mini_combat.sheets.units import units
from rosters.systems.mini_combat.tables import KINDS, STATS, TEMPLATES

CHOICES = {
    "capabilities": Choice(_("Abilities"), {"short": _("In short"), "full": _("In full")}, ("units", "cards")),
    **card_kit.CHOICES,
    **standee_kit.CHOICES,
    **battle_sheet.CHOICES,
}


def _uses_templates(job: Job) -> bool:
    """Whether an element of the roster uses a template."""
    elements = (element for _, unit, _ in job.formations() for element in unit.elements)
    return any(not element.codes.isdisjoint(TEMPLATES) for element in elements)


def _rest(element: Element) -> Message:
    """What a list says of an element beside its stats: its kind, command, and its abilities in short."""
    kind = [KINDS[element.kind]] if element.kind != "other" else []
    command = [_("command")] if element.command else []
    return join((*kind, *command, *map(listed, element.capabilities)))


HEADS = {**STATS, "movement": _("Move"), "to_hit": _("Hit")}
LIST = Stats(tuple(HEADS.values()), stat_texts, _rest)
"""The stats in columns of the roster."""

SHEETS = (
    ROSTER._replace(draw=partial(roster_list, stats=LIST)),
    Sheet(
        "units",
        _("Unit sheets"),
        _("Each unit with its stats, a box for each element, and its morale test."),
        units,
        panels=frozenset({MORALE_BY_UNIT}),
    ),
    REFERENCE,
    Sheet(
        "cards",
        _("Element cards"),
        _("One for each kind of element in a unit, to cut out; its abilities on the back."),
        cards,
        never,
        cut_out=True,
    ),
    Sheet(
        "standees",
        _("Standees"),
        _("Elements to cut out and fold. They replace models."),
        standees,
        never,
        cut_out=True,
    ),
    Sheet(
        "templates",
        _("Blast templates"),
        _("5 cm, 10 cm and the cone at true scale, with a ruler to check them."),
        templates,
        _uses_templates,
        shared=True,
    ),
    Sheet("ruler", _("Ruler and arcs"), _("Strips of 20 cm and arcs to cut out, at true scale."), ruler, shared=True),
    MARKERS,
)
