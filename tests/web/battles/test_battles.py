"""Battles by the owner, a friend and a stranger: matched by hand for all games, frozen, printed, checked, crowded."""

import csv
import io
import re

import pytest
from django.http import Http404

from rosters.core import documents, edits
from rosters.models import Battle, Force, Roster
from rosters.registry import SYSTEMS
from rosters.store import play, writer
from rosters.store.pairs import pairs_of
from rosters.store.state import current_state
from rosters.web.battles import link_check
from rosters.web.battles import service as battles
from rosters.web.battles.service import BattleError, RosterRef
from rosters.web.sharing.links import Link, parse_link
from tests.concurrency import before_next_call, committed, run_in_threads
from tests.paper import pdf_text
from tests.people import ELEMENTS, SHIP, Person, add_element, change_element, document_of, reload, token_in, url_of
from tests.support import roster_data

pytestmark = pytest.mark.usefixtures("without_limits")


def force(system, quantity, **root):
    return roster_data(system, [{**ELEMENTS[system], "quantity": quantity}], **root)


def fleet(ships, **root):
    return force("msc", ships, **root)


SIZE_OF_PAIRS = {  # as issued: points of each side, scenario; for URUTSK the sums of the scores
    "bridgehead-company": (500, "standard"),
    "napoleon": (104, None),
    "fox-squadron": (60, "tactical"),
    "hearthward-navy": (525, "strategic"),
    "harbor-patrol": (25, "basic"),
    "ferry-wardens": ((12, 16, 21, 14, 33), None),
}


def size_of(state):
    """The points, or figures and the sum of each score where there are none."""
    if state.appraisal.points is not None:
        return state.appraisal.points
    scores = ("quantity", "ranged", "close", "weapon_ability", "fate")
    models = [element for element in state.document.elements for _ in range(element.quantity)]
    return (len(models), *(sum(getattr(model, score) for model in models) for score in scores[1:]))


def test_each_game_has_a_legal_matched_pair_that_one_click_makes_a_locked_battle(owner, friend):
    pairs = pairs_of(*SYSTEMS)
    assert {pair.first.system for pair in pairs} == {*SYSTEMS}
    for pair in pairs:
        (size, scenario), states = SIZE_OF_PAIRS[pair.name], [current_state(roster) for roster in pair]
        for state in states:
            assert (state.appraisal.legal, state.document.scenario) == (True, scenario), pair.name
            total = size_of(state)
            assert total == size or (isinstance(size, int) and size * 49 / 50 <= total <= size), pair.name
        address = f"/battle/sample/{pair.first.system}/{pair.name}"
        answers = [owner.get(each) for each in (address, f"{address}.png")]
        assert ([each.status_code for each in answers], len(answers[1].content) < 300_000) == ([200, 200], True)
        assert Battle.objects.exclude(creator=None).count() == 0
        assert owner.context(address)["comparison"].match.matched is True
        battle = Battle.objects.get(token=token_in(owner.submit(address).url))
        assert [(bool(force.locked), force.roster.sample) for force in battle.forces.all()] == [(True, None)] * 2
        assert is_matched(owner, battle)
        Battle.objects.update(creator=None)
        lost = battles.create("Lost", [*map(RosterRef, (*pair, owner.create(states[0].document)))], None)
        for orphan in (battle, lost):
            orphan.browsers.clear()
        [report] = {owner.post(f"{address}/report").url, friend.post(f"{address}/report").url}
        assert Battle.objects.latest("pk").token in report, "those that lost their players are others"
        assert friend.context(report)["report"].battle.creator is None, "it is the same for everybody"
    assert owner.get("/battle/sample/msc/nosuch").status_code == 404
    owner.copy_sample()
    newest, *others = (row.in_battle for row, _selected in owner.context("/mine/")["rows"])
    assert (newest, sum(others) >= 2 * len(pairs)) == (False, True), "the copies play in battles"


ATTACK = {"scenario": "defensive", "side": "attacker", "budget": 1200}
DEFENCE = {"scenario": "defensive", "side": "defender", "budget": 600}
AMBUSH, TARGET = ({"scenario": "ambush", "side": side} for side in ("ambusher", "target"))


def page(client, battle):
    return client.context(url_of(battle))


def cards(client, battle):
    return [seat["summary"] for seat in page(client, battle)["seats"]]


def is_matched(client, battle):
    return page(client, battle)["comparison"].match.matched


def acts(client, battle, at, **sent):
    return client.post_to(battle, at, **sent).status_code


def printed(client, battle):
    response = client.get(f"{url_of(battle)}.pdf")
    assert response.status_code == 200
    return pdf_text(response.content)


@pytest.fixture
def red(owner):
    return owner.create(fleet(3, name="Red"))


