"""What operations take besides their path, as their OpenAPI description says it."""

from typing import Any

from rosters.pdf.job import Settings
from rosters.web.printing.forms import SWITCHES

BEARER_SCHEME = "bearer"


def merged(*parts: dict[str, Any]) -> dict[str, Any]:
    """Several descriptions as one: lists one after another, objects key by key."""
    found: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            if isinstance(value, dict):
                found[key] = merged(found.get(key, {}), value)
            else:
                found[key] = [*found.get(key, []), *value] if isinstance(value, list) else value
    return found


def _parameter(name: str, place: str, description: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "description": description, "schema": schema, "required": False, **more}


def _switch(name: str) -> dict[str, Any]:
    field = Settings.model_fields[name]
    text = f"{field.title}: 1 or 0, usually {int(field.default)}. {field.description or ''}".strip()
    return _parameter(name, "query", text, {"enum": ["0", "1"]})


REFERENCE = {"$ref": "#/components/schemas/RosterDocument"}
DOCUMENT = {"requestBody": {"required": True, "content": {"application/json": {"schema": REFERENCE}}}}

NEEDED_BEARER: dict[str, Any] = {"security": [{BEARER_SCHEME: []}]}
OPTIONAL_BEARER: dict[str, Any] = {"security": [{}, {BEARER_SCHEME: []}]}

IF_MATCH = {
    "parameters": [
        _parameter(
            "If-Match",
            "header",
            'The revision that you have read, as its ETag says it: "3". With * whatever is there is replaced.',
            {"type": "string"},
            required=True,
            example='"3"',
        )
    ]
}
BEFORE = {
    "parameters": [
        _parameter("before", "query", "Only revisions before this number.", {"type": "integer"}, example=101)
    ]
}

_REPEATED: dict[str, Any] = {"style": "form", "explode": True}
_PAPERS = Settings.model_json_schema()["properties"]["paper"]["enum"]
PDF = {
    "parameters": [
        _parameter("paper", "query", "The paper, usually a4.", {"enum": _PAPERS}),
        _parameter(
            "sheet",
            "query",
            "The code of a sheet; several times for several. Without any: the game's own pack.",
            {"type": "array", "items": {"type": "string"}},
            **_REPEATED,
        ),
        _parameter(
            "formation",
            "query",
            "The number of a formation, from 0; several times for several. Without any: all.",
            {"type": "array", "items": {"type": "integer"}},
            **_REPEATED,
        ),
        *map(_switch, SWITCHES),
        _parameter(
            "against",
            "query",
            "The address or token of another roster of the game, for one pack for the battle; several times for more.",
            {"type": "array", "items": {"type": "string"}},
            **_REPEATED,
        ),
        _parameter(
            "others", "query", "1: the copy that others see, also for those who may edit.", {"enum": ["0", "1"]}
        ),
    ],
    "responses": {200: {"content": {"application/pdf": {}}}},
}
