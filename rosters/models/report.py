"""What is computed by simulated battles: fairness reports, and searches for forces."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from rosters.models.sharing import Browser, new_token


class ReportState(models.TextChoices):
    """Where a report is: in the queue, in progress, or ended in one of four ways."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("failed")
    REMOVED = "removed", _("removed")


class ReportKind(models.TextChoices):
    """What a report simulates."""

    FAIRNESS = "fairness", _("fairness report")
    SEARCH = "search", _("forces for a roster")
    PAIR = "pair", _("matched forces from a shelf")


class Report(models.Model):
    """Simulated battles: the question, the tallies so far, the result. A removed one has none of these any more, and
    can be computed again.

    A fairness report is of two locked rosters of a ``battle`` as everybody sees them. A search is of forces for roster
    ``a`` against ``b``, and a pair of forces from a ``shelf``. A worker that holds the ``lease`` works on it; when the
    lease has expired, another one goes on after the last tally.
    """

    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    kind = models.CharField(
        max_length=8, choices=ReportKind, default=ReportKind.FAIRNESS, db_default=ReportKind.FAIRNESS
    )
    battle = models.ForeignKey("rosters.Battle", on_delete=models.CASCADE, null=True, related_name="reports")
    shelf = models.ForeignKey("rosters.Shelf", on_delete=models.CASCADE, null=True, related_name="reports")
    a: models.ForeignKey[Any, Any] = models.ForeignKey(
        "rosters.Roster", on_delete=models.CASCADE, null=True, related_name="searches"
    )
    b: models.ForeignKey[Any, Any] = models.ForeignKey(
        "rosters.Roster", on_delete=models.CASCADE, null=True, related_name="+"
    )
    a_revision = models.PositiveIntegerField(null=True)
    b_revision = models.PositiveIntegerField(null=True)
    basis = models.CharField(max_length=64, db_index=True)
    """A hash of what the result depends on: the question, the seed, the edition. Equal bases have equal results."""
    question = models.JSONField()
    """Both documents, those of others as everybody saw them, and what was hidden of each; of a search also the designs
    and the forces that fight.
    """
    seed = models.PositiveIntegerField()
    edition = models.CharField(max_length=120)
    state = models.CharField(max_length=8, choices=ReportState.choices, default=ReportState.WAITING)
    tallies = models.JSONField(default=list)
    """One for each finished trial, in their order."""
    result: models.JSONField[Any, Any] = models.JSONField(default=dict)
    """The report as JSON data when it is done, and its errors when it has failed; empty until then."""
    stop = models.BooleanField(default=False)
    """Whether it was requested to stop."""
    lease = models.DateTimeField(null=True)
    """Until when a worker is expected to renew it."""
    created = models.DateTimeField(auto_now_add=True)
    """When it was requested, the last time if it was removed in between."""
    browser = models.ForeignKey(Browser, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    """The browser that requested it, which may stop it."""
    network = models.CharField(max_length=64, blank=True, default="", db_default="")
    """A hash of the network that requested it, while it is in the queue."""

    class Meta:
        ordering = ("-created", "-pk")
        indexes = [models.Index(fields=["state", "lease"], name="report_queue")]

    def __str__(self) -> str:
        return f"{self.a} against {self.b}"

    @property
    def system(self) -> str:
        """The slug of the game."""
        return str(self.question["a"]["system"])
