"""The roster's table: cells, selections and formations edited in place, and elements added by a line of text."""

import re

import pytest
from playwright.sync_api import expect

from rosters.core import documents, edits
from rosters.core.grid import OPTIONS
from rosters.core.lines import MAX_LINE
from rosters.models import Roster
from rosters.registry import SYSTEMS
from rosters.store import play, writer
from rosters.systems.mini_combat.tables import SHORT
from tests.browsing import assert_accessible, open_builder
from tests.notation import figure, stand, unit
from tests.people import ELEMENTS, SHIP, Person, document_of, element, element_ids, reload, url_of
from tests.support import roster_data

CELLS = {
    "mini-combat": ("power", "100", "3", "3"),
    "6mm": ("quality", "average", "elite", "elite"),
    "msc": ("shield", "3", "5", "5"),
    "vsgmr": ("armor", "", "heavy", "heavy armor"),
    "urutsk": ("fate", "3", "4", "4"),
}
"""A cell of each game: the field, its value in `ELEMENTS`, another one, and how that is shown."""
LINES = {  # of a game whose cell is a select, and one where it is a number
    "6mm": ("2 cav/u good Cavalry", {"name": "Cavalry", "type": "CAV/U", "quality": "good", "quantity": 2}),
    "msc": ("Raider 3/3/4 F FL FR", {"name": "Raider", "to_hit": 4, "weapons": ["F", "FL", "FR"]}),
}
AMBIGUOUS = "hero Stealth Bomber"
"""Stealth is a trait, or a part of the name."""


def saved(roster, number=-1):
    return documents.write(document_of(roster))["formations"][0]["elements"][number]


@pytest.mark.parametrize("system", CELLS)
def test_a_cell_saves_its_field_alone_and_says_what_is_wrong_with_it(owner, system):
    roster = owner.create(
        roster_data(system, [{**ELEMENTS[system], "name": "Line"}, {**ELEMENTS[system], "name": "Other"}])
    )
    field, before, after, shown = CELLS[system]
    line, other = saved(roster, 0), saved(roster)
    cell = {"element": line["id"], "field": field, "expected": before, "value": after, "request_id": "1"}
    answer = owner.post_to(roster, "element/cell", **cell)
    row, *others = answer.context["roster_page"].formations[0].rows
    assert (row.id, others) == (line["id"], [])
    assert [cell.text for column, cell in row.cells if column.field == field] == [shown]
    changed = saved(roster, 0)
    assert {key for key in {**line, **changed} if line.get(key) != changed.get(key)} == {field}
    assert saved(roster) == other
    assert owner.post_to(roster, "element/cell", **cell).status_code == 200, "an answer that was lost is given again"
    stale = owner.post_to(roster, "element/cell", **cell | {"value": "1", "request_id": "2"})
    assert (stale.status_code, stale.json()["now"]) == (409, after)
    no_number = "" if before.isdecimal() else "x"  # a browser sends "" for letters in a number field
    for wrong in ({"value": "x" * 30, "expected": after}, {"value": no_number, "expected": after}, {"field": "marks"}):
        refused = owner.post_to(roster, "element/cell", **cell | wrong)
        assert (refused.status_code, bool(refused.json()["error"])) == (422, True), wrong
    assert (saved(roster, 0), reload(roster).revision) == (changed, 2)


@pytest.mark.django_db
def test_options_are_short_and_explained_and_a_unit_has_a_box_for_each_element(owner):
    for system, entry, shown, title, boxes in (
        ("6mm", stand("ART breech-loader-79 soft x3"), "gun to 79 mm, soft", "breech-loader to 79 mm, soft", 0),
        ("6mm", stand("AIR fighter-bomber x3"), "fighter-bomber", "", 0),
        ("mini-combat", unit("line MA x3"), "Melee", SHORT["MA"], 1),
        ("mini-combat", unit("line"), "", "", 0),
    ):
        formation = owner.get(url_of(owner.create(roster_data(system, [entry])))).context["roster_page"].formations[0]
        cell = next(cell for column, cell in formation.rows[0].cells if column.field == OPTIONS)
        assert cell.text.replace("\xa0", " ").startswith(shown)
        assert title in cell.title.replace("\xa0", " ")
        assert (bool(cell.title), bool(formation.track)) == (bool(title), bool(boxes)), entry


OPTION_CELLS = {
    "mini-combat": ("Fly:jump, Recon", {"capabilities": [{"code": "Fly", "form": "jump"}, {"code": "Rec"}]}),
    "6mm": ("+1 superior", {"agreed": 1, "general": "superior"}),
    "msc": ("f,fr rr", {"weapons": ["F", "FR", "RR"]}),
    "vsgmr": ("dist tough super-move minor", figure("troop distance tough super-move:minor")),
    "urutsk": ('poor armor:"flak vest"', {"poor_condition": True, "protection": "flak vest"}),
}


