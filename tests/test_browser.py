"""A stranger builds one legal roster of each game from nothing, in a real Chromium, on a phone and on a desktop."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from rosters import standing
from rosters.models import Roster

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WINDOWS = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1440, "height": 900}}


@pytest.fixture(params=WINDOWS, ids=str)
def window(request, page):
    """A page of one size that fails its test on any error of its scripts."""
    page.set_viewport_size(WINDOWS[request.param])
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.set_default_timeout(15_000)
    yield page
    assert page.errors == []


def accessible(page):
    """No axe-core violation of level A or AA."""
    options = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
    violations = Axe().run(page, options=options).response["violations"]
    assert [(v["id"], [node["html"][:200] for node in v["nodes"]][:3]) for v in violations] == []


def upright(page):
    """Nothing is wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def start(page, site, game):
    page.goto(site)
    accessible(page)
    upright(page)
    page.get_by_role("link", name=f"Start a roster for {game}").click()
    page.get_by_label("Name").fill("Łódź 龍 & Søn")
    accessible(page)
    page.get_by_role("button", name="Start building").click()
    page.wait_for_url("**/r/**")
    accessible(page)


def add(page, noun):
    page.get_by_role("link", name=re.compile(f"^Add an? {noun}")).first.click()


def each(page, points):
    """The live receipt comes to this price."""
    page.locator(f'#preview .total [data-points="{points}"]').wait_for()
    last = page.locator("#preview .receipt tr:last-child [data-points]")
    assert last.get_attribute("data-points") == points


def save(page, button="Add to"):
    accessible(page)
    upright(page)
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(button)).first.click()


def legal(page, points):
    """The roster page says so, and so does a fresh appraisal of what was saved."""
    page.locator(f'.summary [data-points="{points}"]').wait_for()
    assert page.locator(".summary").get_by_text("Legal", exact=True).is_visible()
    assert page.locator('[data-severity="error"]').count() == 0
    accessible(page)
    upright(page)
    token = re.search(r"/r/([\w-]+)/", page.url)[1]
    found = standing.worked_out(standing.document_of(Roster.objects.get(token=token))).appraisal
    assert found.legal
    assert (found.name, str(found.points)) == ("Łódź 龍 & Søn", points)


def test_a_squadron_of_minimal_space_combat(site, window):
    start(window, site, "Minimal Space Combat")
    add(window, "ship")
    window.locator('[name="name"]').fill("Ship 3")
    window.get_by_label("ENGINE").fill("4")
    window.get_by_label("SHIELD").fill("4")
    window.get_by_label("TO-HIT").fill("5")
    each(window, "19")  # 4 + 4 + 5, and three weapons at 2
    for side in ("FL", "FR"):
        window.locator(f'[name="weapons"][value="{side}"]').uncheck()
    each(window, "15")  # the book's third ship
    window.get_by_label("Quantity").fill("35")
    save(window)
    legal(window, "525")


def test_a_warband_of_vsgmr(site, window):
    start(window, site, "VSGMR")
    add(window, "figure")
    window.locator('[name="name"]').fill("Thane")
    window.locator('[name="kind"][value="hero"]').check()
    each(window, "2")
    window.get_by_label("Commander").check()
    window.locator('[name="traits"][value="tough"]').check()
    each(window, "4")  # as the book prints the Thane
    save(window, "Add, and another")
    window.locator('[name="name"]').fill("Guard")
    window.locator('[name="kind"][value="hero"]').check()
    window.locator('[name="armor"]').select_option("heavy")
    window.locator('[name="traits"][value="tough"]').check()
    window.get_by_label("Quantity").fill("3")
    each(window, "6")
    save(window)
    legal(window, "22")


def test_an_army_of_6mm(site, window):
    start(window, site, "6MM")
    add(window, "stand")
    window.locator('[name="name"]').fill("Sherman")
    window.locator('[name="type"]').select_option("TNK")
    window.locator('[name="armour"]').select_option("medium")
    window.locator('[name="gun"]').select_option("breech-loader-79")
    each(window, "9")  # the rulebook's example: 6 + 3
    window.get_by_label("Quantity").fill("2")
    save(window, "Add, and another")
    window.locator('[name="name"]').fill("General")
    window.locator('[name="type"]').select_option("CAV/U")
    window.locator('[name="general"]').select_option("competent")
    each(window, "6")  # 5 + 1
    save(window)
    legal(window, "24")


def test_a_unit_of_mini_combat(site, window):
    start(window, site, "Mini Combat")
    add(window, "element")
    window.locator('[name="name"]').fill("Rifle squad")
    for name, value in (("movement", "10"), ("range", "20"), ("power", "3"), ("armor", "1")):
        window.locator(f'[name="{name}"]').fill(value)
    for name, value in (("to_hit", "4"), ("save", "6"), ("morale", "4")):
        window.locator(f'[name="{name}"]').select_option(value)
    each(window, "20")  # (2 + 4 + 1 + 3 + 1) x 3 x 3 / 5 = 19.8
    receipt = window.locator("#preview .receipt").first
    wide = window.viewport_size["width"] >= 992
    assert receipt.is_visible() == wide, "on a phone it would lie over the form"
    window.locator("#preview summary").first.click()
    window.locator('input[name="capabilities"][value="SS"], input[name="has_SS"]').first.check()
    each(window, "25")  # 19.8 x 1.25 = 24.75
    assert receipt.is_visible() != wide, "it stays as it was put"
    window.get_by_label("Quantity").fill("10")
    save(window)
    legal(window, "250")


