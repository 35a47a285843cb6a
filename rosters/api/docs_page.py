"""The page of the API and its OpenAPI document: the page shows nothing that the document does not say."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control

from rosters.api.auth import api_view
from rosters.api.openapi import example, openapi
from rosters.core.documents import MAX_BYTES, dumps
from rosters.web.http.permissions import Permission, Rights, public_view

METHODS = ("get", "post", "put", "delete")
IN_WORDS = {"path": "in the path", "query": "in the query", "header": "header"}
STANDS_FOR = {"token": "TOKEN", "number": "1", "slug": example()["system"]}
"""What stands in an example for a part of the path."""


class Parameter(NamedTuple):
    """What an operation takes, as the page lists it."""

    name: str
    place: str
    kind: str
    text: str
    required: bool


class Answer(NamedTuple):
    """A status with what it means, and the shape of its JSON: a name, and the anchor where it is told."""

    status: str
    text: str
    shape: str


class Operation(NamedTuple):
    """An operation as the page shows it."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    who: Permission
    bearer: str
    parameters: list[Parameter]
    takes_document: bool
    curl: str
    answers: list[Answer]


class Field(NamedTuple):
    """A key of a shape; ``shape`` is that of its value, or of the items in it, if it has one of its own."""

    name: str
    kind: str
    shape: str
    text: str
    optional: bool


@cache_control(max_age=300)
def document(request: HttpRequest) -> JsonResponse:
    """The OpenAPI document."""
    return JsonResponse(openapi(), json_dumps_params={"ensure_ascii": False, "indent": 1})


served = api_view(document, Rights(Permission.ANYONE, ("GET", "HEAD")))
"""The same, at an address of the API."""


@public_view("GET")
def page(request: HttpRequest) -> HttpResponse:
    """Every operation: what it takes, who may use it, an example, and what it may answer."""
    root = request.build_absolute_uri("/").rstrip("/")
    context = {
        "operations": [*operations(root)],
        "shapes": [*shapes()],
        "example": dumps(example()),
        "info": openapi()["info"],
        "root": root,
        "megabytes": MAX_BYTES >> 20,
    }
    return render(request, "api/docs.html", context)


# ---------------------------------------------------------------- operations


def operations(root: str) -> Iterator[Operation]:
    """The operations in the document's order."""
    for path, by_method in openapi()["paths"].items():
        for method in (method for method in METHODS if method in by_method):
            told = by_method[method]
            yield Operation(
                told["operationId"],
                method.upper(),
                path,
                told["summary"],
                told.get("description", ""),
                told["x-who"],
                bearer(told),
                [parameter(each) for each in told["parameters"]],
                "requestBody" in told,
                curl(root, method, path, told),
                [*answers(told)],
            )


def bearer(told: dict[str, Any]) -> str:
    """Whether an operation needs a bearer: "needed", "optional", or "" where none is looked at."""
    schemes = told.get("security", [])
    return "" if not schemes else "optional" if {} in schemes else "needed"


def parameter(told: dict[str, Any]) -> Parameter:
    kind, place = in_words(told["schema"]), IN_WORDS[told["in"]]
    return Parameter(told["name"], place, kind, told.get("description", ""), told["required"])


def answers(told: dict[str, Any]) -> Iterator[Answer]:
    for status, response in sorted(told["responses"].items()):
        media: dict[str, Any] = next(iter(response.get("content", {}).values()), {})
        yield Answer(status, response["description"], in_words(media["schema"]) if "schema" in media else "")


def curl(root: str, method: str, path: str, told: dict[str, Any]) -> str:
    """An operation as a command line, to fill in and try."""
    for name, stand_in in STANDS_FOR.items():
        path = path.replace(f"{{{name}}}", stand_in)
    takes = told["parameters"]
    asked = {each["name"]: each["example"] for each in takes if each["in"] == "query" and "example" in each}
    heads = [f"{each['name']}: {each['example']}" for each in takes if each["in"] == "header" and "example" in each]
    if bearer(told) == "needed":
        heads.insert(0, "Authorization: Bearer SECRET")
    if "requestBody" in told:
        heads.append("Content-Type: application/json")
    lines = [f"curl -X {method.upper()} '{root}{path}{f'?{urlencode(asked)}' if asked else ''}'"]
    lines += [f"-H '{head}'" for head in heads]
    lines += ["--data-binary @roster.json"] if "requestBody" in told else []
    lines += ["-o sheets.pdf"] if path.endswith(".pdf") else []
    return " \\\n  ".join(lines).replace("curl -X GET", "curl")


# ---------------------------------------------------------------- shapes


def shapes() -> Iterator[tuple[str, str, list[Field]]]:
    """The shapes of answers with their fields. A roster document has its own page: it is a schema by itself."""
    for name, schema in openapi()["components"]["schemas"].items():
        if "." not in name and "properties" in schema and "format" not in schema["properties"]:
            required = schema.get("required", [])
            fields = [
                Field(key, in_words(part), shape_in(part), part.get("description", ""), key not in required)
                for key, part in schema["properties"].items()
            ]
            yield name, schema.get("description", ""), fields


def shape_in(schema: dict[str, Any]) -> str:
    """The name of the shape that a value has, or that the items of a list have; "" for plain values."""
    return str(schema.get("items", schema).get("$ref", "")).rpartition("/")[2]


def in_words(schema: dict[str, Any]) -> str:
    """The kind of a value: "text", "list of Finding", "whole number or null"."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for joined in ("anyOf", "oneOf", "allOf"):
        if joined in schema:
            return " or ".join(dict.fromkeys(in_words(part) for part in schema[joined]))
    if "enum" in schema:
        return " or ".join(str(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {in_words(schema.get('items', {}))}"
    return KINDS.get(schema.get("type", ""), "anything")


KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
