"""The site's addresses, and beside them the two floors that the bench measures against."""

from django.http import HttpResponse
from django.template import engines
from django.urls import include, path

PLAIN = engines["django"].from_string(
    "<!doctype html><title>Plain</title><table>{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>"
    "{% endfor %}</tr>{% endfor %}</table>"
)


def bare(request):
    return HttpResponse("ok")


def plain_rows(request, number):
    rows = [(f"Name {n}", "what it is", "3", "4.5", "13.5", "more") for n in range(number)]
    return HttpResponse(PLAIN.render({"rows": rows}))


urlpatterns = [path("bare", bare), path("plain/<int:number>", plain_rows), path("", include("armybuilder.urls"))]
