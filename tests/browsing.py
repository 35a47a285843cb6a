"""What tests in a browser assert of their pages: accessible, no wider than the window, no errors in the console."""

import re
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
HARMLESS = r"Failed to load resource.*4\d\d|Autofocus processing was blocked|htmx:(afterRequest|sendAbort)"
HARMLESS += (
    r"|Status Error Code 422|ERR_INTERNET_DISCONNECTED"  # of a form with errors, and of a test without a network
)
LISTEN = (
    "addEventListener('securitypolicyviolation', e => console.error('POLICY ' + e.violatedDirective + e.blockedURI))"
)


@contextmanager
def assert_no_errors(*pages):
    """Fail the test on any error of a script, of the console or of the content policy on these pages."""
    said = []
    for page in pages:
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.add_init_script(LISTEN)
        page.set_default_timeout(20_000)
    yield
    wrong = [each for each in said if not re.search(HARMLESS, each)]
    assert not wrong, wrong


def assert_fits(page):
    """Assert that nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url


def assert_accessible(page):
    """Assert that axe-core finds no violation of level A or AA either: it takes as long as loading the page twice."""
    options = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
    size, scrolled = page.viewport_size, page.evaluate("scrollY")
    heights = page.locator("html, dialog[open]").evaluate_all("all => all.map(each => each.scrollHeight)")
    page.set_viewport_size({**size, "height": max(size["height"], *heights)})
    violations = Axe().run(page, options=options).response["violations"]  # what sticks to an edge lies on nothing
    page.set_viewport_size(size)
    page.evaluate(f"scrollTo(0, {scrolled})")
    wrong = [(v["id"], [node["html"][:200] for node in v["nodes"]][:3]) for v in violations]
    assert not wrong, (page.url, wrong)
    assert_fits(page)


def open_builder(page, roster):
    """Open the builder of a roster in this browser by its edit link."""
    page.goto(roster.edit_link)
    page.wait_for_url("**/r/**")
    return page


def use_cookies_of(page, site, person):
    """Give this browser the cookies of a person."""
    page.context.add_cookies([{"name": each.key, "value": each.value, "url": site} for each in person.cookies.values()])


def press(page, name):
    """Press a button, and wait for the page that it leads to."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).first.click()


def choose_in_menu(page, name):
    """Choose a link or a button in the menu of a roster, and wait for its page."""
    page.locator(".titlebar .more > summary").click()
    with page.expect_navigation():
        page.locator(".titlebar .more").get_by_text(name, exact=True).click()


def follow(page, name):
    """Follow a link, and wait for its page."""
    with page.expect_navigation():
        page.get_by_role("link", name=name).first.click()


def wait_for_total(page, points):
    """Wait until the page of a roster shows these points."""
    page.locator(f'.summary .total [data-points="{points}"]').wait_for()
