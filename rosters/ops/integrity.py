"""Check the whole database: every revision is read, and every roster is appraised again.

Nothing is changed: a fault is reported in a sentence, and the check goes on.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import IntegrityError, connection

from rosters import registry
from rosters.core import appraisals, documents
from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal
from rosters.core.documents import AnyDocument
from rosters.models import Battle, Revision, Roster
from rosters.store import revisions, search, writer
from rosters.store.consistency import read_snapshot
from rosters.store.reference import outdated_models
from rosters.store.state import COPIED_FIELDS, RosterState, compute_state, read_document

SUMMARY = ("points", "legal", "quantity")


class Inconsistency(NamedTuple):
    """What is wrong, as a sentence that names the roster (by its token, like the battle) and the revision."""

    roster: str | None
    battle: str | None
    revision: int | None
    message: str

    def __str__(self) -> str:
        where = f"Roster {self.roster}" if self.roster else f"Battle {self.battle}" if self.battle else "The database"
        return f"{where}{f', revision {self.revision}' if self.revision else ''}: {self.message}."


class Progress(NamedTuple):
    """How much was looked at so far, and a fault that was found there, if any."""

    rosters: int
    revisions: int
    battles: int
    fault: Inconsistency | None = None


def check() -> Iterator[Progress]:
    """Look at everything as it stands at one moment; the last is the sum."""
    seen = Progress(0, 0, 0)
    with read_snapshot():
        yield from (seen._replace(fault=fault) for fault in (*_links(), *_reference_rows()))
        for roster in Roster.objects.defer(None).order_by("pk").iterator(chunk_size=100):
            history = check_history(roster)
            for fault in check_roster(roster, history):
                yield seen._replace(fault=fault)
            seen = seen._replace(rosters=seen.rosters + 1, revisions=seen.revisions + len(history.numbers))
        for battle in Battle.objects.order_by("pk").iterator():
            yield from (seen._replace(fault=Inconsistency(None, battle.token, None, text)) for text in _battle(battle))
            seen = seen._replace(battles=seen.battles + 1)
    yield seen


def _links() -> Iterator[Inconsistency]:
    """Rows that refer to rows that are not there."""
    try:
        connection.check_constraints()
    except IntegrityError as error:
        yield Inconsistency(None, None, None, str(error).rstrip("."))


def _reference_rows() -> Iterator[Inconsistency]:
    """Rows for the admin that are not those of the file which the rules read."""
    for model, _ in outdated_models():
        name = model._meta.verbose_name_plural
        yield Inconsistency(None, None, None, f"its {name} differ from the reference list; run `manage.py load`")


# ---------------------------------------------------------------- a roster


class History(NamedTuple):
    """A roster's revisions: their numbers, what is wrong with which, and how the roster stood at its own."""

    numbers: list[int]
    faults: list[tuple[int, str]]
    latest: RosterState | None


def check_history(roster: Roster) -> History:
    """Read every revision of a roster, and appraise it."""
    numbers, faults, latest = [], [], None
    for number, texts, state in _history(roster):
        numbers.append(number)
        faults += [(number, text) for text in texts]
        latest = state if number == roster.revision else latest
    return History(numbers, faults, latest)


def check_roster(roster: Roster, history: History) -> Iterator[Inconsistency]:
    """What is wrong with a roster: its revisions, its document, its rows, its summary."""
    yield from (Inconsistency(roster.token, None, number, text) for number, text in history.faults)
    yield from (Inconsistency(roster.token, None, None, text) for text in _numbers(roster, history.numbers))
    if roster.system in registry.SYSTEMS:
        yield from (Inconsistency(roster.token, None, None, text) for text in _document(roster, history.latest))
        yield from (Inconsistency(roster.token, None, None, text) for text in _words(roster))
    else:
        yield Inconsistency(roster.token, None, None, f"{roster.system!r} is no game that is known here")


def _words(roster: Roster) -> Iterator[str]:
    """Whether searches find a roster by its name, its tags and what the gallery shows of it."""
    words = {bytes(word) for word in roster.gallery_words.values_list("word", flat=True)}
    if words != search.search_terms(roster):
        yield "is not found in the gallery by the words that it shows"
    rows = {*roster.tag_rows.values_list("tag", "folded")}
    if rows != {(tag, search.fold_accents(tag)) for tag in roster.tag_list}:
        yield "has tag rows that differ from its tags"
    if roster.folded_name != search.fold_accents(roster.name):
        yield "is not found by its name in My rosters"


def _numbers(roster: Roster, there: list[int]) -> Iterator[str]:
    """Whether the revisions are numbered from 1 to the roster's own without a gap."""
    missing = sorted({*range(1, roster.revision + 1)} - {*there})
    if missing:
        more = f" and {len(missing) - 5:,} more" if len(missing) > 5 else ""
        yield f"has no revision {', '.join(map(str, missing[:5]))}{more} of {roster.revision}"
    if there and there[-1] > roster.revision:
        yield f"says that its latest revision is {roster.revision}, but there is a revision {there[-1]}"
    if not there and not missing:
        yield "has no revision at all"