@pytest.mark.parametrize("system", OPTION_CELLS)
def test_a_cell_takes_options_in_the_words_of_quick_add(owner, system):
    roster = owner.create(roster_data(system, [{**ELEMENTS[system], "name": "Line", "notes": "n"}]))
    before, (typed, options) = saved(roster), OPTION_CELLS[system]
    expected = dict(owner.get(url_of(roster)).context["roster_page"].formations[0].rows[0].cells)
    expected = next(cell.value for column, cell in expected.items() if column.field == OPTIONS)
    cell = {"element": before["id"], "field": OPTIONS, "expected": expected, "value": typed}
    for wrong in ("Fast", "sharp 3/3", '"'):
        refused = owner.post_to(roster, "element/cell", **cell | {"value": wrong})
        assert (refused.status_code, refused.json()["now"], bool(refused.json()["error"])) == (422, expected, True)
    assert saved(roster) == before
    assert owner.post_to(roster, "element/cell", **cell).status_code == 200
    own = SYSTEMS[system].grammar.options
    assert saved(roster) == {**{key: value for key, value in before.items() if key not in own}, **options}
    assert owner.post_to(roster, "element/cell", **cell | {"value": "x"}).status_code == 409


def test_selected_elements_get_a_value_in_one_change_which_says_its_effect_first(owner, monkeypatch):
    roster = owner.create(roster_data("6mm", [{"type": "MSK", "quantity": 6}, {"type": "CAV/U"}, {"type": "PKE"}]))
    sent = {"pick": element_ids(roster)[0][:2], "set-quality": "good"}
    assert owner.post_to(roster, "selected/preview", **sent).json() == {
        "effect": "+14 points"
    }  # 7 stands, 2 points each
    assert reload(roster).revision == 1
    owner.post_to(roster, "selected/set", **sent)
    assert [each.quality for each in document_of(roster).formations[0].elements] == ["good", "good", "average"]
    assert reload(roster).revision == 2
    for wrong in ({"pick": []}, {"set-quality": "superb"}):
        assert owner.post_to(roster, "selected/set", **sent | wrong).status_code == 422
    owner.post_to(roster, "selected/duplicate", pick=sent["pick"])
    assert [each.type for each in document_of(roster).formations[0].elements] == ["MSK", "MSK", "CAV/U", "CAV/U", "PKE"]
    heroes = owner.create(roster_data("vsgmr", [{"kind": "hero", "traits": ["stealth"]}, {"kind": "troop"}]))
    for word, status in (("Stl", 200), ("SBl8", 200), ("SBl12", 422)):
        answer = owner.post_to(heroes, "selected/set", **{"pick": element_ids(heroes)[0], "set-more-options": word})
        assert answer.status_code == status
    changed = document_of(heroes).formations[0].elements
    assert [(each.traits, each.powers) for each in changed] == [(("stealth",), {"super-blast": "minor"})] * 2
    monkeypatch.setattr(edits, "check_limits_of_edit", lambda *_: [documents.Fault("", "Too much.")])
    for at in ("selected/preview", "selected/set", "line/add"):
        refused = owner.post_to(roster, at, **sent, line="# Reserve")
        assert (refused.status_code, "Too much." in refused.content.decode()) == (422, True), at


def all_of(owner, roster, at):
    """What a browser sends for the form of a formation in which nothing was typed."""
    cells = [cell for row in owner.get(at).context["rows"] for cell in row.cells()]
    return {name: str(cell.value()) for cell in cells for name in (cell.html_name, cell.html_initial_name)}


def elements_of(roster):
    return [(e.name, e.engine, e.quantity, e.shield) for e in document_of(roster).formations[0].elements]


def test_a_formation_is_edited_as_one_form_that_keeps_what_is_wrong_and_a_large_one_in_pages(owner):
    roster = owner.create(roster_data("msc", [{**ELEMENTS["msc"], "name": "One"}, {**ELEMENTS["msc"], "name": "Two"}]))
    at = f"formation/elements?id={document_of(roster).formations[0].id}"
    one, two = element_ids(roster)[0]
    opened = all_of(owner, roster, url_of(roster, at))
    sent = opened | {f"{one}-quantity": "3", f"{two}-name": "Second", f"{one}-engine": "many"}
    refused = owner.post_to(roster, at, **sent)
    assert (refused.status_code, "many" in refused.content.decode(), reload(roster).revision) == (422, True, 1)
    sent |= {f"{one}-engine": "5", "request_id": "1"}
    owner.post_to(roster, at, **sent)
    assert elements_of(roster) == [("One", 5, 3, 3), ("Second", 3, 1, 3)]
    stale = owner.post_to(roster, at, **opened | {f"{one}-quantity": "7", f"{two}-shield": "5"})
    assert (stale.status_code, reload(roster).revision) == (409, 2)
    [row] = [row for row in stale.context["rows"] if row.errors]
    [(name, error)] = row.errors.items()
    assert (name, "3" in str(error), "7" in str(error)) == ("quantity", True, True)
    again = {cell.html_initial_name: str(row.data[cell.html_initial_name]) for cell in row.cells()}
    owner.post_to(roster, at, **opened | again | {f"{one}-quantity": "7", f"{two}-shield": "5"})
    assert elements_of(roster) == [("One", 5, 7, 3), ("Second", 3, 1, 5)]
    assert owner.post_to(roster, at, **sent).status_code == 302, "an answer that was lost is given again"
    assert reload(roster).revision == 3
    roster = owner.create(roster_data("msc", [{**ELEMENTS["msc"], "name": "Ship"}] * 101))
    at = f"formation/elements?id={document_of(roster).formations[0].id}"
    pages = [owner.get(url_of(roster, f"{at}&page={number}")).context["rows"] for number in (1, 2)]
    assert [[row.element.id for row in rows] for rows in pages] == [
        element_ids(roster)[0][:100],
        element_ids(roster)[0][100:],
    ]


