"""Pages in a real Chromium, most of them on a phone: built, looked back at, shared, printed and played by hand."""

import re
from functools import partial

import pytest

from rosters.core import documents
from rosters.models import Roster
from rosters.store import shelf
from tests.browsing import assert_accessible, assert_fits, follow, open_builder, press, use_cookies_of, wait_for_total
from tests.people import SHIP, Person, change_element, document_of, element_ids, sample_roster, token_in, url_of
from tests.support import appraise, roster_data

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STEPS = [  # what is filled in, step by step, and the price of the element that is then shown
    ({"name": "Thane", "kind=hero": True}, 2),
    ({"commander": True, "traits=tough": True}, 4),  # as the book prints the Thane
    ({"name": "Guard", "kind=hero": True, "armor=heavy": True, "traits=tough": True, "quantity": "3"}, 6),
]


def start(page, game):
    page.goto("/")
    follow(page, f"New roster for {game}")
    page.get_by_label("Name").fill("Łódź 龍 & Søn")
    page.get_by_text("Other points limit").click()
    page.keyboard.type("25")  # its field has the focus
    press(page, "Create roster")
    page.get_by_role("link", name=re.compile("^Add ")).first.click()


def fill(page, fields):
    """Fill in fields by name: "weapons=F" is the box of that value."""
    for name, value in fields.items():
        attribute, _, option = name.partition("=")
        field = page.locator(f'[name="{attribute}"]' + (f'[value="{option}"]' if option else ""))
        if isinstance(value, bool):
            field.evaluate("field => field.closest('details')?.setAttribute('open', '')")
            field.set_checked(value)
        elif field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def priced(page, points):
    """The live receipt comes to this price."""
    page.locator(f'#preview .total [data-points="{points}"]').wait_for()
    assert page.locator("#preview .receipt tr:last-child [data-points]").get_attribute("data-points") == str(points)


def test_a_legal_roster_is_built_beside_live_receipts(page):
    """In the panel over it. The roster's page says its points, and so does a fresh appraisal of what was saved.

    One button is the primary one, Share or Add, the same after the page is loaded anew.
    """
    start(page, "VSGMR")
    for number, (fields, price) in enumerate(STEPS):
        if number and "name" in fields:
            page.get_by_role("button", name="Save and add another").click()
            page.get_by_role("status").filter(has_text=re.compile("^Added")).wait_for()
        fill(page, fields)
        priced(page, price)
    assert_accessible(page)
    page.get_by_role("button", name="Save", exact=True).click()
    wait_for_total(page, 22)
    assert page.locator('[data-severity="error"]').count() == 0
    counters = page.locator("#grid use").evaluate_all("uses => uses.map(use => use.getAttribute('href'))")
    assert all(page.locator(f".roster-page {each}, .sprite > {each}").count() for each in counters), "in each row"
    colors = """[...document.querySelectorAll('.share > .btn, .quick-line > .btn:last-child')]
        .map(button => getComputedStyle(button).backgroundColor)"""
    live = page.evaluate(colors)
    page.reload()
    assert (len(set(live)), page.evaluate(colors)) == (2, live)
    found = appraise(documents.write(document_of(Roster.objects.get(token=token_in(page.url)))))
    assert (found.legal, found.name, found.points) == (True, "Łódź 龍 & Søn", 22)


@pytest.fixture
def dwarves(page):
    """The Dwarves: 28 points, three Guards at 6."""
    return open_builder(page, Person().copy_sample())


def open_row(page, name):
    """Open the row of an element on a phone; the line under it."""
    row = page.locator("#grid tr[id]").filter(has_text=name).first
    row.locator(".sum").click()
    return page.locator(f"#{row.get_attribute('id')} + .opened")


