"""What an account holds, as one zip to take away: a file for each roster, with its whole history."""

import zipfile
from collections.abc import Iterator
from typing import IO, Any

from rosters import documents, revisions
from rosters.models import Battle, Roster, Visibility
from rosters.standing import exported, standing

README = """\
Everything that your Armybuilder account holds.

account.json      the account, its battles, and the names of its API tokens
rosters/*.json    one file for each roster: how it is kept, the document of today, and every revision, oldest first

Import takes the value under "document" (or the document of any revision) as a roster of its own.
"""


def write_zip(user: Any, file: IO[bytes]) -> None:
    """Write all that the account holds into an open file, the bin included."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _files(user):
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)


def _files(user: Any) -> Iterator[tuple[str, str]]:
    """Name and text of each file, one roster at a time."""
    yield "README.txt", README
    yield "account.json", documents.dumps(_account(user))
    for roster in user.rosters.order_by("pk").iterator(chunk_size=50):
        yield f"rosters/{roster.token}.json", documents.dumps(_roster(roster))


def _account(user: Any) -> dict[str, Any]:
    return {
        "email": user.email,
        "joined": user.date_joined.isoformat(),
        "last_sign_in": user.last_login and user.last_login.isoformat(),
        "battles": [_battle(battle) for battle in Battle.objects.filter(owner=user).order_by("pk")],
        "api_tokens": [
            {"name": token.name, "created": token.created.isoformat()} for token in user.api_tokens.order_by("pk")
        ],
    }


def _battle(battle: Battle) -> dict[str, Any]:
    """A battle with its rosters by address: those of others are not the account's to take away."""
    forces = battle.forces.values("roster__token", "revision", "side")
    return {
        "token": battle.token,
        "name": battle.name,
        "system": battle.system,
        "scenario": battle.scenario,
        "options": battle.options,
        "created": battle.created.isoformat(),
        "forces": [
            {"roster": force["roster__token"], "revision": force["revision"], "side": force["side"]} for force in forces
        ],
    }


def _roster(roster: Roster) -> dict[str, Any]:
    kept = ("token", "folder", "archived", "visibility", "hide_points", "hide_notes", "hide_secrets", "turn")
    return {
        **{name: getattr(roster, name) for name in kept},
        "visibility": Visibility(roster.visibility).value,
        "tags": roster.tags.split(", ") if roster.tags else [],
        "print_settings": roster.print_settings,
        "created": roster.created.isoformat(),
        "deleted": roster.binned and roster.binned.isoformat(),
        "document": exported(roster, standing(roster).document),
        "revisions": [*_revisions(roster)],
    }


def _revisions(roster: Roster) -> Iterator[dict[str, Any]]:
    for revision in roster.revisions.order_by("number").iterator(chunk_size=50):
        seen = revisions.unpack(revision)
        yield {
            "number": revision.number,
            "at": revision.at.isoformat(),
            "who": revision.who,
            "summary": revision.summary,
            "edition": revision.edition,
            "restores": revision.restores,
            "document": documents.write(seen.document),
            "appraisal": seen.appraisal,
        }