@pytest.fixture
def blue(friend):
    return friend.create(fleet(3, name="Azure"))


@pytest.fixture
def battle(owner, red, blue):
    """45 against 45 BP."""
    return owner.create_battle(red, blue, name="At dawn")


def uid_of(battle, force, element=0):
    """The id of an element of the roster in this place of a battle."""
    rosters = [each.roster for each in battle.forces.order_by("position")]
    return document_of(rosters[force]).elements[element].id


LINKS = {
    Link("AbC"): ["  /s/AbC.json ", "/s/AbC/print?paper=a4", "https://x/r/AbC/", "https://x/e/AbC/secret", "AbC"],
    Link("AbC-_1"): ["http://x.org/s/AbC-_1"],
    Link("AbC", 12): ["https://x.org/s/AbC/r12", "/s/AbC/r12.json"],
    Link(""): ["", "ä ö", "/s/" + "x" * 600],
}


def test_any_link_to_a_roster_names_it():
    for link, texts in LINKS.items():
        assert {parse_link(text) for text in texts} == {link}


MEETINGS = [
    (force("mini-combat", 12, **ATTACK), force("mini-combat", 6, **DEFENCE), True),
    (fleet(3), fleet(4), False),
]


@pytest.mark.parametrize(("red", "blue", "matched"), MEETINGS)
def test_a_battle_says_and_prints_for_anyone_whether_it_is_matched(owner, friend, stranger, red, blue, matched):
    battle = owner.create_battle(owner.create(red | {"name": "Red"}), friend.create(blue | {"name": "Azure"}))
    assert [is_matched(client, battle) for client in (owner, friend, stranger)] == [matched] * 3
    assert f'data-matched="{"yes" if matched else "no"}"' in stranger.text(url_of(battle))
    assert "data-illegal" not in stranger.text(url_of(battle))
    pdf = f"{url_of(battle)}.pdf"
    first = stranger.get(pdf)
    assert ("Red against Azure" in pdf_text(first.content), first["X-Robots-Tag"]) == (True, "noindex, nofollow")
    assert f'{url_of(battle)}.png"' in stranger.text(url_of(battle))
    assert stranger.get(f"{url_of(battle)}.png").content[:4] == b"\x89PNG"
    assert owner.get(pdf, headers={"If-None-Match": first["ETag"]}).status_code == 304
    if f"{pdf}?terrain=2" in stranger.text(url_of(battle)):
        assert "layout 2 of 6" in pdf_text(stranger.get(f"{pdf}?terrain=2").content)
    else:
        assert red["system"] == "msc", "there is no terrain in space"


def test_rosters_that_are_even_in_points_are_not_said_to_be_legal(owner, stranger):
    """45 BP on both sides, and a limit of 44 on one."""
    fight = owner.create_battle(owner.create(fleet(3, name="Over", budget=44)), owner.create(fleet(3, name="Legal")))
    shown = page(stranger, fight)["comparison"]
    assert (shown.match.matched, shown.illegal) == (True, "Over")
    figures = {str(row.label): [cell.shown for cell in row.cells] for row in shown.figures}
    assert (figures["Ships"], figures["Total SHIELD"]) == (["3", "3"], ["9", "9"])
    over, legal = (each.roster for each in fight.forces.all())
    compared = stranger.context(f"/s/{over.token}/compare?from={over.token}&with={legal.token}")["comparison"]
    assert compared.illegal == "Over"
    assert "data-illegal" in stranger.text(url_of(fight))


def test_a_rematch_has_the_same_versions_and_terms_with_the_sides_swapped(owner, friend, stranger):
    red, blue = (client.create(force("vsgmr", 25, name=name)) for client, name in ((owner, "Red"), (friend, "Azure")))
    fight = owner.create_battle(red, blue)
    add_element(red, 1)
    acts(owner, fight, "terms", name=fight.name, scenario="ambush")
    assert acts(stranger, fight, "rematch") == 404
    assert acts(owner, fight, "rematch") == 302
    rematch = Battle.objects.exclude(pk=fight.pk).get()
    assert (rematch.name, rematch.scenario, rematch.options) == ("Azure against Red", "ambush", fight.options)
    forces = [(each.roster, each.revision, each.side, each.locked) for each in rematch.forces.all()]
    assert forces == [(blue, 1, "ambusher", None), (red, 1, "target", None)]
    assert {each.battle for each in owner.context("/battle/new")["battles"]} == {rematch, fight}


