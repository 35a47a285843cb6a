"""Two people who have never met match two legal rosters by sending links; in a real Chromium. A stranger looks on."""

import re

import pytest

from rosters.models import Battle
from tests.browsing import assert_accessible, assert_no_errors, choose_in_menu, follow, press, wait_for_total
from tests.people import sample_roster, token_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def players(context, browser, site):
    """Pages of two people, each in a browser of their own that knows nothing of the other; no script may fail."""
    other = browser.new_context(base_url=site)
    pages = [each.new_page() for each in (context, other)]
    for page, width in zip(pages, (1200, 390), strict=True):
        page.set_viewport_size({"width": width, "height": 800})
    with assert_no_errors(*pages):
        yield pages
    other.close()


def shared(page):
    """The read-only path of the roster that a page is about."""
    return f"/s/{token_in(page.url)}"


def matched(html):
    return re.search(r'data-matched="(\w+)"', html)[1]


def test_two_players_match_their_rosters_and_lose_nothing(players, stranger):
    anna, ben = players
    hers, points = builds_and_hides(anna)
    ben.goto(hers)
    follow(ben, "Show the steps")
    assert (ben.locator("table.receipt").count() > 0, "Hidden Thane" in ben.content()) == (True, False)
    follow(ben, "Play against this")
    assert (ben.get_by_role("button", name="Create battle").count(), Battle.objects.count()) == (1, 0)
    battle, his = meets(anna, ben, hers, points)
    locks(ben, stranger, battle)
    deletes_and_restores(ben, stranger, his)


def builds_and_hides(anna):
    """A copy of a sample with a name of her own and a figure that is secret; its read-only path and its points."""
    anna.goto(f"/s/{sample_roster('vsgmr/dwarves').token}")
    follow(anna, re.compile("^Copy this roster$"))
    press(anna, "Copy this roster")
    choose_in_menu(anna, "Settings")
    anna.locator('[name="name"]').fill("Anna's Axes")
    press(anna, "Save")
    anna.wait_for_url("**/r/**")
    anna.locator('.roster-grid th[scope="row"] > a').first.click()
    anna.locator('[name="name"]').fill("Hidden Thane")
    anna.locator('[name="secret"]').check()
    press(anna, re.compile("^Save"))
    anna.wait_for_url("**/r/**")
    return shared(anna), int(anna.locator(".summary .total [data-points]").get_attribute("data-points"))


def meets(anna, ben, hers, points):
    """A battle out of her roster; he takes the other side from its link, with as many points."""
    anna.goto(hers)
    follow(anna, re.compile("^Edit"))  # which a fragment brings, in place of "Copy or edit"
    choose_in_menu(anna, "Battle")
    press(anna, "Create battle")
    battle = f"/b/{token_in(anna.url)}"
    ben.goto(battle)
    press(ben, "Build the opposing roster")
    ben.wait_for_url("**/r/**")
    his = shared(ben)
    follow(ben, re.compile("^Add .*figure"))
    ben.locator('[name="name"]').fill("Champion")
    ben.locator('[name="kind"][value="hero"]').check()
    ben.get_by_label("Quantity").fill(str(points // 2))
    press(ben, re.compile("^Save$"))
    wait_for_total(ben, points // 2 * 2)
    return battle, his


def locks(ben, stranger, battle):
    """The battle stays at the locked version until the newest is locked; a stranger sees it without buttons."""
    ben.goto(battle)
    assert matched(ben.content()) == "no"
    press(ben, re.compile("^Lock version"))
    assert matched(ben.content()) == "yes"
    assert_accessible(ben)
    assert ben.request.get(f"{battle}.pdf").body().startswith(b"%PDF-")
    shown = stranger.text(battle)
    assert matched(shown) == "yes"
    assert "Hidden Thane" not in shown
    assert re.findall(r"<button[^>]*>\s*(?:Lock|Add|Remove|Save)", shown) == []


def deletes_and_restores(ben, stranger, his):
    ben.goto(his.replace("/s/", "/r/") + "/")
    choose_in_menu(ben, "Delete this roster")
    assert stranger.get(his).status_code == 404
    ben.goto("/mine/bin")
    ben.get_by_label(re.compile("^Select Opponent of")).check()
    press(ben, "Restore selected")
    assert stranger.get(his).status_code == 200