@pytest.mark.parametrize("races", [1, 2])
def test_what_another_change_interrupts_is_tried_once_more(owner, monkeypatch, races):
    roster = owner.create(roster_data("6mm", [{"type": "MSK", "name": "A"}, {"type": "PKE"}]))
    uids, left = element_ids(roster)[0], [*range(races)]

    def meanwhile(_roster, request):
        if request and left:
            writer.apply_edit(reload(roster), edits.set_quantities({uids[0]: 10 + left.pop()}), "")
        return True

    monkeypatch.setattr(play, "register_request", meanwhile)
    answer = owner.post_to(roster, "selected/set", pick=uids, request_id="1", **{"set-quality": "good"})
    assert (answer.status_code, saved(roster).get("quality")) == ((200, "good") if races == 1 else (409, None))


def test_a_line_adds_an_element_and_one_with_two_parses_asks(owner):
    roster = owner.create(roster_data("vsgmr", []))
    asked = owner.post_to(roster, "line/add", line=AMBIGUOUS)
    assert (asked.status_code, AMBIGUOUS in asked.content.decode()) == (422, True)
    parses = asked.context["line_preview"]["parses"]
    assert len({parse.points for parse in parses}) == 2
    for refused in ('hero "A" "B"', "x" * (MAX_LINE + 1), "\x00", "² A"):
        assert owner.post_to(roster, "line/add", line=refused).status_code == 422
    assert document_of(roster).formations[0].elements == ()
    named = owner.post_to(roster, "line/add", line="2 Super-Guy").context["line_preview"]["parses"]
    assert [len(each.element.powers) > 0 for each in named] == [True], "the copy of the sample first"
    owner.post_to(roster, "line/add", line=AMBIGUOUS, parse="1")
    assert element(roster, parses[1].element.name).traits == parses[1].element.traits
    owner.post_to(roster, "line/add", line=" Reserve: ")
    owner.post_to(roster, "line/add", line="troop Late")
    assert [formation.name for formation in document_of(roster).formations] == ["Formation 1", "Reserve"]
    assert [each.name for each in document_of(roster).formations[1].elements] == ["Late"]


def test_a_line_with_an_error_or_without_stats_asks_and_leads_to_the_form_that_it_fills_in(owner):
    made_of = {"mini-combat": "Team inf M10 TH9 P2 x5", "msc": "2 Vixen of nobody"}
    for system, line in made_of.items():
        other = owner.create(roster_data(system, []))
        refused = owner.post_to(other, "line/add", line=line)
        assert (refused.status_code, bool(refused.context["line_preview"]["parses"])) == (422, system == "mini-combat")
        owner.post_to(
            other, "line/add", line=line, parse=str(max(0, len(refused.context["line_preview"]["parses"]) - 1))
        )
        assert len(document_of(other).formations[0].elements) == (system == "mini-combat")
    form = f"{url_of(other)}element?{refused.context['line_preview']['new']}"
    assert 'value="Vixen of nobody"' in owner.context(form)["fields"]
    for sent in ({}, {"anyway": "1"}):
        owner.post_to(other, "line/add", line="Raider E6", **sent)
        assert len(document_of(other).formations[0].elements) == len(sent)
    squad = owner.create(roster_data("mini-combat", []))
    asked = owner.post_to(squad, "line/add", line="2 tanks").context["line_preview"]
    assert (document_of(squad).formations[0].elements, asked["parses"]) == ((), []), "a vehicle without stats"
    form = owner.get(f"{url_of(squad)}element?{asked['new']}").content.decode()
    assert all(part in form for part in ('value="tanks"', 'value="vehicle" selected', 'name="quantity" value="2"'))
    for line, remark in (("vehicle A5", True), ("vehicle A5 M10", False), ("structure A5", False)):
        (parse,) = owner.get(url_of(squad, f"line?line={line}")).context["line_preview"]["parses"]
        assert bool(parse.remark) == remark, line
    tanks = owner.create(roster_data("6mm", []))
    # name, asked (begins in small letters with a word one letter from one of the game), remarked
    cases = ("goof = 1 1", "Goof = 0 0", "guard = 0 0", "Old goof = 0 1", "skirmich = 0 1")
    for case in (*cases, "7 = 1 1", "12pt = 1 1", '"7" = 0 0', "7th = 0 0"):
        name, expected = case.split(" = ")
        shown = owner.get(url_of(tanks, f"line?line=6 muskets {name}")).context["line_preview"]
        assert f"{shown['needs_choice']:d} {bool(shown['parses'][0].remark):d}" == expected, name
    assert owner.post_to(tanks, "line/add", line="6 inf 7").status_code == 422, "not even the usual one"
    owner.post_to(tanks, "line/add", line="tnk Heavy Gun")
    assert element(tanks, "Gun").armour == "heavy", "the only parse without errors"
    owner.post_to(tanks, "line/add", line="2 guns Battery", parse="1")
    assert element(tanks, "Battery").gun == "smoothbore", "of those that the rules let one choose"


LIKE = {
    "mini-combat": {
        "3 line infantry": "3 Rifle squad",  # its type, and of most rosters
        "2 guns": "2 Assault gun",
        "3 scout": "3 Rangers",  # an ability alone is no stat
        "Mortar taem": "1 Mortar team",
        "3 medium tank": None,  # a name
        "inf TH4 Foot": None,
    },
    "6mm": {"3 guards": "3 Guard infantry", "6 line infanty": "6 Line infantry", "3 infantry": None},
    "msc": {"kestral": "1 Kestrel", "2 destroyer": "2 Advocate class", "x2 corvettes": "2 Corvette"},
    "vsgmr": {"3 wizzard": "3 Wizard", "archer": "1 Skeleton Archer"},
    "urutsk": {"mortar": "1 Mortar crew"},
}
"""Lines, and of the lines that are offered to add a known element instead, one; None if they are read as they are."""


