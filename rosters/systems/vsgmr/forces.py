"""The rules of VSGMR for a roster as a whole: one commander, riders for mounts, mooks beside troops (III, IV)."""

from rosters.core.forces import ForceRule
from rosters.systems.vsgmr.rules import GUYS, MOUNTS, Element


def _commanders(figure: Element) -> int:
    return int(figure.commander)


def _spare_riders(figure: Element) -> int:
    """Guys who can ride, less mounts that need one."""
    return int(figure.kind in GUYS) - int(figure.kind in MOUNTS and "independent" not in figure.traits)


def _troops_beside_mooks(figure: Element) -> int:
    return int(figure.kind == "troop") - int(figure.kind == "mook")


RULES = (
    ForceRule("no-commander", _commanders, minimum=1, by_choice=True),
    ForceRule("several-commanders", _commanders, maximum=1),
    ForceRule("mount-without-rider", _spare_riders, minimum=0),
    ForceRule("mooks-replace-troops", _troops_beside_mooks, minimum=0),
)
