"""The tables of the database.

Migrations 0001 and 0002 import `rosters.models.new_token`, so it must stay importable from here; migrations import
nothing else of this project.
"""

from rosters.models.battle import Battle, Force
from rosters.models.play import PlayState
from rosters.models.reference import Capability, ReferenceRow, SuperPower, Trait
from rosters.models.report import Report, ReportKind, ReportState
from rosters.models.roster import (
    HIDE_FIELDS,
    MAX_FOLDER,
    MAX_TAGS,
    Actor,
    Element,
    Formation,
    Revision,
    Roster,
    Visibility,
    join_tags,
    split_tags,
)
from rosters.models.search import GalleryWord, RosterTag
from rosters.models.sharing import (
    ApiToken,
    Browser,
    EditLink,
    Editor,
    PrintDefault,
    TokenScope,
    hashed,
    new_secret,
    new_token,
)
from rosters.models.shelf import Shelf, ShelfEntry

__all__ = [
    "HIDE_FIELDS",
    "MAX_FOLDER",
    "MAX_TAGS",
    "Actor",
    "ApiToken",
    "Battle",
    "Browser",
    "Capability",
    "EditLink",
    "Editor",
    "Element",
    "Force",
    "Formation",
    "GalleryWord",
    "PlayState",
    "PrintDefault",
    "ReferenceRow",
    "Report",
    "ReportKind",
    "ReportState",
    "Revision",
    "Roster",
    "RosterTag",
    "Shelf",
    "ShelfEntry",
    "SuperPower",
    "TokenScope",
    "Trait",
    "Visibility",
    "hashed",
    "join_tags",
    "new_secret",
    "new_token",
    "split_tags",
]
