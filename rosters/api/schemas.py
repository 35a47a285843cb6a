"""The API's responses. The keys of an appraisal are those of `rosters.core.appraisals`."""

import json
from typing import Any

from django.conf import settings
from pydantic import BaseModel, ConfigDict

from rosters import registry
from rosters.core import documents
from rosters.core.appraisal_schema import AppraisalJson
from rosters.core.findings import Severity


class Response(BaseModel):
    """JSON with exactly these keys; values of the rules are read by their attributes."""

    model_config = ConfigDict(extra="forbid", from_attributes=True, use_attribute_docstrings=True)


class RosterDocument(BaseModel):
    """A roster as a document; `add_documents` describes its keys."""

    model_config = ConfigDict(extra="allow")


# ---------------------------------------------------------------- errors


class Error(Response):
    path: str
    """A slash path into the document; empty for the request itself."""
    message: str


class Errors(Response):
    """Why a request was refused. Nothing was changed."""

    errors: list[Error]
    """All errors at once."""


def errors(*statuses: int) -> dict[int, Any]:
    """The error responses of an operation, with 429, which each can return."""
    return dict.fromkeys((*statuses, 429), Errors)


# ---------------------------------------------------------------- rosters


class Links(Response):
    """Absolute addresses."""

    roster: str
    revisions: str
    sheets: str
    page: str
    """The share link, to send to an opponent."""


class CreatedLinks(Links):
    edit: str
    """The edit link for a browser, in this response only. Anyone who has it can edit."""


class Roster(Response):
    """The current roster: complete for those who may edit it, without what its owner hides for others."""

    token: str
    system: str
    revision: int
    """The number to send in If-Match."""
    changed: str
    editable: bool
    """Whether this client may change the roster."""
    links: Links
    document: RosterDocument
    appraisal: AppraisalJson


class CreatedRoster(Roster):
    """A new roster, with its edit secret."""

    secret: str
    """Send it as a bearer token to change the roster. In this response only: the site stores its hash."""
    links: CreatedLinks


class RevisionConflict(Errors):
    """The roster was changed since that revision. Nothing was changed by this request."""

    now: Roster
    """The current roster."""


class RevisionLine(Response):
    number: int
    at: str
    edition: str
    """The edition of the rules at that time."""
    who: str | None
    """Who made the change; null for those who may not edit."""
    summary: str | None
    """What was changed; null for those who may not edit, since it may name what is secret."""
    link: str


class Revisions(Response):
    """Revisions, newest first."""

    token: str
    revision: int
    """The latest."""
    revisions: list[RevisionLine]
    older: str | None
    """The address of the next page; null on the last."""


class Revision(RevisionLine):
    """A revision with the appraisal of its time."""

    token: str
    document: RosterDocument
    appraisal: AppraisalJson
    today: str
    """Whether today's rules differ, in a sentence."""


# ---------------------------------------------------------------- odds


class Destruction(Response):
    """When a side is beaten by an enemy that alone attacks."""

    by_round: list[str]
    """The chances of exactly round 1, 2, … 6."""
    never: str
    expected: str | None
    """The mean number of rounds; null if never is not 0."""


class Damage(Response):
    """What one shot does."""

    none: str
    shield: str
    engine: str
    weapon: str


class AttackOdds(Response):
    """What one side does to the other, which only defends itself."""

    attacks: str | None = None
    """Mini Combat: the rolls to hit of round 1."""
    hit: str
    kill: str
    save: str | None = None
    """VSGMR: the chance that armor stops a hit; null without armor or without an attack."""
    injure: str | None = None
    """URUTSK: the chance of hit points that equal Fate."""
    damage: Damage | None = None
    """MSC only."""
    turn: dict[str, str]
    """The losses of round 1 with their chances."""
    rate: str
    """The mean of these losses."""
    turn_kill: str
    """The chance that the other side is beaten by the end of round 1."""
    destroy: Destruction


class Exchange(Response):
    """Who is left after one round of both."""

    a_only: str
    b_only: str
    neither: str
    both: str


class DuelOdds(Response):
    """The duel to its end."""

    win: str
    lose: str
    draw: str
    """Both fall, or nothing can end it."""
    never: str
    """The part of draw in which nothing ends it."""
    expected: str | None
    by_round: list[list[str]]
    """After 1, 2, … 6 rounds: A has won, B has won, both have fallen."""


class StrategicLosses(Response):
    """Ships lost in strategic combat, with their chances."""

    b_lost: dict[str, str]
    a_lost: dict[str, str]


class Odds(Response):
    """Exact odds of element a against b: every number is a fraction as text, such as "5/9"."""

    conditions: dict[str, Any]
    """All in force, with defaults."""
    a: AttackOdds
    b: AttackOdds
    initiative: str | None
    """The chance that A goes first; null where both act at once."""
    exchange: Exchange
    duel: DuelOdds
    strategic: StrategicLosses | None = None
    """MSC only."""


