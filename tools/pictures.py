"""Every page as PNG, narrow and wide, light and dark, and every sheet: python -m tools.pictures fills build/pictures/.

With names, it draws just the pages whose name begins so: python -m tools.pictures home roster-6mm.

The site runs in a process of its own, on a database of its own.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import pypdfium2
from playwright.sync_api import sync_playwright

FOLDER = tempfile.TemporaryDirectory(prefix="armybuilder-pictures-")
os.environ["DATABASE_URL"] = f"sqlite:///{FOLDER.name}/pictures.sqlite3"
os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings"

import django  # noqa: E402 (after the environment says which database)

django.setup()

from rosters import registry  # noqa: E402
from rosters.models import Roster  # noqa: E402
from rosters.pdf.sections import PAPERS  # noqa: E402
from rosters.web.printing import service as printing  # noqa: E402
from tests.paper import blank, printed  # noqa: E402
from tests.support import FIXTURES  # noqa: E402
from tools import chromium, specimens  # noqa: E402
from tools.samples import SAMPLE_OF, own  # noqa: E402
from tools.served import served  # noqa: E402

PICTURES = Path("build") / "pictures"
ADDRESS = "http://localhost/s/AbCdEfGhIjKlMnOpQrStUv"
PUBLIC = {
    "home": "/",
    "new": "/new/",
    "books": "/books/",
    "help": "/explain/",
    "errata": "/errata/",
    "import": "/import",
    "check": "/check",
    "new-battle": "/battle/new",
    "sign-in": "/account/login/",
    "sign-up": "/account/signup/",
    "nothing": "/nothing",
}
PAIRS = json.loads((FIXTURES / "pairs.json").read_text())
WIDTHS = 360, 768, 1280


def addresses(page, site, tokens):
    """Each page's name and address; ``tokens`` are those of the sample armies."""
    yield from ((name, site + path) for name, path in PUBLIC.items())
    for slug in registry.SYSTEMS:
        yield f"start-{slug}", f"{site}/new/{slug}"
        yield f"explain-{slug}", f"{site}/explain/{slug}"
        yield f"findings-{slug}", f"{site}/explain/{slug}/findings"
        yield f"worth-{slug}", f"{site}/explain/{slug}/worth"
        yield f"pair-{slug}", f"{site}/battle/sample/{slug}/{PAIRS[slug][0][0]}"
    for slug, sample in SAMPLE_OF.items():
        token = tokens[sample]
        yield f"shared-{slug}", f"{site}/s/{token}?receipt=all"
        builder = own(page, site, token)
        yield f"roster-{slug}", builder
        yield f"panel-{slug}", builder
        page.goto(builder)
        edit = page.locator('tbody th[scope="row"] > a').first.get_attribute("href")
        add = page.locator('a[href*="/element?in="]').first.get_attribute("href")
        yield f"element-{slug}", site + edit
        yield f"new-element-{slug}", site + add
        for path in ("settings", "crest", "marks", "history", "sharing", "links", "paste", "odds"):
            yield f"{path}-{slug}", builder + path
        yield f"compare-{slug}", f"{site}/s/{token}/compare?link={builder}"
        yield f"print-{slug}", builder.replace("/r/", "/s/") + "print"
        yield f"add-from-{slug}", f"{builder}add?from={token}"
        yield f"battle-{slug}", battle_of(page, f"{site}/battle/sample/{slug}/{PAIRS[slug][0][0]}")
    yield "home-with-rosters", site
    yield "mine", f"{site}/mine/"
    yield "bin", f"{site}/mine/bin"
    yield from shelf_of(page, site)


def battle_of(page, pair):
    """The address of a battle made of a pair of samples."""
    page.goto(pair)
    page.get_by_role("button", name="Play this battle").first.click()
    page.wait_for_url("**/b/**")
    return page.url


def shelf_of(page, site):
    """A shelf with what all rosters need, and what they need of it."""
    page.goto(f"{site}/shelf/")
    page.get_by_role("button", name="Start a shelf").click()
    page.wait_for_url("**/shelf/*/")
    yield "shelf", (base := page.url)
    page.goto(f"{base}rosters")
    for box in page.locator("[name=roster]").all():
        box.check()
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**roster=**")
    yield "shelf-rosters", page.url
    page.get_by_role("button", name="Put them").click()
    page.wait_for_url(base)


def sheets_of(slug):
    """Every sheet of a game's sample army, on each paper, and blank."""
    data = json.loads((FIXTURES / "armies" / f"{SAMPLE_OF[slug]}.json").read_text())
    for code in printing.sheets_of(registry.SYSTEMS[slug]):
        for paper in PAPERS:
            yield f"{slug}-{code}-{paper}", printed(data, sheets=(code,), paper=paper, address=ADDRESS).pdf()
        yield f"{slug}-{code}-large", printed(data, sheets=(code,), large=True, colour=True).pdf()
        yield f"{slug}-{code}-blank", blank(slug, sheets=(code,)).pdf()


def draw_sheets():
    """Every page of every sheet, at 100 pixels an inch."""
    folder = PICTURES / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    for slug in registry.SYSTEMS:
        for name, pdf in sheets_of(slug):
            for number, page in enumerate(pypdfium2.PdfDocument(pdf), start=1):
                page.render(scale=100 / 72).to_pil().save(folder / f"{name}-{number}.png")


LOAD_IMAGES = """() => Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => {});
}))"""
"""Loads the images of a page that are below what is seen of it."""


def draw_pages(site, tokens, names=()):
    """Every page as Chromium shows it, or those whose name begins with one of ``names``."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.installed(), args=chromium.FLAGS)
        draw_specimens(browser)
        page = browser.new_page()
        page.set_default_timeout(60_000)
        for name, address in list(addresses(page, site, tokens)):
            for width in WIDTHS if name.startswith(tuple(names) or "") else ():
                for scheme in ("light", "dark"):
                    page.set_viewport_size({"width": width, "height": 900})
                    page.emulate_media(color_scheme=scheme)
                    page.goto(address)
                    page.evaluate(LOAD_IMAGES)
                    is_panel = name.startswith("panel-")
                    if is_panel:
                        page.locator('tbody th[scope="row"] > a').first.click()
                        page.locator("#editor-panel .element-form").wait_for()
                    page.screenshot(
                        path=PICTURES / f"{name}-{width}-{scheme}.png", full_page=not is_panel, animations="disabled"
                    )
        browser.close()


def draw_specimens(browser):
    """All counters and crests, light and dark."""
    specimens.write_page(PICTURES / "specimens.html")
    page = browser.new_page(viewport={"width": 1280, "height": 900}, device_scale_factor=2)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto((PICTURES / "specimens.html").absolute().as_uri())
        page.evaluate("document.fonts.ready")
        for section in page.locator("section").all():
            section.screenshot(path=PICTURES / f"specimens-{section.get_attribute('id')}-{scheme}.png")


def main(names):
    PICTURES.mkdir(parents=True, exist_ok=True)
    if not names:
        draw_sheets()
    with served(os.environ["DATABASE_URL"]) as site:
        draw_pages(site.address, dict(Roster.objects.exclude(sample=None).values_list("sample", "token")), names)
    print(f"{len([*PICTURES.rglob('*.png')])} pictures in {PICTURES}/")


if __name__ == "__main__":
    main(sys.argv[1:])
