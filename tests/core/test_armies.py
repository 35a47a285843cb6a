"""Every sample army of every system: readable, stable, legal, and worth what its rulebook prints or errata says."""

import json
from fractions import Fraction

from rosters.core.amounts import format_exact
from rosters.core.documents import write
from tests.support import FIXTURES, appraise, read, without_ids

PUBLISHED = {  # army: the points that its rulebook prints, and the figures where it counts them
    **{"6mm/suetonius": (101,), "6mm/boudicca": (100,), "6mm/napoleon": (104,), "6mm/wellington": (103,)},
    **{"6mm/rommel": (120,), "6mm/monty": (120,)},
    **{"vsgmr/medieval-infantry": (23, 10), "vsgmr/dwarves": (28, 5), "vsgmr/elves": (25, 7), "vsgmr/orcs": (24, 7)},
    **{"vsgmr/undead": (25, 9), "vsgmr/fantasy-adventurers": (27, 5), "vsgmr/wild-west-bandit-gang": (22, 8)},
    **{"vsgmr/zombie-horde": (20, 13), "vsgmr/horror-film-survivors": (19, 4), "vsgmr/modern-infantry": (24, 5)},
    **{"vsgmr/justice-team": (42, 3), "vsgmr/mightiest-heroes": (38, 3), "vsgmr/star-soldiers": (36, 3)},
    "vsgmr/bug-aliens": (37, 8),
}
ARMIES = {
    f"{path.parent.name}/{path.stem}": json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FIXTURES.glob("armies/*/*.json"))
}
PRINTED_LINES = {"6mm/rommel": [(1, Fraction(13, 2))]}
"""Elements of the first formation, and what the book prints for a stand, where the total hides that it differs."""


def test_an_army_is_legal_lies_in_its_folder_and_has_no_ids():
    """So that each copy gets its own."""
    assert [slug for slug, data in ARMIES.items() if data["system"] != slug.split("/", maxsplit=1)[0]] == []
    assert [slug for slug, data in ARMIES.items() if not appraise(data).legal] == []
    assert [slug for slug, data in ARMIES.items() if write(read(data)) != without_ids(read(data))] == []


def test_a_published_army_is_worth_what_is_printed_or_is_among_the_errata():
    """Each number that departs from the book stands there once, with its reason, and nothing else does."""
    differing = []
    for slug, printed in PUBLISHED.items():
        found = appraise(ARMIES[slug])
        numbers = zip(printed, (found.points, found.quantity), ("points", "figures"), strict=False)
        differing += [(slug, f"{book} {unit}", f"{ours} {unit}") for book, ours, unit in numbers if book != ours]
        lines = [(book, found.formations[0].elements[e].unit_points) for e, book in PRINTED_LINES.get(slug, ())]
        differing += [
            (slug, f"{format_exact(p)} points a stand", f"{format_exact(o)} points a stand") for p, o in lines if p != o
        ]
    errata = json.loads((FIXTURES / "errata.json").read_text(encoding="utf-8"))
    assert sorted((e["army"], e["printed"], e["ours"]) for e in errata) == sorted(differing)
    assert all({*entry} == {"army", "printed", "ours", "reason"} and entry["reason"] for entry in errata)