@pytest.mark.parametrize("system", LIKE)
def test_a_line_without_stats_offers_elements_like_it(owner, stranger, system):
    owner.create(roster_data("msc", [{**ELEMENTS["msc"], "name": "Corvette"}]))
    stranger.create(roster_data("msc", [{**ELEMENTS["msc"], "name": "Destroyer"}]))
    for line, expected in LIKE[system].items():
        roster = owner.create(roster_data(system, []))
        rows = owner.get(url_of(roster, f"line?line={line}")).context["line_preview"]["chips"]
        offered = [other for label, row in rows if label == "Or add:" for _name, other in row]
        assert len(offered) <= 4, line
        assert expected in (offered or [None]), line
        assert "2 Destroyer" not in offered, "nobody else's"
        if expected is None:
            continue
        assert owner.post_to(roster, "line/add", line=line).context["line_preview"]["chips"] == rows
        owner.post_to(roster, "line/add", line=expected, parse="0")
        [(_formation, [pasted])] = owner.post_to(roster, "paste", text=line).context["formations"]
        if pasted.element is None:
            meant = next(choice for choice, label in pasted.choices if label == expected.partition(" ")[2])
            owner.post_to(roster, "paste", text=line, meant=meant, save="1")
            one, other = document_of(roster).formations[0].elements
            assert one.replace(id=None) == other.replace(id=None), line


def test_a_pasted_list_is_shown_as_it_is_read_offers_what_unclear_lines_mean_and_is_added_in_one_change(owner):
    roster = owner.create(roster_data("6mm", []))
    text = "# Centre\n- 6 msk Line infantry = 36\nReserve:\n\u2022 2 msk elite Guard = 42"
    shown = owner.post_to(roster, "paste", text=text)
    lines = [line for _formation, lines in shown.context["formations"] for line in lines]
    assert [(line.points, bool(line.remark)) for line in lines] == [("36", False), ("18", True)]
    wrong = owner.post_to(roster, "paste", text=f"{text}\n4 works good", save="1")
    assert (wrong.status_code, reload(roster).revision) == (422, 1)
    for _sent_again in range(2):
        assert owner.post_to(roster, "paste", text=text, save="1", request_id="1").status_code == 302
    assert [formation.name for formation in document_of(roster).formations] == ["Formation 1", "Centre", "Reserve"]
    assert reload(roster).revision == 2
    some = owner.post_to(roster, "paste", text="2 pke A\n4 works good", understood="1")
    assert (some.context["form"]["text"].value(), reload(roster).revision) == ("4 works good", 3)
    shown = owner.post_to(roster, "paste", text="2 art sm Guns\nmsk elitte A\nfoo bar baz")
    (guessed, spelled, begun) = (line for _formation, lines in shown.context["formations"] for line in lines)
    assert (bool(guessed.element), "sm" in guessed.remark, begun.element) == (True, True, None)
    assert (bool(spelled.element), "elitte" in spelled.remark) == (True, True)
    assert [label for _choice, label in begun.choices][:2] == ["SKI/F bar baz", "Warband"]
    text = "Old guard\n\n- 2 cavalry A (12)\n3 plumbers"
    sent = {"name": "My 6MM roster", "size": "other", "budget": "99", "text": text}
    asked = owner.post("/new/6mm", sent)
    lines = [line for _formation, lines in asked.context["formations"] for line in lines]
    assert [label for _choice, label in lines[0].choices] == ["Unarmored cavalry", "Armored cavalry"]
    meant = [lines[0].choices[1][0], next(choice for choice, label in lines[1].choices if label == "Pikes")]
    start = owner.post("/new/6mm", {**sent, "meant": meant, "save": "1"})
    roster = Roster.objects.get(token=start.url.split("/")[2])
    [formation] = document_of(roster).formations
    assert (roster.name, formation.name) == ("Old guard", "Command 1")
    assert [(each.name, each.type) for each in formation.elements] == [("A", "CAV/A"), ("plumbers", "PKE")]


def test_a_pasted_list_replaces_a_blank_formation_and_says_what_is_wrong_with_its_elements(owner):
    data = roster_data("mini-combat", [])
    roster = owner.create({**data, "formations": [{"name": "Unit 1", "elements": []}]})
    text = "Alpha:\n2 inf M10 TH4 R20 P2 A1 Mo4 Rifles\n3 tank M20 TH8 R60 P5 A4 Mo4 Tiger"
    shown = owner.post_to(roster, "paste", text=text).context
    assert [bool(line.error) for _formation, lines in shown["formations"] for line in lines] == [False, True]
    assert (shown["understood"], shown["wrong"]) == (2, 1)
    for names in (["Alpha"], ["Alpha", "Alpha"]):  # what has elements stays
        owner.post_to(roster, "paste", text=text, save="1")
        assert [formation.name for formation in document_of(roster).formations] == names


