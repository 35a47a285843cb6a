"""Queries for one row whose SQL is compiled once: Django compiles a query each time, which takes several times as long
as running it.
"""

from collections.abc import Callable
from functools import cache, wraps
from typing import TypeVar

from django.db.models import Model, QuerySet

ModelT = TypeVar("ModelT", bound=Model)
Key = str | int

_FIRST_NUMBER = 2_000_000_000
"""Placeholders of numbers count from here; those of texts are the same numbers as text."""


def compiled(build: Callable[..., QuerySet[ModelT]]) -> Callable[..., ModelT | None]:
    """A function that returns the first row of the query that ``build`` makes of keys, or None.

    ``build`` is called once, with placeholders: it compares each key with a column, and does nothing else with it.
    """

    @cache
    def compile_query(types: tuple[type[Key], ...]) -> tuple[type[ModelT], str, tuple[object, ...], dict[Key, int]]:
        placeholders = [kind(_FIRST_NUMBER + index) for index, kind in enumerate(types)]
        queryset = build(*placeholders)[:1]
        sql, parameters = queryset.query.sql_with_params()
        return queryset.model, sql, parameters, {key: index for index, key in enumerate(placeholders)}

    @wraps(build)
    def first(*keys: Key) -> ModelT | None:
        model, sql, parameters, places = compile_query(tuple(map(type, keys)))
        filled = [keys[places[each]] if each in places else each for each in parameters]
        return next(iter(model._default_manager.raw(sql, filled)), None)

    return first
