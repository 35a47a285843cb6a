"""The builder and the public pages: what the owner changes and takes back, and what a friend with the link gets."""

import json
import re
from html import unescape
from urllib.parse import urlencode, urljoin

import pytest

from rosters.core import crests, documents
from rosters.models import Roster
from rosters.registry import SYSTEMS
from rosters.store import state as states
from tests import people, support
from tests.people import SHIP, document_of, element_ids, form_data_of, message_levels, reload, sample_roster, url_of


@pytest.fixture
def dwarves(owner):
    """Thane, Champion, and three Guards."""
    return owner.copy_sample()


@pytest.mark.parametrize("system", support.FOLDERS)
def test_starting_gives_a_roster_with_its_first_formation_and_an_owner_link_that_is_shown_when_asked_for(
    owner, friend, system
):
    page = owner.submit(f"/new/{system}", follow=True, name="Łódź & Søn <b>", size="0").content.decode()
    roster = Roster.objects.get(sample=None)
    link = owner.context(url_of(roster, "links"))["owner_link"]
    assert element_ids(roster) == [[]]
    assert "Łódź &amp; Søn &lt;b&gt;" in page
    assert link.split("/")[-1] not in page
    assert friend.get(link).url == url_of(roster)
    assert friend.get(url_of(roster)).status_code == 200


def test_a_guide_shows_the_next_step_from_what_the_roster_has_until_it_is_left(owner, friend):
    """60 BP: ENGINE 2 alone; a ship of 15; two of them; four of them."""
    owner.submit("/new/msc?guide=1", name="Home Guard", size="1")
    roster = Roster.objects.get(name="Home Guard")
    page = url_of(roster)
    [[], *_] = element_ids(roster)
    formation = document_of(roster).formations[0].id
    add = f"element?in={formation}"
    assert [step.page for step in owner.context(f"{page}{add}")["guide"].page_steps] == ["element"] * 4
    stats = {"quantity": "1", "engine": "2", "shield": "0", "to_hit": "0"}
    unnamed = owner.post_to(roster, add, name="", **stats)
    assert (unnamed.status_code, unnamed.context["preview"]["points"].shown) == (422, "2"), "its price is shown"
    assert json.loads(unnamed.context["findings"])["findings"].keys() == {"shield", "weapons"}
    wrong = owner.post_to(roster, add, name="Hulk", **stats | {"engine": "x"}).context["preview"]
    assert (wrong["invalid"], wrong["points"].shown) == (True, "3"), "with the ENGINE of before"
    owner.post_to(roster, add, name="Hulk", **stats)
    steps, [[hulk]] = [owner.context(page)["guide"].number], element_ids(roster)
    assert owner.context(page)["guide"].url == f"{page}element?id={hulk}"
    sent = {"name": "Hulk", "engine": "3", "shield": "3", "to_hit": "3", "weapons": ["F", "FL", "FR"]}
    for quantity in ("1", "2", "4"):
        owner.post_to(roster, f"element?id={hulk}", quantity=quantity, **sent)
        steps.append(owner.context(page)["guide"].number)
    assert steps == [3, 6, 7, 8]
    friend.get(owner.context(url_of(roster, "links"))["owner_link"])
    assert friend.context(page)["guide"] is None
    assert owner.post_to(roster, "guide/leave", to="print").url == f"/s/{roster.token}/print"
    assert owner.context(page)["guide"] is None
    assert "guide" not in owner.submit("/new/msc", name="Alone", size="1").cookies


def test_the_form_keeps_what_was_typed_and_the_cookie_lasts_400_days_for_those_who_make_something(owner, friend):
    for sent, field in (({"name": "", "budget": "33"}, "name"), ({"name": "A", "size": "other"}, "budget")):
        response = owner.submit("/new/vsgmr", **sent)
        form = response.context["form"]
        assert (response.status_code, form["budget"].value(), [*form.errors]) == (422, sent.get("budget"), [field])
    assert [people.COOKIE in who.get("/").cookies for who in (owner, friend)] == [False, False]
    roster = owner.start_roster("A", "mini-combat", size="other", scenario="defensive/defender", budget="600")
    begun = document_of(roster)
    assert (begun.scenario, begun.side, begun.budget) == ("defensive", "defender", 600)
    cookie = owner.get("/books/").cookies[people.COOKIE]
    assert (cookie["max-age"], cookie["httponly"]) == (400 * 24 * 3600, True)
    assert [[each.token for each in who.context("/")["mine"]] for who in (owner, friend)] == [[roster.token], []]


