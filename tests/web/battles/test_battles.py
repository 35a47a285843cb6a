"""Battles by the owner, a friend and a stranger: matched by hand for all games, frozen, printed, checked, crowded."""

import csv
import io

import pytest
from django.http import Http404
from hypothesis import given
from hypothesis import strategies as st

from rosters.core import documents, edits
from rosters.core.play import Match, Side, all_agree, missing_points
from rosters.core.redaction import SECRET
from rosters.models import Battle, Force, Roster
from rosters.registry import SYSTEMS
from rosters.store import writer
from rosters.web.battles import link_check
from rosters.web.battles import service as battles
from rosters.web.battles.service import BattleError, RosterRef
from rosters.web.sharing.links import Link, parse_link
from tests.paper import texts
from tests.people import SHIP, Person, document_of, fresh, grow, place, put, told
from tests.store.test_writer import at_once, committed
from tests.strategies import PATIENT
from tests.strategies import documents as any_documents
from tests.support import appraise, read, roster

pytestmark = pytest.mark.usefixtures("without_limits")

# ---------------------------------------------------------------- forces by hand

HUNDRED = {"power": 100, "to_hit": 2, "morale": 6}
"""Mini Combat, 100 points: 100 x 1 x 5 / 5."""
WARBAND, CART = {"type": "WBD"}, {"type": "TRANSPORT"}
"""6MM: 5 points, and 1 point."""
TROOP, BOSS = {"kind": "troop"}, {"kind": "troop", "commander": True, "name": "Boss"}
"""VSGMR: 1 point each."""


def mini(hundreds, **root):
    return roster("mini-combat", [{**HUNDRED, "quantity": hundreds}], **root)


def six(*carts, **root):
    return roster("6mm", [{**WARBAND, "quantity": 4}, *({**CART, "quantity": n} for n in carts)], **root)


def fleet(ships, **root):
    return roster("msc", [{**SHIP, "quantity": ships}], **root)


def band(points, **root):
    return roster("vsgmr", [BOSS, {**TROOP, "quantity": points - 1}], **root)


def figures(number, **root):
    return roster("urutsk", [{"fate": 3, "command": True, "quantity": number}], **root)


STANDARD = {"scenario": "standard", "budget": 1000}
ATTACK = {"scenario": "defensive", "side": "attacker", "budget": 1200}
DEFENCE = {"scenario": "defensive", "side": "defender", "budget": 600}
AMBUSH = {"scenario": "ambush", "side": "ambusher"}
TARGET = {"scenario": "ambush", "side": "target"}

# ---------------------------------------------------------------- matched

# each game's rules of matching have their tables in tests/systems


def side(data):
    return Side(read(data), appraise(data))


def hidden(force):
    """A force as somebody sees it from whom its points, or secret figures of it, are hidden."""
    seen = {"findings": (SECRET,)} if force.document.system == "urutsk" else {"points": None, "exact": None}
    return force._replace(appraisal=force.appraisal._replace(**seen))


def test_a_match_stays_open_while_anything_is_hidden_or_missing():
    for data in (mini(9, **STANDARD), six(), fleet(3), band(25), figures(5)):
        play, force = SYSTEMS[data["system"]].play, side(data)
        found = play.match([force, hidden(force)])
        assert [match.matched for match in (found, play.match([force]), play.match([]))] == [None] * 3, data
        assert not [text for text in found.missing if "(2)" in text], "nothing is told of what is hidden"


@PATIENT
@given(st.sampled_from([*SYSTEMS]), st.data())
def test_any_two_forces_can_be_compared(system, data):
    found = SYSTEMS[system].play.match([side(data.draw(any_documents(system))) for _ in range(2)])
    assert isinstance(found, Match)
    assert all(isinstance(sentence, str) and sentence for sentence in (*found.sentences, *found.missing))


def test_a_verdict_is_no_by_a_single_part_and_open_by_a_single_unknown():
    assert [all_agree(parts) for parts in ([], [True], [True, None], [None, False])] == [True, True, None, False]


def test_lacking_is_counted_from_the_highest():
    (lacking,) = missing_points([("A", 10), ("B", 9), ("C", 8)], 1)
    assert (lacking.values["name"], str(lacking.values["gap"]), lacking.values["more"]) == ("C", "2 points", "1")
    assert [each.values["name"] for each in missing_points([("A", 1), ("B", 0)], 0)] == ["B"]
    assert [*missing_points([], 0)] == []


