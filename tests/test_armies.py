"""Every sample army of every system: readable, stable, legal, and worth what its rulebook prints or errata says."""

import json
from fractions import Fraction

import pytest

from rosters.documents import write
from rosters.rulekit import exact
from tests.support import FIXTURES, appraise, read

ARMIES = FIXTURES / "armies"

# army: what its rulebook prints, as (number, unit)
PUBLISHED = {
    "6mm/suetonius": [(101, "points")],
    "6mm/boudicca": [(100, "points")],
    "6mm/napoleon": [(104, "points")],
    "6mm/wellington": [(103, "points")],
    "6mm/rommel": [(120, "points")],
    "6mm/monty": [(120, "points")],
    "vsgmr/medieval-infantry": [(23, "points"), (10, "figures")],
    "vsgmr/dwarves": [(28, "points"), (5, "figures")],
    "vsgmr/elves": [(25, "points"), (7, "figures")],
    "vsgmr/orcs": [(24, "points"), (7, "figures")],
    "vsgmr/undead": [(25, "points"), (9, "figures")],
    "vsgmr/fantasy-adventurers": [(27, "points"), (5, "figures")],
    "vsgmr/wild-west-bandit-gang": [(22, "points"), (8, "figures")],
    "vsgmr/zombie-horde": [(20, "points"), (13, "figures")],
    "vsgmr/horror-film-survivors": [(19, "points"), (4, "figures")],
    "vsgmr/modern-infantry": [(24, "points"), (5, "figures")],
    "vsgmr/justice-team": [(42, "points"), (3, "figures")],
    "vsgmr/mightiest-heroes": [(38, "points"), (3, "figures")],
    "vsgmr/star-soldiers": [(36, "points"), (3, "figures")],
    "vsgmr/bug-aliens": [(37, "points"), (8, "figures")],
}
PRINTED_LINES = {"6mm/rommel": [(1, Fraction(13, 2))]}
"""Elements of the first formation, and what the book prints for a stand, where the total hides that it differs."""
EVERY = sorted(f"{path.parent.name}/{path.stem}" for path in ARMIES.glob("*/*.json"))


def army(slug):
    return json.loads((ARMIES / f"{slug}.json").read_text(encoding="utf-8"))


def errata():
    return json.loads((FIXTURES / "errata.json").read_text(encoding="utf-8"))


def differences(slug):
    """Where the appraisal departs from the book: (army, printed, ours) for each number that differs."""
    found = appraise(army(slug))
    ours = {"points": found.points, "figures": found.quantity}
    totals = [
        (slug, f"{number} {unit}", f"{ours[unit]} {unit}") for number, unit in PUBLISHED[slug] if number != ours[unit]
    ]
    lines = [(printed, found.formations[0].elements[e].each) for e, printed in PRINTED_LINES.get(slug, ())]
    return totals + [(slug, f"{exact(p)} points a stand", f"{exact(o)} points a stand") for p, o in lines if p != o]


def test_every_published_army_has_its_file():
    assert set(PUBLISHED) <= set(EVERY)


@pytest.mark.parametrize("slug", EVERY)
def test_an_army_lies_in_the_folder_of_its_system(slug):
    assert army(slug)["system"] == slug.split("/", maxsplit=1)[0]


@pytest.mark.parametrize("slug", EVERY)
def test_an_army_reads_and_writing_it_loses_nothing(slug):
    document = read(army(slug))
    written = write(document)
    assert read(written) == document
    assert write(read(written)) == written


@pytest.mark.parametrize("slug", EVERY)
def test_an_army_holds_no_ids_so_that_each_copy_gets_its_own(slug):
    formations = army(slug)["formations"]
    assert not any("id" in item for f in formations for item in (f, *f["elements"]))


@pytest.mark.parametrize("slug", EVERY)
def test_an_army_is_legal(slug):
    errors = [finding for finding in appraise(army(slug)).findings if finding.severity == "error"]
    assert errors == []


@pytest.mark.parametrize("slug", PUBLISHED)
def test_a_published_army_is_worth_what_is_printed_or_stands_among_the_errata(slug):
    noted = [(e["army"], e["printed"], e["ours"]) for e in errata() if e["army"] == slug]
    assert differences(slug) == noted


def test_every_erratum_is_of_a_published_army_that_really_differs():
    listed = [(entry["army"], entry["printed"], entry["ours"]) for entry in errata()]
    assert len({army for army, *_ in listed}) == len(listed)
    assert {army for army, *_ in listed} <= set(PUBLISHED)
    assert sorted(listed) == sorted(entry for army, *_ in listed for entry in differences(army))


def test_every_erratum_gives_its_reason_in_a_sentence():
    for entry in errata():
        assert set(entry) == {"army", "printed", "ours", "reason"}
        assert entry["reason"].endswith(".")
