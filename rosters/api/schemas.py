"""The shapes of the API's answers, for its OpenAPI document: tests hold every answer against them."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """What an answer holds, and nothing else."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class RosterDocument(BaseModel):
    """A roster as a document: its schema is written by `rosters.api.openapi`, from the classes that read it."""

    model_config = ConfigDict(extra="allow")


# ---------------------------------------------------------------- refusals


class Fault(Shape):
    path: str
    """Where, as a slash path into the document; empty for the whole."""
    message: str
    """What is wrong there, in words."""


class Errors(Shape):
    """Why a request was refused. Nothing was changed."""

    errors: list[Fault]
    """Every fault at once."""


# ---------------------------------------------------------------- an appraisal


class Step(Shape):
    label: str
    change: str
    """Such as +3 or ×1.5."""
    subtotal: str
    """Exact, such as 4.5 or 43/3."""


class PricedElement(Shape):
    """An element with its price and how that came about."""

    name: str
    quantity: int
    each: str | None
    """Exact; null without points."""
    points: str | None
    """Exact: each × quantity."""
    receipt: list[Step]
    facts: dict[str, Any] = {}
    """What sheets need besides; left out where there is nothing."""


class PricedFormation(Shape):
    name: str
    points: int | float | None
    """As the rulebook counts them; null without points."""
    exact: str | None
    facts: dict[str, Any]
    elements: list[PricedElement]


class HouseRule(Shape):
    """A house rule in force."""

    rule: str
    value: str | int | bool
    text: str


class Finding(Shape):
    """What legality has to say."""

    code: str
    severity: Literal["error", "warning", "note"]
    where: str
    """Empty for the roster, or formations/0, or formations/0/elements/1."""
    message: str


class Appraisal(Shape):
    """Everything that the rules say of a roster: as `manage.py appraise --json` prints it."""

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
    house_rules: list[HouseRule]
    findings: list[Finding]
    formations: list[PricedFormation]
    facts: dict[str, Any]


# ---------------------------------------------------------------- rosters


class Links(Shape):
    """Whole addresses."""

    roster: str
    revisions: str
    sheets: str
    page: str
    """The read-only page, to send to an opponent."""


class CreatedLinks(Links):
    edit: str
    """The edit link for a browser. Told only now; whoever has it may edit."""


class Roster(Shape):
    """A roster as it stands: whole for those who may edit it, as its owner lets it be seen for others."""

    token: str
    system: str
    revision: int
    """The number to send in If-Match."""
    changed: str
    editable: bool
    """Whether the bearer that came with this request may change the roster."""
    links: Links
    document: RosterDocument
    appraisal: Appraisal


class Created(Roster):
    """A new roster, with the secret that opens it for editing."""

    secret: str
    """Send it as a bearer to change the roster. Told only now, and not kept here."""
    links: CreatedLinks


class Moved(Errors):
    """Somebody else was faster. Nothing was changed."""

    now: Roster
    """The roster as it is now."""


class RevisionLine(Shape):
    number: int
    at: str
    edition: str
    """The rules' edition of that day."""
    who: str | None
    """Who made it; null for those who may not edit."""
    summary: str | None
    """What was done; null for those who may not edit, since it may name what is secret."""
    link: str


class Revisions(Shape):
    """Revisions, newest first."""

    token: str
    revision: int
    """The latest."""
    revisions: list[RevisionLine]
    older: str | None
    """The address of those before; null at the end."""


class Revision(RevisionLine):
    """A revision as it was appraised in its day."""

    token: str
    document: RosterDocument
    appraisal: Appraisal
    today: str
    """Whether today's rules would say anything else, in a sentence."""


# ---------------------------------------------------------------- systems


class Words(Shape):
    """What a game calls things; points is empty where it has none."""

    formation: str
    formations: str
    element: str
    elements: str
    points: str


class SystemLine(Shape):
    slug: str
    """What documents call the game."""
    name: str
    purpose: str
    edition: str
    words: Words
    link: str


class Systems(Shape):
    """The games that rosters can be built for."""

    systems: list[SystemLine]


class Named(Shape):
    code: str
    name: str


class Suggestion(Shape):
    """Points that the rulebook suggests for a side."""

    side: str
    """Empty in a game without sides."""
    lowest: int | None
    highest: int


class Scenario(Shape):
    code: str
    name: str
    text: str
    sides: list[Named]
    suggested: list[Suggestion]


class Size(Shape):
    """A usual size of game."""

    label: str
    budget: int | None
    scenario: str | None


class HouseRuleOffered(Shape):
    """A switch by which a roster may depart from the rules as read."""

    rule: str
    title: str
    text: str
    values: dict[str, Any]
    """What it may be, as JSON Schema, with its default."""


class Word(Shape):
    code: str
    name: str
    text: str


class FindingMeaning(Shape):
    code: str
    severity: Literal["error", "warning", "note"]
    text: str


class Sheet(Shape):
    code: str
    name: str
    text: str


class Choice(Shape):
    """A question of the game's own sheets; the first answer is the usual one."""

    code: str
    label: str
    answers: list[Named]


class System(SystemLine):
    """Everything that can be said of a game."""

    scenarios: list[Scenario]
    sizes: list[Size]
    house_rules: list[HouseRuleOffered]
    glossary: list[Word]
    findings: list[FindingMeaning]
    sheets: list[Sheet]
    choices: list[Choice]
