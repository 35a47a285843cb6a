"""Rosters with their formations, elements and revisions. Written by `rosters.store.writer` and `bulk` alone."""

from collections.abc import Iterable
from contextlib import suppress

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from rosters.core.messages import from_data
from rosters.models.sharing import Browser, new_token


class Visibility(models.TextChoices):
    """Who may read a roster, besides its editors."""

    LINK = "link", "Anyone with the link"
    LISTED = "listed", "Anyone, and it is listed in the gallery"
    CLOSED = "closed", "Nobody else"


HIDE_FIELDS = ("hide_points", "hide_notes", "hide_secrets")
"""The fields that hide parts of a roster from others."""

MAX_FOLDER, MAX_TAGS = 60, 300
"""Characters of a folder's name, and of all tags of a roster together."""
MAX_ODDS_COLUMN = 1000


def split_tags(text: str) -> list[str]:
    """The tags of a roster's text."""
    return text.split(", ") if text else []


def join_tags(tags: Iterable[str]) -> str:
    """The text of tags: each once, in lower case and with single spaces."""
    return ", ".join(dict.fromkeys(filter(None, (" ".join(tag.split()).lower() for tag in tags))))


class RosterManager(models.Manager["Roster"]):
    """Defers the document in every query: it may have a megabyte, and lists do not show it."""

    def get_queryset(self) -> models.QuerySet["Roster"]:
        return super().get_queryset().defer("document")


class Roster(models.Model):
    """What a player brings to a game.

    ``document`` is its current document, JSON text as `core.documents` writes it: text, because PostgreSQL's jsonb
    would reorder its keys. ``name``, ``budget``, ``notes`` and ``crest``, the formations and the elements repeat it,
    for lists, searches, the admin and reports; fields that none of these needs have no column. ``points``, ``legal``,
    ``errors`` (None if it was last saved before they were counted, 0 if it only lacks something) and ``quantity``
    summarize its last appraisal.

    ``revision`` is the number of its latest revision; turn and damage are in `PlayState`. ``owner`` is an account,
    ``creator`` the browser that created it; `Editor` and `EditLink` have everybody else who may edit it. ``edit_hash``
    is the hash of the secret of its owner link, and ``owner_secret`` the secret, encrypted, or "" if it is from before
    it was stored. ``claimed_by_link`` is the time at which its account became the owner in another browser than the one
    that started it, which can take that back. ``binned`` is the time at which it was moved to the bin. ``tags`` are
    separated by ", ", unique and in lower case. ``odds_column`` is the query of the odds that the builder shows in a
    column, "" without one. ``folded_name`` is the name without accents in lower case, by which My
    rosters searches and sorts.
    """

    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    edit_hash = models.CharField(max_length=64, blank=True, editable=False)
    owner_secret = models.CharField(max_length=200, blank=True, editable=False)
    sample = models.CharField(max_length=120, unique=True, null=True, editable=False)
    browsers = models.ManyToManyField(Browser, through="Editor", related_name="rosters", editable=False)
    creator = models.ForeignKey(Browser, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="rosters", editable=False
    )
    claimed_by_link = models.DateTimeField(null=True, editable=False)
    binned = models.DateTimeField(null=True, editable=False)
    folder = models.CharField(max_length=MAX_FOLDER, blank=True)
    tags = models.CharField(max_length=MAX_TAGS, blank=True)
    archived = models.BooleanField(default=False)

    system = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    folded_name = models.TextField(default="", editable=False)
    budget = models.FloatField(null=True)
    notes = models.TextField(blank=True)
    crest = models.CharField(max_length=8, null=True, editable=False)
    document = models.TextField(editable=False)

    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.LINK)
    hide_points = models.BooleanField(default=False)
    hide_notes = models.BooleanField(default=False)
    hide_secrets = models.BooleanField(default=True)
    print_settings = models.JSONField(default=dict)
    odds_column = models.CharField(max_length=MAX_ODDS_COLUMN, blank=True, default="")

    revision = models.PositiveIntegerField(default=0)
    points = models.FloatField(null=True)
    legal = models.BooleanField(default=False)
    errors = models.PositiveIntegerField(null=True, editable=False)
    quantity = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField()

    objects = RosterManager()

    class Meta:
        ordering = ("-changed", "-pk")
        indexes = [
            models.Index(fields=["system", "name"], condition=models.Q(sample__isnull=False), name="sample_by_game"),
            # With the points at the end, a range of them is compared without reading the rosters.
            models.Index(fields=["visibility", "-changed", "points"], name="roster_by_visibility"),
            models.Index(fields=["visibility", "system", "-changed", "points"], name="roster_by_visibility_and_game"),
            models.Index(fields=["owner", "-changed"], name="roster_by_owner"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def tag_list(self) -> list[str]:
        return split_tags(self.tags)


class Formation(models.Model):
    """A group in a roster: a row that repeats its document, where ``uid`` is its id."""

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="formations")
    uid = models.CharField(max_length=36)
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    notes = models.TextField(blank=True)

    class Meta:
        ordering = ("position",)
        constraints = [models.UniqueConstraint(fields=["roster", "uid"], name="formation_uid_in_roster")]

    def __str__(self) -> str:
        return self.name


class Element(models.Model):
    """One line of a formation: a row that repeats the document, where ``uid`` is its id."""

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="elements")
    formation = models.ForeignKey(Formation, on_delete=models.CASCADE, related_name="elements")
    uid = models.CharField(max_length=36)
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    quantity = models.PositiveIntegerField(default=1)
    notes = models.TextField(blank=True)
    secret = models.BooleanField(default=False)
    profile = models.JSONField(default=dict)

    class Meta:
        ordering = ("position",)
        constraints = [models.UniqueConstraint(fields=["roster", "uid"], name="element_uid_in_roster")]

    def __str__(self) -> str:
        return self.name


class Actor(models.TextChoices):
    """Who made a change."""

    OWNER = "owner", gettext_lazy("the owner")
    EDITOR = "editor", gettext_lazy("an editor by link")
    SITE = "site", gettext_lazy("the site")


class Revision(models.Model):
    """An immutable document of a roster with its appraisal by the rules' edition of that time.

    ``packed`` is compressed JSON {"document": ..., "appraisal": ...}; ``base`` is the number of the revision that is
    the dictionary of the compression. ``link_name`` is the name of the edit link by which ``who`` came; it remains when
    the link has ended. ``restores`` is the revision whose document an undo or redo restored.
    ``summary_message`` is `to_data` of the summary, None for plain text.
    """

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    summary = models.CharField(max_length=300)
    summary_message = models.JSONField(null=True, editable=False)
    edition = models.CharField(max_length=120)
    restores = models.PositiveIntegerField(null=True)
    who = models.CharField(max_length=10, choices=Actor.choices, default=Actor.OWNER)
    link_name = models.CharField(max_length=60, null=True)
    base = models.PositiveIntegerField(null=True)
    packed = models.BinaryField()

    class Meta:
        ordering = ("-number",)
        constraints = [models.UniqueConstraint(fields=["roster", "number"], name="revision_number_in_roster")]

    def __str__(self) -> str:
        return f"{self.number}: {self.summary}"

    @property
    def message(self) -> str:
        """The summary as a message, which can be translated; the plain text of an old revision."""
        with suppress(ValueError, TypeError, IndexError):  # an imported history may hold anything
            message = from_data(self.summary_message, len(self.summary))
            if message == self.summary:
                return message
        return self.summary