@pytest.mark.browser
@pytest.mark.parametrize("system", LINES)
def test_what_is_typed_into_the_line_and_into_a_cell_is_what_is_saved(page, system):
    """By keyboard alone; the row above stays where it is."""
    roster = Person().create(roster_data(system, [{**ELEMENTS[system], "name": "Line"}]))
    open_builder(page, roster)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(url_of(roster))
    top = page.locator("#grid tr[id]").first.bounding_box()["y"]
    line, expected = LINES[system]
    page.keyboard.press("/")
    page.keyboard.type(line, delay=10)
    page.locator("#line-preview .counter").wait_for()
    page.keyboard.press("Enter")
    page.locator("#grid tr[id]").nth(1).wait_for()
    assert {name: saved(roster).get(name, 1) for name in expected} == expected
    assert page.evaluate("[document.activeElement.id, document.activeElement.value]") == ["line", ""]
    field, _, value, shown = CELLS[system]
    column = page.locator(f'#grid thead [data-field="{field}"]').evaluate("head => head.cellIndex")
    cell = page.locator("#grid tr[id]").first.locator(f":scope > :nth-child({column + 1})")
    cell.click()
    editor = cell.locator("[data-cell-field]")
    if editor.evaluate("field => field.tagName") == "SELECT":
        editor.select_option(value)
    else:
        page.keyboard.type(value)
    page.keyboard.press("Enter")
    cell.get_by_text(re.compile(f"^{re.escape(shown)}$")).or_(
        page.locator(f'#grid [data-v="{value}"]')
    ).first.wait_for()
    assert str(saved(roster, 0)[field]) == value
    assert page.locator("#grid tr[id]").first.bounding_box()["y"] == top
    page.wait_for_function("document.activeElement.tagName === 'TD'")  # the choices have the shown text too
    if system == "msc":  # of fewer cells, and axe takes its time for each
        assert_accessible(page)


def open_two_formations(page):
    """A roster of two ships in the first of its formations, open at a desk."""
    roster = Person().create(roster_data("msc", [{**ELEMENTS["msc"], "name": name} for name in ("One", "Two")], []))
    open_builder(page, roster)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(url_of(roster))
    return roster


@pytest.mark.browser
def test_an_element_is_edited_in_a_panel_by_keyboard_alone(page):
    """Refused or given up, it keeps what was typed; the row stays where it is and has the focus again."""
    roster = open_two_formations(page)
    link, name = page.locator("#grid tr[id] th a").last, page.locator('#editor-panel [name="name"]:focus')
    top = link.bounding_box()["y"]
    link.press("Enter")
    name.wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.type("Twice")
    page.keyboard.press("Tab")
    page.keyboard.type("99999")
    with page.expect_response(lambda response: response.status == 422):
        page.keyboard.press("Enter")
    page.locator('#editor-panel [name="quantity"][aria-invalid="true"]:focus').wait_for()
    page.go_back()
    page.locator("#messages .unsaved-note").wait_for()
    page.locator("#grid th a:focus").press("Enter")
    page.locator("#editor-panel").get_by_role("button", name="Discard").wait_for()
    assert page.locator('#editor-panel [name="name"]').input_value() == "Twice"
    assert page.url.endswith(f"/element?id={element_ids(roster)[0][1]}")
    quantity = page.locator('#editor-panel [name="quantity"]')
    quantity.fill("2")
    quantity.press("Enter")
    page.locator("#grid th a:focus").get_by_text("Twice").wait_for()
    assert (page.url, link.bounding_box()["y"]) == (f"{page.url.partition('/r/')[0]}{url_of(roster)}", top)
    assert [(each.name, each.quantity) for each in document_of(roster).formations[0].elements] == [
        ("One", 1),
        ("Twice", 2),
    ]


@pytest.mark.browser
def test_an_element_is_added_in_a_panel_to_the_formation_that_is_selected_by_keyboard_alone(page):
    roster = open_two_formations(page)
    page.locator(".quick [name=in]").select_option(index=0)
    page.locator(".addbar [href*='element?in=']").press("Enter")
    page.locator('#editor-panel [name="name"]:focus').wait_for()
    page.keyboard.type("Three")
    page.keyboard.press("Control+Shift+Enter")
    page.locator("#editor-panel .notice").wait_for()
    page.locator('#editor-panel [name="name"]:focus').fill("Four")
    page.locator(".starts > summary").press("Enter")
    page.locator('.starts [value="Ship 2"]').press("Enter")
    page.locator('#editor-panel [name="engine"][value="2"]').wait_for()
    assert page.locator('#editor-panel [name="name"]:focus').input_value() == "Four", "what was typed stays"
    page.locator("#preview summary").first.click()
    for receipt in (1, 0):  # the price over the form closes first
        assert page.locator("#editor-panel [data-fold=receipt][open]").count() == receipt
        page.keyboard.press("Escape")
    page.locator("#grid th a:focus").get_by_text("Three").wait_for()
    page.locator(".formation-row .add").first.focus()
    page.keyboard.press("/")
    page.locator("#line:focus").wait_for()
    assert [each.name for each in document_of(roster).formations[0].elements] == ["One", "Two", "Three"]


