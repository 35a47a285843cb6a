"""Battles by the owner, a friend and a stranger: matched by hand for all games, frozen, printed, checked, crowded."""

import csv
import io
import re

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from rosters import battles, changes, edits, registry
from rosters.battles import Link, Refusal, Wanted, link_in
from rosters.models import Battle, Browser, Force, Roster, hashed
from rosters.play import Match, Side, lacking, verdict
from rosters.registry import SYSTEMS
from tests.paper import texts
from tests.strategies import PATIENT
from tests.strategies import documents as any_documents
from tests.support import appraise, read, roster
from tests.test_changes import at_once, committed

# ---------------------------------------------------------------- forces by hand

HUNDRED = {"power": 100, "to_hit": 2, "morale": 6}
"""Mini Combat, 100 points: 100 x 1 x 5 / 5."""
WARBAND, CART = {"type": "WBD"}, {"type": "TRANSPORT"}
"""6MM: 5 points, and 1 point."""
SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
"""Minimal Space Combat: 3 + 3 + 3 + 3 x 2 = 15 BP."""
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


def side(data):
    return Side(read(data), appraise(data))


def match(*rosters):
    return SYSTEMS[rosters[0]["system"]].play.match([side(data) for data in rosters])


def hidden(force):
    return force._replace(appraisal=force.appraisal._replace(points=None, exact=None))


STANDARD = {"scenario": "standard", "budget": 1000}
ATTACK = {"scenario": "defensive", "side": "attacker", "budget": 1200}
DEFENCE = {"scenario": "defensive", "side": "defender", "budget": 600}
AMBUSH = {"scenario": "ambush", "side": "ambusher"}
TARGET = {"scenario": "ambush", "side": "target"}

# ---------------------------------------------------------------- matched, by hand


@pytest.mark.parametrize(
    ("one", "other", "matched", "missing"),
    [
        (mini(9, name="Red", **STANDARD), mini(10, name="Blue", **STANDARD), True, ["Red may still add 100 points."]),
        (mini(11, name="Red", **STANDARD), mini(10, name="Blue", **STANDARD), False, []),
        (mini(12, name="Red", **ATTACK), mini(6, name="Blue", **DEFENCE), True, []),
        (mini(12, name="Red", **ATTACK), mini(7, name="Blue", **DEFENCE), False, []),
        (
            mini(11, name="Red", **ATTACK),
            mini(5, name="Blue", **DEFENCE),
            True,
            ["Red may still add 100 points.", "Blue may still add 100 points."],
        ),
        (
            mini(9, name="Red", scenario="standard"),
            mini(9, name="Blue", scenario="standard"),
            None,
            ["Give a force a budget: without a limit there is nothing to keep to."],
        ),
        (six(name="Red"), six(1, name="Blue"), True, []),
        (six(name="Red"), six(2, name="Blue"), False, ["Red lacks 2 points; 1 more would match."]),
        (fleet(3, name="Red"), fleet(3, name="Blue"), True, []),
        (fleet(3, name="Red"), fleet(4, name="Blue"), False, ["Red lacks 15 BP."]),
        (band(25, name="Red"), band(30, name="Blue"), True, []),
        (band(31, name="Red"), band(25, name="Blue"), False, ["Blue lacks 6 points; 1 more would match."]),
        (band(25, name="Red", **AMBUSH), band(40, name="Blue", **TARGET), True, []),
        (
            band(20, name="Red", **AMBUSH),
            band(40, name="Blue", **TARGET),
            True,
            ["Red lacks 5 points of the 25 suggested."],
        ),
        (
            band(19, name="Red", **AMBUSH),
            band(41, name="Blue", **TARGET),
            False,
            ["Red lacks 6 points of the 25 suggested.", "Blue has 1 point more than the 40 suggested."],
        ),
        (band(25, name="Red", **TARGET), band(25, name="Blue", **TARGET), False, ["Nobody plays Ambusher yet."]),
        (figures(5, name="Red"), figures(5, name="Blue"), True, []),
        (figures(5, name="Red"), figures(8, name="Blue"), False, ["Red lacks 3 figures."]),
    ],
)
def test_forces_are_matched_as_their_rulebook_means_it(one, other, matched, missing):
    """Mini Combat by the limit, 6MM within 1, MSC equal, VSGMR within 5 or its suggestions, URUTSK by figures."""
    found = match(one, other)
    assert (found.matched, [*found.missing]) == (matched, missing)
    assert all(sentence.endswith(".") for sentence in found.sentences)


def test_limits_that_do_not_go_together_are_no_match():
    found = match(mini(5, **{**STANDARD, "budget": 500}), mini(9, **STANDARD))
    assert found.matched is False
    assert "Their limits do not go together: agree on one." in found.sentences
    assert match(mini(5, **{**DEFENCE, "budget": 500}), mini(9, **ATTACK)).matched is False


