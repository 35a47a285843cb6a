"""The print options with which the rosters of an account, or of a browser without one, begin."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from rosters.models import Browser, PrintDefault
from rosters.store.access import Visitor
from rosters.store.compiled import compiled

GAME_OPTIONS = ("sheets", "choices")
"""The options that are saved for each game; all others are common."""


def print_default(visitor: Visitor, system: str) -> dict[str, Any]:
    """The options that the account, or else the browser, has saved as its default; {} for none."""
    row = _print_default(visitor.account or 0, visitor.browser)
    return {**row.settings["options"], **row.settings["games"].get(system, {})} if row else {}


@compiled
def _print_default(account: int, browser: str) -> QuerySet[PrintDefault]:
    rows = PrintDefault.objects.filter(Q(user_id=account) | Q(browser__key_hash=browser))
    return rows.order_by(F("user").asc(nulls_last=True))


@transaction.atomic
def save_print_default(owner: Any, system: str, options: Mapping[str, Any]) -> None:
    """Save options as the default of an account, or of a browser."""
    key = {"browser" if isinstance(owner, Browser) else "user": owner}
    row, _created = PrintDefault.objects.select_for_update().get_or_create(**key)
    games = row.settings.get("games", {}) | {system: {name: options[name] for name in GAME_OPTIONS}}
    common = {name: value for name, value in options.items() if name not in GAME_OPTIONS}
    row.settings = {"options": common, "games": games}
    row.save()
