"""Who may edit a roster: its account, browsers that have its owner link, and browsers that have an edit link.

Opening a link only sets a cookie; a browser gets a row with its first change.
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

from rosters.models import Actor, Battle, Browser, EditLink, Editor, PlayState, Roster, Shelf, hashed, new_secret
from rosters.store.compiled import compiled, compiled_query

MAX_LINKS = 100
"""Edit links of one roster that work."""
MAX_LISTED = 200
"""Editors of a roster that are listed: who has a link can come as any number of browsers."""
BATCH_SIZE = 200
"""Browsers that are deleted in one transaction."""
CHANGE_INTERVAL, USE_INTERVAL = timedelta(minutes=1), timedelta(days=1)
"""The shortest time between updates of a last change: of a browser in a roster, and of a browser at all."""


class Access(IntEnum):
    """What a visitor who may read a roster may do with it."""

    READ = 0
    EDIT = 1
    OWNER = 2


class AccessEnded(PermissionDenied):
    """The owner has replaced the link, or removed the browser, by which a visitor edited a roster."""


# ---------------------------------------------------------------- visitors


class OpenedLink(NamedTuple):
    """A link that a browser opened: its roster's primary key (0: a shelf's), the hash of its secret, and when, in
    seconds.
    """

    roster: int
    key_hash: str
    at: float

    def is_before(self, removed: datetime | None) -> bool:
        """Whether the browser was removed since, so that this link gives it no access any more."""
        return removed is not None and removed.timestamp() >= self.at


class Visitor(NamedTuple):
    """The sender of a request: an account, a browser and an API secret by their hashes, opened links."""

    account: int | None = None
    browser: str = ""
    bearer: str = ""
    links: tuple[OpenedLink, ...] = ()

    def opened(self, roster: Roster) -> OpenedLink | None:
        """The link of this roster that the browser has opened."""
        return next((link for link in self.links if link.roster == roster.pk), None)


class Requester(NamedTuple):
    """Who requests a report: a browser, and a hash of its network, by which a client's part of the queue is limited."""

    browser: Browser
    network: str


class Grant(NamedTuple):
    """The access of a visitor to a roster, and the row of the editor who has it, if any.

    The row is not saved before the first change of the visitor's browser.
    """

    access: Access
    editor: Editor | None = None


@compiled
def roster_by_token(token: str) -> QuerySet[Roster]:
    """The roster with a share token, or None."""
    return Roster.objects.filter(token=token).order_by()


def grant_by_link(roster: Roster, key_hash: str) -> Grant:
    """The access by the link with this hash: READ if the link is not the roster's, or was replaced."""
    if key_hash and constant_time_compare(roster.edit_hash, key_hash):
        return Grant(Access.OWNER, Editor(roster=roster))
    link = roster.edit_links.filter(key_hash=key_hash, revoked=None).first()
    return Grant(Access.EDIT, Editor(roster=roster, link=link, is_owner=False)) if link else Grant(Access.READ)


def access_of(visitor: Visitor, roster: Roster) -> Access:
    """The visitor's access to a roster that they may read."""
    return grant_of(visitor, roster).access


def grant_of(visitor: Visitor, roster: Roster) -> Grant:
    """The visitor's access: by account, else by the API's secret, else by browser or by the link that it has opened."""
    if visitor.account is not None and roster.owner_id == visitor.account:
        return Grant(Access.OWNER)
    if visitor.bearer:
        return grant_by_link(roster, visitor.bearer)
    row = _editor(roster.pk, visitor.browser) if visitor.browser else None
    by_browser, opened = Grant(_access_of_row(row), row), visitor.opened(roster)
    if by_browser.access == Access.OWNER or opened is None or (row is not None and opened.is_before(row.removed)):
        return by_browser
    by_link = grant_by_link(roster, opened.key_hash)
    if by_link.editor is None or by_link.access <= by_browser.access:
        return by_browser
    by_link.editor.pk = row.pk if row else None  # one row for each browser
    return by_link


def _access_of_row(row: Any) -> Access:
    """The access of a browser with this row, if it has one."""
    if row is None or row.removed or row.link_revoked:
        return Access.READ
    return Access.OWNER if row.is_owner else Access.EDIT


@compiled
def _editor(roster: int, browser: str) -> QuerySet[Editor]:
    rows = Editor.objects.filter(roster=roster, browser__key_hash=browser)
    return rows.annotate(link_revoked=F("link__revoked"))


def has_ended(visitor: Visitor, roster: Roster) -> bool:
    """Whether the owner has revoked this visitor's access, by replacing the link or removing the browser."""
    opened = visitor.opened(roster)
    if opened and roster.edit_links.filter(key_hash=opened.key_hash).exists():
        return True
    return bool(visitor.browser) and roster.editors.filter(browser__key_hash=visitor.browser).exists()