@pytest.mark.parametrize("data", [mini(9, **STANDARD), six(), fleet(3), band(25)])
def test_what_is_hidden_is_not_told(data):
    forces = [side(data), hidden(side(data))]
    found = SYSTEMS[data["system"]].play.match(forces)
    assert (found.matched, found.missing) in ((None, ()), (None, ("Test 1 may still add 100 points.",)))


def test_secret_figures_are_not_counted_out():
    known, secret = side(figures(5)), side(figures(5))
    note = [finding._replace(code="something-secret") for finding in known.appraisal.findings[:1]]
    force = secret._replace(appraisal=secret.appraisal._replace(findings=tuple(note or _note())))
    assert SYSTEMS["urutsk"].play.match([known, force]).matched is None


def _note():
    from rosters.redaction import SECRET

    return (SECRET,)


@pytest.mark.parametrize("data", [mini(9, **STANDARD), six(), fleet(3), band(25), figures(5)])
def test_one_force_alone_or_none_is_not_matched_yet(data):
    play = SYSTEMS[data["system"]].play
    assert play.match([side(data)]).matched is None
    assert play.match([]).matched is None


@PATIENT
@given(st.sampled_from([*SYSTEMS]), st.data())
def test_any_two_forces_can_be_compared(system, data):
    forces = [side(data.draw(any_documents(system))) for _ in range(2)]
    found = SYSTEMS[system].play.match(forces)
    assert isinstance(found, Match)
    assert all(isinstance(sentence, str) and sentence for sentence in (*found.sentences, *found.missing))


def test_a_verdict_is_no_by_a_single_part_and_open_by_a_single_unknown():
    assert [verdict(parts) for parts in ([], [True], [True, None], [None, False])] == [True, True, None, False]


def test_lacking_is_counted_from_the_highest():
    assert [*lacking([("A", 10), ("B", 9), ("C", 8)], 1)] == ["C lacks 2 points; 1 more would match."]
    assert [*lacking([("A", 1), ("B", 0)], 0, "figure", "figures")] == ["B lacks 1 figure."]
    assert [*lacking([], 0)] == []


# ---------------------------------------------------------------- pasted links


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://x.org/s/AbC-_1", Link("AbC-_1")),
        ("https://x.org/s/AbC/r12", Link("AbC", 12)),
        ("  /s/AbC.json ", Link("AbC")),
        ("/s/AbC/print?paper=a4", Link("AbC")),
        ("https://x/r/AbC/", Link("AbC")),
        ("https://x/e/AbC/secret", Link("AbC")),
        ("AbC", Link("AbC")),
        ("", Link("")),
        ("ä ö", Link("")),
        ("/s/" + "x" * 600, Link("")),
    ],
)
def test_any_address_of_a_roster_names_it(text, link):
    assert link_in(text) == link


# ---------------------------------------------------------------- people


def person():
    client = Client()
    client.cookies["armybuilder_browser"] = client.secret = Battle().token
    Browser.objects.create(key_hash=hashed(client.secret))
    return client


@pytest.fixture
def owner(db):
    return person()


@pytest.fixture
def friend(db):
    return person()


@pytest.fixture
def stranger(db):
    return Client()


def own(client, data, **kept):
    """A roster of this person's."""
    browser = Browser.objects.get(key_hash=hashed(client.secret))
    made = changes.create(registry.read(data), browser=browser).roster
    changes.keep(made, **kept)
    made.refresh_from_db()
    return made


def fight(client, *rosters, **sent):
    """A battle of rosters given by their links."""
    links = "\n".join(f"http://testserver/s/{each.token}" for each in rosters)
    response = client.post("/battle/new", {"links": links, **sent})
    assert response.status_code == 302, response.content.decode()
    return Battle.objects.get(token=response.url.split("/")[2])


def page(client, battle):
    response = client.get(f"/b/{battle.token}")
    assert response.status_code == 200
    return response.content.decode()


def act(client, battle, do, **sent):
    return client.post(f"/b/{battle.token}", {"do": do, **sent})


def grow(roster, quantity=9):
    """One more line in the first formation of a roster."""
    document = registry.read(battles.documents.write(battles.standing(roster).document))
    first = document.formations[0]
    line = edits.changed(first.elements[-1], id=None, name="Newcomer", quantity=quantity)
    formation = edits.changed(first, elements=(*first.elements, line))
    changes.change(roster, lambda d: edits.changed(d, formations=(formation, *d.formations[1:])), "Grew")
    roster.refresh_from_db()


def verdict_on(text):
    return re.search(r'data-matched="(\w+)"', text)[1]


# ---------------------------------------------------------------- the battle


@pytest.mark.parametrize(
    ("forces", "said"),
    [
        ([mini(12, name="Red", **ATTACK), mini(6, name="Blue", **DEFENCE)], "yes"),
        ([six(name="Red"), six(2, name="Blue")], "no"),
        ([fleet(3, name="Red"), fleet(4, name="Blue")], "no"),
        ([band(25, name="Red"), band(30, name="Blue")], "yes"),
        ([figures(5, name="Red"), figures(8, name="Blue")], "no"),
    ],
)
def test_a_battle_of_every_game_says_whether_it_is_matched(owner, friend, stranger, forces, said):
    battle = fight(owner, own(owner, forces[0]), own(friend, forces[1]))
    for client in (owner, friend, stranger):
        text = page(client, battle)
        assert verdict_on(text) == said
        assert ("data-missing" in text) == (said == "no")
        assert "Red against Blue" in text


