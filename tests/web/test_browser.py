"""Pages in a real Chromium, most of them on a phone: built, looked back at, shared, printed and played by hand."""

import json
import re
from pathlib import Path

import pytest

from rosters.core import documents
from rosters.models import Roster
from tests.browsing import follow, press, sound, total
from tests.people import PASSWORD, SHIP, Person, army, document_of, token_in
from tests.support import appraise, roster

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESKTOP = {"width": 1440, "height": 900}

# ---------------------------------------------------------------- a stranger builds a legal roster from nothing


def start(page, game):
    page.goto("/")
    follow(page, f"Start a roster for {game}")
    page.get_by_label("Name").fill("Łódź 龍 & Søn")
    press(page, "Start building")
    page.get_by_role("link", name=re.compile("^Add an? ")).first.click()


def each(page, points):
    """The live receipt comes to this price."""
    page.locator(f'#preview .total [data-points="{points}"]').wait_for()
    last = page.locator("#preview .receipt tr:last-child [data-points]")
    assert last.get_attribute("data-points") == points


def save(page, button="Add to"):
    sound(page)
    press(page, re.compile(button))


def legal(page, points):
    """The roster page says so, and so does a fresh appraisal of what was saved."""
    total(page, points)
    assert page.locator('[data-severity="error"]').count() == 0
    sound(page)
    saved = document_of(Roster.objects.get(token=token_in(page.url)))
    found = appraise(documents.write(saved))
    assert (found.legal, found.name, str(found.points)) == (True, "Łódź 龍 & Søn", points)


def test_a_squadron_of_minimal_space_combat(page):
    start(page, "Minimal Space Combat")
    page.locator('[name="name"]').fill("Ship 3")
    for name, value in (("ENGINE", "4"), ("SHIELD", "4"), ("TO-HIT", "5")):
        page.get_by_label(name).fill(value)
    each(page, "19")  # 4 + 4 + 5, and three weapons at 2
    for side in ("FL", "FR"):
        page.locator(f'[name="weapons"][value="{side}"]').uncheck()
    each(page, "15")  # the book's third ship
    page.get_by_label("Quantity").fill("35")
    save(page)
    legal(page, "525")


def test_a_warband_of_vsgmr(page):
    start(page, "VSGMR")
    page.locator('[name="name"]').fill("Thane")
    page.locator('[name="kind"][value="hero"]').check()
    each(page, "2")
    page.get_by_label("Commander").check()
    page.locator('[name="traits"][value="tough"]').check()
    each(page, "4")  # as the book prints the Thane
    save(page, "Save and add another")
    page.locator('[name="name"]').fill("Guard")
    page.locator('[name="kind"][value="hero"]').check()
    page.locator('[name="armor"]').select_option("heavy")
    page.locator('[name="traits"][value="tough"]').check()
    page.get_by_label("Quantity").fill("3")
    each(page, "6")
    save(page)
    legal(page, "22")


def test_an_army_of_6mm(page):
    start(page, "6MM")
    page.locator('[name="name"]').fill("Sherman")
    page.locator('[name="type"]').select_option("TNK")
    page.locator('[name="armour"]').select_option("medium")
    page.locator('[name="gun"]').select_option("breech-loader-79")
    each(page, "9")  # the rulebook's example: 6 + 3
    page.get_by_label("Quantity").fill("2")
    save(page, "Save and add another")
    page.locator('[name="name"]').fill("General")
    page.locator('[name="type"]').select_option("CAV/U")
    page.locator('[name="general"]').select_option("competent")
    each(page, "6")  # 5 + 1
    save(page)
    legal(page, "24")


@pytest.mark.parametrize("wide", [False, True])
def test_a_unit_of_mini_combat(page, wide):
    if wide:
        page.set_viewport_size(DESKTOP)
    start(page, "Mini Combat")
    page.locator('[name="name"]').fill("Rifle squad")
    for name, value in (("movement", "10"), ("range", "20"), ("power", "3"), ("armor", "1")):
        page.locator(f'[name="{name}"]').fill(value)
    for name, value in (("to_hit", "4"), ("save", "6"), ("morale", "4")):
        page.locator(f'[name="{name}"]').select_option(value)
    each(page, "20")  # (2 + 4 + 1 + 3 + 1) x 3 x 3 / 5 = 19.8
    receipt = page.locator("#preview .receipt").first
    receipt.wait_for(state="visible" if wide else "hidden")  # on a phone it would lie over the form
    page.locator("#preview summary").first.click()
    page.locator('input[name="capabilities"][value="SS"], input[name="has_SS"]').first.check()
    each(page, "25")  # 19.8 x 1.25 = 24.75
    receipt.wait_for(state="hidden" if wide else "visible")  # it stays as it was put
    page.get_by_label("Quantity").fill("10")
    save(page)
    legal(page, "250")


