"""The reference rows of the database, as the values that the pure rules take."""

from functools import cache

from rosters import models
from rosters.core import reference as values
from rosters.core.reference import Reference


class ReferenceMissing(RuntimeError):
    """The database has no reference rows, so nothing can be priced."""


@cache
def reference() -> Reference:
    """All reference rows, read once a process: they change only with a release. `reference.cache_clear()` forgets."""
    if not models.Capability.objects.exists():
        raise ReferenceMissing("The reference rows are not loaded: run `python manage.py load` first.")
    capabilities = [values.Capability(**row.values()) for row in models.Capability.objects.all()]
    traits = [values.Trait(**row.values()) for row in models.Trait.objects.all()]
    powers = [values.SuperPower(**row.values()) for row in models.SuperPower.objects.all()]
    return Reference(
        {row.code: row for row in capabilities},
        {row.code: row for row in traits},
        {(row.power, row.tier): row for row in powers},
    )
