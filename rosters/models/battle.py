"""Battles: rosters of one game side by side."""

from django.conf import settings
from django.db import models

from rosters.models.sharing import Browser, new_token


class Battle(models.Model):
    """Rosters of one game side by side, under the battle's own ``options`` and ``scenario``, with its own link.

    ``browsers`` and ``owner`` may change it. Its ``owner``, or else its ``creator``, may also delete it.
    """

    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    browsers = models.ManyToManyField(Browser, related_name="battles", editable=False)
    creator = models.ForeignKey(Browser, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="battles", editable=False
    )
    system = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    scenario = models.CharField(max_length=60, null=True)
    options = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed", "-pk")

    def __str__(self) -> str:
        return self.name


class Force(models.Model):
    """A roster in a battle, locked at a revision."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="forces")
    roster = models.ForeignKey("rosters.Roster", on_delete=models.CASCADE, related_name="forces")
    position = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    side = models.CharField(max_length=60, null=True)
    locked = models.DateTimeField(null=True)
    """When its player locked the revision; None while somebody else selected it."""
    player = models.CharField(max_length=40, blank=True, default="", db_default="")
    """The name of its player, if somebody entered one."""

    class Meta:
        ordering = ("position",)
        constraints = [models.UniqueConstraint(fields=["battle", "roster"], name="roster_once_in_battle")]

    def __str__(self) -> str:
        return f"{self.roster} in {self.battle}"