def test_a_detachment_of_urutsk_minis(page):
    start(page, "URUTSK minis")
    page.locator('[name="name"]').fill("Captain")
    page.locator('[name="fate"]').fill("0")
    page.locator('#preview [data-code="fate-below-one"]').wait_for()
    page.locator('[name="fate"]').fill("4")
    page.locator('#preview [data-code="fate-below-one"]').wait_for(state="detached")
    page.locator('[name="command"]').check()
    save(page)
    assert page.locator('[data-severity="error"], [data-severity="warning"]').count() == 0
    sound(page)


# ---------------------------------------------------------------- the owner's roster


def own(page, made_by):
    """Open a roster's builder in this browser by its edit link."""
    page.goto(made_by.edit_link)
    page.wait_for_url("**/r/**")
    return page


@pytest.fixture
def dwarves(page):
    """The Dwarves: 28 points, three Guards at 6."""
    return own(page, Person().use())


def test_a_number_is_saved_in_place_a_deleted_element_comes_back_and_a_receipt_opens_on_the_price(dwarves):
    total(dwarves, 28)
    dwarves.get_by_label("Quantity of Guard").fill("2")
    dwarves.get_by_label("Quantity of Guard").press("Tab")
    total(dwarves, 22)
    dwarves.locator(".notice").get_by_role("button", name="Undo").click()
    total(dwarves, 28)
    dwarves.get_by_label("Quantity of Guard").fill("some")
    dwarves.get_by_label("Quantity of Guard").press("Enter")
    dwarves.locator('[aria-invalid="true"]').wait_for()
    assert dwarves.get_by_label("Quantity of Guard").input_value() == "some"
    assert dwarves.url.partition("#")[0].endswith("/"), "a reload shows the page again"
    sound(dwarves)
    dwarves.get_by_label("Quantity of Guard").fill("3")
    dwarves.get_by_role("button", name="Delete Thane").click()
    dwarves.locator('[data-code="no-commander"]').wait_for()
    dwarves.get_by_role("button", name="Undo").first.click()
    dwarves.locator('[data-code="no-commander"]').wait_for(state="detached")
    dwarves.get_by_title("How 6 is priced").last.click()
    dwarves.locator(".receipt").wait_for()
    assert (dwarves.locator(".receipt").count(), "?receipt=" in dwarves.url) == (1, True)


def test_the_history_is_compared_and_restored(dwarves):
    builder = dwarves.url
    dwarves.get_by_label("Quantity of Guard").fill("5")
    dwarves.get_by_label("Quantity of Guard").press("Tab")
    total(dwarves, 40)
    dwarves.goto(builder.split("#")[0] + "history")
    sound(dwarves)
    press(dwarves, "Compare selected")
    assert {*dwarves.url.partition("?")[2].split("&")} == {"from=r1", "with=r2"}
    assert dwarves.locator("tr.differs").count() >= 1
    everything = dwarves.locator("table.compare tr").count()
    sound(dwarves)
    follow(dwarves, "Show differences only")
    assert dwarves.locator("table.compare tr").count() < everything
    dwarves.goto(builder.split("#")[0] + "history")
    press(dwarves, re.compile("^Restore"))
    total(dwarves, 28)


def test_a_box_is_marked_at_the_table_by_touch(site, browser):
    """A ship with a shield of three: each box is wide enough for a finger, and what is marked stays marked."""
    made = Person().make(roster("msc", [{**SHIP, "name": "Comet"}]))
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=site, **phone)
    page = own(context.new_page(), made)
    page.goto(f"/r/{made.token}/marks")
    boxes = page.locator('button[name="box"]')
    sizes = [boxes.nth(number).bounding_box() for number in range(boxes.count())]
    assert min(min(size["width"], size["height"]) for size in sizes) >= 24  # WCAG 2.2, 2.5.8
    boxes.first.tap()
    page.locator('button[name="box"][aria-pressed="true"]').first.wait_for()
    page.get_by_label("Next turn").tap()
    page.locator('[data-turn="1"]').wait_for()
    sound(page)
    page.reload()
    assert page.locator('button[name="box"][aria-pressed="true"]').count() == 1
    assert page.locator("[data-turn]").get_attribute("data-turn") == "1"
    context.close()


