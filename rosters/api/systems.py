"""Operations on systems."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Path, Router

from rosters import registry
from rosters.api import schemas
from rosters.api.auth import requires
from rosters.core import appraisals
from rosters.registry import System
from rosters.web.http.permissions import Permission

router = Router(tags=["Systems"])


@router.get("systems", url_name="api-systems", response={200: schemas.Systems, **schemas.errors()})
@requires(Permission.ANYONE)
def list_systems(request: HttpRequest) -> Any:
    """List the systems."""
    return {"systems": [system_summary(request, system) for system in registry.SYSTEMS.values()]}


@router.get("systems/{slug}", url_name="api-system", response={200: schemas.System, **schemas.errors(404)})
@requires(Permission.ANYONE)
def read_system(
    request: HttpRequest, slug: Annotated[str, Path(description="The value of system in documents.")]
) -> Any:
    """Read a system with its scenarios, sizes, house rules, glossary, findings and sheets."""
    if slug not in registry.SYSTEMS:
        raise Http404(f"There is no game {slug!r}.")
    system = registry.SYSTEMS[slug]
    rules = system.rules
    return {
        **system_summary(request, system),
        "scenarios": [*scenarios(system)],
        "sizes": rules.SIZES,
        "house_rules": [*house_rules(system)],
        "glossary": [*rules.glossary()],
        "findings": [
            {"code": code, "severity": kind.severity, "text": kind.text}
            for code, kind in appraisals.finding_types(rules).items()
        ],
        "sheets": [*system.sheets.SHEETS],
        "choices": [
            {"code": code, "label": choice.label, "answers": options(choice.answers)}
            for code, choice in system.sheets.CHOICES.items()
        ],
    }


def system_summary(request: HttpRequest, system: System) -> dict[str, Any]:
    """The values of `schemas.SystemLine`."""
    return {
        "slug": system.slug,
        "name": system.name,
        "purpose": system.purpose,
        "edition": system.rules.EDITION,
        "words": system.rules.WORDS,
        "link": request.build_absolute_uri(reverse("api-system", args=[system.slug])),
    }


def options(names: Mapping[str, str]) -> list[dict[str, str]]:
    """Codes with their names, as `schemas.Option`."""
    return [{"code": code, "name": name} for code, name in names.items()]


def scenarios(system: System) -> Iterator[dict[str, Any]]:
    """The scenarios of a game, as `schemas.Scenario`."""
    for code, scenario in system.rules.SCENARIOS.items():
        suggested = [
            {"side": side, "lowest": lowest, "highest": highest}
            for side, (lowest, highest) in scenario.suggested.items()
        ]
        sides = options(scenario.sides)
        yield {"code": code, "name": scenario.name, "text": scenario.text, "sides": sides, "suggested": suggested}


def house_rules(system: System) -> Iterator[dict[str, Any]]:
    """The house rules, each with its values as JSON Schema."""
    for rule, schema in system.rules.Options.model_json_schema().get("properties", {}).items():
        title, text = schema.pop("title", rule), schema.pop("description", "")
        yield {"rule": rule, "title": title, "text": text, "values": schema}
