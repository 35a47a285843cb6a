"""A database of many made-up rosters, for measuring: the same number and the same seed give the same rosters.

Some hundred forces are cut out of the sample armies and appraised, each with its history; every roster is one of them
under a name of its own. Nothing of it depends on the clock or on the machine.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

from rosters import registry
from rosters.core import appraisals, documents, edits
from rosters.core.appraisals import Appraisal
from rosters.core.documents import AnyDocument
from rosters.models import Browser, Roster, Visibility, hashed
from rosters.store import writer
from rosters.store.writer import RosterBundle

BATCH = 500
FORCES = 40
"""Different forces of each game."""
MAX_ELEMENTS = 8
FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)
DAYS = 700
ROSTERS_OF_ONE = 50
"""Rosters for each account, on average: the first ones have many, the last ones few."""


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


ADJECTIVES = words("""Iron Grey Silent Crimson Last Northern Burning Hollow Gilded Frozen Wandering Broken Ashen Winter
Emerald Stone Bitter Patient Midnight Salt Young Proud Second Forgotten Żelazny Løvens 夜の""")
NOUNS = words("""Legion Company Guard Host Squadron Lancers Rifles Hussars Wardens Fleet Wolves Ravens Hammers Brigade
Watch Column Patrol Militia Shields Raiders Pioneers Battery Corps Straż Øst 軍団""")
PLACES = words("""Ashford Brandt Calder Dunmore Eskdale Fallow Gorran Hale Ilmen Jura Kesh Lorne Marrow Nidd Orkney Pell
Quarr Rossall Saltmarsh Tarn Ulver Vane Wick Yarrow Łódź Åre""")
TAGS = words("tournament club test painted practice campaign league friend winter spring big small")
FOLDERS = ["", "", "", "Club nights", "Tournaments", "Ideas"]


NAME = "\ue000the name\ue000"
"""Stands where a roster's name will."""


class Version(NamedTuple):
    """A force at one moment of its history; ``parts`` are its JSON text, cut where its name stands."""

    document: AnyDocument
    appraisal: Appraisal
    summary: str
    parts: list[str]

    def text(self, name: str) -> str:
        """What a revision keeps of it, for a roster of this name."""
        return documents.dumps(name).join(self.parts)


Force = list[Version]
"""A made-up force with its history, oldest first."""


class AlreadyThere(Exception):
    """The database holds rosters of this seed."""