def test_the_print_page_draws_its_preview_anew_and_keeps_the_settings(dwarves):
    dwarves.goto(f"/s/{token_in(dwarves.url)}/print")
    sound(dwarves)
    image = dwarves.locator("#print-preview img")
    before = image.get_attribute("src")
    dwarves.locator('[name="paper"]').select_option("a5")
    dwarves.locator('#print-preview a[href*="paper=a5"]').wait_for()
    assert image.get_attribute("src") != before
    image.scroll_into_view_if_needed()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    press(dwarves, "Save as my default")
    dwarves.goto(f"/s/{token_in(dwarves.url)}/print")
    assert dwarves.locator('[name="paper"]').input_value() == "a5"


STOPS = "[...document.querySelectorAll('a, button, input, select, textarea, summary')].indexOf(document.activeElement)"
MARKED = """(s => s.outlineStyle != 'none' || s.boxShadow != 'none' || s.backgroundColor != 'rgba(0, 0, 0, 0)')
    (getComputedStyle(document.activeElement))"""


def test_the_keyboard_goes_through_the_builder_in_reading_order_and_can_be_seen(dwarves):
    dwarves.emulate_media(reduced_motion="reduce")  # what is focused is marked at once
    dwarves.reload()
    stops, seen = [], []
    for _ in range(30):
        dwarves.keyboard.press("Tab")
        stops.append(dwarves.evaluate(STOPS))
        seen.append(dwarves.evaluate(MARKED))
    assert stops[0] == 0, "the way past the menu comes first"
    assert stops == sorted({*stops})
    assert all(seen)
    dwarves.goto("/new/msc")
    dwarves.get_by_label("Name").focus()
    dwarves.keyboard.press("Control+a")
    dwarves.keyboard.type("By keyboard")
    with dwarves.expect_navigation():
        dwarves.keyboard.press("Enter")
    assert Roster.objects.get(token=token_in(dwarves.url)).name == "By keyboard"


# ---------------------------------------------------------------- coming and going


def test_rosters_are_imported_from_files_and_faults_are_told_in_their_place(page):
    page.goto("/import")
    sound(page)
    page.get_by_label("Or paste a roster").fill(json.dumps(roster("msc", [{**SHIP, "engine": "much"}])))
    press(page, "Import")
    assert page.locator(".notice-faults code").first.inner_text() == "formations/0/elements/0/engine"
    sound(page)
    files = [
        {"name": f"{name}.json", "mimeType": "application/json", "buffer": json.dumps(data).encode()}
        for name, data in (("one", roster("msc", [SHIP], name="One")), ("two", roster("vsgmr", [], name="Two")))
    ]
    page.get_by_label("Or paste a roster").fill("")
    page.get_by_label("Files").set_input_files(files)
    press(page, "Import")
    assert {*Roster.objects.filter(sample=None).values_list("name", flat=True)} == {"One", "Two"}


def test_an_account_takes_a_roster_along_to_another_browser(dwarves, browser, site):
    dwarves.goto("/new/msc")
    dwarves.get_by_label("Name").fill("Mine")
    press(dwarves, "Start building")
    token = token_in(dwarves.url)
    dwarves.goto("/account/signup/")
    sound(dwarves)
    dwarves.locator('[name="email"]').fill("anna@example.com")
    for name in ("password1", "password2"):
        dwarves.locator(f'[name="{name}"]').fill(PASSWORD)
    press(dwarves, "Sign up")
    assert dwarves.locator('[name="pick"]:checked').count() == 1, "what was lent is not offered"
    sound(dwarves)
    dwarves.locator("main form button.btn-primary").click()
    dwarves.wait_for_url("**/mine/**")
    dwarves.goto("/account/")
    sound(dwarves)
    context = browser.new_context(base_url=site)
    elsewhere = context.new_page()
    elsewhere.goto("/account/login/")
    elsewhere.locator('[name="login"]').fill("anna@example.com")
    elsewhere.locator('[name="password"]').fill(PASSWORD)
    press(elsewhere, "Sign in")
    assert elsewhere.goto(f"/r/{token}/").status == 200
    assert token_in(elsewhere.url) == token
    context.close()