def _document(roster: Roster, latest: RosterState | None) -> Iterator[str]:
    """Whether the document is that of the latest revision, and whether columns and rows repeat it."""
    try:
        document = read_document(roster)
    except Exception as error:  # whatever is wrong with the text, it is reported
        yield f"its document cannot be read ({_reason(error)})"
        return
    if latest is not None and document != latest.document:
        yield f"its document differs from its latest revision, {roster.revision}"
    yield from _projection(roster, document)
    state = latest if latest is not None and document == latest.document else compute_state(document)
    for name, now in zip(SUMMARY, writer.summary_of(state.appraisal), strict=True):
        if getattr(roster, name) != now:
            yield f"its {name} column says {_plural(getattr(roster, name))}, but the rules say {_plural(now)}"


def _projection(roster: Roster, document: AnyDocument) -> Iterator[str]:
    """Whether columns and rows repeat the document."""
    data = documents.write(document)
    for name in COPIED_FIELDS:
        if getattr(roster, name) != data[name]:
            yield f"its {name} column differs from its document"
    if _rows(roster) != _expected_rows(roster, document):
        yield "its rows differ from its document"


def _rows(roster: Roster) -> list[Any]:
    """The formations and elements of a roster as rows, in order; each element with its formation."""
    columns = ("formation__roster", "formation__uid", "uid", "name", "quantity", "notes", "secret", "marks", "profile")
    return [
        *roster.formations.order_by("position").values_list("uid", "name", "notes"),
        *roster.elements.order_by("formation__position", "position").values_list(*columns),
    ]


def _expected_rows(roster: Roster, document: AnyDocument) -> list[Any]:
    """The same as they should be."""
    elements = [
        (roster.pk, formation.id, element.id, *writer.row_columns(element).values())
        for formation in document.formations
        for element in formation.elements
    ]
    return [*((f.id, *writer.row_columns(f).values()) for f in document.formations), *elements]


# ---------------------------------------------------------------- its revisions


class NoBase(LookupError):
    """The revision that another one builds on was not found before it."""


Found = tuple[int, list[str], RosterState | None]
"""The number of a revision, what is wrong with it, and how the roster stood there if it could be read."""


def _history(roster: Roster) -> Iterator[Found]:
    """Each revision, oldest first: read, and appraised by today's rules."""
    before: RosterState | None = None
    wholes: dict[int, bytes] = {}
    for revision in roster.revisions.order_by("number").iterator(chunk_size=50):
        try:
            seen = revisions.content_from_json(_raw(revision, wholes))
            kept = appraisals.from_json(seen.appraisal)
            state = compute_state(seen.document, before)
        except NoBase:
            yield revision.number, [f"builds on revision {revision.base}, which is missing or cannot be read"], None
        except Exception as error:  # whatever is wrong with its bytes, it is told
            yield revision.number, [f"cannot be read ({_reason(error)})"], None
        else:
            yield revision.number, [*_revision(roster, revision, state, kept)], state
            before = state


def _raw(revision: Revision, wholes: dict[int, bytes]) -> bytes:
    """A revision's JSON. ``wholes`` gathers those that are packed whole, by their numbers. Raises NoBase."""
    if revision.base is not None:
        if revision.base not in wholes:
            raise NoBase
        return revisions.decompress_revision(revision, wholes[revision.base])
    wholes[revision.number] = revisions.decompress_revision(revision, b"")
    return wholes[revision.number]


def _revision(roster: Roster, revision: Revision, state: RosterState, kept: Appraisal) -> Iterator[str]:
    """What is wrong with a revision that can be read."""
    if state.document.system != roster.system:
        yield f"is of the game {state.document.system}, and its roster of {roster.system}"
    if revision.restores is not None and not 0 < revision.restores < revision.number:
        yield f"says that it brought back revision {revision.restores}, which is no earlier one"
    if kept.edition != revision.edition:
        yield f"its appraisal is by the rules {kept.edition!r}, where it says {revision.edition!r}"
    elif kept.edition == state.appraisal.edition and figures(kept) != figures(state.appraisal):
        said, now = (f"{format_amount(each.points)} points for {each.quantity}" for each in (kept, state.appraisal))
        yield f"its appraisal does not follow from its document: it says {said}, where the same rules say {now}"


def figures(appraisal: Appraisal) -> Any:
    """The numbers of an appraisal, down to each element's: they follow from the document and the edition."""
    lines = [[(e.quantity, e.each, e.points) for e in formation.elements] for formation in appraisal.formations]
    return appraisal.points, appraisal.exact, appraisal.quantity, [f.points for f in appraisal.formations], lines


def _reason(error: Exception) -> str:
    """Why something could not be read, on one line."""
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _plural(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


# ---------------------------------------------------------------- battles


def _battle(battle: Battle) -> Iterator[str]:
    """Whether a battle's rosters are of its game, at revisions that there are."""
    if battle.system not in registry.SYSTEMS:
        yield f"{battle.system!r} is no game that is known here"
    for force in battle.forces.select_related("roster"):
        if force.roster.system != battle.system:
            yield f"roster {force.roster.token} is of the game {force.roster.system}, the battle of {battle.system}"
        if not force.roster.revisions.filter(number=force.revision).exists():
            yield f"roster {force.roster.token} has no revision {force.revision}, at which it was frozen"
