"""Who may edit a roster, and by what: its account, its owner link, browsers and edit links.

A browser that opens a link is remembered by its cookie alone; it gets a row with its first change.
"""

import base64
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, NamedTuple

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from rosters.models import Actor, Battle, Browser, EditLink, Editor, PlayState, Roster, hashed, new_secret
from rosters.store.compiled import compiled

MAX_LINKS = 100
"""Edit links of one roster that work."""
BATCH_SIZE = 200
"""Browsers that are deleted in one transaction."""
USE_INTERVAL = timedelta(days=1)
"""How often the time of a browser's last change is updated at most."""


class Access(IntEnum):
    """What somebody who knows of a roster may do with it."""

    READ = 0
    EDIT = 1
    OWNER = 2


class AccessEnded(PermissionDenied):
    """The owner has replaced the link, or removed the browser, by which a visitor could edit a roster."""


# ---------------------------------------------------------------- visitors


class OpenedLink(NamedTuple):
    """A link that a browser opened: its roster's primary key, the hash of its secret, and when, in seconds."""

    roster: int
    key_hash: str
    at: float


class Visitor(NamedTuple):
    """What a request tells of its sender: an account, a browser and an API secret by their hashes, opened links."""

    account: int | None = None
    browser: str = ""
    bearer: str = ""
    links: tuple[OpenedLink, ...] = ()

    def opened(self, roster: Roster) -> OpenedLink | None:
        """The link of this roster that the browser has opened."""
        return next((link for link in self.links if link.roster == roster.pk), None)


def access_by_link(roster: Roster, key_hash: str) -> Access:
    """What the link with this hash gives: READ if it is none of the roster's, or was replaced."""
    if constant_time_compare(roster.edit_hash, key_hash):
        return Access.OWNER if key_hash else Access.READ
    return Access.EDIT if roster.edit_links.filter(key_hash=key_hash, revoked=None).exists() else Access.READ


def access_of(visitor: Visitor, roster: Roster) -> Access:
    """What the visitor may do with the roster, if it may be read."""
    return _access_and_row(visitor, roster)[0]


def _access_and_row(visitor: Visitor, roster: Roster) -> tuple[Access, Editor | None]:
    """The same, and the row of the browser that has this right; it is not saved before the browser's first change."""
    if visitor.account is not None and roster.owner_id == visitor.account:
        return Access.OWNER, None
    if visitor.bearer:
        return access_by_link(roster, visitor.bearer), None
    row, access = None, Access.READ
    if visitor.browser:
        row = _editor(roster.pk, visitor.browser)
    if row and row.removed is None and row.link_revoked is None:  # type: ignore[attr-defined]
        access = Access.OWNER if row.is_owner else Access.EDIT
    opened = visitor.opened(roster) if access != Access.OWNER else None
    if opened and not (row and row.removed and row.removed.timestamp() >= opened.at):
        by_link = access_by_link(roster, opened.key_hash)
        if by_link > access:
            link = None if by_link == Access.OWNER else roster.edit_links.get(key_hash=opened.key_hash)
            is_owner = by_link == Access.OWNER
            return by_link, Editor(pk=row.pk if row else None, roster=roster, link=link, is_owner=is_owner)
    return access, row


@compiled
def _editor(roster: int, browser: str) -> QuerySet[Editor]:
    rows = Editor.objects.filter(roster=roster, browser__key_hash=browser)
    return rows.annotate(link_revoked=F("link__revoked"))


def has_ended(visitor: Visitor, roster: Roster) -> bool:
    """Whether a visitor without access had it, until the owner replaced the link or removed the browser."""
    opened = visitor.opened(roster)
    if opened and roster.edit_links.filter(key_hash=opened.key_hash).exists():
        return True
    return bool(visitor.browser) and roster.editors.filter(browser__key_hash=visitor.browser).exists()


def record_change(roster: Roster, visitor: Visitor) -> Actor:
    """Who makes a change that is about to be saved; a browser's row is written with its first change of a day.

    Call it under the lock of the roster or its row in play, so that no change is saved by a link that was revoked.
    Raises AccessEnded.
    """
    access, row = _access_and_row(visitor, roster)
    if access == Access.READ:
        raise AccessEnded
    now = timezone.now()
    if row is not None and (row.changed is None or now - row.changed > USE_INTERVAL):
        if row.browser_id is None:
            row.browser, row.since = Browser.objects.get_or_create(key_hash=visitor.browser)[0], now
        row.changed = now
        if row.pk is None:  # another change of this browser may be under the other lock
            Editor.objects.bulk_create([row], ignore_conflicts=True)
        else:
            row.save()
        Browser.objects.filter(pk=row.browser_id).update(used=now)
    return Actor.OWNER if access == Access.OWNER else Actor.EDITOR