def test_a_roster_page_leads_to_a_battle_with_it_and_to_those_of_the_visitors_own(owner, friend, stranger, red, blue):
    address = f"/battle/new?roster={red.token}"
    assert address in owner.text(url_of(red))
    assert address in stranger.text(f"/s/{red.token}")
    ours, other = owner.create_battle(red, blue), owner.create_battle(owner.create(fleet(3)))
    friend.create_battle(red)
    mine, theirs = owner.context(address), stranger.context(address)
    assert (mine["form"]["roster"].value(), [each.battle for each in mine["battles_with"]]) == ([red.token], [ours])
    assert {each.battle for each in mine["battles"]} == {ours, other}
    assert owner.context(f"/r/{red.token}/marks")["played"].battle == ours
    assert (theirs["form"]["against"].value().endswith(f"/s/{red.token}"), theirs["against"]) == (True, red)
    assert not theirs["battles_with"]
    sample = Roster.objects.get(sample="msc/hearthward-navy")
    seen = stranger.context(f"/battle/new?roster={sample.token}")
    offered = [*seen["samples"], *seen["other_samples"]]
    assert (sample in offered, {each.system for each in offered}) == (False, {"msc"})
    assert [0.8 <= each.points / sample.points <= 1.2 for each in seen["samples"]] == [True] * len(seen["samples"])
    assert all(abs(each.points - sample.points) > 0.2 * sample.points for each in seen["other_samples"])
    stranger.submit("/battle/new", roster=offered[0].token, against=f"/s/{red.token}")
    assert [each.roster for each in Battle.objects.first().forces.all()] == [offered[0], red]


def test_the_play_page_of_a_battle_has_the_losses_of_both_sides_that_are_shown(owner, friend, red, blue):
    battle = owner.create_battle(red, blue)
    own = f"{url_of(red, 'marks')}?battle={battle.token}"
    paths, versions, shown = [own, f"{own}&side=2"], set(), []
    sunk = {"box": f"{document_of(blue).formations[0].elements[0].id} 0 shield 2 1"}
    for action, sent, losses in (("box", sunk, None), ("show", {"show": 1}, (1, 3))):
        friend.post_to(blue, f"marks/{action}", request_id=action, **sent)
        page_of_play = owner.context(paths[0])
        assert [(path, side.losses) for side, path in page_of_play["sides"]] == [(paths[0], (0, 3)), (paths[1], losses)]
        versions.add(page_of_play["version"])
        other = owner.text(paths[1])
        shown.append((other.count('class="mark on"'), other.count('class="mark')))
        assert len(re.findall(r'class="mark[^>]*" disabled\s', other)) == 27
    assert len(versions) == 2, "the script asks for it"
    assert shown == [(0, 27), (3, 27)]
    assert page_of_play["is_hidden_from_players"], "the owner's own losses"
    later = owner.create_battle(red, blue)
    assert [bool(page(friend, each)["seats"][1]["damaged"]) for each in (battle, later)] == [False, True]
    friend.post_to(blue, "marks/reset", request_id="", reset=1)
    assert not page(friend, later)["seats"][1]["damaged"]
    writer.update_roster(blue, visibility="closed")
    assert not owner.context(paths[0])["sides"]


def test_play_in_a_battle_is_at_the_locked_version_and_both_players_see_one_turn(owner, friend, battle, red, blue):
    """The friend's roster of three ships has a fourth since, and what is gone from it is played where it was locked."""
    acts(friend, battle, f"forces/{battle.forces.get(roster=blue).pk}/pin")
    first = document_of(blue).formations[0].elements[0].id
    add_element(blue)
    friend.post_to(blue, "element/delete", element=first)
    address = url_of(blue, "marks")
    here = f"{address}?battle={battle.token}"
    for path, locked, ids in ((address, False, 0), (here, True, 1)):
        played = friend.context(path)["played"]
        assert (played.is_locked, sum(each.id == first for each in played.document.elements)) == (locked, ids)
        assert all(part in friend.text(path) for part in ("version 3", "version 1"))
    sent = {"request_id": "a", "box": f"{first} 0 shield 2 1", "battle": battle.token, "follow": True}
    played = friend.post_to(blue, "marks/box", **sent).context["played"]
    assert (played.is_locked, [*played.damage]) == (True, [f"{first} 0"])
    builder = friend.text(url_of(blue))
    assert (url_of(battle) in builder, "version 1. Changes here do not change that battle." in builder) == (True, True)
    friend.post_to(blue, "marks/turn", request_id="b", turn=1, shown_turn=0)
    owner.post_to(red, "marks/turn", request_id="c", turn=2, shown_turn=1)
    pages = [client.get(url_of(roster, "marks")) for client, roster in ((owner, red), (friend, blue))]
    assert [each.context["play"].turn for each in pages] == [2, 2]
    seats = [re.findall(r'class="play-page([^"]*)"', each.content.decode()) for each in pages]
    assert seats == [[" seat-1"], [" seat-2"]]
    friend.post_to(blue, "marks/undo", request_id="d")
    assert play.play_of(red).turn == 0
    stranger_battle = owner.create_battle(blue, owner.create(fleet(3)))
    mine = stranger_battle.forces.exclude(roster=blue).get().roster
    owner.post_to(mine, "marks/turn", request_id="e", turn=1, shown_turn=0)
    assert play.play_of(blue).turn == 0, "its player has not locked it there"


