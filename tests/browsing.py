"""What every test in a browser holds its pages to: accessible, no wider than the window, no word of trouble."""

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
def watched(*pages):
    """Whatever a script, the console or the content policy says of these pages fails the test."""
    said = []
    for page in pages:
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.add_init_script(LISTEN)
        page.set_default_timeout(20_000)
    yield
    wrong = [each for each in said if not re.search(HARMLESS, each)]
    assert not wrong, wrong


def sound(page, contrast=True):
    """No axe-core violation of level A or AA, and nothing wider than the window.

    Looking for poor contrast takes half of the time: a page whose parts other pages have does without.
    """
    options = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
    options |= {"rules": {"color-contrast": {"enabled": contrast}}}
    size, scrolled = page.viewport_size, page.evaluate("scrollY")
    page.set_viewport_size(
        {**size, "height": max(size["height"], page.evaluate("document.documentElement.scrollHeight"))}
    )
    violations = Axe().run(page, options=options).response["violations"]  # what sticks to an edge lies on nothing
    page.set_viewport_size(size)
    page.evaluate(f"scrollTo(0, {scrolled})")
    wrong = [(v["id"], [node["html"][:200] for node in v["nodes"]][:3]) for v in violations]
    assert not wrong, (page.url, wrong)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def press(page, name):
    """Press a button that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).first.click()


def choose(page, name):
    """Open the menu of a roster, and follow its link or press its button."""
    page.locator(".titlebar .more > summary").click()
    with page.expect_navigation():
        page.locator(".titlebar .more").get_by_text(name, exact=True).click()


def follow(page, name):
    """Follow a link that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("link", name=name).first.click()


def total(page, points):
    """Wait for the roster's page to come to these points."""
    page.locator(f'.summary .total [data-points="{points}"]').wait_for()
