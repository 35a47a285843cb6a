"""The reference lists as rows, for the admin only: the rules read the same files."""

from collections.abc import Iterator, Mapping

from django.db import transaction

from rosters.core.reference import reference_lists
from rosters.models import Capability, SuperPower, Trait
from rosters.models.reference import ReferenceRow
from rosters.registry import SYSTEMS

MODELS: Mapping[str, type[ReferenceRow]] = {"capabilities": Capability, "traits": Trait, "super_powers": SuperPower}
"""The model of each list, by its name in the file."""


def outdated_models() -> Iterator[tuple[type[ReferenceRow], list[ReferenceRow]]]:
    """Each model whose rows in the database differ from its file, and the rows of the file."""
    for system in SYSTEMS:
        for name, rows in reference_lists(system).items():
            model = MODELS[name]
            if [row.values() for row in model._default_manager.all()] != [*rows]:
                yield model, [model(**row) for row in rows]


def load_rows() -> None:
    """Replace the rows that differ from the files. Nothing refers to them by key."""
    with transaction.atomic():
        for model, rows in outdated_models():
            model._default_manager.all().delete()
            model._default_manager.bulk_create(rows)
