"""Every page as PNG under build/pictures/, 360 and 1440 wide, light and dark: `make pictures`."""

import re
from pathlib import Path

import pytest

from rosters import registry
from rosters.models import Roster

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER = Path("build/pictures")
SAMPLES = ["mini-combat/second-world-war", "6mm/rommel", "msc/hearthward-navy", "vsgmr/justice-team"]
SAMPLES += ["urutsk/ferry-crossing-garrison"]
PUBLIC = {"home": "/", "books": "/books/", "errata": "/errata/", "nothing": "/nothing"}


def own(page, site, sample):
    """The address of a roster of this browser's own that began as a sample army."""
    page.goto(f"{site}/s/{Roster.objects.get(sample=sample).token}")
    page.get_by_role("button", name="Use as a start").click()
    page.wait_for_url("**/r/**")
    return re.match(r".*/r/[\w-]+/", page.url)[0]


def addresses(page, site):
    """Each page's name and address."""
    yield from ((name, site + path) for name, path in PUBLIC.items())
    for slug in registry.SYSTEMS:
        yield f"start-{slug}", f"{site}/new/{slug}"
        yield f"explain-{slug}", f"{site}/explain/{slug}"
    for sample in SAMPLES:
        slug, source = sample.split("/")[0], Roster.objects.get(sample=sample)
        yield f"shared-{slug}", f"{site}/s/{source.token}?receipt=all"
        builder = own(page, site, sample)
        yield f"roster-{slug}", builder
        page.goto(builder)
        edit = page.locator("tbody th a").first.get_attribute("href")
        add = page.get_by_role("link", name=re.compile("^Add an? ")).first.get_attribute("href")
        yield f"element-{slug}", site + edit
        yield f"new-element-{slug}", site + add
        yield f"settings-{slug}", f"{builder}settings"
        yield f"add-from-{slug}", f"{builder}add?from={source.token}"
    yield "home-with-rosters", site


def test_pictures(site, page):
    """Draw them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    page.set_default_timeout(60_000)
    for name, address in list(addresses(page, site)):
        for width in (360, 1440):
            for scheme in ("light", "dark"):
                page.set_viewport_size({"width": width, "height": 900})
                page.emulate_media(color_scheme=scheme)
                page.goto(address)
                page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=True)
    assert len(list(FOLDER.glob("*.png"))) > 100
