"""The bases of everything that a roster document holds: frozen values and strictly typed fields.

PURE: the standard library and pydantic only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

T = TypeVar("T")

LIMIT = 1_000_000
"""The largest integer, either way, that a document may hold."""

NO_NUL = r"^[^\x00]*$"


def _number(value: Any) -> int | float:
    if type(value) is int:
        return value
    if type(value) is not float or not math.isfinite(value):
        raise PydanticCustomError("number", "must be a finite number")
    return int(value) if value.is_integer() else value


Whole = Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
Count = Annotated[int, Field(ge=0, le=10_000)]
Loss = Annotated[int, Field(ge=0, le=LIMIT)]

Number = Annotated[
    int | float,
    Field(ge=-LIMIT, le=LIMIT),
    BeforeValidator(_number),
    WithJsonSchema({"type": "number", "minimum": -LIMIT, "maximum": LIMIT}),
]
"""A number that may have decimals; whole ones are kept as integers. Calculate with `to_amount`."""

Code = Annotated[str, Field(max_length=60, pattern=NO_NUL)]
Name = Annotated[str, Field(max_length=120, pattern=NO_NUL)]
Notes = Annotated[str, Field(max_length=10_000, pattern=NO_NUL)]
Identifier = Annotated[str, Field(min_length=1, max_length=36, pattern=NO_NUL)]

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in JSON, an immutable tuple in Python; its items stay strictly typed."""


class Frozen(BaseModel):
    """A value: immutable, strictly typed, and refusing keys it does not know."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Profile(Frozen):
    """The stats of an element as the rules see them; each system has its own subclass."""


class Options(Frozen):
    """The house rules of a roster; each field's title and description explain the switch."""


class Mark(Frozen):
    """What play has taken from one model; each system has its own subclass."""


def reject_keys(data: Any, surplus: Mapping[str, str], handler: Callable[[Any], T]) -> T:
    """Validate ``data`` with ``handler``, and fault each key in ``surplus`` for the reason given there.

    For wrap validators whose keys depend on another key: all faults come back at once.
    Raises pydantic's ValidationError.
    """
    faults = [
        InitErrorDetails(type=PydanticCustomError("surplus_key", "{why}", {"why": why}), loc=(key,), input=data[key])
        for key, why in surplus.items()
    ]
    try:
        value = handler(data)
    except ValidationError as error:
        faults += [_as_custom(fault) for fault in error.errors(include_url=False)]
    if faults:
        raise ValidationError.from_exception_data("refused", faults)
    return value


def _as_custom(fault: Any) -> InitErrorDetails:
    kind = PydanticCustomError(fault["type"], "{why}", {"why": fault["msg"], **fault.get("ctx", {})})
    return InitErrorDetails(type=kind, loc=fault["loc"], input=fault["input"])
