"""The print options with which the rosters of an account, or of a browser without one, begin."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from rosters.models import Browser, PrintDefault
from rosters.store.access import Visitor

OF_A_GAME = ("sheets", "choices")
"""The options that are saved for each game; all others are common."""


def print_default(visitor: Visitor, system: str) -> dict[str, Any]:
    """The options that the account, or else the browser, has saved as its default; {} for none."""
    own = Q(user_id=visitor.account) if visitor.account else Q(pk=None)
    found = PrintDefault.objects.filter(own | Q(browser__key_hash=visitor.browser))
    saved = found.order_by(F("user").asc(nulls_last=True)).values_list("settings", flat=True).first()
    return {**saved["options"], **saved["games"].get(system, {})} if saved else {}


@transaction.atomic
def save_print_default(owner: Any, system: str, options: Mapping[str, Any]) -> None:
    """Save options as the default of an account, or of a browser."""
    key = {"browser" if isinstance(owner, Browser) else "user": owner}
    row, _created = PrintDefault.objects.select_for_update().get_or_create(**key)
    games = row.settings.get("games", {}) | {system: {name: options[name] for name in OF_A_GAME}}
    common = {name: value for name, value in options.items() if name not in OF_A_GAME}
    row.settings = {"options": common, "games": games}
    row.save()
