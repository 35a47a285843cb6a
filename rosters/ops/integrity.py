"""Check the whole database: every revision is read, and every roster is appraised again.

Nothing is changed: an inconsistency is reported in a sentence, and the check continues.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import IntegrityError, connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from rosters import registry
from rosters.core import appraisals
from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal, RosterState
from rosters.core.documents import AnyDocument
from rosters.core.folding import fold_accents
from rosters.core.play import without_damage
from rosters.models import Battle, Revision, Roster, ShelfEntry
from rosters.store import revisions, search, shelf
from rosters.store.consistency import read_snapshot
from rosters.store.reference import outdated_models
from rosters.store.rows import row_columns
from rosters.store.state import COPIED_FIELDS, compute_state, read_document, totals_of

SUMMARY = ("points", "legal", "errors", "quantity")


class Inconsistency(NamedTuple):
    """An inconsistency as a sentence, with the token of the roster or the battle and the number of the revision."""

    roster: str | None
    battle: str | None
    revision: int | None
    message: str

    def __str__(self) -> str:
        if self.roster and self.revision:
            template = _("Roster {roster}, revision {revision}: {message}.")
        elif self.roster:
            template = _("Roster {roster}: {message}.")
        else:
            template = _("Battle {battle}: {message}.") if self.battle else _("The database: {message}.")
        return template.format(**self._asdict())


class Progress(NamedTuple):
    """How much was checked so far, and an inconsistency, if any."""

    rosters: int
    revisions: int
    battles: int
    fault: Inconsistency | None = None


def check() -> Iterator[Progress]:
    """Check everything as it is at one moment. The last item has the totals."""
    done = Progress(0, 0, 0)
    with read_snapshot():
        yield from (done._replace(fault=fault) for fault in (*_foreign_keys(), *_reference_rows(), *_shelves()))
        for roster in Roster.objects.defer(None).order_by("pk").iterator(chunk_size=100):
            history = check_history(roster)
            for fault in check_roster(roster, history):
                yield done._replace(fault=fault)
            done = done._replace(rosters=done.rosters + 1, revisions=done.revisions + len(history.numbers))
        for battle in Battle.objects.order_by("pk").iterator():
            yield from (done._replace(fault=Inconsistency(None, battle.token, None, text)) for text in _battle(battle))
            done = done._replace(battles=done.battles + 1)
    yield done


def _foreign_keys() -> Iterator[Inconsistency]:
    """Rows that refer to missing rows."""
    try:
        connection.check_constraints()
    except IntegrityError as error:
        yield Inconsistency(None, None, None, str(error).rstrip("."))


def _shelves() -> Iterator[Inconsistency]:
    """Entries of shelves that are no element of their game, or not found by their key."""
    for entry in ShelfEntry.objects.order_by("pk").iterator():
        try:
            if [each.key for each in shelf.models_of([entry])] == [entry.key]:
                continue
        except ValidationError:
            pass
        message = _("entry {pk} of a shelf, “{name}”, is no element of its game, or has another key")
        yield Inconsistency(None, None, None, message.format(pk=entry.pk, name=entry.name))


def _reference_rows() -> Iterator[Inconsistency]:
    """Rows that differ from the reference lists, which the rules read."""
    for model, _rows in outdated_models():
        message = _("{name} differ from the reference list; run `manage.py load`")
        yield Inconsistency(None, None, None, message.format(name=model._meta.verbose_name_plural))


# ---------------------------------------------------------------- a roster


class History(NamedTuple):
    """The numbers of a roster's revisions, what is wrong with them by number, and the state at the current one."""

    numbers: list[int]
    faults: list[tuple[int, str]]
    latest: RosterState | None


def check_history(roster: Roster) -> History:
    """Read and appraise every revision of a roster."""
    numbers, faults, latest = [], [], None
    for number, texts, state in _history(roster):
        numbers.append(number)
        faults += [(number, text) for text in texts]
        latest = state if number == roster.revision else latest
    return History(numbers, faults, latest)


