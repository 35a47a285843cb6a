"""Restores a site's backup into an empty database."""

from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rosters import registry
from rosters.models import (
    ApiToken,
    Battle,
    Browser,
    EditLink,
    Editor,
    Force,
    PrintDefault,
    Report,
    ReportState,
    Roster,
    Shelf,
    ShelfEntry,
)
from rosters.store import bulk, bundle, shelf, writer
from rosters.store.bulk import UnsavedRoster
from rosters.store.bundle import BundleError, Manifest, Reader
from rosters.store.reference import load_rows


@transaction.atomic
def restore_backup(file: IO[bytes]) -> Manifest:
    """Restore a site's backup into an empty database, completely or not at all. Raises BundleError.

    Sample rosters are replaced by those of the backup, whose links people may have shared.
    """
    others = (Battle, Shelf, get_user_model())
    if Roster.objects.filter(sample=None).exists() or any(model._default_manager.all().exists() for model in others):
        raise BundleError(_("The database is not empty. Restore a backup into a new one."))
    try:
        with bundle.open_bundle(file, bundle.SITE) as reader:
            load_rows()
            writer.delete_permanently(Roster.objects.exclude(sample=None))
            people = _restore_people(reader)
            bulk.create_rosters(_read_rosters(reader, people))
            _restore_battles(reader, people)
            _restore_shelves(reader, people)
            sum(1 for line in reader.lines(bundle.README))  # damage there is damage too
            stated, actual = [row for _location, row in reader.rows(bundle.MANIFEST, Manifest)], bundle.count_rows()
    except IntegrityError as error:
        raise BundleError(_("Two rows of the backup contradict each other: {error}."), error=error) from None
    if stated != [actual]:
        message = _("{name} does not match the other files: {stated} instead of {actual}.")
        raise BundleError(message, name=bundle.MANIFEST, stated=stated, actual=actual)
    return actual


class OwnerKeys(NamedTuple):
    """The primary keys of accounts by username and of browsers by hash."""

    accounts: dict[str, int]
    browsers: dict[str, int]

    def keys(self, location: str, row: Any) -> tuple[dict[str, Any], list[int]]:
        """The foreign keys of a row's owner and creator, and the keys of its browsers. Raises BundleError."""
        try:
            creator = None if row.creator is None else self.browsers[row.creator]
            owner = None if row.owner is None else self.accounts[row.owner]
            return {"creator_id": creator, "owner_id": owner}, [self.browsers[key] for key in row.browsers]
        except KeyError as missing:
            raise BundleError(_("{place}: no such owner or browser: {key}."), place=location, key=missing) from None


def _restore_people(reader: Reader) -> OwnerKeys:
    Browser.objects.all().delete()
    rows = [row for _, row in reader.rows(bundle.BROWSERS, bundle.BrowserRow)]
    bulk.create_with_times(Browser, [Browser(**row.columns()) for row in rows], "created")
    browsers = dict(Browser.objects.values_list("key_hash", "pk"))
    saved = {browsers[row.key_hash]: row.print_default for row in rows if row.print_default is not None}
    PrintDefault.objects.bulk_create(PrintDefault(browser_id=key, settings=each) for key, each in saved.items())
    for _location, row in reader.rows(bundle.ACCOUNTS, bundle.AccountRow):
        user = get_user_model().objects.create(**row.columns())
        EmailAddress.objects.bulk_create(EmailAddress(user=user, **each.columns()) for each in row.addresses)
        Authenticator.objects.bulk_create(Authenticator(user=user, **each.columns()) for each in row.second_factors)
        bulk.create_with_times(ApiToken, [ApiToken(user=user, **each.columns()) for each in row.api_tokens], "created")
        if row.print_default is not None:
            PrintDefault.objects.create(user=user, settings=row.print_default)
    accounts = get_user_model().objects.values_list("username", "pk")
    return OwnerKeys(dict(accounts), browsers)


def _read_rosters(reader: Reader, people: OwnerKeys) -> Iterator[UnsavedRoster]:
    for name in (name for name in reader.archive.namelist() if name.startswith("rosters/")):
        row, history = reader.history(name)
        keys, browsers = people.keys(bundle.line_of(name, 1), row)
        links = {link.key_hash: EditLink(**link.columns()) for link in row.links}
        editors = [*_read_editors(row, browsers, links)]
        yield bundle.read_roster(row, history, **keys)._replace(editors=editors, links=[*links.values()])


def _read_editors(row: Any, browsers: list[int], links: dict[str, EditLink]) -> Iterator[Editor]:
    """The rows of a roster's browsers; those of an earlier release become what migration 0012 makes of them."""
    for key_hash, browser in zip(row.browsers, browsers, strict=True):
        if stored := row.editors.get(key_hash):
            yield Editor(browser_id=browser, link=links.get(stored.link), **stored.columns())
        else:
            yield Editor(browser_id=browser, is_owner=row.creator == key_hash or not (row.creator or row.owner))


def _restore_owned(model: Any, location: str, row: Any, people: OwnerKeys) -> Any:
    """A battle or a shelf with its people."""
    keys, browsers = people.keys(location, row)
    instance = model(**row.columns(), **keys)
    bulk.create_with_times(model, [instance], "created", "changed")
    instance.browsers.add(*browsers)
    return instance


def _restore_battles(reader: Reader, people: OwnerKeys) -> None:
    for location, row in reader.rows(bundle.BATTLES, bundle.BattleRow):
        try:
            registry.SYSTEMS[row.system].rules.Options.model_validate(row.options)
        except (KeyError, ValidationError):
            message = _("{place}: “{system}” is not a game with these house rules.")
            raise BundleError(message, place=location, system=row.system) from None
        battle = _restore_owned(Battle, location, row, people)
        tokens = {force.roster for force in row.forces} | {token for each in row.reports for token in (each.a, each.b)}
        rosters = Roster.objects.filter(system=row.system).in_bulk(tokens, field_name="token")
        for force in row.forces:
            roster = rosters.get(force.roster)
            if roster is None or not 0 < force.revision <= roster.revision:
                message = _("{place}: there is no revision {number} of a {system} roster {token}.")
                raise BundleError(message, place=location, number=force.revision, system=row.system, token=force.roster)
            Force.objects.create(battle=battle, roster=roster, **force.columns())
        for report in row.reports:
            if report.a in rosters and report.b in rosters:  # the others are of rosters that were deleted
                sides = {"a": rosters[report.a], "b": rosters[report.b]}
                state = ReportState.DONE if report.result else ReportState.REMOVED
                ended = Report(battle=battle, state=state, **sides, **report.columns())
                bulk.create_with_times(Report, [ended], "created")


def _restore_shelves(reader: Reader, people: OwnerKeys) -> None:
    """The shelves; a backup of an earlier release has none."""
    rows = reader.rows(bundle.SHELVES, bundle.ShelfRow) if bundle.SHELVES in reader.archive.NameToInfo else ()
    for location, row in rows:
        own = _restore_owned(Shelf, location, row, people)
        items = (bundle.read_models(location, each) for each in row.entries)
        ShelfEntry.objects.bulk_create(shelf.new_entry(own, models) for models in items)
