"""The only writer of rosters: one transaction, one appraisal and one revision for each change."""

import zlib
from collections.abc import Mapping
from json import loads
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from rosters import appraisals, documents, edits, registry
from rosters.appraisals import Appraisal
from rosters.documents import AnyDocument
from rosters.models import Browser, Element, Formation, Revision, Roster, hashed, new_secret
from rosters.reference import reference

STEP = 16
"""Room between new neighbours' positions, so that a later insertion moves few rows."""
FAR = 10.0**15
"""The summary's points stop here: it lists and sorts; the appraisal holds the exact number."""


# ---------------------------------------------------------------- reading


def document_of(roster: Roster) -> AnyDocument:
    """The roster as a document, ids included. Two queries, whatever its size."""
    groups: dict[int, list[dict[str, Any]]] = {}
    formations = []
    for pk, uid, name, notes in roster.formations.order_by("position").values_list("pk", "uid", "name", "notes"):
        groups[pk] = []
        formations.append({"id": uid, "name": name, "notes": notes, "elements": groups[pk]})
    columns = ("formation_id", "uid", "name", "quantity", "notes", "secret", "marks", "profile")
    for pk, uid, name, quantity, notes, secret, marks, profile in roster.elements.order_by("position").values_list(
        *columns
    ):
        line = {"id": uid, "name": name, "quantity": quantity, "notes": notes, "secret": secret, "marks": marks}
        groups[pk].append({**line, **profile})
    return _document(roster, formations)


def _document(roster: Roster, formations: list[dict[str, Any]]) -> AnyDocument:
    return registry.SYSTEMS[roster.system].document.model_validate(
        {
            "format": documents.FORMAT,
            "version": documents.VERSION,
            "system": roster.system,
            "name": roster.name,
            "budget": roster.budget,
            "scenario": roster.scenario,
            "side": roster.side,
            "options": roster.options,
            "notes": roster.notes,
            "formations": formations,
        }
    )


def exported(roster: Roster, document: AnyDocument) -> dict[str, Any]:
    """The document as it leaves the house, with the time of the roster's last change."""
    return documents.write(edits.changed(document, changed=roster.changed.isoformat()))


# ---------------------------------------------------------------- writing


class Created(NamedTuple):
    """A new roster, and the secret of its edit link, which is not kept anywhere."""

    roster: Roster
    secret: str


@transaction.atomic
def create(document: AnyDocument, *, browser: Browser | None = None, sample: str | None = None) -> Created:
    """Save a new roster with its first revision. ``browser`` may edit it; a ``sample`` belongs to nobody."""
    secret = "" if sample else new_secret()
    roster = Roster(system=document.system, sample=sample, edit_hash=secret and hashed(secret))
    document = edits.with_ids(document)
    _save(roster, document, "Started")
    if browser:
        roster.browsers.add(browser)
    return Created(roster, secret)


@transaction.atomic
def change(roster: Roster, edit: edits.Edit, summary: str) -> bool:
    """Apply ``edit`` to the roster as it stands now, under a lock. True when it changed anything.

    Raises edits.Gone or edits.TooMany; then nothing is written.
    """
    roster = Roster.objects.select_for_update().get(pk=roster.pk)
    old = document_of(roster)
    new = edits.with_ids(edit(old))
    if new == old:
        return False
    _save(roster, new, summary)
    return True


@transaction.atomic
def undo(roster: Roster) -> str | None:
    """Bring back the document before the last change that is not undone yet; the summary of what was undone."""
    roster = Roster.objects.select_for_update().get(pk=roster.pk)
    undone = last_undoable(roster)
    if undone is None:
        return None
    before = unpack(roster.revisions.get(number=undone.number - 1)).document
    _save(roster, before, f"Undid: {undone.summary}", restores=undone.number - 1)
    return undone.summary


def last_undoable(roster: Roster) -> Revision | None:
    """The revision that undo would take back: the one whose document stands now. None at the very first."""
    revisions = roster.revisions.defer("packed")
    standing = revisions.first()
    while standing and standing.restores is not None:
        standing = revisions.get(number=standing.restores)
    return standing if standing and standing.number > 1 else None


def replace_edit_link(roster: Roster) -> str:
    """A new secret for the edit link; the old link opens nothing from now on."""
    secret = new_secret()
    Roster.objects.filter(pk=roster.pk).update(edit_hash=hashed(secret))
    return secret