def check_roster(roster: Roster, history: History) -> Iterator[Inconsistency]:
    """What is wrong with a roster's revisions, document, rows, summary and search terms."""
    yield from (Inconsistency(roster.token, None, number, text) for number, text in history.faults)
    yield from (Inconsistency(roster.token, None, None, text) for text in _numbers(roster, history.numbers))
    if roster.system in registry.SYSTEMS:
        yield from (Inconsistency(roster.token, None, None, text) for text in _document(roster, history.latest))
        document = history.latest and history.latest.document
        yield from (Inconsistency(roster.token, None, None, text) for text in _search_terms(roster, document))
    else:
        yield Inconsistency(roster.token, None, None, _unknown_game(roster.system))


def _unknown_game(system: str) -> str:
    return _("unknown game “{system}”").format(system=system)


def _search_terms(roster: Roster, document: AnyDocument | None) -> Iterator[str]:
    """Whether Browse and My rosters search what the roster has; without a readable document, whether it is listed."""
    words = {bytes(word) for word in roster.gallery_words.values_list("word", flat=True)}
    if words != search.search_terms(roster, document) if document else bool(words) != search.is_listed(roster):
        yield _("gallery words differ from the roster")
    rows = {*roster.tag_rows.values_list("tag", "folded")}
    if rows != {(tag, fold_accents(tag)) for tag in roster.tag_list}:
        yield _("tag rows differ from the tags")
    if roster.folded_name != fold_accents(roster.name):
        yield _("folded_name differs from the name")


def _numbers(roster: Roster, numbers: list[int]) -> Iterator[str]:
    """Whether the revisions are numbered from 1 to the roster's own without a gap."""
    missing = sorted({*range(1, roster.revision + 1)} - {*numbers})
    if missing:
        numbered = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
        message = ngettext(
            "{n} of {all} revisions is missing: {numbers}",
            "{n} of {all} revisions are missing: {numbers}",
            len(missing),
        )
        yield message.format(n=len(missing), all=roster.revision, numbers=numbered)
    if numbers and numbers[-1] > roster.revision:
        message = _("revision {number} is later than the roster's own, {own}")
        yield message.format(number=numbers[-1], own=roster.revision)
    if not numbers and not missing:
        yield _("no revisions")


def _document(roster: Roster, latest: RosterState | None) -> Iterator[str]:
    """Whether the document is that of the latest revision, and whether columns and rows repeat it."""
    try:
        document = read_document(roster)
    except Exception as error:  # a damaged text fails in any way
        yield _("invalid document ({error})").format(error=_reason(error))
        return
    latest = latest and latest._replace(document=without_damage(latest.document))
    if latest is not None and document != latest.document:
        yield _("document differs from the latest revision, {number}").format(number=roster.revision)
    yield from _projection(roster, document)
    state = latest if latest is not None and document == latest.document else compute_state(document)
    for name, now in zip(SUMMARY, totals_of(state.appraisal), strict=True):
        stored = getattr(roster, name)
        if stored != now and not (name == "errors" and stored is None):
            message = _("{name} column is {stored}, but computed {computed}")
            yield message.format(name=name, stored=_format_value(stored), computed=_format_value(now))


def _projection(roster: Roster, document: AnyDocument) -> Iterator[str]:
    """Whether columns and rows repeat the document."""
    for name in COPIED_FIELDS:
        if getattr(roster, name) != getattr(document, name):
            yield _("{name} column differs from the document").format(name=name)
    if _rows(roster) != _expected_rows(roster, document):
        yield _("rows differ from the document")


def _rows(roster: Roster) -> list[Any]:
    """The rows of formations and elements, in order; each element with its formation."""
    columns = ("formation__roster", "formation__uid", "uid", "name", "quantity", "notes", "secret", "profile")
    return [
        *roster.formations.order_by("position").values_list("uid", "name", "notes"),
        *roster.elements.order_by("formation__position", "position").values_list(*columns),
    ]


