"""What the OpenAPI document says: every answer that a test gets is held against it."""

import json
import re

from jsonschema import Draft202012Validator

from rosters.api.urls import api

OPENAPI = json.loads(json.dumps(api.openapi))


def operation(method, path):
    """What the document says of an operation; None of what is no operation."""
    for pattern, operations in OPENAPI["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", pattern), path) and method.lower() in operations:
            return operations[method.lower()]
    return None


def validate(schema, data):
    """Fail where ``data`` is not what a schema of the document says."""
    Draft202012Validator({**schema, "components": OPENAPI["components"]}).validate(data)


def validate_response(method, path, response):
    """Fail where an answer is not what the document says of this operation and status, or an error is no JSON."""
    known = operation(method, path.split("?")[0])
    if known is not None:
        content = known["responses"][str(response.status_code)].get("content", {})
        if "application/json" in content:
            assert response["Content-Type"] == "application/json"
            validate(content["application/json"]["schema"], response.json())
    if response.status_code >= 400 and method != "HEAD":
        validate({"$ref": "#/components/schemas/Errors"}, {"errors": response.json()["errors"]})