def test_every_link_on_the_page_of_a_new_roster_leads_somewhere(owner):
    tried = set()
    for system in SYSTEMS:
        page = f"/r/{owner.start_roster('A', system).token}/"
        links = {urljoin(page, each) for each in re.findall(r'<a [^>]*href="([^"#]+)', owner.text(page))}
        ours = {address for address in links if address[0] == "/"}
        assert len(ours) > 20
        assert [address for address in ours - tried if owner.get(unescape(address)).status_code >= 400] == []
        tried |= ours


def test_a_new_roster_may_begin_with_a_pasted_list_which_is_shown_before_anything_is_made(owner):
    text = "# Centre\n6 msk Line infantry\n4 works good"
    for address, sent in (("/new/6mm/preview", {"name": ""}), ("/new/6mm", {"name": "A"})):
        shown = owner.submit(address, size="0", text=text, **sent).context
        assert (shown["understood"], shown["lines"], shown["ready"]) == (1, 2, True)
    assert not Roster.objects.filter(sample=None).exists()
    owner.submit("/new/6mm", name="A", size="0", text=text, save="1")
    begun = document_of(Roster.objects.get(name="A"))
    [formation] = begun.formations
    assert (formation.name, begun.notes) == ("Centre", "4 works good")
    assert [each.quantity for each in formation.elements] == [6]
    owner.submit("/new/6mm", name="B", size="0", text=text, empty="1")
    assert element_ids(Roster.objects.get(name="B")) == [[]]


def test_the_rules_check_says_a_finding_once_and_its_button_fixes_all_places_unless_it_is_out_of_date(owner, friend):
    muskets = [{"type": "MSK", "agreed": 1, "quantity": 3, "general": general} for general in ("superior", None)]
    roster = owner.create(support.roster_data("6mm", muskets, [{"type": "PKE", "agreed": 1, "quantity": 3}]))
    page = owner.context(url_of(roster))
    [group] = [each for each in page["finding_groups"] if each.code == "needs-agreement"]
    assert [each.about for each in group.places] == ["Element 1", "Element 2", "Element 1"]
    assert {fix.label: fix.points for fix in group.fixes} == {"Mark as agreed": "", "Remove the special trait": "−9"}
    keys = {fix.label: fix.key for fix in group.fixes}
    assert 'name="fix"' not in friend.get(f"/s/{roster.token}").content.decode()
    remove = {"fix": keys["Remove the special trait"], "request_id": "1"}
    assert owner.post_to(roster, "fix", **remove).url == url_of(roster) + "#findings"
    owner.post_to(roster, "fix", **remove)
    assert reload(roster).revision == 2, "a repeated request changes nothing"
    assert [e.agreed for f in document_of(roster).formations for e in f.elements] == [0, 0, 0]
    assert "error" in message_levels(owner.post_to(roster, "fix", follow=True, fix=keys["Mark as agreed"]))
    owner.post_to(roster, "undo")
    owner.post_to(roster, "fix", fix=keys["Mark as agreed"])
    assert (document_of(roster).options.traits_agreed, reload(roster).revision) == (True, 4)
    assert not [
        each for each in owner.context(url_of(roster))["roster_page"].findings if each.code == "needs-agreement"
    ]


@pytest.mark.parametrize(
    ("data", "worst"),
    [
        (support.roster_data("6mm", [{"type": "MSK"}], []), "to-do"),  # no general, an empty command
        (support.roster_data("msc", [{"engine": 3, "shield": 3, "to_hit": 4}], []), "to-do"),  # an empty fleet
        (support.roster_data("6mm", [{"type": "MSK"}], budget=1), "error"),
        (support.roster_data("vsgmr", [{"kind": "hero", "commander": True, "quantity": 2}]), "error"),
        (support.roster_data("msc", [{"engine": 9}], []), "error"),
    ],
)
def test_what_a_roster_only_lacks_is_to_do_for_its_owner_and_an_error_on_its_shared_page(owner, data, worst):
    roster = owner.create(data)
    page = owner.context(url_of(roster))["roster_page"]
    summary = page.summary
    assert summary.findings.severity == worst
    flags = {finding.severity for formation in page.formations for finding in formation.findings}
    assert flags == ({"to-do"} if data["system"] == "msc" else set()), "the head of an empty fleet"
    [listed] = owner.context("/")["mine"]
    assert listed.errors == summary.findings.number * (worst == "error")
    for path in ("/", url_of(roster), url_of(roster, "settings")):
        assert ("#i-exclamation-octagon" in owner.text(path)) == (worst == "error"), path
    assert owner.context(f"/s/{roster.token}")["roster_page"].summary.findings.severity == "error"


