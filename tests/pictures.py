"""Every page as PNG under build/pictures/, 360 and 1440 wide, light and dark, and every sheet: `make pictures`."""

import json
import re
from pathlib import Path

import pypdfium2
import pytest

from rosters import printing, registry
from rosters.models import Roster
from rosters.sheetkit.layout import PAPERS
from tests.paper import blank, printed
from tests.support import FIXTURES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER = Path("build/pictures")
SAMPLES = ["mini-combat/second-world-war", "6mm/rommel", "msc/hearthward-navy", "vsgmr/justice-team"]
SAMPLES += ["urutsk/ferry-crossing-garrison"]
SAMPLE_OF = {sample.split("/")[0]: sample for sample in SAMPLES}
ADDRESS = "http://localhost/s/AbCdEfGhIjKlMnOpQrStUv"
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
        yield f"marks-{slug}", f"{builder}marks"
        yield f"print-{slug}", builder.replace("/r/", "/s/") + "print"
        yield f"add-from-{slug}", f"{builder}add?from={source.token}"
    yield "home-with-rosters", site


def sheets_of(slug):
    """Every sheet of a game's sample army, on each paper, and blank."""
    data = json.loads((FIXTURES / "armies" / f"{SAMPLE_OF[slug]}.json").read_text())
    for code in printing.sheets_of(registry.SYSTEMS[slug]):
        for paper in PAPERS:
            yield f"{slug}-{code}-{paper}", printed(data, sheets=(code,), paper=paper, address=ADDRESS).pdf()
        yield f"{slug}-{code}-large", printed(data, sheets=(code,), large=True, colour=True).pdf()
        yield f"{slug}-{code}-blank", blank(slug, sheets=(code,)).pdf()


@pytest.mark.parametrize("slug", registry.SYSTEMS)
def test_sheets(slug):
    """Draw every page of every sheet, at 100 pixels an inch."""
    folder = FOLDER / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    for name, pdf in sheets_of(slug):
        for number, page in enumerate(pypdfium2.PdfDocument(pdf), start=1):
            page.render(scale=100 / 72).to_pil().save(folder / f"{name}-{number}.png")
    assert len(list(folder.glob(f"{slug}-*.png"))) > 10


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
