"""The shelf: what a player owns, who may open it, and what rosters need of it. The only writer of shelves."""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rosters import registry
from rosters.core import documents
from rosters.core.documents import AnyDocument, Element, profile_of
from rosters.core.messages import translate
from rosters.models import Browser, Shelf, ShelfEntry, hashed, new_secret
from rosters.store.access import USE_INTERVAL, AccessEnded, OpenedLink, Visitor, encrypt
from rosters.store.compiled import compiled, compiled_query

MAX_ENTRIES = 1_000
MAX_QUANTITY = 10_000
"""Models of one entry: as many as an element of a roster may have."""
COUNTS = ("quantity", "built", "painted")
"""The counts of an entry; none is above the one before it."""
SHELF_LINK = 0
"""The roster of an `OpenedLink` that is the owner link of a shelf: a browser remembers one of them."""


class ShelfLimit(ValueError):
    """A change would exceed a limit of the shelf. The message, which is translated, says which."""


class CountsConflict(ValueError):
    """More models of an entry would be painted than built, or built than owned, after what was saved meanwhile."""


class InvalidModels(ValueError):
    """An entry of a file cannot be read. The message, which is translated, says why."""


class Models(NamedTuple):
    """Models of one kind, of one game: an element, whose own quantity does not count, and how many there are."""

    system: str
    element: Element
    quantity: int = 0
    built: int = 0
    painted: int = 0

    @property
    def key(self) -> str:
        return key_of(self.system, self.element)


def key_of(system: str, element: Element) -> str:
    """A key that two elements of one game have in common if they are the same models (`Element.identity`)."""
    return sha256(f"{system} {element.identity}".encode()).hexdigest()


# ---------------------------------------------------------------- access


def shelf_of(visitor: Visitor) -> Shelf | None:
    """The visitor's shelf: that of the account, else that of the owner link it opened last, else the browser's."""
    if visitor.account is not None and (own := _of_account(visitor.account)):
        return own
    opened = (shelf for link in visitor.links if (shelf := _opened(link)))
    return next(opened, None) or (_of_browser(visitor.browser) if visitor.browser else None)


@compiled
def _of_account(account: int) -> QuerySet[Shelf]:
    return Shelf.objects.filter(owner_id=account).order_by()


@compiled
def _of_browser(browser: str) -> QuerySet[Shelf]:
    return Shelf.objects.filter(browsers__key_hash=browser).order_by("-changed")


def _opened(link: OpenedLink) -> Shelf | None:
    return Shelf.objects.filter(edit_hash=link.key_hash).first() if link.roster == SHELF_LINK else None


def shelf_by_token(token: str) -> Shelf | None:
    """The shelf with this token, or None."""
    return Shelf.objects.filter(token=token).first()


def may_open(visitor: Visitor, shelf: Shelf) -> bool:
    """Whether the shelf is the visitor's."""
    if visitor.account is not None and shelf.owner_id == visitor.account:
        return True
    if any(link.roster == SHELF_LINK and edit_secret_matches(shelf, link.key_hash) for link in visitor.links):
        return True
    return bool(visitor.browser) and shelf.browsers.filter(key_hash=visitor.browser).exists()


def edit_secret_matches(shelf: Shelf, key_hash: str) -> bool:
    """Whether this is the hash of the secret of the shelf's owner link."""
    return constant_time_compare(shelf.edit_hash, key_hash)


def claimable(visitor: Visitor) -> QuerySet[Shelf]:
    """The shelf that the visitor's browser created and no account owns."""
    return Shelf.objects.filter(owner=None, creator__isnull=False, creator__key_hash=visitor.browser)


def _for_update(shelf: Shelf, visitor: Visitor | None) -> Shelf:
    """Lock the shelf, and add the visitor's browser, which may have come by the link.

    Access may have ended since the request began. Without a visitor it is the site. Raises AccessEnded.
    """
    locked = Shelf.objects.select_for_update().filter(pk=shelf.pk).first()
    if locked is None or (visitor is not None and not may_open(visitor, locked)):
        raise AccessEnded
    if visitor and visitor.browser:
        browser, _created = Browser.objects.get_or_create(key_hash=visitor.browser)
        locked.browsers.add(browser)
        Browser.objects.filter(pk=browser.pk, used__lt=timezone.now() - USE_INTERVAL).update(used=timezone.now())
    locked.save(update_fields=["changed"])
    return locked


# ---------------------------------------------------------------- reading