def test_quantities_are_changed_in_place_also_by_buttons_and_an_invalid_one_keeps_all_that_was_typed(owner, dwarves):
    uid, number, numbers = element_ids(dwarves)[0][2], 3, {"5": 5, "000": 0, "10000": 10_000}
    for text in ["-1", "x", "10001", "1.5", "", "9" * 5000, *numbers]:
        response = owner.post_to(dwarves, "quantities", follow=True, **{f"quantity-{uid}": text})
        number = numbers.get(text, number)
        assert response.status_code == (200 if text in numbers else 422), text
        assert document_of(dwarves).formations[0].elements[2].quantity == number
        form = form_data_of(owner.get(url_of(dwarves, f"element?id={uid}"))) | {"quantity": text}
        response = owner.post_to(dwarves, f"element?id={uid}", **form)
        assert (response.status_code, text in numbers or [*response.context["form"].errors]) == (
            (302, True) if text in numbers else (422, ["quantity"])
        )
    first, second, third = element_ids(dwarves)[0]
    sent = {f"quantity-{second}": "4", "element": third, "pick": [first]}
    response = owner.post_to(dwarves, "element/delete", **sent, **{f"quantity-{first}": "few"})
    assert response.status_code == 422
    assert [*response.context["page_form"].errors] == [f"quantity-{first}"]
    again = form_data_of(response)
    assert [again[name] for name in (f"quantity-{first}", f"quantity-{second}", "pick")] == [["few"], ["4"], [first]]
    assert element_ids(dwarves) == [[first, second, third]]
    owner.post_to(dwarves, "element/delete", **sent)
    assert [(e.id, e.quantity) for e in document_of(dwarves).formations[0].elements] == [(first, 1), (second, 4)]
    old_page = form_data_of(owner.get(url_of(dwarves)))
    owner.post_to(dwarves, "quantities", **{f"quantity-{second}": "8"})
    owner.post_to(dwarves, "formation/add", **old_page)
    assert document_of(dwarves).formations[0].elements[1].quantity == 8, "it was not touched in the old page"


def test_every_button_can_be_undone_and_redone(owner):
    roster = owner.create(support.roster_data("msc", [SHIP], [SHIP, {**SHIP, "quantity": 3}]))
    before = document_of(roster)
    first, second = before.formations
    top, line = second.elements
    buttons = {f"element/{do}": {"element": line.id} for do in ("up", "duplicate", "split", "delete")}
    buttons |= {f"formation/{do}": {"formation": second.id} for do in ("up", "duplicate", "delete")}
    buttons |= {f"selected/{do}": {"pick": [line.id, "deleted"], "to": first.id} for do in ("move", "delete")}
    buttons |= {"element/down": {"element": top.id}, "formation/down": {"formation": first.id}, "formation/add": {}}
    buttons |= {"quantities": {f"quantity-{line.id}": "7"}}
    for at, sent in buttons.items():
        address = owner.post_to(roster, at, **sent).url
        after = document_of(roster)
        assert after != before, at
        assert f'id="{address.partition("#")[2] or "grid"}"' in owner.text(address), at
        for step, document in (("undo", before), ("redo", after), ("undo", before)):
            owner.post_to(roster, step)
            assert document_of(roster) == document, (at, step)