def test_a_selected_roster_and_a_pasted_link_meet_and_what_cannot_keeps_what_was_typed(owner, red):
    two_games = f"/s/{red.token}\n/s/{owner.create(force('vsgmr', 25)).token}"
    nine = "\n".join([f"/s/{red.token}"] * (battles.MAX_FORCES + 1))
    for links, status in (("", 422), ("https://x/s/nothing", 404), ("\0", 422), (two_games, 422), (nine, 422)):
        response = owner.submit("/battle/new", links=links, name="Typed")
        form = response.context["form"]
        assert (response.status_code, form["name"].value(), form["links"].value()) == (status, "Typed", links)
        assert form.errors
    blue = owner.create(fleet(3, budget=40))
    owner.submit("/battle/new", roster=red.token, links=f"/s/{blue.token}", name="At dawn")
    battle = Battle.objects.get()
    assert [each.roster for each in battle.forces.all()] == [red, blue]
    errors = [[finding.code for finding in seat["summary"].errors] for seat in page(owner, battle)["seats"]]
    assert errors == [[], ["over-budget"]]


def test_a_private_roster_is_there_for_its_owner_alone(owner, friend, red):
    shut, battle = friend.create(fleet(3, name="Sentinel"), visibility="closed"), owner.create_battle(red)
    closed, unknown = (owner.post_to(battle, "add", link=f"/s/{token}") for token in (shut.token, "never"))
    assert (closed.status_code, unknown.status_code) == (404, 404)
    assert "Sentinel" not in closed.content.decode()
    for named, status in ((shut.token, 404), ("never", 404), ("%00", 400)):
        owner.text(f"/battle/new?roster={named}", status)
    assert battle.forces.count() == 1


@pytest.mark.parametrize("way", ["closed", "binned"])
def test_a_roster_that_is_closed_or_deleted_later_vanishes_from_the_battle_for_others(owner, friend, battle, blue, way):
    add_element(blue)
    writer.update_roster(blue, visibility="closed") if way == "closed" else writer.move_to_bin(blue)
    acts(owner, battle, "add", roster=owner.create(fleet(3)).token)
    acts(owner, battle, "pin")
    assert battle.forces.get(roster=blue).revision == 1, "what they do not see they do not lock"
    context = page(owner, battle)
    assert [seat["is_hidden"] for seat in context["seats"]] == [False, True, False]
    assert context["comparison"].match.matched is None, "although those that are seen match"
    assert "Azure" not in owner.text(url_of(battle)) + printed(owner, battle)
    theirs = page(friend, battle)["seats"][1]
    assert (theirs["is_hidden"], theirs.get("is_private", False)) == (way == "binned", way == "closed")
    assert "Azure" in friend.text(url_of(battle)), "who may edit it is told which it is"
    titled = type(battle).objects.filter(pk=battle.pk)
    titled.update(name="Azure at dawn")
    own = [person.text("/battle/new") for person in (owner, friend)]
    assert ["at dawn" in text and "Azure at dawn" not in text for text in own] == [True, False]
    assert "Azure" not in owner.text(url_of(battle)), "nor in the form of its terms"
    assert battles.create("", [RosterRef(reload(blue))], owner.browser).name.endswith("Azure") == (way == "binned")


def test_a_battle_stays_at_the_locked_versions_until_the_latest_are_locked(owner, friend, stranger, battle, red, blue):
    add_element(blue, 1)
    pin = f"forces/{battle.forces.get(roster=blue).pk}/pin"
    for version, matched, missing in ((1, True, 0), (2, False, 1)):
        shown = page(owner, battle)
        match = shown["comparison"].match
        assert (match.matched, shown["seats"][1]["may_lock"], len(match.missing)) == (matched, matched, missing)
        assert bool(shown["seats"][1]["summary"].since) == (version == 1)
        assert f"/s/{blue.token}/r{version}" in owner.text(url_of(battle))
        assert ("Newcomer" in printed(owner, battle)) == (version == 2)
        acts(owner, battle, pin)
    assert [bool(each.locked) for each in battle.forces.all()] == [True, False], "each player locks their own"
    assert [acts(client, battle, pin) for client in (stranger, friend)] == [422, 302]
    add_element(blue)
    acts(owner, battle, pin)
    assert (battle.forces.get(roster=blue).revision, battle.forces.get(roster=blue).locked is None) == (2, False)
    assert acts(friend, battle, pin) == 302
    assert battle.forces.get(roster=blue).revision == 3
    assert acts(friend, battle, "rematch") == 302, "who locks a roster joins the battle"
    one = owner.create_battle(red)
    assert [acts(owner, one, "add", link=f"https://x/s/{blue.token}/{at}") for at in ("r9", "r1")] == [404, 302]
    assert one.forces.get(roster=blue).revision == 1, "a link to a version locks that one"
    add_element(red)
    acts(owner, one, "pin")
    assert [each.revision for each in one.forces.all()] == [2, 3]
    token = writer.reset_share_link(blue)
    assert (token in owner.text(url_of(battle)), battle.forces.count()) == (False, 1), "which would tell the new link"