def owned(shelf: Shelf, system: str) -> Iterator[tuple[Element, int]]:
    """What a shelf holds for one game: each element, in the order of entering, and how many are owned."""
    return ((models.element, models.quantity) for models in models_of(_entries(shelf.pk, system)))


def models_of(entries: Iterable[Any]) -> Iterator[Models]:
    """The models of entries. Those of a game that this site does not know are left out."""
    for entry in entries:
        if entry.system in registry.SYSTEMS:
            element_class = registry.SYSTEMS[entry.system].rules.Element
            element = element_class.model_validate({"name": entry.name, **entry.profile})
            yield Models(entry.system, element, *(getattr(entry, name) for name in COUNTS))


def read_entry(entry: Any) -> Models:
    """The models of an entry from outside. Raises InvalidModels."""
    try:
        models = next(models_of([entry]), None)
    except ValidationError as error:
        first = translate(documents.error_message(error.errors(include_url=False)[0]))
        raise InvalidModels(_("invalid element: {error}.").format(error=first)) from None
    if models is None:
        raise InvalidModels(_("“{system}” is not a game.").format(system=entry.system))
    if not models.painted <= models.built <= models.quantity:
        raise InvalidModels(_("more models are painted than built, or built than owned."))
    return models


@compiled_query
def _entries(shelf: int, system: str) -> QuerySet[ShelfEntry]:
    return ShelfEntry.objects.filter(shelf=shelf, system=system).order_by("pk")


def new_entry(shelf: Shelf, item: Models) -> ShelfEntry:
    """The entry of models, not saved."""
    columns = {"key": item.key, "name": item.element.name, "profile": profile_of(item.element)}
    return ShelfEntry(shelf=shelf, system=item.system, **columns, **{name: getattr(item, name) for name in COUNTS})


def entries_by_key(shelf: Shelf, system: str = "") -> dict[str, ShelfEntry]:
    """The entries of a shelf, or of one game on it, by the keys of their elements."""
    entries = _entries(shelf.pk, system) if system else shelf.entries.all()
    return {entry.key: entry for entry in entries}


def totals(entries: Iterable[ShelfEntry]) -> tuple[int, ...]:
    """How many models of entries are owned, built and painted."""
    counts = [_counts(entry) for entry in entries]
    return tuple(map(sum, zip(*counts, strict=True))) if counts else (0, 0, 0)


def shortage(need: Iterable[Models], entries: Mapping[str, ShelfEntry]) -> tuple[int, int]:
    """How many models are needed in all, and how many of them are not on the shelf."""
    pairs = [(models.quantity, entries[models.key].quantity if models.key in entries else 0) for models in need]
    return sum(quantity for quantity, _owned in pairs), sum(max(0, quantity - own) for quantity, own in pairs)


def required_models(documents: Iterable[AnyDocument], *, together: bool = False) -> dict[str, Models]:
    """What rosters need, by key: of each element the most that one of them needs, or all of them ``together``."""
    total: dict[str, Models] = {}
    for document in documents:
        own: dict[str, Models] = {}
        for element in document.elements:
            models = Models(document.system, element)
            before = own.setdefault(models.key, models)
            own[models.key] = before._replace(quantity=before.quantity + element.quantity)
        for key, models in own.items():
            before = total.setdefault(key, models._replace(quantity=0))
            combine = operator.add if together else max
            total[key] = before._replace(quantity=combine(before.quantity, models.quantity))
    return total


# ---------------------------------------------------------------- writing


def _lock_account(owner: Any) -> None:
    """Lock an account, which has one shelf: two of its devices may start or claim one at once."""
    if owner is not None:
        list(get_user_model().objects.select_for_update(no_key=True).filter(pk=owner.pk).values_list("pk"))


@transaction.atomic
def create(browser: Browser, owner: Any = None) -> Shelf:
    """A new shelf of a browser and an account; the one that the account, or the browser without one, has already."""
    _lock_account(owner)
    Browser.objects.select_for_update().get(pk=browser.pk)  # two clicks start one shelf
    own = Shelf.objects.filter(browsers=browser) if owner is None else Shelf.objects.filter(owner=owner)
    if shelf := own.first():
        return shelf
    secret = new_secret()
    shelf = Shelf.objects.create(edit_hash=hashed(secret), owner_secret=encrypt(secret), creator=browser, owner=owner)
    shelf.browsers.add(browser)
    return shelf