def test_a_number_is_saved_in_place_and_a_deleted_element_comes_back(dwarves):
    guards = dwarves.get_by_label("Quantity of Guard")
    wait_for_total(dwarves, 28)
    guards.fill("2")
    guards.press("Tab")
    wait_for_total(dwarves, 22)
    dwarves.get_by_role("button", name="Undo").first.click()
    wait_for_total(dwarves, 28)
    guards.fill("some")
    guards.press("Enter")
    dwarves.locator('[aria-invalid="true"]').wait_for()
    assert guards.input_value() == "some"
    assert dwarves.url.partition("#")[0].endswith("/"), "a reload shows the page again"
    assert_accessible(dwarves)
    guards.fill("1")
    dwarves.route("**/cell", lambda route: (route.fetch(), route.abort("internetdisconnected")), times=1)
    line = open_row(dwarves, "Guard")
    for _ in range(3):  # each counts, although the answer to the first number is lost
        line.get_by_role("button", name="One more").click()
    wait_for_total(dwarves, 34)
    line = open_row(dwarves, "Thane")
    line.locator("summary").click()
    line.get_by_role("button", name="Delete Thane").click()
    dwarves.locator('[data-code="no-commander"]').wait_for()
    assert dwarves.evaluate("document.activeElement.tagName") == "TH", "that of the next row"
    dwarves.evaluate("scrollTo(0, document.body.scrollHeight)")
    dwarves.locator(".at-end").wait_for(state="attached")
    message, entry = dwarves.locator("#messages .notice").bounding_box(), dwarves.locator(".quick").bounding_box()
    assert message["y"] + message["height"] <= entry["y"], "at the end of the page too"
    dwarves.keyboard.press("Control+z")
    dwarves.locator('[data-code="no-commander"]').wait_for(state="detached")


def test_a_receipt_opens_in_place_and_keeps_the_focus(dwarves):
    open_row(dwarves, "Guard").get_by_title("How this is priced").click()
    dwarves.locator(".receipt").wait_for()
    assert (dwarves.locator(".receipt").count(), "?receipt=" in dwarves.url) == (1, True)
    assert dwarves.locator(".unsaved").count() == 0
    assert dwarves.evaluate("document.activeElement.title") == "How this is priced"
    dwarves.goto(dwarves.url.partition("?")[0])
    dwarves.evaluate("window.isStill = true")
    line = open_row(dwarves, "Guard")
    line.locator("summary").click()
    line.locator(".menu a").click()
    dwarves.locator(".receipt").wait_for()
    assert dwarves.evaluate("[window.isStill, document.activeElement.tagName]") == [True, "TH"]


def test_a_change_in_the_history_opens_its_comparison(dwarves):
    dwarves.get_by_label("Quantity of Guard").fill("2")
    dwarves.get_by_label("Quantity of Guard").press("Tab")
    wait_for_total(dwarves, 22)
    dwarves.goto(f"/r/{token_in(dwarves.url)}/history")
    follow(dwarves, "Changes")
    last = Roster.objects.get(sample=None).revision
    assert {*dwarves.url.partition("?")[2].split("&")} == {f"from=r{last - 1}", f"with=r{last}", "only=1"}
    assert_accessible(dwarves)


def fail(page, how):
    """Let every POST of a page fail: without a network, or with the answer of a server that is down."""
    page.context.set_offline(how == "offline")
    if how == "broken":
        page.route("**", lambda route: route.fulfill(status=503, body="<main><h1>Down</h1></main>")
                   if route.request.method == "POST" else route.continue_())  # fmt: skip


@pytest.mark.parametrize("how", ["offline", "broken"])
def test_what_was_typed_stays_until_it_is_saved_when_a_request_fails(context, how):
    """In the page and after a reload, for the builder's quantities and for a form; both say so beside the control."""
    roster = Person().create(roster_data("msc", [{**SHIP, "name": "Comet"}]))
    page = open_builder(context.new_page(), roster)
    note = page.get_by_role("alert").filter(has_text="Not saved")
    quantity = page.locator(".quantity")
    quantity.wait_for()
    fail(page, how)
    quantity.fill("4")
    assert "unsaved" in quantity.get_attribute("class")
    page.keyboard.press("Tab")
    page.locator("tr").filter(has=note).wait_for()
    assert ("unsaved" in quantity.get_attribute("class"), quantity.input_value()) == (True, "4")
    context.set_offline(False)
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    wait_for_total(page, 60)
    page.reload()
    quantity.wait_for()
    assert page.get_by_role("alert").count() == 0  # nothing is left to fill in
    a_form_stays_filled_in(page, roster, note, how)