@pytest.mark.browser
def test_a_wrong_cell_keeps_what_was_typed_and_letters_act_on_rows_alone(page):
    roster = Person().create(
        roster_data("msc", [{**ELEMENTS["msc"], "name": "One"}, {**ELEMENTS["msc"], "name": "Two"}])
    )
    open_builder(page, roster)
    page.goto(url_of(roster))
    cell = page.locator("#grid tr[id]").first.locator("td[data-v]").first
    cell.click()
    page.keyboard.type("abc")
    page.keyboard.press("Enter")
    cell.locator(".bad").wait_for()
    page.keyboard.type("99999999")
    page.keyboard.press("Enter")
    cell.locator(".bad").wait_for()
    assert cell.locator("input").input_value() == "99999999"
    page.keyboard.press("Escape")
    index = cell.evaluate("cell => cell.cellIndex")
    for key, name in (("Alt+ArrowDown", "Two"), ("u", "One")):
        page.keyboard.press(key)
        page.locator("#grid tr[id] th a").first.get_by_text(name).wait_for()
        place = f"{index} e-{element_ids(roster)[0][name == 'Two']}"  # focused once the rows are in their places
        page.wait_for_function(
            "(at) => `${document.activeElement.cellIndex} ${document.activeElement.parentElement.id}` === at", arg=place
        )
    page.keyboard.press("Shift+ArrowDown")
    assert page.locator('#grid [name="pick"]:checked').count() == 2
    page.keyboard.press("x")
    page.keyboard.press("d")
    page.locator("#grid tr[id]").nth(2).wait_for()
    assert [each.name for each in document_of(roster).formations[0].elements] == ["One", "Two", "Two"]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(url_of(roster))
    below, quantity = page.locator("#grid td.qty").last, page.locator("#grid .quantity").first
    width = below.bounding_box()["width"]
    quantity.fill("-3x")
    quantity.press("Enter")
    page.locator("#grid .qty > .bad").wait_for()
    assert below.bounding_box()["width"] == width


@pytest.mark.browser
def test_by_touch_what_is_added_out_of_sight_a_warning_and_the_buttons_of_a_row_are_reached(site, browser):
    wrong = {**ELEMENTS["msc"], "name": "One", "engine": 99}
    roster = Person().create(roster_data("msc", [wrong] * 30))
    tablet = {"viewport": {"width": 768, "height": 1024}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=site, **tablet)
    page = open_builder(context.new_page(), roster)
    for place in (".error.flag", "#grid .tools > div"):
        box = page.locator(place).first.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    taken = (
        page.locator("#grid tr[id]")
        .first.locator("> *")
        .evaluate_all(
            """all => all.map(each => each.getBoundingClientRect()).map(({ right, y, height }) =>
          Boolean(document.elementFromPoint(right - 1, y + height / 2).closest('.tools')))"""
        )
    )
    assert taken.count(True) == 1, "its own cell alone"
    page.locator(".error.flag").first.tap()
    assert page.locator(":popover-open").inner_text() == page.locator(".error.flag").first.get_attribute("title")
    page.keyboard.press("Escape")
    for name in ("Two", "Three"):
        page.locator("#line").fill(f"{name} E3 S3 T4")
        page.locator("#line").press("Enter")
        page.locator("#grid tr[id]").filter(has_text=name).wait_for()
        for _ in range(name == "Two"):
            page.locator("#messages a[href^='#e-']").tap()
        expect(page.locator("#grid tr[id]").filter(has_text=name)).to_be_in_viewport()
        assert page.locator("#messages .notice").count() == 0, "it is in sight"
    context.close()


@pytest.mark.browser
def test_each_line_is_added_once_although_answers_are_lost_or_late(page):
    roster = Person().create(roster_data("msc", [{**ELEMENTS["msc"], "name": "One"}]))
    open_builder(page, roster)
    page.goto(url_of(roster))
    # The line is saved, and its answer lost, twice: sent again, also from where it waits, it is not added again.
    page.route("**/line/add", lambda route: (route.fetch(), route.abort("internetdisconnected")), times=2)
    page.locator("#line").fill("Three E3 S3 T4")
    page.locator("#line").press("Enter")
    page.locator("#line-preview").get_by_role("button", name="Try again").click()
    page.locator("#line-preview .unsaved-note").wait_for()
    page.keyboard.type("x")
    page.locator("#queue").get_by_role("button", name="Try again").click()
    page.locator("#grid tr[id]").nth(1).wait_for()
    page.keyboard.press("Backspace")
    assert [each.name for each in document_of(roster).formations[0].elements] == ["One", "Three"]
    network = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", slow)
    for line in ("Four E3 S3 T4", "Five E3 S3 T4", "Six E3 S3 T9.5", "Seven E1"):  # typed while others are sent
        page.keyboard.type(line)
        page.keyboard.press("Enter" if line != "Seven E1" else "End")
    expect(page.locator("#queue .aside")).to_contain_text("whole number")
    page.locator("#queue").get_by_role("button", name="Edit").click()
    assert page.locator("#line").input_value() == "Six E3 S3 T9.5"
    assert page.locator("#queue .aside b").all_inner_texts() == ["Seven E1"]
    page.locator("#queue").get_by_role("button", name="Dismiss").click()
    page.locator("#grid tr[id]").nth(3).wait_for()
    assert [each.name for each in document_of(roster).formations[0].elements][2:] == ["Four", "Five"]
    refused_lines_are_folded(page)
    page.locator("#line").fill("")
    changed_cells_are_saved(page, roster)


def refused_lines_are_folded(page):
    """Several as one, with the choices inside; and nothing is red while one types."""
    page.locator("#line").fill("")
    error = page.locator("#line-preview .bad")
    for line in ("A E3.5", "B E3.5", "C E3.5"):
        page.keyboard.type(line)
        error.wait_for()
        color = error.evaluate("error => getComputedStyle(error).color")
        page.keyboard.press("Enter")
        expect(error).not_to_have_css("color", color)
    page.locator(".asides > summary").click()
    assert page.locator("#queue .aside b").all_inner_texts() == ["B E3.5", "A E3.5"]
    page.get_by_role("button", name="Dismiss all").click()
    expect(page.locator(".asides")).to_be_hidden()


