"""What sample rosters are for: pairs, two of one game with equal points, made to be played against each
other; and design books, catalogues to copy elements from, which are no army to play.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rosters.core.reference import fixture
from rosters.models import Roster

MATCHED_PERCENT = 55
"""The most victories of the better side, in percent, of a pair that pages call matched."""


class SamplePair(NamedTuple):
    """The two sample rosters, the first in the blue seat."""

    first: Roster
    second: Roster

    @property
    def name(self) -> str:
        """The name of the pair in URLs, unique in its game."""
        return pair_name(self.first.sample)

    @property
    def share(self) -> float:
        """The share of simulated battles that the first wins, a draw counting half, as its fairness report has it."""
        pairs: Sequence[tuple[str, str, float]] = fixture("pairs")[self.first.system]
        return next(share for first, _second, share in pairs if f"{self.first.system}/{first}" == self.first.sample)

    @property
    def percents(self) -> dict[str, int]:
        """The victories and defeats of the first in percent."""
        won = round(100 * self.share)
        return {"won": won, "lost": 100 - won}

    @property
    def favored(self) -> int:
        """The number of the side that wins more than 55 percent, 1 or 2; 0 if the pair is matched."""
        percents = self.percents
        return 1 if percents["won"] > MATCHED_PERCENT else 2 if percents["lost"] > MATCHED_PERCENT else 0


def sample_pairs() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The pairs of each game as the slugs of samples, such as "msc/fox-squadron"; the first is the usual one."""
    return {
        system: tuple((f"{system}/{first}", f"{system}/{second}") for first, second, _share in pairs)
        for system, pairs in fixture("pairs").items()
    }


def pair_name(sample: str | None) -> str:
    """The name of the pair that a sample belongs to, "" if none."""
    pairs = sample_pairs().get((sample or "").partition("/")[0], ())
    return next((pair[0].partition("/")[2] for pair in pairs if sample in pair), "")


def design_books() -> Sequence[str]:
    """The slugs of the sample rosters that are catalogues."""
    books: Sequence[str] = fixture("design_books")
    return books


def pairs_of(*systems: str) -> list[SamplePair]:
    """The pairs of these games whose samples are loaded, in their order."""
    slugs = [pair for system in systems for pair in sample_pairs().get(system, ())]
    both = [slug for pair in slugs for slug in pair]
    samples = Roster.objects.filter(sample__in=both, binned=None).defer("document")
    rosters = {roster.sample: roster for roster in samples}
    return [SamplePair(rosters[a], rosters[b]) for a, b in slugs if a in rosters and b in rosters]