def test_a_roster_page_leads_to_a_battle_with_it(owner, stranger):
    red = own(owner, fleet(3, name="Red"))
    assert f"/battle/new?roster={red.token}" in owner.get(f"/r/{red.token}/").content.decode()
    assert f"/battle/new?roster={red.token}" in stranger.get(f"/s/{red.token}").content.decode()
    assert f'value="{red.token}" checked' in owner.get(f"/battle/new?roster={red.token}").content.decode()
    assert f"/s/{red.token}</textarea>" in stranger.get(f"/battle/new?roster={red.token}").content.decode()


def test_ticked_rosters_and_pasted_links_meet(owner, friend):
    red, blue = own(owner, fleet(3, name="Red")), own(friend, fleet(3, name="Blue"))
    response = owner.post("/battle/new", {"roster": red.token, "links": f"/s/{blue.token}", "name": "At dawn"})
    battle = Battle.objects.get(token=response.url.split("/")[2])
    assert [force.roster for force in battle.forces.all()] == [red, blue]
    assert "At dawn" in owner.get("/battle/new").content.decode()
    assert "At dawn" not in friend.get("/battle/new").content.decode()


@pytest.mark.parametrize(("links", "status"), [("", 422), ("https://x/s/nothing", 404), ("\0", 404)])
def test_a_battle_that_cannot_be_made_says_why_and_keeps_what_was_typed(owner, links, status):
    response = owner.post("/battle/new", {"links": links, "name": "Typed"})
    assert response.status_code == status
    assert 'value="Typed"' in response.content.decode()
    assert not Battle.objects.exists()


def test_rosters_of_two_games_do_not_meet(owner):
    response = owner.post(
        "/battle/new", {"roster": [own(owner, fleet(3)).token, own(owner, band(25, name="Gang")).token]}
    )
    assert response.status_code == 422
    assert "Gang is a roster of another game" in response.content.decode()
    assert not Battle.objects.exists()


def test_a_closed_roster_is_there_for_its_owner_alone(owner, friend):
    shut = own(friend, fleet(3, name="Sentinel"), visibility="closed")
    battle = fight(owner, own(owner, fleet(3)))
    response = act(owner, battle, "add", link=f"/s/{shut.token}")
    unknown = act(owner, battle, "add", link="/s/never")
    assert response.status_code == unknown.status_code == 404
    assert "Sentinel" not in response.content.decode()
    assert owner.get(f"/battle/new?roster={shut.token}").status_code == 404
    assert battle.forces.count() == 1


def test_a_roster_closed_later_vanishes_from_the_battle_for_others(owner, friend):
    blue = own(friend, fleet(3, name="Sentinel"))
    battle = fight(owner, own(owner, fleet(3, name="Red")), blue, name="Named")
    changes.keep(blue, visibility="closed")
    text = page(owner, battle)
    assert "Sentinel" not in text
    assert "not open to you" in text
    assert verdict_on(text) == "unknown"
    assert "Sentinel" in page(friend, battle)
    assert "nobody else sees it here" in page(friend, battle)
    assert "Sentinel" not in printed(owner, battle)


def test_a_roster_in_the_bin_vanishes_for_everybody_else(owner, friend):
    blue = own(friend, fleet(3, name="Sentinel"))
    battle = fight(owner, own(owner, fleet(3)), blue, name="Named")
    changes.bin_roster(blue)
    assert all("Sentinel" not in page(client, battle) for client in (owner, Client()))


def test_a_replaced_address_leaves_the_battles_that_would_tell_it(owner, friend):
    blue = own(friend, fleet(3, name="Blue"))
    battle = fight(owner, own(owner, fleet(3)), blue, name="Named")
    token = changes.replace_address(blue)
    assert token not in page(owner, battle)
    assert battle.forces.count() == 1


def test_a_rosters_way_to_battles_lists_those_it_is_in_that_are_the_visitors_own(owner, friend):
    red, blue = own(owner, fleet(3)), own(friend, fleet(3, name="Blue"))
    fight(owner, red, blue, name="Ours")
    fight(owner, own(owner, fleet(3)), name="Another")
    fight(friend, red, name="Theirs")
    text = owner.get(f"/battle/new?roster={red.token}").content.decode()
    listed = re.search(r'aria-labelledby="with">.*?</section>', text, re.S)[0]
    assert re.findall("Ours|Another|Theirs", listed) == ["Ours"]
    assert 'aria-labelledby="with"' not in Client().get(f"/battle/new?roster={red.token}").content.decode()


# ---------------------------------------------------------------- frozen