def test_a_preview_keeps_what_was_typed_and_an_element_is_saved_and_another_asked_for(owner, dwarves):
    before, uid = document_of(dwarves), element_ids(dwarves)[0][0]
    for at, preview in ((f"element?id={uid}", f"element/preview?id={uid}"), ("settings", "settings/preview")):
        typed = form_data_of(owner.get(url_of(dwarves, at))) | {"name": ["Typed"]}
        live = {"HX-Request": "true", "HX-Target": "preview"}
        page, part = (owner.post(url_of(dwarves, preview), typed, headers=headers) for headers in ({}, live))
        assert form_data_of(page) | {"csrfmiddlewaretoken": typed["csrfmiddlewaretoken"]} == typed
        assert (part.status_code, "<form" in part.content.decode()) == (200, False)
    assert document_of(dwarves) == before
    into = f"in={before.formations[0].id}"
    sent = form_data_of(owner.get(url_of(dwarves, f"element?{into}"))) | {"name": "New"}
    response = owner.post_to(dwarves, f"element/another?{into}", **sent)
    new = document_of(dwarves).formations[0].elements[-1]
    assert (new.name, response.status_code) == ("New", 302)
    assert response.url == url_of(dwarves, f"element?{into}&after={new.id}")
    added = document_of(dwarves)
    assert message_levels(owner.post_to(dwarves, f"element/another?{into}", follow=True, **sent)) == ["success", "info"]
    assert document_of(dwarves) == added, "the form was sent again, as its answer was lost"
    guns = owner.create(support.roster_data("6mm", [{"type": "MSK"}]))
    query = f"in={document_of(guns).formations[0].id}"
    sent_guns = form_data_of(owner.get(url_of(guns, f"element?{query}"))) | {"name": "Guns", "type": "ART"}
    assert message_levels(owner.post_to(guns, f"element/another?{query}", follow=True, **sent_guns)) == ["warning"]
    assert b"verdict bad fields" in owner.post_to(dwarves, f"element/another?{into}", **sent | {"name": ""}).content
    panel = [owner.post(url_of(dwarves, f"element?{into}"), sent, headers={"X-Part": "1"}) for _sent_again in range(2)]
    rows = sum(len(each.elements) for each in document_of(dwarves).formations)
    assert [each.content.count(b'<tr id="e-') for each in panel] == [1, rows], "all rows: it does not know the new one"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_new_element_begins_as_one_of_a_sample_or_of_the_roster_or_as_the_last_one(owner, friend, system):
    """Saved as it begins, it is a copy; of the last one it has all but who leads, and what is its own."""
    forms, own = SYSTEMS[system].forms.ElementForm, {"name": "Last", "quantity": 2, "secret": True, "notes": "Its own"}
    leads = {forms.leading: "competent" if system == "6mm" else True} if forms.leading else {}
    last = {**people.ELEMENTS[system], **own, **leads}
    roster = owner.create(support.roster_data(system, [last]))
    into = url_of(roster, f"element?in={document_of(roster).formations[0].id}")

    def begun(person, query, **typed):
        person.post(into, form_data_of(person.get(f"{into}&{query}")) | typed)
        return document_of(roster).formations[0].elements[-1]

    (uid,) = element_ids(roster)[0]
    starts = dict(owner.context(into)["starts"])
    assert [each.value for each in starts["This roster"]] == [uid]
    for start in (group[-1].value for group in starts.values()):
        token, _, source = start.rpartition("/")
        of = Roster.objects.get(token=token) if token else roster
        copied = next((each for f in document_of(of).formations for each in f.elements if each.id == source), None)
        new = begun(owner, urlencode({"start": start}))
        assert copied is None or new == copied.replace(id=new.id), start
    new = begun(owner, f"after={uid}", name="Next")
    assert new == type(new).model_validate({**people.ELEMENTS[system], "id": new.id, "name": "Next"})
    friend.get(roster.edit_link)
    assert not begun(friend, f"start={uid}").secret
    hidden = friend.create(support.roster_data(system, [last]))
    for none in ("start=0", "after=0", "start=0/0", f"start={hidden.token}/{element_ids(hidden)[0][0]}"):
        new = begun(owner, none, name="New")
        assert new == forms.new_element(SYSTEMS[system].rules, "New").replace(id=new.id), none


def test_a_form_says_what_the_remaining_points_buy_of_a_legal_element(owner):
    """Beside a new ship of 15 BP, 30 are left: two more of it. Beside one that is not legal, 45: three of another."""
    fleet = support.roster_data(
        "msc", [{"engine": 9, "shield": 1, "name": "Wrong"}, {**SHIP, "name": "Raider"}], budget=70
    )
    two, three = {"2", "ships"}, {"3", "Raider"}
    for budget, is_new, expected in ((70, True, two), (70, False, three), (49, True, set()), (20, True, set())):
        roster = owner.create(fleet | {"budget": budget})
        query = f"in={document_of(roster).formations[0].id}" if is_new else f"id={element_ids(roster)[0][0]}"
        fit = owner.context(url_of(roster, f"element?{query}"))["preview"]["fit"]
        assert ({*fit.split()} >= expected, bool(fit)) == (True, bool(expected))