def a_form_stays_filled_in(page, roster, note, how):
    """Beside what says that it is not saved, and after each reload until it is."""
    form = f"/r/{roster.token}/element?id={document_of(roster).formations[0].elements[0].id}"
    page.goto(form)
    fail(page, how)
    fill(page, {"name": "Meteor", "engine": "5"})
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".addbar").filter(has=note).wait_for()
    assert_fits(page)
    page.context.set_offline(False)
    page.unroute_all()
    for _ in range(2):
        page.reload()
        page.get_by_role("alert").wait_for()
        assert [page.locator(f'[name="{name}"]').input_value() for name in ("name", "engine")] == ["Meteor", "5"]
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    page.goto(form)
    page.locator("#preview").wait_for()
    assert page.get_by_role("alert").count() == 0
    assert page.locator('[name="name"]').input_value() == "Meteor"


TYPED = {
    "mini-combat": (
        "Rifles Tab 6 Tab Tab Tab ArrowUp Tab 3 Tab 40 Tab Tab ArrowUp Tab 12",  # past kind and command, then save
        {"quantity": 6, "kind": "infantry", "movement": 15, "to_hit": 3, "range": 40, "power": 3, "armor": 12},
    ),
    "6mm": (
        "Cannon Tab 2 Tab ART Tab rif Tab ArrowRight",
        {"quantity": 2, "type": "ART", "quality": "good", "gun": "rifled-muzzle-loader"},
    ),
    "msc": (
        "Raider Tab Tab 4 Tab ArrowUp Tab ArrowDown Tab Tab Space",  # the weapon at the left
        {"engine": 4, "shield": 4, "to_hit": 2, "weapons": ["F", "FR"]},
    ),
    "vsgmr": ("Chief Tab Tab ArrowRight Tab-to-commander Space", {"kind": "hero", "commander": True}),  # from troop
    "urutsk": (
        "Scout Tab 3 Tab ArrowUp Tab 4 Tab Tab 3 Tab ArrowRight Tab Space",
        {"quantity": 3, "ranged": 2, "close": 4, "fate": 3, "fire": "autofire", "poor_condition": True},
    ),
}
"""The keys of a new element's form in each game, from its name on, and what is saved of it."""
NAMED_KEYS = ("Tab", "Space", "ArrowUp", "ArrowDown", "ArrowRight")


@pytest.mark.parametrize("system", TYPED)
def test_what_is_typed_by_keyboard_is_what_is_saved(page, system):
    """Two elements, in a panel over the builder: the arrows step as the buttons do, which are no stops of Tab."""
    keys, expected = TYPED[system]
    roster = Person().create(roster_data(system, []))
    open_builder(page, roster)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    page.locator(".first-steps a").first.press("Enter")
    page.locator('#editor-panel [name="name"]:focus').wait_for()
    for key in keys.split():
        if key.startswith("Tab-to-"):  # past the dice, which are drawn anew at any time
            for _ in range(6):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.name") == key.removeprefix("Tab-to-"):
                    break
        elif key in NAMED_KEYS:
            page.keyboard.press(key)
        else:
            page.keyboard.type(key, delay=60)
        assert page.evaluate("document.activeElement.name"), key
    place = page.locator('#editor-panel [name="name"]').bounding_box()
    page.keyboard.press("Control+Shift+Enter")
    page.locator("#editor-panel .notice").wait_for()
    page.locator('#editor-panel [name="name"]:focus').wait_for()
    assert page.locator('#editor-panel [name="name"]').bounding_box() == place, "the notice moves nothing"
    page.keyboard.type("Next")
    page.locator("#editor-panel .main-column").click(position={"x": 3, "y": 3})  # takes the focus from the field
    page.keyboard.press("Control+Enter")
    page.locator("#grid th a:focus").get_by_text("Next").wait_for()
    saved, following = documents.write(document_of(roster))["formations"][0]["elements"]
    assert (saved["name"], following["name"]) == (keys.split()[0], "Next")
    assert {name: saved.get(name) for name in expected} == expected


HIDDEN = """new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)).then(() => {
    const bar = document.querySelector(".editor-side");
    const [f, b] = [document.activeElement, bar].map(each => each.getBoundingClientRect());
    return f.top < -1 || !bar.contains(document.activeElement) && f.bottom > b.top + 1 && f.top < b.bottom })"""
"""Whether what has the focus is covered, after the frame in which the page scrolls to it."""