def record_change(roster: Roster, visitor: Visitor, grant: Grant | None = None) -> tuple[Actor, str | None]:
    """The author of a change that is about to be saved, and the name of their edit link.

    ``grant`` is that of the visitor, if it was read under the same lock.

    Creates or updates the browser's row. Call it while the roster or its play row is locked, so that no revoked link
    can save a change. Raises AccessEnded.
    """
    access, row = grant or grant_of(visitor, roster)
    if access == Access.READ:
        raise AccessEnded
    now = timezone.now()
    if row and visitor.browser and (row.changed is None or now - row.changed > CHANGE_INTERVAL):
        if row.browser_id is None:
            row.browser, row.since = Browser.objects.get_or_create(key_hash=visitor.browser)[0], now
        row.changed = now
        if row.pk is None:  # another change of this browser may hold the other lock
            Editor.objects.bulk_create([row], ignore_conflicts=True)
        else:
            row.save()
        Browser.objects.filter(pk=row.browser_id, used__lt=now - USE_INTERVAL).update(used=now)
    return Actor.OWNER if access == Access.OWNER else Actor.EDITOR, row.link.name if row and row.link else None


def lock_as_owner(rosters: QuerySet[Roster], visitor: Visitor | None) -> list[Roster]:
    """Lock rosters and their play rows until the transaction ends.

    The visitor must own them all (None: the site itself), which is checked again because access may have been revoked
    since the request began. Raises AccessEnded.
    """
    # NO KEY: the first change in play inserts an Editor row that references the roster, which must not wait for this.
    locked = [*rosters.select_for_update(no_key=True).order_by("pk")]
    list(PlayState.objects.select_for_update().filter(roster__in=locked).order_by("pk").values_list("pk"))
    if visitor is not None and any(access_of(visitor, roster) != Access.OWNER for roster in locked):
        raise AccessEnded
    return locked


def _lock_one(roster: Roster, visitor: Visitor | None) -> Roster:
    """`lock_as_owner` for one roster. Raises Roster.DoesNotExist too."""
    locked = lock_as_owner(Roster.objects.filter(pk=roster.pk), visitor)
    if not locked:
        raise Roster.DoesNotExist
    return locked[0]


# ---------------------------------------------------------------- rosters of a visitor


def rosters_of(visitor: Visitor) -> QuerySet[Roster]:
    """The rosters that a visitor may edit, with those in the bin."""
    return Roster.objects.filter(access_filters(visitor)[0])


def battles_of(account: int, browser: str) -> QuerySet[Battle]:
    """The battles that a visitor may change, last changed first; the keys are 0 and "" for none."""
    opened = Battle.browsers.through.objects.filter(browser__key_hash=browser).values("battle_id")
    owned = Battle.objects.filter(owner=account).order_by().values("pk")
    return Battle.objects.filter(pk__in=opened.union(owned))


def rosters_to_choose(visitor: Visitor, system: str) -> list[Roster]:
    """The rosters of a game that a visitor may edit, without those in the bin: what a list of them shows."""
    if visitor.account is None and not visitor.links:
        return [*_rosters_of_browser(visitor.browser, system)]
    return [*_choices(rosters_of(visitor), system)]


@compiled_query
def _rosters_of_browser(browser: str, system: str) -> QuerySet[Roster]:
    rows = {"editors__browser__key_hash": browser, "editors__removed": None, "editors__link__revoked": None}
    return _choices(Roster.objects.filter(**rows), system)


def _choices(rosters: QuerySet[Roster], system: str) -> QuerySet[Roster]:
    return rosters.filter(system=system, binned=None).only("token", "name", "points", "crest", "system")


def access_filters(visitor: Visitor) -> tuple[Q, Q]:
    """The conditions that the visitor may edit a roster, and that they own it.

    An account may have thousands. The few of a browser are looked up once: Django takes longer to compile the union
    than a database to run it.
    """
    if visitor.account is not None:
        return Q(pk__in=_keys(visitor, owner=False)), Q(pk__in=_keys(visitor, owner=True))
    editable = _editable_by_browser(visitor)
    return Q(pk__in=[*editable]), Q(pk__in=[pk for pk, is_owner in editable.items() if is_owner])


def _editable_by_browser(visitor: Visitor) -> dict[int, bool]:
    """The keys of the rosters that a visitor without an account may edit, and whether they own each."""
    rows = _active_editors(visitor.browser) if visitor.browser else ()
    editable = {row.roster_id: row.is_owner for row in rows}
    for pk, is_owner in (_opened(visitor) if visitor.links else {}).items():
        editable[pk] = is_owner or editable.get(pk, False)
    return editable


@compiled_query
def _active_editors(browser: str) -> QuerySet[Editor]:
    rows = Editor.objects.filter(browser__key_hash=browser, removed=None, link__revoked=None)
    return rows.only("roster", "is_owner")