def test_a_detachment_of_urutsk_minis(site, window):
    start(window, site, "URUTSK minis")
    add(window, "figure")
    window.locator('[name="name"]').fill("Captain")
    window.locator('[name="fate"]').fill("0")
    window.locator('#preview [data-code="fate-below-one"]').wait_for()
    window.locator('[name="fate"]').fill("4")
    window.locator('#preview [data-code="fate-below-one"]').wait_for(state="detached")
    window.locator('[name="command"]').check()
    save(window)
    assert window.locator('[data-severity="error"], [data-severity="warning"]').count() == 0
    accessible(window)


# ---------------------------------------------------------------- the rest of the builder


@pytest.fixture
def dwarves(site, page):
    """The Dwarves, as this browser's own."""
    page.goto(site + "/s/" + Roster.objects.get(sample="vsgmr/dwarves").token)
    page.get_by_role("button", name="Use as a start").click()
    page.wait_for_url("**/r/**")
    return page


def test_a_number_changed_in_place_is_saved_at_once_and_undone_by_one_click(dwarves):
    total = dwarves.locator(".summary .total [data-points]")
    assert total.get_attribute("data-points") == "28"
    dwarves.get_by_label("Number of Guard").fill("2")
    dwarves.get_by_label("Number of Guard").press("Tab")
    dwarves.locator('.summary [data-points="22"]').wait_for()
    dwarves.locator(".notice").get_by_role("button", name="Undo").click()
    dwarves.locator('.summary [data-points="28"]').wait_for()


def test_a_deleted_element_comes_back(dwarves):
    dwarves.get_by_role("button", name="Delete Thane").click()
    dwarves.locator('[data-code="no-commander"]').wait_for()
    dwarves.get_by_role("button", name="Undo").first.click()
    dwarves.locator('[data-code="no-commander"]').wait_for(state="detached")
    assert dwarves.get_by_role("link", name="Thane", exact=True).is_visible()


def test_a_receipt_opens_on_the_price(dwarves):
    dwarves.get_by_title("Why 6?").last.click()
    dwarves.locator(".receipt").wait_for()
    assert dwarves.locator(".receipt").count() == 1
    assert "?receipt=" in dwarves.url


def test_everything_works_without_javascript(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "/new/msc")
    page.get_by_label("Name").fill("Plain")
    page.get_by_role("button", name="Start building").click()
    page.get_by_role("link", name=re.compile("^Add a ship")).first.click()
    page.get_by_label("Name").fill("Ship")
    page.get_by_label("ENGINE").fill("5")
    page.get_by_role("button", name="Show BP").click()
    assert page.locator("#preview .total [data-points]").get_attribute("data-points") == "17"
    page.get_by_role("button", name=re.compile("^Add to")).click()
    page.get_by_label("Number of Ship").fill("4")
    page.get_by_role("button", name="Save the numbers").click()
    assert page.locator(".summary .total [data-points]").get_attribute("data-points") == "68"
    context.close()


def test_the_read_only_page_prints_as_a_plain_list(site, page):
    page.goto(site + "/s/" + Roster.objects.get(sample="6mm/rommel").token)
    page.emulate_media(media="print")
    assert page.get_by_role("heading", name="Rommel's Afrika Korps").is_visible()
    assert not page.get_by_role("button", name="Use as a start").is_visible()
    assert not page.locator("header.site").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_public_page_is_accessible_and_fits_a_phone(site, page, scheme):
    page.set_viewport_size(WINDOWS["phone"])
    page.emulate_media(color_scheme=scheme)
    shared = "/s/" + Roster.objects.get(sample="mini-combat/second-world-war").token
    for path in (
        "/",
        "/books/",
        "/errata/",
        "/explain/mini-combat",
        "/new/vsgmr",
        shared,
        *([f"{shared}?receipt=all", "/404"] if scheme == "light" else []),
    ):
        page.goto(site + path)
        accessible(page)
        upright(page)


def test_two_thousand_elements_still_open(site, page, client):
    from rosters import changes, registry
    from tests.support import roster as data

    many = data("msc", [{"engine": 3, "shield": 3}] * 2000)
    made = changes.create(registry.read(many)).roster
    page.goto(f"{site}/s/{made.token}")
    assert page.locator("tbody tr").count() == 2000


NAMED_ELSEWHERE = {"save", "again", "show", "formation", "element"}
NAMED_ELSEWHERE |= {"restore", "clear", "next-turn", "last-turn", "replace-address"}


def test_the_builder_has_no_dead_buttons():
    """Every action that a template names is one that the view knows."""
    from rosters.views.builder import ACTIONS

    pages = [path.read_text() for path in Path("templates/rosters").glob("*.html")]
    named = {verb for page in pages for verb in re.findall(r'name="do" value="([a-z-]+)', page)}
    assert named - set(ACTIONS) == NAMED_ELSEWHERE