def test_a_roster_whose_link_is_reset_meanwhile_is_not_added(owner, friend, red, monkeypatch):
    """Nor is it in a rematch: both would show its new link to everybody who had the old one."""
    battle, blue = owner.create_battle(red), friend.create(fleet(3))
    before_next_call(monkeypatch, battles, "add", lambda: writer.reset_share_link(blue))
    assert acts(owner, battle, "add", link=f"/s/{blue.token}") == 422
    assert acts(owner, battle, "add", link=f"/s/{reload(blue).token}") == 302
    before_next_call(monkeypatch, battles, "_lock_shared", lambda: writer.reset_share_link(blue))
    assert acts(owner, battle, "rematch") == 302
    assert [battle.forces.get().roster, Battle.objects.latest("pk").forces.get().roster] == [red, red]


def test_every_roster_is_appraised_under_the_battles_house_rules(owner, friend):
    """A medium tank with a 75 mm gun is 6 + 3 = 9 points, 8 where tank guns are priced one lower (table 3)."""
    tank = {"type": "TNK", "armour": "medium", "gun": "breech-loader-79", "name": "Sherman"}
    cheap = friend.create(roster_data("6mm", [tank], name="Cheap", options={"tank_gun_reduced": True}))
    plain = owner.create(roster_data("6mm", [tank], name="Plain"))
    battle = owner.create_battle(plain, cheap)

    def totals():
        return [(card.roster_page.total.shown, len(card.differing)) for card in cards(owner, battle)]

    assert totals() == [("9", 0), ("9", 1)]
    acts(owner, battle, "terms", name="Reduced", tank_gun_reduced="on", torsion_factor="0")
    assert totals() == [("8", 1), ("8", 0)]
    assert documents.write(document_of(plain))["options"] == {}
    assert acts(owner, battle, "terms", name="", max_engine="many") == 422
    assert reload(battle).name == "Reduced"


def test_the_scenario_gives_sides_and_names_who_says_otherwise(owner, friend):
    battle = owner.create_battle(owner.create(force("vsgmr", 25)), friend.create(force("vsgmr", 40)))
    acts(owner, battle, "terms", name="Trap", scenario="ambush")
    first, second = battle.forces.all()
    assert (first.side, second.side, is_matched(owner, battle)) == ("ambusher", "target", True)
    assert [len(card.differing) for card in cards(owner, battle)] == [1, 1]
    assert "Ambush" in printed(owner, battle)
    assert acts(owner, battle, f"forces/{first.pk}/side", side="attacker") == 422, "no side of this scenario"
    for one, chosen in ((first, "target"), (second, "ambusher")):
        assert acts(owner, battle, f"forces/{one.pk}/side", side=chosen) == 302
    assert is_matched(owner, battle) is False
    acts(owner, battle, "terms", name="Open", scenario="escape")
    assert [each.side for each in battle.forces.all()] == [None, None]


# what others may never do stands in the matrix (tests/web/http)


def test_the_other_side_takes_out_its_own_force_alone_and_deletes_nothing(owner, friend, red):
    battle = owner.create_battle(red)
    roster = friend.create_opponent(battle)
    ours, theirs = battle.forces.order_by("position")
    places = [f"forces/{theirs.pk}/remove", f"forces/{ours.pk}/remove", "delete"]
    shown = friend.text(url_of(battle))
    assert [url_of(battle, at) in shown for at in places] == [True, False, False]
    assert [acts(friend, battle, at) for at in reversed(places)] == [422, 422, 302]
    assert [each.roster for each in battle.forces.all()] == [red]
    friend.post_to(battle, "join", roster=roster.token, player="Ana")
    named = url_of(battle, f"forces/{battle.forces.get(roster=roster).pk}/player")
    assert (named in friend.text(url_of(battle)), ">Ana<" in owner.text(url_of(battle))) == (True, True)
    assert acts(Person(), battle, named.split("/", 3)[3], player="Eve") == 422
    assert battle.forces.last().player == "Ana"
    acts(owner, battle, f"forces/{battle.forces.get(roster=roster).pk}/remove")
    assert [each.roster for each in battle.forces.all()] == [red], "who began it takes out any"
    assert Roster.objects.filter(pk=roster.pk).exists()


