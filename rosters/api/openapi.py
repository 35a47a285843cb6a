"""The OpenAPI document of the API: its operations from ninja, the documents' schema from the classes that read them."""

import json
from functools import cache
from typing import Any

from django.conf import settings

from rosters import registry
from rosters.api.operations import api
from rosters.api.parameters import BEARER_SCHEME
from rosters.core import documents
from rosters.web.http.json_answers import ROOT

BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "The edit secret of a roster, or an API token of an account.",
}
PLACE = "#/components/schemas/"


@cache
def openapi() -> dict[str, Any]:
    """The whole document."""
    found: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=ROOT.lstrip("/"))))
    schemas = found["components"]["schemas"] | _documents()
    found["components"] = {"schemas": dict(sorted(schemas.items())), "securitySchemes": {BEARER_SCHEME: BEARER}}
    found["servers"] = [{"url": "/"}]
    for operations in found["paths"].values():
        for operation in operations.values():
            _show_example(operation)
    return found


def _documents() -> dict[str, Any]:
    """The schema of every game's documents, each part under the name of its game."""
    found: dict[str, Any] = {}
    for slug, system in registry.SYSTEMS.items():
        schema = system.document.model_json_schema(ref_template=f"{PLACE}{slug}.{{model}}")
        found |= {f"{slug}.{name}": part for name, part in schema.pop("$defs").items()}
        found[slug] = {**schema, "title": f"{system.name} roster"}
    found["RosterDocument"] = {
        "title": "Roster document",
        "description": f"A roster, complete, of at most {documents.MAX_ELEMENTS:,} elements; as /schema/roster.json.",
        "oneOf": [{"$ref": f"{PLACE}{slug}"} for slug in registry.SYSTEMS],
        "discriminator": {
            "propertyName": "system",
            "mapping": {slug: f"{PLACE}{slug}" for slug in registry.SYSTEMS},
        },
    }
    return found


def _show_example(operation: dict[str, Any]) -> None:
    if "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"]["example"] = example()


@cache
def example() -> dict[str, Any]:
    """A roster to try things with: the shortest of the sample armies."""
    shortest = min(sorted(settings.ARMIES.glob("*/*.json")), key=lambda path: path.stat().st_size)
    found: dict[str, Any] = json.loads(shortest.read_text(encoding="utf-8"))
    return found