@pytest.mark.parametrize("system", ["mini-combat", "vsgmr"])
def test_the_form_of_a_new_element_is_short_and_its_bar_hides_no_field(page, system):
    """Of the games whose forms are longest."""
    roster = Person().create(roster_data(system, []))
    open_builder(page, roster)
    page.emulate_media(reduced_motion="reduce")
    for width, height, most in ((1280, 900, 900 if system == "mini-combat" else 1000), (360, 780, 1500)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/r/{roster.token}/element?in={roster.formations.get().uid}")
        assert page.evaluate("document.documentElement.scrollHeight") <= most
        assert page.locator("#plot[open]").count() == (width == 1280), "folded on phones"
    page.locator('[name="name"]').focus()
    stops = 0
    while page.evaluate("document.activeElement.closest('#element-form') !== null"):
        assert not page.evaluate(HIDDEN), page.evaluate("document.activeElement.outerHTML")
        page.keyboard.press("Tab")
        stops += 1
    assert stops >= 8


def test_errors_are_at_the_field_while_one_types_and_abilities_are_searched_by_keyboard(page):
    roster = Person().create(roster_data("mini-combat", []))
    open_builder(page, roster)
    page.goto(f"/r/{roster.token}/element?in={roster.formations.get().uid}")
    priced(page, 14)  # (2 + 3 + 1 + 2 + 0) x 3 x 3 / 5 = 14.4
    for typed, wrong in (("12.5", True), ("-5", True), ("", True), ("10", False)):
        page.locator('[name="movement"]').fill(typed)
        page.locator('[name="movement"][aria-invalid="true"]').wait_for(state="attached" if wrong else "detached")
        page.locator("#preview .waits").wait_for(state="visible" if wrong else "hidden")
        assert (page.locator("[data-each]").inner_text() == "–") == wrong
    priced(page, 14)
    for typed in (("", ""), ("10", "15")):
        fill(page, dict(zip(("movement", "range"), typed, strict=True)))
        page.locator("#preview .waits").filter(has_text="2").wait_for(state="detached" if all(typed) else "visible")
    priced(page, 14)
    page.get_by_role("combobox", name="Search").focus()
    for typed, found in (
        ("10cm area", "10c"),
        ("10-CM AREA", "10c"),
        ("jumppack", "Fly"),
        ("deployment hid", "St"),
        ("zzz", None),
    ):
        page.keyboard.type(typed)
        options = page.locator("#picks [role=option]").evaluate_all(
            "all => all.map(({choice}) => choice.control.value)"
        )
        assert (options[:1], bool(page.locator("[data-none]").inner_text())) == ([found] * bool(found), not found)
        page.keyboard.press("Control+a")
    page.keyboard.type("indir")
    page.keyboard.press("Enter")
    priced(page, 18)  # 14.4 x 1.25
    page.locator(".chosen label").first.click()
    page.locator(".chosen .form-text").wait_for()  # it says what it does, and stays selected
    page.locator('[data-stat="power"] .step').last.click()
    priced(page, 20)  # (2 + 3 + 1 + 3 + 0) x 9 / 5 x 1.25 = 20.25
    assert page.locator('.chosen [name="capabilities"]').get_attribute("value") == "IF"


def test_what_a_new_stand_lacks_is_an_error_once_its_field_was_left(page):
    roster = Person().create(roster_data("6mm", []))
    open_builder(page, roster)
    page.goto(f"/r/{roster.token}/element?in={roster.formations.get().uid}")
    page.locator('[name="type"]').select_option("ART")
    page.locator("#id_gun_finding.early").wait_for()
    page.locator('[name="gun"]').focus()
    page.keyboard.press("Tab")
    page.locator("#id_gun_finding:not(.early)").wait_for()
    page.reload()
    page.locator('[name="type"]').select_option("ART")
    page.locator("#id_gun_finding.early").wait_for()
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#id_gun_finding:not(.early)").wait_for()


def test_a_button_of_a_row_keeps_its_focus_and_the_place_of_the_page(dwarves):
    """Moved, duplicated and deleted with the page scrolled; the focus goes to the next row where its own is gone.

    And a button that is pressed while a number is typed does its work and saves the number.
    """
    dwarves.set_viewport_size({"width": 1280, "height": 300})
    dwarves.evaluate("scrollTo(0, 500)")
    for name, after, done in (
        ("Move Runepriest up", "Move Runepriest up", "Moved up Runepriest"),
        ("Duplicate Runepriest", "Duplicate Runepriest", "Duplicated Runepriest"),
        ("Delete Thane", "Delete Guard", "Deleted Thane"),
    ):
        scrolled = dwarves.evaluate("scrollY")
        dwarves.get_by_role("button", name=name).first.evaluate("button => button.focus({preventScroll: true})")
        dwarves.keyboard.press("Enter")
        dwarves.get_by_text(f"{done}.").wait_for()
        dwarves.locator(f'[aria-label="{after}"]:focus').first.wait_for()
        assert abs(dwarves.evaluate("scrollY") - scrolled) <= 1
    guards = dwarves.get_by_label("Quantity of Guard")
    guards.fill("5")
    guards.press("Enter")
    dwarves.locator('.quantity[value="5"]:focus').wait_for()
    guards.fill("2")
    guards.locator("xpath=ancestor::tr").locator(".tools").hover()  # unfolds the buttons of the row
    dwarves.get_by_role("button", name="Duplicate Guard").first.hover()
    dwarves.mouse.down()
    dwarves.wait_for_timeout(300)  # as long as a press takes: a page replaced meanwhile would lose the click
    dwarves.mouse.up()
    dwarves.get_by_text("Duplicated Guard.").wait_for()
    wait_for_total(dwarves, 36)  # two Runepriests and twice two Guards, at 6 each


def change_one_cell(page, roster):
    """Type 5 as the ENGINE into a table that was shown before another browser changed it to 4."""
    page.goto(url_of(roster))
    change_element(roster, "Third", engine=4)
    page.locator('td[data-label="E"]').click()
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.locator(".conflict").wait_for()


def test_a_field_that_another_browser_has_changed_meanwhile_is_asked_about(page):
    """In the form, where "theirs" is put into the field and typing chooses one's own again, and in the table's cell."""
    other = Person()
    roster = other.create(roster_data("msc", [{**SHIP, "name": "Comet"}]))
    page.add_init_script("setInterval = () => 0")  # the page does not follow the other while it is typed in
    page.set_viewport_size({"width": 1280, "height": 720})
    open_builder(page, roster)
    page.goto(url_of(roster, f"element?id={element_ids(roster)[0][0]}"))
    change_element(roster, "Comet", name="First")
    save = page.get_by_role("button", name="Save", exact=True)
    name, mine, theirs = (page.get_by_label(label) for label in ("Name", "Keep mine", "Take theirs"))
    name.fill("Second")
    save.click()
    mine.wait_for()
    assert_accessible(page)
    theirs.check()
    assert name.input_value() == "First"
    mine.check()
    assert name.input_value() == "Second"
    theirs.check()
    name.fill("Third")
    assert mine.is_checked()
    with page.expect_navigation():
        save.click()
    assert document_of(roster).formations[0].elements[0].name == "Third"
    for chosen, now in (("Take theirs", "4"), ("Keep mine", "5")):
        change_one_cell(page, roster)
        page.get_by_role("button", name=chosen).click()
        page.locator(f'td[data-label="E"][data-v="{now}"]:not(.editing)').wait_for()
        change_element(roster, "Third", engine=3)
    other.post_to(roster, "line/add", line="Fourth E3 S3 T4")
    page.locator("#line").press_sequentially("Fifth E3 S3 T4\nSixth")
    page.locator("#grid tr[id]", has_text="Fourth").wait_for()
    assert (page.locator("#grid tr[id]").count(), page.locator("#line:focus").input_value()) == (3, "Sixth")


BAR_PLACES = "bar => [...bar.children].filter(each => each.matches('.btn, .turn')).map(each => each.offsetLeft)"


def read_rules(page):
    """Open the quick reference at a section, and go back."""
    page.get_by_role("link", name="Rules").tap()
    page.get_by_label("Quick reference").select_option("Victory")
    page.go_back()
    page.locator("dialog").wait_for(state="hidden")


def raise_speed(page):
    """Tap the SPEED of a ship with ENGINE 3 past its end to 1."""
    dial = page.get_by_role("button", name="SPEED")
    for speed in ("1", "2", "3", "0", "1"):
        dial.tap()
        assert dial.inner_text() == speed


def taps_without_a_network_are_kept(context, page, address):
    """They are shown at once as unsaved, can be undone, and are sent when the page is opened again in another tab."""
    boxes, marked = page.locator("button.mark"), page.locator('button.mark[aria-pressed="true"]')
    context.set_offline(True)
    page.get_by_role("button", name="Next turn").tap()
    page.get_by_role("alert").wait_for()
    boxes.nth(1).tap()
    page.get_by_role("button", name="Next turn").tap()
    raise_speed(page)
    boxes.nth(2).tap()
    page.get_by_role("button", name="Undo").tap()
    assert page.locator("#messages").inner_text() == "Undone: Comet, ENGINE 1"
    assert (marked.count(), page.locator("[data-turn]").get_attribute("data-turn")) == (2, "0")  # shown, but not saved
    assert page.locator(".mark.unsaved.on").count() == 1
    assert_accessible(page)
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(address)
    boxes, marked = page.locator("button.mark"), page.locator('button.mark[aria-pressed="true"]')
    page.locator('.play-bar[data-waiting=""] [data-turn="2"]').wait_for()
    page.reload()
    assert (marked.count(), page.locator("[data-turn]").get_attribute("data-turn")) == (2, "2")
    assert page.get_by_role("button", name="Comet, SPEED 1").count() == 1


def test_taps_are_saved_by_touch_and_none_is_lost_without_a_network(site, browser):
    """A ship with a shield of three: each box is wide enough for a finger, and what is marked stays marked."""
    roster = Person().create(roster_data("msc", [{**SHIP, "name": "Comet"}]))
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=site, **phone)
    page = open_builder(context.new_page(), Person().create(roster_data("msc", [])))
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto("/new/msc")
    page.get_by_role("button", name="Create roster").tap()  # which no label of a choice lies over
    page.wait_for_url("**/r/**")
    page.set_viewport_size(phone["viewport"])
    page.locator("#line").focus()  # by a script, as aids do: only the browser's own focus opens no keyboard
    page.keyboard.type("Meteor E3 S3 T4\n")
    page.locator("#grid tr[id]").wait_for()
    page.get_by_role("link", name="Add with the form").tap()
    page.locator("#editor-title:focus").wait_for()  # a field would open the keyboard
    page.goto("/")
    open_builder(page, roster)
    page.goto(f"/r/{roster.token}/marks")
    boxes = page.locator("button.mark")
    saved = page.locator('button.mark[aria-pressed="true"]:not([aria-busy])')
    sizes = [boxes.nth(number).bounding_box() for number in range(boxes.count())]
    bar = partial(page.locator(".play-bar").evaluate, BAR_PLACES)
    places = bar()  # nothing moves under the finger or the thumb
    assert min(min(size["width"], size["height"]) for size in sizes) >= 44  # WCAG 2.1, 2.5.5
    explained = page.locator("#messages .notice")
    explained.wait_for()
    boxes.nth(5).tap()
    page.locator("[data-alert]").first.wait_for()
    assert explained.count() == 0, "the alert stands in its place"
    assert ([boxes.nth(number).bounding_box() for number in range(boxes.count())], bar()) == (sizes, places)
    undo = page.get_by_role("button", name="Undo")
    undo.tap()
    page.locator("#messages", has_text="Undone: Comet, SHIELD 3, 2, 1").wait_for()
    page.locator("[data-alert]").first.wait_for(state="detached")
    read_rules(page)
    boxes.first.tap()
    saved.first.wait_for()
    taps_without_a_network_are_kept(context, page, f"/r/{roster.token}/marks")
    context.close()