def test_who_began_a_battle_may_delete_it_once_sure_and_the_rosters_stay(owner, friend, red):
    battle, other = owner.create_battle(red), owner.create_battle(red)
    roster, rosters = friend.create_opponent(battle), Roster.objects.count()
    owner.text(url_of(battle, "delete"))
    assert (Battle.objects.count(), acts(owner, battle, "delete")) == (2, 302)
    assert ([*Battle.objects.all()], Roster.objects.count(), Force.objects.count()) == ([other], rosters, 1)
    for client in (owner, friend):
        assert [client.get(url_of(battle) + ending).status_code for ending in ("", ".pdf", ".png")] == [404] * 3
    assert friend.get(url_of(roster)).status_code == 200


def test_a_battle_that_was_deleted_just_now_is_a_404_for_everyone_who_writes_to_it(owner, battle):
    browser, document, late = owner.browser, document_of(battle.forces.first().roster), owner.create(fleet(1))
    rosters, options = Roster.objects.count(), battles.options_of(battle)
    Battle.objects.all().delete()
    for write, *values in (
        (battles.add, RosterRef(late)),
        (battles.join, late, browser),
        (battles.create_opponent, document, browser),
        (battles.lock_latest_versions, [1]),
        (battles.remove, 1),
        (battles.set_side, 1, ""),
        (battles.update_terms, "Late", None, options),
        (battles.delete,),
    ):
        with pytest.raises(Http404):
            write(battle, *values)
    assert Roster.objects.count() == rosters


def test_a_roster_is_in_a_battle_once_eight_are_enough_and_forces_of_others_are_out_of_reach(owner, friend, red):
    battle, theirs = owner.create_battle(red), friend.create_battle(friend.create(fleet(3)))
    for action in ("remove", "pin", "side"):
        assert acts(owner, battle, f"forces/{theirs.forces.get().pk}/{action}") == 404
    assert acts(owner, battle, "add", roster=red.token) == 422
    for _ in range(battles.MAX_FORCES - 1):
        battles.add(battle, RosterRef(owner.create(fleet(1))))
    one_more, before = owner.create(fleet(1)), Roster.objects.count()
    assert [acts(owner, battle, at, roster=one_more.token) for at in ("add", "join")] == [422, 422]
    assert acts(owner, battle, "opponent") == 422
    assert (Roster.objects.count(), battle.forces.count()) == (before, battles.MAX_FORCES)


def test_an_opponent_begins_with_its_budget_and_the_other_side(owner, friend):
    for data, begun in (
        (force("mini-combat", 12, **ATTACK), (600, "defender", "defensive")),
        (force("mini-combat", 6, **DEFENCE), (1200, "attacker", "defensive")),
        (force("mini-combat", 9, scenario="standard", budget=1000), (1000, None, "standard")),
        (force("6mm", 4, budget=120), (120, None, None)),
        (force("msc", 3), (45, None, None)),
        (force("vsgmr", 25, budget=25, **AMBUSH), (40, "target", "ambush")),
        (force("vsgmr", 40, budget=40, **TARGET), (25, "ambusher", "ambush")),
        (force("urutsk", 5), (None, None, None)),
    ):
        battle = owner.create_battle(owner.create(data))
        roster = friend.create_opponent(battle)
        document = document_of(roster)
        assert (document.budget, document.side, document.scenario) == begun, data
        assert battle.forces.get(roster=roster).side == begun[1]
        assert f'href="{url_of(battle)}"' in friend.text(url_of(roster))
    battle = owner.create_battle(owner.create(fleet(3, options={"max_engine": 6})))
    assert document_of(friend.create_opponent(battle)).options.max_engine == 6, "by the battle's rules"
    assert acts(friend, battle, "terms", name="Renamed", max_engine="5") == 302, "which either player may change"
    named = owner.create_battle(owner.create(fleet(3)))
    assert acts(Person(), named, "opponent", by="new", roster="x", player="Ben") == 302
    assert [each.player for each in named.forces.all()] == ["", "Ben"]