def test_the_formula_is_above_a_receipt_and_a_plot_beside_it_and_in_a_live_preview_once_unfolded(
    owner, dwarves, friend
):
    paths = "", f"?receipt={element_ids(dwarves)[0][0]}"
    pages = [owner.get(url_of(dwarves, path)).content.decode() for path in paths]
    assert [SYSTEMS["vsgmr"].rules.FORMULA in page for page in pages] == [False, True]
    uid, caption = element_ids(dwarves)[0][0], '<caption class="visually-hidden">Dice needed'
    page = owner.get(url_of(dwarves, f"element?id={uid}"))
    live, address = {"HX-Request": "true", "HX-Target": "preview"}, url_of(dwarves, f"element/preview?id={uid}")
    parts = [owner.post(address, form_data_of(page) | more, headers=live) for more in ({}, {"plot": ["1"]})]
    shared = [friend.get(f"/s/{dwarves.token}{query}") for query in ("", f"?receipt={uid}")]
    assert [caption in each.content.decode() for each in (page, *parts, *shared)] == [True, False, True, False, True]


def test_a_roster_is_built_then_shared_and_its_rest_filled_only_where_points_are_left(owner):
    """A ship of 16 BP is more than nine tenths of 17, less than those of 18, and more than 15."""
    cases = ((16, 0, "begin", True), (18, 1, "build", True), (17, 1, "share", True), (15, 1, "build", False))
    for budget, quantity, stage, fills in cases:
        ships = [{**SHIP, "engine": 3, "shield": 3, "to_hit": 4, "quantity": 1}] * quantity
        roster = owner.create(support.roster_data("msc", ships, budget=budget))
        page = owner.text(url_of(roster))
        assert f'data-next="{stage}"' in page
        assert (f'href="{url_of(roster, "fill")}"' in page, "over its limit" in page) == (fills, not fills)


def test_settings_change_name_budget_and_house_rules_and_show_first_what_each_would_cost(owner, dwarves):
    """Five Panzer IV, one point less each: 119.5 - 5 = 114.5, half up."""
    rommel = owner.copy_sample("6mm/rommel")
    page = owner.text(f"/r/{rommel.token}/settings")
    assert 'data-points="-5">−5<' in page
    sent = {"name": "龍", "budget": "99.5", "notes": "n", "tank_gun_reduced": "on", "torsion_factor": "1"}
    live = owner.post_to(rommel, "settings/preview", **sent | {"torsion_factor": "0"})
    assert 'data-points="115"' in live.content.decode()
    assert document_of(rommel).options.tank_gun_reduced is False
    assert owner.post_to(rommel, "settings", **sent).status_code == 302
    found = document_of(rommel)
    assert (found.name, found.budget, found.notes) == ("龍", 99.5, "n")
    assert (found.options.tank_gun_reduced, found.options.torsion_factor) == (True, 1)
    before = document_of(dwarves)
    response = owner.post_to(dwarves, "settings", name="Kept words", budget="many", scenario="basic", side="target")
    assert not response.context["form"].has_rule_changes, "the house rules would be opened"
    form = response.context["form"]
    assert (response.status_code, form["name"].value(), {*form.errors}) == (422, "Kept words", {"budget", "side"})
    assert document_of(dwarves) == before


def test_an_element_and_a_formation_are_copied_from_a_book_and_from_no_stranger_or_other_game(owner, friend, dwarves):
    for source in (friend.copy_sample("vsgmr/orcs"), sample_roster("6mm/rommel")):
        element = {"from": source.token, "element": element_ids(source)[0][0]}
        assert owner.post_to(dwarves, "add/element", **element).status_code == 404
        assert owner.get(f"/r/{dwarves.token}/add?from={source.token}").status_code == 404
    orcs = sample_roster("vsgmr/orcs")
    source, into = document_of(orcs).formations[0], document_of(dwarves).formations[0].id
    for what, uid in (("element", source.elements[0].id), ("formation", source.id)):
        owner.post_to(dwarves, f"add/{what}", **{"from": orcs.token, "in": into, what: uid})
    found = document_of(dwarves)
    copied = found.formations[0].elements[-1]
    assert (copied.name, found.formations[-1].name) == (source.elements[0].name, source.name)
    assert copied.id != source.elements[0].id
    assert document_of(orcs).formations[0] == source


