"""The keys of an appraisal as JSON: `rosters.core.appraisals.to_json` writes them.

A module of its own, because pydantic parses the whole file for the docstrings of each of these classes at every start.
"""

from typing import Any, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict  # pydantic reads that of the standard library from Python 3.12 on

from rosters.core.findings import Severity

_json_object = with_config(ConfigDict(extra="forbid", use_attribute_docstrings=True))
"""A class of exactly these keys: `to_json` writes it, and the API's OpenAPI schema is generated from it."""


@_json_object
class StepJson(TypedDict):
    """A step of a receipt."""

    label: str
    change: str
    """Such as +3 or ×1.5."""
    subtotal: str
    """Exact, such as 4.5 or 43/3."""


@_json_object
class ElementJson(TypedDict):
    """An element with its price and its receipt."""

    name: str
    quantity: int
    each: str | None
    """Exact; null without points."""
    points: str | None
    """Exact: each × quantity."""
    receipt: list[StepJson]
    facts: NotRequired[dict[str, Any]]
    """Values that the sheets print; left out when there are none."""


@_json_object
class FormationJson(TypedDict):
    """A formation with its points."""

    name: str
    points: int | float | None
    """As the rulebook counts them; null without points."""
    exact: str | None
    facts: dict[str, Any]
    elements: list[ElementJson]


@_json_object
class HouseRuleJson(TypedDict):
    """A house rule in force."""

    rule: str
    value: str | int | bool
    text: str


@_json_object
class FindingJson(TypedDict):
    """A result of the rules check."""

    code: str
    severity: Severity
    where: str
    """Empty for the roster, else formations/0 or formations/0/elements/1."""
    message: str


@_json_object
class AppraisalJson(TypedDict):
    """Points, receipts and findings of a roster, as `manage.py appraise --json` prints them."""

    system: str
    edition: str
    name: str
    points: int | float | None
    """The total as the rulebook counts it; null without points, or where they are hidden."""
    exact: str | None
    """The sum before rounding, exact."""
    budget: int | float | None
    legal: bool
    quantity: int
    house_rules: list[HouseRuleJson]
    findings: list[FindingJson]
    formations: list[FormationJson]
    facts: dict[str, Any]
