"""The texts of a figure for its sheets: its weapon, and the states that a player marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.messages import Message, _, join
from rosters.pdf.job import Job, PrintedElement, PrintedModel
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import Element

SCORES = (
    ("ranged", _("Ranged"), _("R")),
    ("close", _("Close"), _("C")),
    ("weapon_ability", _("Weapon ability"), _("W")),
)
"""The scores of a figure beside its Fate: field, name, and the letter of the rulebook."""


class State(NamedTuple):
    """A state of a figure to mark: its form field, its name on two lines, its width in millimeters, and its boxes."""

    key: str
    head: tuple[str, ...]
    width: float
    boxes: int = 1

    @property
    def name(self) -> Message:
        return join(self.head, " ")


STATES = (
    State("lost", (_("rounds lost"),), 21.0, 4),
    State("out", (_("ammo"), _("out")), 7.2),
    State("spare", (_("spare"), _("ammo")), 7.2),
    State("uncommanded", (_("out of"), _("command")), 9.4),
    State("injured", (_("injured"),), 7.8),
    State("immobile", (_("immobile"),), 9.6),
    State("unconscious", (_("unconscious"),), 12.6),
    State("dead", (_("dead"),), 6.6),
)


def to_hit(element: Element) -> Iterator[tuple[Message, str, str]]:
    """For each range its name, the lowest face that hits without cover, and the lowest that explodes; "–" for none."""
    for _code, name, penalty in tables.RANGES:
        modifier = element.ranged - penalty
        hits = max(1, tables.last_miss(element.fire, element.poor_condition) + 1 - modifier)
        yield name, _face(hits), _face(tables.lowest_exploding(element.fire, modifier) or 7)


def _face(lowest: int) -> str:
    return "–" if lowest > 6 else "6" if lowest == 6 else f"{lowest}+"


def weapon_text(element: Element) -> Message:
    """How the weapon fires, its condition, and cover and armor."""
    poor = _("poor condition: modified 2 misses") if element.fire == "autofire" else _("poor condition")
    parts = (tables.FIRE[element.fire].name, poor if element.poor_condition else "", element.protection.strip())
    return join(filter(None, parts), " · ")


class Figure(NamedTuple):
    """The boxes of one figure: which points of Fate are lost, the prefix of its fields, its number and its name."""

    fate: tuple[bool, ...]
    path: str
    number: str = ""
    name: str = ""
    remark: str = ""


def figures(job: Job, entry: PrintedElement) -> Iterator[Figure]:
    """Each figure of an entry, numbered if there are several."""
    track = job.tracks(entry.element)[0]
    for number, model in enumerate(entry.models, start=1):
        marked = job.marked(track, model.mark)
        several = str(number) if entry.quantity > 1 else ""
        yield Figure(marked, model.path, several, model.name, _remark(job, entry, model, len(marked)))


def _remark(job: Job, entry: PrintedElement, model: PrintedModel, boxes: int) -> Message:
    """How much Fate the boxes do not show."""
    fate = getattr(entry.element, "fate", 0)
    lost = int(getattr(model.mark, "fate", 0)) if job.options.marks else 0
    remarks = [_("first {n} of {total}").format(n=boxes, total=fate)] if fate > boxes else []
    remarks += [_("{n} lost").format(n=lost)] if lost > boxes else []
    return join(remarks)