def seed(number: int, seed: int, most_revisions: int = 1) -> Iterator[int]:
    """Make ``number`` rosters of up to ``most_revisions`` each; after every batch, how many are made."""
    random = Random(f"armybuilder {seed}")
    forces = [force for slug in registry.SYSTEMS for force in _forces(slug, random, most_revisions)]
    tokens = _tokens(Random(f"tokens {seed}"))
    if Roster.objects.filter(token=next(_tokens(Random(f"tokens {seed}")))).exists():
        raise AlreadyThere(f"The rosters of seed {seed} are in this database already: choose another --seed.")
    owners = _owners(max(1, number // ROSTERS_OF_ONE), seed)
    for first in range(0, number, BATCH):
        count = min(BATCH, number - first)
        writer.bulk_create_rosters([_whole(next(tokens), random.choice(forces), owners, random) for _ in range(count)])
        yield first + count


def _tokens(random: Random) -> Iterator[str]:
    """Share tokens like those of real rosters, but of this seed."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    while True:
        yield "".join(random.choices(letters, k=22))


class Owner(NamedTuple):
    """An account with its browser, by their keys."""

    account: int
    browser: Browser


def _owners(number: int, seed: int) -> list[Owner]:
    """Accounts that nobody can sign in to by a password, each with an address and a browser."""
    names = [f"seed-{seed}-{place}" for place in range(1, number + 1)]
    users = get_user_model().objects.bulk_create(
        get_user_model()(
            username=name,
            email=f"{name}@example.com",
            password=f"{UNUSABLE_PASSWORD_PREFIX}{name}",
            date_joined=FIRST_DAY,
        )
        for name in names
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )
    browsers = [Browser(key_hash=hashed(name), created=FIRST_DAY) for name in names]
    writer.insert(Browser, browsers, "created")
    return [Owner(user.pk, browser) for user, browser in zip(users, browsers, strict=True)]


# ---------------------------------------------------------------- forces


def _forces(slug: str, random: Random, most_revisions: int) -> Iterator[Force]:
    """Forces of one game, cut out of its sample armies."""
    paths = sorted((Path(settings.ARMIES) / slug).glob("*.json"))
    armies = [registry.read(documents.parse(path.read_bytes())) for path in paths]
    for _ in range(FORCES):
        yield _history(_cut(random.choice(armies), random), random.randint(1, most_revisions), random)


def _cut(army: AnyDocument, random: Random) -> AnyDocument:
    """A few formations of an army, with a few elements in all, each with an id; for another budget."""
    formations, left = [], random.randint(2, MAX_ELEMENTS)
    for formation in random.sample(army.formations, len(army.formations)):
        taken = formation.elements[:left]
        left -= len(taken)
        if taken:
            elements = tuple(edits.replace_fields(each, id=_identifier(random)) for each in taken)
            formations.append(edits.replace_fields(formation, id=_identifier(random), elements=elements))
    budget = army.budget and float(random.choice([army.budget, army.budget * 2]))
    return edits.replace_fields(army, formations=tuple(formations), budget=budget, changed=None)


def _identifier(random: Random) -> str:
    return f"{random.getrandbits(48):012x}"


def _history(first: AnyDocument, number: int, random: Random) -> Force:
    """A force and what became of it: at every step another quantity of one element."""
    force = [_version(first, "Started")]
    while len(force) < number:
        latest = force[-1].document
        element = random.choice([each for formation in latest.formations for each in formation.elements])
        quantity = element.quantity % 9 + 1
        after = edits.set_quantities({str(element.id): quantity})(latest)
        force.append(_version(after, f"Changed {element.name} to {quantity}"))
    return force


def _version(document: AnyDocument, summary: str) -> Version:
    appraisal = registry.appraise(document)
    named = {"name": NAME}
    data = {"document": documents.write(document) | named, "appraisal": {**appraisals.to_json(appraisal), **named}}
    return Version(document, appraisal, summary, documents.dumps(data).split(documents.dumps(NAME)))


# ---------------------------------------------------------------- rosters


def _whole(token: str, force: Force, owners: list[Owner], random: Random) -> RosterBundle:
    """A force under a name of its own, with an owner, labels and dates."""
    name = f"{random.choice(ADJECTIVES)} {random.choice(NOUNS)} of {random.choice(PLACES)}"
    owner = owners[int(len(owners) * random.random() ** 2)]
    began = FIRST_DAY + timedelta(days=random.randrange(DAYS), microseconds=random.randrange(86_400_000_000))
    times = [began + timedelta(hours=place) for place in range(len(force))]
    account = owner.account if random.random() < 0.8 else None
    roster = Roster(
        token=token,
        edit_hash=hashed(token),
        system=force[0].document.system,
        owner_id=account,
        creator=owner.browser,
        visibility=random.choices([*Visibility], [6, 3, 1])[0],
        folder=random.choice(FOLDERS),
        tags=", ".join(random.sample(TAGS, random.choice([0, 0, 1, 2, 3]))),
        archived=random.random() < 0.1,
        hide_points=random.random() < 0.1,
        binned=times[-1] if random.random() < 0.02 else None,
        created=began,
        changed=times[-1],
    )
    latest = force[-1]
    document, appraisal = edits.replace_fields(latest.document, name=name), latest.appraisal._replace(name=name)
    history = writer.pack_history(roster, _versions(name, force, times))
    return RosterBundle(roster, document, appraisal, history, [owner.browser.pk])


def _versions(name: str, force: Force, times: list[datetime]) -> Iterator[tuple[dict[str, Any], str]]:
    """The columns and the JSON text of each revision."""
    for number, (version, at) in enumerate(zip(force, times, strict=True), start=1):
        columns = {"number": number, "at": at, "summary": version.summary[:300], "edition": version.appraisal.edition}
        yield columns, version.text(name)
