"""Base classes and field types of the roster document: frozen, strictly typed pydantic values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

from rosters.core.messages import Message, _

T = TypeVar("T")

MAX_INTEGER = 1_000_000
"""The largest absolute value of an integer in a document."""

NO_NUL = r"^[^\x00]*$"


def value_error(message: Message) -> PydanticCustomError:
    """A validation error whose text stays a Message in its context, so that it can be translated."""
    return PydanticCustomError("message", "{message}", {"message": message})


def _number(value: Any) -> int | float:
    if type(value) is int:
        return value
    if type(value) is not float or not math.isfinite(value):
        raise value_error(_("must be a finite number"))
    return int(value) if value.is_integer() else value


Integer = Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
Count = Annotated[int, Field(ge=0, le=10_000)]
Loss = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
PositiveInteger = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""The range of Django's PositiveIntegerField."""

Number = Annotated[
    int | float,
    Field(ge=-MAX_INTEGER, le=MAX_INTEGER),
    BeforeValidator(_number),
    WithJsonSchema({"type": "number", "minimum": -MAX_INTEGER, "maximum": MAX_INTEGER}),
]
"""A number that may have decimals; one without a fraction becomes an integer. Calculate with `to_amount`."""

MAX_CODE, MAX_ID = 60, 36
Code = Annotated[str, Field(max_length=MAX_CODE, pattern=NO_NUL)]
Name = Annotated[str, Field(max_length=120, pattern=NO_NUL)]
Notes = Annotated[str, Field(max_length=10_000, pattern=NO_NUL)]
Identifier = Annotated[str, Field(min_length=1, max_length=MAX_ID, pattern=NO_NUL)]

CREST = "[0-9a-f]{8}"


def _crest(text: str) -> str:
    if not re.fullmatch(CREST, text):
        raise value_error(_("must be 8 hexadecimal digits, such as 0c5e21aa"))
    return text


Crest = Annotated[
    str,
    AfterValidator(_crest),
    Field(
        description="Decides the crest; without one, system and name do.",
        json_schema_extra={"pattern": f"^{CREST}$", "maxLength": 8},
    ),
]

JsonList = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in JSON, a tuple in Python; its items are strictly typed."""


class FrozenModel(BaseModel):
    """An immutable, strictly typed value that rejects unknown keys."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy without cached properties, which pydantic would copy too, although they are of other values."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy

    def replace(self, **fields: Any) -> Self:
        """A copy with some fields replaced. The new values are not validated again."""
        return self.model_copy(update=fields)


class Profile(FrozenModel):
    """The stats of an element that the rules read; each system has a subclass."""


class Options(FrozenModel):
    """The house rules of a roster; each field's title and description explain the switch."""


class Mark(FrozenModel):
    """The damage of one model in play; each system has a subclass."""


def reject_keys(data: Any, surplus: Mapping[str, Message], handler: Callable[[Any], T]) -> T:
    """Validate ``data`` with ``handler`` and report each key of ``surplus`` with the reason given there.

    For wrap validators whose keys depend on another key: all errors are reported at once.
    Raises pydantic's ValidationError.
    """
    faults = [
        InitErrorDetails(type=value_error(reason), loc=(key,), input=data[key]) for key, reason in surplus.items()
    ]
    try:
        value = handler(data)
    except ValidationError as error:
        faults += [_as_custom(fault) for fault in error.errors(include_url=False)]
    if faults:
        raise ValidationError.from_exception_data("refused", faults)
    return value


def _as_custom(fault: Any) -> InitErrorDetails:
    kind = PydanticCustomError(fault["type"], "{reason}", {"reason": fault["msg"], **fault.get("ctx", {})})
    return InitErrorDetails(type=kind, loc=fault["loc"], input=fault["input"])
