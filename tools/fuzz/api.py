"""Requests that Schemathesis draws from the OpenAPI document, each answer held to what the document says of it.

Both what the document allows and what it forbids; with the tokens of rosters that there are, mostly; with no bearer, a
wrong one, a roster's edit secret and an account's token.
"""

import json
from contextlib import contextmanager

import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from armybuilder.wsgi import application
from rosters.api.urls import api
from rosters.registry import SYSTEMS
from tests.strategies import documents
from tools.fuzz.kit import TELLTALE, Tally, drawn, no_exception, state, undone, whole
from tools.fuzz.site import furnished

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ANYTHING_GOES = ("GET /api/v1/rosters/{token}", "GET /api/v1/systems", "GET /api/v1/systems/{slug}")
"""Operations that take any string, or nothing; Hypothesis would look for what is forbidden for seconds, in vain."""
AUTHENTICATORS = ("none", "wrong", "edit secret", "edit secret", "API token")


def schema(systems):
    """The OpenAPI document, its documents those of these games: each makes drawing slower."""
    data = json.loads(json.dumps(api.openapi))
    of_games = [{"$ref": f"#/components/schemas/{slug}"} for slug in systems]
    data["components"]["schemas"]["RosterDocument"] = {"oneOf": of_games}
    found = schemathesis.openapi.from_dict(data)
    found.app = application
    return found


def operations(systems):
    """Each operation with its strategy, in both modes, so far as there is anything to forbid."""
    for found in schema(systems).get_all_operations():
        operation = found.ok()
        for mode in [GenerationMode.POSITIVE] if operation.label in ANYTHING_GOES else GenerationMode:
            yield f"{operation.label} {mode.value}", operation.as_strategy(generation_mode=mode)


class Caller:
    """A site, and what is put into a request that was drawn."""

    def __init__(self, systems):
        self.site, self.before = furnished(), state()
        self.systems = [*systems]
        self.whole = st.sampled_from(self.systems).flatmap(documents)

    def dressed(self, strategy):
        """A request with a token that there is, mostly, with a bearer, and sometimes with a document of ours."""
        odd = st.tuples(st.sampled_from(self.systems), st.integers(0, 9), st.sampled_from(AUTHENTICATORS))
        return st.tuples(strategy, odd, st.none() | self.whole)

    def send(self, request):
        """Send it, hold the answer to the document, and look at every roster that has changed."""
        case, (slug, dice, bearer), document = request
        if "token" in (case.path_parameters or {}) and dice:
            case.path_parameters["token"] = self.site.rosters[slug]
        if "number" in (case.path_parameters or {}) and dice > 4:
            case.path_parameters["number"] = dice - 4
        if document is not None and isinstance(case.body, dict):
            case.body = document
        secrets = {"wrong": "nothing", "edit secret": self.site.secrets[slug], "API token": self.site.api_token}
        if bearer in secrets:
            case.headers["Authorization"] = f"Bearer {secrets[bearer]}"
        response = case.call()
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as group:
            raise AssertionError("; ".join(str(each) for each in group.exceptions)) from None
        if "json" in "".join(response.headers.get("content-type", ())):
            assert not TELLTALE.search(response.text), response.text[:500]
        whole(self.before)
        return response.status_code


@contextmanager
def connected():
    """Requests inside keep the connection: each is a case that is taken back on it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def report(request):
    """How to send a request again, but for the secrets of its site."""
    case, odd, _ = request
    return {"request": repr(case)[:4000], "sent": case.as_curl_command()[:8000], "drawn": str(odd)}


def run(cases, seed, systems=tuple(SYSTEMS)):
    """As many requests to each operation in each mode, one at least."""
    tally, named = Tally(), [*operations(systems)]
    with undone():
        caller = Caller(systems)  # furnishing sends a request by the test client, which would connect the signals again

        def each(request):
            with tally.case(lambda: report(request)), undone(), no_exception():
                tally.figures[str(caller.send(request))] += 1

        with connected():
            for number, (_, strategy) in enumerate(named):
                share = max(1, (cases + number) // len(named))
                drawn(share, seed, caller.dressed(strategy), each)
    return tally