def test_a_friend_brings_a_roster_of_their_own_and_two_sides_are_open_to_their_players_alone(owner, friend, red, blue):
    battle, private = owner.create_battle(red), owner.create(fleet(3), visibility="closed")
    assert [acts(friend, battle, "join", **sent) for sent in ({"roster": private.token}, {})] == [404, 422]
    assert [*page(friend, battle)["mine"]] == [blue]
    assert acts(friend, battle, "opponent", roster=blue.token) == 303, "as the page asked before"
    assert acts(friend, battle, "join", roster=blue.token) == 302
    assert battle.forces.last().roster == blue
    by_link, sample = owner.create_battle(red), Roster.objects.get(sample="msc/hearthward-navy")
    assert sample in page(friend, by_link)["other_samples"]
    assert acts(friend, by_link, "join", link=f"/s/{sample.token}") == 302
    assert by_link.name == battle.name == "Battle of Red", "of its first roster, until a second one joins"
    assert (reload(by_link).name, reload(battle).name) == (f"Red against {sample.name}", "Red against Azure")
    assert [acts(friend, by_link, f"forces/{each.pk}/copy") for each in by_link.forces.all()] == [422, 422], "none"
    copied = by_link.forces.last()
    assert (copied.roster.sample, copied.roster.creator, bool(copied.locked)) == (None, friend.browser, True)
    assert copied.roster.points == sample.points
    assert [acts(Person(), battle, at) for at in ("opponent", "join")] == [404, 404]
    assert [page(client, battle)["has_free_side"] for client in (owner, Person())] == [True, False]
    assert battle.forces.count() == 2


PLAIN = {**SHIP, "name": "Plain", "notes": "Sentinel-remark"}
SECRET = {**SHIP, "name": "Sentinel-ship", "secret": True, "quantity": 3}
SECRETIVE = roster_data("msc", [PLAIN, SECRET], name="Red", notes="Sentinel-note", budget=98765)
"""Four ships of 15 BP, 60 in all, of which others see one."""


def test_what_the_owner_hides_is_hidden_from_the_other_player_too_and_in_the_locked_version(owner, friend):
    """That strangers see nothing of it is tested in tests/web/sharing."""
    red = owner.create(SECRETIVE, hide_points=True, hide_notes=True)
    battle = friend.create_battle(red, friend.create(fleet(4, name="Azure")))
    pairs = (f"{url_of(battle)}/odds/pair?a={uid_of(battle, 0, n)}&b={uid_of(battle, 1)}" for n in (-1, 0))
    secret, plain = pairs
    add_element(red)
    pages = [friend.text(at) for at in (url_of(battle), f"{url_of(battle)}/odds", plain)]
    shown = "".join([printed(friend, battle), *pages])
    assert not [word for word in ("Sentinel", "98765", "98,765") if word in shown]
    assert "Sentinel-ship" not in printed(owner, battle)
    assert friend.get(secret).status_code == 404
    azure = battle.forces.get(roster__name="Azure").roster
    against = f"{url_of(azure)}element/odds?id={document_of(azure).elements[0].id}&odds-against={battle.token}/1"
    assert [row.name for row in friend.context(against)["targets"]] == ["Plain"]
    assert [row.name for row in friend.context(f"{url_of(azure)}odds")["columns"]] == ["Plain"]
    assert "Sentinel-ship" in owner.text(secret)
    assert [is_matched(client, battle) for client in (friend, owner)] == [None, True]
    red = owner.create(roster_data("msc", [PLAIN, SECRET | {"secret": False}]))
    battle = friend.create_battle(red, friend.create(fleet(4, name="Azure")))
    assert "Sentinel-ship" in printed(friend, battle)
    change_element(red, "Sentinel-ship", secret=True)
    assert "Sentinel-ship" not in printed(friend, battle) + friend.text(url_of(battle))
    assert is_matched(friend, battle) is True
    Force.objects.all().delete()
    friend.text(f"{url_of(battle)}.pdf", 404)
    friend.text(f"{url_of(battle)}.png", 404)
    assert page(friend, battle)["seats"] == []


@pytest.mark.database
@committed
def test_however_many_come_at_once_a_battle_holds_eight_each_in_a_place_of_its_own():
    host = Person()
    rosters = [host.create(fleet(1)) for _ in range(12)]
    battle = host.create_battle(rosters[0])
    refused = run_in_threads(*(lambda each=each: battles.add(battle, RosterRef(each)) for each in rosters[1:]))
    assert [*battle.forces.values_list("position", flat=True)] == [*range(1, battles.MAX_FORCES + 1)]
    assert [type(each) for each in refused] == [BattleError] * (len(rosters) - battles.MAX_FORCES)


@pytest.mark.database
@committed
def test_of_several_who_take_the_other_side_at_once_one_gets_it_and_nothing_is_left_of_the_others():
    host, guests, answers = Person(), [Person(str(number)) for number in range(6)], {}
    battle = host.create_battle(host.create(force("vsgmr", 25, **AMBUSH)))
    brought = {guest: guest.create(force("vsgmr", 40, **TARGET)).token for guest in guests[:3]}
    rosters = Roster.objects.count()

    def take(guest):
        at, sent = ("join", {"roster": brought[guest]}) if guest in brought else ("opponent", {})
        answers[guest] = acts(guest, battle, at, **sent)

    assert run_in_threads(*(lambda each=each: take(each) for each in guests)) == []
    (taken,) = [guest for guest, status in answers.items() if status == 302]
    assert {*answers.values()} <= {302, 404, 422}
    assert [*battle.forces.values_list("position", "side")] == [(1, "ambusher"), (2, "target")]
    assert {*battle.browsers.all()} == {host.browser, taken.browser}
    assert Roster.objects.count() == rosters + (taken not in brought)


