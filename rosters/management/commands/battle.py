"""Fight simulated battles between two rosters and print who wins how often, or log one battle die by die.

Exits with 2 if a roster cannot be read or simulated.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from rosters import registry
from rosters.core import documents
from rosters.core.documents import AnyDocument, Fault, InvalidDocument
from rosters.core.messages import translate
from rosters.core.odds import SIDES
from rosters.management.commands.appraise import sources

if TYPE_CHECKING:
    from rosters.balance.arena import Share, Summary

MAX_BATTLES = 1_000_000
MAX_SEED = 2**64 - 1


def integer_between(minimum: int, maximum: int) -> Any:
    """An argument that is a whole number between limits."""

    def parse(text: str) -> int:
        if not text.isdecimal() or not minimum <= int(text) <= maximum:
            raise ArgumentTypeError(
                _("must be a whole number from {least} to {most}").format(least=minimum, most=maximum)
            )
        return int(text)

    return parse


class Command(BaseCommand):
    requires_system_checks = []  # works without a database, and without a configured site
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("a", metavar="A", help="a roster document")
        parser.add_argument("b", metavar="B", help="its enemy")
        parser.add_argument("--battles", type=integer_between(1, MAX_BATTLES), default=2_000, help="how many (2000)")
        parser.add_argument("--seed", type=integer_between(0, MAX_SEED), default=7, help="of the dice (7)")
        parser.add_argument(
            "--replay", type=integer_between(0, MAX_BATTLES), metavar="N", help="log battle N, counted from 0"
        )
        parser.add_argument("--policy", action="append", default=[], help="how both play; twice: how A and how B")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, a: str, b: str, seed: int, **options: Any) -> None:
        from rosters.balance import arena  # noqa: PLC0415  # imports NumPy, which no other command needs

        as_json, replay, policies = options["json"], options["replay"], options["policy"]
        try:
            first, second = read_rosters(a, b)
            fought = arena.Arena(first, second, dict(zip(SIDES, 2 * policies, strict=False)))
        except InvalidDocument as error:
            self._print_errors(error, as_json)
            sys.exit(2)
        if replay is not None:
            lines = [translate(line) for line in fought.replay(replay, seed) if line]
            self.stdout.write(documents.dumps({"replay": lines}) if as_json else "\n".join(lines))
            return
        summary = arena.summarize(fought.fight(options["battles"], seed))
        if as_json:
            terms = {"system": first.system, "seed": seed, "policies": fought.policies}
            self.stdout.write(documents.dumps({**terms, **to_json(summary)}))
            return
        self.stdout.write(in_words(summary, seed, first, second))
        if len(fought.system.battle.POLICIES) > 1:
            self.stdout.write(
                _("Blue is played as “{a}”, Red as “{b}”.").format(a=fought.policies["a"], b=fought.policies["b"])
            )

    def _print_errors(self, error: InvalidDocument, as_json: bool) -> None:
        if as_json:
            self.stdout.write(documents.dumps({"errors": [fault._asdict() for fault in error.faults]}))
            return
        for fault in error.faults:
            self.stderr.write(f"{fault.path or _('roster')}: {fault.message}")


def read_rosters(*files: str) -> list[AnyDocument]:
    """The rosters of one or two files. Raises InvalidDocument with the errors of both."""
    faults: list[Fault] = []
    rosters: list[AnyDocument] = []
    for side, source in zip(SIDES, sources([*files]), strict=False):
        try:
            if source.error:
                raise InvalidDocument([Fault("", source.error)])
            rosters.append(registry.read(documents.parse(source.raw)))
        except InvalidDocument as error:
            faults += [Fault(f"{side}/{fault.path}".rstrip("/"), fault.message) for fault in error.faults]
    if faults:
        raise InvalidDocument(faults)
    return rosters


def to_json(summary: Summary) -> dict[str, Any]:
    """A summary as JSON data."""
    shares = {"win": summary.win._asdict(), "lose": summary.lose._asdict(), "draw": summary.draw._asdict()}
    return {**summary._asdict(), **shares}


def in_words(summary: Summary, seed: int, a: AnyDocument, b: AnyDocument) -> str:
    """A summary as one sentence."""
    words = _(
        "{a} (Blue) wins {win}, {b} (Red) {lose}, neither {draw}: our estimate from {battles} battles (seed {seed})."
    )
    shares = {"win": summary.win, "lose": summary.lose, "draw": summary.draw}
    return words.format(
        a=a.name,
        b=b.name,
        battles=f"{summary.battles:,}",
        seed=seed,
        **{key: share_in_words(share) for key, share in shares.items()},
    )


def share_in_words(share: Share) -> str:
    """A share and its interval: 61.2 % (58.0–64.1)."""
    low, high = 100 * share.low, 100 * share.high
    return f"{100 * share.share:.1f}\N{NO-BREAK SPACE}% ({low:.1f}–{high:.1f})"