def test_many_links_are_checked_on_one_page(page):
    good, bad = (Person().make(roster("msc", [SHIP], budget=budget)) for budget in (15, 14))
    page.goto("/check")
    sound(page)
    page.get_by_label("Share links, one per line").fill(f"/s/{good.token}\n/s/{bad.token}\nnonsense")
    press(page, "Check")
    assert page.locator("table.checked .finding.error").count() == 2
    assert page.locator("table.checked .ok").count() == 1
    sound(page)
    with page.expect_download() as found:
        page.get_by_role("button", name="Download CSV").first.click()
    assert len(Path(found.value.path()).read_text().splitlines()) == 4


def test_everything_works_without_javascript(site, browser):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto("/new/msc")
    page.get_by_label("Name").fill("Plain")
    page.get_by_role("button", name="Start building").click()
    page.get_by_role("link", name=re.compile("^Add a ship")).first.click()
    page.get_by_label("Name").fill("Ship")
    page.get_by_label("ENGINE").fill("5")
    page.get_by_role("button", name="Show BP").click()
    assert page.locator("#preview .total [data-points]").get_attribute("data-points") == "17"
    page.get_by_role("button", name=re.compile("^Add to")).click()
    page.get_by_label("Quantity of Ship").fill("4")
    page.get_by_role("button", name="Save quantities").click()
    assert page.locator(".summary .total [data-points]").get_attribute("data-points") == "68"
    page.get_by_label("Quantity of Ship").fill("2")
    page.get_by_role("button", name="Duplicate Ship").click()
    assert page.locator(".summary .total [data-points]").get_attribute("data-points") == "68"
    assert page.get_by_label("Quantity of Ship").count() == 2
    context.close()


# ---------------------------------------------------------------- pages that are only read


def test_the_read_only_page_prints_as_a_plain_list_and_holds_two_thousand_elements(page):
    page.goto(f"/s/{army('6mm/rommel').token}")
    page.emulate_media(media="print")
    assert page.get_by_role("heading", name="Rommel's Afrika Korps").is_visible()
    assert not page.get_by_role("button", name="Copy roster").is_visible()
    assert not page.locator("header.site").is_visible()
    page.emulate_media(media="screen")
    page.goto(f"/s/{Person().make(roster('msc', [SHIP] * 2000)).token}")
    assert page.locator("tbody tr").count() == 2000


PAGES = ["/", "/books/", "/errata/", "/mine/", "/battle/new", "/explain/mini-combat", "/new/vsgmr", "/404"]
PAGES += ["/account/login/", "/account/password/reset/", "{}", "{}?receipt=all", "{}/compare"]
BARE = ["/explain/vsgmr", "/new/6mm", "{}/history", "{}.json", "{}/qr.svg", "{}.png", "{}.txt"]


def test_every_public_page_is_accessible_fits_a_phone_and_keeps_the_content_policy(page):
    shared = f"/s/{army('mini-combat/second-world-war').token}"
    for scheme, paths in (("light", PAGES), ("dark", ["/", "/new/vsgmr", "{}"])):
        page.emulate_media(color_scheme=scheme)
        for path in paths:
            page.goto(path.format(shared))
            sound(page)
    for path in BARE:
        page.goto(path.format(shared))
    page.goto("/api/")
    page.locator(".opblock").first.wait_for()  # drawn by ninja's own script


def test_the_builders_pages_keep_the_content_policy(dwarves):
    builder = dwarves.url.split("#")[0]
    for part in ("element", "formation", "settings", "sharing", "marks", "add"):
        dwarves.goto(builder + part)


def test_the_admin_keeps_the_content_policy(page, operator):
    page.goto("/admin/")
    page.locator("#id_username").fill("keeper")
    page.locator("#id_password").fill("a long password 7")
    press(page, "Log in")
    for address in ("rosters/roster/", "rosters/capability/", "auth/user/", "auth/user/add/"):
        page.goto(f"/admin/{address}")
    page.goto("/admin/auth/user/")
    follow(page, "keeper")
    page.locator(".selector-available").first.wait_for()  # made by the admin's own script
