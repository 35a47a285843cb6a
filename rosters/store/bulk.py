"""Many new rosters at once, with their histories: those of imports, of a restored backup, and made-up ones.

Nothing is edited here: what exists is changed by `writer` alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from rosters.core import edits
from rosters.core.appraisals import Appraisal
from rosters.core.documents import AnyDocument
from rosters.core.messages import _, to_data
from rosters.core.play import damage_in, without_damage
from rosters.models import Browser, EditLink, Editor, Element, Formation, PlayState, Revision, Roster
from rosters.store import revisions, search
from rosters.store.consistency import pause_for_writers
from rosters.store.rows import POSITION_STEP, row_columns
from rosters.store.state import compute_state, fill_columns

BATCH_SIZE = 200
MAX_BATCH_BYTES = 8 << 20
"""The most rosters in a batch, and the most bytes of their packed revisions: a batch is in memory."""
MAX_BATCH_ELEMENTS = 2_000
"""The most elements in a batch."""


class UnsavedRoster(NamedTuple):
    """A roster that is not in the database yet, with all its rows: from a bundle, or from `seed`.

    ``document``, without damage, and ``appraisal`` are of its latest revision; ``editors``, ``links`` and its row in
    ``play``, if it has one, are not saved either; the first two know no roster.
    """

    roster: Roster
    document: AnyDocument
    appraisal: Appraisal
    history: list[Revision]
    editors: Sequence[Editor] = ()
    links: Sequence[EditLink] = ()
    play: PlayState | None = None


def pack_history(roster: Roster, versions: Iterable[tuple[dict[str, Any], bytes]]) -> list[Revision]:
    """The revisions of a new roster, from the columns and the JSON of each, oldest first."""
    columns: list[dict[str, Any]] = []

    def numbered() -> Iterator[tuple[int, bytes]]:
        for head, raw in versions:
            columns.append(head)
            yield head["number"], raw

    packed = [*revisions.pack_all(numbered())]
    return [Revision(roster=roster, base=p.base, packed=p.data, **c) for p, c in zip(packed, columns, strict=True)]


def unsaved_roster(document: AnyDocument) -> UnsavedRoster:
    """A document as a roster with its first revision, which `create_rosters` saves without appraising it."""
    now, document, summary = timezone.now(), edits.with_ids(document), _("Started")
    state, damage = compute_state(without_damage(document)), damage_in(document)
    roster = Roster(system=document.system, created=now, changed=now)
    fill_columns(roster, state.document, state.appraisal)
    raw = revisions.json_of(roster, revisions.write_json(state))
    note = {"number": 1, "at": now, "summary": summary, "summary_message": to_data(summary)}
    history = pack_history(roster, [({**note, "edition": state.appraisal.edition}, raw)])
    play = PlayState(roster=roster, damage=damage) if damage else None
    return UnsavedRoster(roster, state.document, state.appraisal, history, play=play)


def create_rosters(bundles: Iterable[UnsavedRoster]) -> None:
    """Save rosters with their histories, in a transaction and a few queries for each batch."""
    for batch in _batches(bundles):
        _insert_rosters(batch)
        pause_for_writers()


def _batches(bundles: Iterable[UnsavedRoster]) -> Iterator[list[UnsavedRoster]]:
    batch: list[UnsavedRoster] = []
    size = elements = 0
    for each in bundles:
        batch.append(each)
        size += sum(len(revision.packed) for revision in each.history)
        elements += sum(len(formation.elements) for formation in each.document.formations)
        if len(batch) >= BATCH_SIZE or size >= MAX_BATCH_BYTES or elements >= MAX_BATCH_ELEMENTS:
            yield batch
            batch, size, elements = [], 0, 0
    yield batch


@transaction.atomic
def assign(rosters: Sequence[Roster], browser: Browser) -> None:
    """Save owner, creator and bin of rosters that were created for a visitor, who may edit them from now on."""
    Roster.objects.bulk_update(rosters, ["owner", "creator", "binned"], batch_size=200)
    browser.rosters.add(*rosters)


def _insert_rosters(bundles: Sequence[UnsavedRoster]) -> None:
    """Insert rosters with all that belongs to them, a table at a time."""
    for roster, document, appraisal, history, *_rest in bundles:
        fill_columns(roster, document, appraisal)
        roster.revision = len(history)
    formations = [
        Formation(roster=each.roster, uid=str(formation.id), position=place * POSITION_STEP, **row_columns(formation))
        for each in bundles
        for place, formation in enumerate(each.document.formations, start=1)
    ]
    elements = [*_elements(bundles, formations)]
    with transaction.atomic():  # all above takes time, but not the lock
        create_with_times(Roster, [bundle.roster for bundle in bundles], "created")
        search.index_words((bundle.roster, bundle.document) for bundle in bundles)
        search.write_tags(bundle.roster for bundle in bundles)
        Formation.objects.bulk_create(formations)
        Element.objects.bulk_create(elements)
        Revision.objects.bulk_create([revision for bundle in bundles for revision in bundle.history])
        PlayState.objects.bulk_create(bundle.play for bundle in bundles if bundle.play)
        for model, rows in ((EditLink, "links"), (Editor, "editors")):
            for bundle in bundles:
                for row in getattr(bundle, rows):
                    row.roster = bundle.roster  # which has its key from now on
            model.objects.bulk_create(row for bundle in bundles for row in getattr(bundle, rows))


def _elements(bundles: Sequence[UnsavedRoster], formations: Sequence[Formation]) -> Iterator[Element]:
    """The rows of all elements. ``formations`` are the rows of all formations, in order."""
    rows = iter(formations)
    for roster, document, *_rest in bundles:
        position = 0
        for formation in document.formations:
            row = next(rows)
            for element in formation.elements:
                position += POSITION_STEP
                columns = row_columns(element)
                yield Element(roster=roster, formation=row, uid=str(element.id), position=position, **columns)


def create_with_times(model: type[Model], rows: Sequence[Any], *times: str) -> None:
    """Insert rows in bulk with their own ``times``, columns that Django would fill with the current time."""
    values = [{name: getattr(row, name) for name in times} for row in rows]
    model._default_manager.bulk_create(rows)
    for row, own in zip(rows, values, strict=True):
        vars(row).update(own)
    model._default_manager.bulk_update(rows, times, batch_size=500)
