"""Rosters in play. Written by `rosters.store.play` alone."""

from django.db import models


class PlayState(models.Model):
    """The turn and the damage of a roster in play, outside its document, because a tap is no revision.

    ``turn`` is 0 before the first one. ``damage`` is a `core.play.Damage`; others see it if it is ``shown``.
    ``changes`` hold the previous values of the latest changes, turn or damage or both, for undo. ``requests`` are the
    ids of the latest requests, those for changes of the roster too: one that is repeated changes nothing. ``sessions``
    are, for the history, times of play: [first change, last change, number of changes].
    """

    roster = models.OneToOneField("rosters.Roster", on_delete=models.CASCADE, primary_key=True, related_name="play")
    turn = models.PositiveIntegerField(default=0)
    damage = models.JSONField(default=dict)
    shown = models.BooleanField(default=False)
    changes = models.JSONField(default=list)
    requests = models.JSONField(default=list)
    sessions = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.roster}, turn {self.turn}"