def test_a_battle_keeps_the_revisions_that_were_agreed_on_until_they_are_agreed_on_anew(owner, friend):
    red, blue = own(owner, fleet(3, name="Red")), own(friend, fleet(3, name="Blue"))
    battle = fight(owner, red, blue)
    grow(blue, 1)
    text = page(owner, battle)
    assert verdict_on(text) == "yes"
    assert "has moved on since" in text
    assert "New: Newcomer" in text
    assert f"/s/{blue.token}/r1" in text
    act(owner, battle, f"agree {battle.forces.get(roster=blue).pk}")
    text = page(owner, battle)
    assert verdict_on(text) == "no"
    assert "Red lacks 15 BP." in text
    assert "has moved on since" not in text
    assert f"/s/{blue.token}/r2" in text


def test_a_link_to_a_revision_freezes_that_one(owner, friend):
    red, blue = own(owner, fleet(3, name="Red")), own(friend, fleet(3, name="Blue"))
    grow(blue)
    battle = fight(owner, red)
    assert act(owner, battle, "add", link=f"https://x/s/{blue.token}/r1").status_code == 302
    assert battle.forces.get(roster=blue).revision == 1
    assert act(owner, fight(owner, red), "add", link=f"https://x/s/{blue.token}/r9").status_code == 404


def test_all_are_agreed_on_at_once_and_nothing_in_the_rosters_changes(owner, friend):
    red, blue = own(owner, fleet(3)), own(friend, fleet(3))
    battle = fight(owner, red, blue)
    grow(red)
    grow(blue)
    act(owner, battle, "agree")
    assert {force.revision for force in battle.forces.all()} == {2}
    assert [Roster.objects.get(pk=each.pk).revision for each in (red, blue)] == [2, 2]


# ---------------------------------------------------------------- terms


def test_every_roster_is_appraised_under_the_battles_house_rules_and_scenario(owner, friend):
    """A medium tank with a 75 mm gun is 6 + 3 = 9 points, 8 where tank guns are priced one lower (table 3)."""
    tank = {"type": "TNK", "armour": "medium", "gun": "breech-loader-79", "name": "Sherman"}
    cheap = own(friend, roster("6mm", [tank], name="Cheap", options={"tank_gun_reduced": True}))
    plain = own(owner, roster("6mm", [tank], name="Plain"))
    battle = fight(owner, plain, cheap)
    text = page(owner, battle)
    assert re.findall(r'<span data-points="([^"]+)"', text) == ["9", "9"]
    assert verdict_on(text) == "yes"
    assert "Tank guns priced one lower: yes on the roster, no in this battle." in text
    act(owner, battle, "settings", name="Reduced", tank_gun_reduced="on", torsion_factor="0")
    text = page(owner, battle)
    assert re.findall(r'<span data-points="([^"]+)"', text) == ["8", "8"]
    assert "Tank guns priced one lower: no on the roster, yes in this battle." in text
    assert Roster.objects.get(pk=plain.pk).options == {}


def test_the_scenario_gives_sides_and_names_who_says_otherwise(owner, friend):
    red, blue = own(owner, band(25, name="Red")), own(friend, band(40, name="Blue"))
    battle = fight(owner, red, blue)
    act(owner, battle, "settings", name="Trap", scenario="ambush")
    assert [force.side for force in battle.forces.all()] == ["ambusher", "target"]
    text = page(owner, battle)
    assert verdict_on(text) == "yes"
    assert "Scenario: no scenario on the roster, Ambush in this battle." in text
    first, second = battle.forces.all()
    act(owner, battle, f"side {first.pk}", side="target")
    act(owner, battle, f"side {second.pk}", side="ambusher")
    assert verdict_on(page(owner, battle)) == "no"
    act(owner, battle, "settings", name="Open", scenario="escape")
    assert [force.side for force in battle.forces.all()] == [None, None]


def test_a_roster_that_is_over_its_budget_is_not_legal_and_says_why(owner):
    text = page(owner, fight(owner, own(owner, fleet(3, budget=40))))
    assert "45 points are 5 more than the budget of 40." in text
    assert "Not legal" in text


def test_faulty_terms_change_nothing(owner):
    battle = fight(owner, own(owner, mini(9, **STANDARD)), name="Kept")
    response = act(owner, battle, "settings", name="", sum_floor="many")
    assert response.status_code == 422
    battle.refresh_from_db()
    assert (battle.name, battle.options) == ("Kept", {})


# ---------------------------------------------------------------- who may do what


@pytest.mark.parametrize(
    "do", ["add", "agree", "remove 1", "side 1", "settings", "delete", "delete-sure", "nonsense", ""]
)
def test_a_stranger_changes_nothing(owner, friend, stranger, do):
    battle = fight(owner, own(owner, fleet(3)), own(friend, fleet(3)))
    force = battle.forces.first()
    for client in (friend, stranger):
        response = act(client, battle, do.replace("1", str(force.pk)), link="/s/x", name="Stolen")
        assert response.status_code == 404
    battle.refresh_from_db()
    assert battle.name != "Stolen"
    assert battle.forces.count() == 2


