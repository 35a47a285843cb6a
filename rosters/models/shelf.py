"""The shelf: what a player owns, of any game."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from rosters.models.sharing import Browser, new_token


class Shelf(models.Model):
    """The models that a player owns. Nobody else sees it.

    It belongs to an account (``owner``, which has one shelf at most), to the browser that created it, to ``browsers``
    that have changed it by its owner link, and to those that have opened that link. ``edit_hash`` and ``owner_secret``
    are those of the link, as of a roster's. ``request`` is the key of the latest line that was added: sent again,
    because its response was lost, it adds nothing.
    """

    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    edit_hash = models.CharField(max_length=64, unique=True, editable=False)
    owner_secret = models.CharField(max_length=200, blank=True, editable=False)
    browsers = models.ManyToManyField(Browser, related_name="shelves", editable=False)
    creator = models.ForeignKey(Browser, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="shelf", editable=False
    )
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    request = models.CharField(max_length=16, null=True, editable=False)

    class Meta:
        verbose_name_plural = "shelves"
        ordering = ("-changed", "-pk")

    def __str__(self) -> str:
        return f"shelf {self.pk}"


class ShelfEntry(models.Model):
    """Models of one kind on a shelf: the name and the profile of an element, and how many are owned, built, painted.

    ``key`` is the hash by which `rosters.store.shelf` recognizes the same element in a roster.
    """

    shelf = models.ForeignKey(Shelf, on_delete=models.CASCADE, related_name="entries")
    system = models.CharField(max_length=20)
    key = models.CharField(max_length=64)
    name = models.CharField(max_length=120)
    profile = models.JSONField(default=dict)
    quantity = models.PositiveIntegerField()
    built = models.PositiveIntegerField(default=0)
    painted = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "shelf entries"
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=["shelf", "key"], name="shelf_entry_key"),
            models.CheckConstraint(
                condition=Q(painted__lte=F("built")) & Q(built__lte=F("quantity")), name="painted_built_quantity"
            ),
        ]

    def __str__(self) -> str:
        return self.name
