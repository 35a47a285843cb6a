"""The reference lists of the rulebooks: capabilities, traits, super powers. One JSON file per system in `fixtures/`.

The rules read the files themselves, so that they price and explain without a database; the rows in the database are
loaded from the same files (`store/reference.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import AfterValidator

from rosters.core.messages import Message
from rosters.core.values import FrozenModel

Text = Annotated[str, AfterValidator(Message)]
"""English text of a reference list, which is shown translated as any message is."""


class Capability(FrozenModel):
    """A Mini Combat capability (Appendix B). ``percent`` is a whole number: 25 is +25 %."""

    code: str
    number: int
    name: Text
    percent: int
    purpose: Text
    text: Text


class Trait(FrozenModel):
    """A VSGMR trait (section V)."""

    code: str
    number: int
    abbreviation: str
    name: Text
    text: Text


class SuperPower(FrozenModel):
    """A VSGMR super power at one tier (section VI). ``die`` is 8, 10 or 12, ``points`` its price."""

    power: str
    tier: str
    number: int
    abbreviation: str
    name: Text
    die: int
    points: int
    text: Text


RowT = TypeVar("RowT", bound=FrozenModel)


class GlossaryEntry(NamedTuple):
    """One term of a rulebook with its explanation, for help texts and ``explain``."""

    code: str
    name: str
    text: str


def fixtures_folder() -> Path:
    """The folder of fixtures: in a wheel inside the package (see setup.py), in a checkout beside the code."""
    root = Path(__file__).resolve().parents[2]
    installed = root / "armybuilder" / "files" / "fixtures"
    return installed if installed.is_dir() else root / "fixtures"


@cache
def fixture(name: str) -> Any:
    """The JSON data of a file in the fixtures, such as "pairs" or "armies/msc/fox-squadron", read once."""
    return json.loads((fixtures_folder() / f"{name}.json").read_text(encoding="utf-8"))


def reference_lists(system: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The reference lists of a system by name, as plain rows; empty for a rulebook without such a file."""
    path = fixtures_folder() / f"{system}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def reference_list(system: str, name: str, row: type[RowT]) -> tuple[RowT, ...]:
    """One reference list of a system, in the order of the rulebook. Raises KeyError if the system has none."""
    return tuple(row(**fields) for fields in reference_lists(system)[name])