def test_a_battle_with_its_sides_is_not_joined_by_a_stranger(owner, friend, stranger):
    battle = fight(owner, own(owner, fleet(3)), own(friend, fleet(3)))
    before = Roster.objects.count()
    assert stranger.post(f"/b/{battle.token}/opponent").status_code == 404
    assert Roster.objects.count() == before
    assert "Make an opponent" not in page(stranger, battle)


def test_the_other_side_takes_out_its_own_force_alone_and_deletes_nothing(owner, friend):
    battle = fight(owner, own(owner, fleet(3, name="Red")))
    made = Roster.objects.get(token=friend.post(f"/b/{battle.token}/opponent").url.split("/")[2])
    (red, blue) = battle.forces.order_by("position")
    shown = page(friend, battle)
    assert f'value="remove {blue.pk}"' in shown
    assert f'value="remove {red.pk}"' not in shown
    assert 'value="delete"' not in shown
    for do in ("delete", "delete-sure", f"remove {red.pk}"):
        refused = act(friend, battle, do)
        assert refused.status_code == 422
        assert "Only who began this battle" in refused.content.decode()
    assert battle.forces.count() == 2
    assert act(friend, battle, f"remove {blue.pk}").status_code == 302
    assert [force.roster.name for force in battle.forces.all()] == ["Red"]
    assert Roster.objects.filter(pk=made.pk).exists()


def test_who_began_a_battle_takes_out_any_force(owner, friend):
    battle = fight(owner, own(owner, fleet(3, name="Red")))
    friend.post(f"/b/{battle.token}/opponent")
    _, blue = battle.forces.order_by("position")
    act(owner, battle, f"remove {blue.pk}")
    assert [force.roster.name for force in battle.forces.all()] == ["Red"]


def test_ones_own_force_in_the_bin_is_told_apart_from_anothers(owner, friend):
    red = own(owner, fleet(3, name="Red"))
    battle = fight(owner, red)
    changes.bin_roster(red)
    assert "Its roster, Red, is in the bin." in page(owner, battle)
    told = page(friend, battle)
    assert "Whoever owns it has closed or deleted it." in told
    assert "Its roster" not in told


def test_who_began_a_battle_may_delete_it_once_sure_and_the_rosters_stay(owner, friend):
    battle, other = fight(owner, own(owner, fleet(3, name="Red"))), fight(owner, own(owner, fleet(3)))
    made = Roster.objects.get(token=friend.post(f"/b/{battle.token}/opponent").url.split("/")[2])
    rosters = Roster.objects.count()
    asked = act(owner, battle, "delete")
    assert asked.status_code == 200
    assert "Its 2 rosters stay as they are." in asked.content.decode()
    assert 'value="delete-sure"' in asked.content.decode()
    assert Battle.objects.count() == 2
    told = owner.post(f"/b/{battle.token}", {"do": "delete-sure"}, follow=True).content.decode()
    assert f"Deleted the battle “{battle.name}”." in told
    assert [*Battle.objects.all()] == [other]
    assert (Roster.objects.count(), Force.objects.count()) == (rosters, 1)
    for path in (f"/b/{battle.token}", f"/b/{battle.token}.pdf"):
        assert [client.get(path).status_code for client in (owner, friend)] == [404, 404]
    assert act(owner, battle, "delete-sure").status_code == 404
    assert friend.get(f"/r/{made.token}/").status_code == 200
    assert 'value="delete"' in page(owner, other)
    assert 'value="delete"' not in page(Client(), other)


@pytest.mark.parametrize("do", ["add", "agree", "remove 1", "side 1", "settings", "delete-sure"])
def test_what_comes_when_a_battle_was_deleted_just_now_is_a_clear_404(owner, monkeypatch, do):
    """Between finding the battle and writing to it, its other side deletes it."""
    red = own(owner, fleet(3))
    battle = fight(owner, red)
    lock, sent = battles._locked, do.replace("1", str(battle.forces.get().pk))

    def too_late(battle):
        Battle.objects.filter(pk=battle.pk).delete()
        return lock(battle)

    monkeypatch.setattr(battles, "_locked", too_late)
    blue = own(owner, fleet(3))
    response = act(owner, battle, sent, roster=blue.token, name="Late", max_engine="5")
    assert response.status_code == 404
    assert owner.post(f"/b/{battle.token}/opponent").status_code == 404


def test_forces_of_other_battles_are_out_of_reach(owner, friend):
    mine, theirs = fight(owner, own(owner, fleet(3))), fight(friend, own(friend, fleet(3)))
    other = theirs.forces.first()
    for do in ("remove", "agree", "side"):
        assert act(owner, mine, f"{do} {other.pk}").status_code == 404
    assert theirs.forces.count() == 1


@pytest.mark.parametrize("path", ["/b/nothing", "/b/nothing.pdf", "/b/x%00y"])
def test_an_unknown_battle_is_a_clear_404(stranger, path):
    assert stranger.get(path).status_code == 404


