"""The buttons of the rules check: each fixes one finding at all its places."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from rosters.core import edits
from rosters.core.amounts import Amount, format_change, with_minus_sign
from rosters.core.appraisals import RosterState
from rosters.core.fixes import Offer, combine_offers, fixes_of
from rosters.core.messages import Message
from rosters.registry import SYSTEMS
from rosters.web.roster_page import FindingGroup, FixButton


class GroupFix(NamedTuple):
    """A fix for all places of a finding: the button's label, the edit, and how it changes the points."""

    label: Message
    edit: edits.Edit
    points: Amount

    def button(self, key: str) -> FixButton:
        return FixButton(key, self.label, with_minus_sign(format_change(self.points)) if self.points else "")


def with_buttons(state: RosterState, groups: Iterable[FindingGroup]) -> tuple[FindingGroup, ...]:
    """Groups of findings with the buttons that fix them."""
    return tuple(
        group._replace(fixes=tuple(fix.button(key) for key, fix in group_fixes(state, group).items()))
        for group in groups
    )


def group_fixes(state: RosterState, group: FindingGroup) -> dict[str, GroupFix]:
    """The fixes of a group by keys of finding, places and label, so that an outdated button fixes nothing else."""
    system = SYSTEMS[state.document.system]
    by_label: dict[Message, list[Offer]] = {}
    for place in group.places:
        fixes = fixes_of(state, system.rules, system.fixes.FIXES, group.code, place.where)
        for label, offer in fixes.items():
            by_label.setdefault(label, []).append(offer)
    ids = [place.link for place in group.places]
    return {
        hashlib.sha256(repr([group.code, ids, str(label)]).encode()).hexdigest()[:16]: GroupFix(
            label, *combine_offers(offers)
        )
        for label, offers in by_label.items()
    }