# ---------------------------------------------------------------- pasted links


LINKS = {
    "http://x.org/s/AbC-_1": Link("AbC-_1"),
    "https://x.org/s/AbC/r12": Link("AbC", 12),
    "  /s/AbC.json ": Link("AbC"),
    "/s/AbC/print?paper=a4": Link("AbC"),
    "https://x/r/AbC/": Link("AbC"),
    "https://x/e/AbC/secret": Link("AbC"),
    "/s/AbC/r12.json": Link("AbC", 12),
    "AbC": Link("AbC"),
    "": Link(""),
    "ä ö": Link(""),
    "/s/" + "x" * 600: Link(""),
}


def test_any_address_of_a_roster_names_it():
    assert {text: parse_link(text) for text in LINKS} == LINKS


# ---------------------------------------------------------------- the battle


def page(client, battle):
    return client.see(place(battle))


def acts(client, battle, at, **sent):
    """Press a button; its status."""
    return client.act(battle, at=at, **sent).status_code


def printed(client, battle):
    response = client.get(f"{place(battle)}.pdf")
    assert response.status_code == 200
    return "\n".join(texts(response.content))


@pytest.fixture
def red(owner):
    """Three ships of the owner's, 45 BP."""
    return owner.make(fleet(3, name="Red"))


@pytest.fixture
def blue(friend):
    """Three ships of a friend's."""
    return friend.make(fleet(3, name="Blue"))


@pytest.fixture
def battle(owner, red, blue):
    """Begun by the owner."""
    return owner.fight(red, blue, name="At dawn")


GAMES = [
    ([mini(12, name="Red", **ATTACK), mini(6, name="Blue", **DEFENCE)], True),
    ([six(name="Red"), six(2, name="Blue")], False),
    ([fleet(3, name="Red"), fleet(4, name="Blue")], False),
    ([band(25, name="Red"), band(30, name="Blue")], True),
    ([figures(5, name="Red"), figures(8, name="Blue")], False),
]