def test_removing_a_force_leaves_its_roster_alone(owner, friend):
    blue = own(friend, fleet(3))
    battle = fight(owner, own(owner, fleet(3)), blue)
    act(owner, battle, f"remove {battle.forces.get(roster=blue).pk}")
    assert battle.forces.count() == 1
    assert Roster.objects.filter(pk=blue.pk).exists()


def test_a_roster_is_in_a_battle_once_and_eight_are_enough(owner):
    red = own(owner, fleet(3, name="Red"))
    battle = fight(owner, red)
    assert "in this battle already" in act(owner, battle, "add", roster=red.token).content.decode()
    for _ in range(battles.MOST_FORCES - 1):
        battles.add(battle, Wanted(own(owner, fleet(1))))
    response = act(owner, battle, "add", roster=own(owner, fleet(1)).token)
    assert response.status_code == 422
    assert "8 rosters at most" in response.content.decode()
    before = Roster.objects.count()
    assert owner.post(f"/b/{battle.token}/opponent").status_code == 422
    assert Roster.objects.count() == before


# ---------------------------------------------------------------- the other side


@pytest.mark.parametrize(
    ("data", "begun"),
    [
        (mini(12, **ATTACK), (600, "defender", "defensive")),
        (mini(6, **DEFENCE), (1200, "attacker", "defensive")),
        (mini(9, **STANDARD), (1000, None, "standard")),
        (six(budget=120), (120, None, None)),
        (fleet(3), (45, None, None)),
        (band(25, budget=25, **AMBUSH), (40, "target", "ambush")),
        (band(40, budget=40, **TARGET), (25, "ambusher", "ambush")),
        (band(25), (25, None, None)),
        (figures(5), (None, None, None)),
    ],
)
def test_an_opponent_begins_with_its_budget_and_the_other_side(owner, friend, data, begun):
    battle = fight(owner, own(owner, data))
    response = friend.post(f"/b/{battle.token}/opponent")
    made = Roster.objects.get(token=response.url.split("/")[2])
    assert (made.budget, made.side, made.scenario) == begun
    assert battle.forces.get(roster=made).side == begun[1]
    assert f'href="/b/{battle.token}">To the battle</a>' in friend.get(response.url).content.decode()
    assert owner.get(response.url).status_code == 302  # to the read-only page


def test_who_takes_the_other_side_may_change_the_battle_too(owner, friend, stranger):
    battle = fight(owner, own(owner, fleet(3)))
    made = Roster.objects.get(token=friend.post(f"/b/{battle.token}/opponent").url.split("/")[2])
    assert "/e/" in friend.get(f"/r/{made.token}/").content.decode()
    assert act(friend, battle, "settings", name="Renamed", max_engine="5").status_code == 302
    assert act(stranger, battle, "settings", name="Again", max_engine="5").status_code == 404


def test_an_opponents_house_rules_are_the_battles(owner, friend):
    battle = fight(owner, own(owner, fleet(3, options={"max_engine": 6})))
    made = Roster.objects.get(token=friend.post(f"/b/{battle.token}/opponent").url.split("/")[2])
    assert made.options == {"max_engine": 6}


def test_a_friend_brings_a_roster_of_their_own_and_nobody_elses(owner, friend):
    battle, theirs = fight(owner, own(owner, fleet(3))), own(friend, fleet(3, name="Blue"))
    other = own(owner, fleet(3))
    assert friend.post(f"/b/{battle.token}/opponent", {"roster": other.token}).status_code == 404
    assert f'value="{theirs.token}"' in page(friend, battle)
    assert friend.post(f"/b/{battle.token}/opponent", {"roster": theirs.token}).status_code == 302
    assert battle.forces.filter(roster=theirs).exists()


@pytest.mark.parametrize("budget", [777, None])
def test_an_opponent_of_hidden_points_learns_no_budget_not_even_from_their_owner(owner, friend, budget):
    battle = fight(owner, own(owner, fleet(3, budget=budget), hide_points=True))
    for client in (friend, owner):
        made = Roster.objects.get(token=client.post(f"/b/{battle.token}/opponent").url.split("/")[2])
        assert made.budget is None


# ---------------------------------------------------------------- leaks

SECRETIVE = {
    "name": "Red",
    "notes": "Sentinel-note",
    "budget": 987,
}


def secretive(client, **kept):
    ships = [{**SHIP, "name": "Plain"}, {**SHIP, "name": "Sentinel-ship", "secret": True, "quantity": 3}]
    ships[0]["notes"] = "Sentinel-remark"
    return own(client, roster("msc", ships, **SECRETIVE), **kept)


def printed(client, battle):
    response = client.get(f"/b/{battle.token}.pdf")
    assert response.status_code == 200
    return "\n".join(texts(response.content))