def test_the_queries_of_a_page_do_not_grow_with_the_roster(owner, dwarves, django_assert_max_num_queries):
    for count in (1, 20):
        for _ in range(count):
            owner.post_to(dwarves, "element/duplicate", element=element_ids(dwarves)[0][2])
        states._cache.clear()
        with django_assert_max_num_queries(6):
            owner.get(f"/r/{dwarves.token}/")


def test_every_sample_army_opens_and_books_are_searched_by_words_chosen_by_game_and_lead_to_errata(friend):
    for roster in Roster.objects.filter(sample__isnull=False):
        assert friend.get(f"/s/{roster.token}").status_code == 200
    for address in ("/new/chess", "/explain/chess", "/nothing", "/r/x/y"):
        assert friend.context(address, 404)["status"] == 404
    armies = " ".join(row["army"] for row in friend.context("/errata/")["rows"] if row["roster"])
    assert all(name in armies for name in ("wellington", "boudicca", "rommel", "monty", "undead"))
    desert = {"6mm/rommel", "6mm/monty"}
    for query, listed in (("q=afrika+korps", desert), ("q=<script>", set())):
        page = friend.context(f"/books/?{query}")["page"]
        assert {roster.token for roster in page.rosters} == {sample_roster(each).token for each in listed}
        assert "<script>" not in friend.text(f"/books/?{query}").split("<main")[1]
    assert {friend.get(f"/books/?q={text}").status_code for text in ("%00", "x" * 500)} == {200}
    assert {roster.system.slug for roster in friend.context("/books/?system=6mm")["page"].rosters} == {"6mm"}
    form = friend.context("/books/?system=6mm&least=9.5&q=x&page=2")["form"]
    assert [query for _text, query in form.active_filters] == ["least=9.5&q=x", "system=6mm&q=x"]


@pytest.mark.parametrize("marked", [True, False])
def test_elements_are_marked_as_secret_by_an_owner_alone_and_stay_so_when_others_change_them(owner, friend, marked):
    fleet = owner.create(support.roster_data("msc", [{**SHIP, "secret": marked}]))
    friend.get(fleet.edit_link)
    (uid,) = element_ids(fleet)[0]
    sent = {"name": "Renamed", "quantity": 3, "engine": 3, "shield": 3, "to_hit": 3, "F": 1}

    def secret():
        return {each.secret for formation in document_of(fleet).formations for each in formation.elements}

    field = friend.context(url_of(fleet, f"element?id={uid}"))["form"]["secret"]
    assert (field.is_hidden, field.value()) == (True, marked)
    assert friend.post_to(fleet, f"element?id={uid}", **sent, **({} if marked else {"secret": "on"})).status_code == 302
    for do in ("duplicate", "split"):
        friend.post_to(fleet, f"element/{do}", element=uid)
    assert ({each.name for each in document_of(fleet).formations[0].elements}, secret()) == ({"Renamed"}, {marked})
    data = documents.write(document_of(fleet))
    data["formations"][0]["elements"][0]["secret"] = not marked
    for link, status, kinds in ((fleet.edit_link, 403, 1), (fleet.owner_link, 200, 2)):
        assert (friend.put_document(fleet, data, link).status_code, len(secret())) == (status, kinds)
    friend.post_to(fleet, "undo")
    assert len(secret()) == 2, "undoing does not mark either"