# ---------------------------------------------------------------- systems


class Words(Response):
    """The labels of a system; points is empty where it has none."""

    formation: str
    formations: str
    element: str
    elements: str
    points: str


class SystemLine(Response):
    slug: str
    """The value of system in documents."""
    name: str
    purpose: str
    edition: str
    words: Words
    link: str


class Systems(Response):
    """The systems that rosters can be built for."""

    systems: list[SystemLine]


class Option(Response):
    code: str
    name: str


class SuggestedPoints(Response):
    """Points that the rulebook suggests for a side."""

    side: str
    """Empty in a game without sides."""
    lowest: int | None
    highest: int


class Scenario(Response):
    code: str
    name: str
    text: str
    sides: list[Option]
    suggested: list[SuggestedPoints]


class Size(Response):
    """A usual size of game."""

    label: str
    budget: int | None
    scenario: str | None


class HouseRuleOption(Response):
    """A house rule that a roster may set."""

    rule: str
    title: str
    text: str
    values: dict[str, Any]
    """The values that it takes, as JSON Schema with the default."""


class GlossaryEntry(Response):
    code: str
    name: str
    text: str


class FindingMeaning(Response):
    code: str
    severity: Severity
    text: str


class Sheet(Response):
    code: str
    name: str
    text: str


class SheetChoice(Response):
    """A print option of this system's own; the first answer is the default."""

    code: str
    label: str
    answers: list[Option]


class System(SystemLine):
    """A system with its scenarios, house rules, glossary, findings and sheets."""

    scenarios: list[Scenario]
    sizes: list[Size]
    house_rules: list[HouseRuleOption]
    glossary: list[GlossaryEntry]
    findings: list[FindingMeaning]
    sheets: list[Sheet]
    choices: list[SheetChoice]


# ---------------------------------------------------------------- documents in the OpenAPI document

PLACE = "#/components/schemas/"


def add_documents(schemas: dict[str, Any]) -> None:
    """Describe the documents of every system, each part under the system's name."""
    for slug, system in registry.SYSTEMS.items():
        schema = documents.add_limits(system.document_class.model_json_schema(ref_template=f"{PLACE}{slug}.{{model}}"))
        schemas |= {f"{slug}.{name}": part for name, part in schema.pop("$defs").items()}
        schemas[slug] = {**schema, "title": f"{system.name} roster"}
        conditions = system.odds.Conditions.model_json_schema()
        schemas[f"{slug}.Conditions"] = {**conditions, "title": f"{system.name} conditions"}
        schemas[f"{slug}.Question"] = _question_schema(slug)
    places = {slug: f"{PLACE}{slug}" for slug in registry.SYSTEMS}
    schemas["Question"] = {
        "title": "Question about odds",
        "description": "Two elements of one system as in documents, and conditions that differ from the defaults.",
        "oneOf": [{"$ref": f"{PLACE}{slug}.Question"} for slug in registry.SYSTEMS],
    }
    schemas["RosterDocument"] = {
        "title": "Roster document",
        "description": f"A complete roster, as /schema/roster.json: at most {documents.describe_limits()}.",
        "oneOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "system", "mapping": places},
    }


def _question_schema(slug: str) -> dict[str, Any]:
    element = {"$ref": f"{PLACE}{slug}.Element"}
    conditions = {"anyOf": [{"$ref": f"{PLACE}{slug}.Conditions"}, {"type": "null"}]}
    return {
        "type": "object",
        "properties": {"system": {"const": slug}, "a": element, "b": element, "conditions": conditions},
        "required": ["system", "a", "b"],
        "additionalProperties": False,
    }


EXAMPLE = json.loads(min(settings.ARMIES.glob("*/*.json"), key=lambda path: path.stat().st_size).read_text("utf-8"))
"""The shortest of the sample armies."""
_CONTENT = {"schema": {"$ref": f"{PLACE}RosterDocument"}, "example": EXAMPLE}
DOCUMENT_BODY: dict[str, Any] = {"requestBody": {"required": True, "content": {"application/json": _CONTENT}}}
"""The body of an operation that takes a document: ninja describes it and `parse_document` reads it."""
_SAMPLES = [element for formation in EXAMPLE["formations"] for element in formation["elements"]]
_QUESTION = {"system": EXAMPLE["system"], "a": _SAMPLES[0], "b": _SAMPLES[-1], "conditions": {}}
_QUESTION_CONTENT = {"schema": {"$ref": f"{PLACE}Question"}, "example": _QUESTION}
QUESTION_BODY: dict[str, Any] = {"requestBody": {"required": True, "content": {"application/json": _QUESTION_CONTENT}}}
"""The body of an operation that takes a question about odds."""
