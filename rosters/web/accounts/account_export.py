"""The export of an account as one zip: its rosters, and a file about the account itself."""

from typing import IO, Any

from rosters.models import Battle, PrintDefault, Roster, Shelf
from rosters.store import bundle
from rosters.store.access import Visitor
from rosters.web.battles.service import title_of


def write_zip(user: Any, file: IO[bytes]) -> None:
    """Write the account's rosters, the bin included, its shelf and its data into an open file."""
    keys = user.rosters.order_by("pk").values_list("pk", flat=True)
    own_shelf = Shelf.objects.filter(owner=user).first()
    bundle.write_player_zip(dict.fromkeys(keys, True), file, _account(user), own_shelf)


def _account(user: Any) -> dict[str, Any]:
    return {
        "email": user.email,
        "joined": user.date_joined.isoformat(),
        "last_sign_in": user.last_login and user.last_login.isoformat(),
        "battles": [_battle(battle, Visitor(user.pk)) for battle in Battle.objects.filter(owner=user).order_by("pk")],
        "print_default": PrintDefault.objects.filter(user=user).values_list("settings", flat=True).first(),
        "second_factors": [factor.type for factor in user.authenticator_set.order_by("pk")],
        "api_tokens": [
            {
                "name": token.name,
                "scope": token.scope,
                "created": token.created.isoformat(),
                "expires": token.expires and token.expires.isoformat(),
            }
            for token in user.api_tokens.order_by("pk")
        ],
    }


def _battle(battle: Battle, visitor: Visitor) -> dict[str, Any]:
    """A battle with the tokens of its rosters, whose documents may be those of other people."""
    forces = battle.forces.values_list("roster__token", "revision", "side")
    return {
        "token": battle.token,
        "name": title_of(battle, Roster.objects.filter(forces__battle=battle), visitor),
        "system": battle.system,
        "scenario": battle.scenario,
        "options": battle.options,
        "created": battle.created.isoformat(),
        "forces": [{"roster": token, "revision": revision, "side": side} for token, revision, side in forces],
    }