def test_what_the_owner_hides_is_in_no_battle_no_pack_and_no_list(owner, friend, stranger):
    """Four ships of 15 BP are 60 in all; the copy shows one."""
    red = secretive(owner, hide_points=True, hide_notes=True)
    battle = fight(friend, red, own(friend, fleet(4, name="Blue")))
    grow(red)
    check = {"links": f"/s/{red.token}\n/s/{red.token}/r1"}
    for client in (friend, stranger):
        texts = [page(client, battle), printed(client, battle)]
        texts += [client.post("/check", data).content.decode() for data in (check, {**check, "as": "csv"})]
        for text in texts:
            assert "Sentinel" not in text
            assert "987" not in text
        assert verdict_on(texts[0]) == "unknown"
    assert "Sentinel-ship" not in printed(owner, battle)
    assert verdict_on(page(owner, battle)) == "yes"


def test_secret_ships_count_in_the_points_unless_those_are_hidden(owner, friend):
    battle = fight(friend, secretive(owner), own(friend, fleet(4, name="Blue")))
    text = page(friend, battle)
    assert "Sentinel-ship" not in text
    assert verdict_on(text) == "yes"


def test_what_is_secret_today_is_secret_in_the_revision_that_was_agreed_on(owner, friend):
    open_ships = [{**SHIP, "name": "Plain"}, {**SHIP, "name": "Sentinel-ship"}]
    red = own(owner, roster("msc", open_ships, name="Red"))
    battle = fight(friend, red)
    assert "Sentinel-ship" in printed(friend, battle)
    document = battles.standing(red).document
    ship = document.formations[0].elements[1]
    changes.change(red, edits.put_element(edits.changed(ship, secret=True)), "Hid one")
    assert "Sentinel-ship" not in printed(friend, battle)
    assert "Sentinel-ship" not in page(friend, battle)