def test_cards_without_damage_fold_to_a_line_until_they_are_tapped_and_stay_then(page):
    """Two stands of 6MM: the one that was opened does not fold under the finger when its damage is undone."""
    roster = Person().create(roster_data("6mm", [{"type": "WBD", "name": "First"}, {"type": "PKE"}]))
    open_builder(page, roster)
    page.goto(url_of(roster, "marks"))
    folded, boxes = page.locator(".stat-card.folded"), page.locator("button.mark:visible")
    page.get_by_role("button", name="Hide undamaged").click()
    assert (folded.count(), boxes.count()) == (2, 0)
    assert_accessible(page)
    page.get_by_role("button", name="First").press("Enter")
    page.keyboard.press("Enter")
    page.locator('button.mark[aria-pressed="true"]:not([aria-busy])').wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator("#messages", has_text="Undone: ").wait_for()
    assert (folded.count(), boxes.count()) == (1, 5)
    page.reload()
    assert folded.count() == 2
    page.get_by_role("button", name="Show all").click()
    assert folded.count() == 0


def test_a_roll_that_was_made_is_put_away_until_undo_and_the_same_loss_ask_for_it_again(page):
    """A unit of four, which tests its morale once, at the second loss: nothing moves when that is reached."""
    roster = Person().create(roster_data("mini-combat", [{"morale": 4, "quantity": 4}]))
    open_builder(page, roster)
    page.goto(url_of(roster, "marks"))
    boxes, roll = page.locator("button.mark"), page.get_by_role("button", name="Rolled")
    saved, undo = (
        page.locator('button.mark[aria-pressed="true"]:not([aria-busy])'),
        page.get_by_role("button", name="Undo"),
    )
    place = boxes.first.bounding_box()
    boxes.nth(0).click()
    for _time in "first", "again":
        boxes.nth(1).click()
        roll.click()
        assert (roll.count(), boxes.first.bounding_box()) == (0, place)
        boxes.nth(2).click()
        saved.nth(2).wait_for()
        page.reload()
        assert (roll.count(), page.locator("[data-alerts]:enabled").count()) == (0, 0)
        for left in 2, 1:
            undo.click()
            saved.nth(left).wait_for(state="detached")
    boxes.nth(1).click()
    page.get_by_role("button", name="Next turn").click()
    undo.click()
    note = page.locator("#messages .notice")
    note.wait_for()
    page.locator("[data-alerts]").click()
    assert (note.count(), roll.count()) == (0, 1), "the note does not cover the alerts"