# ---------------------------------------------------------------- rosters of a visitor


def rosters_of(visitor: Visitor) -> QuerySet[Roster]:
    """The rosters that a visitor may edit, with those in the bin."""
    return Roster.objects.filter(pk__in=_keys(visitor, owner=False))


def owned_by(visitor: Visitor) -> Q:
    """The condition that the visitor is an owner of a roster."""
    return Q(pk__in=_keys(visitor, owner=True))


def _keys(visitor: Visitor, *, owner: bool) -> Any:
    """The keys of the rosters that a visitor may edit, or owns: a union uses the index of each part, an OR none."""
    rows = Editor.objects.filter(browser__key_hash=visitor.browser) if visitor.browser else Editor.objects.none()
    active = rows.filter(removed=None, link__revoked=None)
    keys = (active.filter(is_owner=True) if owner else active).values("roster_id")
    if visitor.account is not None:
        keys = keys.union(Roster.objects.filter(owner=visitor.account).order_by().values("pk"))
    if visitor.links:
        keys = keys.union(Roster.objects.filter(pk__in=_opened(visitor, owner=owner)).order_by().values("pk"))
    return keys


def _opened(visitor: Visitor, *, owner: bool) -> set[int]:
    """The keys of the rosters that opened links open: at most some twenty, so that they are looked up first."""
    hashes = [link.key_hash for link in visitor.links]
    rosters = Roster.objects.filter(pk__in=[link.roster for link in visitor.links], edit_hash__in=hashes)
    opened = {*rosters.values_list("pk", flat=True)}
    if not owner:
        links = EditLink.objects.filter(key_hash__in=hashes, revoked=None)
        opened |= {*links.values_list("roster_id", flat=True)}
    removed = Editor.objects.filter(roster__in=opened, browser__key_hash=visitor.browser).exclude(removed=None)
    return opened - {*removed.values_list("roster_id", flat=True)}


# ---------------------------------------------------------------- links


class TooManyLinks(ValueError):
    """A roster has the maximum number of edit links."""