def changed_cells_are_saved(page, roster):
    """Changed again, and back, before the first value is saved: nobody else has changed it; and after Back."""
    cells, field = page.locator("#grid tr[id] td[data-v]"), page.locator("[data-cell-field]").last
    for values in (("5", "4"), ("2", "4")):
        cells.first.click()
        for value in values:
            field.fill(value)
            field.press("Enter")
        field.wait_for(state="detached")
        assert saved(roster, 0)["engine"] == 4
    # Answers may come when another page is shown; later ones are saved all the same.
    for number in (0, 1, 2, 4, 5, 6):
        cells.nth(number).click()
        field.fill("5")
        field.press("Enter")
    page.locator("[data-paste]").dispatch_event("click")  # in a fold, which Playwright takes for closed when it is not
    page.locator("#id_text").wait_for()
    page.go_back()
    page.locator("#grid").wait_for()
    cells.first.click()
    field.fill("3")
    field.press("Enter")
    expect(cells.first).to_have_attribute("data-v", "3")  # the field may go before, with a page that is replaced
    assert saved(roster, 0)["engine"] == 3


@pytest.mark.browser
def test_rows_and_formations_are_dragged(page):
    one, two, three = ({**ELEMENTS["msc"], "name": name} for name in ("One", "Two", "Three"))
    roster = Person().create(roster_data("msc", [one, two], [three]))
    open_builder(page, roster)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(url_of(roster))
    for dragged, to, side, expected in (
        ("tr[id] >> nth=0", "tr[id] >> nth=2", 0, [["Two"], ["One", "Three"]]),
        ("tbody >> nth=1", "tbody >> nth=0", 0, [["One", "Three"], ["Two"]]),
        ("tr[id] >> nth=0", "tbody >> nth=1", 1, [["Three"], ["Two", "One"]]),
    ):
        revision = reload(roster).revision
        handle = page.locator(f"#grid {dragged}").locator(".handle").first
        handle.hover()
        page.mouse.down()
        box = page.locator(f"#grid {to}").bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + side * box["height"], steps=3)
        page.mouse.up()
        page.locator(f'#grid[data-revision="{revision + 1}"]').wait_for()
        assert [[each.name for each in formation.elements] for formation in document_of(roster).formations] == expected
    assert not page.locator(".bulk").is_visible()


@pytest.mark.browser
def test_a_selection_is_set_unless_a_field_is_wrong_and_keeps_the_focus(page):
    one, two, three = ({**ELEMENTS["msc"], "name": name} for name in ("One", "Two", "Three"))
    roster = Person().create(roster_data("msc", [one, two], [three]))
    open_builder(page, roster)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(url_of(roster))
    page.locator("#grid [name=pick]").first.check()
    points = page.locator("#grid tr[id] .sum").first.inner_text()
    expect(page.locator(".bulk [data-sign]")).to_have_text([f"1 (−{points})", f"1 (+{points})"])
    quantity = page.locator('.bulk-fields [data-set="quantity"]')
    for key, wrong in (("e", True), ("5", False)):
        quantity.press("Control+a")
        quantity.press(key)
        page.locator(f'.bulk-fields [data-set="quantity"][aria-invalid="{str(wrong).lower()}"]').wait_for()
        expect(page.locator(".bulk output.bad")).to_have_count(int(wrong))
    page.locator(".bulk [data-apply]:enabled").click()
    page.locator('#grid .quantity[value="5"]').wait_for()
    expect(page.locator("#grid tr:has([name=pick]:checked) > :focus")).to_have_count(1)
    points = page.locator("#grid tr[id] .sum").first.inner_text()
    expect(page.locator(".bulk [data-sign]")).to_have_text([f"1 (−{points})", f"1 (+{points})"])
    page.keyboard.press("Control+z")
    expect(page.locator('#grid .quantity[value="5"]')).to_have_count(0)
    expect(page.locator("#grid tr:has([name=pick]:checked) > :focus")).to_have_count(1)
    page.locator("#grid [data-all]").last.check()
    page.keyboard.press("c")
    expect(page.locator(".bulk-fields [data-set]").first).to_be_focused()