def test_the_glossary_counts_what_is_typed_and_colors_it(page):
    page.goto("/explain/msc")
    page.evaluate("document.querySelector('.help-entry p').append('İİİİİİİİ shield')")
    page.locator("#help-q").press_sequentially("shield")
    shown = page.locator(".help-entry:visible, #reference tbody tr:visible, #reference section > p:visible").count()
    assert page.get_by_role("status").inner_text() == f"Results: {shown}"
    assert shown <= page.evaluate("CSS.highlights.get('found').size")


def test_the_print_page_draws_its_preview_anew_and_keeps_the_settings(dwarves):
    dwarves.goto(f"/s/{token_in(dwarves.url)}/print")
    assert_accessible(dwarves)
    image = dwarves.locator(".page-rail img").first
    before = image.get_attribute("src")
    dwarves.locator("summary", has_text="Paper").click()
    dwarves.get_by_label("Half sheet (A5)").check()
    dwarves.locator('.print-bar a.btn[href*="paper=a5"]').wait_for()
    assert image.get_attribute("src") != before
    image.scroll_into_view_if_needed()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    dwarves.locator(".page-rail a").nth(1).click()
    dwarves.locator('.page-rail [aria-current][href$="&page=2"]').wait_for()
    rows = dwarves.locator(".print-sheets li:has(:checked)")
    codes = rows.locator("input").evaluate_all("boxes => boxes.map(box => box.value)")
    rows.nth(1).locator("b").drag_to(rows.nth(0).locator("b"))
    order = "&".join(f"sheet={code}" for code in (codes[1], codes[0], *codes[2:]))
    dwarves.locator(f'.print-bar a.btn[href*="{order}"]').wait_for()
    press(dwarves, "Save as my default")
    dwarves.goto(f"/s/{token_in(dwarves.url)}/print")
    assert dwarves.locator('[name="paper"]:checked').input_value() == "a5"


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