def _encryption() -> MultiFernet:
    """Encrypts with SECRET_KEY, and decrypts with SECRET_KEY_FALLBACKS too."""
    digests = (
        salted_hmac("rosters.models.EditLink", "", secret=key, algorithm="sha256").digest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def secret_of(link: EditLink) -> str:
    """The secret of an edit link; "" if it was stored under a SECRET_KEY that is not known any more."""
    try:
        return _encryption().decrypt(link.secret).decode()
    except InvalidToken:
        return ""


def links_of(roster: Roster) -> QuerySet[EditLink]:
    """The edit links of a roster that work, by their names."""
    return roster.edit_links.filter(revoked=None).order_by("name", "pk")


def _lock(roster: Roster) -> Roster:
    """The roster, locked until the transaction ends, also in play: changes being saved come before, others after."""
    locked = Roster.objects.select_for_update().get(pk=roster.pk)
    PlayState.objects.select_for_update().filter(roster=roster).first()
    return locked


def _lock_as_owner(roster: Roster, visitor: Visitor | None) -> Roster:
    """The same, for an owner: under the lock, because the right may have ended since the request came in."""
    locked = _lock(roster)
    if visitor is not None and access_of(visitor, locked) != Access.OWNER:
        raise AccessEnded
    return locked


@transaction.atomic
def create_link(roster: Roster, name: str, visitor: Visitor | None = None) -> EditLink:
    """Create an edit link, for an owner or (None) the site. Raises TooManyLinks and AccessEnded."""
    if _lock_as_owner(roster, visitor).edit_links.filter(revoked=None).count() >= MAX_LINKS:
        raise TooManyLinks
    secret = new_secret()
    encrypted = _encryption().encrypt(secret.encode()).decode()
    return roster.edit_links.create(name=name, secret=encrypted, key_hash=hashed(secret))


@transaction.atomic
def revoke_link(link: EditLink, visitor: Visitor | None = None) -> None:
    """End an edit link, and the right of every browser that came by it. Raises AccessEnded."""
    _lock_as_owner(link.roster, visitor)
    EditLink.objects.filter(pk=link.pk, revoked=None).update(revoked=timezone.now())


@transaction.atomic
def replace_link(link: EditLink, visitor: Visitor | None = None) -> EditLink:
    """End an edit link, and create another one of the same name. Raises AccessEnded."""
    revoke_link(link, visitor)
    return create_link(link.roster, link.name)


@transaction.atomic
def reset_owner_link(roster: Roster, visitor: Visitor, *, remove_others: bool = False) -> str:
    """Give the roster a new owner link, and return its secret. The old link stops working.

    The visitor remains an owner; with ``remove_others``, other browsers that came by the old link lose their right,
    except the one that made the roster. Raises AccessEnded.
    """
    roster, secret, now = _lock(roster), new_secret(), timezone.now()
    record_change(roster, visitor)
    roster.edit_links.create(key_hash=roster.edit_hash, revoked=now)
    Roster.objects.filter(pk=roster.pk).update(edit_hash=hashed(secret))
    if remove_others:
        others = roster.editors.filter(link=None).exclude(browser__key_hash=visitor.browser)
        others.exclude(browser=roster.creator_id).update(removed=now)
    return secret


def editors_of(roster: Roster) -> QuerySet[Editor]:
    """The browsers that edit a roster, the last one to change it first."""
    rows = roster.editors.filter(removed=None, link__revoked=None).select_related("link", "browser")
    return rows.order_by(F("changed").desc(nulls_last=True), "pk")


@transaction.atomic
def remove_editor(editor: Editor, visitor: Visitor | None = None) -> None:
    """End the right of one browser. It comes back if it opens a link that works. Raises AccessEnded."""
    _lock_as_owner(editor.roster, visitor)
    Editor.objects.filter(pk=editor.pk).update(removed=timezone.now())


def forget_browser(owner: Any, key_hash: str) -> None:
    """End a browser's right to edit what an account owns; it can still sign in."""
    Editor.objects.filter(roster__owner=owner, browser__key_hash=key_hash).delete()
    Battle.browsers.through.objects.filter(battle__owner=owner, browser__key_hash=key_hash).delete()


# ---------------------------------------------------------------- unused browsers


def unused_browsers(before: datetime) -> QuerySet[Browser]:
    """Browsers that changed nothing since a time, without those that are the only way into a roster or a battle.

    An account is another way, and so is another owner that was used since: of two that were not, none counts on the
    other. The owner link is none, because nobody knows whether it was saved.
    """
    active = Editor.objects.filter(removed=None, link__revoked=None)
    owners = active.filter(roster=OuterRef("roster"), is_owner=True).exclude(browser=OuterRef("browser"))
    other_way = Exists(owners.filter(browser__used__gte=before)) | Q(is_owner=False) & Exists(owners)
    only_way = active.filter(roster__owner=None, browser=OuterRef("pk")).exclude(other_way)
    through = Battle.browsers.through.objects
    used = through.filter(battle=OuterRef("battle"), browser__used__gte=before)
    only_player = through.filter(battle__owner=None, browser=OuterRef("pk")).exclude(Exists(used))
    lately_removed = Editor.objects.filter(browser=OuterRef("pk"), removed__gte=before)  # or its link would open again
    unused = Browser.objects.filter(~Exists(only_way), ~Exists(only_player), used__lt=before)
    return unused.exclude(Exists(lately_removed))


def purge_browsers(before: datetime) -> int:
    """Delete unused browsers, and links and rights that ended before a time. Returns the number of browsers.

    In small transactions, so that others can write in between; each looks again at what was used meanwhile.
    """
    EditLink.objects.filter(revoked__lt=before).delete()
    Editor.objects.filter(removed__lt=before).delete()
    deleted, last, keys = 0, 0, unused_browsers(before).order_by("pk").values_list("pk", flat=True)
    while batch := [*keys.filter(pk__gt=last)[:BATCH_SIZE]]:
        last = batch[-1]
        with transaction.atomic():
            deleted += unused_browsers(before).filter(pk__in=batch).delete()[1].get("rosters.Browser", 0)
    return deleted
