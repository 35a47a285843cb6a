"""My backup: this visitor's own rosters with their histories, as one zip."""

from tempfile import TemporaryFile
from typing import cast

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from rosters.store import bundle
from rosters.store.shelf import shelf_of
from rosters.web.http.permissions import public_view, visitor_of
from rosters.web.http.rate_limit import rate_limited
from rosters.web.library.queries import my_rosters_with_bin


@never_cache
@rate_limited("DOWNLOADS_A_MINUTE")
@public_view("GET")
def download_mine(request: HttpRequest) -> HttpResponse:
    """Send all rosters that this browser and account may edit, the bin included, and the shelf, without secrets."""
    rosters, own_shelf = (
        {roster.pk: roster.own for roster in my_rosters_with_bin(request)},
        shelf_of(visitor_of(request)),
    )
    if not rosters and own_shelf is None:
        messages.warning(request, _("There is nothing to back up. Create a roster first."))
        return redirect("mine")
    file = TemporaryFile()  # noqa: SIM115 - the response closes it when it is sent
    bundle.write_player_zip(rosters, file, own_shelf=own_shelf)
    file.seek(0)
    name = "armybuilder-backup.zip"
    return cast(HttpResponse, FileResponse(file, as_attachment=True, filename=name, content_type="application/zip"))