def _keys(visitor: Visitor, *, owner: bool) -> Any:
    """The keys of the rosters that a visitor may edit, or owns: a union uses the indexes of its parts, OR does not."""
    rows = Editor.objects.filter(browser__key_hash=visitor.browser) if visitor.browser else Editor.objects.none()
    active = rows.filter(removed=None, link__revoked=None)
    keys = (active.filter(is_owner=True) if owner else active).values("roster_id")
    if visitor.account is not None:
        keys = keys.union(Roster.objects.filter(owner=visitor.account).order_by().values("pk"))
    if visitor.links:
        opened = [pk for pk, is_owner in _opened(visitor).items() if is_owner or not owner]
        keys = keys.union(Roster.objects.filter(pk__in=opened).order_by().values("pk"))
    return keys


def _opened(visitor: Visitor) -> dict[int, bool]:
    """The keys of the rosters whose links the browser has opened, and whether each was an owner link."""
    opened_links = {link.roster: link for link in visitor.links}
    hashes = [link.key_hash for link in visitor.links]
    rosters = Roster.objects.filter(pk__in=opened_links, edit_hash__in=hashes)
    links = EditLink.objects.filter(roster__in=opened_links, key_hash__in=hashes, revoked=None)
    opened = dict.fromkeys(links.values_list("roster_id", flat=True), False)
    opened |= dict.fromkeys(rosters.values_list("pk", flat=True), True)
    rows = Editor.objects.filter(roster__in=opened, browser__key_hash=visitor.browser)
    for pk, removed in rows.values_list("roster_id", "removed"):
        if opened_links[pk].is_before(removed):
            del opened[pk]
    return opened


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


def encrypt(secret: str) -> str:
    """The secret of a link as it is stored, so that its owner can be shown it again."""
    return _encryption().encrypt(secret.encode()).decode()


def decrypt(encrypted: str) -> str:
    """The secret of a link; "" if it was not stored, or was encrypted with a SECRET_KEY that is no longer known."""
    try:
        return _encryption().decrypt(encrypted).decode()
    except InvalidToken:
        return ""


def links_of(roster: Roster) -> list[EditLink]:
    """The edit links of a roster that work, by their names."""
    return [*_links(roster.pk)]


@compiled_query
def _links(roster: int) -> QuerySet[EditLink]:
    return EditLink.objects.filter(roster=roster, revoked=None).order_by("name", "pk")


@transaction.atomic
def create_link(roster: Roster, name: str, visitor: Visitor | None = None) -> EditLink:
    """Create an edit link, for an owner or (None) the site. Raises TooManyLinks and AccessEnded."""
    if _lock_one(roster, visitor).edit_links.filter(revoked=None).count() >= MAX_LINKS:
        raise TooManyLinks
    secret = new_secret()
    return roster.edit_links.create(name=name, secret=encrypt(secret), key_hash=hashed(secret))


@transaction.atomic
def revoke_link(link: EditLink, visitor: Visitor | None = None) -> None:
    """Revoke an edit link, and the access of every browser that used it. Raises AccessEnded."""
    _lock_one(link.roster, visitor)
    EditLink.objects.filter(pk=link.pk, revoked=None).update(revoked=timezone.now())


@transaction.atomic
def replace_link(link: EditLink, visitor: Visitor | None = None) -> EditLink:
    """Revoke an edit link, and create another one of the same name. Raises AccessEnded."""
    revoke_link(link, visitor)
    return create_link(link.roster, link.name)


def editors_by_owner_link(roster: Roster, visitor: Visitor) -> tuple[QuerySet[Editor], bool]:
    """The browsers that used the owner link, or the first one, and whether an account did; the visitor is neither.

    The browser that created the roster did not use it, and only that browser can undo an account's claim: among
    others who have the link, the account was first.
    """
    others = roster.editors.filter(link=None, removed=None).exclude(browser__key_hash=visitor.browser)
    is_maker = roster.creator is not None and roster.creator.key_hash == visitor.browser
    claimed = is_maker and roster.claimed_by_link is not None and roster.owner_id not in (None, visitor.account)
    return others.exclude(browser=roster.creator_id), claimed


@transaction.atomic
def reset_owner_link(roster: Roster, visitor: Visitor, *, remove_others: bool = False) -> None:
    """Replace the owner link.

    With ``remove_others``, browsers that `editors_by_owner_link` lose their access, and an account loses the roster.
    Raises AccessEnded.
    """
    roster, secret, now = _lock_one(roster, visitor), new_secret(), timezone.now()
    record_change(roster, visitor)
    roster.edit_links.create(key_hash=roster.edit_hash, revoked=now)
    Roster.objects.filter(pk=roster.pk).update(edit_hash=hashed(secret), owner_secret=encrypt(secret))
    if remove_others:
        editors, claimed = editors_by_owner_link(roster, visitor)
        editors.update(removed=now)
        if claimed:
            Roster.objects.filter(pk=roster.pk).update(owner=None, claimed_by_link=None)