def let_edit(roster: Roster, browser: Browser) -> None:
    """From now on this browser may edit the roster."""
    roster.browsers.add(browser)


@transaction.atomic
def load_sample(slug: str, document: AnyDocument) -> bool:
    """Create the sample army ``slug``, or bring it up to date. True when anything was written."""
    roster = Roster.objects.filter(sample=slug).first()
    if roster is None:
        create(document, sample=slug)
        return True
    if _without_ids(document_of(roster)) == _without_ids(document):
        return False
    return change(roster, edits.replace_with(document), "Brought up to date")


def _without_ids(document: AnyDocument) -> dict[str, Any]:
    data = documents.write(document)
    for formation in data["formations"]:
        formation.pop("id", None)
        for element in formation["elements"]:
            element.pop("id", None)
    return data


# ---------------------------------------------------------------- one save


def _save(roster: Roster, new: AnyDocument, summary: str, restores: int | None = None) -> None:
    appraisal = registry.appraise(new, reference())
    _write_roster(roster, new, appraisal)
    _sync(roster, new)
    last = roster.revisions.values_list("number", flat=True).first()
    Revision.objects.create(
        roster=roster,
        number=(last or 0) + 1,
        at=roster.changed,
        summary=summary[:300],
        edition=appraisal.edition,
        restores=restores,
        packed=_pack(new, appraisal),
    )


def _write_roster(roster: Roster, document: AnyDocument, appraisal: Appraisal) -> None:
    head = documents.write(edits.changed(document, formations=()))
    for field in ("name", "budget", "scenario", "side", "options", "notes"):
        setattr(roster, field, head[field])
    roster.points = None if appraisal.points is None else float(min(max(appraisal.points, -FAR), FAR))
    roster.legal, roster.quantity = appraisal.legal, appraisal.quantity
    roster.changed = timezone.now()
    roster.save()


def _sync(roster: Roster, new: AnyDocument) -> None:
    """Make the rows say what ``new`` says, touching only those that differ."""
    formations = {str(f.id): {"name": f.name, "notes": f.notes} for f in new.formations}
    gone = _put_rows(Formation, roster, formations)
    keys = dict(roster.formations.values_list("uid", "pk"))
    elements = {str(e.id): _columns(e, keys[str(f.id)]) for f in new.formations for e in f.elements}
    Element.objects.filter(pk__in=_put_rows(Element, roster, elements)).delete()
    Formation.objects.filter(pk__in=gone).delete()


def _columns(element: documents.Element, formation: int) -> dict[str, Any]:
    data = documents.write_element(element)
    return {
        "formation_id": formation,
        "name": element.name,
        "quantity": element.quantity,
        "notes": element.notes,
        "secret": element.secret,
        "marks": data.get("marks", []),
        "profile": documents.profile_of(element),
    }


def _put_rows(
    model: type[Formation] | type[Element], roster: Roster, wanted: Mapping[str, dict[str, Any]]
) -> list[int]:
    """Create and update rows by uid, in the order of ``wanted``; the keys of rows that are not wanted (any more)."""
    rows: dict[str, dict[str, Any]] = {row["uid"]: dict(row) for row in model.objects.filter(roster=roster).values()}
    end = max((row["position"] for row in rows.values()), default=0)
    fresh, last = [], 0
    for uid, columns in wanted.items():
        row = rows.pop(uid, None)
        if row is None:
            last += 1 if last < end else STEP
            fresh.append(model(roster=roster, uid=uid, position=last, **columns))
            continue
        last = max(row["position"], last + 1)
        new = {**columns, "position": last}
        if any(row[name] != value for name, value in new.items()):
            model.objects.filter(pk=row["id"]).update(**new)
    model.objects.bulk_create(fresh)  # type: ignore[arg-type]
    return [row["id"] for row in rows.values()]


# ---------------------------------------------------------------- revisions


class Seen(NamedTuple):
    """What a revision holds: the document, and the appraisal of its day as JSON data."""

    document: AnyDocument
    appraisal: dict[str, Any]


def _pack(document: AnyDocument, appraisal: Appraisal) -> bytes:
    seen = {"document": documents.write(document), "appraisal": appraisals.to_json(appraisal)}
    return zlib.compress(documents.dumps(seen).encode(), 3)


def unpack(revision: Revision) -> Seen:
    """The document and the appraisal that a revision keeps."""
    seen = loads(zlib.decompress(revision.packed))
    return Seen(registry.read(seen["document"]), seen["appraisal"])