OPEN, PICK, QUANTITY = "#grid tr.open", '#grid [name="pick"]', '#grid [name^="initial-quantity"]'
TAPS = (  # on a phone: what is tapped, or gets a value, and how many of what are there then
    ("#grid tr[id] th a", None, ".opened label:has-text('Elite'):has-text('+3')", 1),  # MSK: average 6, elite 9
    (".opened .segments label:has-text('Elite')", None, '#grid td[data-v="elite"]', 1),
    (".opened [data-step='1']", None, f'{QUANTITY}[value="2"]', 1),
    (".opened [data-edit]", None, "#editor-panel[open]", 1),
    ("Back", None, "#editor-panel[open]", 0),
    ("#grid tr[id] .sum", None, OPEN, 0),  # which the panel has left open
    (PICK, None, f"{PICK}:checked", 1),
    ("#grid tr[id] .sum >> nth=1", None, f"{PICK}:checked", 2),  # while one is selected
    (".bulk [data-sheet]", None, ".bulk.open", 1),
    (".bulk [data-set='quality']", "poor", ".bulk [data-apply]:enabled", 1),
    (".bulk [data-apply]", None, '#grid td[data-v="poor"]', 2),
    (".bulk [data-undo]", None, '#grid td[data-v="poor"]', 0),
    (".bulk [data-unselect]", None, f"{PICK}:checked, .bulk.open", 0),
    ("#line", "3 cavalry Hussars", "#line-preview label", 2),
    ("#line-preview label >> nth=1", None, '#grid td[data-v="CAV/A"]', 1),
    ("#line", "3 cav", "#line-preview label:nth-of-type(1):has(:checked):has-text('Unarmored cavalry')", 1),
    ("#line", "3 muskett ", ".marks > .wrong", 1),
    ("#completions li:has-text('musket')", None, "#line-preview .parse:has-text('Muskets')", 1),
    ("#line", "3 muskett Old guard", "#line-preview:not(.asked) .chips", 1),
    (".quick-line > .btn:last-child", None, "#line-preview.asked .chips", 1),
    (".chips button:has-text('musket')", None, f'{QUANTITY}[value="3"]', 2),
    (".quick-line .undo", None, f'{QUANTITY}[value="3"]', 1),
    ("#line", "4 plumbers", "#line-preview:not(.asked) button:has-text('pike')", 1),
    (".quick-line > .btn:last-child", None, "#line-preview.asked button:has-text('pike')", 1),
    ("#line-preview button:has-text('pike')", None, f'{QUANTITY}[value="4"]', 1),
    (".quick-line .undo", None, f'{QUANTITY}[value="4"]', 0),
    ("#line", '4 muskett "Guard"', "#messages .notice", 0),  # that something is undone
    (".quick-line > .btn:last-child", None, "#line-preview.asked button:has-text('musket')", 1),
    ("#line", '4 musket "Guard"', "#queue .aside", 1),
    (".quick-line > .btn:last-child", None, "#queue .aside", 0),
    ("#line", "5 unarmored inf", "#completions li:has-text('Unarmored infantry')", 1),
    ("#completions li:has-text('Unarmored infantry')", None, "#line-preview .parse:has-text('Unarmored infantry')", 1),
    (".quick-line > .btn:last-child", None, f'{QUANTITY}[value="5"]', 1),
)


PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}


@pytest.mark.browser
def test_rows_selections_and_the_questions_of_quick_add_are_answered_by_taps(site, browser):
    roster = Person().create(roster_data("6mm", [{"type": "MSK", "name": "One"}, {"type": "PKE", "name": "Two"}]))
    page = open_builder(browser.new_context(base_url=site, **PHONE).new_page(), roster)
    for target, value, shown, number in TAPS:
        if target == "Back":
            page.go_back()
        elif value is None:
            page.locator(target).first.tap()
        elif target == "#line":
            page.locator(target).fill(value)
        else:
            page.locator(target).select_option(value)
        expect(page.locator(shown)).to_have_count(number)
    assert [(each.quality, each.quantity) for each in document_of(roster).formations[0].elements] == [
        ("elite", 2),
        ("average", 1),
        ("average", 3),
        ("average", 4),
        ("average", 5),
    ]
    soft = page.evaluate("getComputedStyle(document.querySelector('.add-more')).getPropertyValue('--soft')")
    page.locator("#line").fill("4 plumbers")
    page.locator("#line").press("Enter")
    expect(page.locator(".marks > .wrong")).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # lies over the letters
    for line, is_hidden in (("4 muskett", True), ("4 muskett ", False)):  # underlined once it is finished
        page.locator("#line").fill(line)
        underlined = expect(page.locator(".marks > .wrong"))
        (underlined.to_have_css if is_hidden else underlined.not_to_have_css)("border-bottom-color", "rgba(0, 0, 0, 0)")
    page.locator("#line").fill("4 musket average quality with a name that is longer than the line")
    page.locator("#line").press("End")
    page.locator(".marks > .name").wait_for()
    scrolled = [page.locator(each).evaluate("(each) => each.scrollLeft") for each in ("#line", ".marks")]
    assert scrolled[0] == pytest.approx(scrolled[1], abs=2) != 0  # each word above its underline
    placeholder = page.evaluate("getComputedStyle(document.getElementById('line'), '::placeholder').color")
    assert placeholder == "rgb({}, {}, {})".format(*bytes.fromhex(soft.strip().removeprefix("#")))


@pytest.mark.browser
def test_a_stat_is_changed_in_an_opened_row_unless_it_is_wrong(site, browser):
    roster = Person().create(roster_data("msc", [{**SHIP, "engine": 2}]))
    page = open_builder(browser.new_context(base_url=site, **PHONE).new_page(), roster)
    page.locator("#grid tr[id] .sum").tap()
    engine = page.locator('.opened [data-stat="engine"]')
    for value, shown in (("9", '.opened .bad, .opened [aria-invalid="true"]'), ("4", '#grid [data-v="4"]')):
        engine.fill(value)
        engine.press("Enter")
        page.locator(shown).first.wait_for()
    expect(page.locator(".opened .bad, .opened [aria-invalid]")).to_have_count(0)
    assert [each.engine for each in document_of(roster).elements] == [4]
    engine.fill("9")
    page.locator(".opened summary").tap()
    page.locator(".opened .menu").get_by_text("Delete").tap()  # which the wrong number does not hold up
    expect(page.locator("#grid tr[id]")).to_have_count(0)