def _expected_rows(roster: Roster, document: AnyDocument) -> list[Any]:
    """The rows that the document requires."""
    elements = [
        (roster.pk, formation.id, element.id, *row_columns(element).values())
        for formation in document.formations
        for element in formation.elements
    ]
    return [*((f.id, *row_columns(f).values()) for f in document.formations), *elements]


# ---------------------------------------------------------------- its revisions


class MissingBase(LookupError):
    """The revision that is the dictionary of another one is missing."""


def _history(roster: Roster) -> Iterator[tuple[int, list[str], RosterState | None]]:
    """The number of each revision, oldest first, what is wrong with it, and its state by today's rules if readable."""
    before: RosterState | None = None
    bases: dict[int, bytes] = {}
    for revision in roster.revisions.order_by("number").iterator(chunk_size=50):
        try:
            document, data = revisions.content_from_json(_raw(revision, bases))
            appraisal = appraisals.from_json(data)
            state = compute_state(document, before)
        except MissingBase:
            message = _("based on revision {base}, which is missing or damaged")
            yield revision.number, [message.format(base=revision.base)], None
        except Exception as error:  # damaged bytes fail in any way
            yield revision.number, [_("damaged ({error})").format(error=_reason(error))], None
        else:
            yield revision.number, [*_revision(roster, revision, state, appraisal)], state
            before = state


def _raw(revision: Revision, bases: dict[int, bytes]) -> bytes:
    """A revision's JSON. ``bases`` collects the JSON that others are packed against, by number. Raises MissingBase."""
    if revision.base is not None:
        if revision.base not in bases:
            raise MissingBase
        return revisions.decompress_revision(revision, bases[revision.base])
    bases[revision.number] = revisions.decompress_revision(revision, b"")
    return bases[revision.number]


def _revision(roster: Roster, revision: Revision, state: RosterState, stored: Appraisal) -> Iterator[str]:
    """What is wrong with a revision that can be read, by its ``stored`` appraisal and its state by today's rules."""
    if state.document.system != roster.system:
        message = _("game {system} differs from the roster's, {own}")
        yield message.format(system=state.document.system, own=roster.system)
    if revision.restores is not None and not 0 < revision.restores < revision.number:
        yield _("restores revision {number}, which is not an earlier one").format(number=revision.restores)
    if stored.edition != revision.edition:
        message = _("edition “{edition}” differs from its appraisal's, “{stored}”")
        yield message.format(edition=revision.edition, stored=stored.edition)
    elif stored.edition == state.appraisal.edition and numbers_of(stored) != numbers_of(state.appraisal):
        message = _("appraisal: {points} (quantity {quantity}), but {now} ({count}) by the same rules today")
        points, now = format_amount(stored.points), format_amount(state.appraisal.points)
        yield message.format(points=points, quantity=stored.quantity, now=now, count=state.appraisal.quantity)


def numbers_of(appraisal: Appraisal) -> Any:
    """The numbers of an appraisal down to each element's, which depend on the document and the edition alone."""
    elements = [
        [(e.quantity, e.unit_points, e.points) for e in formation.elements] for formation in appraisal.formations
    ]
    return appraisal.points, appraisal.exact, appraisal.quantity, [f.points for f in appraisal.formations], elements


def _reason(error: Exception) -> str:
    """The type and message of an error, on one line."""
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _format_value(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


# ---------------------------------------------------------------- battles


def _battle(battle: Battle) -> Iterator[str]:
    """Whether a battle's rosters are for its game, at revisions that exist."""
    if battle.system not in registry.SYSTEMS:
        yield _unknown_game(battle.system)
    for force in battle.forces.select_related("roster"):
        if force.roster.system != battle.system:
            message = _("roster {roster} is for {system}, the battle for {own}")
            yield message.format(roster=force.roster.token, system=force.roster.system, own=battle.system)
        if not force.roster.revisions.filter(number=force.revision).exists():
            message = _("roster {roster} has no revision {revision}, at which it is locked")
            yield message.format(roster=force.roster.token, revision=force.revision)
