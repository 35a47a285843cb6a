"""Find the forces that fill the rest of a roster's points best, or two matched forces of its models.

Exits with 2 if a roster cannot be read or simulated, 1 if nothing legal is found.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand

from rosters.balance import forces
from rosters.balance.report import Study
from rosters.core import documents, edits
from rosters.core.documents import AnyDocument, InvalidDocument
from rosters.management.commands.battle import read_rosters
from rosters.store import reports


class Command(BaseCommand):
    requires_system_checks = []  # works without a database, and without a configured site
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "roster", metavar="ROSTER", help="a roster document: the roster to fill, or the models owned"
        )
        task = parser.add_mutually_exclusive_group(required=True)
        task.add_argument("--against", metavar="ENEMY", help="fill it up against this roster")
        task.add_argument("--split", type=Fraction, metavar="POINTS", help="two forces of up to so many points")
        parser.add_argument("--within", type=Fraction, default=Fraction(5), help="by which they may differ (5)")
        parser.add_argument("--points", type=Fraction, help="to fill (the rest of its points limit)")
        parser.add_argument("--most", type=int, help="models of each design that may be added")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            proposals = [*(_filled(**options) if options["against"] else _split(**options))]
        except InvalidDocument as error:
            for fault in error.faults:
                self.stderr.write(f"{fault.path or 'roster'}: {fault.message}")
            sys.exit(2)
        if options["json"]:
            self.stdout.write(documents.dumps({"forces": proposals}))
        for each in [] if options["json"] else proposals:
            low, high = (100 * end for end in each["interval"])
            rosters = " | ".join(", ".join(f"{n} × {name}" for name, n in side) for side in each["models"])
            self.stdout.write(f"{100 * each['share']:.1f} % ({low:.1f}–{high:.1f})  {rosters}")
        if not proposals:
            self.stderr.write("Nothing legal was found: allow more points, or more models.")
            sys.exit(1)


def _filled(roster: str, against: str, points: Fraction | None, most: int | None, **_rest: Any) -> Iterator[Any]:
    """The forces that win most, with what each adds."""
    first, enemy = read_rosters(roster, against)
    document = edits.with_ids(first)
    offers = [forces.Offer(element, "", is_own=True) for element in document.elements]
    left = forces.points_left(document, enemy) if points is None else points
    proposals = forces.propose_forces(document, offers, enemy, left, most).forces
    filled = [forces.with_additions(document, offers, each.counts) for each in proposals]
    for each in _fought(forces.search(filled, enemy, reports.settings_of(document.system))):
        proposal = proposals[each["force"]]
        added = zip(offers, proposal.counts, strict=True)
        yield each | {"worth": proposal.worth, "models": [[(offer.element.display_name, n) for offer, n in added if n]]}


def _split(roster: str, split: Fraction, within: Fraction, **_rest: Any) -> Iterator[Any]:
    """The pairs of forces nearest to an even fight."""
    [document] = read_rosters(roster)
    empty = document.replace(formations=(), budget=None)
    owned = [(element, element.quantity) for element in document.elements]
    pairs = [forces.forces_of(empty, owned, each) for each in forces.split_forces(empty, owned, split, within)]
    for each in _fought(forces.match(pairs, reports.settings_of(document.system))):
        pair = pairs[each["force"]]
        yield each | {"models": [_models(side) for side in pair], "rosters": [documents.write(side) for side in pair]}


def _models(document: AnyDocument) -> list[tuple[str, int]]:
    return [(element.display_name, element.quantity) for element in document.elements]


def _fought(study: Study) -> Sequence[Any]:
    """The result of a study, fought here and now. Raises InvalidDocument."""
    try:
        trial = next(study)
        while True:
            trial = study.send(reports.fight(trial, reports.SEED))
    except StopIteration as end:
        result: Sequence[Any] = end.value["forces"]
        return result