def editors_of(roster: Roster) -> list[Any]:
    """The browsers that edit a roster, last changed first; then those whose access was revoked; at most MAX_LISTED.

    Each with whether it has ``ended``, the browser's ``key_hash``, and the name and end of its edit link.
    """
    return [*_editors(roster.pk)]


@compiled_query
def _editors(roster: int) -> QuerySet[Any]:
    rows = Editor.objects.filter(roster=roster).annotate(
        ended=Q(removed__isnull=False) | Q(link__revoked__isnull=False),
        key_hash=F("browser__key_hash"),
        link_name=F("link__name"),
        link_revoked=F("link__revoked"),
    )
    return rows.order_by("ended", F("changed").desc(nulls_last=True), "pk")[:MAX_LISTED]


def can_remove(visitor: Visitor, editor: Any, roster: Roster) -> bool:
    """Whether an owner can remove one of `editors_of`: not their own browser.

    Only the roster's account can remove the browser that created the roster, unless the account used the owner link,
    because that browser could undo its claim.
    """
    if editor.ended or editor.key_hash == visitor.browser:
        return False
    is_first = roster.owner_id is not None and roster.owner_id == visitor.account and roster.claimed_by_link is None
    return is_first or editor.browser_id != roster.creator_id


@transaction.atomic
def remove_editor(editor: Editor, visitor: Visitor | None = None) -> None:
    """Revoke the access of one browser. Opening a working link restores it. Raises AccessEnded."""
    _lock_one(editor.roster, visitor)
    Editor.objects.filter(pk=editor.pk).update(removed=timezone.now())


def forget_browser(owner: Any, key_hash: str) -> None:
    """Revoke a browser's access to rosters of accounts, and to those opened by a link; it can still sign in.

    Rosters that it created and no account owns stay accessible, because nobody else has them.
    """
    rows = Editor.objects.filter(browser__key_hash=key_hash)
    by_link = Q(link__isnull=False) | Q(is_owner=False) | Q(since__isnull=False)
    created_here = Q(roster__creator__key_hash=key_hash)
    rows.filter(Q(roster__owner=owner) | by_link & ~created_here).delete()
    Battle.browsers.through.objects.filter(battle__owner=owner, browser__key_hash=key_hash).delete()
    shelves = Shelf.browsers.through.objects.filter(browser__key_hash=key_hash)
    shelves.filter(Q(shelf__owner=owner) | ~Q(shelf__creator__key_hash=key_hash)).delete()


# ---------------------------------------------------------------- unused browsers


def unused_browsers(before: datetime) -> QuerySet[Browser]:
    """Browsers without changes since a time, except those that are the only access to a roster, a battle or a shelf.

    An account is other access, and so is another owner's browser that was used since. The owner link is not, because it
    may not have been saved.
    """
    active = Editor.objects.filter(removed=None, link__revoked=None)
    owners = active.filter(roster=OuterRef("roster"), is_owner=True).exclude(browser=OuterRef("browser"))
    other_way = Exists(owners.filter(browser__used__gte=before)) | Q(is_owner=False) & Exists(owners)
    only_way = active.filter(roster__owner=None, browser=OuterRef("pk")).exclude(other_way)
    only_player, only_collector = (
        through.objects.filter(**{f"{name}__owner": None}, browser=OuterRef("pk")).exclude(
            Exists(through.objects.filter(**{name: OuterRef(name)}, browser__used__gte=before))
        )
        for name, through in (("battle", Battle.browsers.through), ("shelf", Shelf.browsers.through))
    )
    # Else the cookie of a removed editor's link would give access again.
    lately_removed = Editor.objects.filter(browser=OuterRef("pk"), removed__gte=before)
    needed = Exists(only_way) | Exists(only_player) | Exists(only_collector)
    return Browser.objects.filter(~needed, used__lt=before).exclude(Exists(lately_removed))


def purge_browsers(before: datetime) -> int:
    """Delete unused browsers, and links and editors that were revoked before a time.

    Returns the number of browsers. In small transactions, so that others can write in between; each checks again which
    browsers are unused.
    """
    EditLink.objects.filter(revoked__lt=before).delete()
    Editor.objects.filter(removed__lt=before).delete()
    deleted, last, keys = 0, 0, unused_browsers(before).order_by("pk").values_list("pk", flat=True)
    while batch := [*keys.filter(pk__gt=last)[:BATCH_SIZE]]:
        last = batch[-1]
        with transaction.atomic():
            deleted += unused_browsers(before).filter(pk__in=batch).delete()[1].get("rosters.Browser", 0)
    return deleted