# ---------------------------------------------------------------- on paper


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (mini(12, name="Red", **ATTACK), mini(6, name="Blue", **DEFENCE)),
        (six(name="Red"), six(2, name="Blue")),
        (fleet(3, name="Red"), fleet(3, name="Blue")),
        (band(25, name="Red", **AMBUSH), band(40, name="Blue", **TARGET)),
        (figures(5, name="Red"), figures(5, name="Blue")),
    ],
)
def test_the_pack_of_every_game_is_printed_for_anyone_with_the_link(owner, friend, stranger, one, other):
    battle = fight(owner, own(owner, one), own(friend, other))
    assert "Red against Blue" in printed(stranger, battle)
    first, again = stranger.get(f"/b/{battle.token}.pdf"), owner.get(f"/b/{battle.token}.pdf")
    assert first["X-Robots-Tag"] == "noindex, nofollow"
    assert first["ETag"] == again["ETag"]
    assert stranger.get(f"/b/{battle.token}.pdf", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_the_pack_shows_the_frozen_revision_under_the_battles_terms(owner):
    red = own(owner, band(25, name="Red"))
    battle = fight(owner, red)
    grow(red)
    act(owner, battle, "settings", name="Trap", scenario="ambush")
    text = printed(owner, battle)
    assert "Newcomer" not in text
    assert "Ambush" in text


def test_packs_are_limited_and_an_empty_battle_has_none(owner, settings):
    battle = fight(owner, own(owner, fleet(3)))
    settings.PDFS_A_MINUTE = 1
    from django.core.cache import cache

    cache.clear()
    found = [owner.get(f"/b/{battle.token}.pdf").status_code for _ in range(2)]
    assert found == [200, 429]
    settings.PDFS_A_MINUTE = 0
    Force.objects.all().delete()
    assert owner.get(f"/b/{battle.token}.pdf").status_code == 404
    assert page(owner, battle)


# ---------------------------------------------------------------- many people at once


def trying(work, met):
    """``work`` as a thing to do at once with others; what it made, or why it was refused, is put down in ``met``."""

    def run():
        try:
            met.append(work())
        except (Refusal, Battle.DoesNotExist) as trouble:
            met.append(trouble)

    return run


@pytest.mark.database
@committed
def test_however_many_come_at_once_a_battle_holds_eight_each_in_a_place_of_its_own():
    host, met = person(), []
    rosters = [own(host, fleet(1, name=f"Ship {number}")) for number in range(12)]
    battle = fight(host, rosters[0])
    adding = [trying(lambda each=each: battles.add(battle, Wanted(each)), met) for each in rosters[1:]]
    assert at_once(*adding) == []
    assert [*battle.forces.values_list("position", flat=True)] == [*range(1, battles.MOST_FORCES + 1)]
    assert len([each for each in met if isinstance(each, Refusal)]) == len(rosters) - battles.MOST_FORCES


@pytest.mark.database
@committed
def test_of_several_who_take_the_other_side_at_once_one_gets_it_and_nothing_is_left_of_the_others():
    host, guests, met = person(), [person() for _ in range(6)], []
    battle = fight(host, own(host, band(25, **AMBUSH)))
    brought = {id(guest): own(guest, band(40, **TARGET)).token for guest in guests[:3]}
    rosters = Roster.objects.count()

    def take(guest):
        chosen = {"roster": brought[id(guest)]} if id(guest) in brought else {}
        return guest, guest.post(f"/b/{battle.token}/opponent", chosen).status_code

    assert at_once(*(trying(lambda each=each: take(each), met) for each in guests)) == []
    (taken,) = [guest for guest, status in met if status == 302]
    assert {status for _, status in met} <= {302, 404, 422}
    assert [*battle.forces.values_list("position", "side")] == [(1, "ambusher"), (2, "target")]
    assert {each.key_hash for each in battle.browsers.all()} == {hashed(host.secret), hashed(taken.secret)}
    assert Roster.objects.count() == rosters + (id(taken) not in brought)


@pytest.mark.database
@committed
def test_what_several_agree_on_choose_and_take_out_at_once_is_all_there_afterwards():
    """Whoever changes a roster and then agrees on it finds it frozen so; no side is lost; one force is out."""
    host = person()
    red, blue, third = (own(host, band(25, name=name)) for name in ("Red", "Blue", "Third"))
    battle = fight(host, red, blue, third)
    act(host, battle, "settings", name="Trap", scenario="ambush")
    first, second, last = (force.pk for force in battle.forces.all())

    def agree_on_changes(roster, word):
        for number in range(4):
            changes.change(roster, edits.settings(notes=f"{word} {number}"), "Wrote")
            battles.agree(battle, [first, second, last])

    assert (
        at_once(
            lambda: agree_on_changes(red, "red"),
            lambda: agree_on_changes(red, "again"),
            lambda: agree_on_changes(blue, "blue"),
            lambda: [battles.choose_side(battle, first, side) for side in ("ambusher", "target")],
            lambda: [battles.choose_side(battle, second, side) for side in ("target", "ambusher")],
            lambda: battles.remove(battle, last),
        )
        == []
    )
    found = [*battle.forces.values_list("roster__name", "side", "revision")]
    assert found == [("Red", "target", 9), ("Blue", "ambusher", 5)]


@pytest.mark.database
@committed
def test_a_battle_that_is_deleted_while_others_write_to_it_leaves_nothing_behind():
    host, met = person(), []
    red, *more = (own(host, fleet(1)) for _ in range(5))
    battle = fight(host, red)
    pk = battle.forces.get().pk
    works = [lambda each=each: battles.add(battle, Wanted(each)) for each in more]
    works += [lambda: battles.agree(battle, [pk]), lambda: battles.delete(battle), lambda: battles.delete(battle)]
    assert at_once(*(trying(work, met) for work in works)) == []
    assert any(isinstance(each, Battle.DoesNotExist) for each in met)
    assert (Battle.objects.count(), Force.objects.count(), Roster.objects.filter(sample=None).count()) == (0, 0, 5)


# ---------------------------------------------------------------- many links at once


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.CHECKS_A_MINUTE = settings.PDFS_A_MINUTE = 0


def test_many_links_are_checked_at_once_with_reasons(owner, friend, stranger):
    good, bad = own(owner, fleet(3, name="Good")), own(friend, fleet(3, name="Bad", budget=40))
    shut = own(friend, fleet(3, name="Sentinel"), visibility="closed")
    links = "\n".join(f"https://x/s/{token}" for token in (good.token, bad.token, shut.token, "unknown"))
    text = stranger.post("/check", {"links": links}).content.decode()
    assert "1 of 4 legal" in text
    assert "45 points are 5 more than the budget of 40." in text
    assert text.count("There is no roster at this address.") == 2
    assert "Sentinel" not in text
    assert "Sentinel" in friend.post("/check", {"links": links}).content.decode()


def test_the_list_is_also_a_table_that_runs_no_formula(owner, stranger):
    bad = own(owner, fleet(3, name="=1+1", budget=40))
    response = stranger.post("/check", {"links": f"/s/{bad.token}\n=cmd()\n/s/{bad.token}/r9", "as": "csv"})
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert (rows[0]["name"], rows[0]["points"], rows[0]["limit"], rows[0]["legal"]) == ("'=1+1", "45", "40", "no")
    assert rows[0]["reasons"] == "45 points are 5 more than the budget of 40."
    assert rows[0]["link"] == f"http://testserver/s/{bad.token}"
    assert rows[1]["link"] == "'=cmd()"
    assert [row["reasons"] for row in rows[1:]] == ["There is no roster at this address."] * 2


def test_a_link_to_a_revision_checks_that_revision(owner, stranger):
    red = own(owner, fleet(3, name="Red", budget=60))
    grow(red, 2)
    response = stranger.post("/check", {"links": f"/s/{red.token}/r1\n/s/{red.token}", "as": "csv"})
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert [(row["points"], row["legal"], row["revision"]) for row in rows] == [("45", "yes", "1"), ("75", "no", "2")]


@pytest.mark.parametrize(
    ("links", "status"), [("", 422), (" \n ", 422), ("x\n" * 200, 200), ("x\n" * 201, 422), ("x" * 100_001, 413)]
)
def test_too_many_links_or_none_are_told(stranger, links, status):
    assert stranger.get("/check").status_code == 200
    assert stranger.post("/check", {"links": links}).status_code == status
