"""The API's addresses: ninja with our JSON, our errors and its own documentation page."""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, include, path, reverse
from django.views.decorators.cache import cache_control
from ninja import NinjaAPI, Swagger
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.openapi.views import openapi_json, openapi_view
from ninja.operation import Operation

from rosters.api import rosters, schemas, systems
from rosters.api.auth import API_THROTTLE, TokenError, api_view
from rosters.core.documents import MAX_BYTES, Fault, InvalidDocument, describe_limits
from rosters.web.http import converters
from rosters.web.http.errors import forbidden
from rosters.web.http.json_responses import API_ROOT, error_response, json_response
from rosters.web.http.permissions import Permission, ViewPermission, public_view, view_permission

__all__ = ["api", "converters", "urlpatterns"]


class Documentation(Swagger):
    """ninja's Swagger page; templates/ninja/swagger.html has nothing inline."""

    def get_openapi_url(self, api: NinjaAPI, path_params: dict[str, Any]) -> str:
        return reverse("openapi")


class ArmybuilderAPI(NinjaAPI):
    """ninja with JSON as the commands print it, and the documents' schemas in the OpenAPI document."""

    def create_response(
        self,
        request: HttpRequest,
        data: Any,
        *,
        status: int | None = None,
        temporal_response: HttpResponse | None = None,
    ) -> HttpResponse:
        response = json_response(data, temporal_response.status_code if temporal_response else status or 200)
        for name, value in temporal_response.items() if temporal_response else ():
            if name != "Content-Type":
                response[name] = value
        return response

    @cached_property
    def openapi(self) -> OpenAPISchema:
        """The OpenAPI document."""
        document = super().get_openapi_schema(path_prefix=API_ROOT)
        schemas.add_documents(document["components"]["schemas"])
        return document

    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        return self.openapi

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = ArmybuilderAPI(
    title="Armybuilder",
    version="1",
    description="Legal, priced and explained rosters for small wargames. Reading needs the roster's token alone; to "
    "change a roster, send `Authorization: Bearer SECRET` with the last part of its owner link or of an edit link, or "
    "an API token of its account. Under /api/v1/ no key is removed or renamed; keys may be added. A document that you "
    f"send has at most {MAX_BYTES:,} bytes and {describe_limits()}. What was stored with more can be replaced by what "
    "has no more.",
    openapi_url=None,
    docs=Documentation(),
    servers=[{"url": "/"}],
    throttle=API_THROTTLE,
)
api.add_router("", rosters.router)
api.add_router("", systems.router)


@api.exception_handler(HttpError)
def handle_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    fault = Fault(getattr(error, "path", ""), error.message)
    response = error_response(error.status_code, [fault], **getattr(error, "extra", {}))
    if isinstance(error, TokenError):
        response["WWW-Authenticate"] = f'Bearer error="{error.code}"'
    elif error.status_code == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(InvalidDocument)
def handle_invalid_document(request: HttpRequest, error: InvalidDocument) -> HttpResponse:
    return error_response(400, error.faults)


@api.exception_handler(ValidationError)
def handle_invalid_parameter(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """The path stays empty: it is one into the document."""
    return error_response(400, [Fault("", f"{each['loc'][-1]}: {each['msg']}") for each in error.errors])


@api.exception_handler(BadRequest)
def handle_bad_request(request: HttpRequest, error: BadRequest) -> HttpResponse:
    return error_response(400, [Fault("", str(error))])


@api.exception_handler(PermissionDenied)
def handle_permission_denied(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return forbidden(request, error)


@api.exception_handler(Http404)
def handle_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return error_response(404, [Fault("", str(error))])


def operation_patterns() -> Iterator[URLPattern]:
    """The operations' addresses, each once (ninja has one for each method), with the permission of `requires`."""
    needed: dict[str, dict[str, Permission]] = {}
    for router in (rosters.router, systems.router):
        for operation in (each for view in router.path_operations.values() for each in view.operations):
            extra = operation.openapi_extra or {}
            needed.setdefault(operation.url_name, {})[operation.methods[0]] = extra["x-who"]
    patterns: dict[Any, Any] = {pattern.name: pattern for pattern in api.urls[0] if isinstance(pattern, URLPattern)}
    for name, by_method in needed.items():
        yield path(
            str(patterns[name].pattern), api_view(patterns[name].callback, view_permission(by_method)), name=name
        )


document_view = cache_control(max_age=300)(partial(openapi_json, api=api))

urlpatterns = [
    path("api/", public_view("GET")(partial(openapi_view, api=api)), name="api"),
    path(
        "api/v1/openapi.json",
        api_view(document_view, ViewPermission(Permission.ANYONE, ("GET", "HEAD"))),
        name="openapi",
    ),
    path(API_ROOT[1:], include([*operation_patterns()])),
]
