"""The rulebooks' reference lists as rows, for the admin."""

from typing import Any

from django.db import models


class ReferenceRow(models.Model):
    """What the rows of all lists have in common. Loaded from fixtures, read-only in the admin."""

    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    text = models.TextField()

    class Meta:
        abstract = True
        ordering = ("number",)

    def __str__(self) -> str:
        return self.name

    def values(self) -> dict[str, Any]:
        """The row's fields by name, as the file of its list holds them."""
        fields = (field.name for field in self._meta.concrete_fields if field.name != "id")
        return {name: getattr(self, name) for name in fields}


class Capability(ReferenceRow):
    """A Mini Combat capability; ``code`` is the rulebook's abbreviation, ``percent`` its whole percentage."""

    code = models.CharField(max_length=60, primary_key=True)
    percent = models.SmallIntegerField()
    purpose = models.CharField(max_length=60)

    class Meta(ReferenceRow.Meta):
        verbose_name_plural = "capabilities"


class Trait(ReferenceRow):
    """A VSGMR trait, two points each."""

    code = models.CharField(max_length=60, primary_key=True)
    abbreviation = models.CharField(max_length=8)


class SuperPower(ReferenceRow):
    """A VSGMR super power at one tier."""

    power = models.CharField(max_length=60)
    tier = models.CharField(max_length=60)
    abbreviation = models.CharField(max_length=8)
    die = models.PositiveSmallIntegerField()
    points = models.PositiveSmallIntegerField()

    class Meta(ReferenceRow.Meta):
        constraints = [models.UniqueConstraint(fields=["power", "tier"], name="one_row_a_power_and_tier")]