@pytest.mark.parametrize(("forces", "matched"), GAMES)
def test_a_battle_of_every_game_tells_and_prints_for_anyone_whether_it_is_matched(
    owner, friend, stranger, forces, matched
):
    battle = owner.fight(owner.make(forces[0]), friend.make(forces[1]))
    assert [page(client, battle)["match"].matched for client in (owner, friend, stranger)] == [matched] * 3
    assert f'data-matched="{"yes" if matched else "no"}"' in stranger.read(place(battle))
    assert "Red against Blue" in printed(stranger, battle)
    first, again = (client.get(f"{place(battle)}.pdf") for client in (stranger, owner))
    assert (first["X-Robots-Tag"], first["ETag"]) == ("noindex, nofollow", again["ETag"])
    assert stranger.get(f"{place(battle)}.pdf", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_a_roster_over_its_budget_is_not_legal_in_a_battle_and_says_why(owner):
    (card,) = page(owner, owner.fight(owner.make(fleet(3, budget=40))))["cards"]
    assert [finding.code for finding in card["reasons"]] == ["over-budget"]


def test_a_roster_page_leads_to_a_battle_with_it_and_to_those_of_the_visitors_own(owner, friend, stranger, red, blue):
    address = f"/battle/new?roster={red.token}"
    assert address in owner.read(place(red))
    assert address in stranger.read(f"/s/{red.token}")
    ours = owner.fight(red, blue)
    owner.fight(owner.make(fleet(3)))
    friend.fight(red)
    mine, theirs = owner.see(address), stranger.see(address)
    assert (mine["form"]["roster"].value(), [each.battle for each in mine["battles_with"]]) == ([red.token], [ours])
    assert theirs["form"]["links"].value().endswith(f"/s/{red.token}")
    assert not theirs["battles_with"]


def test_selected_rosters_and_pasted_links_meet(owner, friend, red, blue):
    owner.send("/battle/new", roster=red.token, links=f"/s/{blue.token}", name="At dawn")
    battle = Battle.objects.get()
    assert [force.roster for force in battle.forces.all()] == [red, blue]
    listed = [[each.battle for each in client.see("/battle/new")["battles"]] for client in (owner, friend)]
    assert listed == [[battle], []]


def test_a_battle_that_cannot_be_made_keeps_what_was_typed(owner, red):
    gang = owner.make(band(25, name="Gang"))
    two_games = f"/s/{red.token}\n/s/{gang.token}"
    for links, status in (("", 422), ("https://x/s/nothing", 404), ("\0", 422), (two_games, 422)):
        response = owner.send("/battle/new", links=links, name="Typed")
        form = response.context["form"]
        assert (response.status_code, form["name"].value(), form["links"].value()) == (status, "Typed", links)
        assert form.errors
    assert not Battle.objects.exists()


def test_a_closed_roster_is_there_for_its_owner_alone(owner, friend, red):
    shut, battle = friend.make(fleet(3, name="Sentinel"), visibility="closed"), owner.fight(red)
    closed, unknown = (owner.act(battle, at="add", link=f"/s/{token}") for token in (shut.token, "never"))
    assert (closed.status_code, unknown.status_code) == (404, 404)
    assert "Sentinel" not in closed.content.decode()
    owner.read(f"/battle/new?roster={shut.token}", 404)
    assert battle.forces.count() == 1


@pytest.mark.parametrize("way", ["closed", "binned"])
def test_a_roster_that_is_closed_or_deleted_later_vanishes_from_the_battle_for_others(owner, friend, battle, blue, way):
    writer.update_roster(blue, visibility="closed") if way == "closed" else writer.move_to_bin(blue)
    acts(owner, battle, "add", roster=owner.make(fleet(3)).token)
    context = page(owner, battle)
    assert [card["closed"] for card in context["cards"]] == [False, True, False]
    assert context["match"].matched is None, "although those that are seen match"
    assert "Blue" not in owner.read(place(battle)) + printed(owner, battle)
    theirs = page(friend, battle)["cards"][1]
    assert (theirs["closed"], theirs.get("hidden_by_owner", False)) == (way == "binned", way == "closed")
    assert "Blue" in friend.read(place(battle)), "who may edit it is told which it is"


def test_a_replaced_address_leaves_the_battles_that_would_tell_it(owner, battle, blue):
    token = writer.reset_share_link(blue)
    assert token not in owner.read(place(battle))
    assert battle.forces.count() == 1


# ---------------------------------------------------------------- frozen


def test_a_battle_keeps_the_revisions_that_were_agreed_on_until_they_are_agreed_on_anew(owner, battle, blue):
    grow(blue, 1)
    before = page(owner, battle)
    assert (before["match"].matched, before["changed"], bool(before["cards"][1]["since"])) == (True, True, True)
    assert f"/s/{blue.token}/r1" in owner.read(place(battle))
    assert "Newcomer" not in printed(owner, battle)
    acts(owner, battle, f"forces/{battle.forces.get(roster=blue).pk}/pin")
    after = page(owner, battle)
    assert (after["match"].matched, after["changed"], len(after["match"].missing)) == (False, False, 1)
    assert f"/s/{blue.token}/r2" in owner.read(place(battle))


def test_a_link_to_a_revision_freezes_that_one_and_all_are_agreed_on_at_once(owner, red, blue):
    grow(blue)
    battle = owner.fight(red)
    assert acts(owner, battle, "add", link=f"https://x/s/{blue.token}/r9") == 404
    assert acts(owner, battle, "add", link=f"https://x/s/{blue.token}/r1") == 302
    assert battle.forces.get(roster=blue).revision == 1
    grow(red)
    acts(owner, battle, "pin")
    assert {force.revision for force in battle.forces.all()} == {2}
    assert [fresh(each).revision for each in (red, blue)] == [2, 2]


# ---------------------------------------------------------------- terms


def test_every_roster_is_appraised_under_the_battles_house_rules(owner, friend):
    """A medium tank with a 75 mm gun is 6 + 3 = 9 points, 8 where tank guns are priced one lower (table 3)."""
    tank = {"type": "TNK", "armour": "medium", "gun": "breech-loader-79", "name": "Sherman"}
    cheap = friend.make(roster("6mm", [tank], name="Cheap", options={"tank_gun_reduced": True}))
    plain = owner.make(roster("6mm", [tank], name="Plain"))
    battle = owner.fight(plain, cheap)

    def totals():
        return [(card["sheet"].total.shown, len(card["differing"])) for card in page(owner, battle)["cards"]]

    assert totals() == [("9", 0), ("9", 1)]
    acts(owner, battle, "terms", name="Reduced", tank_gun_reduced="on", torsion_factor="0")
    assert totals() == [("8", 1), ("8", 0)]
    assert documents.write(document_of(plain))["options"] == {}


def test_the_scenario_gives_sides_and_names_who_says_otherwise(owner, friend):
    battle = owner.fight(owner.make(band(25, name="Red")), friend.make(band(40, name="Blue")))
    acts(owner, battle, "terms", name="Trap", scenario="ambush")
    first, second = battle.forces.all()
    assert (first.side, second.side, page(owner, battle)["match"].matched) == ("ambusher", "target", True)
    assert [len(card["differing"]) for card in page(owner, battle)["cards"]] == [1, 1]
    assert "Ambush" in printed(owner, battle)
    assert acts(owner, battle, f"forces/{first.pk}/side", side="attacker") == 422, "no side of this scenario"
    for force, chosen in ((first, "target"), (second, "ambusher")):
        assert acts(owner, battle, f"forces/{force.pk}/side", side=chosen) == 302
    assert page(owner, battle)["match"].matched is False
    acts(owner, battle, "terms", name="Open", scenario="escape")
    assert [force.side for force in battle.forces.all()] == [None, None]


def test_faulty_terms_and_buttons_of_an_outdated_page_change_nothing(owner):
    battle = owner.fight(owner.make(mini(9, **STANDARD)), name="Kept")
    assert acts(owner, battle, "terms", name="", sum_floor="many") == 422
    answer = owner.act(battle, "delete-sure")
    assert (answer.status_code, answer.url, told(owner.get(answer.url))) == (303, place(battle), ["warning"])
    assert (fresh(battle).name, fresh(battle).options) == ("Kept", {})


# ---------------------------------------------------------------- who may do what

DOING = ["add", "pin", "forces/1/pin", "forces/1/remove", "forces/1/side", "terms", "delete"]


def test_who_does_not_play_changes_nothing_and_joins_no_battle_with_its_sides(friend, stranger, battle):
    rosters, pk = Roster.objects.count(), battle.forces.first().pk
    for client in (friend, stranger):
        places = [at.replace("1", str(pk)) for at in (*DOING, "opponent", "join")]
        assert {acts(client, battle, at, link="/s/x", name="Stolen") for at in places} == {404}
        assert not page(client, battle)["open"]
    assert (fresh(battle).name, battle.forces.count(), Roster.objects.count()) == ("At dawn", 2, rosters)


def test_the_other_side_takes_out_its_own_force_alone_and_deletes_nothing(owner, friend, red):
    battle = owner.fight(red)
    made = friend.oppose(battle)
    ours, theirs = battle.forces.order_by("position")
    places = [f"forces/{theirs.pk}/remove", f"forces/{ours.pk}/remove", "delete"]
    shown = friend.read(place(battle))
    assert [place(battle, at) in shown for at in places] == [True, False, False]
    assert [acts(friend, battle, at) for at in reversed(places)] == [422, 422, 302]
    assert [force.roster for force in battle.forces.all()] == [red]
    friend.act(battle, at="join", roster=made.token)
    acts(owner, battle, f"forces/{battle.forces.get(roster=made).pk}/remove")
    assert [force.roster for force in battle.forces.all()] == [red], "who began it takes out any"
    assert Roster.objects.filter(pk=made.pk).exists()


def test_who_began_a_battle_may_delete_it_once_sure_and_the_rosters_stay(owner, friend, red):
    battle, other = owner.fight(red), owner.fight(red)
    made, rosters = friend.oppose(battle), Roster.objects.count()
    owner.read(place(battle, "delete"))
    assert Battle.objects.count() == 2
    assert acts(owner, battle, "delete") == 302
    assert ([*Battle.objects.all()], Roster.objects.count(), Force.objects.count()) == ([other], rosters, 1)
    for client in (owner, friend):
        assert [client.get(place(battle) + ending).status_code for ending in ("", ".pdf")] == [404, 404]
    assert friend.get(place(made)).status_code == 200


def test_what_comes_when_a_battle_was_deleted_just_now_is_a_clear_404(owner, red, monkeypatch):
    """Between finding the battle and writing to it, its other side deletes it."""
    late, lock = owner.make(fleet(3)), battles._locked

    def too_late(battle):
        Battle.objects.filter(pk=battle.pk).delete()
        return lock(battle)

    for at in (*DOING, "join", "opponent"):
        battle, sent = owner.fight(red), {} if at == "opponent" else {"roster": late.token}
        with monkeypatch.context() as patch:
            patch.setattr(battles, "_locked", too_late)
            here = at.replace("1", str(battle.forces.get().pk))
            assert acts(owner, battle, here, name="Late", max_engine="5", **sent) == 404, at


def test_forces_of_other_battles_are_out_of_reach(owner, friend, red):
    mine, theirs = owner.fight(red), friend.fight(friend.make(fleet(3)))
    for action in ("remove", "pin", "side"):
        assert acts(owner, mine, f"forces/{theirs.forces.get().pk}/{action}") == 404
    assert theirs.forces.count() == 1


def test_a_roster_is_in_a_battle_once_and_eight_are_enough(owner, red):
    battle = owner.fight(red)
    assert acts(owner, battle, "add", roster=red.token) == 422
    for _ in range(battles.MAX_FORCES - 1):
        battles.add(battle, RosterRef(owner.make(fleet(1))))
    one_more, before = owner.make(fleet(1)), Roster.objects.count()
    assert [acts(owner, battle, at, roster=one_more.token) for at in ("add", "join")] == [422, 422]
    assert acts(owner, battle, "opponent") == 422
    assert (Roster.objects.count(), battle.forces.count()) == (before, battles.MAX_FORCES)


# ---------------------------------------------------------------- the other side


BEGUN = [
    (mini(12, **ATTACK), (600, "defender", "defensive")),
    (mini(6, **DEFENCE), (1200, "attacker", "defensive")),
    (mini(9, **STANDARD), (1000, None, "standard")),
    (six(budget=120), (120, None, None)),
    (fleet(3), (45, None, None)),
    (band(25, budget=25, **AMBUSH), (40, "target", "ambush")),
    (band(40, budget=40, **TARGET), (25, "ambusher", "ambush")),
    (figures(5), (None, None, None)),
]


def test_an_opponent_begins_with_its_budget_and_the_other_side(owner, friend):
    for data, begun in BEGUN:
        battle = owner.fight(owner.make(data))
        made = friend.oppose(battle)
        document = document_of(made)
        assert (document.budget, document.side, document.scenario) == begun, data
        assert battle.forces.get(roster=made).side == begun[1]
        assert f'href="{place(battle)}"' in friend.read(place(made))
        assert owner.get(place(made)).status_code == 302  # to the read-only page


def test_who_takes_the_other_side_plays_by_the_battles_rules_and_may_change_them(owner, friend, stranger):
    battle = owner.fight(owner.make(fleet(3, options={"max_engine": 6})))
    assert document_of(friend.oppose(battle)).options.max_engine == 6
    found = [acts(client, battle, "terms", name="Renamed", max_engine="5") for client in (friend, stranger)]
    assert found == [302, 404]


def test_a_friend_brings_a_roster_of_their_own_and_nobody_elses(owner, friend, red, blue):
    battle, other = owner.fight(red), owner.make(fleet(3))
    assert acts(friend, battle, "join", roster=other.token) == 422
    assert [*page(friend, battle)["mine"]] == [blue]
    assert friend.act(battle, at="opponent", roster=blue.token).status_code == 303, "as the page asked before"
    assert acts(friend, battle, "join", roster=blue.token) == 302
    assert battle.forces.last().roster == blue


# ---------------------------------------------------------------- leaks


@pytest.fixture
def secretive():
    """Four ships of 15 BP, 60 in all, of which others see one."""
    ships = [{**SHIP, "name": "Plain"}, {**SHIP, "name": "Sentinel-ship", "secret": True, "quantity": 3}]
    ships[0]["notes"] = "Sentinel-remark"
    return roster("msc", ships, name="Red", notes="Sentinel-note", budget=987)


def test_what_the_owner_hides_is_in_no_battle_no_pack_no_list_and_no_opponent(owner, friend, stranger, secretive):
    red = owner.make(secretive, hide_points=True, hide_notes=True)
    battle = friend.fight(red, friend.make(fleet(4, name="Blue")))
    grow(red)
    links = f"/s/{red.token}\n/s/{red.token}/r1"
    for client in (friend, stranger):
        told = [client.read(place(battle)), printed(client, battle)]
        told += [client.send("/check", links=links, **more).content.decode() for more in ({}, {"as": "csv"})]
        assert not [word for text in told for word in ("Sentinel", "987") if word in text]
        assert page(client, battle)["match"].matched is None
    assert "Sentinel-ship" not in printed(owner, battle)
    assert page(owner, battle)["match"].matched is True
    waiting = owner.fight(red)
    assert [client.oppose(waiting).budget for client in (stranger, owner)] == [None, None]


def test_secret_ships_count_in_the_points_unless_those_are_hidden(owner, friend, secretive):
    battle = friend.fight(owner.make(secretive), friend.make(fleet(4, name="Blue")))
    assert "Sentinel-ship" not in friend.read(place(battle))
    assert page(friend, battle)["match"].matched is True


def test_what_is_secret_today_is_secret_in_the_revision_that_was_agreed_on(owner, friend):
    red = owner.make(roster("msc", [{**SHIP, "name": "Plain"}, {**SHIP, "name": "Sentinel-ship"}], name="Red"))
    battle = friend.fight(red)
    assert "Sentinel-ship" in printed(friend, battle)
    put(red, "Sentinel-ship", secret=True)
    assert "Sentinel-ship" not in printed(friend, battle) + friend.read(place(battle))


def test_packs_are_limited_and_an_empty_battle_has_none(owner, battle, settings):
    settings.PDFS_A_MINUTE = 1
    assert [owner.get(f"{place(battle)}.pdf").status_code for _ in range(2)] == [200, 429]
    settings.PDFS_A_MINUTE = 0
    Force.objects.all().delete()
    owner.read(f"{place(battle)}.pdf", 404)
    assert page(owner, battle)["cards"] == []


# ---------------------------------------------------------------- many people at once


def trying(work, met):
    """``work`` as a thing to do at once with others; what it made, or why it was refused, is put down in ``met``."""

    def run():
        try:
            met.append(work())
        except (BattleError, Http404) as trouble:
            met.append(trouble)

    return run


@pytest.mark.database
@committed
def test_however_many_come_at_once_a_battle_holds_eight_each_in_a_place_of_its_own():
    host, met = Person(), []
    rosters = [host.make(fleet(1, name=f"Ship {number}")) for number in range(12)]
    battle = host.fight(rosters[0])
    adding = [trying(lambda each=each: battles.add(battle, RosterRef(each)), met) for each in rosters[1:]]
    assert at_once(*adding) == []
    assert [*battle.forces.values_list("position", flat=True)] == [*range(1, battles.MAX_FORCES + 1)]
    assert len([each for each in met if isinstance(each, BattleError)]) == len(rosters) - battles.MAX_FORCES


@pytest.mark.database
@committed
def test_of_several_who_take_the_other_side_at_once_one_gets_it_and_nothing_is_left_of_the_others():
    host, guests, met = Person(), [Person() for _ in range(6)], []
    battle = host.fight(host.make(band(25, **AMBUSH)))
    brought = {id(guest): guest.make(band(40, **TARGET)).token for guest in guests[:3]}
    rosters = Roster.objects.count()

    def take(guest):
        chosen = {"roster": brought[id(guest)]} if id(guest) in brought else {}
        return guest, guest.act(battle, at="join" if chosen else "opponent", **chosen).status_code

    assert at_once(*(trying(lambda each=each: take(each), met) for each in guests)) == []
    (taken,) = [guest for guest, status in met if status == 302]
    assert {status for _, status in met} <= {302, 404, 422}
    assert [*battle.forces.values_list("position", "side")] == [(1, "ambusher"), (2, "target")]
    assert {*battle.browsers.all()} == {host.browser, taken.browser}
    assert Roster.objects.count() == rosters + (id(taken) not in brought)


@pytest.mark.database
@committed
def test_what_several_agree_on_choose_and_take_out_at_once_is_all_there_afterwards():
    """Whoever changes a roster and then agrees on it finds it frozen so; no side is lost; one force is out."""
    host = Person()
    red, blue, third = (host.make(band(25, name=name)) for name in ("Red", "Blue", "Third"))
    battle = host.fight(red, blue, third)
    host.act(battle, at="terms", name="Trap", scenario="ambush")
    first, second, last = (force.pk for force in battle.forces.all())

    def agree_on_changes(roster, word):
        for number in range(4):
            writer.apply_edit(roster, edits.settings(notes=f"{word} {number}"), "Wrote")
            battles.pin_latest_revisions(battle, [first, second, last])

    works = [lambda: agree_on_changes(red, "red"), lambda: agree_on_changes(red, "again")]
    works += [lambda: agree_on_changes(blue, "blue"), lambda: battles.remove(battle, last)]
    works += [lambda: [battles.choose_side(battle, first, side) for side in ("ambusher", "target")]]
    works += [lambda: [battles.choose_side(battle, second, side) for side in ("target", "ambusher")]]
    assert at_once(*works) == []
    found = [*battle.forces.values_list("roster__name", "side", "revision")]
    assert found == [("Red", "target", 9), ("Blue", "ambusher", 5)]


@pytest.mark.database
@committed
def test_a_battle_that_is_deleted_while_others_write_to_it_leaves_nothing_behind():
    host, met = Person(), []
    red, *more = (host.make(fleet(1)) for _ in range(5))
    battle = host.fight(red)
    pk = battle.forces.get().pk
    works = [lambda each=each: battles.add(battle, RosterRef(each)) for each in more]
    works += [lambda: battles.pin_latest_revisions(battle, [pk]), *[lambda: battles.delete(battle)] * 2]
    assert at_once(*(trying(work, met) for work in works)) == []
    assert any(isinstance(each, Http404) for each in met)
    assert (Battle.objects.count(), Force.objects.count(), Roster.objects.filter(sample=None).count()) == (0, 0, 5)


# ---------------------------------------------------------------- many links at once


def as_csv(client, *links):
    response = client.send("/check", links="\n".join(links), **{"as": "csv"})
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_many_links_are_checked_at_once_with_reasons(owner, friend, stranger):
    good, bad = owner.make(fleet(3, name="Good")), friend.make(fleet(3, name="Bad", budget=40))
    shut = friend.make(fleet(3, name="Sentinel"), visibility="closed")
    links = "\n".join(f"https://x/s/{token}" for token in (good.token, bad.token, shut.token, "unknown"))
    answer, theirs = (client.send("/check", links=links) for client in (stranger, friend))
    rows = answer.context["rows"]
    assert answer.context["legal"] == 1
    assert [(row.legal, len(row.reasons)) for row in rows] == [(True, 0), (False, 1), (False, 1), (False, 1)]
    assert ["Sentinel" in each.content.decode() for each in (answer, theirs)] == [False, True]


def test_a_link_that_is_repeated_is_checked_once_and_of_many_reasons_some_are_listed(owner, stranger, monkeypatch):
    red, checked = owner.make(roster("msc", [{**SHIP, "engine": 9}] * 30)), []
    monkeypatch.setattr(
        link_check, "_state", lambda *what, state=link_check._state: [checked.append(what), state(*what)][1]
    )
    rows = stranger.send("/check", links=f"/s/{red.token}\nhttps://x/s/{red.token}#a\n/s/{red.token}/r1\n" * 9).context[
        "rows"
    ]
    assert (len(rows), len(checked)) == (27, 2)
    assert {(row.legal, len(row.reasons)) for row in rows} == {(False, link_check.MAX_REASONS + 1)}
    assert rows[1].text == f"https://x/s/{red.token}#a"


def test_the_list_is_also_a_table_that_runs_no_formula_and_checks_the_revision_of_a_link(owner, stranger):
    red = owner.make(fleet(3, name="=1+1", budget=60))
    grow(red, 2)
    link = f"http://testserver/s/{red.token}"
    rows = as_csv(stranger, f"/s/{red.token}/r1", f"/s/{red.token}", f"/s/{red.token}/r9", "=cmd()")
    columns = ("link", "name", "points", "limit", "legal", "revision")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        (f"{link}/r1", "'=1+1", "45", "60", "yes", "1"),
        (link, "'=1+1", "75", "60", "no", "2"),
        (f"/s/{red.token}/r9", "", "", "", "", ""),
        ("'=cmd()", "", "", "", "", ""),
    ]
    assert [bool(row["reasons"]) for row in rows] == [False, True, True, True]


def test_too_many_links_or_none_are_told(stranger):
    assert stranger.get("/check").status_code == 200
    for links, status in (("", 422), (" \n ", 422), ("x\n" * 200, 200), ("x\n" * 201, 422), ("x" * 100_001, 413)):
        assert stranger.send("/check", links=links).status_code == status