def test_a_crest_is_assigned_at_the_start_kept_by_copies_and_versions_and_chosen_out_of_24_others(
    owner, friend, dwarves
):
    roster, other = owner.start_roster("Twins"), owner.start_roster("Twins")
    crest = document_of(roster).crest
    assert len(crest) == 8
    assert document_of(other).crest != crest, "the same name, another crest"
    owner.post_to(roster, "settings", name="Renamed", max_engine="5")
    copy = friend.submit(f"/s/{roster.token}/copy").url.split("/")[2]
    saved = json.loads(friend.text(f"/s/{roster.token}.json"))
    pasted = friend.submit("/import", text=json.dumps(saved)).url.split("/")[2]
    assert [document_of(Roster.objects.get(token=token)).crest for token in (roster.token, copy, pasted)] == [crest] * 3
    owner.post_to(roster, "crest", crest="0c5e21aa")
    assert crests.crest_of(document_of(roster)) == "0c5e21aa"
    assert "Crest changed" in owner.text(f"/s/{roster.token}/compare?from=r2&with=r3")
    owner.post_to(roster, "undo")
    assert document_of(roster).crest == crest
    sample, copied = document_of(sample_roster("vsgmr/dwarves")), owner.copy_sample("vsgmr/dwarves")
    owner.post_to(copied, "settings", name="Others")
    assert (sample.crest, document_of(copied).crest) == (None, crests.crest_of(sample)), "by game and name"
    assert crests.crest_of(sample) != crests.crest_of(sample.replace(name="Others"))
    pages = [owner.text(url_of(dwarves, f"crest{query}")) for query in ("", "?shuffle=1")]
    offered = [re.findall(r'value="([0-9a-f]{8})"', page) for page in pages]
    assert [len({*each}) for each in offered] == [24, 24]
    assert {*offered[0]} & {*offered[1]} == {document_of(dwarves).crest}
    for wrong in ("", "red", "0C5E21AA"):
        response = owner.post_to(dwarves, "crest", crest=wrong)
        assert (response.status_code, [*response.context["form"].errors]) == (422, ["crest"])
    owner.post_to(dwarves, "crest", crest=document_of(dwarves).crest)
    assert reload(dwarves).revision == 1, "nothing was changed"
    owner.post_to(dwarves, "crest?shuffle=1", crest=offered[1][5])
    assert (document_of(dwarves).crest, reload(dwarves).revision) == (offered[1][5], 2)


def test_a_button_without_a_selection_for_what_is_gone_or_with_a_value_that_cannot_be_read_changes_nothing(
    owner, dwarves
):
    before = document_of(dwarves)
    here, all_ids = before.formations[0].id, element_ids(dwarves)[0]
    for do, pick, to, wrong in (
        *(("delete", [], here, "pick"), ("delete", ["gone"], here, "pick")),
        *(("move", [], here, "pick"), ("move", ["gone"], here, "pick"), ("move", all_ids, "gone", "to")),
    ):
        response = owner.post_to(dwarves, f"selected/{do}", pick=pick, to=to)
        assert (response.status_code, [*response.context["page_form"].errors]) == (422, [wrong])
    for at, name in (("element/delete", "element"), ("formation/up", "formation")):
        assert message_levels(owner.post_to(dwarves, at, follow=True, **{name: "gone"})) == ["error"]
    assert document_of(dwarves) == before
    first = document_of(dwarves).formations[0].id
    for at, status in {
        "crest?shuffle=x": 400,
        "element?id=%00": 400,
        "element?id=nobody": 404,
        "formation?id=%00": 400,
        "formation?id=nobody": 404,
        f"formation/elements?id={first}&page=x": 200,  # a page that is not there is the first
        "odds?rows=x&columns=-1": 200,
    }.items():
        assert owner.get(url_of(dwarves, at)).status_code == status, at
    assert owner.post(f"/s/{dwarves.token}/print/default", {"for": "everybody"}).status_code == 400
    assert owner.post_to(dwarves, "odds/column", query="\0").status_code == 400
    assert owner.get("/explain/?q=%00").status_code == 400


def test_what_is_sent_again_because_its_response_was_lost_is_created_once(owner):
    owner.copy_sample()  # a browser that this site knows, from here on
    started = {"name": "Ours", "size": "0", "request_id": "1"}
    imported = {"text": json.dumps(support.roster_data("msc", [SHIP], name="Theirs")), "request_id": "1"}
    for url, sent, name in [("/new/msc", started, "Ours"), ("/import", imported, "Theirs")]:
        ours = Roster.objects.filter(name=name)
        assert [owner.submit(url, **sent).status_code for _sent_again in range(2)] == [302, 302]
        assert ours.count() == 1
        owner.bulk_action("delete", ours.get())
        owner.submit(url, **sent)
        assert ours.count() == 2
