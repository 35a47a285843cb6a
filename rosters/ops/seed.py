"""Fill a database with generated rosters for measurements: the same number and seed give the same rosters.

Some hundred forces are taken out of the sample rosters and appraised, each with a history; every roster is one of them
under a name of its own. Nothing depends on the clock or the machine.
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
from rosters.models import Browser, Editor, Roster, Visibility, hashed
from rosters.store import bulk
from rosters.store.bulk import UnsavedRoster

BATCH = 500
FORCES = 40
"""Different forces of each game."""
MAX_ELEMENTS = 8
FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)
DAYS = 700
ROSTERS_PER_ACCOUNT = 50
"""Rosters for each account, on average: the first ones have many, the last ones few."""


def split(text: str) -> list[str]:
    """The words of a list that is too long to quote each word."""
    return text.split()


ADJECTIVES = split("""Iron Grey Silent Crimson Last Northern Burning Hollow Gilded Frozen Wandering Broken Ashen Winter
Emerald Stone Bitter Patient Midnight Salt Young Proud Second Forgotten Żelazny Løvens 夜の""")
NOUNS = split("""Legion Company Guard Host Squadron Lancers Rifles Hussars Wardens Fleet Wolves Ravens Hammers Brigade
Watch Column Patrol Militia Shields Raiders Pioneers Battery Corps Straż Øst 軍団""")
PLACES = split("""Ashford Brandt Calder Dunmore Eskdale Fallow Gorran Hale Ilmen Jura Kesh Lorne Marrow Nidd Orkney
Pell Quarr Rossall Saltmarsh Tarn Ulver Vane Wick Yarrow Łódź Åre""")
TAGS = split("tournament club test painted practice campaign league friend winter spring big small")
FOLDERS = ["", "", "", "Club nights", "Tournaments", "Ideas"]


NAME = "\ue000the name\ue000"
"""The placeholder for a roster's name."""


class Version(NamedTuple):
    """A force at one revision; ``parts`` are its JSON text, split at its name."""

    document: AnyDocument
    appraisal: Appraisal
    summary: str
    parts: list[str]

    def text(self, name: str) -> str:
        """The JSON of a revision, for a roster of this name."""
        return documents.dumps(name).join(self.parts)


Force = list[Version]
"""A generated force with its history, oldest first."""


class AlreadySeeded(Exception):
    """The database has rosters of this seed."""


def seed(number: int, seed: int, max_revisions: int = 1) -> Iterator[int]:
    """Create ``number`` rosters of up to ``max_revisions`` each; yields the number created, after every batch.

    Raises AlreadySeeded.
    """
    random = Random(f"armybuilder {seed}")
    forces = [force for slug in registry.SYSTEMS for force in _forces(slug, random, max_revisions)]
    tokens = _tokens(Random(f"tokens {seed}"))
    if Roster.objects.filter(token=next(_tokens(Random(f"tokens {seed}")))).exists():
        raise AlreadySeeded(f"The rosters of seed {seed} are in this database already: choose another --seed.")
    owners = _owners(max(1, number // ROSTERS_PER_ACCOUNT), seed)
    for first in range(0, number, BATCH):
        count = min(BATCH, number - first)
        bulk.create_rosters([_bundle(next(tokens), random.choice(forces), owners, random) for _ in range(count)])
        yield first + count


def _tokens(random: Random) -> Iterator[str]:
    """Share tokens like those of real rosters, but determined by the seed."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    while True:
        yield "".join(random.choices(letters, k=22))


class Owner(NamedTuple):
    """The primary key of an account, and its browser."""

    account: int
    browser: Browser


def _owners(number: int, seed: int) -> list[Owner]:
    """Accounts without a usable password, each with an e-mail address and a browser."""
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
    browsers = [Browser(key_hash=hashed(name), created=FIRST_DAY, used=FIRST_DAY) for name in names]
    bulk.create_with_times(Browser, browsers, "created")
    return [Owner(user.pk, browser) for user, browser in zip(users, browsers, strict=True)]


# ---------------------------------------------------------------- forces


def _forces(slug: str, random: Random, max_revisions: int) -> Iterator[Force]:
    """Forces of one game, taken out of its sample rosters."""
    paths = sorted((Path(settings.ARMIES) / slug).glob("*.json"))
    armies = [registry.read(documents.parse(path.read_bytes())) for path in paths]
    for _ in range(FORCES):
        yield _history(_excerpt(random.choice(armies), random), random.randint(1, max_revisions), random)


def _excerpt(army: AnyDocument, random: Random) -> AnyDocument:
    """A few formations and elements of an army, with ids, for another points limit."""
    formations, left = [], random.randint(2, MAX_ELEMENTS)
    for formation in random.sample(army.formations, len(army.formations)):
        taken = formation.elements[:left]
        left -= len(taken)
        if taken:
            elements = tuple(each.replace(id=_identifier(random)) for each in taken)
            formations.append(formation.replace(id=_identifier(random), elements=elements))
    budget = army.budget and float(random.choice([army.budget, army.budget * 2]))
    return army.replace(formations=tuple(formations), budget=budget, changed=None)


def _identifier(random: Random) -> str:
    return f"{random.getrandbits(48):012x}"


def _history(first: AnyDocument, number: int, random: Random) -> Force:
    """A force and its changes: another quantity of one element in each revision."""
    force = [_version(first, "Started")]
    while len(force) < number:
        latest = force[-1].document
        element = random.choice(latest.elements)
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


def _bundle(token: str, force: Force, owners: list[Owner], random: Random) -> UnsavedRoster:
    """A force under a name of its own, with an owner, tags and dates."""
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
    document, appraisal = latest.document.replace(name=name), latest.appraisal._replace(name=name)
    history = bulk.pack_history(roster, _versions(name, force, times))
    return UnsavedRoster(roster, document, appraisal, history, [Editor(browser=owner.browser)])


def _versions(name: str, force: Force, times: list[datetime]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The columns and the JSON of each revision."""
    for number, (version, at) in enumerate(zip(force, times, strict=True), start=1):
        columns = {"number": number, "at": at, "summary": version.summary[:300], "edition": version.appraisal.edition}
        yield columns, version.text(name).encode()
