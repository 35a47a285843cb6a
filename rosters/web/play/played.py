"""What the play page shows: a roster as it is, or a side of a battle at the version that its player has locked."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from rosters.core.appraisals import RosterState
from rosters.core.documents import AnyDocument
from rosters.models import Battle, PlayState
from rosters.registry import System
from rosters.store import play
from rosters.web.battles import service as battles
from rosters.web.battles.sides import Side, sides_of
from rosters.web.context import RosterContext
from rosters.web.play.forms import ShownForm


@dataclass(frozen=True)
class Played:
    """A request for the play page of a roster.

    A link from a battle names it: its locked version is played, and the other sides are shown without being changed.
    """

    ctx: RosterContext

    @cached_property
    def query(self) -> dict[str, Any]:
        """What the page shall show."""
        request = self.ctx.request
        sent: QueryDict = request.POST if request.method == "POST" else request.GET
        form = ShownForm(sent)
        form.is_valid()
        return form.cleaned_data

    @property
    def start(self) -> int:
        """The number of the first model that the page shows."""
        return self.query.get("start") or 0

    @property
    def address(self) -> str:
        """The query of the page's URL without the first model, "" or with an & at its end."""
        named = {key: self.query[key] for key in ("battle", "side") if self.query.get(key)}
        return f"{urlencode(named)}&" if named else ""

    @cached_property
    def battle(self) -> Battle | None:
        """The battle that the link names, else the visitor's with this roster that was changed last."""
        token = self.query.get("battle")
        if token:
            return battles.battle_with(token, self.ctx.roster.pk)
        return battles.latest_battle_with(self.ctx.visitor, self.ctx.roster)

    @cached_property
    def sides(self) -> list[Side]:
        return [*sides_of(self.ctx.request, self.battle)] if self.battle else []

    @cached_property
    def own(self) -> Side | None:
        """The roster's own side."""
        return next((side for side in self.sides if side.roster == self.ctx.roster), None)

    @cached_property
    def other(self) -> Side | None:
        """The side of another player that is shown."""
        number = self.query.get("side")
        return number and next((side for side in self.sides if side.number == number and not side.editable), None)

    @property
    def is_locked(self) -> bool:
        """Whether the locked version of the roster is played."""
        return bool(self.query.get("battle") and self.own and self.own.force.locked)

    @property
    def system(self) -> System:
        return self.ctx.system

    @property
    def own_state(self) -> RosterState:
        """The roster, whose damage is set."""
        return self.own.state if self.own and self.is_locked else self.ctx.state

    @property
    def state(self) -> RosterState:
        """What is shown, without damage."""
        return self.other.state if self.other else self.own_state

    @property
    def document(self) -> AnyDocument:
        return self.state.document

    @cached_property
    def play(self) -> PlayState:
        """The turn of the roster, and what can be undone."""
        return play.play_of(self.ctx.roster)

    @property
    def damage(self) -> dict[str, Any]:
        """The damage of what is shown, none where its player does not show it."""
        shown = self.play if not self.other else self.other.play if self.other.is_known else PlayState()
        return dict(shown.damage)

    @property
    def version(self) -> str:
        """An ETag of the page, which has the losses of all sides."""
        return "".join((play.version_of(self.ctx.roster, self.play), *(side.version for side in self.sides)))

    def share_turn(self) -> None:
        """Set the turn of all sides that their players have locked: both players see one."""
        if self.own and self.own.force.locked:
            others = (side.roster for side in self.sides if side != self.own and side.force.locked)
            play.copy_turn(self.ctx.roster, others)