def test_the_bar_of_the_points_shows_what_a_typed_line_would_add(dwarves):
    """28 of 30 points, and a troop has 1."""
    typed = "typed => document.querySelector('.summary .typed').value === typed"
    dwarves.locator("#line").fill("troop Scout")
    dwarves.wait_for_function(typed, arg=int(100 * 29 / 30))
    assert dwarves.locator(".summary span.typed b").inner_text() == "1"
    dwarves.locator("#line").press("Enter")
    wait_for_total(dwarves, 29)
    dwarves.wait_for_function(typed, arg=0)


def test_everything_works_without_javascript(site, browser):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    summary = page.locator(".summary .total [data-points]")
    page.goto("/new/msc")
    page.get_by_label("Name").fill("Plain")
    page.get_by_role("button", name="Create roster").click()
    page.get_by_role("link", name=re.compile("^Add .*ship")).first.click()
    fill(page, {"name": "Ship", "engine": "5"})
    page.get_by_role("button", name="Show BP").click()
    assert page.locator("#preview .total [data-points]").get_attribute("data-points") == "17"
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Quantity of Ship").fill("4")
    page.get_by_role("button", name="Save quantities").click()
    assert summary.get_attribute("data-points") == "68"
    page.get_by_label("Quantity of Ship").fill("2")
    page.locator("tr[id^=e-] .tools").hover()
    page.get_by_role("button", name="Duplicate Ship").click()
    assert (summary.get_attribute("data-points"), page.get_by_label("Quantity of Ship").count()) == ("68", 2)
    context.close()


