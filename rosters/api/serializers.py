"""What the API says of rosters, revisions and games, as plain data. Nothing is worked out here."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from rosters import registry
from rosters.core import appraisals, documents, edits
from rosters.models import Revision, Roster
from rosters.registry import System
from rosters.store.snapshots import RevisionView
from rosters.store.state import export_json, visible_state
from rosters.web.printing import service as printing


def address(request: HttpRequest, name: str, *arguments: Any) -> str:
    """The whole address of one of our pages or operations."""
    return request.build_absolute_uri(reverse(name, args=arguments))


# ---------------------------------------------------------------- rosters


def roster(request: HttpRequest, roster: Roster, whole: bool) -> dict[str, Any]:
    """A roster as it stands, for those who may edit it (``whole``) or for everybody else."""
    state = visible_state(roster, whole)
    return {
        "token": roster.token,
        "system": roster.system,
        "revision": roster.revision,
        "changed": roster.changed.isoformat(),
        "editable": whole,
        "links": links(request, roster),
        "document": export_json(roster, state.document),
        "appraisal": appraisals.to_json(state.appraisal),
    }


def links(request: HttpRequest, roster: Roster) -> dict[str, str]:
    return {
        "roster": address(request, "api-roster", roster.token),
        "revisions": address(request, "api-revisions", roster.token),
        "sheets": address(request, "api-sheets", roster.token),
        "page": address(request, "shared", roster.token),
    }


def revision_line(request: HttpRequest, roster: Roster, revision: Revision, whole: bool) -> dict[str, Any]:
    """A revision in the list: what was done and by whom is for those who may edit."""
    return {
        "number": revision.number,
        "at": revision.at.isoformat(),
        "edition": revision.edition,
        "who": revision.get_who_display() if whole else None,
        "summary": revision.summary if whole else None,
        "link": address(request, "api-revision", roster.token, revision.number),
    }


def revision(request: HttpRequest, roster: Roster, found: RevisionView, whole: bool) -> dict[str, Any]:
    """A revision with its document, dated, and the appraisal of its day."""
    document = edits.replace_fields(found.state.document, changed=found.revision.at.isoformat())
    return {
        **revision_line(request, roster, found.revision, whole),
        "token": roster.token,
        "document": documents.write(document),
        "appraisal": appraisals.to_json(found.state.appraisal),
        "today": found.verdict,
    }


# ---------------------------------------------------------------- games


def system_line(request: HttpRequest, system: System) -> dict[str, Any]:
    return {
        "slug": system.slug,
        "name": system.name,
        "purpose": system.purpose,
        "edition": system.rules.EDITION,
        "words": system.rules.WORDS._asdict(),
        "link": address(request, "api-system", system.slug),
    }


def system(request: HttpRequest, system: System) -> dict[str, Any]:
    """Everything that can be said of a game."""
    rules = system.rules
    sheets = printing.sheets_of(system).values()
    return {
        **system_line(request, system),
        "scenarios": scenarios(system),
        "sizes": [size._asdict() for size in rules.SIZES],
        "house_rules": house_rules(system),
        "glossary": [entry._asdict() for entry in rules.glossary()],
        "findings": [
            {"code": code, "severity": meaning.severity, "text": meaning.text}
            for code, meaning in appraisals.meanings(rules).items()
        ],
        "sheets": [{"code": sheet.code, "name": sheet.name, "text": sheet.text} for sheet in sheets],
        "choices": [
            {"code": code, "label": choice.label, "answers": named(choice.answers)}
            for code, choice in printing.choices_of(system).items()
        ],
    }


def named(found: Any) -> list[dict[str, str]]:
    return [{"code": code, "name": name} for code, name in found.items()]


def scenarios(system: System) -> list[dict[str, Any]]:
    return [
        {
            "code": code,
            "name": scenario.name,
            "text": scenario.text,
            "sides": named(scenario.sides),
            "suggested": [
                {"side": side, "lowest": lowest, "highest": highest}
                for side, (lowest, highest) in scenario.suggested.items()
            ],
        }
        for code, scenario in system.rules.SCENARIOS.items()
    ]


def house_rules(system: System) -> list[dict[str, Any]]:
    """The switches with what they may be, as JSON Schema."""
    properties = system.rules.Options.model_json_schema().get("properties", {})
    told = ("title", "description")
    return [
        {
            "rule": rule,
            "title": schema.get("title", rule),
            "text": schema.get("description", ""),
            "values": {key: value for key, value in schema.items() if key not in told},
        }
        for rule, schema in properties.items()
    ]


def all_systems(request: HttpRequest) -> dict[str, Any]:
    return {"systems": [system_line(request, system) for system in registry.SYSTEMS.values()]}