@pytest.mark.database
@committed
def test_what_several_lock_choose_and_take_out_at_once_is_all_there_afterwards():
    """Whoever changes a roster and then locks it finds it locked so; no side is lost; one force is out."""
    host = Person()
    battle = host.create_battle(*(host.create(force("vsgmr", 25, name=name)) for name in ("Red", "Azure", "Third")))
    host.post_to(battle, "terms", name="Trap", scenario="ambush")
    (red, first), (blue, second), (_, last) = ((each.roster, each.pk) for each in battle.forces.all())

    def lock_changes(roster, word):
        for number in range(4):
            writer.apply_edit(roster, edits.settings(notes=f"{word} {number}"), "Wrote")
            battles.lock_latest_versions(battle, [first, second, last], own=[first, second])

    works = [lambda: lock_changes(red, "red"), lambda: lock_changes(red, "again"), lambda: lock_changes(blue, "blue")]
    works += [lambda: battles.remove(battle, last)]
    works += [lambda: [battles.set_side(battle, first, side) for side in ("ambusher", "target")]]
    works += [lambda: [battles.set_side(battle, second, side) for side in ("target", "ambusher")]]
    assert run_in_threads(*works) == []
    after = [*battle.forces.values_list("roster__name", "side", "revision")]
    assert after == [("Red", "target", 9), ("Azure", "ambusher", 5)]


def test_many_links_are_checked_at_once_but_once_each_with_some_reasons_and_as_a_table_that_runs_no_formula(
    owner, friend, stranger, monkeypatch
):
    for links, status in (("", 422), (" \n ", 422), ("x\n" * 200, 200), ("x\n" * 201, 422), ("x" * 100_001, 413)):
        assert stranger.submit("/check", links=links).status_code == status
    good, bad = owner.create(fleet(3, name="Good")), friend.create(fleet(3, name="Bad", budget=40))
    shut = friend.create(fleet(3, name="Sentinel"), visibility="closed")
    gone = owner.create(fleet(3))
    writer.move_to_bin(gone)
    links = "\n".join(f"https://x/s/{token}" for token in (good.token, bad.token, shut.token, gone.token, "unknown"))
    answer, theirs = (client.submit("/check", links=links) for client in (stranger, friend))
    rows = answer.context["rows"]
    assert answer.context["legal"] == 1
    assert [(row.legal, len(row.reasons)) for row in rows] == [(True, 0), *[(False, 1)] * 4]
    assert ["Sentinel" in each.content.decode() for each in (answer, theirs)] == [False, True]
    red = owner.create(fleet(3, name="=1+1", budget=60))
    add_element(red, 2)
    links = [f"/s/{red.token}/r1", f"/s/{red.token}", f"/s/{red.token}/r9", "=cmd()"]
    answer = stranger.submit("/check", links="\n".join(links), **{"as": "csv"})
    rows = [*csv.DictReader(io.StringIO(answer.content.decode()))]
    columns = ("link", "name", "points", "limit", "legal", "revision")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        (f"http://testserver{links[0]}", "'=1+1", "45", "60", "yes", "1"),
        (f"http://testserver{links[1]}", "'=1+1", "75", "60", "no", "2"),
        (links[2], "", "", "", "", ""),
        ("'=cmd()", "", "", "", "", ""),
    ]
    assert [bool(row["reasons"]) for row in rows] == [False, True, True, True]
    red, checked = owner.create(roster_data("msc", [{**SHIP, "engine": 9}] * 30)), []
    state = link_check._state
    monkeypatch.setattr(link_check, "_state", lambda *what: [checked.append(what), state(*what)][1])
    links = f"/s/{red.token}\nhttps://x/s/{red.token}#a\n/s/{red.token}/r1\n" * 9
    rows = stranger.submit("/check", links=links).context["rows"]
    assert (len(rows), len(checked)) == (27, 2)
    assert {(row.legal, len(row.reasons)) for row in rows} == {(False, link_check.MAX_REASONS + 1)}
    assert rows[1].text == f"https://x/s/{red.token}#a"
    monkeypatch.setattr(link_check, "MAX_SECONDS", -1)
    rows = stranger.submit("/check", links=links).context["rows"]
    assert {(row.legal, row.reasons) for row in rows} == {(False, (str(link_check.TOO_MUCH),))}