PAGES = ["/books/?system=msc", "/errata/", "/mine/", "/explain/", "/404", "/account/login/"]
PAGES += ["/account/password/reset/", "{s}?receipt=all", "{s}/compare"]
DARK = ["/", "/new/vsgmr", "{s}"]
OWN = ["/account/", "/account/tokens", "/account/email/", "/battle/new?roster={t}", "/mine/"]
OWN += [f"/r/{{t}}/{page}" for page in ("history", "settings", "sharing", "marks", "add")]
OWN += ["/r/{t}/formation?id={f}", "/shelf/{o}/", "/shelf/{o}/link", "/shelf/{o}/rosters?roster={t}&at_once=on"]
BOOKS = ["6mm/rommel", "mini-combat/second-world-war", "urutsk/ferry-crossing-garrison"]
AXE = {PAGES[0], PAGES[5], PAGES[7], "/", "{s}", "/mine/", "/r/{t}/settings", "/shelf/{o}/", BOOKS[1]}
"""Of these pages, those that have something that no page of the tests above has."""
BARE = ["/explain/vsgmr", "/new/6mm", "{s}/history", "{s}.json", "{s}/qr.svg", "{s}.png", "{s}.txt"]


def test_every_public_page_is_accessible_fits_a_phone_and_keeps_the_content_policy(page):
    shared = (
        f"/s/{sample_roster('msc/book-squadron').token}"  # of few rows: axe takes its time for each element of a page
    )
    for scheme, paths in (("light", PAGES), ("dark", DARK)):
        page.emulate_media(color_scheme=scheme)
        for path in paths:
            page.goto(path.format(s=shared))
            (assert_accessible if path in AXE else assert_fits)(page)
    for path in BARE:
        page.goto(path.format(s=shared))
    page.goto(shared)
    page.emulate_media(media="print")
    assert page.get_by_role("heading", name="Book squadron").is_visible()
    assert not page.get_by_role("link", name="Copy or edit").is_visible()
    assert not page.locator("header.site").is_visible()
    page.emulate_media(media="screen")
    page.goto("/api/")
    page.locator(".opblock").first.wait_for()  # drawn by ninja's own script


def test_so_is_every_page_of_ones_own(page, site, owner):
    owner.sign_up()
    owner.confirm_password()
    mine = owner.create(roster_data("msc", [SHIP]))
    own = shelf.create(owner.browser)
    shelf.add_models(own, shelf.required_models([document_of(mine)]).values())
    pages = {path: path.format(t=mine.token, f=mine.formations.get().uid, o=own.token) for path in OWN}
    for sample in BOOKS:
        copied = owner.copy_sample(sample)
        pages[sample] = url_of(copied, f"element?id={element_ids(copied)[0][0]}")
    use_cookies_of(page, site, owner)
    for path, url in pages.items():
        page.goto(url)
        (assert_accessible if path in AXE else assert_fits)(page)


def test_so_are_the_answers_to_forms(page):
    good, bad = (Person().create(roster_data("msc", [SHIP], budget=budget)) for budget in (15, 14))
    for address, label, text, button, shown in (
        ("/import", "Or paste", '{"name": 3}', "Import", ".error-list code"),
        ("/check", "Share links, one per line", f"/s/{good.token}\n/s/{bad.token}\nx", "Check", ".link-checks .error"),
    ):
        page.goto(address)
        page.get_by_label(label).fill(text)
        if address == "/import":
            page.locator("[type=file]").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"x"})
            page.locator("#import-preview", has_text="a.txt").wait_for()
        press(page, button)
        assert page.locator(shown).count() >= 1
        assert_fits(page)


def test_the_admin_keeps_the_content_policy(page, site, operator):
    use_cookies_of(page, site, operator)
    for address in ("rosters/roster/", "rosters/capability/", "auth/user/", "auth/user/add/"):
        page.goto(f"/admin/{address}")
    page.goto(f"/admin/auth/user/{operator.session['_auth_user_id']}/change/")
    page.locator(".selector-available").first.wait_for()  # made by the admin's own script
