"""Fairness reports of battles."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from rosters.models.battle import Battle
from rosters.models.roster import Roster
from rosters.models.sharing import new_token


class ReportState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("failed")


class Report(models.Model):
    """Simulated battles of two locked rosters, as everybody sees them: the question, the tallies so far, the result.

    A worker that holds the ``lease`` works on it; when the lease has expired, another one goes on after the last tally.
    """

    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="reports")
    a = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="+")
    b = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="+")
    a_revision = models.PositiveIntegerField()
    b_revision = models.PositiveIntegerField()
    basis = models.CharField(max_length=64, db_index=True)
    """A hash of what the result depends on: both documents, the seed, the edition. Equal bases have equal results."""
    question = models.JSONField()
    """Both documents under the battle's terms, as everybody saw them, and what was hidden of each."""
    seed = models.PositiveIntegerField()
    edition = models.CharField(max_length=40)
    state = models.CharField(max_length=8, choices=ReportState.choices, default=ReportState.WAITING)
    tallies = models.JSONField(default=list)
    """One for each finished trial, in their order."""
    result: models.JSONField[Any, Any] = models.JSONField(default=dict)
    """The report as JSON data when it is done, and its errors when it has failed; empty until then."""
    stop = models.BooleanField(default=False)
    """Whether somebody asked for it to stop."""
    lease = models.DateTimeField(null=True)
    """Until when a worker is expected to renew it."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)
        indexes = [models.Index(fields=["state", "lease"], name="report_queue")]

    def __str__(self) -> str:
        return f"{self.a} against {self.b}"