@transaction.atomic
def add_models(
    shelf: Shelf,
    items: Iterable[Models],
    visitor: Visitor | None = None,
    *,
    combine: Callable[[int, int], int] = max,
    request: str = "",
) -> int:
    """Add models to a shelf: of each count the larger one is kept, or what ``combine`` makes of both.

    Returns the number of entries that are new or changed: none if the latest ``request`` with a key is sent again.
    Raises ShelfLimit and AccessEnded.
    """
    shelf = _for_update(shelf, visitor)
    if request and request == shelf.request:
        return 0
    if request:
        shelf.request = request
        shelf.save(update_fields=["request"])
    entries = entries_by_key(shelf)
    before = {key: _counts(entry) for key, entry in entries.items()}
    for item in items:
        if entry := entries.get(item.key):
            for name in COUNTS:
                setattr(entry, name, combine(getattr(entry, name), getattr(item, name)))
        else:
            entry = entries[item.key] = new_entry(shelf, item)
        if entry.quantity > MAX_QUANTITY:
            text = _("A shelf holds at most %(most)s of one kind; this would make %(number)s of “%(name)s”.")
            raise ShelfLimit(text % {"most": f"{MAX_QUANTITY:,}", "number": f"{entry.quantity:,}", "name": entry.name})
    if len(entries) > MAX_ENTRIES:
        text = _("A shelf holds at most %(most)s entries; this would make %(number)s.")
        raise ShelfLimit(text % {"most": f"{MAX_ENTRIES:,}", "number": f"{len(entries):,}"})
    changed = [entry for key, entry in entries.items() if key not in before or _counts(entry) != before[key]]
    ShelfEntry.objects.bulk_create([entry for entry in changed if entry.pk is None])
    ShelfEntry.objects.bulk_update([entry for entry in changed if entry.key in before], COUNTS, batch_size=500)
    return len(changed)


def _counts(entry: ShelfEntry) -> tuple[int, ...]:
    return tuple(getattr(entry, name) for name in COUNTS)


@transaction.atomic
def set_counts(shelf: Shelf, changes: Mapping[int, Mapping[str, int]], visitor: Visitor | None = None) -> int:
    """Set some counts of entries, which are named by primary key; an entry of which none is left is deleted.

    Returns the number of entries that were changed: those that are gone are not. Raises CountsConflict and AccessEnded.
    """
    changed = [*_for_update(shelf, visitor).entries.filter(pk__in=changes)]
    for entry in changed:
        for name, number in changes[entry.pk].items():
            setattr(entry, name, number)
        if entry.quantity and not entry.painted <= entry.built <= entry.quantity:
            raise CountsConflict
    ShelfEntry.objects.filter(pk__in=[entry.pk for entry in changed if not entry.quantity]).delete()
    ShelfEntry.objects.bulk_update([entry for entry in changed if entry.quantity], COUNTS, batch_size=500)
    return len(changed)


@transaction.atomic
def claim(shelf: Shelf, owner: Any, visitor: Visitor) -> None:
    """Make an account the owner of a shelf. If it has one, the models are put on that, and this one is deleted.

    Raises ShelfLimit, and AccessEnded also if another account has claimed the shelf in the meantime.
    """
    _lock_account(owner)
    shelf = _for_update(shelf, visitor)
    if shelf.owner_id not in (None, owner.pk):
        raise AccessEnded
    own = Shelf.objects.filter(owner=owner).first()
    if own is None:
        Shelf.objects.filter(pk=shelf.pk).update(owner=owner)
    elif own.pk != shelf.pk:
        add_models(own, models_of(shelf.entries.all()), visitor)
        shelf.delete()


@transaction.atomic
def reset_link(shelf: Shelf, visitor: Visitor) -> None:
    """Replace the owner link, and end the access of all browsers but the visitor's and the one that created the shelf.

    That one stays, as with rosters: who has the link cannot take the shelf away. Raises AccessEnded.
    """
    shelf, secret = _for_update(shelf, visitor), new_secret()
    Shelf.objects.filter(pk=shelf.pk).update(edit_hash=hashed(secret), owner_secret=encrypt(secret))
    others = shelf.browsers.exclude(key_hash=visitor.browser).exclude(pk__in=[shelf.creator_id or 0])
    shelf.browsers.remove(*others)


@transaction.atomic
def delete(shelf: Shelf, visitor: Visitor) -> None:
    """Delete a shelf permanently. Raises AccessEnded."""
    _for_update(shelf, visitor).delete()
